//! Operators: of primitives themselves, of user types the function that rustc named.

use super::function::FunctionTyper;
use super::join::Expected;
use super::literal::is_open;
use super::place::{Purpose, deref, local_place};
use crate::builtin::Builtin;
use crate::captured::{self, ExprKind as Captured, Note};
use crate::entry::BuildError;
use crate::record::{InstanceId, Meaning};
use crate::scalar::Scalar;
use crate::span::Span;
use crate::typed::{BinaryOp, Expr, ExprKind, Place, PlaceKind, Statement, UnaryOp};
use crate::types::{Mutability, TypeId};

impl FunctionTyper<'_, '_> {
    /// `-x`, `!x`.
    pub fn unary(
        &mut self,
        op: UnaryOp,
        operand: &captured::Expr,
        note: Option<Note>,
        expected: Expected,
        span: Span,
    ) -> Result<Expr, BuildError> {
        let builtin = match op {
            UnaryOp::Neg => Builtin::Neg,
            UnaryOp::Not => Builtin::Not,
        };
        if let Some(function) = self.overload(note, &[builtin], span)? {
            return self.call_function(function, &[operand], span);
        }
        // `-128i8` has no positive form.
        if let (UnaryOp::Neg, Captured::Literal(literal, note)) = (op, &operand.kind) {
            return self.literal(literal, true, *note, expected, span);
        }
        let operand = self.operand(operand, expected.weak())?;
        self.unary_value(op, operand, span)
    }

    pub fn unary_value(&self, op: UnaryOp, operand: Expr, span: Span) -> Result<Expr, BuildError> {
        let ty = operand.ty;
        let fits = match (op, self.program.types.as_scalar(ty)) {
            (_, None) => ty == self.program.types.never,
            (UnaryOp::Neg, Some(scalar)) => scalar.is_float() || scalar.is_signed(),
            (UnaryOp::Not, Some(scalar)) => scalar.is_integer() || scalar == Scalar::Bool,
        };
        if !fits {
            let symbol = if op == UnaryOp::Neg { "-" } else { "!" };
            let ty = self.program.types.name(ty);
            return Err(self.contradiction(span, format!("no `{symbol}` of a `{ty}` was recorded")));
        }
        Ok(Expr { kind: ExprKind::Unary(op, Box::new(operand)), ty, span })
    }

    /// `a + b`, `a < b`.
    pub fn binary(
        &mut self,
        op: BinaryOp,
        left: &captured::Expr,
        right: &captured::Expr,
        note: Option<Note>,
        expected: Expected,
        span: Span,
    ) -> Result<Expr, BuildError> {
        if let Some(function) = self.overload(note, &[binary_builtin(op)], span)? {
            return match op {
                BinaryOp::Ne => {
                    self.call_function(function, &[left, right], span).map(|equal| self.negated(equal))
                }
                BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge => {
                    let message = "comparing the order of values of a user's type is not supported: compare their parts";
                    Err(self.error(span, message))
                }
                _ => self.call_function(function, &[left, right], span),
            };
        }
        let operands = if op.is_comparison() { Expected::Any } else { expected.weak() };
        self.binary_operands(op, left, right, operands, span)
    }

    /// An operator of primitives, or references to such; `hint` is about the operands.
    pub fn binary_operands(
        &mut self,
        op: BinaryOp,
        left: &captured::Expr,
        right: &captured::Expr,
        hint: Expected,
        span: Span,
    ) -> Result<Expr, BuildError> {
        let (left, right) = if is_shift(op) {
            let left = self.operand(left, hint)?;
            (left, self.shift_amount(right)?)
        } else if is_open(left) && !is_open(right) {
            let right = self.operand(right, hint)?;
            (self.operand(left, Expected::Hint(right.ty))?, right)
        } else {
            let left = self.operand(left, hint)?;
            let hint = Expected::Hint(left.ty);
            (left, self.operand(right, hint)?)
        };
        self.binary_value(op, left, right, span)
    }

