//! Generic functions and kernels: type parameters, const generics, traits, associated constants and types.

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
trait Shape {
    const SIDES: u32;
    fn area(&self) -> f32;
    fn scaled(self, by: f32) -> Self;
    fn doubled(self) -> Self
    where
        Self: Sized,
    {
        self.scaled(2.0)
    }
}

#[derive(Clone, Copy, DeviceType)]
struct Square(f32);

#[derive(Clone, Copy, DeviceType)]
struct Rectangle {
    width: f32,
    height: f32,
}

#[device]
impl Shape for Square {
    const SIDES: u32 = 4;
    fn area(&self) -> f32 {
        self.0 * self.0
    }
    fn scaled(self, by: f32) -> Self {
        Square(self.0 * by)
    }
}

#[device]
impl Shape for Rectangle {
    const SIDES: u32 = 40;
    fn area(&self) -> f32 {
        self.width * self.height
    }
    fn scaled(self, by: f32) -> Self {
        Self { width: self.width * by, ..self }
    }
    fn doubled(self) -> Self {
        self.scaled(3.0)
    }
}

#[device]
impl Rectangle {
    fn new(width: f32, height: f32) -> Self {
        Self { width, height }
    }
    fn turn(&mut self) -> &mut Self {
        let width = self.width;
        self.width = self.height;
        self.height = width;
        self
    }
}

#[device]
fn measure<S: Shape + Copy>(shape: &S) -> f32 {
    shape.doubled().area() + S::SIDES as f32
}

#[kernel]
fn shapes(a: &f32, out: &mut [f32; 3]) {
    let mut r = Rectangle::new(*a, 2.0);
    r.turn().width += 1.0;
    *out = [measure(&Square(*a)), measure(&r), r.width];
}

#[test]
fn traits_and_their_methods() {
    each(shapes, shapes::native, &[0.0, 1.5, -3.0, 1e20], [0.0; 3]);
}

#[derive(Clone, Copy, DeviceType, Debug, PartialEq)]
struct V2 {
    x: f32,
    y: f32,
}

#[device]
impl Add for V2 {
    type Output = V2;
    fn add(self, other: V2) -> V2 {
        V2 { x: self.x + other.x, y: self.y + other.y }
    }
}

#[device]
impl Mul<f32> for V2 {
    type Output = V2;
    fn mul(self, by: f32) -> V2 {
        V2 { x: self.x * by, y: self.y * by }
    }
}

#[device]
impl std::ops::Neg for V2 {
    type Output = V2;
    fn neg(self) -> V2 {
        V2 { x: -self.x, y: -self.y }
    }
}

#[device]
impl std::ops::AddAssign for V2 {
    fn add_assign(&mut self, other: V2) {
        self.x += other.x;
        self.y += other.y;
    }
}

#[kernel]
fn vectors(a: &f32, b: &f32, out: &mut [f32; 2]) {
    let v = V2 { x: *a, y: 1.0 };
    let mut w = -(v + V2 { x: *b, y: *b }) * 0.5;
    w += v;
    *out = [w.x, w.y];
}

#[test]
fn operators_of_user_types() {
    let values = [0.0, -0.0, 1.25, -3.5, 1e30];
    pairs(vectors, vectors::native, (&values, &values), |_, _| true, [0.0; 2]);
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
