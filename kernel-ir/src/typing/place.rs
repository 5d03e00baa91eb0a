//! What stands in memory: variables, fields, elements, and what pointers point to, with automatic dereferencing.

use super::function::FunctionTyper;
use super::join::Expected;
use super::literal::constant_bytes;
use crate::captured;
use crate::entry::BuildError;
use crate::span::Span;
use crate::typed::{CastKind, Expr, ExprKind, LocalId, Place, PlaceKind, Statement};
use crate::types::{Mutability, Type, TypeId};

/// What will be done with a place. It decides where a value without a place is put: a constant that is not changed
/// stays in constant memory, every other value gets a local.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose {
    /// Its value is read, in whole or in part.
    Read,
    /// It is borrowed with `&`.
    Borrow,
    /// It is written, or borrowed with `&mut`.
    Change,
}

impl FunctionTyper<'_, '_> {
    /// The place that an expression means; a value is put somewhere first.
    pub fn place(
        &mut self,
        e: &captured::Expr,
        purpose: Purpose,
        hint: Option<TypeId>,
    ) -> Result<Place, BuildError> {
        match &e.kind {
            captured::ExprKind::Local(variable) => self.variable(*variable, e.span),
            captured::ExprKind::Deref(pointer) => self.dereferenced(pointer, e.span),
            captured::ExprKind::Field(base, name) => self.field(base, name, purpose, e.span),
            captured::ExprKind::Index(base, index) => self.element(base, index, purpose, hint, e.span),
            _ => {
                let value = self.expr(e, hint.into())?;
                Ok(self.hold(value, purpose))
            }
        }
    }

    fn dereferenced(&mut self, pointer: &captured::Expr, span: Span) -> Result<Place, BuildError> {
        let pointer = self.expr(pointer, Expected::Any)?;
        match self.program.types.as_pointer(pointer.ty) {
            Some(p) => Ok(deref(pointer, p.pointee, span)),
            None if pointer.ty == self.program.types.never => {
                Ok(deref(pointer, self.program.types.never, span))
            }
            None => {
                let ty = self.program.types.name(pointer.ty);
                Err(self.error(
                    span,
                    format!(
                        "`*` of a `{ty}` is not supported: kernels dereference references and raw pointers"
                    ),
                ))
            }
        }
    }

    fn field(
        &mut self,
        base: &captured::Expr,
        name: &str,
        purpose: Purpose,
        span: Span,
    ) -> Result<Place, BuildError> {
        let mut base = self.place(base, purpose, None)?;
        loop {
            if let Some((number, ty)) = self.program.types.field(base.ty, name) {
                return Ok(Place { kind: PlaceKind::Field(Box::new(base), number), ty, span });
            }
            base = self.through_reference(base, span, &format!("has no field `{name}`"))?;
        }
    }

    fn element(
        &mut self,
        base: &captured::Expr,
        index: &captured::Expr,
        purpose: Purpose,
        hint: Option<TypeId>,
        span: Span,
    ) -> Result<Place, BuildError> {
        // Of `[1, 2][i]` the literals take the element's type.
        let hint = hint.map(|element| self.program.types.slice(element));
        let base = self.place(base, purpose, hint)?;
        let base = self.sequence(base, span)?;
        if let captured::ExprKind::Range { start, end, inclusive } = &index.kind {
            return self.subslice(base, start.as_deref(), end.as_deref(), *inclusive, span);
        }
        let usize = self.program.types.usize;
        let index = self.expr(index, Expected::Coerce(usize))?;
        self.indexed(base, index, true, span)
    }

    /// The array or slice behind a place, through references.
    pub fn sequence(&self, mut place: Place, span: Span) -> Result<Place, BuildError> {
        while self.program.types.element(place.ty).is_none() {
            place = self.through_reference(place, span, "is no array or slice")?;
        }
        // The array says more than the slice that it was coerced to.
        if let PlaceKind::Deref(pointer) = &mut place.kind
            && let ExprKind::Cast(CastKind::Unsize, array) = &mut pointer.kind
            && let Some(p) = self.program.types.as_pointer(array.ty)
        {
            let array = std::mem::replace(&mut **array, unreachable_value(p.pointee, span));
            return Ok(deref(array, p.pointee, span));
        }
        Ok(place)
    }

