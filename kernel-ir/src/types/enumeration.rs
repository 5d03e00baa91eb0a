//! Enums.

use super::TypeId;
use crate::scalar::Scalar;

/// A variant of an [`Enumeration`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Variant {
    /// The variant's name.
    pub name: String,
    /// Its fields, as a struct of the whole enum's size whose offsets are those in the enum.
    pub payload: TypeId,
    /// The number that `as` gives, where all variants are without fields; else the variant's number.
    pub discriminant: i128,
    /// The bits of the tag where this is the variant. None where the variant has no value, and where it is told by no
    /// other variant's bits being there ([`Tag`]).
    pub tag: Option<u128>,
    /// Whether values of the variant exist: one with a field of type `!` has none.
    pub inhabited: bool,
}

/// Where an enum says which variant it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Tag {
    /// Its place in the enum, in bytes.
    pub offset: u64,
    /// The integer type that it is read and written as.
    pub scalar: Scalar,
    /// The variant of which no bits are the sign: the tag lies inside one of its fields, and holds a value there that is
    /// none of the other variants' (a niche: `None` of an `Option<&T>` is the address 0).
    pub otherwise: Option<u32>,
}

/// An enum.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Enumeration {
    /// The type's name, for people: `core::option::Option<f32>`.
    pub name: String,
    /// The variants in declaration order.
    pub variants: Vec<Variant>,
    /// Where the variant stands; none if at most one variant has values.
    pub tag: Option<Tag>,
    /// Size in bytes.
    pub size: u64,
    /// Alignment in bytes, a power of two.
    pub align: u64,
}

impl Enumeration {
    /// The variant of this name.
    pub fn variant(&self, name: &str) -> Option<u32> {
        self.variants.iter().position(|v| v.name == name).map(|n| n as u32)
    }

    /// Whether the description tells every variant that has values from every other.
    pub fn tells_variants_apart(&self) -> bool {
        let inhabited: Vec<(usize, Option<u128>)> =
            self.variants.iter().enumerate().filter(|(_, v)| v.inhabited).map(|(n, v)| (n, v.tag)).collect();
        let Some(tag) = self.tag else { return inhabited.len() <= 1 };
        inhabited.iter().enumerate().all(|(place, (number, bits))| match bits {
            Some(_) => inhabited[..place].iter().all(|(_, other)| other != bits),
            None => tag.otherwise == Some(*number as u32),
        })
    }

    /// The variant that a value with these bytes is; none if no value has them.
    pub fn variant_of(&self, bytes: &[u8]) -> Option<u32> {
        let Some(tag) = self.tag else {
            return self.variants.iter().position(|v| v.inhabited).map(|n| n as u32);
        };
        let (start, size) = (tag.offset as usize, tag.scalar.size() as usize);
        let mut wide = [0; 16];
        wide[..size].copy_from_slice(bytes.get(start..start + size)?);
        let bits = u128::from_le_bytes(wide);
        let told = self.variants.iter().position(|v| v.tag == Some(bits)).map(|n| n as u32);
        told.or(tag.otherwise)
    }
}
