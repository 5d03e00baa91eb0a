//! What users write first: vectors, matrices, fractals.

use crate::harness::{Argument, on_each, slice};
use wavewright::prelude::*;

#[kernel]
fn saxpy(a: f32, x: &f32, y: &mut f32) {
    *y = a.mul_add(*x, *y);
}

#[kernel]
fn saxpy_checked(a: f32, x: &[f32], y: &mut [f32]) {
    let i = thread::global_x();
    if i < y.len() {
        y[i] = a.mul_add(x[i], y[i]);
    }
}

fn numbers(count: usize) -> Vec<f32> {
    (0..count).map(|i| (i as f32 * 0.37).sin() * 1e3).collect()
}

#[test]
fn saxpy_in_both_forms() {
    let (x, y) = (numbers(1000), numbers(1000));
    let expected: Vec<u32> = x.iter().zip(&y).map(|(x, y)| 2.5f32.mul_add(*x, *y).to_bits()).collect();
    on_each(saxpy::program(), Some([256, 1, 1]), |setup| {
        let (x, out) = (setup.buffer(&x), setup.buffer(&y));
        let words = [x, out, 1000].map(Argument::Word);
        setup.run([4, 1, 1], [256, 1, 1], &[&[Argument::Half(2.5f32.to_bits())][..], &words].concat());
        assert_eq!(setup.read::<u32>(out, 1000), expected, "on {}", setup.label);
    });
    on_each(saxpy_checked::program(), None, |setup| {
        let (x, out) = (setup.buffer(&x), setup.buffer(&y));
        let a = [Argument::Half(2.5f32.to_bits())];
        setup.run([8, 1, 1], [128, 1, 1], &[&a[..], &slice(x, 1000), &slice(out, 1000)].concat());
        assert_eq!(setup.read::<u32>(out, 1000), expected, "on {}", setup.label);
    });
}

const TILE: usize = 16;

#[kernel(block = (16, 16))]
fn matmul(n: u32, a: &[f32], b: &[f32], c: &mut [f32]) {
    let left = shared!([[f32; 16]; 16]);
    let right = shared!([[f32; 16]; 16]);
    let n = n as usize;
    let (x, y) = (thread::x() as usize, thread::y() as usize);
    let (column, row) = (block::x() as usize * TILE + x, block::y() as usize * TILE + y);
    let mut sum = 0.0;
    let mut tile = 0;
    while tile < n / TILE {
        left[y][x] = a[row * n + tile * TILE + x];
        right[y][x] = b[(tile * TILE + y) * n + column];
        sync_threads();
        let mut k = 0;
        while k < TILE {
            sum = left[y][k].mul_add(right[k][x], sum);
            k += 1;
        }
        sync_threads();
        tile += 1;
    }
    c[row * n + column] = sum;
}

#[test]
fn tiled_matrix_product() {
    const N: usize = 48;
    let (a, b) = (numbers(N * N), numbers(N * N));
    let cell =
        |i: usize| (0..N).fold(0f32, |sum, k| a[i / N * N + k].mul_add(b[k * N + i % N], sum)).to_bits();
    let expected: Vec<u32> = (0..N * N).map(cell).collect();
    on_each(matmul::program(), Some([16, 16, 1]), |setup| {
        let (a, b, c) = (setup.buffer(&a), setup.buffer(&b), setup.buffer(&vec![0f32; N * N]));
        let n = [Argument::Half(N as u32)];
        let all = [&n[..], &slice(a, N * N), &slice(b, N * N), &slice(c, N * N)].concat();
        setup.run([3, 3, 1], [16, 16, 1], &all);
        assert_eq!(setup.read::<u32>(c, N * N), expected, "on {}", setup.label);
    });
}

#[kernel]
fn mandelbrot(width: u32, out: &mut [u32]) {
    let i = thread::global_x();
    if i < out.len() {
        let (x, y) = (i as u32 % width, i as u32 / width);
        let (a, b) = (x as f32 / width as f32 * 3.0 - 2.0, y as f32 / width as f32 * 3.0 - 1.5);
        let (mut re, mut im) = (0.0f32, 0.0f32);
        let mut steps = 0;
        while steps < 100 && re * re + im * im <= 4.0 {
            (re, im) = (re * re - im * im + a, 2.0 * re * im + b);
            steps += 1;
        }
        out[i] = steps;
    }
}

#[test]
fn mandelbrot_set() {
    const WIDTH: u32 = 37;
    let step = |i: u32| {
        let (x, y) = (i % WIDTH, i / WIDTH);
        let (a, b) = (x as f32 / WIDTH as f32 * 3.0 - 2.0, y as f32 / WIDTH as f32 * 3.0 - 1.5);
        let (mut re, mut im) = (0.0f32, 0.0f32);
        let mut steps = 0u32;
        while steps < 100 && re * re + im * im <= 4.0 {
            (re, im) = (re * re - im * im + a, 2.0 * re * im + b);
            steps += 1;
        }
        steps
    };
    let count = (WIDTH * WIDTH) as usize;
    let expected: Vec<u32> = (0..count as u32).map(step).collect();
    on_each(mandelbrot::program(), None, |setup| {
        let out = setup.buffer(&vec![0u32; count]);
        setup.run([11, 1, 1], [128, 1, 1], &[&[Argument::Half(WIDTH)][..], &slice(out, count)].concat());
        assert_eq!(setup.read::<u32>(out, count), expected, "on {}", setup.label);
    });
}
