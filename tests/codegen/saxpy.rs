//! `saxpy` in the forms that users write, with the instruction counts that it must keep.

use crate::expect::{expect, expect_no_detours, instructions};
use crate::{TARGETS, text};
use wavewright::codegen::Stage;
use wavewright::kernel_ir::entry::BuildError;
use wavewright::kernel_ir::typed::Program;
use wavewright::prelude::*;

#[kernel]
fn element(a: f32, x: &f32, y: &mut f32) {
    *y = a.mul_add(*x, *y);
}

#[kernel]
fn unchecked(n: u32, a: f32, x: &[f32], y: &mut [f32]) {
    let i = block::x() * block::size_x() + thread::x();
    if i < n {
        let i = i as usize;
        // SAFETY: the launch gives buffers of at least `n` elements.
        unsafe { *y.get_unchecked_mut(i) = a.mul_add(*x.get_unchecked(i), *y.get_unchecked(i)) }
    }
}

#[kernel]
fn checked(a: f32, x: &[f32], y: &mut [f32]) {
    let i = thread::global_x();
    if i < y.len() {
        y[i] = a.mul_add(x[i], y[i]);
    }
}

#[kernel]
fn strided(a: f32, x: &[f32], y: &mut [f32]) {
    let mut i = thread::global_x();
    let step = grid::size_x() as usize * block::size_x() as usize;
    while i < y.len() {
        y[i] += a * x[i];
        i += step;
    }
}

#[kernel(fast_math(contract))]
fn contracted(a: f32, x: &f32, y: &mut f32) {
    *y += a * *x;
}

const BLOCK: [u32; 3] = [256, 1, 1];

/// What clang-22 needs for the same HIP kernel.
const CLANG: [(&str, usize); 3] = [("gfx942", 21), ("gfx1100", 26), ("gfx1201", 27)];

/// The kernels of this file.
pub fn programs() -> Vec<Result<Program, BuildError>> {
    vec![
        element::program(),
        unchecked::program(),
        checked::program(),
        strided::program(),
        contracted::program(),
    ]
}

#[test]
fn element_and_unchecked_forms_are_as_short_as_clangs() {
    for (name, program) in [("element", element::program()), ("unchecked", unchecked::program())] {
        for (target, most) in CLANG {
            let assembly = text(&program.clone().unwrap(), target, BLOCK, Stage::Assembly);
            let count = instructions(&assembly).len();
            assert!(count <= most, "{name} on {target}: {count} > {most}\n{assembly}");
            expect_no_detours(&assembly);
        }
    }
}

#[test]
fn checked_form_has_a_short_way_and_its_panic_out_of_line() {
    for (target, most) in CLANG {
        let assembly = text(&checked::program().unwrap(), target, BLOCK, Stage::Assembly);
        let all = instructions(&assembly);
        let end = all.iter().position(|instruction| *instruction == "s_endpgm").expect("the kernel ends") + 1;
        assert!(end <= most + 8, "{target}: {end} > {most} + 8\n{assembly}");
        expect_no_detours(&assembly);
        // One check is left of three: that of `x`.
        expect(
            &assembly,
            "! global_atomic_cmpswap
             global_store
             s_endpgm
             global_atomic_cmpswap
             ! global_atomic_cmpswap",
        );
    }
}

#[test]
fn no_form_takes_a_detour() {
    for program in programs() {
        for target in TARGETS {
            expect_no_detours(&text(&program.clone().unwrap(), target, BLOCK, Stage::Assembly));
        }
    }
}

#[test]
fn llvm_ir_of_the_checked_form() {
    let ir = text(&checked::program().unwrap(), "gfx942", BLOCK, Stage::LlvmIr);
    expect(
        &ir,
        "define protected amdgpu_kernel void @{}(float {} %a, ptr addrspace(1) {} readonly {} %x, i64 {} %x.len, ptr addrspace(1) noalias {} %y
         workgroup.id.x()
         workitem.id.x(), !range
         zext i32
         br i1
         br i1 {} !prof
         load float, ptr addrspace(1) {} !invariant.load
         load float, ptr addrspace(1)
         @llvm.fma.f32
         store float {} ptr addrspace(1)",
    );
    expect(
        &ir,
        "! addrspacecast
         ! alloca
         \"amdgpu-flat-work-group-size\"=\"256,256\" {} \"uniform-work-group-size\"=\"true\"",
    );
}

#[test]
fn only_contraction_makes_one_operation_of_two() {
    for target in TARGETS {
        let fused = |program| {
            let assembly = text(&program, target, BLOCK, Stage::Assembly);
            instructions(&assembly).iter().any(|instruction| instruction.contains("fma"))
        };
        assert!(fused(contracted::program().unwrap()), "{target}");
        assert!(!fused(strided::program().unwrap()), "{target}");
    }
    // What is not marked as rounded, NVIDIA's own assembler would fuse.
    expect(&text(&strided::program().unwrap(), "sm_90", BLOCK, Stage::Assembly), "mul.rn.f32\nadd.rn.f32");
}

#[test]
fn ptx_of_the_element_form() {
    expect(
        &text(&element::program().unwrap(), "sm_90", BLOCK, Stage::Assembly),
        ".visible .entry
         .reqntid 256, 1, 1
         mul.wide.u32 {}, 256;
         ld.global.nc.b32
         ld.global.b32
         fma.rn.f32
         st.global.b32
         ret;",
    );
}

/// Four elements that lie where one instruction can fetch them.
#[derive(Clone, Copy, DeviceType)]
#[repr(align(16))]
struct Quad([f32; 4]);

#[kernel]
fn by_fours(a: f32, x: &Quad, y: &mut Quad) {
    for i in 0..4 {
        y.0[i] = a.mul_add(x.0[i], y.0[i]);
    }
}

#[derive(Clone, Copy, DeviceType)]
#[repr(align(16))]
struct Vector {
    x: f32,
    y: f32,
    z: f32,
    w: f32,
}

#[kernel]
fn by_vectors(n: u32, a: f32, x: &[Vector], y: &mut [Vector]) {
    let i = thread::global_x();
    let step = (grid::size_x() * block::size_x()) as usize;
    let mut i = i;
    while i < n as usize {
        let (p, q) = (x[i], y[i]);
        y[i] = Vector {
            x: a.mul_add(p.x, q.x),
            y: a.mul_add(p.y, q.y),
            z: a.mul_add(p.z, q.z),
            w: a.mul_add(p.w, q.w),
        };
        i += step;
    }
}

#[test]
fn aligned_elements_are_fetched_whole() {
    for program in [by_fours::program(), by_vectors::program()] {
        let program = program.unwrap();
        for (target, load, store) in [
            ("gfx942", "global_load_dwordx4", "global_store_dwordx4"),
            ("gfx1201", "global_load_b128", "global_store_b128"),
            ("sm_90", "ld.global.nc.v4", "st.global.v4"),
        ] {
            let assembly = text(&program, target, BLOCK, Stage::Assembly);
            expect_no_detours(&assembly);
            let count = |part: &str| instructions(&assembly).iter().filter(|i| i.starts_with(part)).count();
            assert!(count(load) >= 1 && count(store) >= 1, "{target}\n{assembly}");
            assert_eq!(
                count("global_load_dword ") + count("global_load_b32") + count("ld.global.b32"),
                0,
                "{target}\n{assembly}"
            );
        }
    }
}
