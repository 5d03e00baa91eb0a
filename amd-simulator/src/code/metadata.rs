//! What the metadata note of a code object says, as "Code Object V5 Metadata" in LLVM's "User Guide for AMDGPU Backend"
//! lays it out.

use super::{Descriptor, Kernel};
use object::read::elf::{ElfFile64, SectionHeader};
use object::{Endianness, Object};
use rmpv::Value;
use std::collections::BTreeMap;

/// The owner and number of the note.
const NOTE: (&[u8], u32) = (b"AMDGPU", 32);

/// Where an argument stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Argument {
    /// Its first byte.
    pub offset: u64,
    /// Its size in bytes.
    pub size: u64,
}

/// An argument that a launch adds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hidden {
    /// The number of work-groups along a dimension.
    BlockCount(usize),
    /// The size of a work-group along a dimension.
    GroupSize(usize),
    /// The size of a last, smaller work-group.
    Remainder(usize),
    /// The number of dimensions.
    Dimensions,
    /// The size of the memory of a work-group that the launch asks for.
    DynamicShared,
    /// The upper half of addresses of threads' own memory.
    PrivateBase,
    /// The upper half of addresses of the work-group's memory.
    SharedBase,
    /// The address of the queue.
    Queue,
    /// What is zero here: offsets of the grid, and what printing and calling the host would need.
    Zero,
}

impl Hidden {
    fn of(kind: &str) -> Option<Self> {
        Some(match kind.strip_prefix("hidden_")? {
            "block_count_x" => Hidden::BlockCount(0),
            "block_count_y" => Hidden::BlockCount(1),
            "block_count_z" => Hidden::BlockCount(2),
            "group_size_x" => Hidden::GroupSize(0),
            "group_size_y" => Hidden::GroupSize(1),
            "group_size_z" => Hidden::GroupSize(2),
            "remainder_x" => Hidden::Remainder(0),
            "remainder_y" => Hidden::Remainder(1),
            "remainder_z" => Hidden::Remainder(2),
            "grid_dims" => Hidden::Dimensions,
            "dynamic_lds_size" => Hidden::DynamicShared,
            "private_base" => Hidden::PrivateBase,
            "shared_base" => Hidden::SharedBase,
            "queue_ptr" => Hidden::Queue,
            _ => Hidden::Zero,
        })
    }
}

/// The metadata of a code object.
pub(super) struct Metadata {
    /// What it is for: `amdgcn-amd-amdhsa--gfx942`.
    pub(super) target: String,
    pub(super) kernels: Vec<Found>,
}

/// A kernel that the metadata names.
pub(super) struct Found {
    name: String,
    symbol: String,
    argument_bytes: u64,
    arguments: Vec<Argument>,
    hidden: Vec<(Hidden, Argument)>,
}

impl Metadata {
    pub(super) fn of(elf: &ElfFile64<Endianness>) -> Result<Self, String> {
        let note = note(elf)?;
        let value =
            rmpv::decode::read_value(&mut &note[..]).map_err(|error| format!("its metadata: {error}"))?;
        let target = text(&value, "amdhsa.target").ok_or("its metadata names no target")?.to_string();
        let kernels = get(&value, "amdhsa.kernels").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        let kernels: Result<_, String> = kernels.iter().map(Found::of).collect();
        Ok(Self { target, kernels: kernels? })
    }
}

impl Found {
    fn of(kernel: &Value) -> Result<Self, String> {
        let name = text(kernel, ".name").ok_or("its metadata has a kernel without a name")?;
        let symbol = text(kernel, ".symbol").ok_or("its metadata has a kernel without a symbol")?;
        let mut found = Found {
            name: name.into(),
            symbol: symbol.into(),
            argument_bytes: number(kernel, ".kernarg_segment_size").unwrap_or(0),
            arguments: Vec::new(),
            hidden: Vec::new(),
        };
        for argument in get(kernel, ".args").and_then(Value::as_array).into_iter().flatten() {
            let part =
                |key| number(argument, key).ok_or_else(|| format!("`{name}` has an argument without {key}"));
            let place = Argument { offset: part(".offset")?, size: part(".size")? };
            let fits = place.offset.checked_add(place.size).is_some_and(|end| end <= found.argument_bytes);
            if !fits {
                return Err(format!("`{name}` has an argument past the end of its arguments"));
            }
            match text(argument, ".value_kind").and_then(Hidden::of) {
                Some(hidden) => found.hidden.push((hidden, place)),
                None => found.arguments.push(place),
            }
        }
        Ok(found)
    }

    /// The kernel, with what the loaded image says of it.
    pub(super) fn resolve(
        self,
        symbols: &BTreeMap<String, (u64, u64)>,
        base: u64,
        image: &[u8],
    ) -> Result<Kernel, String> {
        let (object, _) =
            symbols.get(&self.symbol).ok_or_else(|| format!("it has no symbol `{}`", self.symbol))?;
        let start = (object - base) as usize;
        let bytes = image.get(start..).and_then(|rest| rest.first_chunk());
        let descriptor = Descriptor::read(bytes.ok_or_else(|| format!("`{}` is outside", self.symbol))?);
        Ok(Kernel {
            name: self.name,
            descriptor,
            entry: (object - base).wrapping_add_signed(descriptor.entry_offset),
            object: *object,
            argument_bytes: self.argument_bytes,
            arguments: self.arguments,
            hidden: self.hidden,
        })
    }
}

fn note<'d>(elf: &ElfFile64<'d, Endianness>) -> Result<&'d [u8], String> {
    for section in elf.sections() {
        let header = section.elf_section_header();
        let notes = header.notes(elf.endian(), elf.data()).map_err(|error| error.to_string())?;
        let Some(mut notes) = notes else { continue };
        while let Some(note) = notes.next().map_err(|error| error.to_string())? {
            if note.name() == NOTE.0 && note.n_type(elf.endian()).0 == NOTE.1 {
                return Ok(note.desc());
            }
        }
    }
    Err("it has no note of AMD's".into())
}

fn get<'v>(map: &'v Value, key: &str) -> Option<&'v Value> {
    map.as_map()?.iter().find(|(k, _)| k.as_str() == Some(key)).map(|(_, value)| value)
}

fn text<'v>(map: &'v Value, key: &str) -> Option<&'v str> {
    get(map, key)?.as_str()
}

fn number(map: &Value, key: &str) -> Option<u64> {
    get(map, key)?.as_u64()
}
