//! Patterns become tests and bindings.

use super::Kernel;
use wavewright_kernel_ir::captured::{Arm, BinaryOp::*, ExprKind, PatternKind, Statement};
use wavewright_kernel_ir::samples::build::{arm, block, stmt, value_block};

#[test]
fn a_match_of_many_arms_is_a_block_that_the_first_that_fits_leaves() {
    let k = Kernel::new();
    let (b, f) = (&k.b, &k.f);
    let (x, v, n) = (f.param("x", b.ty::<i32>()), f.local("v"), f.local("n"));
    let range = |start: Option<i128>, end: Option<i128>| {
        let end_of = |value| Box::new(f.int_pattern(value));
        f.pattern(PatternKind::Range { start: start.map(end_of), end: end.map(end_of), inclusive: true })
    };
    let guarded = Arm {
        pattern: f.binding(n),
        guard: Some(f.binary(Gt, f.var(n), f.int(100))),
        body: f.binary(Sub, f.var(n), f.int(100)),
    };
    let either = f.pattern(PatternKind::Or(vec![f.int_pattern(-1), range(Some(5), Some(7))]));
    let arms = vec![
        arm(f.int_pattern(0), f.int(10)),
        arm(either, f.int(20)),
        guarded,
        arm(range(None, Some(-10)), f.panic("low")),
        arm(f.pattern(PatternKind::Wild), f.var(x)),
    ];
    let body = block(vec![f.let_typed(v, b.ty::<i32>(), f.match_(f.var(x), arms))]);
    assert_eq!(
        k.lines(body).join("\n"),
        "\
let v: i32 = '0: {
    if x == 0i32 { break '0 10i32 }
    if (x == -1i32) || ((x >= 5i32) && (x <= 7i32)) { break '0 20i32 }
    if {
        let n: i32 = x;
        n > 100i32
    } { break '0 n - 100i32 }
    if x <= -10i32 { panic!(\"low\") }
    x
};"
    );
}

#[test]
fn the_last_arm_of_a_match_is_not_tested() {
    let k = Kernel::new();
    let (b, f) = (&k.b, &k.f);
    let (x, v) = (f.param("x", b.ty::<bool>()), f.local("v"));
    let literal = |value| {
        let literal = wavewright_kernel_ir::captured::Literal::Bool(value);
        f.pattern(PatternKind::Literal { literal, negative: false })
    };
    let arms = vec![arm(literal(true), f.int(1)), arm(literal(false), f.int(2))];
    let body = block(vec![f.let_typed(v, b.ty::<u8>(), f.match_(f.var(x), arms))]);
    assert_eq!(k.lines(body), ["let v: u8 = if x { 1u8 } else { 2u8 };"]);
}

#[test]
fn tuples_and_references_are_taken_apart_with_their_binding_mode() {
    let k = Kernel::new();
    let (b, f) = (&k.b, &k.f);
    let p = f.param("p", b.ty::<(u32, f32)>());
    let r = f.local("r");
    let [a, c, d, e] = ["a", "c", "d", "e"].map(|n| f.local(n));
    let tuple = |parts| f.pattern(PatternKind::Tuple(parts, None));
    let by_value = f.pattern(PatternKind::Reference(Box::new(tuple(vec![f.binding(d), f.binding(e)]))));
    let body = block(vec![
        f.let_(r, f.reference(f.var(p))),
        f.let_pattern(tuple(vec![f.binding(a), f.binding(c)]), f.var(r)),
        f.let_pattern(by_value, f.var(r)),
    ]);
    assert_eq!(
        k.lines(body),
        [
            "let r: &(u32, f32) = &p;",
            "let a: &u32 = &(*r).0;",
            "let c: &f32 = &(*r).1;",
            "let d: u32 = (*r).0;",
            "let e: f32 = (*r).1;",
        ]
    );
}

#[test]
fn a_tuple_from_values_needs_no_tuple() {
    let k = Kernel::new();
    let (b, f) = (&k.b, &k.f);
    let (x, y) = (f.param("x", b.ty::<u32>()), f.param("y", b.ty::<f32>()));
    let (a, c) = (f.local("a"), f.local("c"));
    let pattern = f.pattern(PatternKind::Tuple(vec![f.binding(a), f.binding(c)], None));
    let pair = f.expr(ExprKind::Tuple(vec![f.var(x), f.var(y)]));
    let swap = f.expr(ExprKind::AssignTuple(
        vec![Some(f.var(x)), None],
        Box::new(f.expr(ExprKind::Tuple(vec![f.var(a), f.var(c)]))),
    ));
    let body = block(vec![f.let_pattern(pattern, pair), stmt(swap)]);
    assert_eq!(
        k.lines(body).join("\n"),
        "\
let a: u32 = x;
let c: f32 = y;
{
    let _4: (u32, f32) = (a, c);
    x = _4.0;
}"
    );
}

#[test]
fn slices_are_tested_for_their_length_and_arrays_are_not() {
    let k = Kernel::new();
    let (b, f) = (&k.b, &k.f);
    let (s, t) = (f.param("s", b.ty::<&[f32]>()), f.param("t", b.ty::<[u8; 4]>()));
    let [first, last, a, c] = ["first", "last", "a", "c"].map(|n| f.local(n));
    let ends = |x, y| f.pattern(PatternKind::Slice(vec![f.binding(x)], Some(vec![f.binding(y)])));
    let leave = block(vec![stmt(f.expr(ExprKind::Return(None)))]);
    let let_else =
        Statement::Let { pattern: ends(first, last), ty: None, init: Some(f.var(s)), diverge: Some(leave) };
    let body = block(vec![let_else, f.let_pattern(ends(a, c), f.var(t))]);
    assert_eq!(
        k.lines(body).join("\n"),
        "\
if !((*s).len() >= 2usize) {
    return;
}
let first: &f32 = &(*s)[unchecked 0usize];
let last: &f32 = &(*s)[unchecked (*s).len() - 1usize];
let a: u8 = t[unchecked 0usize];
let c: u8 = t[unchecked 3usize];"
    );
}

#[test]
fn alternatives_that_bind_do_so_in_their_test() {
    let k = Kernel::new();
    let (b, f) = (&k.b, &k.f);
    let (p, v, y) = (f.param("p", b.ty::<(u32, u32)>()), f.local("v"), f.param("y", b.ty::<&mut u32>()));
    let tuple = |parts| f.pattern(PatternKind::Tuple(parts, None));
    let either = f.pattern(PatternKind::Or(vec![
        tuple(vec![f.int_pattern(0), f.binding(v)]),
        tuple(vec![f.binding(v), f.int_pattern(0)]),
    ]));
    let condition = f.expr(ExprKind::Let(either, Box::new(f.var(p))));
    let condition = f.and(condition, f.binary(Gt, f.var(v), f.int(2)));
    let store = block(vec![stmt(f.assign(f.deref(f.var(y)), f.var(v)))]);
    let body = block(vec![stmt(f.if_then(condition, store))]);
    assert_eq!(
        k.lines(body).join("\n"),
        "\
if (((p.0 == 0u32) && {
    let v: u32 = p.1;
    true
}) || ((p.1 == 0u32) && {
    let v: u32 = p.0;
    true
})) && (v > 2u32) {
    *y = v;
}"
    );
}

