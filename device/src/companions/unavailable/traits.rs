//! Methods of std's traits that can't be called yet.

use super::No;
use core::cmp::Ordering;
use core::iter;
use wavewright_kernel_ir::witness::never;

pub use comparison::Comparison;
pub use equality::Equality;
pub use iterators::Iterator;
pub use order::Order;

/// Of iterators, ranges among them.
pub mod iterators {
    use super::*;

    super::super::bounds! {
        "kernels have no heap: write the items into an array or a buffer" {
            collect "`collect` is not available in kernels yet";
            partition "`partition` is not available in kernels yet";
            unzip "`unzip` is not available in kernels yet";
        }
        "write a `for` loop" {
            by_ref "`by_ref` is not available in kernels yet";
            cycle "`cycle` is not available in kernels yet";
            flat_map "`flat_map` is not available in kernels yet";
            flatten "`flatten` is not available in kernels yet";
            fuse "`fuse` is not available in kernels yet";
            map_while "`map_while` is not available in kernels yet";
            peekable "`peekable` is not available in kernels yet";
            scan "`scan` is not available in kernels yet";
            nth_back "`nth_back` is not available in kernels yet";
            rfind "`rfind` is not available in kernels yet";
            rfold "`rfold` is not available in kernels yet";
            size_hint "`size_hint` is not available in kernels yet";
        }
    }

    #[rustfmt::skip]
    pub trait Iterator: iter::Iterator + Sized {
        fn collect__on_device<C: iter::FromIterator<Self::Item>>(self) -> No<C> where Self: collect { never() }
        fn partition__on_device<C: Default + Extend<Self::Item>, P: FnMut(&Self::Item) -> bool>(self, _test: P) -> No<(C, C)> where Self: partition { never() }
        fn unzip__on_device<A, B, C: Default + Extend<A>, D: Default + Extend<B>>(self) -> No<(C, D)> where Self: unzip + iter::Iterator<Item = (A, B)> { never() }
        fn by_ref__on_device(&mut self) -> No<&mut Self> where Self: by_ref { never() }
        fn cycle__on_device(self) -> No<iter::Cycle<Self>> where Self: cycle + Clone { never() }
        fn flat_map__on_device<U: IntoIterator, F: FnMut(Self::Item) -> U>(self, _f: F) -> No<iter::FlatMap<Self, U, F>> where Self: flat_map { never() }
        fn flatten__on_device(self) -> No<iter::Flatten<Self>> where Self: flatten + iter::Iterator<Item: IntoIterator> { never() }
        fn fuse__on_device(self) -> No<iter::Fuse<Self>> where Self: fuse { never() }
        fn map_while__on_device<B, F: FnMut(Self::Item) -> Option<B>>(self, _f: F) -> No<iter::MapWhile<Self, F>> where Self: map_while { never() }
        fn peekable__on_device(self) -> No<iter::Peekable<Self>> where Self: peekable { never() }
        fn scan__on_device<S, B, F: FnMut(&mut S, Self::Item) -> Option<B>>(self, _start: S, _f: F) -> No<iter::Scan<Self, S, F>> where Self: scan { never() }
        fn nth_back__on_device(&mut self, _n: usize) -> No<Option<Self::Item>> where Self: nth_back + iter::DoubleEndedIterator { never() }
        fn rfind__on_device<P: FnMut(&Self::Item) -> bool>(&mut self, _test: P) -> No<Option<Self::Item>> where Self: rfind + iter::DoubleEndedIterator { never() }
        fn rfold__on_device<B, F: FnMut(B, Self::Item) -> B>(self, _start: B, _f: F) -> No<B> where Self: rfold + iter::DoubleEndedIterator { never() }
        fn size_hint__on_device(&self) -> No<(usize, Option<usize>)> where Self: size_hint { never() }
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

impl<I: core::iter::Iterator> Iterator for I {}
impl<T: core::cmp::PartialEq<R> + ?Sized, R: ?Sized> Equality<R> for T {}
impl<T: core::cmp::PartialOrd<R> + ?Sized, R: ?Sized> Comparison<R> for T {}
impl<T: core::cmp::Ord> Order for T {}
