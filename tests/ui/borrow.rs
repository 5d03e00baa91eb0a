use wavewright::prelude::*;

#[kernel]
fn swap(y: &mut [f32]) {
    let first = &mut y[0];
    let second = &mut y[1];
    *first = *second;
}

fn main() {}
