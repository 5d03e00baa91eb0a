//! LLVM's idea of a target: triple, processor, features.

use crate::{Error, Optimisation, Options, llvm};
use inkwell::OptimizationLevel;
use inkwell::targets::{CodeModel, RelocMode, Target as LlvmTarget, TargetMachine, TargetTriple};
use wavewright_kernel_ir::target::{AmdTarget, Setting, Target};

/// The machine that generates code for `target`.
pub(crate) fn create(target: &Target, options: &Options) -> Result<TargetMachine, Error> {
    llvm::initialise(target)?;
    let refused = |message: String| Error::Target { target: target.to_string(), message };
    let triple = triple(target);
    let (processor, features) = processor(target);
    let level = match options.optimisation {
        Optimisation::None => OptimizationLevel::None,
        Optimisation::Full => OptimizationLevel::Aggressive,
    };
    LlvmTarget::from_triple(&triple)
        .map_err(|message| refused(message.to_string()))?
        .create_target_machine(&triple, &processor, &features, level, RelocMode::PIC, CodeModel::Default)
        .ok_or_else(|| refused(format!("LLVM has no machine for processor `{processor}`")))
}

/// LLVM's triple of `target`.
pub(crate) fn triple(target: &Target) -> TargetTriple {
    match target {
        Target::Amd(_) => TargetTriple::create("amdgcn-amd-amdhsa"),
        Target::Nvidia(_) => TargetTriple::create("nvptx64-nvidia-cuda"),
        Target::Host => TargetMachine::get_default_triple(),
    }
}

/// The processor's name and the features that differ from its defaults.
pub(crate) fn processor(target: &Target) -> (String, String) {
    match target {
        Target::Amd(amd) => (amd.arch.name.into(), amd_features(amd)),
        Target::Nvidia(nvidia) => (nvidia.arch.name.into(), format!("+ptx{}", nvidia.ptx.0)),
        Target::Host => (
            TargetMachine::get_host_cpu_name().to_string(),
            TargetMachine::get_host_cpu_features().to_string(),
        ),
    }
}

fn amd_features(target: &AmdTarget) -> String {
    let mut features = Vec::new();
    for (name, setting) in [("sramecc", target.sramecc), ("xnack", target.xnack)] {
        match setting {
            Setting::Any => {}
            Setting::On => features.push(format!("+{name}")),
            Setting::Off => features.push(format!("-{name}")),
        }
    }
    if target.wave_size != target.arch.wave_sizes[0] {
        features.push(format!("+wavefrontsize{}", target.wave_size));
    }
    features.join(",")
}

#[cfg(test)]
mod tests;
