//! Arithmetic and methods of floats: one rounding an operation, NaN, infinities, subnormals, the two zeros.

use super::harness::{each, pairs};
use super::values::Edges;
use wavewright::prelude::*;

macro_rules! floats {
    ($($t:ident $name:ident)*) => { $(
        mod $name {
            use super::*;

            #[kernel]
            fn arithmetic(a: &$t, b: &$t, out: &mut [$t; 6]) {
                *out = [*a + *b, *a - *b, *a * *b, *a / *b, *a % *b, -*a];
            }

            #[kernel]
            fn methods(a: &$t, b: &$t, out: &mut [$t; 4]) {
                *out = [a.min(*b), a.max(*b), a.mul_add(*b, 0.5), a.mul_add(*b, -*a * *b)];
            }

            #[kernel]
            fn rounding(a: &$t, out: &mut [$t; 6]) {
                *out = [a.floor(), a.ceil(), a.trunc(), a.round(), a.abs(), a.sqrt()];
            }

            #[kernel]
            fn two_roundings(a: &$t, b: &$t, out: &mut [$t; 2]) {
                *out = [*a * *b + 0.1, *a * *b - *b * *a];
            }

            #[test]
            fn arithmetic_is_exact_to_the_bit() {
                pairs(arithmetic, arithmetic::native, (Edges::EDGES, Edges::EDGES), |_, _| true, [0.0; 6]);
            }

            #[test]
            fn minimum_maximum_and_fused_multiplication() {
                // Of -0.0 and 0.0, std leaves open which is the smaller; kernels say -0.0, whatever this host says.
                let zeros = |a: $t, b: $t| a == 0.0 && b == 0.0 && a.to_bits() != b.to_bits();
                // So it does for a signalling NaN: kernels take it as any other.
                let signalling = |a: $t| a.is_nan() && a.to_bits() == $t::EDGES.last().unwrap().to_bits();
                let fits = |a, b| !zeros(a, b) && !signalling(a) && !signalling(b);
                pairs(methods, methods::native, (Edges::EDGES, Edges::EDGES), fits, [0.0; 4]);
            }

            #[test]
            fn rounding_to_integers() {
                let halves = [0.5, -0.5, 0.49999997, 1.5, 2.5, -2.5, 8388609.0, -8388609.5, 4503599627370497.5];
                each(rounding, rounding::native, $t::EDGES, [0.0; 6]);
                each(rounding, rounding::native, &halves, [0.0; 6]);
            }

            #[test]
            fn products_and_sums_are_rounded_apart() {
                pairs(two_roundings, two_roundings::native, (Edges::EDGES, Edges::EDGES), |_, _| true, [0.0; 2]);
            }
        }
    )* };
}
floats! { f32 of_f32 f64 of_f64 }

#[kernel]
fn zeros(a: &f32, b: &f32, out: &mut [u32; 2]) {
    *out = [a.min(*b).to_bits(), a.max(*b).to_bits()];
}

#[test]
fn minus_zero_is_below_zero() {
    let rust = |_: &f32, _: &f32, out: &mut [u32; 2]| *out = [(-0.0f32).to_bits(), 0.0f32.to_bits()];
    pairs(zeros, rust, (&[0.0, -0.0], &[0.0, -0.0]), |a, b| a.to_bits() != b.to_bits(), [0; 2]);
}

#[kernel]
fn bits(a: &u32, out: &mut (u32, bool)) {
    let x = f32::from_bits(*a);
    *out = (x.to_bits(), x.is_nan());
}

#[test]
fn bits_survive() {
    let quiet_and_signalling =
        [0, 1, 0x8000_0000, 0x7f80_0000, 0x7f80_0001, 0x7fc0_1234, 0xffff_ffff, 0x3f80_0000];
    each(bits, bits::native, &quiet_and_signalling, (0, false));
}
