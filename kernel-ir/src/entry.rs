//! What a macro knows of a kernel instance, handed to whoever compiles or launches it.

use crate::record::Instances;
use crate::span::Span;
use crate::typed::Program;
use std::any::TypeId as RustTypeId;

/// One instance of a kernel.
#[derive(Clone, Copy, Debug)]
pub struct KernelEntry {
    /// Tells instances apart; the key of in-process caches.
    pub identity: RustTypeId,
    /// The kernel's path without generic arguments, for messages.
    pub name: &'static str,
    /// What the macros captured of the kernel and of all that it calls, with what rustc said about it;
    /// [`print::captured`](crate::print::captured) shows it.
    pub captured: fn() -> Instances,
    /// Builds the instance's program.
    pub program: fn() -> Result<Program, BuildError>,
}

/// A kernel that rustc accepted can't be made into a program: it uses something that only shows once instances are
/// known (recursion, a function without `#[device]` behind a familiar name), or macro and library are of different
/// versions.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file}:{span}: {message}")]
pub struct BuildError {
    /// The source file, as rustc names it.
    pub file: String,
    /// Where in it.
    pub span: Span,
    /// What is wrong and what to write instead.
    pub message: String,
}
