//! Captured bodies by hand, for tests of the stages behind the macros.
//!
//! Every method takes `&self`, so that calls nest like the source that they stand for.

use crate::builtin::Builtin;
use crate::captured::{
    Annotation, Arm, BinaryOp, Block, Body, Expr, ExprKind, LabelId, Literal, LocalId, Message, Note, Param,
    Pattern, PatternKind, Statement, TypeSource, UnaryOp,
};
use crate::record::{Instance, InstanceId, Instances, Meaning, Record};
use crate::scalar::Scalar;
use crate::span::Span;
use crate::types::{DeviceType, TypeId, TypeTable};
use std::cell::{Cell, RefCell};

/// The file that samples say they are in.
pub const FILE: &str = "samples.rs";

/// Instances that grow.
#[derive(Default)]
pub struct Builder {
    types: RefCell<TypeTable>,
    instances: RefCell<Vec<Option<Instance>>>,
}

impl Builder {
    /// No instances yet but a free place for the kernel, number 0.
    pub fn new() -> Self {
        let builder = Self::default();
        builder.instances.borrow_mut().push(None);
        builder
    }

    /// The type `T`.
    pub fn ty<T: DeviceType + ?Sized>(&self) -> TypeId {
        self.types.borrow_mut().of::<T>()
    }

    /// An operation without a body.
    pub fn builtin(&self, builtin: Builtin, types: &[TypeId]) -> InstanceId {
        self.push(Instance::operation(builtin, types.to_vec(), &self.types.borrow()))
    }

    /// A place for a function that is to call itself or one that comes later.
    pub fn reserve(&self) -> InstanceId {
        self.instances.borrow_mut().push(None);
        InstanceId(self.instances.borrow().len() as u32 - 1)
    }

    /// A device function.
    pub fn function(&self, name: &str, body: BodyBuilder, block: Block) -> InstanceId {
        self.push(body.finish(name, block))
    }

    /// Fills a place that was reserved.
    pub fn fill(&self, id: InstanceId, name: &str, body: BodyBuilder, block: Block) {
        self.instances.borrow_mut()[id.0 as usize] = Some(body.finish(name, block));
    }

    /// The kernel: the last thing to add.
    pub fn kernel(self, name: &str, body: BodyBuilder, block: Block) -> Instances {
        self.fill(InstanceId(0), name, body, block);
        let all =
            self.instances.into_inner().into_iter().map(|i| i.expect("every place is filled")).collect();
        Instances { all, types: self.types.into_inner(), identities: Vec::new() }
    }

    fn push(&self, instance: Instance) -> InstanceId {
        self.instances.borrow_mut().push(Some(instance));
        InstanceId(self.instances.borrow().len() as u32 - 1)
    }
}

/// One body that grows.
pub struct BodyBuilder {
    params: RefCell<Vec<Param>>,
    result: Cell<TypeSource>,
    locals: RefCell<Vec<String>>,
    records: RefCell<Vec<Record>>,
    labels: Cell<u32>,
    line: Cell<u32>,
    column: Cell<u32>,
}

impl BodyBuilder {
    /// A function without parameters, returning `result`.
    pub fn new(result: TypeId) -> Self {
        Self::with(TypeSource::Note(Note(0)), vec![Record::Type(result)])
    }

    /// A function whose result's type is that of its body: a closure.
    pub fn returning_value() -> Self {
        Self::with(TypeSource::Value, Vec::new())
    }

    fn with(result: TypeSource, records: Vec<Record>) -> Self {
        Self {
            params: RefCell::default(),
            result: Cell::new(result),
            locals: RefCell::default(),
            records: RefCell::new(records),
            labels: Cell::new(0),
            line: Cell::new(1),
            column: Cell::new(1),
        }
    }

    fn finish(self, name: &str, block: Block) -> Instance {
        let records = self.records.into_inner();
        let body = Body {
            params: self.params.into_inner(),
            result: self.result.get(),
            locals: self.locals.into_inner(),
            block,
            notes: records.len() as u32,
            span: Span::new(1, 4),
        };
        let meaning = Meaning::Body(Box::leak(body.to_bytes().into_boxed_slice()));
        Instance { name: name.into(), meaning, types: Vec::new(), records, file: FILE, track_caller: false }
    }

    fn record(&self, record: Record) -> Note {
        self.records.borrow_mut().push(record);
        Note(self.records.borrow().len() as u32 - 1)
    }

    /// What follows stands on the next line.
    pub fn line(&self) -> &Self {
        self.line.set(self.line.get() + 1);
        self.column.set(1);
        self
    }

    fn span(&self) -> Span {
        self.column.set(self.column.get() + 1);
        Span::new(self.line.get(), self.column.get() - 1)
    }

    /// A note of a type.
    pub fn type_note(&self, ty: TypeId) -> Note {
        self.record(Record::Type(ty))
    }

    /// A note of a function.
    pub fn callee(&self, id: InstanceId) -> Note {
        self.record(Record::Callee(id))
    }

