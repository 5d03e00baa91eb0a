//! Scalar instructions, and those that steer the wave.

use super::operand::{Fill, scalar_destination, scalar_register, scalar_value};
use super::{Context, Decoded, Refusal};
use crate::operation::{Condition, HardwareRegister, Op, Value};
use crate::salu;
use crate::text::{Text, integer};

/// The operands, as many as are expected.
pub(super) fn exactly<'t, const N: usize>(text: &Text<'t>) -> Result<[&'t str; N], Refusal> {
    text.operands
        .as_slice()
        .try_into()
        .map_err(|_| format!("it has {} operands, not {N}", text.operands.len()))
}

pub(super) fn decode(mut text: Text, context: &Context) -> Decoded {
    if !text.name.starts_with("s_") && !text.name.starts_with("buffer_") && !text.name.starts_with("global_")
    {
        return Ok(None);
    }
    if waits(text.name) {
        return Ok(Some(Op::Nop));
    }
    let op = match text.name {
        "s_endpgm" | "s_endpgm_saved" => Op::End,
        "s_barrier" => Op::Barrier,
        "s_barrier_signal" | "s_barrier_wait" => split_barrier(&text)?,
        "s_trap" => Op::Trap(immediate(&text, 0)? as u16),
        "s_branch" => branch(&text, context, Condition::Always)?,
        "s_cbranch_scc0" => branch(&text, context, Condition::Scc(false))?,
        "s_cbranch_scc1" => branch(&text, context, Condition::Scc(true))?,
        "s_cbranch_vccz" => branch(&text, context, Condition::VccZero(true))?,
        "s_cbranch_vccnz" => branch(&text, context, Condition::VccZero(false))?,
        "s_cbranch_execz" => branch(&text, context, Condition::ExecZero(true))?,
        "s_cbranch_execnz" => branch(&text, context, Condition::ExecZero(false))?,
        "s_getpc_b64" => Op::GetPc { dst: scalar_register(exactly::<1>(&text)?[0])? },
        "s_setpc_b64" => Op::SetPc { src: scalar_register(exactly::<1>(&text)?[0])? },
        "s_swappc_b64" => {
            let [dst, src] = exactly(&text)?;
            Op::SwapPc { dst: scalar_register(dst)?, src: scalar_register(src)? }
        }
        "s_call_b64" => {
            let [dst, _] = exactly(&text)?;
            Op::Call { dst: scalar_register(dst)?, target: target(&text, 1, context)? }
        }
        "s_getreg_b32" => {
            let [dst, register] = exactly(&text)?;
            let (register, offset, size) = hardware_register(register)?;
            Op::GetRegister { dst: scalar_register(dst)?, register, offset, size }
        }
        "s_setreg_b32" | "s_setreg_imm32_b32" => {
            let [register, src] = exactly(&text)?;
            let (register, offset, size) = hardware_register(register)?;
            Op::SetRegister { src: scalar_value(src, Fill::Word)?, register, offset, size }
        }
        "s_round_mode" | "s_denorm_mode" => {
            let offset = if text.name == "s_round_mode" { 0 } else { 4 };
            let bits = immediate(&text, 0)?.cast_unsigned();
            Op::SetRegister { src: Value::Constant(bits), register: HardwareRegister::Mode, offset, size: 4 }
        }
        "s_memtime" | "s_memrealtime" => Op::Time { dst: scalar_register(exactly::<1>(&text)?[0])? },
        name if name.contains("_load_") || name.contains("_buffer_load") => {
            return if name.starts_with("s_") { load(&mut text).map(Some) } else { Ok(None) };
        }
        name if name.starts_with("s_") => return arithmetic(&text, context),
        _ => return Ok(None),
    };
    Ok(Some(op))
}

