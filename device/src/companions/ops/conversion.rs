//! `Clone`, `Default` and `From` of primitive types.

use super::*;

impl<T: Copy + DeviceType> Clone for T {
    type Def = operation!(Clone: T);
}

macro_rules! defaults {
    ($($t:ty)*) => { $(
        impl Default for $t {
            type Def = operation!(Default: $t);
        }
    )* };
}
defaults! { bool char i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize f32 f64 }

impl<T: DeviceType> From<T> for T {
    type Def = operation!(From: T, T);
}

/// Every conversion between primitive types for which std has `From`: those that lose nothing.
macro_rules! conversions {
    ($($source:ty => $($target:ty)*;)*) => { $($(
        impl From<$source> for $target {
            type Def = operation!(From: $target, $source);
        }
    )*)* };
}
conversions! {
    bool => i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize f32 f64;
    char => u32 u64 u128;
    u8 => char u16 u32 u64 u128 usize i16 i32 i64 i128 isize f32 f64;
    u16 => u32 u64 u128 usize i32 i64 i128 f32 f64;
    u32 => u64 u128 i64 i128 f64;
    u64 => u128 i128;
    i8 => i16 i32 i64 i128 isize f32 f64;
    i16 => i32 i64 i128 isize f32 f64;
    i32 => i64 i128 f64;
    i64 => i128;
    f32 => f64;
}
