//! `== != < <= > >=` of every primitive type, NaN and the two zeros among them.

use super::harness::pairs;
use super::values::Edges;
use wavewright::prelude::*;

macro_rules! comparisons {
    ($($t:ident $name:ident)*) => {
        $(
            #[kernel]
            fn $name(a: &$t, b: &$t, out: &mut [bool; 6]) {
                *out = [*a == *b, *a != *b, *a < *b, *a <= *b, *a > *b, *a >= *b];
            }
        )*

        #[test]
        fn of_primitives() {
            $(pairs($name, $name::native, (Edges::EDGES, Edges::EDGES), |_, _| true, [false; 6]);)*
        }
    };
}
comparisons! {
    bool compare_bool char compare_char i8 compare_i8 i16 compare_i16 i32 compare_i32 i64 compare_i64 i128 compare_i128
    isize compare_isize u8 compare_u8 u16 compare_u16 u32 compare_u32 u64 compare_u64 u128 compare_u128 usize compare_usize
    f32 compare_f32 f64 compare_f64
}

#[kernel]
fn compare_references(a: &i32, b: &i32, out: &mut [bool; 3]) {
    let (r, s) = (&a, &b);
    *out = [a == b, r < s, &1 >= a];
}

#[test]
fn of_references_to_primitives() {
    pairs(
        compare_references,
        compare_references::native,
        (Edges::EDGES, Edges::EDGES),
        |_, _| true,
        [false; 3],
    );
}