/// What has no effect here: memory is accessed at once and in order, and every result is there for the next instruction.
fn waits(name: &str) -> bool {
    name.starts_with("s_waitcnt")
        || name.starts_with("s_wait_")
        || matches!(
            name,
            "s_nop"
                | "s_clause"
                | "s_delay_alu"
                | "s_sleep"
                | "s_sleep_var"
                | "s_setprio"
                | "s_set_inst_prefetch_distance"
                | "s_inst_prefetch"
                | "s_icache_inv"
                | "s_dcache_inv"
                | "s_dcache_wb"
                | "s_dcache_inv_vol"
                | "s_gl1_inv"
                | "s_ttracedata"
                | "s_ttracedata_imm"
                | "s_incperflevel"
                | "s_decperflevel"
                | "s_prefetch_inst"
                | "s_prefetch_inst_pc_rel"
                | "s_prefetch_data"
                | "s_prefetch_data_pc_rel"
                | "s_version"
                | "buffer_gl0_inv"
                | "buffer_gl1_inv"
                | "buffer_wbl2"
                | "buffer_inv"
                | "buffer_wbinvl1"
                | "buffer_wbinvl1_vol"
                | "buffer_invl2"
                | "global_inv"
                | "global_wb"
                | "global_wbinv"
        )
}

/// Of the barriers that gfx12 names, the work-group's (-1) alone is used.
fn split_barrier(text: &Text) -> Result<Op, Refusal> {
    let [which] = exactly::<1>(text)?;
    match (integer(which).map(|number| number as i16), text.name) {
        (Some(-1), "s_barrier_signal") => Ok(Op::BarrierSignal),
        (Some(-1), _) => Ok(Op::BarrierWait),
        _ => Err(format!("barrier `{which}` is not implemented")),
    }
}

fn immediate(text: &Text, number: usize) -> Result<i64, Refusal> {
    let operand = text.operands.get(number).ok_or("it has no operand")?;
    integer(operand).ok_or_else(|| format!("operand `{operand}` is no number"))
}

/// Counted in words from the next instruction.
fn target(text: &Text, number: usize, context: &Context) -> Result<u64, Refusal> {
    let words = i64::from(immediate(text, number)? as i16);
    Ok(context.next.wrapping_add_signed(4 * words))
}

fn branch(text: &Text, context: &Context, condition: Condition) -> Result<Op, Refusal> {
    Ok(Op::Branch { condition, target: target(text, 0, context)? })
}

/// `hwreg(HW_REG_MODE, 4, 2)`: the register, the first bit, the number of bits.
fn hardware_register(text: &str) -> Result<(HardwareRegister, u8, u8), Refusal> {
    let unknown = || format!("`{text}` is not implemented");
    let inside = text.strip_prefix("hwreg(").and_then(|rest| rest.strip_suffix(')')).ok_or_else(unknown)?;
    let mut parts = inside.split(',').map(str::trim);
    let register = match parts.next().ok_or_else(unknown)? {
        "HW_REG_MODE" | "HW_REG_WAVE_MODE" => HardwareRegister::Mode,
        "HW_REG_FLAT_SCR_LO" => HardwareRegister::FlatScratch(0),
        "HW_REG_FLAT_SCR_HI" => HardwareRegister::FlatScratch(1),
        // Whoever asks where it runs gets one answer.
        "HW_REG_HW_ID" | "HW_REG_HW_ID1" | "HW_REG_HW_ID2" | "HW_REG_XCC_ID" => HardwareRegister::Zero,
        _ => return Err(unknown()),
    };
    let mut number = |default| parts.next().map_or(Some(default), |part| part.parse().ok());
    let (offset, size) = (number(0u8).ok_or_else(unknown)?, number(32u8).ok_or_else(unknown)?);
    if offset > 31 || size == 0 || size > 32 {
        return Err(unknown());
    }
    Ok((register, offset, size))
}

