//! How the value of an instruction differs between neighbouring threads.
//!
//! What must hold:
//!
//! - *Uniform*: every thread that runs the instruction at a time gets the same value.
//! - *Strided*: thread `k` of a strip gets `first + k * stride`, in arithmetic that wraps. If `wraps` is false the sum
//!   stays in the (unsigned) range of the type for every `k`, also for threads that do not run.
//! - *Varying*: anything.
//!
//! Flags like `nuw` say nothing of the threads that do not run, so ranges are found from the values alone.

use super::graph::Graph;
use super::ir::{IntPredicate, Opcode, Type, TypeKind, Value};
use super::layout::Layout;
use std::collections::HashMap;

/// See the head of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    Uniform,
    Strided { stride: i64, wraps: bool },
    Varying,
}

use Shape::{Strided, Uniform, Varying};

impl Shape {
    fn join(self, other: Self) -> Self {
        match (self, other) {
            (Uniform, Uniform) => Uniform,
            (Strided { stride: a, wraps: x }, Strided { stride: b, wraps: y }) if a == b => {
                Strided { stride: a, wraps: x || y }
            }
            _ => Varying,
        }
    }

    fn strided(stride: i64, wraps: bool) -> Self {
        if stride == 0 { Uniform } else { Strided { stride, wraps } }
    }

    /// The difference between neighbours, where it is known.
    pub(super) fn stride(self) -> Option<i64> {
        match self {
            Uniform => Some(0),
            Strided { stride, .. } => Some(stride),
            Varying => None,
        }
    }
}

/// The shapes of a function's values.
pub(super) struct Shapes<'c> {
    known: HashMap<Value<'c>, Shape>,
    /// The blocks where threads meet that have gone different ways.
    meets: Vec<bool>,
    /// The highest value that parameters may have.
    highest: HashMap<Value<'c>, u64>,
    layout: Layout,
}

impl<'c> Shapes<'c> {
    /// Finds the shapes, given that of the one parameter that differs between threads.
    pub(super) fn find(
        graph: &Graph<'c>,
        thread: Value<'c>,
        highest: HashMap<Value<'c>, u64>,
        layout: Layout,
    ) -> Self {
        let known = HashMap::from([(thread, Strided { stride: 1, wraps: false })]);
        let mut shapes = Self { known, meets: Vec::new(), highest, layout };
        let mut parting = Parting::new(graph);
        loop {
            let mut changed = false;
            for (number, block) in graph.blocks.iter().enumerate() {
                for instruction in block.instructions() {
                    let shape = shapes.of_instruction(instruction, number, &parting);
                    if let Some(shape) = shape
                        && shapes.known.insert(instruction, shape) != Some(shape)
                    {
                        changed = true;
                    }
                }
                changed |= parting.visit(graph, number, &shapes);
            }
            if !changed {
                shapes.meets = parting.all_meets(graph);
                return shapes;
            }
        }
    }

    /// How many values vary, or may wrap: the fewer, the better the code.
    pub(super) fn varying(&self) -> usize {
        self.known.values().filter(|shape| matches!(shape, Varying | Strided { wraps: true, .. })).count()
    }

    /// Whether threads meet at a block that have gone different ways, or left a loop at different times.
    pub(super) fn threads_meet(&self, block: usize) -> bool {
        self.meets[block]
    }

    /// The shape of any value.
    pub(super) fn of(&self, value: Value<'c>) -> Shape {
        self.get(value).unwrap_or(Varying)
    }

    /// The shape, unless nothing is known yet.
    fn get(&self, value: Value<'c>) -> Option<Shape> {
        match self.known.get(&value) {
            Some(shape) => Some(*shape),
            None if value.is_instruction() => None,
            None => Some(Uniform),
        }
    }

