//! Methods of `f32` and `f64`.

use super::builtin_methods;
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
