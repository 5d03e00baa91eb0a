//! Where the variables of a kernel with barriers live.
//!
//! | a variable that | lives |
//! |---|---|
//! | one region knows | in that region, as LLVM sees fit: mostly in registers |
//! | has one value for the block | once, beside the block's own control |
//! | is written once, and follows from parameters and indices | nowhere: each region that reads it computes it again |
//! | others know too | in scratch memory, an array over the threads of the block |
//!
//! A region works on a copy of what it shares with others, and writes it back when it is left, so that a loop inside
//! keeps it in a register. Only a variable that is borrowed is worked on in place: the reference may outlive the region.

use super::split::{Node, Split, can_panic};
use super::uniform::root;
use std::collections::BTreeSet;
use wavewright_kernel_ir::builtin::Builtin;
use wavewright_kernel_ir::typed::*;
use wavewright_kernel_ir::types::{Type, TypeId, TypeTable};
use wavewright_kernel_ir::visit::{self, Visit};

/// Where a variable lives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Storage {
    /// In the one region that knows it, or nowhere.
    Region,
    /// It is a parameter that nothing writes.
    Parameter,
    /// Once for the block.
    Once,
    /// In no place: it is computed where it is needed, by its one `let`.
    Recomputed,
    /// In scratch memory.
    Scratch {
        /// Its array's place in the scratch memory of a block with one thread: multiplied by the number of threads
        /// (rounded up to 64) that of any block.
        offset: u64,
        /// Whether regions work on it in place.
        in_place: bool,
    },
}

/// Where each variable lives, and what regions need of each other's.
pub(crate) struct Placement {
    /// By variable.
    pub(crate) storage: Vec<Storage>,
    /// Bytes of scratch memory for each thread.
    pub(crate) bytes_per_thread: u64,
    /// The values that are computed again, in an order in which each finds those that it reads.
    recomputed: Vec<(LocalId, Expr)>,
    /// The variables that each region mentions.
    mentions: Vec<BTreeSet<LocalId>>,
    /// The variables that each region writes.
    written: Vec<BTreeSet<LocalId>>,
}

impl Placement {
    /// Finds a place for the variables of a body cut into nodes.
    pub(crate) fn of(program: &Program, split: &Split) -> Self {
        let function = &program.functions[program.kernel.function.0 as usize];
        let mut uses = Uses::of(split);
        let mut placement = Placement {
            storage: vec![Storage::Region; split.locals.len()],
            bytes_per_thread: 0,
            recomputed: Vec::new(),
            mentions: std::mem::take(&mut uses.mentions),
            written: std::mem::take(&mut uses.written),
        };
        for param in &function.params {
            if uses.writes[param.0 as usize] == 0 && !uses.borrowed[param.0 as usize] {
                placement.storage[param.0 as usize] = Storage::Parameter;
            }
        }
        for local in &split.once {
            placement.storage[local.0 as usize] = Storage::Once;
        }
        placement.find_recomputed(program, &uses);
        placement.find_scratch(&program.types, split, &uses);
        placement.mention_what_is_recomputed();
        placement
    }

    /// A region that computes a value again mentions what the value is made of.
    fn mention_what_is_recomputed(&mut self) {
        for mentions in &mut self.mentions {
            for (local, value) in self.recomputed.iter().rev() {
                if mentions.contains(local) {
                    let mut read = Mentioned::default();
                    read.expr(value);
                    mentions.extend(read.0);
                }
            }
        }
    }

    /// How many regions there are.
    #[cfg(test)]
    pub(crate) fn regions(&self) -> usize {
        self.mentions.len()
    }

    /// What region `number` computes again before it starts.
    pub(crate) fn recomputed_in(&self, number: usize, statements: &[Statement]) -> Vec<Statement> {
        let mut found = Vec::new();
        for (local, value) in &self.recomputed {
            if self.mentions[number].contains(local) && !lets(statements, *local) {
                found.push(Statement::Let(*local, Some(value.clone())));
            }
        }
        found
    }

    /// The block variables that region `number` reads.
    pub(crate) fn once_in(&self, number: usize) -> impl Iterator<Item = LocalId> {
        let is_once = |local: &LocalId| self.storage[local.0 as usize] == Storage::Once;
        self.mentions[number].iter().copied().filter(is_once)
    }

    /// The variables that region `number` writes, in whole or in part.
    pub(crate) fn written_in(&self, number: usize) -> &BTreeSet<LocalId> {
        &self.written[number]
    }

