//! Panics reach the host with message, place, block and thread; the next launch works.

use wavewright::prelude::*;

#[kernel]
fn index(i: usize, a: &[u32], out: &mut [u32]) {
    out[0] = a[i];
}

#[kernel]
fn divide(a: &i32, b: &i32, out: &mut i32) {
    *out = *a / *b;
}

#[kernel]
fn remainder(a: &i64, b: &i64, out: &mut i64) {
    *out = *a % *b;
}

#[kernel]
fn part(start: usize, end: usize, a: &[u32], out: &mut [u32]) {
    out[0] = a[start..end].len() as u32;
}

#[device]
fn positive(x: i32) -> i32 {
    assert!(x > 0, "not positive");
    x
}

#[kernel]
fn asserted(a: &i32, out: &mut i32) {
    *out = positive(*a) + 1;
}

#[kernel(overflow_checks)]
fn overflowing(op: u32, a: &i32, b: &i32, out: &mut i32) {
    *out = match op {
        0 => *a + *b,
        1 => *a - *b,
        2 => *a * *b,
        3 => -*a,
        4 => *a << *b,
        _ => *a >> *b,
    };
}

/// The message and line of the panic that `launch` makes on each device; `good` must work after it.
#[track_caller]
fn panics(
    launch: impl Fn(&Device) -> Result<(), Error>,
    good: impl Fn(&Device) -> Result<(), Error>,
) -> (String, u32) {
    let mut seen = Vec::new();
    let _alone = crate::harness::devices_alone();
    for device in Device::list() {
        good(&device).unwrap();
        match launch(&device) {
            Err(Error::Panic { message, file, line, .. }) => {
                assert!(file.ends_with("tests/run/panics.rs"), "{file}");
                seen.push((message, line));
            }
            Err(other) => panic!("on {}: {other}", device.name()),
            Ok(()) => panic!("on {}: no panic", device.name()),
        }
        good(&device).unwrap();
    }
    seen.dedup();
    assert_eq!(seen.len(), 1, "devices disagree: {seen:?}");
    seen.remove(0)
}

fn at_index(device: &Device, i: usize) -> Result<(), Error> {
    let (a, mut out) = (device.buffer_from(&[1, 2, 3])?, device.zeroed(1)?);
    // SAFETY: there is one thread.
    unsafe { index(i, &a, &mut out).grid(1).block(1).launch(device)? };
    out.to_vec().map(|_| ())
}

#[test]
fn an_index_out_of_bounds() {
    let (message, line) = panics(|d| at_index(d, 3), |d| at_index(d, 2));
    assert_eq!(message, "index out of bounds: the len is 3 but the index is 3");
    assert_eq!(line, 7);
}

fn elements<T: Copy + DeviceType>(
    device: &Device,
    kernel: for<'l> fn(&'l Buffer<T>, &'l Buffer<T>, &'l mut Buffer<T>) -> Launch<'l>,
    a: &[T],
    b: &[T],
) -> Result<(), Error> {
    let (a, b, mut out) = (device.buffer_from(a)?, device.buffer_from(b)?, device.zeroed(a.len())?);
    kernel(&a, &b, &mut out).launch(device)?;
    out.to_vec().map(|_| ())
}

#[test]
fn division_by_zero_and_the_lowest_value_by_minus_one() {
    let good = |d: &Device| elements(d, divide, &[i32::MIN, 7], &[1, -1]);
    let (message, line) = panics(|d| elements(d, divide, &[1, 7], &[1, 0]), good);
    assert_eq!((message.as_str(), line), ("attempt to divide by zero", 12));
    let (message, _) = panics(|d| elements(d, divide, &[i32::MIN], &[-1]), good);
    assert_eq!(message, "attempt to divide with overflow");
    let (message, line) = panics(|d| elements(d, remainder, &[1], &[0]), good);
    assert_eq!((message.as_str(), line), ("attempt to calculate the remainder with a divisor of zero", 17));
    let (message, _) = panics(|d| elements(d, remainder, &[i64::MIN], &[-1]), good);
    assert_eq!(message, "attempt to calculate the remainder with overflow");
}

fn at_part(device: &Device, start: usize, end: usize) -> Result<(), Error> {
    let (a, mut out) = (device.buffer_from(&[1, 2, 3])?, device.zeroed(1)?);
    // SAFETY: there is one thread.
    unsafe { part(start, end, &a, &mut out).grid(1).block(1).launch(device)? };
    out.to_vec().map(|_| ())
}

#[test]
fn parts_out_of_range() {
    let good = |d: &Device| at_part(d, 3, 3);
    let (message, line) = panics(|d| at_part(d, 2, 1), good);
    assert_eq!((message.as_str(), line), ("slice index starts at 2 but ends at 1", 22));
    let (message, _) = panics(|d| at_part(d, 1, 4), good);
    assert_eq!(message, "range end index 4 out of range for slice of length 3");
}

#[test]
fn assertions_in_functions() {
    let run = |device: &Device, values: &[i32]| {
        let (a, mut out) = (device.buffer_from(values)?, device.zeroed(values.len())?);
        asserted(&a, &mut out).launch(device)?;
        out.to_vec().map(|_| ())
    };
    let (message, line) = panics(|d| run(d, &[1, 2, 0, 4]), |d| run(d, &[1, 2, 3]));
    assert_eq!((message.as_str(), line), ("not positive", 27));
}

#[test]
fn overflow_under_overflow_checks() {
    let run = |device: &Device, op: u32, a: i32, b: i32| {
        let (x, y, mut out) = (device.buffer_from(&[a])?, device.buffer_from(&[b])?, device.zeroed(1)?);
        overflowing(op, &x, &y, &mut out).launch(device)?;
        out.to_vec().map(|_| ())
    };
    let cases = [
        (0, i32::MAX, 1, "attempt to add with overflow"),
        (1, i32::MIN, 1, "attempt to subtract with overflow"),
        (2, 1 << 16, 1 << 15, "attempt to multiply with overflow"),
        (3, i32::MIN, 0, "attempt to negate with overflow"),
        (4, 1, 32, "attempt to shift left with overflow"),
        (5, 1, -1, "attempt to shift right with overflow"),
    ];
    for (op, a, b, expected) in cases {
        let (message, _) = panics(|d| run(d, op, a, b), |d| run(d, op, 3, 2));
        assert_eq!(message, expected);
    }
}

#[kernel]
fn one_thread(at: u32, out: &mut [u32]) {
    let i = thread::global_x();
    if i == at as usize {
        panic!("here");
    }
    out[i] = 1;
}

#[test]
fn block_and_thread_are_named_and_the_other_threads_go_on() {
    let _alone = crate::harness::devices_alone();
    for device in Device::list() {
        let mut out = device.zeroed::<u32>(256).unwrap();
        // SAFETY: each thread writes its own element.
        unsafe { one_thread(150, &mut out).grid(4).block(64).launch(&device).unwrap() };
        match out.to_vec() {
            Err(Error::Panic { message, block, thread, .. }) => {
                assert_eq!(
                    (message.as_str(), block, thread),
                    ("here", [2, 0, 0], [22, 0, 0]),
                    "on {}",
                    device.name()
                );
            }
            other => panic!("on {}: {other:?}", device.name()),
        }
        let written = out.to_vec().unwrap();
        assert_eq!(written.iter().sum::<u32>(), 255, "on {}", device.name());
    }
}
