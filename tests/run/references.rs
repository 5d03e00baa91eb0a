//! References and raw pointers.

use super::harness::{each, once};
use super::values::Edges;
use wavewright::prelude::*;

#[kernel]
fn chosen(a: &u32, out: &mut [u32; 4]) {
    let (mut x, mut y) = (*a, 5);
    let r = if *a % 2 == 0 { &mut x } else { &mut y };
    *r /= 2;
    *r += 1;
    out[0] = x;
    out[1] = y;
    let mut target = &x;
    if y > 3 {
        target = &y;
    }
    let twice = &target;
    out[2] = **twice;
    let p = &(x / 2, [y; 2]);
    out[3] = p.0 + p.1[1];
}

#[test]
fn references_are_values() {
    each(chosen, chosen::native, u32::EDGES, [0; 4]);
}

#[kernel]
fn lent(a: &u32, out: &mut [u32; 3]) {
    let mut state = (*a % 100, [1, 2, 3]);
    let (n, list) = (&mut state.0, &mut state.1);
    *n += 1;
    list[1] += *n;
    {
        let middle = &mut list[1];
        *middle *= 2;
    }
    let part = &mut state.1[1..];
    part[0] += 1;
    part[1] = part[0] + part.len() as u32;
    *out = state.1;
}

#[test]
fn parts_are_lent_apart() {
    each(lent, lent::native, u32::EDGES, [0; 3]);
}

#[kernel]
fn pointers(a: &[u32], out: &mut [u32]) {
    let from = a.as_ptr();
    let to = out.as_mut_ptr();
    for i in 0..out.len() {
        // SAFETY: `out` is as long as `a`.
        unsafe { *to.add(i) = *from.add(a.len() - 1 - i) };
    }
    let last: *const u32 = &out[out.len() - 1];
    // SAFETY: it points to the last element.
    out[0] += unsafe { *last } + (from as usize == a.as_ptr() as usize) as u32;
}

#[test]
fn raw_pointers_walk() {
    once(pointers, pointers::native, &[1, 2, 3, 4, 5], &[0; 5]);
}
