//! What stops a kernel.

use crate::memory::MemoryError;

/// Why a kernel was stopped.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Cause {
    /// An instruction that the simulator does not implement.
    #[error("{0}")]
    NotImplemented(String),
    /// A bad access to global memory.
    #[error("global memory: {0}")]
    Global(#[from] MemoryError),
    /// An access past the memory of the work-group.
    #[error("memory of the work-group: {bytes} bytes at {address} are past the {size} that it has")]
    Shared {
        /// The address.
        address: u64,
        /// How many bytes were accessed.
        bytes: u64,
        /// How many there are.
        size: u64,
    },
    /// An access past a lane's own memory.
    #[error("private memory: {bytes} bytes at {address} are past the {size} that a thread has")]
    Private {
        /// The address.
        address: u64,
        /// How many bytes were accessed.
        bytes: u64,
        /// How many there are.
        size: u64,
    },
    /// The kernel gave up.
    #[error("the kernel trapped (`s_trap {0}`)")]
    Trap(u16),
    /// A jump to where there is no instruction.
    #[error("there is no instruction at {0:#x}")]
    NoInstruction(u64),
    /// The kernel ran for longer than it may.
    #[error(
        "it ran for {0} instructions without an end; WAVEWRIGHT_SIMULATOR_STEPS sets how many a wave may take"
    )]
    TooLong(u64),
}

/// Where and why a kernel was stopped.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("kernel `{kernel}`{}: {cause}\n  at {offset:#x}: {instruction}\n  work-group ({}, {}, {}), wave {wave}{}",
    .source_line.as_ref().map(|line| format!(" at {line}")).unwrap_or_default(),
    .group[0], .group[1], .group[2],
    .lane.map(|lane| format!(", lane {lane}")).unwrap_or_default())]
pub struct Fault {
    /// The kernel's symbol.
    pub kernel: String,
    /// Why.
    pub cause: Cause,
    /// The instruction's place in the code object.
    pub offset: u64,
    /// Its text.
    pub instruction: String,
    /// The source line that it comes from, if the code object says so.
    pub source_line: Option<String>,
    /// The work-group.
    pub group: [u32; 3],
    /// The wave in it.
    pub wave: usize,
    /// The lane, where it was one.
    pub lane: Option<usize>,
}

/// A cause, and the lane where it was one.
pub(crate) type Stop = (Cause, Option<usize>);
