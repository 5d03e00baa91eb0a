//! Constants: rustc evaluates them.

use super::harness::each;
use super::values::Edges;
use wavewright::prelude::*;

const LIMIT: u32 = 1 << 10;
const SCALE: f32 = 1.0 / 3.0;
const TABLE: [u16; 300] = {
    let mut table = [0; 300];
    let mut i = 0;
    while i < 300 {
        table[i] = (i * i % 1009) as u16;
        i += 1;
    }
    table
};
const PAIR: (u8, f64) = (7, std::f64::consts::PI);

#[kernel]
fn constants(a: &u32, out: &mut (u32, f32, usize, f64)) {
    let i = (*a % 300) as usize;
    *out = (
        (*a).min(LIMIT) + TABLE[i] as u32,
        SCALE * *a as f32,
        usize::MAX - TABLE.len(),
        PAIR.1 + f64::EPSILON + PAIR.0 as f64,
    );
}

#[test]
fn constants_have_their_values() {
    each(constants, constants::native, u32::EDGES, (0, 0.0, 0, 0.0));
}

#[kernel]
fn local(a: &u32, out: &mut u32) {
    const STEP: u32 = 3;
    const NINE: u32 = STEP.pow(2);
    *out = *a / STEP + NINE;
}

#[test]
fn constants_of_the_body() {
    each(local, local::native, u32::EDGES, 0);
}

#[kernel]
fn borrowed(a: &u32, out: &mut u32) {
    let table = &TABLE;
    let some = &table[10..20];
    let mut own = TABLE;
    own[0] = 5;
    let literal: &[u32] = &[5, 6, 7];
    *out = some[(*a % 10) as usize] as u32 + own[0] as u32 + table[0] as u32 + literal[*a as usize % 3];
}

#[test]
fn a_constant_is_a_new_value_wherever_it_is_named() {
    each(borrowed, borrowed::native, u32::EDGES, 0);
}
