//! Where several values meet in one type: the arms of an `if`, the `break`s of a loop, the `return`s of a function.

use super::function::FunctionTyper;
use crate::entry::BuildError;
use crate::typed::Expr;
use crate::types::TypeId;

/// What the surroundings say about the type of a value.
#[derive(Clone, Copy)]
pub(super) enum Expected {
    /// Nothing.
    Any,
    /// It will probably be this: for literals that have no note.
    Hint(TypeId),
    /// It must become this, and may be coerced to it.
    Coerce(TypeId),
}

impl Expected {
    /// The type, for what stands inside.
    pub fn hint(self) -> Option<TypeId> {
        match self {
            Expected::Any => None,
            Expected::Hint(ty) | Expected::Coerce(ty) => Some(ty),
        }
    }

    /// The same type as a mere hint.
    pub fn weak(self) -> Self {
        self.hint().map_or(Expected::Any, Expected::Hint)
    }
}

impl From<Option<TypeId>> for Expected {
    fn from(hint: Option<TypeId>) -> Self {
        hint.map_or(Expected::Any, Expected::Hint)
    }
}

/// The type that the values met so far share.
#[derive(Clone, Copy)]
pub(super) struct Join {
    expected: Expected,
    ty: Option<TypeId>,
}

impl Join {
    pub fn new(expected: Expected) -> Self {
        Self { expected, ty: None }
    }

    /// What to expect of the next value.
    pub fn expected(&self) -> Expected {
        match (self.expected, self.ty) {
            (Expected::Coerce(ty), _) => Expected::Coerce(ty),
            (_, Some(ty)) => Expected::Hint(ty),
            (weak, None) => weak,
        }
    }

    /// The shared type; `!` if no value has come.
    pub fn ty(&self, typer: &FunctionTyper) -> TypeId {
        self.ty.unwrap_or(typer.program.types.never)
    }

    /// Takes a value in: it is coerced to the type of those before it.
    pub fn add(&mut self, typer: &mut FunctionTyper, value: Expr) -> Result<Expr, BuildError> {
        if value.ty == typer.program.types.never {
            return Ok(value);
        }
        let wanted = match self.expected {
            Expected::Coerce(ty) => ty,
            Expected::Any | Expected::Hint(_) => self.ty.unwrap_or(value.ty),
        };
        self.ty = Some(wanted);
        typer.coerce(value, wanted)
    }
}
