//! Methods of `f32` and `f64` that can't be called yet.

use super::{Bytes, No};
use core::cmp::Ordering;
use core::num::FpCategory;
use wavewright_kernel_ir::witness::never;

pub use floats::Float;

/// Of `f32` and `f64`.
pub mod floats {
    use super::*;

    super::super::bounds! {
        "a device function may be written from `+ - * /`, `sqrt`, `mul_add` and bit operations" {
            powi "`powi` is not available in kernels yet";
            powf "`powf` is not available in kernels yet";
            exp "`exp` is not available in kernels yet";
            exp2 "`exp2` is not available in kernels yet";
            ln "`ln` is not available in kernels yet";
            log2 "`log2` is not available in kernels yet";
            log10 "`log10` is not available in kernels yet";
            cbrt "`cbrt` is not available in kernels yet";
            sin "`sin` is not available in kernels yet";
            cos "`cos` is not available in kernels yet";
            tan "`tan` is not available in kernels yet";
            asin "`asin` is not available in kernels yet";
            acos "`acos` is not available in kernels yet";
            atan "`atan` is not available in kernels yet";
            exp_m1 "`exp_m1` is not available in kernels yet";
            ln_1p "`ln_1p` is not available in kernels yet";
            sinh "`sinh` is not available in kernels yet";
            cosh "`cosh` is not available in kernels yet";
            tanh "`tanh` is not available in kernels yet";
            asinh "`asinh` is not available in kernels yet";
            acosh "`acosh` is not available in kernels yet";
            atanh "`atanh` is not available in kernels yet";
            log "`log` is not available in kernels yet";
            hypot "`hypot` is not available in kernels yet";
            atan2 "`atan2` is not available in kernels yet";
            sin_cos "`sin_cos` is not available in kernels yet";
        }
        "compare with `<` and `==`, or compare the bits" {
            classify "`classify` is not available in kernels yet";
            total_cmp "`total_cmp` is not available in kernels yet";
        }
        "convert with `as`" {
            to_int_unchecked "`to_int_unchecked` is not available in kernels yet";
        }
        "use `to_bits` or `from_bits`" {
            to_be_bytes "`to_be_bytes` is not available in kernels yet";
            to_le_bytes "`to_le_bytes` is not available in kernels yet";
            to_ne_bytes "`to_ne_bytes` is not available in kernels yet";
            from_be_bytes "`from_be_bytes` is not available in kernels yet";
            from_le_bytes "`from_le_bytes` is not available in kernels yet";
            from_ne_bytes "`from_ne_bytes` is not available in kernels yet";
        }
        "write it with the operators, or put it into a `#[device]` function" {
            abs_sub "`abs_sub` is not available in kernels yet";
            midpoint "`midpoint` is not available in kernels yet";
        }
    }

    #[rustfmt::skip]
    pub trait Float: Bytes {
        fn powi__on_device(self, _n: i32) -> No<Self> where Self: powi { never() }
        fn powf__on_device(self, _n: Self) -> No<Self> where Self: powf { never() }
        fn exp__on_device(self) -> No<Self> where Self: exp { never() }
        fn exp2__on_device(self) -> No<Self> where Self: exp2 { never() }
        fn ln__on_device(self) -> No<Self> where Self: ln { never() }
        fn log2__on_device(self) -> No<Self> where Self: log2 { never() }
        fn log10__on_device(self) -> No<Self> where Self: log10 { never() }
        fn cbrt__on_device(self) -> No<Self> where Self: cbrt { never() }
        fn sin__on_device(self) -> No<Self> where Self: sin { never() }
        fn cos__on_device(self) -> No<Self> where Self: cos { never() }
        fn tan__on_device(self) -> No<Self> where Self: tan { never() }
        fn asin__on_device(self) -> No<Self> where Self: asin { never() }
        fn acos__on_device(self) -> No<Self> where Self: acos { never() }
        fn atan__on_device(self) -> No<Self> where Self: atan { never() }
        fn exp_m1__on_device(self) -> No<Self> where Self: exp_m1 { never() }
        fn ln_1p__on_device(self) -> No<Self> where Self: ln_1p { never() }
        fn sinh__on_device(self) -> No<Self> where Self: sinh { never() }
        fn cosh__on_device(self) -> No<Self> where Self: cosh { never() }
        fn tanh__on_device(self) -> No<Self> where Self: tanh { never() }
        fn asinh__on_device(self) -> No<Self> where Self: asinh { never() }
        fn acosh__on_device(self) -> No<Self> where Self: acosh { never() }
        fn atanh__on_device(self) -> No<Self> where Self: atanh { never() }
        fn log__on_device(self, _base: Self) -> No<Self> where Self: log { never() }
        fn hypot__on_device(self, _other: Self) -> No<Self> where Self: hypot { never() }
        fn atan2__on_device(self, _other: Self) -> No<Self> where Self: atan2 { never() }
        fn sin_cos__on_device(self) -> No<(Self, Self)> where Self: sin_cos { never() }
        fn classify__on_device(self) -> No<FpCategory> where Self: classify { never() }
        fn total_cmp__on_device(&self, _other: &Self) -> No<Ordering> where Self: total_cmp { never() }
        fn to_int_unchecked__on_device<I>(self) -> No<I> where Self: to_int_unchecked { never() }
        fn to_be_bytes__on_device(self) -> No<Self::Bytes> where Self: to_be_bytes { never() }
        fn to_le_bytes__on_device(self) -> No<Self::Bytes> where Self: to_le_bytes { never() }
        fn to_ne_bytes__on_device(self) -> No<Self::Bytes> where Self: to_ne_bytes { never() }
        fn from_be_bytes__on_device(_bytes: Self::Bytes) -> No<Self> where Self: from_be_bytes { never() }
        fn from_le_bytes__on_device(_bytes: Self::Bytes) -> No<Self> where Self: from_le_bytes { never() }
        fn from_ne_bytes__on_device(_bytes: Self::Bytes) -> No<Self> where Self: from_ne_bytes { never() }
        fn abs_sub__on_device(self, _other: Self) -> No<Self> where Self: abs_sub { never() }
        fn midpoint__on_device(self, _other: Self) -> No<Self> where Self: midpoint { never() }
    }
}

impl Float for f32 {}
impl Float for f64 {}
