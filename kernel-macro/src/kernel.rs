//! `#[kernel] fn`.

use crate::attributes::Attributes;
use crate::capture::Role;
use crate::fragments;
use crate::item_fn::{DeviceFn, in_const};
use crate::launch;
use crate::names::{allow_in_kernels, refused};
use crate::signature::{argument_names, companion_params, refuse_qualifiers};
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Error, FnArg, GenericParam, ItemFn, ReturnType, Type};

pub fn expand(attribute: TokenStream, item: TokenStream) -> TokenStream {
    let function: ItemFn = match fragments::parse(item.clone()) {
        Ok(function) => function,
        Err(error) => return refused(item, &[whole_functions(error)]),
    };
    let attributes: Attributes = match syn::parse2(attribute) {
        Ok(attributes) => attributes,
        Err(error) => return refused(item, &[error]),
    };
    let errors = refuse_signature(&function);
    if !errors.is_empty() {
        return refused(item, &errors);
    }
    let device = DeviceFn::new(&function.attrs, &function.sig, Role::Kernel);
    match device.items(&function.block) {
        Ok((items, captured)) => {
            let marker = device.marker(&function.vis);
            let launch = launch::function(&function, captured.uses_shared);
            let entry = entry(&function, &device, &attributes);
            let allow = allow_in_kernels();
            let written = ItemFn { vis: syn::Visibility::Inherited, ..function.clone() };
            let hidden = in_const(quote!(#items #entry));
            // The kernel as written keeps its warnings.
            quote! {
                #launch
                #marker
                const _: () = {
                    #[allow(dead_code)]
                    #allow
                    #written
                    #hidden
                };
            }
        }
        Err(errors) => refused(item, &errors),
    }
}

fn whole_functions(error: Error) -> Error {
    Error::new(error.span(), format!("{error}: `#[kernel]` goes on a function"))
}

/// What hangs on the type of the kernel's name.
fn entry(function: &ItemFn, device: &DeviceFn, attributes: &Attributes) -> TokenStream {
    let (name, signature, p) = (&function.sig.ident, &function.sig, &device.params);
    let (generics, arguments) = (p.declaration(), p.arguments());
    let (predicates, witness) = (p.predicates(), p.witness_predicates());
    let text = name.to_string();
    let text = text.trim_start_matches("r#");
    let (params, names) = (companion_params(signature, false), argument_names(signature));
    let (own_generics, unsafety) = (&signature.generics.params, &signature.unsafety);
    quote! {
        impl #name {
            /// Runs the kernel's body once, on the host, as plain Rust.
            #[doc(hidden)]
            pub #unsafety fn native<#own_generics>(#params) where #predicates {
                #name::<#arguments>(#(#names),*)
            }

            /// The kernel, for whoever compiles or launches it.
            pub fn entry<#generics>() -> ::wavewright::__private::KernelEntry where #predicates #witness {
                ::wavewright::__private::KernelEntry {
                    identity: ::wavewright::__private::identity::<__Instance<#arguments>>(),
                    name: ::core::concat!(::core::module_path!(), "::", #text),
                    captured: Self::captured::<#arguments>,
                    program: Self::program::<#arguments>,
                }
            }

            /// The captured tree of the kernel and of all that it calls, with what rustc said about it.
            pub fn captured<#generics>() -> ::wavewright::__private::Instances where #predicates #witness {
                ::wavewright::__private::instances::<__Instance<#arguments>>()
            }

            /// The typed program of the kernel.
            pub fn program<#generics>()
                -> ::core::result::Result<::wavewright::__private::Program, ::wavewright::__private::BuildError>
            where #predicates #witness
            {
                ::wavewright::__private::program(&Self::captured::<#arguments>(), #attributes)
            }
        }
    }
}

/// What a kernel's signature can't have.
fn refuse_signature(function: &ItemFn) -> Vec<Error> {
    let signature = &function.sig;
    let mut errors = refuse_qualifiers(signature, "a kernel");
    if let Some(token) = &signature.constness {
        errors.push(Error::new_spanned(token, "a kernel can't be `const`"));
    }
    if let ReturnType::Type(_, ty) = &signature.output
        && !matches!(&**ty, Type::Tuple(t) if t.elems.is_empty())
    {
        errors
            .push(Error::new_spanned(ty, "a kernel returns nothing: write the result to a `&mut` parameter"));
    }
    for input in &signature.inputs {
        match input {
            FnArg::Receiver(receiver) => {
                errors.push(Error::new_spanned(
                    receiver,
                    "a kernel is a free function: pass `self` as a value",
                ));
            }
            FnArg::Typed(typed) => errors.extend(refuse_param(&typed.ty)),
        }
    }
    for param in &signature.generics.params {
        if let GenericParam::Lifetime(lifetime) = param
            && !lifetime.bounds.is_empty()
        {
            errors.push(Error::new_spanned(
                lifetime,
                "a kernel's lifetimes have no bounds: its buffers all live for the launch",
            ));
        }
    }
    errors
}

fn refuse_param(ty: &Type) -> Option<Error> {
    match ty {
        Type::ImplTrait(_) => Some(Error::new_spanned(
            ty,
            "a kernel can't take a closure of the host: make it generic over a type with a `#[device]` trait",
        )),
        Type::Ptr(_) => {
            Some(Error::new_spanned(ty, "a kernel takes slices, not raw pointers: `&[T]` or `&mut [T]`"))
        }
        Type::Slice(_) => {
            Some(Error::new_spanned(ty, "a kernel takes a slice by reference: `&[T]` or `&mut [T]`"))
        }
        Type::Paren(p) => refuse_param(&p.elem),
        Type::Group(g) => refuse_param(&g.elem),
        Type::Reference(r) if matches!(&*r.elem, Type::Reference(_)) => {
            let text = r.to_token_stream().to_string().replace("& ", "&");
            Some(Error::new_spanned(
                ty,
                format!("`{text}` would be an address of the host: take `&T` or `&[T]`"),
            ))
        }
        _ => None,
    }
}
