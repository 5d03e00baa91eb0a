//! LLVM's optimisations.

use crate::Optimisation;
use inkwell::module::Module;
use inkwell::passes::PassBuilderOptions;
use inkwell::targets::TargetMachine;

/// Runs LLVM's standard passes over `module`, with those that the target adds to them.
pub(crate) fn optimise(
    module: &Module,
    machine: &TargetMachine,
    optimisation: Optimisation,
) -> Result<(), String> {
    let options = PassBuilderOptions::create();
    let passes = match optimisation {
        Optimisation::None => "default<O0>",
        Optimisation::Full => {
            options.set_loop_vectorization(true);
            options.set_loop_slp_vectorization(true);
            options.set_loop_interleaving(true);
            options.set_loop_unrolling(true);
            "default<O3>"
        }
    };
    module.run_passes(passes, machine, options).map_err(|message| message.to_string())
}
