//! Vector instructions.

use super::operand::{
    Fill, operand, register_part, scalar_destination, scalar_register, scalar_value, vector,
};
use super::scalar::exactly;
use super::{Context, Decoded, Refusal};
use crate::lanes::Ty;
use crate::operation::{
    Carry, Compute, Destination, Dpp, Op, Operand, OutputScale, Part, Shuffle, Value, Vector, scalar,
};
use crate::text::{Text, list};
use crate::valu::{self, compare};

pub(super) fn decode(mut text: Text, context: &Context) -> Decoded {
    if !text.name.starts_with("v_") {
        return Ok(None);
    }
    if let Some(op) = between_lanes(&mut text)? {
        return Ok(Some(op));
    }
    if let Some(op) = with_carry(&mut text, context)? {
        return Ok(Some(op));
    }
    if let Some(op) = wide_results(&text)? {
        return Ok(Some(op));
    }
    if let Some(op) = comparison(&mut text, context)? {
        return Ok(Some(op));
    }
    match lane_wise(text, context)? {
        Some(vector) => Ok(Some(Op::Vector(Box::new(vector)))),
        None => Ok(None),
    }
}

/// Two instructions that read before either writes: `v_dual_mov_b32 v0, v1 :: v_dual_add_f32 v1, v2, v3`.
pub(super) fn dual(first: &str, second: &str, context: &Context) -> Result<Op, Refusal> {
    let half = |text: &str| {
        let text = text.trim().replacen("v_dual_", "v_", 1);
        let vector = lane_wise(Text::of(&text), context)?;
        vector.ok_or_else(|| format!("`{text}` is not implemented in a pair"))
    };
    Ok(Op::Dual(Box::new([half(first)?, half(second)?])))
}

fn between_lanes(text: &mut Text) -> Decoded {
    let register = |text: &str| vector(text);
    let op = match text.name {
        "v_nop" => Op::Nop,
        "v_readfirstlane_b32" => {
            let [dst, src] = exactly(text)?;
            Op::ReadLane { dst: scalar_register(dst)?, src: register(src)?, lane: None }
        }
        "v_readlane_b32" => {
            let [dst, src, lane] = exactly(text)?;
            let lane = Some(scalar_value(lane, Fill::Word)?);
            Op::ReadLane { dst: scalar_register(dst)?, src: register(src)?, lane }
        }
        "v_writelane_b32" => {
            let [dst, src, lane] = exactly(text)?;
            let (src, lane) = (scalar_value(src, Fill::Word)?, scalar_value(lane, Fill::Word)?);
            Op::WriteLane { dst: register(dst)?, src, lane }
        }
        "v_swap_b32" => {
            let [a, b] = exactly(text)?;
            Op::Swap([register(a)?, register(b)?])
        }
        "v_permlane64_b32" => {
            let [dst, src] = exactly(text)?;
            Op::PermLane64 { dst: register(dst)?, src: register(src)? }
        }
        "v_permlane16_swap_b32" | "v_permlane32_swap_b32" => {
            let rows = if text.name.contains("16") { 1 } else { 2 };
            let [a, b] = exactly(text)?;
            Op::PermLaneSwap { rows, registers: [register(a)?, register(b)?] }
        }
        "v_permlane16_b32" | "v_permlanex16_b32" => {
            // The first says whether lanes that are off give their values, the second what others give; here all do.
            let flags = text.bits("op_sel")?.unwrap_or(0);
            let [dst, src, low, high] = exactly(text)?;
            let selectors = [scalar_value(low, Fill::Word)?, scalar_value(high, Fill::Word)?];
            let across = text.name.contains("x16");
            let (dst, src) = (register(dst)?, register(src)?);
            Op::PermLane {
                across,
                dst,
                src,
                selectors,
                fetch_inactive: flags & 1 != 0,
                bound_zero: flags & 2 != 0,
            }
        }
        _ => return Ok(None),
    };
    text.finish()?;
    Ok(Some(op))
}

