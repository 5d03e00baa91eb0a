//! What is the same for every thread of a block.
//!
//! A control statement with a barrier inside runs once for the block. When all threads agree on its condition, the
//! block can evaluate that itself, once; otherwise each thread's own way must be kept in mind. This module finds where
//! they agree for certain: it starts from the assumption that every variable and every label is uniform, and strikes
//! out what contradicts it until nothing changes.
//!
//! - A *variable* is uniform if it is never borrowed and every value that it is given is the same for all threads,
//!   given where control is uniform, by a statement of the block (not inside a statement that threads run on their own).
//! - A *label* is uniform if all threads leave its loop or block together.
//! - *Control* is uniform if every condition around it is, and every label around it.

use std::collections::{HashMap, HashSet};
use wavewright_kernel_ir::builtin::{Builtin, Convergence};
use wavewright_kernel_ir::typed::*;
use wavewright_kernel_ir::visit::{self, Visit};

/// Whether every thread of the block must reach something inside `expr` together.
pub(crate) fn contains_barrier(expr: &Expr) -> bool {
    struct Barriers(bool);
    impl Visit for Barriers {
        fn expr(&mut self, expr: &Expr) {
            if let ExprKind::Builtin(builtin, _) = expr.kind {
                self.0 |= builtin.facts().convergence == Convergence::Block;
            }
            if !self.0 {
                visit::walk_expr(self, expr);
            }
        }
    }
    let mut barriers = Barriers(false);
    barriers.expr(expr);
    barriers.0
}

/// The variable that a place is in, if it is in one.
pub(crate) fn root(place: &Place) -> Option<LocalId> {
    match &place.kind {
        PlaceKind::Local(local) => Some(*local),
        PlaceKind::Field(base, _)
        | PlaceKind::Variant(base, _)
        | PlaceKind::Index { base, .. }
        | PlaceKind::Subslice { base, .. } => root(base),
        PlaceKind::Deref(_) | PlaceKind::Constant(_) | PlaceKind::Shared(_) => None,
    }
}

/// What is known to be uniform.
pub(crate) struct Uniform {
    locals: Vec<bool>,
    /// The loops and blocks with a barrier inside, and whether their threads leave them together.
    labels: HashMap<LabelId, bool>,
    /// The parameters whose memory no thread writes: `&[T]`.
    read_only: HashSet<LocalId>,
}

impl Uniform {
    /// Looks at the body of the program's kernel, which has been inlined.
    pub(crate) fn of(program: &Program) -> Self {
        let function = &program.functions[program.kernel.function.0 as usize];
        let mut facts = Uniform {
            locals: vec![true; function.locals.len()],
            labels: HashMap::new(),
            read_only: HashSet::new(),
        };
        for (local, param) in function.params.iter().zip(&program.kernel.params) {
            match param {
                KernelParam::Slice { mutable: false, .. } => {
                    facts.read_only.insert(*local);
                }
                KernelParam::Element { .. } => facts.locals[local.0 as usize] = false,
                KernelParam::Value(_) | KernelParam::Slice { .. } => {}
            }
        }
        Start(&mut facts).expr(&function.body);
        loop {
            let mut walk = Walk { facts: &mut facts, changed: false };
            walk.block(&function.body, true);
            if !walk.changed {
                return facts;
            }
        }
    }

    /// Whether a variable has the same value for all threads, wherever it is read.
    pub(crate) fn local(&self, local: LocalId) -> bool {
        // Variables made later, by the splitting, are not known here.
        self.locals.get(local.0 as usize).copied().unwrap_or(false)
    }

    /// Whether all threads leave a loop or block together.
    pub(crate) fn label(&self, label: LabelId) -> bool {
        self.labels.get(&label).copied().unwrap_or(false)
    }

    /// Whether the block runs `expr`, rather than each thread on its own: it holds a barrier, or a jump that all
    /// threads make together out of something that does.
    pub(crate) fn is_block_level(&self, expr: &Expr) -> bool {
        contains_barrier(expr) || self.jumps(expr)
    }

