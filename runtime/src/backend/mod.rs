//! What a device's driver can do, as the rest of the runtime sees it; one folder a driver.

// Host code is loaded by the compiler's JIT.
#[cfg_attr(not(feature = "jit"), allow(dead_code))]
pub(crate) mod cpu;
pub(crate) mod cuda;
mod gpu;
pub(crate) mod hip;
mod library;
#[cfg(test)]
mod pretended;

use crate::arguments::Arguments;
use crate::kernel::KernelFacts;
use crate::{Error, Limits};
use wavewright_kernel_ir::code_object::CodeObject;
use wavewright_kernel_ir::target::Target;

/// A device that a driver has found.
pub(crate) struct Found {
    /// What the driver calls it.
    pub(crate) name: String,
    /// What kernels are compiled for.
    pub(crate) target: Target,
    /// What it can take.
    pub(crate) limits: Limits,
    /// Takes it into use, which may take time and memory.
    pub(crate) start: Box<dyn Fn() -> Result<Box<dyn Backend>, Error> + Send + Sync>,
}

/// The devices that work: one that does not hides none of the others. If none works, why the first does not.
fn working(devices: impl Iterator<Item = Result<Found, Error>>) -> Result<Vec<Found>, Error> {
    let (mut found, mut first_error) = (Vec::new(), None);
    for device in devices {
        match device {
            Ok(device) => found.push(device),
            Err(error) => _ = first_error.get_or_insert(error),
        }
    }
    match first_error {
        Some(error) if found.is_empty() => Err(error),
        _ => Ok(found),
    }
}

/// Memory of a device: an address there. The CPU's is an address of the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Address(pub(crate) u64);

/// How many threads a launch has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shape {
    /// The number of blocks.
    pub(crate) grid: [u32; 3],
    /// The number of threads in a block.
    pub(crate) block: [u32; 3],
}

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

    /// Waits until the work queued so far is done. The first panic among it is the error.
    fn synchronize(&self) -> Result<(), Error>;

    /// Loads a kernel's code.
    fn load(&'static self, code: &CodeObject) -> Result<Box<dyn LoadedKernel>, Error>;
}

/// A kernel's code on a device.
pub(crate) trait LoadedKernel: Send + Sync {
    /// Queues a launch. `arguments` lack only the address of the fault record, which this adds.
    ///
    /// # Safety
    ///
    /// `facts` and `arguments` are this kernel's, the buffers among them are of this device and live until they are
    /// given back by `free`, and threads of `shape` may run with them.
    unsafe fn launch(
        &self,
        facts: &'static KernelFacts,
        shape: Shape,
        arguments: Arguments,
    ) -> Result<(), Error>;
}
