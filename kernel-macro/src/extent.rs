//! Where syntax starts and ends, without making tokens of it.
//!
//! Stable proc macros can't join spans, and rustc gives a node that it parses the span from its first token to its last.
//! So a node of the witness covers exactly the user's expression if its first token carries the first span of that
//! expression and its last token the last. Then the two copies of an error are alike, and rustc prints one.

use proc_macro2::Span;
use quote::ToTokens;
use syn::{Expr, Member};

/// The first and the last token's span.
#[derive(Clone, Copy)]
pub struct Extent {
    pub first: Span,
    pub last: Span,
}

impl Extent {
    pub fn of(e: &Expr) -> Self {
        Self { first: first(e), last: last(e) }
    }
}

/// The place of a span in the source, as the captured tree has it.
pub fn place(span: Span) -> wavewright_kernel_ir::span::Span {
    let start = span.start();
    wavewright_kernel_ir::span::Span::new(start.line as u32, start.column as u32 + 1)
}

/// The span of the first token of an expression.
pub fn first(e: &Expr) -> Span {
    match e {
        Expr::Assign(e) => first(&e.left),
        Expr::Await(e) => first(&e.base),
        Expr::Binary(e) => first(&e.left),
        Expr::Call(e) => first(&e.func),
        Expr::Cast(e) => first(&e.expr),
        Expr::Field(e) => first(&e.base),
        Expr::Index(e) => first(&e.expr),
        Expr::MethodCall(e) => first(&e.receiver),
        Expr::Try(e) => first(&e.expr),
        Expr::Range(e) => match &e.start {
            Some(start) => first(start),
            None => first_of(&e.limits),
        },
        Expr::Group(e) => first(&e.expr),
        Expr::Array(e) => e.bracket_token.span.open(),
        Expr::Paren(e) => e.paren_token.span.open(),
        Expr::Tuple(e) => e.paren_token.span.open(),
        Expr::Lit(e) => e.lit.span(),
        Expr::Path(e) => match (&e.qself, e.path.leading_colon, e.path.segments.first()) {
            (Some(q), ..) => q.lt_token.span,
            (None, Some(colon), _) => colon.spans[0],
            (None, None, Some(segment)) => segment.ident.span(),
            (None, None, None) => Span::call_site(),
        },
        Expr::Unary(e) => first_of(&e.op),
        Expr::Reference(e) => e.and_token.span,
        other => first_of(other),
    }
}

/// The span of the last token of an expression.
pub fn last(e: &Expr) -> Span {
    match e {
        Expr::Assign(e) => last(&e.right),
        Expr::Await(e) => e.await_token.span,
        Expr::Binary(e) => last(&e.right),
        Expr::Call(e) => e.paren_token.span.close(),
        Expr::Field(e) => match &e.member {
            Member::Named(name) => name.span(),
            Member::Unnamed(index) => index.span,
        },
        Expr::Index(e) => e.bracket_token.span.close(),
        Expr::MethodCall(e) => e.paren_token.span.close(),
        Expr::Array(e) => e.bracket_token.span.close(),
        Expr::Group(e) => last(&e.expr),
        Expr::Paren(e) => e.paren_token.span.close(),
        Expr::Tuple(e) => e.paren_token.span.close(),
        Expr::Lit(e) => e.lit.span(),
        Expr::Unary(e) => last(&e.expr),
        Expr::Reference(e) => last(&e.expr),
        Expr::Struct(e) => e.brace_token.span.close(),
        Expr::Repeat(e) => e.bracket_token.span.close(),
        other => last_of(other),
    }
}

fn first_of(syntax: &impl ToTokens) -> Span {
    let token = syntax.to_token_stream().into_iter().next();
    token.map_or_else(Span::call_site, |t| match t {
        proc_macro2::TokenTree::Group(group) => group.span_open(),
        other => other.span(),
    })
}

/// The span of the last token of any syntax.
pub fn last_of(syntax: &impl ToTokens) -> Span {
    let token = syntax.to_token_stream().into_iter().last();
    token.map_or_else(Span::call_site, |t| match t {
        proc_macro2::TokenTree::Group(group) => group.span_close(),
        other => other.span(),
    })
}
