//! The companions of the methods of iterators, and of those that make some.

use super::{adaptors, consumers, seen_as, slices};
use crate::companions::methods::slices::SliceMethods;
use crate::companions::ops;
use core::cmp::Ordering;
use core::{iter, slice};
use wavewright_kernel_ir::types::DeviceType;
use wavewright_kernel_ir::witness::{DeviceFn, Ret, never};

/// The companions of `core::iter::Iterator`.
#[rustfmt::skip]
pub trait Iterator: iter::Iterator + Sized {
    fn next__on_device(&mut self) -> Ret<Option<Self::Item>, <Self as ops::Iterator>::Next> where Self: ops::Iterator { never() }
    fn nth__on_device(&mut self, _n: usize) -> Ret<Option<Self::Item>, <Self as ops::Iterator>::Nth> where Self: ops::Iterator { never() }

    fn map__on_device<B: DeviceType, F: FnMut(Self::Item) -> B>(self, f: F) -> Ret<iter::Map<Self, F>, impl DeviceFn> where Self: ops::Iterator { seen_as(<adaptors::map>::on_device(self, f)) }
    fn filter__on_device<P: FnMut(&Self::Item) -> bool>(self, test: P) -> Ret<iter::Filter<Self, P>, impl DeviceFn> where Self: ops::Iterator { seen_as(<adaptors::filter>::on_device(self, test)) }
    fn filter_map__on_device<B: DeviceType, F: FnMut(Self::Item) -> Option<B>>(self, f: F) -> Ret<iter::FilterMap<Self, F>, impl DeviceFn> where Self: ops::Iterator { seen_as(<adaptors::filter_map>::on_device(self, f)) }
    fn inspect__on_device<F: FnMut(&Self::Item)>(self, f: F) -> Ret<iter::Inspect<Self, F>, impl DeviceFn> where Self: ops::Iterator { seen_as(<adaptors::inspect>::on_device(self, f)) }
    fn enumerate__on_device(self) -> Ret<iter::Enumerate<Self>, impl DeviceFn> where Self: ops::Iterator { seen_as(<adaptors::enumerate>::on_device(self)) }
    fn rev__on_device(self) -> Ret<iter::Rev<Self>, impl DeviceFn> where Self: ops::DoubleEndedIterator { seen_as(<adaptors::rev>::on_device(self)) }
    fn zip__on_device<U: ops::IntoIterator<<U as iter::IntoIterator>::IntoIter> + iter::IntoIterator>(self, other: U) -> Ret<iter::Zip<Self, U::IntoIter>, impl DeviceFn> where Self: ops::Iterator, U::IntoIter: ops::Iterator { seen_as(<adaptors::zip>::on_device(self, other)) }
    fn chain__on_device<U: ops::IntoIterator<<U as iter::IntoIterator>::IntoIter> + iter::IntoIterator<Item = Self::Item>>(self, other: U) -> Ret<iter::Chain<Self, U::IntoIter>, impl DeviceFn> where Self: ops::Iterator, U::IntoIter: ops::Iterator { seen_as(<adaptors::chain>::on_device(self, other)) }
    fn take__on_device(self, n: usize) -> Ret<iter::Take<Self>, impl DeviceFn> where Self: ops::Iterator { seen_as(<adaptors::limited>::on_device(self, n)) }
    fn skip__on_device(self, n: usize) -> Ret<iter::Skip<Self>, impl DeviceFn> where Self: ops::Iterator { seen_as(<adaptors::limited>::on_device(self, n)) }
    fn step_by__on_device(self, step: usize) -> Ret<iter::StepBy<Self>, impl DeviceFn> where Self: ops::Iterator { seen_as(<adaptors::step_by>::on_device(self, step)) }
    fn take_while__on_device<P: FnMut(&Self::Item) -> bool>(self, test: P) -> Ret<iter::TakeWhile<Self, P>, impl DeviceFn> where Self: ops::Iterator { seen_as(<adaptors::take_while>::on_device(self, test)) }
    fn skip_while__on_device<P: FnMut(&Self::Item) -> bool>(self, test: P) -> Ret<iter::SkipWhile<Self, P>, impl DeviceFn> where Self: ops::Iterator { seen_as(<adaptors::take_while>::on_device(self, test)) }
    fn copied__on_device<'a, T: DeviceType + Copy + 'a>(self) -> Ret<iter::Copied<Self>, impl DeviceFn> where Self: ops::Iterator + iter::Iterator<Item = &'a T> { seen_as(<adaptors::wrapped>::on_device(self)) }
    fn cloned__on_device<'a, T: ops::Clone + 'a>(self) -> Ret<iter::Cloned<Self>, impl DeviceFn> where Self: ops::Iterator + iter::Iterator<Item = &'a T> { seen_as(<adaptors::wrapped>::on_device(self)) }

