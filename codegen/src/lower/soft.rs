//! Arithmetic that a GPU's part of LLVM lacks or does not do exactly: small functions in LLVM's own text, one for `f32`
//! and one for `f64` from the same lines, which are linked into a kernel's module where it uses them.
//!
//! The remainder of floats is there because NVPTX computes `x - trunc(x / y) * y`, which is far off for large quotients.
//! Casts between floats and 128-bit integers are there because LLVM can't select them on a GPU.

use super::emit::{Emitter, Flow, Stop};
use inkwell::IntPredicate;
use inkwell::memory_buffer::MemoryBuffer;
use inkwell::module::Linkage;
use inkwell::types::FloatType;
use inkwell::values::{BasicValueEnum, FloatValue, IntValue};

/// A function of this kind.
#[derive(Clone, Copy)]
enum Soft {
    Remainder,
    U128ToFloat,
    FloatToU128,
    FloatToI128,
}

impl Soft {
    fn name(self, format: &Format) -> String {
        let name = format.name;
        match self {
            Soft::Remainder => format!("wavewright.remainder_{name}"),
            Soft::U128ToFloat => format!("wavewright.u128_to_{name}"),
            Soft::FloatToU128 => format!("wavewright.{name}_to_u128"),
            Soft::FloatToI128 => format!("wavewright.{name}_to_i128"),
        }
    }

    /// The function for a float type.
    fn instance(self, format: &Format) -> String {
        let marks = format.marks();
        marks.iter().fold(self.text().to_owned(), |text, (mark, meaning)| text.replace(mark, meaning))
    }

    fn text(self) -> &'static str {
        match self {
            Soft::Remainder => include_str!("soft/remainder.ll"),
            Soft::U128ToFloat => include_str!("soft/u128_to_float.ll"),
            Soft::FloatToU128 => include_str!("soft/float_to_u128.ll"),
            Soft::FloatToI128 => include_str!("soft/float_to_i128.ll"),
        }
    }
}

/// A float type, bit by bit.
struct Format {
    name: &'static str,
    llvm: &'static str,
    bits: u32,
    /// Bits of the fraction that are stored.
    mantissa: u32,
}

const F32: Format = Format { name: "f32", llvm: "float", bits: 32, mantissa: 23 };
const F64: Format = Format { name: "f64", llvm: "double", bits: 64, mantissa: 52 };

impl Format {
    /// What the marks in the text stand for; no mark is the beginning of one behind it.
    fn marks(&self) -> Vec<(&'static str, String)> {
        let (bits, mantissa) = (self.bits, self.mantissa);
        let sign = 1u128 << (bits - 1);
        let implicit = 1u128 << mantissa;
        let infinity = sign - implicit;
        let bias = (1u128 << (bits - mantissa - 2)) - 1;
        let drop = 127 - mantissa;
        vec![
            ("$float", self.llvm.into()),
            ("$int", format!("i{bits}")),
            ("$name", self.name.into()),
            ("$magnitude", (sign - 1).to_string()),
            ("$mantissa", mantissa.to_string()),
            ("$sign", sign.to_string()),
            ("$infinity", infinity.to_string()),
            ("$quiet", (infinity | implicit >> 1).to_string()),
            ("$fraction", (implicit - 1).to_string()),
            ("$implicit", implicit.to_string()),
            ("$lead", (bits - 1 - mantissa).to_string()),
            ("$places", (bits - 1).to_string()),
            ("$bias", bias.to_string()),
            ("$base", (bias + 126).to_string()),
            ("$drop", drop.to_string()),
            ("$rest", ((1u128 << drop) - 1).to_string()),
            ("$half", (1u128 << (drop - 1)).to_string()),
            ("$lowest", i128::MIN.to_string()),
            ("$highest", i128::MAX.to_string()),
        ]
    }
}

/// The remainder of `left / right`, exact, with the sign of `left`.
pub(super) fn remainder<'c>(
    emitter: &Emitter<'c>,
    left: FloatValue<'c>,
    right: FloatValue<'c>,
) -> Flow<FloatValue<'c>> {
    let format = format_of(emitter, left);
    Ok(call(emitter, Soft::Remainder, format, &[left.into(), right.into()])?.into_float_value())
}

/// A float as a 128-bit integer, saturating.
pub(super) fn float_to_int128<'c>(
    emitter: &Emitter<'c>,
    value: FloatValue<'c>,
    signed: bool,
) -> Flow<IntValue<'c>> {
    let soft = if signed { Soft::FloatToI128 } else { Soft::FloatToU128 };
    Ok(call(emitter, soft, format_of(emitter, value), &[value.into()])?.into_int_value())
}

/// A 128-bit integer as a float, rounded to nearest even.
pub(super) fn int128_to_float<'c>(
    emitter: &Emitter<'c>,
    value: IntValue<'c>,
    signed: bool,
    to: FloatType<'c>,
) -> Flow<FloatValue<'c>> {
    let format = if to == emitter.context.f32_type() { &F32 } else { &F64 };
    let unsigned = |value: IntValue<'c>| -> Flow<FloatValue<'c>> {
        Ok(call(emitter, Soft::U128ToFloat, format, &[value.into()])?.into_float_value())
    };
    if !signed {
        return unsigned(value);
    }
    let zero = value.get_type().const_zero();
    let negative = emitter.builder.build_int_compare(IntPredicate::SLT, value, zero, "")?;
    let opposite = emitter.builder.build_int_neg(value, "")?;
    // Of the lowest number, the opposite is itself: as unsigned, its magnitude.
    let magnitude = emitter.builder.build_select(negative, opposite, value, "")?.into_int_value();
    let positive = unsigned(magnitude)?;
    let opposite = emitter.builder.build_float_neg(positive, "")?;
    Ok(emitter.builder.build_select(negative, opposite, positive, "")?.into_float_value())
}

fn format_of<'c>(emitter: &Emitter<'c>, value: FloatValue<'c>) -> &'static Format {
    if value.get_type() == emitter.context.f32_type() { &F32 } else { &F64 }
}

fn call<'c>(
    emitter: &Emitter<'c>,
    soft: Soft,
    format: &Format,
    arguments: &[BasicValueEnum<'c>],
) -> Flow<BasicValueEnum<'c>> {
    let name = soft.name(format);
    if emitter.module.get_function(&name).is_none() {
        link(emitter, soft, format)?;
    }
    let function =
        emitter.module.get_function(&name).ok_or_else(|| Stop::broken(format!("{name} is not there")))?;
    function.set_linkage(Linkage::Internal);
    let arguments: Vec<_> = arguments.iter().map(|a| (*a).into()).collect();
    let call = emitter.builder.build_call(function, &arguments, "")?;
    call.try_as_basic_value().basic().ok_or_else(|| Stop::broken(format!("{name} gives no value")))
}

fn link(emitter: &Emitter<'_>, soft: Soft, format: &Format) -> Flow<()> {
    let (name, text) = (soft.name(format), soft.instance(format));
    let buffer = MemoryBuffer::create_from_memory_range_copy(text.as_bytes(), &name);
    let refused = |message: inkwell::support::LLVMString| Stop::broken(format!("{name}: {message}"));
    let module = emitter.context.create_module_from_ir(buffer).map_err(refused)?;
    emitter.module.link_in_module(module).map_err(refused)
}

#[cfg(test)]
mod tests;
