//! Panics on their way from a GPU.
//!
//! Each launch has a [`FaultRecord`] of its own in host memory that the GPU can write. The records form a ring, cut
//! into segments; after the last launch of a segment a mark goes into the queue. What must hold:
//!
//! - The order of the launches in the ring is that in the queue: the lock is held while a launch is queued.
//! - A record is used again only when its launch is over: after a wait for the queue, or for its segment's mark.
//! - A record is read only when its launch is over, and is empty when its next launch is queued.

use crate::Error;
use crate::fault::Panics;
use crate::kernel::KernelFacts;
use std::sync::{Mutex, MutexGuard, PoisonError};
use wavewright_kernel_ir::abi::FaultRecord;

/// How many parts the ring has.
pub(crate) const SEGMENTS: usize = 8;
/// How many launches a part has.
const SEGMENT: u64 = 256;
const RECORDS: u64 = SEGMENTS as u64 * SEGMENT;

/// A record with a cache line to itself.
#[repr(C, align(64))]
#[derive(Default)]
struct Slot(FaultRecord);

/// Zeroed host memory that the GPU can write, [`FaultMemory::BYTES`] long and aligned to 64 bytes. It is never freed.
#[derive(Clone, Copy)]
pub(crate) struct FaultMemory {
    /// Its address on the host.
    pub(crate) host: *mut u8,
    /// Its address on the device.
    pub(crate) device: u64,
}

impl FaultMemory {
    pub(crate) const BYTES: usize = RECORDS as usize * size_of::<Slot>();
}

// SAFETY: the ring that owns the memory uses it under a lock.
unsafe impl Send for FaultMemory {}

/// Marks in a device's queue, numbered below [`SEGMENTS`].
pub(crate) trait Marks {
    /// Puts a mark at the end of the queue, and forgets where it was.
    fn mark(&self, number: usize) -> Result<(), Error>;
    /// Waits until the queue has passed a mark.
    fn wait_for_mark(&self, number: usize) -> Result<(), Error>;
}

/// The records of a device's launches.
pub(crate) struct Ring {
    launches: Mutex<Launches>,
    panics: Panics,
}

struct Launches {
    memory: FaultMemory,
    /// The kernel of each record's latest launch.
    kernels: Box<[Option<&'static KernelFacts>]>,
    /// How many launches were queued, ever.
    queued: u64,
    /// How many of them are over and their records read.
    read: u64,
}

impl Ring {
    pub(crate) fn new(memory: FaultMemory) -> Self {
        let kernels = vec![None; RECORDS as usize].into();
        Self {
            launches: Mutex::new(Launches { memory, kernels, queued: 0, read: 0 }),
            panics: Panics::default(),
        }
    }

    /// Queues a launch of the kernel `facts`; `queue` gets the address of its record on the device.
    pub(crate) fn launch(
        &self,
        marks: &impl Marks,
        facts: &'static KernelFacts,
        queue: impl FnOnce(u64) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let mut launches = self.lock();
        let number = launches.queued;
        if number == launches.read + RECORDS {
            let oldest = (launches.read / SEGMENT) as usize % SEGMENTS;
            marks.wait_for_mark(oldest).map_err(|error| launches.blame(error))?;
            let end = (launches.read / SEGMENT + 1) * SEGMENT;
            launches.read_until(end, &self.panics);
        }
        let slot = (number % RECORDS) as usize;
        queue(launches.memory.device + (slot * size_of::<Slot>()) as u64)
            .map_err(|error| launches.blame(error))?;
        launches.kernels[slot] = Some(facts);
        launches.queued = number + 1;
        if launches.queued.is_multiple_of(SEGMENT) {
            marks.mark(slot / SEGMENT as usize)?;
        }
        Ok(())
    }

    /// How many launches were queued, ever.
    pub(crate) fn queued(&self) -> u64 {
        self.lock().queued
    }

    /// The first panic among the launches that were queued before `end`, all of which are over.
    pub(crate) fn report(&self, end: u64) -> Result<(), Error> {
        self.lock().read_until(end, &self.panics);
        self.panics.report()
    }

    /// Says in `error`, if it is one that a kernel may have caused, which kernels were at work.
    pub(crate) fn blame(&self, error: Error) -> Error {
        self.lock().blame(error)
    }