fn with_carry(text: &mut Text, context: &Context) -> Decoded {
    let (op, takes) = match text.name {
        "v_add_co_u32" => (Carry::Add, false),
        "v_sub_co_u32" => (Carry::Sub, false),
        "v_subrev_co_u32" => (Carry::SubRev, false),
        "v_addc_co_u32" | "v_add_co_ci_u32" => (Carry::Add, true),
        "v_subb_co_u32" | "v_sub_co_ci_u32" => (Carry::Sub, true),
        "v_subbrev_co_u32" | "v_subrev_co_ci_u32" => (Carry::SubRev, true),
        _ => return Ok(None),
    };
    let clamp = text.take("clamp").is_some();
    let parts = SubDword::take(text)?;
    if dpp(text)?.is_some() {
        return Err("a carry with lanes exchanged is not implemented".into());
    }
    text.finish()?;
    let (operands, carry) = match (takes, text.operands.as_slice()) {
        (false, all) if all.len() == 4 => (all, None),
        (true, [all @ .., carry]) if all.len() == 4 => (all, Some(scalar_value(carry, mask_fill(context))?)),
        _ => return Err("its operands are not understood".into()),
    };
    let mut src = [operand(operands[2], Fill::Word)?, operand(operands[3], Fill::Word)?];
    for (n, operand) in src.iter_mut().enumerate() {
        parts.apply(n, operand);
    }
    let dst = parts.destination(vector(operands[0])?);
    Ok(Some(Op::Carry { op, dst, out: scalar_destination(operands[1])?, src, carry, clamp }))
}

/// How a lane mask given as a constant fills its registers.
fn mask_fill(context: &Context) -> Fill {
    if context.wave32 { Fill::Word } else { Fill::Long }
}

fn wide_results(text: &Text) -> Decoded {
    let operands = |fills: [Fill; 3]| -> Result<_, Refusal> {
        text.finish()?;
        let [dst, out, a, b, c] = exactly(text)?;
        let src = [operand(a, fills[0])?, operand(b, fills[1])?, operand(c, fills[2])?];
        Ok((vector(dst)?, scalar_destination(out)?, src))
    };
    Ok(Some(match text.name {
        "v_div_scale_f32" | "v_div_scale_f64" => {
            let double = text.name.ends_with('4');
            let (dst, out, src) = operands([if double { Fill::Double } else { Fill::Word }; 3])?;
            Op::DivScale { double, dst, out, src }
        }
        "v_mad_u64_u32" | "v_mad_co_u64_u32" => {
            let (dst, out, src) = operands([Fill::Word, Fill::Word, Fill::Long])?;
            Op::MadWide { signed: false, dst, out, src }
        }
        "v_mad_i64_i32" | "v_mad_co_i64_i32" => {
            let (dst, out, src) = operands([Fill::Word, Fill::Word, Fill::SignedLong])?;
            Op::MadWide { signed: true, dst, out, src }
        }
        _ => return Ok(None),
    }))
}

fn comparison(text: &mut Text, context: &Context) -> Decoded {
    let (name, exec) = match text.name.strip_prefix("v_cmpx_") {
        Some(name) => (name, true),
        None => match text.name.strip_prefix("v_cmp_") {
            Some(name) => (name, false),
            None => return Ok(None),
        },
    };
    let Some((condition, ty)) = name.rsplit_once('_') else { return Ok(None) };
    let run = compare(condition, ty).ok_or("this comparison is not implemented")?;
    let mut operands = text.operands.clone();
    let has_destination = !(exec && context.family.cmpx_exec_only);
    let dst =
        if has_destination && !operands.is_empty() { scalar_destination(operands.remove(0))? } else { None };
    let [a, b] = operands.as_slice().try_into().map_err(|_| "its operands are not understood")?;
    let mut src = [operand(a, run.src[0].into())?, operand(b, run.src[1].into())?];
    let parts = SubDword::take(text)?;
    let op_sel = text.bits("op_sel")?.unwrap_or(0);
    for (n, operand) in src.iter_mut().enumerate() {
        halve(operand, run.src[n], op_sel >> n & 1 == 1);
        parts.apply(n, operand);
    }
    let dpp = dpp(text)?;
    // What clamping means for a comparison is whether NaN is signalled.
    text.take("clamp");
    text.finish()?;
    Ok(Some(Op::Compare { run, src, dst, exec, dpp }))
}

