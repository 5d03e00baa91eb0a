//! The tree that the macros write down: a function body as its tokens say it, before types.
//!
//! What the tokens settle is settled here: scopes (a variable is a number, shadowing is gone), labels, desugarings that
//! need no type (`while`, `assert!`, …). What only rustc knows is a [`Note`]: the number of the [`record`] that the
//! function's witness gives for this place, once per instance.
//!
//! [`record`]: crate::record

mod nesting;

pub use nesting::MAX_NESTING;

use crate::span::Span;
use serde::{Deserialize, Serialize};

/// A number into the records of an instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Note(pub u32);

/// A variable: parameters first, then in the order in which they are bound. Unique in the function, closures included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct LocalId(pub u32);

/// A loop or labelled block, unique in the function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct LabelId(pub u32);

/// The body of a function, as captured.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Body {
    /// The function's parameters, `self` included.
    pub params: Vec<Param>,
    /// Where the function's result type comes from.
    pub result: TypeSource,
    /// The names of the variables, by [`LocalId`].
    pub locals: Vec<String>,
    /// The block of the function.
    pub block: Block,
    /// How many notes the tree holds: the number of records an instance must have.
    pub notes: u32,
    /// Where the function's name stands.
    pub span: Span,
}

/// A parameter of a function or closure.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Param {
    /// What the argument is bound to.
    pub pattern: Pattern,
    /// Where its type comes from.
    pub ty: TypeSource,
}

/// Where a type comes from that the source may not spell out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum TypeSource {
    /// rustc recorded it: the note is a [`Record::Type`](crate::record::Record::Type).
    Note(Note),
    /// It is that of the value: the argument's (a closure has no type to record), or the body's.
    Value,
    /// It is a reference to such an argument.
    Reference {
        /// `&mut`.
        mutable: bool,
    },
}

/// A type that the source spells out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Annotation {
    /// It is the name of a primitive type (the witness makes sure that it means that one).
    Scalar(crate::scalar::Scalar),
    /// rustc recorded it: the note is a [`Record::Type`](crate::record::Record::Type).
    Note(Note),
}

/// A block.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Block {
    /// The statements in order.
    pub statements: Vec<Statement>,
    /// The expression at the end that is the block's value, if there is one.
    pub value: Option<Box<Expr>>,
}

/// A statement.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Statement {
    /// `let PATTERN: TYPE = INIT else { DIVERGE };`
    Let {
        /// What is bound.
        pattern: Pattern,
        /// The annotation, if there is one. The value is coerced to it.
        ty: Option<Annotation>,
        /// The value; none for `let x;`.
        init: Option<Expr>,
        /// The `else` block.
        diverge: Option<Block>,
    },
    /// An expression whose value is dropped.
    Expr(Expr),
}

/// A pattern.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pattern {
    /// What it is.
    #[serde(deserialize_with = "nesting::read")]
    pub kind: PatternKind,
    /// Where it stands.
    pub span: Span,
}

/// What a pattern is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum PatternKind {
    /// `_`.
    Wild,
    /// `x`, `mut x`, `ref x`, `ref mut x`, `x @ SUB`.
    Binding {
        /// The variable.
        local: LocalId,
        /// Whether it is `mut`.
        mutable: bool,
        /// `ref` (`Some(false)`) or `ref mut` (`Some(true)`).
        by_reference: Option<bool>,
        /// What stands behind `@`.
        sub: Option<Box<Pattern>>,
    },
    /// `(a, .., b)`: the parts before the `..`, and those after it if there is one.
    Tuple(Vec<Pattern>, Option<Vec<Pattern>>),
    /// `[a, .., b]`, likewise.
    Slice(Vec<Pattern>, Option<Vec<Pattern>>),
    /// `Name { field: PATTERN, .. }` or `Name`: fields by name or number. The name (the last of the path) matters where
    /// the type is an enum: it is the variant's.
    Struct {
        /// The name.
        name: String,
        /// The fields that are looked at.
        fields: Vec<(String, Pattern)>,
    },
    /// `Name(a, .., b)`: the parts before the `..`, and those after it if there is one.
    TupleStruct {
        /// The name, as for [`PatternKind::Struct`].
        name: String,
        /// The parts before.
        before: Vec<Pattern>,
        /// The parts after.
        after: Option<Vec<Pattern>>,
    },
    /// `&PATTERN`.
    Reference(Box<Pattern>),
    /// A literal, with a minus sign before it or not.
    Literal {
        /// The literal without its sign.
        literal: Literal,
        /// `-`.
        negative: bool,
    },
    /// A constant: the note is a [`Record::Constant`](crate::record::Record::Constant).
    Constant(Note),
    /// `A..=B`, `A..B`, `A..`, `..=B`; the ends are literal or constant patterns.
    Range {
        /// The lower end, part of the range.
        start: Option<Box<Pattern>>,
        /// The upper end.
        end: Option<Box<Pattern>>,
        /// Whether the upper end is part of the range.
        inclusive: bool,
    },
    /// `A | B`.
    Or(Vec<Pattern>),
}

