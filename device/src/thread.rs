//! The thread that runs: its index in its block, and in the whole grid.
//!
//! A launch is a *grid* of *blocks* of *threads*. Both are boxes of up to three dimensions, x the one that counts
//! fastest: threads whose x differs by one run side by side and should touch neighbouring memory.
//!
//! | | along x | unit |
//! |---|---|---|
//! | the thread in its block | [`thread::x()`](x) | threads, below [`block::size_x()`](crate::block::size_x) |
//! | the block in the grid | [`block::x()`](crate::block::x) | blocks, below [`grid::size_x()`](crate::grid::size_x) |
//! | the thread in the grid | [`thread::global_x()`](global_x) | threads |
//!
//! The global index is a `usize`, so that it indexes a slice of any length as it is. The others are `u32`, as the
//! hardware counts them.

crate::function::builtin_functions! {
    /// The thread's index along x in its block: 0 up to, but not with, [`block::size_x()`](crate::block::size_x).
    ///
    /// # Example
    ///
    /// ```
    /// use wavewright::prelude::*;
    ///
    /// /// Turns the elements of each block round.
    /// #[kernel]
    /// fn turn_round(x: &[f32], y: &mut [f32]) {
    ///     let first = (block::x() * block::size_x()) as usize;
    ///     let mirrored = first + (block::size_x() - 1 - thread::x()) as usize;
    ///     let i = first + thread::x() as usize;
    ///     if i < y.len() && mirrored < x.len() {
    ///         y[i] = x[mirrored];
    ///     }
    /// }
    /// # turn_round::program().unwrap();
    /// ```
    pub fn x() -> u32 { ThreadX => |position| position.thread[0] }

    /// The thread's index along y in its block: 0 up to, but not with, [`block::size_y()`](crate::block::size_y).
    ///
    /// # Example
    ///
    /// ```
    /// use wavewright::prelude::*;
    ///
    /// /// Each thread copies one pixel of a tile of 16 x 16.
    /// #[kernel(block = (16, 16))]
    /// fn copy_tile(width: u32, from: &[u32], to: &mut [u32]) {
    ///     let (column, row) = (block::x() * 16 + thread::x(), block::y() * 16 + thread::y());
    ///     let i = (row * width + column) as usize;
    ///     if column < width && i < from.len() && i < to.len() {
    ///         to[i] = from[i];
    ///     }
    /// }
    /// # copy_tile::program().unwrap();
    /// ```
    pub fn y() -> u32 { ThreadY => |position| position.thread[1] }

    /// The thread's index along z in its block: 0 up to, but not with, [`block::size_z()`](crate::block::size_z).
    ///
    /// # Example
    ///
    /// ```
    /// use wavewright::prelude::*;
    ///
    /// #[kernel(block = (8, 8, 4))]
    /// fn depths(out: &mut [u32]) {
    ///     let i = (thread::z() * 8 + thread::y()) * 8 + thread::x();
    ///     out[i as usize] = thread::z();
    /// }
    /// # depths::program().unwrap();
    /// ```
    pub fn z() -> u32 { ThreadZ => |position| position.thread[2] }

    /// The thread's index along x in the whole grid: `block::x() * block::size_x() + thread::x()`, computed in 64 bits.
    ///
    /// The grid is a whole number of blocks, so the last threads may lie past the end of the data: test the index
    /// before using it. (A test that guards an access also makes the access free of a second check.)
    ///
    /// # Example
    ///
    /// ```
    /// use wavewright::prelude::*;
    ///
    /// #[kernel]
    /// fn double(x: &[f32], y: &mut [f32]) {
    ///     let i = thread::global_x();
    ///     if i < y.len() {
    ///         y[i] = 2.0 * x[i];
    ///     }
    /// }
    /// # double::program().unwrap();
    /// ```
    pub fn global_x() -> usize { GlobalX => |position| position.global(0) }

    /// The thread's index along y in the whole grid: `block::y() * block::size_y() + thread::y()`, computed in 64 bits.
    ///
    /// # Example
    ///
    /// ```
    /// use wavewright::prelude::*;
    ///
    /// /// Writes down each pixel's row.
    /// #[kernel(block = (16, 16))]
    /// fn rows(width: usize, out: &mut [u32]) {
    ///     let (column, row) = (thread::global_x(), thread::global_y());
    ///     if column < width && row * width + column < out.len() {
    ///         out[row * width + column] = row as u32;
    ///     }
    /// }
    /// # rows::program().unwrap();
    /// ```
    pub fn global_y() -> usize { GlobalY => |position| position.global(1) }

    /// The thread's index along z in the whole grid: `block::z() * block::size_z() + thread::z()`, computed in 64 bits.
    ///
    /// # Example
    ///
    /// ```
    /// use wavewright::prelude::*;
    ///
    /// /// Sums a volume of `side` cubed along x.
    /// #[kernel]
    /// fn sum_rows(side: usize, volume: &[f32], sums: &mut [f32]) {
    ///     let (y, z) = (thread::global_y(), thread::global_z());
    ///     if y < side && z < side {
    ///         let mut sum = 0.0;
    ///         for x in 0..side {
    ///             sum += volume[(z * side + y) * side + x];
    ///         }
    ///         sums[z * side + y] = sum;
    ///     }
    /// }
    /// # sum_rows::program().unwrap();
    /// ```
    pub fn global_z() -> usize { GlobalZ => |position| position.global(2) }
}
