//! Operands as text.

use super::Refusal;
use crate::lanes::Ty;
use crate::memory::{PRIVATE_APERTURE, SHARED_APERTURE};
use crate::operation::{ACCUMULATORS, Operand, Part, Value, scalar};
use crate::salu::Width;
use crate::text::integer;

/// How a constant fills an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fill {
    /// 32 bits.
    Word,
    /// 64 bits; literals are extended with zeros.
    Long,
    /// 64 bits; literals are extended by their sign.
    SignedLong,
    /// A float of 64 bits, of which a literal is the upper half.
    Double,
    /// 16 bits, decimal fractions being halves.
    Half,
    /// Two floats of 32 bits.
    PairOfSingles,
}

impl From<Ty> for Fill {
    fn from(ty: Ty) -> Self {
        match ty {
            Ty::B32 | Ty::F32 | Ty::Pk16 => Fill::Word,
            Ty::B64 => Fill::Long,
            Ty::I64 => Fill::SignedLong,
            Ty::F64 => Fill::Double,
            Ty::B16 | Ty::F16 | Ty::PkF16 => Fill::Half,
            Ty::PkF32 => Fill::PairOfSingles,
        }
    }
}

impl From<Width> for Fill {
    fn from(width: Width) -> Self {
        match width {
            Width::B32 => Fill::Word,
            Width::B64 => Fill::Long,
            Width::I64 => Fill::SignedLong,
        }
    }
}

/// A register's number and how many there are: `v[2:3]` is (2, 2).
fn range(text: &str, prefix: &str) -> Option<(u16, u16)> {
    let rest = text.strip_prefix(prefix)?;
    if let Some(inside) = rest.strip_prefix('[') {
        let inside = inside.strip_suffix(']')?;
        let (first, last) = inside.split_once(':').unwrap_or((inside, inside));
        let (first, last): (u16, u16) = (first.parse().ok()?, last.parse().ok()?);
        return Some((first, last.checked_sub(first)? + 1));
    }
    rest.parse().ok().map(|number| (number, 1))
}

/// A vector register: its first number.
pub fn vector(text: &str) -> Result<u16, Refusal> {
    let known = |(first, count): (u16, u16), base: u16| (first + count <= 256).then_some(base + first);
    range(text, "v")
        .and_then(|found| known(found, 0))
        .or_else(|| range(text, "a").and_then(|found| known(found, ACCUMULATORS)))
        .ok_or_else(|| format!("`{text}` is not understood as a vector register"))
}

/// A scalar register, as its first number.
pub fn scalar_register(text: &str) -> Result<u16, Refusal> {
    named(text)
        .or_else(|| range(text, "s").filter(|(first, count)| first + count <= 106).map(|(first, _)| first))
        .or_else(|| {
            range(text, "ttmp")
                .filter(|(first, count)| first + count <= 16)
                .map(|(first, _)| scalar::TTMP + first)
        })
        .ok_or_else(|| format!("`{text}` is not understood as a scalar register"))
}

/// A scalar register that is written; none for `null`.
pub fn scalar_destination(text: &str) -> Result<Option<u16>, Refusal> {
    if text == "null" { Ok(None) } else { scalar_register(text).map(Some) }
}

fn named(text: &str) -> Option<u16> {
    Some(match text {
        "vcc" | "vcc_lo" => scalar::VCC,
        "vcc_hi" => scalar::VCC + 1,
        "exec" | "exec_lo" => scalar::EXEC,
        "exec_hi" => scalar::EXEC + 1,
        "m0" => scalar::M0,
        "flat_scratch" | "flat_scratch_lo" => scalar::FLAT_SCRATCH,
        "flat_scratch_hi" => scalar::FLAT_SCRATCH + 1,
        "xnack_mask" | "xnack_mask_lo" => scalar::XNACK_MASK,
        "xnack_mask_hi" => scalar::XNACK_MASK + 1,
        _ => return None,
    })
}

