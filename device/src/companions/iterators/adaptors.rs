//! Iterators made of others.

use super::consumers::DefaultNth;
use super::{from_the_end, instances, iterators, of_known_length};
use crate::companions::ops::{self, operation};
use core::iter;
use wavewright_kernel_ir::types::DeviceType;
use wavewright_kernel_macro::device;

#[device]
pub fn map<B, I: Iterator, F: FnMut(I::Item) -> B>(iter: I, f: F) -> (I, F) {
    (iter, f)
}

#[device]
pub fn map_next<B, I: Iterator, F: FnMut(I::Item) -> B>(this: &mut (I, F)) -> Option<B> {
    match this.0.next() {
        Some(item) => Some((this.1)(item)),
        None => None,
    }
}

#[device]
pub fn map_next_back<B, I: DoubleEndedIterator, F: FnMut(I::Item) -> B>(this: &mut (I, F)) -> Option<B> {
    match this.0.next_back() {
        Some(item) => Some((this.1)(item)),
        None => None,
    }
}

#[device]
pub fn filter<I: Iterator, P: FnMut(&I::Item) -> bool>(iter: I, test: P) -> (I, P) {
    (iter, test)
}

#[device]
pub fn filter_next<I: Iterator, P: FnMut(&I::Item) -> bool>(this: &mut (I, P)) -> Option<I::Item> {
    while let Some(item) = this.0.next() {
        if (this.1)(&item) {
            return Some(item);
        }
    }
    None
}

#[device]
pub fn filter_next_back<I: DoubleEndedIterator, P: FnMut(&I::Item) -> bool>(
    this: &mut (I, P),
) -> Option<I::Item> {
    while let Some(item) = this.0.next_back() {
        if (this.1)(&item) {
            return Some(item);
        }
    }
    None
}

#[device]
pub fn filter_map<B, I: Iterator, F: FnMut(I::Item) -> Option<B>>(iter: I, f: F) -> (I, F) {
    (iter, f)
}

#[device]
pub fn filter_map_next<B, I: Iterator, F: FnMut(I::Item) -> Option<B>>(this: &mut (I, F)) -> Option<B> {
    while let Some(item) = this.0.next() {
        if let Some(found) = (this.1)(item) {
            return Some(found);
        }
    }
    None
}

#[device]
pub fn inspect<I: Iterator, F: FnMut(&I::Item)>(iter: I, f: F) -> (I, F) {
    (iter, f)
}

#[device]
pub fn inspect_next<I: Iterator, F: FnMut(&I::Item)>(this: &mut (I, F)) -> Option<I::Item> {
    let item = this.0.next()?;
    (this.1)(&item);
    Some(item)
}

#[device]
pub fn enumerate<I: Iterator>(iter: I) -> (I, usize) {
    (iter, 0)
}

#[device]
pub fn enumerate_next<I: Iterator>(this: &mut (I, usize)) -> Option<(usize, I::Item)> {
    let item = this.0.next()?;
    let number = this.1;
    this.1 = number + 1;
    Some((number, item))
}

#[device]
pub fn enumerate_nth<I: Iterator>(this: &mut (I, usize), n: usize) -> Option<(usize, I::Item)> {
    let item = this.0.nth(n)?;
    let number = this.1 + n;
    this.1 = number + 1;
    Some((number, item))
}

#[device]
pub fn enumerate_next_back<I: ExactSizeIterator + DoubleEndedIterator>(
    this: &mut (I, usize),
) -> Option<(usize, I::Item)> {
    let item = this.0.next_back()?;
    Some((this.1 + this.0.len(), item))
}

#[device]
pub fn enumerate_len<I: ExactSizeIterator>(this: &(I, usize)) -> usize {
    this.0.len()
}

#[device]
pub fn zip<A: Iterator, B: IntoIterator>(a: A, b: B) -> (A, B::IntoIter) {
    (a, b.into_iter())
}

#[device]
pub fn zip_next<A: Iterator, B: Iterator>(this: &mut (A, B)) -> Option<(A::Item, B::Item)> {
    let a = this.0.next()?;
    let b = this.1.next()?;
    Some((a, b))
}

