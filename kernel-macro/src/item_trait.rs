//! `#[device] trait`.
//!
//! Beside each method stand its companion and a hidden function that describes the implementation at hand; `#[device]` on
//! an `impl` gives that function. An `impl` without the attribute lacks [`marker`], and rustc says so.

use crate::describe::Name;
use crate::generics::{Params, mirrored_bounds};
use crate::method::Method;
use crate::names::{allow, refused};
use crate::signature::refuse_qualifiers;
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote};
use syn::{Error, Generics, ItemTrait, TraitItem, TraitItemFn, TypeParamBound, parse_quote};

/// What an `impl` without `#[device]` is told to be missing.
pub fn marker() -> Ident {
    Ident::new("device_attribute_on_this_impl", Span::call_site())
}

/// `fn NAME__describe(sink) BODY`, as trait and `impl` have it.
pub fn describe(method: &Method, body: &TokenStream, in_trait: bool) -> TokenStream {
    let (allow, name) = (allow(), method.describe_name());
    let (generics, predicates, witness) =
        (method.own.declaration(), method.own.predicates(), method.own.witness_predicates());
    let sized = sized_self(method);
    // What an `impl` knows of its own type, rustc would take for the type of every `None` in the body.
    let device = in_trait.then(|| quote!(Self: ::wavewright::__private::DeviceType,));
    quote! {
        #allow
        #[doc(hidden)]
        fn #name<#generics>(__sink: &mut ::wavewright::__private::witness::Sink)
        where #device #predicates #witness #sized
        #body
    }
}

