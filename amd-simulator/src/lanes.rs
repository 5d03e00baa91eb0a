//! What a vector instruction works on: one value for each lane of a wave.
//!
//! A [`Lane`] is a type that a lane's value may have. It says how the value lies in registers, which decides what
//! constants and the modifiers `neg` and `abs` mean for an operand of this type.

use crate::half;

/// The most lanes that a wave has. A wave of 32 has the upper half switched off.
pub const LANES: usize = 64;

/// A vector register: 32 bits for each lane.
pub type Lanes = [u32; LANES];

/// A register and the next, as a pair where a value takes 64 bits.
#[derive(Clone)]
pub struct Wide {
    /// Bits 31:0.
    pub lo: Lanes,
    /// Bits 63:32.
    pub hi: Lanes,
}

impl Wide {
    /// Zeros.
    pub const ZERO: Wide = Wide { lo: [0; LANES], hi: [0; LANES] };
}

/// An operand, wherever it lies.
#[derive(Clone, Copy)]
pub struct Source<'a> {
    /// Bits 31:0.
    pub lo: &'a Lanes,
    /// Bits 63:32, where the type has so many.
    pub hi: &'a Lanes,
}

/// How a value lies in registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ty {
    /// 16 bits of an integer.
    B16,
    /// 32 bits of an integer.
    B32,
    /// 64 bits of an unsigned integer, or of no type.
    B64,
    /// 64 bits of a signed integer.
    I64,
    /// A float of 16 bits.
    F16,
    /// A float of 32 bits.
    F32,
    /// A float of 64 bits.
    F64,
    /// Two integers of 16 bits.
    Pk16,
    /// Two floats of 16 bits.
    PkF16,
    /// Two floats of 32 bits.
    PkF32,
}

impl Ty {
    /// How many registers a value takes.
    pub const fn registers(self) -> usize {
        match self {
            Ty::B64 | Ty::I64 | Ty::F64 | Ty::PkF32 => 2,
            _ => 1,
        }
    }

    /// Whether a value takes half a register.
    pub const fn is_half(self) -> bool {
        matches!(self, Ty::B16 | Ty::F16)
    }

    /// Whether it is two values, each with its own modifiers.
    pub const fn is_packed(self) -> bool {
        matches!(self, Ty::Pk16 | Ty::PkF16 | Ty::PkF32)
    }
}

/// A type that a lane's value may have.
pub trait Lane: Copy {
    /// How it lies in registers.
    const TY: Ty;
    /// The value of lane `i`.
    fn get(source: &Source, i: usize) -> Self;
    /// Makes it the value of lane `i`.
    fn put(self, out: &mut Wide, i: usize);
}

macro_rules! lanes_of_32_bits {
    ($($t:ty, $ty:ident, |$bits:ident| $get:expr, |$value:ident| $put:expr;)*) => { $(
        impl Lane for $t {
            const TY: Ty = Ty::$ty;
            #[inline(always)]
            fn get(source: &Source, i: usize) -> Self {
                let $bits = source.lo[i];
                $get
            }
            #[inline(always)]
            fn put(self, out: &mut Wide, i: usize) {
                let $value = self;
                out.lo[i] = $put;
            }
        }
    )* };
}
lanes_of_32_bits! {
    u32, B32, |bits| bits, |v| v;
    i32, B32, |bits| bits.cast_signed(), |v| v.cast_unsigned();
    f32, F32, |bits| f32::from_bits(bits), |v| v.to_bits();
    u16, B16, |bits| bits as u16, |v| u32::from(v);
    i16, B16, |bits| bits as i16, |v| u32::from(v.cast_unsigned());
    F16, F16, |bits| F16(bits as u16), |v| u32::from(v.0);
    [u16; 2], Pk16, |bits| [bits as u16, (bits >> 16) as u16], |v| u32::from(v[0]) | u32::from(v[1]) << 16;
    [i16; 2], Pk16, |bits| [bits as i16, (bits >> 16) as i16],
        |v| u32::from(v[0].cast_unsigned()) | u32::from(v[1].cast_unsigned()) << 16;
    [F16; 2], PkF16, |bits| [F16(bits as u16), F16((bits >> 16) as u16)],
        |v| u32::from(v[0].0) | u32::from(v[1].0) << 16;
}

macro_rules! lanes_of_64_bits {
    ($($t:ty, $ty:ident, |$bits:ident| $get:expr, |$value:ident| $put:expr;)*) => { $(
        impl Lane for $t {
            const TY: Ty = Ty::$ty;
            #[inline(always)]
            fn get(source: &Source, i: usize) -> Self {
                let $bits = u64::from(source.lo[i]) | u64::from(source.hi[i]) << 32;
                $get
            }
            #[inline(always)]
            fn put(self, out: &mut Wide, i: usize) {
                let $value = self;
                let bits: u64 = $put;
                out.lo[i] = bits as u32;
                out.hi[i] = (bits >> 32) as u32;
            }
        }
    )* };
}
lanes_of_64_bits! {
    u64, B64, |bits| bits, |v| v;
    i64, I64, |bits| bits.cast_signed(), |v| v.cast_unsigned();
    f64, F64, |bits| f64::from_bits(bits), |v| v.to_bits();
    [f32; 2], PkF32, |bits| [f32::from_bits(bits as u32), f32::from_bits((bits >> 32) as u32)],
        |v| u64::from(v[0].to_bits()) | u64::from(v[1].to_bits()) << 32;
}

/// A float of 16 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct F16(pub u16);

impl F16 {
    /// Its value, which every `f32` can hold.
    pub fn wide(self) -> f32 {
        half::to_f32(self.0)
    }

    /// The nearest; ties to even.
    pub fn of(value: f32) -> Self {
        F16(half::from_f32(value))
    }

    /// The nearest; ties to even.
    pub fn of_f64(value: f64) -> Self {
        F16(half::from_f64(value))
    }
}
