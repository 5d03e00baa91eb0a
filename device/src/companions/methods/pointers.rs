//! Methods of raw pointers.

use crate::companions::ops::operation;
use wavewright_kernel_ir::types::DeviceType;
use wavewright_kernel_ir::witness::{Ret, never};

/// Companions of the methods of raw pointers to sized types.
pub trait PointerMethods: Sized {
    /// What the pointer points to.
    type Pointee: DeviceType;

    unsafe fn add__on_device(self, _count: usize) -> Ret<Self, operation!(PointerAdd: Self::Pointee)> {
        never()
    }
}

impl<T: DeviceType> PointerMethods for *const T {
    type Pointee = T;
}
impl<T: DeviceType> PointerMethods for *mut T {
    type Pointee = T;
}
