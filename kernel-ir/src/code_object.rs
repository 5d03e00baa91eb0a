//! What code generation returns and the runtime loads.

use crate::abi::Abi;
use crate::span::Span;
use crate::typed::PanicKind;

/// How the bytes of a [`CodeObject`] are to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// A linked AMD code object (ELF, `.hsaco`).
    Hsaco,
    /// PTX text, without a terminating zero.
    Ptx,
    /// A relocatable object of the host (ELF), for the CPU device.
    HostObject,
}

/// A kernel compiled for one target.
#[derive(Clone, Debug, PartialEq)]
pub struct CodeObject {
    /// The kernel's name, for people.
    pub name: String,
    /// The symbol to look up.
    pub symbol: String,
    /// The target that it was compiled for, as `Target` prints it: `gfx90a:xnack+`, `sm_90`, `host`.
    pub target: String,
    /// What the bytes are.
    pub format: Format,
    /// The code.
    pub bytes: Vec<u8>,
    /// How arguments are handed over.
    pub abi: Abi,
    /// Whether the launch sizes the grid from its buffers.
    pub elementwise: bool,
    /// The exact size of a block that it was compiled for; none where any that the device takes will do.
    pub block: Option<[u32; 3]>,
    /// Shared memory of a block, in bytes.
    pub shared_bytes: u64,
    /// On the CPU, scratch space of a block for the variables that outlive a barrier, in bytes.
    pub scratch_bytes: u64,
    /// What a panic's number means.
    pub panics: Vec<PanicSite>,
}

/// A place in the source that can panic.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PanicSite {
    /// Why.
    pub kind: PanicKind,
    /// The source file, as rustc names it.
    pub file: String,
    /// Where in it.
    pub span: Span,
}

impl PanicSite {
    /// The message, as Rust's own panic would word it, with the two values of the fault record.
    pub fn message(&self, values: [u64; 2]) -> String {
        let [a, b] = values;
        match &self.kind {
            PanicKind::Message(text) => text.clone(),
            PanicKind::IndexOutOfBounds => {
                format!("index out of bounds: the len is {b} but the index is {a}")
            }
            PanicKind::SliceStartAfterEnd => format!("slice index starts at {a} but ends at {b}"),
            PanicKind::SliceEndOutOfBounds => {
                format!("range end index {a} out of range for slice of length {b}")
            }
            PanicKind::DivideByZero => "attempt to divide by zero".into(),
            PanicKind::RemainderByZero => "attempt to calculate the remainder with a divisor of zero".into(),
            PanicKind::DivideOverflow => "attempt to divide with overflow".into(),
            PanicKind::RemainderOverflow => "attempt to calculate the remainder with overflow".into(),
            PanicKind::Overflow(op) => {
                use crate::typed::BinaryOp::*;
                let verb = match op {
                    Add => "add",
                    Sub => "subtract",
                    Mul => "multiply",
                    Shl => "shift left",
                    Shr => "shift right",
                    _ => "compute",
                };
                format!("attempt to {verb} with overflow")
            }
            PanicKind::NegateOverflow => "attempt to negate with overflow".into(),
        }
    }
}
