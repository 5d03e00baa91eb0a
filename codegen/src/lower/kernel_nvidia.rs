//! Kernels for NVIDIA GPUs.

use super::emit::{Emitter, Flow, Stop};
use super::kernel::{self, Convention, Shell};
use super::machine::{Dimension, Index, Machine, Spaces};
use super::{Lowered, Lowering};
use crate::Options;
use inkwell::AddressSpace;
use inkwell::attributes::AttributeLoc;
use inkwell::basic_block::BasicBlock;
use inkwell::context::Context;
use inkwell::memory_buffer::MemoryBuffer;
use inkwell::module::Module;
use inkwell::targets::TargetMachine;
use inkwell::values::{IntValue, PointerValue};
use wavewright_kernel_ir::target::NvidiaArch;
use wavewright_kernel_ir::typed::{Program, SharedId};

/// The most blocks along x; along y and z it is [`MOST_BLOCKS_YZ`].
const MOST_BLOCKS_X: u64 = (1 << 31) - 1;
const MOST_BLOCKS_YZ: u64 = 65535;

/// Lowers a kernel for an NVIDIA GPU.
pub(super) fn lower<'c>(
    context: &'c Context,
    machine: &TargetMachine,
    program: &Program,
    options: &Options,
) -> Flow<Lowered<'c>> {
    let convention = Convention {
        // PTX_KERNEL
        call: 71,
        spaces: Spaces {
            private: AddressSpace::default(),
            shared: AddressSpace::from(3),
            global: AddressSpace::from(1),
            constant: AddressSpace::from(1),
        },
        by_address: "byval",
        barriers_fence: false,
        arguments: AddressSpace::default(),
    };
    let Shell { emitter, end, fault_record, shared, shared_bytes } =
        convention.shell(context, machine, program)?;
    let block = kernel::block_size(program, options);
    if let Some([x, y, z]) = block {
        let size = format!("{x},{y},{z}");
        // Never beside `.maxntid`: ptxas refuses both on one kernel.
        let required = context.create_string_attribute("nvvm.reqntid", &size);
        emitter.function.add_attribute(AttributeLoc::Function, required);
    }
    let nvidia = Nvidia { spaces: convention.spaces, end, fault_record, shared, block };
    let lowering = Lowering::new(emitter, nvidia, program, options.debug_info)?;
    let lowered = kernel::lower(lowering, &convention, shared_bytes)?;
    match options.debug_info {
        true => Ok(Lowered { module: directives_only(context, &lowered.module)?, ..lowered }),
        false => Ok(lowered),
    }
}

/// The module with line numbers as directives in the PTX, and no DWARF: NVIDIA's assembler does not optimise what comes
/// with DWARF. LLVM's C interface has no name for this kind of debug information, its text has.
fn directives_only<'c>(context: &'c Context, module: &Module<'c>) -> Flow<Module<'c>> {
    let text = module.print_to_string().to_string();
    let text = text.replace("emissionKind: LineTablesOnly", "emissionKind: DebugDirectivesOnly");
    let buffer = MemoryBuffer::create_from_memory_range_copy(text.as_bytes(), "module");
    context.create_module_from_ir(buffer).map_err(|message| Stop::broken(message.to_string()))
}

struct Nvidia<'c> {
    spaces: Spaces,
    end: BasicBlock<'c>,
    fault_record: PointerValue<'c>,
    shared: Vec<PointerValue<'c>>,
    block: Option<[u32; 3]>,
}

impl<'c> Machine<'c> for Nvidia<'c> {
    fn spaces(&self) -> Spaces {
        self.spaces
    }

    fn index(&mut self, emitter: &Emitter<'c>, index: Index) -> Flow<IntValue<'c>> {
        let most_threads = |dimension: Dimension| match dimension {
            Dimension::Z => 64,
            _ => u64::from(NvidiaArch::BLOCK_THREADS),
        };
        let most_blocks = |dimension: Dimension| match dimension {
            Dimension::X => MOST_BLOCKS_X,
            _ => MOST_BLOCKS_YZ,
        };
        let (register, dimension, low, high) = match (index, self.block) {
            (Index::Thread(dimension), Some(size)) if size[dimension.number()] == 1 => {
                return Ok(emitter.i32().const_zero());
            }
            (Index::Thread(d), Some(size)) => ("tid", d, 0, size[d.number()].into()),
            (Index::Thread(d), None) => ("tid", d, 0, most_threads(d)),
            (Index::Block(d), _) => ("ctaid", d, 0, most_blocks(d)),
            (Index::BlockSize(dimension), Some(size)) => {
                return Ok(emitter.i32().const_int(size[dimension.number()].into(), false));
            }
            (Index::BlockSize(d), None) => ("ntid", d, 1, most_threads(d) + 1),
            (Index::GridSize(d), _) => ("nctaid", d, 1, most_blocks(d) + 1),
        };
        let name = format!("llvm.nvvm.read.ptx.sreg.{register}.{}", dimension.letter());
        let value = emitter.intrinsic(&name, &[], &[])?.into_int_value();
        emitter.set_range(value, low, high)?;
        Ok(value)
    }

    fn global_index(&mut self, emitter: &Emitter<'c>, dimension: Dimension) -> Flow<IntValue<'c>> {
        let wide = |value| emitter.builder.build_int_z_extend(value, emitter.i64(), "");
        let block = wide(self.index(emitter, Index::Block(dimension))?)?;
        let size = wide(self.index(emitter, Index::BlockSize(dimension))?)?;
        let thread = wide(self.index(emitter, Index::Thread(dimension))?)?;
        let first = emitter.wrapless_mul(block, size)?;
        emitter.wrapless_add(first, thread)
    }

    /// The instruction itself orders the block's memory, and LLVM takes it for a call that may touch everything but
    /// `noalias` parameters; a kernel with barriers has none that is written ([`Convention::barriers_fence`]). A fence
    /// would be an instruction of its own, or none that LLVM can select.
    fn barrier(&mut self, emitter: &Emitter<'c>) -> Flow<()> {
        let number = emitter.i32().const_zero();
        emitter.intrinsic_call("llvm.nvvm.barrier.cta.sync.aligned.all", &[], &[number.into()])?;
        Ok(())
    }

    fn shared(&mut self, _: &Emitter<'c>, shared: SharedId) -> Flow<PointerValue<'c>> {
        Ok(self.shared[shared.0 as usize])
    }

    fn fault_record(&mut self, _: &Emitter<'c>) -> Flow<PointerValue<'c>> {
        Ok(self.fault_record)
    }

    fn needs_soft_arithmetic(&self) -> bool {
        true
    }

    fn shares_panics(&self) -> bool {
        true
    }

    fn thread_end(&self) -> BasicBlock<'c> {
        self.end
    }
}
