//! Places.

use super::{Checked, Problem, Verifier};
use crate::scalar::Scalar;
use crate::span::Span;
use crate::typed::{Expr, Place, PlaceKind};
use crate::types::{Type, TypeId};

impl Verifier<'_> {
    pub(super) fn place(&mut self, place: &Place) -> Checked {
        self.known_type(place.ty, place.span)?;
        match &place.kind {
            PlaceKind::Local(local) => {
                let local = self.local(*local, place.span)?;
                self.equal("a variable", local.ty, place.ty, place.span)
            }
            PlaceKind::Deref(pointer) => {
                self.expr(pointer)?;
                match self.types.get(pointer.ty) {
                    Type::Pointer { pointee, .. } => {
                        self.equal("what is pointed to", *pointee, place.ty, place.span)
                    }
                    Type::Never => Ok(()),
                    _ => Err(self.unfit("a pointer", pointer.ty, place.span)),
                }
            }
            PlaceKind::Field(base, number) => {
                self.place(base)?;
                let Type::Aggregate(aggregate) = self.types.get(base.ty) else {
                    return Err(self.unfit("what has fields", base.ty, place.span));
                };
                match aggregate.fields.get(*number as usize) {
                    Some(field) => self.equal("a field", field.ty, place.ty, place.span),
                    None => Err(self.error(Problem::Unknown { what: "field", number: *number }, place.span)),
                }
            }
            PlaceKind::Variant(base, number) => {
                self.place(base)?;
                let payload = self.payload(base.ty, *number, place.span)?;
                self.equal("a payload", payload, place.ty, place.span)
            }
            PlaceKind::Index { base, index, .. } => {
                self.place(base)?;
                self.index(index)?;
                let element = self.element(base)?;
                self.equal("an element", element, place.ty, place.span)
            }
            PlaceKind::Subslice { base, start, end, .. } => {
                self.place(base)?;
                for index in start.iter().chain(end) {
                    self.index(index)?;
                }
                let element = self.element(base)?;
                match self.types.get(place.ty) {
                    Type::Slice(other) if self.same(*other, element) => Ok(()),
                    _ => Err(self.unfit("a part of a slice", place.ty, place.span)),
                }
            }
            PlaceKind::Constant(bytes) => self.bytes("a constant in memory", bytes, place.ty, place.span),
            PlaceKind::Shared(id) => match self.program.shared.get(id.0 as usize) {
                Some(shared) => self.equal("shared memory", shared.ty, place.ty, place.span),
                None => Err(self.error(Problem::Unknown { what: "shared memory", number: id.0 }, place.span)),
            },
        }
    }

    pub(super) fn sized(&self, place: &Place) -> Checked {
        if self.types.is_unsized(place.ty) {
            Err(self.unfit("a place", place.ty, place.span))
        } else {
            Ok(())
        }
    }

    /// A place that is written or borrowed with `&mut`: no constant.
    pub(super) fn writable(&self, place: &Place) -> Checked {
        match &place.kind {
            PlaceKind::Field(base, _)
            | PlaceKind::Variant(base, _)
            | PlaceKind::Index { base, .. }
            | PlaceKind::Subslice { base, .. } => self.writable(base),
            PlaceKind::Constant(_) => Err(self.unfit("what is changed", place.ty, place.span)),
            PlaceKind::Local(_) | PlaceKind::Deref(_) | PlaceKind::Shared(_) => Ok(()),
        }
    }

    fn index(&mut self, index: &Expr) -> Checked {
        self.expr(index)?;
        if self.is_never(index.ty) || self.is_scalar(index.ty, Scalar::Usize) {
            return Ok(());
        }
        Err(self.unfit("an index", index.ty, index.span))
    }

    /// The payload of variant `number` of an enum.
    pub(super) fn payload(&self, ty: TypeId, number: u32, span: Span) -> Result<TypeId, super::Failure> {
        let Type::Enum(description) = self.types.get(ty) else {
            return Err(self.unfit("what has variants", ty, span));
        };
        let variant = description.variants.get(number as usize);
        let unknown = || self.error(Problem::Unknown { what: "variant", number }, span);
        Ok(variant.ok_or_else(unknown)?.payload)
    }

    fn element(&self, base: &Place) -> Result<TypeId, super::Failure> {
        match self.types.get(base.ty) {
            Type::Array { element, .. } | Type::Slice(element) => Ok(*element),
            _ => Err(self.unfit("what has elements", base.ty, base.span)),
        }
    }

    /// A constant's memory.
    pub(super) fn bytes(&self, what: &'static str, bytes: &[u8], ty: TypeId, span: Span) -> Checked {
        if self.inside(ty, &|t| matches!(t, Type::Pointer { .. } | Type::Never | Type::Slice(_) | Type::Str))
        {
            return Err(self.unfit(what, ty, span));
        }
        self.count("bytes of a constant", self.types.size(ty) as usize, bytes.len(), span)?;
        match self.types.invalid_scalar(ty, bytes) {
            Some((scalar, bits)) => Err(self.error(Problem::Bits { bits, ty: scalar.name().into() }, span)),
            None => Ok(()),
        }
    }
}
