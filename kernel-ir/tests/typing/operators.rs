//! Operators of primitives and of user types, and operations that Rust calls by reference.

use super::Kernel;
use wavewright_kernel_ir::builtin::Builtin;
use wavewright_kernel_ir::captured::{BinaryOp::*, ExprKind, UnaryOp};
use wavewright_kernel_ir::samples::build::{BodyBuilder, block, stmt, value_block};

#[test]
fn references_to_primitives_are_read_through() {
    let k = Kernel::new();
    let (b, f) = (&k.b, &k.f);
    let (x, r) = (f.param("x", b.ty::<f32>()), f.local("r"));
    let [p, q] = ["p", "q"].map(|n| f.local(n));
    let body = block(vec![
        f.let_(r, f.reference(f.var(x))),
        f.let_(p, f.binary(Add, f.var(r), f.var(x))),
        f.let_(q, f.binary(Lt, f.reference(f.var(r)), f.reference(f.reference(f.float("1.0"))))),
    ]);
    assert_eq!(k.lines(body), ["let r: &f32 = &x;", "let p: f32 = *r + x;", "let q: bool = *r < 1.0f32;"]);
}

#[test]
fn operators_of_generic_code_on_primitives_are_those_of_primitives() {
    let k = Kernel::new();
    let (b, f) = (&k.b, &k.f);
    let (x, p, q, r, s) =
        (f.param("x", b.ty::<i64>()), f.local("p"), f.local("q"), f.local("r"), f.local("s"));
    let i64s = [b.ty::<i64>(), b.ty::<i64>()];
    let (add, eq, lt, neg, clone, zero) = (
        b.builtin(Builtin::Add, &i64s),
        b.builtin(Builtin::PartialEq, &i64s),
        b.builtin(Builtin::PartialOrd, &i64s),
        b.builtin(Builtin::Neg, &i64s[..1]),
        b.builtin(Builtin::Clone, &i64s[..1]),
        b.builtin(Builtin::Default, &i64s[..1]),
    );
    let x_clone = f.method(clone, f.var(x), vec![]);
    let neg_note = f.callee(neg);
    let negated = f.expr(ExprKind::Unary(UnaryOp::Neg, Box::new(f.var(p)), Some(neg_note)));
    let body = block(vec![
        f.let_(p, f.overloaded(Add, f.var(x), x_clone, add)),
        f.let_(q, f.overloaded(Ne, f.var(p), f.call(zero, vec![]), eq)),
        f.let_(r, f.overloaded(Ge, f.var(p), f.var(x), lt)),
        f.let_(s, f.method(add, negated, vec![f.var(x)])),
    ]);
    assert_eq!(
        k.lines(body),
        ["let p: i64 = x + x;", "let q: bool = p != 0i64;", "let r: bool = p >= x;", "let s: i64 = -p + x;",]
    );
}

#[test]
fn assigning_operators_of_primitives_compute_the_value_first_those_of_generic_code_find_the_place_first() {
    let k = Kernel::new();
    let (b, f) = (&k.b, &k.f);
    let (x, i) = (f.param("x", b.ty::<&mut [u32]>()), f.param("i", b.ty::<usize>()));
    let g = BodyBuilder::new(b.ty::<u32>());
    let one = g.int(1);
    let g = b.function("test::g", g, value_block(vec![], one));
    let add_assign = b.builtin(Builtin::AddAssign, &[b.ty::<u32>(), b.ty::<u32>()]);
    let element = || f.index(f.var(x), f.var(i));
    let noted = |place, value| {
        let note = f.callee(add_assign);
        stmt(f.expr(ExprKind::AssignBinary(Add, Box::new(place), Box::new(value), Some(note))))
    };
    let body = block(vec![
        stmt(f.assign_binary(Add, element(), f.call(g, vec![]))),
        noted(element(), f.call(g, vec![])),
        noted(element(), f.int(2)),
        stmt(f.method(add_assign, element(), vec![f.int(3)])),
    ]);
    assert_eq!(
        k.lines(body).join("\n"),
        "\
(*x)[i] += test::g();
{
    let _2: &mut u32 = &mut (*x)[i];
    *_2 += test::g()
}
(*x)[i] += 2u32;
(*x)[i] += 3u32;"
    );
}

