//! From a typed Wavewright program to code for AMD, NVIDIA and the CPU.
//!
//! [`compile`] gives what the runtime loads, [`emit`] any form on the way, to look at; [`inspect`] takes finished code
//! apart; [`jit`] loads code for the CPU into this process. The road:
//!
//! | module | step |
//! |---|---|
//! | `inline` | calls give way to the bodies of what they call: a kernel is one function |
//! | `lower`, `cpu` | that function as LLVM IR, for GPUs and for the host |
//! | `machine` | LLVM's idea of the target |
//! | `optimise` | LLVM's passes |
//! | `emit` | assembly and objects |
//! | `link` | AMD objects as code objects |
//! | `llvm` | keeps LLVM's faults from ending the process |
//!
//! LLVM is that of the Rust toolchain; `build.rs` finds it, and says what to do where it can't.

mod compile;
mod cpu;
mod emit;
mod error;
mod inline;
pub mod inspect;
pub mod jit;
mod link;
mod llvm;
mod lower;
mod machine;
mod optimise;
mod options;
mod stage;

pub use compile::{compile, emit};
pub use error::Error;
pub use llvm::version as llvm_version;
pub use options::{Optimisation, Options};
pub use stage::{Artifact, Stage, UnknownStage};
