//! LLVM's disassembler, which turns the bytes of an instruction into its text.

use llvm_sys::disassembler::{
    LLVMCreateDisasmCPUFeatures, LLVMDisasmContextRef, LLVMDisasmDispose, LLVMDisasmInstruction,
};
use llvm_sys::target::{
    LLVMInitializeAMDGPUTarget, LLVMInitializeAMDGPUTargetInfo, LLVMInitializeAMDGPUTargetMC,
};
use std::ffi::{CStr, CString};
use std::sync::Once;
// Links LLVM.
use wavewright_codegen as _;

unsafe extern "C" {
    /// Part of LLVM's C interface that the bindings leave out.
    fn LLVMInitializeAMDGPUDisassembler();
}

fn initialise() {
    static ONCE: Once = Once::new();
    // SAFETY: each makes a target known, which may happen again and at any time.
    ONCE.call_once(|| unsafe {
        LLVMInitializeAMDGPUTargetInfo();
        LLVMInitializeAMDGPUTarget();
        LLVMInitializeAMDGPUTargetMC();
        LLVMInitializeAMDGPUDisassembler();
    });
}

/// A disassembler for one architecture and wave size.
pub(crate) struct Disassembler(LLVMDisasmContextRef);

impl Disassembler {
    /// None where LLVM has none for it.
    pub(crate) fn new(processor: &str, wave32: bool, has_both: bool) -> Option<Self> {
        initialise();
        let features = match (has_both, wave32) {
            (false, _) => "",
            (true, true) => "+wavefrontsize32",
            (true, false) => "+wavefrontsize64",
        };
        let [triple, processor, features] = ["amdgcn-amd-amdhsa", processor, features].map(CString::new);
        let (triple, processor, features) = (triple.ok()?, processor.ok()?, features.ok()?);
        let none = std::ptr::null_mut();
        // SAFETY: the strings end with zeros and are copied; without callbacks there is nothing to pass to them.
        let context = unsafe {
            LLVMCreateDisasmCPUFeatures(
                triple.as_ptr(),
                processor.as_ptr(),
                features.as_ptr(),
                none,
                0,
                None,
                None,
            )
        };
        (!context.is_null()).then_some(Self(context))
    }

    /// The length and text of the instruction that `code` starts with; none if it is no instruction.
    pub(crate) fn first(&self, code: &mut [u8], address: u64) -> Option<(usize, String)> {
        let mut text = [0u8; 512];
        let room = text.len();
        // SAFETY: both buffers are as long as is said; LLVM reads the one (it is `mut` in C only for want of `const`)
        // and writes a string that ends with a zero into the other, cutting it if need be.
        let size = unsafe {
            LLVMDisasmInstruction(
                self.0,
                code.as_mut_ptr(),
                code.len() as u64,
                address,
                text.as_mut_ptr().cast(),
                room,
            )
        };
        let text = CStr::from_bytes_until_nul(&text).ok()?.to_string_lossy();
        let words: Vec<&str> = text.split_whitespace().collect();
        (size > 0).then(|| (size, words.join(" ")))
    }
}

impl Drop for Disassembler {
    fn drop(&mut self) {
        // SAFETY: the context was made by `new` and is disposed of once.
        unsafe { LLVMDisasmDispose(self.0) };
    }
}
