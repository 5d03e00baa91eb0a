use wavewright::prelude::*;

#[kernel]
fn grow(x: &[f32], y: &mut [f32]) {
    let i = thread::global_x();
    y[i] = x[i].embiggen();
}

fn main() {}