    fn fold__on_device<B: DeviceType, F: FnMut(B, Self::Item) -> B>(self, start: B, f: F) -> Ret<B, impl DeviceFn> where Self: ops::Iterator { <consumers::fold>::on_device(self, start, f) }
    fn reduce__on_device<F: FnMut(Self::Item, Self::Item) -> Self::Item>(self, f: F) -> Ret<Option<Self::Item>, impl DeviceFn> where Self: ops::Iterator { <consumers::reduce>::on_device(self, f) }
    fn for_each__on_device<F: FnMut(Self::Item)>(self, f: F) -> Ret<(), impl DeviceFn> where Self: ops::Iterator { <consumers::for_each>::on_device(self, f) }
    fn count__on_device(self) -> Ret<usize, impl DeviceFn> where Self: ops::Iterator { <consumers::count>::on_device(self) }
    fn last__on_device(self) -> Ret<Option<Self::Item>, impl DeviceFn> where Self: ops::Iterator { <consumers::last>::on_device(self) }
    fn sum__on_device<S: iter::Sum<Self::Item> + DeviceType + consumers::Total + ops::Add<Self::Item> + core::ops::Add<Self::Item, Output = S>>(self) -> Ret<S, impl DeviceFn> where Self: ops::Iterator { <consumers::sum>::on_device(self) }
    fn product__on_device<S: iter::Product<Self::Item> + DeviceType + consumers::Total + ops::Mul<Self::Item> + core::ops::Mul<Self::Item, Output = S>>(self) -> Ret<S, impl DeviceFn> where Self: ops::Iterator { <consumers::product>::on_device(self) }
    fn any__on_device<P: FnMut(Self::Item) -> bool>(&mut self, test: P) -> Ret<bool, impl DeviceFn> where Self: ops::Iterator { <consumers::any>::on_device(self, test) }
    fn all__on_device<P: FnMut(Self::Item) -> bool>(&mut self, test: P) -> Ret<bool, impl DeviceFn> where Self: ops::Iterator { <consumers::all>::on_device(self, test) }
    fn find__on_device<P: FnMut(&Self::Item) -> bool>(&mut self, test: P) -> Ret<Option<Self::Item>, impl DeviceFn> where Self: ops::Iterator { <consumers::find>::on_device(self, test) }
    fn find_map__on_device<B: DeviceType, F: FnMut(Self::Item) -> Option<B>>(&mut self, f: F) -> Ret<Option<B>, impl DeviceFn> where Self: ops::Iterator { <consumers::find_map>::on_device(self, f) }
    fn position__on_device<P: FnMut(Self::Item) -> bool>(&mut self, test: P) -> Ret<Option<usize>, impl DeviceFn> where Self: ops::Iterator { <consumers::position>::on_device(self, test) }
    fn min__on_device(self) -> Ret<Option<Self::Item>, impl DeviceFn> where Self: ops::Iterator, Self::Item: Ord + ops::PartialOrd { <consumers::min>::on_device(self) }
    fn max__on_device(self) -> Ret<Option<Self::Item>, impl DeviceFn> where Self: ops::Iterator, Self::Item: Ord + ops::PartialOrd { <consumers::max>::on_device(self) }
    fn min_by__on_device<F: FnMut(&Self::Item, &Self::Item) -> Ordering>(self, compare: F) -> Ret<Option<Self::Item>, impl DeviceFn> where Self: ops::Iterator { <consumers::min_by>::on_device(self, compare) }
    fn max_by__on_device<F: FnMut(&Self::Item, &Self::Item) -> Ordering>(self, compare: F) -> Ret<Option<Self::Item>, impl DeviceFn> where Self: ops::Iterator { <consumers::max_by>::on_device(self, compare) }
    fn min_by_key__on_device<K: Ord + ops::PartialOrd + DeviceType, F: FnMut(&Self::Item) -> K>(self, key: F) -> Ret<Option<Self::Item>, impl DeviceFn> where Self: ops::Iterator { <consumers::min_by_key>::on_device(self, key) }
    fn max_by_key__on_device<K: Ord + ops::PartialOrd + DeviceType, F: FnMut(&Self::Item) -> K>(self, key: F) -> Ret<Option<Self::Item>, impl DeviceFn> where Self: ops::Iterator { <consumers::max_by_key>::on_device(self, key) }
}
impl<I: iter::Iterator> Iterator for I {}

