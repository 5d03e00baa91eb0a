//! Places, automatic dereferencing, coercions, and where values are put.

use super::Kernel;
use wavewright_kernel_ir::builtin::Builtin;
use wavewright_kernel_ir::captured::{BinaryOp::*, Expr, ExprKind};
use wavewright_kernel_ir::samples::build::{BodyBuilder, block, stmt, value_block};
use wavewright_kernel_ir::scalar::Scalar::*;

#[test]
fn arguments_are_coerced_to_their_parameters() {
    let k = Kernel::new();
    let (b, f) = (&k.b, &k.f);
    let g = BodyBuilder::new(b.ty::<()>());
    g.param("s", b.ty::<&[f32]>());
    g.param("r", b.ty::<&u32>());
    let g = b.function("test::g", g, block(vec![]));
    let (a, x, y) = (f.param("a", b.ty::<[f32; 4]>()), f.param("x", b.ty::<&mut u32>()), f.local("y"));
    let body = block(vec![
        f.let_(y, f.reference(f.var(x))),
        stmt(f.call(g, vec![f.reference(f.var(a)), f.var(x)])),
        stmt(f.call(g, vec![f.reference_mut(f.var(a)), f.var(y)])),
    ]);
    assert_eq!(
        k.lines(body),
        ["let y: &&mut u32 = &x;", "test::g(&a as &[f32], &*x);", "test::g(&mut a as &[f32], &**y);",]
    );
}

#[test]
fn a_receiver_is_adjusted_to_what_its_method_wants() {
    let k = Kernel::new();
    let (b, f) = (&k.b, &k.f);
    let by = |name: &str, ty| {
        let g = BodyBuilder::new(b.ty::<()>());
        g.param("self", ty);
        b.function(name, g, block(vec![]))
    };
    let (value, shared, mutable, slice) = (
        by("test::value", b.ty::<u32>()),
        by("test::shared", b.ty::<&u32>()),
        by("test::mutable", b.ty::<&mut u32>()),
        by("test::slice", b.ty::<&mut [u8]>()),
    );
    let (x, a, r) = (f.local("x"), f.local("a"), f.local("r"));
    let call = |method, receiver| stmt(f.method(method, receiver, vec![]));
    let body = block(vec![
        f.let_(x, f.int_of(1, U32)),
        f.let_typed(a, b.ty::<[u8; 2]>(), f.repeat(f.int(0), b.ty::<[u8; 2]>())),
        call(value, f.var(x)),
        call(shared, f.var(x)),
        call(mutable, f.var(x)),
        call(slice, f.var(a)),
        f.let_(r, f.reference_mut(f.var(x))),
        call(value, f.var(r)),
        call(shared, f.var(r)),
        call(mutable, f.var(r)),
        call(shared, f.binary(Add, f.var(x), f.int(1))),
    ]);
    assert_eq!(
        k.lines(body).join("\n"),
        "\
let x: u32 = 1u32;
let a: [u8; 2] = [0u8; 2];
test::value(x);
test::shared(&x);
test::mutable(&mut x);
test::slice(&mut a as &mut [u8]);
let r: &mut u32 = &mut x;
test::value(*r);
test::shared(&*r);
test::mutable(r);
test::shared({
    let _3: u32 = x + 1u32;
    &_3
});"
    );
}

#[test]
fn a_value_that_is_borrowed_gets_a_local_and_a_constant_does_not() {
    let k = Kernel::new();
    let (b, f) = (&k.b, &k.f);
    let x = f.param("x", b.ty::<f32>());
    let [p, q, r, s] = ["p", "q", "r", "s"].map(|n| f.local(n));
    let array = |parts| f.expr(ExprKind::Array(parts, None));
    let body = block(vec![
        f.let_(p, f.reference(f.binary(Mul, f.var(x), f.float("2.0")))),
        f.let_typed(q, b.ty::<&[f32]>(), f.reference(array(vec![f.float("1.0"), f.float("2.0")]))),
        f.let_(r, f.reference_mut(f.int_of(5, U8))),
        f.let_(s, f.index(array(vec![f.int_of(7, I32), f.int(8)]), f.int(1))),
    ]);
    assert_eq!(
        k.lines(body).join("\n"),
        "\
let p: &f32 = {
    let _1: f32 = x * 2.0f32;
    &_1
};
let q: &[f32] = &const([1.0f32, 2.0f32]) as &[f32];
let r: &mut u8 = {
    let _4: u8 = 5u8;
    &mut _4
};
let s: i32 = const([7i32, 8i32])[1usize];"
    );
}

