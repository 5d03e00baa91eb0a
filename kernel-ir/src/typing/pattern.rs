//! Patterns: what must hold of a place, and what is bound to its parts.

use super::function::FunctionTyper;
use super::join::Expected;
use super::place::{address_of, deref};
use crate::captured::{Pattern, PatternKind};
use crate::entry::BuildError;
use crate::span::Span;
use crate::typed::{BinaryOp, Expr, ExprKind, Place, PlaceKind, Statement};
use crate::types::{Mutability, Type, TypeId};

/// A pattern taken apart.
#[derive(Default)]
pub(super) struct Matched {
    /// What must all hold, each tried after those before it held; none if the pattern always matches. They bind what
    /// alternatives (`A(x) | B(x)`) bind.
    pub tests: Vec<Expr>,
    /// What is bound once it holds.
    pub bindings: Vec<Statement>,
}

/// How a plain name binds: Rust's default binding mode.
#[derive(Clone, Copy)]
enum Mode {
    Move,
    Reference(Mutability),
}

impl FunctionTyper<'_, '_> {
    /// Takes a pattern apart against a place, which must be one that can be named again.
    pub fn matched(&mut self, pattern: &Pattern, place: Place) -> Result<Matched, BuildError> {
        let mut out = Matched::default();
        self.pattern(pattern, place, Mode::Move, &mut out)?;
        Ok(out)
    }

    /// Binds a pattern that rustc knows to match.
    pub fn bind_irrefutable(
        &mut self,
        pattern: &Pattern,
        place: Place,
        out: &mut Vec<Statement>,
    ) -> Result<(), BuildError> {
        let matched = self.matched(pattern, place)?;
        // Alternatives bind in their tests.
        out.extend(self.all(matched.tests).map(Statement::Expr));
        out.extend(matched.bindings);
        Ok(())
    }

    fn pattern(
        &mut self,
        pattern: &Pattern,
        place: Place,
        mode: Mode,
        out: &mut Matched,
    ) -> Result<(), BuildError> {
        let span = pattern.span;
        match &pattern.kind {
            PatternKind::Wild => Ok(()),
            PatternKind::Binding { local, by_reference, sub, .. } => {
                let mode = match by_reference {
                    Some(true) => Mode::Reference(Mutability::Mutable),
                    Some(false) => Mode::Reference(Mutability::Shared),
                    None => mode,
                };
                if let Some(sub) = sub {
                    self.pattern(sub, place.clone(), mode, out)?;
                }
                let value = self.bound_value(place, mode, span)?;
                let local = self.bind(*local, Some(value.ty), span)?;
                out.bindings.push(Statement::Let(local, Some(value)));
                Ok(())
            }
            PatternKind::Reference(inner) => {
                let pointee = self.program.types.referent(place.ty);
                let pointee = pointee.ok_or_else(|| self.disagrees(span, "`&`", place.ty))?;
                let place = deref(self.load(place)?, pointee, span);
                self.pattern(inner, place, Mode::Move, out)
            }
            PatternKind::Or(alternatives) => self.alternatives(alternatives, place, mode, out, span),
            _ => {
                let (place, mode) = self.peel(place, mode)?;
                self.structural(pattern, place, mode, out)
            }
        }
    }

    /// What a name is bound to.
    fn bound_value(&mut self, place: Place, mode: Mode, span: Span) -> Result<Expr, BuildError> {
        match mode {
            Mode::Move => self.load(place),
            Mode::Reference(mutability) => {
                let ty = self.program.types.reference(place.ty, mutability);
                Ok(address_of(place, ty, span))
            }
        }
    }

    /// Goes through the references that a pattern which is no reference stands against; names then bind by reference.
    fn peel(&mut self, mut place: Place, mut mode: Mode) -> Result<(Place, Mode), BuildError> {
        while let Some(pointer) = self.program.types.as_pointer(place.ty).filter(|p| !p.raw) {
            mode = match (mode, pointer.mutability) {
                (Mode::Reference(Mutability::Shared), _) | (_, Mutability::Shared) => {
                    Mode::Reference(Mutability::Shared)
                }
                _ => Mode::Reference(Mutability::Mutable),
            };
            let span = place.span;
            place = deref(self.load(place)?, pointer.pointee, span);
        }
        Ok((place, mode))
    }

