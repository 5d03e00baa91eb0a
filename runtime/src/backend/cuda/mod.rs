//! NVIDIA GPUs, through the driver's own interface.

mod api;
mod module;

use super::gpu::{Driver, FaultMemory, Gpu, Marks, SEGMENTS};
use super::{Address, Backend, Found, Shape, working};
use crate::arguments::Arguments;
use crate::{DeviceKind, Error, Limits};
use api::{Api, WANTED, sys};
use libloading::Library;
use module::Module;
use std::ffi::{CStr, c_int, c_void};
use std::sync::Arc;
use sys::CUdevice_attribute as Attribute;
use wavewright_kernel_ir::code_object::CodeObject;
use wavewright_kernel_ir::target::{NvidiaArch, NvidiaTarget, Portability, Target};

/// The oldest compute capability that kernels are compiled for.
const OLDEST: (u32, u32) = (7, 0);

/// How much memory that buffers have given back stays with the process, for the next ones.
const KEPT_BYTES: u64 = 4 << 30;

/// The NVIDIA GPUs of this machine.
pub(crate) fn devices() -> Result<Vec<Found>, Error> {
    devices_of(WANTED.load()?)
}

/// The GPUs of the driver `library`.
pub(super) fn devices_of(library: Library) -> Result<Vec<Found>, Error> {
    let api = Arc::new(Api::open(library)?);
    let mut count = 0;
    // SAFETY: the driver is initialised, and `count` can be written.
    unsafe { api.cuDeviceGetCount(&mut count)? };
    if count == 0 {
        let reason = "the driver is installed, but finds no GPU".into();
        return Err(Error::NoDevice { kind: DeviceKind::Nvidia, reason });
    }
    working((0..count).map(|ordinal| open(&api, ordinal)))
}

fn open(api: &Arc<Api>, ordinal: c_int) -> Result<Found, Error> {
    let mut device = 0;
    let mut name = [0; 256];
    let mut memory = 0;
    // SAFETY: the driver is initialised; what it writes to is alive and of the size that it is told.
    unsafe {
        api.cuDeviceGet(&mut device, ordinal)?;
        api.cuDeviceGetName(name.as_mut_ptr(), name.len() as c_int, device)?;
        api.cuDeviceTotalMem_v2(&mut memory, device)?;
    }
    // SAFETY: the driver ends the name with a zero.
    let name = unsafe { CStr::from_ptr(name.as_ptr()) }.to_string_lossy().into_owned();
    let ask = |attribute| {
        let mut value = 0;
        // SAFETY: as above.
        unsafe { api.cuDeviceGetAttribute(&mut value, attribute, device)? };
        Ok::<u32, Error>(value.try_into().unwrap_or_default())
    };
    let capability = (
        ask(Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)?,
        ask(Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)?,
    );
    let target = target(capability).ok_or_else(|| {
        let (major, minor) = capability;
        let reason = format!(
            "{name} has compute capability {major}.{minor}, and {}.{} is the oldest supported",
            OLDEST.0, OLDEST.1
        );
        Error::NoDevice { kind: DeviceKind::Nvidia, reason }
    })?;
    let limits = Limits {
        block_threads: ask(Attribute::CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK)?,
        block: [
            ask(Attribute::CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X)?,
            ask(Attribute::CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y)?,
            ask(Attribute::CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z)?,
        ],
        grid: [
            ask(Attribute::CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X)?,
            ask(Attribute::CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y)?,
            ask(Attribute::CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z)?,
        ],
        grid_threads: u64::MAX,
        shared_bytes: ask(Attribute::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK)?.into(),
        argument_bytes: 4096,
        memory_bytes: memory as u64,
        wave_size: ask(Attribute::CU_DEVICE_ATTRIBUTE_WARP_SIZE)?,
        processors: ask(Attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)?,
    };
    let pooled = ask(Attribute::CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED)? != 0;
    let start = {
        let (api, name) = (api.clone(), name.clone());
        move || {
            let (driver, memory) = Cuda::start(api.clone(), device, name.clone(), pooled)?;
            Ok(Box::new(Gpu::new(driver, memory)) as Box<dyn Backend>)
        }
    };
    Ok(Found { name, target, limits, start: Box::new(start) })
}

/// What to compile for: the newest architecture that a device of this compute capability runs.
fn target(capability: (u32, u32)) -> Option<Target> {
    let arch = NvidiaArch::of_capability(capability.0, capability.1).or_else(|| {
        let portable = NvidiaArch::ALL.iter().filter(|arch| arch.portability == Portability::Forward);
        portable.filter(|arch| arch.capability <= capability).max_by_key(|arch| arch.capability)
    });
    arch.filter(|arch| arch.capability >= OLDEST).map(|arch| Target::Nvidia(NvidiaTarget::new(arch)))
}

