//! AMD GPUs in software: code objects are loaded and their instructions executed, one by one, on any machine.
//!
//! | module | what it holds |
//! |---|---|
//! | [`device`] | a simulated GPU: memory, code, launches |
//! | [`code`] | code objects: loading, kernel descriptors, metadata |
//! | `text`, `decode` | that text, taken apart and turned into an operation, once for each instruction |
//! | `operation` | instructions as they are executed |
//! | `salu`, `valu` | what scalar and vector instructions compute, by name |
//! | `execute` | one wave's instructions |
//! | [`dispatch`] | work-groups over the cores, the waves of each in turn |
//! | [`memory`] | device memory, every access to it checked |
//! | [`family`] | what differs between architectures |
//! | [`fault`] | what stops a kernel |
//!
//! Nothing is guessed: an instruction, a modifier or an operand that is not known to be understood stops the kernel when it is
//! executed, with its text and its place.

// Bit fields read better without a bracket around every shift.
#![allow(clippy::precedence)]

pub mod code;
mod decode;
pub mod device;
pub mod dispatch;
mod execute;
pub mod family;
pub mod fault;
mod float;
mod half;
mod lanes;
pub mod memory;
mod operation;
mod salu;
mod text;
mod valu;
mod wave;

pub use device::Device;
