//! A method: what `#[device]` impls and traits have in common.

use crate::attributes::is_track_caller;
use crate::capture::{Captured, Function, ResultKind, Role, capture, result_kind};
use crate::describe::{self, Name};
use crate::generics::{Params, name_impl_traits};
use crate::names::{companion, with_suffix};
use crate::signature::{argument_names, companion_params, companion_result};
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use syn::{Attribute, Error, Generics, Signature};
use wavewright_kernel_ir::witness::STD_METHODS;

/// A method and the generics around it.
pub struct Method {
    pub signature: Signature,
    /// Whether it is `#[track_caller]`.
    pub track_caller: bool,
    /// The parameters of the `impl` or `trait`, then its own.
    pub all: Params,
    /// Its own parameters.
    pub own: Params,
}

impl Method {
    pub fn new(around: &Generics, attributes: &[Attribute], signature: &Signature) -> Self {
        let mut signature = signature.clone();
        name_impl_traits(&mut signature);
        let mut all = Params::of(around);
        all.add(&signature.generics);
        let own = Params::of(&signature.generics);
        Self { signature, track_caller: is_track_caller(attributes), all, own }
    }

    pub fn name(&self) -> &Ident {
        &self.signature.ident
    }

    /// Captures a body.
    pub fn capture(&self, block: &syn::Block) -> Result<Captured, Vec<Error>> {
        self.with_function(block, capture)
    }

    /// The statements of `describe(__sink)`.
    pub fn describe(&self, block: &syn::Block, captured: &Captured, name: &Name) -> TokenStream {
        self.with_function(block, |function| describe::statements(function, captured, &self.own, name))
    }

    fn with_function<R>(&self, block: &syn::Block, act: impl FnOnce(&Function) -> R) -> R {
        let (closures, constants) = (self.all.closures(), self.all.constants());
        act(&Function {
            role: Role::Device,
            signature: &self.signature,
            block,
            track_caller: self.track_caller,
            closures: &closures,
            constants: &constants,
        })
    }

    /// The type of the method's instances in an `impl`.
    pub fn instance_name(&self) -> Ident {
        let name = self.name().to_string();
        format_ident!("__Instance_{}", name.trim_start_matches("r#"))
    }

    /// The method that callers' witnesses call, without its visibility. `instance` is the instance with its arguments,
    /// `more` what it asks beside.
    pub fn companion(&self, instance: &TokenStream, more: &TokenStream, lose_to_std: bool) -> TokenStream {
        let signature = &self.signature;
        let by_reference = lose_to_std && self.is_name_of_std();
        let inputs = companion_params(signature, by_reference);
        let result = companion_result(&signature.output, instance);
        let (generics, unsafety, name) =
            (&signature.generics.params, &signature.unsafety, companion(self.name()));
        let (predicates, device) = (self.own.predicates(), self.all.device_predicates());
        let body = match result_kind(&signature.output) {
            ResultKind::Opaque => {
                let (method, arguments) = (self.name(), argument_names(signature));
                let generics = self.own.explicit_arguments();
                quote!(::wavewright::__private::witness::like(move || Self::#method::<#generics>(#(#arguments),*)))
            }
            ResultKind::Data | ResultKind::Never => quote!(::wavewright::__private::witness::never()),
        };
        quote! {
            #unsafety fn #name<#generics>(#inputs) -> #result
            where #predicates #device #more
            { #body }
        }
    }

    /// Whether std has a method of this name on primitive types that takes `self` by value. A trait's method of the same
    /// name must lose to it, as it does in plain Rust: its companion takes `&self`, which rustc tries later.
    pub fn is_name_of_std(&self) -> bool {
        let by_value = self.signature.receiver().is_some_and(|r| r.reference.is_none());
        by_value && STD_METHODS.contains(&self.name().to_string().as_str())
    }

    /// The name of the hidden method that describes an implementation of a trait's method.
    pub fn describe_name(&self) -> Ident {
        with_suffix(self.name(), "__describe")
    }
}
