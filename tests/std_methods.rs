//! std's methods of numbers give the same bits on every device of this machine as on the host, where they are std's own.
//!
//! Each test is one device function that calls the methods; the host calls it, too, and is the oracle.

use wavewright::prelude::*;

const AMOUNTS: [u32; 9] = [0, 1, 3, 7, 8, 31, 63, 64, 127];

/// Values at which integers behave otherwise than their neighbours.
macro_rules! edges {
    ($type:ident) => {
        [
            $type::MIN,
            $type::MIN + 1,
            $type::MAX / 3 * 2,
            $type::MAX - 1,
            $type::MAX,
            0,
            1,
            2,
            3,
            7,
            100,
            (0 as $type).wrapping_sub(1),
            (0 as $type).wrapping_sub(7),
        ]
    };
}

macro_rules! integers {
    ($($module:ident $type:ident;)*) => { $(
        mod $module {
            use super::*;

            /// What can't panic, whatever the arguments are.
            #[device]
            fn values(x: $type, y: $type, n: u32) -> [$type; 22] {
                let divisor = if y == 0 { 3 } else { y };
                [
                    x.wrapping_add(y),
                    x.wrapping_sub(y),
                    x.wrapping_mul(y),
                    x.wrapping_div(divisor),
                    x.wrapping_rem(divisor),
                    x.wrapping_neg(),
                    x.wrapping_shl(n),
                    x.wrapping_shr(n),
                    x.wrapping_pow(n),
                    x.unbounded_shl(n),
                    x.unbounded_shr(n),
                    x.saturating_add(y),
                    x.saturating_sub(y),
                    x.saturating_mul(y),
                    x.saturating_div(divisor),
                    x.saturating_pow(n),
                    x.midpoint(y),
                    x.min(y),
                    x.max(y),
                    x.rotate_left(n),
                    x.rotate_right(n),
                    x.clamp(3, 7),
                ]
            }

            /// What divides: `-1` as a divisor would overflow.
            #[device]
            fn divided(x: $type, y: $type) -> [$type; 2] {
                let divisor = if y == 0 || y == !0 { 3 } else { y };
                [x.div_euclid(divisor), x.rem_euclid(divisor)]
            }

            #[device]
            fn counts(x: $type) -> [u32; 7] {
                let positive = if x > 0 { x } else { 1 };
                [
                    x.count_ones(),
                    x.count_zeros(),
                    x.leading_ones(),
                    x.leading_zeros(),
                    x.trailing_ones(),
                    x.trailing_zeros(),
                    positive.ilog2(),
                ]
            }

            #[device]
            fn overflows(x: $type, y: $type, n: u32) -> [($type, bool); 7] {
                [
                    x.overflowing_add(y),
                    x.overflowing_sub(y),
                    x.overflowing_mul(y),
                    x.overflowing_neg(),
                    x.overflowing_shl(n),
                    x.overflowing_shr(n),
                    x.overflowing_pow(n),
                ]
            }

            #[device]
            #[allow(unused_comparisons)]
            fn root(x: $type) -> $type {
                if x < 0 { 0 } else { x.isqrt() }
            }

            #[kernel]
            fn all(
                x: &$type,
                y: &$type,
                n: &u32,
                v: &mut [$type; 22],
                d: &mut [$type; 2],
                c: &mut [u32; 7],
                o: &mut [($type, bool); 7],
                r: &mut $type,
            ) {
                *v = values(*x, *y, *n);
                *d = divided(*x, *y);
                *c = counts(*x);
                *o = overflows(*x, *y, *n);
                *r = root(*x);
            }

            #[test]
            fn same_bits() -> Result<(), Error> {
                let cases: Vec<($type, $type, u32)> = edges!($type)
                    .into_iter()
                    .flat_map(|x| edges!($type).map(|y| (x, y)))
                    .enumerate()
                    .map(|(i, (x, y))| (x, y, AMOUNTS[i % AMOUNTS.len()]))
                    .collect();
                for device in Device::list() {
                    let x = device.buffer_from(&cases.iter().map(|c| c.0).collect::<Vec<_>>())?;
                    let y = device.buffer_from(&cases.iter().map(|c| c.1).collect::<Vec<_>>())?;
                    let n = device.buffer_from(&cases.iter().map(|c| c.2).collect::<Vec<_>>())?;
                    let len = cases.len();
                    let (mut v, mut d) = (device.zeroed(len)?, device.zeroed(len)?);
                    let (mut c, mut o, mut r) = (device.zeroed(len)?, device.zeroed(len)?, device.zeroed(len)?);
                    all(&x, &y, &n, &mut v, &mut d, &mut c, &mut o, &mut r).launch(&device)?;
                    let (v, d, c, o, r) = (v.to_vec()?, d.to_vec()?, c.to_vec()?, o.to_vec()?, r.to_vec()?);
                    for (i, &(x, y, n)) in cases.iter().enumerate() {
                        let case = format!("{} on {}: {x}, {y}, {n}", stringify!($type), device.name());
                        assert_eq!(v[i], values(x, y, n), "values, {case}");
                        assert_eq!(d[i], divided(x, y), "divided, {case}");
                        assert_eq!(c[i], counts(x), "counts, {case}");
                        assert_eq!(o[i], overflows(x, y, n), "overflows, {case}");
                        assert_eq!(r[i], root(x), "root, {case}");
                    }
                }
                Ok(())
            }
        }
    )* };
}
integers! {
    on_i8 i8; on_i16 i16; on_i32 i32; on_i64 i64; on_i128 i128; on_isize isize;
    on_u8 u8; on_u16 u16; on_u32 u32; on_u64 u64; on_u128 u128; on_usize usize;
}

