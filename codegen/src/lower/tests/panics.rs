//! What can panic, and what is left of it when LLVM is done.

use super::build::Build;
use super::compile::{Stage, lowered, text};
use super::{TARGETS, assert_no_detours};
use wavewright_kernel_ir::code_object::PanicSite;
use wavewright_kernel_ir::scalar::Scalar;
use wavewright_kernel_ir::span::Span;
use wavewright_kernel_ir::typed::*;
use wavewright_kernel_ir::types::{Mutability, Type};

/// `fn k(x: &T, y: &T, out: &mut T) { *out = *x OP *y }`
fn operation(op: BinaryOp, scalar: Scalar, overflow_checks: bool) -> Program {
    let mut b = Build::new();
    b.attributes.overflow_checks = overflow_checks;
    let ty = b.scalar_type(scalar);
    let x = b.element("x", ty, Mutability::Shared);
    let y = b.element("y", ty, Mutability::Shared);
    let out = b.element("out", ty, Mutability::Mutable);
    let (x, y, out) = (b.deref(x), b.deref(y), b.deref(out));
    let (x, y) = (b.load(x), b.load(y));
    let value = b.binary(op, x, y);
    let store = b.assign(out, value);
    b.kernel("operation", vec![store])
}

fn kinds(program: &Program) -> Vec<PanicKind> {
    lowered(program, "gfx942").unwrap().into_iter().map(|site| site.kind).collect()
}

#[test]
fn divisions_panic_as_in_rust() {
    use PanicKind::*;
    assert_eq!(kinds(&operation(BinaryOp::Div, Scalar::I32, false)), [DivideByZero, DivideOverflow]);
    assert_eq!(kinds(&operation(BinaryOp::Rem, Scalar::I64, false)), [RemainderByZero, RemainderOverflow]);
    assert_eq!(kinds(&operation(BinaryOp::Div, Scalar::U128, false)), [DivideByZero]);
    assert_eq!(kinds(&operation(BinaryOp::Rem, Scalar::F32, false)), []);
}

#[test]
fn overflow_panics_only_where_the_kernel_asks_for_it() {
    for op in [BinaryOp::Add, BinaryOp::Sub, BinaryOp::Mul, BinaryOp::Shl, BinaryOp::Shr] {
        for scalar in [Scalar::I8, Scalar::U32, Scalar::I128] {
            assert_eq!(kinds(&operation(op, scalar, false)), [], "{op:?} of {scalar}");
            assert_eq!(kinds(&operation(op, scalar, true)), [PanicKind::Overflow(op)], "{op:?} of {scalar}");
        }
    }
}

/// A check whose failure would be undefined would let LLVM drop it: the division has to stay behind its check.
#[test]
fn checks_stay() {
    for target in TARGETS {
        let ir =
            text(&operation(BinaryOp::Div, Scalar::U32, false), target, Some([64, 1, 1]), Stage::Optimised);
        assert!(ir.contains("cmpxchg") && !ir.contains("unreachable"), "{target}\n{ir}");
        let plain =
            text(&operation(BinaryOp::Add, Scalar::U32, false), target, Some([64, 1, 1]), Stage::Optimised);
        assert!(!plain.contains("cmpxchg"), "{target}\n{plain}");
    }
}

/// The record is the host's: the exchange is of system scope, which is LLVM's when none is named.
#[test]
fn the_fault_record_is_claimed_for_the_whole_system() {
    for target in ["gfx942", "sm_90"] {
        let ir = text(&operation(BinaryOp::Div, Scalar::U32, false), target, Some([64, 1, 1]), Stage::Raw);
        let claim = ir.lines().find(|line| line.contains("cmpxchg")).expect("a panic claims the record");
        assert!(
            claim.contains("ptr addrspace(1)") && claim.contains("i32 0, i32 1 monotonic monotonic"),
            "{claim}"
        );
        assert!(!claim.contains("syncscope"), "{claim}");
    }
    let assembly =
        text(&operation(BinaryOp::Div, Scalar::U32, false), "sm_90", Some([64, 1, 1]), Stage::Assembly);
    assert!(assembly.contains("atom.relaxed.sys.global.cas.b32"), "{assembly}");
}

