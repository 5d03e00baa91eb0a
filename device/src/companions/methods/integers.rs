//! Methods of integers.

use super::builtin_methods;

builtin_methods! {
    /// Companions of the methods that all integers have. `min` and `max` are those of [`Ord`](super::super::traits::Ord).
    pub trait IntegerMethods for i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize {
        fn wrapping_add__on_device(self, _other: Self) -> Self: WrappingAdd;
        fn wrapping_sub__on_device(self, _other: Self) -> Self: WrappingSub;
        fn wrapping_mul__on_device(self, _other: Self) -> Self: WrappingMul;
        fn rotate_left__on_device(self, _amount: u32) -> Self: RotateLeft;
        fn rotate_right__on_device(self, _amount: u32) -> Self: RotateRight;
        fn count_ones__on_device(self) -> u32: CountOnes;
        fn leading_zeros__on_device(self) -> u32: LeadingZeros;
        fn trailing_zeros__on_device(self) -> u32: TrailingZeros;
    }
}

builtin_methods! {
    /// Companions of the methods that signed integers have.
    pub trait SignedMethods for i8 i16 i32 i64 i128 isize {
        fn abs__on_device(self) -> Self: Abs;
    }
}
