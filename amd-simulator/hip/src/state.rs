//! The devices, and which of them a thread's calls are about.

use crate::error::*;
use std::cell::Cell;
use std::ffi::c_int;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicI32, Ordering};
use wavewright_amd_simulator::Device;
use wavewright_kernel_ir::target::Target;

/// Which devices there are without `WAVEWRIGHT_SIMULATOR_DEVICES`.
const DEFAULT: &str = "gfx942,gfx1100,gfx1201";

/// A device, and what became of it.
pub struct Gpu {
    /// The device.
    pub device: Device,
    /// The fault that a kernel ended it with; 0 if it is well.
    broken: AtomicI32,
}

impl Gpu {
    /// Whether it is well: otherwise what was wrong, for good.
    pub fn check(&self) -> Result<(), Code> {
        match self.broken.load(Ordering::SeqCst) {
            0 => Ok(()),
            code => Err(code),
        }
    }

    /// From now on every call fails with `code`, as after a fault of a real device.
    pub fn fail(&self, code: Code) {
        self.broken.store(code, Ordering::SeqCst);
    }
}

thread_local! {
    static CURRENT: Cell<usize> = const { Cell::new(0) };
    static LAST: Cell<Code> = const { Cell::new(hipSuccess) };
}

/// Every device.
pub fn gpus() -> &'static [Gpu] {
    static GPUS: OnceLock<Vec<Gpu>> = OnceLock::new();
    GPUS.get_or_init(|| {
        let listed = std::env::var("WAVEWRIGHT_SIMULATOR_DEVICES").unwrap_or_else(|_| DEFAULT.into());
        let names = listed.split(',').map(str::trim).filter(|name| !name.is_empty());
        names
            .filter_map(|name| open(name).inspect_err(|error| say(&format!("device `{name}`: {error}"))).ok())
            .collect()
    })
}

fn open(name: &str) -> Result<Gpu, String> {
    match name.parse::<Target>() {
        Ok(Target::Amd(target)) => {
            let device = Device::new(target).map_err(|error| error.to_string())?;
            Ok(Gpu { device, broken: AtomicI32::new(0) })
        }
        Ok(_) => Err("it is no AMD GPU".into()),
        Err(error) => Err(error.to_string()),
    }
}

/// Tells whoever looks at the process.
pub fn say(message: &str) {
    eprintln!("wavewright's AMD simulator: {message}");
}

/// The device of this number.
pub fn gpu(number: c_int) -> Result<&'static Gpu, Code> {
    usize::try_from(number).ok().and_then(|number| gpus().get(number)).ok_or(hipErrorInvalidDevice)
}

/// The device that this thread's calls are about.
pub fn current() -> Result<&'static Gpu, Code> {
    gpus().get(CURRENT.get()).ok_or(hipErrorNoDevice)
}

/// Its number.
pub fn current_number() -> c_int {
    CURRENT.get() as c_int
}

/// Makes another device that one.
pub fn set_current(number: c_int) -> Result<(), Code> {
    gpu(number)?;
    CURRENT.set(number as usize);
    Ok(())
}

/// Does what a call is about; a panic is an error like any other, since the caller may not be Rust.
pub fn call(work: impl FnOnce() -> Result<(), Code>) -> Code {
    let code = match catch_unwind(AssertUnwindSafe(work)) {
        Ok(Ok(())) => return hipSuccess,
        Ok(Err(code)) => code,
        Err(_) => hipErrorUnknown,
    };
    LAST.set(code);
    code
}

/// The last error.
pub fn last() -> Code {
    LAST.get()
}

/// The last error, which is forgotten.
pub fn take_last() -> Code {
    LAST.replace(hipSuccess)
}

/// Gives a value through a pointer of the caller's.
///
/// # Safety
///
/// The pointer is null or can be written.
pub unsafe fn give<T>(place: *mut T, value: T) -> Result<(), Code> {
    if place.is_null() {
        return Err(hipErrorInvalidValue);
    }
    // SAFETY: as the caller promises.
    unsafe { place.write(value) };
    Ok(())
}
