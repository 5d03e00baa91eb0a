//! The functions of AMD's `libamdhip64` that are used, declared here since the library need not be there when this is
//! compiled. `header_check` compares the declarations with HIP's own.

use crate::backend::library::{Wanted, functions, no_permission};
use crate::{DeviceKind, Error};
use libloading::Library;
use std::ffi::{CStr, c_char, c_int, c_uint, c_void};

pub(super) const WANTED: Wanted = Wanted {
    kind: DeviceKind::Amd,
    variable: "WAVEWRIGHT_HIP",
    names: if cfg!(windows) {
        &["amdhip64_7.dll", "amdhip64_6.dll", "amdhip64.dll"]
    } else {
        &[
            "libamdhip64.so.7",
            "libamdhip64.so.6",
            "libamdhip64.so.5",
            "libamdhip64.so",
            "/opt/rocm/lib/libamdhip64.so",
        ]
    },
    advice: "Install AMD's HIP runtime",
};

macro_rules! handles {
    ($($(#[$doc:meta])* $name:ident;)*) => { $(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        #[repr(transparent)]
        pub(crate) struct $name(*mut c_void);

        impl $name {
            /// None yet: for the library to write.
            pub(super) const NONE: Self = Self(std::ptr::null_mut());
        }

        // SAFETY: HIP's handles may be used from any thread.
        unsafe impl Send for $name {}
        // SAFETY: and by several at a time.
        unsafe impl Sync for $name {}
    )* };
}

handles! {
    /// A queue.
    Stream;
    /// A mark in a queue.
    Event;
    /// Code that is loaded.
    Module;
    /// A kernel in a module.
    Function;
}

/// hipErrorOutOfMemory
pub(super) const OUT_OF_MEMORY: c_int = 2;
/// hipErrorNoDevice
pub(super) const NO_DEVICE: c_int = 100;
/// hipErrorInvalidDevice, which `hipInit` of HIP 5 returns where there is none
pub(super) const INVALID_DEVICE: c_int = 101;

/// hipStreamNonBlocking
pub(super) const STREAM_NON_BLOCKING: c_uint = 1;
/// hipEventDisableTiming
pub(super) const EVENT_DISABLE_TIMING: c_uint = 2;
/// hipHostMallocPortable
pub(super) const HOST_PORTABLE: c_uint = 1;
/// hipHostMallocMapped
pub(super) const HOST_MAPPED: c_uint = 2;
/// hipHostMallocNonCoherent
pub(super) const HOST_NON_COHERENT: c_uint = 0x8000_0000;

/// HIP_LAUNCH_PARAM_BUFFER_POINTER
pub(super) const LAUNCH_BUFFER: usize = 1;
/// HIP_LAUNCH_PARAM_BUFFER_SIZE
pub(super) const LAUNCH_BUFFER_SIZE: usize = 2;
/// HIP_LAUNCH_PARAM_END
pub(super) const LAUNCH_END: usize = 3;

/// What can be asked of a device: hipDeviceAttribute_t, whose numbers are the same from HIP 5 on.
#[derive(Clone, Copy, Debug)]
#[repr(u32)]
pub(super) enum Attribute {
    MaxBlockDimX = 26,
    MaxBlockDimY = 27,
    MaxBlockDimZ = 28,
    MaxGridDimX = 29,
    MaxGridDimY = 30,
    MaxGridDimZ = 31,
    MaxThreadsPerBlock = 56,
    MultiprocessorCount = 63,
    MaxSharedMemoryPerBlock = 74,
    WarpSize = 87,
}

/// Room for hipDeviceProp_t of any version. Only the name of the architecture is read: the rest is asked by
/// attribute, since this struct changed with HIP 6.
#[repr(C, align(8))]
pub(super) struct Properties([u8; Properties::BYTES]);

impl Properties {
    pub(super) const BYTES: usize = 4096;
    /// Where `gcnArchName` is before HIP 6.
    pub(super) const ARCH_LEGACY: usize = 396;
    /// Where `gcnArchName` is in hipDeviceProp_tR0600, from HIP 6 on.
    pub(super) const ARCH_R0600: usize = 1160;
    /// How long it is.
    pub(super) const ARCH_BYTES: usize = 256;

    /// The text at `offset`.
    fn text(&self, offset: usize) -> String {
        let bytes = &self.0[offset..offset + Self::ARCH_BYTES];
        let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
        String::from_utf8_lossy(&bytes[..end]).into_owned()
    }
}

/// Passes HIP's functions that return `hipError_t` to `$then`. They are a list by themselves, so that the check against
/// HIP's headers goes through the same.
macro_rules! hip_functions {
    ($then:ident) => {
        $then! {
            /// The library's functions.
            Api {
                hipInit(flags: c_uint);
                hipGetDeviceCount(count: *mut c_int);
                hipDeviceGetName(name: *mut c_char, length: c_int, device: c_int);
                hipDeviceTotalMem(bytes: *mut usize, device: c_int);
                hipDeviceGetAttribute(value: *mut c_int, attribute: Attribute, device: c_int);
                hipSetDevice(device: c_int);
                hipStreamCreateWithFlags(stream: *mut Stream, flags: c_uint);
                hipStreamSynchronize(stream: Stream);
                hipEventCreateWithFlags(event: *mut Event, flags: c_uint);
                hipEventRecord(event: Event, stream: Stream);
                hipEventSynchronize(event: Event);
                hipMalloc(memory: *mut *mut c_void, bytes: usize);
                hipFree(memory: *mut c_void);
                hipMemGetInfo(free: *mut usize, total: *mut usize);
                hipHostMalloc(memory: *mut *mut c_void, bytes: usize, flags: c_uint);
                hipHostGetDevicePointer(address: *mut *mut c_void, memory: *mut c_void, flags: c_uint);
                hipMemsetAsync(memory: *mut c_void, byte: c_int, bytes: usize, stream: Stream);
                hipMemcpyHtoDAsync(to: *mut c_void, from: *mut c_void, bytes: usize, stream: Stream);
                hipMemcpyDtoHAsync(to: *mut c_void, from: *mut c_void, bytes: usize, stream: Stream);
                hipModuleLoadData(module: *mut Module, image: *const c_void);
                hipModuleGetFunction(function: *mut Function, module: Module, name: *const c_char);
                hipModuleLaunchKernel(function: Function, grid_x: c_uint, grid_y: c_uint, grid_z: c_uint,
                    block_x: c_uint, block_y: c_uint, block_z: c_uint, shared_bytes: c_uint, stream: Stream,
                    arguments: *mut *mut c_void, extra: *mut *mut c_void);
            }
        }
    };
}
#[cfg(all(test, feature = "check-hip-headers"))]
pub(super) use hip_functions;

hip_functions! { functions }

impl Api {
    /// The library, initialised.
    pub(super) fn open(library: Library) -> Result<Self, Error> {
        let api = Api::find(library).map_err(|missing| Error::NoDevice {
            kind: DeviceKind::Amd,
            reason: format!("the library has no `{missing}`: it is not HIP, or older than HIP 5"),
        })?;
        // SAFETY: 0 is the only flag.
        match unsafe { api.hipInit(0) } {
            Ok(()) => Ok(api),
            Err(Error::Driver { code: NO_DEVICE | INVALID_DEVICE, .. }) => Err(no_gpu()),
            Err(error) => Err(Error::NoDevice { kind: DeviceKind::Amd, reason: error.to_string() }),
        }
    }

    /// The number of GPUs, which is not 0.
    pub(super) fn count(&self) -> Result<c_int, Error> {
        let mut count = 0;
        // SAFETY: the library is initialised, and `count` can be written.
        match unsafe { self.hipGetDeviceCount(&mut count) } {
            Ok(()) if count > 0 => Ok(count),
            Ok(()) | Err(Error::Driver { code: NO_DEVICE, .. }) => Err(no_gpu()),
            Err(error) => Err(error),
        }
    }

    /// The architecture of a device with its features, as `gfx90a:sramecc+:xnack-`.
    pub(super) fn architecture(&self, device: c_int) -> Result<String, Error> {
        type GetProperties = unsafe extern "C" fn(*mut Properties, c_int) -> c_int;
        const LAYOUTS: [(&str, usize); 2] = [
            ("hipGetDevicePropertiesR0600", Properties::ARCH_R0600),
            ("hipGetDeviceProperties", Properties::ARCH_LEGACY),
        ];
        for (call, offset) in LAYOUTS {
            // SAFETY: the library's functions of these names have this type; they write a struct of their version,
            // which is shorter than `Properties`.
            let Ok(get) = (unsafe { self._library.get::<GetProperties>(call) }) else { continue };
            let mut properties = Properties([0; Properties::BYTES]);
            // SAFETY: as above.
            match unsafe { get(&mut properties, device) } {
                0 => return Ok(properties.text(offset)),
                code => return Err(self.failure(call, code)),
            }
        }
        let reason = "the HIP library has no `hipGetDeviceProperties`".into();
        Err(Error::NoDevice { kind: DeviceKind::Amd, reason })
    }

    /// The error that `code`, returned by `call`, means.
    #[cold]
    fn failure(&self, call: &'static str, code: c_int) -> Error {
        let (name, text) = (self.describe("hipGetErrorName", code), self.describe("hipGetErrorString", code));
        Error::Driver {
            call,
            code,
            name: name.unwrap_or_else(|| "hipError".into()),
            text: text.unwrap_or_else(|| "the library has no text for this code".into()),
            context: String::new(),
        }
    }

    /// What the function `describer` says of `code`.
    fn describe(&self, describer: &str, code: c_int) -> Option<String> {
        type Describer = unsafe extern "C" fn(c_int) -> *const c_char;
        // SAFETY: `hipGetErrorName` and `hipGetErrorString` have this type, but for the enum that stands for the code;
        // they take any code, and what they return is a string that lives as long as the library.
        unsafe {
            let text = self._library.get::<Describer>(describer).ok()?(code);
            (!text.is_null()).then(|| CStr::from_ptr(text).to_string_lossy().into_owned())
        }
    }
}

/// That there is no AMD GPU, with the reason as far as the system shows it.
fn no_gpu() -> Error {
    let device = "/dev/kfd";
    let reason = if no_permission(device) {
        format!(
            "the HIP library is installed, but this user may not open {device}: add the user to the group `render`"
        )
    } else if cfg!(target_os = "linux") && !std::path::Path::new(device).exists() {
        format!("the HIP library is installed, but the kernel offers no AMD GPU ({device} is not there)")
    } else {
        "the HIP library is installed, but finds no GPU that it may use (HIP_VISIBLE_DEVICES and \
         ROCR_VISIBLE_DEVICES hide some)"
            .into()
    };
    Error::NoDevice { kind: DeviceKind::Amd, reason }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_architecture_is_text_up_to_a_zero() {
        let mut properties = Properties([0; Properties::BYTES]);
        let name = b"gfx942:sramecc+:xnack-";
        properties.0[Properties::ARCH_R0600..][..name.len()].copy_from_slice(name);
        assert_eq!(properties.text(Properties::ARCH_R0600), "gfx942:sramecc+:xnack-");
        assert_eq!(properties.text(Properties::ARCH_LEGACY), "");
    }
}
