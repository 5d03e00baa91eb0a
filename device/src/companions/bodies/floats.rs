//! Methods of floats.

use super::{Float, Integer};
use wavewright_kernel_macro::device;

#[device]
pub fn fract<T: Float>(x: T) -> T {
    x - x.trunc()
}

#[device]
pub fn recip<T: Float>(x: T) -> T {
    T::ONE / x
}

#[device]
pub fn to_degrees<T: Float>(x: T) -> T {
    x * T::DEGREES_PER_RADIAN
}

#[device]
pub fn to_radians<T: Float>(x: T) -> T {
    x * T::RADIANS_PER_DEGREE
}

#[device]
pub fn is_infinite<T: Float>(x: T) -> bool {
    x.abs() == T::INFINITY
}

#[device]
pub fn is_finite<T: Float>(x: T) -> bool {
    x.abs() < T::INFINITY
}

#[device]
pub fn is_normal<T: Float>(x: T) -> bool {
    x.abs() >= T::MIN_POSITIVE && x.abs() < T::INFINITY
}

#[device]
pub fn is_subnormal<T: Float>(x: T) -> bool {
    x.abs() > T::ZERO && x.abs() < T::MIN_POSITIVE
}

#[device]
pub fn is_sign_negative<T: Float>(x: T) -> bool {
    x.to_bits().leading_zeros() == 0
}

#[device]
pub fn is_sign_positive<T: Float>(x: T) -> bool {
    x.to_bits().leading_zeros() != 0
}

#[device]
pub fn copysign<T: Float>(x: T, sign: T) -> T {
    if is_sign_negative(sign) { -x.abs() } else { x.abs() }
}

#[device]
pub fn signum<T: Float>(x: T) -> T {
    if x.is_nan() { T::NAN } else { copysign(T::ONE, x) }
}

#[device]
#[track_caller]
pub fn clamp<T: Float>(x: T, low: T, high: T) -> T {
    // Not `low > high`: NaN is refused, too.
    let in_order = low <= high;
    if !in_order {
        panic!("min > max, or either was NaN");
    }
    let mut clamped = x;
    if clamped < low {
        clamped = low;
    }
    if clamped > high {
        clamped = high;
    }
    clamped
}

#[device]
pub fn div_euclid<T: Float>(x: T, y: T) -> T {
    let quotient = (x / y).trunc();
    if x % y < T::ZERO { if y > T::ZERO { quotient - T::ONE } else { quotient + T::ONE } } else { quotient }
}

#[device]
pub fn rem_euclid<T: Float>(x: T, y: T) -> T {
    let remainder = x % y;
    if remainder < T::ZERO { remainder + y.abs() } else { remainder }
}

#[device]
pub fn round_ties_even<T: Float>(x: T) -> T {
    // A tie's half has a fraction of a quarter or three: its double is the even neighbour.
    if fract(x).abs() == T::HALF { T::TWO * (x / T::TWO).round() } else { x.round() }
}

#[device]
pub fn next_up<T: Float>(x: T) -> T {
    if x.is_nan() || x == T::INFINITY {
        return x;
    }
    let bits = x.to_bits();
    if x == T::ZERO {
        T::from_bits(<T::Bits as Integer>::ONE)
    } else if x > T::ZERO {
        T::from_bits(bits + <T::Bits as Integer>::ONE)
    } else {
        T::from_bits(bits - <T::Bits as Integer>::ONE)
    }
}

#[device]
pub fn next_down<T: Float>(x: T) -> T {
    -next_up(-x)
}
