//! Constants as text.

use crate::scalar::Scalar;
use crate::types::{AggregateKind, Type, TypeId, TypeTable};

/// How many elements of an array are shown.
const SHOWN: u64 = 16;

/// A scalar's bits as a literal with its suffix.
pub(super) fn scalar(bits: u128, scalar: Scalar) -> String {
    match scalar {
        Scalar::Bool => (bits != 0).to_string(),
        Scalar::Char => match u32::try_from(bits).ok().and_then(char::from_u32) {
            Some(c) => format!("{c:?}"),
            None => format!("char({bits:#x})"),
        },
        Scalar::F32 => float(
            f64::from(f32::from_bits(bits as u32)),
            &format!("{:?}", f32::from_bits(bits as u32)),
            bits,
            scalar,
        ),
        Scalar::F64 => {
            float(f64::from_bits(bits as u64), &format!("{:?}", f64::from_bits(bits as u64)), bits, scalar)
        }
        integer if integer.is_signed() => {
            let unused = 128 - integer.bits();
            format!("{}{integer}", ((bits << unused) as i128) >> unused)
        }
        integer => format!("{bits}{integer}"),
    }
}

fn float(value: f64, digits: &str, bits: u128, scalar: Scalar) -> String {
    if value.is_finite() { format!("{digits}{scalar}") } else { format!("{scalar}::from_bits({bits:#x})") }
}

/// The value that these bytes are.
pub(super) fn bytes(memory: &[u8], ty: TypeId, types: &TypeTable) -> String {
    let part = |offset: u64, ty: TypeId| match memory
        .get(offset as usize..offset.saturating_add(types.size(ty)) as usize)
    {
        Some(memory) => bytes(memory, ty, types),
        None => "?".into(),
    };
    match types.get(ty) {
        Type::Scalar(kind) if memory.len() <= 16 => {
            let mut wide = [0; 16];
            wide[..memory.len()].copy_from_slice(memory);
            scalar(u128::from_le_bytes(wide), *kind)
        }
        Type::Array { element, length } => {
            let size = types.size(*element);
            let mut elements: Vec<String> =
                (0..(*length).min(SHOWN)).map(|n| part(n * size, *element)).collect();
            if *length > SHOWN {
                elements.push(format!("… {length} elements"));
            }
            format!("[{}]", elements.join(", "))
        }
        Type::Aggregate(aggregate) => {
            let fields = aggregate.fields.iter();
            if aggregate.kind == AggregateKind::Tuple {
                let parts: Vec<String> = fields.map(|f| part(f.offset, f.ty)).collect();
                let comma = if parts.len() == 1 { "," } else { "" };
                return format!("({}{comma})", parts.join(", "));
            }
            let parts: Vec<String> =
                fields.map(|f| format!("{}: {}", f.name, part(f.offset, f.ty))).collect();
            format!("{} {{ {} }}", aggregate.name, parts.join(", "))
        }
        Type::Enum(description) => match description.variant_of(memory) {
            Some(number) => bytes(memory, description.variants[number as usize].payload, types),
            None => format!("{} of bytes {memory:02x?}", types.name(ty)),
        },
        _ => format!("{} of bytes {memory:02x?}", types.name(ty)),
    }
}
