//! Code objects: loaded into device memory, their kernels found, their instructions decoded.

mod descriptor;
mod metadata;

pub use descriptor::{Descriptor, UserRegister};
pub use metadata::{Argument, Hidden};

use crate::decode::decode;
use crate::family::{Family, UnknownFamily};
use crate::memory::{DeviceMemory, MemoryError};
use crate::operation::{Instruction, Op};
use metadata::Metadata;
use object::read::elf::ElfFile64;
use object::{
    Endianness, Object, ObjectSection, ObjectSegment, ObjectSymbol, RelocationFlags, RelocationTarget,
};
use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};
use wavewright_codegen::inspect::Disassembler;
use wavewright_kernel_ir::target::{AmdTarget, Target};

/// Why a code object could not be loaded.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LoadError {
    /// It is not one.
    #[error("it is no code object: {0}")]
    Malformed(String),
    /// It is for another device.
    #[error("it is for `{found}`, and the device is a `{device}`")]
    OtherDevice {
        /// What it is for.
        found: String,
        /// What there is.
        device: String,
    },
    /// Its architecture is not simulated.
    #[error(transparent)]
    Family(#[from] UnknownFamily),
    /// It needs what the loader does not do.
    #[error("{0}")]
    NotImplemented(String),
    /// There is no room for it.
    #[error(transparent)]
    Memory(#[from] MemoryError),
}

/// A kernel of a code object.
#[derive(Clone, Debug)]
pub struct Kernel {
    /// The name of its function.
    pub name: String,
    /// What the hardware is told about it.
    pub descriptor: Descriptor,
    /// Where its first instruction stands.
    pub entry: u64,
    /// The address of its descriptor in device memory.
    pub object: u64,
    /// The size of its arguments, in bytes, those that a launch adds included.
    pub argument_bytes: u64,
    /// The arguments that the program gives.
    pub arguments: Vec<Argument>,
    /// The arguments that a launch adds.
    pub hidden: Vec<(Hidden, Argument)>,
}

/// The instructions of a code object.
pub(crate) struct Program {
    pub(crate) instructions: Vec<Instruction>,
    /// By word from the first: the number of the instruction there.
    index: Vec<u32>,
    start: u64,
    /// Where the code object was loaded.
    pub(crate) base: u64,
}

const NO_INSTRUCTION: u32 = u32::MAX;

impl Program {
    /// The number of the instruction at a place in the code object's own counting.
    pub(crate) fn index_of(&self, place: u64) -> Option<usize> {
        let distance = place.checked_sub(self.start).filter(|distance| distance.is_multiple_of(4))?;
        let index = *self.index.get(usize::try_from(distance / 4).ok()?)?;
        (index != NO_INSTRUCTION).then_some(index as usize)
    }

    /// The address of an instruction in device memory.
    pub(crate) fn address_of(&self, index: usize) -> u64 {
        self.base + self.instructions.get(index).map_or(self.end(), |instruction| instruction.address)
    }

    /// Past the last instruction.
    pub(crate) fn end(&self) -> u64 {
        self.instructions.last().map_or(self.start, |last| last.address + u64::from(last.size))
    }
}

/// A code object in device memory.
pub struct Code {
    family: Family,
    kernels: BTreeMap<String, Kernel>,
    symbols: BTreeMap<String, (u64, u64)>,
    base: u64,
    text: Vec<(u64, Vec<u8>)>,
    device: AmdTarget,
    programs: [OnceLock<Arc<Program>>; 2],
}

impl Code {
    /// Loads a code object (ELF) for `device` into `memory`.
    ///
    /// # Errors
    ///
    /// If the bytes are no code object, or one for another device.
    pub fn load(bytes: &[u8], device: &AmdTarget, memory: &DeviceMemory) -> Result<Self, LoadError> {
        let malformed = |error: object::read::Error| LoadError::Malformed(error.to_string());
        let elf: ElfFile64<Endianness> = ElfFile64::parse(bytes).map_err(malformed)?;
        let metadata = Metadata::of(&elf).map_err(LoadError::Malformed)?;
        check_target(&metadata.target, device)?;
        let image = Image::of(&elf).map_err(LoadError::Malformed)?;
        let base = memory.allocate(image.bytes.len() as u64)?;
        let loaded = Self::finish(&elf, metadata, image, base, device, memory);
        if loaded.is_err() {
            memory.free(base);
        }
        loaded
    }

    fn finish(
        elf: &ElfFile64<Endianness>,
        metadata: Metadata,
        mut image: Image,
        base: u64,
        device: &AmdTarget,
        memory: &DeviceMemory,
    ) -> Result<Self, LoadError> {
        let malformed = |error: object::read::Error| LoadError::Malformed(error.to_string());
        image.relocate(elf, base)?;
        memory.view().copy_in(base, &image.bytes)?;
        let mut symbols = BTreeMap::new();
        for symbol in elf.dynamic_symbols().chain(elf.symbols()) {
            if let Ok(name) = symbol.name()
                && symbol.is_definition()
            {
                symbols.insert(name.to_string(), (base + symbol.address(), symbol.size()));
            }
        }
        let mut kernels = BTreeMap::new();
        for found in metadata.kernels {
            let kernel = found.resolve(&symbols, base, &image.bytes).map_err(LoadError::Malformed)?;
            kernels.insert(kernel.name.clone(), kernel);
        }
        let mut text = Vec::new();
        for section in elf.sections().filter(|section| section.kind() == object::SectionKind::Text) {
            text.push((section.address(), section.data().map_err(malformed)?.to_vec()));
        }
        text.sort_by_key(|(address, _)| *address);
        let programs = [OnceLock::new(), OnceLock::new()];
        Ok(Self { family: Family::of(device)?, kernels, symbols, base, text, device: *device, programs })
    }

    /// The kernel whose function has this name.
    pub fn kernel(&self, name: &str) -> Option<&Kernel> {
        self.kernels.get(name)
    }

    /// Its kernels, by name.
    pub fn kernels(&self) -> impl Iterator<Item = &Kernel> {
        self.kernels.values()
    }

    /// The address and the size of a variable.
    pub fn variable(&self, name: &str) -> Option<(u64, u64)> {
        self.symbols.get(name).copied()
    }

    /// Where it was loaded.
    pub fn base(&self) -> u64 {
        self.base
    }

    pub(crate) fn family(&self) -> &Family {
        &self.family
    }

    /// The instructions as waves of this size read them, decoded when they are first asked for.
    pub(crate) fn program(&self, wave32: bool) -> Arc<Program> {
        let decoded = || Arc::new(self.decode(wave32));
        self.programs[usize::from(wave32)].get_or_init(decoded).clone()
    }

    fn decode(&self, wave32: bool) -> Program {
        let target = AmdTarget { wave_size: if wave32 { 32 } else { 64 }, ..self.device };
        let disassembler = Disassembler::create(&Target::Amd(target));
        let start = self.text.first().map_or(0, |(address, _)| *address);
        let end = self.text.last().map_or(0, |(address, code)| address + code.len() as u64);
        let mut index = vec![NO_INSTRUCTION; ((end - start) / 4) as usize + 1];
        let mut instructions = Vec::new();
        for (address, code) in &self.text {
            let mut code = code.clone();
            let mut offset = 0;
            while offset < code.len() {
                let place = address + offset as u64;
                let instruction = match &disassembler {
                    Ok(disassembler) => match disassembler.first(&mut code[offset..], place) {
                        (size, Some(text)) => decode(&text, place, size as u8, &self.family, wave32),
                        (_, None) => nothing(&code[offset..], place, "these bytes are no instruction"),
                    },
                    Err(error) => nothing(&code[offset..], place, &error.to_string()),
                };
                offset += usize::from(instruction.size);
                index[((place - start) / 4) as usize] = instructions.len() as u32;
                instructions.push(instruction);
            }
        }
        Program { instructions, index, start, base: self.base }
    }
}

/// Bytes that can't be read as an instruction.
fn nothing(code: &[u8], address: u64, reason: &str) -> Instruction {
    let word = code.iter().take(4).rev().fold(0u32, |word, byte| word << 8 | u32::from(*byte));
    Instruction { address, size: 4, op: Op::Stop(reason.into()), text: format!(".long {word:#010x}").into() }
}

/// Refuses what is for another device.
fn check_target(found: &str, device: &AmdTarget) -> Result<(), LoadError> {
    let id = found.rsplit("--").next().unwrap_or_default();
    let other = || LoadError::OtherDevice { found: id.into(), device: device.target_id() };
    match id.parse::<Target>() {
        Ok(Target::Amd(target)) => {
            let runs =
                target.arch.name == device.arch.name || target.arch.members.contains(&device.arch.name);
            if runs { Ok(()) } else { Err(other()) }
        }
        _ => Err(other()),
    }
}

/// What is loaded of a file.
struct Image {
    bytes: Vec<u8>,
}

/// More than any code object is: a size that a broken file may claim.
const LARGEST: u64 = 1 << 30;

impl Image {
    fn of(elf: &ElfFile64<Endianness>) -> Result<Self, String> {
        let end =
            elf.segments().map(|segment| segment.address().saturating_add(segment.size())).max().unwrap_or(0);
        if end > LARGEST {
            return Err(format!("it claims to be {end} bytes long"));
        }
        let mut bytes = vec![0; end as usize];
        for segment in elf.segments() {
            let data = segment.data().map_err(|error| error.to_string())?;
            let start = segment.address() as usize;
            let place = bytes.get_mut(start..start + data.len()).ok_or("a segment is longer than it says")?;
            place.copy_from_slice(data);
        }
        Ok(Self { bytes })
    }

    fn relocate(&mut self, elf: &ElfFile64<Endianness>, base: u64) -> Result<(), LoadError> {
        const ABS32_LO: u32 = 1;
        const ABS32_HI: u32 = 2;
        const ABS64: u32 = 3;
        const ABS32: u32 = 6;
        const RELATIVE64: u32 = 13;
        for (offset, relocation) in elf.dynamic_relocations().into_iter().flatten() {
            let RelocationFlags::Elf { r_type } = relocation.flags() else { continue };
            let symbol = match relocation.target() {
                RelocationTarget::Symbol(index) => {
                    let table = elf.dynamic_symbol_table();
                    let symbol = table.and_then(|table| {
                        use object::ObjectSymbolTable;
                        table.symbol_by_index(index).ok()
                    });
                    match symbol {
                        Some(symbol) if symbol.is_definition() => base + symbol.address(),
                        _ => {
                            return Err(LoadError::NotImplemented(
                                "it refers to a symbol that it does not define".into(),
                            ));
                        }
                    }
                }
                _ => base,
            };
            let value = symbol.wrapping_add_signed(relocation.addend());
            let (value, size) = match r_type.0 {
                ABS64 | RELATIVE64 => (value, 8),
                ABS32 | ABS32_LO => (value & 0xffff_ffff, 4),
                ABS32_HI => (value >> 32, 4),
                _ => {
                    return Err(LoadError::NotImplemented(format!(
                        "relocation {} is not implemented",
                        r_type.0
                    )));
                }
            };
            let start = usize::try_from(offset).unwrap_or(usize::MAX);
            let place = start.checked_add(size).and_then(|end| self.bytes.get_mut(start..end));
            let place = place.ok_or_else(|| LoadError::Malformed("a relocation is outside".into()))?;
            place.copy_from_slice(&value.to_le_bytes()[..size]);
        }
        Ok(())
    }
}
