//! Between scalars and vectors: making one of the other, and what is done for one thread after another.

use super::emit::Emit;
use super::ir::{IntPredicate, Opcode, Type, TypeKind, Value};
use super::shape::Shape;
use super::{Refusal, refuse};

impl<'c> Emit<'_, 'c> {
    /// The type of a strip of values: a vector; of a struct or array, one of vectors.
    pub(super) fn vector_type(&self, ty: Type<'c>) -> Result<Type<'c>, Refusal> {
        use TypeKind::*;
        match ty.kind() {
            LLVMIntegerTypeKind | LLVMHalfTypeKind | LLVMBFloatTypeKind | LLVMFloatTypeKind
            | LLVMDoubleTypeKind | LLVMPointerTypeKind => Ok(ty.vector(self.unit.lanes)),
            LLVMStructTypeKind => {
                let fields: Result<Vec<_>, _> =
                    ty.fields().into_iter().map(|field| self.vector_type(field)).collect();
                Ok(ty.struct_of(&fields?))
            }
            LLVMArrayTypeKind => Ok(self.vector_type(ty.element())?.array(ty.array_length())),
            kind => Err(refuse(format!("a value of a type that has no vectors ({kind:?})"))),
        }
    }

    /// How many parts a struct or array has.
    fn parts(ty: Type<'c>) -> Option<u32> {
        match ty.kind() {
            TypeKind::LLVMStructTypeKind => Some(ty.fields().len() as u32),
            TypeKind::LLVMArrayTypeKind => Some(ty.array_length() as u32),
            _ => None,
        }
    }

    /// A value of each thread.
    pub(super) fn vector(&mut self, value: Value<'c>) -> Result<Value<'c>, Refusal> {
        let here = self.get(value)?;
        let shape = self.shapes.of(value);
        if shape == Shape::Varying {
            return Ok(here);
        }
        if let Some(known) = self.widened.get(&value) {
            return Ok(*known);
        }
        let same = self.spread(here)?;
        let vector = match shape {
            Shape::Strided { stride, .. } => self.count_up(same, stride),
            _ => same,
        };
        self.widened.insert(value, vector);
        Ok(vector)
    }

    /// The same scalar in every lane.
    fn spread(&self, scalar: Value<'c>) -> Result<Value<'c>, Refusal> {
        let ty = self.vector_type(scalar.ty())?;
        if let Some(parts) = Self::parts(scalar.ty()) {
            let mut whole = ty.poison();
            for part in 0..parts {
                let spread = self.spread(self.b.extract_value(scalar, part))?;
                whole = self.b.insert_value(whole, spread, part);
            }
            return Ok(whole);
        }
        let zero = self.index_type().int(0);
        let first = self.b.insert_element(ty.poison(), scalar, zero);
        let mask = self.index_type().vector(self.unit.lanes).zero();
        Ok(self.b.shuffle(first, ty.poison(), mask))
    }

    /// Adds to each lane its number times `stride` (bytes, of addresses).
    fn count_up(&self, same: Value<'c>, stride: i64) -> Value<'c> {
        let element = same.ty().element();
        let is_address = element.kind() == TypeKind::LLVMPointerTypeKind;
        let integer = if is_address { self.index_type().int_of_same_context(64) } else { element };
        let steps = integer.int_vector(self.unit.lanes, |lane| (stride as u64).wrapping_mul(lane));
        if is_address {
            self.b.gep(integer.int_of_same_context(8), same, &[steps])
        } else {
            self.b.add(same, steps)
        }
    }

    /// The type of lane numbers.
    fn index_type(&self) -> Type<'c> {
        self.bit().int_of_same_context(32)
    }

    /// For each lane of `mask` what `a` holds, else what `b` does.
    pub(super) fn blend(&self, mask: Value<'c>, a: Value<'c>, b: Value<'c>) -> Value<'c> {
        let Some(parts) = Self::parts(a.ty()) else { return self.b.select(mask, a, b) };
        (0..parts).fold(a, |whole, part| {
            let (x, y) = (self.b.extract_value(a, part), self.b.extract_value(b, part));
            self.b.insert_value(whole, self.blend(mask, x, y), part)
        })
    }

    /// The value of the last thread of `mask`.
    pub(super) fn last(&mut self, value: Value<'c>, mask: Option<Value<'c>>) -> Result<Value<'c>, Refusal> {
        if self.shapes.of(value) == Shape::Uniform {
            return self.get(value);
        }
        let vector = self.vector(value)?;
        let last = self.unit.lanes - 1;
        let lane = match mask {
            None => self.index_type().int(last.into()),
            Some(mask) => {
                let bits = self.bits(mask);
                let never_zero = self.bit().all_ones();
                let above = self.b.call_named("llvm.ctlz", &[bits.ty()], &[bits, never_zero]);
                let above = self.resize(above, self.index_type());
                self.b.binary(Opcode::LLVMSub, self.index_type().int(last.into()), above)
            }
        };
        Ok(self.b.extract_element(vector, lane))
    }

    /// An unsigned integer of another width.
    fn resize(&self, value: Value<'c>, ty: Type<'c>) -> Value<'c> {
        use std::cmp::Ordering::*;
        match value.ty().int_width().cmp(&ty.int_width()) {
            Less => self.b.cast(Opcode::LLVMZExt, value, ty),
            Equal => value,
            Greater => self.b.cast(Opcode::LLVMTrunc, value, ty),
        }
    }

    /// Does an instruction for the threads of `mask` one after another, in a loop over their bits.
    pub(super) fn one_by_one(&mut self, value: Value<'c>, mask: Option<Value<'c>>) -> Result<(), Refusal> {
        let operands = value.operands();
        let mut vectors = Vec::new();
        for operand in &operands {
            vectors.push(match self.shapes.of(*operand) {
                Shape::Uniform => (self.get(*operand)?, false),
                _ => (self.vector(*operand)?, true),
            });
        }
        let result = match value.ty().kind() {
            TypeKind::LLVMVoidTypeKind => None,
            _ => Some(self.memory(self.vector_type(value.ty())?)),
        };
        let bits = match mask {
            Some(mask) => self.bits(mask),
            None => self.bits(self.mask_type().all_ones()),
        };
        let [round, done] = ["one", "ones.done"].map(|name| self.b.block(name));
        let before = self.b.current();
        self.b.branch(round);
        self.b.enter(round);
        let left = self.b.phi(bits.ty());
        left.add_incoming(bits, before);
        let never_zero = self.bit().all_ones();
        let lane = self.b.call_named("llvm.cttz", &[bits.ty()], &[left, never_zero]);
        let lane = self.resize(lane, self.index_type());
        let scalars: Vec<_> = vectors
            .iter()
            .map(|(operand, varies)| if *varies { self.lane(*operand, lane) } else { *operand })
            .collect();
        let one = self.b.copy(value, &scalars);
        if let Some(memory) = result {
            let vector = self.b.load(self.vector_type(value.ty())?, memory);
            let vector = self.set_lane(vector, one, lane);
            self.b.store(vector, memory);
        }
        let lowest_less = self.b.add(left, bits.ty().all_ones());
        let rest = self.b.and(left, lowest_less);
        let more = self.b.icmp(IntPredicate::LLVMIntNE, rest, rest.ty().zero());
        left.add_incoming(rest, self.b.current());
        self.b.branch_if(more, round, done);
        self.b.enter(done);
        if let Some(memory) = result {
            let here = self.b.load(self.vector_type(value.ty())?, memory);
            self.define(value, here);
        }
        Ok(())
    }

    /// One thread's value.
    fn lane(&self, vector: Value<'c>, lane: Value<'c>) -> Value<'c> {
        let Some(parts) = Self::parts(vector.ty()) else { return self.b.extract_element(vector, lane) };
        let fields: Vec<_> =
            (0..parts).map(|part| self.lane(self.b.extract_value(vector, part), lane)).collect();
        let types: Vec<_> = fields.iter().map(|field| field.ty()).collect();
        let ty = match vector.ty().kind() {
            TypeKind::LLVMArrayTypeKind => types[0].array(parts.into()),
            _ => vector.ty().struct_of(&types),
        };
        fields
            .into_iter()
            .zip(0..)
            .fold(ty.poison(), |whole, (field, part)| self.b.insert_value(whole, field, part))
    }

    /// The vector with another value for one thread.
    fn set_lane(&self, vector: Value<'c>, value: Value<'c>, lane: Value<'c>) -> Value<'c> {
        let Some(parts) = Self::parts(vector.ty()) else { return self.b.insert_element(vector, value, lane) };
        (0..parts).fold(vector, |whole, part| {
            let (old, new) = (self.b.extract_value(vector, part), self.b.extract_value(value, part));
            self.b.insert_value(whole, self.set_lane(old, new, lane), part)
        })
    }
}
