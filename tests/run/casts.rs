//! `as` between every two primitive types: integers truncate or extend by the source's sign, floats saturate.

use super::harness::each;
use super::values::Edges;
use wavewright::prelude::*;

/// A kernel for each source type that casts to every number type at once.
macro_rules! casts {
    ($($t:ident $name:ident)*) => { $(
        mod $name {
            use super::*;

            #[kernel]
            pub fn to_signed(a: &$t, out: &mut (i8, i16, i32, i64)) {
                *out = (*a as i8, *a as i16, *a as i32, *a as i64);
            }

            #[kernel]
            pub fn to_unsigned(a: &$t, out: &mut (u8, u16, u32, u64)) {
                *out = (*a as u8, *a as u16, *a as u32, *a as u64);
            }

            #[kernel]
            pub fn to_wide(a: &$t, out: &mut (i128, u128, isize, usize)) {
                *out = (*a as i128, *a as u128, *a as isize, *a as usize);
            }

            #[test]
            fn to_integers() {
                each(to_signed, to_signed::native, $t::EDGES, (0, 0, 0, 0));
                each(to_unsigned, to_unsigned::native, $t::EDGES, (0, 0, 0, 0));
                each(to_wide, to_wide::native, $t::EDGES, (0, 0, 0, 0));
            }
        }
    )* };
}
casts! { bool of_bool char of_char i8 of_i8 i16 of_i16 i32 of_i32 i64 of_i64 i128 of_i128 isize of_isize u8 of_u8 u16 of_u16 u32 of_u32 u64 of_u64 u128 of_u128 usize of_usize f32 of_f32 f64 of_f64 }

macro_rules! to_floats {
    ($($t:ident $name:ident)*) => {
        $(
            #[kernel]
            fn $name(a: &$t, out: &mut (f32, f64)) {
                *out = (*a as f32, *a as f64);
            }
        )*

        #[test]
        fn to_floats_rounds_to_nearest_even() {
            $(each($name, $name::native, $t::EDGES, (0.0, 0.0));)*
        }
    };
}
to_floats! {
    i8 float_i8 i16 float_i16 i32 float_i32 i64 float_i64 i128 float_i128 isize float_isize
    u8 float_u8 u16 float_u16 u32 float_u32 u64 float_u64 u128 float_u128 usize float_usize
    f32 float_f32 f64 float_f64
}

#[test]
fn ties_between_floats_go_to_even() {
    let ties =
        [16_777_217, 16_777_219, 33_554_434, 33_554_438, u64::MAX, (1 << 63) + (1 << 39), (1 << 53) + 1];
    each(float_u64, float_u64::native, &ties, (0.0, 0.0));
}

#[test]
fn floats_beyond_the_range_saturate() {
    let values = [
        255.0,
        255.5,
        256.0,
        -1.0,
        2147483647.0,
        2147483648.0,
        4294967296.0,
        9.3e18,
        1.9e19,
        3.5e38,
        -1e300,
        1e300,
    ];
    each(of_f64::to_signed, of_f64::to_signed::native, &values, (0, 0, 0, 0));
    each(of_f64::to_unsigned, of_f64::to_unsigned::native, &values, (0, 0, 0, 0));
    each(of_f64::to_wide, of_f64::to_wide::native, &values, (0, 0, 0, 0));
}

#[kernel]
fn characters(a: &u8, out: &mut (char, u32, bool)) {
    let c = *a as char;
    *out = (c, c as u32, c == 'A');
}

#[test]
fn bytes_are_characters() {
    let all: Vec<u8> = (0..=255).collect();
    each(characters, characters::native, &all, ('\0', 0, false));
}

#[kernel]
fn conversions(a: &u8, out: &mut (u64, i16, f32, char)) {
    *out = (u64::from(*a), i16::from(*a), (*a).into(), char::from(*a));
}

#[test]
fn from_and_into_between_primitives() {
    each(conversions, conversions::native, u8::EDGES, (0, 0, 0.0, '\0'));
}
