//! Making a value fit where Rust coerces, and a receiver fit its method.

use super::function::FunctionTyper;
use super::place::{Purpose, address_of, deref};
use super::table::Pointer;
use crate::captured;
use crate::entry::BuildError;
use crate::typed::{CastKind, Expr, ExprKind, Place};
use crate::types::{Mutability, Type, TypeId};

/// How a pointer becomes one of another type.
enum Coercion {
    /// `&*value`; the type of what it points to.
    Reborrow(TypeId),
    /// A cast of the pointer.
    Cast(CastKind),
    /// The pointer that it points to, whose type this is, and on from there.
    Through(TypeId),
}

impl FunctionTyper<'_, '_> {
    /// The value as a `target`: itself, or by a coercion that Rust makes there (`&mut T` to `&T`, `&[T; N]` to `&[T]`,
    /// `&&T` to `&T`, a reference to a raw pointer, `!` to anything).
    pub fn coerce(&self, value: Expr, target: TypeId) -> Result<Expr, BuildError> {
        if value.ty == target || value.ty == self.program.types.never {
            return Ok(value);
        }
        let span = value.span;
        match self.coercion(value.ty, target) {
            None => Err(self.mismatch(span, target, value.ty)),
            Some(Coercion::Reborrow(pointee)) => Ok(address_of(deref(value, pointee, span), target, span)),
            Some(Coercion::Cast(kind)) => Ok(cast(kind, value, target)),
            Some(Coercion::Through(pointee)) => {
                let inner = self.load(deref(value, pointee, span))?;
                self.coerce(inner, target)
            }
        }
    }

    /// Coerces to what is probably expected, if Rust would.
    pub fn coerce_to_hint(&self, value: Expr, hint: Option<TypeId>) -> Result<Expr, BuildError> {
        match hint {
            Some(ty) if self.coercion(value.ty, ty).is_some() => self.coerce(value, ty),
            _ => Ok(value),
        }
    }

    /// How a pointer becomes another; none if it doesn't.
    fn coercion(&self, from: TypeId, to: TypeId) -> Option<Coercion> {
        let (from, to_id) = (self.program.types.as_pointer(from)?, to);
        let to = self.program.types.as_pointer(to)?;
        if from.mutability == Mutability::Shared && to.mutability == Mutability::Mutable
            || from.raw && !to.raw
        {
            return None;
        }
        if from.pointee == to.pointee && to.raw {
            return Some(Coercion::Cast(CastKind::PointerToPointer));
        }
        if from.pointee == to.pointee {
            return Some(Coercion::Reborrow(from.pointee));
        }
        if self.unsizes(from.pointee, to.pointee) {
            return Some(Coercion::Cast(CastKind::Unsize));
        }
        if from.raw || self.program.types.referent(from.pointee).is_none() {
            return None;
        }
        (from.pointee == to_id || self.coercion(from.pointee, to_id).is_some())
            .then_some(Coercion::Through(from.pointee))
    }

    /// Whether a pointer to `from` becomes one to the slice `to` by taking the array's length along.
    fn unsizes(&self, from: TypeId, to: TypeId) -> bool {
        match (self.program.types.get(from), self.program.types.get(to)) {
            (Type::Array { element, .. }, Type::Slice(other)) => element == other,
            _ => false,
        }
    }

    /// A receiver (or the operand of a comparison) as the callee's first parameter wants it: along the chain of
    /// dereferences, the first that fits by value, then by reference; at the end of the chain an array as a slice.
    pub fn receiver(&mut self, e: &captured::Expr, target: TypeId) -> Result<Expr, BuildError> {
        let wanted = self.program.types.as_pointer(target);
        let purpose = match wanted {
            Some(Pointer { mutability: Mutability::Mutable, .. }) => Purpose::Change,
            Some(_) => Purpose::Borrow,
            None => Purpose::Read,
        };
        let hint = wanted.map_or(target, |w| w.pointee);
        let mut place = self.place(e, purpose, Some(hint))?;
        let first = place.ty;
        loop {
            if place.ty == target || place.ty == self.program.types.never {
                return self.load(place);
            }
            if let Some(wanted) = wanted {
                if place.ty == wanted.pointee && !wanted.raw {
                    return Ok(address_of(place, target, e.span));
                }
                if self.unsizes(place.ty, wanted.pointee) && !wanted.raw {
                    return Ok(self.unsized_address(place, wanted, target, e));
                }
            }
            let Some(pointee) = self.program.types.referent(place.ty) else {
                return Err(self.mismatch(e.span, target, first));
            };
            place = deref(self.load(place)?, pointee, e.span);
        }
    }

    fn unsized_address(&mut self, array: Place, wanted: Pointer, target: TypeId, e: &captured::Expr) -> Expr {
        let thin = self.program.types.reference(array.ty, wanted.mutability);
        cast(CastKind::Unsize, address_of(array, thin, e.span), target)
    }
}

/// `value` cast to `ty`.
pub(super) fn cast(kind: CastKind, value: Expr, ty: TypeId) -> Expr {
    let span = value.span;
    Expr { kind: ExprKind::Cast(kind, Box::new(value)), ty, span }
}