/// The companion of `core::iter::DoubleEndedIterator`.
#[rustfmt::skip]
pub trait DoubleEndedIterator: iter::DoubleEndedIterator + Sized {
    fn next_back__on_device(&mut self) -> Ret<Option<Self::Item>, <Self as ops::DoubleEndedIterator>::NextBack> where Self: ops::DoubleEndedIterator { never() }
}
impl<I: iter::DoubleEndedIterator> DoubleEndedIterator for I {}

/// The companion of `core::iter::ExactSizeIterator`.
#[rustfmt::skip]
pub trait ExactSizeIterator: iter::ExactSizeIterator + Sized {
    fn len__on_device(&self) -> Ret<usize, <Self as ops::ExactSizeIterator>::Len> where Self: ops::ExactSizeIterator { never() }
}
impl<I: iter::ExactSizeIterator> ExactSizeIterator for I {}

/// The companion of `core::iter::IntoIterator`.
#[rustfmt::skip]
pub trait IntoIterator: iter::IntoIterator + Sized {
    fn into_iter__on_device(self) -> Ret<Self::IntoIter, <Self as ops::IntoIterator<Self::IntoIter>>::Def> where Self: ops::IntoIterator<Self::IntoIter> { never() }
}
impl<I: iter::IntoIterator> IntoIterator for I {}

/// The companions of the methods of slices that make iterators.
#[rustfmt::skip]
pub trait SliceIterators: SliceMethods {
    fn iter__on_device(&self) -> Ret<slice::Iter<'_, Self::Element>, slices::Iter<Self::Element>> { never() }
    fn iter_mut__on_device(&mut self) -> Ret<slice::IterMut<'_, Self::Element>, slices::IterMut<Self::Element>> { never() }
    fn chunks__on_device(&self, size: usize) -> Ret<slice::Chunks<'_, Self::Element>, impl DeviceFn>;
    fn chunks_exact__on_device(&self, size: usize) -> Ret<slice::ChunksExact<'_, Self::Element>, impl DeviceFn>;
    fn windows__on_device(&self, size: usize) -> Ret<slice::Windows<'_, Self::Element>, impl DeviceFn>;
}
#[rustfmt::skip]
impl<T: DeviceType> SliceIterators for [T] {
    fn chunks__on_device(&self, size: usize) -> Ret<slice::Chunks<'_, T>, impl DeviceFn> { seen_as(<slices::chunks>::on_device(self, size)) }
    fn chunks_exact__on_device(&self, size: usize) -> Ret<slice::ChunksExact<'_, T>, impl DeviceFn> { seen_as(<slices::chunks>::on_device(self, size)) }
    fn windows__on_device(&self, size: usize) -> Ret<slice::Windows<'_, T>, impl DeviceFn> { seen_as(<slices::windows>::on_device(self, size)) }
}
