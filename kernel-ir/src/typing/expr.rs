//! Values.

use super::MAX_LEVEL;
use super::function::FunctionTyper;
use super::join::{Expected, Join};
use super::literal::is_open;
use super::place::{Purpose, address_of, local_place};
use crate::captured::{self, ExprKind as Captured, Note};
use crate::entry::BuildError;
use crate::scalar::Scalar;
use crate::span::Span;
use crate::typed::{Expr, ExprKind, LocalId, PanicKind, Place, PlaceKind, Shared, SharedId, Statement};
use crate::types::{AggregateKind, Mutability, Type, TypeId};

impl FunctionTyper<'_, '_> {
    /// The value of an expression. Under [`Expected::Coerce`] it has that type (or `!`).
    pub fn expr(&mut self, e: &captured::Expr, expected: Expected) -> Result<Expr, BuildError> {
        self.program.level += 1;
        if self.program.level > MAX_LEVEL {
            return Err(self.error(e.span, "this nests too deep: give a part of it a name with `let`"));
        }
        let value = self.expr_by_kind(e, expected)?;
        self.program.level -= 1;
        Ok(value)
    }

    fn expr_by_kind(&mut self, e: &captured::Expr, expected: Expected) -> Result<Expr, BuildError> {
        let value = match &e.kind {
            // These hand what is expected on to their parts.
            Captured::Block(label, block) => return self.block_expr(*label, block, expected, e.span),
            Captured::If(condition, then, otherwise) => {
                return self.if_expr(condition, then, otherwise.as_deref(), expected, e.span);
            }
            Captured::Match(subject, arms) => return self.match_expr(subject, arms, expected, e.span),
            Captured::Loop(label, body) => return self.loop_expr(*label, body, expected, e.span),
            other => self.plain(other, expected, e)?,
        };
        match expected {
            Expected::Coerce(ty) => self.coerce(value, ty),
            Expected::Any | Expected::Hint(_) => Ok(value),
        }
    }

    fn plain(&mut self, kind: &Captured, expected: Expected, e: &captured::Expr) -> Result<Expr, BuildError> {
        let span = e.span;
        match kind {
            Captured::Literal(literal, note) => self.literal(literal, false, *note, expected, span),
            Captured::Local(_) | Captured::Deref(_) | Captured::Field(..) | Captured::Index(..) => {
                let place = self.place(e, Purpose::Read, expected.hint())?;
                self.load(place)
            }
            Captured::Constant(note) => {
                let (ty, bytes) = self.noted_constant(*note, span)?;
                Ok(self.constant(ty, bytes, span))
            }
            Captured::Unit { ty, name } => self.structure(*ty, name, &[], None, span),
            Captured::Try { value, result, convert } => self.try_expr(value, (*result, *convert), span),
            Captured::Unary(op, operand, note) => self.unary(*op, operand, *note, expected, span),
            Captured::Binary(op, left, right, note) => self.binary(*op, left, right, *note, expected, span),
            Captured::AssignBinary(op, place, value, note) => {
                self.assign_binary(*op, place, value, *note, span)
            }
            Captured::Lazy { and, left, right } => self.lazy(*and, left, right, span),
            Captured::Reference { mutable, raw, operand } => {
                self.reference(*mutable, *raw, operand, expected.hint(), span)
            }
            Captured::Range { .. } => Err(self.error(
                span,
                "a range stands where a value was to be typed: macro and library are of different versions",
            )),
            Captured::Cast(value, ty) => self.cast_expr(value, *ty, span),
            Captured::Tuple(parts) => self.tuple(parts, expected.hint(), span),
            Captured::Array(elements, note) => self.array(elements, *note, expected.hint(), span),
            Captured::Repeat(element, note) => self.repeat(element, *note, span),
            Captured::Struct { ty, name, fields, base } => {
                self.structure(*ty, name, fields, base.as_deref(), span)
            }
            Captured::Call(note, arguments) => self.call(*note, None, arguments, expected, span),
            Captured::MethodCall(note, receiver, arguments) => {
                self.call(*note, Some(receiver), arguments, expected, span)
            }
            Captured::CallValue(callee, arguments) => self.call_value(callee, arguments, span),
            Captured::Closure { by_move, params, body } => self.closure(*by_move, params, body, span),
            Captured::Assign(place, value) => self.assign(place, value, span),
            Captured::AssignTuple(places, value) => self.assign_tuple(places, value, span),
            Captured::While(label, condition, body) => self.while_expr(*label, condition, body, span),
            Captured::For { label, pattern, subject, iterator, body } => {
                self.for_expr(*label, pattern, subject, *iterator, body, span)
            }
            Captured::Break(label, value) => self.break_expr(*label, value.as_deref(), span),
            Captured::Continue(label) => self.continue_expr(*label, span),
            Captured::Return(value) => self.return_expr(value.as_deref(), span),
            Captured::Panic(message) => {
                let kind = ExprKind::Panic(PanicKind::Message(message.text.clone()));
                Ok(Expr { kind, ty: self.program.types.never, span })
            }
            Captured::Shared(note) => self.shared(*note, span),
            Captured::Let(..) => Err(self
                .error(span, "`let` is only supported as a condition of `if` and `while`, joined by `&&`")),
            Captured::Block(..) | Captured::If(..) | Captured::Match(..) | Captured::Loop(..) => {
                Err(self.error(span, "control flow where a plain value was to be typed"))
            }
        }
    }

