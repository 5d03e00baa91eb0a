//! Slices and arrays.

use super::consumers::DefaultNth;
use super::{from_the_end, instances, iterators, of_known_length};
use crate::companions::ops;
use core::{array, slice};
use wavewright_kernel_ir::types::DeviceType;
use wavewright_kernel_macro::device;

#[device]
pub fn iter<T>(items: &[T]) -> (&[T], usize, usize) {
    (items, 0, items.len())
}

#[device]
pub fn iter_next<'a, T>(iter: &mut (&'a [T], usize, usize)) -> Option<&'a T> {
    let (items, front, back) = *iter;
    if front < back {
        iter.1 = front + 1;
        // SAFETY: the element is between the next one and the end, which only move towards each other inside the slice.
        Some(unsafe { items.get_unchecked(front) })
    } else {
        None
    }
}

#[device]
pub fn iter_nth<'a, T>(iter: &mut (&'a [T], usize, usize), n: usize) -> Option<&'a T> {
    let (items, front, back) = *iter;
    if n < back - front {
        iter.1 = front + n + 1;
        // SAFETY: the element is between the next one and the end, which only move towards each other inside the slice.
        Some(unsafe { items.get_unchecked(front + n) })
    } else {
        iter.1 = back;
        None
    }
}

#[device]
pub fn iter_next_back<'a, T>(iter: &mut (&'a [T], usize, usize)) -> Option<&'a T> {
    let (items, front, back) = *iter;
    if front < back {
        iter.2 = back - 1;
        // SAFETY: the element is between the next one and the end, which only move towards each other inside the slice.
        Some(unsafe { items.get_unchecked(back - 1) })
    } else {
        None
    }
}

#[device]
pub fn iter_len<T>(iter: &(&[T], usize, usize)) -> usize {
    iter.2 - iter.1
}

#[device]
pub fn iter_mut<T>(items: &mut [T]) -> (*mut T, usize, usize) {
    (items.as_mut_ptr(), 0, items.len())
}

// The companion gives these to std's `IterMut` only, which holds the slice's borrow.
#[device]
pub fn iter_mut_next<'a, T>(iter: &mut (*mut T, usize, usize)) -> Option<&'a mut T> {
    let (items, front, back) = *iter;
    if front < back {
        iter.1 = front + 1;
        // SAFETY: the element is inside the slice whose borrow std's `IterMut` holds, and each is given out once.
        Some(unsafe { &mut *items.add(front) })
    } else {
        None
    }
}

#[device]
pub fn iter_mut_nth<'a, T>(iter: &mut (*mut T, usize, usize), n: usize) -> Option<&'a mut T> {
    let (items, front, back) = *iter;
    if n < back - front {
        iter.1 = front + n + 1;
        // SAFETY: the element is inside the slice whose borrow std's `IterMut` holds, and each is given out once.
        Some(unsafe { &mut *items.add(front + n) })
    } else {
        iter.1 = back;
        None
    }
}

#[device]
pub fn iter_mut_next_back<'a, T>(iter: &mut (*mut T, usize, usize)) -> Option<&'a mut T> {
    let (items, front, back) = *iter;
    if front < back {
        iter.2 = back - 1;
        // SAFETY: the element is inside the slice whose borrow std's `IterMut` holds, and each is given out once.
        Some(unsafe { &mut *items.add(back - 1) })
    } else {
        None
    }
}

#[device]
pub fn iter_mut_len<T>(iter: &(*mut T, usize, usize)) -> usize {
    iter.2 - iter.1
}

#[device]
#[track_caller]
pub fn chunks<T>(items: &[T], size: usize) -> (&[T], usize) {
    if size == 0 {
        panic!("chunk size must be non-zero");
    }
    (items, size)
}

#[device]
pub fn chunks_next<'a, T>(chunks: &mut (&'a [T], usize)) -> Option<&'a [T]> {
    let (items, size) = *chunks;
    if items.is_empty() {
        return None;
    }
    let end = if size < items.len() { size } else { items.len() };
    chunks.0 = &items[end..];
    Some(&items[..end])
}

#[device]
pub fn chunks_exact_next<'a, T>(chunks: &mut (&'a [T], usize)) -> Option<&'a [T]> {
    let (items, size) = *chunks;
    if items.len() < size {
        return None;
    }
    chunks.0 = &items[size..];
    Some(&items[..size])
}

#[device]
#[track_caller]
pub fn windows<T>(items: &[T], size: usize) -> (&[T], usize) {
    if size == 0 {
        panic!("window size must be non-zero");
    }
    (items, size)
}

#[device]
pub fn windows_next<'a, T>(windows: &mut (&'a [T], usize)) -> Option<&'a [T]> {
    let (items, size) = *windows;
    if items.len() < size {
        return None;
    }
    windows.0 = &items[1..];
    Some(&items[..size])
}

#[device]
pub fn array_into<T: Copy, const N: usize>(items: [T; N]) -> ([T; N], usize, usize) {
    (items, 0, N)
}