    /// A variable.
    pub fn local(&self, name: &str) -> LocalId {
        self.locals.borrow_mut().push(name.into());
        LocalId(self.locals.borrow().len() as u32 - 1)
    }

    /// A loop's or block's label.
    pub fn label(&self) -> LabelId {
        self.labels.set(self.labels.get() + 1);
        LabelId(self.labels.get() - 1)
    }

    /// A parameter.
    pub fn param(&self, name: &str, ty: TypeId) -> LocalId {
        let local = self.local(name);
        let param = self.closure_param(local, ty);
        self.params.borrow_mut().push(param);
        local
    }

    /// A parameter that takes a closure.
    pub fn value_param(&self, name: &str) -> LocalId {
        let local = self.local(name);
        let param = Param { pattern: self.binding(local), ty: TypeSource::Value };
        self.params.borrow_mut().push(param);
        local
    }

    /// A closure's parameter.
    pub fn closure_param(&self, local: LocalId, ty: TypeId) -> Param {
        Param { pattern: self.binding(local), ty: TypeSource::Note(self.type_note(ty)) }
    }

    /// A pattern of any kind.
    pub fn pattern(&self, kind: PatternKind) -> Pattern {
        Pattern { kind, span: self.span() }
    }

    /// The pattern `x`.
    pub fn binding(&self, local: LocalId) -> Pattern {
        self.pattern(PatternKind::Binding { local, mutable: true, by_reference: None, sub: None })
    }

    /// A literal pattern of an integer.
    pub fn int_pattern(&self, value: i128) -> Pattern {
        let literal = Literal::Int(value.unsigned_abs(), None);
        self.pattern(PatternKind::Literal { literal, negative: value < 0 })
    }

    /// An expression of any kind.
    pub fn expr(&self, kind: ExprKind) -> Expr {
        Expr { kind, span: self.span() }
    }

    /// A variable's value.
    pub fn var(&self, local: LocalId) -> Expr {
        self.expr(ExprKind::Local(local))
    }

    /// An integer without a type of its own.
    pub fn int(&self, value: u128) -> Expr {
        self.expr(ExprKind::Literal(Literal::Int(value, None), None))
    }

    /// An integer with a suffix.
    pub fn int_of(&self, value: u128, scalar: Scalar) -> Expr {
        self.expr(ExprKind::Literal(Literal::Int(value, Some(scalar)), None))
    }

    /// A float without a type of its own.
    pub fn float(&self, digits: &str) -> Expr {
        self.expr(ExprKind::Literal(Literal::Float(digits.into(), None), None))
    }

    /// A float with a suffix.
    pub fn float_of(&self, digits: &str, scalar: Scalar) -> Expr {
        self.expr(ExprKind::Literal(Literal::Float(digits.into(), Some(scalar)), None))
    }

    /// `true`, `false`.
    pub fn bool(&self, value: bool) -> Expr {
        self.expr(ExprKind::Literal(Literal::Bool(value), None))
    }

    /// A constant.
    pub fn constant(&self, ty: TypeId, bytes: &[u8]) -> Expr {
        let note = self.record(Record::Constant(ty, bytes.to_vec()));
        self.expr(ExprKind::Constant(note))
    }

    /// `-x`, `!x` of a primitive.
    pub fn unary(&self, op: UnaryOp, operand: Expr) -> Expr {
        self.expr(ExprKind::Unary(op, Box::new(operand), None))
    }

    /// `a + b` of primitives.
    pub fn binary(&self, op: BinaryOp, left: Expr, right: Expr) -> Expr {
        self.expr(ExprKind::Binary(op, Box::new(left), Box::new(right), None))
    }

    /// `a + b` as rustc says it.
    pub fn overloaded(&self, op: BinaryOp, left: Expr, right: Expr, callee: InstanceId) -> Expr {
        let note = self.callee(callee);
        self.expr(ExprKind::Binary(op, Box::new(left), Box::new(right), Some(note)))
    }

    /// `a += b` of primitives.
    pub fn assign_binary(&self, op: BinaryOp, place: Expr, value: Expr) -> Expr {
        self.expr(ExprKind::AssignBinary(op, Box::new(place), Box::new(value), None))
    }

    /// `a && b`.
    pub fn and(&self, left: Expr, right: Expr) -> Expr {
        self.expr(ExprKind::Lazy { and: true, left: Box::new(left), right: Box::new(right) })
    }

    /// `a || b`.
    pub fn or(&self, left: Expr, right: Expr) -> Expr {
        self.expr(ExprKind::Lazy { and: false, left: Box::new(left), right: Box::new(right) })
    }

    /// `*x`.
    pub fn deref(&self, pointer: Expr) -> Expr {
        self.expr(ExprKind::Deref(Box::new(pointer)))
    }

    /// `&x`.
    pub fn reference(&self, operand: Expr) -> Expr {
        self.expr(ExprKind::Reference { mutable: false, raw: false, operand: Box::new(operand) })
    }

    /// `&mut x`.
    pub fn reference_mut(&self, operand: Expr) -> Expr {
        self.expr(ExprKind::Reference { mutable: true, raw: false, operand: Box::new(operand) })
    }

