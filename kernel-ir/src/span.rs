//! Where in the user's source something stands.

use serde::{Deserialize, Serialize};

/// A place in a source file. The file is a property of the function that the place is in.
///
/// Lines and columns count from 1, columns in characters, as rustc prints them. `0:0` means that the node was made by
/// the compiler.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Span {
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
}

impl Span {
    /// The place `line:column`, both from 1.
    pub const fn new(line: u32, column: u32) -> Self {
        Self { line, column }
    }
}

impl std::fmt::Display for Span {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}
