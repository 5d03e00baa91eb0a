//! Methods of integers.

use super::Integer;
use wavewright_kernel_macro::device;

#[device]
pub fn count_zeros<T: Integer>(x: T) -> u32 {
    (!x).count_ones()
}

#[device]
pub fn leading_ones<T: Integer>(x: T) -> u32 {
    (!x).leading_zeros()
}

#[device]
pub fn trailing_ones<T: Integer>(x: T) -> u32 {
    (!x).trailing_zeros()
}

#[device]
#[track_caller]
pub fn pow<T: Integer>(base: T, exponent: u32) -> T {
    let mut result = T::ONE;
    let mut square = base;
    let mut left = exponent;
    while left > 1 {
        if left & 1 == 1 {
            result = result * square;
        }
        left >>= 1;
        square = square * square;
    }
    // The last square is not taken, since it may overflow where the power does not.
    if left == 1 { result * square } else { result }
}

#[device]
#[track_caller]
pub fn div_euclid<T: Integer>(x: T, y: T) -> T {
    let quotient = x / y;
    if x % y < T::ZERO { if y > T::ZERO { quotient - T::ONE } else { quotient + T::ONE } } else { quotient }
}

#[device]
#[track_caller]
pub fn rem_euclid<T: Integer>(x: T, y: T) -> T {
    let remainder = x % y;
    if remainder < T::ZERO {
        // Wrapping, since `-MIN` is what `y` stands for if it is `MIN`.
        if y < T::ZERO { remainder.wrapping_sub(y) } else { remainder.wrapping_add(y) }
    } else {
        remainder
    }
}

#[device]
pub fn signum<T: Integer>(x: T) -> T {
    if x < T::ZERO {
        T::ONES
    } else if x == T::ZERO {
        T::ZERO
    } else {
        T::ONE
    }
}

#[device]
pub fn is_positive<T: Integer>(x: T) -> bool {
    x > T::ZERO
}

#[device]
pub fn is_negative<T: Integer>(x: T) -> bool {
    x < T::ZERO
}

#[device]
#[track_caller]
pub fn div_ceil<T: Integer>(x: T, y: T) -> T {
    let quotient = x / y;
    if x % y > T::ZERO { quotient + T::ONE } else { quotient }
}

#[device]
#[track_caller]
pub fn next_multiple_of<T: Integer>(x: T, y: T) -> T {
    let remainder = x % y;
    if remainder == T::ZERO { x } else { x + (y - remainder) }
}

#[device]
pub fn is_multiple_of<T: Integer>(x: T, y: T) -> bool {
    if y == T::ZERO { x == T::ZERO } else { x % y == T::ZERO }
}

#[device]
pub fn is_power_of_two<T: Integer>(x: T) -> bool {
    x.count_ones() == 1
}

#[device]
#[track_caller]
pub fn next_power_of_two<T: Integer>(x: T) -> T {
    if x <= T::ONE {
        return T::ONE;
    }
    let below = x - T::ONE;
    (T::ONES >> below.leading_zeros()) + T::ONE
}

#[device]
#[track_caller]
pub fn ilog2<T: Integer>(x: T) -> u32 {
    if x <= T::ZERO {
        panic!("argument of integer logarithm must be positive");
    }
    T::BITS - 1 - x.leading_zeros()
}

#[device]
#[track_caller]
pub fn isqrt<T: Integer>(x: T) -> T {
    if x < T::ZERO {
        panic!("argument of integer square root cannot be negative");
    }
    // One bit of the root a round, from the highest.
    let mut rest = x;
    let mut root = T::ZERO;
    let mut bit = T::ONE << (T::BITS - 2);
    while bit > rest {
        if bit == T::ZERO {
            return T::ZERO;
        }
        bit = bit >> 2;
    }
    while bit != T::ZERO {
        let trial = root + bit;
        root = root >> 1;
        if rest >= trial {
            rest = rest - trial;
            root = root + bit;
        }
        bit = bit >> 2;
    }
    root
}

#[device]
pub fn midpoint<T: Integer>(x: T, y: T) -> T {
    // The sum of the common bits and half of the others, rounded down, then towards zero as std has it.
    let down = (x & y).wrapping_add((x ^ y) >> 1);
    if down < T::ZERO && (x ^ y) & T::ONE == T::ONE { down + T::ONE } else { down }
}

/// `abs_diff` of unsigned types; that of signed ones has another type.
#[device]
pub fn abs_diff<T: Integer>(x: T, y: T) -> T {
    if x < y { y - x } else { x - y }
}
