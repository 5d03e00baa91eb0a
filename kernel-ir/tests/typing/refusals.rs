//! What can't be typed is refused with a message and a place.

use super::Kernel;
use wavewright_kernel_ir::builtin::Builtin;
use wavewright_kernel_ir::captured::{BinaryOp::*, Expr, ExprKind, Note};
use wavewright_kernel_ir::samples::build::{BodyBuilder, Builder, block, stmt, value_block};
use wavewright_kernel_ir::scalar::Scalar::*;
use wavewright_kernel_ir::span::Span;
use wavewright_kernel_ir::types::{DeviceType, Enumeration, Type, TypeId, TypeTable, Variant};
use wavewright_kernel_ir::witness::Ty;

#[test]
fn a_refusal_names_file_line_and_column() {
    let k = Kernel::new();
    let f = &k.f;
    let body = block(vec![f.let_(f.local("a"), f.line().line().int(1))]);
    let e = k.program(body).unwrap_err();
    assert_eq!((e.file.as_str(), e.span), ("samples.rs", Span::new(3, 1)));
}

#[test]
fn a_function_that_returns_a_closure_of_itself_has_no_type() {
    let k = Kernel::new();
    let (b, f) = (&k.b, &k.f);
    let (id, g) = (b.reserve(), BodyBuilder::returning_value());
    let again = g.call(id, vec![]);
    b.fill(id, "test::again", g, value_block(vec![], again));
    let body = block(vec![stmt(f.call(id, vec![]))]);
    assert_eq!(
        k.refusal(body),
        "`test::again` calls itself and returns a closure, so its type never ends: write a loop"
    );
}

#[test]
fn a_function_that_calls_itself_with_a_known_result_is_typed() {
    // Code generation refuses it, and names the circle.
    let k = Kernel::new();
    let (b, f) = (&k.b, &k.f);
    let (id, g) = (b.reserve(), BodyBuilder::new(b.ty::<u32>()));
    let again = g.call(id, vec![]);
    b.fill(id, "test::again", g, value_block(vec![], again));
    let body = block(vec![stmt(f.call(id, vec![]))]);
    assert_eq!(k.lines(body), ["test::again();"]);
}

#[test]
fn shared_memory_holds_no_references_bools_or_chars() {
    let message = |k: Kernel, ty| {
        let shared = k.f.shared(ty);
        let body = block(vec![k.f.let_(k.f.local("s"), shared)]);
        k.refusal(body)
    };
    let k = Kernel::new();
    let ty = k.b.ty::<[(u32, bool); 4]>();
    assert_eq!(
        message(k, ty),
        "shared memory starts with arbitrary bits, which a `bool` can't have: use integers or floats"
    );
    let k = Kernel::new();
    let ty = k.b.ty::<[&u32; 4]>();
    assert_eq!(
        message(k, ty),
        "shared memory starts with arbitrary bits, which a `&u32` can't have: use integers or floats"
    );
}

#[test]
fn shared_memory_is_declared_in_the_kernel_itself() {
    let k = Kernel::new();
    let (b, f) = (&k.b, &k.f);
    let g = BodyBuilder::new(b.ty::<()>());
    let shared = stmt(g.shared(b.ty::<[f32; 4]>()));
    let g = b.function("test::g", g, block(vec![shared]));
    let body = block(vec![stmt(f.call(g, vec![]))]);
    assert_eq!(k.refusal(body), "`shared!` is only supported in the kernel's own body: pass a reference on");
}

#[test]
fn kernels_take_values_and_buffers_only() {
    let k = Kernel::new();
    k.f.param("s", k.b.ty::<&str>());
    assert_eq!(
        k.refusal(block(vec![])),
        "a `str` can't be a kernel's parameter: pass its bytes as a `&[u8]`"
    );
    let k = Kernel::new();
    k.f.param("s", k.b.ty::<(u32, &u32)>());
    assert_eq!(
        k.refusal(block(vec![])),
        "a `(u32, &u32)` can't be a kernel's parameter: it holds a `&u32`, an address of the host"
    );
}

