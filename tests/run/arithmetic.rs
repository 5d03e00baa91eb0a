//! Operators in larger expressions: precedence, references as operands, compound assignment.

use super::harness::{each, pairs};
use super::values::Edges;
use wavewright::prelude::*;

#[kernel]
fn precedence(a: &i32, b: &i32, out: &mut [i32; 4]) {
    let (a, b) = (*a & 0xff, *b & 0xff | 1);
    *out = [a + b * 3 - 7 / b, (a + b) * (3 - 7) / b, a << 2 + 1 & b | a ^ 5, -a % b];
}

#[test]
fn operators_bind_as_in_rust() {
    pairs(precedence, precedence::native, (Edges::EDGES, Edges::EDGES), |_, _| true, [0; 4]);
}

#[kernel]
fn through_references(a: &f32, b: &f32, out: &mut [f32; 4]) {
    let c = 2.0;
    *out = [a + b, a - *b, *a * b, a / &c];
}

#[test]
fn references_to_numbers_are_operands() {
    let values = [0.0, -1.5, 3.25, f32::MAX, f32::MIN_POSITIVE];
    pairs(through_references, through_references::native, (&values, &values), |_, _| true, [0.0; 4]);
}

#[kernel]
fn compound(a: &u32, out: &mut [u32; 3]) {
    let mut x = *a | 1;
    x <<= 3;
    x |= 5;
    x %= 1000;
    let y = &mut x;
    *y += 7;
    *y /= 2;
    out[0] = x;
    out[x as usize % 3] ^= x >> 1;
    out[2] -= out[2] / 2;
}

#[test]
fn compound_assignment_changes_its_place() {
    each(compound, compound::native, u32::EDGES, [0; 3]);
}

#[kernel]
fn complement(a: &bool, b: &bool, out: &mut [bool; 8]) {
    let (a, b) = (*a, *b);
    *out = [!a, a & b, a | b, a ^ b, a && !b, a || !b, a == b, a < b];
    out[0] &= true;
    out[1] |= false;
    out[2] ^= true;
}

#[test]
fn bools_have_their_operators() {
    pairs(complement, complement::native, (Edges::EDGES, Edges::EDGES), |_, _| true, [false; 8]);
}
