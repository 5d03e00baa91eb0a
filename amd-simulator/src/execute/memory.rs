//! Vector accesses to global memory, to a lane's own, and to whatever the address says.

use super::Group;
use super::shared::SharedMemory;
use crate::fault::{Cause, Stop};
use crate::half;
use crate::memory::{PRIVATE_APERTURE, Recent, SHARED_APERTURE, View};
use crate::operation::{Action, Atomic, AtomicOp, Memory, Shape, Space};
use crate::wave::{Wave, lanes_of};
use std::ops::Range;

/// Memory of some kind, to be read and written by address.
pub(super) trait Place {
    fn read(&mut self, address: u64, bytes: u64) -> Result<u64, Cause>;
    fn write(&mut self, address: u64, bytes: u64, value: u64) -> Result<(), Cause>;
    fn update(&mut self, address: u64, wide: bool, f: impl Fn(u64) -> u64) -> Result<u64, Cause>;
}

struct Global<'l> {
    view: &'l View,
    recent: Recent,
}

impl Place for Global<'_> {
    #[inline]
    fn read(&mut self, address: u64, bytes: u64) -> Result<u64, Cause> {
        Ok(self.view.read(address, bytes, &mut self.recent)?)
    }

    #[inline]
    fn write(&mut self, address: u64, bytes: u64, value: u64) -> Result<(), Cause> {
        Ok(self.view.write(address, bytes, value, &mut self.recent)?)
    }

    fn update(&mut self, address: u64, wide: bool, f: impl Fn(u64) -> u64) -> Result<u64, Cause> {
        Ok(self.view.update(address, wide, &mut self.recent, f)?)
    }
}

/// A lane's own memory.
struct Private<'w> {
    bytes: &'w mut [u8],
}

impl Private<'_> {
    fn range(&self, address: u64, bytes: u64) -> Result<Range<usize>, Cause> {
        let size = self.bytes.len() as u64;
        range_within(size, address, bytes).ok_or(Cause::Private { address, bytes, size })
    }
}

/// The bytes of an access, if they lie in a memory of this size.
pub(super) fn range_within(size: u64, address: u64, bytes: u64) -> Option<Range<usize>> {
    let end = address.checked_add(bytes).filter(|end| *end <= size)?;
    Some(address as usize..end as usize)
}

impl Place for Private<'_> {
    fn read(&mut self, address: u64, bytes: u64) -> Result<u64, Cause> {
        let range = self.range(address, bytes)?;
        Ok(number(&self.bytes[range]))
    }

    fn write(&mut self, address: u64, bytes: u64, value: u64) -> Result<(), Cause> {
        let range = self.range(address, bytes)?;
        self.bytes[range].copy_from_slice(&value.to_le_bytes()[..bytes as usize]);
        Ok(())
    }

    fn update(&mut self, address: u64, wide: bool, f: impl Fn(u64) -> u64) -> Result<u64, Cause> {
        let bytes = if wide { 8 } else { 4 };
        let was = self.read(address, bytes)?;
        self.write(address, bytes, f(was))?;
        Ok(was)
    }
}

/// The number in at most eight bytes.
pub(super) fn number(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte))
}

pub(super) fn access(wave: &mut Wave, access: &Memory, group: &mut Group) -> Result<(), Stop> {
    let exec = wave.exec();
    match access.space {
        Space::Global => {
            let mut place = Global { view: group.view, recent: wave.recent };
            for lane in lanes_of(exec) {
                let address = global_address(wave, access, lane);
                perform(wave, access, lane, address, &mut place).map_err(|cause| (cause, Some(lane)))?;
            }
            wave.recent = place.recent;
        }
        Space::Scratch => {
            for lane in lanes_of(exec) {
                let address = private_address(wave, access, lane);
                private(wave, access, lane, address).map_err(|cause| (cause, Some(lane)))?;
            }
        }
        Space::Flat => {
            for lane in lanes_of(exec) {
                flat(wave, access, lane, group).map_err(|cause| (cause, Some(lane)))?;
            }
        }
        Space::Buffer { resource, offset_enable, index_enable } => {
            for lane in lanes_of(exec) {
                let buffer = Buffer { resource, offset_enable, index_enable };
                buffer.access(wave, access, lane, group).map_err(|cause| (cause, Some(lane)))?;
            }
        }
    }
    Ok(())
}

#[inline]
fn global_address(wave: &Wave, access: &Memory, lane: usize) -> u64 {
    let own = access.address.map_or(0, |register| {
        let low = u64::from(wave.vector(register)[lane]);
        // With a scalar base, the lanes' part is an offset of 32 bits.
        if access.base.is_some() { low } else { low | u64::from(wave.vector(register + 1)[lane]) << 32 }
    });
    let base = access.base.map_or(0, |base| wave.scalar(base, true));
    base.wrapping_add(own).wrapping_add_signed(access.offset)
}

fn private_address(wave: &Wave, access: &Memory, lane: usize) -> u64 {
    let own = access.address.map_or(0, |register| wave.vector(register)[lane]);
    let base = access.base.map_or(0, |base| wave.scalar(base, false) as u32);
    own.wrapping_add(base).wrapping_add(access.offset as u32).into()
}