#[device]
pub fn zip_nth<A: Iterator, B: Iterator>(this: &mut (A, B), n: usize) -> Option<(A::Item, B::Item)> {
    let a = this.0.nth(n)?;
    let b = this.1.nth(n)?;
    Some((a, b))
}

#[device]
pub fn zip_len<A: ExactSizeIterator, B: ExactSizeIterator>(this: &(A, B)) -> usize {
    let (a, b) = (this.0.len(), this.1.len());
    if a < b { a } else { b }
}

#[device]
pub fn rev<I: DoubleEndedIterator>(iter: I) -> (I,) {
    (iter,)
}

#[device]
pub fn rev_next<I: DoubleEndedIterator>(this: &mut (I,)) -> Option<I::Item> {
    this.0.next_back()
}

#[device]
pub fn rev_next_back<I: DoubleEndedIterator>(this: &mut (I,)) -> Option<I::Item> {
    this.0.next()
}

#[device]
pub fn inner_len<I: ExactSizeIterator>(this: &(I,)) -> usize {
    this.0.len()
}

#[device]
#[track_caller]
pub fn step_by<I: Iterator>(iter: I, step: usize) -> (I, usize, bool) {
    assert!(step != 0);
    (iter, step - 1, true)
}

#[device]
pub fn step_by_next<I: Iterator>(this: &mut (I, usize, bool)) -> Option<I::Item> {
    if this.2 {
        this.2 = false;
        this.0.next()
    } else {
        this.0.nth(this.1)
    }
}

#[device]
pub fn limited<I: Iterator>(iter: I, n: usize) -> (I, usize) {
    (iter, n)
}

#[device]
pub fn take_next<I: Iterator>(this: &mut (I, usize)) -> Option<I::Item> {
    if this.1 == 0 {
        return None;
    }
    this.1 -= 1;
    this.0.next()
}

#[device]
pub fn take_len<I: ExactSizeIterator>(this: &(I, usize)) -> usize {
    let len = this.0.len();
    if len < this.1 { len } else { this.1 }
}

#[device]
pub fn skip_next<I: Iterator>(this: &mut (I, usize)) -> Option<I::Item> {
    let n = this.1;
    if n == 0 {
        return this.0.next();
    }
    this.1 = 0;
    this.0.nth(n)
}

#[device]
pub fn skip_len<I: ExactSizeIterator>(this: &(I, usize)) -> usize {
    let len = this.0.len();
    if len > this.1 { len - this.1 } else { 0 }
}

#[device]
pub fn chain<A: Iterator, B: IntoIterator<Item = A::Item>>(a: A, b: B) -> (A, B::IntoIter, bool) {
    (a, b.into_iter(), false)
}

#[device]
pub fn chain_next<A: Iterator, B: Iterator<Item = A::Item>>(this: &mut (A, B, bool)) -> Option<A::Item> {
    if !this.2 {
        if let Some(item) = this.0.next() {
            return Some(item);
        }
        this.2 = true;
    }
    this.1.next()
}

#[device]
pub fn wrapped<I: Iterator>(iter: I) -> (I,) {
    (iter,)
}

#[device]
pub fn copied_next<'a, T: Copy + 'a, I: Iterator<Item = &'a T>>(this: &mut (I,)) -> Option<T> {
    match this.0.next() {
        Some(item) => Some(*item),
        None => None,
    }
}

#[device]
pub fn copied_nth<'a, T: Copy + 'a, I: Iterator<Item = &'a T>>(this: &mut (I,), n: usize) -> Option<T> {
    match this.0.nth(n) {
        Some(item) => Some(*item),
        None => None,
    }
}

#[device]
pub fn copied_next_back<'a, T: Copy + 'a, I: DoubleEndedIterator<Item = &'a T>>(
    this: &mut (I,),
) -> Option<T> {
    match this.0.next_back() {
        Some(item) => Some(*item),
        None => None,
    }
}

#[device]
pub fn cloned_next<'a, T: Clone + 'a, I: Iterator<Item = &'a T>>(this: &mut (I,)) -> Option<T> {
    match this.0.next() {
        Some(item) => Some(item.clone()),
        None => None,
    }
}