macro_rules! floats {
    ($($module:ident $type:ident;)*) => { $(
        mod $module {
            use super::*;

            #[device]
            fn values(x: $type, y: $type, z: $type) -> [$type; 25] {
                [
                    x.sqrt(),
                    x.abs(),
                    x.min(y),
                    x.max(y),
                    x.mul_add(y, z),
                    x.floor(),
                    x.ceil(),
                    x.trunc(),
                    x.round(),
                    x.round_ties_even(),
                    x.fract(),
                    x.recip(),
                    x.to_degrees(),
                    x.to_radians(),
                    x.copysign(y),
                    x.signum(),
                    x.clamp(-1.5, 2.5),
                    x.div_euclid(y),
                    x.rem_euclid(y),
                    x.next_up(),
                    x.next_down(),
                    $type::from_bits(x.to_bits()),
                    x + y * z,
                    x / y - z,
                    x % y,
                ]
            }

            #[device]
            fn kinds(x: $type) -> [bool; 7] {
                [
                    x.is_nan(),
                    x.is_infinite(),
                    x.is_finite(),
                    x.is_normal(),
                    x.is_subnormal(),
                    x.is_sign_negative(),
                    x.is_sign_positive(),
                ]
            }

            #[kernel]
            fn all(x: &$type, y: &$type, z: &$type, v: &mut [$type; 25], k: &mut [bool; 7]) {
                *v = values(*x, *y, *z);
                *k = kinds(*x);
            }

            fn edges() -> Vec<$type> {
                let mut values = vec![
                    0.0, 0.25, 0.5, 0.499_999_97, 1.0, 1.5, 2.5, 3.5, 7.0, 100.25, 8_388_607.5, 1e15, 1e30,
                    $type::MIN_POSITIVE, $type::MIN_POSITIVE / 2.0, $type::from_bits(1), $type::MAX, $type::INFINITY,
                    $type::NAN,
                ];
                values.extend(values.clone().into_iter().map(|x: $type| -x));
                values
            }

            #[test]
            fn same_bits() -> Result<(), Error> {
                let edges = edges();
                let pairs: Vec<($type, $type)> =
                    edges.iter().flat_map(|&x| edges.iter().map(move |&y| (x, y))).collect();
                let third: Vec<$type> = (0..pairs.len()).map(|i| edges[(i * 7 + 3) % edges.len()]).collect();
                for device in Device::list() {
                    let x = device.buffer_from(&pairs.iter().map(|p| p.0).collect::<Vec<_>>())?;
                    let y = device.buffer_from(&pairs.iter().map(|p| p.1).collect::<Vec<_>>())?;
                    let z = device.buffer_from(&third)?;
                    let (mut v, mut k) = (device.zeroed(pairs.len())?, device.zeroed(pairs.len())?);
                    all(&x, &y, &z, &mut v, &mut k).launch(&device)?;
                    let (v, k): (Vec<[$type; 25]>, Vec<[bool; 7]>) = (v.to_vec()?, k.to_vec()?);
                    for (i, &(x, y)) in pairs.iter().enumerate() {
                        let case = format!("{} on {}: {x:?}, {y:?}, {:?}", stringify!($type), device.name(), third[i]);
                        let mut expected = values(x, y, third[i]);
                        if x == 0.0 && y == 0.0 {
                            // Which zero, std leaves open; devices have -0.0 below 0.0.
                            expected[2] = if x.is_sign_negative() { x } else { y };
                            expected[3] = if x.is_sign_negative() { y } else { x };
                        }
                        for (number, (got, expected)) in v[i].into_iter().zip(expected).enumerate() {
                            // Rust leaves the bits of a NaN that an operation makes open.
                            let same = got.to_bits() == expected.to_bits() || got.is_nan() && expected.is_nan();
                            assert!(same, "value {number} is {got:?}, not {expected:?}, {case}");
                        }
                        assert_eq!(k[i], kinds(x), "kinds, {case}");
                    }
                }
                Ok(())
            }
        }
    )* };
}
floats! { on_f32 f32; on_f64 f64; }
