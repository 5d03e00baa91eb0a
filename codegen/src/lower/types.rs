//! Rust types as LLVM types, and how values of them are read from memory and written to it.
//!
//! Memory has rustc's layout: every access is made at the field's own offset, whatever LLVM would have chosen. The LLVM
//! types of variables only help LLVM to take them apart.

use super::Lowering;
use super::emit::{Flow, Stop};
use super::machine::Machine;
use super::value::{Pointer, Value};
use inkwell::AddressSpace;
use inkwell::context::Context;
use inkwell::types::{BasicType, BasicTypeEnum, IntType};
use inkwell::values::{BasicValue, BasicValueEnum, IntValue, PointerValue};
use wavewright_kernel_ir::scalar::Scalar;
use wavewright_kernel_ir::types::{Aggregate, Type, TypeId};

/// Where a value is in memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Address<'c> {
    /// The address.
    pub(crate) pointer: Pointer<'c>,
    /// A power of two that divides it.
    pub(crate) align: u64,
    /// The number of elements where it is the address of a slice.
    pub(crate) length: Option<IntValue<'c>>,
}

impl<'p, 'c, M: Machine<'c>> Lowering<'p, 'c, M> {
    pub(crate) fn type_of(&self, ty: TypeId) -> &'p Type {
        self.program.types.get(ty)
    }

    pub(crate) fn size(&self, ty: TypeId) -> u64 {
        self.program.types.size(ty)
    }

    pub(crate) fn align(&self, ty: TypeId) -> u64 {
        self.program.types.align(ty)
    }

    /// The primitive type `ty`.
    pub(crate) fn scalar_of(&self, ty: TypeId) -> Flow<Scalar> {
        let name = || format!("a primitive type is wanted, not {}", self.program.types.name(ty));
        self.program.types.as_scalar(ty).ok_or_else(|| Stop::broken(name()))
    }

    /// The LLVM type of a value of a primitive type.
    pub(crate) fn scalar_type(&self, scalar: Scalar) -> BasicTypeEnum<'c> {
        match scalar {
            Scalar::F32 => self.emitter.context.f32_type().into(),
            Scalar::F64 => self.emitter.context.f64_type().into(),
            other => self.int_type(other.bits()).into(),
        }
    }

    /// The LLVM integer type of so many bits.
    pub(crate) fn int_type(&self, bits: u32) -> IntType<'c> {
        self.emitter.int_type(bits)
    }

    /// The LLVM type of `ty` in memory: of the same size, with padding spelled out.
    pub(crate) fn memory_type(&self, ty: TypeId) -> BasicTypeEnum<'c> {
        let context = self.emitter.context;
        let address = context.ptr_type(AddressSpace::default());
        match self.type_of(ty) {
            Type::Scalar(Scalar::Bool) => context.i8_type().into(),
            Type::Scalar(scalar) => self.scalar_type(*scalar),
            Type::Pointer { pointee, .. } if self.program.types.is_unsized(*pointee) => {
                context.struct_type(&[address.into(), context.i64_type().into()], false).into()
            }
            Type::Pointer { .. } => address.into(),
            Type::Array { element, length } => self.memory_type(*element).array_type(*length as u32).into(),
            Type::Slice(element) => self.memory_type(*element).array_type(0).into(),
            Type::Never => context.struct_type(&[], false).into(),
            Type::Str => context.i8_type().array_type(0).into(),
            Type::Aggregate(aggregate) => self.aggregate_type(aggregate),
            Type::Enum(description) => {
                let part = self.int_type(8 * description.align as u32);
                part.array_type((description.size / description.align) as u32).into()
            }
        }
    }

    fn aggregate_type(&self, aggregate: &Aggregate) -> BasicTypeEnum<'c> {
        let context = self.emitter.context;
        let padding = |bytes: u64| context.i8_type().array_type(bytes as u32).into();
        let mut fields: Vec<_> = aggregate.fields.iter().filter(|f| self.size(f.ty) > 0).collect();
        fields.sort_by_key(|field| field.offset);
        let mut parts = Vec::new();
        let mut end = 0;
        for field in fields {
            if field.offset > end {
                parts.push(padding(field.offset - end));
            }
            parts.push(self.memory_type(field.ty));
            end = field.offset + self.size(field.ty);
        }
        if aggregate.size > end {
            parts.push(padding(aggregate.size - end));
        }
        context.struct_type(&parts, true).into()
    }

    /// Whether a value of the type is kept in memory, wholly or in part.
    pub(crate) fn holds_array(&self, ty: TypeId) -> bool {
        match self.type_of(ty) {
            Type::Array { .. } => true,
            Type::Aggregate(aggregate) => aggregate.fields.iter().any(|field| self.holds_array(field.ty)),
            Type::Enum(description) => description.variants.iter().any(|v| self.holds_array(v.payload)),
            _ => false,
        }
    }

    /// Memory of the function's own for a value of the type.
    pub(crate) fn variable(&self, ty: TypeId, name: &str) -> Flow<PointerValue<'c>> {
        self.emitter.variable(self.memory_type(ty), self.align(ty), name)
    }

    /// The place of a value of type `ty` at `pointer`, as aligned as the type wants.
    pub(crate) fn address(&self, pointer: Pointer<'c>, ty: TypeId) -> Address<'c> {
        Address { pointer, align: self.align(ty), length: None }
    }

    /// The address `offset` bytes further, inside the same object.
    pub(crate) fn at_offset(&self, address: Address<'c>, offset: u64) -> Flow<Address<'c>> {
        if offset == 0 {
            return Ok(Address { length: None, ..address });
        }
        let base = address.pointer;
        let bytes = [self.emitter.i64().const_int(offset, false)];
        // SAFETY: the one index fits the type; that the offset stays inside the object is what a field's offset means.
        let moved =
            unsafe { self.emitter.builder.build_in_bounds_gep(self.emitter.i8(), base.address, &bytes, "")? };
        let align = address.align.min(1 << offset.trailing_zeros());
        Ok(Address { pointer: base.with_address(moved), align, length: None })
    }

    /// The address of element `index` of type `element`, inside the same object.
    pub(crate) fn at_index(
        &self,
        address: Address<'c>,
        element: TypeId,
        index: IntValue<'c>,
    ) -> Flow<Address<'c>> {
        let size = self.size(element);
        let align = if size == 0 { address.align } else { address.align.min(1 << size.trailing_zeros()) };
        let base = address.pointer;
        let (stride, index) = self.stride(element, index)?;
        // SAFETY: one index into a sequence of that type. That it lies inside the object has been checked, or is the
        // duty of the kernel's author (`get_unchecked`, `pointer::add`), as in Rust.
        let moved = unsafe { self.emitter.builder.build_in_bounds_gep(stride, base.address, &[index], "")? };
        Ok(Address { pointer: base.with_address(moved), align, length: None })
    }

    /// What LLVM counts in when it goes from one element to the next, and how many of them `index` elements are.
    fn stride(&self, element: TypeId, index: IntValue<'c>) -> Flow<(BasicTypeEnum<'c>, IntValue<'c>)> {
        let byte = self.emitter.i8();
        let ty = match self.type_of(element) {
            Type::Scalar(Scalar::Bool) => byte.into(),
            Type::Scalar(scalar) => self.scalar_type(*scalar),
            _ => match u32::try_from(self.size(element)) {
                Ok(size) => byte.array_type(size).into(),
                Err(_) => {
                    let size = self.emitter.i64().const_int(self.size(element), false);
                    return Ok((byte.into(), self.emitter.builder.build_int_mul(index, size, "")?));
                }
            },
        };
        Ok((ty, index))
    }

    /// The value at `address`. An array is copied, so that later writes don't show in the value.
    pub(crate) fn load(&self, ty: TypeId, address: Address<'c>) -> Flow<Value<'c>> {
        match self.type_of(ty) {
            Type::Scalar(scalar) => self.load_scalar(*scalar, address),
            Type::Pointer { pointee, .. } => self.load_pointer(*pointee, address),
            Type::Aggregate(aggregate) => {
                let fields = aggregate.fields.iter();
                let load = |field: &wavewright_kernel_ir::types::Field| {
                    self.load(field.ty, self.at_offset(address, field.offset)?)
                };
                Ok(Value::Aggregate(fields.map(load).collect::<Flow<_>>()?))
            }
            Type::Enum(description) => self.load_enum(description, address),
            Type::Array { .. } if address.pointer.invariant => Ok(Value::Array(address.pointer)),
            Type::Array { .. } => {
                let copy = self.address(Pointer::new(self.variable(ty, "copy")?), ty);
                self.copy(ty, address, copy)?;
                Ok(Value::Array(copy.pointer))
            }
            Type::Never => {
                // No value of the type exists, so control never comes here.
                self.emitter.branch(self.machine.thread_end())?;
                Err(Stop::Diverges)
            }
            Type::Slice(_) | Type::Str => Err(Stop::broken("a value of unsized type is read")),
        }
    }

    fn load_scalar(&self, scalar: Scalar, address: Address<'c>) -> Flow<Value<'c>> {
        if scalar == Scalar::Bool {
            let byte = self.load_part(self.emitter.i8().into(), address)?.into_int_value();
            self.emitter.set_range(byte, 0, 2)?;
            return Ok(Value::Int(self.emitter.builder.build_int_truncate(byte, self.emitter.i1(), "")?));
        }
        Ok(match self.load_part(self.scalar_type(scalar), address)? {
            BasicValueEnum::FloatValue(value) => Value::Float(value),
            value => Value::Int(value.into_int_value()),
        })
    }

    fn load_pointer(&self, pointee: TypeId, address: Address<'c>) -> Flow<Value<'c>> {
        let generic = self.emitter.context.ptr_type(AddressSpace::default());
        let pointer = Pointer::new(self.load_part(generic.into(), address)?.into_pointer_value());
        if !self.program.types.is_unsized(pointee) {
            return Ok(Value::Thin(pointer));
        }
        let length = self.load_part(self.emitter.i64().into(), self.at_offset(address, 8)?)?.into_int_value();
        Ok(Value::Fat(pointer, length))
    }

    /// Loads one LLVM value.
    pub(super) fn load_part(&self, ty: BasicTypeEnum<'c>, address: Address<'c>) -> Flow<BasicValueEnum<'c>> {
        let value = self.emitter.builder.build_load(ty, address.pointer.address, "")?;
        let instruction =
            value.as_instruction_value().ok_or_else(|| Stop::broken("a load is not an instruction"))?;
        instruction.set_alignment(address.align as u32).map_err(|e| Stop::broken(e.to_string()))?;
        if address.pointer.invariant {
            self.emitter.set_invariant(value)?;
        }
        Ok(value)
    }

    /// Writes a value.
    pub(crate) fn store(&self, ty: TypeId, value: &Value<'c>, address: Address<'c>) -> Flow<()> {
        match (value, self.type_of(ty)) {
            (Value::Int(value), _) if value.get_type().get_bit_width() == 1 => {
                let byte = self.emitter.builder.build_int_z_extend(*value, self.emitter.i8(), "")?;
                self.store_part(byte, address)
            }
            (Value::Int(value), _) => self.store_part(*value, address),
            (Value::Float(value), _) => self.store_part(*value, address),
            (Value::Thin(pointer), _) => self.store_part(self.generic(pointer.address)?, address),
            (Value::Fat(pointer, length), _) => {
                self.store_part(self.generic(pointer.address)?, address)?;
                self.store_part(*length, self.at_offset(address, 8)?)
            }
            (Value::Aggregate(values), Type::Aggregate(aggregate)) => {
                for (value, field) in values.iter().zip(&aggregate.fields) {
                    self.store(field.ty, value, self.at_offset(address, field.offset)?)?;
                }
                Ok(())
            }
            (Value::Enum(number, payloads), Type::Enum(description)) => {
                self.store_enum(description, (*number, payloads), address)
            }
            (Value::Undefined, _) => Ok(()),
            (Value::Array(source), _) => self.copy(ty, self.address(*source, ty), address),
            (Value::Aggregate(_) | Value::Enum(..), _) => {
                Err(Stop::broken("a struct's value without a struct's type"))
            }
        }
    }

    pub(super) fn store_part(&self, value: impl BasicValue<'c>, address: Address<'c>) -> Flow<()> {
        let store = self.emitter.builder.build_store(address.pointer.address, value)?;
        store.set_alignment(address.align as u32).map_err(|e| Stop::broken(e.to_string()))
    }

    /// Copies a value from one place to another that does not overlap it.
    pub(crate) fn copy(&self, ty: TypeId, from: Address<'c>, to: Address<'c>) -> Flow<()> {
        let size = self.size(ty);
        if size == 0 {
            return Ok(());
        }
        let bytes = self.emitter.i64().const_int(size, false);
        let (to_align, from_align) = (to.align as u32, from.align as u32);
        let (to, from) = (to.pointer.address, from.pointer.address);
        self.emitter.builder.build_memcpy(to, to_align, from, from_align, bytes)?;
        Ok(())
    }

    /// The pointer in the generic address space.
    pub(crate) fn generic(&self, pointer: PointerValue<'c>) -> Flow<PointerValue<'c>> {
        let generic = self.emitter.context.ptr_type(AddressSpace::default());
        if pointer.get_type() == generic {
            return Ok(pointer);
        }
        Ok(self.emitter.builder.build_address_space_cast(pointer, generic, "")?)
    }
}

/// The LLVM type of a primitive type in memory, as an argument has it, too: `bool` is a byte.
pub(crate) fn scalar_in_memory(context: &Context, scalar: Scalar) -> BasicTypeEnum<'_> {
    match scalar {
        Scalar::F32 => context.f32_type().into(),
        Scalar::F64 => context.f64_type().into(),
        other => match other.size() {
            1 => context.i8_type().into(),
            2 => context.i16_type().into(),
            4 => context.i32_type().into(),
            8 => context.i64_type().into(),
            _ => context.i128_type().into(),
        },
    }
}