/// A panic inside a function that is called twice is one place in the source.
#[test]
fn panics_name_the_file_that_they_are_in() {
    let mut b = Build::new();
    let u32 = b.scalar_type(Scalar::U32);
    let x = b.local("x", u32);
    let (value, zero) = (b.get(x), b.constant(0, Scalar::U32));
    let is_zero = b.binary(BinaryOp::Eq, value, zero);
    let stop = b.never(ExprKind::Panic(PanicKind::Message("zero".into())));
    let stop_span = stop.span;
    let check = b.when(is_zero, vec![Statement::Expr(stop)]);
    let value = b.get(x);
    let body = b.expr(ExprKind::Block(vec![check], Some(Box::new(value))), u32);
    let nonzero = b.function("device::nonzero", 0, 1, body);
    let input = b.slice("input", u32, Mutability::Shared);
    let out = b.element("out", u32, Mutability::Mutable);
    let mut statements = Vec::new();
    let mut index_span = Span::default();
    for number in 0..2 {
        let (base, index) = (b.deref(input), b.usize(number));
        let place = b.index(base, index, true);
        if number == 0 {
            index_span = place.span;
        }
        let argument = b.load(place);
        let value = b.call(nonzero, vec![argument]);
        let place = b.deref(out);
        statements.push(b.assign_binary(BinaryOp::Add, place, value));
    }
    let program = b.kernel("calls", statements);
    let sites = lowered(&program, "sm_90").unwrap();
    let site = |kind: PanicKind, file: &str, span| PanicSite { kind, file: file.into(), span };
    assert_eq!(sites[0], site(PanicKind::IndexOutOfBounds, "src/kernels.rs", index_span));
    assert_eq!(sites[1], site(PanicKind::Message("zero".into()), "src/device.rs", stop_span));
    assert_eq!(sites.len(), 3, "{sites:?}");
}

#[test]
fn variables_that_no_thread_has_room_for_are_refused() {
    let mut b = Build::new();
    let u8 = b.scalar_type(Scalar::U8);
    let large = b.types.intern(Type::Array { element: u8, length: 1 << 20 });
    let array = b.local("array", large);
    let zero = b.constant(0, Scalar::U8);
    let zeros = b.expr(ExprKind::Repeat(Box::new(zero)), large);
    let (place, index, one) = (b.place_of(array), b.usize(1), b.constant(1, Scalar::U8));
    let place = b.index(place, index, true);
    let store = b.assign(place, one);
    let program = b.kernel("greedy", vec![Statement::Let(array, Some(zeros)), store]);
    let message = super::compile::refusal(&program, "gfx942");
    let expected = "src/kernels.rs:11:5: kernel `greedy`: a variable of type `[u8; 1048576]` is larger than a thread's memory";
    assert_eq!(message, expected);
}

#[test]
fn arguments_that_the_driver_would_not_take_are_refused() {
    let mut b = Build::new();
    let u64 = b.scalar_type(Scalar::U64);
    let large = b.types.intern(Type::Array { element: u64, length: 600 });
    b.value("table", large);
    let program = b.kernel("wordy", vec![]);
    let message = super::compile::refusal(&program, "sm_90");
    let expected = "src/kernels.rs:10:4: kernel `wordy`: 4808 bytes of arguments; sm_90 takes 4096: pass a buffer instead";
    assert_eq!(message, expected);
    assert!(lowered(&program, "sm_90:ptx83").is_ok());
    assert!(lowered(&program, "gfx942").is_ok());
}

/// A panic in a loop takes the thread out of it, past barriers and all.
#[test]
fn a_panic_in_a_loop_needs_no_memory_of_the_thread() {
    let program = super::matmul::naive();
    for target in TARGETS {
        let assembly = text(&program, target, Some([16, 16, 1]), Stage::Assembly);
        assert_no_detours("matmul", target, &assembly);
    }
}
