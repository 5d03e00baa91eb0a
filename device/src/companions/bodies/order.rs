//! Methods of `Ord`.

use crate::companions::ops;
use std::marker::PhantomData;
use wavewright_kernel_ir::witness::{DeviceFn, Ret, Sink};
use wavewright_kernel_macro::device;

#[device]
#[track_caller]
pub fn clamp<T: ops::Ord + Copy>(x: T, low: T, high: T) -> T {
    if low > high {
        panic!("min > max");
    }
    if x < low {
        low
    } else if x > high {
        high
    } else {
        x
    }
}

/// The instance of [`clamp`] for `T`, with a name.
pub struct Clamp<T>(PhantomData<T>);

impl<T: ops::Ord + Copy> DeviceFn for Clamp<T> {
    fn describe(sink: &mut Sink) {
        fn of<T, M: DeviceFn>(sink: &mut Sink, _: impl Fn(T, T, T) -> Ret<T, M>) {
            M::describe(sink);
        }
        of(sink, <clamp>::on_device::<T>);
    }
}
