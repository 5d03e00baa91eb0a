//! Instructions as text.

use super::elf::Function;
use crate::{Error, llvm, machine};
use llvm_sys::disassembler::{
    LLVMCreateDisasmCPUFeatures, LLVMDisasmContextRef, LLVMDisasmDispose, LLVMDisasmInstruction,
};
use std::ffi::{CStr, CString};
use std::fmt;
use std::ptr;
use wavewright_kernel_ir::target::Target;

/// Bytes that are no instruction are shown by as many at a time.
const WORD: usize = 4;

/// The instructions of a kernel, in the order of their addresses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Disassembly {
    /// The instructions.
    pub instructions: Vec<Instruction>,
}

/// An instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instruction {
    /// Where it stands, counted from the kernel's first.
    pub offset: u64,
    /// How long it is, in bytes.
    pub size: u64,
    /// What it is, as the vendor writes it: `v_fma_f32 v0, v1, v2, v3`. Bytes that are no instruction are
    /// `.long 0x…`.
    pub text: String,
}

impl Instruction {
    /// Its name: `v_fma_f32`.
    pub fn mnemonic(&self) -> &str {
        self.text.split_whitespace().next().unwrap_or_default()
    }
}

impl fmt::Display for Disassembly {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for instruction in &self.instructions {
            writeln!(f, "{:6x}:  {}", instruction.offset, instruction.text)?;
        }
        Ok(())
    }
}

impl Disassembly {
    pub(super) fn of(function: &Function, target: &Target) -> Result<Self, Error> {
        let disassembler = Disassembler::create(target)?;
        let mut code = function.code.to_vec();
        let mut instructions = Vec::new();
        let mut offset = 0;
        while offset < code.len() {
            let rest = &mut code[offset..];
            let (size, text) = disassembler.first(rest, function.address + offset as u64);
            let size = if size == 0 { WORD.min(rest.len()) } else { size };
            let text = text.unwrap_or_else(|| data(&rest[..size]));
            instructions.push(Instruction { offset: offset as u64, size: size as u64, text });
            offset += size;
        }
        Ok(Self { instructions })
    }
}

/// Bytes as a directive.
fn data(bytes: &[u8]) -> String {
    match bytes.try_into() {
        Ok(word) => format!(".long {:#010x}", u32::from_le_bytes(word)),
        Err(_) => {
            let bytes: Vec<String> = bytes.iter().map(|byte| format!("{byte:#04x}")).collect();
            format!(".byte {}", bytes.join(", "))
        }
    }
}

/// LLVM's disassembler for a target: the bytes of an instruction as text.
pub struct Disassembler(LLVMDisasmContextRef);

impl Disassembler {
    /// That of a target.
    ///
    /// # Errors
    ///
    /// When the library is not the LLVM that is needed, or has no disassembler for the target.
    pub fn create(target: &Target) -> Result<Self, Error> {
        llvm::initialise(target)?;
        let refused = |message: &str| Error::Target { target: target.to_string(), message: message.into() };
        let (processor, features) = machine::processor(target);
        let texts = [machine::triple(target).as_str().to_string_lossy().into_owned(), processor, features];
        let [triple, processor, features] = texts.map(CString::new);
        let (Ok(triple), Ok(processor), Ok(features)) = (triple, processor, features) else {
            return Err(refused("its name holds a zero"));
        };
        // SAFETY: the strings end with zeros and are copied; without callbacks there is nothing to pass to them.
        let context = unsafe {
            LLVMCreateDisasmCPUFeatures(
                triple.as_ptr(),
                processor.as_ptr(),
                features.as_ptr(),
                ptr::null_mut(),
                0,
                None,
                None,
            )
        };
        if context.is_null() { Err(refused("LLVM has no disassembler for it")) } else { Ok(Self(context)) }
    }

    /// The length and text of the instruction that `code` starts with; 0 and none if it is no instruction.
    pub fn first(&self, code: &mut [u8], address: u64) -> (usize, Option<String>) {
        let mut text = [0u8; 512];
        // SAFETY: both buffers are as long as is said; LLVM reads the one (it is `mut` in C only for want of `const`)
        // and writes a string that ends with a zero into the other, cutting it if need be.
        let size = unsafe {
            LLVMDisasmInstruction(
                self.0,
                code.as_mut_ptr(),
                code.len() as u64,
                address,
                text.as_mut_ptr().cast(),
                text.len(),
            )
        };
        let text = CStr::from_bytes_until_nul(&text).unwrap_or_default().to_string_lossy();
        let words: Vec<&str> = text.split_whitespace().collect();
        (size, (size > 0).then(|| words.join(" ")))
    }
}

impl Drop for Disassembler {
    fn drop(&mut self) {
        // SAFETY: the context was made by `create` and is disposed of once.
        unsafe { LLVMDisasmDispose(self.0) };
    }
}
