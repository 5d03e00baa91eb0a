//! Calls replaced by the bodies of the functions that they call, so that a kernel is one function.
//!
//! `f(a, b)` becomes `{ let p = a; let q = b; Inlined(f, BODY) }`, with `f`'s parameters, variables and labels under new
//! numbers in the kernel's own function. Where `f` has `return`s, BODY stands in a labelled block and they are `break`s
//! out of it. Functions stay in [`Program::functions`], for the names and files that [`ExprKind::Inlined`] refers to.

use crate::Error;
use wavewright_kernel_ir::span::Span;
use wavewright_kernel_ir::typed::*;
use wavewright_kernel_ir::visit::{Visit, walk_expr};

/// The most operations that a kernel may have once it is inlined.
const LIMIT: usize = 1 << 18;

/// The program with every call of its kernel inlined.
///
/// # Errors
///
/// [`Error::Recursion`] where functions call each other in a circle, [`Error::TooLarge`] where inlining explodes.
pub(crate) fn inline(program: &Program) -> Result<Program, Error> {
    let kernel = program.kernel.function;
    let function = &program.functions[kernel.0 as usize];
    let mut inliner = Inliner {
        program,
        locals: function.locals.clone(),
        labels: 0,
        size: 0,
        stack: vec![Frame { function: kernel, first_local: 0, first_label: 0, exit: None }],
    };
    inliner.labels = labels_of(&function.body);
    let body = inliner.expr(&function.body)?;
    let locals = inliner.locals;
    let mut inlined = program.clone();
    let function = &mut inlined.functions[kernel.0 as usize];
    function.body = body;
    function.locals = locals;
    Ok(inlined)
}

/// A call that is being inlined.
struct Frame {
    function: FunctionId,
    /// What the function's local 0 is called in the kernel.
    first_local: u32,
    /// What its label 0 is called.
    first_label: u32,
    /// The labelled block that a `return` leaves; none in the kernel itself.
    exit: Option<LabelId>,
}

struct Inliner<'p> {
    program: &'p Program,
    /// The variables of the kernel, those of inlined functions among them.
    locals: Vec<Local>,
    /// How many labels are in use.
    labels: u32,
    /// How many operations have been written.
    size: usize,
    stack: Vec<Frame>,
}

