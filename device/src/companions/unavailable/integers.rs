//! Methods of integers that can't be called yet.

use super::{Bytes, No};
use core::num::ParseIntError;
use wavewright_kernel_ir::witness::never;

pub use integers::Integer;
pub use signed::Signed;
pub use unsigned::Unsigned;

/// Of integers.
pub mod integers {
    use super::*;

    super::super::bounds! {
        "a kernel holds no `Option` yet: use the `overflowing_…`, `wrapping_…` or `saturating_…` method, or test the operands" {
            checked_add "`checked_add` is not available in kernels yet";
            checked_sub "`checked_sub` is not available in kernels yet";
            checked_mul "`checked_mul` is not available in kernels yet";
            checked_div "`checked_div` is not available in kernels yet";
            checked_div_euclid "`checked_div_euclid` is not available in kernels yet";
            checked_rem "`checked_rem` is not available in kernels yet";
            checked_rem_euclid "`checked_rem_euclid` is not available in kernels yet";
            checked_shl "`checked_shl` is not available in kernels yet";
            checked_shr "`checked_shr` is not available in kernels yet";
            checked_pow "`checked_pow` is not available in kernels yet";
            checked_neg "`checked_neg` is not available in kernels yet";
            checked_isqrt "`checked_isqrt` is not available in kernels yet";
            checked_ilog "`checked_ilog` is not available in kernels yet";
            checked_ilog2 "`checked_ilog2` is not available in kernels yet";
            checked_ilog10 "`checked_ilog10` is not available in kernels yet";
        }
        "text stays on the host" {
            from_str_radix "`from_str_radix` is not available in kernels yet";
        }
        "write shifts and casts" {
            to_be_bytes "`to_be_bytes` is not available in kernels yet";
            to_le_bytes "`to_le_bytes` is not available in kernels yet";
            to_ne_bytes "`to_ne_bytes` is not available in kernels yet";
            from_be_bytes "`from_be_bytes` is not available in kernels yet";
            from_le_bytes "`from_le_bytes` is not available in kernels yet";
            from_ne_bytes "`from_ne_bytes` is not available in kernels yet";
            swap_bytes "`swap_bytes` is not available in kernels yet";
            reverse_bits "`reverse_bits` is not available in kernels yet";
            from_be "`from_be` is not available in kernels yet";
            from_le "`from_le` is not available in kernels yet";
            to_be "`to_be` is not available in kernels yet";
            to_le "`to_le` is not available in kernels yet";
        }
        "write `T::MIN`, `T::MAX`" {
            min_value "`min_value` is not available in kernels yet";
            max_value "`max_value` is not available in kernels yet";
        }
        "write it with the operators, or put it into a `#[device]` function" {
            strict_add "`strict_add` is not available in kernels yet";
            unchecked_add "`unchecked_add` is not available in kernels yet";
            strict_sub "`strict_sub` is not available in kernels yet";
            unchecked_sub "`unchecked_sub` is not available in kernels yet";
            strict_mul "`strict_mul` is not available in kernels yet";
            unchecked_mul "`unchecked_mul` is not available in kernels yet";
            strict_div "`strict_div` is not available in kernels yet";
            strict_div_euclid "`strict_div_euclid` is not available in kernels yet";
            strict_rem "`strict_rem` is not available in kernels yet";
            strict_rem_euclid "`strict_rem_euclid` is not available in kernels yet";
            strict_neg "`strict_neg` is not available in kernels yet";
            strict_shl "`strict_shl` is not available in kernels yet";
            unchecked_shl "`unchecked_shl` is not available in kernels yet";
            strict_shr "`strict_shr` is not available in kernels yet";
            unchecked_shr "`unchecked_shr` is not available in kernels yet";
            strict_pow "`strict_pow` is not available in kernels yet";
            wrapping_div_euclid "`wrapping_div_euclid` is not available in kernels yet";
            wrapping_rem_euclid "`wrapping_rem_euclid` is not available in kernels yet";
            overflowing_div "`overflowing_div` is not available in kernels yet";
            overflowing_div_euclid "`overflowing_div_euclid` is not available in kernels yet";
            overflowing_rem "`overflowing_rem` is not available in kernels yet";
            overflowing_rem_euclid "`overflowing_rem_euclid` is not available in kernels yet";
            ilog "`ilog` is not available in kernels yet";
            ilog10 "`ilog10` is not available in kernels yet";
        }
    }

