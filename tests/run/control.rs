//! `if` and blocks as values, short circuit, `let else`, early return.

use super::harness::{each, once, pairs};
use super::values::Edges;
use wavewright::prelude::*;

#[kernel]
fn choices(a: &i32, out: &mut [i32; 4]) {
    let a = *a;
    out[0] = if a < 0 {
        -1
    } else if a == 0 {
        0
    } else {
        1
    };
    out[1] = {
        let b = a & 15;
        let b = b * b;
        b + 1
    };
    let mut x = 5;
    if a % 2 == 0 {
        x += 1;
    } else {
        let x = 100;
        out[3] = x;
    }
    out[2] = x;
}

#[test]
fn if_and_blocks_are_values() {
    each(choices, choices::native, i32::EDGES, [0; 4]);
}

#[kernel]
fn guarded(a: &[u32], out: &mut [u32]) {
    // The right side would be out of bounds.
    if a.len() > 3 && a[3] == 7 {
        out[0] = 1;
    }
    if a.len() <= 3 || a[3] != 7 {
        out[1] = 1;
    }
    let mut calls = 0;
    let yes = (1 < a.len() + 2) || {
        calls += 1;
        false
    };
    let no = (1 > a.len() + 2) && {
        calls += 10;
        true
    };
    out[2] = calls;
    out[3] = yes as u32 + 2 * no as u32;
}

#[test]
fn the_right_side_is_evaluated_only_if_the_left_does_not_decide() {
    once(guarded, guarded::native, &[], &[0; 4]);
    once(guarded, guarded::native, &[1, 2, 3], &[0; 4]);
    once(guarded, guarded::native, &[1, 2, 3, 7], &[0; 4]);
}

#[kernel]
fn returns(a: &i32, out: &mut i32) {
    *out = 1;
    if *a < 0 {
        return;
    }
    *out = 2;
    let b = if *a == 0 { return } else { *a };
    *out = b / 2;
}

#[test]
fn return_leaves_the_kernel() {
    each(returns, returns::native, i32::EDGES, 0);
}

#[device]
fn classify(a: i32, b: i32) -> i32 {
    if a == b {
        return 0;
    }
    let (1..=i32::MAX, _) = (a, b) else { return -1 };
    let difference = 'found: {
        if a > b {
            break 'found 1;
        }
        if b > 1000 {
            break 'found 2;
        }
        3
    };
    difference * 10
}

#[kernel]
fn classified(a: &i32, b: &i32, out: &mut i32) {
    *out = classify(*a, *b);
}

#[test]
fn functions_return_early_and_blocks_are_left_with_values() {
    pairs(classified, classified::native, (Edges::EDGES, Edges::EDGES), |_, _| true, 0);
}

#[kernel]
fn shadowed(a: &u32, out: &mut [u32; 3]) {
    let x = *a;
    {
        let x = x / 2;
        out[0] = x;
    }
    out[1] = x;
    let x = x as u64 + 1;
    out[2] = (x >> 1) as u32;
}

#[test]
fn inner_variables_stay_inside() {
    each(shadowed, shadowed::native, u32::EDGES, [0; 3]);
}

#[kernel]
fn declared_later(a: &i32, out: &mut f64) {
    let x;
    if *a > 0 {
        x = 1.5;
    } else {
        x = -2.5;
    }
    let y: f64;
    y = x * 2.0;
    *out = y;
}

#[test]
fn variables_may_be_written_after_their_declaration() {
    each(declared_later, declared_later::native, i32::EDGES, 0.0);
}
