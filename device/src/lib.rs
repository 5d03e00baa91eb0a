//! What a kernel may call: its place in the launch ([`thread`], [`block`], [`grid`]), barriers ([`sync_threads()`]) and
//! memory that a block shares ([`shared!`]).
//!
//! Beside these a kernel may call every function, method and operator with `#[device]`, and the operators and methods
//! of std's primitive types that the crate's private `companions` list; a method of std that isn't among them is
//! refused at compile time, by name.
//!
//! Outside a kernel these functions panic, unless a host test has said which thread it stands for.

// Code that the macros generate names everything as `::wavewright::…`, also in this crate.
extern crate self as wavewright;

mod function;

pub mod block;
pub mod grid;
pub mod thread;

mod companions;
mod host;
mod shared;
mod sync;

pub use sync::sync_threads;
pub use wavewright_kernel_ir::types::DeviceType;
pub use wavewright_kernel_macro::{DeviceType, device, kernel};

/// The traits that messages of rustc name when something has no device form. `#[device]` implements them.
pub mod device_form {
    pub use crate::companions::flow::{ForLoop, Question};
    pub use crate::companions::ops::{
        Add, AddAssign, BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Clone, Default, Div,
        DivAssign, DoubleEndedIterator, Eq, ExactSizeIterator, From, Into, IntoIterator, Iterator, Mul,
        MulAssign, Neg, Not, Ord, PartialEq, PartialOrd, Rem, RemAssign, Shl, ShlAssign, Shr, ShrAssign, Sub,
        SubAssign,
    };
    pub use wavewright_kernel_ir::witness::{DeviceFunction, HostFunction};

    /// The same, said of the result of an operation on values of the given types.
    pub mod result_of {
        pub use crate::companions::notes::*;
    }

    /// The methods of std's traits.
    pub mod methods {
        pub use crate::companions::traits::*;
    }
}

/// What generated code names. Not for use by hand: it changes without notice.
#[doc(hidden)]
pub mod __private {
    pub use crate::companions::iterators::consumers::DefaultNth;
    pub use crate::companions::{methods, ops, traits};
    pub use wavewright_kernel_ir::entry::{BuildError, KernelEntry};
    pub use wavewright_kernel_ir::record::Instances;
    pub use wavewright_kernel_ir::scalar::Scalar;
    pub use wavewright_kernel_ir::typed::{KernelAttributes, Program};
    pub use wavewright_kernel_ir::types::{self, DeviceType, rust_type_id as identity};
    pub use wavewright_kernel_ir::typing::program;
    pub use wavewright_kernel_ir::witness::{self, *};

    /// What every witness brings into scope: names that start with `__`.
    pub mod scope {
        pub use crate::companions::flow::{__question, ForLoop as __ForLoop};
        pub use crate::companions::notes::{
            Add as __Add, AddAssign as __AddAssign, BitAnd as __BitAnd, BitAndAssign as __BitAndAssign,
            BitOr as __BitOr, BitOrAssign as __BitOrAssign, BitXor as __BitXor,
            BitXorAssign as __BitXorAssign, Div as __Div, DivAssign as __DivAssign, Mul as __Mul,
            MulAssign as __MulAssign, Neg as __Neg, Not as __Not, PartialEq as __PartialEq,
            PartialOrd as __PartialOrd, Rem as __Rem, RemAssign as __RemAssign, Shl as __Shl,
            ShlAssign as __ShlAssign, Shr as __Shr, ShrAssign as __ShrAssign, Sub as __Sub,
            SubAssign as __SubAssign,
        };
        pub use wavewright_kernel_ir::witness::scope::*;
    }

    pub mod host {
        pub use crate::host::{Position, shared, with_thread};
    }
}
