//! Every operation on every primitive type, on every architecture: LLVM must be able to select all of it, since it
//! ends the process where it can't.

use super::build::Build;
use super::compile::{Stage, instructions, text};
use std::sync::atomic::{AtomicUsize, Ordering};
use wavewright_kernel_ir::builtin::Builtin;
use wavewright_kernel_ir::scalar::Scalar;
use wavewright_kernel_ir::target::Target;
use wavewright_kernel_ir::typed::*;
use wavewright_kernel_ir::types::{Mutability, TypeId};

/// A kernel under construction that writes the results of operations on its elements.
struct Operations {
    b: Build,
    scalar: Scalar,
    ty: TypeId,
    operands: [LocalId; 3],
    out: LocalId,
    statements: Vec<Statement>,
}

impl Operations {
    fn new(scalar: Scalar) -> Self {
        let mut b = Build::new();
        let ty = b.scalar_type(scalar);
        let u64 = b.scalar_type(Scalar::U64);
        let operands = ["x", "y", "z"].map(|name| b.element(name, ty, Mutability::Shared));
        let out = b.element("out", u64, Mutability::Mutable);
        Self { b, scalar, ty, operands, out, statements: Vec::new() }
    }

    fn operand(&mut self, number: usize) -> Expr {
        let place = self.b.deref(self.operands[number]);
        self.b.load(place)
    }

    /// `*out ^= value`, as bits.
    fn keep(&mut self, value: Expr) {
        let scalar = self.b.types.as_scalar(value.ty).unwrap();
        let bits = match scalar {
            Scalar::F32 => {
                let u32 = self.b.scalar_type(Scalar::U32);
                self.b.builtin(Builtin::ToBits, vec![value], u32)
            }
            Scalar::F64 => {
                let u64 = self.b.scalar_type(Scalar::U64);
                self.b.builtin(Builtin::ToBits, vec![value], u64)
            }
            _ => value,
        };
        let bits = self.b.cast(CastKind::IntToInt, bits, Scalar::U64);
        let place = self.b.deref(self.out);
        let keep = self.b.assign_binary(BinaryOp::BitXor, place, bits);
        self.statements.push(keep);
    }

    fn binaries(&mut self) {
        use BinaryOp::*;
        let (float, integer) = (self.scalar.is_float(), self.scalar.is_integer());
        for op in [Add, Sub, Mul, Div, Rem, BitAnd, BitOr, BitXor, Shl, Shr, Eq, Ne, Lt, Le, Gt, Ge] {
            let known = match op {
                Add | Sub | Mul | Div | Rem => float || integer,
                BitAnd | BitOr | BitXor => integer || self.scalar == Scalar::Bool,
                Shl | Shr => integer,
                _ => true,
            };
            if known {
                let (a, b) = (self.operand(0), self.operand(1));
                let value = self.b.binary(op, a, b);
                self.keep(value);
            }
        }
    }

    fn unaries(&mut self) {
        let signed = self.scalar.is_signed() || self.scalar.is_float();
        let bits = self.scalar.is_integer() || self.scalar == Scalar::Bool;
        for (op, known) in [(UnaryOp::Neg, signed), (UnaryOp::Not, bits)] {
            if known {
                let value = self.operand(0);
                let value = self.b.expr(ExprKind::Unary(op, Box::new(value)), self.ty);
                self.keep(value);
            }
        }
    }

    fn casts(&mut self) {
        for to in Scalar::ALL {
            let kind = match (self.scalar, to) {
                (Scalar::F32 | Scalar::F64, Scalar::F32 | Scalar::F64) => CastKind::FloatToFloat,
                (from, to) if from.is_float() && to.is_integer() => CastKind::FloatToInt,
                (from, to) if from.is_integer() && to.is_float() => CastKind::IntToFloat,
                (from, to) if !from.is_float() && to.is_integer() => CastKind::IntToInt,
                (Scalar::U8, Scalar::Char) => CastKind::IntToInt,
                _ => continue,
            };
            let value = self.operand(0);
            let value = self.b.cast(kind, value, to);
            self.keep(value);
        }
    }

