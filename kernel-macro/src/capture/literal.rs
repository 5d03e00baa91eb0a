//! Literals.

use super::class::Class;
use super::{Capture, Expect, Value};
use crate::extent::place;
use crate::ledger;
use quote::{ToTokens, quote, quote_spanned};
use syn::{Expr, Lit, UnOp};
use wavewright_kernel_ir::captured::{self, ExprKind, Literal};
use wavewright_kernel_ir::scalar::Scalar;

impl Capture<'_> {
    /// A literal; without a suffix it has a note, unless its type is known from elsewhere.
    pub(super) fn literal_expr(&mut self, lit: &Lit, expect: Expect) -> Value {
        let span = place(lit.span());
        let literal = self.literal(lit);
        if expect == Expect::Known || !is_open(&literal) {
            let tree = captured::Expr { kind: ExprKind::Literal(literal, None), span };
            return Value { tree, tokens: lit.to_token_stream(), class: Class::Scalar };
        }
        let at = lit.span();
        let (note, variable) = self.note(at);
        let tokens = quote_spanned!(at=> ({ let __t = #lit; __lit(#variable, &__t); __t }));
        let tree = captured::Expr { kind: ExprKind::Literal(literal, Some(note)), span };
        Value { tree, tokens, class: Class::Scalar }
    }

    /// What a literal says.
    pub(super) fn literal(&mut self, lit: &Lit) -> Literal {
        match self.read_literal(lit) {
            Ok(literal) => literal,
            Err(error) => {
                self.error(error);
                Literal::Bool(false)
            }
        }
    }

    fn read_literal(&mut self, lit: &Lit) -> syn::Result<Literal> {
        Ok(match lit {
            Lit::Bool(b) => Literal::Bool(b.value),
            Lit::Char(c) => Literal::Char(c.value()),
            Lit::Byte(b) => Literal::Int(b.value().into(), Some(Scalar::U8)),
            Lit::Int(i) => match suffix(i.suffix(), lit)? {
                Some(float) if float.is_float() => {
                    Literal::Float(unsigned(i.base10_digits()).into(), Some(float))
                }
                other => {
                    let value = unsigned(i.base10_digits()).parse();
                    Literal::Int(value.map_err(|e| syn::Error::new_spanned(lit, e))?, other)
                }
            },
            Lit::Float(f) => Literal::Float(unsigned(f.base10_digits()).into(), suffix(f.suffix(), lit)?),
            other => return Err(ledger::refuse(ledger::literal(other), other)),
        })
    }

    /// A literal that is all there is to a `let`: its note is that of the variable, set after the statement, so that
    /// the `let` itself stays as written.
    pub(super) fn let_literal(
        &mut self,
        e: &Expr,
        variable: &syn::Ident,
    ) -> (Value, proc_macro2::TokenStream) {
        let at = variable.span();
        let (note, note_variable) = self.note(at);
        let mut value = self.expr(e, Expect::Known);
        set_note(&mut value.tree, note);
        (value, quote_spanned!(at=> __lit(#note_variable, &#variable);))
    }
}

/// A number without its minus sign: in a pattern the sign is part of the literal.
fn unsigned(digits: &str) -> &str {
    digits.strip_prefix('-').unwrap_or(digits)
}

/// Whether a literal has a minus sign of its own.
pub(super) fn is_negative(lit: &Lit) -> bool {
    match lit {
        Lit::Int(i) => i.base10_digits().starts_with('-'),
        Lit::Float(f) => f.base10_digits().starts_with('-'),
        _ => false,
    }
}

/// The suffix of a number.
fn suffix(suffix: &str, lit: &Lit) -> syn::Result<Option<Scalar>> {
    if suffix.is_empty() {
        return Ok(None);
    }
    let scalar = Scalar::from_name(suffix).filter(|s| s.is_integer() || s.is_float());
    let unknown = || syn::Error::new_spanned(lit, format!("kernels have no numbers of type `{suffix}`"));
    scalar.map(Some).ok_or_else(unknown)
}

/// Whether the literal does not say its type.
fn is_open(literal: &Literal) -> bool {
    matches!(literal, Literal::Int(_, None) | Literal::Float(_, None))
}

/// Whether the expression is a number without a suffix, with parentheses and a minus sign at most.
pub(super) fn is_bare_number(e: &Expr) -> bool {
    match e {
        Expr::Lit(lit) => match &lit.lit {
            Lit::Int(i) => i.suffix().is_empty(),
            Lit::Float(f) => f.suffix().is_empty(),
            _ => false,
        },
        Expr::Paren(p) => is_bare_number(&p.expr),
        Expr::Group(g) => is_bare_number(&g.expr),
        Expr::Unary(u) => matches!(u.op, UnOp::Neg(_)) && is_bare_number(&u.expr),
        _ => false,
    }
}

/// Gives the literal inside a bare number its note.
pub(super) fn set_note(tree: &mut captured::Expr, note: captured::Note) {
    match &mut tree.kind {
        ExprKind::Literal(_, slot) => *slot = Some(note),
        ExprKind::Unary(_, operand, _) => set_note(operand, note),
        _ => {}
    }
}

/// The tokens of a value that never runs, where something was refused.
pub(super) fn nothing() -> proc_macro2::TokenStream {
    quote!(__never())
}
