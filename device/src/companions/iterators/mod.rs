//! Iteration: std's iterators, as device functions on tuples.
//!
//! | iterator | on a device |
//! |---|---|
//! | `Range<T>` and its like | std's own struct |
//! | `RangeInclusive<T>` | `(start, end, exhausted)` |
//! | `slice::Iter`, `IterMut` | the slice (its address), and the numbers of the next element and of the one past the last |
//! | `Map<I, F>` and other adaptors | a tuple of the iterator inside and what the adaptor knows |
//!
//! Tuples, since their types need no description: an adaptor may hold a closure, whose type rustc tells nobody.
//!
//! | module | what |
//! |---|---|
//! | [`ranges`], [`slices`] | what iterators start from |
//! | [`adaptors`] | `map`, `filter`, `zip`, … |
//! | [`consumers`] | `sum`, `fold`, `any`, … |
//! | [`step`] | counting by integers |
//! | [`methods`] | the companions of the methods |

// The host calls std's own. Here std's methods are written out, so clippy's advice to call them would go in circles.
#![allow(
    dead_code,
    clippy::while_let_on_iterator,
    clippy::implicit_saturating_sub,
    clippy::implicit_saturating_add,
    clippy::manual_map,
    clippy::manual_find,
    clippy::manual_filter_map,
    clippy::manual_flatten,
    clippy::redundant_pattern_matching,
    clippy::while_let_loop,
    clippy::question_mark,
    clippy::option_map_unit_fn,
    clippy::mut_from_ref,
    clippy::explicit_counter_loop,
    clippy::range_plus_one
)]

pub mod adaptors;
pub mod consumers;
pub mod methods;
pub mod ranges;
pub mod slices;
pub mod step;

use wavewright_kernel_ir::witness::{Ret, never};

/// The same callee, whose result has std's type rather than that of the tuple behind it.
fn seen_as<R, Q, M>(_: Ret<Q, M>) -> Ret<R, M> {
    never()
}

/// What iterators are in device form: `Next` and `Nth`.
macro_rules! iterators {
    ($([$($bounds:tt)*] $iterator:ty: $next:ty, $nth:ty;)*) => { $(
        impl<$($bounds)*> $crate::companions::ops::Iterator for $iterator {
            type Next = $next;
            type Nth = $nth;
        }
    )* };
}
use iterators;

/// Which of them go from the end, too: `NextBack`.
macro_rules! from_the_end {
    ($([$($bounds:tt)*] $iterator:ty: $next_back:ty;)*) => { $(
        impl<$($bounds)*> $crate::companions::ops::DoubleEndedIterator for $iterator {
            type NextBack = $next_back;
        }
    )* };
}
use from_the_end;

/// Which of them know how long they are: `Len`.
macro_rules! of_known_length {
    ($([$($bounds:tt)*] $iterator:ty: $len:ty;)*) => { $(
        impl<$($bounds)*> $crate::companions::ops::ExactSizeIterator for $iterator {
            type Len = $len;
        }
    )* };
}
use of_known_length;

/// Names for instances: a type that is described as the instance of a function with these arguments.
macro_rules! instances {
    ($($name:ident<$($parameter:ident),* $(; const $length:ident)?> [$($bounds:tt)*] = $function:ident [$($argument:ty),*] ($($value:ident),*);)*) => { $(
        #[doc = concat!("The instance of `", stringify!($function), "`.")]
        pub struct $name<$($parameter),* $(, const $length: usize)?>(std::marker::PhantomData<($($parameter,)*)>);

        impl<$($bounds)*> wavewright_kernel_ir::witness::DeviceFn for $name<$($parameter),* $(, $length)?> {
            fn describe(sink: &mut wavewright_kernel_ir::witness::Sink) {
                fn of<$($value,)* R, M: wavewright_kernel_ir::witness::DeviceFn>(
                    sink: &mut wavewright_kernel_ir::witness::Sink,
                    _: impl Fn($($value),*) -> wavewright_kernel_ir::witness::Ret<R, M>,
                ) {
                    M::describe(sink);
                }
                of(sink, <$function>::on_device::<$($argument),*>);
            }
        }
    )* };
}
use instances;
