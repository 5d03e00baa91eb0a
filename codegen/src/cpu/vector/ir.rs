//! LLVM's instructions without their Rust types.
//!
//! inkwell tells integers from floats and scalars from vectors by type; code that copies instructions of every kind
//! wants one type for all. These are handles into a module, as cheap to copy as pointers.
//!
//! What must hold for every handle here (and is why the functions are safe): it was got from a module that is alive,
//! and what it stands for has not been deleted. `'c` is the lifetime of the module's context; the vectoriser deletes
//! nothing while it holds handles.

use inkwell::module::Module;
use inkwell::values::{AsValueRef, FunctionValue};
use llvm_sys::core::*;
use llvm_sys::debuginfo::LLVMInstructionGetDebugLoc;
use llvm_sys::prelude::*;
pub(super) use llvm_sys::{LLVMIntPredicate as IntPredicate, LLVMOpcode as Opcode, LLVMTypeKind as TypeKind};
use std::ffi::{CStr, CString};
use std::marker::PhantomData;

/// A type.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Type<'c>(pub(super) LLVMTypeRef, PhantomData<&'c ()>);

/// A constant, parameter or instruction.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Value<'c>(pub(super) LLVMValueRef, PhantomData<&'c ()>);

/// A basic block.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Block<'c>(pub(super) LLVMBasicBlockRef, PhantomData<&'c ()>);

fn text(name: &str) -> CString {
    CString::new(name).unwrap_or_default()
}

// SAFETY, for every `unsafe` in this file: the handles are alive, as the head of the file says, and each function is
// called for values of the kind that its documentation names.

impl<'c> Type<'c> {
    fn new(raw: LLVMTypeRef) -> Self {
        Self(raw, PhantomData)
    }

    pub(super) fn kind(self) -> TypeKind {
        // SAFETY: see above.
        unsafe { LLVMGetTypeKind(self.0) }
    }

    fn context(self) -> LLVMContextRef {
        // SAFETY: see above.
        unsafe { LLVMGetTypeContext(self.0) }
    }

    pub(super) fn int_of_same_context(self, bits: u32) -> Self {
        // SAFETY: see above.
        Self::new(unsafe { LLVMIntTypeInContext(self.context(), bits) })
    }

    pub(super) fn vector(self, lanes: u32) -> Self {
        // SAFETY: the vectoriser asks for vectors of integers, floats and pointers only.
        Self::new(unsafe { LLVMVectorType(self.0, lanes) })
    }

    pub(super) fn int_width(self) -> u32 {
        // SAFETY: asked of integers only.
        unsafe { LLVMGetIntTypeWidth(self.0) }
    }

    pub(super) fn fields(self) -> Vec<Self> {
        // SAFETY: asked of structs only; the vector is as long as LLVM was told.
        unsafe {
            let mut fields = vec![std::ptr::null_mut(); LLVMCountStructElementTypes(self.0) as usize];
            LLVMGetStructElementTypes(self.0, fields.as_mut_ptr());
            fields.into_iter().map(Self::new).collect()
        }
    }

    pub(super) fn struct_of(self, fields: &[Self]) -> Self {
        let mut raw: Vec<_> = fields.iter().map(|field| field.0).collect();
        // SAFETY: see above.
        Self::new(unsafe { LLVMStructTypeInContext(self.context(), raw.as_mut_ptr(), raw.len() as u32, 0) })
    }

    pub(super) fn element(self) -> Self {
        // SAFETY: asked of arrays and vectors only.
        Self::new(unsafe { LLVMGetElementType(self.0) })
    }

    pub(super) fn array_length(self) -> u64 {
        // SAFETY: asked of arrays only.
        unsafe { LLVMGetArrayLength2(self.0) }
    }

    pub(super) fn array(self, length: u64) -> Self {
        // SAFETY: see above.
        Self::new(unsafe { LLVMArrayType2(self.0, length) })
    }

