//! `+ - *`, negation and `& | ^ !` of every integer type: kernels wrap.

use super::harness::{each, pairs};
use super::values::Edges;
use wavewright::prelude::*;

macro_rules! integers {
    ($($t:ident $name:ident)*) => { $(
        mod $name {
            use super::*;

            #[kernel]
            fn arithmetic(a: &$t, b: &$t, out: &mut [$t; 6]) {
                *out = [*a + *b, *a - *b, *a * *b, *a & *b, *a | *b, *a ^ *b];
            }

            #[kernel]
            fn assigning(a: &$t, b: &$t, out: &mut [$t; 6]) {
                out[0] += *a;
                out[0] += *b;
                out[1] -= *a * *b;
                out[2] = *a;
                out[2] *= *b;
                out[3] |= *a;
                out[4] = *a;
                out[4] &= *b;
                out[5] ^= *b;
            }

            #[kernel]
            fn inverted(a: &$t, out: &mut $t) {
                *out = !*a;
            }

            #[kernel]
            fn division(a: &$t, b: &$t, out: &mut ($t, $t)) {
                *out = (*a / *b, *a % *b);
            }

            #[test]
            fn arithmetic_wraps() {
                let rust = |a: &$t, b: &$t, out: &mut [$t; 6]| {
                    *out = [a.wrapping_add(*b), a.wrapping_sub(*b), a.wrapping_mul(*b), a & b, a | b, a ^ b];
                };
                pairs(arithmetic, rust, (Edges::EDGES, Edges::EDGES), |_, _| true, [0; 6]);
                let rust = |a: &$t, b: &$t, out: &mut [$t; 6]| {
                    let minus_product = (0 as $t).wrapping_sub(a.wrapping_mul(*b));
                    *out = [a.wrapping_add(*b), minus_product, a.wrapping_mul(*b), *a, a & b, *b];
                };
                pairs(assigning, rust, (Edges::EDGES, Edges::EDGES), |_, _| true, [0; 6]);
            }

            #[test]
            fn not_inverts() {
                each(inverted, inverted::native, Edges::EDGES, 0);
            }

            #[test]
            fn division_truncates_and_the_remainder_has_the_sign_of_the_dividend() {
                let fits = |a: $t, b: $t| a.checked_div(b).is_some();
                pairs(division, division::native, (Edges::EDGES, Edges::EDGES), fits, (0, 0));
            }
        }
    )* };
}
integers! { i8 of_i8 i16 of_i16 i32 of_i32 i64 of_i64 i128 of_i128 isize of_isize u8 of_u8 u16 of_u16 u32 of_u32 u64 of_u64 u128 of_u128 usize of_usize }

macro_rules! negation {
    ($($t:ident $name:ident)*) => { $(
        #[kernel]
        fn $name(a: &$t, out: &mut $t) {
            *out = -*a;
        }
    )* };
}
negation! { i8 negate_i8 i16 negate_i16 i32 negate_i32 i64 negate_i64 i128 negate_i128 isize negate_isize }

#[test]
fn negation_wraps_at_the_lowest_value() {
    each(negate_i8, |a, out| *out = a.wrapping_neg(), i8::EDGES, 0);
    each(negate_i16, |a, out| *out = a.wrapping_neg(), i16::EDGES, 0);
    each(negate_i32, |a, out| *out = a.wrapping_neg(), i32::EDGES, 0);
    each(negate_i64, |a, out| *out = a.wrapping_neg(), i64::EDGES, 0);
    each(negate_i128, |a, out| *out = a.wrapping_neg(), i128::EDGES, 0);
    each(negate_isize, |a, out| *out = a.wrapping_neg(), isize::EDGES, 0);
}
