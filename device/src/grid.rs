//! The launch as a whole: the number of blocks in the grid.

crate::function::builtin_functions! {
    /// The number of blocks in the grid along x.
    ///
    /// # Example
    ///
    /// ```
    /// use wavewright::prelude::*;
    ///
    /// /// Each thread sums every element that is a multiple of the grid's width away from its own.
    /// #[kernel]
    /// fn strided_sums(x: &[f32], sums: &mut [f32]) {
    ///     let threads = block::size_x() as usize * grid::size_x() as usize;
    ///     let me = thread::global_x();
    ///     let mut sum = 0.0;
    ///     let mut i = me;
    ///     while i < x.len() {
    ///         sum += x[i];
    ///         i += threads;
    ///     }
    ///     if me < sums.len() {
    ///         sums[me] = sum;
    ///     }
    /// }
    /// # strided_sums::program().unwrap();
    /// ```
    pub fn size_x() -> u32 { GridSizeX => |position| position.grid_size[0] }

    /// The number of blocks in the grid along y.
    ///
    /// # Example
    ///
    /// ```
    /// use wavewright::prelude::*;
    ///
    /// /// The image upside down, one row of blocks a row.
    /// #[kernel]
    /// fn flip(width: usize, from: &[u8], to: &mut [u8]) {
    ///     let column = thread::global_x();
    ///     if column < width {
    ///         let mirrored = grid::size_y() - 1 - block::y();
    ///         to[block::y() as usize * width + column] = from[mirrored as usize * width + column];
    ///     }
    /// }
    /// # flip::program().unwrap();
    /// ```
    pub fn size_y() -> u32 { GridSizeY => |position| position.grid_size[1] }

    /// The number of blocks in the grid along z.
    ///
    /// # Example
    ///
    /// ```
    /// use wavewright::prelude::*;
    ///
    /// #[kernel]
    /// fn layers(out: &mut [u32]) {
    ///     if thread::global_x() == 0 {
    ///         out[block::z() as usize] = grid::size_z();
    ///     }
    /// }
    /// # layers::program().unwrap();
    /// ```
    pub fn size_z() -> u32 { GridSizeZ => |position| position.grid_size[2] }
}
