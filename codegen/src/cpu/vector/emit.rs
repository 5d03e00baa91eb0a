//! The control flow of the strip's function: the full code and the masked code, and the ways between them.

use super::graph::Graph;
use super::ir::{self, Block, Builder, IntPredicate, Opcode, Type, Value};
use super::layout::Layout;
use super::shape::{Monotone, Shape, Shapes};
use super::{Refusal, VectorUnit, refuse};
use inkwell::module::Module;
use inkwell::values::FunctionValue;
use std::collections::HashMap;

/// Writes the function of a strip.
pub(super) struct Emit<'v, 'c> {
    pub(super) b: Builder<'c>,
    pub(super) graph: &'v Graph<'c>,
    pub(super) shapes: &'v Shapes<'c>,
    pub(super) layout: Layout,
    pub(super) unit: VectorUnit,
    /// Where the function's own memory is made.
    entry: Block<'c>,
    /// The mask that the function is called with, as bits.
    running: Value<'c>,
    /// What parameters and variables of the original are here; always at hand.
    pub(super) fixed: HashMap<Value<'c>, Value<'c>>,
    /// Where values are kept that are used beyond their block.
    slots: HashMap<Value<'c>, Value<'c>>,
    /// Where the mask is of the threads that have got to each block.
    masks: Vec<Value<'c>>,
    /// The full code of each block that it can come to.
    full: Vec<Option<Block<'c>>>,
    /// The points of the masked code before each block, and behind the last.
    points: Vec<Block<'c>>,
    /// The masked code of each block, behind the test whether any thread has got there.
    reached: Vec<Block<'c>>,
    /// What values are in the current block: a scalar where they are uniform, the first thread's where they are strided.
    pub(super) here: HashMap<Value<'c>, Value<'c>>,
    /// Vectors made of such scalars in the current block.
    pub(super) widened: HashMap<Value<'c>, Value<'c>>,
}

/// Where an edge leads, for which threads.
struct Edge<'c> {
    to: usize,
    /// The threads that take it.
    mask: Value<'c>,
    /// Whether there are any; none if there are for certain.
    any: Option<Value<'c>>,
}

impl<'v, 'c> Emit<'v, 'c> {
    pub(super) fn new(
        module: &Module<'c>,
        original: FunctionValue<'c>,
        strip: FunctionValue<'c>,
        graph: &'v Graph<'c>,
        shapes: &'v Shapes<'c>,
        layout: Layout,
        unit: VectorUnit,
    ) -> Result<Self, Refusal> {
        let function = ir::function_value(strip);
        let b = Builder::new(module, function);
        let entry = b.block("entry");
        let (old, new) = (ir::parameters(ir::function_value(original)), ir::parameters(function));
        let running = *new.last().ok_or_else(|| refuse("a function without a mask"))?;
        let fixed = old.into_iter().zip(new).collect();
        let mut emit = Self {
            b,
            graph,
            shapes,
            layout,
            unit,
            entry,
            running,
            fixed,
            slots: HashMap::new(),
            masks: Vec::new(),
            full: vec![None; graph.blocks.len()],
            points: Vec::new(),
            reached: Vec::new(),
            here: HashMap::new(),
            widened: HashMap::new(),
        };
        emit.make_memory()?;
        Ok(emit)
    }

    /// Writes everything.
    pub(super) fn all(&mut self) -> Result<(), Refusal> {
        let blocks = self.graph.blocks.len();
        self.points = (0..=blocks).map(|n| self.b.block(&format!("point.{n}"))).collect();
        self.reached = (0..blocks).map(|n| self.b.block(&format!("reached.{n}"))).collect();
        self.full[0] = Some(self.b.block("full.0"));
        for number in 0..blocks {
            if let Some(block) = self.full[number] {
                self.full_block(number, block)?;
            }
        }
        for number in 0..blocks {
            self.masked_point(number);
            self.masked_block(number)?;
        }
        self.last_point();
        self.start()
    }

    // Memory of the function.

