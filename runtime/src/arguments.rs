//! The bytes of a launch's arguments, as [`kernel_ir::abi`](wavewright_kernel_ir::abi) lays them out.

use std::mem::MaybeUninit;

/// Bytes that stand in a launch itself; more go to the heap.
const INLINE: usize = 128;

/// The largest alignment that an argument may ask for.
pub(crate) const ALIGN: usize = 64;

/// Storage for any value that an argument can be.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Chunk([MaybeUninit<u8>; ALIGN]);

const EMPTY: Chunk = Chunk([MaybeUninit::uninit(); ALIGN]);

/// Arguments in a row, each where its alignment allows.
#[derive(Clone)]
pub(crate) struct Arguments {
    inline: [Chunk; INLINE / ALIGN],
    heap: Vec<Chunk>,
    size: usize,
}

impl Arguments {
    pub(crate) const fn new() -> Self {
        Self { inline: [EMPTY; INLINE / ALIGN], heap: Vec::new(), size: 0 }
    }

    /// The size of all so far, in bytes.
    pub(crate) fn size(&self) -> usize {
        self.size
    }

    /// The size of all so far and of an address after them.
    pub(crate) fn size_with_address(&self) -> u64 {
        (self.size.next_multiple_of(8) + 8) as u64
    }

    /// Where they are, aligned to [`ALIGN`].
    pub(crate) fn as_ptr(&self) -> *const u8 {
        if self.heap.is_empty() { self.inline.as_ptr().cast() } else { self.heap.as_ptr().cast() }
    }

    /// Adds `value` byte for byte; one of size zero leaves no trace.
    #[inline]
    pub(crate) fn push<T: Copy>(&mut self, value: T) {
        if size_of::<T>() == 0 {
            return;
        }
        let offset = self.size.next_multiple_of(align_of::<T>());
        let end = offset + size_of::<T>();
        let base = self.reserve(end);
        // SAFETY: `reserve` returned the start of storage that is at least `end` bytes long. The copy is of bytes that
        // may be padding into bytes that may be uninitialised.
        unsafe {
            let bytes = (&raw const value).cast::<MaybeUninit<u8>>();
            base.add(offset).copy_from_nonoverlapping(bytes, size_of::<T>());
        }
        self.size = end;
    }

    /// The start of storage with room for `size` bytes.
    fn reserve(&mut self, size: usize) -> *mut MaybeUninit<u8> {
        if size <= INLINE {
            return self.inline.as_mut_ptr().cast();
        }
        if self.heap.is_empty() {
            self.heap.extend_from_slice(&self.inline);
        }
        if self.heap.len() * ALIGN < size {
            self.heap.resize(size.div_ceil(ALIGN).next_power_of_two(), EMPTY);
        }
        self.heap.as_mut_ptr().cast()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read<T: Copy>(arguments: &Arguments, offset: usize) -> T {
        assert!(offset + size_of::<T>() <= arguments.size());
        // SAFETY: the tests read what they pushed at that offset.
        unsafe { arguments.as_ptr().add(offset).cast::<T>().read_unaligned() }
    }

    #[test]
    fn each_argument_stands_at_the_next_offset_of_its_alignment() {
        let mut arguments = Arguments::new();
        arguments.push(1u8);
        arguments.push(2u16);
        arguments.push(());
        arguments.push(3u64);
        arguments.push(4u8);
        arguments.push(5u128);
        assert_eq!(read::<u8>(&arguments, 0), 1);
        assert_eq!(read::<u16>(&arguments, 2), 2);
        assert_eq!(read::<u64>(&arguments, 8), 3);
        assert_eq!(read::<u8>(&arguments, 16), 4);
        assert_eq!(read::<u128>(&arguments, 32), 5);
        assert_eq!(arguments.size(), 48);
        assert_eq!(arguments.as_ptr().addr() % ALIGN, 0);
    }

    #[test]
    fn many_arguments_move_to_the_heap_and_keep_their_bytes() {
        let mut arguments = Arguments::new();
        for i in 0..100u64 {
            arguments.push(i);
        }
        arguments.push([7u32; 300]);
        assert_eq!(arguments.size(), 800 + 1200);
        for i in 0..100 {
            assert_eq!(read::<u64>(&arguments, 8 * i as usize), i);
        }
        assert_eq!(read::<[u32; 300]>(&arguments, 800), [7; 300]);
        assert_eq!(arguments.as_ptr().addr() % ALIGN, 0);
    }
}
