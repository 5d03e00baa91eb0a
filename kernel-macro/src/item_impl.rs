//! `#[device] impl`.

use crate::describe::Name;
use crate::generics::{Params, is_mirrored};
use crate::item_fn::in_const;
use crate::item_trait;
use crate::method::Method;
use crate::names::{allow, allow_in_kernels, refused};
use crate::operator_impl;
use crate::signature::refuse_qualifiers;
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Error, ImplItem, ImplItemFn, ItemImpl, Path, Type};

pub fn expand(item: &ItemImpl) -> TokenStream {
    let errors = refuse(item);
    if !errors.is_empty() {
        return refused(item, &errors);
    }
    match &item.trait_ {
        None => inherent(item),
        Some((_, path, _)) if path.segments.last().is_some_and(|s| is_mirrored(&s.ident.to_string())) => {
            operator_impl::expand(item, path)
        }
        Some((_, path, _)) => of_trait(item, path),
    }
}

fn refuse(item: &ItemImpl) -> Vec<Error> {
    let mut errors: Vec<Error> =
        methods(item).flat_map(|f| refuse_qualifiers(&f.sig, "a device function")).collect();
    if let Some((Some(not), ..)) = &item.trait_ {
        errors.push(Error::new(not.span, "a negative `impl` has nothing for the device"));
    }
    for part in &item.items {
        if let ImplItem::Macro(call) = part {
            errors
                .push(Error::new_spanned(call, "`#[device]` sees macros unexpanded: write the methods out"));
        }
    }
    errors
}

pub fn methods(item: &ItemImpl) -> impl Iterator<Item = &ImplItemFn> {
    item.items.iter().filter_map(|part| match part {
        ImplItem::Fn(f) => Some(f),
        _ => None,
    })
}

/// Methods of a type: companions beside them, instances behind them.
fn inherent(item: &ItemImpl) -> TokenStream {
    let (generics, self_ty) = (&item.generics.params, &item.self_ty);
    let conditions = &item.generics.where_clause;
    let (mut hidden, mut companions, mut errors) = (Vec::new(), Vec::new(), Vec::new());
    for f in methods(item) {
        let method = Method::new(&item.generics, &f.attrs, &f.sig);
        let (instance, arguments) = (method.instance_name(), method.all.arguments());
        let companion = method.companion(&quote!(#instance<#arguments>), &TokenStream::new(), false);
        let visibility = &f.vis;
        companions.push(quote!(#[doc(hidden)] #visibility #companion));
        hidden.push(instance_of(&method, f, self_ty, &Name::Method(method.name()), &mut errors));
    }
    let hidden = in_const(quote!(#(#hidden)* impl<#generics> #self_ty #conditions { #(#companions)* }));
    let allow = allow_in_kernels();
    refused(quote!(#allow #item #hidden), &errors)
}

/// The type of a method's instances, and what they say about themselves.
pub fn instance_of(
    method: &Method,
    f: &ImplItemFn,
    self_ty: &Type,
    name: &Name,
    errors: &mut Vec<Error>,
) -> TokenStream {
    let p = &method.all;
    let (instance, declaration, fields) =
        (method.instance_name(), p.instance_declaration(), p.instance_fields());
    let (generics, arguments) = (p.declaration(), p.arguments());
    let (predicates, witness) = (p.predicates(), p.witness_predicates());
    let describe = match method.capture(&f.block) {
        Ok(captured) => method.describe(&f.block, &captured, name),
        Err(more) => {
            errors.extend(more);
            quote!(::wavewright::__private::witness::never())
        }
    };
    // The body speaks of `Self`, so it stands in an `impl` of that type.
    quote! {
        #[doc(hidden)]
        pub struct #instance<#declaration>(#fields);
        impl<#generics> ::wavewright::__private::witness::Describe<#instance<#arguments>> for #self_ty
        where #predicates #witness
        {
            fn describe(__sink: &mut ::wavewright::__private::witness::Sink) { #describe }
        }
        impl<#generics> ::wavewright::__private::witness::DeviceFn for #instance<#arguments>
        where #predicates #witness
        {
            fn describe(__sink: &mut ::wavewright::__private::witness::Sink) {
                <#self_ty as ::wavewright::__private::witness::Describe<#instance<#arguments>>>::describe(__sink)
            }
        }
    }
}

/// Methods of one of the user's traits: what the trait asks of an `impl` with `#[device]`.
fn of_trait(item: &ItemImpl, path: &Path) -> TokenStream {
    let mut with_hidden = item.clone();
    let mut errors = Vec::new();
    let trait_name = path_text(path);
    for f in methods(item) {
        let method = Method::new(&item.generics, &f.attrs, &f.sig);
        if method.is_name_of_std() && matches!(&*item.self_ty, Type::Reference(_)) {
            let message = "a method of this name on a reference can't be told from std's: give it another name, or take `&self`";
            errors.push(Error::new(f.sig.ident.span(), message));
        }
        let name = Name::TraitMethod { trait_name: trait_name.clone(), method: method.name() };
        let describe = match method.capture(&f.block) {
            Ok(captured) => method.describe(&f.block, &captured, &name),
            Err(more) => {
                errors.extend(more);
                quote!(::wavewright::__private::witness::never())
            }
        };
        let describe = item_trait::describe(&method, &quote!({ #describe }), false);
        with_hidden.items.push(ImplItem::Verbatim(describe));
    }
    let (allow, marker) = (allow(), item_trait::marker());
    with_hidden.items.push(ImplItem::Verbatim(quote!(#allow #[doc(hidden)] const #marker: () = ();)));
    let device = Params::of(&item.generics).witness_predicates();
    if !device.is_empty() {
        let clause = with_hidden.generics.make_where_clause();
        let more: syn::WhereClause = syn::parse_quote!(where #device);
        clause.predicates.extend(more.predicates);
    }
    let allow = allow_in_kernels();
    refused(quote!(#allow #with_hidden), &errors)
}

/// A path as written, without spaces.
pub fn path_text(path: &Path) -> String {
    path.to_token_stream().to_string().replace(' ', "").replace(',', ", ")
}
