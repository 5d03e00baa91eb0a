//! Calls of operations without a body. What Rust takes by reference becomes places, loads and lengths here, so that
//! code generation sees values only.

use super::coerce::cast;
use super::function::FunctionTyper;
use super::join::Expected;
use super::place::{Purpose, address_of, deref};
use crate::builtin::Builtin;
use crate::captured;
use crate::entry::BuildError;
use crate::scalar::Scalar;
use crate::span::Span;
use crate::typed::{BinaryOp, CastKind, Expr, ExprKind, Place, UnaryOp};
use crate::types::{Mutability, TypeId};

/// An operation with what it was called with.
struct Operation<'a> {
    builtin: Builtin,
    types: &'a [TypeId],
    arguments: &'a [&'a captured::Expr],
    span: Span,
}

impl FunctionTyper<'_, '_> {
    /// A call of an operation; the receiver, if there is one, is the first argument.
    pub fn builtin(
        &mut self,
        builtin: Builtin,
        types: &[TypeId],
        arguments: &[&captured::Expr],
        expected: Expected,
        span: Span,
    ) -> Result<Expr, BuildError> {
        let facts = builtin.facts();
        if arguments.len() != usize::from(facts.arguments) {
            let message = format!(
                "{} arguments for `{}`, which takes {}",
                arguments.len(),
                facts.name,
                facts.arguments
            );
            return Err(self.error(span, message));
        }
        let call = Operation { builtin, types, arguments, span };
        use Builtin::*;
        match builtin {
            ThreadX | ThreadY | ThreadZ | BlockX | BlockY | BlockZ | BlockSizeX | BlockSizeY | BlockSizeZ
            | GridSizeX | GridSizeY | GridSizeZ => {
                Ok(self.operation(&call, Vec::new(), Yields::Scalar(Scalar::U32)))
            }
            GlobalX | GlobalY | GlobalZ => {
                Ok(self.operation(&call, Vec::new(), Yields::Scalar(Scalar::Usize)))
            }
            SyncThreads => {
                let unit = self.program.types.unit;
                Ok(self.operation(&call, Vec::new(), Yields::This(unit)))
            }
            Add | Sub | Mul | Div | Rem | BitAnd | BitOr | BitXor | Shl | Shr | PartialEq => {
                self.operator(&call, operator_of(builtin), expected)
            }
            PartialOrd => {
                Err(self.error(span, "`partial_cmp` is not supported: compare with `<` and its like"))
            }
            Neg | Not => {
                let op = if builtin == Neg { UnaryOp::Neg } else { UnaryOp::Not };
                let operand = self.operand(arguments[0], self.first_type(&call, expected))?;
                self.unary_value(op, operand, span)
            }
            AddAssign | SubAssign | MulAssign | DivAssign | RemAssign | BitAndAssign | BitOrAssign
            | BitXorAssign | ShlAssign | ShrAssign => self.assigning_operator(&call, operator_of(builtin)),
            Clone => self.clone_of(&call),
            From => self.converted(&call),
            IntoIter => self.expr(arguments[0], expected.weak()),
            Default => {
                let ty = self.required_type(&call, 0)?;
                self.zero(ty, span).ok_or_else(|| self.unsupported_type(&call, ty))
            }
            Len => {
                let place = self.sequence_place(arguments[0], Purpose::Read)?;
                Ok(self.length(place, span))
            }
            IsEmpty => {
                let place = self.sequence_place(arguments[0], Purpose::Read)?;
                let length = self.length(place, span);
                let zero = Expr { kind: ExprKind::Scalar(0), ty: length.ty, span };
                Ok(self.comparison(BinaryOp::Eq, length, zero, span))
            }
            GetUnchecked => self.unchecked(&call, Mutability::Shared),
            GetUncheckedMut => self.unchecked(&call, Mutability::Mutable),
            AsPtr => self.as_pointer(&call, Mutability::Shared),
            AsMutPtr => self.as_pointer(&call, Mutability::Mutable),
            PointerAdd => self.pointer_add(&call),
            WrappingAdd | WrappingSub | WrappingMul => self.numeric(&call, Scalar::is_integer, Yields::Same),
            Min | Max => self.numeric(&call, |_| true, Yields::Same),
            Abs => self.numeric(&call, |s| s.is_signed() || s.is_float(), Yields::Same),
            Sqrt | MulAdd | Floor | Ceil | Trunc | Round => {
                self.numeric(&call, Scalar::is_float, Yields::Same)
            }
            IsNan => self.numeric(&call, Scalar::is_float, Yields::Scalar(Scalar::Bool)),
            ToBits => self.numeric(&call, Scalar::is_float, Yields::Bits),
            FromBits => self.float_of_bits(&call),
            RotateLeft | RotateRight => self.rotate(&call),
            CountOnes | LeadingZeros | TrailingZeros => {
                self.numeric(&call, Scalar::is_integer, Yields::Scalar(Scalar::U32))
            }
        }
    }

