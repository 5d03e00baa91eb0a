//! Every target takes every kind of kernel, with and without optimisation.

use crate::TARGETS;
use crate::expect::expect_no_detours;
use wavewright::codegen::{Optimisation, Options, Stage, emit};
use wavewright::kernel_ir::target::Target;
use wavewright::kernel_ir::typed::Program;

/// The kernels of the other files.
fn kernels() -> Vec<Program> {
    let files = [
        crate::saxpy::programs,
        crate::matmul::programs,
        crate::language::programs,
        crate::values::programs,
        crate::iteration::programs,
    ];
    let programs = files.into_iter().flat_map(|programs| programs());
    programs.map(|program| program.unwrap_or_else(|error| panic!("{error}"))).collect()
}

fn assembly(program: &Program, target: &Target, options: &Options) -> String {
    let artifact = emit(program, target, options, Stage::Assembly);
    let artifact = artifact.unwrap_or_else(|error| panic!("{target}: {error}"));
    artifact.text().expect("assembly is text").to_owned()
}

#[test]
fn every_architecture_compiles_shared_memory_barriers_and_panics() {
    let tiled = crate::matmul::programs().swap_remove(0).unwrap_or_else(|error| panic!("{error}"));
    for target in Target::all() {
        let assembly = assembly(&tiled, &target, &Options::default());
        if target != Target::Host {
            expect_no_detours(&assembly);
        }
    }
}

#[test]
fn every_kernel_compiles_without_optimisation_and_for_any_block() {
    for program in kernels() {
        for target in TARGETS.into_iter().chain(["host"]) {
            let target = target.parse().unwrap_or_else(|error| panic!("{error}"));
            for debug_info in [false, true] {
                for optimisation in [Optimisation::None, Optimisation::Full] {
                    assembly(&program, &target, &Options { block: None, optimisation, debug_info });
                }
            }
        }
    }
}

#[test]
fn two_builds_give_the_same_bytes() {
    for program in kernels() {
        for target in TARGETS.into_iter().chain(["host"]) {
            let target: Target = target.parse().unwrap_or_else(|error| panic!("{error}"));
            let options = Options { debug_info: true, ..Options::default() };
            let build = || {
                emit(&program, &target, &options, Stage::CodeObject).unwrap_or_else(|error| panic!("{error}"))
            };
            assert!(build() == build(), "{} on {target}", program.kernel.name);
        }
    }
}
