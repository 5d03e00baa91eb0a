//! What rustc said about a function: for each of its instances, one [`Record`] for each note of its captured body.

use crate::builtin::Builtin;
use crate::types::{TypeId, TypeTable};
use std::any::TypeId as RustTypeId;

/// An instance of a device function: an index into [`Instances::all`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct InstanceId(pub u32);

/// What rustc said about one note.
#[derive(Clone, Debug, PartialEq)]
pub enum Record {
    /// The type of an expression, a parameter or a `let`.
    Type(TypeId),
    /// The function that a call or operator means.
    Callee(InstanceId),
    /// The value of a constant, as the bytes it has in memory. Padding bytes are zero.
    Constant(TypeId, Vec<u8>),
}

/// What an instance does when called.
#[derive(Clone, Debug, PartialEq)]
pub enum Meaning {
    /// It has a captured body, [`crate::captured::Body`] as bytes. The bytes are the same for every instance.
    Body(&'static [u8]),
    /// It is an operation of the language, of std or of the device.
    Builtin(Builtin),
}

/// One instance of a device function, of a kernel or of an operation.
#[derive(Clone, Debug, PartialEq)]
pub struct Instance {
    /// The function with its generic arguments, for people: `geometry::twice::<Circle>`.
    pub name: String,
    /// What it does.
    pub meaning: Meaning,
    /// The types that an operation's meaning depends on: `f32` for `f32::sqrt`, `usize` and `[f32]` for indexing.
    pub types: Vec<TypeId>,
    /// The answers to the notes of the body, by [`Note`](crate::captured::Note).
    pub records: Vec<Record>,
    /// The source file of the body, as rustc names it.
    pub file: &'static str,
    /// `#[track_caller]`: a panic in it is reported where it is called.
    pub track_caller: bool,
}

impl Instance {
    /// `builtin` on these types, which `table` holds.
    pub fn operation(builtin: Builtin, types: Vec<TypeId>, table: &TypeTable) -> Self {
        let names: Vec<String> = types.iter().map(|t| table.name(*t)).collect();
        let name = match builtin.facts().name {
            name if names.is_empty() => name.to_string(),
            name => format!("{name}::<{}>", names.join(", ")),
        };
        Self {
            name,
            meaning: Meaning::Builtin(builtin),
            types,
            records: Vec::new(),
            file: "",
            track_caller: false,
        }
    }
}

/// Every instance that a kernel reaches, and their types. Number 0 is the kernel.
#[derive(Clone, Debug, Default)]
pub struct Instances {
    /// The instances, each once.
    pub all: Vec<Instance>,
    /// Their types.
    pub types: TypeTable,
    /// rustc's identity of each instance, by number.
    pub identities: Vec<RustTypeId>,
}