pub fn expand(mut item: ItemTrait) -> TokenStream {
    let written = item.to_token_stream();
    let errors = refuse(&item);
    if !errors.is_empty() {
        return refused(written, &errors);
    }
    let mut errors = Vec::new();
    let mut hidden = Vec::new();
    let mut instances = Vec::new();
    for part in &mut item.items {
        match part {
            TraitItem::Type(ty) => ty.bounds.push(parse_quote!(::wavewright::__private::DeviceType)),
            TraitItem::Fn(f) => {
                let method = Method::new(&item.generics, &f.attrs, &f.sig);
                hidden.push(members(&item.ident, &method, f, &mut errors));
                instances.push(instance(&item.vis, &item.ident, &item.generics, &method));
            }
            _ => {}
        }
    }
    let device = mirrored_bounds(&item.supertraits);
    item.supertraits.extend(device.into_iter().map(|bound| -> TypeParamBound { parse_quote!(#bound) }));
    let (allow, marker) = (allow(), marker());
    hidden.push(quote!(#[doc(hidden)] #[allow(non_upper_case_globals)] const #marker: ();));
    item.items.extend(hidden.into_iter().map(TraitItem::Verbatim));
    let out = quote!(#allow #item #(#instances)*);
    if errors.is_empty() { out } else { refused(out, &errors) }
}

fn refuse(item: &ItemTrait) -> Vec<Error> {
    let mut errors = Vec::new();
    for part in &item.items {
        match part {
            TraitItem::Fn(f) => errors.extend(refuse_qualifiers(&f.sig, "a device function")),
            TraitItem::Macro(call) => {
                errors.push(Error::new_spanned(
                    call,
                    "`#[device]` sees macros unexpanded: write the methods out",
                ));
            }
            TraitItem::Type(ty) if !ty.generics.params.is_empty() => {
                errors
                    .push(Error::new_spanned(&ty.generics, "device traits have no generic associated types"));
            }
            _ => {}
        }
    }
    errors
}

/// The companion of a method and its description: of the default body, if there is one.
fn members(trait_name: &Ident, method: &Method, f: &TraitItemFn, errors: &mut Vec<Error>) -> TokenStream {
    let (allow, name) = (allow(), instance_name(trait_name, method));
    let arguments = method.all.arguments();
    let sized = sized_self(method);
    let more = quote!(Self: ::wavewright::__private::DeviceType, #sized);
    let companion = method.companion(&quote!(#name<Self, #arguments>), &more, true);
    let body = match &f.default {
        None => quote!({ ::wavewright::__private::witness::never() }),
        Some(block) => match method.capture(block) {
            Ok(captured) => {
                let name = Name::TraitMethod { trait_name: trait_name.to_string(), method: method.name() };
                let statements = method.describe(block, &captured, &name);
                quote!({ #statements })
            }
            Err(more) => {
                errors.extend(more);
                quote!({ ::wavewright::__private::witness::never() })
            }
        },
    };
    let describe = describe(method, &body, true);
    quote!(#allow #[doc(hidden)] #companion #describe)
}

fn instance_name(trait_name: &Ident, method: &Method) -> Ident {
    format_ident!("__{}__{}", trait_name, method.name())
}

/// The type of the instances of a trait's method, over the implementing type and the trait's and method's parameters.
fn instance(
    visibility: &syn::Visibility,
    trait_name: &Ident,
    around: &Generics,
    method: &Method,
) -> TokenStream {
    let (allow, name, describe, p) =
        (allow(), instance_name(trait_name, method), method.describe_name(), &method.all);
    let (declaration, fields) = (p.instance_declaration(), p.instance_fields());
    let (arguments, own, around) = (p.arguments(), method.own.arguments(), Params::of(around).arguments());
    let predicates = with_this(p.predicates());
    let witness = with_this(p.witness_predicates());
    let unsized_self = sized_self(method).is_empty().then(|| quote!(+ ?Sized));
    // On the trait's method it holds for every implementation.
    let track_caller = method.track_caller.then(|| quote!(__sink.track_caller();));
    // Lifetimes come before types: `__This` goes between.
    let (lifetimes, rest) = (p.lifetime_declaration(), p.type_declaration());
    quote! {
        #allow
        #[doc(hidden)]
        #visibility struct #name<__This: ?Sized, #declaration>(::core::marker::PhantomData<__This>, #fields);
        #allow
        impl<#lifetimes __This, #rest> ::wavewright::__private::witness::DeviceFn for #name<__This, #arguments>
        where
            __This: #trait_name<#around> + ::wavewright::__private::DeviceType #unsized_self,
            #predicates #witness
        {
            fn describe(__sink: &mut ::wavewright::__private::witness::Sink) {
                <__This as #trait_name<#around>>::#describe::<#own>(__sink);
                #track_caller
            }
        }
    }
}

/// `Self: Sized,` where the method asks for it: it takes or returns a `Self` itself.
fn sized_self(method: &Method) -> TokenStream {
    let signature = &method.signature;
    let by_value = signature.receiver().is_none_or(|r| r.reference.is_none());
    let output = signature.output.to_token_stream();
    let inputs = signature.inputs.iter().filter(|i| matches!(i, syn::FnArg::Typed(_)));
    if by_value || method.is_name_of_std() || bare_self(output) || bare_self(quote!(#(#inputs),*)) {
        quote!(Self: Sized,)
    } else {
        TokenStream::new()
    }
}

/// Whether `Self` stands among the tokens, other than as the start of a path.
fn bare_self(tokens: TokenStream) -> bool {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    tokens.iter().enumerate().any(|(n, token)| match token {
        TokenTree::Ident(ident) => {
            *ident == "Self" && !matches!(tokens.get(n + 1), Some(TokenTree::Punct(p)) if p.as_char() == ':')
        }
        TokenTree::Group(group) => bare_self(group.stream()),
        _ => false,
    })
}

/// The conditions of a trait or its methods, said of `__This` in place of `Self`.
fn with_this(tokens: TokenStream) -> TokenStream {
    let replaced = tokens.into_iter().map(|token| match token {
        TokenTree::Ident(ident) if ident == "Self" => TokenTree::Ident(Ident::new("__This", ident.span())),
        TokenTree::Group(group) => {
            let mut inner = proc_macro2::Group::new(group.delimiter(), with_this(group.stream()));
            inner.set_span(group.span());
            TokenTree::Group(inner)
        }
        other => other,
    });
    replaced.collect()
}
