//! Code and launches.

use crate::error::*;
use crate::state::{Gpu, call, current, give, say};
use std::ffi::{CStr, c_char, c_uint, c_void};
use wavewright_amd_simulator::code::{Code as Object, LoadError};
use wavewright_amd_simulator::dispatch::{Launch, LaunchError};
use wavewright_amd_simulator::fault::Cause;

type Handle = *mut c_void;

/// A module: code on one device.
struct Module {
    gpu: &'static Gpu,
    code: Object,
}

/// A kernel of a module.
struct Function {
    gpu: &'static Gpu,
    code: &'static Object,
    name: String,
}

/// How long an ELF file is: up to the end of its section headers, which linkers write last, or of whatever is behind them.
///
/// # Safety
///
/// There is a whole ELF file at `image`.
unsafe fn elf<'a>(image: *const u8) -> Result<&'a [u8], Code> {
    const HEADER: usize = 64;
    if image.is_null() {
        return Err(hipErrorInvalidValue);
    }
    // SAFETY: a shorter prefix is looked at first; only an ELF file has more.
    let header = unsafe {
        if std::slice::from_raw_parts(image, 4) != b"\x7fELF" {
            return Err(hipErrorInvalidImage);
        }
        std::slice::from_raw_parts(image, HEADER)
    };
    let number = |at: usize, bytes: usize| {
        header[at..at + bytes].iter().rev().fold(0usize, |number, byte| number << 8 | usize::from(*byte))
    };
    if header[4] != 2 {
        return Err(hipErrorInvalidImage);
    }
    let (programs, sections) = (number(32, 8), number(40, 8));
    let end = |start: usize, size: usize, count: usize| start.checked_add(size * count);
    let ends = [end(programs, number(54, 2), number(56, 2)), end(sections, number(58, 2), number(60, 2))];
    let length = ends.into_iter().try_fold(HEADER, |length, end| end.map(|end| end.max(length)));
    let length = length.filter(|length| *length < 1 << 32).ok_or(hipErrorInvalidImage)?;
    // SAFETY: the file is whole, as the caller promises.
    Ok(unsafe { std::slice::from_raw_parts(image, length) })
}

fn refused(error: &LoadError) -> Code {
    say(&format!("loading code: {error}"));
    match error {
        LoadError::OtherDevice { .. } | LoadError::Family(_) => hipErrorNoBinaryForGpu,
        LoadError::Memory(_) => hipErrorOutOfMemory,
        _ => hipErrorInvalidImage,
    }
}

/// As HIP documents it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hipModuleLoadData(module: *mut Handle, image: *const c_void) -> Code {
    call(|| {
        let gpu = current()?;
        gpu.check()?;
        // SAFETY: as HIP demands of its callers.
        let code = gpu.device.load(unsafe { elf(image.cast()) }?).map_err(|error| refused(&error))?;
        let made = Box::into_raw(Box::new(Module { gpu, code }));
        // SAFETY: as above.
        unsafe { give(module, made.cast()) }
    })
}

/// As HIP documents it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hipModuleLoad(module: *mut Handle, path: *const c_char) -> Code {
    call(|| {
        let gpu = current()?;
        gpu.check()?;
        // SAFETY: as HIP demands of its callers.
        let path = unsafe { CStr::from_ptr(path) }.to_string_lossy().into_owned();
        let bytes = std::fs::read(path).map_err(|_| hipErrorInvalidValue)?;
        let code = gpu.device.load(&bytes).map_err(|error| refused(&error))?;
        let made = Box::into_raw(Box::new(Module { gpu, code }));
        // SAFETY: as above.
        unsafe { give(module, made.cast()) }
    })
}

/// # Safety
///
/// The handle is null or a module; modules live for ever.
unsafe fn module_of(handle: Handle) -> Result<&'static Module, Code> {
    // SAFETY: as the caller promises.
    unsafe { handle.cast::<Module>().as_ref() }.ok_or(hipErrorInvalidHandle)
}

/// The code's memory is freed; what is known of it stays, for the functions that refer to it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hipModuleUnload(module: Handle) -> Code {
    call(|| {
        // SAFETY: as HIP demands of its callers.
        let module = unsafe { module_of(module) }?;
        module.gpu.device.memory().free(module.code.base());
        Ok(())
    })
}

/// As HIP documents it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hipModuleGetFunction(
    function: *mut Handle,
    module: Handle,
    name: *const c_char,
) -> Code {
    call(|| {
        // SAFETY: as HIP demands of its callers.
        let (module, name) = unsafe { (module_of(module)?, CStr::from_ptr(name)) };
        let name = name.to_str().map_err(|_| hipErrorNotFound)?.to_string();
        module.code.kernel(&name).ok_or(hipErrorNotFound)?;
        let made = Box::into_raw(Box::new(Function { gpu: module.gpu, code: &module.code, name }));
        // SAFETY: as above.
        unsafe { give(function, made.cast()) }
    })
}

