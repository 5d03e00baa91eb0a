//! Device memory: ranges of the host's memory that the simulator knows, and nothing else.
//!
//! An address on the device is the address on the host. Kernels run over a [`View`], taken when the launch starts: what it
//! holds stays there until the launch is over, whatever the host frees meanwhile.

use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Addresses from here on, 4 GiB, mean memory of the work-group to flat accesses.
pub const SHARED_APERTURE: u64 = 1 << 48;
/// Addresses from here on, 4 GiB, mean a lane's own memory to flat accesses.
pub const PRIVATE_APERTURE: u64 = 2 << 48;

/// How allocations are aligned, in bytes.
const ALIGNMENT: usize = 256;

/// How many freed ranges are remembered, to tell a use after free from a wild address.
const REMEMBERED: usize = 4096;

/// Why an access to device memory is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MemoryError {
    /// It is in no allocation.
    #[error("address {address:#x} ({bytes} bytes) is in no allocation")]
    Outside {
        /// The address.
        address: u64,
        /// How many bytes were accessed.
        bytes: u64,
    },
    /// It starts in an allocation and goes past its end, or starts just behind it.
    #[error("address {address:#x} ({bytes} bytes) is {} bytes from the start of an allocation of {length} bytes", .address - .start)]
    PastEnd {
        /// The address.
        address: u64,
        /// How many bytes were accessed.
        bytes: u64,
        /// Where the allocation starts.
        start: u64,
        /// How long it is, in bytes.
        length: u64,
    },
    /// It was in an allocation that has been freed.
    #[error("address {address:#x} ({bytes} bytes) is in an allocation of {length} bytes that has been freed")]
    Freed {
        /// The address.
        address: u64,
        /// How many bytes were accessed.
        bytes: u64,
        /// How long the allocation was, in bytes.
        length: u64,
    },
    /// An atomic operation needs an address that its size divides.
    #[error("address {address:#x} of an atomic operation on {bytes} bytes is not aligned to them")]
    Misaligned {
        /// The address.
        address: u64,
        /// How many bytes were accessed.
        bytes: u64,
    },
    /// There is not so much memory.
    #[error("{bytes} bytes of device memory can't be had")]
    Exhausted {
        /// How many bytes were asked for.
        bytes: u64,
    },
}

/// A range of memory that is freed when nobody holds it any more.
#[derive(Debug)]
struct Block {
    start: u64,
    length: u64,
    layout: Layout,
}

impl Drop for Block {
    fn drop(&mut self) {
        // SAFETY: the range was allocated with this layout, and this is the last that knows of it.
        unsafe { dealloc(std::ptr::with_exposed_provenance_mut(self.start as usize), self.layout) };
    }
}

#[derive(Debug, Default)]
struct Ranges {
    live: BTreeMap<u64, Arc<Block>>,
    /// Where freed ranges started, and how long they were.
    freed: BTreeMap<u64, u64>,
    used: u64,
}

/// All memory of a device.
#[derive(Debug, Default)]
pub struct DeviceMemory(Mutex<Ranges>);

impl DeviceMemory {
    /// Allocates zeroed memory: its address.
    ///
    /// # Errors
    ///
    /// If the host has not so much.
    pub fn allocate(&self, bytes: u64) -> Result<u64, MemoryError> {
        let exhausted = MemoryError::Exhausted { bytes };
        let size = usize::try_from(bytes.max(1)).map_err(|_| exhausted)?;
        let layout = Layout::from_size_align(size, ALIGNMENT).map_err(|_| exhausted)?;
        // SAFETY: the layout's size is not zero.
        let memory = unsafe { alloc_zeroed(layout) };
        if memory.is_null() {
            return Err(exhausted);
        }
        let start = memory.expose_provenance() as u64;
        let mut ranges = self.lock();
        let end = start + bytes;
        ranges.freed.retain(|from, length| *from >= end || from + *length <= start);
        ranges.live.insert(start, Arc::new(Block { start, length: bytes, layout }));
        ranges.used += bytes;
        Ok(start)
    }

    /// Frees what [`allocate`](Self::allocate) gave; whether there was such an allocation.
    pub fn free(&self, address: u64) -> bool {
        let mut ranges = self.lock();
        let Some(block) = ranges.live.remove(&address) else { return false };
        ranges.used -= block.length;
        ranges.freed.insert(block.start, block.length);
        if ranges.freed.len() > REMEMBERED {
            ranges.freed.pop_first();
        }
        true
    }

