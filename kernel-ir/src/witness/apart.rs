//! Names that macros wrote.

/// Stands for a variable that must not be another one of the same name.
#[derive(Clone, Copy)]
pub struct __Apart;

/// A value of one of two variables.
#[diagnostic::on_unimplemented(
    message = "a macro wrote two variables of this name, and a kernel can't tell them apart",
    label = "is this the macro's variable, or its caller's?",
    note = "give the variable in the macro another name"
)]
pub trait Distinct {}
impl Distinct for __Apart {}

/// Accepted if the variable of the first value is not that of the second.
pub fn __apart<T: Distinct>(_: T, _: ()) {}
