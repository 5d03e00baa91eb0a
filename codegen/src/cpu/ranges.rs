//! Promises to LLVM about the range of a parameter.

use inkwell::values::{AsValueRef, FunctionValue};
use llvm_sys::core::{
    LLVMAddAttributeAtIndex, LLVMCreateConstantRangeAttribute, LLVMGetEnumAttributeKindForName,
};
use llvm_sys::core::{LLVMGetTypeContext, LLVMTypeOf};

/// Promises that parameter `number`, an `i32`, lies in `low..high`.
pub(super) fn promise(function: FunctionValue<'_>, number: u32, low: u32, high: u32) {
    let (low, high) = ([u64::from(low)], [u64::from(high)]);
    let value = function.as_value_ref();
    // SAFETY: the function is alive and has the parameter, of 32 bits; both bounds are one word. Parameters count from
    // 1, since 0 is the result.
    unsafe {
        let context = LLVMGetTypeContext(LLVMTypeOf(value));
        let kind = LLVMGetEnumAttributeKindForName(c"range".as_ptr(), 5);
        let range = LLVMCreateConstantRangeAttribute(context, kind, 32, low.as_ptr(), high.as_ptr());
        LLVMAddAttributeAtIndex(value, number + 1, range);
    }
}