    pub(super) fn zero(self) -> Value<'c> {
        // SAFETY: see above.
        Value::new(unsafe { LLVMConstNull(self.0) })
    }

    pub(super) fn all_ones(self) -> Value<'c> {
        // SAFETY: asked of integers and vectors of them only.
        Value::new(unsafe { LLVMConstAllOnes(self.0) })
    }

    pub(super) fn poison(self) -> Value<'c> {
        // SAFETY: see above.
        Value::new(unsafe { LLVMGetPoison(self.0) })
    }

    pub(super) fn int(self, value: u64) -> Value<'c> {
        // SAFETY: asked of integers only.
        Value::new(unsafe { LLVMConstInt(self.0, value, 0) })
    }

    /// A constant vector of this integer type.
    pub(super) fn int_vector(self, lanes: u32, lane: impl Fn(u64) -> u64) -> Value<'c> {
        let mut values: Vec<_> = (0..u64::from(lanes)).map(|number| self.int(lane(number)).0).collect();
        // SAFETY: the values are constants of one integer type.
        Value::new(unsafe { LLVMConstVector(values.as_mut_ptr(), lanes) })
    }
}

impl<'c> Value<'c> {
    pub(super) fn new(raw: LLVMValueRef) -> Self {
        Self(raw, PhantomData)
    }

