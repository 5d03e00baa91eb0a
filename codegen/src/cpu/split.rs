//! A kernel's body cut at its barriers.
//!
//! What comes out is a tree that runs once for the block. Its leaves are regions: statements without barriers that each
//! thread of the block runs, one thread after another or many at a time. What must hold:
//!
//! - No region holds a barrier, and two statements with a barrier between them are in different regions.
//! - Evaluation order is kept. An operand that is evaluated before a barrier in a later operand becomes a variable.
//! - A jump out of a region leads to a label of the tree. Where the label is uniform, no region jumps to it: the block
//!   does.

use super::uniform::{Uniform, contains_barrier, root};
use wavewright_kernel_ir::builtin::{Builtin, Convergence};
use wavewright_kernel_ir::scalar::Scalar;
use wavewright_kernel_ir::span::Span;
use wavewright_kernel_ir::typed::*;
use wavewright_kernel_ir::types::{Type, TypeId, TypeTable};
use wavewright_kernel_ir::visit::{self, Visit, VisitMut};

/// A part of a kernel as its block runs it.
#[derive(Clone, Debug)]
pub(crate) enum Node {
    /// Every thread that is not waiting runs these statements.
    Threads(Vec<Statement>),
    /// These run once; they concern block variables alone.
    Once(Vec<Statement>),
    /// A condition that all threads agree on.
    If {
        /// The condition, evaluated once.
        condition: Expr,
        /// If it holds.
        then: Vec<Node>,
        /// If it does not.
        otherwise: Vec<Node>,
    },
    /// Runs its nodes until it is left.
    Loop(LabelId, Vec<Node>),
    /// Runs its nodes once. Threads may jump to its end.
    Labeled(LabelId, Vec<Node>),
    /// All threads leave a loop or labelled part together.
    Leave(LabelId),
    /// All threads go to the next round of a loop together.
    Again(LabelId),
    /// The kernel is over for the block.
    End,
}

/// A body cut into nodes.
pub(crate) struct Split {
    /// The nodes in order.
    pub(crate) nodes: Vec<Node>,
    /// The kernel's variables and those that the splitting made.
    pub(crate) locals: Vec<Local>,
    /// Variables of the block: each has one value for all threads, and only [`Node::Once`] writes it.
    pub(crate) once: Vec<LocalId>,
    /// What is uniform.
    pub(crate) uniform: Uniform,
}

/// Cuts the body of `program`'s kernel, which has been inlined.
pub(crate) fn split(program: &mut Program) -> Split {
    copy_written_parameters(program);
    let boolean = program.types.scalar(Scalar::Bool);
    let (unit, never) = (program.types.unit(), program.types.intern(Type::Never));
    let uniform = Uniform::of(program);
    let function = &program.functions[program.kernel.function.0 as usize];
    let mut splitter = Splitter {
        types: &program.types,
        uniform,
        locals: function.locals.clone(),
        labels: first_free_label(&function.body),
        once: Vec::new(),
        inlined: Vec::new(),
        results: Vec::new(),
        nodes: Vec::new(),
        region: Vec::new(),
        boolean,
        unit,
        never,
        overflow_checks: program.kernel.attributes.overflow_checks,
    };
    splitter.expr(function.body.clone(), Into::Nothing, true);
    splitter.flush();
    Split { nodes: splitter.nodes, locals: splitter.locals, once: splitter.once, uniform: splitter.uniform }
}

/// The body of `program`'s kernel, which has no barrier, in one piece.
pub(crate) fn whole(program: &Program) -> Split {
    let function = &program.functions[program.kernel.function.0 as usize];
    Split {
        nodes: vec![Node::Threads(vec![Statement::Expr(function.body.clone())])],
        locals: function.locals.clone(),
        once: Vec::new(),
        uniform: Uniform::of(program),
    }
}

