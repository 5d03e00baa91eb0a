//! Notes: variables of a witness whose types say what rustc inferred.
//!
//! Functions that generated code calls by their bare names start with `__`, so that they hide no name of the user's.

use super::constant;
use super::ret::never;
use super::sink::{DeviceFn, Sink};
use crate::types::DeviceType;
use std::marker::PhantomData;

/// A variable of a witness: nothing but the type that inference finds for it.
pub type Note<X> = PhantomData<X>;

/// The note of a type.
pub struct Ty<T: ?Sized>(PhantomData<T>);
/// The note of a callee.
pub struct Callee<M>(PhantomData<M>);
/// The note of a constant: `F` is the closure that evaluates it.
pub struct Konst<F>(PhantomData<F>);

/// Notes, or groups of them, read as data.
#[diagnostic::on_unimplemented(
    message = "`{Self}` carries something that a kernel can't hold",
    label = "in this function"
)]
pub trait Collect {
    /// Hands over the notes in order.
    fn collect(sink: &mut Sink);
}

impl<T: DeviceType + ?Sized> Collect for Note<Ty<T>> {
    fn collect(sink: &mut Sink) {
        sink.ty::<T>();
    }
}

impl<M: DeviceFn> Collect for Note<Callee<M>> {
    fn collect(sink: &mut Sink) {
        sink.callee::<M>();
    }
}

impl<F: Fn() -> T + Copy, T: DeviceType> Collect for Note<Konst<F>> {
    fn collect(sink: &mut Sink) {
        let value = constant::evaluate::<F, T>();
        sink.constant(&value);
    }
}

/// Never returns, and rustc knows: what follows is checked but is no part of the compiled function.
pub fn __stop() -> std::convert::Infallible {
    never()
}

/// The note learns the type of a value.
pub fn __ty<T: DeviceType + ?Sized>(_: Note<Ty<T>>, _: &T) {}

/// The note learns the type of a literal, which needs no bound: there is nothing for rustc to prove.
pub fn __lit<T>(_: Note<Ty<T>>, _: &T) {}

/// A panic: whatever its message, it never returns.
pub fn __panic() -> ! {
    never()
}

/// The shared memory of a block; the note learns its type.
pub fn __shared<T: DeviceType>(_: Note<Ty<T>>) -> &'static mut T {
    never()
}

/// The note learns a constant, by a closure that evaluates it.
pub fn __konst<F: Fn() -> T + Copy, T: DeviceType>(_: Note<Konst<F>>, _: F) -> T {
    never()
}

macro_rules! groups {
    ($($open:ident($($t:ident)*);)*) => { $(
        /// Opens a group: its notes, as variables.
        pub fn $open<$($t),*>(_: &Note<($($t,)*)>) -> ($(Note<$t>,)*) {
            never()
        }

        impl<$($t),*> Collect for Note<($($t,)*)>
        where
            $(Note<$t>: Collect),*
        {
            fn collect(sink: &mut Sink) {
                $(<Note<$t>>::collect(sink);)*
            }
        }

        impl<$($t: Collect),*> Collect for ($($t,)*) {
            fn collect(sink: &mut Sink) {
                $($t::collect(sink);)*
            }
        }
    )* };
}
groups! {
    __open1(A);
    __open2(A B);
    __open3(A B C);
    __open4(A B C D);
    __open5(A B C D E);
    __open6(A B C D E F);
    __open7(A B C D E F G);
    __open8(A B C D E F G H);
    __open9(A B C D E F G H I);
    __open10(A B C D E F G H I J);
    __open11(A B C D E F G H I J K);
    __open12(A B C D E F G H I J K L);
    __open13(A B C D E F G H I J K L M);
    __open14(A B C D E F G H I J K L M N);
    __open15(A B C D E F G H I J K L M N O);
    __open16(A B C D E F G H I J K L M N O P);
}

impl Collect for () {
    fn collect(_: &mut Sink) {}
}
