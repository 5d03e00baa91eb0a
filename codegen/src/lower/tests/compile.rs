//! From a program to what the tests look at.

use crate::inline::inline;
use crate::lower::lower_kernel;
use crate::{Error, Optimisation, Options, emit, machine, optimise};
use inkwell::context::Context;
use inkwell::passes::PassBuilderOptions;
use wavewright_kernel_ir::code_object::PanicSite;
use wavewright_kernel_ir::target::Target;
use wavewright_kernel_ir::typed::Program;

/// A stage of a kernel's road.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Stage {
    Raw,
    Optimised,
    Assembly,
    /// Without the optimisations that are not needed.
    RawAssembly,
}

/// The kernel as text.
pub(crate) fn text(program: &Program, target: &str, block: Option<[u32; 3]>, stage: Stage) -> String {
    text_with(program, target, &Options { block, ..Options::default() }, stage)
}

/// The kernel as text, with every option.
pub(crate) fn text_with(program: &Program, target: &str, options: &Options, stage: Stage) -> String {
    let target: Target = target.parse().unwrap();
    let context = Context::create();
    let machine = machine::create(&target, options).unwrap();
    let program = inline(program).unwrap();
    let module =
        lower_kernel(&context, &machine, &program, &target, options).unwrap_or_else(|e| panic!("{e}")).module;
    match stage {
        Stage::Raw => return module.print_to_string().to_string(),
        Stage::RawAssembly => {
            let passes = "always-inline,sroa,simplifycfg";
            module.run_passes(passes, &machine, PassBuilderOptions::create()).unwrap();
        }
        Stage::Optimised | Stage::Assembly => {
            optimise::optimise(&module, &machine, Optimisation::Full).unwrap()
        }
    }
    match stage {
        Stage::Optimised => module.print_to_string().to_string(),
        _ => emit::assembly(module, &machine).unwrap(),
    }
}

/// What the panics' numbers mean, or why the kernel is refused.
pub(crate) fn lowered(program: &Program, target: &str) -> Result<Vec<PanicSite>, Error> {
    let target: Target = target.parse().unwrap();
    let options = Options::default();
    let context = Context::create();
    let machine = machine::create(&target, &options).unwrap();
    let program = inline(program)?;
    lower_kernel(&context, &machine, &program, &target, &options).map(|lowered| lowered.panics)
}

/// Why the kernel is refused.
pub(crate) fn refusal(program: &Program, target: &str) -> String {
    lowered(program, target).expect_err("the kernel is refused").to_string()
}

/// The instructions of an assembly text, in order: no labels, directives or comments.
pub(crate) fn instructions(assembly: &str) -> Vec<&str> {
    let code = assembly.split("\t.section\t.debug").next().unwrap_or_default();
    let code = code.split("amdgpu_metadata").next().unwrap_or_default();
    let lines = code.lines().map(|line| line.split([';', '/']).next().unwrap_or_default().trim());
    let noise =
        |line: &&str| line.is_empty() || line.starts_with(['.', '{', '}', '$', ')']) || line.ends_with(':');
    lines.filter(|line| !noise(line)).collect()
}
