//! Values that are copied, changed and handed on: each function runs in a kernel on the CPU, and as plain Rust.

use wavewright::kernel_ir::entry::BuildError;
use wavewright::kernel_ir::typed::Program;
use wavewright::prelude::*;

#[derive(Clone, Copy, DeviceType)]
struct Grid {
    name: u8,
    cells: [[i32; 3]; 2],
    total: i64,
}

#[device]
fn doubled(mut grid: Grid) -> Grid {
    for row in 0..2 {
        for column in 0..3 {
            grid.cells[row][column] *= 2;
            grid.total += grid.cells[row][column] as i64;
        }
    }
    grid
}

#[device]
fn raise(cells: &mut [i32], by: i32) -> i32 {
    let mut changed = 0;
    for i in 0..cells.len() {
        if cells[i] > by {
            cells[i] -= by;
            changed += 1;
        }
    }
    changed
}

#[device]
fn copies(x: &[i32], out: &mut [i64]) {
    let mut a = [x[0], x[1], x[2]];
    let b = a;
    a[0] = 100;
    a = [a[1], a[2], a[0]];
    let c = a;
    a[1] += c[0] + b[0];
    out[0] = (a[0] + 10 * a[1] + 100 * a[2]) as i64;
    out[1] = (b[0] + 10 * b[1] + 100 * b[2]) as i64;
    out[2] = (c[0] + 10 * c[1] + 100 * c[2]) as i64;
}

#[device]
fn structs(x: &[i32], out: &mut [i64]) {
    let grid = Grid { name: 7, cells: [[x[0], x[1], x[2]], [x[3]; 3]], total: 1 };
    let twice = doubled(grid);
    let mut other = Grid { name: 9, ..twice };
    other.cells[1] = grid.cells[0];
    let row = &mut other.cells[0];
    row[2] += 5;
    let changed = raise(row, 3);
    (other.cells[0], other.cells[1]) = (other.cells[1], other.cells[0]);
    out[0] = grid.total + grid.cells[1][2] as i64;
    out[1] = twice.total + twice.cells[0][1] as i64;
    out[2] = other.total + other.name as i64 + changed as i64;
    for i in 0..6 {
        out[3 + i] = other.cells[i / 3][i % 3] as i64;
    }
}

#[device]
fn ways(x: &[i32], out: &mut [i64]) {
    let mut last = [0, 0];
    let mut rounds = 0;
    let found = loop {
        let now = [last[1], last[0] + x[rounds % 4]];
        if now[1] > 20 || rounds > 30 {
            break now;
        }
        last = if now[0] > now[1] { [now[1], now[0]] } else { now };
        rounds += 1;
    };
    let picked = match x[0] {
        0 => [1, 2],
        n @ 1..=3 => [n, found[0]],
        _ => found,
    };
    out[0] = (found[0] * 100 + found[1]) as i64;
    out[1] = (picked[0] * 100 + picked[1]) as i64;
    out[2] = rounds as i64;
    let label = 'search: {
        for i in 0..4 {
            if x[i] == 5 {
                break 'search (i, true);
            }
        }
        (99, false)
    };
    out[3] = label.0 as i64 + if label.1 { 1000 } else { 0 };
}

#[device]
fn closures(x: &[i32], out: &mut [i64]) {
    let weights = [1, 10, 100];
    let mut sums = [0i32; 2];
    let weigh = |i: usize, by: i32| x[i] * weights[i] + by;
    let mut add = |i: usize| {
        sums[i % 2] += weigh(i, i as i32);
        sums[i % 2]
    };
    out[0] = add(0) as i64;
    out[1] = add(1) as i64;
    out[2] = add(2) as i64;
    let mut moved = sums;
    let mut bump = move |by: i32| {
        moved[0] += by;
        moved[0]
    };
    out[3] = (bump(1) + bump(10)) as i64;
    out[4] = (sums[0] * 1000 + sums[1] + moved[0]) as i64;
}

#[device]
#[allow(clippy::needless_late_init)]
fn lazy(x: &[i32], out: &mut [i64]) {
    let mut calls = 0;
    let mut seen = |answer: bool| {
        calls += 1;
        answer
    };
    let a = seen(x[0] > 0) && seen(x[1] > 100) || seen(x[2] > 0);
    let b = !(seen(true) || seen(false)) | (seen(false) & seen(true));
    let none = x.len() > 1000 && x[1000] == 0;
    out[0] = calls as i64;
    out[1] = a as i64 + 2 * b as i64 + 4 * none as i64;
    let mut i = 0usize;
    let mut swapped = (1i8, -2i64);
    while i < 3 {
        i += 1;
        if i == 2 {
            continue;
        }
        swapped = (swapped.1 as i8, swapped.0 as i64 * 3);
    }
    out[2] = swapped.0 as i64 * 1000 + swapped.1;
    let unset;
    if a {
        unset = 4;
    } else {
        unset = 5;
    }
    out[3] = unset;
}

#[kernel]
fn run(which: u32, x: &[i32], out: &mut [i64]) {
    match which {
        0 => copies(x, out),
        1 => structs(x, out),
        2 => ways(x, out),
        3 => closures(x, out),
        _ => lazy(x, out),
    }
}

/// The kernels of this file.
pub fn programs() -> Vec<Result<Program, BuildError>> {
    vec![run::program()]
}

type Plain = fn(&[i32], &mut [i64]);

#[test]
fn values_are_as_in_rust() -> Result<(), Error> {
    let device = Device::cpu();
    let plain: [Plain; 5] = [copies, structs, ways, closures, lazy];
    let inputs = [[3, -4, 5, 6], [0, 0, 0, 0], [1, 2, 3, 5], [-7, 11, 0, 2], [1_000_000, 5, -5, 9]];
    for input in inputs {
        let x = device.buffer_from(&input)?;
        for (which, plain) in plain.iter().enumerate() {
            let mut expected = [0i64; 9];
            plain(&input, &mut expected);
            let mut out = device.buffer_from(&[0i64; 9])?;
            // SAFETY: there is one thread.
            unsafe { run(which as u32, &x, &mut out).grid(1).block(1).launch(&device)? };
            assert_eq!(out.to_vec()?, expected, "function {which} of {input:?}");
        }
    }
    Ok(())
}
