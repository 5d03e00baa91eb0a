//! Code generation.
mod error;
#[allow(dead_code)]
mod inline;
pub mod jit;
#[allow(dead_code)]
mod lower;
mod visit;
pub use error::Error;
