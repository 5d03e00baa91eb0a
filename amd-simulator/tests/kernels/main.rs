//! Kernels compiled here, executed by the simulator, against plain Rust: bit for bit, optimised and not.

mod harness;

mod compute;
mod faults;
mod language;
