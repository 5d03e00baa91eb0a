//! Patterns.

use super::Capture;
use super::class::Class;
use super::expr::{last_name, member_name, peel};
use super::literal::is_negative;
use super::scope::Mark;
use crate::extent::place;
use crate::ledger;
use crate::names::Case;
use proc_macro2::{Span, TokenStream};
use quote::ToTokens;
use syn::spanned::Spanned;
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, FieldPat, Pat, PatIdent, PatRange, PatTupleStruct, RangeLimits, Token, UnOp};
use wavewright_kernel_ir::captured::{Literal, Pattern, PatternKind};

impl Capture<'_> {
    /// Captures a pattern and binds its variables.
    pub(super) fn pattern(&mut self, pat: &Pat, class: &Class) -> Pattern {
        let start = self.scopes.mark();
        self.pattern_since(pat, class, start)
    }

    /// A pattern that may fail to match, and its tokens for the witness. There a variable `x` becomes `x @ _`, so that
    /// rustc refuses a lower-case constant, which would be compared where we bind.
    pub(super) fn refutable(&mut self, pat: &Pat, class: &Class) -> (Pattern, TokenStream) {
        let pattern = self.pattern(pat, class);
        let mut marked = pat.clone();
        MarkBindings.visit_pat_mut(&mut marked);
        (pattern, marked.to_token_stream())
    }

    fn pattern_since(&mut self, pat: &Pat, class: &Class, start: Mark) -> Pattern {
        let span = place(pat.span());
        let kind = match pat {
            Pat::Ident(p) => self.ident_pattern(p, class, start),
            Pat::Lit(p) => self.literal_pattern(&Expr::Lit(p.clone())),
            Pat::Or(p) => {
                PatternKind::Or(p.cases.iter().map(|case| self.pattern_since(case, class, start)).collect())
            }
            Pat::Paren(p) => return self.pattern_since(&p.pat, class, start),
            Pat::Path(p) => self.path_pattern(p),
            Pat::Range(p) => self.range_pattern(p),
            Pat::Reference(p) => {
                PatternKind::Reference(Box::new(self.pattern_since(&p.pat, &class.pointee(), start)))
            }
            Pat::Slice(p) => {
                let element = class.element();
                let (before, after) = self.parts(p.elems.iter(), |_| element.clone(), start);
                PatternKind::Slice(before, after)
            }
            Pat::Struct(p) => {
                self.generic_arguments(&p.path);
                let fields = p
                    .fields
                    .iter()
                    .map(|f| (member_name(&f.member), self.pattern_since(&f.pat, &Class::Unknown, start)));
                PatternKind::Struct { name: last_name(&p.path), fields: fields.collect() }
            }
            Pat::Tuple(p) => {
                let (before, after) = self.parts(p.elems.iter(), |n| class.field(&n.to_string()), start);
                PatternKind::Tuple(before, after)
            }
            Pat::TupleStruct(p) => self.tuple_struct_pattern(p, start),
            Pat::Type(p) => {
                self.ty(&p.ty);
                return self.pattern_since(&p.pat, class, start);
            }
            Pat::Wild(_) => PatternKind::Wild,
            Pat::Rest(_) => {
                self.error_at(pat, "`..` stands in patterns of tuples, slices and structs only");
                PatternKind::Wild
            }
            other => {
                self.error(ledger::refuse(ledger::pattern(other), other));
                PatternKind::Wild
            }
        };
        Pattern { kind, span }
    }

    fn ident_pattern(&mut self, p: &PatIdent, class: &Class, start: Mark) -> PatternKind {
        let name = p.ident.to_string();
        let plain = p.by_ref.is_none() && p.mutability.is_none() && p.subpat.is_none();
        match Case::of(&name) {
            // A unit struct, or a variant without fields.
            Case::Type if plain => return PatternKind::Struct { name, fields: Vec::new() },
            Case::Upper if plain => return self.constant_pattern(&p.ident),
            Case::Type | Case::Upper | Case::Lower => {}
        }
        let by_reference = p.by_ref.map(|_| p.mutability.is_some());
        let class = if by_reference.is_some() { Class::pointer(class.clone()) } else { class.clone() };
        let known = self.scopes.find_since(start, &p.ident).map(|variable| variable.local);
        let local = known.unwrap_or_else(|| self.scopes.bind(&p.ident, class.clone()));
        let sub = p.subpat.as_ref().map(|(_, sub)| Box::new(self.pattern_since(sub, &class, start)));
        PatternKind::Binding {
            local,
            mutable: p.mutability.is_some() && by_reference.is_none(),
            by_reference,
            sub,
        }
    }

    fn path_pattern(&mut self, p: &syn::ExprPath) -> PatternKind {
        self.generic_arguments(&p.path);
        let name = p.path.segments.last().map(|s| s.ident.to_string()).unwrap_or_default();
        match Case::of(&name) {
            Case::Type => PatternKind::Struct { name, fields: Vec::new() },
            Case::Upper | Case::Lower => self.constant_pattern(p),
        }
    }

    /// A constant: its value is recorded before the statement that the pattern stands in.
    fn constant_pattern(&mut self, path: &impl ToTokens) -> PatternKind {
        let (note, tokens) = self.constant(path);
        self.hoisted.extend(tokens);
        self.hoisted.extend(quote::quote!(;));
        PatternKind::Constant(note)
    }

    fn literal_pattern(&mut self, e: &Expr) -> PatternKind {
        match peel(e) {
            Expr::Lit(lit) => {
                PatternKind::Literal { literal: self.literal(&lit.lit), negative: is_negative(&lit.lit) }
            }
            Expr::Unary(u) if matches!(u.op, UnOp::Neg(_)) => match peel(&u.expr) {
                Expr::Lit(lit) => PatternKind::Literal { literal: self.literal(&lit.lit), negative: true },
                other => self.refused_pattern(other),
            },
            Expr::Path(p) => self.path_pattern(p),
            other => self.refused_pattern(other),
        }
    }

    fn refused_pattern(&mut self, e: &Expr) -> PatternKind {
        self.error_at(e, "patterns are made of literals and constants: name the value with a `const`");
        PatternKind::Literal { literal: Literal::Bool(false), negative: false }
    }

    fn range_pattern(&mut self, p: &PatRange) -> PatternKind {
        let mut end_of = |e: &Option<Box<Expr>>| {
            let e = e.as_ref()?;
            let span = place(crate::extent::first(e));
            Some(Box::new(Pattern { kind: self.literal_pattern(e), span }))
        };
        let (start, end) = (end_of(&p.start), end_of(&p.end));
        PatternKind::Range { start, end, inclusive: matches!(p.limits, RangeLimits::Closed(_)) }
    }

    fn tuple_struct_pattern(&mut self, p: &PatTupleStruct, start: Mark) -> PatternKind {
        self.generic_arguments(&p.path);
        let (before, after) = self.parts(p.elems.iter(), |_| Class::Unknown, start);
        PatternKind::TupleStruct { name: last_name(&p.path), before, after }
    }

    /// The parts before `..`, and those after it if there is one.
    fn parts<'p>(
        &mut self,
        elements: impl Iterator<Item = &'p Pat>,
        class: impl Fn(usize) -> Class,
        start: Mark,
    ) -> (Vec<Pattern>, Option<Vec<Pattern>>) {
        let (mut before, mut after): (Vec<Pattern>, Option<Vec<Pattern>>) = (Vec::new(), None);
        for (number, element) in elements.enumerate() {
            if matches!(element, Pat::Rest(_)) {
                after = Some(Vec::new());
                continue;
            }
            // What stands behind `..` can't be told by its number.
            let class = if after.is_some() { Class::Unknown } else { class(number) };
            let part = self.pattern_since(element, &class, start);
            after.as_mut().unwrap_or(&mut before).push(part);
        }
        (before, after)
    }
}

/// Makes `x` into `x @ _`.
struct MarkBindings;

impl VisitMut for MarkBindings {
    fn visit_pat_ident_mut(&mut self, p: &mut PatIdent) {
        visit_mut::visit_pat_ident_mut(self, p);
        if p.by_ref.is_none() && p.subpat.is_none() && Case::of(&p.ident.to_string()) == Case::Lower {
            let at = p.ident.span();
            p.subpat = Some((Token![@](at), Box::new(Pat::Wild(wild(at)))));
        }
    }

    fn visit_field_pat_mut(&mut self, field: &mut FieldPat) {
        if field.colon_token.is_none() && matches!(&*field.pat, Pat::Ident(p) if p.by_ref.is_none()) {
            field.colon_token = Some(Token![:](field.pat.span()));
        }
        visit_mut::visit_field_pat_mut(self, field);
    }
}

fn wild(at: Span) -> syn::PatWild {
    syn::PatWild { attrs: Vec::new(), underscore_token: Token![_](at) }
}
