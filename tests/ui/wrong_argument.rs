use wavewright::prelude::*;

#[kernel]
fn scale(a: f32, y: &mut [f32]) {
    y[thread::global_x()] *= a;
}

fn run(device: &Device, numbers: Vec<f32>, mut whole: Buffer<u32>, y: &Buffer<f32>) -> Result<(), Error> {
    unsafe { scale(2.0, &mut whole).grid(1).block(64).launch(device)? };
    unsafe { scale(2.0, y).grid(1).block(64).launch(device)? };
    unsafe { scale(numbers, &mut whole).grid(1).block(64).launch(device)? };
    Ok(())
}

fn main() {}