    pub(super) fn ty(self) -> Type<'c> {
        // SAFETY: see above.
        Type::new(unsafe { LLVMTypeOf(self.0) })
    }

    pub(super) fn is_instruction(self) -> bool {
        // SAFETY: see above.
        !unsafe { LLVMIsAInstruction(self.0) }.is_null()
    }

    /// What an instruction does.
    pub(super) fn opcode(self) -> Opcode {
        // SAFETY: asked of instructions only.
        unsafe { LLVMGetInstructionOpcode(self.0) }
    }

    /// The block that an instruction is in.
    pub(super) fn block(self) -> Block<'c> {
        // SAFETY: asked of instructions only.
        Block(unsafe { LLVMGetInstructionParent(self.0) }, PhantomData)
    }

    pub(super) fn operands(self) -> Vec<Self> {
        // SAFETY: asked of instructions only; the numbers are in range.
        unsafe {
            (0..LLVMGetNumOperands(self.0))
                .map(|number| Self::new(LLVMGetOperand(self.0, number as u32)))
                .collect()
        }
    }

    pub(super) fn operand(self, number: u32) -> Self {
        // SAFETY: asked for operands that the instruction has.
        Self::new(unsafe { LLVMGetOperand(self.0, number) })
    }

    /// The users of an instruction, as often as they use it.
    pub(super) fn users(self) -> Vec<Self> {
        let mut users = Vec::new();
        // SAFETY: the list is walked to its end and not changed meanwhile.
        unsafe {
            let mut one = LLVMGetFirstUse(self.0);
            while !one.is_null() {
                users.push(Self::new(LLVMGetUser(one)));
                one = LLVMGetNextUse(one);
            }
        }
        users
    }

    /// A phi's values and the blocks they come from.
    pub(super) fn incoming(self) -> Vec<(Self, Block<'c>)> {
        // SAFETY: asked of phis only; the numbers are in range.
        unsafe {
            (0..LLVMCountIncoming(self.0))
                .map(|n| {
                    (
                        Self::new(LLVMGetIncomingValue(self.0, n)),
                        Block(LLVMGetIncomingBlock(self.0, n), PhantomData),
                    )
                })
                .collect()
        }
    }

    /// The value of a constant integer of up to 64 bits.
    pub(super) fn constant_int(self) -> Option<u64> {
        // SAFETY: the width is asked of constant integers only.
        unsafe {
            let constant = !LLVMIsAConstantInt(self.0).is_null();
            (constant && LLVMGetIntTypeWidth(LLVMTypeOf(self.0)) <= 64)
                .then(|| LLVMConstIntGetZExtValue(self.0))
        }
    }

    /// The value of a constant integer of up to 64 bits, as a signed number.
    pub(super) fn constant_signed(self) -> Option<i64> {
        // SAFETY: as above.
        self.constant_int().map(|_| unsafe { LLVMConstIntGetSExtValue(self.0) })
    }

    pub(super) fn int_predicate(self) -> IntPredicate {
        // SAFETY: asked of `icmp`s only.
        unsafe { LLVMGetICmpPredicate(self.0) }
    }

    pub(super) fn is_conditional(self) -> bool {
        // SAFETY: asked of `br`s only.
        unsafe { LLVMIsConditional(self.0) != 0 }
    }

    /// The condition of a conditional branch.
    pub(super) fn condition(self) -> Self {
        // SAFETY: asked of conditional `br`s only.
        Self::new(unsafe { LLVMGetCondition(self.0) })
    }

    /// Whether an `or` is of operands without a common bit: a sum.
    pub(super) fn is_disjoint(self) -> bool {
        // SAFETY: asked of `or`s only.
        unsafe { LLVMGetIsDisjoint(self.0) != 0 }
    }

    pub(super) fn successors(self) -> Vec<Block<'c>> {
        // SAFETY: asked of terminators only; the numbers are in range.
        unsafe {
            (0..LLVMGetNumSuccessors(self.0))
                .map(|n| Block(LLVMGetSuccessor(self.0, n), PhantomData))
                .collect()
        }
    }

    pub(super) fn source_element_type(self) -> Type<'c> {
        // SAFETY: asked of `getelementptr`s only.
        Type::new(unsafe { LLVMGetGEPSourceElementType(self.0) })
    }

    pub(super) fn allocated_type(self) -> Type<'c> {
        // SAFETY: asked of `alloca`s only.
        Type::new(unsafe { LLVMGetAllocatedType(self.0) })
    }

    pub(super) fn alignment(self) -> u32 {
        // SAFETY: asked of loads, stores and `alloca`s only.
        unsafe { LLVMGetAlignment(self.0) }
    }

    pub(super) fn set_alignment(self, align: u32) {
        // SAFETY: asked of loads, stores and `alloca`s only.
        unsafe { LLVMSetAlignment(self.0, align) }
    }

    /// Whether a load or store is a plain one: neither volatile nor atomic.
    pub(super) fn is_plain_access(self) -> bool {
        let plain = llvm_sys::LLVMAtomicOrdering::LLVMAtomicOrderingNotAtomic;
        // SAFETY: asked of loads and stores only.
        unsafe { LLVMGetVolatile(self.0) == 0 && LLVMGetOrdering(self.0) == plain }
    }

    pub(super) fn indices(self) -> Vec<u32> {
        // SAFETY: asked of `extractvalue` and `insertvalue` only; LLVM owns the list.
        unsafe {
            let count = LLVMGetNumIndices(self.0) as usize;
            std::slice::from_raw_parts(LLVMGetIndices(self.0), count).to_vec()
        }
    }

    pub(super) fn called(self) -> Self {
        // SAFETY: asked of calls only.
        Self::new(unsafe { LLVMGetCalledValue(self.0) })
    }

    /// The name and number of the intrinsic that a function is, if it is one.
    pub(super) fn intrinsic(self) -> Option<(String, u32)> {
        // SAFETY: the number is asked of functions only; the name is LLVM's and is copied.
        unsafe {
            if LLVMIsAFunction(self.0).is_null() {
                return None;
            }
            let id = LLVMGetIntrinsicID(self.0);
            let mut length = 0;
            let name = LLVMGetValueName2(self.0, &mut length);
            let name = std::slice::from_raw_parts(name.cast::<u8>(), length);
            (id != 0).then(|| (String::from_utf8_lossy(name).into_owned(), id))
        }
    }

    /// The side (0 or 1) that a branch all but never takes, by its weights.
    pub(super) fn unlikely_side(self) -> Option<u32> {
        const RARE: u64 = 1 << 10;
        // SAFETY: asked of conditional branches. `!prof` of one is a node of a string and a number for each side; what
        // has another form is not looked into.
        let weights = unsafe {
            let context = LLVMGetTypeContext(LLVMTypeOf(LLVMGetCondition(self.0)));
            let kind = LLVMGetMDKindIDInContext(context, c"prof".as_ptr(), 4);
            let node = LLVMGetMetadata(self.0, kind);
            if node.is_null() || LLVMGetMDNodeNumOperands(node) != 3 {
                return None;
            }
            let mut operands = [std::ptr::null_mut(); 3];
            LLVMGetMDNodeOperands(node, operands.as_mut_ptr());
            operands.map(|operand| if operand.is_null() { None } else { Value::new(operand).constant_int() })
        };
        match (weights[1]?, weights[2]?) {
            (then, otherwise) if then.saturating_mul(RARE) < otherwise => Some(0),
            (then, otherwise) if otherwise.saturating_mul(RARE) < then => Some(1),
            _ => None,
        }
    }

    /// Metadata of `from` of this kind for this instruction too.
    pub(super) fn copy_metadata(self, from: Self, kinds: &[&str]) {
        for kind in kinds {
            // SAFETY: both are instructions; the metadata is of the same context.
            unsafe {
                let context = LLVMGetTypeContext(LLVMTypeOf(from.0));
                let id = LLVMGetMDKindIDInContext(context, kind.as_ptr().cast(), kind.len() as u32);
                let metadata = LLVMGetMetadata(from.0, id);
                if !metadata.is_null() {
                    LLVMSetMetadata(self.0, id, metadata);
                }
            }
        }
    }

    /// `contract` and its like, for this instruction too.
    pub(super) fn copy_fast_math(self, from: Self) {
        // SAFETY: the flags are read and set only where there can be some.
        unsafe {
            if LLVMCanValueUseFastMathFlags(from.0) != 0 && LLVMCanValueUseFastMathFlags(self.0) != 0 {
                LLVMSetFastMathFlags(self.0, LLVMGetFastMathFlags(from.0));
            }
        }
    }

    pub(super) fn add_incoming(self, value: Value<'c>, block: Block<'c>) {
        let (mut value, mut block) = (value.0, block.0);
        // SAFETY: asked of phis only.
        unsafe { LLVMAddIncoming(self.0, &mut value, &mut block, 1) }
    }
}

