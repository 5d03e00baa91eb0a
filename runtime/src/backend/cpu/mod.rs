//! The host's CPU.

mod dispatch;
mod memory;

use super::{Address, Backend, Found, LoadedKernel, Shape};
use crate::arguments::Arguments;
use crate::fault::Panics;
use crate::kernel::KernelFacts;
use crate::{Error, Limits};
use dispatch::Dispatch;
use wavewright_kernel_ir::abi::FaultRecord;
use wavewright_kernel_ir::code_object::CodeObject;
use wavewright_kernel_ir::target::Target;

/// The CPU: launches run at once, spread over the cores, and are done when they return.
#[derive(Default)]
pub(crate) struct Cpu {
    panics: Panics,
}

/// The CPU of this machine.
pub(crate) fn device() -> Found {
    // A block has as many threads as on a GPU, so that what runs here runs there.
    let block_threads = Target::Host.block_threads();
    let limits = Limits {
        block_threads,
        block: [block_threads, block_threads, 64],
        grid: [u32::MAX; 3],
        grid_threads: u64::MAX,
        shared_bytes: Target::Host.shared_bytes(),
        argument_bytes: 4096,
        memory_bytes: memory::installed(),
        wave_size: 1,
        processors: rayon::current_num_threads() as u32,
    };
    Found { name: name(), target: Target::Host, limits, start: Box::new(|| Ok(Box::new(Cpu::default()))) }
}

/// The processor's name.
fn name() -> String {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = info.lines().find_map(|line| line.strip_prefix("model name")?.trim().strip_prefix(':'));
    model.map_or_else(|| std::env::consts::ARCH.to_string(), |name| name.trim().to_string())
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
        self.panics.report()
    }

    #[cfg(feature = "jit")]
    fn load(&'static self, code: &CodeObject) -> Result<Box<dyn LoadedKernel>, Error> {
        let host = wavewright_codegen::jit::HostKernel::load(code).map_err(|error| Error::Load {
            kernel: code.name.clone(),
            device: name(),
            message: error.to_string(),
        })?;
        let dispatch = Dispatch {
            entry: host.entry(),
            shared_bytes: code.shared_bytes as usize,
            scratch_bytes: code.scratch_bytes as usize,
            pace: Default::default(),
        };
        Ok(Box::new(CpuKernel { dispatch, panics: &self.panics, _code: host }))
    }

    #[cfg(not(feature = "jit"))]
    fn load(&'static self, code: &CodeObject) -> Result<Box<dyn LoadedKernel>, Error> {
        let message = "the CPU device needs the feature `jit`".into();
        Err(Error::Load { kernel: code.name.clone(), device: name(), message })
    }
}

/// A kernel's machine code in this process; `_code` keeps it alive.
struct CpuKernel<C> {
    dispatch: Dispatch,
    panics: &'static Panics,
    _code: C,
}

impl<C: Send + Sync> LoadedKernel for CpuKernel<C> {
    unsafe fn launch(
        &self,
        facts: &'static KernelFacts,
        shape: Shape,
        mut arguments: Arguments,
    ) -> Result<(), Error> {
        let mut record = FaultRecord::default();
        arguments.push((&raw mut record).expose_provenance() as u64);
        // SAFETY: as the caller promises; with the record's address the arguments are complete.
        unsafe { self.dispatch.run(shape, arguments.as_ptr()) };
        // The kernel wrote through the exposed address.
        // SAFETY: `record` is alive, and the launch is over.
        let record = unsafe { (&raw const record).read_volatile() };
        if let Some(panic) = facts.panic(&record) {
            self.panics.add(panic);
        }
        Ok(())
    }
}
