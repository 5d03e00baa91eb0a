//! Parameters and results of functions, as companions and witnesses have them.

use crate::capture::{ResultKind, is_closure, result_holds_closure, result_kind};
use crate::names::internal;
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::visit_mut::{self, VisitMut};
use syn::{FnArg, Lifetime, Pat, Receiver, ReturnType, Signature, Type};

/// `a: f32, __a1: (u32, u32)`: parameters without patterns, for a function that has no body to take them apart in.
pub fn companion_params(signature: &Signature, receiver_by_reference: bool) -> TokenStream {
    let params = signature.inputs.iter().enumerate().map(|(number, input)| match input {
        FnArg::Receiver(receiver) if receiver_by_reference && receiver.reference.is_none() => quote!(&self),
        FnArg::Receiver(receiver) => companion_receiver(receiver),
        FnArg::Typed(typed) => {
            let (name, ty) = (param_name(&typed.pat, number), &typed.ty);
            quote!(#name: #ty)
        }
    });
    quote!(#(#params),*)
}

fn companion_receiver(receiver: &Receiver) -> TokenStream {
    if receiver.reference.is_none() && receiver.colon_token.is_none() {
        let this = &receiver.self_token;
        return quote!(#this);
    }
    Receiver { attrs: Vec::new(), ..receiver.clone() }.into_token_stream()
}

/// The name of a parameter, or one that says its number.
pub fn param_name(pattern: &Pat, number: usize) -> Ident {
    match pattern {
        Pat::Ident(p) if p.subpat.is_none() => p.ident.clone(),
        _ => format_ident!("__a{number}"),
    }
}

/// The parameters of the closure that holds a witness's body, which can have no `self`.
pub fn witness_params(signature: &Signature) -> TokenStream {
    let params = signature.inputs.iter().map(|input| match input {
        FnArg::Receiver(receiver) => {
            let name = internal("__self", receiver.self_token.span);
            let mutability = receiver.mutability.filter(|_| receiver.reference.is_none());
            let ty = without_lifetimes(&receiver.ty);
            quote!(#mutability #name: #ty)
        }
        FnArg::Typed(typed) => {
            let (pat, ty) = (&typed.pat, without_lifetimes(&typed.ty));
            quote!(#pat: #ty)
        }
    });
    quote!(#(#params),*)
}

/// The result of the closure that holds a witness's body.
pub fn witness_result(output: &ReturnType) -> TokenStream {
    match (result_kind(output), output) {
        (ResultKind::Opaque, _) => TokenStream::new(),
        (_, ReturnType::Default) => quote!(-> ()),
        (_, ReturnType::Type(arrow, ty)) => {
            let ty = without_lifetimes(ty);
            quote!(#arrow #ty)
        }
    }
}

/// The kinds of the result and of the parameters, a tuple of types.
pub fn kinds(signature: &Signature, closures: &[Ident]) -> TokenStream {
    let kind = |data: bool| if data { quote!(__Data) } else { quote!(__Untyped) };
    let data = result_kind(&signature.output) == ResultKind::Data;
    let result = kind(data && !result_holds_closure(&signature.output, closures));
    let params = signature.inputs.iter().map(|input| match input {
        FnArg::Receiver(_) => kind(true),
        FnArg::Typed(typed) => kind(!is_closure(&typed.ty, closures)),
    });
    quote!((#result, #(#params,)*))
}

/// What a companion returns.
pub fn companion_result(output: &ReturnType, instance: &TokenStream) -> TokenStream {
    match (result_kind(output), output) {
        (ResultKind::Never, _) => quote!(::wavewright::__private::witness::RetNever<#instance>),
        (_, ReturnType::Default) => quote!(::wavewright::__private::witness::Ret<(), #instance>),
        (_, ReturnType::Type(_, ty)) => quote!(::wavewright::__private::witness::Ret<#ty, #instance>),
    }
}

/// The type with every lifetime left to rustc: nothing in a witness is borrow-checked.
pub fn without_lifetimes(ty: &Type) -> Type {
    let mut ty = ty.clone();
    Anonymous.visit_type_mut(&mut ty);
    ty
}

struct Anonymous;

impl VisitMut for Anonymous {
    fn visit_lifetime_mut(&mut self, lifetime: &mut Lifetime) {
        if lifetime.ident != "static" {
            *lifetime = Lifetime::new("'_", lifetime.span());
        }
    }

    // `for<'a>` declares its own.
    fn visit_type_bare_fn_mut(&mut self, _: &mut syn::TypeBareFn) {}
    fn visit_bound_lifetimes_mut(&mut self, _: &mut syn::BoundLifetimes) {}

    fn visit_type_mut(&mut self, ty: &mut Type) {
        visit_mut::visit_type_mut(self, ty);
    }
}

/// The names of the parameters, to hand them on.
pub fn argument_names(signature: &Signature) -> Vec<TokenStream> {
    let names = signature.inputs.iter().enumerate().map(|(number, input)| match input {
        FnArg::Receiver(receiver) => receiver.self_token.to_token_stream(),
        FnArg::Typed(typed) => param_name(&typed.pat, number).into_token_stream(),
    });
    names.collect()
}

/// What makes a function one that devices don't have, if anything does.
pub fn refuse_qualifiers(signature: &Signature, what: &str) -> Vec<syn::Error> {
    let mut errors = Vec::new();
    if let Some(token) = &signature.asyncness {
        errors.push(syn::Error::new_spanned(token, format!("{what} can't be `async`")));
    }
    if let Some(abi) = &signature.abi {
        errors.push(syn::Error::new_spanned(abi, format!("{what} has no foreign ABI: remove `extern`")));
    }
    if let Some(variadic) = &signature.variadic {
        errors.push(syn::Error::new_spanned(variadic, format!("{what} can't be variadic")));
    }
    if let Some(FnArg::Receiver(receiver)) = signature.inputs.first()
        && receiver.colon_token.is_some()
        && !matches!(&*receiver.ty, Type::Path(p) if p.path.is_ident("Self"))
        && !matches!(&*receiver.ty, Type::Reference(_))
    {
        errors.push(syn::Error::new_spanned(receiver, "devices know `self`, `&self` and `&mut self` only"));
    }
    if signature.inputs.len() > MAX_PARAMS {
        let message = format!("{what} has {MAX_PARAMS} parameters at most: put some into a struct");
        errors.push(syn::Error::new_spanned(&signature.ident, message));
    }
    errors
}

/// As many as `wavewright_kernel_ir::witness::Signature` is implemented for.
pub const MAX_PARAMS: usize = 16;
