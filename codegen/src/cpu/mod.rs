//! Kernels for the host CPU.
//!
//! A block of threads is a function call: loops over the threads, on one core. Blocks spread over the cores; that is the
//! runtime's part. No thread of a kernel is a thread of the system, nor a fibre: where threads must wait for each other,
//! the body is cut, and each piece has a loop over the threads of its own.
//!
//! # From a body to a function
//!
//! 1. [`split`] cuts the body at its barriers. What comes out is a tree whose leaves are *regions*, statements without
//!    barriers. Its inner nodes, the loops and branches with barriers inside, run once for the block.
//! 2. [`uniform`] finds which of those all threads take alike. The block then decides by itself (a tiled product's loop
//!    over tiles is one plain loop around the loops over threads), and its counters are variables of the block.
//!    Where threads may part, [`states`] keeps what each of them does.
//! 3. [`storage`] finds a place for the variables: most are known to one region and live in registers.
//! 4. [`region`] writes a function for each region, which one thread runs; [`vector`] makes one of it that a strip of
//!    threads runs at a time; [`group`] writes the kernel's function, which calls them in loops.
//!
//! The function is `extern "C" fn(arguments: *const u8, work: *const CpuWork)` and runs the blocks `first..end`.
//!
//! # What holds
//!
//! - Between two barriers the threads of a block run in any order. Nothing may depend on it.
//! - A barrier waits for no thread that has ended (by `return` or by a panic), and none that went another way in a branch
//!   or has left the loop: as on the hardware of GPUs that allow it, and never a hang. What a kernel does whose threads
//!   part before a barrier is so defined here; other devices may hang.
//! - A thread that panics claims the launch's fault record, if it is the first, and ends. The others go on.
//! - A condition, an index or a division that all threads of a block share is evaluated once. If it panics, the record
//!   names thread 0, and the block ends.
//! - Scratch memory holds an `i32` for each thread (its state), then an array for each variable that outlives a region.
//!   Its layout is in [`Kernel`].

mod frame;
mod group;
mod machine;
mod ranges;
mod region;
mod split;
mod states;
mod storage;
mod uniform;
mod vector;

use crate::lower::Lowered;
use crate::lower::emit::{Emitter, Flow};
use crate::{Error, Optimisation, Options};
use inkwell::context::Context;
use inkwell::module::Module;
use inkwell::targets::TargetMachine;
use inkwell::values::{IntValue, PointerValue};
use region::{Region, Strip};
use split::{Node, Split};
use states::Codes;
use std::collections::HashMap;
use storage::Placement;
use uniform::contains_barrier;
use wavewright_kernel_ir::abi::Abi;
use wavewright_kernel_ir::target::Target;
use wavewright_kernel_ir::typed::*;

/// Lowers the kernel of a program without calls for the host.
pub(crate) fn lower_kernel<'c>(
    context: &'c Context,
    machine: &TargetMachine,
    program: &Program,
    _: &Target,
    options: &Options,
) -> Result<Lowered<'c>, Error> {
    let lowered = lower(context, machine, program, options);
    lowered.map_err(|stop| stop.into_error(&program.kernel.name))
}