/// Makes an operand that is half a register one: as `.l` and `.h` say, else as `op_sel` does.
fn halve(operand: &mut Operand, ty: Ty, upper: bool) {
    if ty.is_half() && operand.part == Part::Whole && !matches!(operand.value, Value::Constant(_)) {
        operand.part = Part::Half(upper.into());
    }
}

/// A vector instruction that computes each lane by itself.
fn lane_wise(mut text: Text, context: &Context) -> Result<Option<Vector>, Refusal> {
    let clamp = text.take("clamp").is_some();
    let output_scale = output_scale(&mut text)?;
    if let Some(vector) = mix(&mut text, clamp)? {
        return Ok(Some(vector));
    }
    if let Some(vector) = special(&mut text, clamp, output_scale, context)? {
        return Ok(Some(vector));
    }
    let saturating = clamp.then(|| valu::named(&format!("{} clamp", text.name))).flatten();
    let Some(run) = saturating.or_else(|| valu::named(text.name)) else { return Ok(None) };
    let float = matches!(run.dst, Ty::F16 | Ty::F32 | Ty::F64 | Ty::PkF16 | Ty::PkF32);
    if clamp && !float && saturating.is_none() {
        return Err("clamping it is not implemented".into());
    }
    let explicit = run.src.len() - usize::from(run.accumulates);
    let Some((dst_text, operands)) = text.operands.clone().split_first().map(|(d, o)| (*d, o.to_vec()))
    else {
        return Err("it has no operands".into());
    };
    if operands.len() != explicit {
        return Err(format!("it has {} operands, not {}", operands.len() + 1, explicit + 1));
    }
    let mut src = [Operand::plain(Value::Constant(0)); 3];
    for (n, text) in operands.iter().enumerate() {
        src[n] = operand(text, run.src[n].into())?;
    }
    let (register, dst_part) = register_part(dst_text);
    let register = vector(register)?;
    let op_sel = text.bits("op_sel")?;
    modify(&mut text, &mut src, run.src, op_sel.unwrap_or(0))?;
    let upper = match dst_part {
        Part::Whole => op_sel.unwrap_or(0) >> explicit & 1 == 1 && run.dst.is_half(),
        part => part == Part::Half(1),
    };
    let parts = SubDword::take(&mut text)?;
    for (n, operand) in src.iter_mut().enumerate().take(explicit) {
        parts.apply(n, operand);
    }
    let explicit_half = dst_part != Part::Whole || upper;
    let dst = match (run.dst.is_half(), &parts.dst) {
        (_, Some(_)) => parts.destination(register),
        (true, None) => half_destination(register, upper, explicit_half, text.name, context),
        (false, None) => Destination::whole(register),
    };
    if run.accumulates {
        let part = if run.dst.is_half() { Part::Half(upper.into()) } else { Part::Whole };
        src[explicit] = Operand { part, ..Operand::plain(Value::Vector(register)) };
    }
    let dpp = dpp(&mut text)?;
    text.finish()?;
    Ok(Some(Vector { compute: Compute::Lanes(run), dst, src, clamp: clamp && float, output_scale, dpp }))
}

