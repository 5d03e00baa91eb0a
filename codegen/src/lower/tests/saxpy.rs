//! The first kernel of them all, in three forms.

use super::build::Build;
use super::compile::{Stage, instructions, text, text_with};
use super::{TARGETS, assert_no_detours};
use crate::Options;
use wavewright_kernel_ir::builtin::Builtin;
use wavewright_kernel_ir::samples;
use wavewright_kernel_ir::scalar::Scalar;
use wavewright_kernel_ir::typed::*;
use wavewright_kernel_ir::types::Mutability;

/// `fn saxpy(a: f32, x: &f32, y: &mut f32) { *y = a.mul_add(*x, *y) }`
fn element() -> Program {
    let mut b = Build::new();
    let f32 = b.scalar_type(Scalar::F32);
    let a = b.value("a", f32);
    let x = b.element("x", f32, Mutability::Shared);
    let y = b.element("y", f32, Mutability::Mutable);
    let a = b.get(a);
    let (x, old, new) = (b.deref(x), b.deref(y), b.deref(y));
    let (x, y) = (b.load(x), b.load(old));
    let value = b.builtin(Builtin::MulAdd, vec![a, x, y], f32);
    let store = b.assign(new, value);
    b.kernel("saxpy", vec![store])
}

/// `let i = thread::global_x(); if i < y.len() { y[i] = a.mul_add(x[i], y[i]) }`
fn checked() -> Program {
    let mut b = Build::new();
    let f32 = b.scalar_type(Scalar::F32);
    let usize = b.scalar_type(Scalar::Usize);
    let a = b.value("a", f32);
    let x = b.slice("x", f32, Mutability::Shared);
    let y = b.slice("y", f32, Mutability::Mutable);
    let i = b.local("i", usize);
    let global = b.global_x();
    let (index, length) = (b.get(i), b.len(y));
    let inside = b.binary(BinaryOp::Lt, index, length);
    let a = b.get(a);
    let (x, old, new) = (b.at(x, i), b.at(y, i), b.at(y, i));
    let (x, y) = (b.load(x), b.load(old));
    let value = b.builtin(Builtin::MulAdd, vec![a, x, y], f32);
    let store = b.assign(new, value);
    let when = b.when(inside, vec![store]);
    b.kernel("saxpy", vec![Statement::Let(i, Some(global)), when])
}

/// The same with `n: u32`, 32-bit arithmetic and `get_unchecked`.
fn unchecked() -> Program {
    let mut b = Build::new();
    let f32 = b.scalar_type(Scalar::F32);
    let u32 = b.scalar_type(Scalar::U32);
    let usize = b.scalar_type(Scalar::Usize);
    let n = b.value("n", u32);
    let a = b.value("a", f32);
    let x = b.slice("x", f32, Mutability::Shared);
    let y = b.slice("y", f32, Mutability::Mutable);
    let i = b.local("i", u32);
    let at = b.local("at", usize);
    let block = b.builtin(Builtin::BlockX, vec![], u32);
    let size = b.builtin(Builtin::BlockSizeX, vec![], u32);
    let thread = b.builtin(Builtin::ThreadX, vec![], u32);
    let first = b.binary(BinaryOp::Mul, block, size);
    let index = b.binary(BinaryOp::Add, first, thread);
    let (i32bit, n) = (b.get(i), b.get(n));
    let inside = b.binary(BinaryOp::Lt, i32bit, n);
    let wide = b.get(i);
    let wide = b.cast(CastKind::IntToInt, wide, Scalar::Usize);
    let a = b.get(a);
    let (x, old, new) = (b.at_unchecked(x, at), b.at_unchecked(y, at), b.at_unchecked(y, at));
    let (x, y) = (b.load(x), b.load(old));
    let value = b.builtin(Builtin::MulAdd, vec![a, x, y], f32);
    let store = b.assign(new, value);
    let when = b.when(inside, vec![Statement::Let(at, Some(wide)), store]);
    b.kernel("saxpy", vec![Statement::Let(i, Some(index)), when])
}

/// What clang-22 needs for the same HIP kernel.
const CLANG: [(&str, usize); 3] = [("gfx942", 21), ("gfx1100", 26), ("gfx1201", 27)];

/// The instructions up to and including the first `s_endpgm`.
fn main_path(assembly: &str) -> Vec<&str> {
    let all = instructions(assembly);
    let end = all.iter().position(|i| *i == "s_endpgm").expect("a kernel ends");
    all[..=end].to_vec()
}

#[test]
fn element_form_needs_no_more_instructions_than_clang() {
    for (target, most) in CLANG {
        let assembly = text(&element(), target, Some([256, 1, 1]), Stage::Assembly);
        let count = instructions(&assembly).len();
        assert!(count <= most, "{target}: {count} > {most}\n{assembly}");
        assert_no_detours("saxpy", target, &assembly);
    }
}

