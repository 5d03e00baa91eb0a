//! Panics on their way from a device to the host.

use crate::Error;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The panics that have arrived and that nobody has been told of.
#[derive(Default)]
pub(crate) struct Panics {
    waiting: Mutex<Option<Waiting>>,
}

struct Waiting {
    first: Error,
    further: usize,
}

impl Panics {
    /// Adds one. It comes after those that are here.
    pub(crate) fn add(&self, panic: Error) {
        match &mut *self.lock() {
            Some(waiting) => waiting.further += 1,
            none => *none = Some(Waiting { first: panic, further: 0 }),
        }
    }

    /// Tells of the first, with the number of the others, and forgets them all.
    pub(crate) fn report(&self) -> Result<(), Error> {
        let Some(Waiting { mut first, further: others }) = self.lock().take() else {
            return Ok(());
        };
        if let Error::Panic { further, .. } = &mut first {
            *further = others;
        }
        Err(first)
    }

    fn lock(&self) -> MutexGuard<'_, Option<Waiting>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::KernelFacts;
    use wavewright_kernel_ir::abi::FaultRecord;
    use wavewright_kernel_ir::code_object::PanicSite;
    use wavewright_kernel_ir::span::Span;
    use wavewright_kernel_ir::typed::PanicKind;

    fn facts() -> KernelFacts {
        let site = PanicSite {
            kind: PanicKind::IndexOutOfBounds,
            file: "src/main.rs".into(),
            span: Span::new(12, 9),
        };
        KernelFacts { name: "saxpy".into(), block: [256, 1, 1], argument_bytes: 8, panics: vec![site] }
    }

    fn claimed(site: u32) -> FaultRecord {
        FaultRecord {
            state: FaultRecord::CLAIMED,
            site,
            block: [3, 0, 0],
            thread: [17, 0, 0],
            values: [5, 4],
        }
    }

    #[test]
    fn a_record_becomes_an_error_with_message_place_and_thread() {
        assert!(facts().panic(&FaultRecord::default()).is_none());
        assert_eq!(
            facts().panic(&claimed(0)).unwrap().to_string(),
            "kernel `saxpy` panicked at src/main.rs:12:9, block (3, 0, 0), thread (17, 0, 0): index out of bounds: \
             the len is 4 but the index is 5"
        );
    }

    #[test]
    fn an_unknown_number_is_said_not_guessed() {
        let text = facts().panic(&claimed(7)).unwrap().to_string();
        assert!(text.ends_with("for a reason that its code does not name (number 7)"), "{text}");
    }

    #[test]
    fn the_first_is_reported_once_and_the_others_are_counted() {
        let panics = Panics::default();
        panics.report().unwrap();
        for block in 0..3 {
            panics.add(facts().panic(&FaultRecord { block: [block, 0, 0], ..claimed(0) }).unwrap());
        }
        let error = panics.report().unwrap_err();
        assert!(matches!(error, Error::Panic { block: [0, 0, 0], further: 2, .. }), "{error}");
        assert!(error.to_string().ends_with("(2 later launches panicked as well)"), "{error}");
        panics.report().unwrap();
    }
}
