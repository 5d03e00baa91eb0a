//! What AMD's and NVIDIA's drivers have in common: one queue a device, and panics that arrive through a ring of
//! records in host memory.

mod ring;

use super::{Address, Backend, LoadedKernel, Shape};
use crate::Error;
use crate::arguments::Arguments;
use crate::kernel::KernelFacts;
use ring::Ring;
pub(crate) use ring::{FaultMemory, Marks, SEGMENTS};
use wavewright_kernel_ir::code_object::CodeObject;

/// A driver's functions for one device and its queue.
///
/// Each may be called from any thread, and works on that device whatever the thread did before.
pub(crate) trait Driver: Marks + Send + Sync + 'static {
    /// A kernel's code on the device.
    type Code: Send + Sync;

    /// As [`Backend::allocate`].
    fn allocate(&self, bytes: usize) -> Result<Address, Error>;
    /// As [`Backend::free`].
    ///
    /// # Safety
    ///
    /// As there.
    unsafe fn free(&self, address: Address);
    /// As [`Backend::zero`].
    ///
    /// # Safety
    ///
    /// As there.
    unsafe fn zero(&self, address: Address, bytes: usize) -> Result<(), Error>;
    /// Queues a copy from the host. The memory there may be in use until the queue is waited for.
    ///
    /// # Safety
    ///
    /// As [`Backend::write`], until the queue is waited for.
    unsafe fn write(&self, to: Address, from: *const u8, bytes: usize) -> Result<(), Error>;
    /// Queues a copy to the host. The memory there may be in use until the queue is waited for.
    ///
    /// # Safety
    ///
    /// As [`Backend::read`], until the queue is waited for.
    unsafe fn read(&self, from: Address, to: *mut u8, bytes: usize) -> Result<(), Error>;
    /// Waits for the queue.
    fn wait(&self) -> Result<(), Error>;
    /// Loads a kernel's code.
    fn load(&self, code: &CodeObject) -> Result<Self::Code, Error>;
    /// Queues a launch with arguments that are complete.
    ///
    /// # Safety
    ///
    /// As [`LoadedKernel::launch`].
    unsafe fn launch(&self, code: &Self::Code, shape: Shape, arguments: &Arguments) -> Result<(), Error>;
}

/// A GPU.
pub(crate) struct Gpu<D> {
    driver: D,
    ring: Ring,
}

impl<D: Driver> Gpu<D> {
    /// The device of `driver`, whose threads write their panics to `memory`.
    pub(crate) fn new(driver: D, memory: FaultMemory) -> Self {
        Self { driver, ring: Ring::new(memory) }
    }
}

impl<D: Driver> Backend for Gpu<D> {
    fn allocate(&self, bytes: usize) -> Result<Address, Error> {
        self.driver.allocate(bytes).map_err(|error| self.ring.blame(error))
    }

    unsafe fn free(&self, address: Address, _bytes: usize) {
        // SAFETY: as the caller promises.
        unsafe { self.driver.free(address) }
    }

    unsafe fn zero(&self, address: Address, bytes: usize) -> Result<(), Error> {
        // SAFETY: as the caller promises.
        unsafe { self.driver.zero(address, bytes) }.map_err(|error| self.ring.blame(error))
    }

    unsafe fn write(&self, to: Address, from: *const u8, bytes: usize) -> Result<(), Error> {
        // SAFETY: as the caller promises; the memory is not used after the wait. A copy that failed is not going on.
        let done = unsafe { self.driver.write(to, from, bytes) }.and_then(|()| self.driver.wait());
        done.map_err(|error| self.ring.blame(error))
    }

    unsafe fn read(&self, from: Address, to: *mut u8, bytes: usize) -> Result<(), Error> {
        // SAFETY: as the caller promises; the memory is not used after the wait. A copy that failed is not going on.
        let done = unsafe { self.driver.read(from, to, bytes) }.and_then(|()| self.driver.wait());
        done.map_err(|error| self.ring.blame(error))
    }

    fn synchronize(&self) -> Result<(), Error> {
        let queued = self.ring.queued();
        self.driver.wait().map_err(|error| self.ring.blame(error))?;
        self.ring.report(queued)
    }

    fn load(&'static self, code: &CodeObject) -> Result<Box<dyn LoadedKernel>, Error> {
        Ok(Box::new(GpuKernel { gpu: self, code: self.driver.load(code)? }))
    }
}

/// A kernel's code on a GPU.
struct GpuKernel<D: Driver> {
    gpu: &'static Gpu<D>,
    code: D::Code,
}

impl<D: Driver> LoadedKernel for GpuKernel<D> {
    unsafe fn launch(
        &self,
        facts: &'static KernelFacts,
        shape: Shape,
        mut arguments: Arguments,
    ) -> Result<(), Error> {
        let Gpu { driver, ring } = self.gpu;
        ring.launch(driver, facts, |record| {
            arguments.push(record);
            // SAFETY: as the caller promises; with the record's address the arguments are complete.
            unsafe { driver.launch(&self.code, shape, &arguments) }
        })
    }
}
