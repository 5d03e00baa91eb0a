//! Kernels written as typed trees, for tests that must not depend on the macros.

use std::cell::RefCell;
use wavewright_kernel_ir::builtin::Builtin;
use wavewright_kernel_ir::scalar::Scalar;
use wavewright_kernel_ir::span::Span;
use wavewright_kernel_ir::typed::*;
use wavewright_kernel_ir::types::{DeviceType, Mutability, Type, TypeId, TypeTable};

/// Builds one kernel. Every node gets a line of its own, in the order in which nodes are made.
#[derive(Default)]
pub(crate) struct Build {
    types: RefCell<TypeTable>,
    locals: RefCell<Vec<Local>>,
    params: RefCell<Vec<(LocalId, KernelParam)>>,
    shared: RefCell<Vec<Shared>>,
    labels: RefCell<u32>,
    line: RefCell<u32>,
}

impl Build {
    pub(crate) fn new() -> Self {
        Self::default()
    }

    pub(crate) fn ty<T: DeviceType + ?Sized>(&self) -> TypeId {
        self.types.borrow_mut().of::<T>()
    }

    fn never(&self) -> TypeId {
        self.types.borrow_mut().intern(Type::Never)
    }

    fn span(&self) -> Span {
        *self.line.borrow_mut() += 1;
        Span::new(*self.line.borrow(), 1)
    }

    pub(crate) fn expr(&self, kind: ExprKind, ty: TypeId) -> Expr {
        Expr { kind, ty, span: self.span() }
    }

    fn scalar_of(&self, ty: TypeId) -> Option<Scalar> {
        self.types.borrow().as_scalar(ty)
    }

    // Variables and parameters.

    pub(crate) fn local<T: DeviceType>(&self, name: &str) -> LocalId {
        self.local_of(name, self.ty::<T>())
    }

    pub(crate) fn local_of(&self, name: &str, ty: TypeId) -> LocalId {
        let span = self.span();
        self.locals.borrow_mut().push(Local { name: name.into(), ty, span });
        LocalId(self.locals.borrow().len() as u32 - 1)
    }

    pub(crate) fn value_param<T: DeviceType>(&self, name: &str) -> LocalId {
        let local = self.local::<T>(name);
        self.params.borrow_mut().push((local, KernelParam::Value(self.ty::<T>())));
        local
    }

    pub(crate) fn slice_param<T: DeviceType>(&self, name: &str, mutable: bool) -> LocalId {
        let slice = self.ty::<[T]>();
        let mutability = if mutable { Mutability::Mutable } else { Mutability::Shared };
        let ty = self.types.borrow_mut().reference(slice, mutability);
        let local = self.local_of(name, ty);
        self.params.borrow_mut().push((local, KernelParam::Slice { element: self.ty::<T>(), mutable }));
        local
    }

    pub(crate) fn shared<T: DeviceType>(&self) -> SharedId {
        let (ty, span) = (self.ty::<T>(), self.span());
        self.shared.borrow_mut().push(Shared { ty, span });
        SharedId(self.shared.borrow().len() as u32 - 1)
    }

    pub(crate) fn label(&self) -> LabelId {
        *self.labels.borrow_mut() += 1;
        LabelId(*self.labels.borrow() - 1)
    }

    fn ty_of(&self, local: LocalId) -> TypeId {
        self.locals.borrow()[local.0 as usize].ty
    }

    // Places.

    pub(crate) fn place(&self, kind: PlaceKind, ty: TypeId) -> Place {
        Place { kind, ty, span: self.span() }
    }

    pub(crate) fn var(&self, local: LocalId) -> Place {
        self.place(PlaceKind::Local(local), self.ty_of(local))
    }

    /// `*local`, of a reference.
    pub(crate) fn deref(&self, local: LocalId) -> Place {
        let Type::Pointer { pointee, .. } = *self.types.borrow().get(self.ty_of(local)) else {
            panic!("a reference is needed")
        };
        self.place(PlaceKind::Deref(Box::new(self.load(local))), pointee)
    }

