//! Spreads the blocks of a launch over the cores.
//!
//! The blocks are cut into contiguous ranges, several for each core, which rayon hands out so that neighbouring ranges
//! tend to stay on one core. A launch that is expected to be over sooner than other cores could wake up runs where it
//! is; what is expected comes from the launches before.

use crate::backend::Shape;
use rayon::prelude::*;
use std::cell::RefCell;
use std::mem::MaybeUninit;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use wavewright_kernel_ir::abi::CpuWork;

/// The function of a kernel on the CPU.
pub(super) type Entry = unsafe extern "C" fn(arguments: *const u8, work: *const CpuWork);

/// A kernel's function and the memory that each call of it needs.
pub(super) struct Dispatch {
    pub(super) entry: Entry,
    pub(super) shared_bytes: usize,
    pub(super) scratch_bytes: usize,
    /// How long a block took in the latest launch, in picoseconds; 0 before the first.
    pub(super) pace: AtomicU64,
}

/// Ranges for each core: enough that a core which is done early finds work, few enough that they cost nothing.
const RANGES_PER_CORE: u64 = 16;

/// What other cores need to wake up and take over work.
const WAKE_UP: Duration = Duration::from_micros(20);

/// The arguments of a launch, for the cores to share.
#[derive(Clone, Copy)]
struct Arguments(*const u8);
// SAFETY: the kernel only reads the arguments; what they point to it shares as the launch allows.
unsafe impl Send for Arguments {}
// SAFETY: as above.
unsafe impl Sync for Arguments {}

impl Arguments {
    /// A method, so that closures capture the whole and not the pointer in it.
    fn address(self) -> *const u8 {
        self.0
    }
}

impl Dispatch {
    /// Runs every block, and returns when all are done.
    ///
    /// # Safety
    ///
    /// `arguments` are the kernel's, complete, and what they point to may be used by threads of `shape`.
    pub(super) unsafe fn run(&self, shape: Shape, arguments: *const u8) {
        let blocks = shape.grid.iter().map(|n| u64::from(*n)).product::<u64>();
        let arguments = Arguments(arguments);
        // SAFETY: as the caller promises.
        let run = |first: u64, end: u64| unsafe { self.run_range(shape, first, end, arguments.address()) };
        if blocks == 1 {
            return run(0, 1);
        }
        let here = if self.expected(blocks) < WAKE_UP { self.run_here(blocks, run) } else { 0 };
        if here < blocks {
            self.run_everywhere(here, blocks, run);
        }
    }

    /// Runs blocks on this thread until it takes too long, and returns how many. The steps double, so that few look at
    /// the clock.
    fn run_here(&self, blocks: u64, run: impl Fn(u64, u64)) -> u64 {
        let (start, mut done, mut step) = (Instant::now(), 0, 1);
        loop {
            let end = blocks.min(done + step);
            run(done, end);
            (done, step) = (end, 2 * step);
            let took = start.elapsed();
            // Twice the time that was expected means that it was expected wrongly: then the others help after all.
            if done == blocks || took > 2 * WAKE_UP {
                self.set_pace(took, done);
                return done;
            }
        }
    }

    /// Runs the blocks from `first` to before `end` on all cores.
    fn run_everywhere(&self, first: u64, end: u64, run: impl Fn(u64, u64) + Sync) {
        let blocks = end - first;
        let step = blocks.div_ceil(RANGES_PER_CORE * rayon::current_num_threads() as u64);
        let busy = AtomicU64::new(0);
        (0..blocks.div_ceil(step)).into_par_iter().for_each(|range| {
            let (start, first) = (Instant::now(), first + range * step);
            run(first, end.min(first + step));
            busy.fetch_add(start.elapsed().as_nanos() as u64, Ordering::Relaxed);
        });
        self.set_pace(Duration::from_nanos(busy.into_inner()), blocks);
    }

    fn set_pace(&self, took: Duration, blocks: u64) {
        let pace = (took.as_nanos() as u64).saturating_mul(1000) / blocks;
        self.pace.store(pace.max(1), Ordering::Relaxed);
    }

    /// How long `blocks` blocks are expected to take one core.
    fn expected(&self, blocks: u64) -> Duration {
        match self.pace.load(Ordering::Relaxed) {
            0 => Duration::MAX,
            pace => Duration::from_nanos(pace.saturating_mul(blocks) / 1000),
        }
    }