#[device]
pub fn array_next<T: Copy, const N: usize>(iter: &mut ([T; N], usize, usize)) -> Option<T> {
    if iter.1 < iter.2 {
        let front = iter.1;
        iter.1 = front + 1;
        Some(iter.0[front])
    } else {
        None
    }
}

#[device]
pub fn array_next_back<T: Copy, const N: usize>(iter: &mut ([T; N], usize, usize)) -> Option<T> {
    if iter.1 < iter.2 {
        iter.2 -= 1;
        Some(iter.0[iter.2])
    } else {
        None
    }
}

#[device]
pub fn array_len<T: Copy, const N: usize>(iter: &([T; N], usize, usize)) -> usize {
    iter.2 - iter.1
}

#[device]
pub fn array_iter<T, const N: usize>(items: &[T; N]) -> (&[T], usize, usize) {
    (items, 0, N)
}

#[device]
pub fn array_iter_mut<T, const N: usize>(items: &mut [T; N]) -> (*mut T, usize, usize) {
    (items.as_mut_ptr(), 0, N)
}

instances! {
    Iter<T> [T: DeviceType] = iter [T] (A);
    IterNext<T> [T: DeviceType] = iter_next [T] (A);
    IterNth<T> [T: DeviceType] = iter_nth [T] (A, B);
    IterNextBack<T> [T: DeviceType] = iter_next_back [T] (A);
    IterLen<T> [T: DeviceType] = iter_len [T] (A);
    IterMut<T> [T: DeviceType] = iter_mut [T] (A);
    IterMutNext<T> [T: DeviceType] = iter_mut_next [T] (A);
    IterMutNth<T> [T: DeviceType] = iter_mut_nth [T] (A, B);
    IterMutNextBack<T> [T: DeviceType] = iter_mut_next_back [T] (A);
    IterMutLen<T> [T: DeviceType] = iter_mut_len [T] (A);
    ChunksNext<T> [T: DeviceType] = chunks_next [T] (A);
    ChunksExactNext<T> [T: DeviceType] = chunks_exact_next [T] (A);
    WindowsNext<T> [T: DeviceType] = windows_next [T] (A);
    ArrayInto<T; const N> [T: DeviceType + Copy, const N: usize] = array_into [T, N] (A);
    ArrayNext<T; const N> [T: DeviceType + Copy, const N: usize] = array_next [T, N] (A);
    ArrayNextBack<T; const N> [T: DeviceType + Copy, const N: usize] = array_next_back [T, N] (A);
    ArrayLen<T; const N> [T: DeviceType + Copy, const N: usize] = array_len [T, N] (A);
    ArrayIter<T; const N> [T: DeviceType, const N: usize] = array_iter [T, N] (A);
    ArrayIterMut<T; const N> [T: DeviceType, const N: usize] = array_iter_mut [T, N] (A);
}

iterators! {
    ['a, T: DeviceType] slice::Iter<'a, T>: IterNext<T>, IterNth<T>;
    ['a, T: DeviceType] slice::IterMut<'a, T>: IterMutNext<T>, IterMutNth<T>;
    ['a, T: DeviceType] slice::Chunks<'a, T>: ChunksNext<T>, DefaultNth<Self>;
    ['a, T: DeviceType] slice::ChunksExact<'a, T>: ChunksExactNext<T>, DefaultNth<Self>;
    ['a, T: DeviceType] slice::Windows<'a, T>: WindowsNext<T>, DefaultNth<Self>;
    [T: DeviceType + Copy, const N: usize] array::IntoIter<T, N>: ArrayNext<T, N>, DefaultNth<Self>;
}
from_the_end! {
    ['a, T: DeviceType] slice::Iter<'a, T>: IterNextBack<T>;
    ['a, T: DeviceType] slice::IterMut<'a, T>: IterMutNextBack<T>;
    [T: DeviceType + Copy, const N: usize] array::IntoIter<T, N>: ArrayNextBack<T, N>;
}
of_known_length! {
    ['a, T: DeviceType] slice::Iter<'a, T>: IterLen<T>;
    ['a, T: DeviceType] slice::IterMut<'a, T>: IterMutLen<T>;
    [T: DeviceType + Copy, const N: usize] array::IntoIter<T, N>: ArrayLen<T, N>;
}

impl<'a, T: DeviceType> ops::IntoIterator<slice::Iter<'a, T>> for &'a [T] {
    type Def = Iter<T>;
}
impl<'a, T: DeviceType> ops::IntoIterator<slice::IterMut<'a, T>> for &'a mut [T] {
    type Def = IterMut<T>;
}
impl<'a, T: DeviceType, const N: usize> ops::IntoIterator<slice::Iter<'a, T>> for &'a [T; N] {
    type Def = ArrayIter<T, N>;
}
impl<'a, T: DeviceType, const N: usize> ops::IntoIterator<slice::IterMut<'a, T>> for &'a mut [T; N] {
    type Def = ArrayIterMut<T, N>;
}
impl<T: DeviceType + Copy, const N: usize> ops::IntoIterator<array::IntoIter<T, N>> for [T; N] {
    type Def = ArrayInto<T, N>;
}
