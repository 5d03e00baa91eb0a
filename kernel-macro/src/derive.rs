//! `#[derive(DeviceType)]`: the layout of a struct or enum, asked of rustc.

use crate::generics::Params;
use crate::names::allow;
use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Data, DataEnum, DeriveInput, Error, Field, Fields, Index};
use wavewright_kernel_ir::scalar::Scalar;

pub fn expand(input: &DeriveInput) -> TokenStream {
    let described = match &input.data {
        Data::Struct(data) => Ok(structure(input, &data.fields)),
        Data::Enum(data) => enumeration(input, data),
        Data::Union(data) => Err(Error::new(
            data.union_token.span,
            "kernels have no unions: use a struct, and `to_bits` or a cast",
        )),
    };
    match described {
        Ok(described) => implementation(input, &described),
        Err(error) => error.to_compile_error(),
    }
}

/// The description of a struct.
fn structure(input: &DeriveInput, fields: &Fields) -> TokenStream {
    let text = input.ident.to_string();
    let fields = fields.iter().enumerate().map(|(number, field)| {
        let (member, name) = (member(number, field), field_name(number, field));
        let entered = entered(field);
        quote!((#name, #entered, ::core::mem::offset_of!(Self, #member)))
    });
    quote! {
        let __fields = [#(#fields),*];
        ::wavewright::__private::types::structure::<Self>(
            ::core::concat!(::core::module_path!(), "::", #text), __arguments, &__fields,
        )
    }
}

/// The description of an enum: a sample of each variant tells where its fields are and what tells it from the others.
fn enumeration(input: &DeriveInput, data: &DataEnum) -> syn::Result<TokenStream> {
    let text = input.ident.to_string();
    let repr = representation(input)?;
    let shapes = data.variants.iter().map(|variant| {
        let (name, text) = (&variant.ident, variant.ident.to_string());
        let text = text.trim_start_matches("r#");
        let fields = variant.fields.iter().enumerate().map(|(number, field)| {
            let (name, entered) = (field_name(number, field), entered(field));
            quote!((#name, #entered))
        });
        let members: Vec<_> = variant.fields.iter().enumerate().map(|(n, f)| member(n, f)).collect();
        let bound: Vec<_> = (0..members.len()).map(|n| format_ident!("__f{n}")).collect();
        quote!(::wavewright::__private::types::VariantShape {
            name: #text,
            fields: ::std::vec![#(#fields),*],
            make: |__samples| Self::#name { #(#members: __samples.take()),* },
            fields_of: |__value| match __value {
                Self::#name { #(#members: #bound),* } => ::std::vec![#(::std::ptr::from_ref(#bound).cast()),*],
                _ => ::std::vec![],
            },
        })
    });
    let numbers = if data.variants.iter().all(|v| matches!(v.fields, Fields::Unit)) {
        let names = data.variants.iter().map(|v| &v.ident);
        quote!(::core::option::Option::Some(&[#(Self::#names as i128),*]))
    } else {
        quote!(::core::option::Option::None)
    };
    Ok(quote! {
        let __shapes = [#(#shapes),*];
        ::wavewright::__private::types::enumeration::<Self>(
            __table, ::core::concat!(::core::module_path!(), "::", #text), __arguments, #repr, #numbers, &__shapes,
        )
    })
}

/// The integer type of the tag, where `#[repr]` gives it.
fn representation(input: &DeriveInput) -> syn::Result<TokenStream> {
    let mut scalar = quote!(::core::option::Option::None);
    for attribute in input.attrs.iter().filter(|a| a.path().is_ident("repr")) {
        attribute.parse_nested_meta(|meta| {
            let name = meta.path.get_ident().map(ToString::to_string).unwrap_or_default();
            if name == "C" {
                // A C `int`, which is what it is on every target that there is.
                scalar = quote!(::core::option::Option::Some(::wavewright::__private::Scalar::I32));
            } else if Scalar::from_name(&name).is_some() {
                let variant = format_ident!("{}{}", name[..1].to_uppercase(), &name[1..]);
                scalar = quote!(::core::option::Option::Some(::wavewright::__private::Scalar::#variant));
            }
            if meta.input.peek(syn::token::Paren) {
                let inside;
                syn::parenthesized!(inside in meta.input);
                let _: TokenStream = inside.parse()?;
            }
            Ok(())
        })?;
    }
    Ok(scalar)
}

fn member(number: usize, field: &Field) -> TokenStream {
    match &field.ident {
        Some(name) => name.to_token_stream(),
        None => Index::from(number).to_token_stream(),
    }
}

fn field_name(number: usize, field: &Field) -> String {
    member(number, field).to_string().trim_start_matches("r#").into()
}

/// The field's type, entered into the table. An unfit type is reported where it stands.
fn entered(field: &Field) -> TokenStream {
    let ty = &field.ty;
    let table = quote!(__table);
    quote_spanned!(ty.span()=> #table.of::<#ty>())
}

fn implementation(input: &DeriveInput, described: &TokenStream) -> TokenStream {
    let params = Params::of(&input.generics);
    if let Some(closure) = params.closures().first() {
        return Error::new(closure.span(), "a type of kernels can't hold a closure: pass it to the function")
            .to_compile_error();
    }
    let (allow, name) = (allow(), &input.ident);
    let (generics, types, conditions) = input.generics.split_for_impl();
    let conditions = conditions.map(|c| c.predicates.iter()).into_iter().flatten();
    let device = params.device_predicates();
    let arguments = params.named_arguments();
    quote! {
        #allow
        // SAFETY: the layout is asked of rustc.
        unsafe impl #generics ::wavewright::__private::DeviceType for #name #types
        where #(#conditions,)* #device
        {
            type Record = ::wavewright::__private::witness::Ty<Self>;
            fn describe(__table: &mut ::wavewright::__private::types::TypeTable) -> ::wavewright::__private::types::Type {
                let __arguments: &[::std::string::String] = &[#(#arguments),*];
                #described
            }
        }
    }
}
