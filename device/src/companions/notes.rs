//! The notes of operators: each stands round an operation in a witness, `__Add::of(note, &a, &b, a + b)`, is worth what
//! the operation is worth, and lets the note learn the callee.
//!
//! A bound that rustc meets before the plain operation could drive inference where the operation alone would leave it
//! open. So the traits here are the operation's *result*'s, whose type rustc only has once it has seen the operation. The
//! notes are functions of the traits, of which rustc, when the trait is missing, has nothing to say but our message.

use super::ops;
use wavewright_kernel_ir::witness::{Callee, DeviceFn, Note, never};

/// What is said of every operator.
macro_rules! results {
    ($($trait:ident $([$($unsized:tt)*])? $message:literal;)*) => { $(
        /// What the operator's result says of its operands, `L` and `R`.
        #[diagnostic::on_unimplemented(
            message = $message,
            label = "this operator is not `#[device]`",
            note = "put `#[device]` on an `impl` of the operator, written out in place of a `#[derive]`; in a generic function write the bound by the trait's own name"
        )]
        pub trait $trait<L $(: $($unsized)*)?, R $(: $($unsized)*)?>: Sized {
            /// The instance that the operator calls.
            type Def: DeviceFn;

            /// The note.
            fn of<M>(_: Note<Callee<M>>, _: &L, _: &R, _: Self) -> Self
            where
                Self: $trait<L, R, Def = M>,
            {
                never()
            }
        }
        #[diagnostic::do_not_recommend]
        impl<O, L: ops::$trait<R> $(+ $($unsized)*)?, R $(: $($unsized)*)?> $trait<L, R> for O {
            type Def = <L as ops::$trait<R>>::Def;
        }
    )* };
}
results! {
    Add "`{L} + {R}` has no device form";
    Sub "`{L} - {R}` has no device form";
    Mul "`{L} * {R}` has no device form";
    Div "`{L} / {R}` has no device form";
    Rem "`{L} % {R}` has no device form";
    BitAnd "`{L} & {R}` has no device form";
    BitOr "`{L} | {R}` has no device form";
    BitXor "`{L} ^ {R}` has no device form";
    Shl "`{L} << {R}` has no device form";
    Shr "`{L} >> {R}` has no device form";
    AddAssign "`{L} += {R}` has no device form";
    SubAssign "`{L} -= {R}` has no device form";
    MulAssign "`{L} *= {R}` has no device form";
    DivAssign "`{L} /= {R}` has no device form";
    RemAssign "`{L} %= {R}` has no device form";
    BitAndAssign "`{L} &= {R}` has no device form";
    BitOrAssign "`{L} |= {R}` has no device form";
    BitXorAssign "`{L} ^= {R}` has no device form";
    ShlAssign "`{L} <<= {R}` has no device form";
    ShrAssign "`{L} >>= {R}` has no device form";
    PartialEq [?Sized] "`{L} == {R}` has no device form";
    PartialOrd [?Sized] "`{L} < {R}` has no device form";
}

macro_rules! unary_results {
    ($($trait:ident $message:literal;)*) => { $(
        /// What the operator's result says of its operand.
        #[diagnostic::on_unimplemented(
            message = $message,
            label = "this operator is not `#[device]`",
            note = "put `#[device]` on the `impl` of the operator; in a generic function write the bound by the trait's own name"
        )]
        pub trait $trait<T>: Sized {
            /// The instance that the operator calls.
            type Def: DeviceFn;

            /// The note.
            fn of<M>(_: Note<Callee<M>>, _: &T, _: Self) -> Self
            where
                Self: $trait<T, Def = M>,
            {
                never()
            }
        }
        #[diagnostic::do_not_recommend]
        impl<O, T: ops::$trait> $trait<T> for O {
            type Def = T::Def;
        }
    )* };
}
unary_results! {
    Neg "`-{T}` has no device form";
    Not "`!{T}` has no device form";
}
