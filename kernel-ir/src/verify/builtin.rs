//! What operations without a body take and give, as values.

use super::{Checked, Verifier};
use crate::builtin::Builtin;
use crate::scalar::Scalar;
use crate::typed::Expr;
use crate::types::Type;

impl Verifier<'_> {
    pub(super) fn builtin(&self, builtin: Builtin, arguments: &[Expr], e: &Expr) -> Checked {
        use Builtin::*;
        self.count("arguments", builtin.facts().arguments.into(), arguments.len(), e.span)?;
        match builtin {
            ThreadX | ThreadY | ThreadZ | BlockX | BlockY | BlockZ | BlockSizeX | BlockSizeY | BlockSizeZ
            | GridSizeX | GridSizeY | GridSizeZ => self.gives(Scalar::U32, e),
            GlobalX | GlobalY | GlobalZ => self.gives(Scalar::Usize, e),
            SyncThreads if self.is_unit(e.ty) => Ok(()),
            PointerAdd => {
                self.fits("a pointer", e.ty, &arguments[0])?;
                if !matches!(self.types.get(e.ty), Type::Pointer { pointee, .. } if !self.types.is_unsized(*pointee))
                {
                    return Err(self.unfit("a pointer", e.ty, e.span));
                }
                self.takes(Scalar::Usize, &arguments[1])
            }
            WrappingAdd | WrappingSub | WrappingMul => self.uniform(arguments, e, Scalar::is_integer),
            Min | Max => self.uniform(arguments, e, |_| true),
            Abs => self.uniform(arguments, e, |s| s.is_signed() || s.is_float()),
            Sqrt | MulAdd | Floor | Ceil | Trunc | Round => self.uniform(arguments, e, Scalar::is_float),
            IsNan => {
                self.is_a(&arguments[0], Scalar::is_float)?;
                self.gives(Scalar::Bool, e)
            }
            ToBits => match self.is_a(&arguments[0], Scalar::is_float)? {
                Some(Scalar::F64) => self.gives(Scalar::U64, e),
                _ => self.gives(Scalar::U32, e),
            },
            FromBits => match self.types.as_scalar(e.ty) {
                Some(Scalar::F32) => self.takes(Scalar::U32, &arguments[0]),
                Some(Scalar::F64) => self.takes(Scalar::U64, &arguments[0]),
                _ => Err(self.unfit("a float", e.ty, e.span)),
            },
            RotateLeft | RotateRight => {
                self.uniform(&arguments[..1], e, Scalar::is_integer)?;
                self.takes(Scalar::U32, &arguments[1])
            }
            CountOnes | LeadingZeros | TrailingZeros => {
                self.is_a(&arguments[0], Scalar::is_integer)?;
                self.gives(Scalar::U32, e)
            }
            // Typing turns these into other nodes.
            SyncThreads | Add | Sub | Mul | Div | Rem | BitAnd | BitOr | BitXor | Shl | Shr | Neg | Not
            | AddAssign | SubAssign | MulAssign | DivAssign | RemAssign | BitAndAssign | BitOrAssign
            | BitXorAssign | ShlAssign | ShrAssign | PartialEq | PartialOrd | Clone | From | Default
            | IntoIter | Len | IsEmpty | GetUnchecked | GetUncheckedMut | AsPtr | AsMutPtr => {
                Err(self.unfit(builtin.facts().name, e.ty, e.span))
            }
        }
    }

    fn gives(&self, scalar: Scalar, e: &Expr) -> Checked {
        if self.is_scalar(e.ty, scalar) { Ok(()) } else { Err(self.unfit("an operation", e.ty, e.span)) }
    }

    fn takes(&self, scalar: Scalar, argument: &Expr) -> Checked {
        self.is_a(argument, |s| s == scalar).map(|_| ())
    }

    /// The argument's type, of which `fits` must hold; none for `!`.
    fn is_a(&self, argument: &Expr, fits: impl Fn(Scalar) -> bool) -> Result<Option<Scalar>, super::Failure> {
        match self.types.as_scalar(argument.ty) {
            Some(scalar) if fits(scalar) => Ok(Some(scalar)),
            None if self.is_never(argument.ty) => Ok(None),
            _ => Err(self.unfit("an argument", argument.ty, argument.span)),
        }
    }

    /// Arguments and result of one type.
    fn uniform(&self, arguments: &[Expr], e: &Expr, fits: impl Fn(Scalar) -> bool) -> Checked {
        if !self.types.as_scalar(e.ty).is_some_and(fits) && !self.is_never(e.ty) {
            return Err(self.unfit("an operation", e.ty, e.span));
        }
        arguments.iter().try_for_each(|argument| self.fits("an argument", e.ty, argument))
    }
}
