//! LLVM instructions, one level above the builder: where code goes, variables in the entry block, intrinsics.

use crate::Error;
use inkwell::AtomicOrdering;
use inkwell::basic_block::BasicBlock;
use inkwell::builder::{Builder, BuilderError};
use inkwell::context::{AsContextRef, Context};
use inkwell::intrinsics::Intrinsic;
use inkwell::module::Module;
use inkwell::types::{BasicTypeEnum, FloatType, IntType};
use inkwell::values::{
    AsValueRef, BasicValue, BasicValueEnum, CallSiteValue, FloatValue, FunctionValue, InstructionValue,
    IntValue, PointerValue,
};
use llvm_sys::core::{LLVMGetSyncScopeID, LLVMSetAtomicSyncScopeID};
use wavewright_kernel_ir::scalar::Scalar;

/// Why lowering an expression gave no value.
#[derive(Debug)]
pub(crate) enum Stop {
    /// Control never comes past it: the current block has ended, and what would follow is not lowered.
    Diverges,
    /// The kernel can't be compiled for this target.
    Refused(Box<Error>),
    /// Something that must hold does not: a bug in this compiler.
    Broken(String),
}

/// What lowering gives: `?` leaves off both at a fault and where control can't come.
pub(crate) type Flow<T> = Result<T, Stop>;

impl From<BuilderError> for Stop {
    fn from(error: BuilderError) -> Self {
        Stop::Broken(format!("LLVM's builder: {error}"))
    }
}

impl Stop {
    pub(crate) fn broken(message: impl Into<String>) -> Self {
        Stop::Broken(message.into())
    }

    /// The error, for the kernel of this name.
    pub(crate) fn into_error(self, kernel: &str) -> Error {
        let kernel = kernel.to_owned();
        match self {
            Stop::Refused(error) => *error,
            Stop::Broken(message) => Error::Internal { kernel, message },
            Stop::Diverges => Error::Internal { kernel, message: "code where control can't come".into() },
        }
    }
}

/// A function under construction.
pub(crate) struct Emitter<'c> {
    pub(crate) context: &'c Context,
    pub(crate) module: Module<'c>,
    pub(crate) function: FunctionValue<'c>,
    /// Where code goes.
    pub(crate) builder: Builder<'c>,
    /// The entry block, which holds the variables and nothing else until [`Emitter::finish`] ends it.
    entry: BasicBlock<'c>,
    /// Where it goes on.
    body: BasicBlock<'c>,
    variables: Builder<'c>,
}

impl<'c> Emitter<'c> {
    /// Starts the body of `function`; code goes to the block behind the entry.
    pub(crate) fn new(context: &'c Context, module: Module<'c>, function: FunctionValue<'c>) -> Self {
        let entry = context.append_basic_block(function, "entry");
        let body = context.append_basic_block(function, "body");
        let variables = context.create_builder();
        variables.position_at_end(entry);
        let builder = context.create_builder();
        builder.position_at_end(body);
        Self { context, module, function, builder, entry, body, variables }
    }