    /// The amount of a shift: any integer. A literal that nothing types is an `i32`, as in Rust.
    fn shift_amount(&mut self, amount: &captured::Expr) -> Result<Expr, BuildError> {
        let i32 = self.program.types.scalar(Scalar::I32);
        self.operand(amount, Expected::Hint(i32))
    }

    /// An operand of a primitive operator: the value behind references.
    pub fn operand(&mut self, e: &captured::Expr, expected: Expected) -> Result<Expr, BuildError> {
        let value = self.expr(e, expected)?;
        self.behind_references(value)
    }

    pub fn behind_references(&self, mut value: Expr) -> Result<Expr, BuildError> {
        while let Some(pointee) = self.program.types.referent(value.ty) {
            let span = value.span;
            value = self.load(deref(value, pointee, span))?;
        }
        Ok(value)
    }

    pub fn binary_value(
        &self,
        op: BinaryOp,
        left: Expr,
        right: Expr,
        span: Span,
    ) -> Result<Expr, BuildError> {
        let types = &self.program.types;
        if left.ty == types.never || right.ty == types.never {
            // The operation is never reached; what comes before it is.
            let statements = vec![Statement::Expr(left), Statement::Expr(right)];
            return Ok(Expr { kind: ExprKind::Block(statements, None), ty: types.never, span });
        }
        if !self.takes(op, left.ty, right.ty) {
            let (left, right) = (types.name(left.ty), types.name(right.ty));
            let symbol = op.symbol();
            return Err(
                self.contradiction(span, format!("no `{symbol}` of `{left}` and `{right}` was recorded"))
            );
        }
        let ty = if op.is_comparison() { types.bool } else { left.ty };
        Ok(Expr { kind: ExprKind::Binary(op, Box::new(left), Box::new(right)), ty, span })
    }

    /// Whether primitives of these types have the operator.
    fn takes(&self, op: BinaryOp, left: TypeId, right: TypeId) -> bool {
        let types = &self.program.types;
        let (Some(l), Some(r)) = (types.as_scalar(left), types.as_scalar(right)) else {
            let thin = types.as_pointer(left).is_some_and(|p| p.raw && !types.table.is_unsized(p.pointee));
            return op.is_comparison() && left == right && thin;
        };
        match op {
            BinaryOp::Shl | BinaryOp::Shr => l.is_integer() && r.is_integer(),
            _ if l != r => false,
            BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor => l.is_integer() || l == Scalar::Bool,
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div | BinaryOp::Rem => {
                l.is_integer() || l.is_float()
            }
            _ => true,
        }
    }

    /// `a += b`.
    pub fn assign_binary(
        &mut self,
        op: BinaryOp,
        place: &captured::Expr,
        value: &captured::Expr,
        note: Option<Note>,
        span: Span,
    ) -> Result<Expr, BuildError> {
        let builtin = assign_builtin(op);
        if let Some(function) = self.overload(note, builtin.as_slice(), span)? {
            return self.call_function(function, &[place, value], span);
        }
        let place = self.place(place, Purpose::Change, None)?;
        let value = self.assigned_operand(op, &place, value)?;
        match note {
            // Rust knows that the operands are primitive: the value comes first.
            None => self.assign_binary_value(op, place, value, span),
            Some(_) => self.assign_binary_in_order(op, place, value, span),
        }
    }

    pub fn assigned_operand(
        &mut self,
        op: BinaryOp,
        place: &Place,
        value: &captured::Expr,
    ) -> Result<Expr, BuildError> {
        if is_shift(op) { self.shift_amount(value) } else { self.operand(value, Expected::Hint(place.ty)) }
    }

    fn assign_binary_value(
        &self,
        op: BinaryOp,
        place: Place,
        value: Expr,
        span: Span,
    ) -> Result<Expr, BuildError> {
        let types = &self.program.types;
        if value.ty == types.never {
            return Ok(value);
        }
        if types.as_scalar(place.ty).is_none() || op.is_comparison() || !self.takes(op, place.ty, value.ty) {
            let (left, right) = (types.name(place.ty), types.name(value.ty));
            let symbol = op.symbol();
            return Err(
                self.contradiction(span, format!("no `{symbol}=` of `{left}` and `{right}` was recorded"))
            );
        }
        Ok(Expr { kind: ExprKind::AssignBinary(op, place, Box::new(value)), ty: types.unit, span })
    }

