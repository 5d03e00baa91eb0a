//! Runs a kernel on every device, and plain Rust beside it.

use std::fmt::Debug;
use std::sync::{PoisonError, RwLock, RwLockWriteGuard};
use wavewright::prelude::*;

/// Whether two results are the same value: of floats the same bits, but any NaN is as good as another.
pub trait Same {
    fn same(&self, other: &Self) -> bool;
}

macro_rules! same_by_eq {
    ($($t:ty)*) => { $(
        impl Same for $t {
            fn same(&self, other: &Self) -> bool { self == other }
        }
    )* };
}
same_by_eq! { () bool char i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize }

macro_rules! same_by_bits {
    ($($t:ty)*) => { $(
        impl Same for $t {
            fn same(&self, other: &Self) -> bool {
                self.to_bits() == other.to_bits() || self.is_nan() && other.is_nan()
            }
        }
    )* };
}
same_by_bits! { f32 f64 }

impl<T: Same, const N: usize> Same for [T; N] {
    fn same(&self, other: &Self) -> bool {
        self.iter().zip(other).all(|(a, b)| a.same(b))
    }
}

macro_rules! same_tuples {
    ($(($($t:ident $n:tt),*))*) => { $(
        impl<$($t: Same),*> Same for ($($t,)*) {
            fn same(&self, other: &Self) -> bool { $(self.$n.same(&other.$n))&&* }
        }
    )* };
}
same_tuples! { (A 0) (A 0, B 1) (A 0, B 1, C 2) (A 0, B 1, C 2, D 3) (A 0, B 1, C 2, D 3, E 4) }

/// What may go into a buffer and be compared.
pub trait Data: Copy + DeviceType + Debug {}
impl<T: Copy + DeviceType + Debug> Data for T {}

type Unary<A, O> = for<'l> fn(&'l Buffer<A>, &'l mut Buffer<O>) -> Launch<'l>;
type Binary<A, B, O> = for<'l> fn(&'l Buffer<A>, &'l Buffer<B>, &'l mut Buffer<O>) -> Launch<'l>;
type Whole<A, O> = for<'l> fn(&'l Buffer<A>, &'l mut Buffer<O>) -> UnsafeLaunch<'l>;

/// A kernel of one input and one output an element, on each input.
#[track_caller]
pub fn each<A: Data, O: Data + Same>(kernel: Unary<A, O>, rust: impl Fn(&A, &mut O), inputs: &[A], blank: O) {
    let expected: Vec<O> = inputs.iter().map(|input| filled(blank, |out| rust(input, out))).collect();
    for device in Device::list() {
        let found = run(&device, || {
            let input = device.buffer_from(inputs)?;
            let mut output = device.buffer_from(&vec![blank; inputs.len()])?;
            kernel(&input, &mut output).launch(&device)?;
            output.to_vec()
        });
        compare(&device, inputs, &expected, &found);
    }
}

/// A kernel of two inputs and one output an element, on every pair of an `a` and a `b` that `fits`.
#[track_caller]
pub fn pairs<A: Data, B: Data, O: Data + Same>(
    kernel: Binary<A, B, O>,
    rust: impl Fn(&A, &B, &mut O),
    (a, b): (&[A], &[B]),
    fits: impl Fn(A, B) -> bool,
    blank: O,
) {
    let inputs: Vec<(A, B)> =
        a.iter().flat_map(|a| b.iter().map(move |b| (*a, *b))).filter(|(a, b)| fits(*a, *b)).collect();
    let (left, right): (Vec<A>, Vec<B>) = inputs.iter().copied().unzip();
    let expected: Vec<O> = inputs.iter().map(|(a, b)| filled(blank, |out| rust(a, b, out))).collect();
    for device in Device::list() {
        let found = run(&device, || {
            let (left, right) = (device.buffer_from(&left)?, device.buffer_from(&right)?);
            let mut output = device.buffer_from(&vec![blank; inputs.len()])?;
            kernel(&left, &right, &mut output).launch(&device)?;
            output.to_vec()
        });
        compare(&device, &inputs, &expected, &found);
    }
}

/// A kernel that one thread runs over whole slices.
#[track_caller]
pub fn once<A: Data, O: Data + Same>(
    kernel: Whole<A, O>,
    rust: impl Fn(&[A], &mut [O]),
    input: &[A],
    blank: &[O],
) {
    let mut expected = blank.to_vec();
    rust(input, &mut expected);
    for device in Device::list() {
        let found = run(&device, || {
            let input = device.buffer_from(input)?;
            let mut output = device.buffer_from(blank)?;
            // SAFETY: there is one thread.
            unsafe { kernel(&input, &mut output).grid(1).block(1).launch(&device)? };
            output.to_vec()
        });
        let numbers: Vec<usize> = (0..expected.len()).collect();
        compare(&device, &numbers, &expected, &found);
    }
}

fn filled<O>(mut blank: O, fill: impl FnOnce(&mut O)) -> O {
    fill(&mut blank);
    blank
}

/// A device belongs to the whole process, and whoever waits for it next hears of a panic: tests that provoke one have
/// the devices to themselves.
static DEVICES: RwLock<()> = RwLock::new(());

/// Keeps the other tests off the devices while the guard lives.
pub fn devices_alone() -> RwLockWriteGuard<'static, ()> {
    DEVICES.write().unwrap_or_else(PoisonError::into_inner)
}

#[track_caller]
fn run<O>(device: &Device, run: impl FnOnce() -> Result<Vec<O>, Error>) -> Vec<O> {
    let _shared = DEVICES.read().unwrap_or_else(PoisonError::into_inner);
    run().unwrap_or_else(|error| panic!("on {}: {error}", device.name()))
}

#[track_caller]
fn compare<I: Debug, O: Debug + Same>(device: &Device, inputs: &[I], expected: &[O], found: &[O]) {
    assert_eq!(expected.len(), found.len());
    for ((input, expected), found) in inputs.iter().zip(expected).zip(found) {
        assert!(
            expected.same(found),
            "on {} for {input:?}: {found:?}, but Rust says {expected:?}",
            device.name()
        );
    }
}
