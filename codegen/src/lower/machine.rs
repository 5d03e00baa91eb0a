//! What differs between the machines that kernels run on, as far as the body of a kernel is concerned.

use super::emit::{Emitter, Flow};
use inkwell::AddressSpace;
use inkwell::basic_block::BasicBlock;
use inkwell::values::{IntValue, PointerValue};
use wavewright_kernel_ir::typed::{LocalId, SharedId};

/// A dimension of the index space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dimension {
    X,
    Y,
    Z,
}

impl Dimension {
    /// Every dimension, in order.
    pub(crate) const ALL: [Dimension; 3] = [Dimension::X, Dimension::Y, Dimension::Z];

    /// 0, 1 or 2.
    pub(crate) const fn number(self) -> usize {
        self as usize
    }

    /// The dimension's letter, as intrinsics have it.
    pub(crate) const fn letter(self) -> char {
        match self {
            Dimension::X => 'x',
            Dimension::Y => 'y',
            Dimension::Z => 'z',
        }
    }
}

/// A number of the index space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Index {
    /// The thread's index in its block.
    Thread(Dimension),
    /// The block's index in the grid.
    Block(Dimension),
    /// The number of threads in a block.
    BlockSize(Dimension),
    /// The number of blocks in the grid.
    GridSize(Dimension),
}

/// LLVM's address spaces for what a kernel touches. Space 0 is the generic one everywhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Spaces {
    /// Variables of a thread: where `alloca` puts them.
    pub(crate) private: AddressSpace,
    /// Memory of the block.
    pub(crate) shared: AddressSpace,
    /// Buffers.
    pub(crate) global: AddressSpace,
    /// Tables of constants.
    pub(crate) constant: AddressSpace,
}

/// A machine that a kernel's body is lowered for. The code that a method needs goes to where `emitter` stands.
pub(crate) trait Machine<'c> {
    /// The address spaces.
    fn spaces(&self) -> Spaces;

    /// Where a variable lives, if the machine wants to say. By default one that is written once and never borrowed
    /// is a value, and others are `alloca`s; the CPU keeps those that outlive a barrier in scratch memory.
    fn home(&mut self, emitter: &Emitter<'c>, local: LocalId) -> Flow<Option<PointerValue<'c>>> {
        let _ = (emitter, local);
        Ok(None)
    }

    /// A number of the index space, an `i32`.
    fn index(&mut self, emitter: &Emitter<'c>, index: Index) -> Flow<IntValue<'c>>;

    /// `block * block_size + thread`, an `i64`.
    fn global_index(&mut self, emitter: &Emitter<'c>, dimension: Dimension) -> Flow<IntValue<'c>>;

    /// Waits for the threads of the block, and orders their memory.
    fn barrier(&mut self, emitter: &Emitter<'c>) -> Flow<()>;

    /// The address of a block of shared memory, in [`Spaces::shared`].
    fn shared(&mut self, emitter: &Emitter<'c>, shared: SharedId) -> Flow<PointerValue<'c>>;

    /// The address of the launch's fault record, in [`Spaces::global`].
    fn fault_record(&mut self, emitter: &Emitter<'c>) -> Flow<PointerValue<'c>>;

    /// Whether remainders of floats and casts between floats and 128-bit integers are our own there: LLVM does them
    /// inexactly or not at all.
    fn needs_soft_arithmetic(&self) -> bool {
        false
    }

    /// Whether all panics of the kernel may share the code that fills the fault record. That is less code, but the
    /// index space must mean the same wherever in the kernel control comes from.
    fn shares_panics(&self) -> bool {
        false
    }

    /// Where a thread goes that is done: by `return`, or by a panic once the fault record is written.
    fn thread_end(&self) -> BasicBlock<'c>;
}
