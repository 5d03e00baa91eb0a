//! The function that launches a kernel: it has the kernel's name, and buffers where the kernel has slices.

use crate::generics::Params;
use crate::names::allow;
use crate::signature::param_name;
use proc_macro2::TokenStream;
use quote::quote;
use syn::{FnArg, ItemFn, Type};

/// How a kernel's parameter is handed over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Passing<'t> {
    Value(&'t Type),
    Slice { element: &'t Type, mutable: bool },
    Element { element: &'t Type, mutable: bool },
}

impl<'t> Passing<'t> {
    fn of(ty: &'t Type) -> Self {
        match ty {
            Type::Reference(r) => {
                let mutable = r.mutability.is_some();
                match peel(&r.elem) {
                    Type::Slice(slice) => Passing::Slice { element: &slice.elem, mutable },
                    element => Passing::Element { element, mutable },
                }
            }
            Type::Paren(p) => Passing::of(&p.elem),
            Type::Group(g) => Passing::of(&g.elem),
            value => Passing::Value(value),
        }
    }

    fn ty(self) -> TokenStream {
        match self {
            Passing::Value(ty) => quote!(#ty),
            Passing::Slice { element, mutable } | Passing::Element { element, mutable } => {
                let mutability = mutable.then(|| quote!(mut));
                quote!(&'__launch #mutability ::wavewright::__private::Buffer<#element>)
            }
        }
    }

    fn method(self) -> TokenStream {
        match self {
            Passing::Value(_) => quote!(value),
            Passing::Slice { mutable: false, .. } => quote!(slice),
            Passing::Slice { mutable: true, .. } => quote!(slice_mut),
            Passing::Element { mutable: false, .. } => quote!(element),
            Passing::Element { mutable: true, .. } => quote!(element_mut),
        }
    }
}

fn peel(ty: &Type) -> &Type {
    match ty {
        Type::Paren(p) => peel(&p.elem),
        Type::Group(g) => peel(&g.elem),
        other => other,
    }
}

/// The function. Its launch is unsafe where threads share what they write: a `&mut [T]`, or shared memory.
pub fn function(kernel: &ItemFn, uses_shared: bool) -> TokenStream {
    let (signature, visibility) = (&kernel.sig, &kernel.vis);
    let params = Params::of(&signature.generics);
    let mut declared = Vec::new();
    let mut handed_over = Vec::new();
    let mut shares = uses_shared || signature.unsafety.is_some();
    for (number, input) in signature.inputs.iter().enumerate() {
        let FnArg::Typed(typed) = input else { continue };
        let passing = Passing::of(&typed.ty);
        shares |= matches!(passing, Passing::Slice { mutable: true, .. });
        let (name, ty, method) = (param_name(&typed.pat, number), passing.ty(), passing.method());
        declared.push(quote!(#name: #ty));
        handed_over.push(quote!(.#method(#name)));
    }
    let (launch, end) = if shares {
        (quote!(UnsafeLaunch), quote!(.into_unsafe()))
    } else {
        (quote!(Launch), TokenStream::new())
    };
    let (allow, name, documentation) = (allow(), &signature.ident, documentation(kernel));
    let (generics, arguments) = (params.declaration(), params.arguments());
    let (predicates, witness) = (params.predicates(), params.witness_predicates());
    quote! {
        #(#documentation)*
        #allow
        #[must_use = "a launch does nothing until `launch` is called"]
        #visibility fn #name<'__launch, #generics>(#(#declared),*) -> ::wavewright::__private::#launch<'__launch>
        where #predicates #witness
        {
            ::wavewright::__private::Launch::new(<#name>::entry::<#arguments>()) #(#handed_over)* #end
        }
    }
}

fn documentation(kernel: &ItemFn) -> impl Iterator<Item = &syn::Attribute> {
    kernel
        .attrs
        .iter()
        .filter(|a| a.path().is_ident("doc") || a.path().is_ident("cfg") || a.path().is_ident("deprecated"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn launched(kernel: &str) -> String {
        function(&syn::parse_str(kernel).unwrap(), false).to_string().replace(' ', "")
    }

    #[test]
    fn buffers_stand_for_slices_and_elements() {
        let text = launched("fn k(a: f32, x: &[f32], y: &mut f32) {}");
        assert!(text.contains("fnk<'__launch,>(a:f32,x:&'__launch::wavewright::__private::Buffer<f32>"));
        assert!(text.contains(".value(a).slice(x).element_mut(y)}"));
        assert!(text.contains("->::wavewright::__private::Launch<'__launch>"));
    }

    #[test]
    fn a_mutable_slice_makes_the_launch_unsafe() {
        let text = launched("fn k<T: Copy>(y: &mut [T], (a, b): (u32, u32)) {}");
        assert!(text.contains("->::wavewright::__private::UnsafeLaunch<'__launch>"));
        assert!(text.contains("<k>::entry::<T>()).slice_mut(y).value(__a1).into_unsafe()"));
    }
}
