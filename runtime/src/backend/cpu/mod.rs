//! The host's CPU.

mod memory;

use super::{Address, Backend};
use crate::{Error, Limits};

/// The CPU: launches run at once, spread over the cores, and are done when they return.
pub(crate) struct Cpu;

impl Cpu {
    /// What the CPU can take. A block has as many threads as on a GPU, so that what runs here runs there.
    pub(crate) fn limits() -> Limits {
        Limits {
            block_threads: 1024,
            block: [1024, 1024, 64],
            grid: [u32::MAX; 3],
            grid_threads: u64::MAX,
            shared_bytes: 64 << 10,
            argument_bytes: 4096,
            memory_bytes: memory::installed(),
            wave_size: 1,
            processors: rayon::current_num_threads() as u32,
        }
    }

    /// The processor's name.
    pub(crate) fn name() -> String {
        let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let model = info.lines().find_map(|line| line.strip_prefix("model name")?.trim().strip_prefix(':'));
        model.map_or_else(|| std::env::consts::ARCH.to_string(), |name| name.trim().to_string())
    }
}

impl Backend for Cpu {
    fn allocate(&self, bytes: usize) -> Result<Address, Error> {
        memory::allocate(bytes)
    }

    unsafe fn free(&self, address: Address, bytes: usize) {
        // SAFETY: as the caller promises.
        unsafe { memory::free(address, bytes) }
    }

    unsafe fn zero(&self, address: Address, bytes: usize) -> Result<(), Error> {
        // SAFETY: as the caller promises.
        unsafe { memory::zero(address.0 as *mut u8, bytes) };
        Ok(())
    }

    unsafe fn write(&self, to: Address, from: *const u8, bytes: usize) -> Result<(), Error> {
        // SAFETY: as the caller promises; the CPU's memory is the host's.
        unsafe { memory::copy(from, to.0 as *mut u8, bytes) };
        Ok(())
    }

    unsafe fn read(&self, from: Address, to: *mut u8, bytes: usize) -> Result<(), Error> {
        // SAFETY: as the caller promises; the CPU's memory is the host's.
        unsafe { memory::copy(from.0 as *const u8, to, bytes) };
        Ok(())
    }

    fn synchronize(&self) -> Result<(), Error> {
        Ok(())
    }
}
