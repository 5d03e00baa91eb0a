//! Literals take their final type before they are read.

use super::Kernel;
use wavewright_kernel_ir::captured::{BinaryOp::*, ExprKind, Literal, UnaryOp};
use wavewright_kernel_ir::samples::build::block;
use wavewright_kernel_ir::scalar::Scalar;

#[test]
fn the_lowest_integers_have_no_positive_form() {
    let k = Kernel::new();
    let f = &k.f;
    let min = |name: &str, value: u128, scalar| {
        f.let_(f.local(name), f.unary(UnaryOp::Neg, f.int_of(value, scalar)))
    };
    let body = block(vec![
        min("a", 128, Scalar::I8),
        min("b", 1 << 31, Scalar::I32),
        min("c", 1 << 63, Scalar::I64),
        min("d", 1 << 127, Scalar::I128),
        min("e", 1, Scalar::Isize),
    ]);
    assert_eq!(
        k.lines(body),
        [
            "let a: i8 = -128i8;",
            "let b: i32 = -2147483648i32;",
            "let c: i64 = -9223372036854775808i64;",
            "let d: i128 = -170141183460469231731687303715884105728i128;",
            "let e: isize = -1isize;",
        ]
    );
}

#[test]
fn decimals_are_rounded_once_to_their_own_type() {
    let k = Kernel::new();
    let f = &k.f;
    // By way of an f64 this would round to 1.0 (a tie there, which goes to even).
    let digits = "1.000000059604644775390626";
    let float = |name: &str, digits: &str, scalar| f.let_(f.local(name), f.float_of(digits, scalar));
    let body = block(vec![
        float("a", digits, Scalar::F32),
        float("b", "0.1", Scalar::F32),
        float("c", "0.1", Scalar::F64),
        float("d", "1e-45", Scalar::F32),
        float("e", "2.", Scalar::F64),
        f.let_(f.local("f"), f.unary(UnaryOp::Neg, f.float_of("0.0", Scalar::F32))),
    ]);
    assert_eq!(
        k.lines(body),
        [
            "let a: f32 = 1.0000001f32;",
            "let b: f32 = 0.1f32;",
            "let c: f64 = 0.1f64;",
            "let d: f32 = 1e-45f32;",
            "let e: f64 = 2.0f64;",
            "let f: f32 = -0.0f32;",
        ]
    );
}

#[test]
fn a_literal_takes_the_type_that_its_place_expects() {
    let k = Kernel::new();
    let (b, f) = (&k.b, &k.f);
    let x = f.param("x", b.ty::<u8>());
    let y = f.param("y", b.ty::<f32>());
    let [p, q, r, s, t, u] = ["p", "q", "r", "s", "t", "u"].map(|n| f.local(n));
    let array = |parts| f.expr(ExprKind::Array(parts, None));
    let tuple = |parts| f.expr(ExprKind::Tuple(parts));
    let body = block(vec![
        f.let_typed(p, b.ty::<u64>(), f.int(1)),
        f.let_(q, f.binary(Add, f.int(1), f.var(x))),
        f.let_(r, f.binary(Mul, f.binary(Sub, f.float("2.0"), f.float("1.0")), f.var(y))),
        f.let_typed(s, b.ty::<[i16; 2]>(), array(vec![f.int(1), f.unary(UnaryOp::Neg, f.int(2))])),
        f.let_typed(t, b.ty::<(u8, f64)>(), tuple(vec![f.int(1), f.float("2.5")])),
        f.let_(u, array(vec![f.int(1), f.var(x)])),
    ]);
    assert_eq!(
        k.lines(body),
        [
            "let p: u64 = 1u64;",
            "let q: u8 = 1u8 + x;",
            "let r: f32 = (2.0f32 - 1.0f32) * y;",
            "let s: [i16; 2] = [1i16, -2i16];",
            "let t: (u8, f64) = (1u8, 2.5f64);",
            "let u: [u8; 2] = [1u8, x];",
        ]
    );
}

#[test]
fn a_literal_that_is_cast_takes_the_target_or_its_own_default() {
    let k = Kernel::new();
    let (b, f) = (&k.b, &k.f);
    let cast = |name: &str, e, ty| f.let_(f.local(name), f.cast(e, ty));
    let body = block(vec![
        cast("a", f.int(5), b.ty::<u64>()),
        cast("b", f.int(5), b.ty::<f32>()),
        cast("c", f.float("5.5"), b.ty::<u8>()),
        cast("d", f.int(65), b.ty::<char>()),
        cast("e", f.unary(UnaryOp::Neg, f.int(1)), b.ty::<f32>()),
    ]);
    assert_eq!(
        k.lines(body),
        [
            "let a: u64 = 5u64;",
            "let b: f32 = 5i32 as f32;",
            "let c: u8 = 5.5f64 as u8;",
            "let d: char = 65u8 as char;",
            "let e: f32 = -1i32 as f32;",
        ]
    );
}

#[test]
fn a_literal_that_nothing_types_is_refused() {
    let k = Kernel::new();
    let body = block(vec![k.f.let_(k.f.local("a"), k.f.int(1))]);
    assert_eq!(
        k.refusal(body),
        "the type of this literal is not known: write it with a suffix, as in `1u32` or `1.0f32`"
    );
}

#[test]
fn constants_are_values_by_their_bytes() {
    let k = Kernel::new();
    let (b, f) = (&k.b, &k.f);
    let value = |name: &str, ty, bytes: &[u8]| f.let_(f.local(name), f.constant(ty, bytes));
    let body = block(vec![
        value("a", b.ty::<u32>(), &7u32.to_le_bytes()),
        value("b", b.ty::<i16>(), &(-3i16).to_le_bytes()),
        value("c", b.ty::<[u8; 3]>(), &[1, 2, 3]),
        value("d", b.ty::<f32>(), &f32::INFINITY.to_bits().to_le_bytes()),
        f.let_(f.local("e"), f.expr(ExprKind::Literal(Literal::Char('ß'), None))),
    ]);
    assert_eq!(
        k.lines(body),
        [
            "let a: u32 = 7u32;",
            "let b: i16 = -3i16;",
            "let c: [u8; 3] = [1u8, 2u8, 3u8];",
            "let d: f32 = f32::from_bits(0x7f800000);",
            "let e: char = 'ß';",
        ]
    );
}
