//! The typed program as text.

use super::value;
use super::writer::{Tightness, Writer};
use crate::captured::UnaryOp;
use crate::stack::with_room;
use crate::typed::{
    Expr, ExprKind, Function, FunctionId, KernelParam, LocalId, PanicKind, Place, PlaceKind, Program,
    Statement,
};
use crate::types::{AggregateKind, Mutability, Type, TypeId};

/// The program: the kernel's parameters and shared memory, then each function.
pub fn program(program: &Program) -> String {
    with_room(|| {
        let mut text = header(program);
        for (number, function) in program.functions.iter().enumerate() {
            text.push('\n');
            text.push_str(&Printer { program, function }.function(number));
            text.push('\n');
        }
        text
    })
}

fn header(program: &Program) -> String {
    let kernel = &program.kernel;
    let types = &program.types;
    let mut text = format!("kernel {} as `{}`\n", kernel.name, kernel.symbol);
    let attributes = kernel.attributes;
    if let Some([x, y, z]) = attributes.block {
        text.push_str(&format!("  block of {x} x {y} x {z} threads\n"));
    }
    if attributes.overflow_checks {
        text.push_str("  overflow checks\n");
    }
    if attributes.contract {
        text.push_str("  contraction of `a * b + c`\n");
    }
    for (number, param) in kernel.params.iter().enumerate() {
        let reference = |mutable: bool| if mutable { "&mut " } else { "&" };
        let how = match *param {
            KernelParam::Value(ty) => format!("{}, by value", types.name(ty)),
            KernelParam::Slice { element, mutable } => {
                format!("{}[{}], a buffer", reference(mutable), types.name(element))
            }
            KernelParam::Element { element, mutable } => {
                format!("{}{}, an element of a buffer", reference(mutable), types.name(element))
            }
        };
        text.push_str(&format!("  parameter {number}: {how}\n"));
    }
    for (number, shared) in program.shared.iter().enumerate() {
        text.push_str(&format!("  shared{number}: {}\n", types.name(shared.ty)));
    }
    text
}

struct Printer<'p> {
    program: &'p Program,
    function: &'p Function,
}

