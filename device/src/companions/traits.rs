//! The companions of the methods of std's traits, under the traits' own names.
//!
//! Each is implemented for exactly the types that std's trait is implemented for, so that method look-up decides as it
//! does in plain Rust; whether the method has a device form is a bound of the method itself, so that the error names it. (The
//! instance is a parameter, `M`: named by its path, rustc would report a missing device form twice.)
//!
//! Those of std's traits that are always in scope (`Clone`, `Default`, `From`, `Into`, `Ord`) are in scope in every
//! witness. The operators are not: their methods are found by path only (`Add::add(a, b)`, `<T as Neg>::neg(a)`), since a
//! trait of the user's with a method `add` is fine in plain Rust as long as `core::ops::Add` isn't imported.

use super::ops;
use wavewright_kernel_ir::witness::{Ret, never};

/// The companion of `core::clone::Clone`.
pub trait Clone: core::clone::Clone {
    fn clone__on_device<M>(&self) -> Ret<Self, M>
    where
        Self: ops::Clone<Def = M>,
    {
        never()
    }
}
impl<T: core::clone::Clone> Clone for T {}

/// The companion of `core::default::Default`.
pub trait Default: core::default::Default {
    fn default__on_device<M>() -> Ret<Self, M>
    where
        Self: ops::Default<Def = M>,
    {
        never()
    }
}
impl<T: core::default::Default> Default for T {}

/// The companion of `core::convert::From`.
pub trait From<A>: core::convert::From<A> {
    fn from__on_device<M>(_value: A) -> Ret<Self, M>
    where
        Self: ops::From<A, Def = M>,
    {
        never()
    }
}
impl<A, T: core::convert::From<A>> From<A> for T {}

/// The companion of `core::convert::Into`.
pub trait Into<T>: core::convert::Into<T> {
    fn into__on_device<M>(self) -> Ret<T, M>
    where
        Self: ops::Into<T, Def = M>,
    {
        never()
    }
}
impl<A: core::convert::Into<T>, T> Into<T> for A {}

/// The companion of `core::cmp::Ord`.
pub trait Ord: core::cmp::Ord {
    fn min__on_device<M>(self, _other: Self) -> Ret<Self, M>
    where
        Self: ops::Ord<Min = M>,
    {
        never()
    }
    fn max__on_device<M>(self, _other: Self) -> Ret<Self, M>
    where
        Self: ops::Ord<Max = M>,
    {
        never()
    }
    fn clamp__on_device<M>(self, _low: Self, _high: Self) -> Ret<Self, M>
    where
        Self: ops::Ord<Clamp = M>,
    {
        never()
    }
}
impl<T: core::cmp::Ord> Ord for T {}

macro_rules! operators {
    ($($trait:ident $method:ident;)*) => { $(
        #[doc = concat!("The companion of `core::ops::", stringify!($trait), "`.")]
        pub trait $trait<R = Self>: core::ops::$trait<R> + Sized {
            fn $method<M>(self, _other: R) -> Ret<Self::Output, M>
            where
                Self: ops::$trait<R, Def = M>,
            {
                never()
            }
        }
        impl<R, T: core::ops::$trait<R>> $trait<R> for T {}
    )* };
}
operators! {
    Add add__on_device;
    Sub sub__on_device;
    Mul mul__on_device;
    Div div__on_device;
    Rem rem__on_device;
    BitAnd bitand__on_device;
    BitOr bitor__on_device;
    BitXor bitxor__on_device;
    Shl shl__on_device;
    Shr shr__on_device;
}

macro_rules! assigning_operators {
    ($($trait:ident $method:ident;)*) => { $(
        #[doc = concat!("The companion of `core::ops::", stringify!($trait), "`.")]
        pub trait $trait<R = Self>: core::ops::$trait<R> + Sized {
            fn $method<M>(&mut self, _other: R) -> Ret<(), M>
            where
                Self: ops::$trait<R, Def = M>,
            {
                never()
            }
        }
        impl<R, T: core::ops::$trait<R>> $trait<R> for T {}
    )* };
}
assigning_operators! {
    AddAssign add_assign__on_device;
    SubAssign sub_assign__on_device;
    MulAssign mul_assign__on_device;
    DivAssign div_assign__on_device;
    RemAssign rem_assign__on_device;
    BitAndAssign bitand_assign__on_device;
    BitOrAssign bitor_assign__on_device;
    BitXorAssign bitxor_assign__on_device;
    ShlAssign shl_assign__on_device;
    ShrAssign shr_assign__on_device;
}

macro_rules! unary_operators {
    ($($trait:ident $method:ident;)*) => { $(
        #[doc = concat!("The companion of `core::ops::", stringify!($trait), "`.")]
        pub trait $trait: core::ops::$trait + Sized {
            fn $method<M>(self) -> Ret<Self::Output, M>
            where
                Self: ops::$trait<Def = M>,
            {
                never()
            }
        }
        impl<T: core::ops::$trait> $trait for T {}
    )* };
}
unary_operators! {
    Neg neg__on_device;
    Not not__on_device;
}
