//! Vector accesses to memory outside the work-group's.

use super::operand::{Fill, scalar_register, scalar_value, vector};
use super::scalar::exactly;
use super::{Context, Decoded, Refusal};
use crate::operation::{Action, Atomic, AtomicOp, Memory, Op, Shape, Space};
use crate::text::Text;

/// What a load or store of this name's end moves.
pub(super) fn shape(name: &str) -> Option<Shape> {
    let small = |bytes, signed, half| Shape::Small { bytes, signed, half };
    Some(match name {
        "dword" | "b32" => Shape::Words(1),
        "dwordx2" | "b64" => Shape::Words(2),
        "dwordx3" | "b96" => Shape::Words(3),
        "dwordx4" | "b128" => Shape::Words(4),
        "ubyte" | "u8" | "byte" | "b8" => small(1, false, None),
        "sbyte" | "i8" => small(1, true, None),
        "ushort" | "u16" | "short" | "b16" => small(2, false, None),
        "sshort" | "i16" => small(2, true, None),
        "ubyte_d16" | "d16_u8" | "u8_d16" => small(1, false, Some(0)),
        "ubyte_d16_hi" | "d16_hi_u8" | "u8_d16_hi" => small(1, false, Some(1)),
        "sbyte_d16" | "d16_i8" | "i8_d16" => small(1, true, Some(0)),
        "sbyte_d16_hi" | "d16_hi_i8" | "i8_d16_hi" => small(1, true, Some(1)),
        "short_d16" | "d16_b16" | "u16_d16" => small(2, false, Some(0)),
        "short_d16_hi" | "d16_hi_b16" | "u16_d16_hi" | "b16_d16_hi" => small(2, false, Some(1)),
        "byte_d16_hi" | "d16_hi_b8" | "b8_d16_hi" => small(1, false, Some(1)),
        _ => return None,
    })
}

/// The atomic operation of this name's end: `add`, `add_x2`, `add_u64`, `cmpswap_b32`, …
pub(super) fn atomic(name: &str) -> Option<(AtomicOp, bool)> {
    let (name, wide) = match name.strip_suffix("_x2") {
        Some(name) => (name, true),
        None => (name, name.ends_with("64")),
    };
    Some((
        match name {
            "swap" | "swap_b32" | "swap_b64" | "storexchg_b32" | "storexchg_b64" | "wrxchg_b32"
            | "wrxchg_b64" => AtomicOp::Swap,
            "cmpswap" | "cmpswap_b32" | "cmpswap_b64" => AtomicOp::CompareSwap,
            "add" | "add_u32" | "add_u64" => AtomicOp::Add,
            "sub" | "sub_u32" | "sub_u64" => AtomicOp::Sub,
            "rsub_u32" | "rsub_u64" => AtomicOp::ReverseSub,
            "inc" | "inc_u32" | "inc_u64" => AtomicOp::Inc,
            "dec" | "dec_u32" | "dec_u64" => AtomicOp::Dec,
            "smin" | "min_i32" | "min_i64" => AtomicOp::MinI,
            "smax" | "max_i32" | "max_i64" => AtomicOp::MaxI,
            "umin" | "min_u32" | "min_u64" => AtomicOp::MinU,
            "umax" | "max_u32" | "max_u64" => AtomicOp::MaxU,
            "and" | "and_b32" | "and_b64" => AtomicOp::And,
            "or" | "or_b32" | "or_b64" => AtomicOp::Or,
            "xor" | "xor_b32" | "xor_b64" => AtomicOp::Xor,
            "add_f32" | "add_f64" => AtomicOp::AddF,
            "fmin" | "min_f32" | "min_f64" | "min_num_f32" => AtomicOp::MinF,
            "fmax" | "max_f32" | "max_f64" | "max_num_f32" => AtomicOp::MaxF,
            "pk_add_f16" => AtomicOp::PackedAddF16,
            "pk_add_bf16" => AtomicOp::PackedAddBf16,
            _ => return None,
        },
        wide,
    ))
}

