//! Constructs that could leave memory of the thread's own or generic addresses behind, and must not.

use crate::expect::{expect, expect_no_detours};
use crate::{TARGETS, text};
use wavewright::codegen::Stage;
use wavewright::kernel_ir::entry::BuildError;
use wavewright::kernel_ir::typed::Program;
use wavewright::prelude::*;

const BLOCK: [u32; 3] = [64, 1, 1];

#[derive(Clone, Copy, DeviceType)]
struct Camera {
    origin: [f32; 3],
    scale: f32,
    flip: bool,
}

#[device]
fn escape(x: f32, y: f32, limit: u32) -> u32 {
    let (mut a, mut b) = (0.0f32, 0.0f32);
    let mut round = 0;
    while round < limit {
        let (aa, bb) = (a * a, b * b);
        if aa + bb > 4.0 {
            break;
        }
        b = 2.0 * a * b + y;
        a = aa - bb + x;
        round += 1;
    }
    round
}

/// A struct by value, its array, a function with a loop that is left in the middle.
#[kernel]
fn mandelbrot(camera: Camera, width: u32, limit: u32, out: &mut [u32]) {
    let (x, y) = (thread::global_x(), thread::global_y());
    let at = y * width as usize + x;
    if x < width as usize && at < out.len() {
        let down = if camera.flip { -1.0 } else { 1.0 };
        let re = camera.origin[0] + x as f32 * camera.scale;
        let im = camera.origin[1] + y as f32 * camera.scale * down;
        out[at] = escape(re, im, limit);
    }
}

/// A closure that borrows, tuples, a slice of a slice.
#[kernel]
fn closures(a: f32, x: &[f32], y: &mut f32) {
    let window = &x[1..5];
    let mut total = 0.0;
    let mut add = |i: usize| {
        total += window[i] * a;
        (total, i)
    };
    let (sum, last) = {
        add(0);
        add(2)
    };
    *y = sum + last as f32;
}

/// An array of the thread's own that loops index: registers, once the loops are unrolled.
#[kernel]
fn array_in_registers(x: &[f32], y: &mut f32) {
    let mut parts = [0.0f32; 4];
    for i in 0..4 {
        parts[i] = x[i] * i as f32;
    }
    let copy = parts;
    parts[0] += 1.0;
    let mut sum = 0.0;
    for i in 0..4 {
        sum += parts[i] * copy[3 - i];
    }
    *y = sum;
}

/// Returns from the middle, labelled loops, a value from `loop`.
#[kernel]
fn ways_out(x: &[u32], y: &mut u32) {
    if x.len() < 3 {
        return;
    }
    let mut rounds = 0;
    let found = 'outer: loop {
        for i in 0..x.len() {
            rounds += 1;
            if x[i] == rounds {
                break 'outer i;
            }
            if x[i] > 1000 {
                continue 'outer;
            }
        }
        if rounds > 100 {
            return;
        }
    };
    *y = found as u32;
}

/// The kernels of this file.
pub fn programs() -> Vec<Result<Program, BuildError>> {
    vec![mandelbrot::program(), closures::program(), array_in_registers::program(), ways_out::program()]
}

#[test]
fn nothing_takes_a_detour() {
    for program in programs() {
        let program = program.unwrap_or_else(|error| panic!("{error}"));
        for target in TARGETS {
            expect_no_detours(&text(&program, target, BLOCK, Stage::Assembly));
        }
    }
}

/// Plain `mul` and `add` on NVIDIA could be fused by its own assembler.
#[test]
fn every_operation_on_floats_is_rounded_on_nvidia() {
    let ptx = text(&mandelbrot::program().unwrap(), "sm_90", BLOCK, Stage::Assembly);
    expect(
        &ptx,
        "! mul.f32\n! add.f32\n! sub.f32\n! fma.\nmul.rn.f32\n! mul.f32\n! add.f32\n! sub.f32\n! fma.",
    );
}