#[device]
pub fn take_while<I: Iterator, P: FnMut(&I::Item) -> bool>(iter: I, test: P) -> (I, P, bool) {
    (iter, test, false)
}

#[device]
pub fn take_while_next<I: Iterator, P: FnMut(&I::Item) -> bool>(this: &mut (I, P, bool)) -> Option<I::Item> {
    if this.2 {
        return None;
    }
    let item = this.0.next()?;
    if (this.1)(&item) {
        Some(item)
    } else {
        this.2 = true;
        None
    }
}

#[device]
pub fn skip_while_next<I: Iterator, P: FnMut(&I::Item) -> bool>(this: &mut (I, P, bool)) -> Option<I::Item> {
    while let Some(item) = this.0.next() {
        if this.2 || !(this.1)(&item) {
            this.2 = true;
            return Some(item);
        }
    }
    None
}

instances! {
    MapNext<I, F> [B: DeviceType, I: ops::Iterator, F: FnMut(I::Item) -> B] = map_next [B, I, F] (A);
    MapNextBack<I, F> [B: DeviceType, I: ops::DoubleEndedIterator, F: FnMut(I::Item) -> B] = map_next_back [B, I, F] (A);
    FilterNext<I, P> [I: ops::Iterator, P: FnMut(&I::Item) -> bool] = filter_next [I, P] (A);
    FilterNextBack<I, P> [I: ops::DoubleEndedIterator, P: FnMut(&I::Item) -> bool] = filter_next_back [I, P] (A);
    FilterMapNext<I, F> [B: DeviceType, I: ops::Iterator, F: FnMut(I::Item) -> Option<B>] = filter_map_next [B, I, F] (A);
    InspectNext<I, F> [I: ops::Iterator, F: FnMut(&I::Item)] = inspect_next [I, F] (A);
    EnumerateNext<I> [I: ops::Iterator] = enumerate_next [I] (A);
    EnumerateNth<I> [I: ops::Iterator] = enumerate_nth [I] (A, B);
    EnumerateNextBack<I> [I: ops::ExactSizeIterator + ops::DoubleEndedIterator] = enumerate_next_back [I] (A);
    EnumerateLen<I> [I: ops::ExactSizeIterator] = enumerate_len [I] (A);
    ZipNext<I, J> [I: ops::Iterator, J: ops::Iterator] = zip_next [I, J] (A);
    ZipNth<I, J> [I: ops::Iterator, J: ops::Iterator] = zip_nth [I, J] (A, B);
    ZipLen<I, J> [I: ops::ExactSizeIterator, J: ops::ExactSizeIterator] = zip_len [I, J] (A);
    RevNext<I> [I: ops::DoubleEndedIterator] = rev_next [I] (A);
    RevNextBack<I> [I: ops::DoubleEndedIterator] = rev_next_back [I] (A);
    InnerLen<I> [I: ops::ExactSizeIterator] = inner_len [I] (A);
    StepByNext<I> [I: ops::Iterator] = step_by_next [I] (A);
    TakeNext<I> [I: ops::Iterator] = take_next [I] (A);
    TakeLen<I> [I: ops::ExactSizeIterator] = take_len [I] (A);
    SkipNext<I> [I: ops::Iterator] = skip_next [I] (A);
    SkipLen<I> [I: ops::ExactSizeIterator] = skip_len [I] (A);
    ChainNext<I, J> [I: ops::Iterator, J: ops::Iterator<Item = I::Item>] = chain_next [I, J] (A);
    CopiedNext<I> ['a, T: DeviceType + Copy + 'a, I: ops::Iterator<Item = &'a T>] = copied_next [T, I] (A);
    CopiedNth<I> ['a, T: DeviceType + Copy + 'a, I: ops::Iterator<Item = &'a T>] = copied_nth [T, I] (A, B);
    CopiedNextBack<I> ['a, T: DeviceType + Copy + 'a, I: ops::DoubleEndedIterator<Item = &'a T>] = copied_next_back [T, I] (A);
    ClonedNext<I> ['a, T: ops::Clone + 'a, I: ops::Iterator<Item = &'a T>] = cloned_next [T, I] (A);
    TakeWhileNext<I, P> [I: ops::Iterator, P: FnMut(&I::Item) -> bool] = take_while_next [I, P] (A);
    SkipWhileNext<I, P> [I: ops::Iterator, P: FnMut(&I::Item) -> bool] = skip_while_next [I, P] (A);
}

impl<I: ops::Iterator> ops::IntoIterator<I> for I {
    type Def = operation!(IntoIter:);
}

iterators! {
    [B: DeviceType, I: ops::Iterator, F: FnMut(I::Item) -> B] iter::Map<I, F>: MapNext<I, F>, DefaultNth<Self>;
    [I: ops::Iterator, P: FnMut(&I::Item) -> bool] iter::Filter<I, P>: FilterNext<I, P>, DefaultNth<Self>;
    [B: DeviceType, I: ops::Iterator, F: FnMut(I::Item) -> Option<B>] iter::FilterMap<I, F>: FilterMapNext<I, F>, DefaultNth<Self>;
    [I: ops::Iterator, F: FnMut(&I::Item)] iter::Inspect<I, F>: InspectNext<I, F>, DefaultNth<Self>;
    [I: ops::Iterator] iter::Enumerate<I>: EnumerateNext<I>, EnumerateNth<I>;
    [A: ops::Iterator, B: ops::Iterator] iter::Zip<A, B>: ZipNext<A, B>, ZipNth<A, B>;
    [I: ops::DoubleEndedIterator] iter::Rev<I>: RevNext<I>, DefaultNth<Self>;
    [I: ops::Iterator] iter::StepBy<I>: StepByNext<I>, DefaultNth<Self>;
    [I: ops::Iterator] iter::Take<I>: TakeNext<I>, DefaultNth<Self>;
    [I: ops::Iterator] iter::Skip<I>: SkipNext<I>, DefaultNth<Self>;
    [A: ops::Iterator, B: ops::Iterator<Item = A::Item>] iter::Chain<A, B>: ChainNext<A, B>, DefaultNth<Self>;
    ['a, T: DeviceType + Copy + 'a, I: ops::Iterator<Item = &'a T>] iter::Copied<I>: CopiedNext<I>, CopiedNth<I>;
    ['a, T: ops::Clone + 'a, I: ops::Iterator<Item = &'a T>] iter::Cloned<I>: ClonedNext<I>, DefaultNth<Self>;
    [I: ops::Iterator, P: FnMut(&I::Item) -> bool] iter::TakeWhile<I, P>: TakeWhileNext<I, P>, DefaultNth<Self>;
    [I: ops::Iterator, P: FnMut(&I::Item) -> bool] iter::SkipWhile<I, P>: SkipWhileNext<I, P>, DefaultNth<Self>;
}

from_the_end! {
    [B: DeviceType, I: ops::DoubleEndedIterator, F: FnMut(I::Item) -> B] iter::Map<I, F>: MapNextBack<I, F>;
    [I: ops::DoubleEndedIterator, P: FnMut(&I::Item) -> bool] iter::Filter<I, P>: FilterNextBack<I, P>;
    [I: ops::ExactSizeIterator + ops::DoubleEndedIterator] iter::Enumerate<I>: EnumerateNextBack<I>;
    [I: ops::DoubleEndedIterator] iter::Rev<I>: RevNextBack<I>;
    ['a, T: DeviceType + Copy + 'a, I: ops::DoubleEndedIterator<Item = &'a T>] iter::Copied<I>: CopiedNextBack<I>;
}

of_known_length! {
    [I: ops::ExactSizeIterator] iter::Enumerate<I>: EnumerateLen<I>;
    [A: ops::ExactSizeIterator, B: ops::ExactSizeIterator] iter::Zip<A, B>: ZipLen<A, B>;
    [I: ops::ExactSizeIterator + ops::DoubleEndedIterator] iter::Rev<I>: InnerLen<I>;
    [I: ops::ExactSizeIterator] iter::Take<I>: TakeLen<I>;
    [I: ops::ExactSizeIterator] iter::Skip<I>: SkipLen<I>;
    ['a, T: DeviceType + Copy + 'a, I: ops::ExactSizeIterator<Item = &'a T>] iter::Copied<I>: InnerLen<I>;
}
