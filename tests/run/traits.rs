//! `#[device]` traits and `impl`s: methods, associated constants, operators of user types.

use super::harness::{each, pairs};
use super::values::Edges;
use std::ops::{Add, Mul};
use wavewright::prelude::*;

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

#[derive(Clone, Copy, DeviceType)]
struct Settings {
    small: u8,
    large: u64,
}

#[device]
impl Settings {
    const DEFAULT: Settings = Settings { small: 3, large: u64::MAX - 7 };
}

#[kernel]
fn settings(a: &u32, out: &mut u64) {
    let settings = Settings::DEFAULT;
    *out = settings.large - settings.small as u64 - *a as u64;
}

#[test]
fn associated_constants_are_values() {
    each(settings, settings::native, u32::EDGES, 0);
}

#[derive(Clone, Copy, DeviceType, Debug)]
struct Key {
    high: u32,
    low: (u8, f32),
}

#[device]
impl PartialEq for Key {
    fn eq(&self, other: &Key) -> bool {
        self.high == other.high && self.low.0 == other.low.0 && self.low.1 == other.low.1
    }
}

#[device]
impl Default for Key {
    fn default() -> Self {
        Key { high: 0, low: (0, 0.0) }
    }
}

#[device]
fn equal_to<T: PartialEq>(a: &T, b: &T) -> u32 {
    (a == b) as u32 + 2 * (*a != *b) as u32
}

#[kernel]
fn compared(a: &u32, out: &mut [u32; 3]) {
    let key = Key { high: *a, low: (1, 2.5) };
    let same = key;
    let zero = Key::default();
    *out = [
        equal_to(&key, &same),
        equal_to(&key, &zero),
        (key == Key { high: *a, ..zero }) as u32 + equal_to(&3u8, &3),
    ];
}

#[test]
fn comparisons_of_user_types() {
    each(compared, compared::native, u32::EDGES, [0; 3]);
}

#[device]
trait Source {
    type Item: Copy + DeviceType;
    const STEP: usize;
    fn get(&self, i: usize) -> Self::Item;
}

#[derive(Clone, Copy, DeviceType)]
struct Every<'a, T: Copy, const N: usize>(&'a [T]);

#[device]
impl<'a, T: Copy + DeviceType, const N: usize> Source for Every<'a, T, N> {
    type Item = T;
    const STEP: usize = N;
    fn get(&self, i: usize) -> T {
        self.0[i * Self::STEP]
    }
}

#[device]
fn last<S: Source>(source: &S, count: usize) -> (S::Item, usize) {
    (source.get(count - 1), S::STEP)
}

#[kernel]
fn sources(a: &[u16; 6], out: &mut [u32; 2]) {
    let (x, step) = last(&Every::<_, 2>(a), 3);
    let (y, _) = last(&Every::<u16, 5>(&a[..]), 2);
    *out = [x as u32 + step as u32, y as u32];
}

#[test]
fn associated_types() {
    each(sources, sources::native, &[[1, 2, 3, 4, 5, 6], [9, 8, 7, 6, 5, 4]], [0; 2]);
}
