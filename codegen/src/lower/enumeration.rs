//! Enums: as values a variant's number beside all payloads, in memory what rustc makes of them.

use super::Lowering;
use super::emit::{Flow, Stop};
use super::machine::Machine;
use super::types::Address;
use super::value::{Pointer, Value};
use inkwell::AddressSpace;
use inkwell::IntPredicate;
use inkwell::values::IntValue;
use wavewright_kernel_ir::types::{Enumeration, Tag, Type, TypeId};

impl<'p, 'c, M: Machine<'c>> Lowering<'p, 'c, M> {
    fn number(&self, number: usize) -> IntValue<'c> {
        self.emitter.i32().const_int(number as u64, false)
    }

    /// Variant `number` of the enum `ty`.
    pub(super) fn variant_value(&self, ty: TypeId, number: u32, payload: Value<'c>) -> Flow<Value<'c>> {
        let Type::Enum(description) = self.type_of(ty) else {
            return Err(Stop::broken("a variant of something that is no enum"));
        };
        let mut payloads = vec![Value::Undefined; description.variants.len()];
        *payloads.get_mut(number as usize).ok_or_else(|| Stop::broken("a variant that is not there"))? =
            payload;
        Ok(Value::Enum(self.number(number as usize), payloads))
    }

    /// The enum at `address`. What lies there of other variants than its own is read, but nobody looks at it.
    pub(super) fn load_enum(&self, description: &Enumeration, address: Address<'c>) -> Flow<Value<'c>> {
        let number = self.stored_variant(description, address)?;
        let payloads = description.variants.iter().map(|v| match v.inhabited {
            true => self.load(v.payload, address),
            false => Ok(Value::Undefined),
        });
        Ok(Value::Enum(number, payloads.collect::<Flow<_>>()?))
    }

    /// The number of the variant at `address`.
    pub(super) fn stored_variant(
        &self,
        description: &Enumeration,
        address: Address<'c>,
    ) -> Flow<IntValue<'c>> {
        let Some(tag) = description.tag else {
            let only = description.variants.iter().position(|v| v.inhabited);
            return match only {
                Some(only) => Ok(self.number(only)),
                None => {
                    // No value of the type exists, so control never comes here.
                    self.emitter.branch(self.machine.thread_end())?;
                    Err(Stop::Diverges)
                }
            };
        };
        let place = self.at_offset(address, tag.offset)?;
        let bits = self.load_part(self.int_type(tag.scalar.bits()).into(), place)?.into_int_value();
        if is_number(description, tag) {
            return Ok(self.emitter.builder.build_int_cast_sign_flag(bits, self.emitter.i32(), false, "")?);
        }
        let told: Vec<_> =
            description.variants.iter().enumerate().filter_map(|(n, v)| Some((n, v.tag?))).collect();
        // The last needs no question where every other is told by its bits.
        let (mut number, told) = match (tag.otherwise, told.split_last()) {
            (Some(otherwise), _) => (self.number(otherwise as usize), told.as_slice()),
            (None, Some(((last, _), told))) => (self.number(*last), told),
            (None, None) => return Err(Stop::broken("a tag that tells no variant")),
        };
        for (variant, wanted) in told {
            let wanted = self.tag_constant(tag, *wanted);
            let is = self.emitter.builder.build_int_compare(IntPredicate::EQ, bits, wanted, "")?;
            let select = self.emitter.builder.build_select(is, self.number(*variant), number, "")?;
            number = select.into_int_value();
        }
        Ok(number)
    }

    fn tag_constant(&self, tag: Tag, bits: u128) -> IntValue<'c> {
        let words = [bits as u64, (bits >> 64) as u64];
        let count = if tag.scalar.bits() > 64 { 2 } else { 1 };
        self.int_type(tag.scalar.bits()).const_int_arbitrary_precision(&words[..count])
    }

    /// Writes an enum.
    pub(super) fn store_enum(
        &self,
        description: &Enumeration,
        (number, payloads): (IntValue<'c>, &[Value<'c>]),
        address: Address<'c>,
    ) -> Flow<()> {
        let known = number.get_zero_extended_constant().map(|n| n as usize);
        let possible: Vec<usize> = match known {
            Some(known) => vec![known],
            None => (0..payloads.len()).filter(|n| description.variants[*n].inhabited).collect(),
        };
        if let [only] = possible.as_slice() {
            return self.store_variant(description, *only, payloads, address);
        }
        if let Some(tag) = description.tag.filter(|tag| tag.otherwise.is_none()) {
            let mut solid = possible.iter().filter(|n| self.has_bytes(description, **n));
            if let (payload, None) = (solid.next(), solid.next()) {
                // Of the others there is nothing to write but the tag.
                self.store_tag(description, tag, number, address)?;
                return payload.map_or(Ok(()), |n| {
                    self.store(description.variants[*n].payload, &payloads[*n], address)
                });
            }
        }
        let end = self.emitter.block("stored");
        let mut cases = Vec::new();
        for variant in &possible {
            cases.push((self.number(*variant), self.emitter.block("variant")));
        }
        let Some((_, last)) = cases.last().copied() else { return Ok(()) };
        self.emitter.builder.build_switch(number, last, &cases[..cases.len() - 1])?;
        for (variant, (_, block)) in possible.into_iter().zip(cases) {
            self.emitter.enter(block);
            self.store_variant(description, variant, payloads, address)?;
            self.emitter.branch(end)?;
        }
        self.emitter.enter(end);
        Ok(())
    }

    fn has_bytes(&self, description: &Enumeration, variant: usize) -> bool {
        match self.type_of(description.variants[variant].payload) {
            Type::Aggregate(payload) => payload.fields.iter().any(|f| self.size(f.ty) > 0),
            _ => true,
        }
    }

    fn store_variant(
        &self,
        description: &Enumeration,
        variant: usize,
        payloads: &[Value<'c>],
        address: Address<'c>,
    ) -> Flow<()> {
        let known = &description.variants[variant];
        self.store(known.payload, &payloads[variant], address)?;
        match (description.tag, known.tag) {
            (Some(tag), Some(bits)) => {
                let place = self.at_offset(address, tag.offset)?;
                self.store_part(self.tag_constant(tag, bits), place)
            }
            _ => Ok(()),
        }
    }

    /// Writes the tag of a variant that is only known at run time.
    fn store_tag(
        &self,
        description: &Enumeration,
        tag: Tag,
        number: IntValue<'c>,
        address: Address<'c>,
    ) -> Flow<()> {
        let ty = self.int_type(tag.scalar.bits());
        let bits = if is_number(description, tag) {
            self.emitter.builder.build_int_cast_sign_flag(number, ty, false, "")?
        } else {
            self.chosen(
                number,
                description.variants.iter().map(|v| self.tag_constant(tag, v.tag.unwrap_or(0))),
            )?
        };
        let place = self.at_offset(address, tag.offset)?;
        self.store_part(bits, place)
    }

    /// The constant with the number of the variant.
    fn chosen(
        &self,
        number: IntValue<'c>,
        constants: impl Iterator<Item = IntValue<'c>>,
    ) -> Flow<IntValue<'c>> {
        let mut constants: Vec<_> = constants.enumerate().collect();
        let Some((_, mut chosen)) = constants.pop() else {
            return Err(Stop::broken("an enum without variants"));
        };
        for (variant, constant) in constants {
            let is =
                self.emitter.builder.build_int_compare(IntPredicate::EQ, number, self.number(variant), "")?;
            chosen = self.emitter.builder.build_select(is, constant, chosen, "")?.into_int_value();
        }
        Ok(chosen)
    }

    /// `value as T` of an enum without payloads.
    pub(super) fn enum_to_int(&self, value: Value<'c>, from: TypeId, to: TypeId) -> Flow<Value<'c>> {
        let (Value::Enum(number, _), Type::Enum(description)) = (value, self.type_of(from)) else {
            return Err(Stop::broken("the number of something that is no enum"));
        };
        let ty = self.int_type(self.scalar_of(to)?.bits());
        let plain = description.variants.iter().enumerate().all(|(n, v)| v.discriminant == n as i128);
        let int = if plain {
            self.emitter.builder.build_int_cast_sign_flag(number, ty, false, "")?
        } else {
            let wide = |value: i128| [value as u64, (value >> 64) as u64];
            let constants = description.variants.iter().map(|v| {
                let words = if ty.get_bit_width() > 64 { 2 } else { 1 };
                ty.const_int_arbitrary_precision(&wide(v.discriminant)[..words])
            });
            self.chosen(number, constants)?
        };
        Ok(Value::Int(int))
    }

    /// A value of the type that nobody will look at.
    pub(super) fn undefined(&self, ty: TypeId) -> Flow<Value<'c>> {
        let pointer = || Pointer::new(self.emitter.context.ptr_type(AddressSpace::default()).get_poison());
        Ok(match self.type_of(ty) {
            Type::Scalar(scalar) if scalar.is_float() => {
                Value::Float(self.scalar_type(*scalar).into_float_type().get_poison())
            }
            Type::Scalar(scalar) => Value::Int(self.int_type(scalar.bits()).get_poison()),
            Type::Pointer { pointee, .. } if self.program.types.is_unsized(*pointee) => {
                Value::Fat(pointer(), self.emitter.i64().get_poison())
            }
            Type::Pointer { .. } => Value::Thin(pointer()),
            Type::Array { .. } => Value::Array(Pointer::new(self.variable(ty, "undefined")?)),
            Type::Aggregate(aggregate) => {
                let fields = aggregate.fields.iter().map(|f| self.undefined(f.ty));
                Value::Aggregate(fields.collect::<Flow<_>>()?)
            }
            Type::Enum(description) => Value::Enum(
                self.emitter.i32().get_poison(),
                vec![Value::Undefined; description.variants.len()],
            ),
            Type::Never | Type::Slice(_) | Type::Str => Value::Undefined,
        })
    }
}

/// Whether the tag is the variant's number.
fn is_number(description: &Enumeration, tag: Tag) -> bool {
    let numbered =
        |(n, v): (usize, &wavewright_kernel_ir::types::Variant)| !v.inhabited || v.tag == Some(n as u128);
    tag.otherwise.is_none() && description.variants.iter().enumerate().all(numbered)
}
