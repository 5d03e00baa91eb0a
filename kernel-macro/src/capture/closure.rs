//! Closures.

use super::class::Class;
use super::{Capture, Expect, Value, simple_binding};
use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::{Expr, ExprClosure, Pat, ReturnType};
use wavewright_kernel_ir::captured::{ExprKind, Param, TypeSource};

impl Capture<'_> {
    /// `|a, b| body`. The types of the parameters are recorded; the body is unreachable, as that of the witness is.
    pub(super) fn closure(&mut self, whole: &Expr, c: &ExprClosure) -> Value {
        self.refuse_qualifiers(c);
        if let ReturnType::Type(_, ty) = &c.output {
            self.ty(ty);
        }
        let mark = self.scopes.mark();
        let outside = self.scopes.enter_closure();
        let returns = std::mem::replace(&mut self.returns, Expect::Open);
        self.closure_depth += 1;
        let mut params = Vec::new();
        let mut inputs = Vec::new();
        let mut notes = TokenStream::new();
        for (number, input) in c.inputs.iter().enumerate() {
            let (param, tokens) = self.closure_param(number, input, &mut notes);
            params.push(param);
            inputs.push(tokens);
        }
        let body = self.expr(&c.body, Expect::Open);
        self.closure_depth -= 1;
        self.returns = returns;
        self.scopes.leave_closure(outside);
        self.scopes.release(mark);
        let (binder, capture, output, tokens) = (&c.lifetimes, &c.capture, &c.output, body.tokens);
        let (open, close) = (&c.or1_token, &c.or2_token);
        let tokens = quote!(#binder #capture #open #(#inputs),* #close #output { __stop(); #notes #tokens });
        let by_move = capture.is_some();
        self.value(
            ExprKind::Closure { by_move, params, body: Box::new(body.tree) },
            whole,
            tokens,
            Class::Unknown,
        )
    }

    /// A parameter; a pattern with parts is taken apart inside, so that the whole has a name to note.
    fn closure_param(&mut self, number: usize, input: &Pat, notes: &mut TokenStream) -> (Param, TokenStream) {
        let class = match input {
            Pat::Type(typed) => Class::of(&typed.ty),
            _ => Class::Unknown,
        };
        let at = syn::spanned::Spanned::span(input);
        let (note, variable) = self.note(at);
        let pattern = self.pattern(input, &class);
        let ty = TypeSource::Note(note);
        let tokens = match simple_binding(input) {
            Some(name) => {
                notes.extend(quote_spanned!(at=> __ty(#variable, &#name);));
                input.to_token_stream()
            }
            None => {
                let name = format_ident!("__p{number}", span = at);
                let (inner, annotation) = match input {
                    Pat::Type(typed) => {
                        let (colon, ty) = (&typed.colon_token, &typed.ty);
                        (&*typed.pat, quote!(#colon #ty))
                    }
                    other => (other, TokenStream::new()),
                };
                notes.extend(quote_spanned!(at=> __ty(#variable, &#name); let #inner = #name;));
                quote!(#name #annotation)
            }
        };
        (Param { pattern, ty }, tokens)
    }

    fn refuse_qualifiers(&mut self, c: &ExprClosure) {
        if let Some(token) = &c.asyncness {
            self.error_at(token, "kernels have no `async` closures");
        }
        if let Some(token) = &c.movability {
            self.error_at(token, "kernels have no `static` closures");
        }
        if let Some(token) = &c.constness {
            self.error_at(token, "kernels have no `const` closures");
        }
    }
}
