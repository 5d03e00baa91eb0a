//! Products of square matrices: the loops, and shared memory with barriers between its uses.

use super::build::Build;
use super::compile::{Stage, instructions, refusal, text};
use super::{TARGETS, assert_no_detours};
use wavewright_kernel_ir::builtin::Builtin;
use wavewright_kernel_ir::scalar::Scalar;
use wavewright_kernel_ir::typed::*;
use wavewright_kernel_ir::types::{Mutability, Type};

/// Every access checked:
/// `for k in 0..n { sum += a[row * n + k] * b[k * n + column] }`
pub(super) fn naive() -> Program {
    let mut b = Build::new();
    let f32 = b.scalar_type(Scalar::F32);
    let usize = b.scalar_type(Scalar::Usize);
    let n = b.value("n", usize);
    let left = b.slice("a", f32, Mutability::Shared);
    let right = b.slice("b", f32, Mutability::Shared);
    let out = b.slice("c", f32, Mutability::Mutable);
    let [row, column, sum, k] =
        [("row", usize), ("column", usize), ("sum", f32), ("k", usize)].map(|(n, t)| b.local(n, t));
    let y = b.builtin(Builtin::GlobalY, vec![], usize);
    let x = b.global_x();
    let zero = b.constant(0, Scalar::F32);
    let a_at = linear(&mut b, row, n, k);
    let b_at = linear(&mut b, k, n, column);
    let place = b.deref(left);
    let place = b.index(place, a_at, true);
    let a_value = b.load(place);
    let place = b.deref(right);
    let place = b.index(place, b_at, true);
    let b_value = b.load(place);
    let product = b.binary(BinaryOp::Mul, a_value, b_value);
    let place = b.place_of(sum);
    let add = b.assign_binary(BinaryOp::Add, place, product);
    let end = b.get(n);
    let mut inner = b.count(k, end, vec![add]);
    inner.insert(0, Statement::Let(sum, Some(zero)));
    let c_at = linear(&mut b, row, n, column);
    let place = b.deref(out);
    let place = b.index(place, c_at, true);
    let value = b.get(sum);
    inner.push(b.assign(place, value));
    let (i, end) = (b.get(row), b.get(n));
    let row_inside = b.binary(BinaryOp::Lt, i, end);
    let (i, end) = (b.get(column), b.get(n));
    let column_inside = b.binary(BinaryOp::Lt, i, end);
    let bool = b.scalar_type(Scalar::Bool);
    let inside = b.expr(ExprKind::And(Box::new(row_inside), Box::new(column_inside)), bool);
    let when = b.when(inside, inner);
    b.kernel("matmul", vec![Statement::Let(row, Some(y)), Statement::Let(column, Some(x)), when])
}

/// `row * n + column`
fn linear(b: &mut Build, row: LocalId, n: LocalId, column: LocalId) -> Expr {
    let (row, n, column) = (b.get(row), b.get(n), b.get(column));
    let start = b.binary(BinaryOp::Mul, row, n);
    b.binary(BinaryOp::Add, start, column)
}

/// 16 by 16 tiles in shared memory; every access checked.
pub(super) fn tiled() -> Program {
    let mut b = Build::new();
    let f32 = b.scalar_type(Scalar::F32);
    let usize = b.scalar_type(Scalar::Usize);
    let u32 = b.scalar_type(Scalar::U32);
    let n = b.value("n", usize);
    let left = b.slice("a", f32, Mutability::Shared);
    let right = b.slice("b", f32, Mutability::Shared);
    let out = b.slice("c", f32, Mutability::Mutable);
    let line = b.types.intern(Type::Array { element: f32, length: 16 });
    let tile = b.types.intern(Type::Array { element: line, length: 16 });
    let tile_ref = b.types.reference(tile, Mutability::Mutable);
    let (a_place, b_place) = (b.shared(tile), b.shared(tile));
    let names = [
        ("row", usize),
        ("column", usize),
        ("tx", usize),
        ("ty", usize),
        ("sum", f32),
        ("t", usize),
        ("k", usize),
    ];
    let [row, column, tx, ty, sum, t, k] = names.map(|(name, ty)| b.local(name, ty));
    let (tile_a, tile_b) = (b.local("tile_a", tile_ref), b.local("tile_b", tile_ref));
    let mut statements = Vec::new();
    for (local, place) in [(tile_a, a_place), (tile_b, b_place)] {
        let pointer = b.address_of(place, Mutability::Mutable);
        statements.push(Statement::Let(local, Some(pointer)));
    }
    let y = b.builtin(Builtin::GlobalY, vec![], usize);
    let x = b.global_x();
    let thread_x = b.builtin(Builtin::ThreadX, vec![], u32);
    let thread_y = b.builtin(Builtin::ThreadY, vec![], u32);
    let thread_x = b.cast(CastKind::IntToInt, thread_x, Scalar::Usize);
    let thread_y = b.cast(CastKind::IntToInt, thread_y, Scalar::Usize);
    let zero = b.constant(0, Scalar::F32);
    for (local, value) in [(row, y), (column, x), (tx, thread_x), (ty, thread_y), (sum, zero)] {
        statements.push(Statement::Let(local, Some(value)));
    }
    // a_tile[ty][tx] = a[row * n + t * 16 + tx]; b_tile[ty][tx] = b[(t * 16 + ty) * n + column];
    let mut round = Vec::new();
    let (row_, n_, t_, tx_) = (b.get(row), b.get(n), b.get(t), b.get(tx));
    let start = b.binary(BinaryOp::Mul, row_, n_);
    let (t_, sixteen) = (t_, b.usize(16));
    let across = b.binary(BinaryOp::Mul, t_, sixteen);
    let start = b.binary(BinaryOp::Add, start, across);
    let at = b.binary(BinaryOp::Add, start, tx_);
    let place = b.deref(left);
    let place = b.index(place, at, true);
    let value = b.load(place);
    let to = tile_place(&mut b, tile_a, ty, tx);
    round.push(b.assign(to, value));
    let (t_, sixteen, ty_, n_, column_) = (b.get(t), b.usize(16), b.get(ty), b.get(n), b.get(column));
    let down = b.binary(BinaryOp::Mul, t_, sixteen);
    let down = b.binary(BinaryOp::Add, down, ty_);
    let start = b.binary(BinaryOp::Mul, down, n_);
    let at = b.binary(BinaryOp::Add, start, column_);
    let place = b.deref(right);
    let place = b.index(place, at, true);
    let value = b.load(place);
    let to = tile_place(&mut b, tile_b, ty, tx);
    round.push(b.assign(to, value));
    round.push(b.barrier());
    let place = tile_place(&mut b, tile_a, ty, k);
    let a_value = b.load(place);
    let place = tile_place(&mut b, tile_b, k, tx);
    let b_value = b.load(place);
    let product = b.binary(BinaryOp::Mul, a_value, b_value);
    let place = b.place_of(sum);
    let add = b.assign_binary(BinaryOp::Add, place, product);
    let sixteen = b.usize(16);
    round.extend(b.count(k, sixteen, vec![add]));
    round.push(b.barrier());
    let (n_, sixteen) = (b.get(n), b.usize(16));
    let tiles = b.binary(BinaryOp::Div, n_, sixteen);
    statements.extend(b.count(t, tiles, round));
    let at = linear(&mut b, row, n, column);
    let place = b.deref(out);
    let place = b.index(place, at, true);
    let value = b.get(sum);
    statements.push(b.assign(place, value));
    b.kernel("matmul_tiled", statements)
}