    fn operation(&mut self, call: &Operation, values: Vec<Expr>, result: Yields) -> Expr {
        let first = values.first().map(|v| v.ty);
        let ty = match result {
            Yields::Same => first.unwrap_or(self.program.types.unit),
            Yields::This(ty) => ty,
            Yields::Scalar(scalar) => self.program.types.scalar(scalar),
            Yields::Bits => {
                let wide = first.and_then(|ty| self.program.types.as_scalar(ty)) == Some(Scalar::F64);
                self.program.types.scalar(if wide { Scalar::U64 } else { Scalar::U32 })
            }
        };
        Expr { kind: ExprKind::Builtin(call.builtin, values), ty, span: call.span }
    }

    /// What to expect of the first operand: the recorded type, else what is expected of the whole.
    fn first_type(&self, call: &Operation, expected: Expected) -> Expected {
        match call.types.first() {
            Some(ty) => Expected::Hint(self.stripped(*ty)),
            None => expected.weak(),
        }
    }

    fn stripped(&self, mut ty: TypeId) -> TypeId {
        while let Some(pointee) = self.program.types.referent(ty) {
            ty = pointee;
        }
        ty
    }

    fn required_type(&self, call: &Operation, number: usize) -> Result<TypeId, BuildError> {
        let name = call.builtin.facts().name;
        let ty = call.types.get(number).copied();
        ty.ok_or_else(|| self.contradiction(call.span, format!("`{name}` was recorded without its types")))
    }

    fn unsupported_type(&self, call: &Operation, ty: TypeId) -> BuildError {
        let ty = self.program.types.name(ty);
        self.error(
            call.span,
            format!("`{}` of a `{ty}` is not supported in kernels", call.builtin.facts().name),
        )
    }

    /// `a.add(b)` and its like, on primitives.
    fn operator(&mut self, call: &Operation, op: BinaryOp, expected: Expected) -> Result<Expr, BuildError> {
        let other = if op.is_comparison() { Expected::Any } else { expected };
        let hint = self.first_type(call, other);
        self.binary_operands(op, call.arguments[0], call.arguments[1], hint, call.span)
    }

    /// `a.add_assign(b)` and its like: the place is found first.
    fn assigning_operator(&mut self, call: &Operation, op: BinaryOp) -> Result<Expr, BuildError> {
        let mut place = self.place(call.arguments[0], Purpose::Change, None)?;
        while let Some(pointee) = self.program.types.referent(place.ty) {
            place = deref(self.load(place)?, pointee, call.span);
        }
        let value = self.assigned_operand(op, &place, call.arguments[1])?;
        self.assign_binary_in_order(op, place, value, call.span)
    }

    /// `x.clone()` of a `Copy` type.
    fn clone_of(&mut self, call: &Operation) -> Result<Expr, BuildError> {
        let wanted = self.required_type(call, 0)?;
        let mut place = self.place(call.arguments[0], Purpose::Read, Some(wanted))?;
        let first = place.ty;
        while place.ty != wanted {
            let Some(pointee) = self.program.types.referent(place.ty) else {
                return Err(self.mismatch(call.span, wanted, first));
            };
            place = deref(self.load(place)?, pointee, call.span);
        }
        self.load(place)
    }

    /// `T::from(x)`, `x.into()` between primitives.
    fn converted(&mut self, call: &Operation) -> Result<Expr, BuildError> {
        let (target, source) = (self.required_type(call, 0)?, self.required_type(call, 1)?);
        let value = self.expr(call.arguments[0], Expected::Coerce(source))?;
        let types = &self.program.types;
        if let (Some(Scalar::Bool), Some(to)) = (types.as_scalar(source), types.as_scalar(target))
            && to.is_float()
        {
            // `as` doesn't go from `bool` to a float: by way of a `u8`.
            let byte = self.program.types.scalar(Scalar::U8);
            let value = cast(CastKind::IntToInt, value, byte);
            return self.cast_value(value, target, call.span);
        }
        self.cast_value(value, target, call.span)
    }

    fn sequence_place(&mut self, e: &captured::Expr, purpose: Purpose) -> Result<Place, BuildError> {
        let place = self.place(e, purpose, None)?;
        self.sequence(place, e.span)
    }

    /// `x.get_unchecked(i)`.
    fn unchecked(&mut self, call: &Operation, mutability: Mutability) -> Result<Expr, BuildError> {
        let purpose = if mutability == Mutability::Mutable { Purpose::Change } else { Purpose::Borrow };
        let base = self.sequence_place(call.arguments[0], purpose)?;
        let usize = self.program.types.usize;
        let index = self.expr(call.arguments[1], Expected::Coerce(usize))?;
        let element = self.indexed(base, index, false, call.span)?;
        let ty = self.program.types.reference(element.ty, mutability);
        Ok(address_of(element, ty, call.span))
    }