    /// `x.name`.
    pub fn field(&self, base: Expr, name: &str) -> Expr {
        self.expr(ExprKind::Field(Box::new(base), name.into()))
    }

    /// `x[i]`.
    pub fn index(&self, base: Expr, index: Expr) -> Expr {
        self.expr(ExprKind::Index(Box::new(base), Box::new(index)))
    }

    /// `a..b`, `a..=b`.
    pub fn range(&self, start: Option<Expr>, end: Option<Expr>, inclusive: bool) -> Expr {
        self.expr(ExprKind::Range { start: start.map(Box::new), end: end.map(Box::new), inclusive })
    }

    /// `x as T`.
    pub fn cast(&self, value: Expr, ty: TypeId) -> Expr {
        let note = self.type_note(ty);
        self.expr(ExprKind::Cast(Box::new(value), Annotation::Note(note)))
    }

    /// `[x; N]`; `ty` is the array's.
    pub fn repeat(&self, element: Expr, ty: TypeId) -> Expr {
        let note = self.type_note(ty);
        self.expr(ExprKind::Repeat(Box::new(element), note))
    }

    /// `f(a, b)`.
    pub fn call(&self, callee: InstanceId, arguments: Vec<Expr>) -> Expr {
        let note = self.callee(callee);
        self.expr(ExprKind::Call(note, arguments))
    }

    /// `x.f(a, b)`.
    pub fn method(&self, callee: InstanceId, receiver: Expr, arguments: Vec<Expr>) -> Expr {
        let note = self.callee(callee);
        self.expr(ExprKind::MethodCall(note, Box::new(receiver), arguments))
    }

    /// `f(a, b)` of a closure.
    pub fn call_value(&self, callee: Expr, arguments: Vec<Expr>) -> Expr {
        self.expr(ExprKind::CallValue(Box::new(callee), arguments))
    }

    /// `|a, b| body`.
    pub fn closure(&self, by_move: bool, params: Vec<Param>, body: Expr) -> Expr {
        self.expr(ExprKind::Closure { by_move, params, body: Box::new(body) })
    }

    /// `place = value`.
    pub fn assign(&self, place: Expr, value: Expr) -> Expr {
        self.expr(ExprKind::Assign(Box::new(place), Box::new(value)))
    }

    /// `if c { then }`.
    pub fn if_then(&self, condition: Expr, then: Block) -> Expr {
        self.expr(ExprKind::If(Box::new(condition), then, None))
    }

    /// `if c { then } else { otherwise }`.
    pub fn if_else(&self, condition: Expr, then: Block, otherwise: Block) -> Expr {
        let otherwise = self.block(otherwise);
        self.expr(ExprKind::If(Box::new(condition), then, Some(Box::new(otherwise))))
    }

    /// `match x { … }`.
    pub fn match_(&self, subject: Expr, arms: Vec<Arm>) -> Expr {
        self.expr(ExprKind::Match(Box::new(subject), arms))
    }

    /// `for x in subject { body }`.
    pub fn for_(&self, label: LabelId, local: LocalId, subject: Expr, body: Block) -> Expr {
        let pattern = self.binding(local);
        self.expr(ExprKind::For { label, pattern, subject: Box::new(subject), iterator: None, body })
    }

    /// A block as an expression.
    pub fn block(&self, block: Block) -> Expr {
        self.expr(ExprKind::Block(None, block))
    }

    /// `panic!("…")`.
    pub fn panic(&self, text: &str) -> Expr {
        self.expr(ExprKind::Panic(Message { text: text.into() }))
    }

    /// `shared!(T)`.
    pub fn shared(&self, ty: TypeId) -> Expr {
        let note = self.type_note(ty);
        self.expr(ExprKind::Shared(note))
    }

    /// `let x = init;`
    pub fn let_(&self, local: LocalId, init: Expr) -> Statement {
        Statement::Let { pattern: self.binding(local), ty: None, init: Some(init), diverge: None }
    }

    /// `let x: T = init;`
    pub fn let_typed(&self, local: LocalId, ty: TypeId, init: Expr) -> Statement {
        let ty = Some(Annotation::Note(self.type_note(ty)));
        Statement::Let { pattern: self.binding(local), ty, init: Some(init), diverge: None }
    }

    /// `let PATTERN = init;`
    pub fn let_pattern(&self, pattern: Pattern, init: Expr) -> Statement {
        Statement::Let { pattern, ty: None, init: Some(init), diverge: None }
    }
}

/// `{ statements }`
pub fn block(statements: Vec<Statement>) -> Block {
    Block { statements, value: None }
}

/// `{ statements; value }`
pub fn value_block(statements: Vec<Statement>, value: Expr) -> Block {
    Block { statements, value: Some(Box::new(value)) }
}

/// `e;`
pub fn stmt(e: Expr) -> Statement {
    Statement::Expr(e)
}

/// `pattern => body`
pub fn arm(pattern: Pattern, body: Expr) -> Arm {
    Arm { pattern, guard: None, body }
}
