//! What may be chosen when a kernel is compiled.

/// How much LLVM improves the code.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Optimisation {
    /// Not at all: for looking at what lowering makes.
    None,
    /// As much as it can.
    #[default]
    Full,
}

/// What may be chosen when a kernel is compiled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Options {
    /// The size of a block, if it is known; the kernel's attribute counts before it. Sizes and index ranges are then
    /// constants in the code, which runs for no other size.
    pub block: Option<[u32; 3]>,
    /// How much LLVM improves the code.
    pub optimisation: Optimisation,
    /// Whether the code says which source lines it comes from.
    pub debug_info: bool,
}
