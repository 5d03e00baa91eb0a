//! Methods of raw pointers that can't be called yet.

use super::No;
use crate::companions::methods::pointers::PointerMethods;
use wavewright_kernel_ir::types::DeviceType;
use wavewright_kernel_ir::witness::never;

pub use const_pointers::ConstPointer;
pub use mutable_pointers::MutablePointer;
pub use pointers::Pointer;

/// Of raw pointers.
pub mod pointers {
    use super::*;

    super::super::bounds! {
        "write `*p`" {
            read "`read` is not available in kernels yet";
            read_volatile "`read_volatile` is not available in kernels yet";
            read_unaligned "`read_unaligned` is not available in kernels yet";
            as_ref "`as_ref` is not available in kernels yet";
            as_ref_unchecked "`as_ref_unchecked` is not available in kernels yet";
        }
        "write `p as *const U` or `p as *mut U`" {
            cast_const "`cast_const` is not available in kernels yet";
            cast_mut "`cast_mut` is not available in kernels yet";
        }
        "write `p as usize`" {
            addr "`addr` is not available in kernels yet";
            expose_provenance "`expose_provenance` is not available in kernels yet";
            is_null "`is_null` is not available in kernels yet";
            is_aligned "`is_aligned` is not available in kernels yet";
            align_offset "`align_offset` is not available in kernels yet";
            with_addr "`with_addr` is not available in kernels yet";
            map_addr "`map_addr` is not available in kernels yet";
        }
        "use `add`" {
            offset "`offset` is not available in kernels yet";
            byte_offset "`byte_offset` is not available in kernels yet";
            wrapping_offset "`wrapping_offset` is not available in kernels yet";
            wrapping_byte_offset "`wrapping_byte_offset` is not available in kernels yet";
            sub "`sub` is not available in kernels yet";
            byte_add "`byte_add` is not available in kernels yet";
            byte_sub "`byte_sub` is not available in kernels yet";
            wrapping_add "`wrapping_add` is not available in kernels yet";
            wrapping_sub "`wrapping_sub` is not available in kernels yet";
            wrapping_byte_add "`wrapping_byte_add` is not available in kernels yet";
            wrapping_byte_sub "`wrapping_byte_sub` is not available in kernels yet";
            offset_from "`offset_from` is not available in kernels yet";
            offset_from_unsigned "`offset_from_unsigned` is not available in kernels yet";
            byte_offset_from "`byte_offset_from` is not available in kernels yet";
            byte_offset_from_unsigned "`byte_offset_from_unsigned` is not available in kernels yet";
        }
        "write a loop" {
            copy_to "`copy_to` is not available in kernels yet";
            copy_to_nonoverlapping "`copy_to_nonoverlapping` is not available in kernels yet";
        }
    }

    #[rustfmt::skip]
    pub trait Pointer: PointerMethods {
        fn read__on_device(self) -> No<Self::Pointee> where Self: read { never() }
        fn read_volatile__on_device(self) -> No<Self::Pointee> where Self: read_volatile { never() }
        fn read_unaligned__on_device(self) -> No<Self::Pointee> where Self: read_unaligned { never() }
        fn as_ref__on_device<'a>(self) -> No<Option<&'a Self::Pointee>> where Self: as_ref { never() }
        fn as_ref_unchecked__on_device<'a>(self) -> No<&'a Self::Pointee> where Self: as_ref_unchecked { never() }
        fn cast_const__on_device(self) -> No<*const Self::Pointee> where Self: cast_const { never() }
        fn cast_mut__on_device(self) -> No<*mut Self::Pointee> where Self: cast_mut { never() }
        fn addr__on_device(self) -> No<usize> where Self: addr { never() }
        fn expose_provenance__on_device(self) -> No<usize> where Self: expose_provenance { never() }
        fn is_null__on_device(self) -> No<bool> where Self: is_null { never() }
        fn is_aligned__on_device(self) -> No<bool> where Self: is_aligned { never() }
        fn align_offset__on_device(self, _align: usize) -> No<usize> where Self: align_offset { never() }
        fn with_addr__on_device(self, _address: usize) -> No<Self> where Self: with_addr { never() }
        fn map_addr__on_device(self, _f: impl FnOnce(usize) -> usize) -> No<Self> where Self: map_addr { never() }
        fn offset__on_device(self, _count: isize) -> No<Self> where Self: offset { never() }
        fn byte_offset__on_device(self, _count: isize) -> No<Self> where Self: byte_offset { never() }
        fn wrapping_offset__on_device(self, _count: isize) -> No<Self> where Self: wrapping_offset { never() }
        fn wrapping_byte_offset__on_device(self, _count: isize) -> No<Self> where Self: wrapping_byte_offset { never() }
        fn sub__on_device(self, _count: usize) -> No<Self> where Self: sub { never() }
        fn byte_add__on_device(self, _count: usize) -> No<Self> where Self: byte_add { never() }
        fn byte_sub__on_device(self, _count: usize) -> No<Self> where Self: byte_sub { never() }
        fn wrapping_add__on_device(self, _count: usize) -> No<Self> where Self: wrapping_add { never() }
        fn wrapping_sub__on_device(self, _count: usize) -> No<Self> where Self: wrapping_sub { never() }
        fn wrapping_byte_add__on_device(self, _count: usize) -> No<Self> where Self: wrapping_byte_add { never() }
        fn wrapping_byte_sub__on_device(self, _count: usize) -> No<Self> where Self: wrapping_byte_sub { never() }
        fn offset_from__on_device(self, _origin: *const Self::Pointee) -> No<isize> where Self: offset_from { never() }
        fn offset_from_unsigned__on_device(self, _origin: *const Self::Pointee) -> No<usize> where Self: offset_from_unsigned { never() }
        fn byte_offset_from__on_device<U>(self, _origin: *const U) -> No<isize> where Self: byte_offset_from { never() }
        fn byte_offset_from_unsigned__on_device<U>(self, _origin: *const U) -> No<usize> where Self: byte_offset_from_unsigned { never() }
        fn copy_to__on_device(self, _to: *mut Self::Pointee, _count: usize) -> No<()> where Self: copy_to { never() }
        fn copy_to_nonoverlapping__on_device(self, _to: *mut Self::Pointee, _count: usize) -> No<()> where Self: copy_to_nonoverlapping { never() }
    }
}

