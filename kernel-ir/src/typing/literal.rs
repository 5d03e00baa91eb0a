//! Literals in their final type, and constants as bytes.

use super::function::FunctionTyper;
use super::join::Expected;
use super::table::Types;
use crate::captured::{self, Literal, Note};
use crate::entry::BuildError;
use crate::scalar::Scalar;
use crate::span::Span;
use crate::typed::{Expr, ExprKind};
use crate::types::{Type, TypeId};

/// Constants up to this size stand in constant memory when they are indexed or borrowed.
const MAX_CONSTANT: u64 = 1 << 20;

impl FunctionTyper<'_, '_> {
    /// A literal: its type is its suffix, else the note's, else what is expected.
    pub fn literal(
        &mut self,
        literal: &Literal,
        negative: bool,
        note: Option<Note>,
        expected: Expected,
        span: Span,
    ) -> Result<Expr, BuildError> {
        let fixed = match literal {
            Literal::Int(_, suffix) | Literal::Float(_, suffix) => *suffix,
            Literal::Bool(_) => Some(Scalar::Bool),
            Literal::Char(_) => Some(Scalar::Char),
            Literal::Str(_) => {
                return Err(
                    self.error(span, "a string is only supported as the message of `panic!` or `assert!`")
                );
            }
        };
        let ty = match (fixed, note) {
            (Some(scalar), _) => self.program.types.scalar(scalar),
            (None, Some(note)) => self.noted_type(note, span)?,
            (None, None) => expected.hint().ok_or_else(|| {
                self.error(
                    span,
                    "the type of this literal is not known: write it with a suffix, as in `1u32` or `1.0f32`",
                )
            })?,
        };
        let bits = self.program.types.as_scalar(ty).and_then(|scalar| bits(literal, negative, scalar));
        match bits {
            Some(bits) => Ok(Expr { kind: ExprKind::Scalar(bits), ty, span }),
            None => {
                let ty = self.program.types.name(ty);
                Err(self.error(span, format!("a literal of this form is no `{ty}`: write it with a suffix")))
            }
        }
    }

    /// A constant that rustc evaluated.
    pub fn constant(&self, ty: TypeId, bytes: &[u8], span: Span) -> Expr {
        let kind = match self.program.types.as_scalar(ty) {
            Some(_) => {
                let mut wide = [0; 16];
                wide[..bytes.len()].copy_from_slice(bytes);
                ExprKind::Scalar(u128::from_le_bytes(wide))
            }
            None => ExprKind::Bytes(bytes.to_vec()),
        };
        Expr { kind, ty, span }
    }

    /// Zero of a primitive type.
    pub fn zero(&self, ty: TypeId, span: Span) -> Option<Expr> {
        self.program.types.as_scalar(ty).map(|_| Expr { kind: ExprKind::Scalar(0), ty, span })
    }
}

/// Whether the type of an expression comes from outside: a literal without suffix and note, or an operation on such.
pub(super) fn is_open(e: &captured::Expr) -> bool {
    open_literal(e).is_some()
}

/// A literal that such an expression is made of; its type is that of the expression.
pub(super) fn open_literal(e: &captured::Expr) -> Option<&Literal> {
    match &e.kind {
        captured::ExprKind::Literal(literal @ (Literal::Int(_, None) | Literal::Float(_, None)), None) => {
            Some(literal)
        }
        captured::ExprKind::Unary(_, operand, None) => open_literal(operand),
        captured::ExprKind::Binary(op, left, right, None) if !op.is_comparison() => {
            let shift = matches!(op, captured::BinaryOp::Shl | captured::BinaryOp::Shr);
            open_literal(left).filter(|_| shift || is_open(right))
        }
        captured::ExprKind::Block(None, block) => block.value.as_deref().and_then(open_literal),
        captured::ExprKind::If(_, then, Some(otherwise)) => {
            then.value.as_deref().and_then(open_literal).filter(|_| is_open(otherwise))
        }
        captured::ExprKind::Match(_, arms) if arms.iter().all(|arm| is_open(&arm.body)) => {
            arms.first().and_then(|arm| open_literal(&arm.body))
        }
        _ => None,
    }
}

/// The bits of a literal as a value of type `scalar`; none if it can't be one.
fn bits(literal: &Literal, negative: bool, scalar: Scalar) -> Option<u128> {
    match literal {
        Literal::Int(value, _) if scalar.is_integer() => {
            let value = if negative { value.wrapping_neg() } else { *value };
            Some(value & mask(scalar))
        }
        Literal::Int(value, Some(_)) if scalar.is_float() => float_bits(&value.to_string(), negative, scalar),
        Literal::Float(digits, _) if scalar.is_float() => float_bits(digits, negative, scalar),
        Literal::Bool(value) if scalar == Scalar::Bool && !negative => Some((*value).into()),
        Literal::Char(value) if scalar == Scalar::Char && !negative => Some((*value as u32).into()),
        _ => None,
    }
}

/// The bits of a decimal, rounded once, to the type itself.
fn float_bits(digits: &str, negative: bool, scalar: Scalar) -> Option<u128> {
    match scalar {
        Scalar::F32 => {
            let value: f32 = digits.parse().ok()?;
            Some((if negative { -value } else { value }).to_bits().into())
        }
        Scalar::F64 => {
            let value: f64 = digits.parse().ok()?;
            Some((if negative { -value } else { value }).to_bits().into())
        }
        _ => None,
    }
}

/// The bits that a value of this type has.
pub(super) fn mask(scalar: Scalar) -> u128 {
    u128::MAX >> (128 - scalar.bits())
}

/// The memory of a value that is known here; none if it is not, or is too large.
pub(super) fn constant_bytes(types: &Types, value: &Expr) -> Option<Vec<u8>> {
    if types.table.is_unsized(value.ty) || value.ty == types.never {
        return None;
    }
    let size = types.table.size(value.ty);
    if size > MAX_CONSTANT {
        return None;
    }
    let mut bytes = vec![0; size as usize];
    write_constant(types, value, &mut bytes)?;
    Some(bytes)
}

fn write_constant(types: &Types, value: &Expr, bytes: &mut [u8]) -> Option<()> {
    match &value.kind {
        ExprKind::Scalar(bits) => bytes.copy_from_slice(bits.to_le_bytes().get(..bytes.len())?),
        ExprKind::Bytes(known) if known.len() == bytes.len() => bytes.copy_from_slice(known),
        ExprKind::Aggregate { parts, .. } => {
            for (number, part) in parts.iter().enumerate() {
                let offset = match types.get(value.ty) {
                    Type::Aggregate(a) => a.fields.get(number)?.offset,
                    _ => types.table.size(part.ty) * number as u64,
                } as usize;
                write_constant(
                    types,
                    part,
                    bytes.get_mut(offset..offset + types.table.size(part.ty) as usize)?,
                )?;
            }
        }
        ExprKind::Repeat(element) => {
            let size = types.table.size(element.ty) as usize;
            let mut once = vec![0; size];
            write_constant(types, element, &mut once)?;
            if size > 0 {
                bytes.chunks_exact_mut(size).for_each(|chunk| chunk.copy_from_slice(&once));
            }
        }
        _ => return None,
    }
    Some(())
}