impl Inliner<'_> {
    fn frame(&self) -> &Frame {
        self.stack.last().expect("the kernel's own frame stays")
    }

    fn file(&self) -> &str {
        &self.program.functions[self.frame().function.0 as usize].file
    }

    fn local(&self, local: LocalId) -> LocalId {
        LocalId(self.frame().first_local + local.0)
    }

    fn label(&self, label: LabelId) -> LabelId {
        LabelId(self.frame().first_label + label.0)
    }

    fn call(&mut self, callee: FunctionId, arguments: &[Expr], call: &Expr) -> Result<ExprKind, Error> {
        self.refuse_recursion(callee, call.span)?;
        let arguments = self.exprs(arguments)?;
        let function = &self.program.functions[callee.0 as usize];
        let first_local = self.locals.len() as u32;
        let first_label = self.labels;
        self.locals.extend(function.locals.iter().cloned());
        self.labels += labels_of(&function.body);
        let exit = has_return(&function.body).then(|| {
            self.labels += 1;
            LabelId(self.labels - 1)
        });
        self.stack.push(Frame { function: callee, first_local, first_label, exit });
        let mut body = self.expr(&function.body)?;
        let frame = self.stack.pop().expect("pushed above");
        if let Some(exit) = frame.exit {
            let span = body.span;
            body = Expr { kind: ExprKind::Labeled(exit, Box::new(body)), ty: function.result, span };
        }
        let lets = function
            .params
            .iter()
            .zip(arguments)
            .map(|(param, value)| Statement::Let(LocalId(first_local + param.0), Some(value)))
            .collect();
        let inlined =
            Expr { kind: ExprKind::Inlined(callee, Box::new(body)), ty: function.result, span: call.span };
        Ok(ExprKind::Block(lets, Some(Box::new(inlined))))
    }

    fn refuse_recursion(&self, callee: FunctionId, span: Span) -> Result<(), Error> {
        let Some(first) = self.stack.iter().position(|frame| frame.function == callee) else { return Ok(()) };
        let circle = self.stack[first..].iter().map(|frame| frame.function).chain([callee]);
        let cycle = circle.map(|f| self.program.functions[f.0 as usize].name.clone()).collect();
        let kernel = self.program.kernel.name.clone();
        Err(Error::Recursion { kernel, cycle, file: self.file().into(), span })
    }

    fn expr(&mut self, expr: &Expr) -> Result<Expr, Error> {
        self.size += 1;
        if self.size > LIMIT {
            let kernel = self.program.kernel.name.clone();
            return Err(Error::TooLarge { kernel, limit: LIMIT, file: self.file().into(), span: expr.span });
        }
        Ok(Expr { kind: self.kind(expr)?, ty: expr.ty, span: expr.span })
    }

    fn kind(&mut self, expr: &Expr) -> Result<ExprKind, Error> {
        Ok(match &expr.kind {
            ExprKind::Scalar(_) | ExprKind::Bytes(_) | ExprKind::Panic(_) => expr.kind.clone(),
            ExprKind::Load(place) => ExprKind::Load(self.place(place)?),
            ExprKind::AddressOf(place) => ExprKind::AddressOf(self.place(place)?),
            ExprKind::Length(place) => ExprKind::Length(self.place(place)?),
            ExprKind::VariantOf(place) => ExprKind::VariantOf(self.place(place)?),
            ExprKind::Variant(number, payload) => ExprKind::Variant(*number, self.boxed(payload)?),
            ExprKind::Unary(op, value) => ExprKind::Unary(*op, self.boxed(value)?),
            ExprKind::Binary(op, a, b) => ExprKind::Binary(*op, self.boxed(a)?, self.boxed(b)?),
            ExprKind::And(a, b) => ExprKind::And(self.boxed(a)?, self.boxed(b)?),
            ExprKind::Or(a, b) => ExprKind::Or(self.boxed(a)?, self.boxed(b)?),
            ExprKind::Cast(kind, value) => ExprKind::Cast(*kind, self.boxed(value)?),
            ExprKind::Aggregate { parts, order } => {
                ExprKind::Aggregate { parts: self.exprs(parts)?, order: order.clone() }
            }
            ExprKind::Repeat(value) => ExprKind::Repeat(self.boxed(value)?),
            ExprKind::Call(callee, arguments) => self.call(*callee, arguments, expr)?,
            ExprKind::Builtin(builtin, arguments) => ExprKind::Builtin(*builtin, self.exprs(arguments)?),
            ExprKind::Block(statements, value) => {
                let statements = statements.iter().map(|s| self.statement(s)).collect::<Result<_, _>>()?;
                ExprKind::Block(statements, self.optional(value)?)
            }
            ExprKind::Labeled(label, body) => ExprKind::Labeled(self.label(*label), self.boxed(body)?),
            ExprKind::If(condition, then, otherwise) => {
                ExprKind::If(self.boxed(condition)?, self.boxed(then)?, self.optional(otherwise)?)
            }
            ExprKind::Loop(label, body) => ExprKind::Loop(self.label(*label), self.boxed(body)?),
            ExprKind::Break(label, value) => ExprKind::Break(self.label(*label), self.optional(value)?),
            ExprKind::Continue(label) => ExprKind::Continue(self.label(*label)),
            ExprKind::Return(value) => {
                let value = self.optional(value)?;
                match self.frame().exit {
                    Some(exit) => ExprKind::Break(exit, value),
                    None => ExprKind::Return(value),
                }
            }
            ExprKind::Assign(place, value) => {
                // Written in the order of evaluation, which is also the order of new numbers.
                let value = self.boxed(value)?;
                ExprKind::Assign(self.place(place)?, value)
            }
            ExprKind::AssignBinary(op, place, value) => {
                let value = self.boxed(value)?;
                ExprKind::AssignBinary(*op, self.place(place)?, value)
            }
            ExprKind::Inlined(function, body) => ExprKind::Inlined(*function, self.boxed(body)?),
        })
    }

    fn statement(&mut self, statement: &Statement) -> Result<Statement, Error> {
        Ok(match statement {
            Statement::Let(local, value) => {
                let value = value.as_ref().map(|v| self.expr(v)).transpose()?;
                Statement::Let(self.local(*local), value)
            }
            Statement::Expr(expr) => Statement::Expr(self.expr(expr)?),
        })
    }

    fn place(&mut self, place: &Place) -> Result<Place, Error> {
        let kind = match &place.kind {
            PlaceKind::Local(local) => PlaceKind::Local(self.local(*local)),
            PlaceKind::Deref(pointer) => PlaceKind::Deref(self.boxed(pointer)?),
            PlaceKind::Field(base, field) => PlaceKind::Field(Box::new(self.place(base)?), *field),
            PlaceKind::Variant(base, number) => PlaceKind::Variant(Box::new(self.place(base)?), *number),
            PlaceKind::Index { base, index, checked } => PlaceKind::Index {
                base: Box::new(self.place(base)?),
                index: self.boxed(index)?,
                checked: *checked,
            },
            PlaceKind::Subslice { base, start, end, inclusive } => PlaceKind::Subslice {
                base: Box::new(self.place(base)?),
                start: self.optional(start)?,
                end: self.optional(end)?,
                inclusive: *inclusive,
            },
            PlaceKind::Constant(_) | PlaceKind::Shared(_) => place.kind.clone(),
        };
        Ok(Place { kind, ty: place.ty, span: place.span })
    }

    fn exprs(&mut self, exprs: &[Expr]) -> Result<Vec<Expr>, Error> {
        exprs.iter().map(|e| self.expr(e)).collect()
    }

    fn boxed(&mut self, expr: &Expr) -> Result<Box<Expr>, Error> {
        self.expr(expr).map(Box::new)
    }

    fn optional(&mut self, expr: &Option<Box<Expr>>) -> Result<Option<Box<Expr>>, Error> {
        expr.as_ref().map(|e| self.boxed(e)).transpose()
    }
}