    /// What region `number` shares with others through scratch memory.
    pub(crate) fn shared_in(&self, number: usize) -> impl Iterator<Item = LocalId> {
        let is_scratch = |local: &LocalId| matches!(self.storage[local.0 as usize], Storage::Scratch { .. });
        self.mentions[number].iter().copied().filter(is_scratch)
    }

    fn find_recomputed(&mut self, program: &Program, uses: &Uses) {
        let overflow_checks = program.kernel.attributes.overflow_checks;
        // In the order of their `let`s a value comes after those that it is made of.
        for (local, value) in &uses.lets {
            let number = local.0 as usize;
            let written_once = uses.writes[number] == 1 && !uses.borrowed[number];
            if self.storage[number] == Storage::Region
                && written_once
                && !can_panic(value, overflow_checks)
                && self.can_recompute(value, uses)
            {
                self.storage[number] = Storage::Recomputed;
                self.recomputed.push((*local, value.clone()));
            }
        }
    }

    /// Whether a value follows from what never changes in the scope of its `let`.
    fn can_recompute(&self, value: &Expr, uses: &Uses) -> bool {
        let both = |a: &Expr, b: &Expr| self.can_recompute(a, uses) && self.can_recompute(b, uses);
        match &value.kind {
            ExprKind::Scalar(_) | ExprKind::Bytes(_) => true,
            ExprKind::Load(place) => self.keeps_value(place, uses),
            ExprKind::VariantOf(place) => self.keeps_value(place, uses),
            ExprKind::AddressOf(place) | ExprKind::Length(place) => self.keeps_address(place, uses),
            ExprKind::Unary(_, value)
            | ExprKind::Cast(_, value)
            | ExprKind::Variant(_, value)
            | ExprKind::Inlined(_, value) => self.can_recompute(value, uses),
            ExprKind::Binary(_, a, b) | ExprKind::And(a, b) | ExprKind::Or(a, b) => both(a, b),
            ExprKind::Aggregate { parts, .. } => parts.iter().all(|part| self.can_recompute(part, uses)),
            ExprKind::Builtin(builtin, arguments) => {
                *builtin != Builtin::SyncThreads && arguments.iter().all(|a| self.can_recompute(a, uses))
            }
            ExprKind::Block(statements, Some(value)) => {
                statements.is_empty() && self.can_recompute(value, uses)
            }
            _ => false,
        }
    }

    fn keeps_value(&self, place: &Place, uses: &Uses) -> bool {
        match &place.kind {
            PlaceKind::Local(local) => match self.storage[local.0 as usize] {
                Storage::Parameter | Storage::Recomputed => true,
                // A block variable with one `let` changes only when its scope, and with it that of the value that is
                // made of it, is entered anew.
                Storage::Once => uses.writes[local.0 as usize] == 1,
                Storage::Region | Storage::Scratch { .. } => false,
            },
            PlaceKind::Field(base, _) | PlaceKind::Variant(base, _) => self.keeps_value(base, uses),
            _ => false,
        }
    }

    fn keeps_address(&self, place: &Place, uses: &Uses) -> bool {
        match &place.kind {
            PlaceKind::Deref(pointer) => self.can_recompute(pointer, uses),
            PlaceKind::Field(base, _) | PlaceKind::Variant(base, _) => self.keeps_address(base, uses),
            PlaceKind::Shared(_) | PlaceKind::Constant(_) => true,
            PlaceKind::Local(_) | PlaceKind::Index { .. } | PlaceKind::Subslice { .. } => false,
        }
    }

    fn find_scratch(&mut self, types: &TypeTable, split: &Split, uses: &Uses) {
        let region = |placement: &Self, local: usize| placement.storage[local] == Storage::Region;
        let crossing: Vec<bool> = (0..split.locals.len())
            .map(|local| region(self, local) && uses.regions[local].len() > 1)
            .collect();
        // A reference that outlives a region keeps alive whatever it may point to.
        let reference_outlives =
            (0..crossing.len()).any(|local| crossing[local] && holds_pointer(types, split.locals[local].ty));
        let mut offset = 0u64;
        let mut place = |local: usize, in_place: bool| {
            let ty = split.locals[local].ty;
            offset = offset.next_multiple_of(types.align(ty).max(1));
            let at = offset;
            offset += types.size(ty);
            Storage::Scratch { offset: at, in_place }
        };
        // The most aligned first: no gaps between them.
        let mut order: Vec<usize> = (0..crossing.len()).collect();
        order.sort_by_key(|local| std::cmp::Reverse(types.align(split.locals[*local].ty)));
        for local in order {
            let kept = crossing[local] || (reference_outlives && uses.borrowed[local] && region(self, local));
            if kept && types.size(split.locals[local].ty) > 0 {
                self.storage[local] = place(local, uses.borrowed[local]);
            }
        }
        self.bytes_per_thread = offset;
    }
}

