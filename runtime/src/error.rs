//! What can go wrong.

use crate::{DeviceKind, Dim3};
use wavewright_kernel_ir::entry::BuildError;

/// What can go wrong between a program and a device.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// There is no device of the kind asked for.
    #[error("no {kind}: {reason}")]
    NoDevice {
        /// The kind asked for.
        kind: DeviceKind,
        /// What was looked for and what came of it.
        reason: String,
    },
    /// No device goes by this name.
    #[error("no device `{asked}`; there is {available}")]
    UnknownDevice {
        /// The name asked for.
        asked: String,
        /// The devices that there are.
        available: String,
    },
    /// A driver's function failed.
    #[error("{call} failed with {name} ({code}): {text}{context}")]
    Driver {
        /// The driver's function.
        call: &'static str,
        /// The number that it returned.
        code: i32,
        /// The number's name: `CUDA_ERROR_ILLEGAL_ADDRESS`.
        name: String,
        /// What the driver says of it.
        text: String,
        /// Which kernels may have caused it, where that is known; else empty.
        context: String,
    },
    /// The device has no room.
    #[error("{device} has no room for {bytes} bytes: {reason}")]
    OutOfMemory {
        /// The device's name.
        device: String,
        /// How much was asked for.
        bytes: u64,
        /// What the device says.
        reason: String,
    },
    /// A type that holds pointers can't lie in device memory.
    #[error(
        "`{ty}` can't lie in device memory: it holds a pointer (`{pointer}`), and an address of the host means nothing there"
    )]
    HoldsPointer {
        /// The type.
        ty: String,
        /// The pointer in it.
        pointer: String,
    },
    /// Two lengths that must agree don't.
    #[error("{what}: {left} elements here, {right} there")]
    LengthMismatch {
        /// What was to be done.
        what: &'static str,
        /// The length of the buffer that the call is on.
        left: usize,
        /// The other length.
        right: usize,
    },
    /// Two buffers, or a buffer and a launch, are of different devices.
    #[error("{what}: the buffer is in the memory of {buffer}, not of {device}")]
    OtherDevice {
        /// What was to be done, and the argument that it concerns.
        what: String,
        /// The buffer's device.
        buffer: String,
        /// The device where it would have to be.
        device: String,
    },
    /// The kernel's program can't be built.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// A launch asks for what the kernel or the device does not allow.
    #[error("launch of `{kernel}`: {problem}")]
    Launch {
        /// The kernel.
        kernel: String,
        /// What is wrong, the limit and what was given.
        problem: LaunchProblem,
    },
    /// The kernel could not be compiled.
    #[error("`{kernel}` does not compile for {target}: {message}")]
    Compile {
        /// The kernel.
        kernel: String,
        /// The target.
        target: String,
        /// Why.
        message: String,
    },
    /// The device's driver refused the kernel's code.
    #[error("{device} refuses the code of `{kernel}`: {message}")]
    Load {
        /// The kernel.
        kernel: String,
        /// The device's name.
        device: String,
        /// What the driver says.
        message: String,
    },
    /// A thread of a kernel panicked. Its launch and later ones went on.
    #[error(
        "kernel `{kernel}` panicked at {file}:{line}:{column}, block ({}, {}, {}), thread ({}, {}, {}): {message}{}",
        block[0], block[1], block[2], thread[0], thread[1], thread[2], also(*further)
    )]
    Panic {
        /// The kernel.
        kernel: String,
        /// What it says.
        message: String,
        /// The source file, as rustc names it.
        file: String,
        /// The line, from 1.
        line: u32,
        /// The column, from 1.
        column: u32,
        /// The thread's block.
        block: [u32; 3],
        /// The thread in its block.
        thread: [u32; 3],
        /// How many later launches panicked as well, before this was asked for.
        further: usize,
    },
}

fn also(further: usize) -> String {
    match further {
        0 => String::new(),
        1 => " (one later launch panicked as well)".into(),
        n => format!(" ({n} later launches panicked as well)"),
    }
}

/// What is wrong with a launch.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LaunchProblem {
    /// No grid was given.
    #[error("how many blocks? Call `.grid(…)` before `.launch(…)`")]
    NoGrid,
    /// No block was given, and the kernel does not fix it.
    #[error(
        "how many threads in a block? Call `.block(…)` before `.launch(…)`, or write `#[kernel(block = …)]`"
    )]
    NoBlock,
    /// A grid was given where the buffers give it.
    #[error(
        "`.grid({given})` is not for this kernel: it works on one element a thread, so its grid comes from the length of its buffers"
    )]
    GridGiven {
        /// The grid.
        given: Dim3,
    },
    /// A block has no threads, or a negative number.
    #[error("a block of {given} threads is none")]
    EmptyBlock {
        /// The block.
        given: Dim3,
    },
    /// The block of an element-wise launch has more than one row.
    #[error(
        "a block of {given} threads, but a kernel that works on one element a thread counts along x alone"
    )]
    FlatBlock {
        /// The block.
        given: Dim3,
    },
    /// The block is not the one that the kernel was written for.
    #[error("a block of {given} threads, but the kernel says `#[kernel(block = {wanted})]`")]
    OtherBlock {
        /// What the launch asks for.
        given: Dim3,
        /// What the kernel says.
        wanted: Dim3,
    },
    /// A number is above the device's limit.
    #[error("{what} is {given}, but {device} allows at most {limit}")]
    Limit {
        /// What is limited.
        what: &'static str,
        /// What the launch asks for.
        given: String,
        /// What the device allows.
        limit: String,
        /// The device's name.
        device: String,
    },
    /// The buffers of an element-wise launch differ in length.
    #[error(
        "argument {argument} has {length} elements, but those before it have {expected}; a kernel that works on one element a thread needs them equal"
    )]
    Lengths {
        /// The argument's number, from 1.
        argument: usize,
        /// Its length.
        length: usize,
        /// The length of the first.
        expected: usize,
    },
    /// What the macro handed over is not what the kernel takes.
    #[error(
        "its arguments take {given} bytes, but the kernel expects {expected}: `wavewright` and its macros are of different versions"
    )]
    Arguments {
        /// The bytes handed over.
        given: u64,
        /// The bytes that the kernel takes.
        expected: u64,
    },
    /// A parameter's type can't be handed to a device.
    #[error("parameter {parameter}: {reason}")]
    Parameter {
        /// The parameter's number, from 1.
        parameter: usize,
        /// Why.
        reason: String,
    },
    /// The crate was built without the compiler.
    #[error("no code for {target} is at hand, and the feature `jit`, which compiles at run time, is off")]
    NoCompiler {
        /// The device's target.
        target: String,
    },
}
