//! The notes of `?` and `for`.

use super::ops;
use core::ops::ControlFlow;
use wavewright_kernel_ir::types::DeviceType;
use wavewright_kernel_ir::witness::{Callee, DeviceFn, Note, TypeRecord};

/// `value?` in a function that returns what the second note has learnt: the first learns how the error becomes its.
pub fn __question<T: Question<R::Of>, R: TypeRecord>(_: Note<Callee<T::Convert>>, _: Note<R>, _: &T)
where
    R::Of: Sized,
{
}

/// What `?` can be used on, in a function that returns an `R`.
#[diagnostic::on_unimplemented(
    message = "`?` on a `{Self}`, in a function that returns a `{R}`, has no device form",
    label = "this `?` is not available in kernels",
    note = "put `#[device]` on the `impl From` that turns one error into the other"
)]
pub trait Question<R> {
    /// How the error becomes that of `R`.
    type Convert: DeviceFn;
}

impl<T: DeviceType, U: DeviceType> Question<Option<U>> for Option<T> {
    type Convert = <() as ops::From<()>>::Def;
}
impl<T: DeviceType, E: DeviceType, U: DeviceType, F: ops::From<E>> Question<Result<U, F>> for Result<T, E> {
    type Convert = <F as ops::From<E>>::Def;
}
impl<C: DeviceType, D: DeviceType, B: DeviceType> Question<ControlFlow<B, D>> for ControlFlow<B, C> {
    type Convert = <B as ops::From<B>>::Def;
}

/// What `for` can go through.
#[diagnostic::on_unimplemented(
    message = "a kernel can't go through a `{Self}` with `for`",
    label = "not available in kernels",
    note = "put `#[device]` on the `impl Iterator`; of std's iterators the book lists those that kernels have"
)]
pub trait ForLoop: IntoIterator {
    /// How the iterator is made.
    type Into: DeviceFn;
    /// The iterator's `next`.
    type Next: DeviceFn;

    /// The notes learn both.
    fn of<I, N>(_: Note<Callee<I>>, _: Note<Callee<N>>, _: &Self)
    where
        Self: ForLoop<Into = I, Next = N>,
    {
    }
}

impl<T: IntoIterator<IntoIter: ops::Iterator> + ops::IntoIterator<<T as IntoIterator>::IntoIter>> ForLoop
    for T
{
    type Into = <T as ops::IntoIterator<<T as IntoIterator>::IntoIter>>::Def;
    type Next = <<T as IntoIterator>::IntoIter as ops::Iterator>::Next;
}
