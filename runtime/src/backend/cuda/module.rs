//! A kernel's code in an NVIDIA GPU.

use super::Cuda;
use super::api::sys;
use crate::Error;
use std::ffi::{CString, c_void};
use sys::CUjit_option as JitOption;
use wavewright_kernel_ir::code_object::{CodeObject, Format};

/// A kernel's code, loaded. It stays as long as the process lives.
pub(crate) struct Module {
    pub(super) function: sys::CUfunction,
    /// Where each argument is among all of them.
    pub(super) offsets: Box<[u32]>,
}

// SAFETY: the driver's handles may be used from any thread.
unsafe impl Send for Module {}
// SAFETY: and by several at a time.
unsafe impl Sync for Module {}

/// Room for what the driver's compiler says of PTX that it refuses.
const LOG_BYTES: usize = 16 << 10;

impl Module {
    pub(super) fn load(cuda: &Cuda, code: &CodeObject) -> Result<Self, Error> {
        let refuse = |message| Error::Load { kernel: code.name.clone(), device: cuda.name.clone(), message };
        if code.format != Format::Ptx {
            return Err(refuse(format!("it is for `{}`, and this device takes PTX", code.target)));
        }
        let symbol = CString::new(code.symbol.as_str()).map_err(|error| refuse(error.to_string()))?;
        let image = CString::new(code.bytes.as_slice()).map_err(|error| refuse(error.to_string()))?;
        let api = cuda.enter()?;
        let (mut module, mut function) = (std::ptr::null_mut(), std::ptr::null_mut());
        let mut log = vec![0u8; LOG_BYTES];
        let mut options = [JitOption::CU_JIT_ERROR_LOG_BUFFER, JitOption::CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES];
        let mut values = [log.as_mut_ptr().cast::<c_void>(), std::ptr::without_provenance_mut(LOG_BYTES)];
        // SAFETY: the image ends with a zero, as text must; options and values are two each; the log is as long as is
        // said.
        let loaded = unsafe {
            api.cuModuleLoadDataEx(
                &mut module,
                image.as_ptr().cast(),
                2,
                options.as_mut_ptr(),
                values.as_mut_ptr(),
            )
        };
        loaded.map_err(|error| refuse(explain(cuda, &error, code, &log)))?;
        // SAFETY: the module is loaded, and the name ends with a zero.
        unsafe { api.cuModuleGetFunction(&mut function, module, symbol.as_ptr()) }
            .map_err(|error| refuse(error.to_string()))?;
        let offsets = code.abi.arguments.iter().map(|argument| argument.offset as u32).collect();
        Ok(Self { function, offsets })
    }
}

/// Why the driver refuses PTX, and what to do about it.
fn explain(cuda: &Cuda, error: &Error, code: &CodeObject, log: &[u8]) -> String {
    let text = String::from_utf8_lossy(log);
    let text = text.trim_end_matches('\0').trim();
    let too_new = sys::CUresult::CUDA_ERROR_UNSUPPORTED_PTX_VERSION as i32;
    let advice = match error {
        Error::Driver { code: number, .. } if *number == too_new => too_old(cuda, code),
        _ => String::new(),
    };
    let log = if text.is_empty() { String::new() } else { format!("\n{text}") };
    format!("{error}{advice}{log}")
}

/// That the driver is older than the PTX.
fn too_old(cuda: &Cuda, code: &CodeObject) -> String {
    let mut version = 0;
    // SAFETY: the version can be written.
    let known = unsafe { cuda.api.cuDriverGetVersion(&mut version) }.is_ok();
    let driver =
        if known { format!(" (CUDA {}.{})", version / 1000, version % 1000 / 10) } else { String::new() };
    let ptx = ptx_version(&code.bytes).map(|version| format!(" {version}")).unwrap_or_default();
    format!("; the code is PTX{ptx}, which this driver{driver} is too old for: update NVIDIA's driver")
}

/// The version that a PTX text says it has.
fn ptx_version(ptx: &[u8]) -> Option<&str> {
    let text = std::str::from_utf8(ptx).ok()?;
    text.lines().find_map(|line| line.trim().strip_prefix(".version")).map(str::trim)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_of_ptx_is_read_from_its_text() {
        assert_eq!(ptx_version(b"//\n// a comment\n.version 7.8\n.target sm_90\n"), Some("7.8"));
        assert_eq!(ptx_version(b"no ptx"), None);
        assert_eq!(ptx_version(b"\xff\xfe"), None);
    }
}
