use wavewright::prelude::*;

#[kernel]
fn fill(y: &mut [f32]) {
    y[thread::global_x()] = 1.0;
}

fn run(device: &Device, y: &mut Buffer<f32>) -> Result<(), Error> {
    fill(y).grid(1).block(64).launch(device)
}

fn main() {}