#[test]
fn slices_know_their_lengths_and_arrays_have_them() {
    let k = Kernel::new();
    let (b, f) = (&k.b, &k.f);
    let (s, a) = (f.param("s", b.ty::<&&[f32]>()), f.param("a", b.ty::<[f32; 5]>()));
    let len = b.builtin(Builtin::Len, &[b.ty::<f32>()]);
    let is_empty = b.builtin(Builtin::IsEmpty, &[b.ty::<f32>()]);
    let [p, q, r, t] = ["p", "q", "r", "t"].map(|n| f.local(n));
    let part = f.index(f.var(a), f.range(Some(f.int(1)), Some(f.var(p)), false));
    let body = block(vec![
        f.let_(p, f.method(len, f.var(a), vec![])),
        f.let_(q, f.method(is_empty, f.var(a), vec![])),
        f.let_(r, f.reference(part)),
        f.let_(t, f.method(len, f.var(r), vec![])),
    ]);
    let _ = s;
    let refusal =
        "a buffer of `&[f32]` can't be a kernel's parameter: it holds a `&[f32]`, an address of the host";
    assert_eq!(k.refusal(body), refusal);

    let k = Kernel::new();
    let (b, f) = (&k.b, &k.f);
    let a = f.param("a", b.ty::<[f32; 5]>());
    let len = b.builtin(Builtin::Len, &[b.ty::<f32>()]);
    let is_empty = b.builtin(Builtin::IsEmpty, &[b.ty::<f32>()]);
    let [p, q, r, t] = ["p", "q", "r", "t"].map(|n| f.local(n));
    let part = f.index(f.var(a), f.range(Some(f.int(1)), Some(f.var(p)), false));
    let body = block(vec![
        f.let_(p, f.method(len, f.var(a), vec![])),
        f.let_(q, f.method(is_empty, f.var(a), vec![])),
        f.let_(r, f.reference(part)),
        f.let_(t, f.method(len, f.var(r), vec![])),
    ]);
    assert_eq!(
        k.lines(body),
        [
            "let p: usize = 5usize;",
            "let q: bool = 5usize == 0usize;",
            "let r: &[f32] = &a[1usize..p];",
            "let t: usize = (*r).len();",
        ]
    );
}

#[test]
fn a_struct_keeps_the_order_in_which_its_fields_are_written() {
    let k = Kernel::new();
    let (b, f) = (&k.b, &k.f);
    let g = |name: &str, ty, value: fn(&BodyBuilder) -> Expr| {
        let g = BodyBuilder::new(ty);
        let value = value(&g);
        b.function(name, g, value_block(vec![], value))
    };
    // Any struct will do: a tuple's fields have numbers for names.
    let ty = b.ty::<(u8, u32, f32)>();
    let one = g("test::one", b.ty::<u8>(), |g: &BodyBuilder| g.int(1));
    let two = g("test::two", b.ty::<u32>(), |g: &BodyBuilder| g.int(2));
    let base = g("test::base", ty, |g: &BodyBuilder| {
        g.expr(ExprKind::Tuple(vec![g.int(3), g.int(4), g.float("5.0")]))
    });
    let (p, q) = (f.local("p"), f.local("q"));
    let structure = |fields: Vec<(&str, _)>, base: Option<_>| {
        let fields = fields.into_iter().map(|(name, value)| (name.to_string(), value)).collect();
        f.expr(ExprKind::Struct {
            ty: f.type_note(ty),
            name: String::new(),
            fields,
            base: base.map(Box::new),
        })
    };
    let fields = vec![("2", f.float("1.5")), ("0", f.call(one, vec![])), ("1", f.call(two, vec![]))];
    let body = block(vec![
        f.let_(p, structure(fields, None)),
        f.let_(q, structure(vec![("1", f.call(two, vec![]))], Some(f.call(base, vec![])))),
    ]);
    assert_eq!(
        k.lines(body).join("\n"),
        "\
let p: (u8, u32, f32) = (test::one(), test::two(), 1.5f32) /* evaluated in the order [2, 0, 1] */;
let q: (u8, u32, f32) = ({
    let _1: (u8, u32, f32) = test::base();
    _1.0
}, test::two(), _1.2) /* evaluated in the order [1, 0, 2] */;"
    );
}

#[test]
fn raw_pointers_cast_and_compare() {
    let k = Kernel::new();
    let (b, f) = (&k.b, &k.f);
    let (x, p, q, r) = (f.param("x", b.ty::<&mut [f32]>()), f.local("p"), f.local("q"), f.local("r"));
    let as_mut = b.builtin(Builtin::AsMutPtr, &[b.ty::<f32>()]);
    let add = b.builtin(Builtin::PointerAdd, &[b.ty::<f32>()]);
    let body = block(vec![
        f.let_(p, f.method(as_mut, f.var(x), vec![])),
        f.let_typed(q, b.ty::<*const f32>(), f.method(add, f.var(p), vec![f.int(3)])),
        f.let_(r, f.binary(Eq, f.cast(f.var(q), b.ty::<*mut f32>()), f.var(p))),
        stmt(f.assign(f.deref(f.var(p)), f.deref(f.var(q)))),
    ]);
    assert_eq!(
        k.lines(body),
        [
            "let p: *mut f32 = x as *mut f32;",
            "let q: *const f32 = pointer::add(p, 3usize) as *const f32;",
            "let r: bool = (q as *mut f32) == p;",
            "*p = *q;",
        ]
    );
}
