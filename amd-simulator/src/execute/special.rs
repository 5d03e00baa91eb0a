//! Vector instructions with a scalar result, and those between lanes.

use super::Room;
use super::source::{copy, fetch, shuffled};
use super::vector::write_register;
use crate::float::{double, single};
use crate::lanes::{LANES, Lane, Source, Ty};
use crate::operation::{Carry, Destination, Dpp, Op, Operand, Value, scalar};
use crate::valu::Compare;
use crate::wave::{Wave, lanes_of};

#[allow(clippy::too_many_arguments)]
pub(super) fn compare(
    wave: &mut Wave,
    run: &Compare,
    src: &[Operand; 2],
    dst: Option<u16>,
    exec: bool,
    dpp: Option<&Dpp>,
    room: &mut Room,
) {
    let [a, b, _] = &mut room.sources;
    let mut mask = wave.exec();
    let first = match dpp {
        None => fetch(wave, &src[0], run.src[0], a),
        Some(dpp) => {
            mask &= shuffled(wave, &src[0], run.src[0], a, dpp);
            Source { lo: &a.lo, hi: &a.hi }
        }
    };
    let second = fetch(wave, &src[1], run.src[1], b);
    let result = (run.run)(&[first, second, super::source::NONE]) & mask;
    if let Some(dst) = dst {
        wave.set_mask(dst, result);
    }
    if exec {
        wave.set_mask(scalar::EXEC, result);
    }
}

#[allow(clippy::too_many_arguments)]
pub(super) fn carry(
    wave: &mut Wave,
    op: Carry,
    dst: Destination,
    out: Option<u16>,
    src: &[Operand; 2],
    carry: Option<Value>,
    clamp: bool,
    room: &mut Room,
) {
    let exec = wave.exec();
    let taken = carry.map_or(0, |value| wave.mask_of(value));
    let [a, b, _] = &mut room.sources;
    let (a, b) = (fetch(wave, &src[0], Ty::B32, a), fetch(wave, &src[1], Ty::B32, b));
    let mut carries = 0;
    for i in 0..LANES {
        let (a, b) = if op == Carry::SubRev { (b.lo[i], a.lo[i]) } else { (a.lo[i], b.lo[i]) };
        let carry = (taken >> i) as u32 & 1;
        let (value, over) = if op == Carry::Add {
            let (sum, first) = a.overflowing_add(b);
            let (sum, second) = sum.overflowing_add(carry);
            (sum, first | second)
        } else {
            let (rest, first) = a.overflowing_sub(b);
            let (rest, second) = rest.overflowing_sub(carry);
            (rest, first | second)
        };
        let limit = if op == Carry::Add { u32::MAX } else { 0 };
        room.out.lo[i] = if clamp && over { limit } else { value };
        carries |= u64::from(over) << i;
    }
    write_register(wave, dst, &room.out.lo, exec);
    if let Some(out) = out {
        wave.set_mask(out, carries & exec);
    }
}

pub(super) fn div_scale(
    wave: &mut Wave,
    wide: bool,
    dst: u16,
    out: Option<u16>,
    src: &[Operand; 3],
    room: &mut Room,
) {
    let ty = if wide { Ty::F64 } else { Ty::F32 };
    for (operand, room) in src.iter().zip(&mut room.sources) {
        copy(wave, operand, ty, room);
    }
    let [a, b, c] = room.sources.each_ref().map(|wide| Source { lo: &wide.lo, hi: &wide.hi });
    let mut scaled = 0;
    for i in 0..LANES {
        let back = if wide {
            let (value, back) = double::div_scale(f64::get(&a, i), f64::get(&b, i), f64::get(&c, i));
            value.put(&mut room.out, i);
            back
        } else {
            let (value, back) = single::div_scale(f32::get(&a, i), f32::get(&b, i), f32::get(&c, i));
            value.put(&mut room.out, i);
            back
        };
        scaled |= u64::from(back) << i;
    }
    let exec = wave.exec();
    write_pair(wave, dst, wide, room, exec);
    if let Some(out) = out {
        wave.set_mask(out, scaled & exec);
    }
}