    #[rustfmt::skip]
    pub trait Integer: Counterparts {
        fn checked_add__on_device(self, _other: Self) -> No<Option<Self>> where Self: checked_add { never() }
        fn checked_sub__on_device(self, _other: Self) -> No<Option<Self>> where Self: checked_sub { never() }
        fn checked_mul__on_device(self, _other: Self) -> No<Option<Self>> where Self: checked_mul { never() }
        fn checked_div__on_device(self, _other: Self) -> No<Option<Self>> where Self: checked_div { never() }
        fn checked_div_euclid__on_device(self, _other: Self) -> No<Option<Self>> where Self: checked_div_euclid { never() }
        fn checked_rem__on_device(self, _other: Self) -> No<Option<Self>> where Self: checked_rem { never() }
        fn checked_rem_euclid__on_device(self, _other: Self) -> No<Option<Self>> where Self: checked_rem_euclid { never() }
        fn checked_shl__on_device(self, _n: u32) -> No<Option<Self>> where Self: checked_shl { never() }
        fn checked_shr__on_device(self, _n: u32) -> No<Option<Self>> where Self: checked_shr { never() }
        fn checked_pow__on_device(self, _n: u32) -> No<Option<Self>> where Self: checked_pow { never() }
        fn checked_neg__on_device(self) -> No<Option<Self>> where Self: checked_neg { never() }
        fn checked_isqrt__on_device(self) -> No<Option<Self>> where Self: checked_isqrt { never() }
        fn checked_ilog__on_device(self, _base: Self) -> No<Option<u32>> where Self: checked_ilog { never() }
        fn checked_ilog2__on_device(self) -> No<Option<u32>> where Self: checked_ilog2 { never() }
        fn checked_ilog10__on_device(self) -> No<Option<u32>> where Self: checked_ilog10 { never() }
        fn from_str_radix__on_device(_text: &str, _radix: u32) -> No<Result<Self, ParseIntError>> where Self: from_str_radix { never() }
        fn to_be_bytes__on_device(self) -> No<Self::Bytes> where Self: to_be_bytes { never() }
        fn to_le_bytes__on_device(self) -> No<Self::Bytes> where Self: to_le_bytes { never() }
        fn to_ne_bytes__on_device(self) -> No<Self::Bytes> where Self: to_ne_bytes { never() }
        fn from_be_bytes__on_device(_bytes: Self::Bytes) -> No<Self> where Self: from_be_bytes { never() }
        fn from_le_bytes__on_device(_bytes: Self::Bytes) -> No<Self> where Self: from_le_bytes { never() }
        fn from_ne_bytes__on_device(_bytes: Self::Bytes) -> No<Self> where Self: from_ne_bytes { never() }
        fn swap_bytes__on_device(self) -> No<Self> where Self: swap_bytes { never() }
        fn reverse_bits__on_device(self) -> No<Self> where Self: reverse_bits { never() }
        fn from_be__on_device(_x: Self) -> No<Self> where Self: from_be { never() }
        fn from_le__on_device(_x: Self) -> No<Self> where Self: from_le { never() }
        fn to_be__on_device(self) -> No<Self> where Self: to_be { never() }
        fn to_le__on_device(self) -> No<Self> where Self: to_le { never() }
        fn min_value__on_device() -> No<Self> where Self: min_value { never() }
        fn max_value__on_device() -> No<Self> where Self: max_value { never() }
        fn strict_add__on_device(self, _rhs: Self) -> No<Self> where Self: strict_add { never() }
        fn unchecked_add__on_device(self, _rhs: Self) -> No<Self> where Self: unchecked_add { never() }
        fn strict_sub__on_device(self, _rhs: Self) -> No<Self> where Self: strict_sub { never() }
        fn unchecked_sub__on_device(self, _rhs: Self) -> No<Self> where Self: unchecked_sub { never() }
        fn strict_mul__on_device(self, _rhs: Self) -> No<Self> where Self: strict_mul { never() }
        fn unchecked_mul__on_device(self, _rhs: Self) -> No<Self> where Self: unchecked_mul { never() }
        fn strict_div__on_device(self, _rhs: Self) -> No<Self> where Self: strict_div { never() }
        fn strict_div_euclid__on_device(self, _rhs: Self) -> No<Self> where Self: strict_div_euclid { never() }
        fn strict_rem__on_device(self, _rhs: Self) -> No<Self> where Self: strict_rem { never() }
        fn strict_rem_euclid__on_device(self, _rhs: Self) -> No<Self> where Self: strict_rem_euclid { never() }
        fn strict_neg__on_device(self) -> No<Self> where Self: strict_neg { never() }
        fn strict_shl__on_device(self, _rhs: u32) -> No<Self> where Self: strict_shl { never() }
        fn unchecked_shl__on_device(self, _rhs: u32) -> No<Self> where Self: unchecked_shl { never() }
        fn strict_shr__on_device(self, _rhs: u32) -> No<Self> where Self: strict_shr { never() }
        fn unchecked_shr__on_device(self, _rhs: u32) -> No<Self> where Self: unchecked_shr { never() }
        fn strict_pow__on_device(self, _exp: u32) -> No<Self> where Self: strict_pow { never() }
        fn wrapping_div_euclid__on_device(self, _rhs: Self) -> No<Self> where Self: wrapping_div_euclid { never() }
        fn wrapping_rem_euclid__on_device(self, _rhs: Self) -> No<Self> where Self: wrapping_rem_euclid { never() }
        fn overflowing_div__on_device(self, _rhs: Self) -> No<(Self, bool)> where Self: overflowing_div { never() }
        fn overflowing_div_euclid__on_device(self, _rhs: Self) -> No<(Self, bool)> where Self: overflowing_div_euclid { never() }
        fn overflowing_rem__on_device(self, _rhs: Self) -> No<(Self, bool)> where Self: overflowing_rem { never() }
        fn overflowing_rem_euclid__on_device(self, _rhs: Self) -> No<(Self, bool)> where Self: overflowing_rem_euclid { never() }
        fn ilog__on_device(self, _base: Self) -> No<u32> where Self: ilog { never() }
        fn ilog10__on_device(self) -> No<u32> where Self: ilog10 { never() }
    }
}

