//! Streams and events. Work is done when it is queued, so there is never anything to wait for but the news of a fault.

use crate::error::*;
use crate::state::{call, current, give};
use std::ffi::{c_float, c_int, c_uint, c_void};
use std::sync::Mutex;
use std::time::Instant;

type Handle = *mut c_void;

/// Every stream is the same one.
const STREAM: usize = 0x10;

/// As HIP documents it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hipStreamCreateWithFlags(stream: *mut Handle, _: c_uint) -> Code {
    // SAFETY: as HIP demands of its callers.
    call(|| unsafe { give(stream, std::ptr::without_provenance_mut(STREAM)) })
}

/// As HIP documents it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hipStreamCreate(stream: *mut Handle) -> Code {
    // SAFETY: as HIP demands of its callers.
    unsafe { hipStreamCreateWithFlags(stream, 0) }
}

/// As HIP documents it.
#[unsafe(no_mangle)]
pub extern "C" fn hipStreamDestroy(_: Handle) -> Code {
    hipSuccess
}

/// As HIP documents it.
#[unsafe(no_mangle)]
pub extern "C" fn hipStreamSynchronize(_: Handle) -> Code {
    call(|| current()?.check())
}

/// As HIP documents it.
#[unsafe(no_mangle)]
pub extern "C" fn hipStreamQuery(_: Handle) -> Code {
    call(|| current()?.check())
}

/// As HIP documents it.
#[unsafe(no_mangle)]
pub extern "C" fn hipStreamWaitEvent(_: Handle, _: Handle, _: c_uint) -> Code {
    call(|| current()?.check())
}

/// When an event was recorded last.
struct Event(Mutex<Option<Instant>>);

/// As HIP documents it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hipEventCreateWithFlags(event: *mut Handle, _: c_uint) -> Code {
    let made = Box::into_raw(Box::new(Event(Mutex::new(None))));
    // SAFETY: as HIP demands of its callers.
    call(|| unsafe { give(event, made.cast()) })
}

/// As HIP documents it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hipEventCreate(event: *mut Handle) -> Code {
    // SAFETY: as HIP demands of its callers.
    unsafe { hipEventCreateWithFlags(event, 0) }
}

/// As HIP documents it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hipEventDestroy(event: Handle) -> Code {
    if event.is_null() {
        return hipErrorInvalidHandle;
    }
    // SAFETY: the event is one that was created, and destroyed once, as HIP demands of its callers.
    drop(unsafe { Box::from_raw(event.cast::<Event>()) });
    hipSuccess
}

/// # Safety
///
/// The handle is null or an event that lives.
unsafe fn event<'a>(handle: Handle) -> Result<&'a Event, Code> {
    // SAFETY: as the caller promises.
    unsafe { handle.cast::<Event>().as_ref() }.ok_or(hipErrorInvalidHandle)
}

/// As HIP documents it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hipEventRecord(handle: Handle, _: Handle) -> Code {
    call(|| {
        // SAFETY: as HIP demands of its callers.
        let event = unsafe { event(handle) }?;
        *event.0.lock().map_err(|_| hipErrorUnknown)? = Some(Instant::now());
        current()?.check()
    })
}

/// As HIP documents it.
#[unsafe(no_mangle)]
pub extern "C" fn hipEventSynchronize(_: Handle) -> Code {
    call(|| current()?.check())
}

/// As HIP documents it.
#[unsafe(no_mangle)]
pub extern "C" fn hipEventQuery(_: Handle) -> Code {
    call(|| current()?.check())
}

/// As HIP documents it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hipEventElapsedTime(milliseconds: *mut c_float, from: Handle, to: Handle) -> Code {
    call(|| {
        let time = |handle| -> Result<Instant, Code> {
            // SAFETY: as HIP demands of its callers.
            unsafe { event(handle) }?.0.lock().map_err(|_| hipErrorUnknown)?.ok_or(hipErrorInvalidHandle)
        };
        let passed = time(to)?.saturating_duration_since(time(from)?);
        // SAFETY: as HIP demands of its callers.
        unsafe { give(milliseconds, passed.as_secs_f32() * 1e3) }
    })
}

/// No device can reach another's memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hipDeviceCanAccessPeer(can: *mut c_int, _: c_int, _: c_int) -> Code {
    // SAFETY: as HIP demands of its callers.
    call(|| unsafe { give(can, 0) })
}