/// Of `*const T`.
pub mod const_pointers {
    use super::*;

    super::super::bounds! {
        "write `p as *const U`" {
            cast "`cast` is not available in kernels yet";
        }
    }

    #[rustfmt::skip]
    pub trait ConstPointer: Sized {
        fn cast__on_device<U>(self) -> No<*const U> where Self: cast { never() }
    }
}

/// Of `*mut T`.
pub mod mutable_pointers {
    use super::*;

    super::super::bounds! {
        "write `p as *mut U`" {
            cast "`cast` is not available in kernels yet";
        }
        "write `*p = x`" {
            write "`write` is not available in kernels yet";
            write_volatile "`write_volatile` is not available in kernels yet";
            write_unaligned "`write_unaligned` is not available in kernels yet";
            replace "`replace` is not available in kernels yet";
            swap "`swap` is not available in kernels yet";
            write_bytes "`write_bytes` is not available in kernels yet";
            as_mut "`as_mut` is not available in kernels yet";
            as_mut_unchecked "`as_mut_unchecked` is not available in kernels yet";
            drop_in_place "`drop_in_place` is not available in kernels yet";
        }
        "write a loop" {
            copy_from "`copy_from` is not available in kernels yet";
            copy_from_nonoverlapping "`copy_from_nonoverlapping` is not available in kernels yet";
        }
    }

    #[rustfmt::skip]
    pub trait MutablePointer<T>: Sized {
        fn cast__on_device<U>(self) -> No<*mut U> where Self: cast { never() }
        fn write__on_device(self, _value: T) -> No<()> where Self: write { never() }
        fn write_volatile__on_device(self, _value: T) -> No<()> where Self: write_volatile { never() }
        fn write_unaligned__on_device(self, _value: T) -> No<()> where Self: write_unaligned { never() }
        fn replace__on_device(self, _value: T) -> No<T> where Self: replace { never() }
        fn swap__on_device(self, _other: *mut T) -> No<()> where Self: swap { never() }
        fn write_bytes__on_device(self, _value: u8, _count: usize) -> No<()> where Self: write_bytes { never() }
        fn as_mut__on_device<'a>(self) -> No<Option<&'a mut T>> where Self: as_mut { never() }
        fn as_mut_unchecked__on_device<'a>(self) -> No<&'a mut T> where Self: as_mut_unchecked { never() }
        fn drop_in_place__on_device(self) -> No<()> where Self: drop_in_place { never() }
        fn copy_from__on_device(self, _from: *const T, _count: usize) -> No<()> where Self: copy_from { never() }
        fn copy_from_nonoverlapping__on_device(self, _from: *const T, _count: usize) -> No<()> where Self: copy_from_nonoverlapping { never() }
    }
}

impl<T: DeviceType> Pointer for *const T {}
impl<T: DeviceType> Pointer for *mut T {}
impl<T> ConstPointer for *const T {}
impl<T> MutablePointer<T> for *mut T {}