#[test]
fn a_place_with_an_index_is_matched_where_it_was() {
    let k = Kernel::new();
    let (b, f) = (&k.b, &k.f);
    let (x, i) = (f.param("x", b.ty::<&[(u32, u32)]>()), f.param("i", b.ty::<usize>()));
    let (a, c) = (f.local("a"), f.local("c"));
    let pattern = f.pattern(PatternKind::Tuple(vec![f.binding(a), f.binding(c)], None));
    let body = block(vec![f.let_pattern(pattern, f.index(f.var(x), f.var(i)))]);
    assert_eq!(
        k.lines(body),
        ["let _2: &(u32, u32) = &(*x)[i];", "let a: u32 = (*_2).0;", "let c: u32 = (*_2).1;",]
    );
}

#[test]
fn a_condition_that_binds_a_value_keeps_it() {
    let k = Kernel::new();
    let (b, f) = (&k.b, &k.f);
    let (x, n, v) = (f.param("x", b.ty::<u32>()), f.local("n"), f.local("v"));
    let pattern = f.pattern(PatternKind::Binding {
        local: n,
        mutable: false,
        by_reference: None,
        sub: Some(Box::new(f.pattern(PatternKind::Range {
            start: Some(Box::new(f.int_pattern(1))),
            end: Some(Box::new(f.int_pattern(9))),
            inclusive: false,
        }))),
    });
    let condition = f.expr(ExprKind::Let(pattern, Box::new(f.binary(Rem, f.var(x), f.int(10)))));
    let choice = f.if_else(condition, value_block(vec![], f.var(n)), value_block(vec![], f.int(0)));
    let body = block(vec![f.let_(v, choice)]);
    assert_eq!(
        k.lines(body).join("\n"),
        "\
let v: u32 = if {
    let _1: u32 = x % 10u32;
    ((_1 >= 1u32) && (_1 < 9u32)) && {
        let n: u32 = _1;
        true
    }
} { n } else { 0u32 };"
    );
}
