//! HIP's error codes, as `hip_runtime_api.h` numbers them.

use crate::state;
use std::ffi::{CStr, c_char, c_int};

/// A call's outcome.
pub type Code = c_int;

macro_rules! errors {
    ($($name:ident = $code:literal, $text:literal;)*) => {
        $(#[doc = $text] #[allow(non_upper_case_globals)] pub const $name: Code = $code;)*

        /// A code's name and what it means.
        fn known(code: Code) -> Option<(&'static [u8], &'static [u8])> {
            match code {
                $($code => Some((
                    concat!(stringify!($name), "\0").as_bytes(),
                    concat!($text, "\0").as_bytes(),
                )),)*
                _ => None,
            }
        }
    };
}
errors! {
    hipSuccess = 0, "no error";
    hipErrorInvalidValue = 1, "invalid argument";
    hipErrorOutOfMemory = 2, "out of memory";
    hipErrorNotInitialized = 3, "initialization error";
    hipErrorInvalidConfiguration = 9, "invalid configuration argument";
    hipErrorInvalidSymbol = 13, "invalid device symbol";
    hipErrorInvalidDevicePointer = 17, "invalid device pointer";
    hipErrorInvalidDeviceFunction = 98, "invalid device function";
    hipErrorNoDevice = 100, "no ROCm-capable device is detected";
    hipErrorInvalidDevice = 101, "invalid device ordinal";
    hipErrorInvalidImage = 200, "device kernel image is invalid";
    hipErrorNoBinaryForGpu = 209, "no kernel image is available for execution on the device";
    hipErrorInvalidHandle = 400, "invalid resource handle";
    hipErrorNotFound = 500, "named symbol not found";
    hipErrorNotReady = 600, "device not ready";
    hipErrorIllegalAddress = 700, "an illegal memory access was encountered";
    hipErrorLaunchFailure = 719, "unspecified launch failure";
    hipErrorNotSupported = 801, "operation not supported";
    hipErrorUnknown = 999, "unknown error";
}

/// The name of an error.
#[unsafe(no_mangle)]
pub extern "C" fn hipGetErrorName(code: Code) -> *const c_char {
    text(known(code).map_or(b"hipErrorUnknown\0", |(name, _)| name))
}

/// What an error means.
#[unsafe(no_mangle)]
pub extern "C" fn hipGetErrorString(code: Code) -> *const c_char {
    text(known(code).map_or(b"unknown error\0", |(_, text)| text))
}

fn text(bytes: &'static [u8]) -> *const c_char {
    CStr::from_bytes_with_nul(bytes).unwrap_or_default().as_ptr()
}

/// The last error of this thread's calls, which is forgotten.
#[unsafe(no_mangle)]
pub extern "C" fn hipGetLastError() -> Code {
    state::take_last()
}

/// The last error of this thread's calls.
#[unsafe(no_mangle)]
pub extern "C" fn hipPeekAtLastError() -> Code {
    state::last()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_have_names_and_texts() {
        for (code, name, meaning) in [
            (0, c"hipSuccess", c"no error"),
            (700, c"hipErrorIllegalAddress", c"an illegal memory access was encountered"),
            (12345, c"hipErrorUnknown", c"unknown error"),
        ] {
            // SAFETY: both are strings that live for ever.
            unsafe {
                assert_eq!(CStr::from_ptr(hipGetErrorName(code)), name);
                assert_eq!(CStr::from_ptr(hipGetErrorString(code)), meaning);
            }
        }
    }
}