#[test]
fn user_types_call_their_functions() {
    let k = Kernel::new();
    let (b, f) = (&k.b, &k.f);
    type V = (f32, f32);
    let (v, v_ref, v_mut) = (b.ty::<V>(), b.ty::<&V>(), b.ty::<&mut V>());
    let add = BodyBuilder::new(v);
    let (p, _) = (add.param("a", v), add.param("b", v));
    let value = add.var(p);
    let add = b.function("test::add", add, value_block(vec![], value));
    let eq = BodyBuilder::new(b.ty::<bool>());
    let (_, _) = (eq.param("a", v_ref), eq.param("b", v_ref));
    let value = eq.bool(true);
    let eq = b.function("test::eq", eq, value_block(vec![], value));
    let add_assign = BodyBuilder::new(b.ty::<()>());
    let (_, _) = (add_assign.param("a", v_mut), add_assign.param("b", v));
    let add_assign = b.function("test::add_assign", add_assign, block(vec![]));

    let (x, c, note) = (f.param("x", v), f.local("c"), f.callee(add_assign));
    let assign = f.expr(ExprKind::AssignBinary(Add, Box::new(f.var(x)), Box::new(f.var(x)), Some(note)));
    let body = block(vec![
        f.let_(c, f.overloaded(Ne, f.overloaded(Add, f.var(x), f.var(x), add), f.var(x), eq)),
        stmt(assign),
    ]);
    assert_eq!(
        k.lines(body).join("\n"),
        "\
let c: bool = !test::eq({
    let _1: (f32, f32) = test::add(x, x);
    &_1
}, &x);
test::add_assign(&mut x, x);"
    );
}

#[test]
fn methods_of_numbers_take_values() {
    let k = Kernel::new();
    let (b, f) = (&k.b, &k.f);
    let (x, n, r) = (f.param("x", b.ty::<f64>()), f.param("n", b.ty::<u16>()), f.local("r"));
    let (f64_, u16_) = ([b.ty::<f64>()], [b.ty::<u16>()]);
    let method = |name: &str, builtin, types: &[_], receiver, arguments| {
        f.let_(f.local(name), f.method(b.builtin(builtin, types), receiver, arguments))
    };
    let body = block(vec![
        f.let_(r, f.reference(f.var(x))),
        method("a", Builtin::MulAdd, &f64_, f.var(r), vec![f.float("2.0"), f.var(x)]),
        method("b", Builtin::ToBits, &f64_, f.var(x), vec![]),
        method("c", Builtin::RotateLeft, &u16_, f.var(n), vec![f.int(3)]),
        method("d", Builtin::LeadingZeros, &u16_, f.var(n), vec![]),
        method("e", Builtin::Max, &u16_, f.var(n), vec![f.int(9)]),
    ]);
    assert_eq!(
        k.lines(body),
        [
            "let r: &f64 = &x;",
            "let a: f64 = mul_add(*r, 2.0f64, x);",
            "let b: u64 = to_bits(x);",
            "let c: u16 = rotate_left(n, 3u32);",
            "let d: u32 = leading_zeros(n);",
            "let e: u16 = max(n, 9u16);",
        ]
    );
}

#[test]
fn conversions_are_casts() {
    let k = Kernel::new();
    let (b, f) = (&k.b, &k.f);
    let (x, c) = (f.param("x", b.ty::<u8>()), f.param("c", b.ty::<bool>()));
    let from = |name: &str, target, source, value| {
        f.let_(f.local(name), f.call(b.builtin(Builtin::From, &[target, source]), vec![value]))
    };
    let body = block(vec![
        from("p", b.ty::<u64>(), b.ty::<u8>(), f.var(x)),
        from("q", b.ty::<char>(), b.ty::<u8>(), f.var(x)),
        from("r", b.ty::<f32>(), b.ty::<bool>(), f.var(c)),
        from("s", b.ty::<u8>(), b.ty::<u8>(), f.var(x)),
    ]);
    assert_eq!(
        k.lines(body),
        [
            "let p: u64 = x as u64;",
            "let q: char = x as char;",
            "let r: f32 = (c as u8) as f32;",
            "let s: u8 = x;",
        ]
    );
}

#[test]
fn shifts_take_amounts_of_any_integer_type() {
    let k = Kernel::new();
    let (b, f) = (&k.b, &k.f);
    let (x, n) = (f.param("x", b.ty::<u64>()), f.param("n", b.ty::<i8>()));
    let [p, q] = ["p", "q"].map(|n| f.local(n));
    let body = block(vec![
        f.let_(p, f.binary(Shl, f.var(x), f.var(n))),
        f.let_typed(q, b.ty::<u64>(), f.binary(Shr, f.int(1), f.int(2))),
    ]);
    assert_eq!(k.lines(body), ["let p: u64 = x << n;", "let q: u64 = 1u64 >> 2i32;"]);
}
