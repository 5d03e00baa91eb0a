//! Tests of the CPU device's code generation.

mod barriers;
mod build;
mod kernels;
mod random;
pub(crate) mod run;
mod splitting;