/// A GPU with its context and queue.
pub(super) struct Cuda {
    api: Arc<Api>,
    name: String,
    context: sys::CUcontext,
    stream: sys::CUstream,
    /// Where buffers come from; without it, they come from the driver one by one.
    pool: Option<sys::CUmemoryPool>,
    marks: [sys::CUevent; SEGMENTS],
}

// SAFETY: the driver's handles may be used from any thread.
unsafe impl Send for Cuda {}
// SAFETY: and by several at a time.
unsafe impl Sync for Cuda {}

impl Cuda {
    fn start(
        api: Arc<Api>,
        device: sys::CUdevice,
        name: String,
        pooled: bool,
    ) -> Result<(Self, FaultMemory), Error> {
        let (mut context, mut stream) = (std::ptr::null_mut(), std::ptr::null_mut());
        let mut marks = [std::ptr::null_mut(); SEGMENTS];
        let (mut host, mut address) = (std::ptr::null_mut(), 0);
        let flags = sys::CU_MEMHOSTALLOC_PORTABLE | sys::CU_MEMHOSTALLOC_DEVICEMAP;
        // SAFETY: `device` is one of the driver's; what it writes to is alive; the fault memory is as long as was
        // asked for when it is zeroed.
        unsafe {
            api.cuDevicePrimaryCtxRetain(&mut context, device)?;
            api.cuCtxSetCurrent(context)?;
            api.cuStreamCreate(&mut stream, sys::CUstream_flags::CU_STREAM_NON_BLOCKING as u32)?;
            for mark in &mut marks {
                api.cuEventCreate(mark, sys::CUevent_flags::CU_EVENT_DISABLE_TIMING as u32)?;
            }
            api.cuMemHostAlloc(&mut host, FaultMemory::BYTES, flags)?;
            host.cast::<u8>().write_bytes(0, FaultMemory::BYTES);
            api.cuMemHostGetDevicePointer_v2(&mut address, host, 0)?;
        }
        let pool = pooled.then(|| pool(&api, device)).transpose()?;
        let memory = FaultMemory { host: host.cast(), device: address };
        Ok((Self { api, name, context, stream, pool, marks }, memory))
    }

    /// Makes the device the one that this thread's calls are about.
    #[inline]
    fn enter(&self) -> Result<&Api, Error> {
        // SAFETY: the context is retained as long as the process lives.
        unsafe { self.api.cuCtxSetCurrent(self.context)? };
        Ok(&self.api)
    }

    /// Says how much was asked for and how much there is, if `error` is that memory is used up.
    fn out_of_memory(&self, error: Error, bytes: usize) -> Error {
        match error {
            Error::Driver { code, .. } if code == sys::CUresult::CUDA_ERROR_OUT_OF_MEMORY as i32 => {
                let (mut free, mut total) = (0, 0);
                // SAFETY: the context is current, and the numbers can be written.
                let known = unsafe { self.api.cuMemGetInfo_v2(&mut free, &mut total) }.is_ok();
                let room = if known { format!(", with {free} of {total} free") } else { String::new() };
                let reason = format!("{error}{room}");
                Error::OutOfMemory { device: self.name.clone(), bytes: bytes as u64, reason }
            }
            other => other,
        }
    }
}

/// Memory of `device` that is given out and taken back in the order of the queue.
fn pool(api: &Api, device: sys::CUdevice) -> Result<sys::CUmemoryPool, Error> {
    let mut properties = sys::CUmemPoolProps {
        allocType: sys::CUmemAllocationType::CU_MEM_ALLOCATION_TYPE_PINNED,
        handleTypes: sys::CUmemAllocationHandleType::CU_MEM_HANDLE_TYPE_NONE,
        location: sys::CUmemLocation {
            type_: sys::CUmemLocationType::CU_MEM_LOCATION_TYPE_DEVICE,
            id: device,
        },
        win32SecurityAttributes: std::ptr::null_mut(),
        maxSize: 0,
        usage: 0,
        reserved: [0; 54],
    };
    let (mut pool, mut kept) = (std::ptr::null_mut(), KEPT_BYTES);
    let threshold = sys::CUmemPool_attribute::CU_MEMPOOL_ATTR_RELEASE_THRESHOLD;
    // SAFETY: the device's context is current, what the driver reads and writes is alive, and the attribute is a `u64`.
    unsafe {
        api.cuMemPoolCreate(&mut pool, &raw mut properties)?;
        api.cuMemPoolSetAttribute(pool, threshold, (&raw mut kept).cast())?;
    }
    Ok(pool)
}

impl Marks for Cuda {
    fn mark(&self, number: usize) -> Result<(), Error> {
        // SAFETY: event and stream live as long as the process.
        unsafe { self.enter()?.cuEventRecord(self.marks[number], self.stream) }
    }