    fn jumps(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Break(label, _) | ExprKind::Continue(label) => self.label(*label),
            ExprKind::Return(_) => true,
            ExprKind::If(condition, then, otherwise) => {
                self.expr(condition)
                    && (self.jumps(then)
                        || otherwise.as_deref().is_some_and(|otherwise| self.jumps(otherwise)))
            }
            ExprKind::Block(statements, value) => {
                let statement = |statement: &Statement| match statement {
                    Statement::Let(_, Some(value)) | Statement::Expr(value) => self.jumps(value),
                    Statement::Let(_, None) => false,
                };
                statements.iter().any(statement) || value.as_deref().is_some_and(|value| self.jumps(value))
            }
            ExprKind::Inlined(_, body) => self.jumps(body),
            _ => false,
        }
    }

    /// Whether the block can evaluate `expr` for its threads: it has the same value for all, and leaves no trace but,
    /// at most, a panic, which all would share.
    pub(crate) fn expr(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Scalar(_) | ExprKind::Bytes(_) => true,
            ExprKind::Load(place) | ExprKind::VariantOf(place) => self.value_of(place),
            ExprKind::AddressOf(place) => self.address_of(place),
            ExprKind::Length(place) => self.address_of(place),
            ExprKind::Unary(_, value)
            | ExprKind::Cast(_, value)
            | ExprKind::Repeat(value)
            | ExprKind::Variant(_, value)
            | ExprKind::Inlined(_, value) => self.expr(value),
            ExprKind::Binary(_, a, b) | ExprKind::And(a, b) | ExprKind::Or(a, b) => {
                self.expr(a) && self.expr(b)
            }
            ExprKind::Aggregate { parts, .. } => parts.iter().all(|part| self.expr(part)),
            ExprKind::Builtin(builtin, arguments) => {
                is_uniform_builtin(*builtin) && arguments.iter().all(|argument| self.expr(argument))
            }
            ExprKind::Block(statements, Some(value)) => statements.is_empty() && self.expr(value),
            ExprKind::If(condition, then, Some(otherwise)) => {
                self.expr(condition) && self.expr(then) && self.expr(otherwise)
            }
            _ => false,
        }
    }

    /// Whether what a place holds is uniform.
    fn value_of(&self, place: &Place) -> bool {
        match &place.kind {
            PlaceKind::Local(local) => self.local(*local),
            PlaceKind::Constant(_) => true,
            PlaceKind::Field(base, _) | PlaceKind::Variant(base, _) => self.value_of(base),
            PlaceKind::Index { base, index, .. } => self.expr(index) && self.value_of(base),
            PlaceKind::Deref(pointer) => self.is_read_only(pointer),
            PlaceKind::Subslice { .. } | PlaceKind::Shared(_) => false,
        }
    }

    /// Whether `pointer` points into memory that does not change while the kernel runs.
    fn is_read_only(&self, pointer: &Expr) -> bool {
        let ExprKind::Load(Place { kind: PlaceKind::Local(local), .. }) = &pointer.kind else { return false };
        self.read_only.contains(local) && self.local(*local)
    }

    /// Whether the address (and length) of a place is uniform.
    fn address_of(&self, place: &Place) -> bool {
        match &place.kind {
            PlaceKind::Constant(_) | PlaceKind::Shared(_) => true,
            PlaceKind::Deref(pointer) => self.expr(pointer),
            PlaceKind::Field(base, _) | PlaceKind::Variant(base, _) => self.address_of(base),
            PlaceKind::Index { base, index, .. } => self.expr(index) && self.address_of(base),
            PlaceKind::Subslice { base, start, end, .. } => {
                let bound = |bound: &Option<Box<Expr>>| bound.as_deref().is_none_or(|bound| self.expr(bound));
                bound(start) && bound(end) && self.address_of(base)
            }
            // Each thread has its own.
            PlaceKind::Local(_) => false,
        }
    }
}

/// Whether an operation gives equal results for equal arguments, in every thread.
pub(crate) fn is_uniform_builtin(builtin: Builtin) -> bool {
    use Builtin::*;
    !matches!(builtin, ThreadX | ThreadY | ThreadZ | GlobalX | GlobalY | GlobalZ | SyncThreads)
        && !writes_memory(builtin)
}

/// Whether an operation writes through one of its arguments.
fn writes_memory(builtin: Builtin) -> bool {
    use Builtin::*;
    matches!(
        builtin,
        AddAssign
            | SubAssign
            | MulAssign
            | DivAssign
            | RemAssign
            | BitAndAssign
            | BitOrAssign
            | BitXorAssign
            | ShlAssign
            | ShrAssign
    )
}

/// The first assumption: labels with a barrier inside are uniform, borrowed variables are not.
struct Start<'a>(&'a mut Uniform);

impl Visit for Start<'_> {
    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Loop(label, body) | ExprKind::Labeled(label, body) if contains_barrier(body) => {
                self.0.labels.insert(*label, true);
            }
            ExprKind::AddressOf(place) => {
                if let Some(local) = root(place) {
                    self.0.locals[local.0 as usize] = false;
                }
            }
            _ => {}
        }
        visit::walk_expr(self, expr);
    }
}