    /// The shape of an instruction's value; none if an operand's is not known yet.
    fn of_instruction(&self, value: Value<'c>, block: usize, parting: &Parting) -> Option<Shape> {
        use Opcode::*;
        if value.opcode() == LLVMPHI {
            return self.of_phi(value, block, parting);
        }
        let operands = value.operands();
        let operand = |number: usize| self.get(operands[number]);
        Some(match value.opcode() {
            LLVMAlloca => Strided { stride: self.layout.size(value.allocated_type()) as i64, wraps: true },
            LLVMLoad if !value.is_plain_access() => Varying,
            LLVMLoad => match operand(0)? {
                Uniform => Uniform,
                _ => Varying,
            },
            LLVMAtomicRMW | LLVMAtomicCmpXchg => Varying,
            LLVMCall => self.of_call(value, &operands)?,
            LLVMAdd => self.of_sum(value, (operands[0], operand(0)?), (operands[1], operand(1)?)),
            LLVMOr if value.is_disjoint() => {
                self.of_sum(value, (operands[0], operand(0)?), (operands[1], operand(1)?))
            }
            LLVMSub => match (operand(0)?.stride(), operand(1)?.stride()) {
                (Some(a), Some(b)) => a.checked_sub(b).map_or(Varying, |stride| Shape::strided(stride, true)),
                _ => Varying,
            },
            LLVMMul => match (operands[0].constant_signed(), operands[1].constant_signed()) {
                (_, Some(by)) => self.of_multiple(operands[0], operand(0)?, by, operands[1].constant_int()),
                (Some(by), _) => self.of_multiple(operands[1], operand(1)?, by, operands[0].constant_int()),
                _ => self.of_any(&operands)?,
            },
            LLVMShl => match operands[1].constant_int() {
                Some(by) if by < 63 => self.of_multiple(operands[0], operand(0)?, 1 << by, Some(1 << by)),
                _ => self.of_any(&operands)?,
            },
            LLVMZExt => match operand(0)? {
                Strided { stride, wraps: false } => Strided { stride, wraps: false },
                Uniform => Uniform,
                _ => Varying,
            },
            LLVMSExt => match operand(0)? {
                // Where the sign bit is never set, the two extensions are the same.
                Strided { stride, wraps: false }
                    if self.highest(operands[0]) < 1 << (operands[0].ty().int_width() - 1) =>
                {
                    Strided { stride, wraps: false }
                }
                Uniform => Uniform,
                _ => Varying,
            },
            LLVMTrunc => match operand(0)? {
                Strided { stride, wraps } => {
                    Strided { stride, wraps: wraps || self.highest(operands[0]) > type_highest(value.ty()) }
                }
                other => other,
            },
            LLVMPtrToInt | LLVMIntToPtr => match operand(0)? {
                Strided { stride, .. } => Strided { stride, wraps: true },
                other => other,
            },
            LLVMFreeze => operand(0)?,
            LLVMGetElementPtr => self.of_address(value, &operands)?,
            LLVMSelect => match operand(0)? {
                Uniform => operand(1)?.join(operand(2)?),
                _ => Varying,
            },
            _ => self.of_any(&operands)?,
        })
    }

    /// Of an operation on each thread's own operands, without more.
    fn of_any(&self, operands: &[Value<'c>]) -> Option<Shape> {
        let mut shape = Uniform;
        for operand in operands {
            if self.get(*operand)? != Uniform {
                shape = Varying;
            }
        }
        Some(shape)
    }

    fn of_phi(&self, phi: Value<'c>, block: usize, parting: &Parting) -> Option<Shape> {
        let incoming = phi.incoming();
        if parting.meets_differently(block, &incoming) {
            return Some(Varying);
        }
        // Ways whose shape is not known yet are taken to be like the others.
        incoming.iter().filter_map(|(value, _)| self.get(*value)).reduce(Shape::join)
    }

    fn of_call(&self, call: Value<'c>, operands: &[Value<'c>]) -> Option<Shape> {
        match call.called().intrinsic() {
            Some((name, _)) if super::intrinsics::is_lanewise(&name) => {
                self.of_any(&operands[..operands.len() - 1])
            }
            _ => Some(Varying),
        }
    }

    fn of_sum(&self, sum: Value<'c>, (a, of_a): (Value<'c>, Shape), (b, of_b): (Value<'c>, Shape)) -> Shape {
        let (Some(x), Some(y)) = (of_a.stride(), of_b.stride()) else { return Varying };
        let Some(stride) = x.checked_add(y) else { return Varying };
        let wraps = |shape| matches!(shape, Strided { wraps: true, .. });
        let fits = self.highest(a) + self.highest(b) <= type_highest(sum.ty());
        Shape::strided(stride, wraps(of_a) || wraps(of_b) || !fits)
    }

