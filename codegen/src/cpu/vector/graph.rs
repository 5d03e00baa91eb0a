//! The blocks of a function, in an order in which many threads can go through them together.
//!
//! In this order every block comes after all that lead to it, but for the edges that close loops; and the blocks of a
//! loop stand together, its head first and the block that closes it last. Threads that part at a branch can so take
//! turns: whoever has to run a block is there when it comes up.

use super::ir::{Block, Opcode, Value, blocks};
use super::{Refusal, refuse};
use std::collections::HashMap;

/// A loop: the blocks `head..end`, of which the last closes it.
#[derive(Clone, Debug)]
pub(super) struct Loop {
    pub(super) head: usize,
    pub(super) end: usize,
}

impl Loop {
    pub(super) fn contains(&self, block: usize) -> bool {
        (self.head..self.end).contains(&block)
    }
}

/// The blocks of a function by number, in order.
pub(super) struct Graph<'c> {
    pub(super) blocks: Vec<Block<'c>>,
    pub(super) numbers: HashMap<Block<'c>, usize>,
    pub(super) successors: Vec<Vec<usize>>,
    /// Outer loops before inner ones.
    pub(super) loops: Vec<Loop>,
}

impl<'c> Graph<'c> {
    pub(super) fn of(function: Value<'c>) -> Result<Self, Refusal> {
        let flow = Flow::of(function)?;
        let dominators = flow.dominators();
        let loops = flow.loops(&dominators)?;
        let order = Order { flow: &flow, loops: &loops }.all();
        flow.in_order(&order, &loops)
    }

    /// Makes sure that a value made in a loop is seen outside only through phis at its exits.
    pub(super) fn require_closed_loops(&self) -> Result<(), Refusal> {
        for (number, block) in self.blocks.iter().enumerate() {
            for value in block.instructions() {
                for user in value.users().into_iter().filter(|user| user.opcode() != Opcode::LLVMPHI) {
                    let used = self.numbers.get(&user.block()).copied().unwrap_or(number);
                    let leaves = |around: &Loop| around.contains(number) && !around.contains(used);
                    if self.loops.iter().any(leaves) {
                        return Err(refuse("a value that leaves its loop"));
                    }
                }
            }
        }
        Ok(())
    }

    /// Whether an edge closes a loop.
    pub(super) fn closes(&self, from: usize, to: usize) -> bool {
        to <= from
    }
}

/// The blocks in reverse postorder.
struct Flow<'c> {
    blocks: Vec<Block<'c>>,
    successors: Vec<Vec<usize>>,
    predecessors: Vec<Vec<usize>>,
}

impl<'c> Flow<'c> {
    fn of(function: Value<'c>) -> Result<Self, Refusal> {
        let entry = *blocks(function).first().ok_or_else(|| refuse("a function without a body"))?;
        let mut postorder = Vec::new();
        let mut seen = HashMap::from([(entry, ())]);
        let mut stack = vec![(entry, successors(entry)?)];
        while let Some((block, left)) = stack.last_mut() {
            match left.pop() {
                Some(next) => {
                    if seen.insert(next, ()).is_none() {
                        stack.push((next, successors(next)?));
                    }
                }
                None => {
                    postorder.push(*block);
                    stack.pop();
                }
            }
        }
        let blocks: Vec<_> = postorder.into_iter().rev().collect();
        let numbers: HashMap<_, _> = blocks.iter().copied().zip(0..).collect();
        let mut flow = Flow { successors: Vec::new(), predecessors: vec![Vec::new(); blocks.len()], blocks };
        for number in 0..flow.blocks.len() {
            let next: Vec<usize> = successors(flow.blocks[number])?.iter().map(|b| numbers[b]).collect();
            for to in &next {
                flow.predecessors[*to].push(number);
            }
            flow.successors.push(next);
        }
        Ok(flow)
    }

    /// The immediate dominator of each block; the entry's is itself.
    fn dominators(&self) -> Vec<usize> {
        const UNKNOWN: usize = usize::MAX;
        let mut dominators = vec![UNKNOWN; self.blocks.len()];
        dominators[0] = 0;
        let mut changed = true;
        while changed {
            changed = false;
            for block in 1..self.blocks.len() {
                let known = self.predecessors[block].iter().copied().filter(|p| dominators[*p] != UNKNOWN);
                let common = known.reduce(|mut a, mut b| {
                    while a != b {
                        if a > b { a = dominators[a] } else { b = dominators[b] }
                    }
                    a
                });
                if let Some(common) = common
                    && dominators[block] != common
                {
                    dominators[block] = common;
                    changed = true;
                }
            }
        }
        dominators
    }