    pub(crate) fn shared_place(&self, shared: SharedId) -> Place {
        let ty = self.shared.borrow()[shared.0 as usize].ty;
        self.place(PlaceKind::Shared(shared), ty)
    }

    /// `base[index]`, checked.
    pub(crate) fn index(&self, base: Place, index: Expr) -> Place {
        let element = match *self.types.borrow().get(base.ty) {
            Type::Slice(element) | Type::Array { element, .. } => element,
            _ => panic!("a slice or array is needed"),
        };
        let kind = PlaceKind::Index { base: Box::new(base), index: Box::new(index), checked: true };
        self.place(kind, element)
    }

    /// `slice[index]` of a parameter.
    pub(crate) fn at(&self, slice: LocalId, index: Expr) -> Place {
        self.index(self.deref(slice), index)
    }

    // Values.

    pub(crate) fn load(&self, local: LocalId) -> Expr {
        self.read(self.place(PlaceKind::Local(local), self.ty_of(local)))
    }

    pub(crate) fn read(&self, place: Place) -> Expr {
        let ty = place.ty;
        self.expr(ExprKind::Load(place), ty)
    }

    pub(crate) fn int<T: DeviceType>(&self, value: u128) -> Expr {
        self.expr(ExprKind::Scalar(value), self.ty::<T>())
    }

    pub(crate) fn f32(&self, value: f32) -> Expr {
        self.expr(ExprKind::Scalar(value.to_bits().into()), self.ty::<f32>())
    }

    pub(crate) fn bin(&self, op: BinaryOp, a: Expr, b: Expr) -> Expr {
        let ty = if op.is_comparison() { self.ty::<bool>() } else { a.ty };
        self.expr(ExprKind::Binary(op, Box::new(a), Box::new(b)), ty)
    }

    pub(crate) fn add(&self, a: Expr, b: Expr) -> Expr {
        self.bin(BinaryOp::Add, a, b)
    }

    pub(crate) fn mul(&self, a: Expr, b: Expr) -> Expr {
        self.bin(BinaryOp::Mul, a, b)
    }

    pub(crate) fn lt(&self, a: Expr, b: Expr) -> Expr {
        self.bin(BinaryOp::Lt, a, b)
    }

    pub(crate) fn cast<T: DeviceType>(&self, value: Expr) -> Expr {
        let ty = self.ty::<T>();
        let float = |ty| self.scalar_of(ty).is_some_and(Scalar::is_float);
        let kind = match (float(value.ty), float(ty)) {
            (false, false) => CastKind::IntToInt,
            (false, true) => CastKind::IntToFloat,
            (true, false) => CastKind::FloatToInt,
            (true, true) => CastKind::FloatToFloat,
        };
        self.expr(ExprKind::Cast(kind, Box::new(value)), ty)
    }

    pub(crate) fn builtin<T: DeviceType>(&self, builtin: Builtin, arguments: Vec<Expr>) -> Expr {
        self.expr(ExprKind::Builtin(builtin, arguments), self.ty::<T>())
    }

    pub(crate) fn global_x(&self) -> Expr {
        self.builtin::<usize>(Builtin::GlobalX, vec![])
    }

    /// An index of type `u32` as a `usize`.
    pub(crate) fn idx(&self, builtin: Builtin) -> Expr {
        self.cast::<usize>(self.builtin::<u32>(builtin, vec![]))
    }

    pub(crate) fn address_of(&self, place: Place, mutability: Mutability) -> Expr {
        let ty = self.types.borrow_mut().reference(place.ty, mutability);
        self.expr(ExprKind::AddressOf(place), ty)
    }

    pub(crate) fn if_(&self, condition: Expr, then: Expr, otherwise: Option<Expr>) -> Expr {
        let never = self.never();
        let ty = match &otherwise {
            None => self.ty::<()>(),
            Some(otherwise) if then.ty == never => otherwise.ty,
            Some(_) => then.ty,
        };
        self.expr(ExprKind::If(Box::new(condition), Box::new(then), otherwise.map(Box::new)), ty)
    }

