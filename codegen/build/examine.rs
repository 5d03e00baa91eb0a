//! Whether a shared library is an LLVM that serves: apart from `build.rs` so that tests can ask it too.

use crate::discover::VERSION;
use std::path::Path;

/// Loads the library and asks for its version and for the targets that we generate code for; `processor` is the host's.
pub fn examine(library: &Path, processor: &str) -> Result<(), String> {
    // SAFETY: loading LLVM runs the constructors of its global variables, which touch nothing outside it.
    let llvm =
        unsafe { libloading::Library::new(library) }.map_err(|error| format!("it does not load: {error}"))?;
    type GetVersion = unsafe extern "C" fn(*mut u32, *mut u32, *mut u32);
    // SAFETY: this is the signature of LLVMGetVersion in every LLVM that has it.
    let get_version = unsafe { llvm.get::<GetVersion>(b"LLVMGetVersion\0") }
        .map_err(|_| "it does not export LLVM's C interface".to_string())?;
    let mut version = [0u32; 3];
    let [major, minor, patch] = &mut version;
    // SAFETY: each pointer is to a variable of its own.
    unsafe { get_version(major, minor, patch) };
    if version[0] != VERSION {
        return Err(format!("it is LLVM {}.{}.{}", version[0], version[1], version[2]));
    }
    let host = match processor {
        "aarch64" => "LLVMInitializeAArch64Target",
        _ => "LLVMInitializeX86Target",
    };
    let needed = [
        "LLVMInitializeAMDGPUTarget",
        "LLVMInitializeAMDGPUDisassembler",
        "LLVMInitializeNVPTXTarget",
        host,
        "LLVMOrcCreateLLJIT",
    ];
    // SAFETY: the symbols are looked up, not called.
    let missing: Vec<&str> = needed
        .into_iter()
        .filter(|name| unsafe { llvm.get::<unsafe extern "C" fn()>(name.as_bytes()) }.is_err())
        .collect();
    // LLVM does not like to be unloaded, and this process ends soon.
    std::mem::forget(llvm);
    if missing.is_empty() {
        return Ok(());
    }
    Err(format!("it was built without what is needed here: {} missing", missing.join(", ")))
}
