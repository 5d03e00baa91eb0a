//! The kernel's function: a loop over blocks, and in it the nodes of the split body, with a loop over the block's threads
//! around each region.

use super::Kernel;
use super::frame::{self, Frame};
use super::machine::Host;
use super::region::{Region, Strip};
use super::split::Node;
use super::states::{self, ALL_RUN, SOME_RUN};
use super::uniform::Uniform;
use crate::lower::Lowering;
use crate::lower::emit::{Emitter, Flow, Stop};
use inkwell::attributes::AttributeLoc;
use inkwell::basic_block::BasicBlock;
use inkwell::module::{Linkage, Module};
use inkwell::types::IntType;
use inkwell::values::{BasicMetadataValueEnum, BasicValue, IntValue, PhiValue, PointerValue};
use inkwell::{AddressSpace, IntPredicate};
use std::collections::HashMap;
use std::num::NonZeroU32;
use wavewright_kernel_ir::code_object::PanicSite;
use wavewright_kernel_ir::typed::*;

/// Writes the kernel's function, which calls the functions of its regions.
pub(super) fn emit<'c>(
    kernel: &Kernel<'_, 'c>,
    module: Module<'c>,
    panics: &mut Vec<PanicSite>,
    nodes: &[Node],
    uniform: &Uniform,
    regions: Vec<Region<'c>>,
) -> Flow<Module<'c>> {
    let pointer = kernel.context.ptr_type(AddressSpace::default());
    let ty = kernel.context.void_type().fn_type(&[pointer.into(); 2], false);
    let function = module.add_function(&kernel.program.kernel.symbol, ty, Some(Linkage::External));
    function.add_attribute(AttributeLoc::Function, frame::number(kernel.context, "nounwind", 0));
    for parameter in 0..2 {
        for name in ["noundef", "noalias", "readonly"] {
            let attribute = frame::number(kernel.context, name, 0);
            function.add_attribute(AttributeLoc::Param(parameter), attribute);
        }
    }
    let emitter = Emitter::new(kernel.context, module, function);
    let mut group = Group::new(kernel, emitter, uniform, regions)?;
    group.lowering.resume_panics(std::mem::take(panics));
    group.blocks(nodes)?;
    let (module, sites) = group.lowering.finish()?;
    *panics = sites;
    Ok(module)
}

/// Where jumps to a label lead.
struct Label<'c> {
    leave: BasicBlock<'c>,
    again: BasicBlock<'c>,
}

struct Group<'k, 'p, 'c> {
    kernel: &'k Kernel<'p, 'c>,
    lowering: Lowering<'k, 'c, Host<'c>>,
    frame: Frame<'c>,
    uniform: &'k Uniform,
    regions: std::vec::IntoIter<Region<'c>>,
    labels: HashMap<LabelId, Label<'c>>,
    /// Where the block goes on when none of its threads runs: the innermost place where some may wake up.
    idle: Vec<BasicBlock<'c>>,
}

impl<'k, 'p, 'c> Group<'k, 'p, 'c> {
    fn new(
        kernel: &'k Kernel<'p, 'c>,
        emitter: Emitter<'c>,
        uniform: &'k Uniform,
        regions: Vec<Region<'c>>,
    ) -> Flow<Self> {
        let known = kernel.known_block_size();
        let all_run = emitter.variable(emitter.i8().into(), 1, "all_run")?;
        let frame = Frame::load(&emitter, kernel.program, &kernel.abi, known, all_run)?;
        let end = emitter.block("block.end");
        let zero = emitter.i32().const_zero();
        let host = Host::new(kernel, &frame, [zero; 3], vec![None; kernel.locals()], end)?;
        let mut lowering = Lowering::new(emitter, host, kernel.program, kernel.debug_info)?;
        for local in kernel.once {
            let ty = lowering.kernel_function().locals[local.0 as usize].ty;
            let place = lowering.variable(ty, "")?;
            lowering.machine.homes[local.0 as usize] = Some(place);
        }
        lowering.at(lowering.kernel_function().span);
        frame::bind_for_block(&mut lowering, &frame)?;
        let regions = regions.into_iter();
        Ok(Self { kernel, lowering, frame, uniform, regions, labels: HashMap::new(), idle: vec![end] })
    }

