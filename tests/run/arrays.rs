//! Arrays: literals, copies, nested ones, changing elements, whole assignment.

use super::harness::each;
use super::values::Edges;
use wavewright::prelude::*;

#[kernel]
fn built(a: &u32, out: &mut [u32; 6]) {
    let x = *a;
    let mut squares = [0u32; 8];
    for i in 0..8 {
        squares[i] = (i * i) as u32;
    }
    let small = [x, x / 2, x / 4];
    let copy = small;
    let mut changed = small;
    changed[1] = 7;
    out[0] = squares[(x % 8) as usize];
    out[1] = copy[1];
    out[2] = changed[1];
    out[3] = small.len() as u32;
    out[4] = [10, 20, 30, 40][x as usize % 4];
    out[5] = (squares[2] + changed[2]) % 1000;
}

#[test]
fn arrays_are_values() {
    each(built, built::native, u32::EDGES, [0; 6]);
}

#[kernel]
fn matrix(a: &[[f32; 3]; 2], out: &mut [[f32; 2]; 3]) {
    for i in 0..2 {
        for j in 0..3 {
            out[j][i] = a[i][j];
        }
    }
    let row = a[1];
    out[0][0] += row[2];
    out[2] = [row[0], out[2][1]];
}

#[test]
fn arrays_of_arrays() {
    let values = [[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], [[0.5, -1.0, 1e10], [7.0, -8.0, 0.1]]];
    each(matrix, matrix::native, &values, [[0.0; 2]; 3]);
}

#[kernel]
fn of_tuples(a: &u16, out: &mut [(u8, u16); 2]) {
    let mut pairs = [(1u8, *a); 2];
    pairs[0].0 = (*a >> 8) as u8;
    pairs[1].1 /= 3;
    *out = pairs;
    out[1].0 += 4;
}

#[test]
fn arrays_of_tuples_keep_their_layout() {
    each(of_tuples, of_tuples::native, u16::EDGES, [(0, 0); 2]);
}

#[kernel]
fn empty(a: &u8, out: &mut usize) {
    let nothing: [u64; 0] = [];
    let units = [(); 5];
    *out = nothing.len() + units.len() + *a as usize;
}

#[test]
fn arrays_without_bytes() {
    each(empty, empty::native, u8::EDGES, 0);
}
