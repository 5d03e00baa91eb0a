//! `for` over iterators, and their methods.

use super::harness::each;
use super::values::Edges;
use wavewright::prelude::*;

#[kernel]
fn slices(a: &[i32; 5], out: &mut (i32, i32, i32)) {
    for x in a {
        out.0 = out.0.wrapping_add(*x);
    }
    for (i, x) in a.iter().enumerate() {
        if i == 3 {
            continue;
        }
        out.1 ^= x.wrapping_mul(i as i32);
    }
    'outer: for x in a[1..].iter().rev() {
        for y in [*x, 7, 9] {
            if y == 9 && *x < 0 {
                break 'outer;
            }
            out.2 = out.2.wrapping_mul(3).wrapping_add(y);
        }
    }
}

const FIVES: &[[i32; 5]] =
    &[[1, 2, 3, 4, 5], [-1, 0, i32::MAX, 5, i32::MIN], [9, 9, 9, 9, 9], [0; 5], [100, -7, 3, -2, 1]];

#[test]
fn loops_go_through_slices_and_arrays() {
    each(slices, slices::native, FIVES, (0, 0, 0));
}

#[kernel]
fn changed(a: &[i32; 5], out: &mut [i32; 5]) {
    *out = *a;
    for x in out.iter_mut() {
        *x = x.wrapping_add(1);
    }
    for (i, x) in out.iter_mut().enumerate().rev() {
        *x ^= i as i32;
    }
    for (x, y) in out.iter_mut().zip(a.iter().skip(1)) {
        *x = x.wrapping_sub(*y);
    }
    for x in &mut *out {
        *x = x.wrapping_mul(3);
    }
}

#[test]
fn elements_are_changed_in_place() {
    each(changed, changed::native, FIVES, [0; 5]);
}

#[kernel]
fn sums(a: &[i32; 5], out: &mut (i64, f32, i32, i32, u32)) {
    out.0 = a.iter().map(|x| *x as i64).sum();
    out.1 = a.iter().map(|x| *x as f32 * 0.5).filter(|x| *x > 0.0).sum::<f32>();
    let scale = 3;
    out.2 = a.iter().copied().fold(1, |acc: i32, x| acc.wrapping_mul(scale).wrapping_add(x));
    out.3 = (1..=4).product::<i32>() + (0..10).step_by(3).sum::<i32>();
    out.4 = a.iter().filter(|x| **x > 2).count() as u32;
}

#[test]
fn adaptors_and_sums() {
    each(sums, sums::native, FIVES, (0, 0.0, 0, 0, 0));
}

#[kernel]
fn searches(a: &[i32; 5], out: &mut [Option<i32>; 8]) {
    out[0] = a.iter().copied().min();
    out[1] = a.iter().copied().max();
    out[2] = a.iter().position(|x| *x == 9).map_or_none();
    out[3] = a.iter().find(|x| **x > 3).copied_out();
    out[4] = Some(a.iter().any(|x| *x < 0) as i32 * 2 + a.iter().all(|x| *x > 0) as i32);
    out[5] = a.iter().copied().reduce(|x, y| if x > y { y } else { x });
    out[6] = a.iter().copied().take_while(|x| *x > 0).last();
    out[7] = a.iter().copied().skip_while(|x| *x > 0).nth(1);
}

#[device]
trait Plain {
    fn map_or_none(self) -> Option<i32>;
}
#[device]
impl Plain for Option<usize> {
    fn map_or_none(self) -> Option<i32> {
        match self {
            Some(n) => Some(n as i32),
            None => None,
        }
    }
}
#[device]
trait Out {
    fn copied_out(self) -> Option<i32>;
}
#[device]
impl Out for Option<&i32> {
    fn copied_out(self) -> Option<i32> {
        match self {
            Some(n) => Some(*n),
            None => None,
        }
    }
}

#[test]
fn searches_end_where_they_find() {
    each(searches, searches::native, FIVES, [None; 8]);
}