    fn of_multiple(&self, value: Value<'c>, shape: Shape, by: i64, unsigned: Option<u64>) -> Shape {
        let Strided { stride, wraps } = shape else { return shape };
        let fits = unsigned.is_some_and(|by| {
            self.highest(value).checked_mul(by.into()).is_some_and(|top| top <= type_highest(value.ty()))
        });
        stride.checked_mul(by).map_or(Varying, |stride| Shape::strided(stride, wraps || !fits))
    }

    fn of_address(&self, address: Value<'c>, operands: &[Value<'c>]) -> Option<Shape> {
        let mut stride = self.get(operands[0])?.stride();
        let mut ty = address.source_element_type();
        for (number, index) in operands[1..].iter().enumerate() {
            let shape = self.get(*index)?;
            if number > 0 {
                match ty.kind() {
                    TypeKind::LLVMStructTypeKind => {
                        // The index is a constant.
                        ty = ty.fields()[index.constant_int()? as usize];
                        continue;
                    }
                    _ => ty = ty.element(),
                }
            }
            let step = match shape {
                Uniform => Some(0),
                // A narrower index is extended by its sign, which may wrap on the way.
                Strided { stride, .. } if index.ty().int_width() == 64 => {
                    stride.checked_mul(self.layout.size(ty) as i64)
                }
                _ => None,
            };
            stride = stride.zip(step).and_then(|(a, b)| a.checked_add(b));
        }
        Some(stride.map_or(Varying, |stride| Shape::strided(stride, true)))
    }

    /// No thread's value, running or not, is above this.
    pub(super) fn highest(&self, value: Value<'c>) -> u128 {
        self.highest_within(value, 12)
    }

    fn highest_within(&self, value: Value<'c>, depth: u32) -> u128 {
        use Opcode::*;
        let top = type_highest(value.ty());
        if let Some(constant) = value.constant_int() {
            return constant.into();
        }
        if let Some(highest) = self.highest.get(&value) {
            return (*highest).into();
        }
        if !value.is_instruction() || depth == 0 {
            return top;
        }
        let operand = |number: u32| self.highest_within(value.operand(number), depth - 1);
        let constant = |number: u32| value.operand(number).constant_int().map(u128::from);
        // A strided sum or product that wraps in its first thread's arithmetic has no bound but the type's.
        let fits = |highest: Option<u128>| highest.filter(|highest| *highest <= top).unwrap_or(top);
        match value.opcode() {
            LLVMZExt | LLVMFreeze => operand(0),
            LLVMTrunc => operand(0).min(top),
            LLVMAdd => fits(operand(0).checked_add(operand(1))),
            LLVMOr if value.is_disjoint() => fits(operand(0).checked_add(operand(1))),
            LLVMMul => fits(operand(0).checked_mul(operand(1))),
            LLVMShl => match constant(1) {
                Some(by) if by < 64 => fits(operand(0).checked_mul(1 << by)),
                _ => top,
            },
            LLVMLShr => constant(1).map_or(top, |by| operand(0) >> by.min(127)),
            LLVMUDiv => constant(1).map_or(top, |by| operand(0) / by.max(1)),
            LLVMURem => constant(1).map_or(top, |by| by.max(1) - 1),
            LLVMAnd => operand(0).min(operand(1)),
            LLVMOr | LLVMXor => {
                let larger = operand(0).max(operand(1));
                fits((larger + 1).checked_next_power_of_two().map(|power| power - 1))
            }
            LLVMSelect => operand(1).max(operand(2)),
            _ => top,
        }
    }
}

/// The highest value of an integer type.
fn type_highest(ty: Type<'_>) -> u128 {
    match ty.kind() {
        TypeKind::LLVMIntegerTypeKind if ty.int_width() < 128 => (1 << ty.int_width()) - 1,
        _ => u128::MAX >> 1,
    }
}

/// The shape of an address, for those who ask whether threads touch neighbouring elements.
pub(super) fn is_consecutive(shape: Shape, size: u64) -> bool {
    shape.stride() == Some(size as i64)
}

