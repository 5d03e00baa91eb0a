//! The notes of operators: each stands round an operation in a witness, `__add(note, &a, &b, a + b)`, is worth what the
//! operation is worth, and lets the note learn the callee.
//!
//! A bound that rustc meets before the plain operation could drive inference where the operation alone would leave it
//! open. So the bounds here are of the operation's *result*, whose type rustc only has once it has seen the operation.

use super::ops;
use wavewright_kernel_ir::witness::{Callee, DeviceFn, Note, never};

/// `OPERATOR "message": note(LEFT, RIGHT);`, with the bounds of the operands' types where they may be unsized.
macro_rules! notes {
    ($($trait:ident $message:literal: $note:ident($left:ty, $right:ty) $([$($unsized:tt)*])?;)*) => {
        /// What the note of an operator asks of the operation's result.
        pub mod result {
            use super::*;
            $(
                #[diagnostic::on_unimplemented(
                    message = $message,
                    label = "this operator is not `#[device]`",
                    note = "put `#[device]` on the `impl` of the operator, or above the type's `#[derive]`; in a generic function write the bound by the trait's own name"
                )]
                pub trait $trait<L $(: $($unsized)*)?, R $(: $($unsized)*)?> {
                    type Def: DeviceFn;
                }
                #[diagnostic::do_not_recommend]
                impl<O, L: ops::$trait<R> $(+ $($unsized)*)?, R $(: $($unsized)*)?> $trait<L, R> for O {
                    type Def = <L as ops::$trait<R>>::Def;
                }
            )*
        }
        $(
            pub fn $note<L $(: $($unsized)*)?, R $(: $($unsized)*)?, O, M>(
                _: Note<Callee<M>>,
                _: $left,
                _: $right,
                _: O,
            ) -> O
            where
                O: result::$trait<L, R, Def = M>,
            {
                never()
            }
        )*
    };
}
notes! {
    Add "`{L} + {R}` has no device form": __add(&L, &R);
    Sub "`{L} - {R}` has no device form": __sub(&L, &R);
    Mul "`{L} * {R}` has no device form": __mul(&L, &R);
    Div "`{L} / {R}` has no device form": __div(&L, &R);
    Rem "`{L} % {R}` has no device form": __rem(&L, &R);
    BitAnd "`{L} & {R}` has no device form": __bitand(&L, &R);
    BitOr "`{L} | {R}` has no device form": __bitor(&L, &R);
    BitXor "`{L} ^ {R}` has no device form": __bitxor(&L, &R);
    Shl "`{L} << {R}` has no device form": __shl(&L, &R);
    Shr "`{L} >> {R}` has no device form": __shr(&L, &R);
    AddAssign "`{L} += {R}` has no device form": __add_assign(&mut L, &R);
    SubAssign "`{L} -= {R}` has no device form": __sub_assign(&mut L, &R);
    MulAssign "`{L} *= {R}` has no device form": __mul_assign(&mut L, &R);
    DivAssign "`{L} /= {R}` has no device form": __div_assign(&mut L, &R);
    RemAssign "`{L} %= {R}` has no device form": __rem_assign(&mut L, &R);
    BitAndAssign "`{L} &= {R}` has no device form": __bitand_assign(&mut L, &R);
    BitOrAssign "`{L} |= {R}` has no device form": __bitor_assign(&mut L, &R);
    BitXorAssign "`{L} ^= {R}` has no device form": __bitxor_assign(&mut L, &R);
    ShlAssign "`{L} <<= {R}` has no device form": __shl_assign(&mut L, &R);
    ShrAssign "`{L} >>= {R}` has no device form": __shr_assign(&mut L, &R);
    PartialEq "`{L} == {R}` has no device form": __eq(&L, &R) [?Sized];
    PartialOrd "`{L} < {R}` has no device form": __partial_cmp(&L, &R) [?Sized];
}

macro_rules! unary_notes {
    ($($trait:ident $message:literal: $note:ident;)*) => {
        /// What the note of a unary operator asks of the operation's result.
        pub mod unary_result {
            use super::*;
            $(
                #[diagnostic::on_unimplemented(
                    message = $message,
                    label = "this operator is not `#[device]`",
                    note = "put `#[device]` on the `impl` of the operator; in a generic function write the bound by the trait's own name"
                )]
                pub trait $trait<T> {
                    type Def: DeviceFn;
                }
                #[diagnostic::do_not_recommend]
                impl<O, T: ops::$trait> $trait<T> for O {
                    type Def = T::Def;
                }
            )*
        }
        $(
            pub fn $note<T, O, M>(_: Note<Callee<M>>, _: &T, _: O) -> O
            where
                O: unary_result::$trait<T, Def = M>,
            {
                never()
            }
        )*
    };
}
unary_notes! {
    Neg "`-{T}` has no device form": __neg;
    Not "`!{T}` has no device form": __not;
}
