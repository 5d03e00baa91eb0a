//! What holds of every typed program, and the check that it does.
//!
//! # Invariants
//!
//! Numbers
//! - Every type, function, local and block of shared memory that is named exists; a parameter is a local of its own.
//! - [`ExprKind::Break`](crate::typed::ExprKind::Break) and `Continue` name a loop or labelled block around them, in the
//!   same function; `Continue` a loop. No two loops or labelled blocks of a function have the same label.
//!
//! Types
//! - Every expression has the type that its kind gives it; a value of type `!` may stand where any type is wanted.
//! - A scalar's bits fit its type; a `bool` is 0 or 1, a `char` is one. [`Bytes`](crate::typed::ExprKind::Bytes), and a
//!   place of constants, are as long as their type, hold no pointer, and their scalars are values, too.
//! - No type is larger than `isize::MAX` bytes.
//! - The operands of a binary operator have the same scalar type, those of a shift any two integer types; thin raw
//!   pointers may be compared.
//! - A place of an unsized type (`[T]`, `str`) occurs only under [`PlaceKind::Index`](crate::typed::PlaceKind::Index),
//!   `Subslice`, [`AddressOf`](crate::typed::ExprKind::AddressOf) and [`Length`](crate::typed::ExprKind::Length).
//! - A constant in memory is neither assigned to nor borrowed with `&mut`.
//! - An operation gets the number and the types of arguments that it takes.
//! - A block without a value has the type `!` only if one of its statements never ends; an `if` only if both branches
//!   don't; a loop or labelled block only if nothing leaves it with a value.
//!
//! Locals
//! - A variable stands in one function: closures reach the variables outside through their first parameter.
//! - Every local is written before it is read, on every path.
//! - A local keeps its storage for the whole call. A `Let` may stand inside an expression, be reached again (in a loop,
//!   or from two alternatives of a pattern), and what it wrote is still there after that expression. So a borrowed value
//!   is a compiler-made local: there are no temporaries beside locals.
//!
//! The kernel
//! - Its parameters are those of its function; no buffer holds pointers, no value references.
//! - Shared memory, which starts with arbitrary bits, holds no references, `bool`s or `char`s.
//! - It returns nothing.

mod builtin;
mod expr;
mod place;
mod written;

use crate::scalar::Scalar;
use crate::span::Span;
use crate::stack::with_room;
use crate::typed::{Function, FunctionId, KernelParam, LabelId, Program};
use crate::types::{AggregateKind, Mutability, Type, TypeId, TypeTable};
use std::collections::HashMap;

/// An invariant that does not hold.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("in `{function}` at {span}: {problem}")]
pub struct VerifyError {
    /// The function.
    pub function: String,
    /// Where in it.
    pub span: Span,
    /// What is wrong.
    pub problem: Problem,
}

/// What is wrong with a program.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// A number that names nothing.
    #[error("no {what} has the number {number}")]
    Unknown {
        /// What it was to name.
        what: &'static str,
        /// The number.
        number: u32,
    },
    /// A type that does not fit.
    #[error("{what} is of type `{found}`, not `{wanted}`")]
    Mismatch {
        /// Whose type it is.
        what: &'static str,
        /// The type that it must have.
        wanted: String,
        /// The type that it has.
        found: String,
    },
    /// A type that a node of this kind can't have or take.
    #[error("{what} can't be `{found}`")]
    Unfit {
        /// Whose type it is.
        what: &'static str,
        /// The type that it has.
        found: String,
    },
    /// A wrong number of parts.
    #[error("{found} {what} where there must be {wanted}")]
    Count {
        /// Of what.
        what: &'static str,
        /// How many there must be.
        wanted: usize,
        /// How many there are.
        found: usize,
    },
    /// Bits that no value of the type has.
    #[error("{bits:#x} is no `{ty}`")]
    Bits {
        /// The bits.
        bits: u128,
        /// The type.
        ty: String,
    },
    /// A `break` or `continue` to a label that is not around it.
    #[error("no loop or block '{0} is around it", label.0)]
    NoLabel {
        /// The label.
        label: LabelId,
    },
    /// Two loops or blocks of the same label.
    #[error("a second loop or block '{0}", label.0)]
    SecondLabel {
        /// The label.
        label: LabelId,
    },
    /// A local that may be read before it is written.
    #[error("`{name}` (local {number}) may be read before it is written")]
    Unwritten {
        /// Its name.
        name: String,
        /// Its number.
        number: u32,
    },
    /// The parts of a struct are not evaluated once each.
    #[error("the order of evaluation leaves out a part or names one twice")]
    Order,
}

