//! `#[device] impl` of one of std's traits: the operator's device form.

use crate::describe::Name;
use crate::item_fn::in_const;
use crate::item_impl::{instance_of, methods, path_text};
use crate::method::Method;
use crate::names::{allow_in_kernels, refused};
use proc_macro2::TokenStream;
use quote::quote;
use std::collections::HashSet;
use syn::visit_mut::{self, VisitMut};
use syn::{
    Error, GenericArgument, ImplItem, ImplItemFn, ItemImpl, Path, PathArguments, PathSegment, TypePath,
    parse_quote,
};

pub fn expand(item: &ItemImpl, path: &Path) -> TokenStream {
    match device_form(item, path) {
        Ok(hidden) => {
            let allow = allow_in_kernels();
            quote!(#allow #item #hidden)
        }
        Err(errors) => refused(item, &errors),
    }
}

fn device_form(item: &ItemImpl, path: &Path) -> Result<TokenStream, Vec<Error>> {
    let Some(segment) = path.segments.last() else { return Ok(TokenStream::new()) };
    let name = segment.ident.to_string();
    let mut errors = refuse(item, segment, &name);
    let wanted = operator_method(&name);
    let Some(f) = methods(item).find(|f| Some(f.sig.ident.to_string().as_str()) == wanted) else {
        // `Eq` has no method; rustc reports any other that is missing.
        return if errors.is_empty() { Ok(TokenStream::new()) } else { Err(errors) };
    };
    let f = spelled_out(item, path, f);
    let method = Method::new(&item.generics, &f.attrs, &f.sig);
    let title = Name::TraitMethod { trait_name: path_text(path), method: method.name() };
    let instance = instance_of(&method, &f, &item.self_ty, &title, &mut errors);
    if !errors.is_empty() {
        return Err(errors);
    }
    let p = &method.all;
    let (generics, arguments) = (p.declaration(), p.arguments());
    let (predicates, witness) = (p.predicates(), p.witness_predicates());
    let (self_ty, instance_name, name) = (&item.self_ty, method.instance_name(), &segment.ident);
    let operands = operands(segment);
    let definition = match name == "Iterator" {
        true => quote! {
            type Next = #instance_name<#arguments>;
            type Nth = ::wavewright::__private::DefaultNth<Self>;
        },
        false => quote!(type Def = #instance_name<#arguments>;),
    };
    Ok(in_const(quote! {
        #instance
        impl<#generics> ::wavewright::__private::ops::#name<#operands> for #self_ty
        where #predicates #witness
        {
            #definition
        }
    }))
}

fn refuse(item: &ItemImpl, segment: &PathSegment, name: &str) -> Vec<Error> {
    let mut errors = Vec::new();
    if matches!(name, "PartialOrd" | "Ord") {
        let message =
            "the order of values of your own type is not supported in kernels yet: compare their parts";
        errors.push(Error::new(segment.ident.span(), message));
    }
    if name == "Into" {
        errors.push(Error::new(segment.ident.span(), "write `impl From`: `into()` comes with it"));
    }
    for f in methods(item) {
        if name == "PartialEq" && f.sig.ident == "ne" {
            let message = "in a kernel `!=` is `==` turned round: leave `ne` out";
            errors.push(Error::new(f.sig.ident.span(), message));
        }
    }
    errors
}

/// The method that the operator calls.
fn operator_method(name: &str) -> Option<&'static str> {
    Some(match name {
        "Add" => "add",
        "Sub" => "sub",
        "Mul" => "mul",
        "Div" => "div",
        "Rem" => "rem",
        "BitAnd" => "bitand",
        "BitOr" => "bitor",
        "BitXor" => "bitxor",
        "Shl" => "shl",
        "Shr" => "shr",
        "AddAssign" => "add_assign",
        "SubAssign" => "sub_assign",
        "MulAssign" => "mul_assign",
        "DivAssign" => "div_assign",
        "RemAssign" => "rem_assign",
        "BitAndAssign" => "bitand_assign",
        "BitOrAssign" => "bitor_assign",
        "BitXorAssign" => "bitxor_assign",
        "ShlAssign" => "shl_assign",
        "ShrAssign" => "shr_assign",
        "Neg" => "neg",
        "Not" => "not",
        "PartialEq" => "eq",
        "Clone" => "clone",
        "Default" => "default",
        "From" => "from",
        "Iterator" => "next",
        _ => return None,
    })
}

/// The trait's type arguments.
fn operands(segment: &PathSegment) -> TokenStream {
    let PathArguments::AngleBracketed(list) = &segment.arguments else { return TokenStream::new() };
    let types = list.args.iter().filter(|a| matches!(a, GenericArgument::Type(_)));
    quote!(#(#types),*)
}

/// The method with `Self::Output` written as `<Self as Add>::Output`: its description stands in an `impl` of another
/// trait.
fn spelled_out(item: &ItemImpl, path: &Path, f: &ImplItemFn) -> ImplItemFn {
    let names = item.items.iter().filter_map(|part| match part {
        ImplItem::Type(ty) => Some(ty.ident.to_string()),
        _ => None,
    });
    let mut spelling = Spelling { path, names: names.collect() };
    let mut f = f.clone();
    spelling.visit_impl_item_fn_mut(&mut f);
    f
}

struct Spelling<'a> {
    path: &'a Path,
    names: HashSet<String>,
}

impl VisitMut for Spelling<'_> {
    fn visit_type_path_mut(&mut self, ty: &mut TypePath) {
        let is_ours = ty.qself.is_none()
            && ty.path.segments.len() == 2
            && ty.path.segments[0].ident == "Self"
            && self.names.contains(&ty.path.segments[1].ident.to_string());
        if is_ours {
            let (path, name) = (self.path, &ty.path.segments[1].ident);
            *ty = parse_quote!(<Self as #path>::#name);
        }
        visit_mut::visit_type_path_mut(self, ty);
    }
}