    /// `()`.
    pub fn unit(&self, span: Span) -> Expr {
        Expr { kind: ExprKind::Block(Vec::new(), None), ty: self.program.types.unit, span }
    }

    pub fn bool_constant(&self, value: bool, span: Span) -> Expr {
        Expr { kind: ExprKind::Scalar(value.into()), ty: self.program.types.bool, span }
    }

    fn reference(
        &mut self,
        mutable: bool,
        raw: bool,
        operand: &captured::Expr,
        hint: Option<TypeId>,
        span: Span,
    ) -> Result<Expr, BuildError> {
        let (mutability, purpose) = match mutable {
            true => (Mutability::Mutable, Purpose::Change),
            false => (Mutability::Shared, Purpose::Borrow),
        };
        // `x + &1` expects a number, not a pointer.
        let hint = hint.map(|ty| self.program.types.as_pointer(ty).map_or(ty, |p| p.pointee));
        let place = self.place(operand, purpose, hint)?;
        let ty = self.program.types.pointer(place.ty, mutability, raw);
        Ok(address_of(place, ty, span))
    }

    fn tuple(
        &mut self,
        parts: &[captured::Expr],
        hint: Option<TypeId>,
        span: Span,
    ) -> Result<Expr, BuildError> {
        if parts.is_empty() {
            return Ok(self.unit(span));
        }
        let fields = hint.and_then(|ty| self.program.types.fields(ty)).filter(|f| f.len() == parts.len());
        let mut values = Vec::new();
        for (number, part) in parts.iter().enumerate() {
            let hint = fields.as_ref().map(|f| f[number]);
            let value = self.expr(part, hint.into())?;
            values.push(self.coerce_to_hint(value, hint)?);
        }
        let types: Vec<TypeId> = values.iter().map(|v| v.ty).collect();
        let ty = self.program.types.tuple(&types);
        Ok(aggregate(values, Vec::new(), ty, span))
    }

    fn array(
        &mut self,
        elements: &[captured::Expr],
        note: Option<Note>,
        hint: Option<TypeId>,
        span: Span,
    ) -> Result<Expr, BuildError> {
        let noted = note.map(|note| self.noted_type(note, span)).transpose()?;
        if elements.is_empty() {
            let ty = noted
                .or(hint)
                .ok_or_else(|| self.error(span, "the type of `[]` is not known: annotate it"))?;
            if !matches!(self.program.types.get(ty), Type::Array { length: 0, .. }) {
                let ty = self.program.types.name(ty);
                return Err(self.contradiction(span, format!("`[]` as a `{ty}`")));
            }
            return Ok(aggregate(Vec::new(), Vec::new(), ty, span));
        }
        let hint = noted.or(hint).and_then(|ty| self.program.types.element(ty));
        let mut join = Join::new(hint.into());
        // Literals take the type of the first element that has one of its own, so that one goes first.
        let first = elements.iter().position(|e| !is_open(e)).unwrap_or(0);
        let mut values: Vec<Option<Expr>> = elements.iter().map(|_| None).collect();
        for number in std::iter::once(first).chain((0..elements.len()).filter(|n| *n != first)) {
            let value = self.expr(&elements[number], join.expected())?;
            let value = self.coerce_to_hint(value, hint)?;
            values[number] = Some(join.add(self, value)?);
        }
        let ty = self.program.types.array(join.ty(self), values.len() as u64);
        Ok(aggregate(values.into_iter().flatten().collect(), Vec::new(), ty, span))
    }