    /// The loops, each as its head and its blocks.
    fn loops(&self, dominators: &[usize]) -> Result<Vec<(usize, Vec<bool>)>, Refusal> {
        let dominates = |a: usize, mut b: usize| {
            while b > a {
                b = dominators[b];
            }
            a == b
        };
        let mut loops: Vec<(usize, Vec<bool>)> = Vec::new();
        for (from, successors) in self.successors.iter().enumerate() {
            for to in successors.iter().copied().filter(|to| *to <= from) {
                if !dominates(to, from) {
                    return Err(refuse("a loop with two ways in"));
                }
                if loops.iter().any(|(head, _)| *head == to) {
                    return Err(refuse("a loop that is closed in two places"));
                }
                loops.push((to, self.body(to, from)));
            }
        }
        // Larger loops first: outer ones before those inside them.
        loops.sort_by_key(|(_, body)| std::cmp::Reverse(body.iter().filter(|inside| **inside).count()));
        Ok(loops)
    }

    /// The blocks of the loop that the edge from `latch` to `head` closes.
    fn body(&self, head: usize, latch: usize) -> Vec<bool> {
        let mut body = vec![false; self.blocks.len()];
        body[head] = true;
        let mut stack = vec![latch];
        while let Some(block) = stack.pop() {
            if !std::mem::replace(&mut body[block], true) {
                stack.extend(&self.predecessors[block]);
            }
        }
        body
    }

    fn in_order(&self, order: &[usize], loops: &[(usize, Vec<bool>)]) -> Result<Graph<'c>, Refusal> {
        let mut place = vec![0; order.len()];
        for (number, block) in order.iter().enumerate() {
            place[*block] = number;
        }
        let moved = |block: &usize| self.successors[*block].iter().map(|to| place[*to]).collect();
        let blocks: Vec<_> = order.iter().map(|block| self.blocks[*block]).collect();
        let graph = Graph {
            numbers: blocks.iter().copied().zip(0..).collect(),
            blocks,
            successors: order.iter().map(moved).collect(),
            loops: loops
                .iter()
                .map(|(head, body)| {
                    let size = body.iter().filter(|inside| **inside).count();
                    Loop { head: place[*head], end: place[*head] + size }
                })
                .collect(),
        };
        // What the emission relies on; a graph for which it does not hold is refused rather than compiled wrong.
        for (from, successors) in graph.successors.iter().enumerate() {
            for to in successors.iter().filter(|to| **to <= from) {
                if !graph.loops.iter().any(|found| found.head == *to && found.end == from + 1) {
                    return Err(refuse("a loop whose blocks have no order"));
                }
            }
        }
        Ok(graph)
    }
}

fn successors<'c>(block: Block<'c>) -> Result<Vec<Block<'c>>, Refusal> {
    let terminator = block.terminator().ok_or_else(|| refuse("a block without an end"))?;
    Ok(terminator.successors())
}

/// Puts blocks in order, one nest of loops at a time.
struct Order<'f, 'c> {
    flow: &'f Flow<'c>,
    loops: &'f [(usize, Vec<bool>)],
}

impl Order<'_, '_> {
    fn all(&self) -> Vec<usize> {
        let everything = vec![true; self.flow.blocks.len()];
        self.within(0, &everything, None)
    }

    /// The order of the blocks of `body`, which starts at `head`; `around` is the loop that it is.
    fn within(&self, head: usize, body: &[bool], around: Option<usize>) -> Vec<usize> {
        // A loop directly inside stands for all its blocks, under the number of its head.
        let inner: Vec<usize> =
            (0..self.loops.len()).filter(|l| Some(*l) != around && self.is_inside(*l, body)).collect();
        let outermost = |block: usize| inner.iter().copied().find(|l| self.loops[*l].1[block]);
        let stands_for = |block: usize| outermost(block).map_or(block, |found| self.loops[found].0);
        let mut waits_for = vec![0usize; body.len()];
        let mut edges = vec![Vec::new(); body.len()];
        for from in (0..body.len()).filter(|block| body[*block]) {
            for to in self.flow.successors[from].iter().copied().filter(|to| body[*to] && *to != head) {
                let (from, to) = (stands_for(from), stands_for(to));
                if from != to {
                    waits_for[to] += 1;
                    edges[from].push(to);
                }
            }
        }
        let mut ready = std::collections::BTreeSet::from([head]);
        let mut order = Vec::new();
        while let Some(next) = ready.pop_first() {
            match outermost(next) {
                Some(found) => order.extend(self.within(next, &self.loops[found].1, Some(found))),
                None => order.push(next),
            }
            for to in &edges[next] {
                waits_for[*to] -= 1;
                if waits_for[*to] == 0 {
                    ready.insert(*to);
                }
            }
        }
        order
    }

    /// Whether a loop is inside `body` (loops come outer first, so the first that holds a block is the outermost).
    fn is_inside(&self, found: usize, body: &[bool]) -> bool {
        self.loops[found].1.iter().zip(body).all(|(own, around)| !own || *around)
    }
}