fn write_pair(wave: &mut Wave, dst: u16, wide: bool, room: &Room, mask: u64) {
    write_register(wave, Destination::whole(dst), &room.out.lo, mask);
    if wide {
        write_register(wave, Destination::whole(dst + 1), &room.out.hi, mask);
    }
}

pub(super) fn mad_wide(
    wave: &mut Wave,
    signed: bool,
    dst: u16,
    out: Option<u16>,
    src: &[Operand; 3],
    room: &mut Room,
) {
    for ((operand, room), ty) in src.iter().zip(&mut room.sources).zip([Ty::B32, Ty::B32, Ty::B64]) {
        copy(wave, operand, ty, room);
    }
    let [a, b, c] = &room.sources;
    let mut carries = 0;
    for i in 0..LANES {
        let (x, y) = (a.lo[i], b.lo[i]);
        let addend = u64::from(c.lo[i]) | u64::from(c.hi[i]) << 32;
        let (sum, over) = if signed {
            let product = i64::from(x as i32) * i64::from(y as i32);
            let (sum, over) = product.overflowing_add(addend.cast_signed());
            (sum.cast_unsigned(), over)
        } else {
            (u64::from(x) * u64::from(y)).overflowing_add(addend)
        };
        sum.put(&mut room.out, i);
        carries |= u64::from(over) << i;
    }
    let exec = wave.exec();
    write_pair(wave, dst, true, room, exec);
    if let Some(out) = out {
        wave.set_mask(out, carries & exec);
    }
}

/// Instructions that read or write one lane, or swap registers.
pub(super) fn lanes(wave: &mut Wave, op: &Op) {
    match op {
        Op::ReadLane { dst, src, lane } => {
            let lane = match lane {
                // Without an active lane, the first one gives its value.
                None => lanes_of(wave.exec()).next().unwrap_or(0),
                Some(lane) => wave.scalar(*lane, false) as usize % wave.size,
            };
            wave.scalars[usize::from(*dst)] = wave.vector(*src)[lane];
        }
        Op::WriteLane { dst, src, lane } => {
            let lane = wave.scalar(*lane, false) as usize % wave.size;
            let value = wave.scalar(*src, false) as u32;
            wave.vector_mut(*dst)[lane] = value;
        }
        Op::Swap([a, b]) => {
            let (exec, first, second) = (wave.exec(), *wave.vector(*a), *wave.vector(*b));
            write_register(wave, Destination::whole(*a), &second, exec);
            write_register(wave, Destination::whole(*b), &first, exec);
        }
        _ => {}
    }
}

/// Instructions that move lanes about within a wave.
pub(super) fn permute(wave: &mut Wave, op: &Op) {
    let exec = wave.exec();
    match op {
        Op::PermLane { across, dst, src, selectors, fetch_inactive, bound_zero } => {
            let selector = wave.scalar(selectors[0], false) | wave.scalar(selectors[1], false) << 32;
            let from = *wave.vector(*src);
            let mut values = *wave.vector(*dst);
            for lane in lanes_of(exec) {
                let row = if *across { (lane & !15) ^ 16 } else { lane & !15 };
                let source = row + (selector >> (4 * (lane & 15)) & 15) as usize;
                if *fetch_inactive || exec >> source & 1 == 1 {
                    values[lane] = from[source];
                } else if *bound_zero {
                    values[lane] = 0;
                }
            }
            write_register(wave, Destination::whole(*dst), &values, exec);
        }
        Op::PermLane64 { dst, src } => {
            let from = *wave.vector(*src);
            let half = if wave.size == LANES { 32 } else { 0 };
            let values = std::array::from_fn(|lane| from[lane ^ half]);
            write_register(wave, Destination::whole(*dst), &values, exec);
        }
        Op::PermLaneSwap { rows, registers: [a, b] } => {
            // Odd rows (or halves) of the one change places with even ones of the other.
            let distance = 16 * usize::from(*rows);
            let (mut first, mut second) = (*wave.vector(*a), *wave.vector(*b));
            for lane in (0..wave.size).filter(|lane| lane & distance == 0) {
                std::mem::swap(&mut first[lane + distance], &mut second[lane]);
            }
            write_register(wave, Destination::whole(*a), &first, exec);
            write_register(wave, Destination::whole(*b), &second, exec);
        }
        _ => {}
    }
}
