//! A panic is reported where rustc's own would be: message, file, line and column, also from the methods of std and from
//! functions with `#[track_caller]`. rustc says where, in a run of the same kernel on the host.

use crate::harness::devices_alone;
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Once;
use wavewright::prelude::*;

/// What a panic says, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Report {
    message: String,
    file: String,
    line: u32,
    column: u32,
}

thread_local! {
    /// The panic of the run that this thread watches.
    static SEEN: RefCell<Option<Option<Report>>> = const { RefCell::new(None) };
}

/// What std reports of the panic that `run` makes.
fn natively(run: impl FnOnce()) -> Report {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            let watched = SEEN.with_borrow_mut(|seen| {
                let Some(seen) = seen else { return false };
                let place = info.location().expect("a panic has a place");
                *seen = Some(Report {
                    message: info.payload_as_str().unwrap_or_default().into(),
                    file: place.file().into(),
                    line: place.line(),
                    column: place.column(),
                });
                true
            });
            if !watched {
                before(info);
            }
        }));
    });
    SEEN.set(Some(None));
    let ended = catch_unwind(AssertUnwindSafe(run));
    let seen = SEEN.take().flatten();
    assert!(ended.is_err(), "plain Rust does not panic");
    seen.expect("the hook has seen the panic")
}

type Kernel<T> = for<'l> fn(&'l Buffer<T>, &'l Buffer<T>, &'l mut Buffer<T>) -> Launch<'l>;

/// The reports of a kernel's panic for these arguments: std's, and that of every device.
#[track_caller]
fn reports<T: Copy + Default + DeviceType>(
    kernel: Kernel<T>,
    rust: fn(&T, &T, &mut T),
    a: T,
    b: T,
) -> (Report, Report) {
    let native = natively(|| rust(&a, &b, &mut T::default()));
    let _alone = devices_alone();
    let mut found = Vec::new();
    for device in Device::list() {
        let run = || {
            let (a, b) = (device.buffer_from(&[a])?, device.buffer_from(&[b])?);
            let mut out = device.buffer_from(&[T::default()])?;
            kernel(&a, &b, &mut out).launch(&device)?;
            out.to_vec()
        };
        match run() {
            Err(Error::Panic { message, file, line, column, .. }) => {
                found.push(Report { message, file, line, column });
            }
            Err(other) => panic!("on {}: {other}", device.name()),
            Ok(_) => panic!("on {}: no panic, but {native:?} in plain Rust", device.name()),
        }
    }
    found.dedup();
    assert_eq!(found.len(), 1, "devices disagree: {found:?}");
    (native, found.remove(0))
}

/// The panic is the same, in every respect.
#[track_caller]
fn same<T: Copy + Default + DeviceType>(kernel: Kernel<T>, rust: fn(&T, &T, &mut T), a: T, b: T) {
    let (native, device) = reports(kernel, rust, a, b);
    assert_eq!(device, native);
}

/// A method of std, called as in `call`. Where std reports itself and not its caller, the place is the method's name all
/// the same; where the message has values in it, which kernels can't write, it ends before them.
#[track_caller]
fn of_std<T: Copy + Default + DeviceType>(
    kernel: Kernel<T>,
    rust: fn(&T, &T, &mut T),
    (a, b): (T, T),
    call: &str,
) {
    let (native, device) = reports(kernel, rust, a, b);
    assert!(native.message.starts_with(&device.message), "{device:?}, but in plain Rust {native:?}");
    let method = call.rfind('.').expect("a method call has a dot") + 1;
    let lines = include_str!("panic_places.rs").lines().zip(1..);
    let mut found = lines.filter_map(|(line, number)| Some((number, line.find(call)? + method + 1)));
    let (line, column) = found.next().expect("the call is in this file");
    assert_eq!((device.file.as_str(), device.line, device.column as usize), (file!(), line, column));
    if native.file == file!() {
        assert_eq!((device.line, device.column), (native.line, native.column));
    }
}

#[kernel]
fn clamp(a: &i32, b: &i32, out: &mut i32) {
    *out = 1 + a.clone().clamp(7, *b);
}

#[kernel]
fn clamp_float(a: &f32, b: &f32, out: &mut f32) {
    *out = (*a).clamp(7.0, *b);
}

#[kernel]
fn div_euclid(a: &i32, b: &i32, out: &mut i32) {
    *out = a.div_euclid(*b);
}

#[kernel]
fn rem_euclid(a: &i64, b: &i64, out: &mut i64) {
    *out = a.rem_euclid(*b);
}

#[kernel]
fn wrapping_div(a: &i32, b: &i32, out: &mut i32) {
    *out = a.wrapping_div(*b);
}

