//! What becomes of an iterator's items.

use super::instances;
use crate::companions::ops;
use core::cmp::Ordering;
use core::ops::{Add, Mul};
use wavewright_kernel_macro::device;

#[device]
pub fn default_nth<I: Iterator>(iter: &mut I, n: usize) -> Option<I::Item> {
    let mut left = n;
    while left > 0 {
        iter.next()?;
        left -= 1;
    }
    iter.next()
}

instances! {
    DefaultNth<I> [I: ops::Iterator] = default_nth [I] (A, B);
}

#[device]
pub fn fold<B, I: Iterator, F: FnMut(B, I::Item) -> B>(iter: I, start: B, f: F) -> B {
    let (mut iter, mut f, mut value) = (iter, f, start);
    while let Some(item) = iter.next() {
        value = f(value, item);
    }
    value
}

#[device]
pub fn reduce<I: Iterator, F: FnMut(I::Item, I::Item) -> I::Item>(iter: I, f: F) -> Option<I::Item> {
    let (mut iter, mut f) = (iter, f);
    let mut value = iter.next()?;
    while let Some(item) = iter.next() {
        value = f(value, item);
    }
    Some(value)
}

#[device]
pub fn for_each<I: Iterator, F: FnMut(I::Item)>(iter: I, f: F) {
    let (mut iter, mut f) = (iter, f);
    while let Some(item) = iter.next() {
        f(item);
    }
}

#[device]
pub fn count<I: Iterator>(iter: I) -> usize {
    let (mut iter, mut n) = (iter, 0);
    while let Some(_) = iter.next() {
        n += 1;
    }
    n
}

#[device]
pub fn last<I: Iterator>(iter: I) -> Option<I::Item> {
    let mut iter = iter;
    let mut last = iter.next()?;
    while let Some(item) = iter.next() {
        last = item;
    }
    Some(last)
}

/// What sums and products start from.
pub trait Total {
    /// The sum of nothing.
    const ZERO: Self;
    /// The product of nothing.
    const ONE: Self;
}

macro_rules! totals {
    ($($t:ty: $zero:expr, $one:expr;)*) => { $(
        impl Total for $t {
            const ZERO: Self = $zero;
            const ONE: Self = $one;
        }
    )* };
}
totals! {
    i8: 0, 1; i16: 0, 1; i32: 0, 1; i64: 0, 1; i128: 0, 1; isize: 0, 1;
    u8: 0, 1; u16: 0, 1; u32: 0, 1; u64: 0, 1; u128: 0, 1; usize: 0, 1;
    // As in std: only with -0.0 the sum of nothing but -0.0 is -0.0.
    f32: -0.0, 1.0; f64: -0.0, 1.0;
}

#[device]
pub fn sum<I: Iterator, S: Total + Add<I::Item, Output = S>>(iter: I) -> S {
    let (mut iter, mut total) = (iter, S::ZERO);
    while let Some(item) = iter.next() {
        total = total + item;
    }
    total
}

#[device]
pub fn product<I: Iterator, S: Total + Mul<I::Item, Output = S>>(iter: I) -> S {
    let (mut iter, mut total) = (iter, S::ONE);
    while let Some(item) = iter.next() {
        total = total * item;
    }
    total
}

#[device]
pub fn any<I: Iterator, P: FnMut(I::Item) -> bool>(iter: &mut I, test: P) -> bool {
    let mut test = test;
    while let Some(item) = iter.next() {
        if test(item) {
            return true;
        }
    }
    false
}

#[device]
pub fn all<I: Iterator, P: FnMut(I::Item) -> bool>(iter: &mut I, test: P) -> bool {
    let mut test = test;
    while let Some(item) = iter.next() {
        if !test(item) {
            return false;
        }
    }
    true
}

#[device]
pub fn find<I: Iterator, P: FnMut(&I::Item) -> bool>(iter: &mut I, test: P) -> Option<I::Item> {
    let mut test = test;
    while let Some(item) = iter.next() {
        if test(&item) {
            return Some(item);
        }
    }
    None
}

#[device]
pub fn find_map<B, I: Iterator, F: FnMut(I::Item) -> Option<B>>(iter: &mut I, f: F) -> Option<B> {
    let mut f = f;
    while let Some(item) = iter.next() {
        if let Some(found) = f(item) {
            return Some(found);
        }
    }
    None
}

#[device]
pub fn position<I: Iterator, P: FnMut(I::Item) -> bool>(iter: &mut I, test: P) -> Option<usize> {
    let (mut test, mut n) = (test, 0);
    while let Some(item) = iter.next() {
        if test(item) {
            return Some(n);
        }
        n += 1;
    }
    None
}

#[device]
pub fn min<I: Iterator>(iter: I) -> Option<I::Item>
where
    I::Item: PartialOrd,
{
    let mut iter = iter;
    let mut least = iter.next()?;
    while let Some(item) = iter.next() {
        if item < least {
            least = item;
        }
    }
    Some(least)
}

#[device]
pub fn max<I: Iterator>(iter: I) -> Option<I::Item>
where
    I::Item: PartialOrd,
{
    let mut iter = iter;
    let mut greatest = iter.next()?;
    while let Some(item) = iter.next() {
        // Of equal items the last, as in std.
        if item >= greatest {
            greatest = item;
        }
    }
    Some(greatest)
}

#[device]
pub fn min_by<I: Iterator, F: FnMut(&I::Item, &I::Item) -> Ordering>(iter: I, compare: F) -> Option<I::Item> {
    let (mut iter, mut compare) = (iter, compare);
    let mut least = iter.next()?;
    while let Some(item) = iter.next() {
        if let Ordering::Greater = compare(&least, &item) {
            least = item;
        }
    }
    Some(least)
}

#[device]
pub fn max_by<I: Iterator, F: FnMut(&I::Item, &I::Item) -> Ordering>(iter: I, compare: F) -> Option<I::Item> {
    let (mut iter, mut compare) = (iter, compare);
    let mut greatest = iter.next()?;
    while let Some(item) = iter.next() {
        match compare(&greatest, &item) {
            Ordering::Greater => {}
            _ => greatest = item,
        }
    }
    Some(greatest)
}

#[device]
pub fn min_by_key<K: PartialOrd, I: Iterator, F: FnMut(&I::Item) -> K>(iter: I, key: F) -> Option<I::Item> {
    let (mut iter, mut key) = (iter, key);
    let mut least = iter.next()?;
    let mut least_key = key(&least);
    while let Some(item) = iter.next() {
        let item_key = key(&item);
        if item_key < least_key {
            least = item;
            least_key = item_key;
        }
    }
    Some(least)
}

#[device]
pub fn max_by_key<K: PartialOrd, I: Iterator, F: FnMut(&I::Item) -> K>(iter: I, key: F) -> Option<I::Item> {
    let (mut iter, mut key) = (iter, key);
    let mut greatest = iter.next()?;
    let mut greatest_key = key(&greatest);
    while let Some(item) = iter.next() {
        let item_key = key(&item);
        if item_key >= greatest_key {
            greatest = item;
            greatest_key = item_key;
        }
    }
    Some(greatest)
}
