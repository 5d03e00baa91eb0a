//! What is wanted of ELF files.

use object::read::elf::{ElfFile64, NoteIterator, SectionHeader};
use object::{Endianness, Object, ObjectSection, ObjectSymbol, SymbolKind};

/// A function's instructions.
pub(super) struct Function<'d> {
    /// Where the first stands, in the file's own counting.
    pub(super) address: u64,
    /// The bytes.
    pub(super) code: &'d [u8],
}

/// The function of this name.
pub(super) fn function<'d>(file: &'d [u8], name: &str) -> Result<Function<'d>, String> {
    let elf = parse(file)?;
    let symbol = elf
        .symbols()
        .chain(elf.dynamic_symbols())
        .find(|symbol| symbol.name() == Ok(name) && symbol.kind() == SymbolKind::Text)
        .ok_or_else(|| format!("it has no function `{name}`"))?;
    let broken = |error: object::read::Error| format!("function `{name}`: {error}");
    let section = symbol.section_index().ok_or_else(|| format!("function `{name}` is not defined in it"))?;
    let section = elf.section_by_index(section).map_err(broken)?;
    let code = section.data_range(symbol.address(), symbol.size()).map_err(broken)?;
    let code = code.ok_or_else(|| format!("function `{name}` is not inside its section"))?;
    Ok(Function { address: symbol.address(), code })
}

/// The content of the note of this owner and kind.
pub(super) fn note<'d>(file: &'d [u8], owner: &str, kind: u32) -> Result<&'d [u8], String> {
    let elf = parse(file)?;
    for section in elf.sections() {
        let header = section.elf_section_header();
        let notes: Option<NoteIterator<_>> =
            header.notes(elf.endian(), elf.data()).map_err(|error| error.to_string())?;
        let Some(mut notes) = notes else { continue };
        while let Some(note) = notes.next().map_err(|error| error.to_string())? {
            if note.name() == owner.as_bytes() && note.n_type(elf.endian()).0 == kind {
                return Ok(note.desc());
            }
        }
    }
    Err(format!("it has no note of `{owner}` with number {kind}"))
}

fn parse(file: &[u8]) -> Result<ElfFile64<'_, Endianness>, String> {
    ElfFile64::parse(file).map_err(|error| format!("it is no 64-bit ELF file: {error}"))
}