fn lower<'c>(
    context: &'c Context,
    machine: &TargetMachine,
    program: &Program,
    options: &Options,
) -> Flow<Lowered<'c>> {
    let mut program = program.clone();
    let Split { nodes, locals, once, uniform } = split_body(&mut program);
    let split = Split { nodes, locals, once, uniform };
    let placement = Placement::of(&program, &split);
    let regions = regions(&split.nodes);
    replace_body(&mut program, &split);
    let (shared_offsets, shared_bytes) = shared_layout(&program);
    let keeps_states = !matches!(split.nodes[..], [] | [Node::Threads(_)]);
    let kernel = Kernel {
        context,
        program: &program,
        abi: Abi::of(&program.kernel, &program.types),
        block: program.kernel.attributes.block.or(options.block),
        codes: states::number_labels(&split.nodes, &split.uniform),
        once: &split.once,
        placement,
        shared_offsets,
        keeps_states,
        debug_info: options.debug_info,
    };
    let mut module = new_module(context, machine, &program);
    let mut panics = Vec::new();
    let mut functions = Vec::new();
    for (index, statements) in regions.iter().enumerate() {
        let (next, region) = region::emit(&kernel, module, &mut panics, index, statements)?;
        module = next;
        functions.push(region);
    }
    if options.optimisation == Optimisation::Full {
        vector::prepare(&module, machine)?;
        functions = functions.into_iter().map(|region| kernel.vectorise(&module, machine, region)).collect();
    }
    let module = group::emit(&kernel, module, &mut panics, &split.nodes, &split.uniform, functions)?;
    Ok(Lowered { module, panics, shared_bytes, scratch_bytes: kernel.scratch_bytes() })
}

/// What the parts of the lowering know of the kernel.
struct Kernel<'p, 'c> {
    context: &'c Context,
    program: &'p Program,
    abi: Abi,
    /// The size of a block, if it is known.
    block: Option<[u32; 3]>,
    /// The states of threads that wait at labels.
    codes: HashMap<LabelId, Codes>,
    /// The variables of the block.
    once: &'p [LocalId],
    placement: Placement,
    shared_offsets: Vec<u64>,
    /// Whether the block has more than one region, so that it matters what its threads do between them.
    keeps_states: bool,
    debug_info: bool,
}

impl<'c> Kernel<'_, 'c> {
    /// The most threads that a block may have.
    const MOST_THREADS: u32 = 1024;
    /// Every array in scratch memory has room for a multiple of so many threads, so that each starts at a cache line.
    const ROUND_THREADS: u64 = 64;

    /// The number of the kernel's variables, with those that were made on the way.
    fn locals(&self) -> usize {
        self.program.functions[self.program.kernel.function.0 as usize].locals.len()
    }

    fn known_block_size(&self) -> Option<[IntValue<'c>; 3]> {
        let i32 = self.context.i32_type();
        self.block.map(|block| block.map(|size| i32.const_int(size.into(), false)))
    }

    /// How many threads the arrays in scratch memory have room for.
    fn slots(&self) -> u64 {
        let threads = match self.block {
            Some(block) => block.iter().map(|size| u64::from(*size)).product(),
            None => u64::from(Self::MOST_THREADS),
        };
        // Behind the last thread's state there is room for the rest of a strip.
        (threads + u64::from(vector::MOST_LANES)).next_multiple_of(Self::ROUND_THREADS)
    }

    /// The region with a function for many threads at a time, if it can have one.
    fn vectorise(&self, module: &Module<'c>, machine: &TargetMachine, region: Region<'c>) -> Region<'c> {
        let features = machine.get_feature_string().to_string_lossy().into_owned();
        let width = self.block.map(|block| block[0]);
        let Some(unit) = vector::VectorUnit::of(&features, width) else { return region };
        let thread = region.function.count_params() - 3;
        let block_x = self.abi.arguments.len() as u32;
        let size = |dimension: usize| self.block.map_or(Self::MOST_THREADS, |block| block[dimension]);
        let last = |dimension: usize| u64::from(size(dimension)) - 1;
        let lanes = u64::from(unit.lanes);
        let mut highest = vec![(thread, last(0) + lanes), (thread + 1, last(1)), (thread + 2, last(2))];
        if self.block.is_none() {
            highest.extend((0..3).map(|dimension| (block_x + 6 + dimension, Self::MOST_THREADS.into())));
        }
        // Below this block `block * size + thread` stays in 32 bits.
        let last_block = (u64::from(u32::MAX) - last(0) - lanes) / u64::from(size(0));
        let plain = vector::Parameters { thread, highest: highest.clone() };
        highest.push((block_x, last_block));
        let small = vector::Parameters { thread, highest };
        // What can't be vectorised is right as it is, only slower.
        let Ok((function, which)) = vector::vectorise(module, region.function, [&plain, &small], unit) else {
            return region;
        };
        let most_blocks = (which == 1).then_some(last_block as u32);
        vector::retire(region.function, most_blocks.is_some());
        Region { strip: Some(Strip { function, lanes: unit.lanes, most_blocks }), ..region }
    }

    /// Where the array of the variable at `offset` starts: behind the states, and the arrays before it.
    fn scratch_array(
        &self,
        emitter: &Emitter<'c>,
        scratch: PointerValue<'c>,
        offset: u64,
    ) -> Flow<PointerValue<'c>> {
        let start = [emitter.i64().const_int(self.slots() * (4 + offset), false)];
        // SAFETY: the array is inside the scratch memory, which is `scratch_bytes` long.
        Ok(unsafe { emitter.builder.build_in_bounds_gep(emitter.i8(), scratch, &start, "")? })
    }

    fn scratch_bytes(&self) -> u64 {
        if self.keeps_states { self.slots() * (4 + self.placement.bytes_per_thread) } else { 0 }
    }
}

