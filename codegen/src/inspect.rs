//! Looking into finished code: its instructions, and what it needs of the hardware.
//!
//! Everything is read from the code itself (the instructions, AMD's metadata note, the PTX), so it is what will run and
//! not what the compiler meant.

mod disassembly;
mod elf;
mod metadata;
mod ptx;

pub use disassembly::{Disassembler, Disassembly, Instruction};
pub use metadata::AmdResources;
pub use ptx::PtxResources;

use wavewright_kernel_ir::code_object::{CodeObject, Format};
use wavewright_kernel_ir::target::{ParseTargetError, Target};

/// Why code could not be looked into.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InspectError {
    /// The code object's target is not one.
    #[error("kernel `{kernel}`: {error}")]
    Target {
        /// The kernel.
        kernel: String,
        /// What is wrong with it.
        error: ParseTargetError,
    },
    /// The code is not what it is said to be.
    #[error("the code of kernel `{kernel}` can't be read: {message}")]
    Malformed {
        /// The kernel.
        kernel: String,
        /// What is wrong with it.
        message: String,
    },
    /// There is nothing to disassemble: PTX is text, which NVIDIA's driver turns into instructions.
    #[error(
        "the code of kernel `{kernel}` is PTX, which is text; NVIDIA's driver turns it into instructions"
    )]
    NoInstructions {
        /// The kernel.
        kernel: String,
    },
    /// The LLVM that is loaded can't do it.
    #[error(transparent)]
    Llvm(#[from] crate::Error),
}

/// What a kernel needs of the hardware.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Resources {
    /// On an AMD GPU, from the metadata of the code object.
    Amd(AmdResources),
    /// On an NVIDIA GPU, as far as PTX says it.
    Ptx(PtxResources),
    /// On the CPU.
    Host {
        /// Size of the kernel's instructions, in bytes.
        code_bytes: u64,
    },
}

/// What the kernel of `code` needs of the hardware.
pub fn resources(code: &CodeObject) -> Result<Resources, InspectError> {
    let malformed = |message| InspectError::Malformed { kernel: code.name.clone(), message };
    match code.format {
        Format::Hsaco => metadata::resources(&code.bytes, &code.symbol).map(Resources::Amd),
        Format::Ptx => ptx::resources(&code.bytes, &code.symbol).map(Resources::Ptx),
        Format::HostObject => elf::function(&code.bytes, &code.symbol)
            .map(|function| Resources::Host { code_bytes: function.code.len() as u64 }),
    }
    .map_err(malformed)
}

/// The instructions of the kernel of `code`.
pub fn disassemble(code: &CodeObject) -> Result<Disassembly, InspectError> {
    if code.format == Format::Ptx {
        return Err(InspectError::NoInstructions { kernel: code.name.clone() });
    }
    let malformed = |message| InspectError::Malformed { kernel: code.name.clone(), message };
    let target: Target =
        code.target.parse().map_err(|error| InspectError::Target { kernel: code.name.clone(), error })?;
    let function = elf::function(&code.bytes, &code.symbol).map_err(malformed)?;
    Ok(Disassembly::of(&function, &target)?)
}

#[cfg(test)]
mod tests;
