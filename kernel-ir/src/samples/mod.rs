//! A few kernels, captured by hand and typed: for the tests of the stages that read typed programs.

pub mod build;

use crate::builtin::Builtin::*;
use crate::captured::BinaryOp::{Add, Div, Lt, Mul};
use crate::entry::BuildError;
use crate::record::{InstanceId, Instances};
use crate::typed::{KernelAttributes, Program};
use build::{BodyBuilder, Builder, block, stmt, value_block};

/// The program of an instance list, without attributes.
///
/// # Errors
///
/// As [`crate::typing::program`].
pub fn typed(instances: &Instances) -> Result<Program, BuildError> {
    crate::typing::program(instances, KernelAttributes::default())
}

fn sample(instances: Instances) -> Program {
    typed(&instances).unwrap_or_else(|e| panic!("a sample is well-formed: {e}"))
}

/// Every sample with its name.
pub fn all() -> Vec<(&'static str, Program)> {
    vec![
        ("saxpy_slice", saxpy_slice()),
        ("saxpy_element", saxpy_element()),
        ("saxpy_unchecked", saxpy_unchecked()),
        ("matmul_tiled", matmul_tiled()),
        ("calls_and_closure", calls_and_closure()),
    ]
}

/// ```text
/// fn saxpy(a: f32, x: &[f32], y: &mut [f32]) {
///     let i = thread::global_x();
///     if i < y.len() {
///         y[i] += a * x[i];
///     }
/// }
/// ```
pub fn saxpy_slice() -> Program {
    let b = Builder::new();
    let f = BodyBuilder::new(b.ty::<()>());
    let (a, x, y) =
        (f.param("a", b.ty::<f32>()), f.param("x", b.ty::<&[f32]>()), f.param("y", b.ty::<&mut [f32]>()));
    let i = f.local("i");
    let (global_x, len) = (b.builtin(GlobalX, &[]), b.builtin(Len, &[b.ty::<f32>()]));
    let body = block(vec![
        f.line().let_(i, f.call(global_x, vec![])),
        stmt(f.line().if_then(
            f.binary(Lt, f.var(i), f.method(len, f.var(y), vec![])),
            block(vec![stmt(f.line().assign_binary(
                Add,
                f.index(f.var(y), f.var(i)),
                f.binary(Mul, f.var(a), f.index(f.var(x), f.var(i))),
            ))]),
        )),
    ]);
    sample(b.kernel("samples::saxpy_slice", f, body))
}

/// ```text
/// fn saxpy(a: f32, x: &f32, y: &mut f32) {
///     *y += a * *x;
/// }
/// ```
pub fn saxpy_element() -> Program {
    let b = Builder::new();
    let f = BodyBuilder::new(b.ty::<()>());
    let (a, x, y) =
        (f.param("a", b.ty::<f32>()), f.param("x", b.ty::<&f32>()), f.param("y", b.ty::<&mut f32>()));
    let body = block(vec![stmt(f.line().assign_binary(
        Add,
        f.deref(f.var(y)),
        f.binary(Mul, f.var(a), f.deref(f.var(x))),
    ))]);
    sample(b.kernel("samples::saxpy_element", f, body))
}

