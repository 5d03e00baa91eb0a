//! One instruction, for a strip of threads.

use super::emit::Emit;
use super::intrinsics::{self, Overload};
use super::ir::{self, Opcode, Type, TypeKind, Value};
use super::shape::{Monotone, Shape, is_consecutive};
use super::{Refusal, refuse};

impl<'c> Emit<'_, 'c> {
    /// Writes an instruction for the threads of `mask`; for all of the strip without one.
    pub(super) fn instruction(&mut self, value: Value<'c>, mask: Option<Value<'c>>) -> Result<(), Refusal> {
        use Opcode::*;
        match value.opcode() {
            // Edges give phis their values; variables are made in the entry block.
            LLVMPHI | LLVMAlloca => return Ok(()),
            LLVMStore => return self.store(value, mask),
            LLVMFence => {
                self.b.copy(value, &[]);
                return Ok(());
            }
            LLVMCall => match value.called().intrinsic() {
                Some((name, _)) if intrinsics::is_note(&name) => return Ok(()),
                Some((name, _)) if intrinsics::is_lanewise(&name) => {}
                _ => return self.one_by_one(value, mask),
            },
            LLVMAtomicRMW | LLVMAtomicCmpXchg => return self.one_by_one(value, mask),
            // Mostly the first and the last thread tell.
            LLVMICmp if self.is_left_to_branch(value) => return Ok(()),
            LLVMLoad if !value.is_plain_access() => return self.one_by_one(value, mask),
            _ => {}
        }
        let here = match self.shapes.of(value) {
            Shape::Uniform => self.uniform(value)?,
            Shape::Strided { .. } => self.first(value)?,
            Shape::Varying => match self.varying(value, mask)? {
                Some(here) => here,
                None => return self.one_by_one(value, mask),
            },
        };
        self.define(value, here);
        Ok(())
    }

    /// Whether a comparison is made where the branch that wants it is, and only if its outcome for the first and the last
    /// thread of the strip does not tell that for all.
    pub(super) fn is_left_to_branch(&self, value: Value<'c>) -> bool {
        let is_branch = |user: &Value<'c>| user.opcode() == Opcode::LLVMBr && user.block() == value.block();
        Monotone::of(value, self.shapes).is_some() && value.users().iter().all(is_branch)
    }

    /// A comparison that was left to its branch.
    pub(super) fn compare(&mut self, value: Value<'c>) -> Result<Value<'c>, Refusal> {
        let (a, b) = (self.vector(value.operand(0))?, self.vector(value.operand(1))?);
        Ok(self.b.icmp(value.int_predicate(), a, b))
    }

    /// The instruction once, on scalars.
    fn uniform(&mut self, value: Value<'c>) -> Result<Value<'c>, Refusal> {
        let mut operands = Vec::new();
        for operand in value.operands() {
            operands.push(self.get(operand)?);
        }
        Ok(self.b.copy(value, &operands))
    }

    /// The value of the strip's first thread. It may not run, so nothing is promised of its arithmetic.
    fn first(&mut self, value: Value<'c>) -> Result<Value<'c>, Refusal> {
        use Opcode::*;
        let mut operands = Vec::new();
        for operand in value.operands() {
            operands.push(self.get(operand)?);
        }
        Ok(match value.opcode() {
            // An `or` without common bits is a sum; of other threads' bits that may not hold.
            LLVMAdd | LLVMOr => self.b.add(operands[0], operands[1]),
            opcode @ (LLVMSub | LLVMMul | LLVMShl) => self.b.binary(opcode, operands[0], operands[1]),
            // Its sign bit is never set.
            LLVMZExt | LLVMSExt => self.b.cast(LLVMZExt, operands[0], value.ty()),
            opcode @ (LLVMTrunc | LLVMPtrToInt | LLVMIntToPtr) => {
                self.b.cast(opcode, operands[0], value.ty())
            }
            LLVMFreeze => self.b.freeze(operands[0]),
            LLVMGetElementPtr => self.b.gep(value.source_element_type(), operands[0], &operands[1..]),
            LLVMSelect => self.b.select(operands[0], operands[1], operands[2]),
            _ => return Err(refuse(format!("no first thread's value of {}", ir::print(value)))),
        })
    }

    /// The instruction on vectors, if it has such a form.
    fn varying(&mut self, value: Value<'c>, mask: Option<Value<'c>>) -> Result<Option<Value<'c>>, Refusal> {
        use Opcode::*;
        let operands = value.operands();
        let opcode = value.opcode();
        let here = match opcode {
            LLVMLoad => return self.load(value, mask),
            LLVMCall => self.lanewise_call(value)?,
            LLVMFNeg => {
                let operand = self.vector(operands[0])?;
                self.b.fneg(operand)
            }
            LLVMFreeze => {
                let operand = self.vector(operands[0])?;
                self.b.freeze(operand)
            }
            LLVMUDiv | LLVMSDiv | LLVMURem | LLVMSRem => {
                let (a, b) = (self.vector(operands[0])?, self.vector(operands[1])?);
                let divisor = match mask {
                    Some(mask) => self.harmless_divisor(b, mask),
                    None => b,
                };
                self.b.binary(opcode, a, divisor)
            }
            LLVMAdd | LLVMFAdd | LLVMSub | LLVMFSub | LLVMMul | LLVMFMul | LLVMFDiv | LLVMFRem | LLVMShl
            | LLVMLShr | LLVMAShr | LLVMAnd | LLVMOr | LLVMXor => {
                let (a, b) = (self.vector(operands[0])?, self.vector(operands[1])?);
                self.b.binary(opcode, a, b)
            }
            LLVMTrunc | LLVMZExt | LLVMSExt | LLVMFPToUI | LLVMFPToSI | LLVMUIToFP | LLVMSIToFP
            | LLVMFPTrunc | LLVMFPExt | LLVMPtrToInt | LLVMIntToPtr | LLVMBitCast => {
                let ty = self.vector_type(value.ty())?;
                let operand = self.vector(operands[0])?;
                self.b.cast(opcode, operand, ty)
            }
            LLVMICmp => self.compare(value)?,
            LLVMFCmp => {
                let (a, b) = (self.vector(operands[0])?, self.vector(operands[1])?);
                self.b.fcmp_like(value, a, b)
            }
            LLVMSelect => {
                let (a, b) = (self.vector(operands[1])?, self.vector(operands[2])?);
                match self.shapes.of(operands[0]) {
                    Shape::Varying => {
                        let condition = self.vector(operands[0])?;
                        self.blend(condition, a, b)
                    }
                    _ => {
                        let condition = self.get(operands[0])?;
                        self.b.select(condition, a, b)
                    }
                }
            }
            LLVMGetElementPtr => self.addresses(value, &operands)?,
            LLVMExtractValue => {
                let aggregate = self.vector(operands[0])?;
                value.indices().into_iter().fold(aggregate, |value, field| self.b.extract_value(value, field))
            }
            LLVMInsertValue => {
                let [field] = value.indices()[..] else {
                    return Err(refuse("a value put deep into another"));
                };
                let (aggregate, part) = (self.vector(operands[0])?, self.vector(operands[1])?);
                self.b.insert_value(aggregate, part, field)
            }
            _ => return Err(refuse(format!("no vector form of {}", ir::print(value)))),
        };
        here.copy_fast_math(value);
        Ok(Some(here))
    }

    /// A divisor that is safe also for the threads that do not run.
    fn harmless_divisor(&self, divisor: Value<'c>, mask: Value<'c>) -> Value<'c> {
        let one = divisor.ty().element().int_vector(self.unit.lanes, |_| 1);
        self.b.select(mask, divisor, one)
    }

    fn addresses(&mut self, value: Value<'c>, operands: &[Value<'c>]) -> Result<Value<'c>, Refusal> {
        let mut here = Vec::new();
        for operand in operands {
            here.push(match self.shapes.of(*operand) {
                Shape::Uniform => self.get(*operand)?,
                _ => self.vector(*operand)?,
            });
        }
        Ok(self.b.gep(value.source_element_type(), here[0], &here[1..]))
    }

    fn lanewise_call(&mut self, call: Value<'c>) -> Result<Value<'c>, Refusal> {
        let intrinsic = call.called().intrinsic();
        let (name, id) = intrinsic.ok_or_else(|| refuse("a call of something that is no intrinsic"))?;
        let (overload, values) =
            intrinsics::lanewise(&name).ok_or_else(|| refuse("a call that has no vector form"))?;
        let operands = call.operands();
        let mut arguments = Vec::new();
        for (number, operand) in operands[..operands.len() - 1].iter().enumerate() {
            arguments.push(if number < values { self.vector(*operand)? } else { *operand });
        }
        let result = || self.vector_type(call.ty());
        let types = match overload {
            Overload::Result => vec![result()?],
            Overload::First => vec![arguments[0].ty()],
            Overload::ResultAndFirst => vec![result()?, arguments[0].ty()],
        };
        Ok(self.b.call_intrinsic(id, &types, &arguments))
    }

    // Memory.

    /// A load by each thread; nothing if it has no vector form.
    fn load(&mut self, load: Value<'c>, mask: Option<Value<'c>>) -> Result<Option<Value<'c>>, Refusal> {
        if !self.lies_in_vectors(load.ty()) {
            return Ok(None);
        }
        let (ty, pointer, align) = (self.vector_type(load.ty())?, load.operand(0), load.alignment());
        let consecutive = is_consecutive(self.shapes.of(pointer), self.layout.size(load.ty()));
        let here = match (consecutive, mask) {
            (true, None) => {
                let pointer = self.get(pointer)?;
                let here = self.b.load(ty, pointer);
                here.set_alignment(align);
                here.copy_metadata(load, &["alias.scope", "noalias", "invariant.load"]);
                here
            }
            (true, Some(mask)) => {
                let pointer = self.get(pointer)?;
                self.b.masked_load(ty, pointer, mask, align)
            }
            (false, mask) => {
                let pointers = self.vector(pointer)?;
                let mask = mask.unwrap_or_else(|| self.mask_type().all_ones());
                self.b.gather(ty, pointers, mask, align)
            }
        };
        Ok(Some(here))
    }

    fn store(&mut self, store: Value<'c>, mask: Option<Value<'c>>) -> Result<(), Refusal> {
        let (value, pointer, align) = (store.operand(0), store.operand(1), store.alignment());
        if !store.is_plain_access() || !self.lies_in_vectors(value.ty()) {
            return self.one_by_one(store, mask);
        }
        match self.shapes.of(pointer) {
            Shape::Uniform => {
                // Whoever comes last leaves its value.
                let value = self.last(value, mask)?;
                let pointer = self.get(pointer)?;
                self.b.store(value, pointer).set_alignment(align);
            }
            shape if is_consecutive(shape, self.layout.size(value.ty())) => {
                let (value, pointer) = (self.vector(value)?, self.get(pointer)?);
                match mask {
                    None => {
                        let here = self.b.store(value, pointer);
                        here.set_alignment(align);
                        here.copy_metadata(store, &["alias.scope", "noalias"]);
                    }
                    Some(mask) => self.b.masked_store(value, pointer, mask, align),
                }
            }
            _ => {
                let (value, pointers) = (self.vector(value)?, self.vector(pointer)?);
                let mask = mask.unwrap_or_else(|| self.mask_type().all_ones());
                self.b.scatter(value, pointers, mask, align);
            }
        }
        Ok(())
    }

    /// Whether values of a type lie in a vector as they lie in memory one after another.
    fn lies_in_vectors(&self, ty: Type<'c>) -> bool {
        match ty.kind() {
            TypeKind::LLVMIntegerTypeKind => matches!(ty.int_width(), 8 | 16 | 32 | 64 | 128),
            TypeKind::LLVMHalfTypeKind | TypeKind::LLVMBFloatTypeKind => true,
            TypeKind::LLVMFloatTypeKind | TypeKind::LLVMDoubleTypeKind | TypeKind::LLVMPointerTypeKind => {
                true
            }
            _ => false,
        }
    }
}