    fn emitter(&self) -> &Emitter<'c> {
        &self.lowering.emitter
    }

    /// The loop over the blocks of the call.
    fn blocks(&mut self, nodes: &[Node]) -> Flow<()> {
        let (first, end) = Frame::range(self.emitter())?;
        let start = self.coordinates(first)?;
        if self.kernel.keeps_states {
            self.start_states()?;
        }
        let [head, body, done] = ["blocks", "block", "done"].map(|name| self.emitter().block(name));
        let before = self.emitter().current()?;
        self.emitter().branch(head)?;
        self.emitter().enter(head);
        let (i32, i64) = (self.emitter().i32(), self.emitter().i64());
        let number = self.emitter().builder.build_phi(i64, "block")?;
        let at: [PhiValue<'c>; 3] =
            [self.emitter().builder.build_phi(i32, "block.x")?, self.phi("block.y")?, self.phi("block.z")?];
        let current = number.as_basic_value().into_int_value();
        let more = self.emitter().builder.build_int_compare(IntPredicate::ULT, current, end, "")?;
        self.emitter().builder.build_conditional_branch(more, body, done)?;
        self.emitter().enter(body);
        let block = at.map(|phi| phi.as_basic_value().into_int_value());
        self.frame.block = block;
        self.lowering.machine.block = block;
        match self.nodes(nodes) {
            Ok(()) => self.emitter().branch(self.lowering.machine.end)?,
            Err(Stop::Diverges) => {}
            Err(stop) => return Err(stop),
        }
        self.emitter().enter(self.lowering.machine.end);
        let next = self.next_block(block)?;
        if self.kernel.keeps_states {
            self.restart_states()?;
        }
        let one = i64.const_int(1, false);
        let next_number = self.emitter().builder.build_int_nuw_add(current, one, "")?;
        let latch = self.emitter().current()?;
        self.emitter().branch(head)?;
        number.add_incoming(&[(&first, before), (&next_number, latch)]);
        for dimension in 0..3 {
            at[dimension].add_incoming(&[(&start[dimension], before), (&next[dimension], latch)]);
        }
        self.emitter().enter(done);
        self.emitter().builder.build_return(None)?;
        Ok(())
    }

    fn phi(&self, name: &str) -> Flow<PhiValue<'c>> {
        Ok(self.emitter().builder.build_phi(self.emitter().i32(), name)?)
    }

    /// Where block `number` is in the grid.
    fn coordinates(&self, number: IntValue<'c>) -> Flow<[IntValue<'c>; 3]> {
        let (builder, i32, i64) = (&self.emitter().builder, self.emitter().i32(), self.emitter().i64());
        let one = i64.const_int(1, false);
        let split = |value: IntValue<'c>, size: IntValue<'c>| -> Flow<(IntValue<'c>, IntValue<'c>)> {
            let size = builder.build_int_z_extend(size, i64, "")?;
            // An empty grid has no block to run, but its function may be called.
            let empty = builder.build_int_compare(IntPredicate::EQ, size, i64.const_zero(), "")?;
            let size = builder.build_select(empty, one, size, "")?.into_int_value();
            let rest = builder.build_int_unsigned_rem(value, size, "")?;
            let rest = builder.build_int_truncate(rest, i32, "")?;
            Ok((rest, builder.build_int_unsigned_div(value, size, "")?))
        };
        let (x, rows) = split(number, self.frame.grid[0])?;
        let (y, planes) = split(rows, self.frame.grid[1])?;
        Ok([x, y, builder.build_int_truncate(planes, i32, "")?])
    }

    /// Where the block after `block` is.
    fn next_block(&self, block: [IntValue<'c>; 3]) -> Flow<[IntValue<'c>; 3]> {
        let (builder, i32) = (&self.emitter().builder, self.emitter().i32());
        let (zero, one) = (i32.const_zero(), i32.const_int(1, false));
        let mut carry = one;
        let mut next = block;
        for dimension in 0..3 {
            let sum = builder.build_int_add(block[dimension], carry, "")?;
            let full = builder.build_int_compare(IntPredicate::EQ, sum, self.frame.grid[dimension], "")?;
            next[dimension] = builder.build_select(full, zero, sum, "")?.into_int_value();
            let carried = builder.build_select(full, one, zero, "")?.into_int_value();
            // Without a carry from below, a dimension of size 1 would seem full.
            carry = builder.build_and(carried, carry, "")?;
        }
        Ok(next)
    }

    fn nodes(&mut self, nodes: &[Node]) -> Flow<()> {
        nodes.iter().try_for_each(|node| self.node(node))
    }

    fn node(&mut self, node: &Node) -> Flow<()> {
        match node {
            Node::Threads(_) => self.threads(),
            Node::Once(statements) => self.lowering.statements(statements),
            Node::If { condition, then, otherwise } => self.branch(condition, then, otherwise),
            Node::Loop(label, body) => self.repeat(*label, body),
            Node::Labeled(label, body) => self.labeled(*label, body),
            Node::Leave(label) => self.jump(self.label(*label)?.leave),
            Node::Again(label) => self.jump(self.label(*label)?.again),
            Node::End => self.jump(self.lowering.machine.end),
        }
    }

    fn label(&self, label: LabelId) -> Flow<&Label<'c>> {
        self.labels.get(&label).ok_or_else(|| Stop::broken("a jump to a label that is not around it"))
    }

    fn jump(&self, to: BasicBlock<'c>) -> Flow<()> {
        self.emitter().branch(to)?;
        Err(Stop::Diverges)
    }

    fn branch(&mut self, condition: &Expr, then: &[Node], otherwise: &[Node]) -> Flow<()> {
        let [then_block, else_block, end] = ["then", "else", "if.end"].map(|name| self.emitter().block(name));
        self.lowering.condition(condition, then_block, else_block)?;
        for (block, nodes) in [(then_block, then), (else_block, otherwise)] {
            if self.lowering.enter_if_reached(block)? {
                self.nodes_then(nodes, end)?;
            }
        }
        self.go_on(end)
    }

    /// Nodes, then on to `next` if control comes to their end.
    fn nodes_then(&mut self, nodes: &[Node], next: BasicBlock<'c>) -> Flow<()> {
        match self.nodes(nodes) {
            Ok(()) => self.emitter().branch(next),
            Err(Stop::Diverges) => Ok(()),
            Err(stop) => Err(stop),
        }
    }

    fn go_on(&mut self, block: BasicBlock<'c>) -> Flow<()> {
        if self.lowering.enter_if_reached(block)? { Ok(()) } else { Err(Stop::Diverges) }
    }

    fn labeled(&mut self, label: LabelId, body: &[Node]) -> Flow<()> {
        let leave = self.emitter().block("labeled.end");
        self.labels.insert(label, Label { leave, again: leave });
        if self.uniform.label(label) {
            self.nodes_then(body, leave)?;
            self.labels.remove(&label);
            return self.go_on(leave);
        }
        self.idle.push(leave);
        self.nodes_then(body, leave)?;
        self.idle.pop();
        self.labels.remove(&label);
        self.go_on(leave)?;
        self.wake_or_idle(self.kernel.codes[&label].leave)
    }

    fn repeat(&mut self, label: LabelId, body: &[Node]) -> Flow<()> {
        let [head, round_end, leave] =
            ["loop", "round.end", "loop.end"].map(|name| self.emitter().block(name));
        self.emitter().branch(head)?;
        self.emitter().enter(head);
        if self.uniform.label(label) {
            self.labels.insert(label, Label { leave, again: head });
            self.nodes_then(body, head)?;
            self.labels.remove(&label);
            // Nothing but a uniform jump leads out.
            self.lowering.enter_if_reached(round_end)?;
            return self.go_on(leave);
        }
        self.labels.insert(label, Label { leave, again: round_end });
        self.idle.push(round_end);
        self.nodes_then(body, round_end)?;
        self.idle.pop();
        self.labels.remove(&label);
        self.go_on(round_end)?;
        let some_run = self.wake(self.kernel.codes[&label].again)?;
        self.emitter().builder.build_conditional_branch(some_run, head, leave)?;
        self.emitter().enter(leave);
        self.wake_or_idle(self.kernel.codes[&label].leave)
    }

    /// Every thread runs the next region.
    fn threads(&mut self) -> Flow<()> {
        let region = self.regions.next().ok_or_else(|| Stop::broken("fewer regions than nodes"))?;
        match region.strip {
            None => self.one_by_one(&region)?,
            Some(strip) => match strip.most_blocks {
                None => self.in_strips(&region, strip)?,
                Some(most) => self.in_strips_unless_too_many(&region, strip, most)?,
            },
        }
        if region.changes_state { self.idle_if_none_runs() } else { Ok(()) }
    }

    /// Every thread runs a region, one after another.
    fn one_by_one(&mut self, region: &Region<'c>) -> Flow<()> {
        self.for_rows(1, |group, thread| group.one_thread(region, thread))
    }

    /// Every thread runs a region, a strip at a time.
    fn in_strips(&mut self, region: &Region<'c>, strip: Strip<'c>) -> Flow<()> {
        self.for_rows(strip.lanes, |group, thread| group.one_strip(region, strip, thread))
    }

    /// In strips, if the grid is small enough for the strip's arithmetic.
    fn in_strips_unless_too_many(&mut self, region: &Region<'c>, strip: Strip<'c>, most: u32) -> Flow<()> {
        let [few, many, next] = ["few", "many", "next"].map(|name| self.emitter().block(name));
        let limit = self.emitter().i32().const_int(most.into(), false);
        let fits =
            self.emitter().builder.build_int_compare(IntPredicate::ULE, self.frame.grid[0], limit, "")?;
        let branch = self.emitter().builder.build_conditional_branch(fits, few, many)?;
        self.emitter().set_weights(branch, 1 << 20, 1)?;
        self.emitter().enter(few);
        self.in_strips(region, strip)?;
        self.emitter().branch(next)?;
        self.emitter().enter(many);
        self.one_by_one(region)?;
        self.emitter().branch(next)?;
        self.emitter().enter(next);
        Ok(())
    }

    /// Loops over the threads of the block, in steps of so many along x.
    fn for_rows(
        &mut self,
        step: u32,
        body: impl FnOnce(&mut Self, [IntValue<'c>; 3]) -> Flow<()>,
    ) -> Flow<()> {
        let [x, y, z] = self.frame.block_size;
        let [planes, rows, columns] = [(z, 1, "plane"), (y, 1, "row"), (x, step, "thread")]
            .map(|(size, step, name)| Counter { size, step, name });
        let (plane, after_planes) = self.start_loop(&planes)?;
        let (row, after_rows) = self.start_loop(&rows)?;
        let (column, after_columns) = self.start_loop(&columns)?;
        body(self, [column.value, row.value, plane.value])?;
        self.end_loop(column, after_columns)?;
        self.end_loop(row, after_rows)?;
        self.end_loop(plane, after_planes)
    }

    /// What a region's function is called with, but for the thread.
    fn arguments(&self, region: &Region<'c>) -> Flow<Vec<BasicMetadataValueEnum<'c>>> {
        let mut arguments = self.frame.values();
        for local in &region.once {
            let place = self.lowering.machine.homes[local.0 as usize];
            arguments.push(place.ok_or_else(|| Stop::broken("a block variable without a place"))?.into());
        }
        Ok(arguments)
    }

    /// The threads of a strip run a region, but for those that wait and those that are past the end of the row.
    fn one_strip(&mut self, region: &Region<'c>, strip: Strip<'c>, thread: [IntValue<'c>; 3]) -> Flow<()> {
        let mut mask = self.inside_row(strip.lanes, thread[0])?;
        if self.kernel.keeps_states {
            let running = self.running(strip.lanes, thread)?;
            mask = self.emitter().builder.build_and(mask, running, "")?;
        }
        let mut arguments = self.arguments(region)?;
        arguments.extend(thread.map(BasicMetadataValueEnum::from));
        arguments.push(mask.into());
        self.emitter().builder.build_call(strip.function, &arguments, "")?;
        Ok(())
    }

    /// The mask of the threads of a strip that are inside the block.
    fn inside_row(&self, lanes: u32, first: IntValue<'c>) -> Flow<IntValue<'c>> {
        let (emitter, width) = (self.emitter(), self.frame.block_size[0]);
        let bits = self.mask_type(lanes)?;
        let everyone = bits.const_all_ones();
        if width.get_zero_extended_constant().is_some_and(|width| width % u64::from(lanes) == 0) {
            return Ok(everyone);
        }
        let left = emitter.builder.build_int_sub(width, first, "")?;
        let count = emitter.i32().const_int(lanes.into(), false);
        let full = emitter.builder.build_int_compare(IntPredicate::UGE, left, count, "")?;
        // Below the number of lanes, so the shift is inside the width.
        let left = emitter.builder.build_int_truncate_or_bit_cast(left, bits, "")?;
        let above = emitter.builder.build_left_shift(everyone, left, "")?;
        let some = emitter.builder.build_not(above, "")?;
        Ok(emitter.builder.build_select(full, everyone, some, "")?.into_int_value())
    }

    fn mask_type(&self, lanes: u32) -> Flow<IntType<'c>> {
        let lanes = NonZeroU32::new(lanes).ok_or_else(|| Stop::broken("a strip without threads"))?;
        self.kernel.context.custom_width_int_type(lanes).map_err(Stop::broken)
    }

    /// The mask of the threads of a strip that run.
    fn running(&self, lanes: u32, thread: [IntValue<'c>; 3]) -> Flow<IntValue<'c>> {
        let emitter = self.emitter();
        let bits = self.mask_type(lanes)?;
        let [look, next] = ["look", "strip"].map(|name| emitter.block(name));
        let before = emitter.current()?;
        self.branch_on_all_run(next, look)?;
        emitter.enter(look);
        let states = emitter.i32().vec_type(lanes);
        let loaded = emitter.builder.build_load(states, self.state_of(thread)?, "")?.into_vector_value();
        if let Some(load) = loaded.as_instruction_value() {
            load.set_alignment(4).map_err(|e| Stop::broken(e.to_string()))?;
        }
        let run = emitter.builder.build_int_compare(IntPredicate::EQ, loaded, states.const_zero(), "")?;
        let run = emitter.builder.build_bit_cast(run, bits, "")?.into_int_value();
        emitter.branch(next)?;
        emitter.enter(next);
        let running = emitter.builder.build_phi(bits, "")?;
        running.add_incoming(&[(&bits.const_all_ones(), before), (&run, look)]);
        Ok(running.as_basic_value().into_int_value())
    }

    /// One thread runs a region, if it does not wait.
    fn one_thread(&mut self, region: &Region<'c>, thread: [IntValue<'c>; 3]) -> Flow<()> {
        let mut arguments = self.arguments(region)?;
        arguments.extend(thread.map(BasicMetadataValueEnum::from));
        if !self.kernel.keeps_states {
            self.emitter().builder.build_call(region.function, &arguments, "")?;
            return Ok(());
        }
        let [look, run, next] = ["look", "run", "next"].map(|name| self.emitter().block(name));
        let emitter = self.emitter();
        let all = self.all_run()?;
        emitter.builder.build_conditional_branch(all, run, look)?;
        emitter.enter(look);
        let state = emitter.builder.build_load(emitter.i32(), self.state_of(thread)?, "")?.into_int_value();
        let runs = emitter.i32().const_int(states::RUNS.into(), false);
        let runs = emitter.builder.build_int_compare(IntPredicate::EQ, state, runs, "")?;
        emitter.builder.build_conditional_branch(runs, run, next)?;
        emitter.enter(run);
        emitter.builder.build_call(region.function, &arguments, "")?;
        emitter.branch(next)?;
        emitter.enter(next);
        Ok(())
    }

    fn state_of(&self, [x, y, z]: [IntValue<'c>; 3]) -> Flow<PointerValue<'c>> {
        let (builder, [width, height, _]) = (&self.emitter().builder, self.frame.block_size);
        let row = builder.build_int_nuw_add(builder.build_int_nuw_mul(z, height, "")?, y, "")?;
        let number = builder.build_int_nuw_add(builder.build_int_nuw_mul(row, width, "")?, x, "")?;
        let index = [builder.build_int_z_extend(number, self.emitter().i64(), "")?];
        // SAFETY: the states are an array over the block's threads at the start of its scratch memory.
        Ok(unsafe { builder.build_in_bounds_gep(self.emitter().i32(), self.frame.scratch, &index, "")? })
    }

    /// Whether every thread of the block runs.
    fn all_run(&self) -> Flow<IntValue<'c>> {
        let emitter = self.emitter();
        let byte = emitter.builder.build_load(emitter.i8(), self.frame.all_run, "")?.into_int_value();
        Ok(emitter.builder.build_int_compare(IntPredicate::NE, byte, emitter.i8().const_zero(), "")?)
    }

    fn set_all_run(&self, value: IntValue<'c>) -> Flow<()> {
        self.emitter().builder.build_store(self.frame.all_run, value)?;
        Ok(())
    }

    /// At the start of the call: every thread runs.
    fn start_states(&self) -> Flow<()> {
        let emitter = self.emitter();
        let bytes =
            emitter.builder.build_int_mul(self.thread_count()?, emitter.i32().const_int(4, false), "")?;
        emitter.builder.build_memset(self.frame.scratch, 64, emitter.i8().const_zero(), bytes)?;
        self.set_all_run(emitter.i8().const_int(1, false))
    }

    /// Before the next block: every thread runs again.
    fn restart_states(&self) -> Flow<()> {
        let [reset, next] = ["reset", "next.block"].map(|name| self.emitter().block(name));
        self.branch_on_all_run(next, reset)?;
        self.emitter().enter(reset);
        self.start_states()?;
        self.emitter().branch(next)?;
        self.emitter().enter(next);
        Ok(())
    }

    /// A branch that nearly always finds every thread running.
    fn branch_on_all_run(&self, then: BasicBlock<'c>, otherwise: BasicBlock<'c>) -> Flow<()> {
        let branch = self.emitter().builder.build_conditional_branch(self.all_run()?, then, otherwise)?;
        self.emitter().set_weights(branch, 1 << 10, 1)
    }

    fn thread_count(&self) -> Flow<IntValue<'c>> {
        let (builder, [x, y, z]) = (&self.emitter().builder, self.frame.block_size);
        Ok(builder.build_int_nuw_mul(builder.build_int_nuw_mul(x, y, "")?, z, "")?)
    }

    /// Lets the threads that wait with `code` run. Tells whether any runs then.
    fn wake(&self, code: u32) -> Flow<IntValue<'c>> {
        let emitter = self.emitter();
        let [look, next] = ["wake", "awake"].map(|name| emitter.block(name));
        let before = emitter.current()?;
        self.branch_on_all_run(next, look)?;
        emitter.enter(look);
        let who = self.call_wake(code)?;
        emitter.branch(next)?;
        emitter.enter(next);
        let some = emitter.builder.build_phi(emitter.i1(), "")?;
        some.add_incoming(&[(&emitter.i1().const_int(1, false), before), (&who, look)]);
        Ok(some.as_basic_value().into_int_value())
    }

    fn call_wake(&self, code: u32) -> Flow<IntValue<'c>> {
        let emitter = self.emitter();
        let function = states::wake(self.kernel.context, &emitter.module)?;
        let code = emitter.i32().const_int(code.into(), false);
        let arguments = [self.frame.scratch.into(), self.thread_count()?.into(), code.into()];
        let call = emitter.builder.build_call(function, &arguments, "")?;
        let who =
            call.try_as_basic_value().basic().ok_or_else(|| Stop::broken("a function without a result"))?;
        let bit = |bit: u64| {
            let bit = emitter.i32().const_int(bit, false);
            let masked = emitter.builder.build_and(who.into_int_value(), bit, "")?;
            emitter.builder.build_int_compare(IntPredicate::NE, masked, emitter.i32().const_zero(), "")
        };
        let all = emitter.builder.build_int_z_extend(bit(ALL_RUN)?, emitter.i8(), "")?;
        self.set_all_run(all)?;
        Ok(bit(SOME_RUN)?)
    }

    /// Lets the threads that wait with `code` run, and goes on if any runs.
    fn wake_or_idle(&self, code: u32) -> Flow<()> {
        let some = self.wake(code)?;
        self.go_on_if(some)
    }

    fn idle_if_none_runs(&self) -> Flow<()> {
        // No thread waits with the code of those that run.
        let some = self.wake(states::RUNS)?;
        self.go_on_if(some)
    }

    fn go_on_if(&self, some_run: IntValue<'c>) -> Flow<()> {
        let next = self.emitter().block("some.run");
        let idle = *self.idle.last().ok_or_else(|| Stop::broken("no place for an idle block"))?;
        self.emitter().builder.build_conditional_branch(some_run, next, idle)?;
        self.emitter().enter(next);
        Ok(())
    }

    /// Starts `for value in 0..size`. A block has at least one thread, so the body runs first.
    fn start_loop(&self, counter: &Counter<'c>) -> Flow<(Loop<'c>, BasicBlock<'c>)> {
        let emitter = self.emitter();
        let [head, after] = ["", ".end"].map(|end| emitter.block(&format!("{}{end}", counter.name)));
        let before = emitter.current()?;
        emitter.branch(head)?;
        emitter.enter(head);
        let phi = emitter.builder.build_phi(emitter.i32(), counter.name)?;
        phi.add_incoming(&[(&emitter.i32().const_zero(), before)]);
        let value = phi.as_basic_value().into_int_value();
        Ok((Loop { head, phi, value, size: counter.size, step: counter.step }, after))
    }

    fn end_loop(&self, started: Loop<'c>, after: BasicBlock<'c>) -> Flow<()> {
        let emitter = self.emitter();
        let step = emitter.i32().const_int(started.step.into(), false);
        let next = emitter.wrapless_add(started.value, step)?;
        let more = emitter.builder.build_int_compare(IntPredicate::ULT, next, started.size, "")?;
        let latch = emitter.current()?;
        emitter.builder.build_conditional_branch(more, started.head, after)?;
        started.phi.add_incoming(&[(&next, latch)]);
        emitter.enter(after);
        Ok(())
    }
}

struct Counter<'c> {
    size: IntValue<'c>,
    step: u32,
    name: &'static str,
}

/// A loop that has been started.
struct Loop<'c> {
    head: BasicBlock<'c>,
    phi: PhiValue<'c>,
    value: IntValue<'c>,
    size: IntValue<'c>,
    step: u32,
}
