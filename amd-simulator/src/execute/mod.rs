//! Executes instructions: one wave at a time, until it waits or ends.

mod memory;
mod scalar;
mod shared;
mod source;
mod special;
mod vector;

pub(crate) use memory::PRIVATE_BUFFER;
pub(crate) use scalar::check_rounding;

use crate::code::Program;
use crate::fault::{Cause, Stop};
use crate::lanes::Wide;
use crate::memory::View;
use crate::operation::Op;
use crate::wave::{State, Wave};

/// What all waves of a work-group share.
pub(crate) struct Group<'l> {
    /// The instructions.
    pub(crate) program: &'l Program,
    /// Global memory.
    pub(crate) view: &'l View,
    /// The work-group's memory.
    pub(crate) shared: &'l mut [u8],
    /// Room for operands.
    pub(crate) room: &'l mut Room,
}

/// Room for the operands and the results of one instruction.
pub(crate) struct Room {
    pub(crate) sources: [Wide; 3],
    pub(crate) out: Wide,
    pub(crate) second: Wide,
}

impl Room {
    pub(crate) fn new() -> Box<Self> {
        Box::new(Room { sources: [Wide::ZERO, Wide::ZERO, Wide::ZERO], out: Wide::ZERO, second: Wide::ZERO })
    }
}

/// Executes at most `budget` instructions of `wave`. It stops earlier where the wave waits or ends; on an error `wave.next`
/// is the instruction after the one that could not be executed.
pub(crate) fn run(wave: &mut Wave, group: &mut Group, budget: u64) -> Result<(), Stop> {
    let program = group.program;
    for _ in 0..budget {
        let Some(instruction) = program.instructions.get(wave.next) else {
            return Err((Cause::NoInstruction(program.end()), None));
        };
        wave.next += 1;
        wave.steps += 1;
        match &instruction.op {
            Op::Nop => {}
            Op::Vector(vector) => vector::single(wave, vector, group.room),
            Op::Scalar { run, dst, src } => scalar::arithmetic(wave, run, *dst, src),
            Op::Branch { condition, target } => {
                if scalar::holds(wave, *condition) {
                    jump(wave, program, *target)?;
                }
            }
            Op::Memory(access) => memory::access(wave, access, group)?,
            Op::Shared(access) => shared::access(wave, access, group)?,
            Op::Compare { run, src, dst, exec, dpp } => {
                special::compare(wave, run, src, *dst, *exec, dpp.as_ref(), group.room);
            }
            Op::Dual(pair) => vector::dual(wave, pair, group.room),
            Op::End => {
                wave.state = State::Done;
                return Ok(());
            }
            Op::Barrier | Op::BarrierWait => {
                wave.state = State::AtBarrier;
                return Ok(());
            }
            Op::BarrierSignal => wave.signalled = true,
            Op::Stop(reason) => return Err((Cause::NotImplemented(reason.to_string()), None)),
            // Debug traps go on.
            Op::Trap(3) => {}
            Op::Trap(number) => return Err((Cause::Trap(*number), None)),
            op => rest(wave, op, group)?,
        }
    }
    Ok(())
}

/// What is executed less often.
fn rest(wave: &mut Wave, op: &Op, group: &mut Group) -> Result<(), Stop> {
    match op {
        Op::Carry { op, dst, out, src, carry, clamp } => {
            special::carry(wave, *op, *dst, *out, src, *carry, *clamp, group.room);
        }
        Op::DivScale { double, dst, out, src } => {
            special::div_scale(wave, *double, *dst, *out, src, group.room);
        }
        Op::MadWide { signed, dst, out, src } => {
            special::mad_wide(wave, *signed, *dst, *out, src, group.room)
        }
        Op::Exchange { .. } => shared::exchange(wave, op, group.room),
        Op::ReadLane { .. } | Op::WriteLane { .. } | Op::Swap(_) => special::lanes(wave, op),
        Op::PermLane { .. } | Op::PermLaneSwap { .. } | Op::PermLane64 { .. } => special::permute(wave, op),
        Op::GetPc { dst } => wave.set_pair(*dst, group.program.address_of(wave.next)),
        Op::SetPc { src } => jump_to(wave, group.program, wave.pair(*src))?,
        Op::SwapPc { dst, src } => {
            let target = wave.pair(*src);
            wave.set_pair(*dst, group.program.address_of(wave.next));
            jump_to(wave, group.program, target)?;
        }
        Op::Call { dst, target } => {
            wave.set_pair(*dst, group.program.address_of(wave.next));
            jump(wave, group.program, *target)?;
        }
        op => scalar::rest(wave, op, group)?,
    }
    Ok(())
}

/// Goes on at a place in the code object's own counting.
fn jump(wave: &mut Wave, program: &Program, target: u64) -> Result<(), Stop> {
    wave.next = program.index_of(target).ok_or((Cause::NoInstruction(target), None))?;
    Ok(())
}

/// Goes on at an address in memory.
fn jump_to(wave: &mut Wave, program: &Program, address: u64) -> Result<(), Stop> {
    jump(wave, program, address.wrapping_sub(program.base))
}