fn load(text: &mut Text) -> Result<Op, Refusal> {
    text.drop_cache_policy();
    let offset = text.number("offset")?.unwrap_or(0);
    text.finish()?;
    let [dst, base, place] = exactly(text)?;
    let buffer = text.name.contains("buffer");
    let what = text.name.rsplit('_').next().unwrap_or_default();
    let (words, small) = match what {
        "dword" | "b32" => (1, None),
        "dwordx2" | "b64" => (2, None),
        "b96" => (3, None),
        "dwordx4" | "b128" => (4, None),
        "dwordx8" | "b256" => (8, None),
        "dwordx16" | "b512" => (16, None),
        "u8" => (1, Some((1, false))),
        "i8" => (1, Some((1, true))),
        "u16" => (1, Some((2, false))),
        "i16" => (1, Some((2, true))),
        _ => return Err("this load is not implemented".into()),
    };
    let (offset, register) = match integer(place) {
        Some(number) => (offset + number, None),
        None if place == "null" => (offset, None),
        None => (offset, Some(scalar_value(place, Fill::Word)?)),
    };
    Ok(Op::ScalarLoad {
        dst: scalar_register(dst)?,
        words,
        small,
        base: scalar_register(base)?,
        buffer,
        offset,
        register,
    })
}

fn arithmetic(text: &Text, context: &Context) -> Decoded {
    if let Some(op) = save_exec(text, context)? {
        return Ok(Some(op));
    }
    let Some(run) = salu::named(text.name) else { return Ok(None) };
    text.finish()?;
    let mut operands = text.operands.as_slice();
    let mut dst = None;
    if run.dst.is_some() {
        let (first, rest) = operands.split_first().ok_or("it has no operands")?;
        (dst, operands) = (scalar_destination(first)?, rest);
    }
    let mut src = [Value::Constant(0); 3];
    // `s_cmpk` and the others of that form name what they read first; `s_addk` reads what it writes.
    let own = matches!(text.name, "s_addk_i32" | "s_addk_co_i32" | "s_mulk_i32");
    let expected = run.src.len() - usize::from(own || run.accumulates);
    if operands.len() != expected {
        return Err(format!("it has {} operands, not {expected}", operands.len()));
    }
    for (n, operand) in operands.iter().enumerate() {
        src[n] = scalar_value(operand, run.src[n].into())?;
    }
    let short = text.name.contains("k_") && !text.name.ends_with("_u32");
    if short && let Value::Constant(bits) = src[expected - 1] {
        src[expected - 1] = Value::Constant(u64::from(i32::from(bits as i16).cast_unsigned()));
    }
    if own || run.accumulates {
        src[expected] = dst.map_or(Value::Constant(0), Value::Scalar);
    }
    Ok(Some(Op::Scalar { run, dst, src }))
}

/// `s_and_saveexec_b64 d, s`: `d` gets the old `exec`, which becomes the result; `wrexec` has the result in `d` too.
fn save_exec(text: &Text, context: &Context) -> Decoded {
    let written = text.name.contains("_wrexec_");
    let Some((op, bits)) = text.name.split_once(if written { "_wrexec_" } else { "_saveexec_" }) else {
        return Ok(None);
    };
    let wide = bits == "b64";
    if wide == context.wave32 {
        return Err("a mask of another size than the wave's is not implemented".into());
    }
    // What becomes of the operand and the old mask; where the operand is inverted, it comes second.
    let (base, reversed) = match op {
        "s_andn2" | "s_and_not1" => ("s_andn2", false),
        "s_orn2" | "s_or_not1" => ("s_orn2", false),
        "s_andn1" | "s_and_not0" => ("s_andn2", true),
        "s_orn1" | "s_or_not0" => ("s_orn2", true),
        other => (other, false),
    };
    let op = salu::named(&format!("{base}_{bits}")).ok_or("it is not implemented")?;
    let [dst, src] = exactly(text)?;
    let src = scalar_value(src, if wide { Fill::Long } else { Fill::Word })?;
    Ok(Some(Op::SaveExec { op, dst: scalar_destination(dst)?, src, reversed, write_result: written }))
}
