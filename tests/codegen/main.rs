//! What kernels become on each target: a kernel as a user writes it, and beside it the lines that must be in its LLVM
//! IR or assembly.

mod every_target;
mod expect;
mod iteration;
mod language;
mod matmul;
mod saxpy;
mod values;

use wavewright::codegen::{Options, Stage, emit};
use wavewright::kernel_ir::typed::Program;

/// One architecture of each kind of code that is looked at closely.
const TARGETS: [&str; 4] = ["gfx942", "gfx1100", "gfx1201", "sm_90"];

/// The kernel in the form of `stage`, for blocks of this size.
fn text(program: &Program, target: &str, block: [u32; 3], stage: Stage) -> String {
    let options = Options { block: Some(block), ..Options::default() };
    let target = target.parse().unwrap_or_else(|error| panic!("{error}"));
    let artifact = emit(program, &target, &options, stage).unwrap_or_else(|error| panic!("{error}"));
    artifact.text().expect("a stage that is text").to_owned()
}
