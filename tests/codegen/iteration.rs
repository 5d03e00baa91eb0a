//! Iterators and enums cost what is written out by hand.

use crate::expect::{expect_no_detours, instructions, loops};
use crate::{TARGETS, text};
use wavewright::codegen::Stage;
use wavewright::kernel_ir::entry::BuildError;
use wavewright::kernel_ir::typed::Program;
use wavewright::prelude::*;

#[kernel]
fn by_index(rows: &[[f32; 64]], out: &mut f32) {
    let row = &rows[block::x() as usize];
    let mut total = 0.0;
    for i in 0..row.len() {
        total += row[i];
    }
    *out = total;
}

#[kernel]
fn by_iterator(rows: &[[f32; 64]], out: &mut f32) {
    let row = &rows[block::x() as usize];
    let mut total = 0.0;
    for x in row {
        total += *x;
    }
    *out = total;
}

#[kernel]
fn slice_by_index(a: &[f32], out: &mut f32) {
    let mut total = 0.0;
    for i in 0..a.len() {
        total += a[i];
    }
    *out = total;
}

#[kernel]
fn slice_by_iterator(a: &[f32], out: &mut f32) {
    let mut total = 0.0;
    for x in a {
        total += *x;
    }
    *out = total;
}

#[derive(Clone, Copy, DeviceType)]
enum Step {
    Stay,
    Add(f32),
    Scale { by: f32 },
}

#[kernel]
fn steps(a: &[Step], out: &mut f32) {
    let mut last = None;
    for (i, step) in a.iter().enumerate().filter(|(i, _)| i % 2 == 0) {
        match *step {
            Step::Stay => continue,
            Step::Add(x) => *out += x,
            Step::Scale { by } => *out *= by,
        }
        last = Some(i);
    }
    if let Some(i) = last {
        *out += i as f32;
    }
}

pub fn programs() -> Vec<Result<Program, BuildError>> {
    vec![
        by_index::program(),
        by_iterator::program(),
        slice_by_index::program(),
        slice_by_iterator::program(),
        steps::program(),
    ]
}

#[test]
fn a_loop_over_a_slice_costs_what_the_index_costs() {
    let pairs = [
        (by_index::program(), by_iterator::program()),
        (slice_by_index::program(), slice_by_iterator::program()),
    ];
    for (index, iterator) in pairs {
        let programs = [index, iterator].map(|p| p.unwrap_or_else(|error| panic!("{error}")));
        for target in TARGETS {
            let [index, iterator] = programs.each_ref().map(|p| text(p, target, [64, 1, 1], Stage::Assembly));
            expect_no_detours(&iterator);
            let (found, wanted) = (loops(&iterator), loops(&index));
            assert!(found.len() == wanted.len() && !found.is_empty(), "{target}\n{iterator}");
            assert!(found.iter().zip(&wanted).all(|(a, b)| a <= b), "{target}: {found:?}, not {wanted:?}");
            // Before the loops registers may be set up in another way.
            let (index, iterator) = (instructions(&index).len(), instructions(&iterator).len());
            assert!(iterator <= index + 1, "{target}: {iterator} instructions, {index} with the index");
        }
    }
}

#[test]
fn enums_and_adaptors_stay_in_registers() {
    let program = steps::program().unwrap_or_else(|error| panic!("{error}"));
    for target in TARGETS {
        expect_no_detours(&text(&program, target, [64, 1, 1], Stage::Assembly));
    }
}