#[kernel]
fn ranges(a: &i32, out: &mut [i64; 6]) {
    let n = (*a % 20) as i8;
    for i in (n..10).rev() {
        out[0] = out[0] * 3 + i as i64;
    }
    for i in (n..=10).step_by(4) {
        out[1] = out[1] * 3 + i as i64;
    }
    let r = n..n.wrapping_add(7);
    out[2] = r.start as i64;
    for i in r {
        out[2] += i as i64;
    }
    for i in (0u64..).skip(3).take(4) {
        out[3] = out[3] * 10 + i as i64;
    }
    for (i, j) in (0..3).zip(5u8..) {
        out[4] += i as i64 * j as i64;
    }
    let mut it = (0..5).chain(10..12);
    while let Some(x) = it.next() {
        out[5] = out[5] * 13 + x;
        if x == 3 {
            it.next();
        }
    }
    for i in (250..=255u8).rev() {
        out[5] ^= i as i64;
    }
}

#[test]
fn ranges_are_values() {
    each(ranges, ranges::native, i32::EDGES, [0; 6]);
}

#[kernel]
fn pieces(a: &[i32; 5], out: &mut [i32; 4]) {
    for chunk in a.chunks(2) {
        out[0] = out[0].wrapping_mul(7).wrapping_add(chunk[0]).wrapping_add(chunk.len() as i32);
    }
    for pair in a.chunks_exact(2) {
        out[1] = out[1].wrapping_mul(7).wrapping_add(pair[1]);
    }
    out[2] = a.windows(2).filter(|w| w[0] < w[1]).count() as i32;
    out[3] = a.windows(3).map(|w| w[0] ^ w[2]).fold(0, |x: i32, y| x.wrapping_mul(3) ^ y);
}

#[test]
fn chunks_and_windows() {
    each(pieces, pieces::native, FIVES, [0; 4]);
}

#[device]
fn total<I: Iterator<Item = f32>>(values: I) -> f32 {
    let mut total = 0.0;
    for value in values {
        total += value;
    }
    total
}

#[kernel]
fn passed(a: &[i32; 5], out: &mut f32) {
    let half = 0.5f32;
    *out = total(a.iter().map(|x| *x as f32 * half)) + total((0..4).map(|i| i as f32));
}

#[test]
fn iterators_are_passed_to_device_functions() {
    each(passed, passed::native, FIVES, 0.0);
}

#[derive(Clone, Copy, DeviceType)]
struct Collatz(u32);

#[device]
impl Iterator for Collatz {
    type Item = u32;
    fn next(&mut self) -> Option<u32> {
        if self.0 == 1 {
            return None;
        }
        self.0 = if self.0 % 2 == 0 { self.0 / 2 } else { 3 * self.0 + 1 };
        Some(self.0)
    }
}

#[kernel]
fn own(a: &u32, out: &mut (u32, u32, Option<u32>)) {
    let start = Collatz(*a % 100 + 1);
    for x in start {
        out.0 ^= x;
    }
    out.1 = start.filter(|x| x % 2 == 1).count() as u32;
    out.2 = start.take(5).max();
}

#[test]
fn user_types_are_iterators() {
    each(own, own::native, u32::EDGES, (0, 0, None));
}

#[kernel]
fn ranges_as_indices(a: &[i32; 5], out: &mut (i32, usize, bool)) {
    let r = 1..4;
    out.0 = a[r.start..r.end].iter().fold(0, |acc, x| acc ^ x);
    out.1 = (2..=4usize).rev().map(|i| i * i).sum::<usize>() + (0..5u16).len();
    out.2 = a.iter().rev().take(2).chain(&a[..1]).any(|x| *x == 0);
}

#[test]
fn ends_of_ranges_are_fields() {
    each(ranges_as_indices, ranges_as_indices::native, FIVES, (0, 0, false));
}
