//! Scalar instructions.

use super::Group;
use crate::fault::{Cause, Stop};
use crate::memory::View;
use crate::operation::{Condition, HardwareRegister, Op, Value, scalar};
use crate::salu::{Salu, Width};
use crate::wave::Wave;

#[inline]
pub(super) fn arithmetic(wave: &mut Wave, run: &Salu, dst: Option<u16>, src: &[Value; 3]) {
    let mut operands = [0; 3];
    for (n, width) in run.src.iter().enumerate() {
        operands[n] = wave.scalar(src[n], *width != Width::B32);
    }
    let (value, scc) = (run.run)(operands, wave.scc);
    if let Some(dst) = dst {
        match run.dst {
            Some(Width::B32) => wave.scalars[usize::from(dst)] = value as u32,
            Some(_) => wave.set_pair(dst, value),
            None => {}
        }
    }
    if run.sets_scc {
        wave.scc = scc;
    }
}

#[inline]
pub(super) fn holds(wave: &Wave, condition: Condition) -> bool {
    match condition {
        Condition::Always => true,
        Condition::Scc(expected) => wave.scc == expected,
        Condition::VccZero(expected) => (wave.mask(scalar::VCC) == 0) == expected,
        Condition::ExecZero(expected) => (wave.exec() == 0) == expected,
    }
}

pub(super) fn rest(wave: &mut Wave, op: &Op, group: &mut Group) -> Result<(), Stop> {
    match op {
        Op::SaveExec { op, dst, src, reversed, write_result } => {
            let (old, operand) = (wave.mask(scalar::EXEC), wave.mask_of(*src));
            let operands = if *reversed { [old, operand, 0] } else { [operand, old, 0] };
            let (new, scc) = (op.run)(operands, wave.scc);
            wave.set_mask(scalar::EXEC, new);
            if let Some(dst) = dst {
                wave.set_mask(*dst, if *write_result { new } else { old });
            }
            wave.scc = scc;
        }
        Op::GetRegister { dst, register, offset, size } => {
            let value = match register {
                HardwareRegister::Mode => wave.mode,
                HardwareRegister::FlatScratch(n) => {
                    wave.scalars[usize::from(scalar::FLAT_SCRATCH) + usize::from(*n)]
                }
                HardwareRegister::Zero => 0,
            };
            wave.scalars[usize::from(*dst)] = value >> offset & ones(*size);
        }
        Op::SetRegister { src, register, offset, size } => {
            let value = wave.scalar(*src, false) as u32;
            let mask = ones(*size) << offset;
            let set = |old: u32| old & !mask | value << offset & mask;
            match register {
                HardwareRegister::Mode => {
                    wave.mode = set(wave.mode);
                    check_rounding(wave.mode)?;
                }
                HardwareRegister::FlatScratch(n) => {
                    let place = usize::from(scalar::FLAT_SCRATCH) + usize::from(*n);
                    wave.scalars[place] = set(wave.scalars[place]);
                }
                HardwareRegister::Zero => {}
            }
        }
        // Time is counted in instructions, so that it is the same in every run.
        Op::Time { dst } => wave.set_pair(*dst, wave.steps),
        Op::ScalarLoad { .. } => load(wave, op, group.view)?,
        _ => return Err((Cause::NotImplemented("its execution is not implemented".into()), None)),
    }
    Ok(())
}

fn ones(size: u8) -> u32 {
    (u64::MAX >> (64 - u32::from(size))) as u32
}

/// Floats are rounded to nearest even here, and no other way.
pub(crate) fn check_rounding(mode: u32) -> Result<(), Stop> {
    if mode & 15 == 0 {
        return Ok(());
    }
    Err((Cause::NotImplemented("rounding other than to nearest even is not implemented".into()), None))
}

fn load(wave: &mut Wave, op: &Op, view: &View) -> Result<(), Stop> {
    let Op::ScalarLoad { dst, words, small, base, buffer, offset, register } = op else { return Ok(()) };
    let fault = |error| (Cause::Global(error), None);
    let register = register.map_or(0, |value| wave.scalar(value, false));
    let mut address = wave.pair(*base);
    let offset = offset.cast_unsigned().wrapping_add(register);
    let mut limit = u64::MAX;
    if *buffer {
        let stride = address >> 48 & 0x3fff;
        address &= (1 << 48) - 1;
        let records = u64::from(wave.scalars[usize::from(*base) + 2]);
        limit = if stride == 0 { records } else { records * stride };
    }
    if let Some((bytes, signed)) = small {
        let value =
            view.read(address.wrapping_add(offset), u64::from(*bytes), &mut wave.recent).map_err(fault)?;
        wave.scalars[usize::from(*dst)] = match (bytes, signed) {
            (1, true) => i32::from(value as i8).cast_unsigned(),
            (2, true) => i32::from(value as i16).cast_unsigned(),
            _ => value as u32,
        };
        return Ok(());
    }
    // The lowest two bits do not count.
    let address = address.wrapping_add(offset) & !3;
    for word in 0..u64::from(*words) {
        let value = if offset + 4 * word + 4 > limit {
            0
        } else {
            view.read(address.wrapping_add(4 * word), 4, &mut wave.recent).map_err(fault)? as u32
        };
        let place = usize::from(*dst) + word as usize;
        if place != usize::from(scalar::NULL) {
            wave.scalars[place] = value;
        }
    }
    Ok(())
}
