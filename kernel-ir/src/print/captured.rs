//! The captured tree as text.

use super::value;
use super::writer::{Tightness, Writer};
use crate::captured::{
    Annotation, Arm, Block, Body, Expr, ExprKind, LabelId, Literal, LocalId, Note, Param, Pattern,
    PatternKind, Statement, TypeSource, UnaryOp,
};
use crate::record::{Instance, Instances, Meaning, Record};
use crate::stack::with_room;
use std::collections::BTreeMap;

/// Every function that a kernel reaches, as captured, with what rustc answered to its notes.
pub fn instances(instances: &Instances) -> String {
    with_room(|| instances_here(instances))
}

fn instances_here(instances: &Instances) -> String {
    let mut text = String::new();
    for (number, instance) in instances.all.iter().enumerate() {
        let Meaning::Body(bytes) = instance.meaning else { continue };
        text.push_str(if number == 0 { "" } else { "\n" });
        match Body::from_bytes_here(bytes) {
            Ok(body) => {
                let answers = answers(instances, instance);
                text.push_str(&Printer::new(&body, &answers).function(&instance.name, instance.file));
            }
            Err(e) => text.push_str(&format!("fn {}: can't be read: {e}\n", instance.name)),
        }
    }
    text
}

/// One captured body, without answers.
pub fn body(body: &Body) -> String {
    with_room(|| Printer::new(body, &[]).function("_", ""))
}

/// What rustc answered, by note.
fn answers(instances: &Instances, instance: &Instance) -> Vec<String> {
    let types = &instances.types;
    let name = |record: &Record| match record {
        Record::Type(ty) | Record::Constant(ty, _) if !types.contains(*ty) => "?".into(),
        Record::Type(ty) => types.name(*ty),
        Record::Callee(id) => instances.all.get(id.0 as usize).map_or("?".into(), |i| i.name.clone()),
        Record::Constant(ty, bytes) => value::bytes(bytes, *ty, types),
    };
    instance.records.iter().map(name).collect()
}

/// Whether a statement of this expression has no semicolon.
fn ends_a_statement(e: &Expr) -> bool {
    matches!(
        e.kind,
        ExprKind::Block(..)
            | ExprKind::If(..)
            | ExprKind::Match(..)
            | ExprKind::Loop(..)
            | ExprKind::While(..)
            | ExprKind::For { .. }
    )
}

struct Printer<'b> {
    body: &'b Body,
    answers: &'b [String],
    /// How many variables have each name.
    names: BTreeMap<&'b str, usize>,
}

impl<'b> Printer<'b> {
    fn new(body: &'b Body, answers: &'b [String]) -> Self {
        let mut names = BTreeMap::new();
        for name in &body.locals {
            *names.entry(name.as_str()).or_default() += 1;
        }
        Self { body, answers, names }
    }

    fn function(&self, name: &str, file: &str) -> String {
        let mut out = Writer::default();
        out.put(&format!("// {file}:{}\nfn {name}(", self.body.span));
        self.params(&mut out, &self.body.params);
        out.put(") -> ");
        out.put(&self.source(self.body.result));
        out.put(" ");
        self.block(&mut out, &self.body.block);
        out.put("\n");
        for (number, answer) in self.answers.iter().enumerate() {
            out.put(&format!("  #{number} = {answer}\n"));
        }
        out.finish()
    }

    fn params(&self, out: &mut Writer, params: &[Param]) {
        for (number, param) in params.iter().enumerate() {
            out.put(if number > 0 { ", " } else { "" });
            self.pattern(out, &param.pattern);
            out.put(&format!(": {}", self.source(param.ty)));
        }
    }

    fn source(&self, source: TypeSource) -> String {
        match source {
            TypeSource::Note(note) => self.note(note),
            TypeSource::Value => "_".into(),
            TypeSource::Reference { mutable } => (if mutable { "&mut _" } else { "&_" }).into(),
        }
    }

    fn annotation(&self, annotation: Annotation) -> String {
        match annotation {
            Annotation::Scalar(scalar) => scalar.name().into(),
            Annotation::Note(note) => self.note(note),
        }
    }

    fn note(&self, note: Note) -> String {
        match self.answers.get(note.0 as usize) {
            Some(answer) => format!("{answer}#{}", note.0),
            None => format!("#{}", note.0),
        }
    }

    fn local(&self, local: LocalId) -> String {
        match self.body.locals.get(local.0 as usize) {
            Some(name) if self.names.get(name.as_str()) == Some(&1) => name.clone(),
            Some(name) => format!("{name}_{}", local.0),
            None => format!("?{}", local.0),
        }
    }

