//! `<<` and `>>`: amounts are masked to the width, `>>` of signed numbers is arithmetic.

use super::harness::pairs;
use super::values::Edges;
use wavewright::prelude::*;

macro_rules! shifts {
    ($($t:ident $name:ident)*) => { $(
        mod $name {
            use super::*;

            #[kernel]
            fn by_u32(a: &$t, n: &u32, out: &mut ($t, $t)) {
                *out = (*a << *n, *a >> *n);
            }

            #[kernel]
            fn by_i8(a: &$t, n: &i8, out: &mut ($t, $t)) {
                out.0 = *a;
                out.0 <<= *n;
                out.1 = *a;
                out.1 >>= *n;
            }

            #[test]
            fn amounts_are_masked() {
                let bits = $t::BITS;
                let amounts = [0, 1, 2, bits / 2, bits - 1, bits, bits + 1, 2 * bits - 1, 2 * bits, 1 << 31, u32::MAX];
                let rust = |a: &$t, n: &u32, out: &mut ($t, $t)| *out = (a.wrapping_shl(*n), a.wrapping_shr(*n));
                pairs(by_u32, rust, (Edges::EDGES, &amounts), |_, _| true, (0, 0));
            }

            #[test]
            fn amounts_of_another_width_and_sign() {
                let rust = |a: &$t, n: &i8, out: &mut ($t, $t)| {
                    *out = (a.wrapping_shl(*n as u32), a.wrapping_shr(*n as u32));
                };
                pairs(by_i8, rust, (Edges::EDGES, i8::EDGES), |_, _| true, (0, 0));
            }
        }
    )* };
}
shifts! { i8 of_i8 i16 of_i16 i32 of_i32 i64 of_i64 i128 of_i128 isize of_isize u8 of_u8 u16 of_u16 u32 of_u32 u64 of_u64 u128 of_u128 usize of_usize }

#[kernel]
fn by_wide(a: &u8, n: &u128, out: &mut (u8, u8)) {
    *out = (*a << *n, *a >> *n);
}

#[test]
fn an_amount_wider_than_the_number_keeps_its_low_bits() {
    let amounts = [0, 7, 8, 9, 1 << 64, (1 << 64) + 3, u128::MAX];
    let rust = |a: &u8, n: &u128, out: &mut (u8, u8)| *out = (a << (n & 7), a >> (n & 7));
    pairs(by_wide, rust, (Edges::EDGES, &amounts), |_, _| true, (0, 0));
}
