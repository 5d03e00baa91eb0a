//! Control flow, taken apart.

use super::Kernel;
use wavewright_kernel_ir::captured::{BinaryOp::*, ExprKind};
use wavewright_kernel_ir::samples::build::{block, stmt, value_block};
use wavewright_kernel_ir::scalar::Scalar::*;

#[test]
fn a_for_over_an_inclusive_range_makes_no_step_past_its_end() {
    let k = Kernel::new();
    let (b, f) = (&k.b, &k.f);
    let y = f.param("y", b.ty::<&mut u32>());
    let (i, label) = (f.local("i"), f.label());
    let skip =
        f.if_then(f.binary(Eq, f.var(i), f.int(3)), block(vec![stmt(f.expr(ExprKind::Continue(label)))]));
    let round = block(vec![
        stmt(skip),
        stmt(f.assign_binary(Add, f.deref(f.var(y)), f.cast(f.var(i), b.ty::<u32>()))),
    ]);
    let range = f.range(Some(f.int_of(0, U8)), Some(f.int_of(255, U8)), true);
    let body = block(vec![stmt(f.for_(label, i, range, round))]);
    assert_eq!(
        k.lines(body).join("\n"),
        "\
{
    let _1: u8 = 0u8;
    if _1 <= 255u8 {
        '0: loop {
            '1: {
                let i: u8 = _1;
                if i == 3u8 {
                    break '1;
                }
                *y += i as u32;
            }
            if _1 == 255u8 { break '0 }
            _1 = wrapping_add(_1, 1u8);
        }
    }
}"
    );
}

#[test]
fn a_for_evaluates_its_ends_once_the_lower_first_and_steps_before_its_body() {
    let k = Kernel::new();
    let (b, f) = (&k.b, &k.f);
    let (n, label, i) = (f.param("n", b.ty::<i32>()), f.label(), f.local("i"));
    let range =
        f.range(Some(f.unary(wavewright_kernel_ir::captured::UnaryOp::Neg, f.int(1))), Some(f.var(n)), false);
    let skip = block(vec![stmt(f.expr(ExprKind::Continue(label)))]);
    let body = block(vec![stmt(f.for_(label, i, range, skip))]);
    assert_eq!(
        k.lines(body).join("\n"),
        "\
{
    let _1: i32 = -1i32;
    let _2: i32 = n;
    '0: loop {
        if _1 < _2 {
            let i: i32 = _1;
            _1 = wrapping_add(_1, 1i32);
            continue '0;
        } else { break '0 }
    }
}"
    );
}

#[test]
fn while_leaves_from_the_other_branch() {
    let k = Kernel::new();
    let (b, f) = (&k.b, &k.f);
    let (x, label) = (f.param("x", b.ty::<u32>()), f.label());
    let halve = block(vec![stmt(f.assign_binary(Shr, f.var(x), f.int(1)))]);
    let condition = Box::new(f.binary(Gt, f.var(x), f.int(1)));
    let body = block(vec![stmt(f.expr(ExprKind::While(label, condition, halve)))]);
    assert_eq!(
        k.lines(body).join("\n"),
        "\
'0: loop {
    if x > 1u32 {
        x >>= 1i32;
    } else { break '0 }
}"
    );
}

#[test]
fn loops_and_labelled_blocks_have_the_value_of_their_breaks() {
    let k = Kernel::new();
    let (b, f) = (&k.b, &k.f);
    let (x, outer, inner, v) = (f.param("x", b.ty::<f32>()), f.label(), f.label(), f.local("v"));
    let leave = |label, value| stmt(f.expr(ExprKind::Break(label, Some(Box::new(value)))));
    let condition = f.binary(Lt, f.var(x), f.float("0.0"));
    let round = block(vec![
        stmt(f.if_then(condition, block(vec![leave(outer, f.float("1.0"))]))),
        leave(inner, f.var(x)),
    ]);
    let endless = f.expr(ExprKind::Loop(inner, round));
    let labelled = f.expr(ExprKind::Block(Some(outer), value_block(vec![], endless)));
    let body = block(vec![f.let_typed(v, b.ty::<f32>(), labelled)]);
    assert_eq!(
        k.lines(body).join("\n"),
        "\
let v: f32 = '0: {
    '1: loop {
        if x < 0.0f32 {
            break '0 1.0f32;
        }
        break '1 x;
    }
};"
    );
}

