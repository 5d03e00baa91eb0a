//! What a kernel is compiled for.
//!
//! A [`Target`] is an architecture and what may be chosen of it. As text:
//!
//! | text | meaning |
//! |---|---|
//! | `gfx942` | an AMD architecture; runs whatever the device's xnack and sramecc settings are |
//! | `gfx90a:sramecc+:xnack-` | only for devices with these settings |
//! | `gfx11-generic` | any of a family's architectures |
//! | `gfx1100:wave64` | waves of 64 threads instead of 32 |
//! | `sm_90` | an NVIDIA compute capability and those after it |
//! | `sm_100f`, `sm_90a` | a family of capabilities; exactly one |
//! | `sm_90:ptx83` | with a newer PTX version than the architecture's oldest |
//! | `host` | the CPU that the program runs on |
//!
//! What is known of an architecture is one row of a table: [`AmdArch::ALL`], [`NvidiaArch::ALL`].

mod amd;
mod compatibility;
mod nearest;
mod nvidia;
mod parse;

pub use amd::{Accumulators, AmdArch, AmdFamily, AmdTarget, MatrixUnits, RegisterFile, Setting, Support};
pub use compatibility::Mismatch;
pub use nvidia::{NvidiaArch, NvidiaTarget, Portability, PtxVersion, TensorCores};
pub use parse::ParseTargetError;

use crate::code_object::Format;

/// What a kernel is compiled for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Target {
    /// An AMD GPU.
    Amd(AmdTarget),
    /// An NVIDIA GPU.
    Nvidia(NvidiaTarget),
    /// The CPU that the program runs on; its name and features are asked when code is generated.
    Host,
}

impl Target {
    /// Every architecture, each with its default choices: AMD, then NVIDIA, then the host.
    pub fn all() -> impl Iterator<Item = Target> {
        let amd = AmdArch::ALL.iter().map(|arch| Target::Amd(AmdTarget::new(arch)));
        let nvidia = NvidiaArch::ALL.iter().map(|arch| Target::Nvidia(NvidiaTarget::new(arch)));
        amd.chain(nvidia).chain([Target::Host])
    }

    /// The number of threads that run in step; none on the CPU, where that is the compiler's choice.
    pub fn wave_size(&self) -> Option<u32> {
        match self {
            Target::Amd(target) => Some(target.wave_size),
            Target::Nvidia(_) => Some(NvidiaArch::WAVE_SIZE),
            Target::Host => None,
        }
    }

    /// The most shared memory that a block may declare, in bytes. On NVIDIA it is that of statically declared memory,
    /// [`NvidiaArch::shared_bytes_opt_in`] being the limit of what a launch may ask for beside it.
    pub fn shared_bytes(&self) -> u64 {
        match self {
            Target::Amd(target) => target.arch.lds_bytes,
            Target::Nvidia(_) => NvidiaArch::SHARED_BYTES_STATIC,
            Target::Host => HOST_SHARED_BYTES,
        }
    }

    /// The most threads that a block may have.
    pub fn block_threads(&self) -> u32 {
        match self {
            Target::Amd(_) => AmdArch::BLOCK_THREADS,
            Target::Nvidia(_) => NvidiaArch::BLOCK_THREADS,
            Target::Host => HOST_BLOCK_THREADS,
        }
    }

    /// What the target's code objects are.
    pub fn format(&self) -> Format {
        match self {
            Target::Amd(_) => Format::Hsaco,
            Target::Nvidia(_) => Format::Ptx,
            Target::Host => Format::HostObject,
        }
    }
}

/// A CPU has no limit of its own on shared memory; this one lets what fits the largest GPU run.
const HOST_SHARED_BYTES: u64 = 320 << 10;

/// Nor on the threads of a block; GPUs agree on this one.
const HOST_BLOCK_THREADS: u32 = 1024;
