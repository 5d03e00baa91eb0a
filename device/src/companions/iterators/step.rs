//! Counting by integers.

use crate::companions::bodies::Integer;
use wavewright_kernel_macro::device;

/// An integer that ranges count with.
#[device]
pub trait Step: Integer {
    /// How many steps lead from `self` to `end`; 0 if it is not ahead, `usize::MAX` if there are more.
    fn distance(self, end: Self) -> usize;
    /// `self + n`, which must not leave the type.
    fn ahead(self, n: usize) -> Self;
    /// `self - n`, which must not leave the type.
    fn behind(self, n: usize) -> Self;
}

macro_rules! steps {
    ($($t:ty as $wide:ty;)*) => { $(
        #[device]
        impl Step for $t {
            fn distance(self, end: Self) -> usize {
                if self >= end {
                    return 0;
                }
                let distance = (end as $wide).wrapping_sub(self as $wide);
                if distance > usize::MAX as $wide { usize::MAX } else { distance as usize }
            }
            fn ahead(self, n: usize) -> Self {
                self.wrapping_add(n as $t)
            }
            fn behind(self, n: usize) -> Self {
                self.wrapping_sub(n as $t)
            }
        }
    )* };
}
steps! {
    i8 as u64; i16 as u64; i32 as u64; i64 as u64; isize as u64; i128 as u128;
    u8 as u64; u16 as u64; u32 as u64; u64 as u64; usize as u64; u128 as u128;
}