/// Of signed integers.
pub mod signed {
    use super::*;

    super::super::bounds! {
        "a kernel holds no `Option` yet: use the `overflowing_…`, `wrapping_…` or `saturating_…` method, or test the operands" {
            abs_diff "`abs_diff` is not available in kernels yet";
            checked_abs "`checked_abs` is not available in kernels yet";
            checked_add_unsigned "`checked_add_unsigned` is not available in kernels yet";
            checked_sub_unsigned "`checked_sub_unsigned` is not available in kernels yet";
        }
        "write `x as u32` or the like" {
            cast_unsigned "`cast_unsigned` is not available in kernels yet";
        }
        "write it with the operators, or put it into a `#[device]` function" {
            strict_add_unsigned "`strict_add_unsigned` is not available in kernels yet";
            strict_sub_unsigned "`strict_sub_unsigned` is not available in kernels yet";
            unchecked_neg "`unchecked_neg` is not available in kernels yet";
            strict_abs "`strict_abs` is not available in kernels yet";
            saturating_add_unsigned "`saturating_add_unsigned` is not available in kernels yet";
            saturating_sub_unsigned "`saturating_sub_unsigned` is not available in kernels yet";
            wrapping_add_unsigned "`wrapping_add_unsigned` is not available in kernels yet";
            wrapping_sub_unsigned "`wrapping_sub_unsigned` is not available in kernels yet";
            unsigned_abs "`unsigned_abs` is not available in kernels yet";
            overflowing_add_unsigned "`overflowing_add_unsigned` is not available in kernels yet";
            overflowing_sub_unsigned "`overflowing_sub_unsigned` is not available in kernels yet";
        }
    }

