//! Slices: indexing, lengths, parts, unchecked access.

use super::harness::once;
use wavewright::prelude::*;

#[kernel]
fn parts(a: &[i32], out: &mut [i32]) {
    let n = a.len();
    let (head, tail) = (&a[..2], &a[n - 2..]);
    let middle = &a[2..n - 2];
    out[0] = head[0] + tail[1] * 10;
    out[1] = middle.len() as i32;
    out[2] = if middle[middle.len()..].is_empty() { 1 } else { 0 };
    out[3] = middle[0..=1][1];
    let all = &a[..];
    out[4] = all[all[0] as usize];
    let last = &mut out[5..];
    last[0] = 7;
    let last = &mut last[1..];
    last[0] = last.len() as i32;
}

#[test]
fn parts_of_slices() {
    once(parts, parts::native, &[3, 1, 4, 1, 5, 9, 2, 6], &[0; 8]);
}

#[kernel]
fn unchecked(a: &[u64], out: &mut [u64]) {
    for i in 0..out.len() {
        // SAFETY: `a` is at least as long as `out`.
        unsafe {
            *out.get_unchecked_mut(i) = *a.get_unchecked(out.len() - 1 - i) + i as u64;
        }
    }
}

#[test]
fn unchecked_access() {
    once(unchecked, unchecked::native, &[10, 20, 30, 40], &[0; 4]);
}

#[kernel]
fn matched(a: &[u8], out: &mut [u32]) {
    out[0] = match a {
        [] => 1,
        [x] => *x as u32,
        [first, .., last] if first == last => 2,
        [first, second, ..] => *first as u32 * 10 + *second as u32,
    };
}

#[test]
fn slices_match_by_length() {
    for input in [&[][..], &[9], &[5, 5], &[5, 6, 5], &[5, 6], &[5, 6, 7, 8]] {
        once(matched, matched::native, input, &[0]);
    }
}

#[kernel]
fn of_structs(a: &[(u8, [f32; 2])], out: &mut [f32]) {
    for i in 0..a.len() {
        let (n, xs) = &a[i];
        out[i] = xs[*n as usize] + a[a.len() - 1 - i].1[0];
    }
}

#[test]
fn slices_of_tuples() {
    once(of_structs, of_structs::native, &[(0, [1.0, 2.0]), (1, [3.0, 4.0]), (1, [5.0, 6.0])], &[0.0; 3]);
}
