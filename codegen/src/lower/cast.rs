//! `as`, and the coercions of pointers.

use super::Lowering;
use super::emit::{Flow, Stop};
use super::machine::Machine;
use super::soft;
use super::value::{Pointer, Value};
use inkwell::AddressSpace;
use inkwell::values::IntValue;
use wavewright_kernel_ir::scalar::Scalar;
use wavewright_kernel_ir::typed::*;
use wavewright_kernel_ir::types::{Type, TypeId};

impl<'p, 'c, M: Machine<'c>> Lowering<'p, 'c, M> {
    pub(super) fn cast(&mut self, kind: CastKind, operand: &Expr, whole: &Expr) -> Flow<Value<'c>> {
        let value = self.expr(operand)?;
        self.at(whole.span);
        let (from, to) = (operand.ty, whole.ty);
        match kind {
            CastKind::IntToInt | CastKind::IntToFloat | CastKind::FloatToInt | CastKind::FloatToFloat => {
                self.convert(value, self.scalar_of(from)?, self.scalar_of(to)?)
            }
            CastKind::PointerToPointer => self.cast_pointer(value, to),
            CastKind::PointerToInt => {
                let address = self.generic(value.pointer()?.address)?;
                let bits = self.emitter.builder.build_ptr_to_int(address, self.emitter.i64(), "")?;
                self.convert(Value::Int(bits), Scalar::U64, self.scalar_of(to)?)
            }
            CastKind::IntToPointer => {
                let Value::Int(bits) = self.convert(value, self.scalar_of(from)?, Scalar::U64)? else {
                    return Err(Stop::broken("an address that is no integer"));
                };
                let generic = self.emitter.context.ptr_type(AddressSpace::default());
                let address = self.emitter.builder.build_int_to_ptr(bits, generic, "")?;
                Ok(Value::Thin(Pointer::new(address)))
            }
            CastKind::EnumToInt => self.enum_to_int(value, from, to),
            CastKind::Unsize => self.unsize(value, from),
        }
    }

    /// `value as to`, between primitive types.
    pub(super) fn convert(&self, value: Value<'c>, from: Scalar, to: Scalar) -> Flow<Value<'c>> {
        match (value, to.is_float()) {
            (Value::Int(value), false) => self.int_to_int(value, from, to).map(Value::Int),
            (Value::Int(value), true) => {
                let ty = self.scalar_type(to).into_float_type();
                let float = match self.machine.needs_soft_arithmetic() && from.bits() == 128 {
                    true => soft::int128_to_float(&self.emitter, value, from.is_signed(), ty),
                    false => self.emitter.int_to_float(value, from, ty),
                };
                float.map(Value::Float)
            }
            (Value::Float(value), true) => {
                let ty = self.scalar_type(to).into_float_type();
                let value = match (from.bits(), to.bits()) {
                    (a, b) if a < b => self.emitter.builder.build_float_ext(value, ty, "")?,
                    (a, b) if a > b => self.emitter.builder.build_float_trunc(value, ty, "")?,
                    _ => value,
                };
                Ok(Value::Float(value))
            }
            (Value::Float(value), false) => {
                let int = match self.machine.needs_soft_arithmetic() && to.bits() == 128 {
                    true => soft::float_to_int128(&self.emitter, value, to.is_signed()),
                    false => self.emitter.saturating_float_to_int(value, to),
                };
                int.map(Value::Int)
            }
            _ => Err(Stop::broken("a numeric cast of something that is no number")),
        }
    }

    fn int_to_int(&self, value: IntValue<'c>, from: Scalar, to: Scalar) -> Flow<IntValue<'c>> {
        let ty = self.int_type(to.bits());
        Ok(match (from.bits(), to.bits()) {
            (a, b) if a > b => self.emitter.builder.build_int_truncate(value, ty, "")?,
            (a, b) if a < b && from.is_signed() => self.emitter.builder.build_int_s_extend(value, ty, "")?,
            (a, b) if a < b => self.emitter.builder.build_int_z_extend(value, ty, "")?,
            _ => value,
        })
    }

    fn cast_pointer(&self, value: Value<'c>, to: TypeId) -> Flow<Value<'c>> {
        let Type::Pointer { pointee, .. } = self.type_of(to) else {
            return Err(Stop::broken("a pointer cast to something that is no pointer"));
        };
        match value {
            Value::Fat(pointer, _) if !self.program.types.is_unsized(*pointee) => Ok(Value::Thin(pointer)),
            Value::Thin(_) if self.program.types.is_unsized(*pointee) => {
                Err(Stop::broken("a thin pointer cast to a fat one"))
            }
            pointer => Ok(pointer),
        }
    }

    fn unsize(&self, value: Value<'c>, from: TypeId) -> Flow<Value<'c>> {
        let array = match self.type_of(from) {
            Type::Pointer { pointee, .. } => self.type_of(*pointee),
            _ => return Err(Stop::broken("a coercion of something that is no pointer")),
        };
        let Type::Array { length, .. } = array else {
            return Err(Stop::broken("a coercion of a pointer to something that is no array"));
        };
        Ok(Value::Fat(value.pointer()?, self.emitter.i64().const_int(*length, false)))
    }
}