/// Whether a value of this type holds an address.
fn holds_pointer(types: &TypeTable, ty: TypeId) -> bool {
    types.find(ty, |_, t| matches!(t, Type::Pointer { .. })).is_some()
}

/// Whether one of the statements is the variable's `let`.
fn lets(statements: &[Statement], local: LocalId) -> bool {
    struct Lets(LocalId, bool);
    impl Visit for Lets {
        fn statement(&mut self, statement: &Statement) {
            if let Statement::Let(local, Some(_)) = statement {
                self.1 |= *local == self.0;
            }
            visit::walk_statement(self, statement);
        }
    }
    let mut lets = Lets(local, false);
    statements.iter().for_each(|statement| lets.statement(statement));
    lets.1
}

/// The variables that something mentions.
#[derive(Default)]
struct Mentioned(BTreeSet<LocalId>);

impl Visit for Mentioned {
    fn place(&mut self, place: &Place) {
        if let PlaceKind::Local(local) = place.kind {
            self.0.insert(local);
        }
        visit::walk_place(self, place);
    }
    fn statement(&mut self, statement: &Statement) {
        if let Statement::Let(local, Some(_)) = statement {
            self.0.insert(*local);
        }
        visit::walk_statement(self, statement);
    }
}

/// How the variables of a body are used.
struct Uses {
    /// The regions that mention each variable.
    regions: Vec<BTreeSet<usize>>,
    /// How many places write each variable.
    writes: Vec<u32>,
    /// Whether its address is taken.
    borrowed: Vec<bool>,
    /// Every `let` with a value, in order.
    lets: Vec<(LocalId, Expr)>,
    /// The variables that each region mentions.
    mentions: Vec<BTreeSet<LocalId>>,
    /// The variables that each region writes.
    written: Vec<BTreeSet<LocalId>>,
    /// The variables that have been written since the start of the region.
    writing: BTreeSet<LocalId>,
}

impl Uses {
    fn of(split: &Split) -> Self {
        let count = split.locals.len();
        let mut uses = Uses {
            regions: vec![BTreeSet::new(); count],
            writes: vec![0; count],
            borrowed: vec![false; count],
            lets: Vec::new(),
            mentions: Vec::new(),
            written: Vec::new(),
            writing: BTreeSet::new(),
        };
        uses.nodes(&split.nodes);
        uses
    }

    fn nodes(&mut self, nodes: &[Node]) {
        for node in nodes {
            match node {
                Node::Threads(statements) => {
                    let mut mentioned = Mentioned::default();
                    statements.iter().for_each(|statement| mentioned.statement(statement));
                    let region = self.mentions.len();
                    for local in &mentioned.0 {
                        self.regions[local.0 as usize].insert(region);
                    }
                    self.mentions.push(mentioned.0);
                    self.writing.clear();
                    statements.iter().for_each(|statement| self.statement(statement));
                    self.written.push(std::mem::take(&mut self.writing));
                }
                Node::Once(statements) => statements.iter().for_each(|statement| self.statement(statement)),
                Node::If { condition, then, otherwise } => {
                    self.expr(condition);
                    self.nodes(then);
                    self.nodes(otherwise);
                }
                Node::Loop(_, body) | Node::Labeled(_, body) => self.nodes(body),
                Node::Leave(_) | Node::Again(_) | Node::End => {}
            }
        }
    }
}

impl Visit for Uses {
    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::AddressOf(place) => {
                if let Some(local) = root(place) {
                    self.borrowed[local.0 as usize] = true;
                }
            }
            ExprKind::Assign(place, _) | ExprKind::AssignBinary(_, place, _) => {
                if let Some(local) = root(place) {
                    self.writes[local.0 as usize] += 1;
                    self.writing.insert(local);
                }
            }
            _ => {}
        }
        visit::walk_expr(self, expr);
    }

    fn statement(&mut self, statement: &Statement) {
        if let Statement::Let(local, Some(value)) = statement {
            self.writes[local.0 as usize] += 1;
            self.writing.insert(*local);
            self.lets.push((*local, value.clone()));
        }
        visit::walk_statement(self, statement);
    }
}
