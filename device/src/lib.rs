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

/// What generated code names. Not for use by hand: it changes without notice.
#[doc(hidden)]
pub mod __private {
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
        pub use crate::companions::notes::{
            __add, __add_assign, __bitand, __bitand_assign, __bitor, __bitor_assign, __bitxor,
            __bitxor_assign, __div, __div_assign, __eq, __mul, __mul_assign, __neg, __not, __partial_cmp,
            __question, __rem, __rem_assign, __shl, __shl_assign, __shr, __shr_assign, __sub, __sub_assign,
        };
        pub use wavewright_kernel_ir::witness::scope::*;
    }

    pub mod host {
        pub use crate::host::{Position, shared, with_thread};
    }
}
