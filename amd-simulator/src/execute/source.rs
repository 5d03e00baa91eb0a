//! Operands of vector instructions, from wherever they lie.

use crate::lanes::{LANES, Lanes, Source, Ty, Wide};
use crate::operation::{Dpp, Operand, Part, Shuffle, Value};
use crate::wave::Wave;

static ZERO: Lanes = [0; LANES];

/// Nothing.
pub(super) const NONE: Source = Source { lo: &ZERO, hi: &ZERO };

/// Whether subnormal operands of this type count as zero, and whether subnormal results do.
pub(super) fn flushes(wave: &Wave, ty: Ty) -> (bool, bool) {
    let bits = match ty {
        Ty::F32 | Ty::PkF32 => wave.mode >> 4,
        Ty::F16 | Ty::F64 | Ty::PkF16 => wave.mode >> 6,
        _ => 3,
    };
    (bits & 1 == 0, bits & 2 == 0)
}

/// The values of an operand; `room` holds them where they are not those of a register.
#[inline]
pub(super) fn fetch<'a>(wave: &'a Wave, operand: &Operand, ty: Ty, room: &'a mut Wide) -> Source<'a> {
    if let Value::Vector(register) = operand.value
        && operand.is_plain()
        && !flushes(wave, ty).0
    {
        let row = wave.row(register);
        let hi = if ty.registers() == 2 { &wave.vectors[row + 1] } else { &ZERO };
        return Source { lo: &wave.vectors[row], hi };
    }
    copy(wave, operand, ty, room);
    Source { lo: &room.lo, hi: &room.hi }
}

/// Puts an operand's values into `room`.
pub(super) fn copy(wave: &Wave, operand: &Operand, ty: Ty, room: &mut Wide) {
    raw(wave, operand.value, ty, room);
    finish(wave, operand, ty, room);
}

/// Likewise, each lane's from the lane that `dpp` says. The lanes that get one.
pub(super) fn shuffled(wave: &Wave, operand: &Operand, ty: Ty, room: &mut Wide, dpp: &Dpp) -> u64 {
    raw(wave, operand.value, ty, room);
    let available = if dpp.fetch_inactive { wave.all() } else { wave.exec() };
    let (lo, hi) = (room.lo, room.hi);
    let mut valid = 0;
    for lane in 0..wave.size {
        let from = source_lane(dpp.shuffle, lane, wave.size).filter(|from| available >> from & 1 == 1);
        if let Some(from) = from {
            (room.lo[lane], room.hi[lane]) = (lo[from], hi[from]);
            valid |= 1 << lane;
        } else {
            (room.lo[lane], room.hi[lane]) = (0, 0);
        }
    }
    finish(wave, operand, ty, room);
    if dpp.bound_zero {
        valid = wave.all();
    }
    let written =
        |lane: usize| dpp.row_mask >> (lane / 16) & 1 == 1 && dpp.bank_mask >> (lane % 16 / 4) & 1 == 1;
    (0..wave.size).filter(|lane| written(*lane)).fold(0, |mask, lane| mask | 1 << lane) & valid
}

/// The lane that `lane` takes from, if it exists.
fn source_lane(shuffle: Shuffle, lane: usize, size: usize) -> Option<usize> {
    let (row, place) = (lane & !15, lane & 15);
    let in_row = |place: usize| Some(row + place);
    match shuffle {
        Shuffle::Quad(lanes) => Some((lane & !3) + usize::from(lanes[lane & 3])),
        Shuffle::Eight(lanes) => Some((lane & !7) + usize::from(lanes[lane & 7])),
        Shuffle::RowShl(n) => (place + usize::from(n) < 16).then(|| lane + usize::from(n)),
        Shuffle::RowShr(n) => place.checked_sub(n.into()).and_then(in_row),
        Shuffle::RowRor(n) => in_row((place + 16 - usize::from(n & 15)) & 15),
        Shuffle::RowMirror => in_row(15 - place),
        Shuffle::RowHalfMirror => in_row(place ^ 7),
        Shuffle::RowShare(n) => in_row(usize::from(n & 15)),
        Shuffle::RowXmask(n) => in_row(place ^ usize::from(n & 15)),
        Shuffle::WaveShl => Some(lane + 1).filter(|from| *from < size),
        Shuffle::WaveRol => Some((lane + 1) % size),
        Shuffle::WaveShr => lane.checked_sub(1),
        Shuffle::WaveRor => Some((lane + size - 1) % size),
        Shuffle::RowBcast15 => row.checked_sub(1),
        Shuffle::RowBcast31 => (lane >= 32).then_some(31),
    }
}