#[test]
fn unchecked_form_needs_no_more_instructions_than_clang() {
    for (target, most) in CLANG {
        let assembly = text(&unchecked(), target, Some([256, 1, 1]), Stage::Assembly);
        let count = instructions(&assembly).len();
        assert!(count <= most, "{target}: {count} > {most}\n{assembly}");
        assert_no_detours("saxpy", target, &assembly);
    }
}

/// The check of `y` is proven by the `if` around it; that of `x` costs at most eight instructions where it holds.
#[test]
fn checked_form_panics_out_of_line() {
    for (target, most) in CLANG {
        let assembly = text(&checked(), target, Some([256, 1, 1]), Stage::Assembly);
        let path = main_path(&assembly);
        assert!(path.len() <= most + 8, "{target}: {} > {most} + 8\n{assembly}", path.len());
        let claims = |code: &[&str]| code.iter().filter(|i| i.contains("atomic_cmpswap")).count();
        assert_eq!(claims(&path), 0, "{target}: the panic is in line\n{assembly}");
        assert_eq!(claims(&instructions(&assembly)), 1, "{target}: one check can fail\n{assembly}");
        assert_no_detours("saxpy", target, &assembly);
    }
}

#[test]
fn parameters_say_what_the_launch_promises() {
    for target in ["gfx942", "sm_90"] {
        let ir = text(&checked(), target, Some([256, 1, 1]), Stage::Raw);
        let x = parameter(&ir, "%x");
        let y = parameter(&ir, "%y");
        for promise in ["ptr addrspace(1)", "noundef", "readonly", "align 4"] {
            assert!(x.contains(promise), "{target}: {x}");
        }
        for promise in ["ptr addrspace(1)", "noundef", "noalias", "align 4"] {
            assert!(y.contains(promise), "{target}: {y}");
        }
        assert!(!y.contains("readonly") && !ir.contains("dereferenceable"), "{target}: {y}");
    }
}

/// The declaration of a parameter of the kernel.
fn parameter<'t>(ir: &'t str, name: &str) -> &'t str {
    let line = ir.lines().find(|line| line.starts_with("define")).expect("a kernel is defined");
    let mut found = line.split(", ").filter(|p| p.split(')').any(|part| part.ends_with(name)));
    found.next().unwrap_or_else(|| panic!("no {name} in {line}"))
}

#[test]
fn block_sizes_are_constants_where_they_are_known() {
    let known = text(&checked(), "gfx942", Some([256, 1, 1]), Stage::Optimised);
    for fact in
        ["\"amdgpu-flat-work-group-size\"=\"256,256\"", "!reqd_work_group_size", "i32 256, i32 1, i32 1"]
    {
        assert!(known.contains(fact), "{fact}\n{known}");
    }
    assert!(!known.contains("implicitarg.ptr()"), "{known}");
    let unknown = text(&checked(), "gfx942", None, Stage::Optimised);
    for fact in ["\"amdgpu-flat-work-group-size\"=\"1,1024\"", "implicitarg.ptr()"] {
        assert!(unknown.contains(fact), "{fact}\n{unknown}");
    }
    let ptx = text(&checked(), "sm_90", Some([256, 1, 1]), Stage::Assembly);
    assert!(ptx.contains(".reqntid 256, 1, 1") && !ptx.contains("%ntid"), "{ptx}");
    let ptx = text(&checked(), "sm_90", None, Stage::Assembly);
    assert!(!ptx.contains(".reqntid") && ptx.contains("%ntid.x"), "{ptx}");
}

#[test]
fn products_and_sums_are_rounded_apart_unless_the_kernel_allows_contraction() {
    let fused = |assembly: &str| instructions(assembly).iter().any(|i| i.contains("fma"));
    for target in TARGETS {
        let mut program = samples::saxpy_slice();
        let assembly = text(&program, target, Some([256, 1, 1]), Stage::Assembly);
        assert!(!fused(&assembly), "{target}\n{assembly}");
        // Without `.rn`, NVIDIA's own assembler would fuse them.
        if target == "sm_90" {
            assert!(assembly.contains("mul.rn.f32") && assembly.contains("add.rn.f32"), "{assembly}");
        }
        program.kernel.attributes.contract = true;
        let assembly = text(&program, target, Some([256, 1, 1]), Stage::Assembly);
        assert!(fused(&assembly), "{target}\n{assembly}");
    }
}

#[test]
fn debug_information_changes_no_instruction_and_names_the_source() {
    for target in TARGETS {
        let options = Options { block: Some([256, 1, 1]), ..Options::default() };
        let plain = text_with(&checked(), target, &options, Stage::Assembly);
        let lines = text_with(&checked(), target, &Options { debug_info: true, ..options }, Stage::Assembly);
        assert_eq!(instructions(&plain), instructions(&lines), "{target}");
        assert!(lines.contains(".loc") && lines.contains("kernels.rs"), "{target}\n{lines}");
        assert!(!lines.contains(", debug"), "{target}: NVIDIA's assembler would not optimise\n{lines}");
    }
}
