//! `value?`.

use super::function::FunctionTyper;
use super::join::Expected;
use super::place::local_place;
use crate::builtin::Builtin;
use crate::captured::{self, Note};
use crate::entry::BuildError;
use crate::record::Meaning;
use crate::span::Span;
use crate::typed::{Expr, ExprKind, Place, Statement};
use crate::types::TypeId;

/// The enums that `?` takes apart: the variant that goes on, and the one that leaves.
const ENUMS: &[(&str, &str)] = &[("Some", "None"), ("Ok", "Err"), ("Continue", "Break")];

impl FunctionTyper<'_, '_> {
    /// `value?`: the first note is the type that the function around returns, the second how an error becomes its.
    pub fn try_expr(
        &mut self,
        value: &captured::Expr,
        (result, convert): (Note, Note),
        span: Span,
    ) -> Result<Expr, BuildError> {
        let value = self.expr(value, Expected::Any)?;
        let (ty, result) = (value.ty, self.noted_type(result, span)?);
        if ty == self.program.types.never {
            return Ok(value);
        }
        let names = ENUMS.iter().find(|(good, bad)| {
            let has = |name| self.program.types.as_enum(ty).is_some_and(|e| e.variant(name).is_some());
            has(good) && has(bad)
        });
        let Some((good, bad)) = names else {
            let ty = self.program.types.name(ty);
            return Err(self.error(span, format!("`?` of a `{ty}` is not supported: write a `match`")));
        };
        let local = self.temporary(ty, span);
        let place = local_place(local, ty, span);
        let (number, going_on) = self.variant_field(&place, good, span)?;
        let leave = self.leave(&place, bad, result, convert, span)?;
        let test = self.is_variant(&place, number, span);
        let kind = ExprKind::If(Box::new(self.negated(test)), Box::new(leave), None);
        let check = Expr { kind, ty: self.program.types.unit, span };
        let going_on = match going_on {
            Some(place) => self.load(place)?,
            None => self.unit(span),
        };
        Ok(self.after(vec![Statement::Let(local, Some(value)), Statement::Expr(check)], going_on))
    }

    /// `return BAD(convert(error))`.
    fn leave(
        &mut self,
        place: &Place,
        bad: &str,
        result: TypeId,
        convert: Note,
        span: Span,
    ) -> Result<Expr, BuildError> {
        let (_, error) = self.variant_field(place, bad, span)?;
        let (out, out_payload) = self.variant(result, bad, span)?;
        let mut parts = Vec::new();
        if let Some(error) = error {
            let error = self.load(error)?;
            let (id, instance) = self.noted_callee(convert, span)?;
            let wanted = self.program.types.fields(out_payload).and_then(|f| f.first().copied());
            let wanted = wanted.ok_or_else(|| self.mismatch(span, result, place.ty))?;
            parts.push(match instance.meaning {
                Meaning::Body(_) => self.call_with(id, vec![error], span)?,
                Meaning::Builtin(Builtin::From) => self.cast_value(error, wanted, span)?,
                Meaning::Builtin(_) => return Err(self.mismatch(span, result, place.ty)),
            });
        }
        let payload = super::expr::aggregate(parts, Vec::new(), out_payload, span);
        let value = Expr { kind: ExprKind::Variant(out, Box::new(payload)), ty: result, span };
        let value = self.returned(value)?;
        let kind = ExprKind::Return(Some(Box::new(value)));
        Ok(Expr { kind, ty: self.program.types.never, span })
    }
}