    fn methods(&mut self) {
        use Builtin::*;
        let u32 = self.b.scalar_type(Scalar::U32);
        let bool = self.b.scalar_type(Scalar::Bool);
        let same = self.ty;
        let all: &[(Builtin, TypeId)] = match self.scalar {
            scalar if scalar.is_float() => &[
                (Min, same),
                (Max, same),
                (Abs, same),
                (Sqrt, same),
                (MulAdd, same),
                (Floor, same),
                (Ceil, same),
                (Trunc, same),
                (Round, same),
                (IsNan, bool),
            ],
            scalar if scalar.is_integer() => &[
                (WrappingAdd, same),
                (WrappingSub, same),
                (WrappingMul, same),
                (Min, same),
                (Max, same),
                (CountOnes, u32),
                (LeadingZeros, u32),
                (TrailingZeros, u32),
            ],
            _ => &[],
        };
        for (builtin, ty) in all {
            let arguments = (0..usize::from(builtin.facts().arguments)).map(|n| self.operand(n)).collect();
            let value = self.b.builtin(*builtin, arguments, *ty);
            self.keep(value);
        }
        if self.scalar.is_integer() {
            for builtin in [RotateLeft, RotateRight] {
                let (value, amount) = (self.operand(0), self.operand(1));
                let amount = self.b.cast(CastKind::IntToInt, amount, Scalar::U32);
                let value = self.b.builtin(builtin, vec![value, amount], same);
                self.keep(value);
            }
        }
        if self.scalar.is_signed() {
            let value = self.operand(0);
            let value = self.b.builtin(Abs, vec![value], same);
            self.keep(value);
        }
    }

    fn kernel(mut self) -> Program {
        self.binaries();
        self.unaries();
        self.casts();
        self.methods();
        let name = format!("operations_{}", self.scalar);
        self.b.kernel(&name, self.statements)
    }
}

/// One of each LLVM type and sign; `usize`, `isize` and `char` are the same to LLVM as others.
const TYPES: [Scalar; 13] = [
    Scalar::Bool,
    Scalar::I8,
    Scalar::I16,
    Scalar::I32,
    Scalar::I64,
    Scalar::I128,
    Scalar::U8,
    Scalar::U16,
    Scalar::U32,
    Scalar::U64,
    Scalar::U128,
    Scalar::F32,
    Scalar::F64,
];

/// An architecture of each kind: the generic ones stand for their members, and what is told apart by a letter only
/// has more instructions of kinds that are not here.
fn representative(target: &Target) -> bool {
    const AMD: [&str; 12] = [
        "gfx900", "gfx906", "gfx908", "gfx90a", "gfx942", "gfx950", "gfx1010", "gfx1030", "gfx1100",
        "gfx1150", "gfx1201", "gfx1250",
    ];
    match target {
        Target::Amd(amd) => amd.arch.is_generic() || AMD.contains(&amd.arch.name),
        Target::Nvidia(nvidia) => nvidia.arch.name.ends_with(|c: char| c.is_ascii_digit()),
        Target::Host => false,
    }
}

fn select_every_operation(targets: Vec<Target>) {
    let next = AtomicUsize::new(0);
    let work = || {
        while let Some(target) = targets.get(next.fetch_add(1, Ordering::Relaxed)) {
            for scalar in TYPES {
                let program = Operations::new(scalar).kernel();
                let assembly = text(&program, &target.to_string(), Some([64, 1, 1]), Stage::RawAssembly);
                let flat = instructions(&assembly).into_iter().find(|i| i.starts_with("flat_"));
                assert_eq!(flat, None, "{scalar} on {target}");
            }
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, |n| n.get());
    std::thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(work))));
}

#[test]
fn every_operation_selects_on_every_kind_of_architecture() {
    select_every_operation(Target::all().filter(representative).collect());
}

#[test]
#[ignore = "takes half a minute; the kinds above stand for the rest"]
fn every_operation_selects_on_every_architecture() {
    select_every_operation(Target::all().filter(|target| *target != Target::Host).collect());
}
