//! The companions of std's methods: traits that are in scope in every witness.
//!
//! They are brought in without names (`as _`), so that they hide no type or trait of the user's.

pub(super) mod floats;
pub(super) mod integers;
pub(super) mod pointers;
pub(super) mod slices;

pub use super::iterators::methods::{
    DoubleEndedIterator as _, ExactSizeIterator as _, IntoIterator as _, Iterator as _, SliceIterators as _,
};
pub use super::traits::{Clone as _, Default as _, From as _, Into as _, Ord as _};
pub use floats::{FloatBits as _, FloatBodies as _, FloatMethods as _};
pub use integers::{
    IntegerBodies as _, IntegerMethods as _, SignedBodies as _, SignedMethods as _, UnsignedBodies as _,
};
pub use pointers::PointerMethods as _;
pub use slices::SliceMethods as _;

pub use super::unavailable::floats::Float as _;
pub use super::unavailable::integers::{Integer as _, Signed as _, Unsigned as _};
pub use super::unavailable::pointers::{ConstPointer as _, MutablePointer as _, Pointer as _};
pub use super::unavailable::slices::{Array as _, NestedSlice as _, Slice as _};
pub use super::unavailable::text::{Ascii as _, Boolean as _, Character as _};
pub use super::unavailable::traits::{Comparison as _, Equality as _, Iterator as _, Order as _};

/// A trait of companions of methods without a body on the device, for some types. The types that an operation depends
/// on are `(Self,)`.
macro_rules! builtin_methods {
    (
        $(#[$attribute:meta])*
        pub trait $trait:ident for $($type:ident)* {
            $(fn $method:ident($($arguments:tt)*) -> $result:ty: $builtin:ident;)*
        }
    ) => {
        $(#[$attribute])*
        pub trait $trait: wavewright_kernel_ir::types::DeviceType + Sized {
            $(
                fn $method(
                    $($arguments)*
                ) -> wavewright_kernel_ir::witness::Ret<$result, $crate::companions::ops::operation!($builtin: Self)> {
                    wavewright_kernel_ir::witness::never()
                }
            )*
        }
        $(impl $trait for $type {})*
    };
}
use builtin_methods;

/// A trait of companions of methods that are written out in [`bodies`](super::bodies), for some types.
macro_rules! body_methods {
    (
        $(#[$attribute:meta])*
        pub trait $trait:ident: $number:ident for $($type:ident)* {
            $(fn $method:ident($self:ident $(, $argument:ident: $ty:ty)*) -> $result:ty = $body:path;)*
        }
    ) => {
        $(#[$attribute])*
        pub trait $trait: $crate::companions::bodies::$number {
            $(
                fn $method(
                    $self
                    $(, $argument: $ty)*
                ) -> wavewright_kernel_ir::witness::Ret<$result, impl wavewright_kernel_ir::witness::DeviceFn> {
                    <$body>::on_device($self $(, $argument)*)
                }
            )*
        }
        $(impl $trait for $type {})*
    };
}
use body_methods;
