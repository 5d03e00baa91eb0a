//! Accesses to memory of the work-group (LDS), and exchanges through its hardware.

use super::memory::{atomic, shape};
use super::operand::vector;
use super::scalar::exactly;
use super::{Context, Decoded, Refusal};
use crate::operation::{Action, Atomic, AtomicOp, Exchange, Op, Shape, Shared};
use crate::text::{Text, list};

pub(super) fn decode(mut text: Text, _: &Context) -> Decoded {
    let Some(what) = text.name.strip_prefix("ds_") else { return Ok(None) };
    if what == "nop" {
        return Ok(Some(Op::Nop));
    }
    if text.take("gds").is_some() {
        return Err("global data share is not implemented".into());
    }
    if let Some(op) = exchange(&mut text, what)? {
        return Ok(Some(op));
    }
    let offset = unsigned(&mut text, "offset")?;
    let pair = [unsigned(&mut text, "offset0")?, unsigned(&mut text, "offset1")?];
    text.finish()?;
    for (prefix, loads) in [("read", true), ("load", true), ("write", false), ("store", false)] {
        let Some(rest) = what.strip_prefix(prefix) else { continue };
        let Some((step, name)) = stride(rest) else { continue };
        let shape = shape(name).ok_or("this access is not implemented")?;
        let offsets = match step {
            None => [Some(offset.unwrap_or(0)), None],
            Some(step) => pair.map(|n| Some(n.unwrap_or(0) * step * shape.bytes() as u32)),
        };
        return access(&text, shape, loads, offsets).map(Some);
    }
    atomic_operation(&text, what, offset.unwrap_or(0)).map(Some)
}

/// Of one access, or of two: how many elements a step of their offsets is. And what they move.
fn stride(rest: &str) -> Option<(Option<u32>, &str)> {
    for (prefix, step) in [
        ("2st64_", Some(64)),
        ("_2addr_stride64_", Some(64)),
        ("2_", Some(1)),
        ("_2addr_", Some(1)),
        ("_", None),
    ] {
        if let Some(name) = rest.strip_prefix(prefix) {
            return Some((step, name));
        }
    }
    None
}

fn unsigned(text: &mut Text, name: &str) -> Result<Option<u32>, Refusal> {
    Ok(text.number(name)?.map(|number| number as u32))
}

fn access(text: &Text, shape: Shape, loads: bool, offsets: [Option<u32>; 2]) -> Result<Op, Refusal> {
    let action = if loads { Action::Load(shape) } else { Action::Store(shape) };
    let mut shared = Shared { address: 0, action, offsets, dst: 0, data: [0; 2] };
    if loads {
        let [dst, address] = exactly(text)?;
        (shared.dst, shared.address) = (vector(dst)?, vector(address)?);
    } else if offsets[1].is_some() {
        let [address, first, second] = exactly(text)?;
        (shared.address, shared.data) = (vector(address)?, [vector(first)?, vector(second)?]);
    } else {
        let [address, data] = exactly(text)?;
        (shared.address, shared.data[0]) = (vector(address)?, vector(data)?);
    }
    Ok(Op::Shared(Box::new(shared)))
}

fn atomic_operation(text: &Text, what: &str, offset: u32) -> Result<Op, Refusal> {
    let returns = what.contains("_rtn_") || what.ends_with("_rtn");
    let name = what.replacen("_rtn", "", 1);
    let mut operands = text.operands.as_slice();
    let mut dst = 0;
    if returns {
        let (first, rest) = operands.split_first().ok_or("it has no operands")?;
        (dst, operands) = (vector(first)?, rest);
    }
    let offsets = [Some(offset), None];
    let shared = |op, wide, address: &str, data| {
        let action = Action::Atomic(Atomic { op, wide, returns });
        Ok(Op::Shared(Box::new(Shared { address: vector(address)?, action, offsets, dst, data })))
    };
    let compare = name.strip_prefix("cmpst_").map(|ty| (ty, true));
    let compare = compare.or_else(|| name.strip_prefix("cmpstore_").map(|ty| (ty, false)));
    if let Some((ty @ ("b32" | "b64"), compared_first)) = compare {
        let [address, a, b] = operands else { return Err("it has not three operands".into()) };
        let (a, b) = (vector(a)?, vector(b)?);
        let data = if compared_first { [b, a] } else { [a, b] };
        return shared(AtomicOp::CompareSwap, ty == "b64", address, data);
    }
    let (op, wide) = atomic(&name).ok_or("this instruction is not implemented")?;
    let [address, data] = operands else { return Err("it has not two operands".into()) };
    shared(op, wide, address, [vector(data)?, 0])
}

fn exchange(text: &mut Text, what: &str) -> Decoded {
    if what == "swizzle_b32" {
        let pattern = text.take("offset").unwrap_or("0");
        text.finish()?;
        let [dst, data] = exactly(text)?;
        let exchange = Exchange::Swizzle(swizzle(pattern)?);
        let (dst, data) = (vector(dst)?, vector(data)?);
        return Ok(Some(Op::Exchange { exchange, dst, address: data, data, offset: 0 }));
    }
    let exchange = match what {
        "permute_b32" => Exchange::Permute,
        "bpermute_b32" => Exchange::BackwardPermute,
        _ => return Ok(None),
    };
    let offset = unsigned(text, "offset")?.unwrap_or(0);
    text.finish()?;
    let [dst, address, data] = exactly(text)?;
    let (dst, address, data) = (vector(dst)?, vector(address)?, vector(data)?);
    Ok(Some(Op::Exchange { exchange, dst, address, data, offset }))
}

/// A swizzle as a number: given as one, or as `swizzle(MODE,…)`.
fn swizzle(text: &str) -> Result<u16, Refusal> {
    if let Some(number) = crate::text::integer(text) {
        return Ok(number as u16);
    }
    let unknown = || format!("swizzle `{text}` is not implemented");
    let inside = text.strip_prefix("swizzle(").and_then(|rest| rest.strip_suffix(')')).ok_or_else(unknown)?;
    let (mode, arguments) = inside.split_once(',').ok_or_else(unknown)?;
    let numbers: Option<Vec<u16>> = list(arguments).map(|item| item.parse().ok()).collect();
    let masks = |and: u16, or: u16, xor: u16| and | or << 5 | xor << 10;
    match (mode.trim(), numbers.as_deref()) {
        ("QUAD_PERM", Some([a, b, c, d])) => Ok(0x8000 | a | b << 2 | c << 4 | d << 6),
        ("SWAP", Some([size])) => Ok(masks(31, 0, *size)),
        ("REVERSE", Some([size])) => Ok(masks(31, 0, size.wrapping_sub(1))),
        ("BROADCAST", Some([size, lane])) => Ok(masks(32u16.wrapping_sub(*size) & 31, *lane, 0)),
        ("BITMASK_PERM", _) => {
            let pattern = arguments.trim().trim_matches('"');
            let (mut and, mut or, mut xor) = (0, 0, 0);
            for letter in pattern.chars() {
                (and, or, xor) = (and << 1, or << 1, xor << 1);
                match letter {
                    '0' => {}
                    '1' => or |= 1,
                    'p' => and |= 1,
                    'i' => (and, xor) = (and | 1, xor | 1),
                    _ => return Err(unknown()),
                }
            }
            Ok(masks(and, or, xor))
        }
        _ => Err(unknown()),
    }
}
