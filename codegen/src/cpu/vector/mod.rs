//! Many threads at a time.
//!
//! LLVM vectorises the innermost loop. In a kernel that is a loop of the body, not the loop over threads, and a check
//! that may fail keeps it from vectorising at all. So the loop over threads is vectorised here, whatever is inside: a
//! region's function for one thread becomes one for a *strip* of neighbouring threads, whose lanes are threads.
//!
//! It works on LLVM IR, after variables have become values, so that it need not know Rust. From a function of one thread
//! it makes one with a parameter more, the mask of the threads that run, with the same code twice:
//!
//! - The *full* code is for strips in which every thread runs. It has the branches of the original. A value that is the
//!   same for all threads ([`shape`]) stays a scalar, one that counts with the thread keeps its first thread's value, and
//!   what lies side by side in memory is loaded and stored as a vector. Where the threads part at a branch, the strip goes
//!   over to:
//! - The *masked* code, for any set of threads. The blocks stand in one line ([`graph`]); each is run by those of the
//!   threads that have got to it, and skipped if there are none. Where all threads of the strip meet again, it goes back
//!   to the full code.
//!
//! A failed check is no more than a branch that threads take differently: it costs the full code a comparison and a jump
//! that is never taken. What has no vector form (an atomic operation, a call, a copy of memory) is done for one thread
//! after another. What can't be done at all is refused, and the region stays as it is.
//!
//! Values that are used beyond their block are kept in memory of the function, by both codes in the same place; LLVM's
//! SROA makes values of them, with a phi wherever the codes meet.

mod emit;
mod graph;
mod instruction;
mod intrinsics;
mod ir;
mod lanes;
mod layout;
mod shape;

use crate::lower::emit::{Flow, Stop};
use inkwell::module::{Linkage, Module};
use inkwell::passes::PassBuilderOptions;
use inkwell::targets::TargetMachine;
use inkwell::values::FunctionValue;
use std::collections::HashMap;
use std::num::NonZeroU32;

/// Why a function can't be vectorised.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Refusal(pub(super) String);

fn refuse(why: impl Into<String>) -> Refusal {
    Refusal(why.into())
}

/// The most threads that a strip has on any machine.
pub(super) const MOST_LANES: u32 = 16;

/// How a machine wants its vectors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct VectorUnit {
    /// How many threads a strip has.
    pub(super) lanes: u32,
    /// Whether a mask has registers of its own; else it is a vector as wide as what it masks.
    pub(super) has_mask_registers: bool,
}

impl VectorUnit {
    /// What fits a machine with these features, for a block of this width.
    pub(super) fn of(features: &str, width: Option<u32>) -> Option<Self> {
        let has = |feature: &str| features.split(',').any(|f| f.strip_prefix('+') == Some(feature));
        let has_mask_registers = has("avx512f") && has("avx512bw") && has("avx512vl");
        // Two registers of `f32`, so that the latency of one operation hides behind that of the other.
        let wide = if has("avx2") { MOST_LANES } else { 8 };
        // No wider than a row of the block: the largest power of two.
        let lanes = width.map_or(wide, |width| wide.min(1 << width.max(1).ilog2()));
        (lanes > 1).then_some(Self { lanes, has_mask_registers })
    }
}

/// What is known of the parameters of a region's function.
pub(super) struct Parameters {
    /// The one that is the thread's index; threads of a strip follow each other in it.
    pub(super) thread: u32,
    /// The highest value that some may have, in any lane.
    pub(super) highest: Vec<(u32, u64)>,
}

/// LLVM's passes before vectorising: variables become values, what is the same for all threads leaves the loops, checks
/// that are proved disappear; and the form that [`graph`] wants.
const PREPARE: &str = "function(sroa,early-cse<memssa>,simplifycfg,instcombine<no-verify-fixpoint>,\
    loop-mssa(loop-instsimplify,loop-simplifycfg,licm,loop-rotate,licm),early-cse<memssa>,gvn,\
    correlated-propagation,constraint-elimination,instcombine<no-verify-fixpoint>,dse,dce,\
    simplifycfg,lower-switch,mergereturn,loop-simplify,lcssa)";

/// Brings a module's functions into the form that [`vectorise`] takes.
pub(super) fn prepare(module: &Module<'_>, machine: &TargetMachine) -> Flow<()> {
    module
        .run_passes(PREPARE, machine, PassBuilderOptions::create())
        .map_err(|message| Stop::broken(format!("LLVM's passes: {message}")))
}

/// Makes a function for a strip of threads from `function`, which is for one.
///
/// Of two sets of what is known of the parameters the second says more, but may not hold of every launch. Tells which of
/// them the strip relies on: the second only if it gains by that.
pub(super) fn vectorise<'c>(
    module: &Module<'c>,
    function: FunctionValue<'c>,
    parameters: [&Parameters; 2],
    unit: VectorUnit,
) -> Result<(FunctionValue<'c>, usize), Refusal> {
    let layout = layout::Layout::of(module);
    let graph = graph::Graph::of(ir::function_value(function))?;
    graph.require_closed_loops()?;
    let [plain, small] = parameters.map(|known| shapes(function, &graph, known, layout));
    let (plain, small) = (plain?, small?);
    let which = usize::from(plain.varying() > small.varying());
    let shapes = [plain, small].into_iter().nth(which).ok_or_else(|| refuse("no shapes"))?;
    let strip = declare(module, function, unit.lanes)?;
    emit::Emit::new(module, function, strip, &graph, &shapes, layout, unit)?.all()?;
    Ok((strip, which))
}

fn shapes<'c>(
    function: FunctionValue<'c>,
    graph: &graph::Graph<'c>,
    known: &Parameters,
    layout: layout::Layout,
) -> Result<shape::Shapes<'c>, Refusal> {
    let parameters = ir::parameters(ir::function_value(function));
    let parameter = |number: u32| {
        parameters.get(number as usize).copied().ok_or_else(|| refuse("a parameter that is not there"))
    };
    let mut highest = HashMap::new();
    for (number, top) in &known.highest {
        highest.insert(parameter(*number)?, *top);
    }
    Ok(shape::Shapes::find(graph, parameter(known.thread)?, highest, layout))
}

/// Does away with a function whose strip takes its place, or keeps it beside the strip. It gives up its debug
/// information, which can stand for one function only.
pub(super) fn retire(function: FunctionValue<'_>, keep: bool) {
    if keep {
        ir::forget_lines(function);
    } else {
        // SAFETY: nothing calls a region's function before the kernel's is written, and that calls the strip.
        unsafe { function.delete() }
    }
}

/// The strip's function, without its body: a parameter more than `function`, the mask.
fn declare<'c>(
    module: &Module<'c>,
    function: FunctionValue<'c>,
    lanes: u32,
) -> Result<FunctionValue<'c>, Refusal> {
    let context = module.get_context();
    let mut types: Vec<_> = function.get_type().get_param_types();
    let lanes = NonZeroU32::new(lanes).ok_or_else(|| refuse("a strip without threads"))?;
    types.push(context.custom_width_int_type(lanes).map_err(refuse)?.into());
    let ty = context.void_type().fn_type(&types, false);
    let name = format!("{}.strip", function.get_name().to_string_lossy());
    let strip = module.add_function(&name, ty, Some(Linkage::Internal));
    ir::copy_attributes(function, strip);
    if let Some(subprogram) = function.get_subprogram() {
        strip.set_subprogram(subprogram);
    }
    Ok(strip)
}

#[cfg(test)]
mod tests;
