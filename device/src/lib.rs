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

/// What generated code names. Not for use by hand: it changes without notice.
#[doc(hidden)]
pub mod __private {
    pub use crate::companions::notes::*;
    pub use crate::companions::{methods, ops, traits};
    pub use wavewright_kernel_ir::types::DeviceType;
    pub use wavewright_kernel_ir::witness::*;

    pub mod host {
        pub use crate::host::{Position, shared, with_thread};
    }
}
