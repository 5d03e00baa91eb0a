//! `+ - * / % & | ^`, their assigning forms, `-x` and `!x` of primitive types.

use super::*;

/// A binary operator and its assigning form, of values and of references as std has them.
macro_rules! binary {
    ($($trait:ident $assign:ident),*: $types:tt) => { $(binary!(@operator $trait $assign $types);)* };
    (@operator $trait:ident $assign:ident ($($t:ty)*)) => { $(
        impl $trait<$t> for $t {
            type Def = operation!($trait: $t, $t);
        }
        impl $trait<&$t> for $t {
            type Def = operation!($trait: $t, $t);
        }
        impl $trait<$t> for &$t {
            type Def = operation!($trait: $t, $t);
        }
        impl $trait<&$t> for &$t {
            type Def = operation!($trait: $t, $t);
        }
        impl $assign<$t> for $t {
            type Def = operation!($assign: $t, $t);
        }
        impl $assign<&$t> for $t {
            type Def = operation!($assign: $t, $t);
        }
    )* };
}
binary! {
    Add AddAssign, Sub SubAssign, Mul MulAssign, Div DivAssign, Rem RemAssign:
    (i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize f32 f64)
}
binary! {
    BitAnd BitAndAssign, BitOr BitOrAssign, BitXor BitXorAssign:
    (i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize bool)
}

macro_rules! unary {
    ($trait:ident: $($t:ty)*) => { $(
        impl $trait for $t {
            type Def = operation!($trait: $t);
        }
        impl $trait for &$t {
            type Def = operation!($trait: $t);
        }
    )* };
}
unary! { Neg: i8 i16 i32 i64 i128 isize f32 f64 }
unary! { Not: i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize bool }