    fn wait_for_mark(&self, number: usize) -> Result<(), Error> {
        // SAFETY: as above.
        unsafe { self.enter()?.cuEventSynchronize(self.marks[number]) }
    }
}

impl Driver for Cuda {
    type Code = Module;

    fn allocate(&self, bytes: usize) -> Result<Address, Error> {
        let api = self.enter()?;
        let mut address = 0;
        // SAFETY: the address can be written; pool and stream live as long as the process.
        let done = unsafe {
            match self.pool {
                Some(pool) => api.cuMemAllocFromPoolAsync(&mut address, bytes, pool, self.stream),
                None => api.cuMemAlloc_v2(&mut address, bytes),
            }
        };
        done.map_err(|error| self.out_of_memory(error, bytes))?;
        Ok(Address(address))
    }

    unsafe fn free(&self, address: Address) {
        let Ok(api) = self.enter() else { return };
        // There is nobody to tell: a queue that is broken says so at the next wait.
        // SAFETY: the memory is one that `allocate` gave out, and nothing queued from now on uses it.
        let _ = unsafe {
            match self.pool {
                Some(_) => api.cuMemFreeAsync(address.0, self.stream),
                None => api.cuStreamSynchronize(self.stream).and_then(|()| api.cuMemFree_v2(address.0)),
            }
        };
    }

    unsafe fn zero(&self, address: Address, bytes: usize) -> Result<(), Error> {
        // SAFETY: as the caller promises.
        unsafe { self.enter()?.cuMemsetD8Async(address.0, 0, bytes, self.stream) }
    }

    unsafe fn write(&self, to: Address, from: *const u8, bytes: usize) -> Result<(), Error> {
        // SAFETY: as the caller promises.
        unsafe { self.enter()?.cuMemcpyHtoDAsync_v2(to.0, from.cast(), bytes, self.stream) }
    }

    unsafe fn read(&self, from: Address, to: *mut u8, bytes: usize) -> Result<(), Error> {
        // SAFETY: as the caller promises.
        unsafe { self.enter()?.cuMemcpyDtoHAsync_v2(to.cast(), from.0, bytes, self.stream) }
    }

    fn wait(&self) -> Result<(), Error> {
        // SAFETY: the stream lives as long as the process.
        unsafe { self.enter()?.cuStreamSynchronize(self.stream) }
    }

    fn load(&self, code: &CodeObject) -> Result<Module, Error> {
        Module::load(self, code)
    }

    unsafe fn launch(&self, code: &Module, shape: Shape, arguments: &Arguments) -> Result<(), Error> {
        /// Arguments whose addresses need no memory of their own.
        const FEW: usize = 24;
        let base = arguments.as_ptr().cast_mut();
        let mut few = [std::ptr::null_mut::<c_void>(); FEW];
        let mut many = Vec::new();
        let addresses = if code.offsets.len() <= FEW {
            &mut few[..code.offsets.len()]
        } else {
            many.resize(code.offsets.len(), std::ptr::null_mut());
            &mut many[..]
        };
        for (address, offset) in addresses.iter_mut().zip(&code.offsets) {
            *address = base.wrapping_add(*offset as usize).cast();
        }
        let ([grid_x, grid_y, grid_z], [block_x, block_y, block_z]) = (shape.grid, shape.block);
        let none = std::ptr::null_mut();
        // SAFETY: the function's arguments are at these addresses, as the caller promises; the driver copies them.
        unsafe {
            self.enter()?.cuLaunchKernel(
                code.function,
                grid_x,
                grid_y,
                grid_z,
                block_x,
                block_y,
                block_z,
                0,
                self.stream,
                addresses.as_mut_ptr(),
                none,
            )
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn target_name(major: u32, minor: u32) -> Option<String> {
        target((major, minor)).map(|target| target.to_string())
    }

    #[test]
    fn kernels_are_compiled_for_the_plain_architecture_of_the_device() {
        assert_eq!(target_name(7, 0).as_deref(), Some("sm_70"));
        assert_eq!(target_name(9, 0).as_deref(), Some("sm_90"));
        assert_eq!(target_name(12, 0).as_deref(), Some("sm_120"));
    }

    #[test]
    fn a_device_newer_than_the_table_gets_the_newest_that_it_runs() {
        let newest = NvidiaArch::ALL.iter().filter(|a| a.portability == Portability::Forward);
        let newest = newest.max_by_key(|a| a.capability).map(|a| a.name.to_string());
        assert_eq!(target_name(99, 0), newest);
    }

    #[test]
    fn devices_that_are_too_old_have_no_target() {
        assert_eq!(target_name(6, 1), None);
    }
}
