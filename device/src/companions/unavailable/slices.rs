//! Methods of slices and arrays that can't be called yet.

use super::No;
use crate::companions::methods::slices::SliceMethods;
use core::cmp::Ordering;
use core::ops::RangeBounds;
use core::slice::{self, SliceIndex};
use wavewright_kernel_ir::types::DeviceType;
use wavewright_kernel_ir::witness::never;

pub use arrays::Array;
pub use nested_slices::NestedSlice;
pub use slices::Slice;

/// Of slices.
pub mod slices {
    use super::*;

    super::super::bounds! {
        "write a loop over the indices, `for i in 0..x.len()`" {
            rchunks "`rchunks` is not available in kernels yet";
            rchunks_exact "`rchunks_exact` is not available in kernels yet";
            chunks_mut "`chunks_mut` is not available in kernels yet";
            chunks_exact_mut "`chunks_exact_mut` is not available in kernels yet";
            rchunks_mut "`rchunks_mut` is not available in kernels yet";
            rchunks_exact_mut "`rchunks_exact_mut` is not available in kernels yet";
            contains "`contains` is not available in kernels yet";
            starts_with "`starts_with` is not available in kernels yet";
            ends_with "`ends_with` is not available in kernels yet";
            fill "`fill` is not available in kernels yet";
            fill_with "`fill_with` is not available in kernels yet";
            copy_from_slice "`copy_from_slice` is not available in kernels yet";
            clone_from_slice "`clone_from_slice` is not available in kernels yet";
            copy_within "`copy_within` is not available in kernels yet";
            swap_with_slice "`swap_with_slice` is not available in kernels yet";
            reverse "`reverse` is not available in kernels yet";
            is_sorted "`is_sorted` is not available in kernels yet";
            binary_search "`binary_search` is not available in kernels yet";
            binary_search_by "`binary_search_by` is not available in kernels yet";
            binary_search_by_key "`binary_search_by_key` is not available in kernels yet";
            partition_point "`partition_point` is not available in kernels yet";
            array_windows "`array_windows` is not available in kernels yet";
            split "`split` is not available in kernels yet";
            split_inclusive "`split_inclusive` is not available in kernels yet";
            rsplit "`rsplit` is not available in kernels yet";
            split_mut "`split_mut` is not available in kernels yet";
            split_inclusive_mut "`split_inclusive_mut` is not available in kernels yet";
            rsplit_mut "`rsplit_mut` is not available in kernels yet";
            splitn "`splitn` is not available in kernels yet";
            rsplitn "`rsplitn` is not available in kernels yet";
            splitn_mut "`splitn_mut` is not available in kernels yet";
            rsplitn_mut "`rsplitn_mut` is not available in kernels yet";
            chunk_by "`chunk_by` is not available in kernels yet";
            chunk_by_mut "`chunk_by_mut` is not available in kernels yet";
            is_sorted_by "`is_sorted_by` is not available in kernels yet";
            is_sorted_by_key "`is_sorted_by_key` is not available in kernels yet";
            rotate_left "`rotate_left` is not available in kernels yet";
            rotate_right "`rotate_right` is not available in kernels yet";
            swap "`swap` is not available in kernels yet";
            element_offset "`element_offset` is not available in kernels yet";
        }
        "index it, after testing the length" {
            first "`first` is not available in kernels yet";
            last "`last` is not available in kernels yet";
            first_mut "`first_mut` is not available in kernels yet";
            last_mut "`last_mut` is not available in kernels yet";
            get "`get` is not available in kernels yet";
            get_mut "`get_mut` is not available in kernels yet";
            split_first "`split_first` is not available in kernels yet";
            split_last "`split_last` is not available in kernels yet";
        }
        "use ranges, `&x[..n]` and `&x[n..]`" {
            split_at "`split_at` is not available in kernels yet";
            split_at_mut "`split_at_mut` is not available in kernels yet";
            split_first_mut "`split_first_mut` is not available in kernels yet";
            split_last_mut "`split_last_mut` is not available in kernels yet";
            split_at_unchecked "`split_at_unchecked` is not available in kernels yet";
            split_at_mut_unchecked "`split_at_mut_unchecked` is not available in kernels yet";
            split_at_checked "`split_at_checked` is not available in kernels yet";
            split_at_mut_checked "`split_at_mut_checked` is not available in kernels yet";
            strip_prefix "`strip_prefix` is not available in kernels yet";
            strip_suffix "`strip_suffix` is not available in kernels yet";
            as_ptr_range "`as_ptr_range` is not available in kernels yet";
            as_mut_ptr_range "`as_mut_ptr_range` is not available in kernels yet";
            first_chunk "`first_chunk` is not available in kernels yet";
            last_chunk "`last_chunk` is not available in kernels yet";
            first_chunk_mut "`first_chunk_mut` is not available in kernels yet";
            last_chunk_mut "`last_chunk_mut` is not available in kernels yet";
            split_first_chunk "`split_first_chunk` is not available in kernels yet";
            split_last_chunk "`split_last_chunk` is not available in kernels yet";
            split_first_chunk_mut "`split_first_chunk_mut` is not available in kernels yet";
            split_last_chunk_mut "`split_last_chunk_mut` is not available in kernels yet";
            as_array "`as_array` is not available in kernels yet";
            as_mut_array "`as_mut_array` is not available in kernels yet";
            as_chunks "`as_chunks` is not available in kernels yet";
            as_rchunks "`as_rchunks` is not available in kernels yet";
            as_chunks_mut "`as_chunks_mut` is not available in kernels yet";
            as_rchunks_mut "`as_rchunks_mut` is not available in kernels yet";
            as_chunks_unchecked "`as_chunks_unchecked` is not available in kernels yet";
            as_chunks_unchecked_mut "`as_chunks_unchecked_mut` is not available in kernels yet";
        }
        "sort on the host, or write the sort" {
            sort "`sort` is not available in kernels yet";
            sort_unstable "`sort_unstable` is not available in kernels yet";
            sort_by "`sort_by` is not available in kernels yet";
            sort_unstable_by "`sort_unstable_by` is not available in kernels yet";
            sort_by_key "`sort_by_key` is not available in kernels yet";
            sort_unstable_by_key "`sort_unstable_by_key` is not available in kernels yet";
            select_nth_unstable "`select_nth_unstable` is not available in kernels yet";
            select_nth_unstable_by "`select_nth_unstable_by` is not available in kernels yet";
            select_nth_unstable_by_key "`select_nth_unstable_by_key` is not available in kernels yet";
            sort_by_cached_key "`sort_by_cached_key` is not available in kernels yet";
        }
        "heap memory stays on the host" {
            to_vec "`to_vec` is not available in kernels yet";
            repeat "`repeat` is not available in kernels yet";
        }
        "cast the pointer, `x.as_ptr() as *const U`" {
            align_to "`align_to` is not available in kernels yet";
            align_to_mut "`align_to_mut` is not available in kernels yet";
        }
    }

