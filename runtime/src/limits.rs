//! What a device can take.

/// The most of everything that a device can take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Threads in a block.
    pub block_threads: u32,
    /// Threads in a block along x, y and z.
    pub block: [u32; 3],
    /// Blocks in a grid along x, y and z.
    pub grid: [u32; 3],
    /// Threads in a grid along one axis.
    pub grid_threads: u64,
    /// Shared memory of a block, in bytes.
    pub shared_bytes: u64,
    /// Arguments of a kernel, in bytes.
    pub argument_bytes: u64,
    /// The device's memory, in bytes.
    pub memory_bytes: u64,
    /// Threads that run in lockstep: 32 or 64 on a GPU, 1 on the CPU.
    pub wave_size: u32,
    /// Processors that each run blocks of their own: compute units, multiprocessors, or cores.
    pub processors: u32,
}
