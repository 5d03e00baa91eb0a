//! Calls: of device functions by their companions, of closures in variables, of tuple structs.

use super::class::{self, Class};
use super::expr::peel;
use super::path::noted;
use super::{Capture, Expect, Value};
use crate::extent::{Extent, place};
use crate::generics::is_mirrored;
use crate::names::{Case, companion};
use crate::signature::MAX_PARAMS;
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::punctuated::Punctuated;
use syn::{Expr, ExprCall, ExprMethodCall, ExprPath, PathArguments, Token};
use wavewright_kernel_ir::captured::{self, ExprKind};

impl Capture<'_> {
    pub(super) fn call(&mut self, whole: &Expr, c: &ExprCall) -> Value {
        let path = match peel(&c.func) {
            Expr::Path(path) => path,
            _ => return self.call_value(whole, c),
        };
        if self.names_variable(path) {
            return self.call_value(whole, c);
        }
        self.generic_arguments(&path.path);
        let name = path.path.segments.last().map(|s| s.ident.to_string()).unwrap_or_default();
        match Case::of(&name) {
            Case::Type | Case::Upper => self.tuple_struct(whole, c, path, name),
            Case::Lower => self.call_function(whole, c, path),
        }
    }

    fn names_variable(&mut self, path: &ExprPath) -> bool {
        let name = path.path.get_ident().filter(|_| path.qself.is_none());
        name.is_some_and(|name| self.scopes.find(name).is_some())
    }

    /// `f(x)` where `f` is a variable, or any other value: it must be a closure.
    fn call_value(&mut self, whole: &Expr, c: &ExprCall) -> Value {
        let callee = self.expr(&c.func, Expect::Open);
        let (arguments, tokens) = self.arguments(&c.args);
        let mut call = callee.tokens;
        c.paren_token.surround(&mut call, |out| out.extend(tokens));
        self.value(ExprKind::CallValue(Box::new(callee.tree), arguments), whole, call, Class::Unknown)
    }

    /// `Name(x, y)`: a struct or a variant.
    fn tuple_struct(&mut self, whole: &Expr, c: &ExprCall, path: &ExprPath, name: String) -> Value {
        let (arguments, tokens) = self.arguments(&c.args);
        let mut plain = path.to_token_stream();
        c.paren_token.surround(&mut plain, |out| out.extend(tokens));
        let fields = arguments.into_iter().enumerate().map(|(n, value)| (n.to_string(), value)).collect();
        let extent = Extent::of(whole);
        let (note, variable) = self.note(extent.first);
        let kind = ExprKind::Struct { ty: note, name, fields, base: None };
        self.value(kind, whole, noted(extent, &plain, &variable), Class::Unknown)
    }

    fn call_function(&mut self, whole: &Expr, c: &ExprCall, path: &ExprPath) -> Value {
        let target = self.companion_of(path, c.args.len());
        let (arguments, tokens) = self.arguments(&c.args);
        let at = path.path.segments.last().map_or_else(proc_macro2::Span::call_site, |s| s.ident.span());
        let (note, variable) = self.note(at);
        let mut call = target;
        c.paren_token.surround(&mut call, |out| out.extend(tokens));
        call.extend(quote_spanned!(at=> .ret));
        c.paren_token.surround(&mut call, |out| variable.to_tokens(out));
        self.value(ExprKind::Call(note, arguments), whole, call, class::of_call(&path.path))
    }

    pub(super) fn method_call(&mut self, m: &ExprMethodCall) -> Value {
        let receiver = self.expr(&m.receiver, Expect::Open);
        let method = m.method.to_string();
        let class = class::of_method(&receiver.class, &method);
        let (arguments, tokens) = self.arguments(&m.args);
        if let Some(turbofish) = &m.turbofish {
            self.angle_bracketed(turbofish);
        }
        let at = m.method.span();
        let (note, variable) = self.note(at);
        let (receiver_tokens, dot, turbofish) = (receiver.tokens, &m.dot_token, &m.turbofish);
        let name = companion(&m.method);
        let mut call = quote!(#receiver_tokens #dot #name #turbofish);
        m.paren_token.surround(&mut call, |out| out.extend(tokens));
        call.extend(quote_spanned!(at=> .ret));
        m.paren_token.surround(&mut call, |out| variable.to_tokens(out));
        let kind = ExprKind::MethodCall(note, Box::new(receiver.tree), arguments);
        Value { tree: captured::Expr { kind, span: place(at) }, tokens: call, class }
    }

    /// Arguments: the callee says what types it takes.
    fn arguments(&mut self, arguments: &Punctuated<Expr, Token![,]>) -> (Vec<captured::Expr>, TokenStream) {
        let mut trees = Vec::new();
        let mut tokens = TokenStream::new();
        for pair in arguments.pairs() {
            let value = self.expr(pair.value(), Expect::Known);
            trees.push(value.tree);
            tokens.extend(value.tokens);
            pair.punct().to_tokens(&mut tokens);
        }
        (trees, tokens)
    }

    /// The path of the companion of the function at `path`.
    fn companion_of(&mut self, path: &ExprPath, arguments: usize) -> TokenStream {
        let mut target = path.clone();
        let owner = path.path.segments.iter().rev().nth(1).map(|s| s.ident.clone());
        let in_type = path.qself.is_some()
            || owner.is_some_and(|o| {
                o == "Self" || Case::of(&o.to_string()) != Case::Lower || self.primitive(&o)
            });
        let Some(last) = target.path.segments.last_mut() else { return path.to_token_stream() };
        if in_type {
            last.ident = companion(&last.ident);
            through_device_traits(&mut target);
            return target.to_token_stream();
        }
        self.companion_of_function(path, arguments)
    }

    /// Beside the function stands a type of the same name: `<path>::on_device::<T>`. A name of our own, brought in from
    /// the path, means that type, or else one that says what is missing.
    fn companion_of_function(&self, path: &ExprPath, arguments: usize) -> TokenStream {
        let mut path = path.path.clone();
        let Some(last) = path.segments.last_mut() else { return TokenStream::new() };
        let at = last.ident.span();
        let generics = match std::mem::replace(&mut last.arguments, PathArguments::None) {
            PathArguments::AngleBracketed(mut list) => {
                list.colon2_token.get_or_insert_with(|| Token![::](at));
                list.to_token_stream()
            }
            _ => TokenStream::new(),
        };
        let function = Ident::new(&format!("__host_function{}", arguments.min(MAX_PARAMS)), at);
        let on_device = Ident::new("on_device", at);
        quote_spanned!(at=> ({ use #path as #function; <#function>::#on_device #generics }))
    }
}

/// A path that names one of std's traits, `Default::default` or `<T as From<u8>>::from`, has the companion in the trait's
/// device form.
fn through_device_traits(path: &mut ExprPath) {
    let position = path.qself.as_ref().map_or(path.path.segments.len() - 1, |q| q.position);
    let Some(owner) = position.checked_sub(1).map(|n| path.path.segments[n].clone()) else { return };
    if !is_mirrored(&owner.ident.to_string()) {
        return;
    }
    let rest = path.path.segments.iter().skip(position).cloned();
    let mut device: syn::Path = syn::parse_quote!(::wavewright::__private::traits);
    device.segments.push(owner);
    if let Some(qself) = &mut path.qself {
        qself.position = device.segments.len();
    }
    device.segments.extend(rest);
    path.path = device;
}
