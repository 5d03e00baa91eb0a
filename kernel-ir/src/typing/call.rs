//! Calls of functions and methods.

use super::function::FunctionTyper;
use super::join::Expected;
use super::place::{Purpose, address_of};
use crate::captured::{self, Note, TypeSource};
use crate::entry::BuildError;
use crate::record::{InstanceId, Meaning};
use crate::span::Span;
use crate::typed::{Expr, ExprKind};
use crate::types::{Mutability, TypeId};

impl FunctionTyper<'_, '_> {
    /// A call of a function, or of a method with its receiver.
    pub fn call(
        &mut self,
        note: Note,
        receiver: Option<&captured::Expr>,
        arguments: &[captured::Expr],
        expected: Expected,
        span: Span,
    ) -> Result<Expr, BuildError> {
        let (id, instance) = self.noted_callee(note, span)?;
        let arguments: Vec<&captured::Expr> = receiver.into_iter().chain(arguments).collect();
        if let Meaning::Builtin(builtin) = instance.meaning {
            return self.builtin(builtin, &instance.types, &arguments, expected, span);
        }
        let params = self.params(id, arguments.len(), span)?;
        let mut values = Vec::new();
        for (number, argument) in arguments.into_iter().enumerate() {
            let is_receiver = number == 0 && receiver.is_some();
            values.push(match params[number] {
                Some(ty) if is_receiver => self.receiver(argument, ty)?,
                Some(ty) => self.expr(argument, Expected::Coerce(ty))?,
                None if is_receiver => self.untyped_receiver(id, argument)?,
                None => self.expr(argument, Expected::Any)?,
            });
        }
        self.call_with(id, values, span)
    }

    /// The receiver of a method whose `self` has no type of its own, an iterator with a closure in it: where the method takes
    /// a reference, one is made of what is none.
    fn untyped_receiver(&mut self, id: InstanceId, e: &captured::Expr) -> Result<Expr, BuildError> {
        let site = self.site(e.span);
        let source = self.program.declare(id, site)?.body.params.first().map(|p| p.ty);
        let Some(TypeSource::Reference { mutable }) = source else { return self.expr(e, Expected::Any) };
        let (purpose, mutability) = match mutable {
            true => (Purpose::Change, Mutability::Mutable),
            false => (Purpose::Borrow, Mutability::Shared),
        };
        let place = self.place(e, purpose, None)?;
        if self.program.types.referent(place.ty).is_some() {
            return self.load(place);
        }
        let pointer = self.program.types.reference(place.ty, mutability);
        Ok(address_of(place, pointer, e.span))
    }

    /// The call that an operator on user types is: operands by value, those of a comparison by reference.
    pub fn call_function(
        &mut self,
        id: InstanceId,
        operands: &[&captured::Expr],
        span: Span,
    ) -> Result<Expr, BuildError> {
        let params = self.params(id, operands.len(), span)?;
        let mut values = Vec::new();
        for (operand, param) in operands.iter().zip(params) {
            values.push(match param {
                Some(ty) => self.receiver(operand, ty)?,
                None => self.expr(operand, Expected::Any)?,
            });
        }
        self.call_with(id, values, span)
    }

    /// The types that a function's parameters have so far, as many as there are arguments.
    fn params(
        &mut self,
        id: InstanceId,
        count: usize,
        span: Span,
    ) -> Result<Vec<Option<TypeId>>, BuildError> {
        let site = self.site(span);
        let params = self.program.declare(id, site)?.params.clone();
        if params.len() != count {
            let message = format!("{count} arguments for a function of {}", params.len());
            return Err(self.error(span, message));
        }
        Ok(params)
    }

    pub fn call_with(&mut self, id: InstanceId, values: Vec<Expr>, span: Span) -> Result<Expr, BuildError> {
        let types: Vec<TypeId> = values.iter().map(|v| v.ty).collect();
        let site = self.site(span);
        let (function, ty) = self.program.called(id, &types, site)?;
        Ok(Expr { kind: ExprKind::Call(function, values), ty, span })
    }
}