fn tile_place(b: &mut Build, tile: LocalId, row: LocalId, column: LocalId) -> Place {
    let (place, row, column) = (b.deref(tile), b.get(row), b.get(column));
    let line = b.index(place, row, true);
    b.index(line, column, true)
}

#[test]
fn barriers_are_fenced_on_amd_and_convergent_everywhere() {
    let ir = text(&tiled(), "gfx942", Some([16, 16, 1]), Stage::Raw);
    let lines: Vec<&str> = ir.lines().map(str::trim).collect();
    let barriers: Vec<usize> =
        (0..lines.len()).filter(|i| lines[*i].starts_with("call void @llvm.amdgcn.s.barrier")).collect();
    assert_eq!(barriers.len(), 2);
    for barrier in barriers {
        assert_eq!(lines[barrier - 1], "fence syncscope(\"workgroup\") release");
        assert_eq!(lines[barrier + 1], "fence syncscope(\"workgroup\") acquire");
    }
    for target in ["gfx942", "sm_90"] {
        let ir = text(&tiled(), target, Some([16, 16, 1]), Stage::Optimised);
        let barriers = |line: &&str| line.contains("barrier") && line.contains("call void");
        assert_eq!(ir.lines().filter(barriers).count(), 2, "{target}: no barrier is copied\n{ir}");
        for declared in ir.lines().filter(|line| line.starts_with("declare") && line.contains("barrier")) {
            let number = declared.rsplit('#').next().expect("it has attributes");
            let attributes = ir.lines().find(|l| l.starts_with(&format!("attributes #{number} ")));
            assert!(attributes.is_some_and(|a| a.contains("convergent")), "{target}: {declared}");
        }
    }
}

/// Every index into the tiles is below 16, which LLVM knows from the block's size and the loop's end.
#[test]
fn checks_that_are_proven_are_gone() {
    for target in TARGETS {
        let ir = text(&tiled(), target, Some([16, 16, 1]), Stage::Optimised);
        let failing = ir.lines().find(|line| line.contains("= phi i32") && line.matches('[').count() == 3);
        assert!(failing.is_some(), "{target}: the three accesses to buffers can fail, and they alone\n{ir}");
    }
}

#[test]
fn shared_memory_is_addressed_as_such() {
    for (program, name) in [(naive(), "naive"), (tiled(), "tiled")] {
        for target in TARGETS {
            let assembly = text(&program, target, Some([16, 16, 1]), Stage::Assembly);
            assert_no_detours(name, target, &assembly);
            let shared =
                instructions(&assembly).iter().any(|i| i.starts_with("ds_") || i.contains(".shared"));
            assert_eq!(shared, name == "tiled", "{name} on {target}");
        }
    }
}

#[test]
fn too_much_shared_memory_is_refused_where_it_is_declared() {
    let mut b = Build::new();
    let f32 = b.scalar_type(Scalar::F32);
    let large = b.types.intern(Type::Array { element: f32, length: 20_000 });
    let _ = b.shared(large);
    let program = b.kernel("greedy", vec![]);
    let message = refusal(&program, "gfx942");
    assert_eq!(
        message,
        "src/kernels.rs:11:5: kernel `greedy`: 80000 bytes of shared memory; gfx942 has 65536 for a block"
    );
}