    fn structural(
        &mut self,
        pattern: &Pattern,
        place: Place,
        mode: Mode,
        out: &mut Matched,
    ) -> Result<(), BuildError> {
        let span = pattern.span;
        match &pattern.kind {
            PatternKind::Tuple(before, after) => {
                let fields = self.program.types.fields(place.ty);
                let count = fields.as_ref().map_or(0, Vec::len);
                let given = before.len() + after.as_ref().map_or(0, Vec::len);
                if fields.is_none() || given > count || (after.is_none() && given != count) {
                    return Err(self.disagrees(span, "a tuple of this form", place.ty));
                }
                let after = after.as_deref().unwrap_or_default();
                let from_end = count - after.len();
                let parts =
                    before.iter().enumerate().chain(after.iter().enumerate().map(|(n, p)| (from_end + n, p)));
                for (number, part) in parts {
                    let field = self.field_place(
                        &place,
                        number as u32,
                        fields.as_ref().map(|f| f[number]),
                        part.span,
                    )?;
                    self.pattern(part, field, mode, out)?;
                }
                Ok(())
            }
            PatternKind::Struct(parts) => {
                for (name, part) in parts {
                    let field = self.program.types.field(place.ty, name);
                    let (number, ty) =
                        field.ok_or_else(|| self.disagrees(span, &format!("a field `{name}`"), place.ty))?;
                    let field = self.field_place(&place, number, Some(ty), part.span)?;
                    self.pattern(part, field, mode, out)?;
                }
                Ok(())
            }
            PatternKind::Slice(before, after) => {
                self.slice_pattern(before, after.as_deref(), place, mode, out, span)
            }
            PatternKind::Literal { .. } | PatternKind::Constant(_) => {
                let value = self.pattern_constant(pattern, place.ty)?;
                self.compare(BinaryOp::Eq, place, value, out, span)
            }
            PatternKind::Range { start, end, inclusive } => {
                if let Some(start) = start {
                    let start = self.pattern_constant(start, place.ty)?;
                    self.compare(BinaryOp::Ge, place.clone(), start, out, span)?;
                }
                if let Some(end) = end {
                    let end = self.pattern_constant(end, place.ty)?;
                    self.compare(
                        if *inclusive { BinaryOp::Le } else { BinaryOp::Lt },
                        place,
                        end,
                        out,
                        span,
                    )?;
                }
                Ok(())
            }
            PatternKind::Wild
            | PatternKind::Binding { .. }
            | PatternKind::Reference(_)
            | PatternKind::Or(_) => self.pattern(pattern, place, mode, out),
        }
    }

    fn field_place(
        &self,
        base: &Place,
        number: u32,
        ty: Option<TypeId>,
        span: Span,
    ) -> Result<Place, BuildError> {
        let ty = ty.ok_or_else(|| self.disagrees(span, "a field", base.ty))?;
        Ok(Place { kind: PlaceKind::Field(Box::new(base.clone()), number), ty, span })
    }

    /// `[a, b, .., c]`: elements from the start, and from the end.
    fn slice_pattern(
        &mut self,
        before: &[Pattern],
        after: Option<&[Pattern]>,
        place: Place,
        mode: Mode,
        out: &mut Matched,
        span: Span,
    ) -> Result<(), BuildError> {
        let given = (before.len() + after.map_or(0, <[_]>::len)) as u64;
        let usize = self.program.types.usize;
        let constant = |value: u64| Expr { kind: ExprKind::Scalar(value.into()), ty: usize, span };
        let known = match *self.program.types.get(place.ty) {
            Type::Array { length, .. } => Some(length),
            Type::Slice(_) => {
                let op = if after.is_some() { BinaryOp::Ge } else { BinaryOp::Eq };
                let length = self.length(place.clone(), span);
                let test = self.comparison(op, length, constant(given), span);
                out.tests.push(test);
                None
            }
            _ => return Err(self.disagrees(span, "a slice pattern", place.ty)),
        };
        if known.is_some_and(|n| given > n || (after.is_none() && given != n)) {
            return Err(self.disagrees(span, "a slice pattern of this length", place.ty));
        }
        for (number, part) in before.iter().enumerate() {
            let element = self.indexed(place.clone(), constant(number as u64), false, part.span)?;
            self.pattern(part, element, mode, out)?;
        }
        for (number, part) in after.unwrap_or_default().iter().rev().enumerate() {
            let back = number as u64 + 1;
            let index = match known {
                Some(length) => constant(length - back),
                None => {
                    let length = Box::new(self.length(place.clone(), span));
                    let kind = ExprKind::Binary(BinaryOp::Sub, length, Box::new(constant(back)));
                    Expr { kind, ty: usize, span }
                }
            };
            let element = self.indexed(place.clone(), index, false, part.span)?;
            self.pattern(part, element, mode, out)?;
        }
        Ok(())
    }

