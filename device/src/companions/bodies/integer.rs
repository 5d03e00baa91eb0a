//! What the bodies know of an integer type.

use crate::companions::methods::integers::IntegerMethods;
use crate::companions::ops;

/// An integer type: operators with their device forms, and the methods that are builtins.
pub trait Integer:
    Copy
    + IntegerMethods
    + ops::Ord
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
    + ops::BitAnd
    + core::ops::BitAnd<Output = Self>
    + ops::BitOr
    + core::ops::BitOr<Output = Self>
    + ops::BitXor
    + core::ops::BitXor<Output = Self>
    + ops::Not
    + core::ops::Not<Output = Self>
    + ops::Shl<u32>
    + core::ops::Shl<u32, Output = Self>
    + ops::Shr<u32>
    + core::ops::Shr<u32, Output = Self>
    + 'static
{
    const ZERO: Self;
    const ONE: Self;
    /// All bits ones: -1 of a signed type.
    const ONES: Self;
    const MIN: Self;
    const MAX: Self;
    const BITS: u32;
    const SIGNED: bool;

    // On the host these are std's; on the device those of `IntegerMethods`.
    fn wrapping_add(self, other: Self) -> Self;
    fn wrapping_sub(self, other: Self) -> Self;
    fn wrapping_mul(self, other: Self) -> Self;
    fn count_ones(self) -> u32;
    fn leading_zeros(self) -> u32;
    fn trailing_zeros(self) -> u32;
}

macro_rules! integers {
    ($($type:ident)*) => { $(
        impl Integer for $type {
            const ZERO: Self = 0;
            const ONE: Self = 1;
            const ONES: Self = !0;
            const MIN: Self = <$type>::MIN;
            const MAX: Self = <$type>::MAX;
            const BITS: u32 = <$type>::BITS;
            const SIGNED: bool = <$type>::MIN != 0;

            fn wrapping_add(self, other: Self) -> Self {
                <$type>::wrapping_add(self, other)
            }
            fn wrapping_sub(self, other: Self) -> Self {
                <$type>::wrapping_sub(self, other)
            }
            fn wrapping_mul(self, other: Self) -> Self {
                <$type>::wrapping_mul(self, other)
            }
            fn count_ones(self) -> u32 {
                <$type>::count_ones(self)
            }
            fn leading_zeros(self) -> u32 {
                <$type>::leading_zeros(self)
            }
            fn trailing_zeros(self) -> u32 {
                <$type>::trailing_zeros(self)
            }
        }
    )* };
}
integers! { i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize }
