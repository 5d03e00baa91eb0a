//! Waiting for the other threads of the block.

crate::function::builtin_functions! {
    /// Waits until every thread of the block has come here; what they wrote before to shared and global memory is then
    /// seen by all of them.
    ///
    /// Every thread of the block must reach the same call, the same number of times; threads whose kernel has ended
    /// (by `return` or a panic) are not waited for. A call under a condition that is true for some threads only is
    /// undefined: a device may hang or go on with old values. Conditions that are the same for the whole block, loops
    /// among them, are fine.
    ///
    /// On the host it does nothing for a block of one thread, and panics for a larger one, whose other threads aren't
    /// there to wait for.
    ///
    /// # Example
    ///
    /// ```
    /// use wavewright::prelude::*;
    ///
    /// /// Adds up 256 elements: half as many threads add in each round, with a barrier between the rounds.
    /// #[kernel(block = 256)]
    /// fn sum(x: &[f32], out: &mut [f32]) {
    ///     let partial = shared!([f32; 256]);
    ///     let i = thread::x() as usize;
    ///     partial[i] = x[i];
    ///     sync_threads();
    ///     let mut half = 128;
    ///     while half > 0 {
    ///         if i < half {
    ///             partial[i] += partial[i + half];
    ///         }
    ///         sync_threads();
    ///         half /= 2;
    ///     }
    ///     if i == 0 {
    ///         out[0] = partial[0];
    ///     }
    /// }
    /// # sum::program().unwrap();
    /// ```
    pub fn sync_threads() -> () { SyncThreads => |position| assert!(
        position.block_size == [1; 3],
        "`sync_threads()` waits for the other threads of the block, which are not there when the host calls a kernel's \
         function; launch the kernel on a device to run this code"
    ) }
}
