//! The order in which things are evaluated.

use super::harness::each;
use super::values::Edges;
use wavewright::prelude::*;

/// Notes that `step` was reached.
#[device]
fn reach(log: &mut u32, step: u32) -> u32 {
    *log = log.wrapping_mul(7).wrapping_add(step);
    step
}

#[kernel]
fn operands(a: &u32, out: &mut [u32; 3]) {
    let mut log = *a;
    let x = reach(&mut log, 1) + reach(&mut log, 2) * reach(&mut log, 3);
    let y = [reach(&mut log, 4), reach(&mut log, 5)];
    let z = (reach(&mut log, 6), reach(&mut log, 7));
    *out = [log, x + y[0] * y[1], z.0 - z.1 + 9];
}

#[test]
fn operands_go_from_left_to_right() {
    let rust = |a: &u32, out: &mut [u32; 3]| {
        let log = (1..8).fold(*a, |log, step| log.wrapping_mul(7).wrapping_add(step));
        *out = [log, 7 + 20, 8];
    };
    each(operands, rust, u32::EDGES, [0; 3]);
}

#[kernel]
fn assignments(a: &u32, out: &mut [u32; 4]) {
    let mut log = *a;
    let mut values = [10u32, 20, 30];
    // A value comes before the place that it is assigned to; of primitives, also in a compound assignment.
    values[reach(&mut log, 2) as usize] = reach(&mut log, 1);
    values[reach(&mut log, 1) as usize] += reach(&mut log, 4);
    *out = [log, values[0], values[1], values[2]];
}

#[test]
fn values_come_before_the_places_that_take_them() {
    let rust = |a: &u32, out: &mut [u32; 4]| {
        let log = [1, 2, 4, 1].iter().fold(*a, |log, step| log.wrapping_mul(7).wrapping_add(*step));
        *out = [log, 10, 24, 1];
    };
    each(assignments, rust, u32::EDGES, [0; 4]);
}

#[kernel]
fn values_are_copied_when_they_are_read(a: &u32, out: &mut [u32; 3]) {
    let mut x = *a / 4;
    let before = x + {
        x += 1;
        x
    };
    let mut i = 0;
    let list = [1, 2, 3];
    let y = list[i] + {
        i += 1;
        list[i]
    };
    let pair = (x, {
        x = 0;
        x
    });
    *out = [before, y, pair.0 ^ pair.1];
}

#[test]
fn what_was_read_does_not_change_later() {
    each(
        values_are_copied_when_they_are_read,
        values_are_copied_when_they_are_read::native,
        u32::EDGES,
        [0; 3],
    );
}

#[kernel]
fn dropped(a: &u32, out: &mut u32) {
    let mut log = 0;
    let _ = reach(&mut log, 1);
    reach(&mut log, 2);
    _ = reach(&mut log, *a % 5);
    (_, *out) = (reach(&mut log, 3), log);
}

#[test]
fn dropped_values_are_evaluated() {
    each(dropped, dropped::native, u32::EDGES, 0);
}