    /// How many bytes are allocated.
    pub fn used(&self) -> u64 {
        self.lock().used
    }

    /// What is there now.
    pub fn view(&self) -> View {
        let ranges = self.lock();
        View { blocks: ranges.live.values().cloned().collect(), freed: ranges.freed.clone() }
    }

    fn lock(&self) -> MutexGuard<'_, Ranges> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The memory of a device at one moment.
#[derive(Debug)]
pub struct View {
    blocks: Vec<Arc<Block>>,
    freed: BTreeMap<u64, u64>,
}

/// The range that was accessed last: most likely the next access is there, too.
#[derive(Clone, Copy, Debug, Default)]
pub struct Recent {
    start: u64,
    end: u64,
}

impl View {
    /// Makes sure that the bytes are there.
    #[inline]
    pub fn check(&self, address: u64, bytes: u64, recent: &mut Recent) -> Result<(), MemoryError> {
        if address >= recent.start && address < recent.end && bytes <= recent.end - address {
            return Ok(());
        }
        self.find(address, bytes, recent)
    }

    #[cold]
    fn find(&self, address: u64, bytes: u64, recent: &mut Recent) -> Result<(), MemoryError> {
        let after = self.blocks.partition_point(|block| block.start <= address);
        let block = after.checked_sub(1).map(|n| &self.blocks[n]);
        if let Some(block) = block
            && address - block.start < block.length
            && bytes <= block.length - (address - block.start)
        {
            *recent = Recent { start: block.start, end: block.start + block.length };
            return Ok(());
        }
        if let Some((start, length)) = self.freed.range(..=address).next_back()
            && address - start < *length
        {
            return Err(MemoryError::Freed { address, bytes, length: *length });
        }
        // Further away it is no overrun that one would recognise.
        const NEAR: u64 = 1 << 20;
        match block.map(|block| &**block) {
            Some(Block { start, length, .. }) if address - start < length.saturating_add(NEAR) => {
                Err(MemoryError::PastEnd { address, bytes, start: *start, length: *length })
            }
            _ => Err(MemoryError::Outside { address, bytes }),
        }
    }

    /// Reads 1, 2, 4 or 8 bytes.
    #[inline]
    pub fn read(&self, address: u64, bytes: u64, recent: &mut Recent) -> Result<u64, MemoryError> {
        self.check(address, bytes, recent)?;
        // SAFETY: the bytes are in a block that this view holds; other threads access them atomically, too.
        Ok(unsafe {
            match bytes {
                4 if address.is_multiple_of(4) => at::<AtomicU32>(address).load(Ordering::Relaxed).into(),
                8 if address.is_multiple_of(8) => at::<AtomicU64>(address).load(Ordering::Relaxed),
                2 if address.is_multiple_of(2) => at::<AtomicU16>(address).load(Ordering::Relaxed).into(),
                _ => (0..bytes).fold(0, |value, n| {
                    value | u64::from(at::<AtomicU8>(address + n).load(Ordering::Relaxed)) << (8 * n)
                }),
            }
        })
    }

    /// Writes 1, 2, 4 or 8 bytes.
    #[inline]
    pub fn write(
        &self,
        address: u64,
        bytes: u64,
        value: u64,
        recent: &mut Recent,
    ) -> Result<(), MemoryError> {
        self.check(address, bytes, recent)?;
        // SAFETY: as in `read`.
        unsafe {
            match bytes {
                4 if address.is_multiple_of(4) => {
                    at::<AtomicU32>(address).store(value as u32, Ordering::Relaxed);
                }
                8 if address.is_multiple_of(8) => at::<AtomicU64>(address).store(value, Ordering::Relaxed),
                2 if address.is_multiple_of(2) => {
                    at::<AtomicU16>(address).store(value as u16, Ordering::Relaxed);
                }
                _ => {
                    for n in 0..bytes {
                        at::<AtomicU8>(address + n).store((value >> (8 * n)) as u8, Ordering::Relaxed);
                    }
                }
            }
        }
        Ok(())
    }

    /// Makes of 4 or 8 bytes what `f` says, atomically: what was there.
    pub fn update(
        &self,
        address: u64,
        wide: bool,
        recent: &mut Recent,
        f: impl Fn(u64) -> u64,
    ) -> Result<u64, MemoryError> {
        let bytes = if wide { 8 } else { 4 };
        self.check(address, bytes, recent)?;
        if !address.is_multiple_of(bytes) {
            return Err(MemoryError::Misaligned { address, bytes });
        }
        let order = Ordering::SeqCst;
        // SAFETY: as in `read`.
        let was = unsafe {
            if wide {
                at::<AtomicU64>(address).fetch_update(order, order, |value| Some(f(value)))
            } else {
                let update = |value: u32| Some(f(value.into()) as u32);
                at::<AtomicU32>(address).fetch_update(order, order, update).map(u64::from).map_err(u64::from)
            }
        };
        Ok(was.unwrap_or_else(|value| value))
    }

    /// Copies bytes to the host.
    ///
    /// # Errors
    ///
    /// If they are not all in one allocation.
    pub fn copy_out(&self, address: u64, to: &mut [u8]) -> Result<(), MemoryError> {
        self.check(address, to.len() as u64, &mut Recent::default())?;
        // SAFETY: the bytes are in a block of this view; `to` is the host's own.
        unsafe {
            std::ptr::with_exposed_provenance::<u8>(address as usize).copy_to(to.as_mut_ptr(), to.len());
        }
        Ok(())
    }

    /// Copies bytes from the host.
    ///
    /// # Errors
    ///
    /// As of [`copy_out`](Self::copy_out).
    pub fn copy_in(&self, address: u64, from: &[u8]) -> Result<(), MemoryError> {
        self.check(address, from.len() as u64, &mut Recent::default())?;
        // SAFETY: as above.
        unsafe {
            std::ptr::with_exposed_provenance_mut::<u8>(address as usize)
                .copy_from(from.as_ptr(), from.len());
        }
        Ok(())
    }

    /// Makes every byte of a range `byte`.
    ///
    /// # Errors
    ///
    /// As of [`copy_out`](Self::copy_out).
    pub fn fill(&self, address: u64, bytes: u64, byte: u8) -> Result<(), MemoryError> {
        self.check(address, bytes, &mut Recent::default())?;
        // SAFETY: as above.
        unsafe {
            std::ptr::with_exposed_provenance_mut::<u8>(address as usize).write_bytes(byte, bytes as usize);
        }
        Ok(())
    }
}

/// The value at an address.
///
/// # Safety
///
/// It is in a live allocation, aligned, and accessed atomically only.
#[inline(always)]
unsafe fn at<'a, T>(address: u64) -> &'a T {
    // SAFETY: as the caller promises.
    unsafe { &*std::ptr::with_exposed_provenance(address as usize) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accesses_are_checked_to_the_byte() {
        let memory = DeviceMemory::default();
        let start = memory.allocate(10).unwrap();
        let (view, recent) = (memory.view(), &mut Recent::default());
        view.write(start + 4, 4, 0x0102_0304, recent).unwrap();
        view.write(start + 8, 2, 0xabcd, recent).unwrap();
        assert_eq!(
            view.read(start + 4, 8, recent).unwrap_err().to_string(),
            format!(
                "address {:#x} (8 bytes) is 4 bytes from the start of an allocation of 10 bytes",
                start + 4
            )
        );
        assert_eq!(view.read(start + 5, 4, recent), Ok(0xcd01_0203));
        assert!(matches!(view.read(start + 10, 1, recent), Err(MemoryError::PastEnd { .. })));
        assert!(matches!(view.read(8, 4, recent), Err(MemoryError::Outside { .. })));
        assert!(matches!(view.update(start + 1, false, recent, |x| x), Err(MemoryError::Misaligned { .. })));
        assert_eq!(view.update(start + 4, false, recent, |x| x + 1), Ok(0x0102_0304));
        assert_eq!(view.read(start + 4, 4, recent), Ok(0x0102_0305));
    }

    #[test]
    fn freed_memory_is_told_apart_and_stays_for_a_launch() {
        let memory = DeviceMemory::default();
        let start = memory.allocate(64).unwrap();
        let before = memory.view();
        assert!(memory.free(start) && !memory.free(start));
        assert_eq!(memory.used(), 0);
        before.write(start, 4, 1, &mut Recent::default()).unwrap();
        let found = memory.view().read(start + 4, 4, &mut Recent::default());
        assert!(matches!(found, Err(MemoryError::Freed { length: 64, .. })));
        assert!(memory.allocate(u64::MAX).is_err());
    }
}
