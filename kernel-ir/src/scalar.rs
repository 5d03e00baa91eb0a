//! The primitive types.

use serde::{Deserialize, Serialize};

/// A primitive type of Rust.
///
/// `usize` and `isize` are 64 bits on every device, but stay types of their own, as in Rust.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum Scalar {
    Bool,
    Char,
    I8,
    I16,
    I32,
    I64,
    I128,
    Isize,
    U8,
    U16,
    U32,
    U64,
    U128,
    Usize,
    F32,
    F64,
}

impl Scalar {
    /// Every primitive type, in declaration order.
    pub const ALL: [Scalar; 16] = [
        Scalar::Bool,
        Scalar::Char,
        Scalar::I8,
        Scalar::I16,
        Scalar::I32,
        Scalar::I64,
        Scalar::I128,
        Scalar::Isize,
        Scalar::U8,
        Scalar::U16,
        Scalar::U32,
        Scalar::U64,
        Scalar::U128,
        Scalar::Usize,
        Scalar::F32,
        Scalar::F64,
    ];

    /// The type's name in Rust.
    pub const fn name(self) -> &'static str {
        match self {
            Scalar::Bool => "bool",
            Scalar::Char => "char",
            Scalar::I8 => "i8",
            Scalar::I16 => "i16",
            Scalar::I32 => "i32",
            Scalar::I64 => "i64",
            Scalar::I128 => "i128",
            Scalar::Isize => "isize",
            Scalar::U8 => "u8",
            Scalar::U16 => "u16",
            Scalar::U32 => "u32",
            Scalar::U64 => "u64",
            Scalar::U128 => "u128",
            Scalar::Usize => "usize",
            Scalar::F32 => "f32",
            Scalar::F64 => "f64",
        }
    }

    /// The primitive type of this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|s| s.name() == name)
    }

    /// Size in memory, in bytes.
    pub const fn size(self) -> u64 {
        match self {
            Scalar::Bool | Scalar::I8 | Scalar::U8 => 1,
            Scalar::I16 | Scalar::U16 => 2,
            Scalar::Char | Scalar::I32 | Scalar::U32 | Scalar::F32 => 4,
            Scalar::I64 | Scalar::Isize | Scalar::U64 | Scalar::Usize | Scalar::F64 => 8,
            Scalar::I128 | Scalar::U128 => 16,
        }
    }

    /// Alignment in memory, in bytes: that of rustc on x86-64 and every 64-bit GPU target, where `i128` has 16.
    pub const fn align(self) -> u64 {
        self.size()
    }

    /// Number of bits of a value: 1 for `bool`, 8 times the size for the others.
    pub const fn bits(self) -> u32 {
        match self {
            Scalar::Bool => 1,
            other => 8 * other.size() as u32,
        }
    }

    /// Whether a value of the type has these bits, zero-extended.
    pub const fn holds(self, bits: u128) -> bool {
        match self {
            Scalar::Char => bits <= u32::MAX as u128 && char::from_u32(bits as u32).is_some(),
            other => bits <= u128::MAX >> (128 - other.bits()),
        }
    }

    /// Whether the type is an integer (not `bool`, not `char`).
    pub const fn is_integer(self) -> bool {
        !matches!(self, Scalar::Bool | Scalar::Char | Scalar::F32 | Scalar::F64)
    }

    /// Whether the type is `f32` or `f64`.
    pub const fn is_float(self) -> bool {
        matches!(self, Scalar::F32 | Scalar::F64)
    }

    /// Whether the type is a signed integer.
    pub const fn is_signed(self) -> bool {
        matches!(self, Scalar::I8 | Scalar::I16 | Scalar::I32 | Scalar::I64 | Scalar::I128 | Scalar::Isize)
    }
}

impl std::fmt::Display for Scalar {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}
