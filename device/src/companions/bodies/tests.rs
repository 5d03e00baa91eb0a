//! The bodies against std: every pair of 8-bit values, and the edges of the wider types.

use super::{floats, integers, order, overflow};

/// Values at which integers behave otherwise than their neighbours.
macro_rules! edges {
    ($type:ident) => {
        [
            $type::MIN,
            $type::MIN + 1,
            $type::MIN / 2,
            $type::MAX / 2,
            $type::MAX / 3 * 2,
            $type::MAX - 1,
            $type::MAX,
            0,
            1,
            2,
            3,
            7,
            10,
            64,
            100,
            (0 as $type).wrapping_sub(1),
            (0 as $type).wrapping_sub(2),
            (0 as $type).wrapping_sub(7),
        ]
    };
}

const AMOUNTS: [u32; 14] = [0, 1, 2, 3, 7, 8, 15, 16, 31, 32, 64, 127, 128, u32::MAX];

/// Every integer type with its values; 8-bit types with all of them.
macro_rules! for_all {
    ($check:ident: $($type:ident)*) => { $( for_all!(@values $check $type); )* };
    (@values $check:ident i8) => { $check!(i8, (i8::MIN..=i8::MAX).collect::<Vec<_>>()) };
    (@values $check:ident u8) => { $check!(u8, (u8::MIN..=u8::MAX).collect::<Vec<_>>()) };
    (@values $check:ident $type:ident) => { $check!($type, edges!($type).to_vec()) };
}

macro_rules! same {
    ($module:ident $x:ident: $($method:ident)*) => { $(
        assert_eq!($module::$method($x), $x.$method(), "{}({})", stringify!($method), $x);
    )* };
    ($module:ident $x:ident, $y:ident: $($method:ident)*) => { $(
        assert_eq!($module::$method($x, $y), $x.$method($y), "{}({}, {})", stringify!($method), $x, $y);
    )* };
}

#[test]
fn methods_of_one_integer() {
    macro_rules! check {
        ($type:ident, $values:expr) => {
            for x in $values {
                same!(integers x: count_zeros leading_ones trailing_ones);
                same!(overflow x: wrapping_neg overflowing_neg);
                if x >= 0 {
                    same!(integers x: isqrt);
                }
                if x > 0 {
                    same!(integers x: ilog2);
                }
                for n in AMOUNTS {
                    same!(overflow x, n: wrapping_shl wrapping_shr unbounded_shl unbounded_shr overflowing_shl overflowing_shr);
                }
                for n in [0, 1, 2, 3, 4, 7, 31, 127] {
                    same!(overflow x, n: wrapping_pow overflowing_pow saturating_pow);
                    if let Some(power) = x.checked_pow(n) {
                        assert_eq!(integers::pow(x, n), power, "{x}.pow({n})");
                    }
                }
            }
        };
    }
    #[allow(unused_comparisons)]
    {
        for_all!(check: i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize);
    }
}

#[test]
fn methods_of_two_integers() {
    macro_rules! check {
        ($type:ident, $values:expr) => {
            for x in $values {
                for y in $values {
                    same!(overflow x, y: overflowing_add overflowing_sub overflowing_mul);
                    same!(overflow x, y: saturating_add saturating_sub saturating_mul);
                    same!(integers x, y: midpoint);
                    if y != 0 {
                        same!(overflow x, y: wrapping_div wrapping_rem saturating_div);
                    }
                    if x.checked_div(y).is_some() {
                        same!(integers x, y: div_euclid rem_euclid);
                    }
                    for z in [y, $type::MAX, 5] {
                        if y <= z {
                            assert_eq!(order::clamp(x, y, z), x.clamp(y, z), "{x}.clamp({y}, {z})");
                        }
                    }
                }
            }
        };
    }
    for_all!(check: i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize);
}

