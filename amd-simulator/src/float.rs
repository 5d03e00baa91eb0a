//! Float arithmetic as the ISA manuals define it, where it is not what an operator of Rust does.

/// Bits that say what kind a float is, as `v_cmp_class` tests them.
fn class(negative: bool, nan: bool, quiet: bool, infinite: bool, subnormal: bool, zero: bool) -> u32 {
    let kind = match (nan, infinite, subnormal, zero) {
        (true, ..) => return if quiet { 1 << 1 } else { 1 },
        (_, true, ..) => 2,
        (.., true) => 5,
        (_, _, true, _) => 4,
        _ => 3,
    };
    // Negative kinds count down from -infinity, positive ones up to +infinity.
    if negative { 1 << kind } else { 1 << (11 - kind) }
}

macro_rules! of_format {
    ($module:ident, $t:ty, $bits:ty, $fraction:literal, $bias:literal, $far:literal, $scale:literal, $tiny:literal,
     $underflow:literal) => {
        /// Of one format.
        pub mod $module {
            const SIGN: $bits = 1 << (<$bits>::BITS - 1);
            const EXPONENTS: i32 = 2 * $bias + 1;
            const QUIET: $bits = 1 << ($fraction - 1);

            /// The exponent's field.
            pub fn exponent(x: $t) -> i32 {
                ((x.to_bits() & !SIGN) >> $fraction) as i32
            }

            /// Whether it is a NaN that signals.
            pub fn is_signalling(x: $t) -> bool {
                x.is_nan() && x.to_bits() & QUIET == 0
            }

            /// NaN as an operation passes it on.
            pub fn quiet(x: $t) -> $t {
                <$t>::from_bits(x.to_bits() | QUIET)
            }

            /// The bits that `v_cmp_class` tests.
            pub fn class(x: $t) -> u32 {
                super::class(
                    x.is_sign_negative(),
                    x.is_nan(),
                    !is_signalling(x),
                    x.is_infinite(),
                    x.is_subnormal(),
                    x == 0.0,
                )
            }

            /// The smaller, -0.0 being below 0.0; of a number and a NaN the number. A NaN that signals becomes quiet and wins,
            /// as the mode `IEEE` has it.
            #[inline]
            pub fn min(a: $t, b: $t) -> $t {
                pick(a, b, a < b || a == b && a.is_sign_negative())
            }

            /// The larger, likewise.
            #[inline]
            pub fn max(a: $t, b: $t) -> $t {
                pick(a, b, a > b || a == b && b.is_sign_negative())
            }

            #[inline]
            fn pick(a: $t, b: $t, first: bool) -> $t {
                if is_signalling(a) {
                    quiet(a)
                } else if is_signalling(b) {
                    quiet(b)
                } else if a.is_nan() {
                    b
                } else if b.is_nan() || first {
                    a
                } else {
                    b
                }
            }

            /// `v_min_num` of gfx12: a NaN that signals counts as any NaN.
            #[inline]
            pub fn min_num(a: $t, b: $t) -> $t {
                num(a, b, a < b || a == b && a.is_sign_negative())
            }

            /// `v_max_num` of gfx12.
            #[inline]
            pub fn max_num(a: $t, b: $t) -> $t {
                num(a, b, a > b || a == b && b.is_sign_negative())
            }

            #[inline]
            fn num(a: $t, b: $t, first: bool) -> $t {
                if a.is_nan() && b.is_nan() {
                    quiet(a)
                } else if a.is_nan() {
                    b
                } else if b.is_nan() || first {
                    a
                } else {
                    b
                }
            }

            /// `v_minimum` of gfx12: NaN if either is.
            #[inline]
            pub fn minimum(a: $t, b: $t) -> $t {
                if a.is_nan() {
                    quiet(a)
                } else if b.is_nan() {
                    quiet(b)
                } else {
                    min(a, b)
                }
            }

            /// `v_maximum` of gfx12.
            #[inline]
            pub fn maximum(a: $t, b: $t) -> $t {
                if a.is_nan() {
                    quiet(a)
                } else if b.is_nan() {
                    quiet(b)
                } else {
                    max(a, b)
                }
            }

            /// The middle one.
            #[allow(dead_code)]
            pub fn med3(a: $t, b: $t, c: $t) -> $t {
                if a.is_nan() || b.is_nan() || c.is_nan() {
                    return min(min(a, b), c);
                }
                let most = max(max(a, b), c);
                if most == a {
                    max(b, c)
                } else if most == b {
                    max(a, c)
                } else {
                    max(a, b)
                }
            }

            /// The fraction's part of `frexp`.
            pub fn frexp_mantissa(x: $t) -> $t {
                if !x.is_finite() || x == 0.0 {
                    return if x.is_nan() { quiet(x) } else { x };
                }
                ldexp(x, -frexp_exponent(x))
            }

            /// The exponent's part of `frexp`; 0 where there is none.
            pub fn frexp_exponent(x: $t) -> i32 {
                if !x.is_finite() || x == 0.0 {
                    return 0;
                }
                if x.is_subnormal() {
                    let shift = $fraction + 1;
                    return exponent(ldexp(x, shift)) - $bias + 1 - shift;
                }
                exponent(x) - $bias + 1
            }

            /// `x * 2^n`, rounded once.
            pub fn ldexp(mut x: $t, n: i32) -> $t {
                let power = |n: i32| <$t>::from_bits(((n + $bias) as $bits) << $fraction);
                let mut n = n.clamp(-4 * $bias, 4 * $bias);
                while n > $bias {
                    x *= power($bias);
                    n -= $bias;
                }
                // Each step but the last leaves the fraction whole, so that only one rounds.
                let step = 1 - $bias + $fraction + 1;
                while n < 1 - $bias {
                    x *= power(step);
                    n -= step;
                }
                x * power(n)
            }

            /// The part behind the point, always below 1.
            pub fn fract(x: $t) -> $t {
                let part = x - x.floor();
                // `min` passes the infinities' NaN by.
                if part >= 1.0 { <$t>::from_bits((1.0 as $t).to_bits() - 1) } else { part }
            }

            /// `v_div_scale`: `value` (the denominator or the numerator) scaled so that the steps of a division neither
            /// overflow nor lose bits, and whether `v_div_fmas` has to scale the quotient back.
            ///
            /// Where denominator and quotient are both out of range the manuals' text scales the denominator up, which would
            /// overflow; it is scaled down here, as the quotient's way back (`div_fmas`) needs.
            pub fn div_scale(value: $t, denominator: $t, numerator: $t) -> ($t, bool) {
                let is_denominator = value.to_bits() == denominator.to_bits();
                let is_numerator = value.to_bits() == numerator.to_bits();
                if numerator == 0.0 || denominator == 0.0 {
                    return (<$t>::NAN, false);
                }
                let (n, d) = (exponent(numerator), exponent(denominator));
                let reciprocal = 1.0 / denominator;
                let quotient = numerator / denominator;
                // A quotient that underflows to nothing is one that needs scaling, too.
                let small = |x: $t| x.is_subnormal() || x == 0.0;
                let quotient_small = small(quotient) && numerator.is_finite() && denominator.is_finite();
                if n - d >= $far {
                    (if is_denominator { ldexp(value, $scale) } else { value }, true)
                } else if denominator.is_subnormal() {
                    (ldexp(value, $scale), false)
                } else if reciprocal.is_subnormal() && quotient_small {
                    (if is_denominator { ldexp(value, -$scale) } else { value }, true)
                } else if reciprocal.is_subnormal() {
                    (ldexp(value, -$scale), false)
                } else if quotient_small {
                    (if is_numerator { ldexp(value, $scale) } else { value }, true)
                } else if n <= $tiny {
                    (ldexp(value, $scale), false)
                } else {
                    (value, false)
                }
            }

            /// `v_div_fixup`: the quotient as it must be for special operands.
            pub fn div_fixup(quotient: $t, denominator: $t, numerator: $t) -> $t {
                let negative = denominator.is_sign_negative() != numerator.is_sign_negative();
                let signed = |x: $t| if negative { -x } else { x };
                if numerator.is_nan() {
                    quiet(numerator)
                } else if denominator.is_nan() {
                    quiet(denominator)
                } else if denominator == 0.0 && numerator == 0.0
                    || denominator.is_infinite() && numerator.is_infinite()
                {
                    -<$t>::NAN.abs()
                } else if denominator == 0.0 || numerator.is_infinite() {
                    signed(<$t>::INFINITY)
                } else if denominator.is_infinite() || numerator == 0.0 {
                    signed(0.0)
                } else if exponent(numerator) - exponent(denominator) < $underflow {
                    signed(0.0)
                } else if exponent(denominator) == EXPONENTS || quotient.is_nan() {
                    // Of finite operands, NaN comes from a quotient that overflowed on the way.
                    signed(<$t>::INFINITY)
                } else {
                    signed(quotient.abs())
                }
            }

            /// `v_div_fmas`: `a * b + c`, scaled back by what `v_div_scale` did, with one rounding.
            pub fn div_fmas(a: $t, b: $t, c: $t, scaled: bool) -> $t {
                let sum = a.mul_add(b, c);
                if !scaled || !sum.is_finite() {
                    return sum;
                }
                // A large quotient is one whose denominator was scaled up.
                if exponent(c) > $bias {
                    return ldexp(sum, $scale);
                }
                let near = ldexp(sum, -$scale);
                // What the first rounding took away decides where the second met a tie.
                let product = a * b;
                let product_rest = a.mul_add(b, -product);
                let high = product + c;
                let back = high - product;
                let high_rest = (product - (high - back)) + (c - back);
                let rest = (high - sum) + (high_rest + product_rest);
                let short = sum - ldexp(near, $scale);
                let half_step = ldexp(<$t>::from_bits(1), $scale) * 0.5;
                if short.abs() != half_step || rest == 0.0 || (rest > 0.0) != (short > 0.0) {
                    return near;
                }
                let away = (short > 0.0) == (near >= 0.0 && near.is_sign_positive());
                <$t>::from_bits(if away { near.to_bits() + 1 } else { near.to_bits() - 1 })
            }
        }
    };
}

