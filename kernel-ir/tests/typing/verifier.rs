//! The verifier finds programs that break an invariant.

use wavewright_kernel_ir::captured::LabelId;
use wavewright_kernel_ir::samples;
use wavewright_kernel_ir::span::Span;
use wavewright_kernel_ir::typed::{Expr, ExprKind, LocalId, Place, PlaceKind, Program, Statement};
use wavewright_kernel_ir::types::{Type, TypeId};
use wavewright_kernel_ir::verify::{Problem, verify};

/// A program whose kernel is `fn k(x: f32)` with this body.
fn program(body: impl FnOnce(&mut Program) -> Expr) -> Program {
    let mut program = samples::saxpy_slice();
    program.kernel.params.truncate(1);
    program.functions[0].params.truncate(1);
    let body = body(&mut program);
    program.functions[0].body = body;
    program
}

fn expr(kind: ExprKind, ty: TypeId) -> Expr {
    Expr { kind, ty, span: Span::new(7, 1) }
}

fn load(local: u32, ty: TypeId) -> Expr {
    let place = Place { kind: PlaceKind::Local(LocalId(local)), ty, span: Span::new(7, 2) };
    expr(ExprKind::Load(place), ty)
}

#[track_caller]
fn problem(program: &Program) -> Problem {
    let e = verify(program).expect_err("it breaks an invariant");
    assert_eq!(e.function, "samples::saxpy_slice");
    e.problem
}

#[test]
fn a_local_read_before_it_is_written() {
    let program = program(|p| {
        let usize = p.types.of::<usize>();
        let unit = p.types.unit();
        expr(
            ExprKind::Block(vec![Statement::Let(LocalId(3), None), Statement::Expr(load(3, usize))], None),
            unit,
        )
    });
    assert_eq!(problem(&program), Problem::Unwritten { name: "i".into(), number: 3 });
}

#[test]
fn a_local_written_on_one_path_only() {
    let with = |both: bool| {
        program(|p| {
            let (usize, unit, bool) = (p.types.of::<usize>(), p.types.unit(), p.types.of::<bool>());
            let write = || {
                let place = Place { kind: PlaceKind::Local(LocalId(3)), ty: usize, span: Span::new(7, 3) };
                let value = Box::new(expr(ExprKind::Scalar(1), usize));
                Box::new(expr(ExprKind::Assign(place, value), unit))
            };
            let condition = expr(
                ExprKind::Unary(
                    wavewright_kernel_ir::typed::UnaryOp::Not,
                    Box::new(expr(ExprKind::Scalar(1), bool)),
                ),
                bool,
            );
            // The condition is not known to the check: it goes through a comparison.
            let condition = expr(
                ExprKind::Binary(
                    wavewright_kernel_ir::typed::BinaryOp::Eq,
                    Box::new(condition.clone()),
                    Box::new(condition),
                ),
                bool,
            );
            let choice = expr(ExprKind::If(Box::new(condition), write(), both.then(write)), unit);
            expr(ExprKind::Block(vec![Statement::Expr(choice), Statement::Expr(load(3, usize))], None), unit)
        })
    };
    assert_eq!(problem(&with(false)), Problem::Unwritten { name: "i".into(), number: 3 });
    assert_eq!(verify(&with(true)), Ok(()));
}

#[test]
fn an_expression_of_another_type_than_its_kind_gives() {
    let program = program(|p| {
        let (f32, f64, unit) = (p.types.of::<f32>(), p.types.of::<f64>(), p.types.unit());
        let wrong = expr(
            ExprKind::Binary(
                wavewright_kernel_ir::typed::BinaryOp::Add,
                Box::new(load(0, f32)),
                Box::new(expr(ExprKind::Scalar(0), f64)),
            ),
            f32,
        );
        expr(ExprKind::Block(vec![Statement::Expr(wrong)], None), unit)
    });
    assert_eq!(problem(&program), Problem::Unfit { what: "an operand", found: "f64".into() });
}

#[test]
fn labels_that_are_not_around() {
    let program = program(|p| {
        let (never, unit) = (p.types.intern(Type::Never), p.types.unit());
        let leave = expr(ExprKind::Break(LabelId(4), None), never);
        expr(ExprKind::Block(vec![Statement::Expr(leave)], None), unit)
    });
    assert_eq!(problem(&program), Problem::NoLabel { label: LabelId(4) });
}

#[test]
fn numbers_that_name_nothing() {
    let program = program(|p| {
        let (f32, unit) = (p.types.of::<f32>(), p.types.unit());
        expr(ExprKind::Block(vec![Statement::Expr(load(99, f32))], None), unit)
    });
    assert_eq!(problem(&program), Problem::Unknown { what: "local", number: 99 });
}

#[test]
fn bits_that_no_value_has() {
    let program = program(|p| {
        let (bool, unit) = (p.types.of::<bool>(), p.types.unit());
        expr(ExprKind::Block(vec![Statement::Expr(expr(ExprKind::Scalar(2), bool))], None), unit)
    });
    assert_eq!(problem(&program), Problem::Bits { bits: 2, ty: "bool".into() });
}

#[test]
fn a_block_that_ends_is_no_block_that_never_ends() {
    let program = program(|p| {
        let never = p.types.intern(Type::Never);
        expr(ExprKind::Block(vec![], None), never)
    });
    assert_eq!(problem(&program), Problem::Unfit { what: "a block without a value", found: "!".into() });
}

#[test]
fn a_parameter_that_is_not_what_the_kernel_says() {
    let mut program = samples::saxpy_slice();
    program.kernel.params.swap(0, 1);
    assert_eq!(problem(&program), Problem::Unfit { what: "a kernel's parameter", found: "f32".into() });
}
