//! The closed program: every type known, every callee named, every instance once.
//!
//! What holds of it is the list at the head of [`verify`](crate::verify).

use crate::builtin::Builtin;
pub use crate::captured::{BinaryOp, LabelId, LocalId, UnaryOp};
use crate::span::Span;
use crate::types::{TypeId, TypeTable};

/// A function of the program: an index into [`Program::functions`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FunctionId(pub u32);

/// A block of shared memory: an index into [`Program::shared`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SharedId(pub u32);

/// A kernel with everything that it needs.
#[derive(Clone, Debug)]
pub struct Program {
    /// Every type that occurs.
    pub types: TypeTable,
    /// Every function that the kernel reaches; the kernel's own body is [`Kernel::function`].
    pub functions: Vec<Function>,
    /// The blocks of shared memory that the kernel declares.
    pub shared: Vec<Shared>,
    /// The kernel.
    pub kernel: Kernel,
}

/// What a launch needs to know of a kernel.
#[derive(Clone, Debug)]
pub struct Kernel {
    /// The path with generic arguments, for people: `my_crate::saxpy::<f32>`.
    pub name: String,
    /// The symbol in the code object: letters, digits and `_`, the same in every build.
    pub symbol: String,
    /// The body.
    pub function: FunctionId,
    /// How each parameter is handed over, in order.
    pub params: Vec<KernelParam>,
    /// What the attribute says.
    pub attributes: KernelAttributes,
}

impl Kernel {
    /// Whether each thread works on one element of its `&T` and `&mut T` parameters. The launch then passes the number
    /// of elements, and threads past it end at once.
    pub fn is_elementwise(&self) -> bool {
        self.params.iter().any(|p| matches!(p, KernelParam::Element { .. }))
    }
}

/// How a parameter reaches the kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KernelParam {
    /// A `Copy` value, byte for byte.
    Value(TypeId),
    /// `&[T]`, `&mut [T]`: the whole buffer.
    Slice {
        /// The type of an element.
        element: TypeId,
        /// `&mut`.
        mutable: bool,
    },
    /// `&T`, `&mut T`: this thread's element of the buffer, number `thread::global_x()`.
    Element {
        /// The type of an element.
        element: TypeId,
        /// `&mut`.
        mutable: bool,
    },
}

/// What `#[kernel(…)]` says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct KernelAttributes {
    /// `block = 256` or `block = (16, 16)`: the exact size of a block. A launch with another is an error.
    pub block: Option<[u32; 3]>,
    /// `overflow_checks`: `+ - *`, negation and shifts panic where debug Rust would.
    pub overflow_checks: bool,
    /// `fast_math(contract)`: `a * b + c` may be one operation.
    pub contract: bool,
}

/// A block of shared memory.
#[derive(Clone, Debug)]
pub struct Shared {
    /// Its type.
    pub ty: TypeId,
    /// Where it is declared.
    pub span: Span,
}

/// A function, monomorphic.
#[derive(Clone, Debug)]
pub struct Function {
    /// The path with generic arguments, for people.
    pub name: String,
    /// The source file, as rustc names it.
    pub file: String,
    /// Where its name stands.
    pub span: Span,
    /// The locals that hold the arguments.
    pub params: Vec<LocalId>,
    /// Every local, by [`LocalId`].
    pub locals: Vec<Local>,
    /// The type of its value.
    pub result: TypeId,
    /// `#[track_caller]`: a panic in it is reported where it is called; where that is in another such function, at the
    /// call of that one.
    pub track_caller: bool,
    /// The body. Its value is the function's.
    pub body: Expr,
}

/// A variable or temporary.
#[derive(Clone, Debug)]
pub struct Local {
    /// The name in the source; empty for one that the compiler made.
    pub name: String,
    /// Its type.
    pub ty: TypeId,
    /// Where it is bound.
    pub span: Span,
}

/// A value.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Its type.
    pub ty: TypeId,
    /// Where it stands.
    pub span: Span,
}

/// Somewhere that holds a value.
#[derive(Clone, Debug)]
pub struct Place {
    /// What it is.
    pub kind: PlaceKind,
    /// The type of what it holds.
    pub ty: TypeId,
    /// Where it stands.
    pub span: Span,
}

/// What a place is.
#[derive(Clone, Debug)]
pub enum PlaceKind {
    /// A variable.
    Local(LocalId),
    /// What a reference or raw pointer points to.
    Deref(Box<Expr>),
    /// A field of a struct, tuple or closure, by its number in [`Aggregate::fields`](crate::types::Aggregate).
    Field(Box<Place>, u32),
    /// The payload of an enum place, of type [`Variant::payload`](crate::types::Variant), where it is that variant.
    Variant(Box<Place>, u32),
    /// An element of an array or slice place.
    Index {
        /// The array or slice.
        base: Box<Place>,
        /// Which, a `usize`.
        index: Box<Expr>,
        /// Whether an index past the end is a panic (else it is undefined).
        checked: bool,
    },
    /// `base[start..end]`, of type `[T]`: a panic unless `start <= end <= len`.
    Subslice {
        /// The array or slice.
        base: Box<Place>,
        /// The first, a `usize`; 0 if there is none.
        start: Option<Box<Expr>>,
        /// Past the last (or the last, if inclusive), a `usize`; the length if there is none.
        end: Option<Box<Expr>>,
        /// `..=`.
        inclusive: bool,
    },
    /// A constant in memory, read-only: its bytes. The place of `TABLE[i]` and of `&[1, 2, 3]`.
    Constant(Vec<u8>),
    /// The block's shared memory.
    Shared(SharedId),
}

