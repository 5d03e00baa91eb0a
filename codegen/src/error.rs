//! What can go wrong between a typed program and its code.

use crate::Stage;
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
    /// The block size that was asked for is not the one of the kernel's attribute.
    #[error(
        "kernel `{kernel}` says `block = {attribute:?}` and can't be compiled for blocks of {asked:?} (all as x, y, z)"
    )]
    BlockMismatch {
        /// The kernel.
        kernel: String,
        /// The size in the attribute.
        attribute: [u32; 3],
        /// The size that was asked for.
        asked: [u32; 3],
    },
    /// No block of this size can run on the target.
    #[error("kernel `{kernel}`: a block of {block:?} (x, y, z) can't run on {target}: {reason}")]
    BlockSize {
        /// The kernel.
        kernel: String,
        /// The target.
        target: String,
        /// The size.
        block: [u32; 3],
        /// What is wrong with it.
        reason: String,
    },
    /// The target has no such form of code.
    #[error("there is no `{stage}` for {target}: {instead}")]
    NoSuchStage {
        /// The stage.
        stage: Stage,
        /// The target.
        target: String,
        /// What to ask for instead.
        instead: &'static str,
    },
    /// The LLVM that the program was loaded with is not one that it can use.
    #[error(
        "this program needs LLVM 22 and was started with LLVM {}.{}.{}; it was built with {built_with}: start it through \
         cargo, or put that library's folder on the loader's path (LD_LIBRARY_PATH)",
        found.0, found.1, found.2
    )]
    WrongLlvm {
        /// The version that was found.
        found: (u32, u32, u32),
        /// The library that the program was built with.
        built_with: String,
    },
    /// LLVM does not generate code for the target.
    #[error("LLVM can't generate code for {target}: {message}")]
    Target {
        /// The target.
        target: String,
        /// What LLVM says.
        message: String,
    },
    /// LLVM could not compile the kernel.
    #[error("LLVM could not compile kernel `{kernel}` for {target}: {message}")]
    Llvm {
        /// The kernel.
        kernel: String,
        /// The target.
        target: String,
        /// What LLVM says.
        message: String,
    },
    /// There is no linker for AMD's code objects.
    #[error(
        "no linker (lld) for AMD code objects was found: tried {}. A Rust toolchain from rustup has one \
         (`rust-lld`); another can be named by WAVEWRIGHT_LLD",
        tried.join("; ")
    )]
    NoLinker {
        /// What was tried, each with the reason why it is not it.
        tried: Vec<String>,
    },
    /// The linker failed.
    #[error("the linker failed ({status}): {command}\n{stderr}")]
    Linker {
        /// What was run.
        command: String,
        /// How it ended.
        status: String,
        /// What it said.
        stderr: String,
    },
    /// The operating system refused something.
    #[error("could not {action}: {message}")]
    System {
        /// What was to be done.
        action: String,
        /// What the system says.
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
