use wavewright::prelude::*;

#[kernel]
fn add(x: &[f32], y: &mut [f32]) {
    let i = thread::global_x();
    let offset: u32 = 1.5;
    y[i] = x[i] + offset;
}

fn main() {}