#[kernel]
fn wrapping_rem(a: &u8, b: &u8, out: &mut u8) {
    *out = a.wrapping_rem(*b);
}

#[kernel]
fn saturating_div(a: &i16, b: &i16, out: &mut i16) {
    *out = a.saturating_div(*b);
}

#[kernel]
fn div_ceil(a: &u32, b: &u32, out: &mut u32) {
    *out = a.div_ceil(*b);
}

#[kernel]
fn next_multiple_of(a: &u64, b: &u64, out: &mut u64) {
    *out = 1 + a.next_multiple_of(*b);
}

#[kernel]
fn ilog2(a: &u32, b: &u32, out: &mut u32) {
    *out = (*a & *b).ilog2();
}

#[kernel]
fn ilog2_signed(a: &i32, b: &i32, out: &mut i32) {
    *out = a.ilog2() as i32 + *b;
}

#[kernel]
fn isqrt(a: &i32, b: &i32, out: &mut i32) {
    *out = *b + a.isqrt();
}

#[kernel(overflow_checks)]
fn pow(a: &i32, b: &i32, out: &mut i32) {
    *out = a.pow(*b as u32);
}

#[kernel(overflow_checks)]
fn next_power_of_two(a: &u32, b: &u32, out: &mut u32) {
    *out = a.next_power_of_two() + *b;
}

#[test]
fn methods_of_std() {
    of_std(div_euclid, div_euclid::native, (1, 0), "a.div_euclid");
    of_std(div_euclid, div_euclid::native, (i32::MIN, -1), "a.div_euclid");
    of_std(rem_euclid, rem_euclid::native, (1, 0), "a.rem_euclid");
    of_std(wrapping_div, wrapping_div::native, (1, 0), "a.wrapping_div");
    of_std(wrapping_rem, wrapping_rem::native, (1, 0), "a.wrapping_rem");
    of_std(saturating_div, saturating_div::native, (1, 0), "a.saturating_div");
    of_std(div_ceil, div_ceil::native, (1, 0), "a.div_ceil");
    of_std(next_multiple_of, next_multiple_of::native, (1, 0), "a.next_multiple_of");
    of_std(ilog2, ilog2::native, (1, 2), "(*a & *b).ilog2");
    of_std(ilog2_signed, ilog2_signed::native, (-1, 2), "= a.ilog2");
    of_std(isqrt, isqrt::native, (-1, 2), "a.isqrt");
    of_std(pow, pow::native, (10, 10), "a.pow");
    of_std(next_power_of_two, next_power_of_two::native, (u32::MAX, 0), "a.next_power_of_two");
    of_std(clamp, clamp::native, (1, 2), "a.clone().clamp");
    of_std(clamp_float, clamp_float::native, (1.0, 2.0), "(*a).clamp");
}

#[kernel(overflow_checks)]
fn operators(a: &i32, b: &i32, out: &mut i32) {
    let table = [1, 2, 3];
    let mut x = *b;
    *out = match *a {
        0 => (1 / x) + 2,
        1 => 1 + (*a % (x)),
        2 => 1 + (table[(x + 7) as usize]),
        3 => {
            x /= *b;
            x
        }
        4 => -(i32::MIN + x),
        5 => 1 + (*a - 6 + i32::MIN),
        6 => {
            x += i32::MAX;
            x += 1;
            x
        }
        7 => 1 << (x + 32),
        8 => table[2..(x as usize + 9)].len() as i32,
        9 => {
            assert!(x != 0 && *a > 3, "x is not 0");
            x
        }
        10 => {
            assert!(x > *a);
            x
        }
        11 => {
            if x == 0 {
                panic!("here")
            } else {
                0
            }
        }
        12 => {
            assert_eq!(x, *a - 13);
            unreachable!()
        }
        13 => todo!(),
        _ => unimplemented!("yet"),
    };
}

#[test]
fn operators_and_macros() {
    for a in 0..=14 {
        let (native, device) = reports(operators, operators::native, a, if a == 12 { -1 } else { 0 });
        assert_eq!(device, native, "case {a}");
    }
}

#[device]
#[track_caller]
fn checked(a: i32, b: i32) -> i32 {
    let table = [1, 2, 3];
    if a == 9 {
        panic!("nine");
    }
    if b > 5 {
        return inner(a);
    }
    table[a as usize] / b
}

/// Not tracked itself: its panics are its own, whoever calls it.
#[device]
fn inner(a: i32) -> i32 {
    assert!(a > 100, "too small");
    a.ilog2() as i32
}

#[device]
#[track_caller]
fn outer(a: i32, b: i32) -> i32 {
    let twice = |x: i32| {
        if x == 77 {
            panic!("a closure is not tracked");
        }
        x * 2
    };
    twice(checked(a, b))
}