impl<'c> Block<'c> {
    pub(super) fn instructions(self) -> Vec<Value<'c>> {
        let mut instructions = Vec::new();
        // SAFETY: the list is walked to its end and not changed meanwhile.
        unsafe {
            let mut one = LLVMGetFirstInstruction(self.0);
            while !one.is_null() {
                instructions.push(Value::new(one));
                one = LLVMGetNextInstruction(one);
            }
        }
        instructions
    }

    pub(super) fn terminator(self) -> Option<Value<'c>> {
        // SAFETY: see above.
        let raw = unsafe { LLVMGetBasicBlockTerminator(self.0) };
        (!raw.is_null()).then(|| Value::new(raw))
    }
}

/// The blocks of a function, the entry first.
pub(super) fn blocks(function: Value<'_>) -> Vec<Block<'_>> {
    // SAFETY: asked of functions only; the vector is as long as LLVM says.
    unsafe {
        let mut raw = vec![std::ptr::null_mut(); LLVMCountBasicBlocks(function.0) as usize];
        LLVMGetBasicBlocks(function.0, raw.as_mut_ptr());
        raw.into_iter().map(|block| Block(block, PhantomData)).collect()
    }
}

/// The parameters of a function.
pub(super) fn parameters(function: Value<'_>) -> Vec<Value<'_>> {
    // SAFETY: asked of functions only; the vector is as long as LLVM says.
    unsafe {
        let mut raw = vec![std::ptr::null_mut(); LLVMCountParams(function.0) as usize];
        LLVMGetParams(function.0, raw.as_mut_ptr());
        raw.into_iter().map(Value::new).collect()
    }
}

/// Promises for `to` what is promised of `from` and of its parameters, which come first in `to`.
pub(super) fn copy_attributes(from: FunctionValue<'_>, to: FunctionValue<'_>) {
    let (from, to) = (from.as_value_ref(), to.as_value_ref());
    // SAFETY: both are functions; each list is as long as LLVM says, and `to` has all the parameters of `from`.
    unsafe {
        let parameters = 1..=LLVMCountParams(from);
        for index in parameters.chain([llvm_sys::LLVMAttributeFunctionIndex]) {
            let mut attributes =
                vec![std::ptr::null_mut(); LLVMGetAttributeCountAtIndex(from, index) as usize];
            LLVMGetAttributesAtIndex(from, index, attributes.as_mut_ptr());
            for attribute in attributes {
                LLVMAddAttributeAtIndex(to, index, attribute);
            }
        }
    }
}

/// Takes the debug information of a function as a whole away. Lines of its instructions then count for nothing.
pub(super) fn forget_lines(function: FunctionValue<'_>) {
    // SAFETY: asked of functions only; no subprogram is one, too.
    unsafe { llvm_sys::debuginfo::LLVMSetSubprogram(function.as_value_ref(), std::ptr::null_mut()) }
}

/// The handle of a function.
pub(super) fn function_value<'c>(function: FunctionValue<'c>) -> Value<'c> {
    Value::new(function.as_value_ref())
}

