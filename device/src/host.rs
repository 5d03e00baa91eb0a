//! A kernel's body on the host: which thread the function believes to be.
//!
//! A kernel is an ordinary Rust function, so the host can call it for one thread and compare the result with a device's.
//! What the function asks of [`thread`](crate::thread), [`block`](crate::block) and [`grid`](crate::grid) comes from
//! the [`Position`] that [`with_thread`] sets for the time of a call.

use std::cell::Cell;

/// The place of a thread in a launch, and the shape of the launch. Each is x, y, z.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// The thread's index in its block.
    pub thread: [u32; 3],
    /// The block's index in the grid.
    pub block: [u32; 3],
    /// The number of threads in a block.
    pub block_size: [u32; 3],
    /// The number of blocks in the grid.
    pub grid_size: [u32; 3],
}

impl Position {
    /// The only thread of a launch of one block.
    pub const ONLY: Position =
        Position { thread: [0; 3], block: [0; 3], block_size: [1; 3], grid_size: [1; 3] };

    /// The thread's index in the whole grid along `axis`.
    pub(crate) fn global(self, axis: usize) -> usize {
        self.block[axis] as usize * self.block_size[axis] as usize + self.thread[axis] as usize
    }
}

thread_local! {
    static CURRENT: Cell<Option<Position>> = const { Cell::new(None) };
}

/// Calls `f` as the thread at `position`. Calls may be nested; the former position is back afterwards, also after a panic.
pub fn with_thread<R>(position: Position, f: impl FnOnce() -> R) -> R {
    struct Restore(Option<Position>);
    impl Drop for Restore {
        fn drop(&mut self) {
            CURRENT.set(self.0);
        }
    }
    let _restore = Restore(CURRENT.replace(Some(position)));
    f()
}

/// The position of the thread that runs, for the function `name`.
#[track_caller]
pub(crate) fn position(name: &str) -> Position {
    match CURRENT.get() {
        Some(position) => position,
        None => {
            panic!("`{name}()` works only inside a kernel; launch the kernel on a device to run this code")
        }
    }
}

/// What [`shared!`](crate::shared) is on the host.
///
/// # Panics
///
/// Always: memory that the threads of a block share makes sense only where they all run.
#[track_caller]
pub fn shared<T: crate::__private::DeviceType>() -> &'static mut T {
    panic!("`shared!` memory exists only on a device; launch the kernel to run this code")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{block, grid, shared, sync_threads, thread};

    const POSITION: Position =
        Position { thread: [1, 2, 3], block: [4, 5, 6], block_size: [7, 8, 9], grid_size: [10, 11, 12] };

    fn message_of(f: impl FnOnce() + std::panic::UnwindSafe) -> String {
        let payload = std::panic::catch_unwind(f).expect_err("the call panics");
        match payload.downcast::<String>() {
            Ok(formatted) => *formatted,
            Err(payload) => (*payload.downcast::<&str>().expect("a message")).into(),
        }
    }

    #[test]
    fn the_index_space_is_that_of_the_position() {
        with_thread(POSITION, || {
            assert_eq!([thread::x(), thread::y(), thread::z()], [1, 2, 3]);
            assert_eq!([block::x(), block::y(), block::z()], [4, 5, 6]);
            assert_eq!([block::size_x(), block::size_y(), block::size_z()], [7, 8, 9]);
            assert_eq!([grid::size_x(), grid::size_y(), grid::size_z()], [10, 11, 12]);
            let global = [thread::global_x(), thread::global_y(), thread::global_z()];
            assert_eq!(global, [4 * 7 + 1, 5 * 8 + 2, 6 * 9 + 3]);
        });
    }

    #[test]
    fn a_global_index_may_exceed_32_bits() {
        let far = Position { block: [u32::MAX; 3], block_size: [1024, 1, 1], ..POSITION };
        with_thread(far, || assert_eq!(thread::global_x(), u32::MAX as usize * 1024 + 1));
    }

    #[test]
    fn positions_nest_and_are_restored() {
        let other = Position { thread: [0; 3], ..POSITION };
        with_thread(POSITION, || {
            with_thread(other, || assert_eq!(thread::x(), 0));
            assert_eq!(thread::x(), 1);
            message_of(|| with_thread(other, || panic!("{}", "a fault")));
            assert_eq!(thread::x(), 1);
        });
    }

    #[test]
    fn outside_a_kernel_the_message_says_so() {
        let message = message_of(|| {
            thread::global_x();
        });
        assert_eq!(
            message,
            "`thread::global_x()` works only inside a kernel; launch the kernel on a device to run this code"
        );
        assert!(message_of(sync_threads).starts_with("`sync_threads()` works only inside a kernel"));
        let shared = message_of(|| {
            shared!([f32; 4]);
        });
        assert!(shared.starts_with("`shared!` memory exists only on a device"), "{shared}");
    }

    #[test]
    fn a_barrier_is_passed_by_a_block_of_one_thread_only() {
        with_thread(Position::ONLY, sync_threads);
        let message = message_of(|| with_thread(POSITION, sync_threads));
        assert!(
            message.starts_with("`sync_threads()` waits for the other threads of the block"),
            "{message}"
        );
    }
}
