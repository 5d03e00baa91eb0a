//! The kernel descriptor, as "Kernel Descriptor" in LLVM's "User Guide for AMDGPU Backend" lays it out.

/// What the hardware is told about a kernel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Descriptor {
    /// Memory of a work-group, in bytes.
    pub shared_bytes: u32,
    /// A thread's own memory, in bytes.
    pub private_bytes: u32,
    /// Where the first instruction stands, from the descriptor.
    pub entry_offset: i64,
    resource1: u32,
    resource2: u32,
    resource3: u32,
    properties: u16,
    preload: u16,
}

/// The values that may stand in the first scalar registers, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UserRegister {
    /// A descriptor of the threads' own memory; 4 registers.
    PrivateBuffer,
    /// The address of the dispatch packet; 2.
    DispatchPacket,
    /// The address of the queue; 2.
    Queue,
    /// The address of the arguments; 2.
    Arguments,
    /// The number of the dispatch; 2.
    DispatchId,
    /// Where the threads' own memory is; 2.
    FlatScratch,
    /// How much memory a thread has; 1.
    PrivateBytes,
}

impl UserRegister {
    /// All, in order, with the number of registers that each takes.
    pub const ALL: [(UserRegister, u16); 7] = [
        (UserRegister::PrivateBuffer, 4),
        (UserRegister::DispatchPacket, 2),
        (UserRegister::Queue, 2),
        (UserRegister::Arguments, 2),
        (UserRegister::DispatchId, 2),
        (UserRegister::FlatScratch, 2),
        (UserRegister::PrivateBytes, 1),
    ];
}

impl Descriptor {
    /// Its size in bytes.
    pub const BYTES: usize = 64;

    /// The descriptor in these bytes.
    pub fn read(bytes: &[u8; Self::BYTES]) -> Self {
        let word = |at: usize| {
            bytes[at..].iter().take(4).rev().fold(0u32, |word, byte| word << 8 | u32::from(*byte))
        };
        let half = |at: usize| word(at & !3).unbounded_shr(8 * (at as u32 & 3)) as u16;
        Descriptor {
            shared_bytes: word(0),
            private_bytes: word(4),
            entry_offset: (u64::from(word(16)) | u64::from(word(20)) << 32).cast_signed(),
            resource3: word(44),
            resource1: word(48),
            resource2: word(52),
            properties: half(56),
            preload: half(58),
        }
    }

    /// Units of vector registers.
    pub fn vector_units(&self) -> u32 {
        (self.resource1 & 63) + 1
    }

    /// The first bits of the mode register: rounding, then denormals.
    pub fn mode(&self) -> u32 {
        self.resource1 >> 12 & 0xff
    }

    /// How many scalar registers are set up before those of the work-group.
    pub fn user_registers(&self) -> u16 {
        (self.resource2 >> 1 & 31) as u16
    }

    /// Whether the waves have memory of their own.
    pub fn has_private(&self) -> bool {
        self.resource2 & 1 == 1
    }

    /// Which work-group ids are wanted: x, y, z.
    pub fn group_ids(&self) -> [bool; 3] {
        [7, 8, 9].map(|bit| self.resource2 >> bit & 1 == 1)
    }

    /// Whether a register with the work-group's make-up is wanted.
    pub fn group_info(&self) -> bool {
        self.resource2 >> 10 & 1 == 1
    }

    /// The number of work-item ids that are wanted, x first.
    pub fn item_ids(&self) -> usize {
        (self.resource2 >> 11 & 3) as usize + 1
    }

    /// Where accumulators begin among the vector registers.
    pub fn first_accumulator(&self) -> usize {
        ((self.resource3 & 63) as usize + 1) * 4
    }

    /// Whether this value is wanted.
    pub fn wants(&self, register: UserRegister) -> bool {
        self.properties >> (register as u16) & 1 == 1
    }

    /// Whether waves have 32 lanes.
    pub fn wave32(&self) -> bool {
        self.properties >> 10 & 1 == 1
    }

    /// Whether how much memory a thread needs is not known.
    pub fn dynamic_stack(&self) -> bool {
        self.properties >> 11 & 1 == 1
    }

    /// How many words of the arguments are wanted in scalar registers, and from which word on.
    pub fn preload(&self) -> (u16, u16) {
        (self.preload & 0x7f, self.preload >> 7)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_where_they_belong() {
        let mut bytes = [0; 64];
        bytes[0..4].copy_from_slice(&1000u32.to_le_bytes());
        bytes[16..24].copy_from_slice(&(-4096i64).to_le_bytes());
        bytes[48..52].copy_from_slice(&(3u32 | 0xf0 << 12).to_le_bytes());
        bytes[52..56].copy_from_slice(&(1u32 | 6 << 1 | 1 << 7 | 1 << 9 | 2 << 11).to_le_bytes());
        bytes[56..58].copy_from_slice(&(1u16 << 3 | 1 << 10).to_le_bytes());
        bytes[58..60].copy_from_slice(&(4u16 | 2 << 7).to_le_bytes());
        let read = Descriptor::read(&bytes);
        assert_eq!(
            (read.shared_bytes, read.entry_offset, read.vector_units(), read.mode()),
            (1000, -4096, 4, 0xf0)
        );
        assert_eq!((read.user_registers(), read.has_private(), read.item_ids()), (6, true, 3));
        assert_eq!(read.group_ids(), [true, false, true]);
        assert!(read.wants(UserRegister::Arguments) && !read.wants(UserRegister::Queue) && read.wave32());
        assert_eq!(read.preload(), (4, 2));
    }
}
