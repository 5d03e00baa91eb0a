//! Methods of std written out as device functions: what they do is said in operators and in methods that are builtins,
//! so every target computes them alike.
//!
//! They are generic over the type, so that each is captured once. The tests hold them against std itself. One that can
//! panic is `#[track_caller]`, so that the panic is reported where the user calls it.

// The host calls std's own, so as functions these are called by the tests only.
#![cfg_attr(not(test), allow(dead_code))]

mod float;
pub mod floats;
mod integer;
pub mod integers;
pub mod order;
pub mod overflow;

pub use float::Float;
pub use integer::Integer;

#[cfg(test)]
mod tests;
#[cfg(test)]
mod typed_tests;
