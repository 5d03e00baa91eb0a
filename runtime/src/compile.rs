//! The way to the compiler, if this crate was built with it.

use crate::{Error, LaunchProblem};
use wavewright_kernel_ir::code_object::CodeObject;
use wavewright_kernel_ir::target::Target;
use wavewright_kernel_ir::typed::Program;

/// Says that there is no compiler.
pub(crate) fn compile(program: &Program, target: &Target, _block: [u32; 3]) -> Result<CodeObject, Error> {
    let problem = LaunchProblem::NoCompiler { target: target.to_string() };
    Err(Error::Launch { kernel: program.kernel.name.clone(), problem })
}
