//! What AMD's metadata note says of a kernel: MessagePack, laid out as "Code Object V5 Metadata" in LLVM's "User Guide
//! for AMDGPU Backend" has it.

mod message_pack;

use super::elf;
use message_pack::Value;

/// The owner and number of the note.
const NOTE: (&str, u32) = ("AMDGPU", 32);

/// What a kernel needs on an AMD GPU.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AmdResources {
    /// Vector registers of a wave, accumulators included where they share the file (CDNA 2 and later).
    pub vgprs: u32,
    /// Scalar registers of a wave, those that hardware and calls need included.
    pub sgprs: u32,
    /// Accumulator registers of a wave.
    pub agprs: u32,
    /// Vector registers that did not fit and went to memory.
    pub vgpr_spills: u32,
    /// Scalar registers that did not fit.
    pub sgpr_spills: u32,
    /// Private memory of a thread, in bytes.
    pub scratch_bytes: u32,
    /// Shared memory of a block, in bytes.
    pub lds_bytes: u32,
    /// The arguments, in bytes, those that the runtime adds included.
    pub argument_bytes: u32,
    /// Threads in a wave.
    pub wave_size: u32,
    /// The most threads that a block may have.
    pub block_threads: u32,
    /// Whether the compiler could not tell how much private memory is enough.
    pub dynamic_stack: bool,
}

/// What the kernel whose function has this symbol needs.
pub(super) fn resources(file: &[u8], symbol: &str) -> Result<AmdResources, String> {
    let note = elf::note(file, NOTE.0, NOTE.1)?;
    let metadata = Value::read(note)?;
    let kernels =
        metadata.get("amdhsa.kernels").and_then(Value::array).ok_or("its metadata lists no kernels")?;
    // The symbol in the metadata is that of the kernel's descriptor.
    let descriptor = format!("{symbol}.kd");
    let kernel = kernels
        .iter()
        .find(|kernel| kernel.get(".symbol").and_then(Value::text) == Some(&descriptor))
        .ok_or_else(|| format!("its metadata has no kernel `{symbol}`"))?;
    let optional = |key: &str| kernel.get(key).and_then(Value::unsigned).unwrap_or(0) as u32;
    let number = |key: &str| {
        let value = kernel.get(key).and_then(Value::unsigned);
        value.map(|value| value as u32).ok_or_else(|| format!("its metadata has no `{key}`"))
    };
    Ok(AmdResources {
        vgprs: number(".vgpr_count")?,
        sgprs: number(".sgpr_count")?,
        agprs: optional(".agpr_count"),
        vgpr_spills: optional(".vgpr_spill_count"),
        sgpr_spills: optional(".sgpr_spill_count"),
        scratch_bytes: number(".private_segment_fixed_size")?,
        lds_bytes: number(".group_segment_fixed_size")?,
        argument_bytes: number(".kernarg_segment_size")?,
        wave_size: number(".wavefront_size")?,
        block_threads: number(".max_flat_workgroup_size")?,
        dynamic_stack: kernel.get(".uses_dynamic_stack").and_then(Value::boolean).unwrap_or(false),
    })
}
