//! AMD GPUs, through HIP.

mod api;
#[cfg(all(test, feature = "check-hip-headers"))]
mod header_check;

use super::gpu::{Driver, FaultMemory, Gpu, Marks, SEGMENTS};
use super::{Address, Backend, Found, Shape, working};
use crate::arguments::Arguments;
use crate::{DeviceKind, Error, Limits};
use api::{Api, Attribute, Event, Function, Module, Stream, WANTED};
use libloading::Library;
use std::ffi::{CStr, CString, c_int, c_void};
use std::sync::Arc;
use wavewright_kernel_ir::code_object::{CodeObject, Format};
use wavewright_kernel_ir::target::Target;

/// The AMD GPUs of this machine.
pub(crate) fn devices() -> Result<Vec<Found>, Error> {
    devices_of(WANTED.load()?)
}

/// The GPUs of the HIP library `library`.
pub(super) fn devices_of(library: Library) -> Result<Vec<Found>, Error> {
    let api = Arc::new(Api::open(library)?);
    working((0..api.count()?).map(|device| open(&api, device)))
}

fn open(api: &Arc<Api>, device: c_int) -> Result<Found, Error> {
    let mut name = [0; 256];
    let mut memory = 0;
    // SAFETY: the library is initialised; what it writes to is alive and of the size that it is told.
    unsafe {
        api.hipDeviceGetName(name.as_mut_ptr(), name.len() as c_int, device)?;
        api.hipDeviceTotalMem(&mut memory, device)?;
    }
    // SAFETY: the library ends the name with a zero.
    let name = unsafe { CStr::from_ptr(name.as_ptr()) }.to_string_lossy().into_owned();
    let ask = |attribute| {
        let mut value = 0;
        // SAFETY: as above.
        unsafe { api.hipDeviceGetAttribute(&mut value, attribute, device)? };
        Ok::<u32, Error>(value.try_into().unwrap_or_default())
    };
    let architecture = api.architecture(device)?;
    let target: Target = architecture.parse().map_err(|error| Error::NoDevice {
        kind: DeviceKind::Amd,
        reason: format!("{name} says that it is a `{architecture}`: {error}"),
    })?;
    let limits = Limits {
        block_threads: ask(Attribute::MaxThreadsPerBlock)?,
        block: [ask(Attribute::MaxBlockDimX)?, ask(Attribute::MaxBlockDimY)?, ask(Attribute::MaxBlockDimZ)?],
        grid: [ask(Attribute::MaxGridDimX)?, ask(Attribute::MaxGridDimY)?, ask(Attribute::MaxGridDimZ)?],
        // A dispatch counts threads, not blocks, in 32 bits.
        grid_threads: u32::MAX.into(),
        shared_bytes: ask(Attribute::MaxSharedMemoryPerBlock)?.into(),
        argument_bytes: 4096,
        memory_bytes: memory as u64,
        wave_size: target.wave_size().map_or_else(|| ask(Attribute::WarpSize), Ok)?,
        processors: ask(Attribute::MultiprocessorCount)?,
    };
    // Some cards have no name of their own.
    let name = if name.is_empty() { architecture } else { name };
    let start = {
        let (api, name) = (api.clone(), name.clone());
        move || {
            let (driver, memory) = Hip::start(api.clone(), device, name.clone())?;
            Ok(Box::new(Gpu::new(driver, memory)) as Box<dyn Backend>)
        }
    };
    Ok(Found { name, target, limits, start: Box::new(start) })
}

/// A GPU with its queue.
pub(super) struct Hip {
    api: Arc<Api>,
    name: String,
    device: c_int,
    stream: Stream,
    marks: [Event; SEGMENTS],
}

impl Hip {
    fn start(api: Arc<Api>, device: c_int, name: String) -> Result<(Self, FaultMemory), Error> {
        let mut stream = Stream::NONE;
        let mut marks = [Event::NONE; SEGMENTS];
        let (mut host, mut address) = (std::ptr::null_mut::<c_void>(), std::ptr::null_mut());
        // A thread claims its record atomically. Coherent host memory would take that over the bus, where not every
        // machine has atomics; in memory that need not be coherent it happens in the GPU's cache, which is written
        // back when the launch ends.
        let flags = api::HOST_PORTABLE | api::HOST_MAPPED | api::HOST_NON_COHERENT;
        // SAFETY: `device` is one of HIP's; what it writes to is alive; the fault memory is as long as was asked for
        // when it is zeroed.
        unsafe {
            api.hipSetDevice(device)?;
            api.hipStreamCreateWithFlags(&mut stream, api::STREAM_NON_BLOCKING)?;
            for mark in &mut marks {
                api.hipEventCreateWithFlags(mark, api::EVENT_DISABLE_TIMING)?;
            }
            api.hipHostMalloc(&mut host, FaultMemory::BYTES, flags)?;
            host.cast::<u8>().write_bytes(0, FaultMemory::BYTES);
            api.hipHostGetDevicePointer(&mut address, host, 0)?;
        }
        let memory = FaultMemory { host: host.cast(), device: address.expose_provenance() as u64 };
        Ok((Self { api, name, device, stream, marks }, memory))
    }

    /// Makes the device the one that this thread's calls are about.
    #[inline]
    fn enter(&self) -> Result<&Api, Error> {
        // SAFETY: the device exists.
        unsafe { self.api.hipSetDevice(self.device)? };
        Ok(&self.api)
    }