    #[rustfmt::skip]
    pub trait Signed: Counterparts {
        fn abs_diff__on_device(self, _other: Self) -> No<Self::Unsigned> where Self: abs_diff { never() }
        fn checked_abs__on_device(self) -> No<Option<Self>> where Self: checked_abs { never() }
        fn checked_add_unsigned__on_device(self, _other: Self::Unsigned) -> No<Option<Self>> where Self: checked_add_unsigned { never() }
        fn checked_sub_unsigned__on_device(self, _other: Self::Unsigned) -> No<Option<Self>> where Self: checked_sub_unsigned { never() }
        fn cast_unsigned__on_device(self) -> No<Self::Unsigned> where Self: cast_unsigned { never() }
        fn strict_add_unsigned__on_device(self, _rhs: Self::Unsigned) -> No<Self> where Self: strict_add_unsigned { never() }
        fn strict_sub_unsigned__on_device(self, _rhs: Self::Unsigned) -> No<Self> where Self: strict_sub_unsigned { never() }
        fn unchecked_neg__on_device(self) -> No<Self> where Self: unchecked_neg { never() }
        fn strict_abs__on_device(self) -> No<Self> where Self: strict_abs { never() }
        fn saturating_add_unsigned__on_device(self, _rhs: Self::Unsigned) -> No<Self> where Self: saturating_add_unsigned { never() }
        fn saturating_sub_unsigned__on_device(self, _rhs: Self::Unsigned) -> No<Self> where Self: saturating_sub_unsigned { never() }
        fn wrapping_add_unsigned__on_device(self, _rhs: Self::Unsigned) -> No<Self> where Self: wrapping_add_unsigned { never() }
        fn wrapping_sub_unsigned__on_device(self, _rhs: Self::Unsigned) -> No<Self> where Self: wrapping_sub_unsigned { never() }
        fn unsigned_abs__on_device(self) -> No<Self::Unsigned> where Self: unsigned_abs { never() }
        fn overflowing_add_unsigned__on_device(self, _rhs: Self::Unsigned) -> No<(Self, bool)> where Self: overflowing_add_unsigned { never() }
        fn overflowing_sub_unsigned__on_device(self, _rhs: Self::Unsigned) -> No<(Self, bool)> where Self: overflowing_sub_unsigned { never() }
    }
}

/// Of unsigned integers.
pub mod unsigned {
    use super::*;

    super::super::bounds! {
        "a kernel holds no `Option` yet: use the `overflowing_…`, `wrapping_…` or `saturating_…` method, or test the operands" {
            checked_next_multiple_of "`checked_next_multiple_of` is not available in kernels yet";
            checked_next_power_of_two "`checked_next_power_of_two` is not available in kernels yet";
            checked_add_signed "`checked_add_signed` is not available in kernels yet";
            checked_sub_signed "`checked_sub_signed` is not available in kernels yet";
            checked_signed_diff "`checked_signed_diff` is not available in kernels yet";
        }
        "write `x as i32` or the like" {
            cast_signed "`cast_signed` is not available in kernels yet";
        }
        "write it with the operators, or put it into a `#[device]` function" {
            strict_add_signed "`strict_add_signed` is not available in kernels yet";
            strict_sub_signed "`strict_sub_signed` is not available in kernels yet";
            saturating_add_signed "`saturating_add_signed` is not available in kernels yet";
            saturating_sub_signed "`saturating_sub_signed` is not available in kernels yet";
            wrapping_add_signed "`wrapping_add_signed` is not available in kernels yet";
            wrapping_sub_signed "`wrapping_sub_signed` is not available in kernels yet";
            carrying_add "`carrying_add` is not available in kernels yet";
            overflowing_add_signed "`overflowing_add_signed` is not available in kernels yet";
            borrowing_sub "`borrowing_sub` is not available in kernels yet";
            overflowing_sub_signed "`overflowing_sub_signed` is not available in kernels yet";
            carrying_mul "`carrying_mul` is not available in kernels yet";
            carrying_mul_add "`carrying_mul_add` is not available in kernels yet";
        }
    }

