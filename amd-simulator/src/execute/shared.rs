//! Accesses to memory of the work-group, and exchanges between lanes through its hardware.

use super::memory::{Place, load, number, range_within, store, update};
use super::vector::write_register;
use super::{Group, Room};
use crate::fault::{Cause, Stop};
use crate::lanes::LANES;
use crate::operation::{Action, Destination, Exchange, Op, Shared};
use crate::wave::{Wave, lanes_of};
use std::ops::Range;

/// Memory of the work-group.
pub(super) struct SharedMemory<'l> {
    pub(super) bytes: &'l mut [u8],
}

impl SharedMemory<'_> {
    fn range(&self, address: u64, bytes: u64) -> Result<Range<usize>, Cause> {
        let size = self.bytes.len() as u64;
        range_within(size, address, bytes).ok_or(Cause::Shared { address, bytes, size })
    }
}

impl Place for SharedMemory<'_> {
    #[inline]
    fn read(&mut self, address: u64, bytes: u64) -> Result<u64, Cause> {
        let range = self.range(address, bytes)?;
        let found = &self.bytes[range];
        Ok(match found.try_into() {
            Ok(word) => u32::from_le_bytes(word).into(),
            Err(_) => number(found),
        })
    }

    #[inline]
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

pub(super) fn access(wave: &mut Wave, access: &Shared, group: &mut Group) -> Result<(), Stop> {
    let mut place = SharedMemory { bytes: group.shared };
    for lane in lanes_of(wave.exec()) {
        perform(wave, access, lane, &mut place).map_err(|cause| (cause, Some(lane)))?;
    }
    Ok(())
}

fn perform(wave: &mut Wave, access: &Shared, lane: usize, place: &mut SharedMemory) -> Result<(), Cause> {
    let base = wave.vector(access.address)[lane];
    let mut dst = access.dst;
    for (offset, data) in access.offsets.into_iter().zip(access.data) {
        let Some(offset) = offset else { continue };
        let address = u64::from(base) + u64::from(offset);
        match access.action {
            Action::Load(shape) => {
                load(wave, shape, dst, lane, address, place)?;
                dst += (shape.bytes() as u16).div_ceil(4);
            }
            Action::Store(shape) => store(wave, shape, data, lane, address, place)?,
            Action::Atomic(atomic) => update(wave, atomic, dst, access.data, lane, address, place)?,
        }
    }
    Ok(())
}

/// Moves values between lanes.
pub(super) fn exchange(wave: &mut Wave, op: &Op, room: &mut Room) {
    let Op::Exchange { exchange, dst, address, data, offset } = op else { return };
    let exec = wave.exec();
    let values = *wave.vector(*data);
    let out = &mut room.out.lo;
    *out = [0; LANES];
    let lane_of = |address: u32| (address.wrapping_add(*offset) / 4) as usize % wave.size;
    match exchange {
        Exchange::Permute => {
            for lane in lanes_of(exec) {
                out[lane_of(wave.vector(*address)[lane])] = values[lane];
            }
        }
        Exchange::BackwardPermute => {
            for lane in lanes_of(exec) {
                let from = lane_of(wave.vector(*address)[lane]);
                out[lane] = if exec >> from & 1 == 1 { values[from] } else { 0 };
            }
        }
        Exchange::Swizzle(pattern) => {
            for lane in lanes_of(exec) {
                let from = swizzled(*pattern, lane);
                out[lane] = if exec >> from & 1 == 1 { values[from] } else { 0 };
            }
        }
    }
    let out = room.out.lo;
    write_register(wave, Destination::whole(*dst), &out, exec);
}

/// The lane that a swizzle takes from.
fn swizzled(pattern: u16, lane: usize) -> usize {
    let pattern = usize::from(pattern);
    let (half, place) = (lane & !31, lane & 31);
    if pattern & 0xe000 == 0xc000 {
        // Rotation within 32 lanes: those of the mask stay.
        let (amount, mask) = (pattern >> 5 & 31, pattern & 31);
        let amount = if pattern >> 10 & 1 == 0 { amount } else { 32 - amount };
        return half | place & mask | (place + amount) & 31 & !mask;
    }
    if pattern & 0x8000 != 0 {
        return lane & !3 | pattern >> (2 * (lane & 3)) & 3;
    }
    let (and, or, xor) = (pattern & 31, pattern >> 5 & 31, pattern >> 10 & 31);
    half | ((place & and | or) ^ xor)
}
