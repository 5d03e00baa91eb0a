//! What companions return.

use super::note::{Callee, Note};
use std::marker::PhantomData;

/// What the companion of a function returns in place of the function's own result `R`: a promise of an `R`, and the
/// instance `M` that the call means.
#[must_use]
pub struct Ret<R, M>(PhantomData<fn() -> (R, M)>);

impl<R, M> Ret<R, M> {
    /// The function's result; the note learns the callee.
    pub fn ret(self, _: Note<Callee<M>>) -> R {
        never()
    }
}

/// The same for a function that returns `!`, so that control flow ends at the call in the witness, too.
#[must_use]
pub struct RetNever<M>(PhantomData<fn() -> M>);

impl<M> RetNever<M> {
    /// The note learns the callee.
    pub fn ret(self, _: Note<Callee<M>>) -> ! {
        never()
    }
}

/// The body of what is never called.
pub fn never<T>() -> T {
    unreachable!("a witness never runs")
}

/// The body of a companion whose function returns `impl Trait`: the type behind it is that of the function's own.
pub fn like<R, M>(_: impl FnOnce() -> R) -> Ret<R, M> {
    never()
}