    /// `x.as_ptr()`: the address without the length.
    fn as_pointer(&mut self, call: &Operation, mutability: Mutability) -> Result<Expr, BuildError> {
        let purpose = if mutability == Mutability::Mutable { Purpose::Change } else { Purpose::Borrow };
        let base = self.sequence_place(call.arguments[0], purpose)?;
        let element = self.program.types.element(base.ty);
        let element = element.ok_or_else(|| self.error(call.span, "no array or slice"))?;
        let whole = self.program.types.reference(base.ty, mutability);
        let thin = self.program.types.pointer(element, mutability, true);
        Ok(cast(CastKind::PointerToPointer, address_of(base, whole, call.span), thin))
    }

    fn pointer_add(&mut self, call: &Operation) -> Result<Expr, BuildError> {
        let pointer = self.expr(call.arguments[0], Expected::Any)?;
        if !self.program.types.as_pointer(pointer.ty).is_some_and(|p| p.raw) {
            return Err(self.unsupported_type(call, pointer.ty));
        }
        let usize = self.program.types.usize;
        let count = self.expr(call.arguments[1], Expected::Coerce(usize))?;
        Ok(self.operation(call, vec![pointer, count], Yields::Same))
    }

    /// A method of a number whose operands are all of the number's type.
    fn numeric(
        &mut self,
        call: &Operation,
        takes: fn(Scalar) -> bool,
        result: Yields,
    ) -> Result<Expr, BuildError> {
        let mut hint = self.first_type(call, Expected::Any);
        let mut values: Vec<Expr> = Vec::new();
        for argument in call.arguments {
            let value = self.operand(argument, hint)?;
            let first = values.first().map_or(value.ty, |first| first.ty);
            if value.ty != first && value.ty != self.program.types.never {
                return Err(self.mismatch(value.span, first, value.ty));
            }
            hint = Expected::Hint(first);
            values.push(value);
        }
        match values.first().map(|v| (v.ty, self.program.types.as_scalar(v.ty))) {
            Some((_, Some(scalar))) if takes(scalar) => Ok(self.operation(call, values, result)),
            Some((ty, _)) => Err(self.unsupported_type(call, ty)),
            None => Err(self.error(call.span, "a method of a number without its receiver")),
        }
    }

    /// `f32::from_bits(x)`.
    fn float_of_bits(&mut self, call: &Operation) -> Result<Expr, BuildError> {
        let float = self.required_type(call, 0)?;
        let bits = match self.program.types.as_scalar(float) {
            Some(Scalar::F32) => Scalar::U32,
            Some(Scalar::F64) => Scalar::U64,
            _ => return Err(self.unsupported_type(call, float)),
        };
        let bits = self.program.types.scalar(bits);
        let value = self.expr(call.arguments[0], Expected::Coerce(bits))?;
        Ok(self.operation(call, vec![value], Yields::This(float)))
    }

    /// `x.rotate_left(n)`: `n` is a `u32`.
    fn rotate(&mut self, call: &Operation) -> Result<Expr, BuildError> {
        let value = self.operand(call.arguments[0], self.first_type(call, Expected::Any))?;
        let u32 = self.program.types.scalar(Scalar::U32);
        let count = self.expr(call.arguments[1], Expected::Coerce(u32))?;
        match self.program.types.as_scalar(value.ty) {
            Some(scalar) if scalar.is_integer() => Ok(self.operation(call, vec![value, count], Yields::Same)),
            _ => Err(self.unsupported_type(call, value.ty)),
        }
    }
}

/// The type of an operation's result.
#[derive(Clone, Copy)]
enum Yields {
    /// That of the first value.
    Same,
    /// This one.
    This(TypeId),
    /// This primitive.
    Scalar(Scalar),
    /// The unsigned integer as wide as the first value.
    Bits,
}

/// The operator of an operation that is one.
fn operator_of(builtin: Builtin) -> BinaryOp {
    use Builtin::*;
    match builtin {
        Add | AddAssign => BinaryOp::Add,
        Sub | SubAssign => BinaryOp::Sub,
        Mul | MulAssign => BinaryOp::Mul,
        Div | DivAssign => BinaryOp::Div,
        Rem | RemAssign => BinaryOp::Rem,
        BitAnd | BitAndAssign => BinaryOp::BitAnd,
        BitOr | BitOrAssign => BinaryOp::BitOr,
        BitXor | BitXorAssign => BinaryOp::BitXor,
        Shl | ShlAssign => BinaryOp::Shl,
        Shr | ShrAssign => BinaryOp::Shr,
        _ => BinaryOp::Eq,
    }
}
