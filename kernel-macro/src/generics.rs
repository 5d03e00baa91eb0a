//! What generic parameters mean to instances and companions.
//!
//! An instance is a marker type over the function's type and const parameters, closures among them. Lifetimes are left
//! out: they change nothing that a device does. In a witness each data parameter is a device type, and each bound by an
//! operator of std has the operator's device form beside it.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::visit_mut::{self, VisitMut};
use syn::{
    ConstParam, FnArg, GenericArgument, GenericParam, Generics, LifetimeParam, PathArguments, Signature,
    TraitBound, Type, TypeParam, TypeParamBound, WherePredicate, parse_quote,
};

/// The operators of std that have a device form.
const MIRRORED: &[&str] = &[
    "Add",
    "Sub",
    "Mul",
    "Div",
    "Rem",
    "BitAnd",
    "BitOr",
    "BitXor",
    "Shl",
    "Shr",
    "AddAssign",
    "SubAssign",
    "MulAssign",
    "DivAssign",
    "RemAssign",
    "BitAndAssign",
    "BitOrAssign",
    "BitXorAssign",
    "ShlAssign",
    "ShrAssign",
    "Neg",
    "Not",
    "PartialEq",
    "PartialOrd",
    "Clone",
    "Default",
    "From",
    "Into",
    "Eq",
    "Ord",
    "Iterator",
    "DoubleEndedIterator",
    "ExactSizeIterator",
];

/// Those whose result is an associated type.
const WITH_OUTPUT: &[&str] =
    &["Add", "Sub", "Mul", "Div", "Rem", "BitAnd", "BitOr", "BitXor", "Shl", "Shr", "Neg", "Not"];

/// A parameter of an instance.
enum Param {
    Type { decl: TypeParam, bounds: Vec<TraitBound>, is_closure: bool },
    Const(ConstParam),
}

impl Param {
    fn ident(&self) -> &Ident {
        match self {
            Param::Type { decl, .. } => &decl.ident,
            Param::Const(decl) => &decl.ident,
        }
    }
}

/// One or more lists of generics, an `impl`'s and then a method's.
#[derive(Default)]
pub struct Params {
    lifetimes: Vec<LifetimeParam>,
    params: Vec<Param>,
    predicates: Vec<WherePredicate>,
}

impl Params {
    /// Those of one list.
    pub fn of(generics: &Generics) -> Self {
        let mut params = Self::default();
        params.add(generics);
        params
    }

    /// Adds another list; its bounds may speak of the parameters before it.
    pub fn add(&mut self, generics: &Generics) {
        if let Some(clause) = &generics.where_clause {
            self.predicates.extend(clause.predicates.iter().cloned());
        }
        for param in &generics.params {
            match param {
                GenericParam::Lifetime(decl) => self.lifetimes.push(decl.clone()),
                GenericParam::Const(decl) => {
                    self.params.push(Param::Const(ConstParam {
                        eq_token: None,
                        default: None,
                        ..decl.clone()
                    }));
                }
                GenericParam::Type(decl) => self.add_type(decl),
            }
        }
    }

    fn add_type(&mut self, decl: &TypeParam) {
        let mut bounds = trait_bounds(&decl.bounds);
        for predicate in &self.predicates {
            if let WherePredicate::Type(p) = predicate
                && matches!(&p.bounded_ty, Type::Path(path) if path.path.is_ident(&decl.ident))
            {
                bounds.extend(trait_bounds(&p.bounds));
            }
        }
        let is_closure = bounds.iter().any(may_hold_closure);
        let decl = TypeParam { eq_token: None, default: None, attrs: Vec::new(), ..decl.clone() };
        self.params.push(Param::Type { decl, bounds, is_closure });
    }

    /// The type parameters that stand for closures, or for what may hold some, as iterators do: rustc knows no device type
    /// for those.
    pub fn closures(&self) -> Vec<Ident> {
        self.idents_where(|p| matches!(p, Param::Type { is_closure: true, .. }))
    }

    /// The const parameters.
    pub fn constants(&self) -> Vec<Ident> {
        self.idents_where(|p| matches!(p, Param::Const(_)))
    }

    fn idents_where(&self, wanted: impl Fn(&Param) -> bool) -> Vec<Ident> {
        self.params.iter().filter(|p| wanted(p)).map(|p| p.ident().clone()).collect()
    }

