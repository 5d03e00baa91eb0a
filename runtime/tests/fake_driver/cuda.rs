//! NVIDIA's names for it. Attributes are numbered as in `cuda.h`.

use super::*;

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuInit(_: c_uint) -> c_int {
    0
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuDriverGetVersion(version: *mut c_int) -> c_int {
    unsafe { give(version, Ok(12040)) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuDeviceGetCount(count: *mut c_int) -> c_int {
    unsafe { give(count, Ok(1)) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuDeviceGet(device: *mut c_int, ordinal: c_int) -> c_int {
    unsafe { give(device, Ok(ordinal)) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuDeviceGetName(name: *mut c_char, length: c_int, _: c_int) -> c_int {
    unsafe { say(c"Pretended NVIDIA", name, length as usize) };
    0
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuDeviceTotalMem_v2(bytes: *mut usize, _: c_int) -> c_int {
    unsafe { give(bytes, Ok(1usize << 30)) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuDeviceGetAttribute(value: *mut c_int, attribute: c_int, _: c_int) -> c_int {
    let answer = match attribute {
        1..=3 => 1024,
        4 => 64,
        5 => i32::MAX,
        6 | 7 => 65535,
        8 => 49152,
        10 => 32,
        16 => 132,
        75 => 9,
        76 => 0,
        115 => std::env::var_os("PRETEND_NO_POOLS").is_none().into(),
        _ => return INVALID_VALUE,
    };
    unsafe { give(value, Ok(answer)) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuDevicePrimaryCtxRetain(context: *mut usize, _: c_int) -> c_int {
    unsafe { give(context, Ok(1usize)) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuCtxSetCurrent(context: usize) -> c_int {
    if context == 1 { 0 } else { INVALID_VALUE }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuStreamCreate(stream: *mut usize, _: c_uint) -> c_int {
    unsafe { give(stream, Ok(2usize)) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuStreamSynchronize(_: usize) -> c_int {
    gpu().wait()
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuEventCreate(event: *mut usize, _: c_uint) -> c_int {
    unsafe { give(event, Ok(3usize)) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuEventRecord(_: usize, _: usize) -> c_int {
    0
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuEventSynchronize(_: usize) -> c_int {
    gpu().wait()
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuMemPoolCreate(pool: *mut usize, _: *const c_void) -> c_int {
    unsafe { give(pool, Ok(4usize)) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuMemPoolSetAttribute(_: usize, _: c_int, _: *mut c_void) -> c_int {
    0
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuMemAllocFromPoolAsync(address: *mut usize, bytes: usize, _: usize, _: usize) -> c_int {
    unsafe { give(address, gpu().allocate(bytes)) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuMemFreeAsync(address: usize, _: usize) -> c_int {
    gpu().push(Work::Free(address))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuMemAlloc_v2(address: *mut usize, bytes: usize) -> c_int {
    unsafe { give(address, gpu().allocate(bytes)) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuMemFree_v2(address: usize) -> c_int {
    gpu().run(Work::Free(address));
    0
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuMemGetInfo_v2(free: *mut usize, total: *mut usize) -> c_int {
    unsafe { give(free, Ok(1000usize)) + give(total, Ok(1usize << 30)) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuMemHostAlloc(memory: *mut usize, bytes: usize, _: c_uint) -> c_int {
    unsafe { give(memory, gpu().allocate(bytes)) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuMemHostGetDevicePointer_v2(address: *mut usize, memory: usize, _: c_uint) -> c_int {
    unsafe { give(address, Ok(memory)) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuMemsetD8Async(address: usize, byte: u8, bytes: usize, _: usize) -> c_int {
    gpu().push(Work::Fill(address, byte, bytes))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuMemcpyHtoDAsync_v2(to: usize, from: usize, bytes: usize, _: usize) -> c_int {
    gpu().push(Work::Copy { to, from, bytes })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuMemcpyDtoHAsync_v2(to: usize, from: usize, bytes: usize, _: usize) -> c_int {
    gpu().push(Work::Copy { to, from, bytes })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuModuleLoadDataEx(
    module: *mut usize,
    image: *const c_char,
    count: c_uint,
    options: *const c_int,
    values: *const usize,
) -> c_int {
    let text = unsafe { CStr::from_ptr(image) }.to_str().unwrap();
    let logged = unsafe { count == 2 && options.read() == 5 && options.add(1).read() == 6 };
    assert!(logged, "the log is asked for");
    if text.contains(".version 9.9") {
        let (log, room) = unsafe { (at(values.read()), values.add(1).read()) };
        unsafe { say(c"ptxas fatal : Unsupported .version 9.9; current version is '8.4'", log, room) };
        return TOO_NEW;
    }
    unsafe { give(module, Ok(5usize)) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuModuleGetFunction(function: *mut usize, _: usize, name: *const c_char) -> c_int {
    unsafe { give(function, gpu().kernel(CStr::from_ptr(name))) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuLaunchKernel(
    function: usize,
    _: c_uint,
    _: c_uint,
    _: c_uint,
    _: c_uint,
    _: c_uint,
    _: c_uint,
    _: c_uint,
    _: usize,
    arguments: *const usize,
    _: *const usize,
) -> c_int {
    gpu().launch(function, |place| unsafe { arguments.add(place.number).read() })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuGetErrorName(code: c_int, text: *mut *const c_char) -> c_int {
    unsafe { give(text, Ok(name(code, 0))) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuGetErrorString(code: c_int, to: *mut *const c_char) -> c_int {
    unsafe { give(to, Ok(text(code))) }
}
