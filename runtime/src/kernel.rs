//! A kernel that is compiled and loaded.

use crate::Error;
use crate::backend::LoadedKernel;
use wavewright_kernel_ir::abi::FaultRecord;
use wavewright_kernel_ir::code_object::{CodeObject, PanicSite};

/// A kernel on a device. It stays there as long as the process lives.
pub(crate) struct Kernel {
    pub(crate) facts: KernelFacts,
    pub(crate) loaded: Box<dyn LoadedKernel>,
}

/// What a launch, and a reader of its fault record, needs to know of a kernel.
#[derive(Debug)]
pub(crate) struct KernelFacts {
    /// The name, for people.
    pub(crate) name: String,
    /// The number of threads in a block.
    pub(crate) block: [u32; 3],
    /// The size of its arguments, in bytes, the fault record's address included.
    pub(crate) argument_bytes: u64,
    /// What a panic's number means.
    pub(crate) panics: Vec<PanicSite>,
}

impl KernelFacts {
    /// The facts of `code`, for blocks of `block` threads.
    pub(crate) fn of(code: &CodeObject, block: [u32; 3]) -> Self {
        Self { name: code.name.clone(), block, argument_bytes: code.abi.size, panics: code.panics.clone() }
    }

    /// What `record` says, if a thread has claimed it.
    pub(crate) fn panic(&self, record: &FaultRecord) -> Option<Error> {
        if record.state == FaultRecord::EMPTY {
            return None;
        }
        let site = self.panics.get(record.site as usize);
        let message = site.map_or_else(
            || format!("for a reason that its code does not name (number {})", record.site),
            |site| site.message(record.values),
        );
        let span = site.map(|s| s.span).unwrap_or_default();
        Some(Error::Panic {
            kernel: self.name.clone(),
            message,
            file: site.map(|s| s.file.clone()).unwrap_or_default(),
            line: span.line,
            column: span.column,
            block: record.block,
            thread: record.thread,
            further: 0,
        })
    }
}
