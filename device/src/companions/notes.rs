//! The notes of operators: each stands round an operation in a witness, `__add(note, &a, &b, a + b)`, is worth what the
//! operation is worth, and lets the note learn the callee.
//!
//! A bound that rustc meets before the plain operation could drive inference where the operation alone would leave it
//! open. So the bounds here are of the operation's *result*, whose type rustc only has once it has seen the operation.
//! (The functions are written out, since rustc would also print a macro that they came from.)

use super::ops;
use std::ops::ControlFlow;
use wavewright_kernel_ir::types::DeviceType;
use wavewright_kernel_ir::witness::{Callee, DeviceFn, Note, TypeRecord, never};

#[rustfmt::skip]
mod binary {
    use super::*;

    pub fn __add<L, R, O, M>(_: Note<Callee<M>>, _: &L, _: &R, _: O) -> O where O: result::Add<L, R, Def = M> { never() }
    pub fn __sub<L, R, O, M>(_: Note<Callee<M>>, _: &L, _: &R, _: O) -> O where O: result::Sub<L, R, Def = M> { never() }
    pub fn __mul<L, R, O, M>(_: Note<Callee<M>>, _: &L, _: &R, _: O) -> O where O: result::Mul<L, R, Def = M> { never() }
    pub fn __div<L, R, O, M>(_: Note<Callee<M>>, _: &L, _: &R, _: O) -> O where O: result::Div<L, R, Def = M> { never() }
    pub fn __rem<L, R, O, M>(_: Note<Callee<M>>, _: &L, _: &R, _: O) -> O where O: result::Rem<L, R, Def = M> { never() }
    pub fn __bitand<L, R, O, M>(_: Note<Callee<M>>, _: &L, _: &R, _: O) -> O where O: result::BitAnd<L, R, Def = M> { never() }
    pub fn __bitor<L, R, O, M>(_: Note<Callee<M>>, _: &L, _: &R, _: O) -> O where O: result::BitOr<L, R, Def = M> { never() }
    pub fn __bitxor<L, R, O, M>(_: Note<Callee<M>>, _: &L, _: &R, _: O) -> O where O: result::BitXor<L, R, Def = M> { never() }
    pub fn __shl<L, R, O, M>(_: Note<Callee<M>>, _: &L, _: &R, _: O) -> O where O: result::Shl<L, R, Def = M> { never() }
    pub fn __shr<L, R, O, M>(_: Note<Callee<M>>, _: &L, _: &R, _: O) -> O where O: result::Shr<L, R, Def = M> { never() }

    pub fn __add_assign<L, R, O, M>(_: Note<Callee<M>>, _: &mut L, _: &R, _: O) -> O where O: result::AddAssign<L, R, Def = M> { never() }
    pub fn __sub_assign<L, R, O, M>(_: Note<Callee<M>>, _: &mut L, _: &R, _: O) -> O where O: result::SubAssign<L, R, Def = M> { never() }
    pub fn __mul_assign<L, R, O, M>(_: Note<Callee<M>>, _: &mut L, _: &R, _: O) -> O where O: result::MulAssign<L, R, Def = M> { never() }
    pub fn __div_assign<L, R, O, M>(_: Note<Callee<M>>, _: &mut L, _: &R, _: O) -> O where O: result::DivAssign<L, R, Def = M> { never() }
    pub fn __rem_assign<L, R, O, M>(_: Note<Callee<M>>, _: &mut L, _: &R, _: O) -> O where O: result::RemAssign<L, R, Def = M> { never() }
    pub fn __bitand_assign<L, R, O, M>(_: Note<Callee<M>>, _: &mut L, _: &R, _: O) -> O where O: result::BitAndAssign<L, R, Def = M> { never() }
    pub fn __bitor_assign<L, R, O, M>(_: Note<Callee<M>>, _: &mut L, _: &R, _: O) -> O where O: result::BitOrAssign<L, R, Def = M> { never() }
    pub fn __bitxor_assign<L, R, O, M>(_: Note<Callee<M>>, _: &mut L, _: &R, _: O) -> O where O: result::BitXorAssign<L, R, Def = M> { never() }
    pub fn __shl_assign<L, R, O, M>(_: Note<Callee<M>>, _: &mut L, _: &R, _: O) -> O where O: result::ShlAssign<L, R, Def = M> { never() }
    pub fn __shr_assign<L, R, O, M>(_: Note<Callee<M>>, _: &mut L, _: &R, _: O) -> O where O: result::ShrAssign<L, R, Def = M> { never() }

    pub fn __eq<L: ?Sized, R: ?Sized, O, M>(_: Note<Callee<M>>, _: &L, _: &R, _: O) -> O where O: result::PartialEq<L, R, Def = M> { never() }
    pub fn __partial_cmp<L: ?Sized, R: ?Sized, O, M>(_: Note<Callee<M>>, _: &L, _: &R, _: O) -> O where O: result::PartialOrd<L, R, Def = M> { never() }
}
pub use binary::*;

#[rustfmt::skip]
mod unary {
    use super::*;

    pub fn __neg<T, O, M>(_: Note<Callee<M>>, _: &T, _: O) -> O where O: result::Neg<T, Def = M> { never() }
    pub fn __not<T, O, M>(_: Note<Callee<M>>, _: &T, _: O) -> O where O: result::Not<T, Def = M> { never() }
}
pub use unary::*;

/// `value?` in a function that returns what the second note has learnt: the first learns how the error becomes its.
pub fn __question<T: Question<R::Of>, R: TypeRecord>(_: Note<Callee<T::Convert>>, _: Note<R>, _: &T)
where
    R::Of: Sized,
{
}

/// What `?` can be used on, in a function that returns an `R`.
pub trait Question<R> {
    /// How the error becomes that of `R`.
    type Convert: DeviceFn;
}

impl<T: DeviceType, U: DeviceType> Question<Option<U>> for Option<T> {
    type Convert = <() as ops::From<()>>::Def;
}
impl<T: DeviceType, E: DeviceType, U: DeviceType, F: ops::From<E>> Question<Result<U, F>> for Result<T, E> {
    type Convert = <F as ops::From<E>>::Def;
}
impl<C: DeviceType, D: DeviceType, B: DeviceType> Question<ControlFlow<B, D>> for ControlFlow<B, C> {
    type Convert = <B as ops::From<B>>::Def;
}

/// What the notes ask of an operation's result.
pub mod result {
    use super::ops;
    use wavewright_kernel_ir::witness::DeviceFn;

    macro_rules! results {
        ($($trait:ident $([$($unsized:tt)*])? $message:literal;)*) => { $(
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
        )* };
    }
    unary_results! {
        Neg "`-{T}` has no device form";
        Not "`!{T}` has no device form";
    }
}