/// Lets the body work on copies of the parameters that it writes or borrows, so that parameters keep their values.
fn copy_written_parameters(program: &mut Program) {
    struct Written(Vec<LocalId>);
    impl Visit for Written {
        fn expr(&mut self, expr: &Expr) {
            if let ExprKind::AddressOf(place)
            | ExprKind::Assign(place, _)
            | ExprKind::AssignBinary(_, place, _) = &expr.kind
            {
                self.0.extend(root(place));
            }
            visit::walk_expr(self, expr);
        }
        fn statement(&mut self, statement: &Statement) {
            if let Statement::Let(local, _) = statement {
                self.0.push(*local);
            }
            visit::walk_statement(self, statement);
        }
    }
    let unit = program.types.unit();
    let function = &mut program.functions[program.kernel.function.0 as usize];
    let mut written = Written(Vec::new());
    written.expr(&function.body);
    let mut copies = Vec::new();
    for param in function.params.iter_mut().filter(|param| written.0.contains(param)) {
        let local = function.locals[param.0 as usize].clone();
        let (ty, span) = (local.ty, local.span);
        function.locals.push(local);
        let passed = LocalId(function.locals.len() as u32 - 1);
        let place = Place { kind: PlaceKind::Local(passed), ty, span };
        copies.push(Statement::Let(*param, Some(Expr { kind: ExprKind::Load(place), ty, span })));
        *param = passed;
    }
    if !copies.is_empty() {
        let span = function.body.span;
        let nothing = Expr { kind: ExprKind::Block(Vec::new(), None), ty: unit, span };
        let body = std::mem::replace(&mut function.body, nothing);
        copies.push(Statement::Expr(body));
        function.body.kind = ExprKind::Block(copies, None);
    }
}

/// The first number that no label has.
fn first_free_label(body: &Expr) -> u32 {
    struct Labels(u32);
    impl Visit for Labels {
        fn expr(&mut self, expr: &Expr) {
            if let ExprKind::Loop(label, _) | ExprKind::Labeled(label, _) = expr.kind {
                self.0 = self.0.max(label.0 + 1);
            }
            visit::walk_expr(self, expr);
        }
    }
    let mut labels = Labels(0);
    labels.expr(body);
    labels.0
}

/// Where the value of an expression goes.
#[derive(Clone, Copy, PartialEq)]
enum Into {
    Nothing,
    Local(LocalId),
}

struct Splitter<'p> {
    types: &'p TypeTable,
    uniform: Uniform,
    locals: Vec<Local>,
    /// The next label.
    labels: u32,
    once: Vec<LocalId>,
    /// The inlined functions that we are in, and where they were called.
    inlined: Vec<(FunctionId, Span)>,
    /// Where the values of the loops and labelled blocks around go.
    results: Vec<(LabelId, Into)>,
    nodes: Vec<Node>,
    /// The statements since the last cut.
    region: Vec<Statement>,
    boolean: TypeId,
    unit: TypeId,
    never: TypeId,
    overflow_checks: bool,
}