    #[rustfmt::skip]
    pub trait Slice: SliceMethods {
        fn rchunks__on_device(&self, _size: usize) -> No<slice::RChunks<'_, Self::Element>> where Self: rchunks { never() }
        fn rchunks_exact__on_device(&self, _size: usize) -> No<slice::RChunksExact<'_, Self::Element>> where Self: rchunks_exact { never() }
        fn chunks_mut__on_device(&mut self, _size: usize) -> No<slice::ChunksMut<'_, Self::Element>> where Self: chunks_mut { never() }
        fn chunks_exact_mut__on_device(&mut self, _size: usize) -> No<slice::ChunksExactMut<'_, Self::Element>> where Self: chunks_exact_mut { never() }
        fn rchunks_mut__on_device(&mut self, _size: usize) -> No<slice::RChunksMut<'_, Self::Element>> where Self: rchunks_mut { never() }
        fn rchunks_exact_mut__on_device(&mut self, _size: usize) -> No<slice::RChunksExactMut<'_, Self::Element>> where Self: rchunks_exact_mut { never() }
        fn contains__on_device(&self, _x: &Self::Element) -> No<bool> where Self: contains { never() }
        fn starts_with__on_device(&self, _needle: &[Self::Element]) -> No<bool> where Self: starts_with { never() }
        fn ends_with__on_device(&self, _needle: &[Self::Element]) -> No<bool> where Self: ends_with { never() }
        fn fill__on_device(&mut self, _value: Self::Element) -> No<()> where Self: fill { never() }
        fn fill_with__on_device<F: FnMut() -> Self::Element>(&mut self, _value: F) -> No<()> where Self: fill_with { never() }
        fn copy_from_slice__on_device(&mut self, _source: &[Self::Element]) -> No<()> where Self: copy_from_slice { never() }
        fn clone_from_slice__on_device(&mut self, _source: &[Self::Element]) -> No<()> where Self: clone_from_slice { never() }
        fn copy_within__on_device<R: RangeBounds<usize>>(&mut self, _source: R, _to: usize) -> No<()> where Self: copy_within { never() }
        fn swap_with_slice__on_device(&mut self, _other: &mut [Self::Element]) -> No<()> where Self: swap_with_slice { never() }
        fn reverse__on_device(&mut self) -> No<()> where Self: reverse { never() }
        fn is_sorted__on_device(&self) -> No<bool> where Self: is_sorted { never() }
        fn binary_search__on_device(&self, _x: &Self::Element) -> No<Result<usize, usize>> where Self: binary_search { never() }
        fn binary_search_by__on_device<F: FnMut(&Self::Element) -> Ordering>(&self, _compare: F) -> No<Result<usize, usize>> where Self: binary_search_by { never() }
        fn binary_search_by_key__on_device<B, F: FnMut(&Self::Element) -> B>(&self, _key: &B, _of: F) -> No<Result<usize, usize>> where Self: binary_search_by_key { never() }
        fn partition_point__on_device<F: FnMut(&Self::Element) -> bool>(&self, _test: F) -> No<usize> where Self: partition_point { never() }
        fn array_windows__on_device<const N: usize>(&self) -> No<slice::ArrayWindows<'_, Self::Element, N>> where Self: array_windows { never() }
        fn split__on_device<F: FnMut(&Self::Element) -> bool>(&self, _test: F) -> No<slice::Split<'_, Self::Element, F>> where Self: split { never() }
        fn split_inclusive__on_device<F: FnMut(&Self::Element) -> bool>(&self, _test: F) -> No<slice::SplitInclusive<'_, Self::Element, F>> where Self: split_inclusive { never() }
        fn rsplit__on_device<F: FnMut(&Self::Element) -> bool>(&self, _test: F) -> No<slice::RSplit<'_, Self::Element, F>> where Self: rsplit { never() }
        fn split_mut__on_device<F: FnMut(&Self::Element) -> bool>(&mut self, _test: F) -> No<slice::SplitMut<'_, Self::Element, F>> where Self: split_mut { never() }
        fn split_inclusive_mut__on_device<F: FnMut(&Self::Element) -> bool>(&mut self, _test: F) -> No<slice::SplitInclusiveMut<'_, Self::Element, F>> where Self: split_inclusive_mut { never() }
        fn rsplit_mut__on_device<F: FnMut(&Self::Element) -> bool>(&mut self, _test: F) -> No<slice::RSplitMut<'_, Self::Element, F>> where Self: rsplit_mut { never() }
        fn splitn__on_device<F: FnMut(&Self::Element) -> bool>(&self, _n: usize, _test: F) -> No<slice::SplitN<'_, Self::Element, F>> where Self: splitn { never() }
        fn rsplitn__on_device<F: FnMut(&Self::Element) -> bool>(&self, _n: usize, _test: F) -> No<slice::RSplitN<'_, Self::Element, F>> where Self: rsplitn { never() }
        fn splitn_mut__on_device<F: FnMut(&Self::Element) -> bool>(&mut self, _n: usize, _test: F) -> No<slice::SplitNMut<'_, Self::Element, F>> where Self: splitn_mut { never() }
        fn rsplitn_mut__on_device<F: FnMut(&Self::Element) -> bool>(&mut self, _n: usize, _test: F) -> No<slice::RSplitNMut<'_, Self::Element, F>> where Self: rsplitn_mut { never() }
        fn chunk_by__on_device<F: FnMut(&Self::Element, &Self::Element) -> bool>(&self, _same: F) -> No<slice::ChunkBy<'_, Self::Element, F>> where Self: chunk_by { never() }
        fn chunk_by_mut__on_device<F: FnMut(&Self::Element, &Self::Element) -> bool>(&mut self, _same: F) -> No<slice::ChunkByMut<'_, Self::Element, F>> where Self: chunk_by_mut { never() }
        fn is_sorted_by__on_device<F: FnMut(&Self::Element, &Self::Element) -> bool>(&self, _compare: F) -> No<bool> where Self: is_sorted_by { never() }
        fn is_sorted_by_key__on_device<K, F: FnMut(&Self::Element) -> K>(&self, _key: F) -> No<bool> where Self: is_sorted_by_key { never() }
        fn rotate_left__on_device(&mut self, _n: usize) -> No<()> where Self: rotate_left { never() }
        fn rotate_right__on_device(&mut self, _n: usize) -> No<()> where Self: rotate_right { never() }
        fn swap__on_device(&mut self, _a: usize, _b: usize) -> No<()> where Self: swap { never() }
        fn element_offset__on_device(&self, _element: &Self::Element) -> No<Option<usize>> where Self: element_offset { never() }
        fn first__on_device(&self) -> No<Option<&Self::Element>> where Self: first { never() }
        fn last__on_device(&self) -> No<Option<&Self::Element>> where Self: last { never() }
        fn first_mut__on_device(&mut self) -> No<Option<&mut Self::Element>> where Self: first_mut { never() }
        fn last_mut__on_device(&mut self) -> No<Option<&mut Self::Element>> where Self: last_mut { never() }
        fn get__on_device<I: SliceIndex<[Self::Element]>>(&self, _index: I) -> No<Option<&I::Output>> where Self: get { never() }
        fn get_mut__on_device<I: SliceIndex<[Self::Element]>>(&mut self, _index: I) -> No<Option<&mut I::Output>> where Self: get_mut { never() }
        fn split_first__on_device(&self) -> No<Option<(&Self::Element, &[Self::Element])>> where Self: split_first { never() }
        fn split_last__on_device(&self) -> No<Option<(&Self::Element, &[Self::Element])>> where Self: split_last { never() }
        fn split_at__on_device(&self, _n: usize) -> No<(&[Self::Element], &[Self::Element])> where Self: split_at { never() }
        fn split_at_mut__on_device(&mut self, _n: usize) -> No<(&mut [Self::Element], &mut [Self::Element])> where Self: split_at_mut { never() }
        fn split_first_mut__on_device(&mut self) -> No<Option<(&mut Self::Element, &mut [Self::Element])>> where Self: split_first_mut { never() }
        fn split_last_mut__on_device(&mut self) -> No<Option<(&mut Self::Element, &mut [Self::Element])>> where Self: split_last_mut { never() }
        fn split_at_unchecked__on_device(&self, _n: usize) -> No<(&[Self::Element], &[Self::Element])> where Self: split_at_unchecked { never() }
        fn split_at_mut_unchecked__on_device(&mut self, _n: usize) -> No<(&mut [Self::Element], &mut [Self::Element])> where Self: split_at_mut_unchecked { never() }
        fn split_at_checked__on_device(&self, _n: usize) -> No<Option<(&[Self::Element], &[Self::Element])>> where Self: split_at_checked { never() }
        fn split_at_mut_checked__on_device(&mut self, _n: usize) -> No<Option<(&mut [Self::Element], &mut [Self::Element])>> where Self: split_at_mut_checked { never() }
        fn strip_prefix__on_device(&self, _prefix: &[Self::Element]) -> No<Option<&[Self::Element]>> where Self: strip_prefix { never() }
        fn strip_suffix__on_device(&self, _suffix: &[Self::Element]) -> No<Option<&[Self::Element]>> where Self: strip_suffix { never() }
        fn as_ptr_range__on_device(&self) -> No<core::ops::Range<*const Self::Element>> where Self: as_ptr_range { never() }
        fn as_mut_ptr_range__on_device(&mut self) -> No<core::ops::Range<*mut Self::Element>> where Self: as_mut_ptr_range { never() }
        fn first_chunk__on_device<const N: usize>(&self) -> No<Option<&[Self::Element; N]>> where Self: first_chunk { never() }
        fn last_chunk__on_device<const N: usize>(&self) -> No<Option<&[Self::Element; N]>> where Self: last_chunk { never() }
        fn first_chunk_mut__on_device<const N: usize>(&mut self) -> No<Option<&mut [Self::Element; N]>> where Self: first_chunk_mut { never() }
        fn last_chunk_mut__on_device<const N: usize>(&mut self) -> No<Option<&mut [Self::Element; N]>> where Self: last_chunk_mut { never() }
        fn split_first_chunk__on_device<const N: usize>(&self) -> No<Option<(&[Self::Element; N], &[Self::Element])>> where Self: split_first_chunk { never() }
        fn split_last_chunk__on_device<const N: usize>(&self) -> No<Option<(&[Self::Element], &[Self::Element; N])>> where Self: split_last_chunk { never() }
        fn split_first_chunk_mut__on_device<const N: usize>(&mut self) -> No<Option<(&mut [Self::Element; N], &mut [Self::Element])>> where Self: split_first_chunk_mut { never() }
        fn split_last_chunk_mut__on_device<const N: usize>(&mut self) -> No<Option<(&mut [Self::Element], &mut [Self::Element; N])>> where Self: split_last_chunk_mut { never() }
        fn as_array__on_device<const N: usize>(&self) -> No<Option<&[Self::Element; N]>> where Self: as_array { never() }
        fn as_mut_array__on_device<const N: usize>(&mut self) -> No<Option<&mut [Self::Element; N]>> where Self: as_mut_array { never() }
        fn as_chunks__on_device<const N: usize>(&self) -> No<(&[[Self::Element; N]], &[Self::Element])> where Self: as_chunks { never() }
        fn as_rchunks__on_device<const N: usize>(&self) -> No<(&[Self::Element], &[[Self::Element; N]])> where Self: as_rchunks { never() }
        fn as_chunks_mut__on_device<const N: usize>(&mut self) -> No<(&mut [[Self::Element; N]], &mut [Self::Element])> where Self: as_chunks_mut { never() }
        fn as_rchunks_mut__on_device<const N: usize>(&mut self) -> No<(&mut [Self::Element], &mut [[Self::Element; N]])> where Self: as_rchunks_mut { never() }
        fn as_chunks_unchecked__on_device<const N: usize>(&self) -> No<&[[Self::Element; N]]> where Self: as_chunks_unchecked { never() }
        fn as_chunks_unchecked_mut__on_device<const N: usize>(&mut self) -> No<&mut [[Self::Element; N]]> where Self: as_chunks_unchecked_mut { never() }
        fn sort__on_device(&mut self) -> No<()> where Self: sort { never() }
        fn sort_unstable__on_device(&mut self) -> No<()> where Self: sort_unstable { never() }
        fn sort_by__on_device<F: FnMut(&Self::Element, &Self::Element) -> Ordering>(&mut self, _compare: F) -> No<()> where Self: sort_by { never() }
        fn sort_unstable_by__on_device<F: FnMut(&Self::Element, &Self::Element) -> Ordering>(&mut self, _compare: F) -> No<()> where Self: sort_unstable_by { never() }
        fn sort_by_key__on_device<K, F: FnMut(&Self::Element) -> K>(&mut self, _key: F) -> No<()> where Self: sort_by_key { never() }
        fn sort_unstable_by_key__on_device<K, F: FnMut(&Self::Element) -> K>(&mut self, _key: F) -> No<()> where Self: sort_unstable_by_key { never() }
        fn select_nth_unstable__on_device(&mut self, _n: usize) -> No<(&mut [Self::Element], &mut Self::Element, &mut [Self::Element])> where Self: select_nth_unstable { never() }
        fn select_nth_unstable_by__on_device<F: FnMut(&Self::Element, &Self::Element) -> Ordering>(&mut self, _n: usize, _compare: F) -> No<(&mut [Self::Element], &mut Self::Element, &mut [Self::Element])> where Self: select_nth_unstable_by { never() }
        fn select_nth_unstable_by_key__on_device<K, F: FnMut(&Self::Element) -> K>(&mut self, _n: usize, _key: F) -> No<(&mut [Self::Element], &mut Self::Element, &mut [Self::Element])> where Self: select_nth_unstable_by_key { never() }
        fn sort_by_cached_key__on_device<K, F: FnMut(&Self::Element) -> K>(&mut self, _key: F) -> No<()> where Self: sort_by_cached_key { never() }
        fn to_vec__on_device(&self) -> No<Vec<Self::Element>> where Self: to_vec { never() }
        fn repeat__on_device(&self, _n: usize) -> No<Vec<Self::Element>> where Self: repeat { never() }
        fn align_to__on_device<U>(&self) -> No<(&[Self::Element], &[U], &[Self::Element])> where Self: align_to { never() }
        fn align_to_mut__on_device<U>(&mut self) -> No<(&mut [Self::Element], &mut [U], &mut [Self::Element])> where Self: align_to_mut { never() }
    }
}

