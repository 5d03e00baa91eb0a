//! What can go wrong between a typed program and its code.

use wavewright_kernel_ir::span::Span;

/// A kernel could not be compiled.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// Functions that call each other in a circle. Kernels have no call stack: every call is inlined.
    #[error(
        "{file}:{span}: kernel `{kernel}` is recursive: {}; calls are inlined on a device, so write a loop instead",
        cycle.join(" -> ")
    )]
    Recursion {
        /// The kernel.
        kernel: String,
        /// The functions of the circle; the last is the first again.
        cycle: Vec<String>,
        /// The file of the call that closes the circle.
        file: String,
        /// Where in it.
        span: Span,
    },
    /// The kernel is too large once its calls are inlined.
    #[error(
        "{file}:{span}: kernel `{kernel}` has more than {limit} operations once its calls are inlined; call fewer functions from functions that are called often"
    )]
    TooLarge {
        /// The kernel.
        kernel: String,
        /// The most operations that a kernel may have.
        limit: usize,
        /// The file of the call that is one too many.
        file: String,
        /// Where in it.
        span: Span,
    },
    /// The kernel asks for something that the target does not have.
    #[error("{file}:{span}: kernel `{kernel}`: {message}")]
    Unsupported {
        /// The kernel.
        kernel: String,
        /// The source file.
        file: String,
        /// Where in it.
        span: Span,
        /// What is not there, and what to write instead.
        message: String,
    },
    /// A fault of this compiler, not of the kernel.
    #[error(
        "kernel `{kernel}`: {message} (this is a bug in Wavewright: please report it with the kernel's source)"
    )]
    Internal {
        /// The kernel.
        kernel: String,
        /// What did not hold.
        message: String,
    },
}