/// A literal as written.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Literal {
    /// An integer's value, with the suffix if it has one. A minus sign before it is a [`ExprKind::Unary`].
    Int(u128, Option<crate::scalar::Scalar>),
    /// A float's digits as written without suffix or underscores (parsed once its type is known), and the suffix.
    Float(String, Option<crate::scalar::Scalar>),
    /// `true` or `false`.
    Bool(bool),
    /// A character.
    Char(char),
    /// A string: only as a message.
    Str(String),
}

/// An expression.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Expr {
    /// What it is.
    #[serde(deserialize_with = "nesting::read")]
    pub kind: ExprKind,
    /// Where it stands; a method call's place is its method's name.
    pub span: Span,
}

/// Unary operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum UnaryOp {
    /// `-x`.
    Neg,
    /// `!x`.
    Not,
}

/// Binary operators that compute a value from two values. Short-circuit `&&` and `||` are [`ExprKind::Lazy`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    BitAnd,
    BitOr,
    BitXor,
    Shl,
    Shr,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

impl BinaryOp {
    /// Whether the result is a `bool`, whatever the operands are.
    pub const fn is_comparison(self) -> bool {
        matches!(
            self,
            BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge
        )
    }

    /// The operator as written.
    pub const fn symbol(self) -> &'static str {
        match self {
            BinaryOp::Add => "+",
            BinaryOp::Sub => "-",
            BinaryOp::Mul => "*",
            BinaryOp::Div => "/",
            BinaryOp::Rem => "%",
            BinaryOp::BitAnd => "&",
            BinaryOp::BitOr => "|",
            BinaryOp::BitXor => "^",
            BinaryOp::Shl => "<<",
            BinaryOp::Shr => ">>",
            BinaryOp::Eq => "==",
            BinaryOp::Ne => "!=",
            BinaryOp::Lt => "<",
            BinaryOp::Le => "<=",
            BinaryOp::Gt => ">",
            BinaryOp::Ge => ">=",
        }
    }
}

/// A message of `panic!`, `assert!` and their like.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Message {
    /// The text; `{}` stands for the next argument (once formatting is lowered; refused by the macro until then).
    pub text: String,
}

