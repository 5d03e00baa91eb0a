//! Types as written: which primitive names they use, and what kernels don't have.

use super::Capture;
use super::class;
use crate::ledger::{self, Verdict};
use proc_macro2::{Ident, TokenStream};
use quote::{quote, quote_spanned};
use syn::visit::{self, Visit};
use syn::{AngleBracketedGenericArguments, Path, Type, TypePath};
use wavewright_kernel_ir::captured::Annotation;

impl Capture<'_> {
    /// Looks through a type.
    pub(super) fn ty(&mut self, ty: &Type) {
        TypeWalk { capture: self }.visit_type(ty);
    }

    /// Looks through the generic arguments of a path.
    pub(super) fn generic_arguments(&mut self, path: &Path) {
        TypeWalk { capture: self }.visit_path(path);
    }

    /// Looks through a turbofish.
    pub(super) fn angle_bracketed(&mut self, arguments: &AngleBracketedGenericArguments) {
        TypeWalk { capture: self }.visit_angle_bracketed_generic_arguments(arguments);
    }

    /// The annotation that a primitive type's name is.
    pub(super) fn scalar_annotation(&self, ty: &Type) -> Option<Annotation> {
        match ty {
            Type::Path(path) => class::primitive(path).map(Annotation::Scalar),
            Type::Paren(p) => self.scalar_annotation(&p.elem),
            Type::Group(g) => self.scalar_annotation(&g.elem),
            _ => None,
        }
    }

    /// A statement that rustc accepts only if the names of primitive types mean those: we go by the names.
    pub(super) fn assert_primitives(&self) -> TokenStream {
        if self.primitives.is_empty() {
            return TokenStream::new();
        }
        let names = self.primitives.iter().map(|(scalar, span)| Ident::new(scalar.name(), *span));
        let meant = names.clone().map(|name| quote_spanned!(name.span()=> ::core::primitive::#name));
        quote!(let _: fn(#(#names),*) = __never::<fn(#(#meant),*)>();)
    }
}

struct TypeWalk<'c, 'a> {
    capture: &'c mut Capture<'a>,
}

impl<'ast> Visit<'ast> for TypeWalk<'_, '_> {
    fn visit_type(&mut self, ty: &'ast Type) {
        let entry = ledger::ty(ty);
        if !matches!(entry.map(|e| e.verdict), Some(Verdict::Captured)) {
            self.capture.error(ledger::refuse(entry, ty));
            return;
        }
        visit::visit_type(self, ty);
    }

    fn visit_type_path(&mut self, path: &'ast TypePath) {
        if let Some(scalar) = class::primitive(path)
            && let Some(name) = path.path.get_ident()
        {
            self.capture.primitives.entry(scalar).or_insert(name.span());
        }
        visit::visit_type_path(self, path);
    }

    // Array lengths and const arguments are rustc's.
    fn visit_expr(&mut self, _: &'ast syn::Expr) {}
}