    /// An `alloca` in the entry block.
    pub(super) fn memory(&self, ty: Type<'c>) -> Value<'c> {
        let current = self.b.current_if_any();
        self.b.enter(self.entry);
        let memory = self.b.alloca(ty);
        if let Some(current) = current {
            self.b.enter(current);
        }
        memory
    }

    fn make_memory(&mut self) -> Result<(), Refusal> {
        for (number, block) in self.graph.blocks.iter().enumerate() {
            let mask = self.memory(self.mask_slot_type());
            self.masks.push(mask);
            for value in block.instructions() {
                if value.opcode() == Opcode::LLVMAlloca {
                    self.variable(value)?;
                } else if self.is_used_beyond(value, number) {
                    let ty = match self.shapes.of(value) {
                        Shape::Varying => self.vector_type(value.ty())?,
                        _ => value.ty(),
                    };
                    let slot = self.memory(ty);
                    self.slots.insert(value, slot);
                }
            }
        }
        Ok(())
    }

    /// A variable of the original: one after another for each thread of the strip.
    fn variable(&mut self, alloca: Value<'c>) -> Result<(), Refusal> {
        if alloca.operand(0).constant_int() != Some(1) {
            return Err(refuse("a variable of a size that is not known"));
        }
        let memory = self.memory(alloca.allocated_type().array(self.unit.lanes.into()));
        memory.set_alignment(alloca.alignment());
        self.fixed.insert(alloca, memory);
        Ok(())
    }

    fn is_used_beyond(&self, value: Value<'c>, block: usize) -> bool {
        let here = self.graph.blocks[block];
        let beyond = |user: Value<'c>| match user.opcode() {
            Opcode::LLVMPHI => user.incoming().iter().any(|(v, from)| *v == value && *from != here),
            _ => user.block() != here,
        };
        value.opcode() == Opcode::LLVMPHI || value.users().into_iter().any(beyond)
    }

    /// Gives a value of the original what it is here.
    pub(super) fn define(&mut self, value: Value<'c>, here: Value<'c>) {
        self.here.insert(value, here);
        if let Some(slot) = self.slots.get(&value) {
            self.b.store(here, *slot);
        }
    }

    /// What a value is here: a scalar if it is uniform, its first thread's if it is strided, a vector if it varies.
    pub(super) fn get(&mut self, value: Value<'c>) -> Result<Value<'c>, Refusal> {
        if let Some(known) = self.fixed.get(&value).or_else(|| self.here.get(&value)) {
            return Ok(*known);
        }
        if !value.is_instruction() {
            return Ok(value);
        }
        if value.opcode() == Opcode::LLVMICmp && self.is_left_to_branch(value) {
            let here = self.compare(value)?;
            self.here.insert(value, here);
            return Ok(here);
        }
        let slot = *self
            .slots
            .get(&value)
            .ok_or_else(|| refuse(format!("a value that is used before it is made: {}", ir::print(value))))?;
        let ty = match self.shapes.of(value) {
            Shape::Varying => self.vector_type(value.ty())?,
            _ => value.ty(),
        };
        let loaded = self.b.load(ty, slot);
        self.here.insert(value, loaded);
        Ok(loaded)
    }

    // Masks.

    fn mask_slot_type(&self) -> Type<'c> {
        let bit = self.bit();
        let lane = if self.unit.has_mask_registers { bit } else { bit.int_of_same_context(32) };
        lane.vector(self.unit.lanes)
    }