#[test]
fn a_branch_that_never_ends_takes_the_type_of_the_other() {
    let k = Kernel::new();
    let (b, f) = (&k.b, &k.f);
    let (c, x, v) = (f.param("c", b.ty::<bool>()), f.param("x", b.ty::<u32>()), f.local("v"));
    let leave = f.expr(ExprKind::Return(None));
    let choice = f.if_else(f.var(c), block(vec![stmt(leave)]), value_block(vec![], f.var(x)));
    let never = f.if_else(f.var(c), block(vec![stmt(f.panic("one"))]), value_block(vec![], f.panic("two")));
    let body = block(vec![f.let_(v, choice), stmt(never)]);
    assert_eq!(
        k.lines(body).join("\n"),
        "\
let v: u32 = if c {
    return;
} else { x };
if c {
    panic!(\"one\");
} else { panic!(\"two\") }"
    );
}

#[test]
fn a_literal_in_the_first_branch_takes_the_type_of_the_second() {
    let k = Kernel::new();
    let (b, f) = (&k.b, &k.f);
    let (c, x, v) = (f.param("c", b.ty::<bool>()), f.param("x", b.ty::<u16>()), f.local("v"));
    let choice = f.if_else(f.var(c), value_block(vec![], f.int(7)), value_block(vec![], f.var(x)));
    let body = block(vec![f.let_(v, choice)]);
    assert_eq!(k.lines(body), ["let v: u16 = if c { 7u16 } else { x };"]);
}

#[test]
fn short_circuit_operators_stay_as_they_are() {
    let k = Kernel::new();
    let (b, f) = (&k.b, &k.f);
    let (a, c, x) = (f.param("a", b.ty::<bool>()), f.param("c", b.ty::<bool>()), f.local("x"));
    let body = block(vec![f.let_(x, f.or(f.and(f.var(a), f.var(c)), f.binary(BitAnd, f.var(a), f.var(c))))]);
    assert_eq!(k.lines(body), ["let x: bool = (a && c) || (a & c);"]);
}

#[test]
fn a_variable_may_get_its_type_from_its_first_assignment() {
    let k = Kernel::new();
    let (b, f) = (&k.b, &k.f);
    let (c, y, x) = (f.param("c", b.ty::<bool>()), f.param("y", b.ty::<f64>()), f.local("x"));
    let declare = wavewright_kernel_ir::captured::Statement::Let {
        pattern: f.binding(x),
        ty: None,
        init: None,
        diverge: None,
    };
    let choose = f.if_else(
        f.var(c),
        block(vec![stmt(f.assign(f.var(x), f.var(y)))]),
        block(vec![stmt(f.assign(f.var(x), f.float("1.0")))]),
    );
    let body = block(vec![declare, stmt(choose)]);
    assert_eq!(
        k.lines(body).join("\n"),
        "\
let x: f64;
if c {
    x = y;
} else {
    x = 1.0f64;
}"
    );
}

#[test]
fn functions_called_twice_are_typed_once() {
    let k = Kernel::new();
    let (b, f) = (&k.b, &k.f);
    let g = wavewright_kernel_ir::samples::build::BodyBuilder::new(b.ty::<f32>());
    let x = g.param("x", b.ty::<f32>());
    let double = g.binary(Add, g.var(x), g.var(x));
    let double = b.function("test::double", g, value_block(vec![], double));
    let (y, v) = (f.param("y", b.ty::<f32>()), f.local("v"));
    let body = block(vec![f.let_(v, f.call(double, vec![f.call(double, vec![f.var(y)])]))]);
    assert_eq!(
        k.text(body),
        "\
fn test::k(y: f32) {
    let v: f32 = test::double(test::double(y));
}
fn test::double(x: f32) -> f32 {
    x + x
}"
    );
}
