//! `x as T`, and the conversions of `From`.

use super::coerce::cast;
use super::function::FunctionTyper;
use super::join::Expected;
use super::literal::open_literal;
use super::table::Pointer;
use crate::captured::{self, Annotation, Literal};
use crate::entry::BuildError;
use crate::scalar::Scalar;
use crate::span::Span;
use crate::typed::{CastKind, Expr};
use crate::types::{Type, TypeId};

impl FunctionTyper<'_, '_> {
    /// `x as T`.
    pub fn cast_expr(
        &mut self,
        value: &captured::Expr,
        ty: Annotation,
        span: Span,
    ) -> Result<Expr, BuildError> {
        let target = self.annotated_type(ty, span)?;
        let hint = self.cast_hint(value, target);
        let value = self.expr(value, Expected::Hint(hint))?;
        self.cast_value(value, target, span)
    }

    /// The type that Rust gives a bare literal that is cast: the target's where it can have it, else its own default.
    fn cast_hint(&mut self, value: &captured::Expr, target: TypeId) -> TypeId {
        let types = &mut self.program.types;
        let integer = match open_literal(value) {
            Some(literal) => matches!(literal, Literal::Int(..)),
            None => return target,
        };
        match types.as_scalar(target) {
            Some(Scalar::Char) if integer => types.scalar(Scalar::U8),
            Some(scalar) if integer && scalar.is_integer() || !integer && scalar.is_float() => target,
            _ if integer => types.scalar(Scalar::I32),
            _ => types.scalar(Scalar::F64),
        }
    }

    /// A value cast to a type.
    pub fn cast_value(&self, value: Expr, target: TypeId, span: Span) -> Result<Expr, BuildError> {
        let types = &self.program.types;
        if value.ty == target || value.ty == types.never {
            return Ok(value);
        }
        let kind = match (types.as_scalar(value.ty), types.as_scalar(target)) {
            (Some(from), Some(to)) => scalar_cast(from, to),
            (None, Some(to)) if types.as_enum(value.ty).is_some() => self.enum_to_integer(value.ty, to),
            (None, Some(to)) => self.pointer_to_integer(value.ty, to),
            (Some(from), None) => self.integer_to_pointer(from, target),
            (None, None) => return self.pointer_cast(value, target, span),
        };
        match kind {
            Some(kind) => Ok(Expr { span, ..cast(kind, value, target) }),
            None => Err(self.no_cast(value.ty, target, span)),
        }
    }

    fn enum_to_integer(&self, from: TypeId, to: Scalar) -> Option<CastKind> {
        let types = &self.program.types;
        let plain = types
            .as_enum(from)?
            .variants
            .iter()
            .all(|v| types.fields(v.payload).is_some_and(|fields| fields.is_empty()));
        (plain && to.is_integer()).then_some(CastKind::EnumToInt)
    }

    fn pointer_to_integer(&self, from: TypeId, to: Scalar) -> Option<CastKind> {
        let thin = self.thin(from)?;
        (thin.raw && to.is_integer()).then_some(CastKind::PointerToInt)
    }

    fn integer_to_pointer(&self, from: Scalar, to: TypeId) -> Option<CastKind> {
        let thin = self.thin(to)?;
        (thin.raw && from == Scalar::Usize).then_some(CastKind::IntToPointer)
    }

    fn thin(&self, ty: TypeId) -> Option<Pointer> {
        let types = &self.program.types;
        types.as_pointer(ty).filter(|p| !types.table.is_unsized(p.pointee))
    }

    /// Between pointers: a coercion, or a raw pointer seen as one to something else.
    fn pointer_cast(&self, value: Expr, target: TypeId, span: Span) -> Result<Expr, BuildError> {
        let types = &self.program.types;
        let from = types.as_pointer(value.ty);
        let (Some(from), Some(to)) = (from, types.as_pointer(target)) else {
            return Err(self.no_cast(value.ty, target, span));
        };
        if !to.raw {
            return self.coerce(value, target);
        }
        let unsizes = matches!(
            (types.get(from.pointee), types.get(to.pointee)),
            (Type::Array { element, .. }, Type::Slice(other)) if element == other
        );
        let kind = match (types.table.is_unsized(from.pointee), types.table.is_unsized(to.pointee)) {
            (false, true) if unsizes => CastKind::Unsize,
            (false, true) => return Err(self.no_cast(value.ty, target, span)),
            _ => CastKind::PointerToPointer,
        };
        Ok(Expr { span, ..cast(kind, value, target) })
    }

    fn no_cast(&self, from: TypeId, to: TypeId, span: Span) -> BuildError {
        let (from, to) = (self.program.types.name(from), self.program.types.name(to));
        self.error(span, format!("a `{from}` can't be cast to a `{to}` in a kernel"))
    }
}

fn scalar_cast(from: Scalar, to: Scalar) -> Option<CastKind> {
    let integral = |s: Scalar| s.is_integer() || matches!(s, Scalar::Bool | Scalar::Char);
    Some(match (from, to) {
        (_, Scalar::Bool) => return None,
        (from, Scalar::Char) if from != Scalar::U8 => return None,
        (from, to) if integral(from) && integral(to) => CastKind::IntToInt,
        (from, to) if from.is_integer() && to.is_float() => CastKind::IntToFloat,
        (from, to) if from.is_float() && to.is_integer() => CastKind::FloatToInt,
        (from, to) if from.is_float() && to.is_float() => CastKind::FloatToFloat,
        _ => return None,
    })
}
