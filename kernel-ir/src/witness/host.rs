//! Functions that have no companion.
//!
//! A witness brings the function that it calls into scope under another name, `use path::f as __host_function1`, and
//! calls `<__host_function1>::on_device` (one for each number of arguments). The `use` brings the type beside a device function along. Where there is none,
//! the name means the type here, of a scope further out, whose `on_device` says what is missing.

use super::operation::Operation;
use super::ret::{Ret, never};

/// What can be called in a kernel.
#[diagnostic::on_unimplemented(
    message = "this is not a device function: a kernel can't call it",
    label = "not a device function",
    note = "put `#[device]` above the function; of other crates, std among them, only what has a device form can be called"
)]
pub trait DeviceFunction {}

/// What `Operation` the call of a host's function is: none that is ever read.
type Nothing = Operation<0, ()>;

/// A function without a companion, called with so many arguments.
pub struct HostFunction<const ARGUMENTS: usize>;

// Written out, since rustc would also print a macro that they came from.
#[rustfmt::skip]
#[allow(missing_docs, clippy::too_many_arguments)]
mod calls {
    use super::*;

    pub trait Call0 { fn on_device<R>() -> Ret<R, Nothing> where Self: DeviceFunction { never() } }
    pub trait Call1 { fn on_device<A, R>(_: A) -> Ret<R, Nothing> where Self: DeviceFunction { never() } }
    pub trait Call2 { fn on_device<A, B, R>(_: A, _: B) -> Ret<R, Nothing> where Self: DeviceFunction { never() } }
    pub trait Call3 { fn on_device<A, B, C, R>(_: A, _: B, _: C) -> Ret<R, Nothing> where Self: DeviceFunction { never() } }
    pub trait Call4 { fn on_device<A, B, C, D, R>(_: A, _: B, _: C, _: D) -> Ret<R, Nothing> where Self: DeviceFunction { never() } }
    pub trait Call5 { fn on_device<A, B, C, D, E, R>(_: A, _: B, _: C, _: D, _: E) -> Ret<R, Nothing> where Self: DeviceFunction { never() } }
    pub trait Call6 { fn on_device<A, B, C, D, E, F, R>(_: A, _: B, _: C, _: D, _: E, _: F) -> Ret<R, Nothing> where Self: DeviceFunction { never() } }
    pub trait Call7 { fn on_device<A, B, C, D, E, F, G, R>(_: A, _: B, _: C, _: D, _: E, _: F, _: G) -> Ret<R, Nothing> where Self: DeviceFunction { never() } }
    pub trait Call8 { fn on_device<A, B, C, D, E, F, G, H, R>(_: A, _: B, _: C, _: D, _: E, _: F, _: G, _: H) -> Ret<R, Nothing> where Self: DeviceFunction { never() } }
    pub trait Call9 { fn on_device<A, B, C, D, E, F, G, H, I, R>(_: A, _: B, _: C, _: D, _: E, _: F, _: G, _: H, _: I) -> Ret<R, Nothing> where Self: DeviceFunction { never() } }
    pub trait Call10 { fn on_device<A, B, C, D, E, F, G, H, I, J, R>(_: A, _: B, _: C, _: D, _: E, _: F, _: G, _: H, _: I, _: J) -> Ret<R, Nothing> where Self: DeviceFunction { never() } }
    pub trait Call11 { fn on_device<A, B, C, D, E, F, G, H, I, J, K, R>(_: A, _: B, _: C, _: D, _: E, _: F, _: G, _: H, _: I, _: J, _: K) -> Ret<R, Nothing> where Self: DeviceFunction { never() } }
    pub trait Call12 { fn on_device<A, B, C, D, E, F, G, H, I, J, K, L, R>(_: A, _: B, _: C, _: D, _: E, _: F, _: G, _: H, _: I, _: J, _: K, _: L) -> Ret<R, Nothing> where Self: DeviceFunction { never() } }
    pub trait Call13 { fn on_device<A, B, C, D, E, F, G, H, I, J, K, L, M, R>(_: A, _: B, _: C, _: D, _: E, _: F, _: G, _: H, _: I, _: J, _: K, _: L, _: M) -> Ret<R, Nothing> where Self: DeviceFunction { never() } }
    pub trait Call14 { fn on_device<A, B, C, D, E, F, G, H, I, J, K, L, M, N, R>(_: A, _: B, _: C, _: D, _: E, _: F, _: G, _: H, _: I, _: J, _: K, _: L, _: M, _: N) -> Ret<R, Nothing> where Self: DeviceFunction { never() } }
    pub trait Call15 { fn on_device<A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, R>(_: A, _: B, _: C, _: D, _: E, _: F, _: G, _: H, _: I, _: J, _: K, _: L, _: M, _: N, _: O) -> Ret<R, Nothing> where Self: DeviceFunction { never() } }
    pub trait Call16 { fn on_device<A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P, R>(_: A, _: B, _: C, _: D, _: E, _: F, _: G, _: H, _: I, _: J, _: K, _: L, _: M, _: N, _: O, _: P) -> Ret<R, Nothing> where Self: DeviceFunction { never() } }

    impl Call0 for HostFunction<0> {}
    impl Call1 for HostFunction<1> {}
    impl Call2 for HostFunction<2> {}
    impl Call3 for HostFunction<3> {}
    impl Call4 for HostFunction<4> {}
    impl Call5 for HostFunction<5> {}
    impl Call6 for HostFunction<6> {}
    impl Call7 for HostFunction<7> {}
    impl Call8 for HostFunction<8> {}
    impl Call9 for HostFunction<9> {}
    impl Call10 for HostFunction<10> {}
    impl Call11 for HostFunction<11> {}
    impl Call12 for HostFunction<12> {}
    impl Call13 for HostFunction<13> {}
    impl Call14 for HostFunction<14> {}
    impl Call15 for HostFunction<15> {}
    impl Call16 for HostFunction<16> {}
}
pub use calls::*;

/// The names that a witness brings what it calls into scope under, one for each number of arguments.
#[allow(missing_docs, non_camel_case_types)]
pub mod names {
    use super::HostFunction;

    pub type __host_function0 = HostFunction<0>;
    pub type __host_function1 = HostFunction<1>;
    pub type __host_function2 = HostFunction<2>;
    pub type __host_function3 = HostFunction<3>;
    pub type __host_function4 = HostFunction<4>;
    pub type __host_function5 = HostFunction<5>;
    pub type __host_function6 = HostFunction<6>;
    pub type __host_function7 = HostFunction<7>;
    pub type __host_function8 = HostFunction<8>;
    pub type __host_function9 = HostFunction<9>;
    pub type __host_function10 = HostFunction<10>;
    pub type __host_function11 = HostFunction<11>;
    pub type __host_function12 = HostFunction<12>;
    pub type __host_function13 = HostFunction<13>;
    pub type __host_function14 = HostFunction<14>;
    pub type __host_function15 = HostFunction<15>;
    pub type __host_function16 = HostFunction<16>;
}
