//! How rustc's answers get out of a function that never runs.
//!
//! `#[kernel]` and `#[device]` emit, beside a function as its author wrote it, a **witness**: the same body again, in a
//! closure, in which the few places whose type, callee or value only rustc knows hold a *note*, and in which each call
//! goes to the callee's **companion** instead. rustc checks the witness; [`DeviceFn::describe`], in which it stands,
//! reads the types that it inferred for the notes. No witness is ever called, and its body stands behind a call of
//! `__stop`, which returns a type without values: rustc checks the types of what follows but leaves it out of the
//! compiled function, so the borrow checker never sees it and notes disturb neither borrows nor moves. The function as
//! written is the one that is borrow-checked, and that runs on the host. [`instances`] walks over all that a kernel
//! calls.
//!
//! # Companions
//!
//! A companion stands where rustc finds the function itself, has the function's own signature, and returns [`Ret`]: the
//! function's result type, and a type that implements [`DeviceFn`] and stands for this instance of the function.
//! Companions are never called either; their body is [`never()`].
//!
//! | the call | in a witness |
//! |---|---|
//! | `path::f::<T>(a)` | `({ use path::f as __host_function1; <__host_function1>::on_device::<T> })(a).ret(w)` |
//! | `x.m(a)` | `x.m__on_device(a).ret(w)` |
//! | `Type::m(a)`, `<T as Trait>::m(a)` | `Type::m__on_device(a).ret(w)`, `<T as Trait>::m__on_device(a).ret(w)` |
//! | `a + b`, `a += b`, `-a`, `a < b` | the same, and a note whose bound finds the operator's device form |
//!
//! - Beside a free function `f` stands a *type* `f` (functions and types have separate namespaces, so one `use` brings
//!   both, under any name) with an associated function `on_device`. Unsafe functions have unsafe companions. A function
//!   that is not `#[device]` has no type beside it: then the name that the `use` gives means [`HostFunction`], whose
//!   `on_device` is an error that says so.
//! - Beside a method `m`, in the same `impl` or `trait`, stands a method `m__on_device`.
//! - A function of the device or of std has no body but a [`Builtin`](crate::builtin::Builtin); its companion returns
//!   an [`Operation`], which names it together with the types that its meaning depends on:
//!
//! ```
//! # #![allow(non_snake_case, non_camel_case_types)]
//! use wavewright_kernel_ir::{builtin::Builtin, types::DeviceType};
//! use wavewright_kernel_ir::witness::{Operation, Ret, never};
//!
//! // A free function of the device.
//! pub fn global_x() -> usize { 0 }
//! pub struct global_x {}
//! impl global_x {
//!     pub fn on_device() -> Ret<usize, Operation<{ Builtin::GlobalX as u16 }, ()>> { never() }
//! }
//!
//! // A method of std: a trait with the same receiver, brought into scope inside every witness.
//! pub trait FloatMethods: DeviceType + Sized {
//!     fn sqrt__on_device(self) -> Ret<Self, Operation<{ Builtin::Sqrt as u16 }, (Self,)>> { never() }
//! }
//! impl FloatMethods for f32 {}
//! impl FloatMethods for f64 {}
//!
//! // `[T]` as a type that an operation depends on is written `Of<[T]>`, since a tuple holds no unsized type.
//! ```
//!
//! - Companions of std's methods are traits of the `device` crate. They take `self`, `&self` or `&mut self` exactly as
//!   std does, so that method look-up finds them where it would find std's. A user's own *trait* method must lose to
//!   std's inherent one, as in plain Rust: the companion of a by-value trait method whose name is in [`STD_METHODS`]
//!   takes `&self`, which rustc tries later.
//! - The device form of an operator is a trait of std's name in the module `ops` of `::wavewright::__private`, whose
//!   associated type says what the operator means. `#[device] impl Add for V` implements it for `V`; the primitive types
//!   (and references to them, where std has the operator for those) have theirs from the `device` crate; a bound
//!   `T: Add<Output = T>` of a device function brings the device form along in its witness:
//!
//! ```
//! # use wavewright_kernel_ir::{builtin::Builtin, types::DeviceType, witness::{DeviceFn, Operation}};
//! pub trait Add<R = Self>: core::ops::Add<R> + DeviceType + Sized {
//!     type Def: DeviceFn;
//! }
//! impl Add<f32> for f32 {
//!     type Def = Operation<{ Builtin::Add as u16 }, (f32, f32)>;
//! }
//! impl Add<&f32> for f32 {
//!     type Def = Operation<{ Builtin::Add as u16 }, (f32, f32)>;
//! }
//! ```
//!
//!   So are `Neg` and `Not`, the `AddAssign` family, `PartialEq<R: ?Sized>` and `PartialOrd<R: ?Sized>`, `Clone`,
//!   `Default` and `From<A>`; `Ord`, `Eq` and `Into<T>` are there for bounds. Each has the supertraits that std's trait
//!   has, so `T: Ord` brings `==` and `<` along. A `Copy` type has `Clone` by itself (a copy), so that `#[device]` on a
//!   type with `#[derive(Clone, Copy)]` implements none.
//! - A path that names a method of one of std's traits by the trait (`Default::default()`, `Add::add(a, b)`,
//!   `<T as From<u8>>::from(x)`) is looked up in the module `traits` of `::wavewright::__private`, which has a trait of the
//!   same name with the companions: `<T as traits::From<u8>>::from__on_device(x)`.
//!
//! - The note of an operator stands round the operation: `__Add::of(note, &a, &b, a + b)`, `__AddAssign::of(note, &mut a, &b, a += b)`,
//!   `__Neg::of(note, &a, -a)`, `__PartialEq` (for `==` and `!=`), `__PartialOrd` (for `<` and its like) and so on. These are
//!   functions of traits of the device crate, in `::wavewright::__private::scope`.
//!
//! The modules `methods` (std's methods; brought into scope as a whole: traits without names, so that they hide nothing),
//! `ops` and `traits`, and the notes of operators, are all that generated code expects of the `device` crate.

mod apart;
mod constant;
mod host;
mod note;
mod operation;
mod ret;
mod returned;
mod signature;
mod sink;
mod std_methods;

pub use host::{DeviceFunction, HostFunction};
pub use note::{Callee, Collect, Konst, Note, Record, Ty, TypeRecord};
pub use operation::{Of, Operation, TypeList};
pub use ret::{Ret, RetNever, like, never};
pub use signature::{Data, Kind, Signature, Untyped};
pub use sink::{Describe, DeviceFn, Sink, instances};
pub use std_methods::STD_METHODS;

/// What a witness brings into scope. Every name starts with `__`, so that it hides none of the user's.
pub mod scope {
    pub use super::apart::{__Apart, __apart};
    pub use super::host::names::*;
    pub use super::host::{
        Call0 as _, Call1 as _, Call2 as _, Call3 as _, Call4 as _, Call5 as _, Call6 as _, Call7 as _,
        Call8 as _, Call9 as _, Call10 as _, Call11 as _, Call12 as _, Call13 as _, Call14 as _, Call15 as _,
        Call16 as _,
    };
    pub use super::note::{
        __konst, __lit, __open1, __open2, __open3, __open4, __open5, __open6, __open7, __open8, __open9,
        __open10, __open11, __open12, __open13, __open14, __open15, __open16, __panic, __returned, __shared,
        __stop, __ty,
    };
    pub use super::ret::never as __never;
    pub use super::returned::*;
    pub use super::signature::{Data as __Data, Untyped as __Untyped};
    pub use std::marker::PhantomData as __NOTES;
}
