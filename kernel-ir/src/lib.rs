//! Wavewright kernels as data.
//!
//! A kernel goes through three forms, each a module here and each free of LLVM and of `syn`:
//!
//! 1. [`captured`]: the tree that `#[kernel]` and `#[device]` write down at compile time. Names of variables are
//!    resolved; types, callees and constants are not known, each place that needs one holds a [`captured::Note`].
//! 2. [`record`]: what rustc said about those notes for one instance of the function (its own inferred types, the
//!    instances of the functions it calls, the values of constants).
//! 3. [`typed`]: the closed, monomorphic program made of both. Code generation reads this form only.
//!
//! [`types`] holds the types of all three, with rustc's own layout; [`builtin`] is the table of what a kernel may call
//! that has no body; [`abi`] says how a launch hands over arguments; [`code_object`] is what code generation returns
//! and the runtime loads; [`target`] is what it generates code for.

pub mod abi;
pub mod builtin;
pub mod captured;
pub mod code_object;
pub mod entry;
pub mod print;
pub mod record;
#[cfg(feature = "samples")]
#[doc(hidden)]
pub mod samples;
pub mod scalar;
pub mod span;
mod stack;
pub mod target;
pub mod typed;
pub mod types;
pub mod typing;
pub mod verify;
pub mod visit;
pub mod witness;
