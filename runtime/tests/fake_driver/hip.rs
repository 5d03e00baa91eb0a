//! AMD's names for it. Attributes are numbered as in `hip_runtime_api.h`.

use super::*;

#[unsafe(no_mangle)]
pub unsafe extern "C" fn hipInit(_: c_uint) -> c_int {
    0
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn hipGetDeviceCount(count: *mut c_int) -> c_int {
    unsafe { give(count, Ok(1)) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn hipDeviceGetName(name: *mut c_char, length: c_int, _: c_int) -> c_int {
    unsafe { say(c"Pretended AMD", name, length as usize) };
    0
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn hipDeviceTotalMem(bytes: *mut usize, _: c_int) -> c_int {
    unsafe { give(bytes, Ok(1usize << 30)) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn hipDeviceGetAttribute(value: *mut c_int, attribute: c_int, _: c_int) -> c_int {
    let answer = match attribute {
        26..=28 | 56 => 1024,
        29 => i32::MAX,
        30 | 31 => 65535,
        63 => 304,
        74 => 65536,
        87 => 64,
        _ => return INVALID_VALUE,
    };
    unsafe { give(value, Ok(answer)) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn hipGetDevicePropertiesR0600(properties: *mut u8, _: c_int) -> c_int {
    unsafe {
        properties.write_bytes(0xff, 1472);
        say(c"gfx90a:sramecc+:xnack-", properties.add(1160).cast(), 256);
    }
    0
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn hipGetDeviceProperties(properties: *mut u8, _: c_int) -> c_int {
    unsafe {
        properties.write_bytes(0xff, 792);
        say(c"gfx906:sramecc+:xnack-", properties.add(396).cast(), 256);
    }
    0
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn hipSetDevice(device: c_int) -> c_int {
    if device == 0 { 0 } else { INVALID_VALUE }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn hipStreamCreateWithFlags(stream: *mut usize, _: c_uint) -> c_int {
    unsafe { give(stream, Ok(2usize)) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn hipStreamSynchronize(_: usize) -> c_int {
    gpu().wait()
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn hipEventCreateWithFlags(event: *mut usize, _: c_uint) -> c_int {
    unsafe { give(event, Ok(3usize)) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn hipEventRecord(_: usize, _: usize) -> c_int {
    0
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn hipEventSynchronize(_: usize) -> c_int {
    gpu().wait()
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn hipMalloc(address: *mut usize, bytes: usize) -> c_int {
    unsafe { give(address, gpu().allocate(bytes)) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn hipFree(address: usize) -> c_int {
    gpu().run(Work::Free(address));
    0
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn hipMemGetInfo(free: *mut usize, total: *mut usize) -> c_int {
    unsafe { give(free, Ok(1000usize)) + give(total, Ok(1usize << 30)) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn hipHostMalloc(memory: *mut usize, bytes: usize, _: c_uint) -> c_int {
    unsafe { give(memory, gpu().allocate(bytes)) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn hipHostGetDevicePointer(address: *mut usize, memory: usize, _: c_uint) -> c_int {
    unsafe { give(address, Ok(memory)) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn hipMemsetAsync(address: usize, byte: c_int, bytes: usize, _: usize) -> c_int {
    gpu().push(Work::Fill(address, byte as u8, bytes))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn hipMemcpyHtoDAsync(to: usize, from: usize, bytes: usize, _: usize) -> c_int {
    gpu().push(Work::Copy { to, from, bytes })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn hipMemcpyDtoHAsync(to: usize, from: usize, bytes: usize, _: usize) -> c_int {
    gpu().push(Work::Copy { to, from, bytes })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn hipModuleLoadData(module: *mut usize, image: *const c_char) -> c_int {
    let text = unsafe { std::slice::from_raw_parts(image.cast::<u8>(), 4) };
    let image = if text == b"\x7fELF" { Ok(5usize) } else { Err(INVALID_IMAGE) };
    unsafe { give(module, image) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn hipModuleGetFunction(function: *mut usize, _: usize, name: *const c_char) -> c_int {
    unsafe { give(function, gpu().kernel(CStr::from_ptr(name))) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn hipModuleLaunchKernel(
    function: usize,
    _: c_uint,
    _: c_uint,
    _: c_uint,
    _: c_uint,
    _: c_uint,
    _: c_uint,
    _: c_uint,
    _: usize,
    _: *const usize,
    extra: *const usize,
) -> c_int {
    let extra = unsafe { extra.cast::<[usize; 5]>().read() };
    assert!(extra[0] == 1 && extra[2] == 2 && extra[4] == 3, "a buffer and its size");
    let size = unsafe { at::<usize>(extra[3]).read() };
    gpu().launch(function, |place| {
        assert!(place.offset < size);
        extra[1] + place.offset
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn hipGetErrorName(code: c_int) -> *const c_char {
    unsafe { name(code, 1) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn hipGetErrorString(code: c_int) -> *const c_char {
    text(code)
}
