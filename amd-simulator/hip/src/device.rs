//! What there is, and what it can do.

use crate::error::*;
use crate::state::{call, current, current_number, give, gpu, gpus, set_current};
use std::ffi::{c_char, c_int, c_uint};
use wavewright_amd_simulator::Device;

/// What a device says of its memory, in bytes: allocations are the host's, as far as it has some.
const MEMORY: usize = 16 << 30;

/// As HIP documents it.
#[unsafe(no_mangle)]
pub extern "C" fn hipInit(flags: c_uint) -> Code {
    call(|| match (flags, gpus().is_empty()) {
        (0, false) => Ok(()),
        (0, true) => Err(hipErrorNoDevice),
        _ => Err(hipErrorInvalidValue),
    })
}

/// As HIP documents it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hipGetDeviceCount(count: *mut c_int) -> Code {
    // SAFETY: as HIP demands of its callers.
    call(|| unsafe { give(count, gpus().len() as c_int) })
}

/// As HIP documents it.
#[unsafe(no_mangle)]
pub extern "C" fn hipSetDevice(device: c_int) -> Code {
    call(|| set_current(device))
}

/// As HIP documents it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hipGetDevice(device: *mut c_int) -> Code {
    // SAFETY: as HIP demands of its callers.
    call(|| unsafe { give(device, current_number()) })
}

/// As HIP documents it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hipDeviceGet(device: *mut c_int, number: c_int) -> Code {
    // SAFETY: as HIP demands of its callers.
    call(|| gpu(number).and_then(|_| unsafe { give(device, number) }))
}

/// As HIP documents it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hipDriverGetVersion(version: *mut c_int) -> Code {
    // SAFETY: as HIP demands of its callers.
    call(|| unsafe { give(version, 60_000_000) })
}

/// As HIP documents it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hipRuntimeGetVersion(version: *mut c_int) -> Code {
    // SAFETY: as HIP demands of its callers.
    call(|| unsafe { give(version, 60_000_000) })
}

/// As HIP documents it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hipDeviceGetName(name: *mut c_char, length: c_int, device: c_int) -> Code {
    call(|| {
        let text = gpu(device)?.device.name();
        let room = usize::try_from(length).ok().filter(|room| *room > 0).ok_or(hipErrorInvalidValue)?;
        if name.is_null() {
            return Err(hipErrorInvalidValue);
        }
        let bytes = &text.as_bytes()[..text.len().min(room - 1)];
        // SAFETY: the caller has so much room.
        unsafe {
            name.cast::<u8>().copy_from(bytes.as_ptr(), bytes.len());
            name.add(bytes.len()).write(0);
        }
        Ok(())
    })
}

/// As HIP documents it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hipDeviceTotalMem(bytes: *mut usize, device: c_int) -> Code {
    // SAFETY: as HIP demands of its callers.
    call(|| gpu(device).and_then(|_| unsafe { give(bytes, MEMORY) }))
}

/// As HIP documents it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hipMemGetInfo(free: *mut usize, total: *mut usize) -> Code {
    call(|| {
        let used = current()?.device.memory().used() as usize;
        // SAFETY: as HIP demands of its callers.
        unsafe { give(free, MEMORY.saturating_sub(used)).and_then(|()| give(total, MEMORY)) }
    })
}

/// What can be asked: `hipDeviceAttribute_t`, whose numbers are the same from HIP 5 on.
fn attribute(device: &Device, attribute: c_int) -> Option<c_int> {
    let family = device.family();
    Some(match attribute {
        26..=28 | 56 => 1024,
        29 => i32::MAX,
        30 | 31 => 65535,
        63 => family.compute_units as c_int,
        74 => family.shared_bytes as c_int,
        87 => device.target().wave_size as c_int,
        _ => return None,
    })
}

/// As HIP documents it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hipDeviceGetAttribute(value: *mut c_int, number: c_int, device: c_int) -> Code {
    call(|| {
        let found = attribute(&gpu(device)?.device, number).ok_or(hipErrorInvalidValue)?;
        // SAFETY: as HIP demands of its callers.
        unsafe { give(value, found) }
    })
}

/// Places in `hipDeviceProp_tR0600` (HIP 6), in bytes.
mod r0600 {
    pub(super) const BYTES: usize = 1472;
    pub(super) const TOTAL_MEMORY: usize = 288;
    pub(super) const SHARED_PER_BLOCK: usize = 296;
    pub(super) const REGISTERS_PER_BLOCK: usize = 304;
    pub(super) const WARP_SIZE: usize = 308;
    pub(super) const THREADS_PER_BLOCK: usize = 320;
    pub(super) const ARCHITECTURE: usize = 1160;
}

/// Places in the `hipDeviceProp_t` of HIP 5.
mod legacy {
    pub(super) const BYTES: usize = 792;
    pub(super) const ARCHITECTURE: usize = 396;
}

/// Writes text with a zero behind it.
fn put_text(bytes: &mut [u8], at: usize, text: &str) {
    let length = text.len().min(255);
    bytes[at..at + length].copy_from_slice(&text.as_bytes()[..length]);
}

fn put(bytes: &mut [u8], at: usize, value: &[u8]) {
    bytes[at..at + value.len()].copy_from_slice(value);
}

/// As HIP documents it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hipGetDevicePropertiesR0600(properties: *mut u8, device: c_int) -> Code {
    call(|| {
        let device = &gpu(device)?.device;
        let mut bytes = [0; r0600::BYTES];
        put_text(&mut bytes, 0, &device.name());
        put(&mut bytes, r0600::TOTAL_MEMORY, &MEMORY.to_le_bytes());
        put(&mut bytes, r0600::SHARED_PER_BLOCK, &device.family().shared_bytes.to_le_bytes());
        put(&mut bytes, r0600::REGISTERS_PER_BLOCK, &65536u32.to_le_bytes());
        put(&mut bytes, r0600::WARP_SIZE, &device.target().wave_size.to_le_bytes());
        put(&mut bytes, r0600::THREADS_PER_BLOCK, &1024u32.to_le_bytes());
        put_text(&mut bytes, r0600::ARCHITECTURE, &device.architecture());
        // SAFETY: the caller's struct is of this version, which is so long.
        unsafe { copy(properties, &bytes) }
    })
}

/// As HIP documents it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hipGetDeviceProperties(properties: *mut u8, device: c_int) -> Code {
    call(|| {
        let device = &gpu(device)?.device;
        let mut bytes = [0; legacy::BYTES];
        put_text(&mut bytes, 0, &device.name());
        put_text(&mut bytes, legacy::ARCHITECTURE, &device.architecture());
        // SAFETY: the caller's struct is of HIP 5, whose programs alone call this.
        unsafe { copy(properties, &bytes) }
    })
}

/// # Safety
///
/// `to` is null or has room for the bytes.
unsafe fn copy(to: *mut u8, bytes: &[u8]) -> Result<(), Code> {
    if to.is_null() {
        return Err(hipErrorInvalidValue);
    }
    // SAFETY: as the caller promises.
    unsafe { to.copy_from(bytes.as_ptr(), bytes.len()) };
    Ok(())
}

/// As HIP documents it.
#[unsafe(no_mangle)]
pub extern "C" fn hipDeviceSynchronize() -> Code {
    call(|| current()?.check())
}
