//! Patterns: what must hold of a place, and what is bound to its parts.

use super::function::FunctionTyper;
use super::join::Expected;
use super::place::{address_of, deref};
use crate::captured::{Pattern, PatternKind};
use crate::entry::BuildError;
use crate::scalar::Scalar;
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

    /// Binds a pattern that rustc knows to match, so that its test is evaluated only where that binds.
    pub fn bind_irrefutable(
        &mut self,
        pattern: &Pattern,
        place: Place,
        out: &mut Vec<Statement>,
    ) -> Result<(), BuildError> {
        let matched = self.matched(pattern, place)?;
        if super::block::binds_in_alternatives(pattern) {
            out.extend(self.all(matched.tests).map(Statement::Expr));
        }
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
            PatternKind::TupleStruct { name, before, after } => {
                let place = self.payload(name, place, out, span)?;
                let kind = PatternKind::Tuple(before.clone(), after.clone());
                self.structural(&Pattern { kind, span }, place, mode, out)
            }
            PatternKind::Struct { name, fields: parts } => {
                let place = self.payload(name, place, out, span)?;
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
                if let PatternKind::Constant(note) = &pattern.kind
                    && self.program.types.as_scalar(place.ty).is_none()
                {
                    let (ty, bytes) = self.noted_constant(*note, span)?;
                    if ty != place.ty {
                        return Err(self.mismatch(span, place.ty, ty));
                    }
                    return self.equals(place, bytes, out, span);
                }
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

    /// The struct whose fields a pattern names: of an enum the variant's payload, once it is that variant.
    fn payload(
        &mut self,
        name: &str,
        place: Place,
        out: &mut Matched,
        span: Span,
    ) -> Result<Place, BuildError> {
        let Some(description) = self.program.types.as_enum(place.ty) else { return Ok(place) };
        let alone = description.variants.iter().filter(|v| v.inhabited).count() == 1;
        let (number, payload) = self.variant(place.ty, name, span)?;
        if !alone {
            out.tests.push(self.is_variant(&place, number, span));
        }
        Ok(Place { kind: PlaceKind::Variant(Box::new(place), number), ty: payload, span })
    }

    /// Whether an enum place holds this variant.
    pub fn is_variant(&mut self, place: &Place, number: u32, span: Span) -> Expr {
        let u32 = self.program.types.scalar(Scalar::U32);
        let found = Expr { kind: ExprKind::VariantOf(place.clone()), ty: u32, span };
        let number = Expr { kind: ExprKind::Scalar(number.into()), ty: u32, span };
        self.comparison(BinaryOp::Eq, found, number, span)
    }

    /// The number of the variant of this name, and the place of its field, if it has one.
    pub fn variant_field(
        &self,
        place: &Place,
        name: &str,
        span: Span,
    ) -> Result<(u32, Option<Place>), BuildError> {
        let (number, ty) = self.variant(place.ty, name, span)?;
        let first = self.program.types.fields(ty).and_then(|fields| fields.first().copied());
        let payload = Place { kind: PlaceKind::Variant(Box::new(place.clone()), number), ty, span };
        let field = first.map(|ty| Place { kind: PlaceKind::Field(Box::new(payload), 0), ty, span });
        Ok((number, field))
    }

    /// The number and the payload of the variant of this name.
    pub fn variant(&self, ty: TypeId, name: &str, span: Span) -> Result<(u32, TypeId), BuildError> {
        let Some(description) = self.program.types.as_enum(ty) else {
            return Err(self.disagrees(span, "a variant", ty));
        };
        match description.variant(name) {
            Some(number) => Ok((number, description.variants[number as usize].payload)),
            None => {
                let message = format!(
                    "`{}` has no variant of the name `{name}`: kernels know variants by the names that they were given, so \
                     import them without `as`",
                    description.name
                );
                Err(self.error(span, message))
            }
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

    /// A constant that is no scalar matches where all its parts do: rustc takes only types in patterns whose `==` is the
    /// derived one.
    fn equals(
        &mut self,
        place: Place,
        bytes: &[u8],
        out: &mut Matched,
        span: Span,
    ) -> Result<(), BuildError> {
        let types = &self.program.types;
        let part = |offset: u64, ty: TypeId| {
            let start = offset as usize;
            bytes.get(start..start + types.table.size(ty) as usize).unwrap_or_default().to_vec()
        };
        let mut parts = Vec::new();
        match types.get(place.ty) {
            Type::Scalar(_) => {
                let value = self.constant(place.ty, bytes, span);
                return self.compare(BinaryOp::Eq, place, value, out, span);
            }
            Type::Aggregate(aggregate) => {
                for (number, field) in aggregate.fields.iter().enumerate() {
                    let kind = PlaceKind::Field(Box::new(place.clone()), number as u32);
                    parts.push((Place { kind, ty: field.ty, span }, part(field.offset, field.ty)));
                }
            }
            Type::Array { element, length } => {
                let (element, size) = (*element, types.table.size(*element));
                for number in 0..*length {
                    let index = Expr { kind: ExprKind::Scalar(number.into()), ty: types.usize, span };
                    let kind = PlaceKind::Index {
                        base: Box::new(place.clone()),
                        index: Box::new(index),
                        checked: false,
                    };
                    parts.push((Place { kind, ty: element, span }, part(number * size, element)));
                }
            }
            Type::Enum(description) => {
                let Some(number) = description.variant_of(bytes) else {
                    return Err(self.error(span, "the constant's bytes are no value of its type"));
                };
                let payload = description.variants[number as usize].payload;
                out.tests.push(self.is_variant(&place, number, span));
                let kind = PlaceKind::Variant(Box::new(place), number);
                parts.push((Place { kind, ty: payload, span }, bytes.to_vec()));
            }
            _ => return Err(self.disagrees(span, "a constant", place.ty)),
        }
        for (place, bytes) in parts {
            self.equals(place, &bytes, out, span)?;
        }
        Ok(())
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