/// Checks a program, inlined or not.
///
/// # Errors
///
/// The first invariant that does not hold.
pub fn verify(program: &Program) -> Result<(), VerifyError> {
    with_room(|| here(program))
}

/// [`verify`] on the caller's stack.
pub(crate) fn here(program: &Program) -> Result<(), VerifyError> {
    let kernel = program.kernel.function;
    let Some(function) = program.functions.get(kernel.0 as usize) else {
        let problem = Problem::Unknown { what: "function", number: kernel.0 };
        return Err(VerifyError { function: program.kernel.name.clone(), span: Span::default(), problem });
    };
    check(program, function).map_err(|failure| *failure)
}

fn check(program: &Program, kernel: &Function) -> Checked {
    let verifier = Verifier::new(program, kernel);
    verifier.types()?;
    verifier.kernel()?;
    for function in &program.functions {
        Verifier::new(program, function).function()?;
        written::check(function)?;
    }
    Ok(())
}

/// A loop or labelled block.
#[derive(Clone, Copy)]
struct Target {
    ty: TypeId,
    is_loop: bool,
    /// Whether a `break` leaves it.
    left: bool,
}

/// An error on its way up. Boxed: it goes through every level of a deep tree, each of which keeps room for it.
type Failure = Box<VerifyError>;

type Checked = Result<(), Failure>;

struct Verifier<'p> {
    program: &'p Program,
    types: &'p TypeTable,
    function: &'p Function,
    /// The loops and labelled blocks around.
    around: HashMap<LabelId, Target>,
    /// Every label so far.
    labels: Vec<LabelId>,
}

impl<'p> Verifier<'p> {
    fn new(program: &'p Program, function: &'p Function) -> Self {
        Self { program, types: &program.types, function, around: HashMap::new(), labels: Vec::new() }
    }

    fn types(&self) -> Checked {
        for (id, _) in self.types.iter() {
            if self.types.size(id) > isize::MAX as u64 {
                return Err(self.unfit("a type of this size", id, self.function.span));
            }
        }
        Ok(())
    }

    fn kernel(&self) -> Checked {
        let (kernel, function) = (&self.program.kernel, self.function);
        self.count("kernel parameters", function.params.len(), kernel.params.len(), function.span)?;
        for (param, local) in kernel.params.iter().zip(&function.params) {
            let local = self.local(*local, function.span)?;
            self.kernel_param(*param, local.ty, local.span)?;
        }
        if !self.is_unit(function.result) && !self.is_never(function.result) {
            return Err(self.unfit("a kernel's result", function.result, function.span));
        }
        for shared in &self.program.shared {
            self.known_type(shared.ty, shared.span)?;
            let invalid = self.inside(shared.ty, &|ty| match ty {
                Type::Pointer { .. } | Type::Never | Type::Slice(_) | Type::Str => true,
                Type::Scalar(scalar) => matches!(scalar, Scalar::Bool | Scalar::Char),
                _ => false,
            });
            if invalid {
                return Err(self.unfit("shared memory", shared.ty, shared.span));
            }
        }
        Ok(())
    }