    /// An element of an array or slice.
    pub fn indexed(&self, base: Place, index: Expr, checked: bool, span: Span) -> Result<Place, BuildError> {
        let ty = self.program.types.element(base.ty).ok_or_else(|| self.error(span, "no array or slice"))?;
        Ok(Place {
            kind: PlaceKind::Index { base: Box::new(base), index: Box::new(index), checked },
            ty,
            span,
        })
    }

    fn subslice(
        &mut self,
        base: Place,
        start: Option<&captured::Expr>,
        end: Option<&captured::Expr>,
        inclusive: bool,
        span: Span,
    ) -> Result<Place, BuildError> {
        let usize = self.program.types.usize;
        let start = start.map(|e| self.expr(e, Expected::Coerce(usize))).transpose()?.map(Box::new);
        let end = end.map(|e| self.expr(e, Expected::Coerce(usize))).transpose()?.map(Box::new);
        let element =
            self.program.types.element(base.ty).ok_or_else(|| self.error(span, "no array or slice"))?;
        let ty = self.program.types.slice(element);
        Ok(Place { kind: PlaceKind::Subslice { base: Box::new(base), start, end, inclusive }, ty, span })
    }

    /// What the reference in a place points to.
    fn through_reference(&self, place: Place, span: Span, otherwise: &str) -> Result<Place, BuildError> {
        match self.program.types.referent(place.ty) {
            Some(pointee) => Ok(deref(self.load(place)?, pointee, span)),
            None => {
                let ty = self.program.types.name(place.ty);
                Err(self.error(span, format!("a `{ty}` {otherwise} that kernels can use")))
            }
        }
    }

    /// What a place holds.
    pub fn load(&self, mut place: Place) -> Result<Expr, BuildError> {
        if self.program.types.table.is_unsized(place.ty) {
            let ty = self.program.types.name(place.ty);
            return Err(self.error(place.span, format!("a `{ty}` has no size: borrow it with `&`")));
        }
        let mut statements = take_root_statements(&mut place);
        let (ty, span) = (place.ty, place.span);
        let value = match place.kind {
            // A value that was put somewhere only to be read again.
            PlaceKind::Local(local) if matches!(statements.as_slice(), [Statement::Let(held, Some(_))] if *held == local) => {
                match statements.pop() {
                    Some(Statement::Let(_, Some(value))) => value,
                    _ => self.read(local, ty, span),
                }
            }
            // Nothing stands between an address and what is there.
            PlaceKind::Constant(bytes) => self.constant(ty, &bytes, span),
            kind => Expr { kind: ExprKind::Load(Place { kind, ty, span }), ty, span },
        };
        Ok(self.after(statements, value))
    }

    /// Puts a value where it can be borrowed, indexed or looked into.
    pub fn hold(&mut self, value: Expr, purpose: Purpose) -> Place {
        let (ty, span) = (value.ty, value.span);
        if purpose != Purpose::Change
            && let Some(bytes) = constant_bytes(&self.program.types, &value)
        {
            return Place { kind: PlaceKind::Constant(bytes), ty, span };
        }
        let local = self.temporary(ty, span);
        let pointer = self.program.types.reference(ty, Mutability::Mutable);
        let address = address_of(local_place(local, ty, span), pointer, span);
        let block = ExprKind::Block(vec![Statement::Let(local, Some(value))], Some(Box::new(address)));
        deref(Expr { kind: block, ty: pointer, span }, ty, span)
    }