/// How a cast changes a value. Source and target types say the rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CastKind {
    /// Between integers, and from `bool` and `char`: truncates, or extends by the source's sign.
    IntToInt,
    /// Rounds to nearest even.
    IntToFloat,
    /// Saturates; NaN becomes 0.
    FloatToInt,
    /// Rounds to nearest even.
    FloatToFloat,
    /// Between pointers; the address stays. From a fat pointer to a thin one the length goes.
    PointerToPointer,
    /// The address as an integer.
    PointerToInt,
    /// An integer as an address.
    IntToPointer,
    /// `&[T; N]` to `&[T]`: the length comes to the address.
    Unsize,
    /// The number of a variant, [`Variant::discriminant`](crate::types::Variant), from an enum without payloads.
    EnumToInt,
}

/// Why a thread stops.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum PanicKind {
    /// `panic!`, a failed `assert!` and their like, with the message.
    Message(String),
    /// Index, then length, are the two values of the fault record.
    IndexOutOfBounds,
    /// A slice's start (first value) is after its end (second value).
    SliceStartAfterEnd,
    /// A slice's end (first value) is after the length (second value).
    SliceEndOutOfBounds,
    /// `x / 0`.
    DivideByZero,
    /// `x % 0`.
    RemainderByZero,
    /// `MIN / -1`.
    DivideOverflow,
    /// `MIN % -1`.
    RemainderOverflow,
    /// `+`, `-`, `*`, `<<`, `>>` that left the type's range, under `overflow_checks`.
    Overflow(BinaryOp),
    /// `-MIN`, under `overflow_checks`.
    NegateOverflow,
}

/// What a value is.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A scalar's bits, zero-extended.
    Scalar(u128),
    /// Any value as its bytes in memory; a pointer-free type.
    Bytes(Vec<u8>),
    /// What a place holds, copied or moved out.
    Load(Place),
    /// A pointer to a place, fat if the place is unsized.
    AddressOf(Place),
    /// The number of elements of a slice place.
    Length(Place),
    /// `-x`, `!x` of a scalar.
    Unary(UnaryOp, Box<Expr>),
    /// Arithmetic, shifts and comparisons of scalars; `==` and the like also of thin pointers.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `a && b`.
    And(Box<Expr>, Box<Expr>),
    /// `a || b`.
    Or(Box<Expr>, Box<Expr>),
    /// `x as T` and coercions.
    Cast(CastKind, Box<Expr>),
    /// A struct, tuple, closure or array from its parts in declaration order; they are evaluated in the order of
    /// `order` (indices into the parts), since a struct's fields may be written in another.
    Aggregate {
        /// One value a field or element.
        parts: Vec<Expr>,
        /// The order of evaluation; empty where it is that of `parts`.
        order: Vec<u32>,
    },
    /// A variant of an enum from its payload, a value of type [`Variant::payload`](crate::types::Variant).
    Variant(u32, Box<Expr>),
    /// The number of the variant that an enum place holds, a `u32`.
    VariantOf(Place),
    /// `[x; N]`: the value, evaluated once, in every element of the array type of this expression.
    Repeat(Box<Expr>),
    /// A call.
    Call(FunctionId, Vec<Expr>),
    /// An operation without a body. Arguments are values: those that Rust takes by reference (`len`, `clone`) have
    /// been turned into places, loads and lengths before.
    Builtin(Builtin, Vec<Expr>),
    /// Statements, then a value; without one the value is `()` (or `!`, if the end is never reached).
    Block(Vec<Statement>, Option<Box<Expr>>),
    /// A block that can be left with a value by `break`.
    Labeled(LabelId, Box<Expr>),
    /// `if`. Without `else` the type is `()`.
    If(Box<Expr>, Box<Expr>, Option<Box<Expr>>),
    /// `loop`: its value comes from `break`.
    Loop(LabelId, Box<Expr>),
    /// Leaves a loop or labelled block.
    Break(LabelId, Option<Box<Expr>>),
    /// Goes to the next round of a loop.
    Continue(LabelId),
    /// Leaves the function.
    Return(Option<Box<Expr>>),
    /// `place = value`: the value is evaluated first.
    Assign(Place, Box<Expr>),
    /// `place += value` on scalars: the value is evaluated first.
    AssignBinary(BinaryOp, Place, Box<Expr>),
    /// Stops the thread.
    Panic(PanicKind),
    /// The body of a call that was put in its place: spans inside are in that function's file. Its `return`s have
    /// become `break`s. Only after inlining.
    Inlined(FunctionId, Box<Expr>),
}

/// A statement.
#[derive(Clone, Debug)]
pub enum Statement {
    /// A variable comes to life; without a value it is written before it is read.
    Let(LocalId, Option<Expr>),
    /// A value that is dropped.
    Expr(Expr),
}
