//! Stub.
pub mod jit;
