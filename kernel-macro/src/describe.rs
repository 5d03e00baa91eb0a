//! What an instance says about itself: its name, its captured bytes, its witness.

use crate::capture::{Captured, Function};
use crate::generics::Params;
use crate::signature::{kinds, witness_params, witness_result};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;

/// What a function is called, for people.
pub enum Name<'a> {
    /// A free function: its path.
    Free(&'a Ident),
    /// An inherent method: its type's name and its own.
    Method(&'a Ident),
    /// A method of a trait: `<Type as Trait>::method`.
    TraitMethod { trait_name: String, method: &'a Ident },
}

/// The statements of a `fn describe(__sink: &mut Sink)`. `own` are the generic parameters that are the function's own,
/// not those of the `impl` around it, which the type's name shows.
pub fn statements(function: &Function, captured: &Captured, own: &Params, name: &Name) -> TokenStream {
    let bytes = Literal::byte_string(&captured.body.to_bytes());
    let head = head(name, quote!(::core::file!(), #bytes));
    let arguments = own.name_arguments();
    let kinds = kinds(function.signature, function.closures);
    let (inputs, result) = (witness_params(function.signature), witness_result(&function.signature.output));
    let track_caller = function.track_caller.then(|| quote!(__sink.track_caller();));
    let (groups, all_groups, body) = (&captured.groups, &captured.all_groups, &captured.witness);
    let body = match function.signature.unsafety {
        Some(_) => quote!(unsafe { #body }),
        None => body.clone(),
    };
    quote! {
        use ::wavewright::__private::{methods::*, scope::*};
        #head
        #track_caller
        #arguments
        #groups
        __sink.witness::<#kinds, _, _>(|#inputs| #result { #body });
        __sink.notes(#all_groups);
    }
}

fn head(name: &Name, source: TokenStream) -> TokenStream {
    match name {
        Name::Free(name) => {
            let name = plain(name);
            quote!(__sink.function(::core::concat!(::core::module_path!(), "::", #name), #source);)
        }
        Name::Method(method) => {
            let method = plain(method);
            quote!(__sink.method::<Self>(#method, #source);)
        }
        Name::TraitMethod { trait_name, method } => {
            let method = plain(method);
            quote!(__sink.trait_method::<Self>(#trait_name, #method, #source);)
        }
    }
}

fn plain(name: &Ident) -> String {
    name.to_string().trim_start_matches("r#").into()
}