    fn repeat(&mut self, element: &captured::Expr, note: Note, span: Span) -> Result<Expr, BuildError> {
        let ty = self.noted_type(note, span)?;
        let Type::Array { element: element_type, .. } = *self.program.types.get(ty) else {
            let ty = self.program.types.name(ty);
            return Err(self.error(span, format!("`[x; N]` was recorded as `{ty}`")));
        };
        let element = self.expr(element, Expected::Coerce(element_type))?;
        Ok(Expr { kind: ExprKind::Repeat(Box::new(element)), ty, span })
    }

    /// `Name { field: value, ..base }`: the values in the order written, then those that come from the base.
    fn structure(
        &mut self,
        note: Note,
        name: &str,
        given: &[(String, captured::Expr)],
        base: Option<&captured::Expr>,
        span: Span,
    ) -> Result<Expr, BuildError> {
        let ty = self.noted_type(note, span)?;
        if self.program.types.as_enum(ty).is_some() {
            let (number, payload) = self.variant(ty, name, span)?;
            let payload = self.fields_given(payload, given, base, span)?;
            return Ok(Expr { kind: ExprKind::Variant(number, Box::new(payload)), ty, span });
        }
        self.fields_given(ty, given, base, span)
    }

    /// A struct or the payload of a variant.
    fn fields_given(
        &mut self,
        ty: TypeId,
        given: &[(String, captured::Expr)],
        base: Option<&captured::Expr>,
        span: Span,
    ) -> Result<Expr, BuildError> {
        let Type::Aggregate(description) = self.program.types.get(ty).clone() else {
            let ty = self.program.types.name(ty);
            return Err(self.error(span, format!("`{ty}` is no struct")));
        };
        let mut parts: Vec<Option<Expr>> = description.fields.iter().map(|_| None).collect();
        let mut order = Vec::new();
        for (name, value) in given {
            let Some((number, field)) = self.program.types.field(ty, name) else {
                return Err(self.error(value.span, format!("`{}` has no field `{name}`", description.name)));
            };
            parts[number as usize] = Some(self.expr(value, Expected::Coerce(field))?);
            order.push(number);
        }
        let missing: Vec<u32> = (0..parts.len() as u32).filter(|n| parts[*n as usize].is_none()).collect();
        let mut after = None;
        match base {
            Some(base) if missing.is_empty() => after = Some(self.expr(base, Expected::Hint(ty))?),
            Some(base) => self.fields_of_base(base, ty, &missing, &mut parts)?,
            None if !missing.is_empty() => {
                return Err(self.error(span, format!("fields of `{}` are missing", description.name)));
            }
            None => {}
        }
        order.extend(missing);
        if order.is_sorted() {
            order.clear();
        }
        let whole = aggregate(parts.into_iter().flatten().collect(), order, ty, span);
        Ok(match after {
            None => whole,
            Some(base) => self.value_then(whole, base),
        })
    }

    /// The fields that come from `..base`; the base is evaluated with the first of them.
    fn fields_of_base(
        &mut self,
        base: &captured::Expr,
        ty: TypeId,
        missing: &[u32],
        parts: &mut [Option<Expr>],
    ) -> Result<(), BuildError> {
        let span = base.span;
        let place = self.place(base, Purpose::Read, Some(ty))?;
        if place.ty != ty {
            return Err(self.mismatch(span, ty, place.ty));
        }
        let fields = self.program.types.fields(ty).unwrap_or_default();
        let (mut statements, place) = self.reusable(place, Mutability::Shared);
        for number in missing {
            let field = fields[*number as usize];
            let kind = PlaceKind::Field(Box::new(place.clone()), *number);
            let value = self.load(Place { kind, ty: field, span })?;
            parts[*number as usize] = Some(self.after(std::mem::take(&mut statements), value));
        }
        Ok(())
    }

    /// `value`, evaluated before `then`, whose own value is dropped.
    fn value_then(&mut self, value: Expr, then: Expr) -> Expr {
        let (ty, span) = (value.ty, value.span);
        let local = self.temporary(ty, span);
        let statements = vec![Statement::Let(local, Some(value)), Statement::Expr(then)];
        let load = Expr { kind: ExprKind::Load(local_place(local, ty, span)), ty, span };
        self.after(statements, load)
    }