/// How many numbers the labels of a body take.
fn labels_of(body: &Expr) -> u32 {
    struct Labels(u32);
    impl Visit for Labels {
        fn expr(&mut self, node: &Expr) {
            if let ExprKind::Labeled(label, _) | ExprKind::Loop(label, _) = node.kind {
                self.0 = self.0.max(label.0 + 1);
            }
            walk_expr(self, node);
        }
    }
    let mut labels = Labels(0);
    labels.expr(body);
    labels.0
}

fn has_return(body: &Expr) -> bool {
    struct Returns(bool);
    impl Visit for Returns {
        fn expr(&mut self, node: &Expr) {
            self.0 |= matches!(node.kind, ExprKind::Return(_));
            if !self.0 {
                walk_expr(self, node);
            }
        }
    }
    let mut returns = Returns(false);
    returns.expr(body);
    returns.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lower::tests::build::Build;
    use wavewright_kernel_ir::samples;
    use wavewright_kernel_ir::scalar::Scalar;
    use wavewright_kernel_ir::types::Mutability;

    /// The numbers that a body gives to labels, and how many calls and returns it has.
    #[derive(Default)]
    struct Census {
        labels: Vec<u32>,
        calls: usize,
        returns: usize,
        lets: Vec<u32>,
    }

    impl Visit for Census {
        fn expr(&mut self, node: &Expr) {
            match node.kind {
                ExprKind::Labeled(label, _) | ExprKind::Loop(label, _) => self.labels.push(label.0),
                ExprKind::Call(..) => self.calls += 1,
                ExprKind::Return(_) => self.returns += 1,
                _ => {}
            }
            walk_expr(self, node);
        }

        fn statement(&mut self, node: &Statement) {
            if let Statement::Let(local, _) = node {
                self.lets.push(local.0);
            }
            wavewright_kernel_ir::visit::walk_statement(self, node);
        }
    }

    fn census(program: &Program) -> Census {
        let mut census = Census::default();
        census.expr(&program.functions[program.kernel.function.0 as usize].body);
        census
    }

    #[test]
    fn numbers_of_labels_and_variables_stay_unique() {
        for (name, program) in samples::all() {
            let mut census = census(&inline(&program).unwrap());
            assert_eq!((census.calls, census.returns), (0, 0), "{name}");
            for numbers in [&mut census.labels, &mut census.lets] {
                let count = numbers.len();
                numbers.sort_unstable();
                numbers.dedup();
                assert_eq!(numbers.len(), count, "{name}");
            }
        }
    }

    /// `fn ID(x: u32) -> u32 { f(x) }` for functions that call each other.
    fn calling(b: &mut Build, name: &str, callee: u32) -> FunctionId {
        let u32 = b.scalar_type(Scalar::U32);
        let x = b.local("x", u32);
        let argument = b.get(x);
        let body = b.expr(ExprKind::Call(FunctionId(callee), vec![argument]), u32);
        b.function(name, 0, 1, body)
    }

    fn kernel_of(mut b: Build, callee: FunctionId) -> Program {
        let u32 = b.scalar_type(Scalar::U32);
        let out = b.element("out", u32, Mutability::Mutable);
        let (place, one) = (b.deref(out), b.constant(1, Scalar::U32));
        let value = b.call(callee, vec![one]);
        let store = b.assign(place, value);
        b.kernel("k", vec![store])
    }

    #[test]
    fn recursion_is_refused_with_its_circle() {
        let mut b = Build::new();
        let even = calling(&mut b, "even", 1);
        calling(&mut b, "odd", 0);
        let error = inline(&kernel_of(b, even)).unwrap_err().to_string();
        assert!(error.starts_with("src/device.rs:"), "{error}");
        assert!(error.contains("kernel `k` is recursive: even -> odd -> even"), "{error}");
    }

    #[test]
    fn an_explosion_of_calls_is_refused() {
        let mut b = Build::new();
        let u32 = b.scalar_type(Scalar::U32);
        let x = b.local("x", u32);
        let body = b.get(x);
        let mut last = b.function("f0", 0, 1, body);
        for level in 1..30 {
            let x = b.local("x", u32);
            let (once, twice) = (b.get(x), b.get(x));
            let (once, twice) = (b.call(last, vec![once]), b.call(last, vec![twice]));
            let body = b.binary(BinaryOp::Add, once, twice);
            last = b.function(&format!("f{level}"), 0, 1, body);
        }
        let error = inline(&kernel_of(b, last)).unwrap_err();
        assert!(matches!(error, Error::TooLarge { .. }), "{error}");
    }
}
