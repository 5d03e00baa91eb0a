//! The block that the thread belongs to: its index in the grid, and the number of threads in it.
//!
//! The threads of a block run on one compute unit: they share [`shared!`](crate::shared) memory and can wait for each
//! other with [`sync_threads()`](crate::sync_threads). Blocks run in any order, at the same time or not, and can't wait
//! for each other.

crate::function::builtin_functions! {
    /// The block's index along x in the grid: 0 up to, but not with, [`grid::size_x()`](crate::grid::size_x).
    ///
    /// # Example
    ///
    /// ```
    /// use wavewright::prelude::*;
    ///
    /// /// One block adds up `block::size_x()` elements and writes one sum.
    /// #[kernel(block = 64)]
    /// fn partial_sums(x: &[u32], sums: &mut [u32]) {
    ///     if thread::x() == 0 {
    ///         let mut sum = 0;
    ///         for i in 0..64 {
    ///             sum += x[block::x() as usize * 64 + i];
    ///         }
    ///         sums[block::x() as usize] = sum;
    ///     }
    /// }
    /// # partial_sums::program().unwrap();
    /// ```
    pub fn x() -> u32 { BlockX => |position| position.block[0] }

    /// The block's index along y in the grid: 0 up to, but not with, [`grid::size_y()`](crate::grid::size_y).
    ///
    /// # Example
    ///
    /// ```
    /// use wavewright::prelude::*;
    ///
    /// /// A row of blocks a row of the image.
    /// #[kernel]
    /// fn brighten(width: usize, pixels: &mut [u8]) {
    ///     let column = thread::global_x();
    ///     if column < width {
    ///         let i = block::y() as usize * width + column;
    ///         pixels[i] = pixels[i] / 2 + 127;
    ///     }
    /// }
    /// # brighten::program().unwrap();
    /// ```
    pub fn y() -> u32 { BlockY => |position| position.block[1] }

    /// The block's index along z in the grid: 0 up to, but not with, [`grid::size_z()`](crate::grid::size_z).
    ///
    /// # Example
    ///
    /// ```
    /// use wavewright::prelude::*;
    ///
    /// /// A layer of blocks a matrix of the batch.
    /// #[kernel]
    /// fn scale_batch(elements: usize, factors: &[f32], matrices: &mut [f32]) {
    ///     let i = thread::global_x();
    ///     let matrix = block::z() as usize;
    ///     if i < elements {
    ///         matrices[matrix * elements + i] *= factors[matrix];
    ///     }
    /// }
    /// # scale_batch::program().unwrap();
    /// ```
    pub fn z() -> u32 { BlockZ => |position| position.block[2] }

    /// The number of threads in a block along x, as the launch chose it.
    ///
    /// With `#[kernel(block = …)]`, and wherever a kernel is compiled for its launch, this is a constant to the optimiser.
    ///
    /// # Example
    ///
    /// ```
    /// use wavewright::prelude::*;
    ///
    /// /// A loop over the whole slice by a grid of any size (a "grid-stride loop").
    /// #[kernel]
    /// fn fill(value: f32, out: &mut [f32]) {
    ///     let stride = block::size_x() as usize * grid::size_x() as usize;
    ///     let mut i = thread::global_x();
    ///     while i < out.len() {
    ///         out[i] = value;
    ///         i += stride;
    ///     }
    /// }
    /// # fill::program().unwrap();
    /// ```
    pub fn size_x() -> u32 { BlockSizeX => |position| position.block_size[0] }

    /// The number of threads in a block along y, as the launch chose it.
    ///
    /// # Example
    ///
    /// ```
    /// use wavewright::prelude::*;
    ///
    /// #[kernel]
    /// fn threads_of_a_block(out: &mut [u32]) {
    ///     out[block::x() as usize] = block::size_x() * block::size_y() * block::size_z();
    /// }
    /// # threads_of_a_block::program().unwrap();
    /// ```
    pub fn size_y() -> u32 { BlockSizeY => |position| position.block_size[1] }

    /// The number of threads in a block along z, as the launch chose it.
    ///
    /// # Example
    ///
    /// ```
    /// use wavewright::prelude::*;
    ///
    /// #[kernel]
    /// fn last_layer(out: &mut [bool]) {
    ///     out[thread::z() as usize] = thread::z() + 1 == block::size_z();
    /// }
    /// # last_layer::program().unwrap();
    /// ```
    pub fn size_z() -> u32 { BlockSizeZ => |position| position.block_size[2] }
}
