//! Paths as values: variables, constants, unit structs.

use super::class::{self, Class};
use super::{Capture, Value};
use crate::extent::{Extent, last_of, place};
use crate::names::Case;
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote_spanned};
use syn::{Expr, ExprPath};
use wavewright_kernel_ir::captured::{self, ExprKind, Note};

impl Capture<'_> {
    pub(super) fn path_expr(&mut self, whole: &Expr, path: &ExprPath) -> Value {
        if let Some(value) = self.variable(path) {
            return value;
        }
        self.generic_arguments(&path.path);
        let name = path.path.segments.last().map(|s| s.ident.to_string()).unwrap_or_default();
        match Case::of(&name) {
            Case::Type => self.unit_struct(whole, name),
            // A function, too, comes here, and fails to be a device type; a lower-case constant or static is one.
            Case::Upper | Case::Lower => self.constant_expr(whole, path),
        }
    }

    /// The variable that a path names, if it does.
    pub(super) fn variable(&mut self, path: &ExprPath) -> Option<Value> {
        let name = path.path.get_ident().filter(|_| path.qself.is_none())?;
        let variable = self.scopes.find(name)?;
        let kind = ExprKind::Local(variable.local);
        let class = variable.class.clone();
        Some(Value {
            tree: captured::Expr { kind, span: place(name.span()) },
            tokens: variable_tokens(name),
            class,
        })
    }

    fn unit_struct(&mut self, whole: &Expr, name: String) -> Value {
        let extent = Extent::of(whole);
        let (note, variable) = self.note(extent.first);
        self.value(ExprKind::Unit { ty: note, name }, whole, noted(extent, whole, &variable), Class::Unknown)
    }

    fn constant_expr(&mut self, whole: &Expr, path: &ExprPath) -> Value {
        let class = self.class_of_constant(path);
        let (note, tokens) = self.constant(path);
        self.value(ExprKind::Constant(note), whole, tokens, class)
    }

    /// A note of a constant's value, and the expression that has it.
    pub(super) fn constant(&mut self, value: &impl ToTokens) -> (Note, TokenStream) {
        let at = last_of(value);
        let (note, variable) = self.note(at);
        (note, quote_spanned!(at=> __konst(#variable, || #value)))
    }

    fn class_of_constant(&mut self, path: &ExprPath) -> Class {
        if path.qself.is_some() {
            return Class::Unknown;
        }
        let segments = &path.path.segments;
        let owner = segments.first().map(|s| s.ident.clone());
        match (segments.len(), owner) {
            // A const generic is an integer, a `bool` or a `char`.
            (1, Some(name)) if self.constants.contains(&name) => Class::Scalar,
            // `f32::MAX`. Not so `f32::consts::PI`, which would be a path into a module.
            (2, Some(owner)) if self.primitive(&owner) => Class::Scalar,
            _ => Class::Unknown,
        }
    }

    /// Whether a name is that of a primitive type; the witness will make sure.
    pub(super) fn primitive(&mut self, name: &Ident) -> bool {
        let path = syn::TypePath { qself: None, path: name.clone().into() };
        match class::primitive(&path) {
            Some(scalar) => {
                self.primitives.entry(scalar).or_insert(name.span());
                true
            }
            None => false,
        }
    }
}

/// A variable in the witness. Its body is a closure, which can't have a `self`.
fn variable_tokens(name: &Ident) -> TokenStream {
    if name == "self" {
        Ident::new("__self", name.span()).into_token_stream()
    } else {
        name.to_token_stream()
    }
}

/// The value of `tokens`, whose type the note learns. The node covers what `tokens` covered.
pub(super) fn noted(extent: Extent, tokens: &impl ToTokens, variable: &Ident) -> TokenStream {
    let Extent { first, last } = extent;
    let open = quote_spanned!(first=> *);
    let value = quote_spanned!(last=> &__t);
    let body = quote_spanned!(last=> { __t => { __ty(#variable, &__t); #open #value } });
    quote_spanned!(first=> (match (#tokens) #body))
}
