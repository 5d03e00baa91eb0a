//! What closures capture, by Rust's rules.

use super::Kernel;
use wavewright_kernel_ir::captured::{BinaryOp::*, ExprKind};
use wavewright_kernel_ir::samples::build::{BodyBuilder, block, stmt, value_block};
use wavewright_kernel_ir::scalar::Scalar::*;

#[test]
fn what_is_changed_is_captured_by_reference_what_is_read_by_value() {
    let k = Kernel::new();
    let (b, f) = (&k.b, &k.f);
    let [count, step, c] = ["count", "step", "c"].map(|n| f.local(n));
    let closure = f.closure(false, vec![], f.assign_binary(Add, f.var(count), f.var(step)));
    let body = block(vec![
        f.let_(count, f.int_of(0, U32)),
        f.let_(step, f.int_of(2, U32)),
        f.let_(c, closure),
        stmt(f.call_value(f.var(c), vec![])),
    ]);
    let _ = b;
    assert_eq!(
        k.text(body),
        "\
fn test::k() {
    let count: u32 = 0u32;
    let step: u32 = 2u32;
    let c: test::k::{closure#0} = test::k::{closure#0} { 0: step, 1: &mut count };
    test::k::{closure#0}(&mut c);
}
fn test::k::{closure#0}(_0: &mut test::k::{closure#0}) {
    *(*_0).1 += (*_0).0
}"
    );
}

#[test]
fn a_move_closure_changes_its_own_copy() {
    let k = Kernel::new();
    let f = &k.f;
    let [count, c] = ["count", "c"].map(|n| f.local(n));
    let increment = f.assign_binary(Add, f.var(count), f.int(1));
    let counted = f.block(value_block(vec![stmt(increment)], f.var(count)));
    let body = block(vec![
        f.let_(count, f.int_of(0, U32)),
        f.let_(c, f.closure(true, vec![], counted)),
        stmt(f.call_value(f.var(c), vec![])),
    ]);
    assert_eq!(
        k.text(body),
        "\
fn test::k() {
    let count: u32 = 0u32;
    let c: test::k::{closure#0} = test::k::{closure#0} { 0: count };
    test::k::{closure#0}(&mut c);
}
fn test::k::{closure#0}(_0: &mut test::k::{closure#0}) -> u32 {
    (*_0).0 += 1u32;
    (*_0).0
}"
    );
}

#[test]
fn fields_are_captured_apart_and_references_by_what_they_point_to() {
    let k = Kernel::new();
    let (b, f) = (&k.b, &k.f);
    let (p, x, y) = (
        f.param("p", b.ty::<(f32, [f32; 4])>()),
        f.param("x", b.ty::<&[f32]>()),
        f.param("y", b.ty::<&mut [f32]>()),
    );
    let (c, i) = (f.local("c"), f.local("i"));
    let product = f.binary(Mul, f.field(f.var(p), "0"), f.index(f.field(f.var(p), "1"), f.var(i)));
    let store = f.assign(f.index(f.var(y), f.var(i)), f.binary(Add, product, f.index(f.var(x), f.var(i))));
    let param = f.closure_param(i, b.ty::<usize>());
    let closure = f.closure(false, vec![param], store);
    let body = block(vec![f.let_(c, closure), stmt(f.call_value(f.var(c), vec![f.int(3)]))]);
    assert_eq!(
        k.text(body),
        "\
fn test::k(p: (f32, [f32; 4]), x: &[f32], y: &mut [f32]) {
    let c: test::k::{closure#0} = test::k::{closure#0} { 0: p.0, 1: &p.1, 2: x, 3: y };
    test::k::{closure#0}(&c, 3usize);
}
fn test::k::{closure#0}(_0: &test::k::{closure#0}, i: usize) {
    (*(*_0).3)[i] = ((*_0).0 * (*(*_0).1)[i]) + (*(*_0).2)[i]
}"
    );
}

#[test]
fn a_reference_assigned_after_the_closure_was_made_does_not_reach_it() {
    let k = Kernel::new();
    let (b, f) = (&k.b, &k.f);
    let (x, y) = (f.param("x", b.ty::<&f32>()), f.param("y", b.ty::<&f32>()));
    let (r, c, v) = (f.local("r"), f.local("c"), f.local("v"));
    let body = block(vec![
        f.let_(r, f.var(x)),
        f.let_(c, f.closure(false, vec![], f.deref(f.var(r)))),
        stmt(f.assign(f.var(r), f.var(y))),
        f.let_(v, f.call_value(f.var(c), vec![])),
    ]);
    assert_eq!(
        k.text(body),
        "\
fn test::k(x: &f32, y: &f32) {
    let r: &f32 = x;
    let c: test::k::{closure#0} = test::k::{closure#0} { 0: r };
    r = y;
    let v: f32 = test::k::{closure#0}(&c);
}
fn test::k::{closure#0}(_0: &test::k::{closure#0}) -> f32 {
    *(*_0).0
}"
    );
}

#[test]
fn a_whole_and_its_part_are_one_capture() {
    let k = Kernel::new();
    let (b, f) = (&k.b, &k.f);
    let (p, c, q) = (f.param("p", b.ty::<(f32, f32)>()), f.local("c"), f.local("q"));
    let part = stmt(f.assign_binary(Add, f.field(f.var(p), "1"), f.float("1.0")));
    let whole = f.let_(q, f.var(p));
    let closure = f.closure(false, vec![], f.block(block(vec![part, whole])));
    let body = block(vec![f.let_(c, closure), stmt(f.call_value(f.var(c), vec![]))]);
    assert_eq!(
        k.text(body),
        "\
fn test::k(p: (f32, f32)) {
    let c: test::k::{closure#0} = test::k::{closure#0} { 0: &mut p };
    test::k::{closure#0}(&mut c);
}
fn test::k::{closure#0}(_0: &mut test::k::{closure#0}) {
    (*(*_0).0).1 += 1.0f32;
    let q: (f32, f32) = *(*_0).0;
}"
    );
}

#[test]
fn a_closure_in_a_closure_captures_through_it() {
    let k = Kernel::new();
    let (b, f) = (&k.b, &k.f);
    let (x, y) = (f.param("x", b.ty::<f32>()), f.param("y", b.ty::<&mut f32>()));
    let (outer, inner) = (f.local("outer"), f.local("inner"));
    let add = f.assign_binary(Add, f.deref(f.var(y)), f.var(x));
    let inside =
        block(vec![f.let_(inner, f.closure(false, vec![], add)), stmt(f.call_value(f.var(inner), vec![]))]);
    let body = block(vec![
        f.let_(outer, f.closure(false, vec![], f.block(inside))),
        stmt(f.call_value(f.var(outer), vec![])),
    ]);
    assert_eq!(
        k.text(body),
        "\
fn test::k(x: f32, y: &mut f32) {
    let outer: test::k::{closure#0} = test::k::{closure#0} { 0: x, 1: y };
    test::k::{closure#0}(&outer);
}
fn test::k::{closure#0}::{closure#0}(_0: &test::k::{closure#0}::{closure#0}) {
    *(*_0).1 += (*_0).0
}
fn test::k::{closure#0}(_0: &test::k::{closure#0}) {
    let inner: test::k::{closure#0}::{closure#0} = test::k::{closure#0}::{closure#0} { 0: (*_0).0, 1: (*_0).1 };
    test::k::{closure#0}::{closure#0}(&inner);
}"
    );
}

#[test]
fn closures_go_into_generic_functions_and_come_out_of_them() {
    let k = Kernel::new();
    let (b, f) = (&k.b, &k.f);
    let make = BodyBuilder::returning_value();
    let (scale, v) = (make.param("scale", b.ty::<f32>()), make.local("v"));
    let param = make.closure_param(v, b.ty::<f32>());
    let closure = make.closure(true, vec![param], make.binary(Mul, make.var(v), make.var(scale)));
    let make = b.function("test::make", make, value_block(vec![], closure));
    let apply = BodyBuilder::new(b.ty::<f32>());
    let g = apply.value_param("g");
    let value = apply.call_value(apply.var(g), vec![apply.float("2.0")]);
    let apply = b.function("test::apply", apply, value_block(vec![], value));
    let (m, y) = (f.local("m"), f.local("y"));
    let body =
        block(vec![f.let_(m, f.call(make, vec![f.float("3.0")])), f.let_(y, f.call(apply, vec![f.var(m)]))]);
    assert_eq!(
        k.text(body),
        "\
fn test::k() {
    let m: test::make::{closure#0} = test::make(3.0f32);
    let y: f32 = test::apply(m);
}
fn test::make(scale: f32) -> test::make::{closure#0} {
    test::make::{closure#0} { 0: scale }
}
fn test::make::{closure#0}(_0: &test::make::{closure#0}, v: f32) -> f32 {
    v * (*_0).0
}
fn test::apply(g: test::make::{closure#0}) -> f32 {
    test::make::{closure#0}(&g, 2.0f32)
}"
    );
}

#[test]
fn a_returned_closure_must_own_what_it_uses() {
    let k = Kernel::new();
    let (b, f) = (&k.b, &k.f);
    let make = BodyBuilder::returning_value();
    let p = make.param("p", b.ty::<(f32, f32)>());
    let change = stmt(make.assign_binary(Add, make.field(make.var(p), "1"), make.float("1.0")));
    let closure = make.closure(false, vec![], make.block(value_block(vec![change], make.var(p))));
    let make = b.function("test::make", make, value_block(vec![], closure));
    let body = block(vec![f.let_(
        f.local("m"),
        f.call(make, vec![f.expr(ExprKind::Tuple(vec![f.float("1.0"), f.float("2.0")]))]),
    )]);
    assert_eq!(k.refusal(body), "a closure that is returned must own what it uses: write `move` before it");
}