/// Does the access to the lane's own memory.
fn private(wave: &mut Wave, access: &Memory, lane: usize, address: u64) -> Result<(), Cause> {
    // The memory is taken out while registers are written.
    let mut memory = std::mem::take(&mut wave.private);
    let size = wave.private_bytes as usize;
    let mut place = Private { bytes: &mut memory[lane * size..(lane + 1) * size] };
    let done = perform(wave, access, lane, address, &mut place);
    wave.private = memory;
    done
}

fn flat(wave: &mut Wave, access: &Memory, lane: usize, group: &mut Group) -> Result<(), Cause> {
    let address = global_address(wave, access, lane);
    match address >> 32 << 32 {
        SHARED_APERTURE => {
            let mut place = SharedMemory { bytes: group.shared };
            perform(wave, access, lane, address - SHARED_APERTURE, &mut place)
        }
        PRIVATE_APERTURE => private(wave, access, lane, address - PRIVATE_APERTURE),
        _ => {
            let mut place = Global { view: group.view, recent: wave.recent };
            perform(wave, access, lane, address, &mut place)
        }
    }
}

/// Does one lane's access.
#[inline]
pub(super) fn perform(
    wave: &mut Wave,
    access: &Memory,
    lane: usize,
    address: u64,
    place: &mut impl Place,
) -> Result<(), Cause> {
    match access.action {
        Action::Load(shape) => load(wave, shape, access.dst, lane, address, place),
        Action::Store(shape) => store(wave, shape, access.data, lane, address, place),
        Action::Atomic(atomic) => {
            // What is compared follows what is stored.
            let compared = access.data + if atomic.wide { 2 } else { 1 };
            update(wave, atomic, access.dst, [access.data, compared], lane, address, place)
        }
    }
}

#[inline]
pub(super) fn load(
    wave: &mut Wave,
    shape: Shape,
    dst: u16,
    lane: usize,
    address: u64,
    place: &mut impl Place,
) -> Result<(), Cause> {
    match shape {
        Shape::Words(words) => {
            // Read before anything is written: the address may be in a register that is.
            let mut values = [0; 4];
            for (word, value) in values.iter_mut().enumerate().take(words.into()) {
                *value = place.read(address.wrapping_add(4 * word as u64), 4)? as u32;
            }
            for word in 0..words {
                wave.vector_mut(dst + u16::from(word))[lane] = values[usize::from(word)];
            }
        }
        Shape::Small { bytes, signed, half } => {
            let value = place.read(address, bytes.into())?;
            let value = match (bytes, signed) {
                (1, true) => i32::from(value as i8).cast_unsigned(),
                (_, true) => i32::from(value as i16).cast_unsigned(),
                _ => value as u32,
            };
            let register = &mut wave.vector_mut(dst)[lane];
            *register = match half {
                None => value,
                Some(0) => *register & 0xffff_0000 | value & 0xffff,
                Some(_) => *register & 0xffff | value << 16,
            };
        }
    }
    Ok(())
}

#[inline]
pub(super) fn store(
    wave: &Wave,
    shape: Shape,
    data: u16,
    lane: usize,
    address: u64,
    place: &mut impl Place,
) -> Result<(), Cause> {
    match shape {
        Shape::Words(words) => {
            for word in 0..words {
                let value = wave.vector(data + u16::from(word))[lane];
                place.write(address.wrapping_add(4 * u64::from(word)), 4, value.into())?;
            }
        }
        Shape::Small { bytes, half, .. } => {
            let value = wave.vector(data)[lane];
            let value = if half == Some(1) { value >> 16 } else { value };
            let mask = if bytes == 1 { 0xff } else { 0xffff };
            place.write(address, bytes.into(), u64::from(value & mask))?;
        }
    }
    Ok(())
}

pub(super) fn update(
    wave: &mut Wave,
    atomic: Atomic,
    dst: u16,
    data: [u16; 2],
    lane: usize,
    address: u64,
    place: &mut impl Place,
) -> Result<(), Cause> {
    let value = |register: u16| {
        let low = u64::from(wave.vector(register)[lane]);
        if atomic.wide { low | u64::from(wave.vector(register + 1)[lane]) << 32 } else { low }
    };
    let operand = value(data[0]);
    let compared = if atomic.op == AtomicOp::CompareSwap { value(data[1]) } else { 0 };
    let was = place.update(address, atomic.wide, |old| combine(atomic, old, operand, compared))?;
    if atomic.returns {
        wave.vector_mut(dst)[lane] = was as u32;
        if atomic.wide {
            wave.vector_mut(dst + 1)[lane] = (was >> 32) as u32;
        }
    }
    Ok(())
}