#[kernel]
fn tracked(a: &i32, b: &i32, out: &mut i32) {
    let c = checked(*a, *b);
    *out = 3 * c + outer(*b, c);
}

#[test]
fn functions_that_track_their_caller() {
    let cases = [(9, 0), (3, 1), (-1, 1), (0, 0), (50, 6), (0, 9), (1, 3), (2, 0)];
    for (a, b) in cases {
        same(tracked, tracked::native, a, b);
    }
    // In the closure: 154 is twice 77.
    same(closures, closures::native, 77, 1);
    same(closures, closures::native, 9, 0);
}

#[device]
#[track_caller]
fn with_closure(a: i32, b: i32) -> i32 {
    let divide = |x: i32| {
        if x == 77 {
            panic!("a closure is not tracked");
        }
        x / b
    };
    divide(a)
}

#[kernel]
fn closures(a: &i32, b: &i32, out: &mut i32) {
    *out = with_closure(*a, *b);
}

#[derive(Clone, Copy, DeviceType)]
struct Fixed(i32);

#[device]
impl Fixed {
    #[track_caller]
    fn ratio(self, other: &Fixed) -> i32 {
        self.0 / other.0
    }
}

#[device]
impl std::ops::Div for Fixed {
    type Output = Fixed;
    #[track_caller]
    fn div(self, other: Fixed) -> Fixed {
        Fixed(self.ratio(&other))
    }
}

#[device]
trait Half {
    #[track_caller]
    fn half(&self) -> i32 {
        panic!("no half")
    }

    #[track_caller]
    fn part(&self, of: i32) -> i32;

    fn quarter(&self) -> i32;
}

#[device]
impl Half for Fixed {
    fn part(&self, of: i32) -> i32 {
        of / self.0
    }

    fn quarter(&self) -> i32 {
        self.part(4)
    }
}

#[kernel]
fn methods(a: &i32, b: &i32, out: &mut i32) {
    let (x, y) = (Fixed(*a), Fixed(*b));
    if *a == 1 {
        *out = x.ratio(&y);
    } else if *a == 2 {
        *out = (x / y).0;
    } else if *a == 3 {
        *out = x.half() + Half::half(&y);
    } else if *a == 4 {
        *out = 1 + y.part(8);
    } else {
        *out = 1 + y.quarter();
    }
}

#[test]
fn methods_that_track_their_caller() {
    for a in 1..=5 {
        same(methods, methods::native, a, 0);
    }
}

#[kernel(block = 2)]
fn between_barriers(a: &[i32], out: &mut [i32]) {
    let t = thread::x() as usize;
    let shared = shared!([i32; 2]);
    shared[t] = a[t];
    sync_threads();
    let other = checked_after(shared, t);
    sync_threads();
    out[t] = other;
}

#[device]
#[track_caller]
fn checked_after(shared: &mut [i32; 2], t: usize) -> i32 {
    let other = shared[1 - t];
    sync_threads();
    shared[t] = 12 / other;
    sync_threads();
    shared[1 - t]
}

#[test]
fn across_barriers() {
    let _alone = devices_alone();
    for device in Device::list() {
        let mut out = device.zeroed::<i32>(2).unwrap();
        let a = device.buffer_from(&[3, 0]).unwrap();
        // SAFETY: each thread writes its own element.
        unsafe { between_barriers(&a, &mut out).grid(1).block(2).launch(&device).unwrap() };
        match out.to_vec() {
            Err(Error::Panic { message, file, line, column, .. }) => {
                assert_eq!(message, "attempt to divide by zero", "on {}", device.name());
                assert_eq!(
                    (file.as_str(), line, column),
                    (file!(), BARRIERS_LINE, 17),
                    "on {}",
                    device.name()
                );
            }
            other => panic!("on {}: {other:?}", device.name()),
        }
    }
}

/// Where `checked_after` is called.
const BARRIERS_LINE: u32 = 395;

#[kernel]
fn chunks(a: &u32, _b: &u32, out: &mut u32) {
    *out = [1, 2, 3].chunks(*a as usize).count() as u32;
}

#[kernel]
fn windows(a: &u32, _b: &u32, out: &mut u32) {
    *out = [1, 2, 3].windows(*a as usize).count() as u32;
}

#[kernel]
fn step_by(a: &u32, _b: &u32, out: &mut u32) {
    *out = (0..9).step_by(*a as usize).sum();
}

#[test]
fn iterators() {
    of_std(chunks, chunks::native, (0, 0), ".chunks(");
    of_std(windows, windows::native, (0, 0), ".windows(");
    of_std(step_by, step_by::native, (0, 0), ".step_by(");
}
