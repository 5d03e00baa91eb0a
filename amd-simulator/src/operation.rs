//! Instructions as they are executed: decoded once, with registers as indices and constants as bits.

use crate::salu::Salu;
use crate::valu::{Compare, Valu};

/// Scalar registers by number: the general ones, then those with a name.
pub mod scalar {
    /// How many a wave has.
    pub const COUNT: usize = 136;
    /// `vcc_lo`; `vcc_hi` follows.
    pub const VCC: u16 = 106;
    /// `ttmp0`; 15 follow.
    pub const TTMP: u16 = 108;
    /// `m0`.
    pub const M0: u16 = 124;
    /// Reads as zero.
    pub const NULL: u16 = 128;
    /// `exec_lo`; `exec_hi` follows.
    pub const EXEC: u16 = 126;
    /// `flat_scratch_lo`; `flat_scratch_hi` follows.
    pub const FLAT_SCRATCH: u16 = 130;
    /// `xnack_mask_lo`; `xnack_mask_hi` follows.
    pub const XNACK_MASK: u16 = 132;
}

/// From this number on, a vector register is an accumulator.
pub const ACCUMULATORS: u16 = 256;

/// Where a value comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// A vector register, and the next for 64 bits.
    Vector(u16),
    /// A scalar register, and the next for 64 bits.
    Scalar(u16),
    /// Itself.
    Constant(u64),
    /// The flag `scc`.
    Scc,
    /// Whether `vcc` is zero.
    VccZero,
    /// Whether `exec` is zero.
    ExecZero,
}

/// A part of a register.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Part {
    /// All of it.
    #[default]
    Whole,
    /// A byte, counted from below.
    Byte(u8),
    /// A half, counted from below.
    Half(u8),
}

/// An operand of a vector instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Operand {
    /// Where it comes from.
    pub value: Value,
    /// Which part of a register.
    pub part: Part,
    /// Whether the part is extended by its sign.
    pub extend: bool,
    /// Whether its absolute value counts.
    pub abs: bool,
    /// Whether its negation counts; of a packed operand, that of the lower value.
    pub neg: bool,
    /// Of a packed operand: whether the negation of the upper value counts.
    pub neg_hi: bool,
    /// Of a packed operand: whether the lower value comes from the upper part.
    pub lo_from_hi: bool,
    /// Of a packed operand: whether the upper value comes from the upper part.
    pub hi_from_hi: bool,
}

impl Operand {
    /// The value as it is.
    pub const fn plain(value: Value) -> Self {
        Operand {
            value,
            part: Part::Whole,
            extend: false,
            abs: false,
            neg: false,
            neg_hi: false,
            lo_from_hi: false,
            hi_from_hi: true,
        }
    }

    /// Whether nothing has to be done to it.
    pub fn is_plain(&self) -> bool {
        *self == Self::plain(self.value)
    }
}

/// Which bits of the destination register are written: `value << shift` where `mask` has ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Destination {
    /// The register.
    pub register: u16,
    /// How far the value goes up.
    pub shift: u8,
    /// The bits that are written.
    pub mask: u32,
    /// The bits of the value that count, 0 if all do. The rest is its sign, or zeros with [`Destination::ZERO_EXTEND`].
    pub extend: u8,
}

impl Destination {
    /// Beside a number of bits: the rest is zeros.
    pub const ZERO_EXTEND: u8 = 0x80;

    /// All of a register.
    pub const fn whole(register: u16) -> Self {
        Destination { register, shift: 0, mask: u32::MAX, extend: 0 }
    }
}

/// Where lanes take an operand from instead of from themselves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shuffle {
    /// Within groups of four.
    Quad([u8; 4]),
    /// Up by so many within a row of 16.
    RowShl(u8),
    /// Down within a row.
    RowShr(u8),
    /// Around within a row.
    RowRor(u8),
    /// A row the other way round.
    RowMirror,
    /// A half of a row the other way round.
    RowHalfMirror,
    /// The lane of this number of a row.
    RowShare(u8),
    /// The lane whose number in the row differs in these bits.
    RowXmask(u8),
    /// By one within the wave, up.
    WaveShl,
    /// By one around the wave, up.
    WaveRol,
    /// By one within the wave, down.
    WaveShr,
    /// By one around the wave, down.
    WaveRor,
    /// A row's last lane for the next row.
    RowBcast15,
    /// Lane 31 for the upper half.
    RowBcast31,
    /// Within groups of eight.
    Eight([u8; 8]),
}

