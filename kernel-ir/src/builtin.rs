//! What a kernel may call that has no body: one table of facts, read by the macro's companions, by lowering, by the
//! docs and by the tests. A new operation is one line here, one arm in `codegen`, and an item in `device`.

/// How far an operation concerns the other threads of its wave or block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Convergence {
    /// It concerns its own thread alone.
    None,
    /// Every thread of the block that has not ended must reach it together.
    Block,
}

/// What is known of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Facts {
    /// The name: `thread::x`, `f32::sqrt` is `sqrt` with a type argument.
    pub name: &'static str,
    /// How many arguments it takes, the receiver included.
    pub arguments: u8,
    /// Whether it must be reached together.
    pub convergence: Convergence,
}

macro_rules! builtins {
    ($($(#[$doc:meta])* $variant:ident = $name:literal, $arguments:literal, $convergence:ident;)*) => {
        /// An operation without a body.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Builtin { $($(#[$doc])* $variant),* }
        impl Builtin {
            /// Every operation.
            pub const ALL: &'static [Builtin] = &[$(Builtin::$variant),*];
            /// What is known of it.
            pub const fn facts(self) -> Facts {
                match self { $(Builtin::$variant => Facts {
                    name: $name, arguments: $arguments, convergence: Convergence::$convergence,
                }),* }
            }
        }
    };
}

builtins! {
    // The index space. Results are u32 but for the global ones, which are usize.
    /// The thread's index in its block.
    ThreadX = "thread::x", 0, None;
    /// The thread's index in its block.
    ThreadY = "thread::y", 0, None;
    /// The thread's index in its block.
    ThreadZ = "thread::z", 0, None;
    /// The block's index in the grid.
    BlockX = "block::x", 0, None;
    /// The block's index in the grid.
    BlockY = "block::y", 0, None;
    /// The block's index in the grid.
    BlockZ = "block::z", 0, None;
    /// The number of threads in a block.
    BlockSizeX = "block::size_x", 0, None;
    /// The number of threads in a block.
    BlockSizeY = "block::size_y", 0, None;
    /// The number of threads in a block.
    BlockSizeZ = "block::size_z", 0, None;
    /// The number of blocks in the grid.
    GridSizeX = "grid::size_x", 0, None;
    /// The number of blocks in the grid.
    GridSizeY = "grid::size_y", 0, None;
    /// The number of blocks in the grid.
    GridSizeZ = "grid::size_z", 0, None;
    /// `block::x() * block::size_x() + thread::x()` in 64 bits.
    GlobalX = "thread::global_x", 0, None;
    /// Likewise along y.
    GlobalY = "thread::global_y", 0, None;
    /// Likewise along z.
    GlobalZ = "thread::global_z", 0, None;

    // Synchronisation.
    /// Waits for every thread of the block; orders shared and global memory within it.
    SyncThreads = "sync_threads", 0, Block;

    // Operators on primitives, when they come as trait methods (`T: Add`). `types` are the operands' types.
    /// `a + b`.
    Add = "add", 2, None;
    /// `a - b`.
    Sub = "sub", 2, None;
    /// `a * b`.
    Mul = "mul", 2, None;
    /// `a / b`.
    Div = "div", 2, None;
    /// `a % b`.
    Rem = "rem", 2, None;
    /// `a & b`.
    BitAnd = "bitand", 2, None;
    /// `a | b`.
    BitOr = "bitor", 2, None;
    /// `a ^ b`.
    BitXor = "bitxor", 2, None;
    /// `a << b`.
    Shl = "shl", 2, None;
    /// `a >> b`.
    Shr = "shr", 2, None;
    /// `-a`.
    Neg = "neg", 1, None;
    /// `!a`.
    Not = "not", 1, None;
    /// `a += b`; the first argument is a `&mut`.
    AddAssign = "add_assign", 2, None;
    /// `a -= b`.
    SubAssign = "sub_assign", 2, None;
    /// `a *= b`.
    MulAssign = "mul_assign", 2, None;
    /// `a /= b`.
    DivAssign = "div_assign", 2, None;
    /// `a %= b`.
    RemAssign = "rem_assign", 2, None;
    /// `a &= b`.
    BitAndAssign = "bitand_assign", 2, None;
    /// `a |= b`.
    BitOrAssign = "bitor_assign", 2, None;
    /// `a ^= b`.
    BitXorAssign = "bitxor_assign", 2, None;
    /// `a <<= b`.
    ShlAssign = "shl_assign", 2, None;
    /// `a >>= b`.
    ShrAssign = "shr_assign", 2, None;
    /// `==` and `!=` on primitives; which of them, the expression says.
    PartialEq = "eq", 2, None;
    /// `<`, `<=`, `>`, `>=` on primitives; which of them, the expression says.
    PartialOrd = "partial_cmp", 2, None;
    /// `Clone::clone` of a `Copy` type: a copy. The argument is a reference.
    Clone = "clone", 1, None;
    /// `From::from` between primitives that lose nothing. `types` are target, source.
    From = "from", 1, None;
    /// `Default::default` of a primitive: zero.
    Default = "default", 0, None;
    /// `IntoIterator::into_iter` of an iterator: itself.
    IntoIter = "into_iter", 1, None;

    // Methods of slices and arrays. `types[0]` is the element.
    /// `slice.len()`.
    Len = "len", 1, None;
    /// `slice.is_empty()`.
    IsEmpty = "is_empty", 1, None;
    /// `slice.get_unchecked(i)`: a `&T`.
    GetUnchecked = "get_unchecked", 2, None;
    /// `slice.get_unchecked_mut(i)`: a `&mut T`.
    GetUncheckedMut = "get_unchecked_mut", 2, None;
    /// `slice.as_ptr()`.
    AsPtr = "as_ptr", 1, None;
    /// `slice.as_mut_ptr()`.
    AsMutPtr = "as_mut_ptr", 1, None;
    /// `pointer.add(i)`, in elements.
    PointerAdd = "pointer::add", 2, None;

    // Methods of numbers. `types[0]` is the number's type.
    /// Addition that wraps, also under `overflow_checks`.
    WrappingAdd = "wrapping_add", 2, None;
    /// Subtraction that wraps.
    WrappingSub = "wrapping_sub", 2, None;
    /// Multiplication that wraps.
    WrappingMul = "wrapping_mul", 2, None;
    /// Smaller of two; of floats as `f32::min` documents it, with -0.0 below 0.0.
    Min = "min", 2, None;
    /// Larger of two; of floats as `f32::max` documents it, with -0.0 below 0.0.
    Max = "max", 2, None;
    /// Absolute value; of `i32::MIN` and its like, itself.
    Abs = "abs", 1, None;
    /// Square root, correctly rounded.
    Sqrt = "sqrt", 1, None;
    /// `a * b + c` with one rounding.
    MulAdd = "mul_add", 3, None;
    /// Largest integer not above.
    Floor = "floor", 1, None;
    /// Smallest integer not below.
    Ceil = "ceil", 1, None;
    /// Nearest integer towards zero.
    Trunc = "trunc", 1, None;
    /// Nearest integer, ties away from zero.
    Round = "round", 1, None;
    /// Whether it is NaN.
    IsNan = "is_nan", 1, None;
    /// The bits of a float.
    ToBits = "to_bits", 1, None;
    /// The float of these bits.
    FromBits = "from_bits", 1, None;
    /// Rotation to the left.
    RotateLeft = "rotate_left", 2, None;
    /// Rotation to the right.
    RotateRight = "rotate_right", 2, None;
    /// Number of ones.
    CountOnes = "count_ones", 1, None;
    /// Number of zeros above the highest one.
    LeadingZeros = "leading_zeros", 1, None;
    /// Number of zeros below the lowest one.
    TrailingZeros = "trailing_zeros", 1, None;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique() {
        let mut names: Vec<_> = Builtin::ALL.iter().map(|b| b.facts().name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), Builtin::ALL.len());
    }
}