#[test]
fn a_constant_with_an_address_stays_on_the_host() {
    let k = Kernel::new();
    let constant = k.f.constant(k.b.ty::<&u32>(), &[0; 8]);
    let body = block(vec![k.f.let_(k.f.local("c"), constant)]);
    assert_eq!(k.refusal(body), "a constant of type `&u32` holds a `&u32`, an address of the host");
}

#[test]
fn what_the_macro_never_writes_is_refused() {
    let k = Kernel::new();
    let (b, f) = (&k.b, &k.f);
    let (x, label, i) = (f.param("x", b.ty::<&[f32]>()), f.label(), f.local("i"));
    let body = block(vec![stmt(f.for_(label, i, f.var(x), block(vec![])))]);
    assert_eq!(k.refusal(body), "a `for` without an iterator: macro and library are of different versions");
    let k = Kernel::new();
    let f = &k.f;
    let range = f.range(Some(f.int_of(0, U32)), Some(f.int(3)), false);
    let body = block(vec![f.let_(f.local("r"), range)]);
    assert_eq!(
        k.refusal(body),
        "a range stands where a value was to be typed: macro and library are of different versions"
    );
}

#[test]
fn the_order_of_user_types_is_refused() {
    let k = Kernel::new();
    let (b, f) = (&k.b, &k.f);
    let g = BodyBuilder::new(b.ty::<bool>());
    let value = g.bool(true);
    let g = b.function("test::partial_cmp", g, value_block(vec![], value));
    let x = f.param("x", b.ty::<(f32, f32)>());
    let body = block(vec![stmt(f.overloaded(Lt, f.var(x), f.var(x), g))]);
    assert_eq!(
        k.refusal(body),
        "comparing the order of values of a user's type is not supported: compare their parts"
    );
}

#[test]
fn records_that_contradict_the_tree_are_found_out() {
    let versions = "macro and library are of different versions";
    // A note that is there, but of another kind.
    let k = Kernel::new();
    let note = k.f.type_note(k.b.ty::<u32>());
    let body = block(vec![stmt(k.f.expr(ExprKind::Call(note, vec![])))]);
    assert_eq!(k.refusal(body), format!("a function was to be recorded here, but a type was: {versions}"));
    // One that isn't.
    let k = Kernel::new();
    let body = block(vec![stmt(k.f.expr(ExprKind::Constant(Note(77))))]);
    assert_eq!(k.refusal(body), format!("a constant was to be recorded here, but nothing was: {versions}"));
    // An operation of another operator.
    let k = Kernel::new();
    let (b, f) = (&k.b, &k.f);
    let mul = b.builtin(Builtin::Mul, &[b.ty::<u32>(), b.ty::<u32>()]);
    let body = block(vec![stmt(f.overloaded(Add, f.int_of(1, U32), f.int(2), mul))]);
    assert_eq!(k.refusal(body), format!("`mul` was recorded for another operator: {versions}"));
    // Operands that no operator takes.
    let k = Kernel::new();
    let f = &k.f;
    let body = block(vec![stmt(f.binary(Add, f.int_of(1, U32), f.int_of(2, U8)))]);
    assert_eq!(k.refusal(body), format!("no `+` of `u32` and `u8` was recorded: {versions}"));
    // A wrong number of arguments.
    let k = Kernel::new();
    let (b, f) = (&k.b, &k.f);
    let sync = b.builtin(Builtin::SyncThreads, &[]);
    let body = block(vec![stmt(f.call(sync, vec![f.int_of(1, U8)]))]);
    assert_eq!(k.refusal(body), "1 arguments for `sync_threads`, which takes 0");
}