/// Data-parallel primitives: the first operand comes from other lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dpp {
    /// From which.
    pub shuffle: Shuffle,
    /// Which rows are written.
    pub row_mask: u8,
    /// Which banks of four within a row are written.
    pub bank_mask: u8,
    /// Whether a lane that does not exist gives zero; otherwise nothing is written.
    pub bound_zero: bool,
    /// Whether lanes that are switched off give their values.
    pub fetch_inactive: bool,
}

/// What a vector instruction computes.
#[derive(Clone, Copy)]
pub enum Compute {
    /// Each lane from the same lane.
    Lanes(Valu),
    /// The second operand where the mask has a one, the first elsewhere; of half registers if `half`.
    Select {
        /// Where the mask is.
        mask: Value,
        /// Whether of 16 bits.
        half: bool,
    },
    /// Ones of the first operand below each lane, plus the second; of the upper half of the lanes if `high`.
    CountBelow {
        /// Whether of lanes 32 and up.
        high: bool,
    },
    /// `v_div_fmas`: of 64 bits if `double`.
    DivFmas {
        /// Whether of 64 bits.
        double: bool,
    },
    /// `v_fma_mix`: each operand a float of 32 bits, or a half.
    Mix {
        /// Which operands are halves.
        halves: u8,
        /// Which of those come from the upper half.
        upper: u8,
        /// The result: the whole register, its lower or its upper half.
        result: Part,
    },
}

/// How a float result is scaled before it is clamped.
pub type OutputScale = i8;

/// A vector instruction with a vector result.
#[derive(Clone, Copy)]
pub struct Vector {
    /// What it computes.
    pub compute: Compute,
    /// Where the result goes.
    pub dst: Destination,
    /// The operands.
    pub src: [Operand; 3],
    /// Whether a float result is clamped to 0..=1.
    pub clamp: bool,
    /// By which power of two a float result is scaled.
    pub output_scale: OutputScale,
    /// Where the first operand comes from.
    pub dpp: Option<Dpp>,
}

/// An instruction with a carry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Carry {
    /// `a + b`
    Add,
    /// `a - b`
    Sub,
    /// `b - a`
    SubRev,
}

/// What a branch depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// Nothing.
    Always,
    /// The flag is this.
    Scc(bool),
    /// `vcc` is zero: this.
    VccZero(bool),
    /// `exec` is zero: this.
    ExecZero(bool),
}

/// How much one lane reads or writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// So many registers.
    Words(u8),
    /// Less than a register.
    Small {
        /// In bytes: 1 or 2.
        bytes: u8,
        /// Whether a load extends it by its sign.
        signed: bool,
        /// Into, or from, which half; all of the register if none.
        half: Option<u8>,
    },
}

impl Shape {
    /// In bytes.
    pub const fn bytes(self) -> u64 {
        match self {
            Shape::Words(words) => 4 * words as u64,
            Shape::Small { bytes, .. } => bytes as u64,
        }
    }
}

/// What an atomic operation makes of a value in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum AtomicOp {
    Swap,
    /// The data register is followed by what is compared.
    CompareSwap,
    Add,
    Sub,
    ReverseSub,
    Inc,
    Dec,
    MinI,
    MaxI,
    MinU,
    MaxU,
    And,
    Or,
    Xor,
    AddF,
    MinF,
    MaxF,
    PackedAddF16,
    PackedAddBf16,
}

/// An atomic operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Atomic {
    /// What it does.
    pub op: AtomicOp,
    /// Whether on 64 bits.
    pub wide: bool,
    /// Whether it gives back what was there.
    pub returns: bool,
}

/// What is done to memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Read.
    Load(Shape),
    /// Written.
    Store(Shape),
    /// Both.
    Atomic(Atomic),
}

/// Which memory a vector instruction accesses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Space {
    /// Buffers.
    Global,
    /// Whatever the address says.
    Flat,
    /// A lane's own.
    Scratch,
    /// Described by four scalar registers.
    Buffer {
        /// The first of them.
        resource: u16,
        /// Whether the address register counts as offset.
        offset_enable: bool,
        /// Whether the (first) address register is an index.
        index_enable: bool,
    },
}