    /// Ends the entry block.
    pub(crate) fn finish(self) -> Flow<Module<'c>> {
        self.variables.position_at_end(self.entry);
        self.variables.build_unconditional_branch(self.body)?;
        Ok(self.module)
    }

    /// A new block at the end of the function.
    pub(crate) fn block(&self, name: &str) -> BasicBlock<'c> {
        self.context.append_basic_block(self.function, name)
    }

    /// The block where code goes.
    pub(crate) fn current(&self) -> Flow<BasicBlock<'c>> {
        self.builder.get_insert_block().ok_or_else(|| Stop::broken("no current block"))
    }

    /// Goes on in `block`.
    pub(crate) fn enter(&self, block: BasicBlock<'c>) {
        self.builder.position_at_end(block);
    }

    /// Lets `block` be the last one in the function's text.
    pub(crate) fn move_to_end(&self, block: BasicBlock<'c>) -> Flow<()> {
        match self.function.get_last_basic_block() {
            Some(last) if last != block => {
                block.move_after(last).map_err(|()| Stop::broken("a block without a function"))
            }
            _ => Ok(()),
        }
    }

    /// Ends the current block with a branch.
    pub(crate) fn branch(&self, block: BasicBlock<'c>) -> Flow<()> {
        self.builder.build_unconditional_branch(block)?;
        Ok(())
    }

    /// Memory for a variable of the function's own, in the entry block. It is in the private address space.
    pub(crate) fn variable(&self, ty: BasicTypeEnum<'c>, align: u64, name: &str) -> Flow<PointerValue<'c>> {
        let pointer = self.variables.build_alloca(ty, name)?;
        let instruction =
            pointer.as_instruction_value().ok_or_else(|| Stop::broken("an alloca is not an instruction"))?;
        instruction.set_alignment(align as u32).map_err(|e| Stop::broken(e.to_string()))?;
        Ok(pointer)
    }

    /// Calls an intrinsic that gives a value. `overloads` are the types that its name is made of.
    pub(crate) fn intrinsic(
        &self,
        name: &str,
        overloads: &[BasicTypeEnum<'c>],
        arguments: &[BasicValueEnum<'c>],
    ) -> Flow<BasicValueEnum<'c>> {
        let call = self.intrinsic_call(name, overloads, arguments)?;
        call.try_as_basic_value().basic().ok_or_else(|| Stop::broken(format!("{name} gives no value")))
    }

    /// Calls an intrinsic for its effect.
    pub(crate) fn intrinsic_call(
        &self,
        name: &str,
        overloads: &[BasicTypeEnum<'c>],
        arguments: &[BasicValueEnum<'c>],
    ) -> Flow<CallSiteValue<'c>> {
        let declaration = Intrinsic::find(name)
            .and_then(|intrinsic| intrinsic.get_declaration(&self.module, overloads))
            .ok_or_else(|| Stop::broken(format!("LLVM has no intrinsic {name}")))?;
        let arguments: Vec<_> = arguments.iter().map(|a| (*a).into()).collect();
        Ok(self.builder.build_call(declaration, &arguments, "")?)
    }

    pub(crate) fn i1(&self) -> IntType<'c> {
        self.context.bool_type()
    }

    pub(crate) fn i8(&self) -> IntType<'c> {
        self.context.i8_type()
    }

    pub(crate) fn i32(&self) -> IntType<'c> {
        self.context.i32_type()
    }

    pub(crate) fn i64(&self) -> IntType<'c> {
        self.context.i64_type()
    }

    /// The integer type of so many bits: 1, 8, 16, 32, 64 or 128.
    pub(crate) fn int_type(&self, bits: u32) -> IntType<'c> {
        match bits {
            1 => self.context.bool_type(),
            8 => self.context.i8_type(),
            16 => self.context.i16_type(),
            32 => self.context.i32_type(),
            64 => self.context.i64_type(),
            _ => self.context.i128_type(),
        }
    }

    /// A fence that orders memory for the threads of `scope`.
    pub(crate) fn fence(&self, order: AtomicOrdering, scope: &str) -> Flow<()> {
        let fence = self.builder.build_fence(order, false, "")?;
        // SAFETY: the context is alive, the name comes with its length, and the instruction is a fence.
        unsafe {
            let scope = LLVMGetSyncScopeID(self.context.as_ctx_ref(), scope.as_ptr().cast(), scope.len());
            LLVMSetAtomicSyncScopeID(fence.as_value_ref(), scope);
        }
        Ok(())
    }

    /// `a + b` that does not leave the range, signed or unsigned.
    pub(crate) fn wrapless_add(&self, a: IntValue<'c>, b: IntValue<'c>) -> Flow<IntValue<'c>> {
        self.wrapless(self.builder.build_int_nuw_add(a, b, "")?)
    }

    /// `a * b` that does not leave the range, signed or unsigned.
    pub(crate) fn wrapless_mul(&self, a: IntValue<'c>, b: IntValue<'c>) -> Flow<IntValue<'c>> {
        self.wrapless(self.builder.build_int_nuw_mul(a, b, "")?)
    }

    fn wrapless(&self, value: IntValue<'c>) -> Flow<IntValue<'c>> {
        if let Some(instruction) = value.as_instruction_value() {
            instruction.set_no_signed_wrap_flag(true).map_err(|e| Stop::broken(e.to_string()))?;
        }
        Ok(value)
    }

    /// Says that what a load reads does not change while the kernel runs.
    pub(crate) fn set_invariant(&self, value: impl BasicValue<'c>) -> Flow<()> {
        let empty = self.context.metadata_node(&[]);
        match value.as_instruction_value() {
            Some(load) => load
                .set_metadata(empty, self.context.get_kind_id("invariant.load"))
                .map_err(|e| Stop::broken(e.to_string())),
            None => Ok(()),
        }
    }

    /// A float as an integer: what lies outside becomes the nearest end of the range, NaN becomes 0.
    pub(crate) fn saturating_float_to_int(&self, value: FloatValue<'c>, to: Scalar) -> Flow<IntValue<'c>> {
        let name = if to.is_signed() { "llvm.fptosi.sat" } else { "llvm.fptoui.sat" };
        let overloads = [self.int_type(to.bits()).into(), value.get_type().into()];
        Ok(self.intrinsic(name, &overloads, &[value.into()])?.into_int_value())
    }

    /// An integer as a float, rounded to nearest even.
    pub(crate) fn int_to_float(
        &self,
        value: IntValue<'c>,
        from: Scalar,
        to: FloatType<'c>,
    ) -> Flow<FloatValue<'c>> {
        Ok(match from.is_signed() {
            true => self.builder.build_signed_int_to_float(value, to, "")?,
            false => self.builder.build_unsigned_int_to_float(value, to, "")?,
        })
    }

    /// Says how often a conditional branch goes each way.
    pub(crate) fn set_weights(&self, branch: InstructionValue<'c>, then: u64, otherwise: u64) -> Flow<()> {
        let weight = |n: u64| self.i32().const_int(n, false).into();
        let name = self.context.metadata_string("branch_weights").into();
        let weights = self.context.metadata_node(&[name, weight(then), weight(otherwise)]);
        branch
            .set_metadata(weights, self.context.get_kind_id("prof"))
            .map_err(|e| Stop::broken(e.to_string()))
    }

    /// Says that a value, a call's or a load's, lies in `low..high`.
    pub(crate) fn set_range(&self, value: IntValue<'c>, low: u64, high: u64) -> Flow<()> {
        let ty = value.get_type();
        let range =
            self.context.metadata_node(&[ty.const_int(low, false).into(), ty.const_int(high, false).into()]);
        let kind = self.context.get_kind_id("range");
        if let Some(instruction) = value.as_instruction_value() {
            instruction.set_metadata(range, kind).map_err(|e| Stop::broken(e.to_string()))?;
        }
        Ok(())
    }
}
