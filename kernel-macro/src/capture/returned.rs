//! What a function that returns `impl Fn(A) -> R` says about the closures that it returns.

use super::Capture;
use crate::signature::without_lifetimes;
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
use syn::{PathArguments, ReturnType, Type, TypeParamBound};
use wavewright_kernel_ir::captured::{Block, Expr, ExprKind};

/// As many parameters as `wavewright_kernel_ir::witness` has functions for.
const MAX_PARAMS: usize = 8;

/// The function that says it to rustc, with its generic arguments; none where nothing is returned that can be called.
pub(super) fn expectation(output: &ReturnType) -> Option<TokenStream> {
    let ReturnType::Type(_, ty) = output else { return None };
    let Type::ImplTrait(opaque) = super::bare_type(ty) else { return None };
    let segments = opaque.bounds.iter().filter_map(|bound| match bound {
        TypeParamBound::Trait(bound) => bound.path.segments.last(),
        _ => None,
    });
    let (name, arguments) = segments.into_iter().find_map(|segment| match &segment.arguments {
        PathArguments::Parenthesized(arguments) => Some((&segment.ident, arguments)),
        _ => None,
    })?;
    if arguments.inputs.len() > MAX_PARAMS || !["Fn", "FnMut", "FnOnce"].iter().any(|fns| name == fns) {
        return None;
    }
    let function = Ident::new(&format!("__{name}{}", arguments.inputs.len()), name.span());
    let inputs = arguments.inputs.iter().map(without_lifetimes);
    let result = match &arguments.output {
        ReturnType::Default => quote!(()),
        ReturnType::Type(_, ty) => without_lifetimes(ty).into_token_stream(),
    };
    Some(quote!(#function::<#(#inputs,)* _, #result>))
}

impl Capture<'_> {
    /// The tokens of a value that the function returns, with what its signature says about it.
    pub(super) fn returned(&self, tree: &Expr, tokens: TokenStream) -> TokenStream {
        match (&self.returned, self.closure_depth) {
            (Some(expectation), 0) if may_be_closure(tree) => quote!(#expectation(#tokens)),
            _ => tokens,
        }
    }
}

/// Whether a closure stands where the value comes from: nothing else needs to be told its types.
fn may_be_closure(e: &Expr) -> bool {
    let of_block = |block: &Block| block.value.as_deref().is_some_and(may_be_closure);
    match &e.kind {
        ExprKind::Closure { .. } => true,
        ExprKind::Block(_, block) => of_block(block),
        ExprKind::If(_, then, otherwise) => {
            of_block(then) || otherwise.as_deref().is_some_and(may_be_closure)
        }
        ExprKind::Match(_, arms) => arms.iter().any(|arm| may_be_closure(&arm.body)),
        _ => false,
    }
}