/// A vector access to memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Memory {
    /// Which memory.
    pub space: Space,
    /// What is done.
    pub action: Action,
    /// The address, or an offset to `base`.
    pub address: Option<u16>,
    /// A scalar address or offset.
    pub base: Option<Value>,
    /// Added to the address.
    pub offset: i64,
    /// The destination of a load or of what an atomic operation returns.
    pub dst: u16,
    /// What is written.
    pub data: u16,
}

/// An access to memory of the work-group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shared {
    /// The address, in bytes.
    pub address: u16,
    /// What is done.
    pub action: Action,
    /// Of one access, or of two to different addresses.
    pub offsets: [Option<u32>; 2],
    /// The destination.
    pub dst: u16,
    /// What is written by each.
    pub data: [u16; 2],
}

/// An exchange of values between lanes through the hardware of the work-group's memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exchange {
    /// Each lane sends to a lane.
    Permute,
    /// Each lane takes from a lane.
    BackwardPermute,
    /// As the number says.
    Swizzle(u16),
}

/// A hardware register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HardwareRegister {
    /// Rounding, denormals, exceptions.
    Mode,
    /// The shader's scratch base.
    FlatScratch(u8),
    /// Reads as zero.
    Zero,
}

/// An instruction's operation.
#[allow(missing_docs)]
#[derive(Clone)]
pub enum Op {
    Nop,
    End,
    Barrier,
    BarrierSignal,
    BarrierWait,
    Trap(u16),
    Vector(Box<Vector>),
    Dual(Box<[Vector; 2]>),
    Compare {
        run: Compare,
        src: [Operand; 2],
        dst: Option<u16>,
        exec: bool,
        dpp: Option<Dpp>,
    },
    Carry {
        op: Carry,
        dst: Destination,
        out: Option<u16>,
        src: [Operand; 2],
        carry: Option<Value>,
        clamp: bool,
    },
    DivScale {
        double: bool,
        dst: u16,
        out: Option<u16>,
        src: [Operand; 3],
    },
    MadWide {
        signed: bool,
        dst: u16,
        out: Option<u16>,
        src: [Operand; 3],
    },
    ReadLane {
        dst: u16,
        src: u16,
        lane: Option<Value>,
    },
    WriteLane {
        dst: u16,
        src: Value,
        lane: Value,
    },
    PermLane {
        across: bool,
        dst: u16,
        src: u16,
        selectors: [Value; 2],
        fetch_inactive: bool,
        bound_zero: bool,
    },
    PermLaneSwap {
        rows: u8,
        registers: [u16; 2],
    },
    PermLane64 {
        dst: u16,
        src: u16,
    },
    Swap([u16; 2]),
    Scalar {
        run: Salu,
        dst: Option<u16>,
        src: [Value; 3],
    },
    SaveExec {
        op: Salu,
        dst: Option<u16>,
        src: Value,
        reversed: bool,
        write_result: bool,
    },
    Branch {
        condition: Condition,
        target: u64,
    },
    GetPc {
        dst: u16,
    },
    SetPc {
        src: u16,
    },
    SwapPc {
        dst: u16,
        src: u16,
    },
    Call {
        dst: u16,
        target: u64,
    },
    GetRegister {
        dst: u16,
        register: HardwareRegister,
        offset: u8,
        size: u8,
    },
    SetRegister {
        src: Value,
        register: HardwareRegister,
        offset: u8,
        size: u8,
    },
    Time {
        dst: u16,
    },
    ScalarLoad {
        dst: u16,
        words: u8,
        small: Option<(u8, bool)>,
        base: u16,
        buffer: bool,
        offset: i64,
        register: Option<Value>,
    },
    Memory(Box<Memory>),
    Shared(Box<Shared>),
    Exchange {
        exchange: Exchange,
        dst: u16,
        address: u16,
        data: u16,
        offset: u32,
    },
    /// What can't be executed, and why.
    Stop(Box<str>),
}

/// An instruction.
#[derive(Clone)]
pub struct Instruction {
    /// Where it stands, in the code object's own counting.
    pub address: u64,
    /// Its length in bytes.
    pub size: u8,
    /// What it does.
    pub op: Op,
    /// Its text.
    pub text: Box<str>,
}