/// Of slices of arrays.
pub mod nested_slices {
    use super::*;

    super::super::bounds! {
        "index twice, or cast the pointer" {
            as_flattened "`as_flattened` is not available in kernels yet";
            as_flattened_mut "`as_flattened_mut` is not available in kernels yet";
        }
    }

    #[rustfmt::skip]
    pub trait NestedSlice<T> {
        fn as_flattened__on_device(&self) -> No<&[T]> where Self: as_flattened { never() }
        fn as_flattened_mut__on_device(&mut self) -> No<&mut [T]> where Self: as_flattened_mut { never() }
    }
}

/// Of arrays.
pub mod arrays {
    use super::*;

    super::super::bounds! {
        "write a loop over the indices" {
            map "`map` is not available in kernels yet";
            each_ref "`each_ref` is not available in kernels yet";
            each_mut "`each_mut` is not available in kernels yet";
        }
        "write `&x[..]`" {
            as_slice "`as_slice` is not available in kernels yet";
            as_mut_slice "`as_mut_slice` is not available in kernels yet";
        }
    }

    #[rustfmt::skip]
    pub trait Array<T, const N: usize>: Sized {
        fn map__on_device<U, F: FnMut(T) -> U>(self, _f: F) -> No<[U; N]> where Self: map { never() }
        fn each_ref__on_device(&self) -> No<[&T; N]> where Self: each_ref { never() }
        fn each_mut__on_device(&mut self) -> No<[&mut T; N]> where Self: each_mut { never() }
        fn as_slice__on_device(&self) -> No<&[T]> where Self: as_slice { never() }
        fn as_mut_slice__on_device(&mut self) -> No<&mut [T]> where Self: as_mut_slice { never() }
    }
}

impl<T: DeviceType> Slice for [T] {}
impl<T, const N: usize> NestedSlice<T> for [[T; N]] {}
impl<T, const N: usize> Array<T, N> for [T; N] {}
