//! The first kernel of them all, in three forms.

use super::build::Build;
use super::compile::{Stage, text};
use wavewright_kernel_ir::builtin::Builtin;
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

#[test]
fn look() {
    for (name, program) in [("element", element()), ("unchecked", unchecked()), ("checked", checked())] {
        for target in ["gfx942", "gfx1100", "gfx1201", "sm_90"] {
            for (stage, suffix) in [(Stage::Raw, "raw.ll"), (Stage::Optimised, "ll"), (Stage::Assembly, "s")]
            {
                let text = text(&program, target, Some([256, 1, 1]), stage);
                std::fs::write(format!("/tmp/gpu/{name}.{target}.{suffix}"), text).unwrap();
            }
        }
    }
}