    pub(crate) fn block(&self, statements: Vec<Statement>) -> Expr {
        self.expr(ExprKind::Block(statements, None), self.ty::<()>())
    }

    pub(crate) fn block_value(&self, statements: Vec<Statement>, value: Expr) -> Expr {
        let ty = value.ty;
        self.expr(ExprKind::Block(statements, Some(Box::new(value))), ty)
    }

    pub(crate) fn loop_(&self, label: LabelId, body: Expr) -> Expr {
        self.expr(ExprKind::Loop(label, Box::new(body)), self.ty::<()>())
    }

    pub(crate) fn labeled<T: DeviceType>(&self, label: LabelId, body: Expr) -> Expr {
        self.expr(ExprKind::Labeled(label, Box::new(body)), self.ty::<T>())
    }

    pub(crate) fn break_(&self, label: LabelId, value: Option<Expr>) -> Expr {
        self.expr(ExprKind::Break(label, value.map(Box::new)), self.never())
    }

    pub(crate) fn continue_(&self, label: LabelId) -> Expr {
        self.expr(ExprKind::Continue(label), self.never())
    }

    pub(crate) fn return_(&self) -> Expr {
        self.expr(ExprKind::Return(None), self.never())
    }

    pub(crate) fn panic(&self, message: &str) -> Expr {
        self.expr(ExprKind::Panic(PanicKind::Message(message.into())), self.never())
    }

    // Statements.

    pub(crate) fn let_(&self, local: LocalId, value: Expr) -> Statement {
        Statement::Let(local, Some(value))
    }

    pub(crate) fn run(&self, expr: Expr) -> Statement {
        Statement::Expr(expr)
    }

    pub(crate) fn assign(&self, place: Place, value: Expr) -> Statement {
        Statement::Expr(self.expr(ExprKind::Assign(place, Box::new(value)), self.ty::<()>()))
    }

    pub(crate) fn assign_op(&self, op: BinaryOp, place: Place, value: Expr) -> Statement {
        Statement::Expr(self.expr(ExprKind::AssignBinary(op, place, Box::new(value)), self.ty::<()>()))
    }

    pub(crate) fn sync(&self) -> Statement {
        Statement::Expr(self.builtin::<()>(Builtin::SyncThreads, vec![]))
    }

    /// `for local in 0..end { body }`, as the typing writes it.
    pub(crate) fn for_(&self, local: LocalId, end: Expr, body: Vec<Statement>) -> Statement {
        let ty = self.ty_of(local);
        let (next, last) = (self.local_of("", ty), self.local_of("", ty));
        let label = self.label();
        let one = self.expr(ExprKind::Scalar(1), ty);
        let mut round =
            vec![self.let_(local, self.load(next)), self.assign_op(BinaryOp::Add, self.var(next), one)];
        round.extend(body);
        let condition = self.lt(self.load(next), self.load(last));
        let test = self.if_(condition, self.block(round), Some(self.break_(label, None)));
        let zero = self.expr(ExprKind::Scalar(0), ty);
        let all = vec![self.let_(next, zero), self.let_(last, end), self.run(self.loop_(label, test))];
        self.run(self.block(all))
    }

    /// The program whose kernel has this body.
    pub(crate) fn program(self, statements: Vec<Statement>) -> Program {
        let body = self.block(statements);
        let result = self.ty::<()>();
        let params = self.params.into_inner();
        let function = Function {
            name: "test::kernel".into(),
            file: "test.rs".into(),
            span: Span::new(1, 1),
            params: params.iter().map(|(local, _)| *local).collect(),
            locals: self.locals.into_inner(),
            result,
            track_caller: false,
            body,
        };
        Program {
            types: self.types.into_inner(),
            functions: vec![function],
            shared: self.shared.into_inner(),
            kernel: Kernel {
                name: "test::kernel".into(),
                symbol: "kernel".into(),
                function: FunctionId(0),
                params: params.into_iter().map(|(_, param)| param).collect(),
                attributes: KernelAttributes::default(),
            },
        }
    }
}