    /// Says how much was asked for and how much there is, if `error` is that memory is used up.
    fn out_of_memory(&self, error: Error, bytes: usize) -> Error {
        match error {
            Error::Driver { code: api::OUT_OF_MEMORY, .. } => {
                let (mut free, mut total) = (0, 0);
                // SAFETY: the numbers can be written.
                let known = unsafe { self.api.hipMemGetInfo(&mut free, &mut total) }.is_ok();
                let room = if known { format!(", with {free} of {total} free") } else { String::new() };
                let reason = format!("{error}{room}");
                Error::OutOfMemory { device: self.name.clone(), bytes: bytes as u64, reason }
            }
            other => other,
        }
    }
}

fn pointer(address: Address) -> *mut c_void {
    std::ptr::with_exposed_provenance_mut(address.0 as usize)
}

impl Marks for Hip {
    fn mark(&self, number: usize) -> Result<(), Error> {
        // SAFETY: event and stream live as long as the process.
        unsafe { self.enter()?.hipEventRecord(self.marks[number], self.stream) }
    }

    fn wait_for_mark(&self, number: usize) -> Result<(), Error> {
        // SAFETY: as above.
        unsafe { self.enter()?.hipEventSynchronize(self.marks[number]) }
    }
}

impl Driver for Hip {
    /// A kernel's code, loaded. It stays as long as the process lives.
    type Code = Function;

    fn allocate(&self, bytes: usize) -> Result<Address, Error> {
        let mut memory = std::ptr::null_mut();
        // SAFETY: the address can be written.
        let done = unsafe { self.enter()?.hipMalloc(&mut memory, bytes) };
        done.map_err(|error| self.out_of_memory(error, bytes))?;
        Ok(Address(memory.expose_provenance() as u64))
    }

    unsafe fn free(&self, address: Address) {
        let Ok(api) = self.enter() else { return };
        // There is nobody to tell: a queue that is broken says so at the next wait.
        // SAFETY: the memory is one that `allocate` gave out, and nothing uses it once the queue is done.
        let _ = unsafe { api.hipStreamSynchronize(self.stream).and_then(|()| api.hipFree(pointer(address))) };
    }

    unsafe fn zero(&self, address: Address, bytes: usize) -> Result<(), Error> {
        // SAFETY: as the caller promises.
        unsafe { self.enter()?.hipMemsetAsync(pointer(address), 0, bytes, self.stream) }
    }

    unsafe fn write(&self, to: Address, from: *const u8, bytes: usize) -> Result<(), Error> {
        // SAFETY: as the caller promises. HIP only reads the source, though older headers do not say so.
        unsafe { self.enter()?.hipMemcpyHtoDAsync(pointer(to), from.cast_mut().cast(), bytes, self.stream) }
    }

    unsafe fn read(&self, from: Address, to: *mut u8, bytes: usize) -> Result<(), Error> {
        // SAFETY: as the caller promises.
        unsafe { self.enter()?.hipMemcpyDtoHAsync(to.cast(), pointer(from), bytes, self.stream) }
    }

    fn wait(&self) -> Result<(), Error> {
        // SAFETY: the stream lives as long as the process.
        unsafe { self.enter()?.hipStreamSynchronize(self.stream) }
    }

    fn load(&self, code: &CodeObject) -> Result<Function, Error> {
        let refuse = |message| Error::Load { kernel: code.name.clone(), device: self.name.clone(), message };
        if code.format != Format::Hsaco {
            return Err(refuse(format!(
                "it is for `{}`, and this device takes AMD code objects",
                code.target
            )));
        }
        let symbol = CString::new(code.symbol.as_str()).map_err(|error| refuse(error.to_string()))?;
        let (mut module, mut function) = (Module::NONE, Function::NONE);
        let api = self.enter()?;
        // SAFETY: the image is a whole code object, which says how long it is; the name ends with a zero.
        let loaded = unsafe {
            api.hipModuleLoadData(&mut module, code.bytes.as_ptr().cast())
                .and_then(|()| api.hipModuleGetFunction(&mut function, module, symbol.as_ptr()))
        };
        loaded.map_err(|error| refuse(format!("{error} (it is for `{}`)", code.target)))?;
        Ok(function)
    }

    unsafe fn launch(&self, code: &Function, shape: Shape, arguments: &Arguments) -> Result<(), Error> {
        let mut size = arguments.size();
        let tag = std::ptr::without_provenance_mut::<c_void>;
        let mut extra = [
            tag(api::LAUNCH_BUFFER),
            arguments.as_ptr().cast_mut().cast(),
            tag(api::LAUNCH_BUFFER_SIZE),
            (&raw mut size).cast(),
            tag(api::LAUNCH_END),
        ];
        let ([grid_x, grid_y, grid_z], [block_x, block_y, block_z]) = (shape.grid, shape.block);
        let none = std::ptr::null_mut();
        // SAFETY: the arguments are the function's, as the caller promises, laid out as its kernarg segment; HIP copies
        // them.
        unsafe {
            self.enter()?.hipModuleLaunchKernel(
                *code,
                grid_x,
                grid_y,
                grid_z,
                block_x,
                block_y,
                block_z,
                0,
                self.stream,
                none,
                extra.as_mut_ptr(),
            )
        }
    }
}
