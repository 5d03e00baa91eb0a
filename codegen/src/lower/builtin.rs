//! Operations without a body: one arm each.
//!
//! Some have two forms in the typed program: an operand that Rust takes by reference may come as the reference or as
//! what it refers to. [`Lowering::operand`] takes both.

use super::Lowering;
use super::emit::{Flow, Stop};
use super::machine::{Dimension, Index, Machine};
use super::types::Address;
use super::value::Value;
use inkwell::values::IntValue;
use inkwell::{FloatPredicate, IntPredicate};
use wavewright_kernel_ir::builtin::Builtin;
use wavewright_kernel_ir::scalar::Scalar;
use wavewright_kernel_ir::span::Span;
use wavewright_kernel_ir::typed::*;
use wavewright_kernel_ir::types::{Type, TypeId};

impl<'p, 'c, M: Machine<'c>> Lowering<'p, 'c, M> {
    pub(super) fn builtin(&mut self, builtin: Builtin, arguments: &[Expr], whole: &Expr) -> Flow<Value<'c>> {
        if arguments.len() != usize::from(builtin.facts().arguments) {
            return Err(Stop::broken(format!(
                "`{}` with {} arguments",
                builtin.facts().name,
                arguments.len()
            )));
        }
        let mut values = Vec::with_capacity(arguments.len());
        for argument in arguments {
            values.push((self.expr(argument)?, argument.ty));
        }
        self.at(whole.span);
        if let Some(value) = self.index_space(builtin)? {
            return Ok(Value::Int(value));
        }
        if let Some(op) = assigned_operator(builtin) {
            return self.assign_through(op, values, whole.span);
        }
        if let Some(op) = operator(builtin) {
            return self.operator(op, values, whole.span);
        }
        self.operation(builtin, values, whole)
    }

    /// A number of the index space, if that is what is asked for.
    fn index_space(&mut self, builtin: Builtin) -> Flow<Option<IntValue<'c>>> {
        use Dimension::{X, Y, Z};
        let index = match builtin {
            Builtin::ThreadX => Index::Thread(X),
            Builtin::ThreadY => Index::Thread(Y),
            Builtin::ThreadZ => Index::Thread(Z),
            Builtin::BlockX => Index::Block(X),
            Builtin::BlockY => Index::Block(Y),
            Builtin::BlockZ => Index::Block(Z),
            Builtin::BlockSizeX => Index::BlockSize(X),
            Builtin::BlockSizeY => Index::BlockSize(Y),
            Builtin::BlockSizeZ => Index::BlockSize(Z),
            Builtin::GridSizeX => Index::GridSize(X),
            Builtin::GridSizeY => Index::GridSize(Y),
            Builtin::GridSizeZ => Index::GridSize(Z),
            Builtin::GlobalX => return self.machine.global_index(&self.emitter, X).map(Some),
            Builtin::GlobalY => return self.machine.global_index(&self.emitter, Y).map(Some),
            Builtin::GlobalZ => return self.machine.global_index(&self.emitter, Z).map(Some),
            _ => return Ok(None),
        };
        self.machine.index(&self.emitter, index).map(Some)
    }

    /// An operator as a function: `a.add(b)`.
    fn operator(&mut self, op: Operator, values: Vec<(Value<'c>, TypeId)>, span: Span) -> Flow<Value<'c>> {
        let mut operands = Vec::with_capacity(values.len());
        for value in values {
            operands.push(self.operand(value)?);
        }
        match (op, operands.as_slice()) {
            (Operator::Binary(op), [a, b]) => self.arithmetic(op, a.clone(), b.clone(), span),
            (Operator::Unary(op), [a]) => {
                let scalar = self.scalar_of(a.1)?;
                self.unary_value(op, scalar, a.0.clone(), span)
            }
            _ => Err(Stop::broken("an operator with the wrong number of operands")),
        }
    }

    /// `a.add_assign(b)`, where `a` is a reference.
    fn assign_through(
        &mut self,
        op: BinaryOp,
        values: Vec<(Value<'c>, TypeId)>,
        span: Span,
    ) -> Flow<Value<'c>> {
        let [(target, target_ty), right] = <[_; 2]>::try_from(values)
            .map_err(|_| Stop::broken("an assigning operator with the wrong number of operands"))?;
        let Type::Pointer { pointee, .. } = *self.type_of(target_ty) else {
            return Err(Stop::broken("an assigning operator on something that is no reference"));
        };
        let right = self.operand(right)?;
        let address = self.address(target.pointer()?, pointee);
        let left = self.load(pointee, address)?;
        let value = self.arithmetic(op, (left, pointee), right, span)?;
        self.store(pointee, &value, address)?;
        Ok(Value::unit())
    }

    /// A primitive value; one that comes by reference is read.
    fn operand(&mut self, (value, ty): (Value<'c>, TypeId)) -> Flow<(Value<'c>, TypeId)> {
        match (value, self.type_of(ty)) {
            (Value::Thin(pointer), Type::Pointer { pointee, raw: false, .. })
                if self.program.types.as_scalar(*pointee).is_some() =>
            {
                Ok((self.load(*pointee, self.address(pointer, *pointee))?, *pointee))
            }
            (value, _) => Ok((value, ty)),
        }
    }

    fn operation(
        &mut self,
        builtin: Builtin,
        values: Vec<(Value<'c>, TypeId)>,
        whole: &Expr,
    ) -> Flow<Value<'c>> {
        match builtin {
            Builtin::SyncThreads => {
                self.machine.barrier(&self.emitter)?;
                Ok(Value::unit())
            }
            Builtin::Clone => self.clone_value(first(values)?, whole.ty),
            Builtin::From => {
                let (value, from) = self.operand(first(values)?)?;
                let (from, to) = (self.scalar_of(from)?, self.scalar_of(whole.ty)?);
                self.convert(value, from, to)
            }
            Builtin::Default => self.zero_value(self.scalar_of(whole.ty)?),
            Builtin::Len | Builtin::IsEmpty => {
                let (value, ty) = first(values)?;
                let length = self.length_of(value, ty)?;
                if builtin == Builtin::Len {
                    return Ok(Value::Int(length));
                }
                let zero = self.emitter.i64().const_zero();
                Ok(Value::Int(self.emitter.builder.build_int_compare(IntPredicate::EQ, length, zero, "")?))
            }
            Builtin::AsPtr | Builtin::AsMutPtr => Ok(Value::Thin(first(values)?.0.pointer()?)),
            Builtin::GetUnchecked | Builtin::GetUncheckedMut | Builtin::PointerAdd => {
                self.element_pointer(values, whole)
            }
            _ => {
                let mut operands = Vec::with_capacity(values.len());
                for value in values {
                    operands.push(self.operand(value)?);
                }
                self.number_method(builtin, operands, whole)
            }
        }
    }

    fn clone_value(&mut self, (value, ty): (Value<'c>, TypeId), result: TypeId) -> Flow<Value<'c>> {
        if ty == result {
            return Ok(value);
        }
        let address = self.address(value.pointer()?, result);
        self.load(result, address)
    }

    fn zero_value(&self, scalar: Scalar) -> Flow<Value<'c>> {
        let ty = self.scalar_type(scalar);
        Ok(match scalar.is_float() {
            true => Value::Float(ty.into_float_type().const_zero()),
            false => Value::Int(ty.into_int_type().const_zero()),
        })
    }

    /// The number of elements of a slice or array that comes by pointer.
    fn length_of(&self, value: Value<'c>, ty: TypeId) -> Flow<IntValue<'c>> {
        if let Value::Fat(_, length) = value {
            return Ok(length);
        }
        if let Type::Pointer { pointee, .. } = self.type_of(ty)
            && let Type::Array { length, .. } = self.type_of(*pointee)
        {
            return Ok(self.emitter.i64().const_int(*length, false));
        }
        Err(Stop::broken("the length of something that is neither array nor slice"))
    }

    /// A pointer so many elements further on.
    fn element_pointer(&mut self, values: Vec<(Value<'c>, TypeId)>, whole: &Expr) -> Flow<Value<'c>> {
        let [(base, _), (index, _)] =
            <[_; 2]>::try_from(values).map_err(|_| Stop::broken("an element without a base and an index"))?;
        let Type::Pointer { pointee, .. } = *self.type_of(whole.ty) else {
            return Err(Stop::broken("an element's pointer that is no pointer"));
        };
        let base = Address { pointer: base.pointer()?, align: self.align(pointee), length: None };
        let address = self.at_index(base, pointee, index.int()?)?;
        Ok(Value::Thin(address.pointer))
    }

    /// The methods of numbers.
    fn number_method(
        &mut self,
        builtin: Builtin,
        operands: Vec<(Value<'c>, TypeId)>,
        whole: &Expr,
    ) -> Flow<Value<'c>> {
        let Some((first, ty)) = operands.first().cloned() else {
            return Err(Stop::broken(format!("`{}` without an operand", builtin.facts().name)));
        };
        match first {
            Value::Float(_) => self.float_method(builtin, &operands),
            Value::Int(_) if builtin == Builtin::FromBits => {
                let ty = self.scalar_type(self.scalar_of(whole.ty)?);
                let value = self.emitter.builder.build_bit_cast(first.scalar()?, ty, "")?;
                Ok(Value::Float(value.into_float_value()))
            }
            Value::Int(value) => {
                let rest: Vec<_> =
                    operands[1..].iter().map(|(v, ty)| Ok((v.clone().int()?, *ty))).collect::<Flow<_>>()?;
                let scalar = self.scalar_of(ty)?;
                self.int_method(builtin, scalar, value, &rest).map(Value::Int)
            }
            _ => Err(Stop::broken(format!("`{}` of something that is no number", builtin.facts().name))),
        }
    }

    fn float_method(&mut self, builtin: Builtin, operands: &[(Value<'c>, TypeId)]) -> Flow<Value<'c>> {
        let mut values = Vec::with_capacity(operands.len());
        for (value, _) in operands {
            values.push(value.clone().scalar()?);
        }
        let value = values[0].into_float_value();
        let intrinsic = match builtin {
            Builtin::IsNan => {
                let nan = self.emitter.builder.build_float_compare(FloatPredicate::UNO, value, value, "")?;
                return Ok(Value::Int(nan));
            }
            Builtin::ToBits => {
                let bits = if value.get_type() == self.emitter.context.f64_type() { 64 } else { 32 };
                let bits = self.emitter.builder.build_bit_cast(value, self.int_type(bits), "")?;
                return Ok(Value::Int(bits.into_int_value()));
            }
            // IEEE 754-2019's minimumNumber: a number wins over any NaN, and -0.0 is below 0.0.
            Builtin::Min => "llvm.minimumnum",
            Builtin::Max => "llvm.maximumnum",
            Builtin::Abs => "llvm.fabs",
            Builtin::Sqrt => "llvm.sqrt",
            Builtin::MulAdd => "llvm.fma",
            Builtin::Floor => "llvm.floor",
            Builtin::Ceil => "llvm.ceil",
            Builtin::Trunc => "llvm.trunc",
            Builtin::Round => "llvm.round",
            other => return Err(Stop::broken(format!("`{}` of a float", other.facts().name))),
        };
        Ok(Value::Float(self.uniform_intrinsic(intrinsic, &values)?.into_float_value()))
    }

    fn int_method(
        &mut self,
        builtin: Builtin,
        scalar: Scalar,
        value: IntValue<'c>,
        rest: &[(IntValue<'c>, TypeId)],
    ) -> Flow<IntValue<'c>> {
        let no = self.emitter.i1().const_zero();
        let signed = scalar.is_signed();
        match (builtin, rest) {
            (Builtin::WrappingAdd, [(b, _)]) => self.wrapping_arithmetic(BinaryOp::Add, value, *b),
            (Builtin::WrappingSub, [(b, _)]) => self.wrapping_arithmetic(BinaryOp::Sub, value, *b),
            (Builtin::WrappingMul, [(b, _)]) => self.wrapping_arithmetic(BinaryOp::Mul, value, *b),
            (Builtin::Min, [(b, _)]) => {
                let name = if signed { "llvm.smin" } else { "llvm.umin" };
                Ok(self.uniform_intrinsic(name, &[value.into(), (*b).into()])?.into_int_value())
            }
            (Builtin::Max, [(b, _)]) => {
                let name = if signed { "llvm.smax" } else { "llvm.umax" };
                Ok(self.uniform_intrinsic(name, &[value.into(), (*b).into()])?.into_int_value())
            }
            // `no`: the lowest number has itself as its absolute value.
            (Builtin::Abs, []) => {
                Ok(self.uniform_intrinsic("llvm.abs", &[value.into(), no.into()])?.into_int_value())
            }
            (Builtin::RotateLeft | Builtin::RotateRight, [(amount, ty)]) => {
                let name = if builtin == Builtin::RotateLeft { "llvm.fshl" } else { "llvm.fshr" };
                let from = self.scalar_of(*ty)?;
                let amount = self.convert(Value::Int(*amount), from, unsigned_of(scalar))?.int()?;
                Ok(self
                    .uniform_intrinsic(name, &[value.into(), value.into(), amount.into()])?
                    .into_int_value())
            }
            (Builtin::CountOnes, []) => {
                let ones = self.uniform_intrinsic("llvm.ctpop", &[value.into()])?;
                self.count(ones.into_int_value(), scalar)
            }
            // `no`: the count of zero is defined.
            (Builtin::LeadingZeros, []) => {
                let zeros = self.uniform_intrinsic("llvm.ctlz", &[value.into(), no.into()])?;
                self.count(zeros.into_int_value(), scalar)
            }
            (Builtin::TrailingZeros, []) => {
                let zeros = self.uniform_intrinsic("llvm.cttz", &[value.into(), no.into()])?;
                self.count(zeros.into_int_value(), scalar)
            }
            (other, _) => Err(Stop::broken(format!("`{}` of `{scalar}`", other.facts().name))),
        }
    }

    /// A number of bits as `u32`.
    fn count(&self, bits: IntValue<'c>, scalar: Scalar) -> Flow<IntValue<'c>> {
        self.convert(Value::Int(bits), unsigned_of(scalar), Scalar::U32)?.int()
    }
}

/// An operator as the expression `a + b` has it.
enum Operator {
    Unary(UnaryOp),
    Binary(BinaryOp),
}

fn operator(builtin: Builtin) -> Option<Operator> {
    Some(Operator::Binary(match builtin {
        Builtin::Add => BinaryOp::Add,
        Builtin::Sub => BinaryOp::Sub,
        Builtin::Mul => BinaryOp::Mul,
        Builtin::Div => BinaryOp::Div,
        Builtin::Rem => BinaryOp::Rem,
        Builtin::BitAnd => BinaryOp::BitAnd,
        Builtin::BitOr => BinaryOp::BitOr,
        Builtin::BitXor => BinaryOp::BitXor,
        Builtin::Shl => BinaryOp::Shl,
        Builtin::Shr => BinaryOp::Shr,
        Builtin::Neg => return Some(Operator::Unary(UnaryOp::Neg)),
        Builtin::Not => return Some(Operator::Unary(UnaryOp::Not)),
        _ => return None,
    }))
}

fn assigned_operator(builtin: Builtin) -> Option<BinaryOp> {
    Some(match builtin {
        Builtin::AddAssign => BinaryOp::Add,
        Builtin::SubAssign => BinaryOp::Sub,
        Builtin::MulAssign => BinaryOp::Mul,
        Builtin::DivAssign => BinaryOp::Div,
        Builtin::RemAssign => BinaryOp::Rem,
        Builtin::BitAndAssign => BinaryOp::BitAnd,
        Builtin::BitOrAssign => BinaryOp::BitOr,
        Builtin::BitXorAssign => BinaryOp::BitXor,
        Builtin::ShlAssign => BinaryOp::Shl,
        Builtin::ShrAssign => BinaryOp::Shr,
        _ => return None,
    })
}

/// The unsigned integer type of the same width.
fn unsigned_of(scalar: Scalar) -> Scalar {
    match scalar.bits() {
        8 => Scalar::U8,
        16 => Scalar::U16,
        32 => Scalar::U32,
        64 => Scalar::U64,
        _ => Scalar::U128,
    }
}

fn first<T>(values: Vec<T>) -> Flow<T> {
    values.into_iter().next().ok_or_else(|| Stop::broken("an operation without its operand"))
}
