//! How a launch hands its arguments to a kernel, the same on every device.
//!
//! The arguments stand one after another, each at the next offset that its alignment allows, as AMD's kernarg segment
//! and a C struct have it:
//!
//! | parameter | arguments |
//! |---|---|
//! | a value | its bytes |
//! | `&[T]`, `&mut [T]` | address, then number of elements (`u64`) |
//! | `&T`, `&mut T` (one element a thread) | address |
//! | an element-wise kernel, after the parameters | number of elements (`u64`) |
//! | every kernel, last | address of the [`FaultRecord`] |
//!
//! A value of size zero has no bytes and no argument.

use crate::typed::{Kernel, KernelParam};
use crate::types::{TypeId, TypeTable};

/// What an argument is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArgumentKind {
    /// The value of parameter `param`.
    Value {
        /// The parameter's number.
        param: u32,
        /// Its type.
        ty: TypeId,
    },
    /// The buffer of parameter `param`.
    Address {
        /// The parameter's number.
        param: u32,
        /// Whether the kernel may write there.
        mutable: bool,
    },
    /// The number of elements of the buffer of parameter `param`.
    Length {
        /// The parameter's number.
        param: u32,
    },
    /// The number of elements of an element-wise launch.
    Count,
    /// The [`FaultRecord`].
    Fault,
}

/// An argument and its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Argument {
    /// What it is.
    pub kind: ArgumentKind,
    /// Where it starts, in bytes.
    pub offset: u64,
    /// Its size in bytes.
    pub size: u64,
    /// Its alignment in bytes.
    pub align: u64,
}

/// The arguments of a kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Abi {
    /// The arguments in order.
    pub arguments: Vec<Argument>,
    /// The size of all of them, in bytes.
    pub size: u64,
}

impl Abi {
    /// The arguments of `kernel`.
    pub fn of(kernel: &Kernel, types: &TypeTable) -> Self {
        let mut abi = Abi { arguments: Vec::new(), size: 0 };
        for (number, param) in kernel.params.iter().enumerate() {
            let param_number = number as u32;
            match *param {
                KernelParam::Value(ty) if types.size(ty) == 0 => {}
                KernelParam::Value(ty) => {
                    let kind = ArgumentKind::Value { param: param_number, ty };
                    abi.push(kind, types.size(ty), types.align(ty));
                }
                KernelParam::Slice { mutable, .. } => {
                    abi.push(ArgumentKind::Address { param: param_number, mutable }, 8, 8);
                    abi.push(ArgumentKind::Length { param: param_number }, 8, 8);
                }
                KernelParam::Element { mutable, .. } => {
                    abi.push(ArgumentKind::Address { param: param_number, mutable }, 8, 8);
                }
            }
        }
        if kernel.is_elementwise() {
            abi.push(ArgumentKind::Count, 8, 8);
        }
        abi.push(ArgumentKind::Fault, 8, 8);
        abi
    }

    fn push(&mut self, kind: ArgumentKind, size: u64, align: u64) {
        let offset = self.size.next_multiple_of(align);
        self.arguments.push(Argument { kind, offset, size, align });
        self.size = offset + size;
    }
}

/// What a thread that panics leaves for the host. Shared by every thread of a launch; the first to panic fills it.
///
/// A thread claims the record by exchanging `state` from [`FaultRecord::EMPTY`] to [`FaultRecord::CLAIMED`], writes the
/// rest, and ends. The host reads it once the launch is over, so no order between the writes is needed.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FaultRecord {
    /// [`FaultRecord::EMPTY`] or [`FaultRecord::CLAIMED`].
    pub state: u32,
    /// Which panic: an index into [`CodeObject::panics`](crate::code_object::CodeObject::panics).
    pub site: u32,
    /// The block.
    pub block: [u32; 3],
    /// The thread in its block.
    pub thread: [u32; 3],
    /// The values that the panic's message shows, as [`PanicKind`](crate::typed::PanicKind) says.
    pub values: [u64; 2],
}

impl FaultRecord {
    /// No thread has panicked.
    pub const EMPTY: u32 = 0;
    /// A thread has.
    pub const CLAIMED: u32 = 1;
}

const _: () = assert!(size_of::<FaultRecord>() == 48);

/// What the CPU device passes to a kernel's function beside its arguments: which blocks to run, and the shape of the
/// launch. The function is `extern "C" fn(arguments: *const u8, work: *const CpuWork)`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CpuWork {
    /// The number of blocks in the grid.
    pub grid: [u32; 3],
    /// The number of threads in a block.
    pub block: [u32; 3],
    /// The first block to run; x counts fastest.
    pub first: u64,
    /// Past the last block to run.
    pub end: u64,
    /// The shared memory of the block that runs, [`CodeObject::shared_bytes`](crate::code_object::CodeObject) long and
    /// aligned to 64 bytes; the calls that run at the same time each have their own.
    pub shared: *mut u8,
    /// Scratch space for the variables that outlive a barrier,
    /// [`CodeObject::scratch_bytes`](crate::code_object::CodeObject) long and aligned to 64 bytes, likewise.
    pub scratch: *mut u8,
}