fn raw(wave: &Wave, value: Value, ty: Ty, room: &mut Wide) {
    let wide = ty.registers() == 2;
    match value {
        Value::Vector(register) => {
            let row = wave.row(register);
            room.lo = wave.vectors[row];
            if wide {
                room.hi = wave.vectors[row + 1];
            }
        }
        other => {
            let bits = wave.scalar(other, wide);
            room.lo = [bits as u32; LANES];
            if wide {
                room.hi = [(bits >> 32) as u32; LANES];
            }
        }
    }
}

/// Applies the operand's modifiers.
fn finish(wave: &Wave, operand: &Operand, ty: Ty, room: &mut Wide) {
    take_part(operand, room);
    if ty.is_packed() {
        arrange(operand, ty, room);
    } else if operand.abs || operand.neg {
        let sign = if ty.is_half() { 0x8000 } else { 0x8000_0000 };
        let half = if ty.registers() == 2 { &mut room.hi } else { &mut room.lo };
        for bits in half {
            if operand.abs {
                *bits &= !sign;
            }
            if operand.neg {
                *bits ^= sign;
            }
        }
    }
    if flushes(wave, ty).0 {
        flush(ty, room);
    }
}

fn take_part(operand: &Operand, room: &mut Wide) {
    let (shift, bits) = match operand.part {
        Part::Whole => return,
        Part::Byte(n) => (8 * u32::from(n), 8),
        Part::Half(n) => (16 * u32::from(n), 16),
    };
    let unused = 32 - bits;
    for value in &mut room.lo {
        let part = *value >> shift << unused;
        *value = if operand.extend { ((part as i32) >> unused) as u32 } else { part >> unused };
    }
}

/// Puts the two values of a packed operand where its modifiers say.
fn arrange(operand: &Operand, ty: Ty, room: &mut Wide) {
    if ty == Ty::PkF32 {
        let (lo, hi) = (room.lo, room.hi);
        if operand.lo_from_hi {
            room.lo = hi;
        }
        if !operand.hi_from_hi {
            room.hi = lo;
        }
        for (half, neg) in [(&mut room.lo, operand.neg), (&mut room.hi, operand.neg_hi)] {
            if neg {
                half.iter_mut().for_each(|bits| *bits ^= 0x8000_0000);
            }
        }
        return;
    }
    let signs = if operand.neg { 0x8000 } else { 0 } | if operand.neg_hi { 0x8000_0000 } else { 0 };
    for value in &mut room.lo {
        let half = |upper: bool| if upper { *value >> 16 } else { *value & 0xffff };
        *value = (half(operand.lo_from_hi) | half(operand.hi_from_hi) << 16) ^ signs;
    }
}

/// Makes subnormal values zero.
pub(super) fn flush(ty: Ty, room: &mut Wide) {
    let single = |bits: &mut u32| {
        if *bits & 0x7f80_0000 == 0 {
            *bits &= 0x8000_0000;
        }
    };
    match ty {
        Ty::F32 => room.lo.iter_mut().for_each(single),
        Ty::PkF32 => room.lo.iter_mut().chain(&mut room.hi).for_each(single),
        Ty::F64 => {
            for (lo, hi) in room.lo.iter_mut().zip(&mut room.hi) {
                if *hi & 0x7ff0_0000 == 0 {
                    (*lo, *hi) = (0, *hi & 0x8000_0000);
                }
            }
        }
        Ty::F16 | Ty::PkF16 => {
            for bits in &mut room.lo {
                for shift in [0, 16] {
                    if *bits >> shift & 0x7c00 == 0 {
                        *bits &= !(0x3ff << shift);
                    }
                }
            }
        }
        _ => {}
    }
}
