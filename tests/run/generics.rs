//! Generic functions and kernels: type parameters, const generics, bounds of std's traits.

use super::harness::{each, pairs};
use super::values::Edges;
use std::ops::{Add, Mul};
use wavewright::prelude::*;

#[device]
fn affine<T: Copy + Add<Output = T> + Mul<Output = T>>(a: T, x: T, b: T) -> T {
    a * x + b
}

#[device]
fn accumulate<T: Copy + std::ops::AddAssign + PartialOrd + Default, const N: usize>(values: &[T; N]) -> T {
    let mut sum = T::default();
    for i in 0..N {
        if values[i] > sum {
            sum += values[i];
        }
    }
    sum
}

#[kernel]
fn generic<T: Copy + Add<Output = T> + Mul<Output = T>>(a: &T, b: &T, out: &mut T) {
    *out = affine(*a, *b, *a);
}

#[test]
fn a_generic_kernel_has_an_instance_for_each_type() {
    let small = [-3.5f64, 0.0, 2.0, 1e100];
    pairs(generic::<f64>, generic::native::<f64>, (&small, &small), |_, _| true, 0.0);
    let small = [-3i32, 0, 2, 1000];
    pairs(generic::<i32>, generic::native::<i32>, (&small, &small), |_, _| true, 0);
}

#[kernel]
fn lengths<const N: usize>(a: &[f32; N], out: &mut (f32, usize)) {
    *out = (accumulate(a), N * 2);
}

#[test]
fn const_generics_are_values() {
    each(lengths::<1>, lengths::native::<1>, &[[5.0], [-1.0]], (0.0, 0));
    each(lengths::<4>, lengths::native::<4>, &[[1.0, 2.0, 3.0, 4.0], [-1.0, 9.0, 3.0, 10.0]], (0.0, 0));
}

#[device]
fn widest<T: Copy + Into<u64> + PartialEq>(a: T, b: T) -> u64 {
    if a == b { a.into() } else { a.into() * 2 + b.into() }
}

#[kernel]
fn widened(a: &u8, b: &u8, out: &mut u64) {
    *out = widest(*a, *b) + widest(*a as u32, *b as u32) * 1000;
}

#[test]
fn bounds_of_std_traits() {
    pairs(widened, widened::native, (Edges::EDGES, Edges::EDGES), |_, _| true, 0);
}
