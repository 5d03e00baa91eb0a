//! The traits of iteration.

use wavewright_kernel_ir::types::DeviceType;
use wavewright_kernel_ir::witness::DeviceFn;

/// What the methods of `Iterator` mean on the device.
#[diagnostic::on_unimplemented(
    message = "the iterator `{Self}` has no device form",
    label = "kernels can't go through this iterator",
    note = "put `#[device]` on the `impl Iterator`; of std's iterators the book lists those that kernels have"
)]
pub trait Iterator: core::iter::Iterator<Item: DeviceType> {
    /// The instance of `next`.
    type Next: DeviceFn;
    /// The instance of `nth`.
    type Nth: DeviceFn;
}

/// What `next_back` means on the device.
#[diagnostic::on_unimplemented(
    message = "the iterator `{Self}` has no device form from its end",
    label = "kernels can't go through this iterator backwards"
)]
pub trait DoubleEndedIterator: Iterator + core::iter::DoubleEndedIterator {
    /// The instance of `next_back`.
    type NextBack: DeviceFn;
}

/// What `len` means on the device.
#[diagnostic::on_unimplemented(
    message = "`len` of the iterator `{Self}` has no device form",
    label = "kernels don't know how long this iterator is"
)]
pub trait ExactSizeIterator: Iterator + core::iter::ExactSizeIterator {
    /// The instance of `len`.
    type Len: DeviceFn;
}

/// What `into_iter` means on the device. `I` is the iterator that it makes: so that the form of what is an iterator itself is
/// told from those of collections.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be iterated over in a kernel",
    label = "no device form of its iterator",
    note = "kernels go through ranges, slices, arrays of `Copy` elements and iterators over them"
)]
pub trait IntoIterator<I> {
    /// The instance of `into_iter`.
    type Def: DeviceFn;
}