/// Where threads part, and where they meet again.
struct Parting {
    /// The branches that threads take differently.
    parted: Vec<bool>,
    /// The blocks where threads meet that come from different sides of a branch.
    meets: Vec<bool>,
    /// The loops (by their number) that threads leave at different times.
    left_apart: Vec<bool>,
    /// The loops as they are in the graph.
    loops: Vec<super::graph::Loop>,
    /// The numbers of blocks.
    numbers: HashMap<usize, usize>,
}

impl Parting {
    fn new(graph: &Graph<'_>) -> Self {
        Self {
            parted: vec![false; graph.blocks.len()],
            meets: vec![false; graph.blocks.len()],
            left_apart: vec![false; graph.loops.len()],
            loops: graph.loops.clone(),
            numbers: graph.numbers.iter().map(|(block, number)| (block.0 as usize, *number)).collect(),
        }
    }

    /// Looks at the branch at the end of a block. Tells whether something new was found.
    fn visit<'c>(&mut self, graph: &Graph<'c>, block: usize, shapes: &Shapes<'c>) -> bool {
        let Some(terminator) = graph.blocks[block].terminator() else { return false };
        let differs = terminator.opcode() == Opcode::LLVMBr
            && terminator.is_conditional()
            && graph.successors[block][0] != graph.successors[block][1]
            && shapes.get(terminator.condition()).is_some_and(|shape| shape != Uniform);
        if !differs || std::mem::replace(&mut self.parted[block], true) {
            return false;
        }
        self.follow(graph, block);
        true
    }

    /// Follows the sides of a branch to where they meet. Each side has a label, the number of its first block; where two
    /// labels meet, a new one starts.
    fn follow(&mut self, graph: &Graph<'_>, branch: usize) {
        let mut labels: Vec<Option<usize>> = vec![None; graph.blocks.len()];
        for to in graph.successors[branch].iter().copied().filter(|to| !graph.closes(branch, *to)) {
            labels[to] = Some(to);
        }
        let label_of_edge = |labels: &[Option<usize>], from: usize, to: usize| {
            if from == branch { Some(to) } else { labels[from] }
        };
        self.spread(graph, &mut labels, branch + 1);
        self.leave_loops(
            graph,
            |around| around.contains(branch),
            |from, to| label_of_edge(&labels, from, to),
        );
    }

    /// Follows the ways out of a loop that threads leave at different times to where they meet.
    fn follow_exits(&mut self, graph: &Graph<'_>, number: usize) {
        let around = self.loops[number].clone();
        let mut labels: Vec<Option<usize>> = vec![None; graph.blocks.len()];
        for from in around.head..around.end {
            let out = graph.successors[from].iter().copied();
            for to in out.filter(|to| !around.contains(*to) && !graph.closes(from, *to)) {
                // A second way to the same block.
                self.meets[to] |= labels[to].replace(to).is_some();
            }
        }
        self.spread(graph, &mut labels, around.end);
        let is_outer = |other: &super::graph::Loop| {
            other.head <= around.head
                && around.end <= other.end
                && (other.head, other.end) != (around.head, around.end)
        };
        self.leave_loops(
            graph,
            is_outer,
            |from, to| {
                if around.contains(from) { Some(to) } else { labels[from] }
            },
        );
    }

    /// Carries labels on from block `start`; where two meet, a new one starts.
    fn spread(&mut self, graph: &Graph<'_>, labels: &mut [Option<usize>], start: usize) {
        for from in start..graph.blocks.len() {
            let Some(label) = labels[from] else { continue };
            for to in graph.successors[from].iter().copied().filter(|to| !graph.closes(from, *to)) {
                match labels[to] {
                    None => labels[to] = Some(label),
                    Some(other) if other == label => {}
                    Some(_) => {
                        self.meets[to] = true;
                        labels[to] = Some(to);
                    }
                }
            }
        }
    }

    /// Finds the loops of a kind that threads leave at different times: where edges of different labels leave or close them.
    fn leave_loops(
        &mut self,
        graph: &Graph<'_>,
        is_wanted: impl Fn(&super::graph::Loop) -> bool,
        label_of_edge: impl Fn(usize, usize) -> Option<usize>,
    ) {
        let mut left = Vec::new();
        for (number, around) in self.loops.iter().enumerate().filter(|(_, l)| is_wanted(l)) {
            let inside = around.head..around.end;
            let leaving_or_closing = inside.flat_map(|from| {
                let edges = graph.successors[from].iter().copied();
                edges.filter(|to| !around.contains(*to) || *to == around.head).map(move |to| (from, to))
            });
            let mut ways: Vec<usize> =
                leaving_or_closing.filter_map(|(from, to)| label_of_edge(from, to)).collect();
            ways.sort_unstable();
            ways.dedup();
            if ways.len() > 1 && !self.left_apart[number] {
                left.push(number);
            }
        }
        for number in left {
            if !std::mem::replace(&mut self.left_apart[number], true) {
                self.follow_exits(graph, number);
            }
        }
    }

    /// Where threads meet: behind branches, and behind loops that they leave at different times.
    fn all_meets(&self, graph: &Graph<'_>) -> Vec<bool> {
        let mut meets = self.meets.clone();
        for (around, _) in self.loops.iter().zip(&self.left_apart).filter(|(_, apart)| **apart) {
            for from in around.head..around.end {
                for to in graph.successors[from].iter().filter(|to| !around.contains(**to)) {
                    meets[*to] = true;
                }
            }
        }
        meets
    }

    /// Whether threads may bring different values to a phi although each value is uniform.
    fn meets_differently<'c>(&self, block: usize, incoming: &[(Value<'c>, super::ir::Block<'c>)]) -> bool {
        let same = incoming.iter().all(|(value, _)| *value == incoming[0].0);
        if self.meets[block] && !same {
            return true;
        }
        // A value that a loop changes, seen by threads that have left it at different times.
        self.loops.iter().zip(&self.left_apart).any(|(around, apart)| {
            *apart
                && !around.contains(block)
                && incoming.iter().any(|(value, from)| {
                    let from_inside = self.number(*from).is_some_and(|from| around.contains(from));
                    let changes = value.is_instruction()
                        && self.number(value.block()).is_some_and(|defined| around.contains(defined));
                    from_inside && changes
                })
        })
    }

    fn number(&self, block: super::ir::Block<'_>) -> Option<usize> {
        self.numbers.get(&(block.0 as usize)).copied()
    }
}