    fn kernel_param(&self, param: KernelParam, ty: TypeId, span: Span) -> Checked {
        self.known_type(ty, span)?;
        let pointer = match self.types.get(ty) {
            Type::Pointer { pointee, mutability, raw: false } => {
                Some((*pointee, *mutability == Mutability::Mutable))
            }
            _ => None,
        };
        let (element, fits) = match (param, pointer) {
            (KernelParam::Value(value), None) => {
                let reference = |t: &Type| matches!(t, Type::Pointer { raw: false, .. });
                return match self.same(value, ty) && !self.inside(ty, &reference) {
                    true => Ok(()),
                    false => Err(self.unfit("a kernel's value", ty, span)),
                };
            }
            (KernelParam::Slice { element, mutable }, Some((pointee, is_mutable))) => {
                let slice = matches!(self.types.get(pointee), Type::Slice(e) if self.same(*e, element));
                (element, slice && mutable == is_mutable)
            }
            (KernelParam::Element { element, mutable }, Some((pointee, is_mutable))) => (
                element,
                self.same(pointee, element) && mutable == is_mutable && !self.types.is_unsized(pointee),
            ),
            _ => return Err(self.unfit("a kernel's parameter", ty, span)),
        };
        if !fits || self.inside(element, &|t| matches!(t, Type::Pointer { .. })) {
            return Err(self.unfit("a kernel's buffer", ty, span));
        }
        Ok(())
    }

    fn function(&mut self) -> Checked {
        let function = self.function;
        for local in &function.locals {
            self.known_type(local.ty, local.span)?;
            if self.types.is_unsized(local.ty) {
                return Err(self.unfit("a local", local.ty, local.span));
            }
        }
        for (number, param) in function.params.iter().enumerate() {
            self.local(*param, function.span)?;
            if function.params[..number].contains(param) {
                return Err(
                    self.error(Problem::Unknown { what: "second parameter", number: param.0 }, function.span)
                );
            }
        }
        self.known_type(function.result, function.span)?;
        self.expr(&function.body)?;
        self.fits("the body's value", function.result, &function.body)
    }

    fn error(&self, problem: Problem, span: Span) -> Failure {
        Box::new(VerifyError { function: self.function.name.clone(), span, problem })
    }

    fn unfit(&self, what: &'static str, found: TypeId, span: Span) -> Failure {
        self.error(Problem::Unfit { what, found: self.types.name(found) }, span)
    }

    fn count(&self, what: &'static str, wanted: usize, found: usize, span: Span) -> Checked {
        if wanted == found { Ok(()) } else { Err(self.error(Problem::Count { what, wanted, found }, span)) }
    }

    /// A value where a `wanted` must stand.
    fn fits(&self, what: &'static str, wanted: TypeId, found: &crate::typed::Expr) -> Checked {
        if self.is_never(found.ty) { Ok(()) } else { self.equal(what, wanted, found.ty, found.span) }
    }

    fn equal(&self, what: &'static str, wanted: TypeId, found: TypeId, span: Span) -> Checked {
        if self.same(wanted, found) {
            return Ok(());
        }
        let (wanted, found) = (self.types.name(wanted), self.types.name(found));
        Err(self.error(Problem::Mismatch { what, wanted, found }, span))
    }

    fn known_type(&self, ty: TypeId, span: Span) -> Checked {
        if self.types.contains(ty) {
            return Ok(());
        }
        Err(self.error(Problem::Unknown { what: "type", number: ty.0 }, span))
    }

    fn callee(&self, id: FunctionId, span: Span) -> Result<&'p Function, Failure> {
        let function = self.program.functions.get(id.0 as usize);
        function.ok_or_else(|| self.error(Problem::Unknown { what: "function", number: id.0 }, span))
    }

    fn local(&self, id: crate::typed::LocalId, span: Span) -> Result<&'p crate::typed::Local, Failure> {
        let local = self.function.locals.get(id.0 as usize);
        local.ok_or_else(|| self.error(Problem::Unknown { what: "local", number: id.0 }, span))
    }

    fn same(&self, a: TypeId, b: TypeId) -> bool {
        a == b || self.types.get(a) == self.types.get(b)
    }

    fn is_never(&self, ty: TypeId) -> bool {
        *self.types.get(ty) == Type::Never
    }

    fn is_unit(&self, ty: TypeId) -> bool {
        matches!(self.types.get(ty), Type::Aggregate(a) if a.kind == AggregateKind::Tuple && a.fields.is_empty())
    }

    fn is_scalar(&self, ty: TypeId, scalar: Scalar) -> bool {
        self.types.as_scalar(ty) == Some(scalar)
    }

    /// Whether `holds` of the type or of a part of it. Pointers are not followed.
    fn inside(&self, ty: TypeId, holds: &dyn Fn(&Type) -> bool) -> bool {
        self.types.find(ty, |_, t| holds(t)).is_some()
    }
}
