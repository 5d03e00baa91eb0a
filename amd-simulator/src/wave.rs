//! The state of a wave.

use crate::lanes::{LANES, Lanes};
use crate::memory::Recent;
use crate::operation::{ACCUMULATORS, Value, scalar};

/// What a wave is up to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    /// It goes on.
    Ready,
    /// It waits for the others.
    AtBarrier,
    /// It is over.
    Done,
}

/// A wave.
pub(crate) struct Wave {
    /// Scalar registers, as [`scalar`] numbers them.
    pub(crate) scalars: [u32; scalar::COUNT],
    /// Vector registers, accumulators behind them.
    pub(crate) vectors: Vec<Lanes>,
    /// Where accumulators begin.
    pub(crate) accumulators: usize,
    pub(crate) scc: bool,
    /// The number of the next instruction.
    pub(crate) next: usize,
    /// 32 or 64.
    pub(crate) size: usize,
    /// The mode register: rounding in bits 3:0, denormals in bits 7:4.
    pub(crate) mode: u32,
    /// The lanes' own memory, one lane's behind the other's.
    pub(crate) private: Vec<u8>,
    /// How much each lane has.
    pub(crate) private_bytes: u64,
    pub(crate) state: State,
    /// Whether it has said that it is at a barrier, without waiting there yet.
    pub(crate) signalled: bool,
    /// The range of memory that it accessed last.
    pub(crate) recent: Recent,
    /// Instructions executed.
    pub(crate) steps: u64,
}

impl Wave {
    pub(crate) fn new() -> Self {
        Wave {
            scalars: [0; scalar::COUNT],
            vectors: Vec::new(),
            accumulators: 0,
            scc: false,
            next: 0,
            size: LANES,
            mode: 0,
            private: Vec::new(),
            private_bytes: 0,
            state: State::Ready,
            signalled: false,
            recent: Recent::default(),
            steps: 0,
        }
    }

    /// The lanes that there are.
    pub(crate) fn all(&self) -> u64 {
        if self.size == LANES { u64::MAX } else { (1 << self.size) - 1 }
    }

    /// The lanes that are on.
    #[inline]
    pub(crate) fn exec(&self) -> u64 {
        self.pair(scalar::EXEC) & self.all()
    }

    /// Two scalar registers as one value.
    #[inline]
    pub(crate) fn pair(&self, register: u16) -> u64 {
        let register = usize::from(register);
        u64::from(self.scalars[register]) | u64::from(self.scalars[register + 1]) << 32
    }

    pub(crate) fn set_pair(&mut self, register: u16, value: u64) {
        let register = usize::from(register);
        self.scalars[register] = value as u32;
        self.scalars[register + 1] = (value >> 32) as u32;
    }

    /// A mask of lanes in scalar registers: one or two, as the wave is wide.
    pub(crate) fn mask(&self, register: u16) -> u64 {
        if self.size == LANES { self.pair(register) } else { self.scalars[usize::from(register)].into() }
    }

    pub(crate) fn set_mask(&mut self, register: u16, mask: u64) {
        if self.size == LANES {
            self.set_pair(register, mask);
        } else {
            self.scalars[usize::from(register)] = mask as u32;
        }
    }

    /// A scalar value of 32 or 64 bits.
    #[inline]
    pub(crate) fn scalar(&self, value: Value, wide: bool) -> u64 {
        match value {
            Value::Constant(bits) => bits,
            Value::Scalar(register) if wide => self.pair(register),
            Value::Scalar(register) => self.scalars[usize::from(register)].into(),
            Value::Scc => self.scc.into(),
            Value::VccZero => u64::from(self.mask(scalar::VCC) == 0),
            Value::ExecZero => u64::from(self.exec() == 0),
            // Decoding puts no vector register where a scalar is read.
            Value::Vector(_) => 0,
        }
    }

    /// A lane mask.
    pub(crate) fn mask_of(&self, value: Value) -> u64 {
        match value {
            Value::Scalar(register) => self.mask(register),
            other => self.scalar(other, true),
        }
    }

    /// Where a vector register lies.
    #[inline]
    pub(crate) fn row(&self, register: u16) -> usize {
        let register = usize::from(register);
        let accumulators = usize::from(ACCUMULATORS);
        if register < accumulators { register } else { register - accumulators + self.accumulators }
    }

    #[inline]
    pub(crate) fn vector(&self, register: u16) -> &Lanes {
        &self.vectors[self.row(register)]
    }

    #[inline]
    pub(crate) fn vector_mut(&mut self, register: u16) -> &mut Lanes {
        let row = self.row(register);
        &mut self.vectors[row]
    }
}

/// The lanes of a mask, lowest first.
pub(crate) fn lanes_of(mut mask: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        if mask == 0 {
            return None;
        }
        let lane = mask.trailing_zeros() as usize;
        mask &= mask - 1;
        Some(lane)
    })
}
