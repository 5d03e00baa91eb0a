//! What lowering makes of kernels, on each target.

mod build;
mod compile;
mod matmul;
mod saxpy;
mod scalars;