/// The body cut at its barriers; in one piece where it has none.
fn split_body(program: &mut Program) -> Split {
    let body = &program.functions[program.kernel.function.0 as usize].body;
    if contains_barrier(body) { split::split(program) } else { split::whole(program) }
}

/// Puts the split body in the place of the body, for those that ask how variables are used.
fn replace_body(program: &mut Program, split: &Split) {
    fn gather(nodes: &[Node], statements: &mut Vec<Statement>) {
        for node in nodes {
            match node {
                Node::Threads(own) | Node::Once(own) => statements.extend_from_slice(own),
                Node::If { condition, then, otherwise } => {
                    statements.push(Statement::Expr(condition.clone()));
                    gather(then, statements);
                    gather(otherwise, statements);
                }
                Node::Loop(_, body) | Node::Labeled(_, body) => gather(body, statements),
                Node::Leave(_) | Node::Again(_) | Node::End => {}
            }
        }
    }
    let mut statements = Vec::new();
    gather(&split.nodes, &mut statements);
    let function = &mut program.functions[program.kernel.function.0 as usize];
    function.locals.clone_from(&split.locals);
    function.body.kind = ExprKind::Block(statements, None);
}

/// The statements of each region, in order.
fn regions(nodes: &[Node]) -> Vec<&[Statement]> {
    let mut found = Vec::new();
    for node in nodes {
        match node {
            Node::Threads(statements) => found.push(&statements[..]),
            Node::If { then, otherwise, .. } => {
                found.extend(regions(then));
                found.extend(regions(otherwise));
            }
            Node::Loop(_, body) | Node::Labeled(_, body) => found.extend(regions(body)),
            Node::Once(_) | Node::Leave(_) | Node::Again(_) | Node::End => {}
        }
    }
    found
}

/// Where each variable in shared memory starts, and the size of all. Aligned for the widest vectors.
fn shared_layout(program: &Program) -> (Vec<u64>, u64) {
    let mut offsets = Vec::new();
    let mut end = 0u64;
    for variable in &program.shared {
        let start = end.next_multiple_of(program.types.align(variable.ty).max(64));
        offsets.push(start);
        end = start + program.types.size(variable.ty);
    }
    (offsets, end)
}

fn new_module<'c>(context: &'c Context, machine: &TargetMachine, program: &Program) -> Module<'c> {
    let module = context.create_module(&program.kernel.symbol);
    module.set_source_file_name(&program.functions[program.kernel.function.0 as usize].file);
    module.set_triple(&machine.get_triple());
    module.set_data_layout(&machine.get_target_data().get_data_layout());
    module
}

#[cfg(test)]
pub(crate) mod tests;