    /// The value of a literal or constant pattern, of the type of what it is compared with.
    fn pattern_constant(&mut self, pattern: &Pattern, ty: TypeId) -> Result<Expr, BuildError> {
        let value = match &pattern.kind {
            PatternKind::Literal { literal, negative } => {
                self.literal(literal, *negative, None, Expected::Hint(ty), pattern.span)?
            }
            PatternKind::Constant(note) => {
                let (ty, bytes) = self.noted_constant(*note, pattern.span)?;
                self.constant(ty, bytes, pattern.span)
            }
            _ => {
                return Err(
                    self.error(pattern.span, "the end of a range pattern must be a literal or a constant")
                );
            }
        };
        if value.ty != ty {
            return Err(self.mismatch(pattern.span, ty, value.ty));
        }
        if self.program.types.as_scalar(ty).is_none() {
            let ty = self.program.types.name(ty);
            let message = format!(
                "a constant of type `{ty}` as a pattern is not supported: compare its parts in an `if`"
            );
            return Err(self.error(pattern.span, message));
        }
        Ok(value)
    }

    fn compare(
        &mut self,
        op: BinaryOp,
        place: Place,
        value: Expr,
        out: &mut Matched,
        span: Span,
    ) -> Result<(), BuildError> {
        let found = self.load(place)?;
        let test = match (self.program.types.bool == found.ty, &value.kind) {
            (true, ExprKind::Scalar(0)) => self.negated(found),
            (true, ExprKind::Scalar(_)) => found,
            _ => self.comparison(op, found, value, span),
        };
        out.tests.push(test);
        Ok(())
    }

    pub fn comparison(&self, op: BinaryOp, left: Expr, right: Expr, span: Span) -> Expr {
        Expr {
            kind: ExprKind::Binary(op, Box::new(left), Box::new(right)),
            ty: self.program.types.bool,
            span,
        }
    }

    /// `a && b && …`; none where there is nothing to hold.
    pub fn all(&self, tests: Vec<Expr>) -> Option<Expr> {
        self.joined(tests, ExprKind::And)
    }

    /// `a || b || …`; none where there is nothing.
    fn any(&self, tests: Vec<Expr>) -> Option<Expr> {
        self.joined(tests, ExprKind::Or)
    }

    /// Conditions joined in their order, as a tree that is no deeper than it must be: a `match` may name a thousand values.
    fn joined(&self, mut tests: Vec<Expr>, join: fn(Box<Expr>, Box<Expr>) -> ExprKind) -> Option<Expr> {
        if tests.len() < 2 {
            return tests.pop();
        }
        let right = tests.split_off(tests.len().div_ceil(2));
        let (left, right) = (self.joined(tests, join)?, self.joined(right, join)?);
        let span = left.span;
        Some(Expr { kind: join(Box::new(left), Box::new(right)), ty: self.program.types.bool, span })
    }

    /// `A | B`: the first alternative that matches binds.
    fn alternatives(
        &mut self,
        alternatives: &[Pattern],
        place: Place,
        mode: Mode,
        out: &mut Matched,
        span: Span,
    ) -> Result<(), BuildError> {
        let mut tests = Vec::new();
        for alternative in alternatives {
            let mut matched = Matched::default();
            self.pattern(alternative, place.clone(), mode, &mut matched)?;
            let always = matched.tests.is_empty();
            tests.push(self.test_and_bind(matched, alternative.span));
            if always {
                break;
            }
        }
        out.tests.extend(self.any(tests).map(|any| Expr { span, ..any }));
        Ok(())
    }

    /// A condition that is the pattern's test, and binds once it holds.
    pub fn test_and_bind(&mut self, matched: Matched, span: Span) -> Expr {
        let Matched { mut tests, bindings } = matched;
        if !bindings.is_empty() {
            tests.push(self.after(bindings, self.bool_constant(true, span)));
        }
        self.all(tests).unwrap_or_else(|| self.bool_constant(true, span))
    }

    fn disagrees(&self, span: Span, pattern: &str, ty: TypeId) -> BuildError {
        let ty = self.program.types.name(ty);
        self.contradiction(span, format!("a pattern of {pattern} against a `{ty}`"))
    }
}
