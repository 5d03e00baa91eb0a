//! `#[derive(DeviceType)]`: a struct's layout, asked of rustc.

use crate::generics::Params;
use crate::names::allow;
use proc_macro2::TokenStream;
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Data, DeriveInput, Error, Fields, Index};

pub fn expand(input: &DeriveInput) -> TokenStream {
    match fields(input) {
        Ok(fields) => implementation(input, fields),
        Err(error) => error.to_compile_error(),
    }
}

fn fields(input: &DeriveInput) -> syn::Result<&Fields> {
    match &input.data {
        Data::Struct(data) => Ok(&data.fields),
        Data::Enum(data) => Err(Error::new(
            data.enum_token.span,
            "enums are not supported in kernels yet: use an integer and constants for its values",
        )),
        Data::Union(data) => Err(Error::new(
            data.union_token.span,
            "kernels have no unions: use a struct, and `to_bits` or a cast",
        )),
    }
}

fn implementation(input: &DeriveInput, fields: &Fields) -> TokenStream {
    let params = Params::of(&input.generics);
    if let Some(closure) = params.closures().first() {
        return Error::new(
            closure.span(),
            "a struct of kernels can't hold a closure: pass it to the function",
        )
        .to_compile_error();
    }
    let (allow, name) = (allow(), &input.ident);
    let (generics, types, conditions) = input.generics.split_for_impl();
    let conditions = conditions.map(|c| c.predicates.iter()).into_iter().flatten();
    let device = params.device_predicates();
    let text = name.to_string();
    let arguments = params.named_arguments();
    let fields = fields.iter().enumerate().map(|(number, field)| {
        let member = match &field.ident {
            Some(name) => name.to_token_stream(),
            None => Index::from(number).to_token_stream(),
        };
        let (ty, name) = (&field.ty, member.to_string());
        let name = name.trim_start_matches("r#");
        // An unfit type is reported where it stands.
        let table = quote!(__table);
        let entered = quote_spanned!(ty.span()=> #table.of::<#ty>());
        quote!((#name, #entered, ::core::mem::offset_of!(Self, #member)))
    });
    quote! {
        #allow
        // SAFETY: size, alignment and offsets are asked of rustc.
        unsafe impl #generics ::wavewright::__private::DeviceType for #name #types
        where #(#conditions,)* #device
        {
            type Record = ::wavewright::__private::witness::Ty<Self>;
            fn describe(__table: &mut ::wavewright::__private::types::TypeTable) -> ::wavewright::__private::types::Type {
                let __arguments: &[::std::string::String] = &[#(#arguments),*];
                let __fields = [#(#fields),*];
                ::wavewright::__private::types::structure::<Self>(
                    ::core::concat!(::core::module_path!(), "::", #text), __arguments, &__fields,
                )
            }
        }
    }
}
