//! Kernels on every device of this machine against plain Rust: one behaviour a file, edge values written out.
//!
//! The same file says what Rust means and checks that each device agrees, bit for bit. Where nothing overflows, the
//! oracle is the kernel's own body, run as plain Rust (`kernel::native`); where the host's debug build would panic
//! (kernels wrap), it is written out with `wrapping_*`.

// Kernels here say things in every way that Rust allows, also in those that one would not choose.
#![allow(clippy::all)]

mod arithmetic;
mod arrays;
mod calls;
mod casts;
mod closures;
mod comparisons;
mod constants;
mod control;
mod enums;
mod evaluation;
mod floats;
mod generics;
mod harness;
mod integers;
mod iteration;
mod loops;
mod matching;
mod panic_places;
mod panics;
mod references;
mod shared;
mod shifts;
mod slices;
mod structs;
mod traits;
mod values;
mod views;