/// A comparison whose outcome for all threads of a strip follows from its first or last thread alone.
pub(super) struct Monotone<'c> {
    /// The value that grows from thread to thread.
    pub(super) value: Value<'c>,
    pub(super) stride: i64,
    /// What it is compared with.
    pub(super) limit: Value<'c>,
    pub(super) predicate: IntPredicate,
}

impl<'c> Monotone<'c> {
    /// Looks at a condition.
    pub(super) fn of(condition: Value<'c>, shapes: &Shapes<'c>) -> Option<Self> {
        use IntPredicate::*;
        if !condition.is_instruction() || condition.opcode() != Opcode::LLVMICmp {
            return None;
        }
        let (a, b) = (condition.operand(0), condition.operand(1));
        let predicate = condition.int_predicate();
        let (value, limit, predicate) = match (shapes.of(a), shapes.of(b)) {
            (Strided { wraps: false, .. }, Uniform) => (a, b, predicate),
            (Uniform, Strided { wraps: false, .. }) => (b, a, swapped(predicate)?),
            _ => return None,
        };
        let stride = shapes.of(value).stride().filter(|stride| *stride > 0)?;
        matches!(predicate, LLVMIntULT | LLVMIntULE | LLVMIntUGT | LLVMIntUGE).then_some(Self {
            value,
            stride,
            limit,
            predicate,
        })
    }

    /// Whether the condition holds for fewer threads the further one goes.
    pub(super) fn falls(&self) -> bool {
        matches!(self.predicate, IntPredicate::LLVMIntULT | IntPredicate::LLVMIntULE)
    }
}

fn swapped(predicate: IntPredicate) -> Option<IntPredicate> {
    use IntPredicate::*;
    Some(match predicate {
        LLVMIntULT => LLVMIntUGT,
        LLVMIntULE => LLVMIntUGE,
        LLVMIntUGT => LLVMIntULT,
        LLVMIntUGE => LLVMIntULE,
        _ => return None,
    })
}
