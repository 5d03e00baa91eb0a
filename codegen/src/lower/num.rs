//! Arithmetic, shifts and comparisons, with Rust's meaning.

use super::Lowering;
use super::emit::{Flow, Stop};
use super::machine::Machine;
use super::soft;
use super::value::Value;
use inkwell::types::IntType;
use inkwell::values::{BasicValueEnum, FloatValue, InstructionValue, IntValue};
use inkwell::{FloatPredicate, IntPredicate};
use llvm_sys::LLVMFastMathAllowContract;
use wavewright_kernel_ir::scalar::Scalar;
use wavewright_kernel_ir::span::Span;
use wavewright_kernel_ir::typed::*;
use wavewright_kernel_ir::types::TypeId;

impl<'p, 'c, M: Machine<'c>> Lowering<'p, 'c, M> {
    pub(super) fn unary(&mut self, op: UnaryOp, operand: &Expr, span: Span) -> Flow<Value<'c>> {
        let scalar = self.scalar_of(operand.ty)?;
        let value = self.expr(operand)?;
        self.at(span);
        self.unary_value(op, scalar, value, span)
    }

    pub(super) fn unary_value(
        &mut self,
        op: UnaryOp,
        scalar: Scalar,
        value: Value<'c>,
        span: Span,
    ) -> Flow<Value<'c>> {
        match (op, value) {
            (UnaryOp::Neg, Value::Float(value)) => {
                Ok(Value::Float(self.emitter.builder.build_float_neg(value, "")?))
            }
            (UnaryOp::Neg, Value::Int(value)) => {
                if self.program.kernel.attributes.overflow_checks {
                    let minimum = minimum(value.get_type(), scalar);
                    let fails =
                        self.emitter.builder.build_int_compare(IntPredicate::EQ, value, minimum, "")?;
                    self.panic_if(fails, PanicKind::NegateOverflow, &[], span)?;
                }
                Ok(Value::Int(self.emitter.builder.build_int_neg(value, "")?))
            }
            (UnaryOp::Not, Value::Int(value)) => Ok(Value::Int(self.emitter.builder.build_not(value, "")?)),
            _ => Err(Stop::broken("an operator on something that is no number")),
        }
    }

    pub(super) fn binary(&mut self, op: BinaryOp, a: &Expr, b: &Expr, span: Span) -> Flow<Value<'c>> {
        let left = self.expr(a)?;
        let right = self.expr(b)?;
        self.at(span);
        self.arithmetic(op, (left, a.ty), (right, b.ty), span)
    }

    /// `left op right` for values that are at hand.
    pub(super) fn arithmetic(
        &mut self,
        op: BinaryOp,
        (left, left_ty): (Value<'c>, TypeId),
        (right, right_ty): (Value<'c>, TypeId),
        span: Span,
    ) -> Flow<Value<'c>> {
        match (left, right) {
            (Value::Float(left), Value::Float(right)) if op.is_comparison() => {
                let predicate = float_predicate(op);
                Ok(Value::Int(self.emitter.builder.build_float_compare(predicate, left, right, "")?))
            }
            (Value::Float(left), Value::Float(right)) => self.float_arithmetic(op, left, right),
            (Value::Int(left), Value::Int(right)) if op.is_comparison() => {
                let predicate = int_predicate(op, self.scalar_of(left_ty)?.is_signed());
                Ok(Value::Int(self.emitter.builder.build_int_compare(predicate, left, right, "")?))
            }
            (Value::Int(left), Value::Int(right)) => {
                let (scalar, amount) = (self.scalar_of(left_ty)?, self.scalar_of(right_ty)?);
                let value = match op {
                    BinaryOp::Shl | BinaryOp::Shr => self.shift(op, (left, scalar), (right, amount), span)?,
                    _ => self.int_arithmetic(op, scalar, left, right, span)?,
                };
                Ok(Value::Int(value))
            }
            (Value::Thin(left), Value::Thin(right)) if op.is_comparison() => {
                let (left, right) = (self.generic(left.address)?, self.generic(right.address)?);
                let predicate = int_predicate(op, false);
                Ok(Value::Int(self.emitter.builder.build_int_compare(predicate, left, right, "")?))
            }
            _ => Err(Stop::broken(format!("`{}` on something that is no number", op.symbol()))),
        }
    }

    fn int_arithmetic(
        &mut self,
        op: BinaryOp,
        scalar: Scalar,
        left: IntValue<'c>,
        right: IntValue<'c>,
        span: Span,
    ) -> Flow<IntValue<'c>> {
        let checks = self.program.kernel.attributes.overflow_checks;
        match op {
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul if checks => {
                self.checked_arithmetic(op, scalar, left, right, span)
            }
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul => self.wrapping_arithmetic(op, left, right),
            BinaryOp::Div | BinaryOp::Rem => self.divide(op, scalar, left, right, span),
            BinaryOp::BitAnd => Ok(self.emitter.builder.build_and(left, right, "")?),
            BinaryOp::BitOr => Ok(self.emitter.builder.build_or(left, right, "")?),
            BinaryOp::BitXor => Ok(self.emitter.builder.build_xor(left, right, "")?),
            _ => Err(Stop::broken(format!("`{}` is no arithmetic of integers", op.symbol()))),
        }
    }

    pub(super) fn wrapping_arithmetic(
        &self,
        op: BinaryOp,
        left: IntValue<'c>,
        right: IntValue<'c>,
    ) -> Flow<IntValue<'c>> {
        match op {
            BinaryOp::Add => Ok(self.emitter.builder.build_int_add(left, right, "")?),
            BinaryOp::Sub => Ok(self.emitter.builder.build_int_sub(left, right, "")?),
            BinaryOp::Mul => Ok(self.emitter.builder.build_int_mul(left, right, "")?),
            _ => Err(Stop::broken(format!("`{}` does not wrap", op.symbol()))),
        }
    }

    /// `+ - *` that panic where the result leaves the type's range.
    fn checked_arithmetic(
        &mut self,
        op: BinaryOp,
        scalar: Scalar,
        left: IntValue<'c>,
        right: IntValue<'c>,
        span: Span,
    ) -> Flow<IntValue<'c>> {
        let intrinsic = match (op, scalar.is_signed()) {
            (BinaryOp::Add, true) => "llvm.sadd.with.overflow",
            (BinaryOp::Add, false) => "llvm.uadd.with.overflow",
            (BinaryOp::Sub, true) => "llvm.ssub.with.overflow",
            (BinaryOp::Sub, false) => "llvm.usub.with.overflow",
            (_, true) => "llvm.smul.with.overflow",
            (_, false) => "llvm.umul.with.overflow",
        };
        let pair =
            self.emitter.intrinsic(intrinsic, &[left.get_type().into()], &[left.into(), right.into()])?;
        let pair = pair.into_struct_value();
        let value = self.emitter.builder.build_extract_value(pair, 0, "")?.into_int_value();
        let overflow = self.emitter.builder.build_extract_value(pair, 1, "")?.into_int_value();
        self.panic_if(overflow, PanicKind::Overflow(op), &[], span)?;
        Ok(value)
    }

    /// `/ %`, which panic where Rust's do.
    fn divide(
        &mut self,
        op: BinaryOp,
        scalar: Scalar,
        left: IntValue<'c>,
        right: IntValue<'c>,
        span: Span,
    ) -> Flow<IntValue<'c>> {
        let (by_zero, overflow) = match op {
            BinaryOp::Div => (PanicKind::DivideByZero, PanicKind::DivideOverflow),
            _ => (PanicKind::RemainderByZero, PanicKind::RemainderOverflow),
        };
        let ty = left.get_type();
        let zero = self.emitter.builder.build_int_compare(IntPredicate::EQ, right, ty.const_zero(), "")?;
        self.panic_if(zero, by_zero, &[], span)?;
        if !scalar.is_signed() {
            return Ok(match op {
                BinaryOp::Div => self.emitter.builder.build_int_unsigned_div(left, right, "")?,
                _ => self.emitter.builder.build_int_unsigned_rem(left, right, "")?,
            });
        }
        let minus_one =
            self.emitter.builder.build_int_compare(IntPredicate::EQ, right, ty.const_all_ones(), "")?;
        let lowest =
            self.emitter.builder.build_int_compare(IntPredicate::EQ, left, minimum(ty, scalar), "")?;
        let fails = self.emitter.builder.build_and(minus_one, lowest, "")?;
        self.panic_if(fails, overflow, &[], span)?;
        Ok(match op {
            BinaryOp::Div => self.emitter.builder.build_int_signed_div(left, right, "")?,
            _ => self.emitter.builder.build_int_signed_rem(left, right, "")?,
        })
    }

    /// `<< >>` by an amount of any integer type: only the bits count that the width leaves sense in.
    fn shift(
        &mut self,
        op: BinaryOp,
        (left, scalar): (IntValue<'c>, Scalar),
        (right, amount): (IntValue<'c>, Scalar),
        span: Span,
    ) -> Flow<IntValue<'c>> {
        let bits = u64::from(scalar.bits());
        if self.program.kernel.attributes.overflow_checks {
            // A negative amount is a large one without the sign.
            let limit = right.get_type().const_int(bits, false);
            let fails = self.emitter.builder.build_int_compare(IntPredicate::UGE, right, limit, "")?;
            self.panic_if(fails, PanicKind::Overflow(op), &[], span)?;
        }
        let ty = left.get_type();
        let amount = match amount.bits() >= scalar.bits() {
            true => self.emitter.builder.build_int_truncate_or_bit_cast(right, ty, "")?,
            false => self.emitter.builder.build_int_z_extend(right, ty, "")?,
        };
        let amount = self.emitter.builder.build_and(amount, ty.const_int(bits - 1, false), "")?;
        Ok(match op {
            BinaryOp::Shl => self.emitter.builder.build_left_shift(left, amount, "")?,
            _ => self.emitter.builder.build_right_shift(left, amount, scalar.is_signed(), "")?,
        })
    }

    fn float_arithmetic(
        &mut self,
        op: BinaryOp,
        left: FloatValue<'c>,
        right: FloatValue<'c>,
    ) -> Flow<Value<'c>> {
        let builder = &self.emitter.builder;
        let value = match op {
            BinaryOp::Add => builder.build_float_add(left, right, "")?,
            BinaryOp::Sub => builder.build_float_sub(left, right, "")?,
            BinaryOp::Mul => builder.build_float_mul(left, right, "")?,
            BinaryOp::Div => builder.build_float_div(left, right, "")?,
            BinaryOp::Rem if self.machine.needs_soft_arithmetic() => {
                return soft::remainder(&self.emitter, left, right).map(Value::Float);
            }
            BinaryOp::Rem => builder.build_float_rem(left, right, "")?,
            _ => return Err(Stop::broken(format!("`{}` is no arithmetic of floats", op.symbol()))),
        };
        if self.program.kernel.attributes.contract
            && let Some(instruction) = value.as_instruction()
        {
            allow_contraction(instruction)?;
        }
        Ok(Value::Float(value))
    }

    /// Calls an intrinsic on values of one type, that of the first argument and of the result.
    pub(super) fn uniform_intrinsic(
        &self,
        name: &str,
        arguments: &[BasicValueEnum<'c>],
    ) -> Flow<BasicValueEnum<'c>> {
        self.emitter.intrinsic(name, &[arguments[0].get_type()], arguments)
    }
}

