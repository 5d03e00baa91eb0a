//! The companions of what kernels may use of std: see the protocol in
//! [`wavewright_kernel_ir::witness`](wavewright_kernel_ir::witness).
//!
//! | module | what |
//! |---|---|
//! | [`ops`] | the device forms of std's operators and traits: what `a + b` or `T::default()` means for a type |
//! | [`notes`], [`flow`] | the notes of operators, and of `?` and `for` |
//! | [`methods`] | the companions of std's methods, brought into scope in every witness |
//! | [`bodies`] | methods of std written out as device functions |
//! | [`unavailable`] | companions of std's methods that can't be called yet: each an error that says so |
//! | [`traits`] | the companions of the methods of std's traits under the traits' own names, for calls as `Clone::clone(&x)` |

// A companion's name and signature are those of the method that it stands for, which is also where its docs are.
#![allow(
    missing_docs,
    non_snake_case,
    clippy::wrong_self_convention,
    clippy::missing_safety_doc,
    clippy::type_complexity,
    clippy::module_inception
)]

mod bodies;
pub mod flow;
pub mod iterators;
pub mod methods;
pub mod notes;
pub mod ops;
pub mod traits;
mod unavailable;

#[cfg(test)]
mod book_tests;
#[cfg(test)]
mod tests;
