//! Methods of integers that say what happens on overflow: `wrapping_…`, `overflowing_…`, `saturating_…`, `unbounded_…`.

use super::Integer;
use wavewright_kernel_macro::device;

#[device]
pub fn wrapping_neg<T: Integer>(x: T) -> T {
    T::ZERO.wrapping_sub(x)
}

#[device]
pub fn wrapping_abs<T: Integer>(x: T) -> T {
    if x < T::ZERO { wrapping_neg(x) } else { x }
}

#[device]
pub fn wrapping_shl<T: Integer>(x: T, amount: u32) -> T {
    x << (amount & (T::BITS - 1))
}

#[device]
pub fn wrapping_shr<T: Integer>(x: T, amount: u32) -> T {
    x >> (amount & (T::BITS - 1))
}

#[device]
#[track_caller]
pub fn wrapping_div<T: Integer>(x: T, y: T) -> T {
    if T::SIGNED && y == T::ONES { wrapping_neg(x) } else { x / y }
}

#[device]
#[track_caller]
pub fn wrapping_rem<T: Integer>(x: T, y: T) -> T {
    if T::SIGNED && y == T::ONES { T::ZERO } else { x % y }
}

#[device]
pub fn wrapping_pow<T: Integer>(base: T, exponent: u32) -> T {
    let mut result = T::ONE;
    let mut square = base;
    let mut left = exponent;
    while left != 0 {
        if left & 1 == 1 {
            result = result.wrapping_mul(square);
        }
        left >>= 1;
        square = square.wrapping_mul(square);
    }
    result
}

#[device]
pub fn unbounded_shl<T: Integer>(x: T, amount: u32) -> T {
    if amount < T::BITS { x << amount } else { T::ZERO }
}

#[device]
pub fn unbounded_shr<T: Integer>(x: T, amount: u32) -> T {
    if amount < T::BITS {
        x >> amount
    } else if x < T::ZERO {
        T::ONES
    } else {
        T::ZERO
    }
}

#[device]
pub fn overflowing_add<T: Integer>(x: T, y: T) -> (T, bool) {
    let sum = x.wrapping_add(y);
    // A signed sum has left the range if its sign differs from that of both operands.
    let overflow = if T::SIGNED { (x ^ sum) & (y ^ sum) < T::ZERO } else { sum < x };
    (sum, overflow)
}

#[device]
pub fn overflowing_sub<T: Integer>(x: T, y: T) -> (T, bool) {
    let difference = x.wrapping_sub(y);
    let overflow = if T::SIGNED { (x ^ y) & (x ^ difference) < T::ZERO } else { x < y };
    (difference, overflow)
}

#[device]
pub fn overflowing_mul<T: Integer>(x: T, y: T) -> (T, bool) {
    let product = x.wrapping_mul(y);
    let overflow = if x == T::ZERO {
        false
    } else if T::SIGNED && x == T::ONES {
        y == T::MIN
    } else {
        product / x != y
    };
    (product, overflow)
}

#[device]
pub fn overflowing_neg<T: Integer>(x: T) -> (T, bool) {
    let overflow = if T::SIGNED { x == T::MIN } else { x != T::ZERO };
    (wrapping_neg(x), overflow)
}

#[device]
pub fn overflowing_abs<T: Integer>(x: T) -> (T, bool) {
    (wrapping_abs(x), x == T::MIN)
}

#[device]
pub fn overflowing_shl<T: Integer>(x: T, amount: u32) -> (T, bool) {
    (wrapping_shl(x, amount), amount >= T::BITS)
}

#[device]
pub fn overflowing_shr<T: Integer>(x: T, amount: u32) -> (T, bool) {
    (wrapping_shr(x, amount), amount >= T::BITS)
}

#[device]
pub fn overflowing_pow<T: Integer>(base: T, exponent: u32) -> (T, bool) {
    let mut result = T::ONE;
    let mut square = base;
    let mut left = exponent;
    let mut overflow = false;
    while left != 0 {
        if left & 1 == 1 {
            let (product, lost) = overflowing_mul(result, square);
            result = product;
            overflow = overflow || lost;
        }
        left >>= 1;
        if left != 0 {
            let (product, lost) = overflowing_mul(square, square);
            square = product;
            overflow = overflow || lost;
        }
    }
    (result, overflow)
}

#[device]
pub fn saturating_add<T: Integer>(x: T, y: T) -> T {
    let (sum, overflow) = overflowing_add(x, y);
    if !overflow {
        sum
    } else if y < T::ZERO {
        T::MIN
    } else {
        T::MAX
    }
}

#[device]
pub fn saturating_sub<T: Integer>(x: T, y: T) -> T {
    let (difference, overflow) = overflowing_sub(x, y);
    if !overflow {
        difference
    } else if y < T::ZERO {
        T::MAX
    } else {
        T::MIN
    }
}

#[device]
pub fn saturating_mul<T: Integer>(x: T, y: T) -> T {
    let (product, overflow) = overflowing_mul(x, y);
    if !overflow {
        product
    } else if (x < T::ZERO) == (y < T::ZERO) {
        T::MAX
    } else {
        T::MIN
    }
}

#[device]
#[track_caller]
pub fn saturating_div<T: Integer>(x: T, y: T) -> T {
    if T::SIGNED && x == T::MIN && y == T::ONES { T::MAX } else { x / y }
}

#[device]
pub fn saturating_neg<T: Integer>(x: T) -> T {
    if x == T::MIN { T::MAX } else { wrapping_neg(x) }
}

#[device]
pub fn saturating_abs<T: Integer>(x: T) -> T {
    if x < T::ZERO { saturating_neg(x) } else { x }
}

#[device]
pub fn saturating_pow<T: Integer>(base: T, exponent: u32) -> T {
    let (power, overflow) = overflowing_pow(base, exponent);
    if !overflow {
        power
    } else if base < T::ZERO && exponent & 1 == 1 {
        T::MIN
    } else {
        T::MAX
    }
}
