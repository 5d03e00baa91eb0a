//! Typed programs written by hand, for the tests of lowering.

use wavewright_kernel_ir::builtin::Builtin;
use wavewright_kernel_ir::scalar::Scalar;
use wavewright_kernel_ir::span::Span;
use wavewright_kernel_ir::typed::*;
use wavewright_kernel_ir::types::*;

/// A kernel under construction. Every expression stands on a line of its own.
pub(crate) struct Build {
    pub(crate) types: TypeTable,
    locals: Vec<Local>,
    parameters: Vec<LocalId>,
    kinds: Vec<KernelParam>,
    shared: Vec<Shared>,
    functions: Vec<Function>,
    line: u32,
    labels: u32,
    pub(crate) attributes: KernelAttributes,
}

impl Build {
    pub(crate) fn new() -> Self {
        Self {
            types: TypeTable::new(),
            locals: Vec::new(),
            parameters: Vec::new(),
            kinds: Vec::new(),
            shared: Vec::new(),
            functions: Vec::new(),
            line: 10,
            labels: 0,
            attributes: KernelAttributes::default(),
        }
    }

    pub(crate) fn scalar_type(&mut self, scalar: Scalar) -> TypeId {
        self.types.scalar(scalar)
    }

    fn span(&mut self) -> Span {
        self.line += 1;
        Span::new(self.line, 5)
    }

    pub(crate) fn local(&mut self, name: &str, ty: TypeId) -> LocalId {
        let span = self.span();
        self.locals.push(Local { name: name.into(), ty, span });
        LocalId(self.locals.len() as u32 - 1)
    }

    fn parameter(&mut self, name: &str, ty: TypeId, kind: KernelParam) -> LocalId {
        let local = self.local(name, ty);
        self.parameters.push(local);
        self.kinds.push(kind);
        local
    }

    /// `name: ty`.
    pub(crate) fn value(&mut self, name: &str, ty: TypeId) -> LocalId {
        self.parameter(name, ty, KernelParam::Value(ty))
    }

    /// `name: &[element]` or `&mut`.
    pub(crate) fn slice(&mut self, name: &str, element: TypeId, mutability: Mutability) -> LocalId {
        let slice = self.types.intern(Type::Slice(element));
        let ty = self.types.reference(slice, mutability);
        self.parameter(name, ty, KernelParam::Slice { element, mutable: mutability == Mutability::Mutable })
    }

    /// `name: &element` or `&mut`.
    pub(crate) fn element(&mut self, name: &str, element: TypeId, mutability: Mutability) -> LocalId {
        let ty = self.types.reference(element, mutability);
        self.parameter(name, ty, KernelParam::Element { element, mutable: mutability == Mutability::Mutable })
    }

    /// A block of shared memory.
    pub(crate) fn shared(&mut self, ty: TypeId) -> Place {
        let span = self.span();
        self.shared.push(Shared { ty, span });
        Place { kind: PlaceKind::Shared(SharedId(self.shared.len() as u32 - 1)), ty, span }
    }

    pub(crate) fn label(&mut self) -> LabelId {
        self.labels += 1;
        LabelId(self.labels - 1)
    }

    pub(crate) fn expr(&mut self, kind: ExprKind, ty: TypeId) -> Expr {
        Expr { kind, ty, span: self.span() }
    }

    pub(crate) fn unit_expr(&mut self, kind: ExprKind) -> Expr {
        let ty = self.types.unit();
        self.expr(kind, ty)
    }

    pub(crate) fn never(&mut self, kind: ExprKind) -> Expr {
        let ty = self.types.intern(Type::Never);
        self.expr(kind, ty)
    }

    pub(crate) fn constant(&mut self, bits: u128, scalar: Scalar) -> Expr {
        let ty = self.types.scalar(scalar);
        self.expr(ExprKind::Scalar(bits), ty)
    }

    pub(crate) fn usize(&mut self, value: u64) -> Expr {
        self.constant(value.into(), Scalar::Usize)
    }

    pub(crate) fn place_of(&mut self, local: LocalId) -> Place {
        let ty = self.locals[local.0 as usize].ty;
        Place { kind: PlaceKind::Local(local), ty, span: self.span() }
    }

    pub(crate) fn load(&mut self, place: Place) -> Expr {
        let ty = place.ty;
        self.expr(ExprKind::Load(place), ty)
    }

    pub(crate) fn get(&mut self, local: LocalId) -> Expr {
        let place = self.place_of(local);
        self.load(place)
    }

    /// `*local`.
    pub(crate) fn deref(&mut self, local: LocalId) -> Place {
        let pointer = self.get(local);
        self.deref_expr(pointer)
    }

    pub(crate) fn deref_expr(&mut self, pointer: Expr) -> Place {
        let Type::Pointer { pointee, .. } = *self.types.get(pointer.ty) else { panic!("no pointer") };
        Place { kind: PlaceKind::Deref(Box::new(pointer)), ty: pointee, span: self.span() }
    }

    pub(crate) fn field(&mut self, base: Place, number: u32) -> Place {
        let Type::Aggregate(aggregate) = self.types.get(base.ty) else { panic!("no struct") };
        let ty = aggregate.fields[number as usize].ty;
        Place { kind: PlaceKind::Field(Box::new(base), number), ty, span: self.span() }
    }

    pub(crate) fn index(&mut self, base: Place, index: Expr, checked: bool) -> Place {
        let ty = match self.types.get(base.ty) {
            Type::Slice(element) | Type::Array { element, .. } => *element,
            _ => panic!("no sequence"),
        };
        let kind = PlaceKind::Index { base: Box::new(base), index: Box::new(index), checked };
        Place { kind, ty, span: self.span() }
    }

