//! From a program to what the tests look at.

use crate::inline::inline;
use crate::lower::lower_kernel;
use crate::{Optimisation, Options};
use inkwell::OptimizationLevel;
use inkwell::context::Context;
use inkwell::passes::PassBuilderOptions;
use inkwell::targets::*;
use std::sync::Once;
use wavewright_kernel_ir::target as facts;
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
    let target: facts::Target = target.parse().unwrap();
    let options = Options { block, optimisation: Optimisation::Full, debug_info: false };
    let context = Context::create();
    let machine = machine(&target);
    let program = inline(program).unwrap();
    let lowered =
        lower_kernel(&context, &machine, &program, &target, &options).unwrap_or_else(|e| panic!("{e}"));
    let module = lowered.module;
    if stage == Stage::Raw {
        return module.print_to_string().to_string();
    }
    let passes = if stage == Stage::RawAssembly { "always-inline,sroa,simplifycfg" } else { "default<O3>" };
    module.run_passes(passes, &machine, PassBuilderOptions::create()).unwrap();
    if stage == Stage::Optimised {
        return module.print_to_string().to_string();
    }
    let bytes = machine.write_to_memory_buffer(&module, FileType::Assembly).unwrap();
    String::from_utf8(bytes.as_slice().to_vec()).unwrap()
}

fn machine(target: &facts::Target) -> TargetMachine {
    static INITIALISED: Once = Once::new();
    INITIALISED.call_once(|| {
        Target::initialize_amd_gpu(&InitializationConfig::default());
        Target::initialize_nvptx(&InitializationConfig::default());
        Target::initialize_x86(&InitializationConfig::default());
    });
    let (triple, cpu, features) = match target {
        facts::Target::Amd(amd) => ("amdgcn-amd-amdhsa", amd.arch.name, String::new()),
        facts::Target::Nvidia(nvidia) => {
            ("nvptx64-nvidia-cuda", nvidia.arch.name, format!("+ptx{}", nvidia.ptx.0))
        }
        facts::Target::Host => ("x86_64-unknown-linux-gnu", "x86-64-v3", String::new()),
    };
    let triple = TargetTriple::create(triple);
    Target::from_triple(&triple)
        .unwrap()
        .create_target_machine(
            &triple,
            cpu,
            &features,
            OptimizationLevel::Aggressive,
            RelocMode::PIC,
            CodeModel::Default,
        )
        .unwrap()
}

/// The instructions of an assembly text, in order: no labels, directives or comments.
pub(crate) fn instructions(assembly: &str) -> Vec<&str> {
    let code = assembly.lines().map(str::trim).filter(|line| !line.is_empty());
    code.filter(|line| !line.starts_with(['.', ';', '/', '{', '}', '$', ')']) && !line.contains(':'))
        .collect()
}
