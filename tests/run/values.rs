//! The values at which types have their edges.

/// Edge values of a type.
pub trait Edges: Copy + 'static {
    const EDGES: &'static [Self];
}

macro_rules! signed {
    ($($t:ident)*) => { $(
        impl Edges for $t {
            const EDGES: &'static [$t] = &[
                0, 1, -1, 2, -2, 3, -3, 7, -7, 8, 10, 100, -100, $t::MAX, $t::MAX - 1, $t::MAX / 2, $t::MAX / 2 + 1, $t::MIN,
                $t::MIN + 1, $t::MIN / 2,
            ];
        }
    )* };
}
signed! { i8 i16 i32 i64 i128 isize }

macro_rules! unsigned {
    ($($t:ident)*) => { $(
        impl Edges for $t {
            const EDGES: &'static [$t] =
                &[0, 1, 2, 3, 7, 8, 10, 100, 200, $t::MAX, $t::MAX - 1, $t::MAX / 2, $t::MAX / 2 + 1, $t::MAX / 3];
        }
    )* };
}
unsigned! { u8 u16 u32 u64 u128 usize }

macro_rules! floats {
    ($($t:ident, $quiet:expr, $exact:expr;)*) => { $(
        impl Edges for $t {
            const EDGES: &'static [$t] = &[
                0.0, -0.0, 1.0, -1.0, 0.1, -0.1, 0.5, -0.5, 1.5, -1.5, 2.5, -2.5, 3.0, 1e10, -1e10,
                $exact, $exact + 1.0, $t::EPSILON, 1.0 + $t::EPSILON, 1.0 - $t::EPSILON / 2.0,
                $t::MIN_POSITIVE, -$t::MIN_POSITIVE, $t::MIN_POSITIVE / 4.0, $t::from_bits(1), $t::MAX, $t::MIN,
                $t::INFINITY, $t::NEG_INFINITY, $t::NAN, -$t::NAN, $t::from_bits($quiet),
            ];
        }
    )* };
}
// The last: a signalling NaN.
floats! {
    f32, 0x7fa0_0000, 16_777_215.0;
    f64, 0x7ff4_0000_0000_0000, 9_007_199_254_740_991.0;
}

impl Edges for bool {
    const EDGES: &'static [bool] = &[false, true];
}

impl Edges for char {
    const EDGES: &'static [char] =
        &['\0', 'a', 'Z', '\u{7f}', '\u{80}', 'ß', '\u{d7ff}', '\u{e000}', '\u{ffff}', '\u{10ffff}'];
}
