//! Types of std that devices know.

use super::{
    Aggregate, AggregateKind, DeviceType, Field, Type, TypeTable, VariantShape, enumeration, structure,
};
use crate::witness::Ty;
use std::cmp::Ordering;
use std::convert::Infallible;
use std::marker::PhantomData;
use std::num::{NonZero, Saturating, Wrapping};
use std::ops::{ControlFlow, Range, RangeFrom, RangeFull, RangeInclusive, RangeTo, RangeToInclusive};
use std::slice;

// SAFETY: it has no bytes.
unsafe impl<T: ?Sized> DeviceType for PhantomData<T> {
    type Record = Ty<Self>;
    fn describe(_: &mut TypeTable) -> Type {
        structure::<Self>(std::any::type_name::<Self>(), &[], &[])
    }
}
// SAFETY: `Infallible`, which has no values, stands for `!`.
unsafe impl DeviceType for Infallible {
    type Record = Ty<Self>;
    fn describe(_: &mut TypeTable) -> Type {
        Type::Never
    }
}

macro_rules! structs {
    ($($name:ident<T> { $($field:tt)* };)*) => { $(
        // SAFETY: size, alignment and offsets are asked of rustc.
        unsafe impl<T: DeviceType> DeviceType for $name<T> {
            type Record = Ty<Self>;
            fn describe(table: &mut TypeTable) -> Type {
                let ty = table.of::<T>();
                let fields = [$((stringify!($field), ty, std::mem::offset_of!(Self, $field))),*];
                structure::<Self>(stringify!($name), &[table.name(ty)], &fields)
            }
        }
    )* };
}
structs! {
    Range<T> { start end };
    RangeFrom<T> { start };
    RangeTo<T> { end };
    RangeToInclusive<T> { end };
    Wrapping<T> { 0 };
    Saturating<T> { 0 };
}
// SAFETY: it has no bytes.
unsafe impl DeviceType for RangeFull {
    type Record = Ty<Self>;
    fn describe(_: &mut TypeTable) -> Type {
        structure::<Self>("RangeFull", &[], &[])
    }
}

macro_rules! non_zero {
    ($($t:ty)*) => { $(
        // SAFETY: "guaranteed to have the same layout and bit validity as" the integer, 0 left out (docs of `NonZero`).
        unsafe impl DeviceType for NonZero<$t> {
            type Record = Ty<Self>;
            fn describe(table: &mut TypeTable) -> Type {
                Type::Aggregate(Aggregate {
                    kind: AggregateKind::NonZero,
                    name: concat!("NonZero<", stringify!($t), ">").into(),
                    fields: vec![Field { name: "0".into(), ty: table.of::<$t>(), offset: 0 }],
                    size: size_of::<Self>() as u64,
                    align: align_of::<Self>() as u64,
                })
            }
        }
    )* };
}
non_zero! { i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize }

/// Types with private fields, as devices have them: as tuples. What they hold never leaves a device.
macro_rules! tuples {
    ($($(#[$comment:meta])* $name:ty [$($t:tt)*] = $tuple:ty;)*) => { $(
        // SAFETY: values of the type are made by device functions only, which make the tuple: the type holds references, or
        // is not `Copy`, so none comes from the host.
        unsafe impl<$($t)*> DeviceType for $name {
            type Record = Ty<Self>;
            fn describe(table: &mut TypeTable) -> Type {
                <$tuple>::describe(table)
            }
        }
    )* };
}
tuples! {
    RangeInclusive<T> [T: DeviceType] = (T, T, bool);
    slice::Iter<'a, T> ['a, T: DeviceType] = (&'a [T], usize, usize);
    slice::IterMut<'a, T> ['a, T: DeviceType] = (*mut T, usize, usize);
    slice::Chunks<'a, T> ['a, T: DeviceType] = (&'a [T], usize);
    slice::ChunksExact<'a, T> ['a, T: DeviceType] = (&'a [T], usize);
    slice::Windows<'a, T> ['a, T: DeviceType] = (&'a [T], usize);
}

/// The shape of a variant of one of std's enums.
macro_rules! shape {
    ($table:ident, $variant:ident) => {
        VariantShape {
            name: stringify!($variant),
            fields: Vec::new(),
            make: |_| Self::$variant,
            fields_of: |_| Vec::new(),
        }
    };
    ($table:ident, $variant:ident($t:ty)) => {
        VariantShape {
            name: stringify!($variant),
            fields: vec![("0", $table.of::<$t>())],
            make: |samples| Self::$variant(samples.take()),
            fields_of: |value| match value {
                Self::$variant(field) => vec![std::ptr::from_ref(field).cast()],
                _ => Vec::new(),
            },
        }
    };
}

macro_rules! enums {
    ($($name:ident $(<$($t:ident),*>)? { $($variant:ident $(($field:ty))?),* } $($numbers:expr)?;)*) => { $(
        // SAFETY: the layout is read from values that rustc laid out.
        unsafe impl$(<$($t: DeviceType),*>)? DeviceType for $name$(<$($t),*>)? {
            type Record = Ty<Self>;
            fn describe(table: &mut TypeTable) -> Type {
                let arguments: &[String] = &[$($(table.name_of::<$t>()),*)?];
                let shapes = [$(shape!(table, $variant $(($field))?)),*];
                enumeration::<Self>(table, stringify!($name), arguments, enums!(@repr $($numbers)?), enums!(@numbers $($numbers)?), &shapes)
            }
        }
    )* };
    (@repr $numbers:expr) => { Some(crate::scalar::Scalar::I8) };
    (@repr) => { None };
    (@numbers $numbers:expr) => { Some($numbers) };
    (@numbers) => { None };
}
enums! {
    Option<T> { None, Some(T) };
    Result<T, E> { Ok(T), Err(E) };
    ControlFlow<B, C> { Continue(C), Break(B) };
    // `#[repr(i8)]`, says its docs.
    Ordering { Less, Equal, Greater } &[-1, 0, 1];
}
