//! Values as lowering holds them.

use super::emit::{Flow, Stop};
use inkwell::values::{BasicValueEnum, FloatValue, IntValue, PointerValue};

/// An address in a known address space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Pointer<'c> {
    /// The address. Its LLVM type says the address space.
    pub(crate) address: PointerValue<'c>,
    /// Whether nothing writes what it points to while the kernel runs.
    pub(crate) invariant: bool,
}

impl<'c> Pointer<'c> {
    /// A pointer to what may change.
    pub(crate) fn new(address: PointerValue<'c>) -> Self {
        Self { address, invariant: false }
    }

    /// The same with another address, made from the first.
    pub(crate) fn with_address(self, address: PointerValue<'c>) -> Self {
        Self { address, ..self }
    }
}

/// A value of a kernel. Structs and tuples are taken apart, so that LLVM sees scalars from the start.
#[derive(Clone, Debug)]
pub(crate) enum Value<'c> {
    /// An integer, a `char`, or a `bool` as `i1`.
    Int(IntValue<'c>),
    /// A float.
    Float(FloatValue<'c>),
    /// A pointer to something sized.
    Thin(Pointer<'c>),
    /// A pointer to a slice, and the number of elements, an `i64`.
    Fat(Pointer<'c>, IntValue<'c>),
    /// A struct, tuple or closure, by field in declaration order. `()` has none.
    Aggregate(Vec<Value<'c>>),
    /// An enum: the number of its variant, an `i32`, and the payloads of all variants. Of those that it is not they say
    /// nothing.
    Enum(IntValue<'c>, Vec<Value<'c>>),
    /// The payload, or a part of one, of a variant that the value is not for certain.
    Undefined,
    /// An array: where it is in memory. Nothing writes there while the value is alive.
    Array(Pointer<'c>),
}

impl<'c> Value<'c> {
    /// `()`.
    pub(crate) fn unit() -> Self {
        Value::Aggregate(Vec::new())
    }

    /// An integer.
    pub(crate) fn int(self) -> Flow<IntValue<'c>> {
        match self {
            Value::Int(value) => Ok(value),
            other => Err(Stop::broken(format!("an integer is wanted, not {other:?}"))),
        }
    }

    /// A float.
    pub(crate) fn float(self) -> Flow<FloatValue<'c>> {
        match self {
            Value::Float(value) => Ok(value),
            other => Err(Stop::broken(format!("a float is wanted, not {other:?}"))),
        }
    }

    /// An integer or float, as LLVM has it.
    pub(crate) fn scalar(self) -> Flow<BasicValueEnum<'c>> {
        match self {
            Value::Int(value) => Ok(value.into()),
            Value::Float(value) => Ok(value.into()),
            other => Err(Stop::broken(format!("a scalar is wanted, not {other:?}"))),
        }
    }

    /// The address of a pointer, thin or fat.
    pub(crate) fn pointer(self) -> Flow<Pointer<'c>> {
        match self {
            Value::Thin(pointer) | Value::Fat(pointer, _) => Ok(pointer),
            other => Err(Stop::broken(format!("a pointer is wanted, not {other:?}"))),
        }
    }
}