impl Splitter<'_> {
    /// Ends the region.
    fn flush(&mut self) {
        let region = std::mem::take(&mut self.region);
        if !region.is_empty() {
            self.nodes.push(Node::Threads(region));
        }
    }

    /// The nodes that `part` makes.
    fn nested(&mut self, part: impl FnOnce(&mut Self)) -> Vec<Node> {
        self.flush();
        let outer = std::mem::take(&mut self.nodes);
        part(self);
        self.flush();
        std::mem::replace(&mut self.nodes, outer)
    }

    fn variable(&mut self, ty: TypeId, span: Span) -> LocalId {
        self.locals.push(Local { name: String::new(), ty, span });
        LocalId(self.locals.len() as u32 - 1)
    }

    fn label(&mut self) -> LabelId {
        self.labels += 1;
        LabelId(self.labels - 1)
    }

    /// `value` in the functions that it was inlined from, so that its lines are found in their files.
    fn in_place(&self, value: Expr) -> Expr {
        self.inlined.iter().rev().fold(value, |value, (function, call)| {
            let ty = value.ty;
            Expr { kind: ExprKind::Inlined(*function, Box::new(value)), ty, span: *call }
        })
    }

    /// Adds to what each thread runs.
    fn each_thread(&mut self, value: Expr, into: Into) {
        let mut value = value;
        ResultsOfBreaks { results: &self.results }.expr(&mut value);
        let value = self.in_place(value);
        self.region.push(match into {
            Into::Local(local) if !matches!(self.types.get(value.ty), Type::Never) => {
                Statement::Let(local, Some(value))
            }
            _ => Statement::Expr(value),
        });
    }

    /// Adds to what runs once.
    fn once(&mut self, local: LocalId, statement: Statement) {
        if !self.once.contains(&local) {
            self.once.push(local);
        }
        let (Statement::Let(_, Some(value)) | Statement::Expr(value)) = &statement else { return };
        // It may go before the region that is open, if that can't tell the difference.
        if can_panic(value, self.overflow_checks)
            || self.region.iter().any(|statement| mentions(statement, local))
        {
            self.flush();
        }
        let statement = match statement {
            Statement::Let(local, Some(value)) => Statement::Let(local, Some(self.in_place(value))),
            Statement::Expr(value) => Statement::Expr(self.in_place(value)),
            other => other,
        };
        if let Some(Node::Once(statements)) = self.nodes.last_mut() {
            statements.push(statement);
        } else {
            self.nodes.push(Node::Once(vec![statement]));
        }
    }

    fn statement(&mut self, statement: Statement, uniform: bool) {
        match statement {
            // Storage is not made by the declaration.
            Statement::Let(_, None) => {}
            Statement::Let(local, Some(value)) => {
                if uniform && self.uniform.local(local) && !self.uniform.is_block_level(&value) {
                    self.once(local, Statement::Let(local, Some(value)));
                } else {
                    self.expr(value, Into::Local(local), uniform);
                }
            }
            Statement::Expr(expr) => self.expr(expr, Into::Nothing, uniform),
        }
    }

    fn expr(&mut self, expr: Expr, into: Into, uniform: bool) {
        if let Some(local) = self.writes_once(&expr, uniform) {
            return self.once(local, Statement::Expr(expr));
        }
        if !self.uniform.is_block_level(&expr) || (!uniform && !contains_barrier(&expr)) {
            return self.each_thread(expr, into);
        }
        let Expr { kind, ty, span } = expr;
        match kind {
            ExprKind::Block(statements, value) => {
                for statement in statements {
                    self.statement(statement, uniform);
                }
                if let Some(value) = value {
                    self.expr(*value, into, uniform);
                }
            }
            ExprKind::If(condition, then, otherwise) => {
                self.branch(*condition, *then, otherwise.map(|otherwise| *otherwise), into, uniform);
            }
            // `a && b` is `if a { b } else { false }`, `a || b` is `if a { true } else { b }`.
            ExprKind::And(a, b) => {
                let never = Expr { kind: ExprKind::Scalar(0), ty: self.boolean, span };
                self.branch(*a, *b, Some(never), into, uniform);
            }
            ExprKind::Or(a, b) => {
                let always = Expr { kind: ExprKind::Scalar(1), ty: self.boolean, span };
                self.branch(*a, always, Some(*b), into, uniform);
            }
            ExprKind::Loop(label, body) => {
                let uniform = uniform && self.uniform.label(label);
                self.results.push((label, into));
                let body = self.nested(|s| s.expr(*body, Into::Nothing, uniform));
                self.results.pop();
                self.nodes.push(Node::Loop(label, body));
            }
            ExprKind::Labeled(label, body) => {
                let uniform = uniform && self.uniform.label(label);
                self.results.push((label, into));
                let body = self.nested(|s| s.expr(*body, into, uniform));
                self.results.pop();
                self.nodes.push(Node::Labeled(label, body));
            }
            ExprKind::Inlined(function, body) => {
                self.inlined.push((function, span));
                self.expr(*body, into, uniform);
                self.inlined.pop();
            }
            ExprKind::Break(label, value) => {
                if let Some(value) = value {
                    let result =
                        self.results.iter().find(|(of, _)| *of == label).map_or(Into::Nothing, |r| r.1);
                    self.expr(*value, result, uniform);
                }
                self.jump(ExprKind::Break(label, None), Node::Leave(label), ty, span, uniform);
            }
            ExprKind::Continue(label) => {
                self.jump(ExprKind::Continue(label), Node::Again(label), ty, span, uniform);
            }
            ExprKind::Return(value) => {
                if let Some(value) = value {
                    self.expr(*value, Into::Nothing, uniform);
                }
                self.jump(ExprKind::Return(None), Node::End, ty, span, uniform);
            }
            ExprKind::Builtin(builtin, _) if is_barrier(builtin) => self.flush(),
            kind => {
                let mut expr = Expr { kind, ty, span };
                self.operands_first(&mut expr, uniform);
                self.each_thread(expr, into);
            }
        }
    }

    /// The block variable that `expr` assigns to, if it is such an assignment.
    fn writes_once(&self, expr: &Expr, uniform: bool) -> Option<LocalId> {
        let (ExprKind::Assign(place, value) | ExprKind::AssignBinary(_, place, value)) = &expr.kind else {
            return None;
        };
        let PlaceKind::Local(local) = place.kind else { return None };
        (uniform && self.uniform.local(local) && !self.uniform.is_block_level(value)).then_some(local)
    }

    /// A jump that all threads make together, or that each makes which gets here.
    fn jump(&mut self, jump: ExprKind, together: Node, ty: TypeId, span: Span, uniform: bool) {
        if uniform {
            self.flush();
            self.nodes.push(together);
        } else {
            self.each_thread(Expr { kind: jump, ty, span }, Into::Nothing);
        }
    }

    fn branch(&mut self, condition: Expr, then: Expr, otherwise: Option<Expr>, into: Into, uniform: bool) {
        if uniform && self.uniform.expr(&condition) {
            let condition = self.in_place(condition);
            let then = self.nested(|s| s.expr(then, into, true));
            let otherwise = self.nested(|s| {
                if let Some(otherwise) = otherwise {
                    s.expr(otherwise, into, true);
                }
            });
            return self.nodes.push(Node::If { condition, then, otherwise });
        }
        // end: { skip: { if !condition { break skip } then; break end } otherwise }
        let (end, skip, span) = (self.label(), self.label(), condition.span);
        let (unit, never) = (self.unit, self.never);
        let jump = |label| Expr { kind: ExprKind::Break(label, None), ty: never, span };
        let condition = self.operand(condition, uniform);
        let body = self.nested(|s| {
            let taken = s.nested(|s| {
                let stay = Expr { kind: ExprKind::Block(Vec::new(), None), ty: unit, span };
                let test = ExprKind::If(Box::new(condition), Box::new(stay), Some(Box::new(jump(skip))));
                s.each_thread(Expr { kind: test, ty: unit, span }, Into::Nothing);
                s.expr(then, into, false);
                if otherwise.is_some() {
                    s.each_thread(jump(end), Into::Nothing);
                }
            });
            s.nodes.push(Node::Labeled(skip, taken));
            if let Some(otherwise) = otherwise {
                s.expr(otherwise, into, false);
            }
        });
        self.nodes.push(Node::Labeled(end, body));
    }

    /// `expr` without barriers: if it holds one, it is evaluated now and a variable takes its place.
    fn operand(&mut self, expr: Expr, uniform: bool) -> Expr {
        if !self.uniform.is_block_level(&expr) { expr } else { self.evaluated(expr, uniform) }
    }

    /// Evaluates `expr` now, into a variable.
    fn evaluated(&mut self, expr: Expr, uniform: bool) -> Expr {
        let (ty, span) = (expr.ty, expr.span);
        let local = self.variable(ty, span);
        self.expr(expr, Into::Local(local), uniform);
        Expr { kind: ExprKind::Load(Place { kind: PlaceKind::Local(local), ty, span }), ty, span }
    }

    /// Evaluates the operands of `expr` up to the last with a barrier inside, in order.
    fn operands_first(&mut self, expr: &mut Expr, uniform: bool) {
        let mut count = Count { uniform: &self.uniform, all: 0, last: 0 };
        visit::walk_expr(&mut count, expr);
        let evaluate = count.last;
        visit::walk_expr_mut(&mut Evaluate { splitter: self, left: evaluate, uniform }, expr);
    }
}