/// ```text
/// fn saxpy(n: u32, a: f32, x: &[f32], y: &mut [f32]) {
///     let i = block::x() * block::size_x() + thread::x();
///     if i < n {
///         unsafe {
///             let i = i as usize;
///             *y.get_unchecked_mut(i) = a.mul_add(*x.get_unchecked(i), *y.get_unchecked(i));
///         }
///     }
/// }
/// ```
pub fn saxpy_unchecked() -> Program {
    let b = Builder::new();
    let f = BodyBuilder::new(b.ty::<()>());
    let (n, a) = (f.param("n", b.ty::<u32>()), f.param("a", b.ty::<f32>()));
    let (x, y) = (f.param("x", b.ty::<&[f32]>()), f.param("y", b.ty::<&mut [f32]>()));
    let (i, j) = (f.local("i"), f.local("i"));
    let (block_x, size_x, thread_x) =
        (b.builtin(BlockX, &[]), b.builtin(BlockSizeX, &[]), b.builtin(ThreadX, &[]));
    let f32_ = [b.ty::<f32>()];
    let (get, get_mut) = (b.builtin(GetUnchecked, &f32_), b.builtin(GetUncheckedMut, &f32_));
    let mul_add = b.builtin(MulAdd, &f32_);
    let store = block(vec![
        f.line().let_(j, f.cast(f.var(i), b.ty::<usize>())),
        stmt(f.line().assign(
            f.deref(f.method(get_mut, f.var(y), vec![f.var(j)])),
            f.method(
                mul_add,
                f.var(a),
                vec![
                    f.deref(f.method(get, f.var(x), vec![f.var(j)])),
                    f.deref(f.method(get, f.var(y), vec![f.var(j)])),
                ],
            ),
        )),
    ]);
    let number = f.binary(Mul, f.call(block_x, vec![]), f.call(size_x, vec![]));
    let body = block(vec![
        f.let_(i, f.binary(Add, number, f.call(thread_x, vec![]))),
        stmt(f.if_then(f.binary(Lt, f.var(i), f.var(n)), store)),
    ]);
    sample(b.kernel("samples::saxpy_unchecked", f, body))
}

/// ```text
/// fn matmul(n: usize, a: &[f32], b: &[f32], c: &mut [f32]) {
///     let a_tile = shared!([[f32; 16]; 16]);
///     let b_tile = shared!([[f32; 16]; 16]);
///     let (tx, ty) = (thread::x() as usize, thread::y() as usize);
///     let row = thread::global_y();
///     let column = thread::global_x();
///     let mut sum = 0.0f32;
///     for tile in 0..n / 16 {
///         a_tile[ty][tx] = a[row * n + tile * 16 + tx];
///         b_tile[ty][tx] = b[(tile * 16 + ty) * n + column];
///         sync_threads();
///         for k in 0..16usize {
///             sum += a_tile[ty][k] * b_tile[k][tx];
///         }
///         sync_threads();
///     }
///     c[row * n + column] = sum;
/// }
/// ```
pub fn matmul_tiled() -> Program {
    use crate::scalar::Scalar::{F32, Usize};
    let p = Builder::new();
    let f = BodyBuilder::new(p.ty::<()>());
    let n = f.param("n", p.ty::<usize>());
    let (a, b) = (f.param("a", p.ty::<&[f32]>()), f.param("b", p.ty::<&[f32]>()));
    let c = f.param("c", p.ty::<&mut [f32]>());
    let [a_tile, b_tile, tx, ty, row, column, sum, tile, k] =
        ["a_tile", "b_tile", "tx", "ty", "row", "column", "sum", "tile", "k"].map(|name| f.local(name));
    let (outer, inner) = (f.label(), f.label());
    let call = |builtin| f.call(p.builtin(builtin, &[]), vec![]);
    let v = |local| f.var(local);
    let thread = |builtin| f.cast(call(builtin), p.ty::<usize>());
    let tile_type = p.ty::<[[f32; 16]; 16]>();
    let at = |tile, row, column| f.index(f.index(v(tile), v(row)), v(column));
    let times_16 = |tile| f.binary(Mul, v(tile), f.int_of(16, Usize));

    let inner_body = block(vec![stmt(f.line().assign_binary(
        Add,
        v(sum),
        f.binary(Mul, at(a_tile, ty, k), at(b_tile, k, tx)),
    ))]);
    let a_index = f.binary(Add, f.binary(Add, f.binary(Mul, v(row), v(n)), times_16(tile)), v(tx));
    let b_index = f.binary(Add, f.binary(Mul, f.binary(Add, times_16(tile), v(ty)), v(n)), v(column));
    let outer_body = block(vec![
        stmt(f.line().assign(at(a_tile, ty, tx), f.index(v(a), a_index))),
        stmt(f.line().assign(at(b_tile, ty, tx), f.index(v(b), b_index))),
        stmt(call(SyncThreads)),
        stmt(f.for_(inner, k, f.range(Some(f.int(0)), Some(f.int_of(16, Usize)), false), inner_body)),
        stmt(call(SyncThreads)),
    ]);
    let tiles = f.range(Some(f.int(0)), Some(f.binary(Div, v(n), f.int(16))), false);
    let pair = f.pattern(crate::captured::PatternKind::Tuple(vec![f.binding(tx), f.binding(ty)], None));
    let threads = f.expr(crate::captured::ExprKind::Tuple(vec![thread(ThreadX), thread(ThreadY)]));
    let target = f.index(v(c), f.binary(Add, f.binary(Mul, v(row), v(n)), v(column)));
    let body = block(vec![
        f.let_(a_tile, f.shared(tile_type)),
        f.let_(b_tile, f.shared(tile_type)),
        f.let_pattern(pair, threads),
        f.let_(row, call(GlobalY)),
        f.let_(column, call(GlobalX)),
        f.let_(sum, f.float_of("0.0", F32)),
        stmt(f.for_(outer, tile, tiles, outer_body)),
        stmt(f.assign(target, v(sum))),
    ]);
    sample(p.kernel("samples::matmul_tiled", f, body))
}

