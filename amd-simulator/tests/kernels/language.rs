//! Arithmetic that takes more than one instruction: division, roots, 64 bits, conversions.

use crate::harness::{Argument, on_each};
use wavewright::prelude::*;

#[kernel]
fn divided(a: &f32, b: &f32, out: &mut [f32; 2]) {
    *out = [*a / *b, a.sqrt()];
}

#[kernel]
fn divided_wide(a: &f64, b: &f64, out: &mut [f64; 2]) {
    *out = [*a / *b, a.sqrt()];
}

#[kernel]
fn whole(a: &i64, b: &i64, out: &mut [i64; 6]) {
    let (x, y) = (*a, *b | 1);
    *out = [x.wrapping_mul(y), x / (y >> 1 | 1), x % (y >> 1 | 1), x << (y & 63), x >> (y & 63), x ^ y];
}

#[kernel]
fn converted(a: &f32, b: &f64, out: &mut [i64; 6]) {
    *out = [
        *a as i64,
        *a as u64 as i64,
        *a as i8 as i64,
        *b as i32 as i64,
        *b as f32 as i64,
        (*b as i64) as f64 as i64,
    ];
}

const SINGLES: [f32; 16] = [
    0.0,
    -0.0,
    1.0,
    -1.5,
    3.0,
    1e-40,
    -1e-45,
    1e38,
    f32::MAX,
    f32::MIN_POSITIVE,
    f32::INFINITY,
    f32::NEG_INFINITY,
    f32::NAN,
    16777217.0,
    0.1,
    7e-39,
];

fn doubles() -> Vec<f64> {
    let more = [5e-324, 2.2e-308, f64::MAX, 1e300, 9007199254740993.0, 1e-310];
    SINGLES.iter().map(|x| f64::from(*x)).chain(more).collect()
}

const WHOLES: [i64; 12] =
    [0, 1, -1, 2, 7, -10, 1 << 31, -(1 << 31), i64::MAX, i64::MIN, 0x1234_5678_9abc_def0, 1_000_000_007];

fn pairs<A: Copy, B: Copy>(a: &[A], b: &[B]) -> (Vec<A>, Vec<B>) {
    a.iter().flat_map(|a| b.iter().map(move |b| (*a, *b))).unzip()
}

/// Bits, with all NaN alike.
fn bits(x: f32) -> u32 {
    if x.is_nan() { 0x7fc0_0000 } else { x.to_bits() }
}

fn wide_bits(x: f64) -> u64 {
    if x.is_nan() { 0x7ff8 << 48 } else { x.to_bits() }
}

#[track_caller]
fn each<A: Copy, B: Copy, O: Copy + Default + PartialEq + std::fmt::Debug>(
    program: Result<wavewright::kernel_ir::typed::Program, wavewright::kernel_ir::entry::BuildError>,
    (a, b): (&[A], &[B]),
    values: usize,
    expected: impl Fn(A, B) -> Vec<O>,
    clean: impl Fn(O) -> O,
) {
    on_each(program, None, |setup| {
        let count = a.len();
        let out = setup.buffer(&vec![O::default(); count * values]);
        let arguments = [setup.buffer(a), setup.buffer(b), out, count as u64].map(Argument::Word);
        setup.run([count.div_ceil(64) as u32, 1, 1], [64, 1, 1], &arguments);
        let found: Vec<O> = setup.read(out, count * values).into_iter().map(&clean).collect();
        for (n, found) in found.chunks(values).enumerate() {
            let expected = expected(a[n], b[n]);
            assert_eq!(found, expected, "on {} for pair {n}", setup.label);
        }
    });
}

#[test]
fn division_and_roots_of_singles() {
    let (a, b) = pairs(&SINGLES, &SINGLES);
    let clean = |x: u32| bits(f32::from_bits(x));
    each(divided::program(), (&a, &b), 2, |a, b| vec![bits(a / b), bits(a.sqrt())], clean);
}

#[test]
fn division_and_roots_of_doubles() {
    let (a, b) = pairs(&doubles(), &doubles());
    let clean = |x: u64| wide_bits(f64::from_bits(x));
    each(divided_wide::program(), (&a, &b), 2, |a, b| vec![wide_bits(a / b), wide_bits(a.sqrt())], clean);
}

#[test]
fn whole_numbers_of_64_bits() {
    let (a, b) = pairs(&WHOLES, &WHOLES);
    let fits = |(a, b): &(i64, i64)| *a != i64::MIN || (*b | 1) >> 1 | 1 != -1;
    let (a, b): (Vec<i64>, Vec<i64>) = a.into_iter().zip(b).filter(fits).unzip();
    let expected = |x: i64, b: i64| {
        let y = b | 1;
        let d = y >> 1 | 1;
        vec![x.wrapping_mul(y), x / d, x % d, x << (y & 63), x >> (y & 63), x ^ y]
    };
    each(whole::program(), (&a, &b), 6, expected, |x| x);
}

#[test]
fn conversions() {
    let (a, b) = pairs(&SINGLES, &doubles());
    let expected = |a: f32, b: f64| {
        vec![
            a as i64,
            a as u64 as i64,
            a as i8 as i64,
            b as i32 as i64,
            b as f32 as i64,
            (b as i64) as f64 as i64,
        ]
    };
    each(converted::program(), (&a, &b), 6, expected, |x| x);
}