impl Printer<'_> {
    fn function(&self, number: usize) -> String {
        let function = self.function;
        let params: Vec<String> = function
            .params
            .iter()
            .map(|local| format!("{}: {}", self.local(*local), self.local_type(*local)))
            .collect();
        let name = self.function_name(FunctionId(number as u32));
        let result = match self.type_name(function.result) {
            unit if unit == "()" => String::new(),
            result => format!(" -> {result}"),
        };
        let mut out = Writer::default();
        out.put(&format!("// {}:{}\n", function.file, function.span));
        out.put(if function.track_caller { "#[track_caller]\n" } else { "" });
        out.put(&format!("fn {name}({}){result} ", params.join(", ")));
        self.body(&mut out, &function.body);
        out.finish()
    }

    /// A function's body stands on its own lines, however short.
    fn body(&self, out: &mut Writer, body: &Expr) {
        out.indented("{", "}", |out| match &body.kind {
            ExprKind::Block(statements, value) => self.lines(out, statements, value.as_deref()),
            _ => {
                out.line();
                self.expr(out, body, Tightness::Loose);
            }
        });
    }

    /// Statements and a value, each on its line.
    fn lines(&self, out: &mut Writer, statements: &[Statement], value: Option<&Expr>) {
        for statement in statements {
            out.line();
            self.statement(out, statement);
        }
        if let Some(value) = value {
            out.line();
            self.expr(out, value, Tightness::Loose);
        }
    }

    fn statement(&self, out: &mut Writer, statement: &Statement) {
        match statement {
            Statement::Let(local, value) => {
                out.put(&format!("let {}: {}", self.local(*local), self.local_type(*local)));
                if let Some(value) = value {
                    out.put(" = ");
                    self.expr(out, value, Tightness::Loose);
                }
                out.put(";");
            }
            Statement::Expr(value) => {
                self.expr(out, value, Tightness::Loose);
                if !matches!(
                    value.kind,
                    ExprKind::If(..) | ExprKind::Loop(..) | ExprKind::Labeled(..) | ExprKind::Block(..)
                ) {
                    out.put(";");
                }
            }
        }
    }

    fn expr(&self, out: &mut Writer, e: &Expr, around: Tightness) {
        out.held(around, tightness(e), |out| self.bare(out, e));
    }

    fn bare(&self, out: &mut Writer, e: &Expr) {
        match &e.kind {
            ExprKind::Scalar(bits) => match self.program.types.as_scalar(e.ty) {
                Some(scalar) => out.put(&value::scalar(*bits, scalar)),
                None => out.put(&format!("{bits:#x} as {}", self.type_name(e.ty))),
            },
            ExprKind::Bytes(memory) => out.put(&value::bytes(memory, e.ty, &self.program.types)),
            ExprKind::Load(place) => self.place(out, place, Tightness::Loose),
            ExprKind::AddressOf(place) => {
                out.put(self.sigil(e.ty));
                self.place(out, place, Tightness::Prefixed);
            }
            ExprKind::Length(place) => {
                self.place(out, place, Tightness::Postfixed);
                out.put(".len()");
            }
            ExprKind::Unary(op, operand) => {
                out.put(if *op == UnaryOp::Neg { "-" } else { "!" });
                self.expr(out, operand, Tightness::Prefixed);
            }
            ExprKind::Binary(op, left, right) => self.infix(out, op.symbol(), left, right),
            ExprKind::And(left, right) => self.infix(out, "&&", left, right),
            ExprKind::Or(left, right) => self.infix(out, "||", left, right),
            ExprKind::Cast(_, value) => {
                self.expr(out, value, Tightness::Operand);
                out.put(&format!(" as {}", self.type_name(e.ty)));
            }
            ExprKind::Aggregate { parts, order } => self.aggregate(out, parts, order, e.ty),
            // The payload's type has the variant's name.
            ExprKind::Variant(_, payload) => self.expr(out, payload, Tightness::Postfixed),
            ExprKind::VariantOf(place) => {
                out.put("variant_of ");
                self.place(out, place, Tightness::Prefixed);
            }
            ExprKind::Repeat(element) => {
                out.put("[");
                self.expr(out, element, Tightness::Loose);
                if let Type::Array { length, .. } = self.program.types.get(e.ty) {
                    out.put(&format!("; {length}"));
                }
                out.put("]");
            }
            ExprKind::Call(function, arguments) => {
                out.put(&self.function_name(*function));
                self.arguments(out, arguments);
            }
            ExprKind::Builtin(builtin, arguments) => {
                out.put(builtin.facts().name);
                self.arguments(out, arguments);
            }
            _ => self.control(out, e),
        }
    }

    fn control(&self, out: &mut Writer, e: &Expr) {
        match &e.kind {
            ExprKind::Block(..) => self.block(out, e),
            ExprKind::Labeled(label, body) => {
                out.put(&format!("'{}: ", label.0));
                self.block(out, body);
            }
            ExprKind::If(condition, then, otherwise) => {
                out.put("if ");
                self.expr(out, condition, Tightness::Loose);
                out.put(" ");
                self.block(out, then);
                if let Some(otherwise) = otherwise {
                    out.put(" else ");
                    match otherwise.kind {
                        ExprKind::If(..) => self.expr(out, otherwise, Tightness::Loose),
                        _ => self.block(out, otherwise),
                    }
                }
            }
            ExprKind::Loop(label, body) => {
                out.put(&format!("'{}: loop ", label.0));
                self.block(out, body);
            }
            ExprKind::Break(label, value) => {
                self.leave(out, &format!("break '{}", label.0), value.as_deref())
            }
            ExprKind::Continue(label) => out.put(&format!("continue '{}", label.0)),
            ExprKind::Return(value) => self.leave(out, "return", value.as_deref()),
            ExprKind::Assign(place, value) => {
                self.place(out, place, Tightness::Loose);
                out.put(" = ");
                self.expr(out, value, Tightness::Loose);
            }
            ExprKind::AssignBinary(op, place, value) => {
                self.place(out, place, Tightness::Loose);
                out.put(&format!(" {}= ", op.symbol()));
                self.expr(out, value, Tightness::Loose);
            }
            ExprKind::Panic(PanicKind::Message(text)) => out.put(&format!("panic!({text:?})")),
            ExprKind::Panic(kind) => out.put(&format!("panic({kind:?})")),
            ExprKind::Inlined(function, body) => {
                out.put(&format!("inlined {} ", self.function_name(*function)));
                self.block(out, body);
            }
            _ => {}
        }
    }

    fn leave(&self, out: &mut Writer, how: &str, value: Option<&Expr>) {
        out.put(how);
        if let Some(value) = value {
            out.put(" ");
            self.expr(out, value, Tightness::Loose);
        }
    }

    fn block(&self, out: &mut Writer, e: &Expr) {
        match &e.kind {
            ExprKind::Block(statements, None) if statements.is_empty() => out.put("{}"),
            ExprKind::Block(statements, value) => {
                let value = value.as_deref();
                out.indented("{", "}", |out| self.lines(out, statements, value));
            }
            _ => out.braces(|out| self.expr(out, e, Tightness::Loose)),
        }
    }

    fn infix(&self, out: &mut Writer, symbol: &str, left: &Expr, right: &Expr) {
        self.expr(out, left, Tightness::Operand);
        out.put(&format!(" {symbol} "));
        self.expr(out, right, Tightness::Operand);
    }

    fn arguments(&self, out: &mut Writer, arguments: &[Expr]) {
        out.put("(");
        self.list(out, arguments.iter().map(|a| (String::new(), a)));
        out.put(")");
    }

    fn list<'e>(&self, out: &mut Writer, parts: impl Iterator<Item = (String, &'e Expr)>) {
        for (number, (name, part)) in parts.enumerate() {
            out.put(if number > 0 { ", " } else { "" });
            out.put(&name);
            self.expr(out, part, Tightness::Loose);
        }
    }

    fn aggregate(&self, out: &mut Writer, parts: &[Expr], order: &[u32], ty: TypeId) {
        let unnamed = parts.iter().map(|p| (String::new(), p));
        match self.program.types.get(ty) {
            Type::Aggregate(a) if a.kind == AggregateKind::Tuple => {
                out.put("(");
                self.list(out, unnamed);
                out.put(if parts.len() == 1 { ",)" } else { ")" });
            }
            Type::Aggregate(a) => {
                out.put(&format!("{} {{ ", a.name));
                self.list(out, a.fields.iter().map(|f| format!("{}: ", f.name)).zip(parts));
                out.put(if parts.is_empty() { "}" } else { " }" });
            }
            _ => {
                out.put("[");
                self.list(out, unnamed);
                out.put("]");
            }
        }
        if !order.is_empty() {
            out.put(&format!(" /* evaluated in the order {order:?} */"));
        }
    }

    fn place(&self, out: &mut Writer, place: &Place, around: Tightness) {
        match &place.kind {
            PlaceKind::Local(local) => out.put(&self.local(*local)),
            PlaceKind::Shared(id) => out.put(&format!("shared{}", id.0)),
            PlaceKind::Constant(memory) => {
                out.put(&format!("const({})", value::bytes(memory, place.ty, &self.program.types)));
            }
            PlaceKind::Deref(pointer) => {
                let parenthesised = around > Tightness::Prefixed;
                out.put(if parenthesised { "(*" } else { "*" });
                self.expr(out, pointer, Tightness::Prefixed);
                out.put(if parenthesised { ")" } else { "" });
            }
            PlaceKind::Field(base, number) => {
                self.place(out, base, Tightness::Postfixed);
                let name = match self.program.types.get(base.ty) {
                    Type::Aggregate(a) => a.fields.get(*number as usize).map(|f| f.name.clone()),
                    _ => None,
                };
                out.put(&format!(".{}", name.unwrap_or_else(|| format!("#{number}"))));
            }
            PlaceKind::Variant(base, number) => {
                self.place(out, base, Tightness::Postfixed);
                let variants = match self.program.types.get(base.ty) {
                    Type::Enum(e) => e.variants.as_slice(),
                    _ => &[],
                };
                let name = variants.get(*number as usize).map(|v| v.name.clone());
                out.put(&format!(".<{}>", name.unwrap_or_else(|| format!("#{number}"))));
            }
            PlaceKind::Index { base, index, checked } => {
                self.place(out, base, Tightness::Postfixed);
                out.put(if *checked { "[" } else { "[unchecked " });
                self.expr(out, index, Tightness::Loose);
                out.put("]");
            }
            PlaceKind::Subslice { base, start, end, inclusive } => {
                self.place(out, base, Tightness::Postfixed);
                out.put("[");
                start.iter().for_each(|e| self.expr(out, e, Tightness::Operand));
                out.put(if *inclusive { "..=" } else { ".." });
                end.iter().for_each(|e| self.expr(out, e, Tightness::Operand));
                out.put("]");
            }
        }
    }

    /// How the address of a place is written, as a pointer of type `ty`.
    fn sigil(&self, ty: TypeId) -> &'static str {
        match self.program.types.get(ty) {
            Type::Pointer { mutability: Mutability::Mutable, raw: true, .. } => "&raw mut ",
            Type::Pointer { raw: true, .. } => "&raw const ",
            Type::Pointer { mutability: Mutability::Mutable, .. } => "&mut ",
            _ => "&",
        }
    }

    /// A local's name; with its number if another has the same, or it has none.
    fn local(&self, local: LocalId) -> String {
        let Some(description) = self.function.locals.get(local.0 as usize) else {
            return format!("?{}", local.0);
        };
        let name = &description.name;
        match self.function.locals.iter().filter(|l| l.name == *name).count() {
            _ if name.is_empty() => format!("_{}", local.0),
            1 => name.clone(),
            _ => format!("{name}_{}", local.0),
        }
    }

    fn local_type(&self, local: LocalId) -> String {
        self.function.locals.get(local.0 as usize).map_or("?".into(), |l| self.type_name(l.ty))
    }

    fn type_name(&self, ty: TypeId) -> String {
        self.program.types.name(ty)
    }

    /// A function's name; with its number if another has the same.
    fn function_name(&self, id: FunctionId) -> String {
        let Some(function) = self.program.functions.get(id.0 as usize) else { return format!("?{}", id.0) };
        match self.program.functions.iter().filter(|f| f.name == function.name).count() {
            1 => function.name.clone(),
            _ => format!("{}#{}", function.name, id.0),
        }
    }
}

fn tightness(e: &Expr) -> Tightness {
    match &e.kind {
        ExprKind::Load(place) => match place.kind {
            PlaceKind::Deref(_) => Tightness::Prefixed,
            _ => Tightness::Postfixed,
        },
        ExprKind::Scalar(_)
        | ExprKind::Bytes(_)
        | ExprKind::Length(_)
        | ExprKind::Call(..)
        | ExprKind::Builtin(..)
        | ExprKind::Aggregate { .. }
        | ExprKind::Variant(..)
        | ExprKind::Repeat(_)
        | ExprKind::Panic(_)
        | ExprKind::Block(..) => Tightness::Postfixed,
        ExprKind::AddressOf(_) | ExprKind::Unary(..) => Tightness::Prefixed,
        _ => Tightness::Loose,
    }
}
