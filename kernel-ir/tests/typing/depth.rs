//! Deep source does not overflow the stack of the thread that asks, however small it is.

use super::Kernel;
use wavewright_kernel_ir::captured::{BinaryOp::*, Expr, ExprKind, MAX_NESTING, PatternKind, UnaryOp};
use wavewright_kernel_ir::print;
use wavewright_kernel_ir::record::Instances;
use wavewright_kernel_ir::samples::build::{BodyBuilder, arm, block, stmt, value_block};
use wavewright_kernel_ir::samples::typed;
use wavewright_kernel_ir::scalar::Scalar::U32;
use wavewright_kernel_ir::typed::Expr as Typed;
use wavewright_kernel_ir::verify::verify;
use wavewright_kernel_ir::visit::{Visit, walk_expr};

/// Twice as deep as the macros take.
const DEPTH: usize = 200;

/// `let y = …` with `x` wrapped so many times.
fn nested(depth: usize, wrap: fn(&BodyBuilder, Expr) -> Expr) -> Instances {
    let build = move || {
        let k = Kernel::new();
        let (b, f) = (&k.b, &k.f);
        let (x, y) = (f.param("x", b.ty::<u32>()), f.local("y"));
        let value = (0..depth).fold(f.var(x), |value, _| wrap(f, value));
        let body = block(vec![f.let_(y, value)]);
        k.b.kernel("test::k", k.f, body)
    };
    let large = std::thread::Builder::new().stack_size(256 << 20);
    large.spawn(build).unwrap().join().unwrap()
}

/// Types, checks and prints such a kernel.
fn deep(wrap: fn(&BodyBuilder, Expr) -> Expr) {
    let instances = nested(DEPTH, wrap);
    let program = typed(&instances).unwrap();
    assert_eq!(verify(&program), Ok(()));
    assert!(print::typed(&program).len() > DEPTH && print::captured(&instances).len() > DEPTH);
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

#[test]
fn what_nests_deeper_is_refused() {
    let not = |f: &BodyBuilder, inner| f.unary(UnaryOp::Not, inner);
    // The variable is a level, too.
    assert!(typed(&nested(MAX_NESTING as usize - 1, not)).is_ok());
    for depth in [MAX_NESTING as usize, 20 * MAX_NESTING as usize] {
        let instances = nested(depth, not);
        let message = typed(&instances).unwrap_err().message;
        assert!(message.starts_with("the body of `test::k` can't be read"), "{message}");
        assert!(print::captured(&instances).starts_with("fn test::k: can't be read"));
    }
}

#[test]
fn functions_that_return_closures_of_each_other_take_no_stack_without_end() {
    let k = Kernel::new();
    let (b, f) = (&k.b, &k.f);
    let g = BodyBuilder::returning_value();
    let value = g.int_of(1, U32);
    let mut last = b.function("test::g0", g, value_block(vec![], value));
    for number in 1..5000 {
        let g = BodyBuilder::returning_value();
        let value = g.call(last, vec![]);
        last = b.function(&format!("test::g{number}"), g, value_block(vec![], value));
    }
    let body = block(vec![stmt(f.call(last, vec![]))]);
    assert_eq!(k.refusal(body), "this nests too deep: give a part of it a name with `let`");
}

#[test]
fn a_pattern_of_many_alternatives_makes_no_deep_tree() {
    let k = Kernel::new();
    let (b, f) = (&k.b, &k.f);
    let x = f.param("x", b.ty::<u32>());
    let any = f.pattern(PatternKind::Or((0..5000).map(|n| f.int_pattern(n)).collect()));
    let arms = vec![arm(any, f.int_of(1, U32)), arm(f.pattern(PatternKind::Wild), f.int_of(2, U32))];
    let body = block(vec![f.let_(f.local("y"), f.match_(f.var(x), arms))]);
    let program = k.program(body).unwrap();
    let mut deepest = Depth::default();
    deepest.expr(&program.functions[0].body);
    assert!(deepest.most < 30, "{}", deepest.most);
}

/// How deep values nest.
#[derive(Default)]
struct Depth {
    now: u32,
    most: u32,
}

impl Visit for Depth {
    fn expr(&mut self, e: &Typed) {
        self.now += 1;
        self.most = self.most.max(self.now);
        walk_expr(self, e);
        self.now -= 1;
    }
}

#[test]
fn tuples_of_tuples_are_typed_without_walking_or_naming_each_part() {
    let k = Kernel::new();
    let (b, f) = (&k.b, &k.f);
    let x = f.param("x", b.ty::<u32>());
    let mut last = x;
    let mut body = Vec::new();
    for number in 0..64 {
        let next = f.local(&format!("t{number}"));
        body.push(f.let_(next, f.expr(ExprKind::Tuple(vec![f.var(last), f.var(last)]))));
        last = next;
    }
    let message = k.refusal(block(body));
    assert!(message.contains("a type of this size can't be `("), "{message}");
}