of_format!(single, f32, u32, 23, 127, 96, 64, 23, -150);
of_format!(double, f64, u64, 52, 1023, 768, 128, 53, -1075);

/// The kind of a half, as `v_cmp_class` tests it.
pub fn class_f16(bits: u16) -> u32 {
    let (exponent, fraction) = (bits >> 10 & 0x1f, bits & 0x3ff);
    let nan = exponent == 31 && fraction != 0;
    let zero = bits & 0x7fff == 0;
    class(bits >> 15 == 1, nan, fraction & 0x200 != 0, exponent == 31 && !nan, exponent == 0 && !zero, zero)
}

/// `a * b + c` for halves, rounded once: in `f64` the product is exact, and a sum that is not is made odd.
pub fn fma_f16(a: f32, b: f32, c: f32) -> f64 {
    let (product, c) = (f64::from(a) * f64::from(b), f64::from(c));
    round_to_odd(product, c)
}

/// `a * b + c` of singles as an `f64` that rounds to the right single.
pub fn fma_single(a: f32, b: f32, c: f32) -> f64 {
    round_to_odd(f64::from(a) * f64::from(b), f64::from(c))
}

/// The sum, where it is not exact rounded to the neighbour that is odd: a later rounding to less than 52 bits then comes out
/// as if it were the only one.
fn round_to_odd(x: f64, y: f64) -> f64 {
    let sum = x + y;
    if !sum.is_finite() {
        return sum;
    }
    let back = sum - x;
    let rest = (x - (sum - back)) + (y - back);
    if rest == 0.0 || sum.to_bits() & 1 == 1 {
        return sum;
    }
    let away = (rest > 0.0) == (sum > 0.0);
    f64::from_bits(if away { sum.to_bits() + 1 } else { sum.to_bits() - 1 })
}

