//! How many: blocks in a grid, threads in a block.

/// A number along each of x, y and z.
///
/// Made from one number, a pair, a triple or an array: `.grid(n.div_ceil(256))`, `.block((16, 16))`. It holds whatever
/// number it was given, negative ones and those above 32 bits too; `launch` refuses what the device can't do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Dim3 {
    extents: [i64; 3],
}

impl Dim3 {
    /// `x` by `y` by `z`.
    pub const fn new(x: u32, y: u32, z: u32) -> Self {
        Self { extents: [x as i64, y as i64, z as i64] }
    }

    /// The number along x.
    pub const fn x(self) -> i64 {
        self.extents[0]
    }

    /// The number along y.
    pub const fn y(self) -> i64 {
        self.extents[1]
    }

    /// The number along z.
    pub const fn z(self) -> i64 {
        self.extents[2]
    }

    /// Whether some extent is 0, so that there is nothing.
    pub const fn is_empty(self) -> bool {
        self.extents[0] == 0 || self.extents[1] == 0 || self.extents[2] == 0
    }

    /// The three numbers, if none is above its limit or below 0.
    pub(crate) fn within(self, limits: [u32; 3]) -> Option<[u32; 3]> {
        let mut extents = [0; 3];
        for (axis, extent) in extents.iter_mut().enumerate() {
            *extent = u32::try_from(self.extents[axis]).ok().filter(|e| *e <= limits[axis])?;
        }
        Some(extents)
    }
}

/// `16`, `16 x 16` or `4 x 4 x 4`, as short as it can be said.
impl std::fmt::Display for Dim3 {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.extents {
            [x, 1, 1] => write!(f, "{x}"),
            [x, y, 1] => write!(f, "{x} x {y}"),
            [x, y, z] => write!(f, "{x} x {y} x {z}"),
        }
    }
}

/// An integer that can say how many.
///
/// `i32` is among them because an integer literal is one where nothing else decides its type.
pub trait Extent: Copy + private::Sealed {
    #[doc(hidden)]
    fn extent(self) -> i64;
}

mod private {
    pub trait Sealed {}
}

macro_rules! extents {
    ($($integer:ty),*) => { $(
        impl private::Sealed for $integer {}
        impl Extent for $integer {
            fn extent(self) -> i64 {
                i64::try_from(self).unwrap_or(i64::MAX)
            }
        }
        impl From<$integer> for Dim3 {
            fn from(x: $integer) -> Self {
                Self { extents: [x.extent(), 1, 1] }
            }
        }
    )* };
}
extents!(i32, u32, i64, u64, usize);

impl<X: Extent, Y: Extent> From<(X, Y)> for Dim3 {
    fn from((x, y): (X, Y)) -> Self {
        Self { extents: [x.extent(), y.extent(), 1] }
    }
}

impl<X: Extent, Y: Extent, Z: Extent> From<(X, Y, Z)> for Dim3 {
    fn from((x, y, z): (X, Y, Z)) -> Self {
        Self { extents: [x.extent(), y.extent(), z.extent()] }
    }
}

impl<E: Extent> From<[E; 3]> for Dim3 {
    fn from(extents: [E; 3]) -> Self {
        Self { extents: extents.map(Extent::extent) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_pairs_and_triples_of_any_integer_are_dimensions() {
        let n = 1000usize;
        assert_eq!(Dim3::from(n.div_ceil(256)), Dim3::new(4, 1, 1));
        assert_eq!(Dim3::from(256), Dim3::new(256, 1, 1));
        assert_eq!(Dim3::from((n, 16)), Dim3::new(1000, 16, 1));
        assert_eq!(Dim3::from((1, 2u32, 3u64)), Dim3::new(1, 2, 3));
        assert_eq!(Dim3::from([4, 5, 6]), Dim3::new(4, 5, 6));
    }

    #[test]
    fn what_does_not_fit_is_kept_for_the_message() {
        let many = Dim3::from(1usize << 40);
        assert_eq!(many.within([u32::MAX; 3]), None);
        assert_eq!(many.to_string(), "1099511627776");
        assert_eq!(Dim3::from(-1).within([u32::MAX; 3]), None);
        assert_eq!(Dim3::from((8, 8)).within([8, 8, 1]), Some([8, 8, 1]));
        assert_eq!(Dim3::from((8, 9)).within([8, 8, 1]), None);
    }

    #[test]
    fn trailing_ones_are_not_printed() {
        assert_eq!(Dim3::new(7, 1, 1).to_string(), "7");
        assert_eq!(Dim3::new(7, 2, 1).to_string(), "7 x 2");
        assert_eq!(Dim3::new(1, 1, 3).to_string(), "1 x 1 x 3");
    }
}
