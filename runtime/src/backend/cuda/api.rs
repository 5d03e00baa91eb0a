//! The functions of NVIDIA's driver that are used, with `cudarc`'s types.
//!
//! Each is looked up when the driver is loaded, so that a driver which lacks one is an error rather than a panic
//! later, and returns a plain number, so that a code which is newer than `cudarc` is a number rather than an enum
//! without a name for it. That the types of the arguments are those of `cudarc` is checked when this is compiled.

use crate::backend::library::{Wanted, functions, no_permission};
use crate::{DeviceKind, Error};
pub(super) use cudarc::driver::sys;
use libloading::Library;
use std::ffi::{CStr, c_char, c_int, c_uchar, c_uint, c_void};
use sys::{
    CUcontext, CUdevice, CUdevice_attribute, CUdeviceptr, CUevent, CUfunction, CUjit_option,
    CUmemPool_attribute, CUmemPoolProps, CUmemoryPool, CUmodule, CUresult, CUstream,
};

pub(super) const WANTED: Wanted = Wanted {
    kind: DeviceKind::Nvidia,
    variable: "WAVEWRIGHT_CUDA",
    names: if cfg!(windows) { &["nvcuda.dll"] } else { &["libcuda.so.1", "libcuda.so"] },
    advice: "Install NVIDIA's driver",
};

macro_rules! checked_functions {
    ($(#[$doc:meta])* $table:ident { $($name:ident($($argument:ident: $ty:ty),* $(,)?);)* }) => {
        functions! { $(#[$doc])* $table { $($name($($argument: $ty),*);)* } }
        $(const _: unsafe fn($($ty),*) -> CUresult = sys::$name;)*
    };
}

checked_functions! {
    /// The driver's functions.
    Api {
        cuInit(flags: c_uint);
        cuDriverGetVersion(version: *mut c_int);
        cuDeviceGetCount(count: *mut c_int);
        cuDeviceGet(device: *mut CUdevice, ordinal: c_int);
        cuDeviceGetName(name: *mut c_char, length: c_int, device: CUdevice);
        cuDeviceTotalMem_v2(bytes: *mut usize, device: CUdevice);
        cuDeviceGetAttribute(value: *mut c_int, attribute: CUdevice_attribute, device: CUdevice);
        cuDevicePrimaryCtxRetain(context: *mut CUcontext, device: CUdevice);
        cuCtxSetCurrent(context: CUcontext);
        cuStreamCreate(stream: *mut CUstream, flags: c_uint);
        cuStreamSynchronize(stream: CUstream);
        cuEventCreate(event: *mut CUevent, flags: c_uint);
        cuEventRecord(event: CUevent, stream: CUstream);
        cuEventSynchronize(event: CUevent);
        cuMemPoolCreate(pool: *mut CUmemoryPool, properties: *const CUmemPoolProps);
        cuMemPoolSetAttribute(pool: CUmemoryPool, attribute: CUmemPool_attribute, value: *mut c_void);
        cuMemAllocFromPoolAsync(address: *mut CUdeviceptr, bytes: usize, pool: CUmemoryPool, stream: CUstream);
        cuMemFreeAsync(address: CUdeviceptr, stream: CUstream);
        cuMemAlloc_v2(address: *mut CUdeviceptr, bytes: usize);
        cuMemFree_v2(address: CUdeviceptr);
        cuMemGetInfo_v2(free: *mut usize, total: *mut usize);
        cuMemHostAlloc(memory: *mut *mut c_void, bytes: usize, flags: c_uint);
        cuMemHostGetDevicePointer_v2(address: *mut CUdeviceptr, memory: *mut c_void, flags: c_uint);
        cuMemsetD8Async(address: CUdeviceptr, byte: c_uchar, bytes: usize, stream: CUstream);
        cuMemcpyHtoDAsync_v2(to: CUdeviceptr, from: *const c_void, bytes: usize, stream: CUstream);
        cuMemcpyDtoHAsync_v2(to: *mut c_void, from: CUdeviceptr, bytes: usize, stream: CUstream);
        cuModuleLoadDataEx(module: *mut CUmodule, image: *const c_void, count: c_uint,
            options: *mut CUjit_option, values: *mut *mut c_void);
        cuModuleGetFunction(function: *mut CUfunction, module: CUmodule, name: *const c_char);
        cuLaunchKernel(function: CUfunction, grid_x: c_uint, grid_y: c_uint, grid_z: c_uint,
            block_x: c_uint, block_y: c_uint, block_z: c_uint, shared_bytes: c_uint, stream: CUstream,
            arguments: *mut *mut c_void, extra: *mut *mut c_void);
    }
}

impl Api {
    /// The driver, initialised.
    pub(super) fn open(library: Library) -> Result<Self, Error> {
        let no_device = |reason| Error::NoDevice { kind: DeviceKind::Nvidia, reason };
        let api = Api::find(library).map_err(|missing| {
            no_device(format!(
                "the library has no `{missing}`: it is not NVIDIA's driver, or older than CUDA 11.2"
            ))
        })?;
        // SAFETY: 0 is the only flag.
        match unsafe { api.cuInit(0) } {
            Ok(()) => Ok(api),
            Err(_) if no_permission("/dev/nvidiactl") => {
                Err(no_device("the driver is installed, but this user may not open /dev/nvidiactl".into()))
            }
            Err(Error::Driver { code, .. }) if code == CUresult::CUDA_ERROR_NO_DEVICE as i32 => Err(no_device(
                "the driver is installed, but finds no GPU that it may use (CUDA_VISIBLE_DEVICES hides some)".into(),
            )),
            Err(error) => Err(no_device(error.to_string())),
        }
    }

    /// The error that `code`, returned by `call`, means.
    #[cold]
    fn failure(&self, call: &'static str, code: c_int) -> Error {
        let (name, text) = (self.describe("cuGetErrorName", code), self.describe("cuGetErrorString", code));
        Error::Driver {
            call,
            code,
            name: name.unwrap_or_else(|| "CUDA_ERROR".into()),
            text: text.unwrap_or_else(|| "the driver has no name for this code".into()),
            context: String::new(),
        }
    }

    /// What the function `describer` says of `code`.
    fn describe(&self, describer: &str, code: c_int) -> Option<String> {
        type Describer = unsafe extern "C" fn(c_int, *mut *const c_char) -> c_int;
        let mut text = std::ptr::null();
        // SAFETY: `cuGetErrorName` and `cuGetErrorString` have this type, but for the enum that stands for the code;
        // they take any code, and what they return is a string that lives as long as the library.
        unsafe {
            let describer = self._library.get::<Describer>(describer).ok()?;
            let known = describer(code, &mut text) == 0 && !text.is_null();
            known.then(|| CStr::from_ptr(text).to_string_lossy().into_owned())
        }
    }
}
