//! The host as a machine that bodies are lowered for: one thread of a block, or the block itself.

use super::Kernel;
use super::frame::Frame;
use crate::lower::emit::{Emitter, Flow, Stop};
use crate::lower::machine::{Dimension, Index, Machine, Spaces};
use inkwell::AddressSpace;
use inkwell::basic_block::BasicBlock;
use inkwell::values::{IntValue, PointerValue};
use wavewright_kernel_ir::typed::{LocalId, SharedId};

/// What a body knows of where it runs.
#[derive(Clone)]
pub(super) struct Host<'c> {
    /// The thread in its block; zero where the block itself runs.
    pub(super) thread: [IntValue<'c>; 3],
    pub(super) block: [IntValue<'c>; 3],
    pub(super) block_size: [IntValue<'c>; 3],
    pub(super) grid: [IntValue<'c>; 3],
    /// The shared memory of the block, and where each variable in it starts.
    pub(super) shared: PointerValue<'c>,
    pub(super) shared_offsets: Vec<u64>,
    pub(super) fault: PointerValue<'c>,
    /// Where variables are that outlive the body, by number.
    pub(super) homes: Vec<Option<PointerValue<'c>>>,
    /// Where the thread, or the whole block, is over.
    pub(super) end: BasicBlock<'c>,
}

impl<'c> Host<'c> {
    /// The machine of a body of `kernel` whose function has this frame.
    pub(super) fn new(
        kernel: &Kernel,
        frame: &Frame<'c>,
        thread: [IntValue<'c>; 3],
        homes: Vec<Option<PointerValue<'c>>>,
        end: BasicBlock<'c>,
    ) -> Flow<Self> {
        Ok(Self {
            thread,
            block: frame.block,
            block_size: frame.block_size,
            grid: frame.grid,
            shared: frame.shared,
            shared_offsets: kernel.shared_offsets.clone(),
            fault: frame.fault()?,
            homes,
            end,
        })
    }
}

impl<'c> Machine<'c> for Host<'c> {
    fn spaces(&self) -> Spaces {
        let only = AddressSpace::default();
        Spaces { private: only, shared: only, global: only, constant: only }
    }

    fn home(&mut self, _: &Emitter<'c>, local: LocalId) -> Flow<Option<PointerValue<'c>>> {
        Ok(self.homes[local.0 as usize])
    }

    fn index(&mut self, _: &Emitter<'c>, index: Index) -> Flow<IntValue<'c>> {
        Ok(match index {
            Index::Thread(dimension) => self.thread[dimension.number()],
            Index::Block(dimension) => self.block[dimension.number()],
            Index::BlockSize(dimension) => self.block_size[dimension.number()],
            Index::GridSize(dimension) => self.grid[dimension.number()],
        })
    }

    fn global_index(&mut self, emitter: &Emitter<'c>, dimension: Dimension) -> Flow<IntValue<'c>> {
        let number = dimension.number();
        let wide = |value| emitter.builder.build_int_z_extend(value, emitter.i64(), "");
        let block = wide(self.block[number])?;
        // Both factors have 32 bits, so neither the product nor the sum can wrap.
        let start = emitter.builder.build_int_nuw_mul(block, wide(self.block_size[number])?, "")?;
        Ok(emitter.builder.build_int_nuw_add(start, wide(self.thread[number])?, "")?)
    }

    fn barrier(&mut self, _: &Emitter<'c>) -> Flow<()> {
        Err(Stop::broken("a barrier inside a region that has been cut at its barriers"))
    }

    fn shared(&mut self, emitter: &Emitter<'c>, shared: SharedId) -> Flow<PointerValue<'c>> {
        let offset = [emitter.i64().const_int(self.shared_offsets[shared.0 as usize], false)];
        // SAFETY: the offset is that of a variable inside the block's shared memory.
        Ok(unsafe { emitter.builder.build_in_bounds_gep(emitter.i8(), self.shared, &offset, "")? })
    }

    fn fault_record(&mut self, _: &Emitter<'c>) -> Flow<PointerValue<'c>> {
        Ok(self.fault)
    }

    fn thread_end(&self) -> BasicBlock<'c> {
        self.end
    }
}
