//! The companions of std's methods: traits that are in scope in every witness.
//!
//! They are brought in without names (`as _`), so that they hide no type or trait of the user's.

mod floats;
mod integers;
mod pointers;
mod slices;

pub use super::traits::{Clone as _, Default as _, From as _, Into as _, Ord as _};
pub use floats::{FloatBits as _, FloatMethods as _};
pub use integers::{IntegerMethods as _, SignedMethods as _};
pub use pointers::PointerMethods as _;
pub use slices::SliceMethods as _;

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
