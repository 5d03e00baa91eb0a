//! Products of matrices: shared memory, barriers in loops, checks that are proven.

use crate::expect::{expect, expect_no_detours, instructions};
use crate::{TARGETS, text};
use wavewright::codegen::Stage;
use wavewright::kernel_ir::entry::BuildError;
use wavewright::kernel_ir::typed::Program;
use wavewright::prelude::*;

const TILE: usize = 16;
const BLOCK: [u32; 3] = [16, 16, 1];

// The quotient as GPU programmers write it: what it compiles to is what is tested.
#[allow(clippy::manual_div_ceil)]
#[kernel(block = (16, 16))]
fn tiled(n: usize, a: &[f32], b: &[f32], c: &mut [f32]) {
    let tile_a = shared!([[f32; TILE]; TILE]);
    let tile_b = shared!([[f32; TILE]; TILE]);
    let (x, y) = (thread::x() as usize, thread::y() as usize);
    let (column, row) = (thread::global_x(), thread::global_y());
    let mut sum = 0.0;
    for step in 0..n.div_ceil(TILE) {
        let (across, down) = (step * TILE + x, step * TILE + y);
        tile_a[y][x] = if row < n && across < n { a[row * n + across] } else { 0.0 };
        tile_b[y][x] = if down < n && column < n { b[down * n + column] } else { 0.0 };
        sync_threads();
        for k in 0..TILE {
            sum += tile_a[y][k] * tile_b[k][x];
        }
        sync_threads();
    }
    if row < n && column < n {
        c[row * n + column] = sum;
    }
}

#[kernel]
fn naive(n: usize, a: &[f32], b: &[f32], c: &mut [f32]) {
    let (column, row) = (thread::global_x(), thread::global_y());
    if row < n && column < n {
        let mut sum = 0.0;
        for k in 0..n {
            sum += a[row * n + k] * b[k * n + column];
        }
        c[row * n + column] = sum;
    }
}

/// The kernels of this file.
pub fn programs() -> Vec<Result<Program, BuildError>> {
    vec![tiled::program(), naive::program()]
}

#[test]
fn neither_form_takes_a_detour() {
    for program in programs() {
        for target in TARGETS {
            expect_no_detours(&text(&program.clone().unwrap(), target, BLOCK, Stage::Assembly));
        }
    }
}

#[test]
fn barriers_come_with_fences_and_are_not_copied() {
    let ir = text(&tiled::program().unwrap(), "gfx942", BLOCK, Stage::LlvmIr);
    expect(
        &ir,
        "store float {} ptr addrspace(3)
         store float {} ptr addrspace(3)
         fence syncscope(\"workgroup\") release
         call void @llvm.amdgcn.s.barrier()
         fence syncscope(\"workgroup\") acquire
         load float, ptr addrspace(3)
         fence syncscope(\"workgroup\") release
         call void @llvm.amdgcn.s.barrier()
         fence syncscope(\"workgroup\") acquire
         ! call void @llvm.amdgcn.s.barrier()
         declare void @llvm.amdgcn.s.barrier() #{}",
    );
    let ptx = text(&tiled::program().unwrap(), "sm_90", BLOCK, Stage::Assembly);
    assert_eq!(
        instructions(&ptx).iter().filter(|instruction| instruction.starts_with("bar")).count(),
        2,
        "{ptx}"
    );
    expect(&ptx, "st.shared\nbar.sync 0\nld.shared\nbar.sync 0\nst.shared");
}

/// The indices into the tiles are below 16: LLVM knows the block's size and the loop's end.
#[test]
fn checks_of_tiles_are_gone() {
    for target in TARGETS {
        let raw = text(&tiled::program().unwrap(), target, BLOCK, Stage::LlvmIrRaw);
        let optimised = text(&tiled::program().unwrap(), target, BLOCK, Stage::LlvmIr);
        let checks =
            |ir: &str| ir.lines().filter(|line| line.contains("br i1") && line.contains("!prof")).count();
        assert!(checks(&raw) > 8, "{target}\n{raw}");
        assert_eq!(checks(&optimised), 3, "{target}: `a`, `b` and `c` alone\n{optimised}");
    }
}
