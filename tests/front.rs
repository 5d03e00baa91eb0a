//! From source to the typed program: what the macros capture and rustc says about it.

use wavewright::prelude::*;

#[kernel]
fn saxpy(a: f32, x: &[f32], y: &mut [f32]) {
    let i = thread::global_x();
    if i < y.len() {
        y[i] += a * x[i];
    }
}

#[device]
fn lerp(a: f32, b: f32, t: f32) -> f32 {
    a + (b - a) * t
}

#[kernel]
fn blend(t: f32, x: &f32, y: &mut f32) {
    *y = lerp(*x, *y, t);
}

#[kernel]
fn mixed(n: usize, x: &[f32], y: &mut [f32]) {
    let mut acc = 0.0;
    for j in 0..n {
        let k = if j % 2 == 0 { 1 } else { 2 };
        acc += x[j * k].sqrt().max(0.25);
    }
    assert!(n > 0, "n is zero");
    y[0] = lerp(acc, 1.0, 0.5);
}

#[test]
fn programs() {
    for p in [saxpy::program(), blend::program(), mixed::program()] {
        let p = p.unwrap();
        assert_eq!(p.kernel.params.len(), 3);
    }
}

#[derive(Clone, Copy, DeviceType)]
struct Pair<T> {
    a: T,
    b: u8,
}

#[kernel]
fn pairs(p: Pair<f64>, y: &mut [f32]) {
    let q = Pair { b: 1, ..p };
    y[0] = q.a as f32 + p.b as f32;
}

#[test]
fn pair() {
    let p = pairs::program().unwrap();
    assert_eq!(p.types.iter().filter(|(id, _)| p.types.name(*id) == "front::Pair<f64>").count(), 1);
}