/// A value: a register or a constant.
pub fn value(text: &str, fill: Fill) -> Result<Value, Refusal> {
    if let Some(constant) = constant(text, fill)? {
        return Ok(Value::Constant(constant));
    }
    match text {
        "null" => return Ok(Value::Constant(0)),
        "scc" | "src_scc" => return Ok(Value::Scc),
        "vccz" | "src_vccz" => return Ok(Value::VccZero),
        "execz" | "src_execz" => return Ok(Value::ExecZero),
        "src_shared_base" if fill == Fill::Long => return Ok(Value::Constant(SHARED_APERTURE)),
        "src_private_base" if fill == Fill::Long => return Ok(Value::Constant(PRIVATE_APERTURE)),
        "src_shared_limit" if fill == Fill::Long => {
            return Ok(Value::Constant(SHARED_APERTURE | 0xffff_ffff));
        }
        "src_private_limit" if fill == Fill::Long => {
            return Ok(Value::Constant(PRIVATE_APERTURE | 0xffff_ffff));
        }
        _ => {}
    }
    if let Ok(register) = scalar_register(text) {
        return Ok(Value::Scalar(register));
    }
    vector(text).map(Value::Vector).map_err(|_| format!("operand `{text}` is not understood"))
}

/// A scalar value.
pub fn scalar_value(text: &str, fill: Fill) -> Result<Value, Refusal> {
    match value(text, fill)? {
        Value::Vector(_) => Err(format!("`{text}` is a vector register where none may be")),
        value => Ok(value),
    }
}

/// The bits of a constant, if `text` is one.
fn constant(text: &str, fill: Fill) -> Result<Option<u64>, Refusal> {
    let literal = text.strip_prefix("lit(").and_then(|rest| rest.strip_suffix(')'));
    let text = literal.unwrap_or(text);
    if let Some(whole) = integer(text) {
        let is_literal = text.contains("0x");
        let bits = whole.cast_unsigned();
        return Ok(Some(match fill {
            Fill::Word => bits & 0xffff_ffff,
            Fill::Half => bits & 0xffff,
            Fill::Double if is_literal && bits <= u32::MAX.into() => bits << 32,
            Fill::SignedLong if is_literal && bits <= u32::MAX.into() => {
                i64::from(bits as i32).cast_unsigned()
            }
            Fill::Double | Fill::Long | Fill::SignedLong => bits,
            Fill::PairOfSingles if bits == 0 => 0,
            Fill::PairOfSingles => {
                return Err(format!("the constant `{text}` for a pair of floats is not implemented"));
            }
        }));
    }
    if !text.starts_with(|c: char| c.is_ascii_digit() || c == '-' || c == '.') {
        return Ok(None);
    }
    let Ok(fraction) = text.parse::<f64>() else { return Ok(None) };
    // The one constant that text does not give to the last bit.
    let inverse_of_tau = (fraction - 0.15915494).abs() < 1e-8;
    Ok(Some(match fill {
        Fill::Word if inverse_of_tau => 0x3e22_f983,
        Fill::Word => (fraction as f32).to_bits().into(),
        Fill::Half if inverse_of_tau => 0x3118,
        Fill::Half => crate::half::from_f64(fraction).into(),
        Fill::PairOfSingles => {
            return Err(format!("the constant `{text}` for a pair of floats is not implemented"));
        }
        _ if inverse_of_tau => 0x3fc4_5f30_6dc9_c882,
        _ => fraction.to_bits(),
    }))
}

/// `text` between `start` and `end`, if it is there.
fn inside<'t>(text: &'t str, start: &str, end: &str) -> Option<&'t str> {
    text.strip_prefix(start)?.strip_suffix(end)
}

/// An operand of a vector instruction, with its modifiers.
pub fn operand(text: &str, fill: Fill) -> Result<Operand, Refusal> {
    if constant(text, fill)?.is_some() {
        return value(text, fill).map(Operand::plain);
    }
    let (mut neg, mut abs, mut extend) = (false, false, false);
    let mut text = text;
    loop {
        if let Some(rest) = text.strip_prefix('-') {
            (neg, text) = (!neg, rest);
        } else if let Some(rest) = inside(text, "neg(", ")") {
            (neg, text) = (!neg, rest);
        } else if let Some(rest) = inside(text, "|", "|").or_else(|| inside(text, "abs(", ")")) {
            (abs, text) = (true, rest);
        } else if let Some(rest) = inside(text, "sext(", ")") {
            (extend, text) = (true, rest);
        } else {
            break;
        }
    }
    let (text, part) = register_part(text);
    let value = value(text, fill)?;
    Ok(Operand { neg, abs, extend, part, ..Operand::plain(value) })
}

/// The register of `v1.l` or `v1.h`, and the half.
pub fn register_part(text: &str) -> (&str, Part) {
    match text.strip_suffix(".l") {
        Some(register) => (register, Part::Half(0)),
        None => match text.strip_suffix(".h") {
            Some(register) => (register, Part::Half(1)),
            None => (text, Part::Whole),
        },
    }
}