/// What an atomic operation makes of `old`.
pub(crate) fn combine(atomic: Atomic, old: u64, new: u64, compared: u64) -> u64 {
    let wide = atomic.wide;
    let signed = |x: u64| if wide { x.cast_signed() } else { i64::from(x as i32) };
    let float = |x: u64| if wide { f64::from_bits(x) } else { f64::from(f32::from_bits(x as u32)) };
    let bits = |x: f64| if wide { x.to_bits() } else { u64::from((x as f32).to_bits()) };
    let value = match atomic.op {
        AtomicOp::Swap => new,
        AtomicOp::CompareSwap => {
            if old == compared {
                new
            } else {
                old
            }
        }
        AtomicOp::Add => old.wrapping_add(new),
        AtomicOp::Sub => old.wrapping_sub(new),
        AtomicOp::ReverseSub => new.wrapping_sub(old),
        AtomicOp::Inc => {
            if old >= new {
                0
            } else {
                old + 1
            }
        }
        AtomicOp::Dec => {
            if old == 0 || old > new {
                new
            } else {
                old - 1
            }
        }
        AtomicOp::MinI => {
            if signed(new) < signed(old) {
                new
            } else {
                old
            }
        }
        AtomicOp::MaxI => {
            if signed(new) > signed(old) {
                new
            } else {
                old
            }
        }
        AtomicOp::MinU => old.min(new),
        AtomicOp::MaxU => old.max(new),
        AtomicOp::And => old & new,
        AtomicOp::Or => old | new,
        AtomicOp::Xor => old ^ new,
        AtomicOp::AddF if wide => (f64::from_bits(old) + f64::from_bits(new)).to_bits(),
        AtomicOp::AddF => (f32::from_bits(old as u32) + f32::from_bits(new as u32)).to_bits().into(),
        AtomicOp::MinF => bits(crate::float::double::min_num(float(old), float(new))),
        AtomicOp::MaxF => bits(crate::float::double::max_num(float(old), float(new))),
        AtomicOp::PackedAddF16 => halves(old, new, |a, b| half::from_f32(half::to_f32(a) + half::to_f32(b))),
        AtomicOp::PackedAddBf16 => {
            halves(old, new, |a, b| half::bf16_from_f32(half::bf16_to_f32(a) + half::bf16_to_f32(b)))
        }
    };
    if wide { value } else { value & 0xffff_ffff }
}

fn halves(old: u64, new: u64, f: impl Fn(u16, u16) -> u16) -> u64 {
    u64::from(f(old as u16, new as u16)) | u64::from(f((old >> 16) as u16, (new >> 16) as u16)) << 16
}

/// Memory as four scalar registers describe it.
struct Buffer {
    resource: u16,
    offset_enable: bool,
    index_enable: bool,
}

/// The address in a buffer descriptor that stands for lanes' own memory, where a family has no instructions for it.
pub(crate) const PRIVATE_BUFFER: u64 = 0x5c5c_0000_0000;

impl Buffer {
    fn access(&self, wave: &mut Wave, access: &Memory, lane: usize, group: &mut Group) -> Result<(), Cause> {
        let base = wave.pair(self.resource);
        let (stride, start) = (base >> 48 & 0x3fff, base & ((1 << 48) - 1));
        let scalar_offset = access.base.map_or(0, |base| wave.scalar(base, false));
        let registers = access.address;
        let index = if self.index_enable { registers.map_or(0, |r| wave.vector(r)[lane]) } else { 0 };
        let own = match (self.offset_enable, registers) {
            (true, Some(register)) => wave.vector(register + u16::from(self.index_enable))[lane],
            _ => 0,
        };
        let offset = u64::from(own).wrapping_add_signed(access.offset);
        if start & !0xffff_ffff == PRIVATE_BUFFER {
            // A scalar offset counts the bytes of all lanes.
            let own = scalar_offset / wave.size as u64;
            return private(wave, access, lane, offset.wrapping_add(own) & 0xffff_ffff);
        }
        let records = u64::from(wave.scalars[usize::from(self.resource) + 2]);
        let bytes = match access.action {
            Action::Load(shape) | Action::Store(shape) => shape.bytes(),
            Action::Atomic(atomic) => {
                if atomic.wide {
                    8
                } else {
                    4
                }
            }
        };
        let inside = if stride == 0 || !self.index_enable {
            offset.checked_add(bytes).is_some_and(|end| end <= records)
        } else {
            u64::from(index) < records && offset < stride
        };
        if !inside {
            return self.outside(wave, access, lane);
        }
        let address =
            start.wrapping_add(scalar_offset).wrapping_add(offset).wrapping_add(u64::from(index) * stride);
        let mut place = Global { view: group.view, recent: wave.recent };
        perform(wave, access, lane, address, &mut place)
    }

    /// What is read outside is zero, what is written there is lost.
    fn outside(&self, wave: &mut Wave, access: &Memory, lane: usize) -> Result<(), Cause> {
        struct Nothing;
        impl Place for Nothing {
            fn read(&mut self, _: u64, _: u64) -> Result<u64, Cause> {
                Ok(0)
            }
            fn write(&mut self, _: u64, _: u64, _: u64) -> Result<(), Cause> {
                Ok(())
            }
            fn update(&mut self, _: u64, _: bool, _: impl Fn(u64) -> u64) -> Result<u64, Cause> {
                Ok(0)
            }
        }
        perform(wave, access, lane, 0, &mut Nothing)
    }
}
