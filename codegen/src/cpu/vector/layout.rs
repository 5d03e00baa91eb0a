//! Sizes in memory.

use super::ir::Type;
use inkwell::module::Module;
use llvm_sys::target::{LLVMABISizeOfType, LLVMGetModuleDataLayout, LLVMTargetDataRef};

/// The data layout of a module.
#[derive(Clone, Copy)]
pub(super) struct Layout(LLVMTargetDataRef);

impl Layout {
    pub(super) fn of(module: &Module<'_>) -> Self {
        // SAFETY: the module is alive, and keeps its layout while the vectoriser works on it.
        Self(unsafe { LLVMGetModuleDataLayout(module.as_mut_ptr()) })
    }

    /// How far apart two values of the type are in an array, in bytes.
    pub(super) fn size(self, ty: Type<'_>) -> u64 {
        // SAFETY: the type is sized: something is loaded, stored or allocated of it.
        unsafe { LLVMABISizeOfType(self.0, ty.0) }
    }
}
