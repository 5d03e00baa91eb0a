//! `<<` and `>>`: every integer type by every integer type.

use super::*;

macro_rules! shifts {
    ($($t:ty)*) => { $(
        shifts! { @amounts $t: i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize }
    )* };
    (@amounts $t:ty: $($amount:ty)*) => { $(
        shifts! { @operator Shl ShlAssign $t, $amount }
        shifts! { @operator Shr ShrAssign $t, $amount }
    )* };
    (@operator $trait:ident $assign:ident $t:ty, $amount:ty) => {
        impl $trait<$amount> for $t {
            type Def = operation!($trait: $t, $amount);
        }
        impl $trait<&$amount> for $t {
            type Def = operation!($trait: $t, $amount);
        }
        impl $trait<$amount> for &$t {
            type Def = operation!($trait: $t, $amount);
        }
        impl $trait<&$amount> for &$t {
            type Def = operation!($trait: $t, $amount);
        }
        impl $assign<$amount> for $t {
            type Def = operation!($assign: $t, $amount);
        }
        impl $assign<&$amount> for $t {
            type Def = operation!($assign: $t, $amount);
        }
    };
}
shifts! { i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize }
