//! Host memory for buffers of the CPU device.
//!
//! A page of memory lies near the core that writes it first. Filling and copying is therefore spread over the cores in
//! the contiguous parts that a launch has too.

use super::Address;
use crate::Error;
use rayon::prelude::*;
use std::alloc::{Layout, alloc, dealloc};
use std::mem::MaybeUninit;

/// A buffer starts on a cache line, so that no vector load straddles two.
const LINE: usize = 64;
/// A large one starts on a large page, so that the system can use them.
const LARGE_PAGE: usize = 2 << 20;
/// Below this, one core is faster than many.
const PARALLEL: usize = 1 << 20;

fn layout(bytes: usize) -> Option<Layout> {
    Layout::from_size_align(bytes, if bytes >= 2 * LARGE_PAGE { LARGE_PAGE } else { LINE }).ok()
}

pub(super) fn allocate(bytes: usize) -> Result<Address, Error> {
    // SAFETY: callers ask for at least one byte.
    let pointer = layout(bytes).map_or(std::ptr::null_mut(), |layout| unsafe { alloc(layout) });
    if pointer.is_null() {
        let reason = "the host's allocator returned nothing".into();
        return Err(Error::OutOfMemory { device: "the CPU".into(), bytes: bytes as u64, reason });
    }
    Ok(Address(pointer.expose_provenance() as u64))
}

/// # Safety
///
/// `address` came from `allocate(bytes)` and is not used after.
pub(super) unsafe fn free(address: Address, bytes: usize) {
    if let Some(layout) = layout(bytes) {
        // SAFETY: the memory was allocated with this layout.
        unsafe { dealloc(std::ptr::with_exposed_provenance_mut(address.0 as usize), layout) };
    }
}

/// How long a core's part of `bytes` bytes is.
fn part(bytes: usize) -> usize {
    if bytes < PARALLEL { bytes } else { bytes.div_ceil(rayon::current_num_threads()).next_multiple_of(4096) }
        .max(1)
}

/// # Safety
///
/// `bytes` bytes at `to` can be written.
pub(super) unsafe fn zero(to: *mut u8, bytes: usize) {
    // SAFETY: as the caller promises; the bytes need not be initialised.
    let to = unsafe { std::slice::from_raw_parts_mut(to.cast::<MaybeUninit<u8>>(), bytes) };
    to.par_chunks_mut(part(bytes)).for_each(|part| part.fill(MaybeUninit::new(0)));
}

/// # Safety
///
/// `bytes` bytes can be read at `from` and written at `to`, and the two do not overlap.
pub(super) unsafe fn copy(from: *const u8, to: *mut u8, bytes: usize) {
    // SAFETY: as the caller promises; the bytes need not be initialised.
    let (from, to) = unsafe {
        let to = std::slice::from_raw_parts_mut(to.cast::<MaybeUninit<u8>>(), bytes);
        (std::slice::from_raw_parts(from.cast::<MaybeUninit<u8>>(), bytes), to)
    };
    let part = part(bytes);
    to.par_chunks_mut(part).zip(from.par_chunks(part)).for_each(|(to, from)| to.copy_from_slice(from));
}

/// The memory of the machine, in bytes; 0 where the system does not say.
pub(super) fn installed() -> u64 {
    let info = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let kibibytes =
        info.lines().find_map(|line| line.strip_prefix("MemTotal:")?.split_whitespace().next()?.parse().ok());
    kibibytes.unwrap_or(0u64) * 1024
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_copies_are_whole() {
        let bytes = PARALLEL * 3 + 17;
        let source: Vec<u8> = (0..bytes).map(|i| (i % 251) as u8).collect();
        let memory = allocate(bytes).unwrap();
        assert_eq!(memory.0 % LINE as u64, 0);
        let mut back = vec![0u8; bytes];
        // SAFETY: all three are `bytes` bytes long.
        unsafe {
            copy(source.as_ptr(), memory.0 as *mut u8, bytes);
            copy(memory.0 as *const u8, back.as_mut_ptr(), bytes);
            assert_eq!(back, source);
            zero(memory.0 as *mut u8, bytes);
            copy(memory.0 as *const u8, back.as_mut_ptr(), bytes);
            free(memory, bytes);
        }
        assert!(back.iter().all(|b| *b == 0));
    }

    #[test]
    fn more_memory_than_there_is_is_an_error() {
        let error = allocate(isize::MAX as usize).unwrap_err();
        assert!(
            error.to_string().starts_with("the CPU has no room for 9223372036854775807 bytes"),
            "{error}"
        );
    }
}