/// ```text
/// fn apply<F: Fn(f32) -> f32>(f: F, x: f32) -> f32 {
///     f(f(x))
/// }
/// fn sum_below(x: &[f32], end: usize) -> f32 {
///     let mut sum = 0.0;
///     for i in 0..end {
///         if x[i] < 0.0 { return -1.0; }
///         sum += x[i];
///     }
///     sum
/// }
/// fn kernel(a: f32, x: &[f32], y: &mut f32) {
///     let mut calls = 0;
///     let scale = 2.0 * a;
///     *y = apply(|v| v * scale + sum_below(x, 4), *y);
/// }
/// ```
pub fn calls_and_closure() -> Program {
    use crate::scalar::Scalar::{F32, Usize};
    let b = Builder::new();
    let sum_below = {
        let f = BodyBuilder::new(b.ty::<f32>());
        let (x, end) = (f.param("x", b.ty::<&[f32]>()), f.param("end", b.ty::<usize>()));
        let (sum, i, label) = (f.local("sum"), f.local("i"), f.label());
        let x_i = || f.index(f.var(x), f.var(i));
        let minus_one = f.unary(crate::captured::UnaryOp::Neg, f.float("1.0"));
        let leave = f.expr(crate::captured::ExprKind::Return(Some(Box::new(minus_one))));
        let round = block(vec![
            stmt(f.line().if_then(f.binary(Lt, x_i(), f.float("0.0")), block(vec![stmt(leave)]))),
            stmt(f.line().assign_binary(Add, f.var(sum), x_i())),
        ]);
        let range = f.range(Some(f.int_of(0, Usize)), Some(f.var(end)), false);
        let body = vec![f.let_(sum, f.float_of("0.0", F32)), stmt(f.for_(label, i, range, round))];
        let value = f.var(sum);
        b.function("samples::sum_below", f, value_block(body, value))
    };
    let apply = apply(&b);
    let f = BodyBuilder::new(b.ty::<()>());
    let (a, x) = (f.param("a", b.ty::<f32>()), f.param("x", b.ty::<&[f32]>()));
    let y = f.param("y", b.ty::<&mut f32>());
    let (scale, v) = (f.local("scale"), f.local("v"));
    let param = f.closure_param(v, b.ty::<f32>());
    let sum = f.call(sum_below, vec![f.var(x), f.int_of(4, Usize)]);
    let closure =
        f.line().closure(false, vec![param], f.binary(Add, f.binary(Mul, f.var(v), f.var(scale)), sum));
    let body = block(vec![
        f.let_(scale, f.binary(Mul, f.float("2.0"), f.var(a))),
        stmt(f.assign(f.deref(f.var(y)), f.call(apply, vec![closure, f.deref(f.var(y))]))),
    ]);
    sample(b.kernel("samples::calls_and_closure", f, body))
}

/// `fn apply<F: Fn(f32) -> f32>(f: F, x: f32) -> f32 { f(f(x)) }`
fn apply(b: &Builder) -> InstanceId {
    let g = BodyBuilder::new(b.ty::<f32>());
    let (callee, x) = (g.value_param("f"), g.param("x", b.ty::<f32>()));
    let inner = g.call_value(g.var(callee), vec![g.var(x)]);
    let value = g.call_value(g.var(callee), vec![inner]);
    b.function("samples::apply::<_>", g, value_block(vec![], value))
}
