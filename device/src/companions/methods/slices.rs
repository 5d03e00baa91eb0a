//! Methods of slices; arrays reach them as they do std's, by becoming slices.

use crate::companions::ops::operation;
use wavewright_kernel_ir::types::DeviceType;
use wavewright_kernel_ir::witness::{Ret, never};

/// Companions of the methods of slices.
pub trait SliceMethods {
    /// The type of an element.
    type Element: DeviceType;

    fn len__on_device(&self) -> Ret<usize, operation!(Len: Self::Element)> {
        never()
    }
    fn is_empty__on_device(&self) -> Ret<bool, operation!(IsEmpty: Self::Element)> {
        never()
    }
    fn as_ptr__on_device(&self) -> Ret<*const Self::Element, operation!(AsPtr: Self::Element)> {
        never()
    }
    fn as_mut_ptr__on_device(&mut self) -> Ret<*mut Self::Element, operation!(AsMutPtr: Self::Element)> {
        never()
    }
    unsafe fn get_unchecked__on_device(
        &self,
        _index: usize,
    ) -> Ret<&Self::Element, operation!(GetUnchecked: Self::Element)> {
        never()
    }
    unsafe fn get_unchecked_mut__on_device(
        &mut self,
        _index: usize,
    ) -> Ret<&mut Self::Element, operation!(GetUncheckedMut: Self::Element)> {
        never()
    }
}

impl<T: DeviceType> SliceMethods for [T] {
    type Element = T;
}
