//! The macros that a kernel may call. An attribute macro sees them unexpanded, so each is understood by its name.

use super::class::Class;
use super::{Capture, Expect, Role, Value, source};
use crate::extent::place;
use crate::ledger::{self, Verdict};
use proc_macro2::TokenStream;
use quote::{ToTokens, quote_spanned};
use syn::parse::{ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{Expr, Lit, LitStr, Macro, Pat, Token};
use wavewright_kernel_ir::captured::{
    self, Arm, BinaryOp, Block, ExprKind, Literal, Message, Pattern, PatternKind, UnaryOp,
};
use wavewright_kernel_ir::span::Span;

impl Capture<'_> {
    pub(super) fn macro_call(&mut self, call: &Macro) -> Value {
        if let Verdict::Refused(message) = ledger::macro_verdict(&call.path) {
            self.error_at(call, message);
            return self.refused_value();
        }
        let name = call.path.segments.last().map(|s| s.ident.to_string()).unwrap_or_default();
        let captured = match name.as_str() {
            "assert" => self.assert(call),
            "assert_eq" => self.assert_compared(call, BinaryOp::Eq),
            "assert_ne" => self.assert_compared(call, BinaryOp::Ne),
            "debug_assert" => self.in_debug_builds(call, |s| s.assert(call)),
            "debug_assert_eq" => self.in_debug_builds(call, |s| s.assert_compared(call, BinaryOp::Eq)),
            "debug_assert_ne" => self.in_debug_builds(call, |s| s.assert_compared(call, BinaryOp::Ne)),
            "cfg" => Ok(self.cfg(call)),
            "matches" => self.matches(call),
            "shared" => self.shared(call),
            _ => self.panic(call, &name),
        };
        captured.unwrap_or_else(|error| {
            self.error(error);
            self.refused_value()
        })
    }

    /// `panic!` and its like: `!`, with a message that is all literal.
    fn panic(&mut self, call: &Macro, name: &str) -> syn::Result<Value> {
        let given = message(&arguments(call)?)?;
        let text = match (name, given) {
            ("panic", None) => "explicit panic".into(),
            ("panic", Some(text)) => text,
            ("unreachable", None) => "internal error: entered unreachable code".into(),
            ("unreachable", Some(text)) => format!("internal error: entered unreachable code: {text}"),
            ("todo", None) => "not yet implemented".into(),
            ("todo", Some(text)) => format!("not yet implemented: {text}"),
            (_, None) => "not implemented".into(),
            (_, Some(text)) => format!("not implemented: {text}"),
        };
        let at = call.path.span();
        let tree = panic_at(text, place(at));
        Ok(Value { tree, tokens: quote_spanned!(at=> __panic()), class: Class::Never })
    }

    /// `assert!(CONDITION, "message")`: `if !CONDITION { panic }`.
    fn assert(&mut self, call: &Macro) -> syn::Result<Value> {
        let arguments = arguments(call)?;
        let Some(condition) = arguments.first() else {
            return Err(syn::Error::new_spanned(call, "`assert!` takes a condition"));
        };
        let text = match message(&arguments[1..])? {
            Some(text) => text,
            None => format!("assertion failed: {}", source::text(condition.to_token_stream())),
        };
        let value = self.expr(condition, Expect::Known);
        let tokens = value.tokens;
        let at = call.path.span();
        Ok(self.panic_unless(value.tree, text, at, quote_spanned!(at=> if #tokens {})))
    }

    /// `assert_eq!(a, b, "message")`.
    fn assert_compared(&mut self, call: &Macro, op: BinaryOp) -> syn::Result<Value> {
        let arguments = arguments(call)?;
        let [left, right, rest @ ..] = arguments.as_slice() else {
            return Err(syn::Error::new_spanned(call, "this assertion takes two values to compare"));
        };
        let mut text = format!("assertion `left {} right` failed", op.symbol());
        if let Some(more) = message(rest)? {
            text = format!("{text}: {more}");
        }
        let at = call.path.span();
        let operator = match op {
            BinaryOp::Eq => syn::BinOp::Eq(Token![==](at)),
            _ => syn::BinOp::Ne(Token![!=](at)),
        };
        let (left, right) = (Box::new(left.clone()), Box::new(right.clone()));
        let comparison = Expr::Binary(syn::ExprBinary { attrs: Vec::new(), left, op: operator, right });
        let value = self.expr(&comparison, Expect::Known);
        let tokens = value.tokens;
        Ok(self.panic_unless(value.tree, text, at, quote_spanned!(at=> if #tokens {})))
    }

    fn panic_unless(
        &mut self,
        condition: captured::Expr,
        text: String,
        at: proc_macro2::Span,
        tokens: TokenStream,
    ) -> Value {
        let span = place(at);
        let not = captured::Expr { kind: ExprKind::Unary(UnaryOp::Not, Box::new(condition), None), span };
        let fail = Block { statements: Vec::new(), value: Some(Box::new(panic_at(text, span))) };
        let tree = captured::Expr { kind: ExprKind::If(Box::new(not), fail, None), span };
        Value { tree, tokens, class: Class::Unknown }
    }

    /// `debug_assert!` holds where the host's does: in builds with debug assertions.
    fn in_debug_builds(
        &mut self,
        call: &Macro,
        assertion: impl FnOnce(&mut Self) -> syn::Result<Value>,
    ) -> syn::Result<Value> {
        let at = call.path.span();
        let (note, enabled) = self.constant(&quote_spanned!(at=> ::core::cfg!(debug_assertions)));
        let assertion = assertion(self)?;
        let span = place(at);
        let condition = captured::Expr { kind: ExprKind::Constant(note), span };
        let then = Block { statements: Vec::new(), value: Some(Box::new(assertion.tree)) };
        let tree = captured::Expr { kind: ExprKind::If(Box::new(condition), then, None), span };
        let tokens = assertion.tokens;
        Ok(Value { tree, tokens: quote_spanned!(at=> if #enabled { #tokens }), class: Class::Unknown })
    }

    /// `cfg!(…)`: rustc evaluates it.
    fn cfg(&mut self, call: &Macro) -> Value {
        let (note, tokens) = self.constant(call);
        let tree = captured::Expr { kind: ExprKind::Constant(note), span: place(call.path.span()) };
        Value { tree, tokens, class: Class::Scalar }
    }

    /// `matches!(value, PATTERN if guard)`: a `match` with `true` and `false`.
    fn matches(&mut self, call: &Macro) -> syn::Result<Value> {
        let (value, pat, guard) = parse_matches.parse2(call.tokens.clone())?;
        let at = call.path.span();
        let span = place(at);
        let subject = self.expr(&value, Expect::Open);
        let mark = self.scopes.mark();
        let (pattern, pattern_tokens) = self.refutable(&pat, &subject.class);
        let guard = guard.map(|guard| self.expr(&guard, Expect::Known));
        self.scopes.release(mark);
        let guard_tokens = guard.as_ref().map(|guard| {
            let tokens = &guard.tokens;
            quote_spanned!(at=> if #tokens)
        });
        let truth = |value| captured::Expr { kind: ExprKind::Literal(Literal::Bool(value), None), span };
        let otherwise = Pattern { kind: PatternKind::Wild, span };
        let arms = vec![
            Arm { pattern, guard: guard.map(|guard| guard.tree), body: truth(true) },
            Arm { pattern: otherwise, guard: None, body: truth(false) },
        ];
        let tree = captured::Expr { kind: ExprKind::Match(Box::new(subject.tree), arms), span };
        let subject = subject.tokens;
        let tokens =
            quote_spanned!(at=> (match (#subject) { #pattern_tokens #guard_tokens => true, _ => false }));
        Ok(Value { tree, tokens, class: Class::Scalar })
    }

    /// `shared!(T)`.
    fn shared(&mut self, call: &Macro) -> syn::Result<Value> {
        if self.role != Role::Kernel || self.closure_depth > 0 {
            let message =
                "`shared!` stands in the body of a kernel only: declare it there and pass a reference on";
            return Err(syn::Error::new_spanned(call, message));
        }
        let ty: syn::Type = syn::parse2(call.tokens.clone())?;
        self.ty(&ty);
        self.uses_shared = true;
        let at = call.path.span();
        let (note, variable) = self.note(at);
        let tree = captured::Expr { kind: ExprKind::Shared(note), span: place(at) };
        let class = Class::pointer(Class::of(&ty));
        Ok(Value { tree, tokens: quote_spanned!(at=> __shared::<#ty>(#variable)), class })
    }
}

fn panic_at(text: String, span: Span) -> captured::Expr {
    captured::Expr { kind: ExprKind::Panic(Message { text }), span }
}

fn arguments(call: &Macro) -> syn::Result<Vec<Expr>> {
    let arguments = call.parse_body_with(Punctuated::<Expr, Token![,]>::parse_terminated)?;
    Ok(arguments.into_iter().collect())
}

/// The message among a macro's arguments: one literal without placeholders.
fn message(arguments: &[Expr]) -> syn::Result<Option<String>> {
    let Some(first) = arguments.first() else { return Ok(None) };
    let literal = match first {
        Expr::Lit(lit) => match &lit.lit {
            Lit::Str(text) => text,
            _ => return Err(no_literal(first)),
        },
        _ => return Err(no_literal(first)),
    };
    match (plain_text(literal), arguments.get(1)) {
        (Some(text), None) => Ok(Some(text)),
        (_, _) => Err(syn::Error::new_spanned(
            literal,
            "a kernel's panic has a fixed message, without placeholders: write the values to a buffer",
        )),
    }
}

fn no_literal(e: &Expr) -> syn::Error {
    syn::Error::new_spanned(e, "the message of a kernel's panic is a string literal")
}

/// The text of a format string without placeholders.
fn plain_text(literal: &LitStr) -> Option<String> {
    let value = literal.value();
    let mut text = String::new();
    let mut characters = value.chars().peekable();
    while let Some(c) = characters.next() {
        if matches!(c, '{' | '}') && characters.next() != Some(c) {
            return None;
        }
        text.push(c);
    }
    Some(text)
}

fn parse_matches(input: ParseStream) -> syn::Result<(Expr, Pat, Option<Expr>)> {
    let value = input.parse()?;
    input.parse::<Token![,]>()?;
    let pattern = Pat::parse_multi_with_leading_vert(input)?;
    let guard = match input.parse::<Option<Token![if]>>()? {
        Some(_) => Some(input.parse()?),
        None => None,
    };
    input.parse::<Option<Token![,]>>()?;
    Ok((value, pattern, guard))
}
