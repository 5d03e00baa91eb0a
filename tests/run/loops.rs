//! `while`, `loop` and `for` over ranges, with `break`, `continue`, labels and values.

use super::harness::each;
use super::values::Edges;
use wavewright::prelude::*;

#[kernel]
fn collatz(a: &u32, out: &mut u32) {
    let mut x = *a % 1000 + 1;
    let mut steps = 0;
    while x != 1 {
        x = if x % 2 == 0 { x / 2 } else { 3 * x + 1 };
        steps += 1;
    }
    *out = steps;
}

#[test]
fn while_loops() {
    each(collatz, collatz::native, u32::EDGES, 0);
}

#[kernel]
fn searched(a: &u32, out: &mut [u32; 2]) {
    let mut i = 0;
    out[0] = loop {
        i += 1;
        if i * i >= *a % 5000 {
            break i;
        }
        if i % 2 == 0 {
            continue;
        }
        out[1] += i;
    };
}

#[test]
fn loop_has_the_value_of_its_break() {
    each(searched, searched::native, u32::EDGES, [0; 2]);
}

#[kernel]
fn nested(a: &u32, out: &mut [u32; 2]) {
    let n = *a % 20;
    'outer: for i in 0..n {
        for j in 0..=i {
            if j == 7 {
                continue 'outer;
            }
            if i * j > 100 {
                break 'outer;
            }
            if (i + j) % 3 == 0 {
                continue;
            }
            out[0] += i * j + 1;
        }
        out[1] += i;
    }
}

#[test]
fn labels_reach_outer_loops() {
    each(nested, nested::native, u32::EDGES, [0; 2]);
}

#[kernel]
fn whole_range(a: &u8, out: &mut [u32; 3]) {
    for i in 250..=u8::MAX {
        if i == *a {
            continue;
        }
        out[0] += i as u32;
    }
    for i in *a..=255 {
        out[1] += i as u32 % 7;
    }
    for _ in *a..0 {
        out[2] += 1;
    }
}

#[test]
fn an_inclusive_range_reaches_the_highest_value_and_ends() {
    let all: Vec<u8> = (0..=255).collect();
    each(whole_range, whole_range::native, &all, [0; 3]);
}

#[kernel]
fn signed_range(a: &i8, out: &mut [i32; 2]) {
    for i in i8::MIN..*a {
        out[0] += i as i32;
    }
    for i in (*a / 2)..=(*a / 2 + 3) {
        out[1] = out[1] * 3 + i as i32;
    }
}

#[test]
fn ranges_of_negative_numbers() {
    let all: Vec<i8> = (-128..=127).collect();
    each(signed_range, signed_range::native, &all, [0; 2]);
}

#[kernel]
fn ends_once(a: &u32, out: &mut [u32; 2]) {
    let mut end = *a % 10;
    let mut rounds = 0;
    for i in 0..end {
        end += 1;
        rounds += i;
    }
    *out = [end, rounds];
}

#[test]
fn the_ends_of_a_range_are_evaluated_once() {
    each(ends_once, ends_once::native, u32::EDGES, [0; 2]);
}

#[kernel]
fn carried(a: &u32, out: &mut u64) {
    let (mut x, mut y) = (0u64, 1u64);
    for _ in 0..*a % 90 {
        (x, y) = (y, x + y);
    }
    *out = x;
}

#[test]
fn values_are_carried_from_round_to_round() {
    each(carried, carried::native, u32::EDGES, 0);
}

#[kernel]
fn counter_changed_inside(a: &u32, out: &mut u32) {
    for mut i in 0..*a % 10 {
        i *= 2;
        *out += i;
    }
}

#[test]
fn changing_the_loop_variable_does_not_change_the_loop() {
    each(counter_changed_inside, counter_changed_inside::native, u32::EDGES, 0);
}

#[kernel]
fn let_while(a: &u32, out: &mut u32) {
    let mut x = *a;
    while let (0..=999, odd) = (x, x % 2) {
        x = x * 2 + 1;
        *out += odd + 1;
    }
}

#[test]
fn while_let_binds_each_round() {
    each(let_while, let_while::native, u32::EDGES, 0);
}

#[kernel]
fn left_from_inside(a: &u32, out: &mut [u32; 3]) {
    'rows: for y in 1..=9u32 {
        let kind = match (y + *a % 100) % 5 {
            0 => continue,
            1 if y > 6 => break,
            2 => {
                out[0] += y;
                continue 'rows;
            }
            n => n,
        };
        let value = loop {
            if kind == 3 {
                continue 'rows;
            }
            break kind * y;
        };
        out[1] += value;
        if value > 25 {
            out[2] = y;
            break 'rows;
        }
    }
}

#[test]
fn arms_and_inner_loops_leave_outer_loops() {
    each(left_from_inside, left_from_inside::native, u32::EDGES, [0; 3]);
}

#[kernel]
fn two_ways_out(a: &[i32; 4], out: &mut (i32, i32)) {
    // Threads leave by different ways in different rounds; what they bring is the same for all that go one way.
    out.0 = 'found: {
        let mut i = 0;
        while i < 4 {
            if a[i] < 0 {
                break 'found 2;
            }
            i += 1;
        }
        0
    };
    let mut n = 0;
    'outer: for i in 0..3 {
        for j in 0..4 {
            if a[j] == i {
                n += 10;
                continue 'outer;
            }
            if a[j] == 7 {
                n += 100;
                break 'outer;
            }
        }
        n += 1;
    }
    out.1 = n;
}

#[test]
fn loops_with_two_ways_out() {
    let inputs = [[1, 1, 1, 1], [-1, 0, 0, 0], [0, 0, 0, -1], [5, 7, 0, 1], [0, 2, 7, 1], [3, 2, 1, 0]];
    each(two_ways_out, two_ways_out::native, &inputs, (0, 0));
}