pub(super) fn decode(mut text: Text, context: &Context) -> Decoded {
    let spaces = ["global_", "flat_", "scratch_", "buffer_"];
    let Some(space) = spaces.into_iter().find(|space| text.name.starts_with(space)) else { return Ok(None) };
    let what = &text.name[space.len()..];
    text.drop_cache_policy();
    let offset = text.number("offset")?.unwrap_or(0);
    if space == "buffer_" {
        return buffer(text, what, offset);
    }
    text.finish()?;
    if let Some(name) = what.strip_prefix("load_") {
        let shape = shape(name).ok_or("this load is not implemented")?;
        let (dst, place) = text.operands.split_first().ok_or("it has no operands")?;
        let memory = place_of(space, place, offset)?;
        return access(Memory { action: Action::Load(shape), dst: vector(dst)?, ..memory });
    }
    if let Some(name) = what.strip_prefix("store_") {
        let shape = shape(name).ok_or("this store is not implemented")?;
        let (address, rest) = text.operands.split_first().ok_or("it has no operands")?;
        let (data, base) = rest.split_first().ok_or("it has no data")?;
        let memory = place_of(space, &[&[*address], base].concat(), offset)?;
        return access(Memory { action: Action::Store(shape), data: vector(data)?, ..memory });
    }
    let Some(name) = what.strip_prefix("atomic_") else {
        return Err("this access is not implemented".into());
    };
    let (op, wide) = atomic(name).ok_or("this atomic operation is not implemented")?;
    let without_return = if space == "flat_" { 2 } else { 3 };
    let returns = text.operands.len() == without_return + 1;
    let mut operands = text.operands.as_slice();
    let mut dst = 0;
    if returns {
        dst = vector(operands[0])?;
        operands = &operands[1..];
    }
    if operands.len() != without_return {
        return Err(format!("it has {} operands", text.operands.len()));
    }
    let memory = place_of(space, &[&operands[..1], &operands[2..]].concat(), offset)?;
    // gfx10 and later can't say by the operands alone that flat scratch takes part; nothing here does.
    let _ = context;
    access(Memory {
        action: Action::Atomic(Atomic { op, wide, returns }),
        dst,
        data: vector(operands[1])?,
        ..memory
    })
}

fn access(memory: Memory) -> Decoded {
    Ok(Some(Op::Memory(Box::new(memory))))
}

/// Where an access goes, from its address operands: `v[0:1], off` or `v0, s[0:1]`; for scratch `off, off`, `v0, s1`, ….
fn place_of(space: &str, place: &[&str], offset: i64) -> Result<Memory, Refusal> {
    let (address, base) = match place {
        [address] => (*address, "off"),
        [address, base] => (*address, *base),
        _ => return Err("its address is not understood".into()),
    };
    let space = match space {
        "global_" => Space::Global,
        "flat_" => Space::Flat,
        _ => Space::Scratch,
    };
    let fill = if space == Space::Scratch { Fill::Word } else { Fill::Long };
    let present = |text: &str| text != "off" && text != "null";
    Ok(Memory {
        space,
        action: Action::Load(Shape::Words(1)),
        address: present(address).then(|| vector(address)).transpose()?,
        base: present(base).then(|| scalar_value(base, fill)).transpose()?,
        offset,
        dst: 0,
        data: 0,
    })
}

/// `buffer_load_dword v0, v1, s[0:3], s4 offen offset:4`
fn buffer(mut text: Text, what: &str, offset: i64) -> Decoded {
    let offset_enable = text.take("offen").is_some();
    let index_enable = text.take("idxen").is_some();
    text.finish()?;
    let [data, address, resource, base] = exactly(&text)?;
    let data = vector(data)?;
    let space = Space::Buffer { resource: scalar_register(resource)?, offset_enable, index_enable };
    let memory = Memory {
        space,
        action: Action::Load(Shape::Words(1)),
        address: (address != "off").then(|| vector(address)).transpose()?,
        base: Some(scalar_value(base, Fill::Word)?),
        offset,
        dst: data,
        data,
    };
    if let Some(shape) = what.strip_prefix("load_").and_then(shape) {
        return access(Memory { action: Action::Load(shape), ..memory });
    }
    if let Some(shape) = what.strip_prefix("store_").and_then(shape) {
        return access(Memory { action: Action::Store(shape), ..memory });
    }
    Err("this buffer access is not implemented".into())
}