    fn block(&self, out: &mut Writer, block: &Block) {
        if block.statements.is_empty() && block.value.is_none() {
            return out.put("{}");
        }
        out.indented("{", "}", |out| {
            for statement in &block.statements {
                out.line();
                self.statement(out, statement);
            }
            if let Some(value) = &block.value {
                out.line();
                self.expr(out, value, Tightness::Loose);
            }
        });
    }

    fn statement(&self, out: &mut Writer, statement: &Statement) {
        match statement {
            Statement::Expr(e) => {
                self.expr(out, e, Tightness::Loose);
                if ends_a_statement(e) {
                    return;
                }
            }
            Statement::Let { pattern, ty, init, diverge } => {
                out.put("let ");
                self.pattern(out, pattern);
                if let Some(ty) = ty {
                    out.put(&format!(": {}", self.annotation(*ty)));
                }
                if let Some(init) = init {
                    out.put(" = ");
                    self.expr(out, init, Tightness::Loose);
                }
                if let Some(diverge) = diverge {
                    out.put(" else ");
                    self.block(out, diverge);
                }
            }
        }
        out.put(";");
    }

    fn pattern(&self, out: &mut Writer, pattern: &Pattern) {
        match &pattern.kind {
            PatternKind::Wild => out.put("_"),
            PatternKind::Binding { local, mutable, by_reference, sub } => {
                out.put(match by_reference {
                    Some(true) => "ref mut ",
                    Some(false) => "ref ",
                    None if *mutable => "mut ",
                    None => "",
                });
                out.put(&self.local(*local));
                if let Some(sub) = sub {
                    out.put(" @ ");
                    self.pattern(out, sub);
                }
            }
            PatternKind::Tuple(before, after) => self.sequence(out, ("(", ")"), before, after.as_deref()),
            PatternKind::Slice(before, after) => self.sequence(out, ("[", "]"), before, after.as_deref()),
            PatternKind::TupleStruct { name, before, after } => {
                out.put(name);
                self.sequence(out, ("(", ")"), before, after.as_deref());
            }
            PatternKind::Struct { name, fields } => {
                out.put(&format!("{name} {{ "));
                for (name, part) in fields {
                    out.put(&format!("{name}: "));
                    self.pattern(out, part);
                    out.put(", ");
                }
                out.put(".. }");
            }
            PatternKind::Reference(inner) => {
                out.put("&");
                self.pattern(out, inner);
            }
            PatternKind::Literal { literal, negative } => {
                out.put(if *negative { "-" } else { "" });
                out.put(&text(literal));
            }
            PatternKind::Constant(note) => out.put(&self.note(*note)),
            PatternKind::Range { start, end, inclusive } => {
                start.iter().for_each(|p| self.pattern(out, p));
                out.put(if *inclusive { "..=" } else { ".." });
                end.iter().for_each(|p| self.pattern(out, p));
            }
            PatternKind::Or(alternatives) => {
                for (number, alternative) in alternatives.iter().enumerate() {
                    out.put(if number > 0 { " | " } else { "" });
                    self.pattern(out, alternative);
                }
            }
        }
    }

    fn sequence(&self, out: &mut Writer, ends: (&str, &str), before: &[Pattern], after: Option<&[Pattern]>) {
        out.put(ends.0);
        for part in before {
            self.pattern(out, part);
            out.put(", ");
        }
        if let Some(after) = after {
            out.put("..");
            for part in after {
                out.put(", ");
                self.pattern(out, part);
            }
        }
        out.put(ends.1);
    }

    fn expr(&self, out: &mut Writer, e: &Expr, around: Tightness) {
        out.held(around, tightness(e), |out| self.bare(out, e));
    }