    /// A place that can be named again without evaluating anything again, and the statements that come first.
    pub fn reusable(&mut self, mut place: Place, mutability: Mutability) -> (Vec<Statement>, Place) {
        let mut statements = take_root_statements(&mut place);
        if is_reusable(&place) {
            return (statements, place);
        }
        let (ty, span) = (place.ty, place.span);
        let pointer = self.program.types.reference(ty, mutability);
        let local = self.temporary(pointer, span);
        statements.push(Statement::Let(local, Some(address_of(place, pointer, span))));
        let load = Expr { kind: ExprKind::Load(local_place(local, pointer, span)), ty: pointer, span };
        (statements, deref(load, ty, span))
    }

    /// The number of elements of an array or slice.
    pub fn length(&self, mut place: Place, span: Span) -> Expr {
        let usize = self.program.types.usize;
        let statements = take_root_statements(&mut place);
        let value = match *self.program.types.get(place.ty) {
            Type::Array { length, .. } => Expr { kind: ExprKind::Scalar(length.into()), ty: usize, span },
            _ => Expr { kind: ExprKind::Length(place), ty: usize, span },
        };
        self.after(statements, value)
    }
}

/// The place of a local.
pub(super) fn local_place(local: LocalId, ty: TypeId, span: Span) -> Place {
    Place { kind: PlaceKind::Local(local), ty, span }
}

/// What `pointer` points to: of `&place`, the place.
pub(super) fn deref(pointer: Expr, pointee: TypeId, span: Span) -> Place {
    match pointer.kind {
        ExprKind::AddressOf(place) if place.ty == pointee => Place { span, ..place },
        _ => Place { kind: PlaceKind::Deref(Box::new(pointer)), ty: pointee, span },
    }
}

/// The address of a place, as a pointer of type `ty`.
pub(super) fn address_of(mut place: Place, ty: TypeId, span: Span) -> Expr {
    let statements = take_root_statements(&mut place);
    let address = match place.kind {
        PlaceKind::Deref(pointer) if pointer.ty == ty => *pointer,
        kind => Expr { kind: ExprKind::AddressOf(Place { kind, ..place }), ty, span },
    };
    if statements.is_empty() {
        return address;
    }
    Expr { kind: ExprKind::Block(statements, Some(Box::new(address))), ty, span }
}

/// Takes out the statements that a place starts with: its root, a block that ends in the address of another place,
/// becomes that place. They are what is evaluated first, so whoever uses the place may put them before the use.
fn take_root_statements(place: &mut Place) -> Vec<Statement> {
    match &mut place.kind {
        PlaceKind::Field(base, _)
        | PlaceKind::Variant(base, _)
        | PlaceKind::Index { base, .. }
        | PlaceKind::Subslice { base, .. } => take_root_statements(base),
        PlaceKind::Local(_) | PlaceKind::Constant(_) | PlaceKind::Shared(_) => Vec::new(),
        PlaceKind::Deref(pointer) => {
            let ExprKind::Block(statements, Some(value)) = &mut pointer.kind else { return Vec::new() };
            let statements = std::mem::take(statements);
            let value = std::mem::replace(&mut **value, unreachable_value(place.ty, place.span));
            *place = deref(value, place.ty, place.span);
            statements
        }
    }
}

/// Stands for a moment where a value was taken out.
fn unreachable_value(ty: TypeId, span: Span) -> Expr {
    Expr { kind: ExprKind::Bytes(Vec::new()), ty, span }
}

/// Whether naming the place again does nothing but name it.
fn is_reusable(place: &Place) -> bool {
    match &place.kind {
        PlaceKind::Local(_) | PlaceKind::Constant(_) | PlaceKind::Shared(_) => true,
        PlaceKind::Field(base, _) | PlaceKind::Variant(base, _) => is_reusable(base),
        PlaceKind::Deref(pointer) => matches!(&pointer.kind, ExprKind::Load(place) if is_reusable(place)),
        PlaceKind::Index { .. } | PlaceKind::Subslice { .. } => false,
    }
}
