use wavewright::prelude::*;

fn host_only(x: f32) -> f32 {
    x + 1.0
}

#[kernel]
fn call(y: &mut [f32]) {
    y[0] = host_only(1.0);
}

fn main() {}