    /// `slice[index]`, where `slice` is a reference.
    pub(crate) fn at(&mut self, slice: LocalId, index: LocalId) -> Place {
        let (base, index) = (self.deref(slice), self.get(index));
        self.index(base, index, true)
    }

    /// `slice.get_unchecked(index)`.
    pub(crate) fn at_unchecked(&mut self, slice: LocalId, index: LocalId) -> Place {
        let (base, index) = (self.deref(slice), self.get(index));
        self.index(base, index, false)
    }

    pub(crate) fn len(&mut self, slice: LocalId) -> Expr {
        let place = self.deref(slice);
        let usize = self.types.scalar(Scalar::Usize);
        self.expr(ExprKind::Length(place), usize)
    }

    pub(crate) fn address_of(&mut self, place: Place, mutability: Mutability) -> Expr {
        let ty = self.types.reference(place.ty, mutability);
        self.expr(ExprKind::AddressOf(place), ty)
    }

    pub(crate) fn binary(&mut self, op: BinaryOp, a: Expr, b: Expr) -> Expr {
        let ty = if op.is_comparison() { self.types.scalar(Scalar::Bool) } else { a.ty };
        self.expr(ExprKind::Binary(op, Box::new(a), Box::new(b)), ty)
    }

    pub(crate) fn cast(&mut self, kind: CastKind, value: Expr, to: Scalar) -> Expr {
        let ty = self.types.scalar(to);
        self.expr(ExprKind::Cast(kind, Box::new(value)), ty)
    }

    pub(crate) fn builtin(&mut self, builtin: Builtin, arguments: Vec<Expr>, ty: TypeId) -> Expr {
        self.expr(ExprKind::Builtin(builtin, arguments), ty)
    }

    /// `thread::global_x()`.
    pub(crate) fn global_x(&mut self) -> Expr {
        let usize = self.types.scalar(Scalar::Usize);
        self.builtin(Builtin::GlobalX, vec![], usize)
    }

    pub(crate) fn barrier(&mut self) -> Statement {
        let unit = self.types.unit();
        Statement::Expr(self.builtin(Builtin::SyncThreads, vec![], unit))
    }

    pub(crate) fn assign(&mut self, place: Place, value: Expr) -> Statement {
        Statement::Expr(self.unit_expr(ExprKind::Assign(place, Box::new(value))))
    }

    pub(crate) fn assign_binary(&mut self, op: BinaryOp, place: Place, value: Expr) -> Statement {
        Statement::Expr(self.unit_expr(ExprKind::AssignBinary(op, place, Box::new(value))))
    }

    pub(crate) fn block(&mut self, statements: Vec<Statement>) -> Expr {
        self.unit_expr(ExprKind::Block(statements, None))
    }

    /// `if condition { statements }`.
    pub(crate) fn when(&mut self, condition: Expr, statements: Vec<Statement>) -> Statement {
        let then = self.block(statements);
        Statement::Expr(self.unit_expr(ExprKind::If(Box::new(condition), Box::new(then), None)))
    }

    /// `for counter in 0..end { body }`, as the typed program has it.
    pub(crate) fn count(&mut self, counter: LocalId, end: Expr, mut body: Vec<Statement>) -> Vec<Statement> {
        let label = self.label();
        let zero = self.usize(0);
        let (now, stop) = (self.get(counter), self.never(ExprKind::Break(label, None)));
        let done = self.binary(BinaryOp::Ge, now, end);
        let leave = self.when(done, vec![Statement::Expr(stop)]);
        let (place, one) = (self.place_of(counter), self.usize(1));
        let step = self.assign_binary(BinaryOp::Add, place, one);
        body.insert(0, leave);
        body.push(step);
        let body = self.block(body);
        let looped = self.unit_expr(ExprKind::Loop(label, Box::new(body)));
        vec![Statement::Let(counter, Some(zero)), Statement::Expr(looped)]
    }

    /// A device function whose variables have been declared since `first`; they become its own.
    pub(crate) fn function(&mut self, name: &str, first: usize, parameters: usize, body: Expr) -> FunctionId {
        let locals: Vec<Local> = self.locals.drain(first..).collect();
        assert_eq!(first, 0, "declare functions before the kernel's variables");
        self.functions.push(Function {
            name: name.into(),
            file: "src/device.rs".into(),
            span: Span::new(1, 4),
            params: (0..parameters as u32).map(LocalId).collect(),
            locals,
            result: body.ty,
            track_caller: false,
            body,
        });
        FunctionId(self.functions.len() as u32 - 1)
    }

    pub(crate) fn call(&mut self, function: FunctionId, arguments: Vec<Expr>) -> Expr {
        let ty = self.functions[function.0 as usize].result;
        self.expr(ExprKind::Call(function, arguments), ty)
    }

    /// The kernel with these statements as its body.
    pub(crate) fn kernel(mut self, name: &str, statements: Vec<Statement>) -> Program {
        let body = self.block(statements);
        let result = self.types.unit();
        self.functions.push(Function {
            name: name.into(),
            file: "src/kernels.rs".into(),
            span: Span::new(10, 4),
            params: self.parameters,
            locals: self.locals,
            result,
            track_caller: false,
            body,
        });
        let kernel = Kernel {
            name: name.into(),
            symbol: name.into(),
            function: FunctionId(self.functions.len() as u32 - 1),
            params: self.kinds,
            attributes: self.attributes,
        };
        Program { types: self.types, functions: self.functions, shared: self.shared, kernel }
    }
}
