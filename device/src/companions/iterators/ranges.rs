//! Ranges.

use super::step::Step;
use super::{from_the_end, instances, iterators, of_known_length};
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

/// The ranges of an integer type.
macro_rules! ranges {
    ($($t:ty)*) => { $(
        iterators! {
            [] Range<$t>: RangeNext<$t>, RangeNth<$t>;
            [] RangeFrom<$t>: RangeFromNext<$t>, RangeFromNth<$t>;
            [] RangeInclusive<$t>: InclusiveNext<$t>, InclusiveNth<$t>;
        }
        from_the_end! {
            [] Range<$t>: RangeNextBack<$t>;
            [] RangeInclusive<$t>: InclusiveNextBack<$t>;
        }
    )* };
}
ranges! { i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize }

/// std knows the length of those that are certain to fit a `usize`.
macro_rules! lengths {
    ($($range:ident: $len:ident { $($t:ty)* })*) => { $(of_known_length! { $([] $range<$t>: $len<$t>;)* })* };
}
lengths! {
    Range: RangeLen { i8 i16 i32 isize u8 u16 u32 usize }
    RangeInclusive: InclusiveLen { i8 i16 u8 u16 }
}
