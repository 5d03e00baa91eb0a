//! Structs: layout, update, methods, tuples in them, arguments by value.

use super::harness::{Same, each};
use wavewright::prelude::*;

/// Padding everywhere, and fields that rustc may reorder.
#[derive(Clone, Copy, Debug, PartialEq, DeviceType)]
struct Padded {
    a: u8,
    b: u64,
    c: u16,
    d: (u8, u32),
    e: [u16; 3],
    f: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, DeviceType)]
#[repr(C)]
struct InOrder {
    a: u8,
    b: u128,
    c: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, DeviceType)]
struct Wrapper(f32);

#[derive(Clone, Copy, Debug, PartialEq, DeviceType)]
struct Marker;

impl Same for Padded {
    fn same(&self, other: &Self) -> bool {
        self == other
    }
}
impl Same for InOrder {
    fn same(&self, other: &Self) -> bool {
        self == other
    }
}
impl Same for Wrapper {
    fn same(&self, other: &Self) -> bool {
        self.0.same(&other.0)
    }
}

const PADDED: Padded =
    Padded { a: 1, b: u64::MAX - 1, c: 0x1234, d: (5, 0x789a_bcde), e: [6, 7, 8], f: true };

#[kernel]
fn changed(input: &Padded, out: &mut Padded) {
    let mut x = *input;
    x.a += 1;
    x.e[1] = x.c;
    x.d = (x.d.0 * 2, x.d.1 / 3);
    x.f = !x.f;
    *out = Padded { b: x.b >> 8, c: x.e[2], ..x };
    out.d.1 ^= 1;
}

#[test]
fn fields_are_where_rustc_puts_them() {
    let other = Padded { a: 200, b: 3, c: 4, d: (100, 9), e: [u16::MAX, 0, 1], f: false };
    each(
        changed,
        changed::native,
        &[PADDED, other],
        Padded { a: 0, b: 0, c: 0, d: (0, 0), e: [0; 3], f: false },
    );
}

#[kernel]
fn order_of_evaluation(input: &u32, out: &mut [u32; 4]) {
    let mut n = *input % 100;
    let mut next = || {
        n = n * 3 + 1;
        n
    };
    let p = Padded {
        c: next() as u16,
        a: next() as u8,
        e: [next() as u16; 3],
        f: true,
        d: (next() as u8, next()),
        b: 1,
    };
    *out = [p.a as u32, p.c as u32, p.d.1, p.e[2] as u32];
}

#[test]
fn fields_are_evaluated_as_written() {
    each(order_of_evaluation, order_of_evaluation::native, &[0, 1, 2, 50], [0; 4]);
}

#[kernel]
fn in_order(input: &InOrder, out: &mut InOrder) {
    let InOrder { a, b, .. } = *input;
    *out = InOrder { a: input.c, b: b.wrapping_mul(3) + a as u128, c: a };
}

#[test]
fn wide_alignment() {
    let values = [InOrder { a: 1, b: 2, c: 3 }, InOrder { a: 9, b: u128::MAX / 5, c: 0 }];
    each(in_order, in_order::native, &values, InOrder { a: 0, b: 0, c: 0 });
}

#[kernel]
fn wrapped(input: &Wrapper, out: &mut Wrapper) {
    let Wrapper(x) = *input;
    let _marker = Marker;
    *out = Wrapper(x * 2.0);
    out.0 += input.0;
}

#[test]
fn tuple_structs_and_unit_structs() {
    each(wrapped, wrapped::native, &[Wrapper(1.5), Wrapper(-0.0), Wrapper(f32::NAN)], Wrapper(0.0));
}

#[kernel]
fn by_value(
    scale: Wrapper,
    flag: bool,
    small: u8,
    pair: (u8, u64),
    wide: u128,
    marker: Marker,
    out: &mut (f32, u64, u128),
) {
    let _ = marker;
    if flag {
        *out = (scale.0, pair.1 + pair.0 as u64 + small as u64, wide);
    }
}

#[test]
fn arguments_by_value_keep_their_bytes() {
    let _alone = crate::harness::devices_alone();
    for device in Device::list() {
        let mut out = device.buffer_from(&[(0.0f32, 0u64, 0u128); 3]).unwrap();
        by_value(Wrapper(2.5), true, 200, (7, 1 << 40), u128::MAX - 5, Marker, &mut out)
            .launch(&device)
            .unwrap();
        assert_eq!(out.to_vec().unwrap(), [(2.5, (1 << 40) + 207, u128::MAX - 5); 3], "on {}", device.name());
    }
}