    pub(super) fn bit(&self) -> Type<'c> {
        self.running.ty().int_of_same_context(1)
    }

    pub(super) fn mask_type(&self) -> Type<'c> {
        self.bit().vector(self.unit.lanes)
    }

    fn load_mask(&self, block: usize) -> Value<'c> {
        let loaded = self.b.load(self.mask_slot_type(), self.masks[block]);
        if self.unit.has_mask_registers {
            return loaded;
        }
        self.b.icmp(IntPredicate::LLVMIntSLT, loaded, loaded.ty().zero())
    }

    fn store_mask(&self, block: usize, mask: Value<'c>) {
        let stored = match self.unit.has_mask_registers {
            true => mask,
            false => self.b.cast(Opcode::LLVMSExt, mask, self.mask_slot_type()),
        };
        self.b.store(stored, self.masks[block]);
    }

    /// A mask as an integer, thread 0 in the lowest bit.
    pub(super) fn bits(&self, mask: Value<'c>) -> Value<'c> {
        self.b.cast(Opcode::LLVMBitCast, mask, self.running.ty())
    }

    pub(super) fn any(&self, mask: Value<'c>) -> Value<'c> {
        let bits = self.bits(mask);
        self.b.icmp(IntPredicate::LLVMIntNE, bits, bits.ty().zero())
    }

    fn every(&self, mask: Value<'c>) -> Value<'c> {
        let bits = self.bits(mask);
        self.b.icmp(IntPredicate::LLVMIntEQ, bits, bits.ty().all_ones())
    }

    fn no_thread(&self) -> Value<'c> {
        self.mask_type().zero()
    }

    // The full code.

    fn full_block_of(&mut self, number: usize) -> Block<'c> {
        *self.full[number].get_or_insert_with(|| self.b.block(&format!("full.{number}")))
    }

    fn enter_block(&mut self, block: Block<'c>) {
        self.b.enter(block);
        self.here.clear();
        self.widened.clear();
    }

    fn full_block(&mut self, number: usize, block: Block<'c>) -> Result<(), Refusal> {
        self.enter_block(block);
        let instructions = self.graph.blocks[number].instructions();
        let (terminator, body) = instructions.split_last().ok_or_else(|| refuse("an empty block"))?;
        for instruction in body {
            self.b.at_line_of(*instruction);
            self.instruction(*instruction, None)?;
        }
        self.b.at_line_of(*terminator);
        match terminator.opcode() {
            Opcode::LLVMRet => self.b.ret_void(),
            Opcode::LLVMUnreachable => self.b.unreachable(),
            Opcode::LLVMBr => self.full_branch(number, *terminator)?,
            _ => return Err(refuse(format!("a block that ends in {}", ir::print(*terminator)))),
        }
        Ok(())
    }

    fn full_branch(&mut self, from: usize, branch: Value<'c>) -> Result<(), Refusal> {
        let to = self.graph.successors[from].clone();
        if !branch.is_conditional() || to[0] == to[1] {
            return self.full_edge(from, to[0]);
        }
        let condition = branch.condition();
        let [then, otherwise] = [0, 1].map(|side| self.b.block(&format!("full.{from}.to.{}", to[side])));
        if self.shapes.of(condition) != Shape::Varying {
            let condition = self.get(condition)?;
            let copy = self.b.branch_if(condition, then, otherwise);
            copy.copy_metadata(branch, &["prof"]);
        } else {
            self.parting_branch(from, branch, [then, otherwise])?;
        }
        // What one side loads the other has not got.
        let (here, widened) = (self.here.clone(), self.widened.clone());
        for (side, block) in [then, otherwise].into_iter().enumerate() {
            if !self.b.is_used(block) {
                self.b.delete(block);
                continue;
            }
            self.b.enter(block);
            self.full_edge(from, to[side])?;
            (self.here, self.widened) = (here.clone(), widened.clone());
        }
        Ok(())
    }

    /// A branch that threads may take differently: each side is for all of them; otherwise the strip goes over to the
    /// masked code.
    fn parting_branch(
        &mut self,
        from: usize,
        branch: Value<'c>,
        sides: [Block<'c>; 2],
    ) -> Result<(), Refusal> {
        let condition = branch.condition();
        let mixed = self.b.block(&format!("part.{from}"));
        let (every, none) = self.every_or_none(condition)?;
        match branch.unlikely_side() {
            Some(0) => self.b.branch_likely(none, sides[1], mixed),
            Some(_) => self.b.branch_likely(every, sides[0], mixed),
            None => {
                let not_all = self.b.block(&format!("not.all.{from}"));
                self.b.branch_if(every, sides[0], not_all);
                self.b.enter(not_all);
                self.b.branch_if(none, sides[1], mixed);
            }
        }
        let (here, widened) = (self.here.clone(), self.widened.clone());
        self.b.enter(mixed);
        for block in 0..self.graph.blocks.len() {
            self.store_mask(block, self.no_thread());
        }
        let everyone = self.mask_type().all_ones();
        self.masked_branch(from, branch, everyone)?;
        (self.here, self.widened) = (here, widened);
        Ok(())
    }

    /// Whether a condition holds for every thread, and whether for none.
    fn every_or_none(&mut self, condition: Value<'c>) -> Result<(Value<'c>, Value<'c>), Refusal> {
        if let Some(monotone) = Monotone::of(condition, self.shapes) {
            let first = self.get(monotone.value)?;
            let limit = self.get(monotone.limit)?;
            let distance = monotone.stride.unsigned_abs() * u64::from(self.unit.lanes - 1);
            let last = self.b.add(first, first.ty().int(distance));
            let (hardest, easiest) = if monotone.falls() { (last, first) } else { (first, last) };
            let every = self.b.icmp(monotone.predicate, hardest, limit);
            let any = self.b.icmp(monotone.predicate, easiest, limit);
            return Ok((every, self.b.not(any)));
        }
        let mask = self.vector(condition)?;
        let bits = self.bits(mask);
        let every = self.b.icmp(IntPredicate::LLVMIntEQ, bits, bits.ty().all_ones());
        Ok((every, self.b.icmp(IntPredicate::LLVMIntEQ, bits, bits.ty().zero())))
    }

    fn full_edge(&mut self, from: usize, to: usize) -> Result<(), Refusal> {
        let values = self.incoming(from, to)?;
        for (phi, value) in values {
            self.b.store(value, self.slots[&phi]);
        }
        let block = self.full_block_of(to);
        self.b.branch(block);
        Ok(())
    }

    /// The phis of block `to`, each with what it gets from block `from`.
    fn incoming(&mut self, from: usize, to: usize) -> Result<Vec<(Value<'c>, Value<'c>)>, Refusal> {
        let from_block = self.graph.blocks[from];
        let mut values = Vec::new();
        for phi in self.graph.blocks[to].instructions() {
            if phi.opcode() != Opcode::LLVMPHI {
                break;
            }
            let incoming = phi.incoming().into_iter().find(|(_, block)| *block == from_block);
            let (value, _) = incoming.ok_or_else(|| refuse("a phi without a value for an edge"))?;
            let here = match self.shapes.of(phi) {
                Shape::Varying => self.vector(value)?,
                _ => self.get(value)?,
            };
            values.push((phi, here));
        }
        Ok(values)
    }

    // The masked code.

    /// What comes before a block: loops that end here go round again if a thread wants to, and the block is skipped if no
    /// thread has got to it.
    fn masked_point(&mut self, number: usize) {
        self.enter_block(self.points[number]);
        self.close_loops(number);
        let mask = self.load_mask(number);
        let any = self.any(mask);
        self.b.branch_if(any, self.reached[number], self.points[number + 1]);
    }

    fn close_loops(&mut self, end: usize) {
        for closed in self.graph.loops.iter().rev().filter(|found| found.end == end) {
            let onwards = self.b.block(&format!("left.{}", closed.head));
            let mask = self.load_mask(closed.head);
            let any = self.any(mask);
            self.b.branch_if(any, self.reached[closed.head], onwards);
            self.b.enter(onwards);
        }
    }

    fn last_point(&mut self) {
        let end = self.graph.blocks.len();
        self.enter_block(self.points[end]);
        self.close_loops(end);
        self.b.ret_void();
    }

    fn masked_block(&mut self, number: usize) -> Result<(), Refusal> {
        self.enter_block(self.reached[number]);
        let mask = self.load_mask(number);
        if let Some(full) = self.full[number].filter(|_| self.may_be_complete(number)) {
            let masked = self.b.block(&format!("masked.{number}"));
            let every = self.every(mask);
            self.b.branch_if(every, full, masked);
            self.b.enter(masked);
        }
        self.store_mask(number, self.no_thread());
        let instructions = self.graph.blocks[number].instructions();
        let (terminator, body) = instructions.split_last().ok_or_else(|| refuse("an empty block"))?;
        for instruction in body {
            self.b.at_line_of(*instruction);
            self.instruction(*instruction, Some(mask))?;
        }
        self.b.at_line_of(*terminator);
        match terminator.opcode() {
            // Threads that are done are in no mask any more.
            Opcode::LLVMRet | Opcode::LLVMUnreachable => {
                self.b.branch(self.points[number + 1]);
                Ok(())
            }
            _ => self.masked_branch(number, *terminator, mask),
        }
    }

    /// Whether the strip goes back to the full code at a block if all its threads have got there. Inside a loop it does so
    /// at the loop's head only: another way in would keep LLVM from seeing a loop.
    fn may_be_complete(&self, number: usize) -> bool {
        let innermost = self.graph.loops.iter().rfind(|found| found.contains(number));
        match innermost {
            None => self.shapes.threads_meet(number),
            Some(around) => {
                around.head == number && (number..around.end).any(|block| self.shapes.threads_meet(block))
            }
        }
    }

    /// Sends the threads of `mask` on from the end of a block, and goes on in the line.
    fn masked_branch(&mut self, from: usize, branch: Value<'c>, mask: Value<'c>) -> Result<(), Refusal> {
        let to = self.graph.successors[from].clone();
        let edges = if !branch.is_conditional() || to[0] == to[1] {
            vec![Edge { to: to[0], mask, any: None }]
        } else if self.shapes.of(branch.condition()) == Shape::Varying {
            let condition = self.vector(branch.condition())?;
            let not = self.b.not(condition);
            // A select, not an `and`: what a thread that does not run computes may be poison.
            let masks = [condition, not].map(|side| self.b.select(mask, side, self.no_thread()));
            let edge =
                |side: usize| Edge { to: to[side], mask: masks[side], any: Some(self.any(masks[side])) };
            vec![edge(0), edge(1)]
        } else {
            let condition = self.get(branch.condition())?;
            let not = self.b.not(condition);
            let edge = |side: usize, holds| {
                let mask = self.b.select(holds, mask, self.no_thread());
                Edge { to: to[side], mask, any: Some(holds) }
            };
            vec![edge(0, condition), edge(1, not)]
        };
        self.take(from, &edges)?;
        self.b.branch(self.points[from + 1]);
        Ok(())
    }

    fn take(&mut self, from: usize, edges: &[Edge<'c>]) -> Result<(), Refusal> {
        // All values first: a phi may get what another is about to lose.
        let mut values = Vec::new();
        for edge in edges {
            for (phi, value) in self.incoming(from, edge.to)? {
                values.push((phi, value, edge));
            }
        }
        for (phi, value, edge) in values {
            let slot = self.slots[&phi];
            let varies = self.shapes.of(phi) == Shape::Varying;
            let value = match (varies, edge.any) {
                (true, _) => {
                    let before = self.b.load(value.ty(), slot);
                    self.blend(edge.mask, value, before)
                }
                (false, Some(any)) => {
                    let before = self.b.load(value.ty(), slot);
                    self.b.select(any, value, before)
                }
                (false, None) => value,
            };
            self.b.store(value, slot);
        }
        for edge in edges {
            let others = self.load_mask(edge.to);
            let mask = self.b.or(others, edge.mask);
            self.store_mask(edge.to, mask);
        }
        Ok(())
    }

    /// The entry block: where the strip starts.
    fn start(&mut self) -> Result<(), Refusal> {
        let some = self.b.block("some");
        self.b.enter(some);
        for block in 1..self.graph.blocks.len() {
            self.store_mask(block, self.no_thread());
        }
        let mask = self.b.cast(Opcode::LLVMBitCast, self.running, self.mask_type());
        self.store_mask(0, mask);
        self.b.branch(self.points[0]);
        self.b.enter(self.entry);
        let every = self.b.icmp(IntPredicate::LLVMIntEQ, self.running, self.running.ty().all_ones());
        let full = self.full_block_of(0);
        self.b.branch_likely(every, full, some);
        Ok(())
    }
}
