//! The functions that host code may call without naming them in the source: arithmetic that the machine does not have,
//! and moves of memory. Defined in Rust, so that they are there whatever the process links to, and mean what Rust means.

use std::ffi::CStr;

/// A table of functions under the names that LLVM calls them by.
macro_rules! runtime {
    ($(fn $name:ident($($arg:ident: $ty:ty),*) -> $result:ty $body:block)*) => {
        $(extern "C" fn $name($($arg: $ty),*) -> $result $body)*
        /// Each function's name and address.
        pub(super) fn symbols() -> Vec<(&'static CStr, usize)> {
            let mut symbols = vec![$((
                // A name in the source holds no zero.
                const { match CStr::from_bytes_with_nul(concat!(stringify!($name), "\0").as_bytes()) {
                    Ok(name) => name,
                    Err(_) => unreachable!(),
                } },
                ($name as extern "C" fn($($ty),*) -> $result) as usize,
            )),*];
            symbols.extend(memory::symbols());
            symbols
        }
    };
}

// Division by zero and `MIN / -1` have been ruled out by the kernel's own checks before.
runtime! {
    fn __divti3(a: i128, b: i128) -> i128 { a.checked_div(b).unwrap_or(0) }
    fn __udivti3(a: u128, b: u128) -> u128 { a.checked_div(b).unwrap_or(0) }
    fn __modti3(a: i128, b: i128) -> i128 { a.checked_rem(b).unwrap_or(0) }
    fn __umodti3(a: u128, b: u128) -> u128 { a.checked_rem(b).unwrap_or(0) }
    fn __multi3(a: i128, b: i128) -> i128 { a.wrapping_mul(b) }
    fn __ashlti3(a: i128, b: i32) -> i128 { a.wrapping_shl(b as u32) }
    fn __ashrti3(a: i128, b: i32) -> i128 { a.wrapping_shr(b as u32) }
    fn __lshrti3(a: u128, b: i32) -> u128 { a.wrapping_shr(b as u32) }

    fn __floattisf(a: i128) -> f32 { a as f32 }
    fn __floattidf(a: i128) -> f64 { a as f64 }
    fn __floatuntisf(a: u128) -> f32 { a as f32 }
    fn __floatuntidf(a: u128) -> f64 { a as f64 }
    fn __fixsfti(a: f32) -> i128 { a as i128 }
    fn __fixdfti(a: f64) -> i128 { a as i128 }
    fn __fixunssfti(a: f32) -> u128 { a as u128 }
    fn __fixunsdfti(a: f64) -> u128 { a as u128 }

    fn fmaf(a: f32, b: f32, c: f32) -> f32 { a.mul_add(b, c) }
    fn fma(a: f64, b: f64, c: f64) -> f64 { a.mul_add(b, c) }
    fn fmodf(a: f32, b: f32) -> f32 { a % b }
    fn fmod(a: f64, b: f64) -> f64 { a % b }
    fn sqrtf(a: f32) -> f32 { a.sqrt() }
    fn sqrt(a: f64) -> f64 { a.sqrt() }
    fn floorf(a: f32) -> f32 { a.floor() }
    fn floor(a: f64) -> f64 { a.floor() }
    fn ceilf(a: f32) -> f32 { a.ceil() }
    fn ceil(a: f64) -> f64 { a.ceil() }
    fn truncf(a: f32) -> f32 { a.trunc() }
    fn trunc(a: f64) -> f64 { a.trunc() }
    fn roundf(a: f32) -> f32 { a.round() }
    fn round(a: f64) -> f64 { a.round() }
    fn roundevenf(a: f32) -> f32 { a.round_ties_even() }
    fn roundeven(a: f64) -> f64 { a.round_ties_even() }
    fn rintf(a: f32) -> f32 { a.round_ties_even() }
    fn rint(a: f64) -> f64 { a.round_ties_even() }
    fn nearbyintf(a: f32) -> f32 { a.round_ties_even() }
    fn nearbyint(a: f64) -> f64 { a.round_ties_even() }
    fn fminf(a: f32, b: f32) -> f32 { a.min(b) }
    fn fmin(a: f64, b: f64) -> f64 { a.min(b) }
    fn fmaxf(a: f32, b: f32) -> f32 { a.max(b) }
    fn fmax(a: f64, b: f64) -> f64 { a.max(b) }
}

/// The C library's moves of memory. Functions of those names can't be defined here without taking their place in the
/// whole program, so these stand under names of their own; what they do compiles to the C library's.
mod memory {
    use std::ffi::{CStr, c_int, c_void};

    unsafe extern "C" fn copy(to: *mut c_void, from: *const c_void, size: usize) -> *mut c_void {
        // SAFETY: `memcpy`'s own contract, which LLVM keeps.
        unsafe { std::ptr::copy_nonoverlapping(from.cast::<u8>(), to.cast::<u8>(), size) };
        to
    }

    unsafe extern "C" fn move_bytes(to: *mut c_void, from: *const c_void, size: usize) -> *mut c_void {
        // SAFETY: `memmove`'s own contract, which LLVM keeps.
        unsafe { std::ptr::copy(from.cast::<u8>(), to.cast::<u8>(), size) };
        to
    }

    unsafe extern "C" fn set(to: *mut c_void, byte: c_int, size: usize) -> *mut c_void {
        // SAFETY: `memset`'s own contract, which LLVM keeps.
        unsafe { std::ptr::write_bytes(to.cast::<u8>(), byte as u8, size) };
        to
    }

    unsafe extern "C" fn compare(a: *const c_void, b: *const c_void, size: usize) -> c_int {
        // SAFETY: `memcmp`'s own contract, which LLVM keeps.
        let (a, b) = unsafe {
            (
                std::slice::from_raw_parts(a.cast::<u8>(), size),
                std::slice::from_raw_parts(b.cast::<u8>(), size),
            )
        };
        a.cmp(b) as c_int
    }

    type Copy = unsafe extern "C" fn(*mut c_void, *const c_void, usize) -> *mut c_void;
    type Set = unsafe extern "C" fn(*mut c_void, c_int, usize) -> *mut c_void;
    type Compare = unsafe extern "C" fn(*const c_void, *const c_void, usize) -> c_int;

    pub(super) fn symbols() -> [(&'static CStr, usize); 5] {
        [
            (c"memcpy", copy as Copy as usize),
            (c"memmove", move_bytes as Copy as usize),
            (c"memset", set as Set as usize),
            (c"memcmp", compare as Compare as usize),
            (c"bcmp", compare as Compare as usize),
        ]
    }
}