    /// Runs the blocks from `first` to before `end` on this core.
    ///
    /// # Safety
    ///
    /// As for [`run`](Self::run).
    unsafe fn run_range(&self, shape: Shape, first: u64, end: u64, arguments: *const u8) {
        /// A cache line, so that what lies in a row of them starts on one.
        #[derive(Clone, Copy)]
        #[repr(C, align(64))]
        struct Line([MaybeUninit<u8>; 64]);
        thread_local! {
            static WORKSPACE: RefCell<Vec<Line>> = const { RefCell::new(Vec::new()) };
        }
        let shared_lines = self.shared_bytes.div_ceil(64);
        let lines = shared_lines + self.scratch_bytes.div_ceil(64);
        WORKSPACE.with_borrow_mut(|workspace| {
            if workspace.len() < lines {
                workspace.resize(lines, Line([MaybeUninit::uninit(); 64]));
            }
            let shared = workspace.as_mut_ptr();
            let work = CpuWork {
                grid: shape.grid,
                block: shape.block,
                first,
                end,
                shared: shared.cast(),
                scratch: shared.wrapping_add(shared_lines).cast(),
            };
            // SAFETY: the caller answers for the arguments. The workspace is this core's own for as long as the call
            // takes (a kernel does not call back), and as large as the kernel needs.
            unsafe { (self.entry)(arguments, &work) };
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;
    use std::sync::Mutex;

    /// What a test's kernel gets as its arguments.
    #[derive(Default)]
    struct Seen {
        ranges: Mutex<Vec<(u64, u64)>>,
        threads: Mutex<HashSet<std::thread::ThreadId>>,
        pause: Duration,
    }

    extern "C" fn note(arguments: *const u8, work: *const CpuWork) {
        // SAFETY: `run` hands over a `Seen` and the dispatcher its work.
        let (seen, work) = unsafe { (&*arguments.cast::<Seen>(), &*work) };
        assert_eq!(work.shared.addr() % 64, 0);
        assert_eq!(work.scratch.addr(), work.shared.addr() + 128);
        // SAFETY: the workspace is 100 and 1000 bytes long, and this call's alone.
        unsafe {
            work.shared.write_bytes(work.first as u8, 100);
            work.scratch.write_bytes(work.end as u8, 1000);
        }
        std::thread::sleep(seen.pause * (work.end - work.first) as u32);
        // SAFETY: as above.
        unsafe { assert_eq!((*work.shared, *work.scratch), (work.first as u8, work.end as u8)) };
        seen.ranges.lock().unwrap().push((work.first, work.end));
        seen.threads.lock().unwrap().insert(std::thread::current().id());
    }

    fn dispatch(pace: u64) -> Dispatch {
        Dispatch { entry: note, shared_bytes: 100, scratch_bytes: 1000, pace: AtomicU64::new(pace) }
    }

    fn run(dispatch: &Dispatch, grid: [u32; 3], pause: Duration) -> Seen {
        let seen = Seen { pause, ..Seen::default() };
        let shape = Shape { grid, block: [1, 1, 1] };
        // SAFETY: `note` takes a `Seen`.
        unsafe { dispatch.run(shape, (&raw const seen).cast()) };
        seen
    }

    fn assert_covers(seen: &Seen, blocks: u64) {
        let mut ranges = seen.ranges.lock().unwrap().clone();
        ranges.sort_unstable();
        let end = ranges.iter().fold(0, |at, (first, end)| {
            assert!(at == *first && first < end, "{ranges:?}");
            *end
        });
        assert_eq!(end, blocks);
    }

    #[test]
    fn every_block_runs_once_whatever_is_expected() {
        for grid in [[1, 1, 1], [2, 1, 1], [7, 5, 3], [100_003, 1, 1]] {
            for pace in [0, 1, u64::MAX] {
                let blocks = grid.iter().map(|n| u64::from(*n)).product();
                assert_covers(&run(&dispatch(pace), grid, Duration::ZERO), blocks);
            }
        }
    }

    #[test]
    fn a_short_launch_stays_on_the_thread_that_asks() {
        let seen = run(&dispatch(1), [8, 1, 1], Duration::ZERO);
        let threads = seen.threads.into_inner().unwrap();
        assert!(threads.contains(&std::thread::current().id()));
    }

    #[test]
    fn a_launch_that_takes_longer_than_expected_gets_help() {
        let dispatch = dispatch(1);
        let seen = run(&dispatch, [64, 1, 1], Duration::from_millis(1));
        assert_covers(&seen, 64);
        let threads = seen.threads.into_inner().unwrap();
        assert!(threads.len() > 1, "one thread did it all");
        assert!(dispatch.expected(64) >= Duration::from_millis(64));
    }
}
