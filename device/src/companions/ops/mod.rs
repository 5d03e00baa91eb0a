//! The device forms of std's operators and traits: for each a trait of the same name, whose associated type says which
//! instance of a device function the operator means.
//!
//! The primitive types have theirs here. `#[device]` on an `impl` of std's trait implements the device form, too; a
//! bound `T: Add<Output = T>` of a device function brings the device form along under the same name. Where std has a
//! supertrait, so has the device form: `T: Ord` is enough for `a == b`.
//!
//! A `Copy` type has the device form of `Clone` by itself: a clone of it is a copy.

mod arithmetic;
mod comparison;
mod conversion;
mod iteration;
mod shift;

pub use iteration::{DoubleEndedIterator, ExactSizeIterator, IntoIterator, Iterator};
use wavewright_kernel_ir::types::DeviceType;
use wavewright_kernel_ir::witness::DeviceFn;

/// An operation of the table of builtins, by its name, on some types.
macro_rules! operation {
    ($builtin:ident: $($types:ty),*) => {
        wavewright_kernel_ir::witness::Operation<
            { wavewright_kernel_ir::builtin::Builtin::$builtin as u16 },
            ($($types,)*),
        >
    };
}
pub(crate) use operation;

macro_rules! operators {
    ($($trait:ident, $message:literal;)*) => { $(
        #[doc = concat!("What `core::ops::", stringify!($trait), "` means on the device.")]
        #[diagnostic::on_unimplemented(
            message = $message,
            label = "this operator is not `#[device]`",
            note = "put `#[device]` on the `impl` of the operator; in a generic function write the bound by the trait's own name"
        )]
        pub trait $trait<R = Self>: core::ops::$trait<R> + DeviceType + Sized {
            /// The instance that the operator calls.
            type Def: DeviceFn;
        }
    )* };
}
operators! {
    Add, "`{Self} + {R}` has no device form";
    Sub, "`{Self} - {R}` has no device form";
    Mul, "`{Self} * {R}` has no device form";
    Div, "`{Self} / {R}` has no device form";
    Rem, "`{Self} % {R}` has no device form";
    BitAnd, "`{Self} & {R}` has no device form";
    BitOr, "`{Self} | {R}` has no device form";
    BitXor, "`{Self} ^ {R}` has no device form";
    Shl, "`{Self} << {R}` has no device form";
    Shr, "`{Self} >> {R}` has no device form";
    AddAssign, "`{Self} += {R}` has no device form";
    SubAssign, "`{Self} -= {R}` has no device form";
    MulAssign, "`{Self} *= {R}` has no device form";
    DivAssign, "`{Self} /= {R}` has no device form";
    RemAssign, "`{Self} %= {R}` has no device form";
    BitAndAssign, "`{Self} &= {R}` has no device form";
    BitOrAssign, "`{Self} |= {R}` has no device form";
    BitXorAssign, "`{Self} ^= {R}` has no device form";
    ShlAssign, "`{Self} <<= {R}` has no device form";
    ShrAssign, "`{Self} >>= {R}` has no device form";
}

macro_rules! unary_operators {
    ($($trait:ident, $message:literal;)*) => { $(
        #[doc = concat!("What `core::ops::", stringify!($trait), "` means on the device.")]
        #[diagnostic::on_unimplemented(
            message = $message,
            label = "this operator is not `#[device]`",
            note = "put `#[device]` on the `impl` of the operator; in a generic function write the bound by the trait's own name"
        )]
        pub trait $trait: core::ops::$trait + DeviceType + Sized {
            /// The instance that the operator calls.
            type Def: DeviceFn;
        }
    )* };
}
unary_operators! {
    Neg, "`-{Self}` has no device form";
    Not, "`!{Self}` has no device form";
}

/// What `==` and `!=` mean on the device.
#[diagnostic::on_unimplemented(
    message = "`{Self} == {R}` has no device form",
    label = "this comparison is not `#[device]`",
    note = "put `#[device]` on an `impl PartialEq`, written out in place of a `#[derive]`; in a generic function write the bound by the trait's own name"
)]
pub trait PartialEq<R: ?Sized = Self>: core::cmp::PartialEq<R> {
    /// The instance of `eq`.
    type Def: DeviceFn;
}

/// What `<`, `<=`, `>` and `>=` mean on the device.
#[diagnostic::on_unimplemented(
    message = "`{Self} < {R}` has no device form",
    label = "this comparison is not `#[device]`",
    note = "put `#[device]` on an `impl PartialOrd`, written out in place of a `#[derive]`; in a generic function write the bound by the trait's own name"
)]
pub trait PartialOrd<R: ?Sized = Self>: PartialEq<R> + core::cmp::PartialOrd<R> {
    /// The instance of `partial_cmp`.
    type Def: DeviceFn;
}

/// The bound `Eq`.
#[diagnostic::on_unimplemented(
    message = "`{Self} == {Self}` has no device form",
    label = "this type has no `Eq` on the device",
    note = "put `#[device]` on an `impl PartialEq`, written out in place of a `#[derive]`"
)]
pub trait Eq: PartialEq + core::cmp::Eq {}
impl<T: PartialEq + core::cmp::Eq + ?Sized> Eq for T {}

/// What the methods of `Ord` mean on the device.
#[diagnostic::on_unimplemented(
    message = "`Ord` of `{Self}` has no device form",
    label = "only primitive types have `Ord` on the device",
    note = "in a generic function write the bound by the trait's own name"
)]
pub trait Ord: Eq + PartialOrd + core::cmp::Ord + DeviceType + Sized {
    /// The instance of `min`.
    type Min: DeviceFn;
    /// The instance of `max`.
    type Max: DeviceFn;
    /// The instance of `clamp`.
    type Clamp: DeviceFn;
}

/// What `clone()` means on the device.
#[diagnostic::on_unimplemented(
    message = "`{Self}::clone()` has no device form",
    label = "this `clone` is not `#[device]`",
    note = "put `#[device]` on an `impl Clone`, written out in place of a `#[derive]`; in a generic function write the bound by the trait's own name"
)]
pub trait Clone: core::clone::Clone + DeviceType + Sized {
    /// The instance of `clone`.
    type Def: DeviceFn;
}

/// What `Default::default()` means on the device.
#[diagnostic::on_unimplemented(
    message = "`{Self}::default()` has no device form",
    label = "this `default` is not `#[device]`",
    note = "put `#[device]` on an `impl Default`, written out in place of a `#[derive]`; in a generic function write the bound by the trait's own name"
)]
pub trait Default: core::default::Default + DeviceType + Sized {
    /// The instance of `default`.
    type Def: DeviceFn;
}

/// What `From::from` means on the device.
#[diagnostic::on_unimplemented(
    message = "`{Self}::from({A})` has no device form",
    label = "this conversion is not `#[device]`",
    note = "put `#[device]` on the `impl From`; in a generic function write the bound by the trait's own name"
)]
pub trait From<A>: core::convert::From<A> + DeviceType + Sized {
    /// The instance of `from`.
    type Def: DeviceFn;
}

/// What `into()` means on the device: the `From` of its target, as in std.
#[diagnostic::on_unimplemented(
    message = "`{Self}` into `{T}` has no device form",
    label = "this conversion is not `#[device]`",
    note = "put `#[device]` on the `impl From`; in a generic function write the bound by the trait's own name"
)]
pub trait Into<T>: core::convert::Into<T> + DeviceType + Sized {
    /// The instance of `from`.
    type Def: DeviceFn;
}
impl<A: DeviceType, T: From<A>> Into<T> for A {
    type Def = T::Def;
}
