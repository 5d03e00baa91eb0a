//! Names that generated code uses, and the names of the user's that say what something is.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};
use syn::Error;

/// What stands before every generated item: the code is checked for types, not for style.
pub fn allow() -> TokenStream {
    quote!(#[allow(warnings, clippy::all, overflowing_literals, unconditional_panic, arithmetic_overflow)])
}

/// What stands before a function as written: kernels have no iterators, and their parameters are a launch's arguments.
pub fn allow_in_kernels() -> TokenStream {
    quote!(#[allow(clippy::needless_range_loop, clippy::too_many_arguments)])
}

/// The item as written, with errors beside it.
pub fn refused(item: impl ToTokens, errors: &[Error]) -> TokenStream {
    let errors = errors.iter().map(Error::to_compile_error);
    quote!(#item #(#errors)*)
}

/// The name of a method's companion.
pub fn companion(method: &Ident) -> Ident {
    with_suffix(method, "__on_device")
}

/// `NAME` and a suffix, with the span of `NAME`.
pub fn with_suffix(name: &Ident, suffix: &str) -> Ident {
    let text = name.to_string();
    Ident::new(&format!("{}{suffix}", text.trim_start_matches("r#")), name.span())
}

/// A name that only generated code uses.
pub fn internal(name: &str, span: Span) -> Ident {
    Ident::new(name, span)
}

/// What a path's last name means, going by its case, as Rust's conventions have it (rustc warns about others).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Case {
    /// `Vec3`, `T`: a type.
    Type,
    /// `LIMIT`, `N`: a constant, or a type parameter.
    Upper,
    /// `lerp`: a function, module or variable.
    Lower,
}

impl Case {
    pub fn of(name: &str) -> Self {
        let name = name.trim_start_matches("r#").trim_start_matches('_');
        match (name.starts_with(char::is_uppercase), name.contains(char::is_lowercase)) {
            (true, true) => Case::Type,
            (true, false) => Case::Upper,
            (false, _) => Case::Lower,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_tells_types_constants_and_functions() {
        for (name, case) in [
            ("Vec3", Case::Type),
            ("T", Case::Upper),
            ("MAX_2", Case::Upper),
            ("lerp", Case::Lower),
            ("_x", Case::Lower),
            ("r#type", Case::Lower),
            ("_UNUSED", Case::Upper),
        ] {
            assert_eq!(Case::of(name), case, "{name}");
        }
    }
}
