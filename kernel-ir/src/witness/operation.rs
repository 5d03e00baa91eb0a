//! Instances without a body: operations of the device and of std.

use super::sink::{DeviceFn, Sink};
use crate::builtin::Builtin;
use crate::types::{DeviceType, TypeId, TypeTable};
use std::marker::PhantomData;

/// The instance of [`Builtin::ALL`]`[B]` for the types `A`, a tuple: `Operation<{ Builtin::Sqrt as u16 }, (f32,)>`.
pub struct Operation<const B: u16, A>(PhantomData<A>);

impl<const B: u16, A: TypeList> DeviceFn for Operation<B, A> {
    fn describe(sink: &mut Sink) {
        sink.operation::<A>(Builtin::ALL[B as usize]);
    }
}

/// A tuple of types that an operation's meaning depends on.
pub trait TypeList {
    /// The types, entered into `table`.
    fn list(table: &mut TypeTable) -> Vec<TypeId>;
}

macro_rules! lists {
    ($(($($t:ident),*))*) => { $(
        impl<$($t: DeviceType),*> TypeList for ($($t,)*) {
            fn list(_table: &mut TypeTable) -> Vec<TypeId> {
                vec![$(_table.of::<$t>()),*]
            }
        }
    )* };
}
lists! { () (A) (A, B) (A, B, C) (A, B, C, D) }

/// Stands for `T`, which may be unsized, in a [`TypeList`].
pub struct Of<T: ?Sized>(PhantomData<T>);

// SAFETY: it is described as `T` and no value of it is ever made: it only stands in lists of types.
unsafe impl<T: DeviceType + ?Sized> DeviceType for Of<T> {
    type Record = super::note::Ty<Self>;

    fn describe(table: &mut TypeTable) -> crate::types::Type {
        T::describe(table)
    }
}