    #[rustfmt::skip]
    pub trait Unsigned: Counterparts {
        fn checked_next_multiple_of__on_device(self, _other: Self) -> No<Option<Self>> where Self: checked_next_multiple_of { never() }
        fn checked_next_power_of_two__on_device(self) -> No<Option<Self>> where Self: checked_next_power_of_two { never() }
        fn checked_add_signed__on_device(self, _other: Self::Signed) -> No<Option<Self>> where Self: checked_add_signed { never() }
        fn checked_sub_signed__on_device(self, _other: Self::Signed) -> No<Option<Self>> where Self: checked_sub_signed { never() }
        fn checked_signed_diff__on_device(self, _other: Self) -> No<Option<Self::Signed>> where Self: checked_signed_diff { never() }
        fn cast_signed__on_device(self) -> No<Self::Signed> where Self: cast_signed { never() }
        fn strict_add_signed__on_device(self, _rhs: Self::Signed) -> No<Self> where Self: strict_add_signed { never() }
        fn strict_sub_signed__on_device(self, _rhs: Self::Signed) -> No<Self> where Self: strict_sub_signed { never() }
        fn saturating_add_signed__on_device(self, _rhs: Self::Signed) -> No<Self> where Self: saturating_add_signed { never() }
        fn saturating_sub_signed__on_device(self, _rhs: Self::Signed) -> No<Self> where Self: saturating_sub_signed { never() }
        fn wrapping_add_signed__on_device(self, _rhs: Self::Signed) -> No<Self> where Self: wrapping_add_signed { never() }
        fn wrapping_sub_signed__on_device(self, _rhs: Self::Signed) -> No<Self> where Self: wrapping_sub_signed { never() }
        fn carrying_add__on_device(self, _rhs: Self, _carry: bool) -> No<(Self, bool)> where Self: carrying_add { never() }
        fn overflowing_add_signed__on_device(self, _rhs: Self::Signed) -> No<(Self, bool)> where Self: overflowing_add_signed { never() }
        fn borrowing_sub__on_device(self, _rhs: Self, _borrow: bool) -> No<(Self, bool)> where Self: borrowing_sub { never() }
        fn overflowing_sub_signed__on_device(self, _rhs: Self::Signed) -> No<(Self, bool)> where Self: overflowing_sub_signed { never() }
        fn carrying_mul__on_device(self, _rhs: Self, _carry: Self) -> No<(Self, Self)> where Self: carrying_mul { never() }
        fn carrying_mul_add__on_device(self, _rhs: Self, _carry: Self, _add: Self) -> No<(Self, Self)> where Self: carrying_mul_add { never() }
    }
}

/// The integers of the same size.
pub trait Counterparts: Bytes {
    type Signed;
    type Unsigned;
}

macro_rules! implement {
    ($($signed:ident $unsigned:ident)*) => { $(
        impl Counterparts for $signed {
            type Signed = $signed;
            type Unsigned = $unsigned;
        }
        impl Counterparts for $unsigned {
            type Signed = $signed;
            type Unsigned = $unsigned;
        }
        impl Integer for $signed {}
        impl Integer for $unsigned {}
        impl Signed for $signed {}
        impl Unsigned for $unsigned {}
    )* };
}
implement! { i8 u8 i16 u16 i32 u32 i64 u64 i128 u128 isize usize }
