//! Kernels for AMD GPUs.
//!
//! Arguments stand in the kernarg segment; what the launch adds behind them (code object version 5) holds the sizes
//! of grid and blocks.

use super::emit::{Emitter, Flow};
use super::kernel::{self, Convention, Shell};
use super::machine::{Dimension, Index, Machine, Spaces};
use super::{Lowered, Lowering};
use crate::Options;
use inkwell::attributes::AttributeLoc;
use inkwell::basic_block::BasicBlock;
use inkwell::context::Context;
use inkwell::module::FlagBehavior;
use inkwell::targets::TargetMachine;
use inkwell::types::IntType;
use inkwell::values::{IntValue, PointerValue};
use inkwell::{AddressSpace, AtomicOrdering};
use wavewright_kernel_ir::target::{AmdArch, AmdTarget};
use wavewright_kernel_ir::typed::{Program, SharedId};

/// Where what the launch adds to the arguments has the numbers of blocks (`u32` each).
const HIDDEN_BLOCK_COUNT: u64 = 0;
/// Where it has the sizes of a block (`u16` each).
const HIDDEN_GROUP_SIZE: u64 = 12;

/// Lowers a kernel for an AMD GPU.
pub(super) fn lower<'c>(
    context: &'c Context,
    machine: &TargetMachine,
    program: &Program,
    target: &AmdTarget,
    options: &Options,
) -> Flow<Lowered<'c>> {
    let convention = Convention {
        // AMDGPU_KERNEL
        call: 91,
        spaces: Spaces {
            private: AddressSpace::from(5),
            shared: AddressSpace::from(3),
            global: AddressSpace::from(1),
            constant: AddressSpace::from(4),
        },
        by_address: "byref",
        barriers_fence: true,
        arguments: AddressSpace::from(4),
    };
    let Shell { emitter, end, fault_record, shared, shared_bytes } =
        convention.shell(context, machine, program)?;
    let block = kernel::block_size(program, options);
    annotate(&emitter, target, block);
    let amd = Amd { spaces: convention.spaces, end, fault_record, shared, block };
    let lowering = Lowering::new(emitter, amd, program, options.debug_info)?;
    kernel::lower(lowering, &convention, shared_bytes)
}

/// What LLVM must know of the kernel beside its code.
fn annotate(emitter: &Emitter<'_>, target: &AmdTarget, block: Option<[u32; 3]>) {
    let (context, function) = (emitter.context, emitter.function);
    let version = emitter.i32().const_int(u64::from(target.arch.code_object_version()) * 100, false);
    emitter.module.add_basic_value_flag("amdhsa_code_object_version", FlagBehavior::Error, version);
    // Without it the register allocator reckons with blocks of 1024 threads, and spills.
    let (least, most) = match block {
        Some(size) => (threads(size), threads(size)),
        None => (1, u64::from(AmdArch::BLOCK_THREADS)),
    };
    let sizes = format!("{least},{most}");
    for (key, value) in [("amdgpu-flat-work-group-size", sizes.as_str()), ("uniform-work-group-size", "true")]
    {
        function.add_attribute(AttributeLoc::Function, context.create_string_attribute(key, value));
    }
    if let Some(size) = block {
        let size = size.map(|n| emitter.i32().const_int(n.into(), false).into());
        let kind = context.get_kind_id("reqd_work_group_size");
        function.as_global_value().set_metadata(context.metadata_node(&size), kind);
    }
    kernel::protect(function);
}

fn threads(block: [u32; 3]) -> u64 {
    block.iter().map(|n| u64::from(*n)).product()
}

struct Amd<'c> {
    spaces: Spaces,
    end: BasicBlock<'c>,
    fault_record: PointerValue<'c>,
    shared: Vec<PointerValue<'c>>,
    block: Option<[u32; 3]>,
}

impl<'c> Machine<'c> for Amd<'c> {
    fn spaces(&self) -> Spaces {
        self.spaces
    }

    fn index(&mut self, emitter: &Emitter<'c>, index: Index) -> Flow<IntValue<'c>> {
        match (index, self.block) {
            (Index::Thread(dimension), Some(size)) if size[dimension.number()] == 1 => {
                Ok(emitter.i32().const_zero())
            }
            (Index::Thread(dimension), size) => {
                let name = format!("llvm.amdgcn.workitem.id.{}", dimension.letter());
                let id = emitter.intrinsic(&name, &[], &[])?.into_int_value();
                let size = size.map_or(AmdArch::BLOCK_THREADS, |size| size[dimension.number()]);
                emitter.set_range(id, 0, size.into())?;
                Ok(id)
            }
            (Index::Block(dimension), _) => {
                let name = format!("llvm.amdgcn.workgroup.id.{}", dimension.letter());
                Ok(emitter.intrinsic(&name, &[], &[])?.into_int_value())
            }
            (Index::BlockSize(dimension), Some(size)) => {
                Ok(emitter.i32().const_int(size[dimension.number()].into(), false))
            }
            (Index::BlockSize(dimension), None) => {
                let offset = HIDDEN_GROUP_SIZE + 2 * dimension.number() as u64;
                let size = hidden(emitter, offset, emitter.context.i16_type())?;
                emitter.set_range(size, 1, u64::from(AmdArch::BLOCK_THREADS) + 1)?;
                Ok(emitter.builder.build_int_z_extend(size, emitter.i32(), "")?)
            }
            (Index::GridSize(dimension), _) => {
                hidden(emitter, HIDDEN_BLOCK_COUNT + 4 * dimension.number() as u64, emitter.i32())
            }
        }
    }

    /// In 32 bits: a dispatch packet holds the number of threads along each dimension as a `u32`.
    fn global_index(&mut self, emitter: &Emitter<'c>, dimension: Dimension) -> Flow<IntValue<'c>> {
        let block = self.index(emitter, Index::Block(dimension))?;
        let size = self.index(emitter, Index::BlockSize(dimension))?;
        let thread = self.index(emitter, Index::Thread(dimension))?;
        let first = emitter.builder.build_int_nuw_mul(block, size, "")?;
        let index = emitter.builder.build_int_nuw_add(first, thread, "")?;
        Ok(emitter.builder.build_int_z_extend(index, emitter.i64(), "")?)
    }

    fn barrier(&mut self, emitter: &Emitter<'c>) -> Flow<()> {
        emitter.fence(AtomicOrdering::Release, "workgroup")?;
        emitter.intrinsic_call("llvm.amdgcn.s.barrier", &[], &[])?;
        emitter.fence(AtomicOrdering::Acquire, "workgroup")
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

/// A number among what the launch adds to the arguments.
fn hidden<'c>(emitter: &Emitter<'c>, offset: u64, ty: IntType<'c>) -> Flow<IntValue<'c>> {
    let base = emitter.intrinsic("llvm.amdgcn.implicitarg.ptr", &[], &[])?.into_pointer_value();
    let offset = [emitter.i64().const_int(offset, false)];
    // SAFETY: the offset is that of a number among the implicit arguments, which the pointer is to.
    let address = unsafe { emitter.builder.build_in_bounds_gep(emitter.i8(), base, &offset, "")? };
    let value = emitter.builder.build_load(ty, address, "")?.into_int_value();
    emitter.set_invariant(value)?;
    Ok(value)
}
