//! Allocations, and copies to and from them.

use crate::error::*;
use crate::state::{call, current, give, gpus, say};
use std::ffi::{c_int, c_uint, c_void};
use wavewright_amd_simulator::memory::MemoryError;

type Handle = *mut c_void;

/// The code for a bad access.
pub(crate) fn code_of(error: &MemoryError) -> Code {
    match error {
        MemoryError::Exhausted { .. } => hipErrorOutOfMemory,
        _ => hipErrorInvalidValue,
    }
}

fn allocate(memory: *mut Handle, bytes: usize) -> Result<(), Code> {
    let gpu = current()?;
    gpu.check()?;
    if bytes == 0 {
        // SAFETY: as HIP demands of its callers.
        return unsafe { give(memory, std::ptr::null_mut()) };
    }
    if bytes > isize::MAX as usize / 2 {
        return Err(hipErrorOutOfMemory);
    }
    let address = gpu.device.memory().allocate(bytes as u64).map_err(|error| code_of(&error))?;
    // SAFETY: as above.
    unsafe { give(memory, std::ptr::with_exposed_provenance_mut(address as usize)) }
}

/// As HIP documents it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hipMalloc(memory: *mut Handle, bytes: usize) -> Code {
    call(|| allocate(memory, bytes))
}

/// As HIP documents it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hipMallocManaged(memory: *mut Handle, bytes: usize, _: c_uint) -> Code {
    call(|| allocate(memory, bytes))
}

/// As HIP documents it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hipHostMalloc(memory: *mut Handle, bytes: usize, _: c_uint) -> Code {
    call(|| allocate(memory, bytes))
}

/// As HIP documents it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hipHostGetDevicePointer(address: *mut Handle, memory: Handle, _: c_uint) -> Code {
    // SAFETY: as HIP demands of its callers.
    call(|| unsafe { give(address, memory) })
}

fn free(memory: Handle) -> Result<(), Code> {
    if memory.is_null() {
        return Ok(());
    }
    let address = memory.addr() as u64;
    // It may be any device's, as with HIP.
    let freed = gpus().iter().any(|gpu| gpu.device.memory().free(address));
    if freed { Ok(()) } else { Err(hipErrorInvalidValue) }
}

/// As HIP documents it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hipFree(memory: Handle) -> Code {
    call(|| free(memory))
}

/// As HIP documents it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hipHostFree(memory: Handle) -> Code {
    call(|| free(memory))
}

fn report(error: MemoryError) -> Code {
    say(&format!("a copy: {error}"));
    code_of(&error)
}

fn fill(memory: Handle, byte: c_int, bytes: usize) -> Result<(), Code> {
    let gpu = current()?;
    gpu.check()?;
    gpu.device.memory().view().fill(memory.addr() as u64, bytes as u64, byte as u8).map_err(report)
}

/// # Safety
///
/// `from` has so many bytes.
unsafe fn upload(to: Handle, from: *const c_void, bytes: usize) -> Result<(), Code> {
    let gpu = current()?;
    gpu.check()?;
    if bytes == 0 {
        return Ok(());
    }
    // SAFETY: as the caller promises.
    let from = unsafe { std::slice::from_raw_parts(from.cast(), bytes) };
    gpu.device.memory().view().copy_in(to.addr() as u64, from).map_err(report)
}

/// # Safety
///
/// `to` has room for so many bytes.
unsafe fn download(to: Handle, from: *const c_void, bytes: usize) -> Result<(), Code> {
    let gpu = current()?;
    gpu.check()?;
    if bytes == 0 {
        return Ok(());
    }
    // SAFETY: as the caller promises.
    let to = unsafe { std::slice::from_raw_parts_mut(to.cast(), bytes) };
    gpu.device.memory().view().copy_out(from.addr() as u64, to).map_err(report)
}

fn between(to: Handle, from: *const c_void, bytes: usize) -> Result<(), Code> {
    let gpu = current()?;
    gpu.check()?;
    let mut copy = vec![0; bytes];
    let view = gpu.device.memory().view();
    view.copy_out(from.addr() as u64, &mut copy).map_err(report)?;
    view.copy_in(to.addr() as u64, &copy).map_err(report)
}

/// As HIP documents it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hipMemsetAsync(memory: Handle, byte: c_int, bytes: usize, _: Handle) -> Code {
    call(|| fill(memory, byte, bytes))
}

/// As HIP documents it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hipMemset(memory: Handle, byte: c_int, bytes: usize) -> Code {
    call(|| fill(memory, byte, bytes))
}

/// As HIP documents it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hipMemcpyHtoDAsync(to: Handle, from: Handle, bytes: usize, _: Handle) -> Code {
    // SAFETY: as HIP demands of its callers.
    call(|| unsafe { upload(to, from, bytes) })
}

/// As HIP documents it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hipMemcpyHtoD(to: Handle, from: Handle, bytes: usize) -> Code {
    // SAFETY: as HIP demands of its callers.
    call(|| unsafe { upload(to, from, bytes) })
}

/// As HIP documents it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hipMemcpyDtoHAsync(to: Handle, from: Handle, bytes: usize, _: Handle) -> Code {
    // SAFETY: as HIP demands of its callers.
    call(|| unsafe { download(to, from, bytes) })
}

/// As HIP documents it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hipMemcpyDtoH(to: Handle, from: Handle, bytes: usize) -> Code {
    // SAFETY: as HIP demands of its callers.
    call(|| unsafe { download(to, from, bytes) })
}

/// As HIP documents it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hipMemcpyDtoDAsync(to: Handle, from: Handle, bytes: usize, _: Handle) -> Code {
    call(|| between(to, from, bytes))
}

/// `hipMemcpyKind`: 1 to the device, 2 from it, 3 within it, 4 as the addresses say.
///
/// # Safety
///
/// As HIP demands of its callers.
unsafe fn copy(to: Handle, from: *const c_void, bytes: usize, kind: c_int) -> Result<(), Code> {
    let view = current()?.device.memory().view();
    let on_device = |address: *const c_void| view.copy_out(address.addr() as u64, &mut [0]).is_ok();
    let kind = match kind {
        4 => i32::from(on_device(to)) | i32::from(on_device(from)) << 1,
        other => other,
    };
    match kind {
        // SAFETY: as the caller promises.
        0 => unsafe { to.cast::<u8>().copy_from(from.cast(), bytes) },
        // SAFETY: as the caller promises.
        1 => return unsafe { upload(to, from, bytes) },
        // SAFETY: as the caller promises.
        2 => return unsafe { download(to, from, bytes) },
        3 => return between(to, from, bytes),
        _ => return Err(hipErrorInvalidValue),
    }
    Ok(())
}

/// As HIP documents it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hipMemcpy(to: Handle, from: *const c_void, bytes: usize, kind: c_int) -> Code {
    // SAFETY: as HIP demands of its callers.
    call(|| unsafe { copy(to, from, bytes, kind) })
}

/// As HIP documents it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hipMemcpyAsync(
    to: Handle,
    from: *const c_void,
    bytes: usize,
    kind: c_int,
    _: Handle,
) -> Code {
    // SAFETY: as HIP demands of its callers.
    call(|| unsafe { copy(to, from, bytes, kind) })
}
