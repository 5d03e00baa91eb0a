//! Methods of integers.

use super::{body_methods, builtin_methods};
use crate::companions::bodies::{integers, overflow};

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

body_methods! {
    /// Companions of the methods of all integers that are written out.
    pub trait IntegerBodies: Integer for i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize {
        fn count_zeros__on_device(self) -> u32 = integers::count_zeros;
        fn leading_ones__on_device(self) -> u32 = integers::leading_ones;
        fn trailing_ones__on_device(self) -> u32 = integers::trailing_ones;
        fn pow__on_device(self, exponent: u32) -> Self = integers::pow;
        fn div_euclid__on_device(self, other: Self) -> Self = integers::div_euclid;
        fn rem_euclid__on_device(self, other: Self) -> Self = integers::rem_euclid;
        fn midpoint__on_device(self, other: Self) -> Self = integers::midpoint;
        fn ilog2__on_device(self) -> u32 = integers::ilog2;
        fn isqrt__on_device(self) -> Self = integers::isqrt;
        fn wrapping_neg__on_device(self) -> Self = overflow::wrapping_neg;
        fn wrapping_shl__on_device(self, amount: u32) -> Self = overflow::wrapping_shl;
        fn wrapping_shr__on_device(self, amount: u32) -> Self = overflow::wrapping_shr;
        fn unbounded_shl__on_device(self, amount: u32) -> Self = overflow::unbounded_shl;
        fn unbounded_shr__on_device(self, amount: u32) -> Self = overflow::unbounded_shr;
        fn wrapping_div__on_device(self, other: Self) -> Self = overflow::wrapping_div;
        fn wrapping_rem__on_device(self, other: Self) -> Self = overflow::wrapping_rem;
        fn saturating_add__on_device(self, other: Self) -> Self = overflow::saturating_add;
        fn saturating_sub__on_device(self, other: Self) -> Self = overflow::saturating_sub;
        fn saturating_mul__on_device(self, other: Self) -> Self = overflow::saturating_mul;
        fn saturating_div__on_device(self, other: Self) -> Self = overflow::saturating_div;
        fn wrapping_pow__on_device(self, exponent: u32) -> Self = overflow::wrapping_pow;
        fn saturating_pow__on_device(self, exponent: u32) -> Self = overflow::saturating_pow;
        fn overflowing_add__on_device(self, other: Self) -> (Self, bool) = overflow::overflowing_add;
        fn overflowing_sub__on_device(self, other: Self) -> (Self, bool) = overflow::overflowing_sub;
        fn overflowing_mul__on_device(self, other: Self) -> (Self, bool) = overflow::overflowing_mul;
        fn overflowing_shl__on_device(self, amount: u32) -> (Self, bool) = overflow::overflowing_shl;
        fn overflowing_shr__on_device(self, amount: u32) -> (Self, bool) = overflow::overflowing_shr;
        fn overflowing_neg__on_device(self) -> (Self, bool) = overflow::overflowing_neg;
        fn overflowing_pow__on_device(self, exponent: u32) -> (Self, bool) = overflow::overflowing_pow;
    }
}

body_methods! {
    /// Companions of the methods of signed integers that are written out.
    pub trait SignedBodies: Integer for i8 i16 i32 i64 i128 isize {
        fn signum__on_device(self) -> Self = integers::signum;
        fn is_positive__on_device(self) -> bool = integers::is_positive;
        fn is_negative__on_device(self) -> bool = integers::is_negative;
        fn wrapping_abs__on_device(self) -> Self = overflow::wrapping_abs;
        fn saturating_abs__on_device(self) -> Self = overflow::saturating_abs;
        fn saturating_neg__on_device(self) -> Self = overflow::saturating_neg;
        fn overflowing_abs__on_device(self) -> (Self, bool) = overflow::overflowing_abs;
    }
}

body_methods! {
    /// Companions of the methods of unsigned integers that are written out.
    pub trait UnsignedBodies: Integer for u8 u16 u32 u64 u128 usize {
        fn abs_diff__on_device(self, other: Self) -> Self = integers::abs_diff;
        fn div_ceil__on_device(self, other: Self) -> Self = integers::div_ceil;
        fn next_multiple_of__on_device(self, other: Self) -> Self = integers::next_multiple_of;
        fn is_multiple_of__on_device(self, other: Self) -> bool = integers::is_multiple_of;
        fn is_power_of_two__on_device(self) -> bool = integers::is_power_of_two;
        fn next_power_of_two__on_device(self) -> Self = integers::next_power_of_two;
    }
}
