//! Methods of std's traits that can't be called yet.

use super::No;
use core::cmp::Ordering;
use core::iter;
use wavewright_kernel_ir::witness::never;

pub use comparison::Comparison;
pub use equality::Equality;
pub use iterators::Collect;
pub use order::Order;

/// Of iterators, ranges among them.
pub mod iterators {
    use super::*;

    super::super::bounds! {
        "kernels have no heap: write the items into an array or a buffer" {
            collect "`collect` is not available in kernels yet";
        }
    }

    #[rustfmt::skip]
    pub trait Collect: iter::Iterator + Sized {
        fn collect__on_device<C: iter::FromIterator<Self::Item>>(self) -> No<C> where Self: collect { never() }
    }
}

/// Comparisons as methods.
pub mod equality {
    use super::*;

    super::super::bounds! {
        "write `==` or `!=`" {
            eq "`eq` is not available in kernels yet";
            ne "`ne` is not available in kernels yet";
        }
    }

    #[rustfmt::skip]
    pub trait Equality<R: ?Sized>: core::cmp::PartialEq<R> {
        fn eq__on_device(&self, _other: &R) -> No<bool> where Self: eq { never() }
        fn ne__on_device(&self, _other: &R) -> No<bool> where Self: ne { never() }
    }
}

/// Comparisons as methods.
pub mod comparison {
    use super::*;

    super::super::bounds! {
        "write `<`, `<=`, `>` or `>=`" {
            partial_cmp "`partial_cmp` is not available in kernels yet";
            lt "`lt` is not available in kernels yet";
            le "`le` is not available in kernels yet";
            gt "`gt` is not available in kernels yet";
            ge "`ge` is not available in kernels yet";
        }
    }

    #[rustfmt::skip]
    pub trait Comparison<R: ?Sized>: core::cmp::PartialOrd<R> {
        fn partial_cmp__on_device(&self, _other: &R) -> No<Option<Ordering>> where Self: partial_cmp { never() }
        fn lt__on_device(&self, _other: &R) -> No<bool> where Self: lt { never() }
        fn le__on_device(&self, _other: &R) -> No<bool> where Self: le { never() }
        fn gt__on_device(&self, _other: &R) -> No<bool> where Self: gt { never() }
        fn ge__on_device(&self, _other: &R) -> No<bool> where Self: ge { never() }
    }
}

/// Of `Ord`.
pub mod order {
    use super::*;

    super::super::bounds! {
        "write `<`, `<=`, `>` or `>=`" {
            cmp "`cmp` is not available in kernels yet";
        }
    }

    #[rustfmt::skip]
    pub trait Order: core::cmp::Ord + Sized {
        fn cmp__on_device(&self, _other: &Self) -> No<Ordering> where Self: cmp { never() }
    }
}

impl<I: core::iter::Iterator> Collect for I {}
impl<T: core::cmp::PartialEq<R> + ?Sized, R: ?Sized> Equality<R> for T {}
impl<T: core::cmp::PartialOrd<R> + ?Sized, R: ?Sized> Comparison<R> for T {}
impl<T: core::cmp::Ord> Order for T {}
