//! `#[device] fn`.

use crate::attributes::is_track_caller;
use crate::capture::{Captured, Function, ResultKind, Role, capture, result_kind};
use crate::describe::{self, Name};
use crate::generics::{Params, name_impl_traits};
use crate::names::{allow, allow_in_kernels, refused};
use crate::signature::{argument_names, companion_params, companion_result, refuse_qualifiers};
use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::{Attribute, ItemFn, Signature};

/// The function as written, and beside it its companion and instance.
pub fn expand(function: &ItemFn) -> TokenStream {
    let errors = refuse_qualifiers(&function.sig, "a device function");
    if !errors.is_empty() {
        return refused(function, &errors);
    }
    let device = DeviceFn::new(&function.attrs, &function.sig, Role::Device);
    let (marker, items) = (device.marker(&function.vis), device.items(&function.block));
    let allow = allow_in_kernels();
    match items {
        Ok((items, _)) => {
            let items = in_const(items);
            quote!(#allow #function #marker #items)
        }
        // With a companion, callers have no errors of their own.
        Err(errors) => {
            let companion = in_const(device.companion_alone());
            refused(quote!(#allow #function #marker #companion), &errors)
        }
    }
}

/// Items that have no name outside.
pub fn in_const(items: TokenStream) -> TokenStream {
    let allow = allow();
    quote!(#allow const _: () = { #items };)
}

/// A free function for devices, or a kernel.
pub struct DeviceFn {
    role: Role,
    track_caller: bool,
    signature: Signature,
    pub params: Params,
}

impl DeviceFn {
    pub fn new(attributes: &[Attribute], signature: &Signature, role: Role) -> Self {
        let mut signature = signature.clone();
        name_impl_traits(&mut signature);
        let params = Params::of(&signature.generics);
        Self { role, track_caller: is_track_caller(attributes), signature, params }
    }

    /// The type beside the function: it has the function's name and travels with every `use` of it.
    pub fn marker(&self, visibility: &syn::Visibility) -> TokenStream {
        let (allow, name) = (allow(), &self.signature.ident);
        quote!(#allow #[doc(hidden)] #visibility struct #name {})
    }

    /// Instance and companion.
    pub fn items(&self, block: &syn::Block) -> Result<(TokenStream, Captured), Vec<syn::Error>> {
        let (closures, constants) = (self.params.closures(), self.params.constants());
        let function = Function {
            role: self.role,
            signature: &self.signature,
            block,
            track_caller: self.track_caller,
            closures: &closures,
            constants: &constants,
        };
        let captured = capture(&function)?;
        let name = Name::Free(&self.signature.ident);
        let describe = describe::statements(&function, &captured, &self.params, &name);
        let items = self.instance_and_companion(quote! {
            fn describe(__sink: &mut ::wavewright::__private::witness::Sink) { #describe }
        });
        Ok((items, captured))
    }

    /// The same where the body was refused.
    pub fn companion_alone(&self) -> TokenStream {
        self.instance_and_companion(quote! {
            fn describe(_: &mut ::wavewright::__private::witness::Sink) {
                ::wavewright::__private::witness::never()
            }
        })
    }

    fn instance_and_companion(&self, describe: TokenStream) -> TokenStream {
        let (instance, companion, name) = (self.instance(describe), self.companion(), &self.signature.ident);
        quote!(#instance impl #name { #companion })
    }

    fn instance(&self, describe: TokenStream) -> TokenStream {
        let p = &self.params;
        let (declaration, fields) = (p.instance_declaration(), p.instance_fields());
        let (generics, arguments) = (p.declaration(), p.arguments());
        let (predicates, witness) = (p.predicates(), p.witness_predicates());
        quote! {
            #[doc(hidden)]
            pub struct __Instance<#declaration>(#fields);
            impl<#generics> ::wavewright::__private::witness::DeviceFn for __Instance<#arguments>
            where #predicates #witness
            { #describe }
        }
    }

    fn companion(&self) -> TokenStream {
        let signature = &self.signature;
        let arguments = self.params.arguments();
        let instance = quote!(__Instance<#arguments>);
        let (inputs, result) =
            (companion_params(signature, false), companion_result(&signature.output, &instance));
        let (generics, unsafety) = (&signature.generics.params, &signature.unsafety);
        let (predicates, device) = (self.params.predicates(), self.params.device_predicates());
        let on_device = Ident::new("on_device", signature.ident.span());
        let body = self.companion_body();
        quote! {
            #[doc(hidden)]
            pub #unsafety fn #on_device<#generics>(#inputs) -> #result
            where #predicates #device
            { #body }
        }
    }

    /// Nobody calls a companion. One that returns `impl Trait` must say which type that is: the function's.
    fn companion_body(&self) -> TokenStream {
        match result_kind(&self.signature.output) {
            ResultKind::Opaque => {
                let (name, arguments) = (&self.signature.ident, argument_names(&self.signature));
                let generics = self.params.explicit_arguments();
                quote!(::wavewright::__private::witness::like(move || #name::<#generics>(#(#arguments),*)))
            }
            ResultKind::Data | ResultKind::Never => quote!(::wavewright::__private::witness::never()),
        }
    }
}