/// Counts operands, and where the last is that the block runs.
struct Count<'a> {
    uniform: &'a Uniform,
    all: usize,
    last: usize,
}

impl Visit for Count<'_> {
    fn expr(&mut self, expr: &Expr) {
        self.all += 1;
        if self.uniform.is_block_level(expr) {
            self.last = self.all;
        }
    }
}

/// Evaluates operands into variables.
struct Evaluate<'s, 'p> {
    splitter: &'s mut Splitter<'p>,
    left: usize,
    uniform: bool,
}

impl VisitMut for Evaluate<'_, '_> {
    fn expr(&mut self, expr: &mut Expr) {
        if self.left == 0 {
            return;
        }
        self.left -= 1;
        if matches!(expr.kind, ExprKind::Scalar(_) | ExprKind::Bytes(_)) {
            return;
        }
        let (ty, span) = (expr.ty, expr.span);
        let taken = std::mem::replace(expr, Expr { kind: ExprKind::Block(Vec::new(), None), ty, span });
        *expr = self.splitter.evaluated(taken, self.uniform);
    }
}

/// Turns `break 'label value` into `{ result = value; break 'label }` where the block runs what is left.
struct ResultsOfBreaks<'a> {
    results: &'a [(LabelId, Into)],
}

impl VisitMut for ResultsOfBreaks<'_> {
    fn expr(&mut self, expr: &mut Expr) {
        visit::walk_expr_mut(self, expr);
        let ExprKind::Break(label, value) = &mut expr.kind else { return };
        let Some((_, into)) = self.results.iter().find(|(of, _)| of == label) else { return };
        let Some(value) = value.take() else { return };
        let statement = match into {
            Into::Local(local) => Statement::Let(*local, Some(*value)),
            Into::Nothing => Statement::Expr(*value),
        };
        let jump = Expr { kind: ExprKind::Break(*label, None), ty: expr.ty, span: expr.span };
        expr.kind = ExprKind::Block(vec![statement], Some(Box::new(jump)));
    }
}