    fn lazy(
        &mut self,
        and: bool,
        left: &captured::Expr,
        right: &captured::Expr,
        span: Span,
    ) -> Result<Expr, BuildError> {
        let bool = self.program.types.bool;
        let left = Box::new(self.expr(left, Expected::Coerce(bool))?);
        let right = Box::new(self.expr(right, Expected::Coerce(bool))?);
        let kind = if and { ExprKind::And(left, right) } else { ExprKind::Or(left, right) };
        Ok(Expr { kind, ty: bool, span })
    }

    /// `shared!(T)`.
    fn shared(&mut self, note: Note, span: Span) -> Result<Expr, BuildError> {
        if self.id.0 != 0 || self.frames.len() != 1 {
            return Err(
                self.error(span, "`shared!` is only supported in the kernel's own body: pass a reference on")
            );
        }
        let ty = self.noted_type(note, span)?;
        let types = &self.program.types;
        let invalid = types.find(ty, |_, t| {
            let scalar = matches!(t, Type::Scalar(Scalar::Bool | Scalar::Char));
            let closure = matches!(t, Type::Aggregate(a) if matches!(a.kind, AggregateKind::Closure(_)));
            scalar || closure || matches!(t, Type::Pointer { .. } | Type::Never | Type::Slice(_) | Type::Str)
        });
        if let Some(invalid) = invalid {
            let invalid = types.name(invalid);
            let message = format!(
                "shared memory starts with arbitrary bits, which a `{invalid}` can't have: use integers or floats"
            );
            return Err(self.error(span, message));
        }
        let id = SharedId(self.program.shared.len() as u32);
        self.program.shared.push(Shared { ty, span });
        let place = Place { kind: PlaceKind::Shared(id), ty, span };
        let pointer = self.program.types.reference(ty, Mutability::Mutable);
        Ok(address_of(place, pointer, span))
    }

    fn assign(
        &mut self,
        place: &captured::Expr,
        value: &captured::Expr,
        span: Span,
    ) -> Result<Expr, BuildError> {
        if let Some(local) = self.unsettled(place) {
            let value = self.expr(value, Expected::Any)?;
            self.settle(local, value.ty, place.span)?;
            let place = self.place(place, Purpose::Change, None)?;
            return Ok(self.assignment(place, value, span));
        }
        let place = self.place(place, Purpose::Change, None)?;
        let value = self.expr(value, Expected::Coerce(place.ty))?;
        Ok(self.assignment(place, value, span))
    }

    pub fn assignment(&self, place: Place, value: Expr, span: Span) -> Expr {
        Expr { kind: ExprKind::Assign(place, Box::new(value)), ty: self.program.types.unit, span }
    }

    /// The local of `let x;` whose type this assignment tells.
    fn unsettled(&self, place: &captured::Expr) -> Option<LocalId> {
        let Captured::Local(variable) = place.kind else { return None };
        let frame = self.frame();
        let local = *frame.variables.get(&variable)?;
        frame.slots[local.0 as usize].ty.is_none().then_some(local)
    }

    /// `(a, b) = value`: the value first, then the assignments from left to right.
    fn assign_tuple(
        &mut self,
        places: &[Option<captured::Expr>],
        value: &captured::Expr,
        span: Span,
    ) -> Result<Expr, BuildError> {
        let value = self.expr(value, Expected::Any)?;
        let Some(fields) = self.program.types.fields(value.ty).filter(|f| f.len() == places.len()) else {
            let ty = self.program.types.name(value.ty);
            return Err(self.error(span, format!("a `{ty}` is no tuple of {} parts", places.len())));
        };
        let (ty, value_span) = (value.ty, value.span);
        let local = self.temporary(ty, value_span);
        let mut statements = vec![Statement::Let(local, Some(value))];
        for (number, place) in places.iter().enumerate() {
            let Some(target) = place else { continue };
            let base = Box::new(local_place(local, ty, value_span));
            let part = Place { kind: PlaceKind::Field(base, number as u32), ty: fields[number], span };
            if let Some(local) = self.unsettled(target) {
                self.settle(local, fields[number], target.span)?;
            }
            let target = self.place(target, Purpose::Change, None)?;
            let part = self.load(part)?;
            let part = self.coerce(part, target.ty)?;
            statements.push(Statement::Expr(self.assignment(target, part, span)));
        }
        Ok(Expr { kind: ExprKind::Block(statements, None), ty: self.program.types.unit, span })
    }
}

/// A struct, tuple or array.
pub(super) fn aggregate(parts: Vec<Expr>, order: Vec<u32>, ty: TypeId, span: Span) -> Expr {
    Expr { kind: ExprKind::Aggregate { parts, order }, ty, span }
}
