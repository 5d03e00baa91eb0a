//! Methods of `f32` and `f64`.

use super::{body_methods, builtin_methods};
use crate::companions::bodies::floats;
use crate::companions::ops::operation;
use wavewright_kernel_ir::types::DeviceType;
use wavewright_kernel_ir::witness::{Ret, never};

builtin_methods! {
    /// Companions of the methods of floats.
    pub trait FloatMethods for f32 f64 {
        fn sqrt__on_device(self) -> Self: Sqrt;
        fn abs__on_device(self) -> Self: Abs;
        fn min__on_device(self, _other: Self) -> Self: Min;
        fn max__on_device(self, _other: Self) -> Self: Max;
        fn mul_add__on_device(self, _a: Self, _b: Self) -> Self: MulAdd;
        fn floor__on_device(self) -> Self: Floor;
        fn ceil__on_device(self) -> Self: Ceil;
        fn trunc__on_device(self) -> Self: Trunc;
        fn round__on_device(self) -> Self: Round;
        fn is_nan__on_device(self) -> bool: IsNan;
    }
}

/// Companions of the methods of floats that have to do with their bits.
pub trait FloatBits: DeviceType + Sized {
    /// The unsigned integer of the float's size.
    type Bits;

    fn to_bits__on_device(self) -> Ret<Self::Bits, operation!(ToBits: Self)> {
        never()
    }
    fn from_bits__on_device(_bits: Self::Bits) -> Ret<Self, operation!(FromBits: Self)> {
        never()
    }
}
impl FloatBits for f32 {
    type Bits = u32;
}
impl FloatBits for f64 {
    type Bits = u64;
}

body_methods! {
    /// Companions of the methods of floats that are written out.
    pub trait FloatBodies: Float for f32 f64 {
        fn fract__on_device(self) -> Self = floats::fract;
        fn recip__on_device(self) -> Self = floats::recip;
        fn to_degrees__on_device(self) -> Self = floats::to_degrees;
        fn to_radians__on_device(self) -> Self = floats::to_radians;
        fn is_infinite__on_device(self) -> bool = floats::is_infinite;
        fn is_finite__on_device(self) -> bool = floats::is_finite;
        fn is_normal__on_device(self) -> bool = floats::is_normal;
        fn is_subnormal__on_device(self) -> bool = floats::is_subnormal;
        fn is_sign_negative__on_device(self) -> bool = floats::is_sign_negative;
        fn is_sign_positive__on_device(self) -> bool = floats::is_sign_positive;
        fn copysign__on_device(self, sign: Self) -> Self = floats::copysign;
        fn signum__on_device(self) -> Self = floats::signum;
        fn clamp__on_device(self, low: Self, high: Self) -> Self = floats::clamp;
        fn div_euclid__on_device(self, divisor: Self) -> Self = floats::div_euclid;
        fn rem_euclid__on_device(self, divisor: Self) -> Self = floats::rem_euclid;
        fn round_ties_even__on_device(self) -> Self = floats::round_ties_even;
        fn next_up__on_device(self) -> Self = floats::next_up;
        fn next_down__on_device(self) -> Self = floats::next_down;
    }
}