/// Settles which halves of registers the operands are, and the modifiers of packed ones.
fn modify(text: &mut Text, src: &mut [Operand; 3], types: &[Ty], op_sel: u32) -> Result<(), Refusal> {
    if !types.iter().any(|ty| ty.is_packed()) {
        for (n, ty) in types.iter().enumerate() {
            halve(&mut src[n], *ty, op_sel >> n & 1 == 1);
        }
        return Ok(());
    }
    let op_sel_hi = text.bits("op_sel_hi")?.unwrap_or(7);
    let (neg_lo, neg_hi) = (text.bits("neg_lo")?.unwrap_or(0), text.bits("neg_hi")?.unwrap_or(0));
    for (n, ty) in types.iter().enumerate() {
        let bit = |bits: u32| bits >> n & 1 == 1;
        if ty.is_packed() {
            (src[n].lo_from_hi, src[n].hi_from_hi) = (bit(op_sel), bit(op_sel_hi));
            (src[n].neg, src[n].neg_hi) = (src[n].neg || bit(neg_lo), bit(neg_hi));
        } else {
            halve(&mut src[n], *ty, bit(op_sel));
            src[n].neg |= bit(neg_lo);
        }
    }
    Ok(())
}

/// Where a result of 16 bits goes. Older families clear the other half, but for what their `op_sel` forms compute.
fn half_destination(
    register: u16,
    upper: bool,
    explicit: bool,
    name: &str,
    context: &Context,
) -> Destination {
    const KEEP: [&str; 7] = ["v_fma_", "v_mad_", "v_div_fixup_", "v_min3_", "v_max3_", "v_med3_", "v_fmac_"];
    let keeps = explicit || !context.family.halves_clear || KEEP.iter().any(|keep| name.starts_with(keep));
    match (keeps, upper) {
        (false, _) => Destination::whole(register),
        (true, false) => Destination { mask: 0xffff, ..Destination::whole(register) },
        (true, true) => Destination { shift: 16, mask: 0xffff_0000, ..Destination::whole(register) },
    }
}

fn output_scale(text: &mut Text) -> Result<OutputScale, Refusal> {
    if let Some(value) = text.take("mul") {
        return match value {
            "2" => Ok(1),
            "4" => Ok(2),
            _ => Err(format!("`mul:{value}` is not implemented")),
        };
    }
    Ok(if text.take("div").is_some() { -1 } else { 0 })
}

/// `v_cndmask`, `v_mbcnt` and `v_div_fmas`: lane by lane, but not from operands alone.
fn special(
    text: &mut Text,
    clamp: bool,
    output_scale: OutputScale,
    context: &Context,
) -> Result<Option<Vector>, Refusal> {
    let vcc = Value::Scalar(scalar::VCC);
    let (compute, fills): (_, &[Fill]) = match text.name {
        "v_cndmask_b32" => (Compute::Select { mask: vcc, half: false }, &[Fill::Word; 2]),
        "v_cndmask_b16" => (Compute::Select { mask: vcc, half: true }, &[Fill::Half; 2]),
        "v_mbcnt_lo_u32_b32" => (Compute::CountBelow { high: false }, &[Fill::Word; 2]),
        "v_mbcnt_hi_u32_b32" => (Compute::CountBelow { high: true }, &[Fill::Word; 2]),
        "v_div_fmas_f32" => (Compute::DivFmas { double: false }, &[Fill::Word; 3]),
        "v_div_fmas_f64" => (Compute::DivFmas { double: true }, &[Fill::Double; 3]),
        _ => return Ok(None),
    };
    let mut compute = compute;
    let mut operands = text.operands.clone();
    if let Compute::Select { mask, half } = compute {
        let given = if operands.len() == 4 { operands.pop() } else { None };
        let mask = given.map_or(Ok(mask), |text| scalar_value(text, mask_fill(context)))?;
        compute = Compute::Select { mask, half };
    }
    let Some((dst, operands)) = operands.split_first().filter(|(_, rest)| rest.len() == fills.len()) else {
        return Err("its operands are not understood".into());
    };
    let op_sel = text.bits("op_sel")?.unwrap_or(0);
    let mut src = [Operand::plain(Value::Constant(0)); 3];
    for (n, (text, fill)) in operands.iter().zip(fills).enumerate() {
        src[n] = operand(text, *fill)?;
        if *fill == Fill::Half {
            halve(&mut src[n], Ty::B16, op_sel >> n & 1 == 1);
        }
    }
    let (register, part) = register_part(dst);
    let register = vector(register)?;
    let upper = part == Part::Half(1) || part == Part::Whole && op_sel >> fills.len() & 1 == 1;
    let parts = SubDword::take(text)?;
    for (n, operand) in src.iter_mut().enumerate().take(fills.len()) {
        parts.apply(n, operand);
    }
    let dst = match compute {
        Compute::Select { half: true, .. } => half_destination(register, upper, true, text.name, context),
        _ => parts.destination(register),
    };
    let dpp = dpp(text)?;
    text.finish()?;
    Ok(Some(Vector { compute, dst, src, clamp, output_scale, dpp }))
}

