//! The parameters of a function, read from its witness.

use super::note::Collect;
use super::sink::Sink;
use crate::types::DeviceType;

/// What kind of parameter one of type `A` is.
pub trait ParamKind<A> {
    /// Records the parameter's type, if it has one to record.
    fn record(sink: &mut Sink);
}

/// A parameter with a type that devices know.
pub struct Data;
impl<A: DeviceType> ParamKind<A> for Data {
    fn record(sink: &mut Sink) {
        sink.ty::<A>();
    }
}

/// A parameter that holds a closure: its type is that of the argument.
pub struct Untyped;
impl<A> ParamKind<A> for Untyped {
    fn record(_: &mut Sink) {}
}

/// A witness, as a function item: `K` is a tuple of [`ParamKind`]s, `A` the tuple of the parameters' types.
pub trait Witness<K, A> {
    /// Hands over the types of the parameters, then the notes of the body.
    fn records(sink: &mut Sink);
}

macro_rules! witnesses {
    ($(($($k:ident $a:ident),*))*) => { $(
        impl<F, W, $($k, $a),*> Witness<($($k,)*), ($($a,)*)> for F
        where
            F: Fn($($a),*) -> W,
            W: Collect,
            $($k: ParamKind<$a>),*
        {
            fn records(sink: &mut Sink) {
                $($k::record(sink);)*
                W::collect(sink);
            }
        }
    )* };
}
witnesses! {
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
}
