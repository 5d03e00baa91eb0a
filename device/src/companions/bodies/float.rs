//! What the bodies know of a float type.

use super::Integer;
use crate::companions::methods::floats::{FloatBits, FloatMethods};
use crate::companions::ops;

/// A float type: operators with their device forms, and the methods that are builtins.
pub trait Float:
    Copy
    + FloatMethods
    + FloatBits<Bits: Integer>
    + ops::PartialOrd
    + ops::Add
    + core::ops::Add<Output = Self>
    + ops::Sub
    + core::ops::Sub<Output = Self>
    + ops::Mul
    + core::ops::Mul<Output = Self>
    + ops::Div
    + core::ops::Div<Output = Self>
    + ops::Rem
    + core::ops::Rem<Output = Self>
    + ops::Neg
    + core::ops::Neg<Output = Self>
    + 'static
{
    const ZERO: Self;
    const HALF: Self;
    const ONE: Self;
    const TWO: Self;
    const INFINITY: Self;
    const NAN: Self;
    const MIN_POSITIVE: Self;
    const DEGREES_PER_RADIAN: Self;
    const RADIANS_PER_DEGREE: Self;

    // On the host these are std's; on the device those of `FloatMethods` and `FloatBits`.
    fn abs(self) -> Self;
    fn trunc(self) -> Self;
    fn round(self) -> Self;
    fn is_nan(self) -> bool;
    fn to_bits(self) -> Self::Bits;
    fn from_bits(bits: Self::Bits) -> Self;
}

macro_rules! floats {
    ($($type:ident $degrees_per_radian:expr;)*) => { $(
        impl Float for $type {
            const ZERO: Self = 0.0;
            const HALF: Self = 0.5;
            const ONE: Self = 1.0;
            const TWO: Self = 2.0;
            const INFINITY: Self = <$type>::INFINITY;
            const NAN: Self = <$type>::NAN;
            const MIN_POSITIVE: Self = <$type>::MIN_POSITIVE;
            const DEGREES_PER_RADIAN: Self = $degrees_per_radian;
            const RADIANS_PER_DEGREE: Self = core::$type::consts::PI / 180.0;

            fn abs(self) -> Self {
                <$type>::abs(self)
            }
            fn trunc(self) -> Self {
                <$type>::trunc(self)
            }
            fn round(self) -> Self {
                <$type>::round(self)
            }
            fn is_nan(self) -> bool {
                <$type>::is_nan(self)
            }
            fn to_bits(self) -> Self::Bits {
                <$type>::to_bits(self)
            }
            fn from_bits(bits: Self::Bits) -> Self {
                <$type>::from_bits(bits)
            }
        }
    )* };
}
floats! {
    // std has the literal, since the quotient of the rounded constants would be one unit off.
    f32 57.295_78;
    f64 180.0 / core::f64::consts::PI;
}