    fn bare(&self, out: &mut Writer, e: &Expr) {
        match &e.kind {
            ExprKind::Literal(literal, note) => {
                out.put(&text(literal));
                out.put(&self.optional(*note));
            }
            ExprKind::Local(local) => out.put(&self.local(*local)),
            ExprKind::Constant(note) => out.put(&self.note(*note)),
            ExprKind::Unit { ty, name } => out.put(&format!("{}::{name}", self.note(*ty))),
            ExprKind::Try { value, result, convert } => {
                self.expr(out, value, Tightness::Postfixed);
                out.put(&format!("?[{} {}]", self.note(*result), self.note(*convert)));
            }
            ExprKind::Unary(op, operand, note) => {
                out.put(if *op == UnaryOp::Neg { "-" } else { "!" });
                out.put(&self.optional(*note));
                self.expr(out, operand, Tightness::Prefixed);
            }
            ExprKind::Binary(op, left, right, note) => {
                self.infix(out, left, &format!("{}{}", op.symbol(), self.optional(*note)), right);
            }
            ExprKind::AssignBinary(op, left, right, note) => {
                self.infix(out, left, &format!("{}={}", op.symbol(), self.optional(*note)), right);
            }
            ExprKind::Lazy { and, left, right } => {
                self.infix(out, left, if *and { "&&" } else { "||" }, right)
            }
            ExprKind::Deref(pointer) => self.prefix(out, "*", pointer),
            ExprKind::Reference { mutable, raw, operand } => {
                let sigil = match (raw, mutable) {
                    (false, false) => "&",
                    (false, true) => "&mut ",
                    (true, false) => "&raw const ",
                    (true, true) => "&raw mut ",
                };
                self.prefix(out, sigil, operand);
            }
            ExprKind::Field(base, name) => {
                self.expr(out, base, Tightness::Postfixed);
                out.put(&format!(".{name}"));
            }
            ExprKind::Index(base, index) => {
                self.expr(out, base, Tightness::Postfixed);
                out.put("[");
                self.expr(out, index, Tightness::Loose);
                out.put("]");
            }
            ExprKind::Range { start, end, inclusive } => {
                start.iter().for_each(|e| self.expr(out, e, Tightness::Operand));
                out.put(if *inclusive { "..=" } else { ".." });
                end.iter().for_each(|e| self.expr(out, e, Tightness::Operand));
            }
            ExprKind::Cast(value, ty) => {
                self.expr(out, value, Tightness::Operand);
                out.put(&format!(" as {}", self.annotation(*ty)));
            }
            ExprKind::Assign(place, value) => self.infix(out, place, "=", value),
            ExprKind::Panic(message) => out.put(&format!("panic!({:?})", message.text)),
            ExprKind::Shared(note) => out.put(&format!("shared!({})", self.note(*note))),
            _ => self.compound(out, e),
        }
    }

    fn compound(&self, out: &mut Writer, e: &Expr) {
        match &e.kind {
            ExprKind::Tuple(parts) => {
                self.list(out, "(", parts);
                out.put(if parts.len() == 1 { ",)" } else { ")" });
            }
            ExprKind::Array(elements, note) => {
                self.list(out, "[", elements);
                out.put("]");
                out.put(&self.optional(*note));
            }
            ExprKind::Repeat(element, note) => {
                self.list(out, "[", std::slice::from_ref(element));
                out.put(&format!("; _] as {}", self.note(*note)));
            }
            ExprKind::Struct { ty, name, fields, base } => {
                out.put(&format!("{}::{name} {{ ", self.note(*ty)));
                for (name, value) in fields {
                    out.put(&format!("{name}: "));
                    self.expr(out, value, Tightness::Loose);
                    out.put(", ");
                }
                if let Some(base) = base {
                    out.put("..");
                    self.expr(out, base, Tightness::Loose);
                    out.put(" ");
                }
                out.put("}");
            }
            ExprKind::Call(note, arguments) => self.list_after(out, &self.note(*note), arguments),
            ExprKind::MethodCall(note, receiver, arguments) => {
                self.expr(out, receiver, Tightness::Postfixed);
                self.list_after(out, &format!(".{}", self.note(*note)), arguments);
            }
            ExprKind::CallValue(callee, arguments) => {
                self.expr(out, callee, Tightness::Postfixed);
                self.list_after(out, "", arguments);
            }
            ExprKind::Closure { by_move, params, body } => {
                out.put(if *by_move { "move |" } else { "|" });
                self.params(out, params);
                out.put("| ");
                self.expr(out, body, Tightness::Loose);
            }
            ExprKind::AssignTuple(places, value) => {
                out.put("(");
                for place in places {
                    match place {
                        Some(place) => self.expr(out, place, Tightness::Loose),
                        None => out.put("_"),
                    }
                    out.put(", ");
                }
                out.put(") = ");
                self.expr(out, value, Tightness::Loose);
            }
            _ => self.control(out, e),
        }
    }

