//! The way to the compiler, if this crate was built with it.

use crate::Error;
use wavewright_kernel_ir::code_object::CodeObject;
use wavewright_kernel_ir::target::Target;
use wavewright_kernel_ir::typed::Program;

/// Compiles `program` for blocks of `block`.
#[cfg(feature = "jit")]
pub(crate) fn compile(program: &Program, target: &Target, block: [u32; 3]) -> Result<CodeObject, Error> {
    use wavewright_codegen::{Optimisation, Options};
    let options = Options { block: Some(block), optimisation: Optimisation::Full, debug_info: false };
    wavewright_codegen::compile(program, target, &options).map_err(|error| Error::Compile {
        kernel: program.kernel.name.clone(),
        target: target.to_string(),
        message: error.to_string(),
    })
}

/// Says that there is no compiler.
#[cfg(not(feature = "jit"))]
pub(crate) fn compile(program: &Program, target: &Target, _block: [u32; 3]) -> Result<CodeObject, Error> {
    let problem = crate::LaunchProblem::NoCompiler { target: target.to_string() };
    Err(Error::Launch { kernel: program.kernel.name.clone(), problem })
}
