//! From a typed Wavewright program to code for AMD, NVIDIA and the CPU.

#[allow(dead_code)]
mod cpu;
#[allow(dead_code)]
mod emit;
mod error;
#[allow(dead_code)]
mod inline;
pub mod inspect;
pub mod jit;
#[allow(dead_code)]
mod link;
#[allow(dead_code)]
mod llvm;
#[allow(dead_code)]
mod lower;
#[allow(dead_code)]
mod machine;
#[allow(dead_code)]
mod optimise;
mod options;
mod stage;
pub use error::Error;
pub use llvm::version as llvm_version;
pub use options::{Optimisation, Options};
pub use stage::{Artifact, Stage, UnknownStage};
