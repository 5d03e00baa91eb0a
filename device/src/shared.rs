//! Memory that the threads of a block share.

/// Memory that the threads of a block share: `shared!(T)` is a `&'static mut T`, the same place for all of them.
///
/// The memory lies on the chip (AMD's LDS, NVIDIA's shared memory), is as fast as a cache, and lives as long as the
/// block. A block has at least 48 KiB of it (AMD: 64 KiB). Each `shared!` in the source is one place of its own, in each
/// instance of a generic kernel.
///
/// - Its content is **undefined** until a thread writes it: write before you read.
/// - A value that another thread wrote is there only after a [`sync_threads()`](crate::sync_threads). Two threads that
///   touch the same element between two barriers, one of them writing, are a data race: undefined behaviour, which is
///   why a kernel with `shared!` is launched in `unsafe`.
/// - It stands in the kernel's own body; pass the reference on to `#[device]` functions.
/// - On the host, outside a kernel, it panics.
///
/// # Example
///
/// ```
/// use wavewright::prelude::*;
///
/// /// Transposes tiles of 16 x 16, so that both the reads and the writes of neighbours lie side by side.
/// #[kernel(block = (16, 16))]
/// fn transpose(side: usize, from: &[f32], to: &mut [f32]) {
///     let tile = shared!([[f32; 17]; 16]); // 17: neighbours in a column fall into different banks
///     let (tx, ty) = (thread::x() as usize, thread::y() as usize);
///     let (bx, by) = (block::x() as usize * 16, block::y() as usize * 16);
///     if bx + tx < side && by + ty < side {
///         tile[ty][tx] = from[(by + ty) * side + bx + tx];
///     }
///     sync_threads();
///     if by + tx < side && bx + ty < side {
///         to[(bx + ty) * side + by + tx] = tile[tx][ty];
///     }
/// }
/// # transpose::program().unwrap();
/// ```
#[macro_export]
macro_rules! shared {
    ($type:ty) => {
        $crate::__private::host::shared::<$type>()
    };
}
