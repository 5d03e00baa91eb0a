use wavewright::prelude::*;

#[kernel]
fn print(y: &mut [f32]) {
    println!("{}", y[0]);
}

#[kernel]
async fn later(y: &mut [f32]) {
    y[0] = 1.0;
}

#[kernel]
fn returns(y: &mut [f32]) -> f32 {
    y[0]
}

#[device]
fn declares() -> f32 {
    let tile = shared!([f32; 4]);
    tile[0]
}

fn main() {}
