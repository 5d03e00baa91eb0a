//! From LLVM IR to assembly and objects. Both use the module up: LLVM changes it while it generates code.

use inkwell::module::Module;
use inkwell::targets::{FileType, TargetMachine};

/// The assembly of `module`; PTX for NVIDIA.
pub(crate) fn assembly(module: Module, machine: &TargetMachine) -> Result<String, String> {
    let bytes = emit(module, machine, FileType::Assembly)?;
    String::from_utf8(bytes).map_err(|error| format!("LLVM wrote assembly that is not text: {error}"))
}

/// The object of `module`.
pub(crate) fn object(module: Module, machine: &TargetMachine) -> Result<Vec<u8>, String> {
    emit(module, machine, FileType::Object)
}

fn emit(module: Module, machine: &TargetMachine, kind: FileType) -> Result<Vec<u8>, String> {
    let buffer = machine.write_to_memory_buffer(&module, kind).map_err(|message| message.to_string())?;
    Ok(buffer.as_slice().to_vec())
}
