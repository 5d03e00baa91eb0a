//! What a device's driver can do, as the rest of the runtime sees it; one folder a driver.

pub(crate) mod cpu;

use crate::Error;

/// Memory of a device: an address there. The CPU's is an address of the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Address(pub(crate) u64);

/// A device's driver. Work is done in the order of the calls.
pub(crate) trait Backend: Send + Sync {
    /// Memory of `bytes` bytes (not 0), aligned to 64 bytes at least, that holds anything.
    fn allocate(&self, bytes: usize) -> Result<Address, Error>;

    /// Gives memory back once the work queued so far is done.
    ///
    /// # Safety
    ///
    /// `address` came from `allocate(bytes)` of this device, is not used after, and is given back once.
    unsafe fn free(&self, address: Address, bytes: usize);

    /// Fills memory with zeros.
    ///
    /// # Safety
    ///
    /// `bytes` bytes from `address` are memory of this device.
    unsafe fn zero(&self, address: Address, bytes: usize) -> Result<(), Error>;

    /// Copies from the host, and waits until that is done.
    ///
    /// # Safety
    ///
    /// `bytes` bytes can be read at `from` and written at `to`, which is memory of this device.
    unsafe fn write(&self, to: Address, from: *const u8, bytes: usize) -> Result<(), Error>;

    /// Copies to the host, and waits until that is done.
    ///
    /// # Safety
    ///
    /// `bytes` bytes can be read at `from`, which is memory of this device, and written at `to`.
    unsafe fn read(&self, from: Address, to: *mut u8, bytes: usize) -> Result<(), Error>;

    /// Waits until the work queued so far is done.
    fn synchronize(&self) -> Result<(), Error>;
}
