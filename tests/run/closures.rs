//! Closures: captures by reference and by value, in and out of functions, closures in closures.

use super::harness::each;
use super::values::Edges;
use wavewright::prelude::*;

#[device]
fn apply(f: impl Fn(u32) -> u32, x: u32) -> u32 {
    f(f(x))
}

#[device]
fn apply_mut<F: FnMut(u32)>(mut f: F, n: u32) {
    for i in 0..n {
        f(i);
    }
}

#[device]
fn by_reference(f: &impl Fn(u32) -> u32, x: u32) -> u32 {
    f(x) + apply(f, x) % 100
}

#[device]
fn adder(n: u32) -> impl Fn(u32) -> u32 {
    move |x: u32| x / 2 + n
}

#[kernel]
fn passed(a: &u32, out: &mut [u32; 4]) {
    let k = *a % 1000;
    let add = |x: u32| x % 5000 + k;
    out[0] = apply(add, 5);
    out[1] = by_reference(&add, k);
    let mut total = 0;
    apply_mut(|i| total += i * k, 7);
    out[2] = total;
    out[3] = apply(adder(k), *a);
}

#[test]
fn closures_go_into_functions_and_come_out() {
    each(passed, passed::native, u32::EDGES, [0; 4]);
}

#[kernel]
fn captured(a: &u32, out: &mut [u32; 6]) {
    let mut count = *a % 50;
    let mut increment = || {
        count += 3;
        count
    };
    out[0] = increment() + increment();
    out[1] = count;
    let mut own = count;
    let mut counter = move || {
        own += 1;
        own
    };
    out[2] = counter() * counter();
    out[3] = own;
    let mut pair = (count, [count; 4]);
    let read = |i: usize| pair.0 + pair.1[i];
    out[4] = read(2);
    pair.1[2] = 9;
    let mut write = |i: usize, x| pair.1[i] = x;
    write(0, 5);
    write(1, 6);
    out[5] = pair.1[0] + pair.1[1] * 10 + pair.1[2] * 100;
}

#[test]
fn captures_are_shared_or_own() {
    each(captured, captured::native, u32::EDGES, [0; 6]);
}

#[kernel]
fn reassigned(a: &u32, out: &mut [u32; 2]) {
    let (x, y) = (*a, 77);
    let mut r = &x;
    let read = || *r;
    r = &y;
    *out = [read(), *r];
}

#[test]
fn a_closure_keeps_the_reference_that_it_was_made_with() {
    each(reassigned, reassigned::native, u32::EDGES, [0; 2]);
}

#[kernel]
fn nested(a: &u32, out: &mut [u32; 2]) {
    let mut log = 0;
    let k = *a % 100;
    let mut outer = |x: u32| {
        let mut inner = |y: u32| {
            log = log * 2 + y + k;
            y + x
        };
        inner(1) * inner(x)
    };
    out[0] = outer(3) + outer(4);
    out[1] = log;
}

#[test]
fn closures_in_closures() {
    each(nested, nested::native, u32::EDGES, [0; 2]);
}

#[kernel]
fn returning(a: &i32, out: &mut i32) {
    let sign = |x: i32| {
        if x < 0 {
            return -1;
        }
        for i in 0..10 {
            if x == i {
                return i * 10;
            }
        }
        1
    };
    *out = sign(*a);
}

#[test]
fn return_leaves_the_closure_only() {
    each(returning, returning::native, i32::EDGES, 0);
}

#[kernel]
fn patterns(a: &u32, out: &mut u32) {
    let f = |(x, y): (u32, u32), [a, .., b]: [u32; 3]| x / 2 + y + a * b;
    *out = f((*a, 5), [1, 2, 3]);
}

#[test]
fn parameters_are_patterns() {
    each(patterns, patterns::native, u32::EDGES, 0);
}

#[device]
fn twice(f: &mut impl FnMut(u32) -> u32, x: u32) -> u32 {
    let first = f(x);
    f(first)
}

#[device]
fn both(f: impl Fn(u32) -> u32 + Copy, g: impl Fn(u32) -> u32) -> impl Fn(u32) -> u32 {
    move |x: u32| f(g(x)) / 2 + f(x)
}

#[derive(Clone, Copy, DeviceType)]
struct Line {
    slope: u32,
    start: u32,
}

#[device]
impl Line {
    fn sum(&self, n: u32) -> u32 {
        let at = |x: u32| x * self.slope + self.start;
        let mut sum = 0;
        for i in 0..n {
            sum += at(i);
        }
        sum
    }
    fn steps(&mut self, n: u32) -> u32 {
        let mut step = || {
            self.start += self.slope;
            self.start
        };
        for _ in 1..n {
            step();
        }
        step()
    }
}

#[kernel]
fn composed(a: &u32, out: &mut [u32; 4]) {
    let k = *a % 30;
    let mut calls = 0;
    let mut counted = |x: u32| {
        calls += 1;
        x + k
    };
    out[0] = twice(&mut counted, 5) + twice(&mut counted, 6);
    out[1] = calls;
    let combined = both(|x| x * 2, |x| x + k);
    out[2] = combined(7) + twice(&mut |x| combined(x) % 77, k);
    let mut line = Line { slope: 3, start: k };
    out[3] = line.sum(5) + line.steps(4) * 1000;
}

#[test]
fn closures_by_mutable_reference_in_closures_and_in_methods() {
    each(composed, composed::native, u32::EDGES, [0; 4]);
}
