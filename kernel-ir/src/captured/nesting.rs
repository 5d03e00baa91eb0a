//! How deep a tree may nest. Reading one, and every walk over it, takes stack for each level.

use serde::de::{Deserialize, Deserializer, Error};
use std::cell::Cell;

/// The deepest tree that is read: several times as deep as the macros write.
pub const MAX_NESTING: u32 = 512;

thread_local! {
    /// How many expressions and patterns are being read, each inside the one before it.
    static LEVEL: Cell<u32> = const { Cell::new(0) };
}

/// Reads what an expression or pattern is, unless it nests too deep.
pub(super) fn read<'de, D: Deserializer<'de>, T: Deserialize<'de>>(from: D) -> Result<T, D::Error> {
    let level = LEVEL.get();
    if level == MAX_NESTING {
        return Err(D::Error::custom(format!("it nests more than {MAX_NESTING} levels deep")));
    }
    LEVEL.set(level + 1);
    let read = T::deserialize(from);
    LEVEL.set(level);
    read
}
