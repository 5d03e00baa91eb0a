//! Closures that a function returns.
//!
//! What a function says about the closure that it returns, `impl Fn(u32) -> u32`, tells rustc the types of the closure's
//! parameters. A witness's body is a closure itself and can't return an `impl Fn`, so there one of these stands round the
//! value, with the types written out: `__Fn1::<u32, _, u32>(move |x| x + n)`.

#![allow(non_snake_case)]

macro_rules! returned {
    ($($fn:ident $fn_mut:ident $fn_once:ident($($argument:ident)*);)*) => { $(
        /// A value that can be called through a shared reference.
        pub fn $fn<$($argument,)* Value: Fn($($argument),*) -> R, R>(value: Value) -> Value {
            value
        }

        /// A value that can be called through a mutable reference.
        pub fn $fn_mut<$($argument,)* Value: FnMut($($argument),*) -> R, R>(value: Value) -> Value {
            value
        }

        /// A value that can be called once.
        pub fn $fn_once<$($argument,)* Value: FnOnce($($argument),*) -> R, R>(value: Value) -> Value {
            value
        }
    )* };
}
returned! {
    __Fn0 __FnMut0 __FnOnce0();
    __Fn1 __FnMut1 __FnOnce1(A);
    __Fn2 __FnMut2 __FnOnce2(A B);
    __Fn3 __FnMut3 __FnOnce3(A B C);
    __Fn4 __FnMut4 __FnOnce4(A B C D);
    __Fn5 __FnMut5 __FnOnce5(A B C D E);
    __Fn6 __FnMut6 __FnOnce6(A B C D E F);
    __Fn7 __FnMut7 __FnOnce7(A B C D E F G);
    __Fn8 __FnMut8 __FnOnce8(A B C D E F G H);
}
