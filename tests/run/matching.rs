//! `match` and patterns.

use super::harness::each;
use super::values::Edges;
use wavewright::prelude::*;

const TEN: i32 = 10;

#[kernel]
fn integers(a: &i32, out: &mut i32) {
    *out = match *a {
        i32::MIN => 1,
        -3..=-1 => 2,
        0 => 3,
        1 | 7 => 4,
        TEN => 5,
        n if n % 2 == 0 => n / 2,
        small @ 2..100 => small * 100,
        _ => 6,
    };
}

#[test]
fn integers_match_literals_ranges_and_guards() {
    each(integers, integers::native, i32::EDGES, 0);
}

#[kernel]
fn characters(a: &char, out: &mut u32) {
    *out = match *a {
        'a'..='z' => 1,
        'A'..='Z' => 2,
        '\0' | '\u{10ffff}' => 3,
        _ => 4,
    };
}

#[test]
fn characters_match() {
    each(characters, characters::native, char::EDGES, 0);
}

#[kernel]
fn tuples(a: &i32, out: &mut [i32; 2]) {
    let pair = (*a % 3, (*a > 0, *a));
    out[0] = match pair {
        (0, (true, x)) => x,
        (0, (false, _)) => -1,
        (r, (_, x)) if x > 100 => r * 2,
        (1, ..) | (-1, ..) => 5,
        (_, (_, x)) => x ^ 1,
    };
    if let (1 | 2, (true, x)) = pair
        && x < 50
    {
        out[1] = x;
    } else if let (r @ (-2..=0), _) = pair {
        out[1] = r;
    }
}

#[test]
fn tuples_match_part_by_part() {
    each(tuples, tuples::native, i32::EDGES, [0; 2]);
}

#[kernel]
fn references(a: &i32, out: &mut [i32; 3]) {
    let mut pair = (*a, 7);
    match &pair {
        (0, y) => out[0] = *y,
        (x, y) => out[0] = (*x / 2) ^ *y,
    }
    match &mut pair {
        (x, y) if *y > 5 => {
            *x /= 3;
            *y += 1;
        }
        _ => {}
    }
    let (ref x, ref mut y) = pair;
    *y += 1;
    out[1] = *x;
    out[2] = pair.1;
}

#[test]
fn references_bind_by_reference() {
    each(references, references::native, i32::EDGES, [0; 3]);
}

#[kernel]
fn arrays(a: &[u8; 4], out: &mut u32) {
    *out = match *a {
        [0, ..] => 1,
        [x, .., 9] => x as u32,
        [_, 1 | 2, c, _] => c as u32 * 2,
        [a, b, c, d] => a as u32 + b as u32 + c as u32 + d as u32,
    };
}

#[test]
fn arrays_match_from_both_ends() {
    let values = [[0, 1, 2, 3], [4, 5, 6, 9], [4, 1, 6, 0], [4, 2, 7, 8], [1, 5, 5, 5]];
    each(arrays, arrays::native, &values, 0);
}

#[kernel]
fn many(a: &u32, out: &mut u32) {
    *out = match *a % 20 {
        0 => 3,
        1 => 14,
        2 => 15,
        3 => 92,
        4 => 65,
        5 => 35,
        6 => 89,
        7 => 79,
        8 => 32,
        9 => 38,
        10 => 46,
        11 => 26,
        12 => 43,
        13 => 38,
        14 => 32,
        _ => 7,
    };
}

#[test]
fn many_arms() {
    let values: Vec<u32> = (0..40).collect();
    each(many, many::native, &values, 0);
}

#[kernel]
fn tested(a: &i32, out: &mut [bool; 2]) {
    *out = [matches!(*a, -2..=2), matches!(*a, x if x % 10 == 0)];
}

#[test]
fn matches_tests() {
    each(tested, tested::native, i32::EDGES, [false; 2]);
}