/// Writes instructions into a function.
pub(super) struct Builder<'c> {
    raw: LLVMBuilderRef,
    module: LLVMModuleRef,
    function: Value<'c>,
}

impl<'c> Builder<'c> {
    pub(super) fn new(module: &Module<'c>, function: Value<'c>) -> Self {
        let module = module.as_mut_ptr();
        // SAFETY: the module is alive.
        let raw = unsafe { LLVMCreateBuilderInContext(LLVMGetModuleContext(module)) };
        Self { raw, module, function }
    }

    pub(super) fn block(&self, name: &str) -> Block<'c> {
        let name = text(name);
        // SAFETY: see the head of the file, here and below: operands are of the types that each instruction takes.
        unsafe {
            let context = LLVMGetModuleContext(self.module);
            Block(LLVMAppendBasicBlockInContext(context, self.function.0, name.as_ptr()), PhantomData)
        }
    }

    pub(super) fn enter(&self, block: Block<'c>) {
        // SAFETY: see above.
        unsafe { LLVMPositionBuilderAtEnd(self.raw, block.0) }
    }

    /// The block where code goes, if there is one yet.
    pub(super) fn current_if_any(&self) -> Option<Block<'c>> {
        // SAFETY: see above.
        let raw = unsafe { LLVMGetInsertBlock(self.raw) };
        (!raw.is_null()).then_some(Block(raw, PhantomData))
    }

    /// Whether anything branches to a block.
    pub(super) fn is_used(&self, block: Block<'c>) -> bool {
        // SAFETY: see above.
        !unsafe { LLVMGetFirstUse(LLVMBasicBlockAsValue(block.0)) }.is_null()
    }

    /// Deletes a block that nothing branches to, and to which no other handle is left.
    pub(super) fn delete(&self, block: Block<'c>) {
        // SAFETY: see above.
        unsafe { LLVMDeleteBasicBlock(block.0) }
    }

    /// What follows comes from the source line of `instruction`.
    pub(super) fn at_line_of(&self, instruction: Value<'c>) {
        // SAFETY: asked of instructions; no location is one, too.
        unsafe { LLVMSetCurrentDebugLocation2(self.raw, LLVMInstructionGetDebugLoc(instruction.0)) }
    }

    pub(super) fn current(&self) -> Block<'c> {
        // SAFETY: the builder stands in a block.
        Block(unsafe { LLVMGetInsertBlock(self.raw) }, PhantomData)
    }

    pub(super) fn binary(&self, opcode: Opcode, a: Value<'c>, b: Value<'c>) -> Value<'c> {
        // SAFETY: see above.
        Value::new(unsafe { LLVMBuildBinOp(self.raw, opcode, a.0, b.0, c"".as_ptr()) })
    }

    pub(super) fn add(&self, a: Value<'c>, b: Value<'c>) -> Value<'c> {
        self.binary(Opcode::LLVMAdd, a, b)
    }

    pub(super) fn and(&self, a: Value<'c>, b: Value<'c>) -> Value<'c> {
        self.binary(Opcode::LLVMAnd, a, b)
    }

    pub(super) fn or(&self, a: Value<'c>, b: Value<'c>) -> Value<'c> {
        self.binary(Opcode::LLVMOr, a, b)
    }

    pub(super) fn not(&self, a: Value<'c>) -> Value<'c> {
        // SAFETY: see above.
        Value::new(unsafe { LLVMBuildNot(self.raw, a.0, c"".as_ptr()) })
    }

    pub(super) fn fneg(&self, a: Value<'c>) -> Value<'c> {
        // SAFETY: see above.
        Value::new(unsafe { LLVMBuildFNeg(self.raw, a.0, c"".as_ptr()) })
    }

    pub(super) fn freeze(&self, a: Value<'c>) -> Value<'c> {
        // SAFETY: see above.
        Value::new(unsafe { LLVMBuildFreeze(self.raw, a.0, c"".as_ptr()) })
    }

    pub(super) fn cast(&self, opcode: Opcode, a: Value<'c>, ty: Type<'c>) -> Value<'c> {
        // SAFETY: see above.
        Value::new(unsafe { LLVMBuildCast(self.raw, opcode, a.0, ty.0, c"".as_ptr()) })
    }

    pub(super) fn icmp(&self, predicate: IntPredicate, a: Value<'c>, b: Value<'c>) -> Value<'c> {
        // SAFETY: see above.
        Value::new(unsafe { LLVMBuildICmp(self.raw, predicate, a.0, b.0, c"".as_ptr()) })
    }

    pub(super) fn fcmp_like(&self, like: Value<'c>, a: Value<'c>, b: Value<'c>) -> Value<'c> {
        // SAFETY: `like` is an `fcmp`.
        Value::new(unsafe { LLVMBuildFCmp(self.raw, LLVMGetFCmpPredicate(like.0), a.0, b.0, c"".as_ptr()) })
    }

    pub(super) fn select(&self, condition: Value<'c>, a: Value<'c>, b: Value<'c>) -> Value<'c> {
        // SAFETY: see above.
        Value::new(unsafe { LLVMBuildSelect(self.raw, condition.0, a.0, b.0, c"".as_ptr()) })
    }

    pub(super) fn gep(&self, ty: Type<'c>, pointer: Value<'c>, indices: &[Value<'c>]) -> Value<'c> {
        let mut indices: Vec<_> = indices.iter().map(|index| index.0).collect();
        // SAFETY: see above. No flags: the address wraps where it must.
        Value::new(unsafe {
            LLVMBuildGEP2(self.raw, ty.0, pointer.0, indices.as_mut_ptr(), indices.len() as u32, c"".as_ptr())
        })
    }

    pub(super) fn load(&self, ty: Type<'c>, pointer: Value<'c>) -> Value<'c> {
        // SAFETY: see above.
        Value::new(unsafe { LLVMBuildLoad2(self.raw, ty.0, pointer.0, c"".as_ptr()) })
    }

    pub(super) fn store(&self, value: Value<'c>, pointer: Value<'c>) -> Value<'c> {
        // SAFETY: see above.
        Value::new(unsafe { LLVMBuildStore(self.raw, value.0, pointer.0) })
    }

    pub(super) fn alloca(&self, ty: Type<'c>) -> Value<'c> {
        // SAFETY: see above.
        Value::new(unsafe { LLVMBuildAlloca(self.raw, ty.0, c"".as_ptr()) })
    }

    pub(super) fn extract_element(&self, vector: Value<'c>, lane: Value<'c>) -> Value<'c> {
        // SAFETY: see above.
        Value::new(unsafe { LLVMBuildExtractElement(self.raw, vector.0, lane.0, c"".as_ptr()) })
    }

    pub(super) fn insert_element(&self, vector: Value<'c>, value: Value<'c>, lane: Value<'c>) -> Value<'c> {
        // SAFETY: see above.
        Value::new(unsafe { LLVMBuildInsertElement(self.raw, vector.0, value.0, lane.0, c"".as_ptr()) })
    }

    pub(super) fn shuffle(&self, a: Value<'c>, b: Value<'c>, mask: Value<'c>) -> Value<'c> {
        // SAFETY: see above.
        Value::new(unsafe { LLVMBuildShuffleVector(self.raw, a.0, b.0, mask.0, c"".as_ptr()) })
    }

    pub(super) fn extract_value(&self, aggregate: Value<'c>, field: u32) -> Value<'c> {
        // SAFETY: see above.
        Value::new(unsafe { LLVMBuildExtractValue(self.raw, aggregate.0, field, c"".as_ptr()) })
    }

    pub(super) fn insert_value(&self, aggregate: Value<'c>, value: Value<'c>, field: u32) -> Value<'c> {
        // SAFETY: see above.
        Value::new(unsafe { LLVMBuildInsertValue(self.raw, aggregate.0, value.0, field, c"".as_ptr()) })
    }

    pub(super) fn call(&self, ty: Type<'c>, function: Value<'c>, arguments: &[Value<'c>]) -> Value<'c> {
        let mut arguments: Vec<_> = arguments.iter().map(|argument| argument.0).collect();
        // SAFETY: see above.
        Value::new(unsafe {
            let (pointer, count) = (arguments.as_mut_ptr(), arguments.len() as u32);
            LLVMBuildCall2(self.raw, ty.0, function.0, pointer, count, c"".as_ptr())
        })
    }

    /// Calls an intrinsic by its number, for these types where it is overloaded.
    pub(super) fn call_intrinsic(&self, id: u32, types: &[Type<'c>], arguments: &[Value<'c>]) -> Value<'c> {
        let mut raw: Vec<_> = types.iter().map(|ty| ty.0).collect();
        // SAFETY: the number is LLVM's own, and the types are those that the intrinsic is overloaded for.
        let (function, ty) = unsafe {
            let function = LLVMGetIntrinsicDeclaration(self.module, id, raw.as_mut_ptr(), raw.len());
            (Value::new(function), Type::new(LLVMGlobalGetValueType(function)))
        };
        self.call(ty, function, arguments)
    }

    /// Calls an intrinsic by its name without types: `llvm.masked.load`.
    pub(super) fn call_named(&self, name: &str, types: &[Type<'c>], arguments: &[Value<'c>]) -> Value<'c> {
        // SAFETY: the name is as long as LLVM is told.
        let id = unsafe { LLVMLookupIntrinsicID(name.as_ptr().cast(), name.len()) };
        self.call_intrinsic(id, types, arguments)
    }

    /// A copy of an instruction with other operands, here.
    pub(super) fn copy(&self, instruction: Value<'c>, operands: &[Value<'c>]) -> Value<'c> {
        // SAFETY: the operands are as many as the instruction has, and of their types.
        unsafe {
            let copy = LLVMInstructionClone(instruction.0);
            for (number, operand) in operands.iter().enumerate() {
                LLVMSetOperand(copy, number as u32, operand.0);
            }
            LLVMInsertIntoBuilder(self.raw, copy);
            Value::new(copy)
        }
    }

    pub(super) fn phi(&self, ty: Type<'c>) -> Value<'c> {
        // SAFETY: see above.
        Value::new(unsafe { LLVMBuildPhi(self.raw, ty.0, c"".as_ptr()) })
    }

    pub(super) fn branch(&self, to: Block<'c>) {
        // SAFETY: see above.
        unsafe { LLVMBuildBr(self.raw, to.0) };
    }

    pub(super) fn branch_if(&self, condition: Value<'c>, then: Block<'c>, otherwise: Block<'c>) -> Value<'c> {
        // SAFETY: see above.
        Value::new(unsafe { LLVMBuildCondBr(self.raw, condition.0, then.0, otherwise.0) })
    }

    /// As [`Builder::branch_if`], when `then` is all but certain.
    pub(super) fn branch_likely(&self, condition: Value<'c>, then: Block<'c>, otherwise: Block<'c>) {
        let branch = self.branch_if(condition, then, otherwise);
        // SAFETY: `!prof` of a branch is "branch_weights" and a number for each successor.
        unsafe {
            let context = LLVMGetModuleContext(self.module);
            let name = "branch_weights";
            let i32 = LLVMInt32TypeInContext(context);
            let mut nodes = [
                LLVMMDStringInContext2(context, name.as_ptr().cast(), name.len()),
                LLVMValueAsMetadata(LLVMConstInt(i32, (1 << 20) - 1, 0)),
                LLVMValueAsMetadata(LLVMConstInt(i32, 1, 0)),
            ];
            let node = LLVMMDNodeInContext2(context, nodes.as_mut_ptr(), nodes.len());
            let kind = LLVMGetMDKindIDInContext(context, c"prof".as_ptr(), 4);
            LLVMSetMetadata(branch.0, kind, LLVMMetadataAsValue(context, node));
        }
    }

    pub(super) fn unreachable(&self) {
        // SAFETY: see above.
        unsafe { LLVMBuildUnreachable(self.raw) };
    }

    /// Loads the lanes of `mask` from memory one after another.
    pub(super) fn masked_load(
        &self,
        ty: Type<'c>,
        pointer: Value<'c>,
        mask: Value<'c>,
        align: u32,
    ) -> Value<'c> {
        let operands = [Operand::Aligned(pointer), Operand::Plain(mask), Operand::Plain(ty.poison())];
        self.masked("llvm.masked.load", &[ty, pointer.ty()], &operands, align)
    }

    /// Stores the lanes of `mask` to memory one after another.
    pub(super) fn masked_store(&self, value: Value<'c>, pointer: Value<'c>, mask: Value<'c>, align: u32) {
        let operands = [Operand::Plain(value), Operand::Aligned(pointer), Operand::Plain(mask)];
        self.masked("llvm.masked.store", &[value.ty(), pointer.ty()], &operands, align);
    }

    /// Loads the lanes of `mask`, each from its own address.
    pub(super) fn gather(&self, ty: Type<'c>, pointers: Value<'c>, mask: Value<'c>, align: u32) -> Value<'c> {
        let operands = [Operand::Aligned(pointers), Operand::Plain(mask), Operand::Plain(ty.poison())];
        self.masked("llvm.masked.gather", &[ty, pointers.ty()], &operands, align)
    }

    /// Stores the lanes of `mask`, each to its own address.
    pub(super) fn scatter(&self, value: Value<'c>, pointers: Value<'c>, mask: Value<'c>, align: u32) {
        let operands = [Operand::Plain(value), Operand::Aligned(pointers), Operand::Plain(mask)];
        self.masked("llvm.masked.scatter", &[value.ty(), pointers.ty()], &operands, align);
    }

    /// Calls an intrinsic for masked access. The alignment is an attribute of the address since LLVM 22; before, it was
    /// an operand behind it.
    fn masked(&self, name: &str, types: &[Type<'c>], operands: &[Operand<'c>], align: u32) -> Value<'c> {
        let mut raw: Vec<_> = types.iter().map(|ty| ty.0).collect();
        // SAFETY: the intrinsic exists and is overloaded for the value's type and the address's; the parameter that gets
        // the attribute is an address or a vector of them.
        unsafe {
            let id = LLVMLookupIntrinsicID(name.as_ptr().cast(), name.len());
            let function = LLVMGetIntrinsicDeclaration(self.module, id, raw.as_mut_ptr(), raw.len());
            let context = LLVMGetModuleContext(self.module);
            let as_operand = LLVMCountParams(function) as usize > operands.len();
            let mut arguments = Vec::new();
            let mut aligned = 0;
            for operand in operands {
                match operand {
                    Operand::Plain(value) => arguments.push(*value),
                    Operand::Aligned(value) => {
                        arguments.push(*value);
                        aligned = arguments.len() as u32;
                        if as_operand {
                            let i32 = Type::new(LLVMInt32TypeInContext(context));
                            arguments.push(i32.int(align.into()));
                        }
                    }
                }
            }
            let call =
                self.call(Type::new(LLVMGlobalGetValueType(function)), Value::new(function), &arguments);
            if !as_operand {
                let kind = LLVMGetEnumAttributeKindForName(c"align".as_ptr(), 5);
                LLVMAddCallSiteAttribute(
                    call.0,
                    aligned,
                    LLVMCreateEnumAttribute(context, kind, align.into()),
                );
            }
            call
        }
    }

    pub(super) fn ret_void(&self) {
        // SAFETY: the function returns nothing.
        unsafe { LLVMBuildRetVoid(self.raw) };
    }
}

impl Drop for Builder<'_> {
    fn drop(&mut self) {
        // SAFETY: the builder is this one's alone.
        unsafe { LLVMDisposeBuilder(self.raw) }
    }
}

/// An operand of an access to memory.
enum Operand<'c> {
    Plain(Value<'c>),
    /// The address, whose alignment is known.
    Aligned(Value<'c>),
}

/// The text of a value, for messages.
pub(super) fn print(value: Value<'_>) -> String {
    // SAFETY: LLVM's text is copied before it is freed.
    unsafe {
        let raw = LLVMPrintValueToString(value.0);
        let printed = CStr::from_ptr(raw).to_string_lossy().trim().to_owned();
        LLVMDisposeMessage(raw);
        printed
    }
}