/// `f32` towards zero as a half: `v_cvt_pkrtz`.
pub fn to_f16_towards_zero(x: f32) -> u16 {
    let near = crate::half::from_f32(x);
    if x.is_nan() || crate::half::to_f32(near).abs() <= x.abs() {
        return near;
    }
    near - 1
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A division as LLVM writes it for AMD GPUs.
    macro_rules! divide {
        ($module:ident, $t:ty) => {
            |n: $t, d: $t| {
                let (scaled_d, _) = $module::div_scale(d, d, n);
                let (scaled_n, back) = $module::div_scale(n, d, n);
                let mut r = 1.0 / scaled_d;
                let e = (-scaled_d).mul_add(r, 1.0);
                r = e.mul_add(r, r);
                let mut q = scaled_n * r;
                let e = (-scaled_d).mul_add(q, scaled_n);
                q = e.mul_add(r, q);
                let e = (-scaled_d).mul_add(q, scaled_n);
                $module::div_fixup($module::div_fmas(e, r, q, back), d, n)
            }
        };
    }

    #[test]
    fn the_steps_of_a_division_give_the_quotient() {
        let divide = divide!(single, f32);
        let mut bits = 12345u32;
        let mut next = || {
            bits = bits.wrapping_mul(1664525).wrapping_add(1013904223);
            bits ^ bits >> 15
        };
        let edges = [0, 1, 2, 0x7fffff, 0x800000, 0x800001, 0x3f800000, 0x7f7fffff, 0x7f800000, 0x7e800000];
        for case in 0..200_000u32 {
            let pick = |x: u32, e: u32| if e < 10 { edges[e as usize] } else { x };
            let (n, d) = (pick(next(), next() % 40), pick(next(), next() % 40));
            let (n, d) = (f32::from_bits(n ^ (case << 31)), f32::from_bits(d));
            let (found, expected) = (divide(n, d), n / d);
            let same = found.to_bits() == expected.to_bits() || found.is_nan() && expected.is_nan();
            assert!(same, "{n:e} / {d:e}: {found:e}, not {expected:e}");
        }
    }

    #[test]
    fn the_steps_of_a_double_division_give_the_quotient() {
        let divide = divide!(double, f64);
        let edges = [
            5e-324,
            1e-323,
            2.2250738585072014e-308,
            2.225073858507201e-308,
            1.0,
            3.0,
            1.0 / 3.0,
            1e300,
            1e-300,
            f64::MAX,
            f64::MIN_POSITIVE,
            4.49e307,
            8.98e307,
            1.7e308,
            7.0,
            -10.0,
            1.5e-310,
            f64::EPSILON,
        ];
        for n in edges {
            for d in edges {
                assert_eq!(divide(n, d).to_bits(), (n / d).to_bits(), "{n:e} / {d:e}: {:e}", divide(n, d));
            }
        }
    }

    #[test]
    fn scaling_rounds_once() {
        assert_eq!(double::ldexp(1.0 + f64::EPSILON, -1074), f64::from_bits(1));
        assert_eq!(double::ldexp(1.5, -1074), f64::from_bits(2));
        assert_eq!(double::ldexp(f64::MAX, -5000), 0.0);
        assert_eq!(single::ldexp(3.0, 1 << 30), f32::INFINITY);
        assert_eq!(single::ldexp(f32::from_bits(1), 200), 2f32.powi(51));
        for x in [1.0f32, -3.5, 1e-40, f32::MAX, 0.0] {
            assert_eq!(single::ldexp(single::frexp_mantissa(x), single::frexp_exponent(x)), x);
        }
    }

    #[test]
    fn classes() {
        for (x, bit) in [
            (f32::NEG_INFINITY, 2),
            (-1.0, 3),
            (-1e-40, 4),
            (-0.0, 5),
            (0.0, 6),
            (1e-40, 7),
            (1.0, 8),
            (f32::INFINITY, 9),
            (f32::from_bits(0x7f80_0001), 0),
            (f32::NAN, 1),
        ] {
            assert_eq!(single::class(x), 1 << bit, "{x}");
        }
        assert_eq!(class_f16(0x8001), 1 << 4);
        assert_eq!(class_f16(0x7c00), 1 << 9);
    }

    #[test]
    fn minimum_and_maximum() {
        let signalling = f32::from_bits(0x7f80_0001);
        assert_eq!(single::min(-0.0, 0.0).to_bits(), (-0.0f32).to_bits());
        assert_eq!(single::max(-0.0, 0.0).to_bits(), 0);
        assert_eq!(single::min(f32::NAN, 1.0), 1.0);
        assert_eq!(single::min(signalling, 1.0).to_bits(), 0x7fc0_0001);
        assert_eq!(single::min_num(signalling, 1.0), 1.0);
        assert!(single::maximum(f32::NAN, 1.0).is_nan());
        assert_eq!(single::med3(1.0, 3.0, 2.0), 2.0);
    }
}