fn mix(text: &mut Text, clamp: bool) -> Result<Option<Vector>, Refusal> {
    let result = match text.name {
        "v_fma_mix_f32" => Part::Whole,
        "v_fma_mixlo_f16" => Part::Half(0),
        "v_fma_mixhi_f16" => Part::Half(1),
        _ => return Ok(None),
    };
    let upper = text.bits("op_sel")?.unwrap_or(0) as u8;
    let halves = text.bits("op_sel_hi")?.unwrap_or(0) as u8;
    text.finish()?;
    let [dst, a, b, c] = exactly(text)?;
    let mut src = [Operand::plain(Value::Constant(0)); 3];
    for (n, text) in [a, b, c].into_iter().enumerate() {
        src[n] = operand(text, if halves >> n & 1 == 1 { Fill::Half } else { Fill::Word })?;
    }
    let register = vector(dst)?;
    let dst = match result {
        Part::Half(0) => Destination { mask: 0xffff, ..Destination::whole(register) },
        Part::Half(_) => Destination { shift: 16, mask: 0xffff_0000, ..Destination::whole(register) },
        _ => Destination::whole(register),
    };
    let compute = Compute::Mix { halves, upper, result };
    Ok(Some(Vector { compute, dst, src, clamp, output_scale: 0, dpp: None }))
}

/// Sub-dword addressing: which parts of registers are read and written.
struct SubDword {
    src: [Option<Part>; 2],
    dst: Option<Part>,
    unused: &'static str,
}

impl SubDword {
    fn take(text: &mut Text) -> Result<Self, Refusal> {
        let mut part = |name| text.take(name).map(part_of).transpose();
        let (src, dst) = ([part("src0_sel")?, part("src1_sel")?], part("dst_sel")?);
        let unused = match text.take("dst_unused") {
            None | Some("UNUSED_PAD") => "pad",
            Some("UNUSED_SEXT") => "sext",
            Some("UNUSED_PRESERVE") => "preserve",
            Some(other) => return Err(format!("`dst_unused:{other}` is not implemented")),
        };
        Ok(Self { src, dst, unused })
    }

    /// Settles the part of operand `n`. A whole one is a half for an operation on halves.
    fn apply(&self, n: usize, operand: &mut Operand) {
        if let Some(Some(part)) = self.src.get(n)
            && *part != Part::Whole
        {
            operand.part = *part;
        }
    }

    fn destination(&self, register: u16) -> Destination {
        let whole = Destination::whole(register);
        let (shift, bits) = match self.dst {
            None | Some(Part::Whole) => return whole,
            Some(Part::Byte(n)) => (8 * n, 8),
            Some(Part::Half(n)) => (16 * n, 16),
        };
        let ones = (1u32 << bits) - 1;
        match self.unused {
            "preserve" => Destination { register, shift, mask: ones << shift, extend: 0 },
            "sext" => Destination { register, shift, mask: u32::MAX, extend: bits },
            // The value itself is cut to size by what lies above it being cleared.
            _ => Destination { register, shift, mask: u32::MAX, extend: bits | Destination::ZERO_EXTEND },
        }
    }
}

