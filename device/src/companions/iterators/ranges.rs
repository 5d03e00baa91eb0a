//! Ranges.

use super::instances;
use super::step::Step;
use crate::companions::ops;
use core::ops::{Range, RangeFrom, RangeInclusive};
use wavewright_kernel_macro::device;

#[device]
pub fn range_next<T: Step>(range: &mut Range<T>) -> Option<T> {
    if range.start < range.end {
        let item = range.start;
        range.start = item.ahead(1);
        Some(item)
    } else {
        None
    }
}

#[device]
pub fn range_nth<T: Step>(range: &mut Range<T>, n: usize) -> Option<T> {
    if n < range.start.distance(range.end) {
        let item = range.start.ahead(n);
        range.start = item.ahead(1);
        Some(item)
    } else {
        range.start = range.end;
        None
    }
}

#[device]
pub fn range_next_back<T: Step>(range: &mut Range<T>) -> Option<T> {
    if range.start < range.end {
        range.end = range.end.behind(1);
        Some(range.end)
    } else {
        None
    }
}

#[device]
pub fn range_len<T: Step>(range: &Range<T>) -> usize {
    range.start.distance(range.end)
}

#[device]
pub fn range_from_next<T: Step>(range: &mut RangeFrom<T>) -> Option<T> {
    let item = range.start;
    range.start = item + T::ONE;
    Some(item)
}

#[device]
pub fn range_from_nth<T: Step>(range: &mut RangeFrom<T>, n: usize) -> Option<T> {
    let item = range.start.ahead(n);
    range.start = item + T::ONE;
    Some(item)
}

#[device]
pub fn inclusive_next<T: Step>(range: &mut (T, T, bool)) -> Option<T> {
    let (item, end, exhausted) = *range;
    if exhausted || item > end {
        return None;
    }
    if item < end {
        range.0 = item.ahead(1);
    } else {
        range.2 = true;
    }
    Some(item)
}

#[device]
pub fn inclusive_nth<T: Step>(range: &mut (T, T, bool), n: usize) -> Option<T> {
    let (start, end, exhausted) = *range;
    if exhausted || start > end {
        return None;
    }
    let left = start.distance(end);
    if n < left {
        range.0 = start.ahead(n).ahead(1);
        Some(start.ahead(n))
    } else {
        range.0 = end;
        range.2 = true;
        if n == left { Some(end) } else { None }
    }
}

#[device]
pub fn inclusive_next_back<T: Step>(range: &mut (T, T, bool)) -> Option<T> {
    let (start, item, exhausted) = *range;
    if exhausted || start > item {
        return None;
    }
    if start < item {
        range.1 = item.behind(1);
    } else {
        range.2 = true;
    }
    Some(item)
}

#[device]
pub fn inclusive_len<T: Step>(range: &(T, T, bool)) -> usize {
    let (start, end, exhausted) = *range;
    if exhausted || start > end { 0 } else { start.distance(end) + 1 }
}

instances! {
    RangeNext<T> [T: Step] = range_next [T] (A);
    RangeNth<T> [T: Step] = range_nth [T] (A, B);
    RangeNextBack<T> [T: Step] = range_next_back [T] (A);
    RangeLen<T> [T: Step] = range_len [T] (A);
    RangeFromNext<T> [T: Step] = range_from_next [T] (A);
    RangeFromNth<T> [T: Step] = range_from_nth [T] (A, B);
    InclusiveNext<T> [T: Step] = inclusive_next [T] (A);
    InclusiveNth<T> [T: Step] = inclusive_nth [T] (A, B);
    InclusiveNextBack<T> [T: Step] = inclusive_next_back [T] (A);
    InclusiveLen<T> [T: Step] = inclusive_len [T] (A);
}

impl<T: Step> ops::Iterator for Range<T>
where
    Self: core::iter::Iterator<Item = T>,
{
    type Next = RangeNext<T>;
    type Nth = RangeNth<T>;
}
impl<T: Step> ops::DoubleEndedIterator for Range<T>
where
    Self: core::iter::DoubleEndedIterator<Item = T>,
{
    type NextBack = RangeNextBack<T>;
}
impl<T: Step> ops::ExactSizeIterator for Range<T>
where
    Self: core::iter::ExactSizeIterator<Item = T>,
{
    type Len = RangeLen<T>;
}
impl<T: Step> ops::Iterator for RangeFrom<T>
where
    Self: core::iter::Iterator<Item = T>,
{
    type Next = RangeFromNext<T>;
    type Nth = RangeFromNth<T>;
}
impl<T: Step> ops::Iterator for RangeInclusive<T>
where
    Self: core::iter::Iterator<Item = T>,
{
    type Next = InclusiveNext<T>;
    type Nth = InclusiveNth<T>;
}
impl<T: Step> ops::DoubleEndedIterator for RangeInclusive<T>
where
    Self: core::iter::DoubleEndedIterator<Item = T>,
{
    type NextBack = InclusiveNextBack<T>;
}
impl<T: Step> ops::ExactSizeIterator for RangeInclusive<T>
where
    Self: core::iter::ExactSizeIterator<Item = T>,
{
    type Len = InclusiveLen<T>;
}