/// One round of striking out.
struct Walk<'a> {
    facts: &'a mut Uniform,
    changed: bool,
}

impl Walk<'_> {
    fn strike_local(&mut self, local: LocalId) {
        self.changed |= std::mem::replace(&mut self.facts.locals[local.0 as usize], false);
    }

    fn strike_label(&mut self, label: LabelId) {
        if let Some(uniform) = self.facts.labels.get_mut(&label) {
            self.changed |= std::mem::replace(uniform, false);
        }
    }

    /// Something at the level of the block, where control is uniform or not.
    fn block(&mut self, expr: &Expr, uniform: bool) {
        if !self.facts.is_block_level(expr) {
            return self.threads(expr);
        }
        match &expr.kind {
            ExprKind::Block(statements, value) => {
                for statement in statements {
                    self.statement(statement, uniform);
                }
                if let Some(value) = value {
                    self.statement_expr(value, uniform);
                }
            }
            ExprKind::If(condition, then, otherwise) => {
                self.block(condition, uniform);
                let uniform = uniform && self.facts.expr(condition);
                self.block(then, uniform);
                if let Some(otherwise) = otherwise {
                    self.block(otherwise, uniform);
                }
            }
            ExprKind::And(a, b) | ExprKind::Or(a, b) => {
                self.block(a, uniform);
                let uniform = uniform && self.facts.expr(a);
                self.block(b, uniform);
            }
            ExprKind::Loop(label, body) | ExprKind::Labeled(label, body) => {
                let uniform = uniform && self.facts.label(*label);
                self.block(body, uniform);
            }
            ExprKind::Break(label, value) => {
                if let Some(value) = value {
                    self.block(value, uniform);
                }
                if !uniform {
                    self.strike_label(*label);
                }
            }
            ExprKind::Continue(label) if !uniform => self.strike_label(*label),
            ExprKind::Assign(..) | ExprKind::AssignBinary(..) => self.statement_expr(expr, uniform),
            _ => visit::walk_expr(&mut Operands { walk: self, uniform }, expr),
        }
    }

    fn statement(&mut self, statement: &Statement, uniform: bool) {
        match statement {
            Statement::Let(_, None) => {}
            Statement::Let(local, Some(value)) => self.write(*local, value, uniform),
            Statement::Expr(expr) => self.statement_expr(expr, uniform),
        }
    }

    fn statement_expr(&mut self, expr: &Expr, uniform: bool) {
        match &expr.kind {
            ExprKind::Assign(Place { kind: PlaceKind::Local(local), .. }, value)
            | ExprKind::AssignBinary(_, Place { kind: PlaceKind::Local(local), .. }, value) => {
                self.write(*local, value, uniform);
            }
            ExprKind::Assign(place, value) | ExprKind::AssignBinary(_, place, value) => {
                self.block(value, uniform);
                if let Some(local) = root(place) {
                    self.strike_local(local);
                }
                visit::walk_place(&mut Operands { walk: self, uniform }, place);
            }
            _ => self.block(expr, uniform),
        }
    }

    fn write(&mut self, local: LocalId, value: &Expr, uniform: bool) {
        self.block(value, uniform);
        if !uniform || !self.facts.expr(value) {
            self.strike_local(local);
        }
    }

    /// Something that each thread runs on its own.
    fn threads(&mut self, expr: &Expr) {
        struct Threads<'w, 'a>(&'w mut Walk<'a>);
        impl Visit for Threads<'_, '_> {
            fn expr(&mut self, expr: &Expr) {
                match &expr.kind {
                    ExprKind::Assign(place, _) | ExprKind::AssignBinary(_, place, _) => {
                        if let Some(local) = root(place) {
                            self.0.strike_local(local);
                        }
                    }
                    ExprKind::Break(label, _) | ExprKind::Continue(label) => self.0.strike_label(*label),
                    _ => {}
                }
                visit::walk_expr(self, expr);
            }
            fn statement(&mut self, statement: &Statement) {
                if let Statement::Let(local, Some(_)) = statement {
                    self.0.strike_local(*local);
                }
                visit::walk_statement(self, statement);
            }
        }
        Threads(self).expr(expr);
    }
}

/// The operands of something at the level of the block.
struct Operands<'w, 'a> {
    walk: &'w mut Walk<'a>,
    uniform: bool,
}

impl Visit for Operands<'_, '_> {
    fn expr(&mut self, expr: &Expr) {
        self.walk.block(expr, self.uniform);
    }
}