fn part_of(text: &str) -> Result<Part, Refusal> {
    Ok(match text {
        "DWORD" => Part::Whole,
        "WORD_0" => Part::Half(0),
        "WORD_1" => Part::Half(1),
        "BYTE_0" => Part::Byte(0),
        "BYTE_1" => Part::Byte(1),
        "BYTE_2" => Part::Byte(2),
        "BYTE_3" => Part::Byte(3),
        _ => return Err(format!("the part `{text}` is not implemented")),
    })
}

/// Takes out what says that the first operand comes from other lanes.
fn dpp(text: &mut Text) -> Result<Option<Dpp>, Refusal> {
    let shuffle = shuffle(text)?;
    let row_mask = text.number("row_mask")?.unwrap_or(15) as u8;
    let bank_mask = text.number("bank_mask")?.unwrap_or(15) as u8;
    let bound_zero = text.take("bound_ctrl").is_some();
    let fetch_inactive = text.take("fi").is_some_and(|value| value == "1");
    Ok(shuffle.map(|shuffle| Dpp { shuffle, row_mask, bank_mask, bound_zero, fetch_inactive }))
}

fn shuffle(text: &mut Text) -> Result<Option<Shuffle>, Refusal> {
    if let Some(value) = text.take("quad_perm") {
        return lanes_of(value, 4).map(|lanes| Some(Shuffle::Quad(lanes)));
    }
    if let Some(value) = text.take("dpp8") {
        return lanes_of(value, 8).map(|lanes| Some(Shuffle::Eight(lanes)));
    }
    if text.take("row_mirror").is_some() {
        return Ok(Some(Shuffle::RowMirror));
    }
    if text.take("row_half_mirror").is_some() {
        return Ok(Some(Shuffle::RowHalfMirror));
    }
    type Make = fn(u8) -> Option<Shuffle>;
    let known: [(&str, Make); 11] = [
        ("row_shl", |n| Some(Shuffle::RowShl(n))),
        ("row_shr", |n| Some(Shuffle::RowShr(n))),
        ("row_ror", |n| Some(Shuffle::RowRor(n))),
        ("row_share", |n| Some(Shuffle::RowShare(n))),
        ("row_newbcast", |n| Some(Shuffle::RowShare(n))),
        ("row_xmask", |n| Some(Shuffle::RowXmask(n))),
        ("wave_shl", |n| (n == 1).then_some(Shuffle::WaveShl)),
        ("wave_rol", |n| (n == 1).then_some(Shuffle::WaveRol)),
        ("wave_shr", |n| (n == 1).then_some(Shuffle::WaveShr)),
        ("wave_ror", |n| (n == 1).then_some(Shuffle::WaveRor)),
        ("row_bcast", |n| match n {
            15 => Some(Shuffle::RowBcast15),
            31 => Some(Shuffle::RowBcast31),
            _ => None,
        }),
    ];
    for (name, make) in known {
        if let Some(number) = text.number(name)? {
            let shuffle = u8::try_from(number).ok().filter(|n| *n < 32).and_then(make);
            return shuffle.map(Some).ok_or_else(|| format!("`{name}:{number}` is not implemented"));
        }
    }
    Ok(None)
}

fn lanes_of<const N: usize>(text: &str, below: u8) -> Result<[u8; N], Refusal> {
    let lanes: Option<Vec<u8>> = list(text).map(|item| item.parse().ok().filter(|n| *n < below)).collect();
    lanes
        .and_then(|lanes| lanes.try_into().ok())
        .ok_or_else(|| format!("the lanes `{text}` are not understood"))
}