/// As HIP documents it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hipModuleGetGlobal(
    address: *mut Handle,
    bytes: *mut usize,
    module: Handle,
    name: *const c_char,
) -> Code {
    call(|| {
        // SAFETY: as HIP demands of its callers.
        let (module, name) = unsafe { (module_of(module)?, CStr::from_ptr(name)) };
        let name = name.to_str().map_err(|_| hipErrorNotFound)?;
        let (place, size) = module.code.variable(name).ok_or(hipErrorNotFound)?;
        // SAFETY: as above.
        unsafe {
            give(address, std::ptr::with_exposed_provenance_mut(place as usize))?;
            give(bytes, size as usize)
        }
    })
}

/// The arguments of a launch: one by one, or as `extra` has them.
///
/// # Safety
///
/// As HIP demands of its callers.
unsafe fn arguments(
    function: &Function,
    one_by_one: *mut Handle,
    extra: *mut Handle,
) -> Result<Vec<u8>, Code> {
    let kernel = function.code.kernel(&function.name).ok_or(hipErrorInvalidHandle)?;
    if !one_by_one.is_null() {
        let length = kernel.arguments.iter().map(|place| place.offset + place.size).max().unwrap_or(0);
        let mut bytes = vec![0; length as usize];
        for (n, place) in kernel.arguments.iter().enumerate() {
            let to = &mut bytes[place.offset as usize..][..place.size as usize];
            // SAFETY: as the caller promises.
            let from = unsafe { std::slice::from_raw_parts((*one_by_one.add(n)).cast::<u8>(), to.len()) };
            to.copy_from_slice(from);
        }
        return Ok(bytes);
    }
    if extra.is_null() {
        return if kernel.arguments.is_empty() { Ok(Vec::new()) } else { Err(hipErrorInvalidValue) };
    }
    let (mut buffer, mut size) = (std::ptr::null::<u8>(), 0);
    // Tags and values in turn; no list is longer.
    for n in (0..8).step_by(2) {
        // SAFETY: the list goes on up to its end tag.
        unsafe {
            match (*extra.add(n)).addr() {
                1 => buffer = (*extra.add(n + 1)).cast(),
                2 => size = *(*extra.add(n + 1)).cast::<usize>(),
                3 => break,
                _ => return Err(hipErrorInvalidValue),
            }
        }
    }
    if buffer.is_null() || size as u64 > kernel.argument_bytes.max(4096) {
        return Err(hipErrorInvalidValue);
    }
    // SAFETY: the buffer is as long as was said.
    Ok(unsafe { std::slice::from_raw_parts(buffer, size) }.to_vec())
}

/// As HIP documents it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hipModuleLaunchKernel(
    function: Handle,
    grid_x: c_uint,
    grid_y: c_uint,
    grid_z: c_uint,
    block_x: c_uint,
    block_y: c_uint,
    block_z: c_uint,
    shared_bytes: c_uint,
    _: Handle,
    one_by_one: *mut Handle,
    extra: *mut Handle,
) -> Code {
    call(|| {
        // SAFETY: as HIP demands of its callers.
        let function = unsafe { function.cast::<Function>().as_ref() }.ok_or(hipErrorInvalidHandle)?;
        function.gpu.check()?;
        // SAFETY: as above.
        let arguments = unsafe { arguments(function, one_by_one, extra) }?;
        let (grid, block) = ([grid_x, grid_y, grid_z], [block_x, block_y, block_z]);
        let launch = Launch { grid, block, dynamic_shared_bytes: shared_bytes, arguments };
        match function.gpu.device.launch(function.code, &function.name, &launch) {
            Ok(_) => Ok(()),
            Err(LaunchError::Fault(fault)) => {
                say(&fault.to_string());
                let code = match fault.cause {
                    Cause::Global(_) | Cause::Shared { .. } | Cause::Private { .. } => hipErrorIllegalAddress,
                    _ => hipErrorLaunchFailure,
                };
                // As on a real device, the launch itself went well; whoever waits for it hears of the fault.
                function.gpu.fail(code);
                Ok(())
            }
            Err(error) => {
                say(&error.to_string());
                Err(match error {
                    LaunchError::Memory(_) => hipErrorOutOfMemory,
                    LaunchError::NoKernel(_) => hipErrorInvalidHandle,
                    _ => hipErrorInvalidConfiguration,
                })
            }
        }
    })
}