/// What an expression is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum ExprKind {
    /// A literal. Its type is its suffix, else the note's, else what the place expects: a `let` annotation, the place
    /// assigned to, the parameter of the function called, the struct's field, the array's element, `usize` of an index,
    /// the result of the function at its end or in `return`, the other operand of an operator on primitives, the other
    /// end of a range. Through blocks, `if`, `match`, parentheses, a minus sign, `&` and tuples this is handed on.
    Literal(Literal, Option<Note>),
    /// A variable.
    Local(LocalId),
    /// A constant, const generic or associated constant: the note is a `Record::Constant`.
    Constant(Note),
    /// A unit struct or the like: the note is a `Record::Type`, the value has no bytes.
    Unit {
        /// The type.
        ty: Note,
        /// The last name of the path: the variant's, if the type is an enum.
        name: String,
    },
    /// `-x`, `!x`. With a note (a `Record::Callee`) the operator is a trait method; without, the operand is primitive.
    Unary(UnaryOp, Box<Expr>, Option<Note>),
    /// `a + b`, `a < b`; the note as for [`ExprKind::Unary`]. Operands are evaluated left to right.
    Binary(BinaryOp, Box<Expr>, Box<Expr>, Option<Note>),
    /// `a += b`; the note as for [`ExprKind::Unary`]. Of primitive operands the right is evaluated first, as in Rust.
    AssignBinary(BinaryOp, Box<Expr>, Box<Expr>, Option<Note>),
    /// `a && b` (`and`), `a || b`.
    Lazy {
        /// `&&` rather than `||`.
        and: bool,
        /// The left operand.
        left: Box<Expr>,
        /// The right operand, evaluated only when the left does not decide.
        right: Box<Expr>,
    },
    /// `*x` of a reference or raw pointer.
    Deref(Box<Expr>),
    /// `&x`, `&mut x`.
    Reference {
        /// `&mut`.
        mutable: bool,
        /// `&raw const`, `&raw mut`.
        raw: bool,
        /// What is borrowed: a place, or a value that becomes a temporary.
        operand: Box<Expr>,
    },
    /// `x.name` or `x.0`, with rustc's automatic dereferencing.
    Field(Box<Expr>, String),
    /// `x[i]`, with automatic dereferencing; the index is a `usize` or a range of them.
    Index(Box<Expr>, Box<Expr>),
    /// `a..b`, `a..=b`, `a..`, `..b`, `..`, as an index or the subject of a `for`.
    Range {
        /// The lower end.
        start: Option<Box<Expr>>,
        /// The upper end.
        end: Option<Box<Expr>>,
        /// `..=`.
        inclusive: bool,
    },
    /// `x as T`.
    Cast(Box<Expr>, Annotation),
    /// `(a, b)`; `()` has no parts.
    Tuple(Vec<Expr>),
    /// `[a, b]`. The note is there only where it is empty.
    Array(Vec<Expr>, Option<Note>),
    /// `[x; N]`: the note is the type of the whole array.
    Repeat(Box<Expr>, Note),
    /// `Name { field: value, ..base }` or `Name(value)`: fields by name or number, in the order written.
    Struct {
        /// The struct's type.
        ty: Note,
        /// The last name of the path: the variant's, if the type is an enum.
        name: String,
        /// The fields given.
        fields: Vec<(String, Expr)>,
        /// What the others come from.
        base: Option<Box<Expr>>,
    },
    /// A call of a device function: the note is a `Record::Callee`.
    Call(Note, Vec<Expr>),
    /// A call of a method: the note is a `Record::Callee`; the receiver is adjusted to what the method's `self` wants.
    MethodCall(Note, Box<Expr>, Vec<Expr>),
    /// A call of a variable that holds a closure.
    CallValue(Box<Expr>, Vec<Expr>),
    /// `|a, b| body`. What it captures is found from the variables that it names.
    Closure {
        /// `move`.
        by_move: bool,
        /// The parameters; their types are always recorded.
        params: Vec<Param>,
        /// The body.
        body: Box<Expr>,
    },
    /// `place = value`.
    Assign(Box<Expr>, Box<Expr>),
    /// `(a, b) = value`: destructuring; the parts are places or `_` (`None`).
    AssignTuple(Vec<Option<Expr>>, Box<Expr>),
    /// A block or `unsafe` block, labelled or not.
    Block(Option<LabelId>, Block),
    /// `if`, with `if let` and chains of them as [`ExprKind::Let`] conditions.
    If(Box<Expr>, Block, Option<Box<Expr>>),
    /// `let PATTERN = value` as a condition.
    Let(Pattern, Box<Expr>),
    /// `match`.
    Match(Box<Expr>, Vec<Arm>),
    /// `loop`.
    Loop(LabelId, Block),
    /// `while`.
    While(LabelId, Box<Expr>, Block),
    /// `for PATTERN in SUBJECT`: over an integer range with both ends, or whatever `Iterator::next` the record names.
    For {
        /// The loop.
        label: LabelId,
        /// What each item is bound to.
        pattern: Pattern,
        /// What is iterated over.
        subject: Box<Expr>,
        /// The callees of `into_iter` and `next` where the subject is not a range as written.
        iterator: Option<(Note, Note)>,
        /// The body.
        body: Block,
    },
    /// `break 'label value`.
    Break(LabelId, Option<Box<Expr>>),
    /// `continue 'label`.
    Continue(LabelId),
    /// `value?`.
    Try {
        /// The value.
        value: Box<Expr>,
        /// The type that the function or closure around returns.
        result: Note,
        /// A `Record::Callee`: the `From::from` that makes an error into one of that type.
        convert: Note,
    },
    /// `return value`.
    Return(Option<Box<Expr>>),
    /// `panic!`, `unreachable!`, `todo!`, or the failed arm of an `assert!`.
    Panic(Message),
    /// `shared!(T)`: the note is the type `T`; the value is a `&mut T` to the block's shared memory.
    Shared(Note),
}

/// An arm of a `match`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Arm {
    /// What the value must look like.
    pub pattern: Pattern,
    /// The condition behind `if`.
    pub guard: Option<Expr>,
    /// The value.
    pub body: Expr,
}

impl Body {
    /// The tree as bytes, small enough to stand in generated code.
    pub fn to_bytes(&self) -> Vec<u8> {
        postcard::to_stdvec(self).expect("a tree of plain data always serialises")
    }

    /// The tree that [`Body::to_bytes`] wrote.
    ///
    /// # Errors
    ///
    /// When the bytes are not such a tree (macro and compiler are of different versions), or one that nests deeper than
    /// [`MAX_NESTING`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, postcard::Error> {
        crate::stack::with_room(|| Self::from_bytes_here(bytes))
    }

    /// [`Body::from_bytes`] on the caller's stack.
    pub(crate) fn from_bytes_here(bytes: &[u8]) -> Result<Self, postcard::Error> {
        postcard::from_bytes(bytes)
    }
}