#[test]
fn a_value_of_the_wrong_type_is_found_out() {
    let k = Kernel::new();
    let (b, f) = (&k.b, &k.f);
    let x = f.param("x", b.ty::<u32>());
    let body = block(vec![f.let_typed(f.local("y"), b.ty::<f32>(), f.var(x))]);
    assert_eq!(k.refusal(body), "`f32` is wanted here but this is `u32`: annotate the type");
}

#[test]
fn values_without_a_size_are_refused_where_they_are_recorded() {
    for unsized_type in [Builder::ty::<[u32]>, Builder::ty::<str>] {
        let k = Kernel::new();
        let (ty, f) = (unsized_type(&k.b), &k.f);
        let body = block(vec![f.let_typed(f.local("x"), ty, f.int(1))]);
        let message = k.refusal(body);
        assert!(message.ends_with("which has no size: borrow it with `&`"), "{message}");
    }
    let k = Kernel::new();
    k.f.param("x", k.b.ty::<[f32]>());
    assert_eq!(
        k.refusal(block(vec![])),
        "a value can't be of type `[f32]`, which has no size: borrow it with `&`"
    );
}

#[test]
fn constants_are_values_of_their_types() {
    let versions = "macro and library are of different versions";
    let message = |constant: fn(&Kernel) -> Expr| {
        let k = Kernel::new();
        let body = block(vec![k.f.let_(k.f.local("c"), constant(&k))]);
        k.refusal(body)
    };
    assert_eq!(
        message(|k| k.f.constant(k.b.ty::<bool>(), &[2])),
        format!("the bits 0x2 in a constant are no `bool`: {versions}")
    );
    assert_eq!(
        message(|k| k.f.constant(k.b.ty::<char>(), &0xd800_u32.to_le_bytes())),
        format!("the bits 0xd800 in a constant are no `char`: {versions}")
    );
    assert_eq!(
        message(|k| k.f.constant(k.b.ty::<[[bool; 2]; 2]>(), &[0, 1, 1, 0xff])),
        format!("the bits 0xff in a constant are no `bool`: {versions}")
    );
    assert_eq!(
        message(|k| k.f.constant(k.b.ty::<u32>(), &[0; 3])),
        format!("3 bytes for a constant of type `u32`: {versions}")
    );
    assert_eq!(
        message(|k| k.f.constant(TypeId(77), &[0; 4])),
        format!("no type has the number 77: {versions}")
    );
    assert_eq!(
        message(|k| k.f.constant(k.b.ty::<str>(), &[0])),
        "a constant of type `str` holds a `str`, which has no bytes of its own"
    );
}

#[test]
fn an_assignment_has_no_comparison() {
    let k = Kernel::new();
    let f = &k.f;
    let x = f.param("x", k.b.ty::<u32>());
    let body = block(vec![stmt(f.assign_binary(Lt, f.var(x), f.int(1)))]);
    let message = k.refusal(body);
    assert!(message.starts_with("no `<=` of `u32` and `u32` was recorded"), "{message}");
}

/// An enum whose variants nothing tells apart, as a layout would look that a later rustc has and we don't know.
struct Untold;

// SAFETY: never in memory.
unsafe impl DeviceType for Untold {
    type Record = Ty<Self>;
    fn describe(table: &mut TypeTable) -> Type {
        let payload = table.of::<(u32,)>();
        let variant =
            |name: &str| Variant { name: name.into(), payload, discriminant: 0, tag: None, inhabited: true };
        let variants = vec![variant("A"), variant("B")];
        Type::Enum(Enumeration { name: "Untold".into(), variants, tag: None, size: 4, align: 4 })
    }
}

#[test]
fn enums_of_unknown_layout_are_refused() {
    let k = Kernel::new();
    k.f.param("e", k.b.ty::<Untold>());
    assert_eq!(
        k.refusal(block(vec![])),
        "how rustc tells the variants of `Untold` apart is not known here: put `#[repr(u8)]` on the enum"
    );
}