/// Lets LLVM make one operation of a multiplication and an addition.
fn allow_contraction(instruction: InstructionValue<'_>) -> Flow<()> {
    let flags = inkwell::values::FastMathFlags::from_bits_truncate(LLVMFastMathAllowContract);
    instruction.set_fast_math_flags(flags).map_err(|e| Stop::broken(e.to_string()))
}

/// The lowest number of an integer type.
fn minimum<'c>(ty: IntType<'c>, scalar: Scalar) -> IntValue<'c> {
    if !scalar.is_signed() {
        return ty.const_zero();
    }
    let lowest = 1u128 << (scalar.bits() - 1);
    ty.const_int_arbitrary_precision(&[lowest as u64, (lowest >> 64) as u64])
}

fn int_predicate(op: BinaryOp, signed: bool) -> IntPredicate {
    match (op, signed) {
        (BinaryOp::Eq, _) => IntPredicate::EQ,
        (BinaryOp::Ne, _) => IntPredicate::NE,
        (BinaryOp::Lt, true) => IntPredicate::SLT,
        (BinaryOp::Le, true) => IntPredicate::SLE,
        (BinaryOp::Gt, true) => IntPredicate::SGT,
        (_, true) => IntPredicate::SGE,
        (BinaryOp::Lt, false) => IntPredicate::ULT,
        (BinaryOp::Le, false) => IntPredicate::ULE,
        (BinaryOp::Gt, false) => IntPredicate::UGT,
        (_, false) => IntPredicate::UGE,
    }
}

/// Comparisons with NaN are false, but for `!=`.
fn float_predicate(op: BinaryOp) -> FloatPredicate {
    match op {
        BinaryOp::Eq => FloatPredicate::OEQ,
        BinaryOp::Ne => FloatPredicate::UNE,
        BinaryOp::Lt => FloatPredicate::OLT,
        BinaryOp::Le => FloatPredicate::OLE,
        BinaryOp::Gt => FloatPredicate::OGT,
        _ => FloatPredicate::OGE,
    }
}
