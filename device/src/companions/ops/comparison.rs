//! `==` and `<` of primitive types, raw pointers and references, and `Ord` of primitive types.

use super::*;
use crate::companions::bodies::order::Clamp;

macro_rules! comparisons {
    ($($t:ty)*) => { $(
        impl PartialEq for $t {
            type Def = operation!(PartialEq: $t, $t);
        }
        impl PartialOrd for $t {
            type Def = operation!(PartialOrd: $t, $t);
        }
    )* };
}
comparisons! { bool char i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize f32 f64 }

macro_rules! orders {
    ($($t:ty)*) => { $(
        impl Ord for $t {
            type Min = operation!(Min: $t);
            type Max = operation!(Max: $t);
            type Clamp = Clamp<$t>;
        }
    )* };
}
orders! { bool char i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize }

macro_rules! pointers {
    ($($pointer:ty)*) => { $(
        impl<T: DeviceType> PartialEq for $pointer {
            type Def = operation!(PartialEq: $pointer, $pointer);
        }
        impl<T: DeviceType> PartialOrd for $pointer {
            type Def = operation!(PartialOrd: $pointer, $pointer);
        }
    )* };
}
pointers! { *const T *mut T }

// References compare what they point to, as in std.
macro_rules! references {
    ($($trait:ident: $($left:ty, $right:ty;)*)*) => { $($(
        impl<A: $trait<B> + ?Sized, B: ?Sized> $trait<$right> for $left {
            type Def = A::Def;
        }
    )*)* };
}
references! {
    PartialEq: &A, &B; &mut A, &mut B; &A, &mut B; &mut A, &B;
}
impl<A: PartialOrd<B> + ?Sized, B: ?Sized> PartialOrd<&B> for &A {
    type Def = <A as PartialOrd<B>>::Def;
}
impl<A: PartialOrd<B> + ?Sized, B: ?Sized> PartialOrd<&mut B> for &mut A {
    type Def = <A as PartialOrd<B>>::Def;
}
