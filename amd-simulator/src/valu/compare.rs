//! Comparisons: a bit for each lane.

use crate::float::{class_f16, double, single};
use crate::lanes::{F16, LANES, Lane, Source, Ty};

/// A comparison.
#[derive(Clone, Copy)]
pub struct Compare {
    /// The lanes of which it is true.
    pub run: fn(&[Source; 3]) -> u64,
    /// The operands' types.
    pub src: &'static [Ty],
}

macro_rules! compared {
    (|$a:ident: $t:ty, $b:ident: $u:ty| $body:expr) => {
        Compare {
            run: |sources| {
                let mut mask = 0;
                for i in 0..LANES {
                    let ($a, $b) = (<$t as Lane>::get(&sources[0], i), <$u as Lane>::get(&sources[1], i));
                    mask |= u64::from($body) << i;
                }
                mask
            },
            src: &[<$t as Lane>::TY, <$u as Lane>::TY],
        }
    };
}

macro_rules! integers {
    ($t:ty, $condition:expr) => {
        match $condition {
            "f" => compared!(|_a: $t, _b: $t| false),
            "lt" => compared!(|a: $t, b: $t| a < b),
            "eq" => compared!(|a: $t, b: $t| a == b),
            "le" => compared!(|a: $t, b: $t| a <= b),
            "gt" => compared!(|a: $t, b: $t| a > b),
            "ne" | "lg" => compared!(|a: $t, b: $t| a != b),
            "ge" => compared!(|a: $t, b: $t| a >= b),
            "t" | "tru" => compared!(|_a: $t, _b: $t| true),
            _ => return None,
        }
    };
}

// A comparison's opposite differs from it for NaN, which is what the `n` forms are for.
#[allow(clippy::nonminimal_bool, clippy::neg_cmp_op_on_partial_ord, clippy::double_comparisons)]
mod floats {
    use super::*;

    macro_rules! floats {
        ($name:ident, $t:ty, $class:expr, |$x:ident| $value:expr) => {
            pub(super) fn $name(condition: &str) -> Option<Compare> {
                #[inline(always)]
                fn both(a: $t, b: $t) -> (f64, f64) {
                    let value = |$x: $t| $value;
                    (value(a), value(b))
                }
                #[inline(always)]
                fn nan(a: $t, b: $t) -> bool {
                    let (a, b) = both(a, b);
                    a.is_nan() || b.is_nan()
                }
                #[inline(always)]
                fn is(a: $t, b: $t, f: impl Fn(f64, f64) -> bool) -> bool {
                    let (a, b) = both(a, b);
                    f(a, b)
                }
                Some(match condition {
                    "f" => compared!(|_a: $t, _b: $t| false),
                    "lt" => compared!(|a: $t, b: $t| is(a, b, |a, b| a < b)),
                    "eq" => compared!(|a: $t, b: $t| is(a, b, |a, b| a == b)),
                    "le" => compared!(|a: $t, b: $t| is(a, b, |a, b| a <= b)),
                    "gt" => compared!(|a: $t, b: $t| is(a, b, |a, b| a > b)),
                    "lg" => compared!(|a: $t, b: $t| is(a, b, |a, b| a < b || a > b)),
                    "ge" => compared!(|a: $t, b: $t| is(a, b, |a, b| a >= b)),
                    "o" => compared!(|a: $t, b: $t| !nan(a, b)),
                    "u" => compared!(|a: $t, b: $t| nan(a, b)),
                    "nge" => compared!(|a: $t, b: $t| !is(a, b, |a, b| a >= b)),
                    "nlg" => compared!(|a: $t, b: $t| !is(a, b, |a, b| a < b || a > b)),
                    "ngt" => compared!(|a: $t, b: $t| !is(a, b, |a, b| a > b)),
                    "nle" => compared!(|a: $t, b: $t| !is(a, b, |a, b| a <= b)),
                    "neq" => compared!(|a: $t, b: $t| !is(a, b, |a, b| a == b)),
                    "nlt" => compared!(|a: $t, b: $t| !is(a, b, |a, b| a < b)),
                    "t" | "tru" => compared!(|_a: $t, _b: $t| true),
                    "class" => compared!(|a: $t, b: u32| $class(a) & b != 0),
                    _ => return None,
                })
            }
        };
    }
    floats!(f16, F16, |x: F16| class_f16(x.0), |x| f64::from(x.wide()));
    floats!(f32, f32, single::class, |x| f64::from(x));
    floats!(f64, f64, double::class, |x| x);
}

/// The comparison with this condition (`lt`, `class`, …) of this type (`u32`, …).
pub fn compare(condition: &str, ty: &str) -> Option<Compare> {
    Some(match ty {
        "u16" => integers!(u16, condition),
        "i16" => integers!(i16, condition),
        "u32" => integers!(u32, condition),
        "i32" => integers!(i32, condition),
        "u64" => integers!(u64, condition),
        "i64" => integers!(i64, condition),
        "f16" => return floats::f16(condition),
        "f32" => return floats::f32(condition),
        "f64" => return floats::f64(condition),
        _ => return None,
    })
}
