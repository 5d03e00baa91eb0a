//! The forms of a kernel as text, to look at: close to Rust, the same text for the same data.
//!
//! [`captured`] shows what the macros wrote down, with the number of each note and what rustc answered; [`typed`] shows
//! the typed program. Neither is read back.

mod captured;
mod typed;
mod value;
mod writer;

pub use captured::{body, instances as captured};
pub use typed::program as typed;
