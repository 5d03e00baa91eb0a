//! Values.

use super::{Checked, Failure, Problem, Target, Verifier};
use crate::captured::{BinaryOp, UnaryOp};
use crate::scalar::Scalar;
use crate::typed::{CastKind, Expr, ExprKind, LabelId, Statement};
use crate::types::{Enumeration, Mutability, Type, TypeId};

impl Verifier<'_> {
    pub(super) fn expr(&mut self, e: &Expr) -> Checked {
        self.known_type(e.ty, e.span)?;
        if self.types.is_unsized(e.ty) {
            return Err(self.unfit("a value", e.ty, e.span));
        }
        match &e.kind {
            ExprKind::Scalar(bits) => self.scalar(*bits, e),
            ExprKind::Bytes(bytes) => self.bytes("a constant", bytes, e.ty, e.span),
            ExprKind::Load(place) => {
                self.place(place)?;
                self.equal("what is loaded", e.ty, place.ty, e.span)
            }
            ExprKind::AddressOf(place) => {
                self.place(place)?;
                match self.types.get(e.ty) {
                    Type::Pointer { pointee, .. } => {
                        self.equal("what is pointed to", *pointee, place.ty, e.span)
                    }
                    _ => Err(self.unfit("an address", e.ty, e.span)),
                }
            }
            ExprKind::Length(place) => {
                self.place(place)?;
                match self.types.get(place.ty) {
                    Type::Slice(_) => self.require("a length", Scalar::Usize, e.ty, e),
                    _ => Err(self.unfit("what has a length", place.ty, e.span)),
                }
            }
            ExprKind::Unary(op, operand) => self.unary(*op, operand, e),
            ExprKind::Binary(op, left, right) => self.binary(*op, left, right, e),
            ExprKind::And(left, right) | ExprKind::Or(left, right) => {
                self.condition(left)?;
                self.condition(right)?;
                self.require("a condition", Scalar::Bool, e.ty, e)
            }
            ExprKind::Cast(kind, value) => self.cast(*kind, value, e),
            ExprKind::Aggregate { parts, order } => self.aggregate(parts, order, e),
            ExprKind::Variant(number, payload) => {
                self.expr(payload)?;
                let wanted = self.payload(e.ty, *number, e.span)?;
                self.fits("a payload", wanted, payload)
            }
            ExprKind::VariantOf(place) => {
                self.place(place)?;
                match self.types.get(place.ty) {
                    Type::Enum(_) => self.require("a variant's number", Scalar::U32, e.ty, e),
                    _ => Err(self.unfit("what has variants", place.ty, e.span)),
                }
            }
            ExprKind::Repeat(element) => {
                self.expr(element)?;
                match self.types.get(e.ty) {
                    Type::Array { element: wanted, .. } => self.fits("an element", *wanted, element),
                    _ => Err(self.unfit("`[x; N]`", e.ty, e.span)),
                }
            }
            ExprKind::Call(function, arguments) => {
                let callee = self.callee(*function, e.span)?;
                self.count("arguments", callee.params.len(), arguments.len(), e.span)?;
                for (argument, param) in arguments.iter().zip(&callee.params) {
                    self.expr(argument)?;
                    let wanted = callee.locals.get(param.0 as usize);
                    let unknown = Problem::Unknown { what: "local", number: param.0 };
                    self.fits(
                        "an argument",
                        wanted.ok_or_else(|| self.error(unknown, e.span))?.ty,
                        argument,
                    )?;
                }
                self.equal("a call", callee.result, e.ty, e.span)
            }
            ExprKind::Builtin(builtin, arguments) => {
                for argument in arguments {
                    self.expr(argument)?;
                }
                self.builtin(*builtin, arguments, e)
            }
            _ => self.control(e),
        }
    }

    fn control(&mut self, e: &Expr) -> Checked {
        match &e.kind {
            ExprKind::Block(statements, value) => self.block(statements, value.as_deref(), e),
            ExprKind::Labeled(label, body) => {
                let target = self.labelled(*label, false, body, e)?;
                self.fits("the value of a labelled block", e.ty, body)?;
                match self.is_never(e.ty) && (target.left || !self.is_never(body.ty)) {
                    true => Err(self.unfit("a labelled block that ends", e.ty, e.span)),
                    false => Ok(()),
                }
            }
            ExprKind::Loop(label, body) => {
                let target = self.labelled(*label, true, body, e)?;
                if !self.is_never(body.ty) && !self.is_unit(body.ty) {
                    return Err(self.unfit("a loop's body", body.ty, body.span));
                }
                match self.is_never(e.ty) && target.left {
                    true => Err(self.unfit("a loop that ends", e.ty, e.span)),
                    false => Ok(()),
                }
            }
            ExprKind::If(condition, then, otherwise) => {
                self.branches(condition, then, otherwise.as_deref(), e)
            }
            ExprKind::Break(label, value) => self.leave(*label, value.as_deref(), e),
            ExprKind::Continue(label) => {
                if !self.around.get(label).is_some_and(|t| t.is_loop) {
                    return Err(self.error(Problem::NoLabel { label: *label }, e.span));
                }
                self.require_never(e)
            }
            ExprKind::Return(value) => {
                let result = self.function.result;
                match value.as_deref() {
                    Some(value) => {
                        self.expr(value)?;
                        self.fits("what is returned", result, value)?;
                    }
                    None if !self.is_unit(result) => return Err(self.unfit("a result", result, e.span)),
                    None => {}
                }
                self.require_never(e)
            }
            ExprKind::Assign(place, value) => {
                self.expr(value)?;
                self.place(place)?;
                self.sized(place)?;
                self.writable(place)?;
                self.fits("what is assigned", place.ty, value)?;
                self.require_unit(e)
            }
            ExprKind::AssignBinary(op, place, value) => {
                self.expr(value)?;
                self.place(place)?;
                self.writable(place)?;
                let scalar = self.types.as_scalar(place.ty);
                if scalar.is_none() || op.is_comparison() || !self.operands_fit(*op, place.ty, value.ty) {
                    return Err(self.unfit("an operand", value.ty, value.span));
                }
                self.require_unit(e)
            }
            ExprKind::Panic(_) => self.require_never(e),
            ExprKind::Inlined(function, body) => {
                self.callee(*function, e.span)?;
                self.expr(body)?;
                self.fits("an inlined body", e.ty, body)
            }
            _ => Ok(()),
        }
    }

    fn require(&self, what: &'static str, scalar: Scalar, ty: TypeId, e: &Expr) -> Checked {
        if self.is_scalar(ty, scalar) { Ok(()) } else { Err(self.unfit(what, ty, e.span)) }
    }

    fn require_never(&self, e: &Expr) -> Checked {
        if self.is_never(e.ty) { Ok(()) } else { Err(self.unfit("what never ends here", e.ty, e.span)) }
    }

    fn require_unit(&self, e: &Expr) -> Checked {
        if self.is_unit(e.ty) { Ok(()) } else { Err(self.unfit("an assignment", e.ty, e.span)) }
    }

    fn condition(&mut self, e: &Expr) -> Checked {
        self.expr(e)?;
        if self.is_never(e.ty) { Ok(()) } else { self.require("a condition", Scalar::Bool, e.ty, e) }
    }

    fn scalar(&self, bits: u128, e: &Expr) -> Checked {
        let Some(scalar) = self.types.as_scalar(e.ty) else {
            return Err(self.unfit("a scalar", e.ty, e.span));
        };
        self.scalar_bits(bits, scalar, e.span)
    }

    pub(super) fn scalar_bits(&self, bits: u128, scalar: Scalar, span: crate::span::Span) -> Checked {
        if scalar.holds(bits) {
            Ok(())
        } else {
            Err(self.error(Problem::Bits { bits, ty: scalar.name().into() }, span))
        }
    }

    fn unary(&mut self, op: UnaryOp, operand: &Expr, e: &Expr) -> Checked {
        self.expr(operand)?;
        self.fits("an operand", e.ty, operand)?;
        let takes = match (op, self.types.as_scalar(e.ty)) {
            (_, None) => self.is_never(e.ty),
            (UnaryOp::Neg, Some(scalar)) => scalar.is_float() || scalar.is_signed(),
            (UnaryOp::Not, Some(scalar)) => scalar.is_integer() || scalar == Scalar::Bool,
        };
        if takes { Ok(()) } else { Err(self.unfit("an operand", e.ty, e.span)) }
    }

    fn binary(&mut self, op: BinaryOp, left: &Expr, right: &Expr, e: &Expr) -> Checked {
        self.expr(left)?;
        self.expr(right)?;
        if !self.operands_fit(op, left.ty, right.ty) {
            return Err(self.unfit("an operand", right.ty, right.span));
        }
        match op.is_comparison() {
            true => self.require("a comparison", Scalar::Bool, e.ty, e),
            false => self.equal("the result of an operator", left.ty, e.ty, e.span),
        }
    }

    fn operands_fit(&self, op: BinaryOp, left: TypeId, right: TypeId) -> bool {
        let (Some(l), Some(r)) = (self.types.as_scalar(left), self.types.as_scalar(right)) else {
            let thin = matches!(self.types.get(left), Type::Pointer { pointee, .. } if !self.types.is_unsized(*pointee));
            return op.is_comparison() && self.same(left, right) && thin;
        };
        match op {
            BinaryOp::Shl | BinaryOp::Shr => l.is_integer() && r.is_integer(),
            _ if l != r => false,
            BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor => l.is_integer() || l == Scalar::Bool,
            _ if op.is_comparison() => true,
            _ => l.is_integer() || l.is_float(),
        }
    }

    fn cast(&mut self, kind: CastKind, value: &Expr, e: &Expr) -> Checked {
        self.expr(value)?;
        let scalars = (self.types.as_scalar(value.ty), self.types.as_scalar(e.ty));
        let integral = |s: Scalar| !s.is_float();
        let fits = match (kind, scalars) {
            (CastKind::IntToInt, (Some(from), Some(to))) => {
                integral(from) && (to.is_integer() || to == Scalar::Char && from == Scalar::U8)
            }
            (CastKind::IntToFloat, (Some(from), Some(to))) => from.is_integer() && to.is_float(),
            (CastKind::FloatToInt, (Some(from), Some(to))) => from.is_float() && to.is_integer(),
            (CastKind::FloatToFloat, (Some(from), Some(to))) => from.is_float() && to.is_float(),
            (CastKind::PointerToInt, (None, Some(to))) => {
                to.is_integer() && self.is_thin(value.ty) == Some(true)
            }
            (CastKind::IntToPointer, (Some(from), None)) => {
                from == Scalar::Usize && self.is_thin(e.ty) == Some(true)
            }
            (CastKind::PointerToPointer, (None, None)) => {
                match (self.is_thin(value.ty), self.is_thin(e.ty)) {
                    (Some(from), Some(to)) => from == to || to,
                    _ => false,
                }
            }
            (CastKind::EnumToInt, (None, Some(to))) => {
                let plain = |e: &Enumeration| {
                    e.variants.iter().all(
                        |v| matches!(self.types.get(v.payload), Type::Aggregate(a) if a.fields.is_empty()),
                    )
                };
                to.is_integer() && matches!(self.types.get(value.ty), Type::Enum(e) if plain(e))
            }
            (CastKind::Unsize, (None, None)) => self.unsizes(value.ty, e.ty),
            _ => false,
        };
        if fits { Ok(()) } else { Err(self.unfit("what is cast", value.ty, e.span)) }
    }

    /// Whether a pointer is an address alone; none if it is no pointer.
    fn is_thin(&self, ty: TypeId) -> Option<bool> {
        match self.types.get(ty) {
            Type::Pointer { pointee, .. } => Some(!self.types.is_unsized(*pointee)),
            _ => None,
        }
    }

    fn unsizes(&self, from: TypeId, to: TypeId) -> bool {
        let (
            Type::Pointer { pointee: from, mutability: can, .. },
            Type::Pointer { pointee: to, mutability: shall, .. },
        ) = (self.types.get(from), self.types.get(to))
        else {
            return false;
        };
        let mutability = *shall == Mutability::Shared || *can == Mutability::Mutable;
        match (self.types.get(*from), self.types.get(*to)) {
            (Type::Array { element, .. }, Type::Slice(other)) => mutability && self.same(*element, *other),
            _ => false,
        }
    }

    fn aggregate(&mut self, parts: &[Expr], order: &[u32], e: &Expr) -> Checked {
        let wanted: Vec<TypeId> = match self.types.get(e.ty) {
            Type::Aggregate(a) => a.fields.iter().map(|f| f.ty).collect(),
            Type::Array { element, length } if *length == parts.len() as u64 => vec![*element; parts.len()],
            _ => return Err(self.unfit("a struct, tuple or array", e.ty, e.span)),
        };
        self.count("parts", wanted.len(), parts.len(), e.span)?;
        for (part, wanted) in parts.iter().zip(wanted) {
            self.expr(part)?;
            self.fits("a part", wanted, part)?;
        }
        let mut sorted = order.to_vec();
        sorted.sort_unstable();
        if !order.is_empty() && !sorted.into_iter().eq(0..parts.len() as u32) {
            return Err(self.error(Problem::Order, e.span));
        }
        Ok(())
    }

    fn block(&mut self, statements: &[Statement], value: Option<&Expr>, e: &Expr) -> Checked {
        let mut diverges = false;
        for statement in statements {
            let value = match statement {
                Statement::Let(local, None) => {
                    self.local(*local, e.span)?;
                    continue;
                }
                Statement::Let(local, Some(value)) => {
                    self.expr(value)?;
                    let local = self.local(*local, value.span)?;
                    self.fits("a variable's value", local.ty, value)?;
                    value
                }
                Statement::Expr(value) => {
                    self.expr(value)?;
                    value
                }
            };
            diverges |= self.is_never(value.ty);
        }
        match value {
            Some(value) => {
                self.expr(value)?;
                self.equal("a block's value", e.ty, value.ty, e.span)
            }
            None if self.is_unit(e.ty) || (self.is_never(e.ty) && diverges) => Ok(()),
            None => Err(self.unfit("a block without a value", e.ty, e.span)),
        }
    }

    fn labelled(&mut self, label: LabelId, is_loop: bool, body: &Expr, e: &Expr) -> Result<Target, Failure> {
        if self.labels.contains(&label) {
            return Err(self.error(Problem::SecondLabel { label }, e.span));
        }
        self.labels.push(label);
        self.around.insert(label, Target { ty: e.ty, is_loop, left: false });
        self.expr(body)?;
        let target = self.around.remove(&label);
        target.ok_or_else(|| self.error(Problem::NoLabel { label }, e.span))
    }

    fn leave(&mut self, label: LabelId, value: Option<&Expr>, e: &Expr) -> Checked {
        if let Some(value) = value {
            self.expr(value)?;
        }
        let no_label = self.error(Problem::NoLabel { label }, e.span);
        let ends = !value.is_some_and(|v| self.is_never(v.ty));
        let target = self.around.get_mut(&label).ok_or(no_label)?;
        target.left |= ends;
        let ty = target.ty;
        match value {
            Some(value) => self.fits("the value of `break`", ty, value)?,
            None if !self.is_unit(ty) => {
                return Err(self.unfit("what `break` leaves without a value", ty, e.span));
            }
            None => {}
        }
        self.require_never(e)
    }

    fn branches(&mut self, condition: &Expr, then: &Expr, otherwise: Option<&Expr>, e: &Expr) -> Checked {
        self.condition(condition)?;
        self.expr(then)?;
        self.fits("a branch", e.ty, then)?;
        match otherwise {
            Some(otherwise) => {
                self.expr(otherwise)?;
                self.fits("a branch", e.ty, otherwise)
            }
            None if self.is_unit(e.ty) => Ok(()),
            None => Err(self.unfit("an `if` without `else`", e.ty, e.span)),
        }
    }
}
