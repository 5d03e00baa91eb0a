//! Deep source does not overflow the stack of the thread that asks, however small it is.

use super::Kernel;
use wavewright_kernel_ir::captured::{BinaryOp::*, Expr};
use wavewright_kernel_ir::record::Instances;
use wavewright_kernel_ir::samples::build::{BodyBuilder, block, value_block};
use wavewright_kernel_ir::samples::typed;

/// Several times as deep as the macros take.
const DEPTH: usize = 500;

/// Types `let y = …` with `x` wrapped many times.
fn deep(wrap: fn(&BodyBuilder, Expr) -> Expr) {
    let build = move || {
        let k = Kernel::new();
        let (b, f) = (&k.b, &k.f);
        let (x, y) = (f.param("x", b.ty::<u32>()), f.local("y"));
        let value = (0..DEPTH).fold(f.var(x), |value, _| wrap(f, value));
        let body = block(vec![f.let_(y, value)]);
        k.b.kernel("test::k", k.f, body)
    };
    let large = std::thread::Builder::new().stack_size(256 << 20);
    let instances: Instances = large.spawn(build).unwrap().join().unwrap();
    assert_eq!(typed(&instances).unwrap().functions.len(), 1);
}

#[test]
fn nested_operators() {
    deep(|f, inner| f.binary(Add, f.int(1), inner));
}

#[test]
fn nested_blocks_with_variables() {
    deep(|f, inner| {
        let z = f.local("z");
        let first = f.let_(z, inner);
        f.block(value_block(vec![first], f.var(z)))
    });
}

#[test]
fn nested_branches() {
    deep(|f, inner| f.if_else(f.bool(true), value_block(vec![], f.int(1)), value_block(vec![], inner)));
}
