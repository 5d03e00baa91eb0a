use wavewright::prelude::*;

#[device]
fn twice<T: Copy>(x: T) -> T {
    x + x
}

#[kernel]
fn run(y: &mut [f32]) {
    y[0] = twice(y[1]);
}

fn main() {}
