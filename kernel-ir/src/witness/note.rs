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

/// What a note can learn.
pub trait Record {
    /// Takes it down.
    fn record(sink: &mut Sink);
}

/// What the note of a type learns.
///
/// It is an associated type of [`DeviceType`], so that of a type which is none there is nothing to learn: rustc reports
/// that once, where the value stands, and not again where the notes are read.
pub trait TypeRecord: Record {
    /// The type.
    type Of: DeviceType + ?Sized;
}

/// A type.
pub struct Ty<T: ?Sized>(PhantomData<T>);
/// A callee.
pub struct Callee<M>(PhantomData<M>);
/// A constant: `F` is the closure that evaluates it, `R` the record of its type.
pub struct Konst<F, R>(PhantomData<(F, R)>);

impl<T: DeviceType + ?Sized> Record for Ty<T> {
    fn record(sink: &mut Sink) {
        sink.ty::<T>();
    }
}
impl<T: DeviceType + ?Sized> TypeRecord for Ty<T> {
    type Of = T;
}

impl<M: DeviceFn> Record for Callee<M> {
    fn record(sink: &mut Sink) {
        sink.callee::<M>();
    }
}

impl<F: Fn() -> R::Of + Copy, R: TypeRecord<Of: Sized>> Record for Konst<F, R> {
    fn record(sink: &mut Sink) {
        sink.constant(&constant::evaluate::<F, R::Of>());
    }
}

/// Groups of notes, read as data.
pub trait Collect {
    /// Takes down the notes in order.
    fn collect(sink: &mut Sink);
}

/// Never returns, and rustc knows: what follows is checked but is no part of the compiled function.
pub fn __stop() -> std::convert::Infallible {
    never()
}

/// The note learns the type of a value.
pub fn __ty<T: DeviceType + ?Sized>(_: Note<T::Record>, _: &T) {}

/// The note learns the type of a literal, which needs no bound: there is nothing for rustc to prove.
pub fn __lit<T>(_: Note<Ty<T>>, _: &T) {}

/// What the function around returns; the note learns its type.
pub fn __returned<T: DeviceType>(_: Note<T::Record>) -> T {
    never()
}

/// A panic: whatever its message, it never returns.
pub fn __panic() -> ! {
    never()
}

/// The shared memory of a block; the note learns its type.
pub fn __shared<T: DeviceType>(_: Note<T::Record>) -> &'static mut T {
    never()
}

/// The note learns a constant, by a closure that evaluates it.
pub fn __konst<F: Fn() -> T + Copy, T: DeviceType>(_: Note<Konst<F, T::Record>>, _: F) -> T {
    never()
}

macro_rules! groups {
    ($($open:ident($($t:ident)*);)*) => { $(
        /// Opens a group: its notes, as variables. What they learn may be unsized as far as rustc is concerned: else it
        /// would ask of each, again and again until it is known, whether it is.
        pub fn $open<$($t: ?Sized),*>(_: &Note<($(Note<$t>,)*)>) -> ($(Note<$t>,)*) {
            never()
        }

        impl<$($t: Record),*> Collect for Note<($(Note<$t>,)*)> {
            fn collect(sink: &mut Sink) {
                $($t::record(sink);)*
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
