//! Device functions: arguments, results, references to variables, functions that never return.

use super::harness::{each, pairs};
use super::values::Edges;
use wavewright::prelude::*;

#[device]
fn gcd(mut a: u32, mut b: u32) -> u32 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[kernel]
fn common(a: &u32, b: &u32, out: &mut u32) {
    *out = gcd(gcd(*a, *b), 12) + gcd(*b, 3);
}

#[test]
fn functions_call_by_value() {
    pairs(common, common::native, (Edges::EDGES, Edges::EDGES), |_, _| true, 0);
}

#[device]
fn swap(a: &mut i32, b: &mut i32) {
    let t = *a;
    *a = *b;
    *b = t;
}

#[device]
fn sorted(mut values: [i32; 3]) -> [i32; 3] {
    let [mut a, mut b, c] = values;
    if a > b {
        swap(&mut a, &mut b);
    }
    values = [a, b, c];
    if values[1] > values[2] {
        let (x, y) = (values[1], values[2]);
        values[1] = y;
        values[2] = x;
    }
    if values[0] > values[1] {
        (values[0], values[1]) = (values[1], values[0]);
    }
    values
}

#[kernel]
fn ordered(a: &[i32; 3], out: &mut [i32; 3]) {
    *out = sorted(*a);
}

#[test]
fn references_to_variables_reach_functions() {
    let values = [[1, 2, 3], [3, 2, 1], [2, 3, 1], [i32::MAX, i32::MIN, 0], [5, 5, 5], [1, 3, 2], [3, 1, 2]];
    each(ordered, ordered::native, &values, [0; 3]);
}

#[device]
fn larger<'a>(a: &'a [u32], b: &'a [u32]) -> &'a [u32] {
    if a.len() > b.len() { a } else { b }
}

#[device]
fn sum(values: &[u32]) -> u32 {
    let mut sum = 0;
    for i in 0..values.len() {
        sum += values[i];
    }
    sum
}

#[kernel]
fn of_slices(a: &[u32; 5], out: &mut u32) {
    let other = [1000, 2000];
    *out = sum(larger(&a[1..4], &other)) + sum(larger(&other, &a[..a[0] as usize])) * 3 + sum(a);
}

#[test]
fn slices_go_in_and_out() {
    let values = [[0, 1, 2, 3, 4], [5, 6, 7, 8, 9], [1, 1, 1, 1, 1], [3, 0, 0, 0, 9]];
    each(of_slices, of_slices::native, &values, 0);
}

#[device]
fn never(code: u32) -> ! {
    if code == 1 {
        panic!("one");
    }
    loop {
        panic!("other");
    }
}

#[device]
fn checked(x: u32) -> u32 {
    if x > u32::MAX - 1 { never(x % 2) } else { x + 1 }
}

#[kernel]
fn diverging(a: &u32, out: &mut u32) {
    *out = checked(*a);
}

#[test]
fn a_function_that_never_returns_has_any_type() {
    each(diverging, diverging::native, &[0, 1, 77, u32::MAX - 1], 0);
}

mod other {
    use wavewright::prelude::*;

    #[device]
    pub fn twice(x: i64) -> i64 {
        x.wrapping_mul(2)
    }

    pub mod inner {
        pub use super::twice as doubled;
    }
}

#[kernel]
fn by_other_names(a: &i64, out: &mut i64) {
    use other::inner::doubled as d;
    *out = d(other::twice(*a));
}

#[test]
fn functions_are_found_under_other_names() {
    each(by_other_names, by_other_names::native, i64::EDGES, 0);
}