    /// `a += b` in generic code, where it is a call: the place is found before the value is computed.
    pub fn assign_binary_in_order(
        &mut self,
        op: BinaryOp,
        place: Place,
        value: Expr,
        span: Span,
    ) -> Result<Expr, BuildError> {
        if is_fixed(&place) || is_plain(&value) {
            return self.assign_binary_value(op, place, value, span);
        }
        let (ty, place_span) = (place.ty, place.span);
        let pointer = self.program.types.reference(ty, Mutability::Mutable);
        let address = super::place::address_of(place, pointer, place_span);
        let local = self.temporary(pointer, place_span);
        let statements = vec![Statement::Let(local, Some(address))];
        let load = Expr {
            kind: ExprKind::Load(local_place(local, pointer, place_span)),
            ty: pointer,
            span: place_span,
        };
        let assign = self.assign_binary_value(op, deref(load, ty, place_span), value, span)?;
        Ok(self.after(statements, assign))
    }

    /// The function that an operator calls; none if it is the operation on primitives, one of `builtins`.
    fn overload(
        &self,
        note: Option<Note>,
        builtins: &[Builtin],
        span: Span,
    ) -> Result<Option<InstanceId>, BuildError> {
        let Some(note) = note else { return Ok(None) };
        let (id, instance) = self.noted_callee(note, span)?;
        match instance.meaning {
            Meaning::Body(_) => Ok(Some(id)),
            Meaning::Builtin(b) if builtins.contains(&b) => Ok(None),
            Meaning::Builtin(b) => {
                let name = b.facts().name;
                Err(self.contradiction(span, format!("`{name}` was recorded for another operator")))
            }
        }
    }
}

fn is_shift(op: BinaryOp) -> bool {
    matches!(op, BinaryOp::Shl | BinaryOp::Shr)
}

/// Whether finding the place evaluates nothing that the value could change, and can't fail.
fn is_fixed(place: &Place) -> bool {
    match &place.kind {
        PlaceKind::Local(_) | PlaceKind::Shared(_) => true,
        PlaceKind::Field(base, _) | PlaceKind::Variant(base, _) => is_fixed(base),
        _ => false,
    }
}

/// Whether computing the value changes nothing and can't fail.
fn is_plain(value: &Expr) -> bool {
    match &value.kind {
        ExprKind::Scalar(_) | ExprKind::Bytes(_) => true,
        ExprKind::Load(place) => is_fixed(place),
        _ => false,
    }
}

fn binary_builtin(op: BinaryOp) -> Builtin {
    match op {
        BinaryOp::Add => Builtin::Add,
        BinaryOp::Sub => Builtin::Sub,
        BinaryOp::Mul => Builtin::Mul,
        BinaryOp::Div => Builtin::Div,
        BinaryOp::Rem => Builtin::Rem,
        BinaryOp::BitAnd => Builtin::BitAnd,
        BinaryOp::BitOr => Builtin::BitOr,
        BinaryOp::BitXor => Builtin::BitXor,
        BinaryOp::Shl => Builtin::Shl,
        BinaryOp::Shr => Builtin::Shr,
        BinaryOp::Eq | BinaryOp::Ne => Builtin::PartialEq,
        BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge => Builtin::PartialOrd,
    }
}

fn assign_builtin(op: BinaryOp) -> Option<Builtin> {
    Some(match op {
        BinaryOp::Add => Builtin::AddAssign,
        BinaryOp::Sub => Builtin::SubAssign,
        BinaryOp::Mul => Builtin::MulAssign,
        BinaryOp::Div => Builtin::DivAssign,
        BinaryOp::Rem => Builtin::RemAssign,
        BinaryOp::BitAnd => Builtin::BitAndAssign,
        BinaryOp::BitOr => Builtin::BitOrAssign,
        BinaryOp::BitXor => Builtin::BitXorAssign,
        BinaryOp::Shl => Builtin::ShlAssign,
        BinaryOp::Shr => Builtin::ShrAssign,
        _ => return None,
    })
}
