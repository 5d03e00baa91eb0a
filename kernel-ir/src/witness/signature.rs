//! The parameters and the result of a function, read from its witness.

use super::sink::Sink;
use crate::types::DeviceType;

/// What kind of parameter or result one of type `A` is.
#[diagnostic::on_unimplemented(
    message = "`{A}` can't be used in a kernel",
    label = "a parameter or result is no device type",
    note = "heap types, trait objects and types without `#[derive(DeviceType)]` stay on the host"
)]
pub trait Kind<A> {
    /// Records its type, if it has one to record.
    fn record(sink: &mut Sink);
}

/// One with a type that devices know.
pub struct Data;
impl<A: DeviceType> Kind<A> for Data {
    fn record(sink: &mut Sink) {
        sink.ty::<A>();
    }
}

/// One that holds a closure, or is `!`: its type is that of the value.
pub struct Untyped;
impl<A> Kind<A> for Untyped {
    fn record(_: &mut Sink) {}
}

/// The closure that holds a witness's body. `K` is a tuple of [`Kind`]s, `A` the tuple of the types: the result, then
/// the parameters.
pub trait Signature<K, A> {
    /// Records the types of the parameters, then that of the result.
    fn record(sink: &mut Sink);
}

macro_rules! signatures {
    ($(($($k:ident $a:ident),*))*) => { $(
        impl<F, KR: Kind<R>, R, $($k, $a),*> Signature<(KR, $($k,)*), (R, $($a,)*)> for F
        where
            F: FnOnce($($a),*) -> R,
            $($k: Kind<$a>),*
        {
            fn record(sink: &mut Sink) {
                $($k::record(sink);)*
                KR::record(sink);
            }
        }
    )* };
}
signatures! {
    ()
    (K0 A0)
    (K0 A0, K1 A1)
    (K0 A0, K1 A1, K2 A2)
    (K0 A0, K1 A1, K2 A2, K3 A3)
    (K0 A0, K1 A1, K2 A2, K3 A3, K4 A4)
    (K0 A0, K1 A1, K2 A2, K3 A3, K4 A4, K5 A5)
    (K0 A0, K1 A1, K2 A2, K3 A3, K4 A4, K5 A5, K6 A6)
    (K0 A0, K1 A1, K2 A2, K3 A3, K4 A4, K5 A5, K6 A6, K7 A7)
    (K0 A0, K1 A1, K2 A2, K3 A3, K4 A4, K5 A5, K6 A6, K7 A7, K8 A8)
    (K0 A0, K1 A1, K2 A2, K3 A3, K4 A4, K5 A5, K6 A6, K7 A7, K8 A8, K9 A9)
    (K0 A0, K1 A1, K2 A2, K3 A3, K4 A4, K5 A5, K6 A6, K7 A7, K8 A8, K9 A9, K10 A10)
    (K0 A0, K1 A1, K2 A2, K3 A3, K4 A4, K5 A5, K6 A6, K7 A7, K8 A8, K9 A9, K10 A10, K11 A11)
    (K0 A0, K1 A1, K2 A2, K3 A3, K4 A4, K5 A5, K6 A6, K7 A7, K8 A8, K9 A9, K10 A10, K11 A11, K12 A12)
    (K0 A0, K1 A1, K2 A2, K3 A3, K4 A4, K5 A5, K6 A6, K7 A7, K8 A8, K9 A9, K10 A10, K11 A11, K12 A12, K13 A13)
    (K0 A0, K1 A1, K2 A2, K3 A3, K4 A4, K5 A5, K6 A6, K7 A7, K8 A8, K9 A9, K10 A10, K11 A11, K12 A12, K13 A13, K14 A14)
    (K0 A0, K1 A1, K2 A2, K3 A3, K4 A4, K5 A5, K6 A6, K7 A7, K8 A8, K9 A9, K10 A10, K11 A11, K12 A12, K13 A13, K14 A14, K15 A15)
}