    fn control(&self, out: &mut Writer, e: &Expr) {
        match &e.kind {
            ExprKind::Block(label, block) => {
                if let Some(label) = label {
                    out.put(&format!("{}: ", name(*label)));
                }
                self.block(out, block);
            }
            ExprKind::If(condition, then, otherwise) => {
                out.put("if ");
                self.expr(out, condition, Tightness::Loose);
                out.put(" ");
                self.block(out, then);
                if let Some(otherwise) = otherwise {
                    out.put(" else ");
                    self.expr(out, otherwise, Tightness::Loose);
                }
            }
            ExprKind::Let(pattern, value) => {
                out.put("let ");
                self.pattern(out, pattern);
                out.put(" = ");
                self.expr(out, value, Tightness::Operand);
            }
            ExprKind::Match(subject, arms) => {
                out.put("match ");
                self.expr(out, subject, Tightness::Loose);
                out.indented(" {", "}", |out| arms.iter().for_each(|arm| self.arm(out, arm)));
            }
            ExprKind::Loop(label, body) => {
                out.put(&format!("{}: loop ", name(*label)));
                self.block(out, body);
            }
            ExprKind::While(label, condition, body) => {
                out.put(&format!("{}: while ", name(*label)));
                self.expr(out, condition, Tightness::Loose);
                out.put(" ");
                self.block(out, body);
            }
            ExprKind::For { label, pattern, subject, iterator, body } => {
                out.put(&format!("{}: for ", name(*label)));
                self.pattern(out, pattern);
                out.put(" in");
                if let Some((into, next)) = iterator {
                    out.put(&format!("[{} {}]", self.note(*into), self.note(*next)));
                }
                out.put(" ");
                self.expr(out, subject, Tightness::Loose);
                out.put(" ");
                self.block(out, body);
            }
            ExprKind::Break(label, value) => {
                self.leave(out, &format!("break {}", name(*label)), value.as_deref())
            }
            ExprKind::Continue(label) => out.put(&format!("continue {}", name(*label))),
            ExprKind::Return(value) => self.leave(out, "return", value.as_deref()),
            _ => {}
        }
    }

    fn arm(&self, out: &mut Writer, arm: &Arm) {
        out.line();
        self.pattern(out, &arm.pattern);
        if let Some(guard) = &arm.guard {
            out.put(" if ");
            self.expr(out, guard, Tightness::Loose);
        }
        out.put(" => ");
        self.expr(out, &arm.body, Tightness::Loose);
        out.put(",");
    }

    fn leave(&self, out: &mut Writer, how: &str, value: Option<&Expr>) {
        out.put(how);
        if let Some(value) = value {
            out.put(" ");
            self.expr(out, value, Tightness::Loose);
        }
    }

    fn optional(&self, note: Option<Note>) -> String {
        note.map_or(String::new(), |note| format!("#{}", note.0))
    }

    fn prefix(&self, out: &mut Writer, sigil: &str, operand: &Expr) {
        out.put(sigil);
        self.expr(out, operand, Tightness::Prefixed);
    }

    fn infix(&self, out: &mut Writer, left: &Expr, symbol: &str, right: &Expr) {
        self.expr(out, left, Tightness::Operand);
        out.put(&format!(" {symbol} "));
        self.expr(out, right, Tightness::Operand);
    }

    fn list(&self, out: &mut Writer, open: &str, parts: &[Expr]) {
        out.put(open);
        for (number, part) in parts.iter().enumerate() {
            out.put(if number > 0 { ", " } else { "" });
            self.expr(out, part, Tightness::Loose);
        }
    }

    fn list_after(&self, out: &mut Writer, callee: &str, arguments: &[Expr]) {
        out.put(callee);
        self.list(out, "(", arguments);
        out.put(")");
    }
}

fn name(label: LabelId) -> String {
    format!("'{}", label.0)
}

fn text(literal: &Literal) -> String {
    let suffix = |scalar: &Option<crate::scalar::Scalar>| scalar.map_or("", |s| s.name());
    match literal {
        Literal::Int(value, scalar) => format!("{value}{}", suffix(scalar)),
        Literal::Float(digits, scalar) => format!("{digits}{}", suffix(scalar)),
        Literal::Bool(value) => value.to_string(),
        Literal::Char(value) => format!("{value:?}"),
        Literal::Str(value) => format!("{value:?}"),
    }
}

fn tightness(e: &Expr) -> Tightness {
    match &e.kind {
        ExprKind::Unary(..) | ExprKind::Deref(_) | ExprKind::Reference { .. } => Tightness::Prefixed,
        ExprKind::Literal(..)
        | ExprKind::Local(_)
        | ExprKind::Constant(_)
        | ExprKind::Unit { .. }
        | ExprKind::Try { .. }
        | ExprKind::Field(..)
        | ExprKind::Index(..)
        | ExprKind::Tuple(_)
        | ExprKind::Array(..)
        | ExprKind::Struct { .. }
        | ExprKind::Call(..)
        | ExprKind::MethodCall(..)
        | ExprKind::CallValue(..)
        | ExprKind::Block(None, _)
        | ExprKind::Panic(_)
        | ExprKind::Shared(_) => Tightness::Postfixed,
        _ => Tightness::Loose,
    }
}
