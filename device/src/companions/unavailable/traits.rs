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
        "write a `for` loop over a range" {
            map "`map` is not available in kernels yet";
            filter "`filter` is not available in kernels yet";
            enumerate "`enumerate` is not available in kernels yet";
            rev "`rev` is not available in kernels yet";
            zip "`zip` is not available in kernels yet";
            chain "`chain` is not available in kernels yet";
            take "`take` is not available in kernels yet";
            skip "`skip` is not available in kernels yet";
            step_by "`step_by` is not available in kernels yet";
            next "`next` is not available in kernels yet";
            fold "`fold` is not available in kernels yet";
            for_each "`for_each` is not available in kernels yet";
            sum "`sum` is not available in kernels yet";
            product "`product` is not available in kernels yet";
            count "`count` is not available in kernels yet";
            last "`last` is not available in kernels yet";
            any "`any` is not available in kernels yet";
            all "`all` is not available in kernels yet";
            find "`find` is not available in kernels yet";
            position "`position` is not available in kernels yet";
            collect "`collect` is not available in kernels yet";
        }
    }

    #[rustfmt::skip]
    pub trait Iterator: iter::Iterator + Sized {
        fn map__on_device<B, F: FnMut(Self::Item) -> B>(self, _f: F) -> No<iter::Map<Self, F>> where Self: map { never() }
        fn filter__on_device<F: FnMut(&Self::Item) -> bool>(self, _test: F) -> No<iter::Filter<Self, F>> where Self: filter { never() }
        fn enumerate__on_device(self) -> No<iter::Enumerate<Self>> where Self: enumerate { never() }
        fn rev__on_device(self) -> No<iter::Rev<Self>> where Self: rev { never() }
        fn zip__on_device<U: iter::IntoIterator>(self, _other: U) -> No<iter::Zip<Self, U::IntoIter>> where Self: zip { never() }
        fn chain__on_device<U: iter::IntoIterator<Item = Self::Item>>(self, _other: U) -> No<iter::Chain<Self, U::IntoIter>> where Self: chain { never() }
        fn take__on_device(self, _n: usize) -> No<iter::Take<Self>> where Self: take { never() }
        fn skip__on_device(self, _n: usize) -> No<iter::Skip<Self>> where Self: skip { never() }
        fn step_by__on_device(self, _step: usize) -> No<iter::StepBy<Self>> where Self: step_by { never() }
        fn next__on_device(&mut self) -> No<Option<Self::Item>> where Self: next { never() }
        fn fold__on_device<B, F: FnMut(B, Self::Item) -> B>(self, _start: B, _f: F) -> No<B> where Self: fold { never() }
        fn for_each__on_device<F: FnMut(Self::Item)>(self, _f: F) -> No<()> where Self: for_each { never() }
        fn sum__on_device<S: iter::Sum<Self::Item>>(self) -> No<S> where Self: sum { never() }
        fn product__on_device<S: iter::Product<Self::Item>>(self) -> No<S> where Self: product { never() }
        fn count__on_device(self) -> No<usize> where Self: count { never() }
        fn last__on_device(self) -> No<Option<Self::Item>> where Self: last { never() }
        fn any__on_device<F: FnMut(Self::Item) -> bool>(&mut self, _test: F) -> No<bool> where Self: any { never() }
        fn all__on_device<F: FnMut(Self::Item) -> bool>(&mut self, _test: F) -> No<bool> where Self: all { never() }
        fn find__on_device<F: FnMut(&Self::Item) -> bool>(&mut self, _test: F) -> No<Option<Self::Item>> where Self: find { never() }
        fn position__on_device<F: FnMut(Self::Item) -> bool>(&mut self, _test: F) -> No<Option<usize>> where Self: position { never() }
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

impl<I: core::iter::Iterator> Iterator for I {}
impl<T: core::cmp::PartialEq<R> + ?Sized, R: ?Sized> Equality<R> for T {}
impl<T: core::cmp::PartialOrd<R> + ?Sized, R: ?Sized> Comparison<R> for T {}
impl<T: core::cmp::Ord> Order for T {}