fn is_barrier(builtin: Builtin) -> bool {
    builtin.facts().convergence == Convergence::Block
}

/// Whether a statement has to do with a variable.
fn mentions(statement: &Statement, local: LocalId) -> bool {
    struct Mentions(LocalId, bool);
    impl Visit for Mentions {
        fn place(&mut self, place: &Place) {
            if let PlaceKind::Local(local) = place.kind {
                self.1 |= local == self.0;
            }
            visit::walk_place(self, place);
        }
    }
    let mut mentions = Mentions(local, false);
    mentions.statement(statement);
    mentions.1
}

/// Whether evaluating an expression may panic, or take more than a moment (or whether that is not known).
pub(crate) fn can_panic(expr: &Expr, overflow_checks: bool) -> bool {
    let mut panics = Panics { found: false, overflow_checks };
    panics.expr(expr);
    panics.found
}

struct Panics {
    found: bool,
    overflow_checks: bool,
}

impl Visit for Panics {
    fn expr(&mut self, expr: &Expr) {
        use BinaryOp::{Add, Div, Mul, Rem, Shl, Shr, Sub};
        self.found |= match &expr.kind {
            ExprKind::Binary(op, ..) | ExprKind::AssignBinary(op, ..) => match op {
                Div | Rem => true,
                Add | Sub | Mul | Shl | Shr => self.overflow_checks,
                _ => false,
            },
            ExprKind::Unary(UnaryOp::Neg, _) => self.overflow_checks,
            ExprKind::Builtin(builtin, _) => !never_panics(*builtin),
            ExprKind::Panic(_) | ExprKind::Loop(..) | ExprKind::Call(..) => true,
            _ => false,
        };
        visit::walk_expr(self, expr);
    }

    fn place(&mut self, place: &Place) {
        self.found |= matches!(place.kind, PlaceKind::Index { .. } | PlaceKind::Subslice { .. });
        visit::walk_place(self, place);
    }
}

/// Whether an operation is known never to panic. One that is missing here costs speed, not correctness.
fn never_panics(builtin: Builtin) -> bool {
    use Builtin::*;
    let index = [
        ThreadX, ThreadY, ThreadZ, BlockX, BlockY, BlockZ, BlockSizeX, BlockSizeY, BlockSizeZ, GridSizeX,
        GridSizeY, GridSizeZ, GlobalX, GlobalY, GlobalZ,
    ];
    let wrapping = [WrappingAdd, WrappingSub, WrappingMul, Min, Max];
    index.contains(&builtin) || wrapping.contains(&builtin)
}