    fn lock(&self) -> MutexGuard<'_, Launches> {
        self.launches.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Launches {
    /// Reads the records of the launches before `end` that have not been read; all of them are over.
    fn read_until(&mut self, end: u64, panics: &Panics) {
        while self.read < end {
            let slot = (self.read % RECORDS) as usize;
            // SAFETY: the memory has `RECORDS` slots, and no launch that is still going on writes this one.
            let record = unsafe {
                let record = self.memory.host.cast::<Slot>().add(slot);
                let read = record.read_volatile().0;
                if read.state != FaultRecord::EMPTY {
                    record.write_volatile(Slot::default());
                }
                read
            };
            if let Some(panic) = self.kernels[slot].and_then(|facts| facts.panic(&record)) {
                panics.add(panic);
            }
            self.read += 1;
        }
    }

    fn blame(&self, mut error: Error) -> Error {
        /// As many names as one wants to read.
        const NAMES: usize = 4;
        let Error::Driver { code, context, .. } = &mut error else {
            return error;
        };
        // Both vendors number what a kernel does wrong alike: illegal addresses and instructions, traps, time-outs.
        if !(700..720).contains(code) || self.read == self.queued {
            return error;
        }
        let mut names: Vec<&str> = Vec::new();
        for number in (self.read..self.queued).rev() {
            let facts = self.kernels[(number % RECORDS) as usize];
            let name = facts.map_or("", |facts| facts.name.as_str());
            if !names.contains(&name) {
                names.push(name);
            }
        }
        let more = names.len().saturating_sub(NAMES);
        let list: Vec<String> = names.iter().take(NAMES).map(|name| format!("`{name}`")).collect();
        *context = match (names.len(), more) {
            (1, _) => format!("; it happened in a launch of {}", list[0]),
            (_, 0) => format!("; it happened in one of the latest launches, of {}", list.join(", ")),
            _ => format!(
                "; it happened in one of the latest launches, of {} and {more} more kernels",
                list.join(", ")
            ),
        };
        error
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::{Cell, RefCell};
    use wavewright_kernel_ir::code_object::PanicSite;
    use wavewright_kernel_ir::span::Span;
    use wavewright_kernel_ir::typed::PanicKind;

    /// A queue that is always behind: launches are over when a mark after them is waited for.
    #[derive(Default)]
    struct Queue {
        marks: RefCell<Vec<usize>>,
        waits: RefCell<Vec<usize>>,
        broken: Cell<bool>,
    }

    impl Marks for Queue {
        fn mark(&self, number: usize) -> Result<(), Error> {
            self.marks.borrow_mut().push(number);
            Ok(())
        }

        fn wait_for_mark(&self, number: usize) -> Result<(), Error> {
            self.waits.borrow_mut().push(number);
            if self.broken.get() { Err(illegal_address()) } else { Ok(()) }
        }
    }

    fn illegal_address() -> Error {
        Error::Driver {
            call: "cuEventSynchronize",
            code: 700,
            name: "CUDA_ERROR_ILLEGAL_ADDRESS".into(),
            text: "an illegal memory access was encountered".into(),
            context: String::new(),
        }
    }

    fn facts(name: &str) -> &'static KernelFacts {
        let kind = PanicKind::Message("no".into());
        let panics = vec![PanicSite { kind, file: "k.rs".into(), span: Span::new(1, 2) }];
        let facts = KernelFacts { name: name.into(), block: [1; 3], argument_bytes: 8, panics };
        Box::leak(Box::new(facts))
    }

    fn ring() -> Ring {
        let slots: Vec<Slot> = (0..RECORDS).map(|_| Slot::default()).collect();
        let host = Vec::leak(slots).as_mut_ptr().cast::<u8>();
        Ring::new(FaultMemory { host, device: host.expose_provenance() as u64 })
    }

    /// A launch whose thread in block `block` panics, if there is one.
    fn launch(
        ring: &Ring,
        queue: &Queue,
        facts: &'static KernelFacts,
        block: Option<u32>,
    ) -> Result<(), Error> {
        ring.launch(queue, facts, |record| {
            if let Some(block) = block {
                let panic =
                    FaultRecord { state: FaultRecord::CLAIMED, block: [block, 0, 0], ..Default::default() };
                // SAFETY: the address is that of a slot of `ring()`.
                unsafe { std::ptr::with_exposed_provenance_mut::<FaultRecord>(record as usize).write(panic) };
            }
            Ok(())
        })
    }

    #[test]
    fn a_panic_is_reported_by_the_next_wait_and_only_there() {
        let (ring, queue, saxpy) = (ring(), Queue::default(), facts("saxpy"));
        launch(&ring, &queue, saxpy, None).unwrap();
        ring.report(ring.queued()).unwrap();
        launch(&ring, &queue, saxpy, Some(7)).unwrap();
        launch(&ring, &queue, saxpy, Some(8)).unwrap();
        let error = ring.report(ring.queued()).unwrap_err();
        assert!(matches!(error, Error::Panic { block: [7, 0, 0], further: 1, .. }), "{error}");
        launch(&ring, &queue, saxpy, None).unwrap();
        ring.report(ring.queued()).unwrap();
    }

    #[test]
    fn launches_queued_during_a_wait_are_left_for_the_next() {
        let (ring, queue, saxpy) = (ring(), Queue::default(), facts("saxpy"));
        launch(&ring, &queue, saxpy, None).unwrap();
        let queued = ring.queued();
        launch(&ring, &queue, saxpy, Some(3)).unwrap();
        ring.report(queued).unwrap();
        ring.report(ring.queued()).unwrap_err();
    }

    #[test]
    fn records_are_used_again_after_their_mark_and_no_panic_is_lost() {
        let (ring, queue, saxpy) = (ring(), Queue::default(), facts("saxpy"));
        let launches = 3 * RECORDS + 5;
        for number in 0..launches {
            let panics = number % 1000 == 999;
            launch(&ring, &queue, saxpy, panics.then_some(number as u32)).unwrap();
        }
        let all = (launches / SEGMENT) as usize;
        let expected: Vec<usize> = (0..all).map(|n| n % SEGMENTS).collect();
        assert_eq!(*queue.marks.borrow(), expected);
        // Nothing was waited for before the ring was full.
        assert_eq!(queue.waits.borrow().len(), all + 1 - SEGMENTS);
        let error = ring.report(ring.queued()).unwrap_err();
        let further = (launches / 1000 - 1) as usize;
        assert!(
            matches!(error, Error::Panic { block: [999, 0, 0], further: f, .. } if f == further),
            "{error}"
        );
        ring.report(ring.queued()).unwrap();
    }

    #[test]
    fn a_launch_that_was_not_queued_leaves_no_trace() {
        let (ring, queue, saxpy) = (ring(), Queue::default(), facts("saxpy"));
        ring.launch(&queue, saxpy, |_| Err(illegal_address())).unwrap_err();
        assert_eq!(ring.queued(), 0);
    }

    #[test]
    fn what_a_kernel_broke_is_blamed_on_those_at_work() {
        let (ring, queue) = (ring(), Queue::default());
        let names = ["a", "b", "c", "d", "e"].map(facts);
        launch(&ring, &queue, names[0], None).unwrap();
        launch(&ring, &queue, names[0], None).unwrap();
        let text = ring.blame(illegal_address()).to_string();
        assert!(text.ends_with("was encountered; it happened in a launch of `a`"), "{text}");
        names.iter().for_each(|facts| launch(&ring, &queue, facts, None).unwrap());
        let text = ring.blame(illegal_address()).to_string();
        assert!(
            text.ends_with("one of the latest launches, of `e`, `d`, `c`, `b` and 1 more kernels"),
            "{text}"
        );
        ring.report(ring.queued()).unwrap();
        let text = ring.blame(illegal_address()).to_string();
        assert!(text.ends_with("was encountered"), "{text}");
    }

    #[test]
    fn a_broken_queue_is_an_error_of_the_launch_that_waits_for_it() {
        let (ring, queue, saxpy) = (ring(), Queue::default(), facts("saxpy"));
        for _ in 0..RECORDS {
            launch(&ring, &queue, saxpy, None).unwrap();
        }
        queue.broken.set(true);
        let error = launch(&ring, &queue, saxpy, None).unwrap_err();
        assert!(error.to_string().ends_with("in a launch of `saxpy`"), "{error}");
    }
}