    /// `T, N`: the arguments of the instance, and of a turbofish.
    pub fn arguments(&self) -> TokenStream {
        let idents = self.params.iter().map(Param::ident);
        quote!(#(#idents),*)
    }

    /// The arguments of a turbofish of the function as written, which can't name what stands for `impl Trait`.
    pub fn explicit_arguments(&self) -> TokenStream {
        let idents = self.params.iter().map(Param::ident).filter(|i| !i.to_string().starts_with(IMPL));
        quote!(#(#idents),*)
    }

    /// `T: ?Sized, const N: usize`: the parameters of the instance's type.
    pub fn instance_declaration(&self) -> TokenStream {
        let params = self.params.iter().map(|p| match p {
            Param::Type { decl, .. } => {
                let ident = &decl.ident;
                quote!(#ident: ?Sized)
            }
            Param::Const(decl) => decl.to_token_stream(),
        });
        quote!(#(#params),*)
    }

    /// The fields of the instance's type, which is never made.
    pub fn instance_fields(&self) -> TokenStream {
        let types = self.params.iter().filter(|p| matches!(p, Param::Type { .. })).map(Param::ident);
        quote!(#(::core::marker::PhantomData<#types>),*)
    }

    /// `'a, T: Bound, const N: usize`: the parameters with their bounds, for an `impl`.
    pub fn declaration(&self) -> TokenStream {
        let (lifetimes, types) = (self.lifetime_declaration(), self.type_declaration());
        quote!(#lifetimes #types)
    }

    /// `'a,`: the lifetimes.
    pub fn lifetime_declaration(&self) -> TokenStream {
        let lifetimes = &self.lifetimes;
        quote!(#(#lifetimes,)*)
    }

    /// `T: Bound, const N: usize`: the other parameters, with their bounds.
    pub fn type_declaration(&self) -> TokenStream {
        let params = self.params.iter().map(|p| match p {
            Param::Type { decl, .. } => decl.to_token_stream(),
            Param::Const(decl) => decl.to_token_stream(),
        });
        quote!(#(#params),*)
    }

    /// The conditions as written.
    pub fn predicates(&self) -> TokenStream {
        let predicates = &self.predicates;
        quote!(#(#predicates,)*)
    }

    /// `T: DeviceType` for each that is data: what a companion asks.
    pub fn device_predicates(&self) -> TokenStream {
        let data = self.data();
        quote!(#(#data: ::wavewright::__private::DeviceType,)*)
    }

    /// What a witness knows beside the conditions as written.
    pub fn witness_predicates(&self) -> TokenStream {
        let mut out = self.device_predicates();
        for param in &self.params {
            let Param::Type { decl, bounds, .. } = param else { continue };
            for bound in bounds {
                out.extend(mirrored(&decl.ident, bound));
            }
        }
        for predicate in &self.predicates {
            let WherePredicate::Type(p) = predicate else { continue };
            let is_param =
                |q: &Param| matches!(&p.bounded_ty, Type::Path(path) if path.path.is_ident(q.ident()));
            if !self.params.iter().any(is_param) {
                out.extend(trait_bounds(&p.bounds).iter().map(|bound| mirrored(&p.bounded_ty, bound)));
            }
        }
        out
    }

    fn data(&self) -> impl Iterator<Item = &Ident> {
        self.params.iter().filter_map(|p| match p {
            Param::Type { decl, is_closure: false, .. } => Some(&decl.ident),
            _ => None,
        })
    }

    /// The names of the arguments as `String`s, in a `describe(__table)`.
    pub fn named_arguments(&self) -> Vec<TokenStream> {
        let names = self.params.iter().map(|p| {
            let ident = p.ident();
            match p {
                Param::Type { .. } => quote!(__table.name_of::<#ident>()),
                Param::Const(_) => quote!(::std::format!("{:?}", #ident)),
            }
        });
        names.collect()
    }

    /// Calls on the sink that add the generic arguments to the instance's name.
    pub fn name_arguments(&self) -> TokenStream {
        let calls = self.params.iter().map(|p| match p {
            Param::Type { decl, is_closure: false, .. } => {
                let ident = &decl.ident;
                quote!(__sink.type_argument::<#ident>();)
            }
            Param::Type { .. } => quote!(__sink.closure_argument();),
            Param::Const(decl) => {
                let ident = &decl.ident;
                quote!(__sink.const_argument(#ident);)
            }
        });
        quote!(#(#calls)*)
    }
}

/// The device forms of those among some bounds that are operators of std.
pub fn mirrored_bounds<'a>(bounds: impl IntoIterator<Item = &'a TypeParamBound>) -> Vec<TokenStream> {
    trait_bounds(bounds).iter().filter_map(|bound| device_form(bound).map(|(form, _)| form)).collect()
}

/// The device form of an operator's bound, and of its result where that is left open.
fn mirrored(ty: &impl ToTokens, bound: &TraitBound) -> TokenStream {
    if bound.path.segments.last().is_some_and(|s| s.ident == "IntoIterator") {
        let into = quote!(<#ty as ::core::iter::IntoIterator>::IntoIter);
        return quote! {
            #ty: ::wavewright::__private::ops::IntoIterator<#into>,
            #into: ::wavewright::__private::ops::Iterator,
        };
    }
    let Some((form, output_open)) = device_form(bound) else { return TokenStream::new() };
    let lifetimes = &bound.lifetimes;
    let mut out = quote!(#lifetimes #ty: #form,);
    if output_open {
        let path = &bound.path;
        out.extend(quote!(#lifetimes <#ty as #path>::Output: ::wavewright::__private::DeviceType,));
    }
    out
}

/// The device form of a bound, if it is an operator, and whether the operator's result is left open.
fn device_form(bound: &TraitBound) -> Option<(TokenStream, bool)> {
    let segment = bound.path.segments.last()?;
    let name = segment.ident.to_string();
    if !is_mirrored(&name) || matches!(bound.modifier, syn::TraitBoundModifier::Maybe(_)) {
        return None;
    }
    let (mut arguments, mut output_given) = (Vec::new(), false);
    if let PathArguments::AngleBracketed(list) = &segment.arguments {
        for argument in &list.args {
            match argument {
                GenericArgument::Type(_) | GenericArgument::Const(_) => arguments.push(argument),
                GenericArgument::AssocType(_) => output_given = true,
                _ => {}
            }
        }
    }
    let ident = &segment.ident;
    let form = quote!(::wavewright::__private::ops::#ident<#(#arguments),*>);
    Some((form, WITH_OUTPUT.contains(&name.as_str()) && !output_given))
}

/// Whether a trait is one of std's whose device form an `impl` can give.
pub fn is_mirrored(name: &str) -> bool {
    MIRRORED.contains(&name)
}

pub fn trait_bounds<'a>(bounds: impl IntoIterator<Item = &'a TypeParamBound>) -> Vec<TraitBound> {
    let bounds = bounds.into_iter().filter_map(|bound| match bound {
        TypeParamBound::Trait(bound) => Some(bound.clone()),
        _ => None,
    });
    bounds.collect()
}

fn may_hold_closure(bound: &TraitBound) -> bool {
    let name = bound.path.segments.last().map(|s| s.ident.to_string());
    matches!(
        name.as_deref(),
        Some(
            "Fn" | "FnMut"
                | "FnOnce"
                | "Iterator"
                | "DoubleEndedIterator"
                | "ExactSizeIterator"
                | "IntoIterator"
        )
    )
}

/// Gives the `impl Trait` parameters of a function names, so that an instance can list them.
pub fn name_impl_traits(signature: &mut Signature) {
    let mut naming = Naming { named: Vec::new() };
    for input in &mut signature.inputs {
        if let FnArg::Typed(typed) = input {
            naming.visit_type_mut(&mut typed.ty);
        }
    }
    signature.generics.params.extend(naming.named);
}

/// What the names of `impl Trait` parameters start with.
const IMPL: &str = "__Impl";

struct Naming {
    named: Vec<GenericParam>,
}

impl VisitMut for Naming {
    fn visit_type_mut(&mut self, ty: &mut Type) {
        visit_mut::visit_type_mut(self, ty);
        if let Type::ImplTrait(opaque) = ty {
            let name = format_ident!("{IMPL}{}", self.named.len());
            let bounds = &opaque.bounds;
            self.named.push(parse_quote!(#name: #bounds));
            *ty = parse_quote!(#name);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn params(signature: &str) -> Params {
        let mut signature: Signature = syn::parse_str(signature).unwrap();
        name_impl_traits(&mut signature);
        Params::of(&signature.generics)
    }

    #[test]
    fn closures_are_told_by_their_bounds() {
        let p = params("fn f<A, F: Fn(A) -> A, G>(f: F, g: &G, h: impl FnMut(f32)) where G: FnOnce()");
        assert_eq!(p.closures(), ["F", "G", "__Impl0"]);
    }

    #[test]
    fn operators_bring_their_device_form() {
        let p = params("fn f<T: Copy + Add<f32> + PartialOrd>(t: T)");
        let text = p.witness_predicates().to_string().replace(' ', "");
        assert_eq!(
            text,
            "T:::wavewright::__private::DeviceType,T:::wavewright::__private::ops::Add<f32>,\
             <TasAdd<f32>>::Output:::wavewright::__private::DeviceType,T:::wavewright::__private::ops::PartialOrd<>,"
        );
    }

    #[test]
    fn lifetimes_are_no_part_of_an_instance() {
        let p = params("fn f<'a, T, const N: usize>(t: &'a T)");
        assert_eq!(p.arguments().to_string(), "T , N");
    }
}