#[test]
fn methods_of_signed_integers() {
    macro_rules! check {
        ($type:ident, $values:expr) => {
            for x in $values {
                same!(integers x: signum is_positive is_negative);
                same!(overflow x: wrapping_abs overflowing_abs saturating_neg saturating_abs);
            }
        };
    }
    for_all!(check: i8 i16 i32 i64 i128 isize);
}

#[test]
fn methods_of_unsigned_integers() {
    macro_rules! check {
        ($type:ident, $values:expr) => {
            for x in $values {
                same!(integers x: is_power_of_two);
                if x.checked_next_power_of_two().is_some() {
                    same!(integers x: next_power_of_two);
                }
                for y in $values {
                    same!(integers x, y: abs_diff is_multiple_of);
                    if y != 0 {
                        same!(integers x, y: div_ceil);
                    }
                    if x.checked_next_multiple_of(y).is_some() {
                        same!(integers x, y: next_multiple_of);
                    }
                }
            }
        };
    }
    for_all!(check: u8 u16 u32 u64 u128 usize);
}

/// Floats of each kind: zeros, subnormals, ties, large, infinite, NaN of both signs.
macro_rules! float_edges {
    ($type:ident) => {{
        let mut values = vec![
            0.0,
            0.25,
            0.5,
            0.499_999_97,
            0.75,
            1.0,
            1.5,
            2.0,
            2.5,
            3.5,
            7.0,
            100.25,
            1e6,
            8_388_607.5,
            1e15,
            1e30,
            $type::MIN_POSITIVE,
            $type::MIN_POSITIVE / 2.0,
            $type::from_bits(1),
            $type::EPSILON,
            $type::MAX,
            $type::INFINITY,
            $type::NAN,
            core::$type::consts::PI,
            core::$type::consts::E,
        ];
        values.extend(values.clone().into_iter().map(|x: $type| -x));
        values
    }};
}

macro_rules! same_float {
    ($type:ident $x:ident: $($method:ident)*) => { $(
        let (got, expected) = (floats::$method($x), $x.$method());
        assert!(
            got.to_bits() == expected.to_bits() || (got.is_nan() && expected.is_nan()),
            "{}({:?}) is {:?}, not {:?}", stringify!($method), $x, got, expected
        );
    )* };
    ($type:ident $x:ident, $y:ident: $($method:ident)*) => { $(
        let (got, expected) = (floats::$method($x, $y), $x.$method($y));
        assert!(
            got.to_bits() == expected.to_bits() || (got.is_nan() && expected.is_nan()),
            "{}({:?}, {:?}) is {:?}, not {:?}", stringify!($method), $x, $y, got, expected
        );
    )* };
}

#[test]
fn methods_of_floats() {
    macro_rules! check {
        ($($type:ident)*) => { $(
            for x in float_edges!($type) {
                same!(floats x: is_infinite is_finite is_normal is_subnormal is_sign_negative is_sign_positive);
                same_float!($type x: fract recip to_degrees to_radians signum round_ties_even next_up next_down);
                for y in float_edges!($type) {
                    same_float!($type x, y: copysign div_euclid rem_euclid);
                    for z in float_edges!($type) {
                        if y <= z {
                            let (got, expected) = (floats::clamp(x, y, z), x.clamp(y, z));
                            assert!(got.to_bits() == expected.to_bits(), "{x:?}.clamp({y:?}, {z:?}): {got:?}");
                        }
                    }
                }
            }
        )* };
    }
    check!(f32 f64);
}

#[test]
fn what_std_refuses_panics() {
    fn panics<R>(f: impl FnOnce() -> R + std::panic::UnwindSafe) -> bool {
        std::panic::catch_unwind(|| drop(f())).is_err()
    }
    assert!(panics(|| order::clamp(1, 3, 2)));
    assert!(panics(|| floats::clamp(1.0, f32::NAN, 2.0)));
    assert!(panics(|| integers::ilog2(0_u32)));
    assert!(panics(|| integers::isqrt(-1)));
    assert!(panics(|| overflow::wrapping_div(1, 0)));
}
