//! Expressions: the choice by kind, and the kinds that need few words.

use super::class::Class;
use super::literal::{is_bare_number, nothing};
use super::path::noted;
use super::{Capture, Expect, Value};
use crate::extent::{Extent, first, place};
use crate::ledger;
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Expr, ExprCast, ExprField, ExprIndex, ExprRange, ExprRepeat, ExprStruct, Member, RangeLimits};
use wavewright_kernel_ir::captured::{self, Annotation, ExprKind};

/// How deep expressions may nest before rustc's recursion limit, or our own stack, would end it without a word.
const MAX_DEPTH: u32 = 96;

impl Capture<'_> {
    /// Captures an expression.
    pub(super) fn expr(&mut self, e: &Expr, expect: Expect) -> Value {
        if self.depth == MAX_DEPTH {
            self.error_at(
                e,
                "this expression nests too deep for a kernel: give a part of it a name with `let`",
            );
            return self.refused_value();
        }
        self.depth += 1;
        let value = self.expr_by_kind(e, expect);
        self.depth -= 1;
        value
    }

    fn expr_by_kind(&mut self, e: &Expr, expect: Expect) -> Value {
        match e {
            Expr::Array(a) => self.array(e, a, expect),
            Expr::Assign(a) => self.assign(e, a),
            Expr::Binary(b) => self.binary(e, b, expect),
            Expr::Block(b) => self.block_expr(e, b, expect),
            Expr::Break(b) => self.break_expr(e, b),
            Expr::Call(c) => self.call(e, c),
            Expr::Cast(c) => self.cast(e, c),
            Expr::Closure(c) => self.closure(e, c),
            Expr::Const(c) => self.const_block(e, c),
            Expr::Continue(c) => self.continue_expr(e, c),
            Expr::Field(f) => self.field(f),
            Expr::ForLoop(f) => self.for_loop(e, f),
            Expr::Group(g) => self.parenthesised(&g.expr, expect, |inner| quote!((#inner))),
            Expr::If(i) => self.if_expr(e, i, expect),
            Expr::Index(i) => self.index(e, i),
            Expr::Let(l) => self.let_condition(e, l),
            Expr::Lit(l) => self.literal_expr(&l.lit, expect),
            Expr::Loop(l) => self.loop_expr(e, l, expect),
            Expr::Macro(m) => self.macro_call(&m.mac),
            Expr::Match(m) => self.match_expr(e, m, expect),
            Expr::MethodCall(m) => self.method_call(m),
            Expr::Paren(p) => {
                let mut value = self.parenthesised(&p.expr, expect, |inner| {
                    let mut tokens = TokenStream::new();
                    p.paren_token.surround(&mut tokens, |t| t.extend(inner));
                    tokens
                });
                if stands_at_its_start(&value.tree.kind) {
                    // rustc counts parentheses to what stands in them.
                    value.tree.span = place(p.paren_token.span.open());
                }
                value
            }
            Expr::Path(p) => self.path_expr(e, p),
            Expr::Range(r) => self.range_value(e, r),
            Expr::RawAddr(r) => {
                let mutable = matches!(r.mutability, syn::PointerMutability::Mut(_));
                let operand = self.expr(&r.expr, Expect::Open);
                let (and, raw, mutability) = (&r.and_token, &r.raw, &r.mutability);
                let tokens = operand.tokens;
                let tree = ExprKind::Reference { mutable, raw: true, operand: Box::new(operand.tree) };
                self.value(tree, e, quote!(#and #raw #mutability #tokens), Class::pointer(operand.class))
            }
            Expr::Reference(r) => {
                let operand = self.expr(&r.expr, expect);
                let (and, mutability, tokens) = (&r.and_token, &r.mutability, operand.tokens);
                let mutable = mutability.is_some();
                let tree = ExprKind::Reference { mutable, raw: false, operand: Box::new(operand.tree) };
                self.value(tree, e, quote!(#and #mutability #tokens), Class::pointer(operand.class))
            }
            Expr::Repeat(r) => self.repeat(e, r),
            Expr::Return(r) => self.return_expr(e, r),
            Expr::Struct(s) => self.structure(e, s),
            Expr::Try(t) => self.try_expr(e, t),
            Expr::Tuple(t) => self.tuple(e, t, expect),
            Expr::Unary(u) => self.unary(e, u, expect),
            Expr::Unsafe(u) => self.unsafe_block(e, u, expect),
            Expr::While(w) => self.while_loop(e, w),
            other => {
                self.error(ledger::refuse(ledger::expr(other), other));
                self.refused_value()
            }
        }
    }

    /// A value that starts where `e` does.
    pub(super) fn value(&self, kind: ExprKind, e: &Expr, tokens: TokenStream, class: Class) -> Value {
        Value { tree: captured::Expr { kind, span: place(first(e)) }, tokens, class }
    }

    /// Stands where something was refused; the errors keep it from being used.
    pub(super) fn refused_value(&self) -> Value {
        let tree = captured::Expr { kind: ExprKind::Tuple(Vec::new()), span: Default::default() };
        Value { tree, tokens: nothing(), class: Class::Unknown }
    }

    fn parenthesised(
        &mut self,
        e: &Expr,
        expect: Expect,
        wrap: impl Fn(TokenStream) -> TokenStream,
    ) -> Value {
        let value = self.expr(e, expect);
        Value { tokens: wrap(value.tokens), ..value }
    }

    fn field(&mut self, f: &ExprField) -> Value {
        let base = self.expr(&f.base, Expect::Open);
        let name = member_name(&f.member);
        let class = base.class.field(&name);
        let (tokens, dot, member) = (base.tokens, &f.dot_token, &f.member);
        let span = match &f.member {
            Member::Named(name) => name.span(),
            Member::Unnamed(index) => index.span,
        };
        let kind = ExprKind::Field(Box::new(base.tree), name);
        Value {
            tree: captured::Expr { kind, span: place(span) },
            tokens: quote!(#tokens #dot #member),
            class,
        }
    }

    fn index(&mut self, whole: &Expr, i: &ExprIndex) -> Value {
        let base = self.expr(&i.expr, Expect::Open);
        let (index, class) = match peel(&i.index) {
            Expr::Range(range) => (self.range(range, &i.index), Class::sequence(base.class.element())),
            index => (self.expr(index, Expect::Known), base.class.element()),
        };
        let mut tokens = base.tokens;
        i.bracket_token.surround(&mut tokens, |t| t.extend(index.tokens));
        let class = if base.class.is_sequence() { class } else { Class::Unknown };
        // With a range it is a call of `Index::index`, which rustc places at the bracket.
        let bracket = matches!(index.tree.kind, ExprKind::Range { .. }).then(|| i.bracket_token.span.open());
        let tree = ExprKind::Index(Box::new(base.tree), Box::new(index.tree));
        let mut value = self.value(tree, whole, tokens, class);
        if let Some(bracket) = bracket {
            value.tree.span = place(bracket);
        }
        value
    }

    /// A range in an index: its ends are `usize`.
    fn range(&mut self, r: &ExprRange, whole: &Expr) -> Value {
        let start = r.start.as_ref().map(|e| self.expr(e, Expect::Known));
        let end = r.end.as_ref().map(|e| self.expr(e, Expect::Known));
        self.range_of(r, whole, start, end)
    }

    /// A range of captured ends.
    pub(super) fn range_of(
        &self,
        r: &ExprRange,
        whole: &Expr,
        start: Option<Value>,
        end: Option<Value>,
    ) -> Value {
        let (start, start_tokens) = start.map(|v| (Box::new(v.tree), v.tokens)).unzip();
        let (end, end_tokens) = end.map(|v| (Box::new(v.tree), v.tokens)).unzip();
        let limits = &r.limits;
        let inclusive = matches!(limits, RangeLimits::Closed(_));
        let tokens = quote!(#start_tokens #limits #end_tokens);
        self.value(ExprKind::Range { start, end, inclusive }, whole, tokens, Class::Unknown)
    }

    /// A range as a value: one of std's structs.
    fn range_value(&mut self, whole: &Expr, r: &ExprRange) -> Value {
        let start = r.start.as_ref().map(|e| self.expr(e, Expect::Known));
        let end = r.end.as_ref().map(|e| self.expr(e, Expect::Known));
        let (start, start_tokens) = start.map(|v| (v.tree, v.tokens)).unzip();
        let (end, end_tokens) = end.map(|v| (v.tree, v.tokens)).unzip();
        let limits = &r.limits;
        let plain = quote!((#start_tokens #limits #end_tokens));
        let names = match (&start, limits) {
            // Whether its end has been reached is the third part.
            (Some(_), RangeLimits::Closed(_)) => ["0", "1"],
            _ => ["start", "end"],
        };
        let mut fields: Vec<(String, captured::Expr)> = names
            .into_iter()
            .zip([start, end])
            .filter_map(|(name, value)| Some((name.into(), value?)))
            .collect();
        let extent = Extent::of(whole);
        if names[0] == "0" {
            let kind = ExprKind::Literal(captured::Literal::Bool(false), None);
            fields.push(("2".into(), captured::Expr { kind, span: place(extent.first) }));
        }
        let (note, variable) = self.note(extent.first);
        let kind = ExprKind::Struct { ty: note, name: "Range".into(), fields, base: None };
        self.value(kind, whole, noted(extent, &plain, &variable), Class::Unknown)
    }

    fn cast(&mut self, whole: &Expr, c: &ExprCast) -> Value {
        self.ty(&c.ty);
        let operand = self.expr(&c.expr, Expect::Open);
        let (tokens, keyword, ty) = (operand.tokens, &c.as_token, &c.ty);
        let plain = quote!(#tokens #keyword #ty);
        let class = Class::of(&c.ty);
        let (target, tokens) = match self.scalar_annotation(&c.ty) {
            Some(scalar) => (scalar, plain),
            None => {
                let extent = Extent::of(whole);
                let (note, variable) = self.note(extent.first);
                (Annotation::Note(note), noted(extent, &plain, &variable))
            }
        };
        self.value(ExprKind::Cast(Box::new(operand.tree), target), whole, tokens, class)
    }

    fn tuple(&mut self, whole: &Expr, t: &syn::ExprTuple, expect: Expect) -> Value {
        let parts: Vec<Value> = t.elems.iter().map(|e| self.expr(e, expect)).collect();
        let class = Class::Tuple(parts.iter().map(|p| p.class.clone()).collect());
        let mut tokens = TokenStream::new();
        let trees = parts.into_iter().map(|p| (p.tree, p.tokens));
        let (trees, parts): (Vec<_>, Vec<_>) = trees.unzip();
        t.paren_token.surround(&mut tokens, |out| out.extend(quote!(#(#parts,)*)));
        self.value(ExprKind::Tuple(trees), whole, tokens, class)
    }

    fn array(&mut self, whole: &Expr, a: &syn::ExprArray, expect: Expect) -> Value {
        if a.elems.is_empty() {
            let extent = Extent::of(whole);
            let (note, variable) = self.note(extent.first);
            return self.value(
                ExprKind::Array(Vec::new(), Some(note)),
                whole,
                noted(extent, a, &variable),
                Class::Unknown,
            );
        }
        // The type of one element is that of all: a note is needed only where nothing else tells, once.
        let told = expect == Expect::Known || !a.elems.iter().all(is_bare_number);
        let mut class = None;
        let mut trees = Vec::new();
        let mut parts = Vec::new();
        for (number, element) in a.elems.iter().enumerate() {
            let known = is_bare_number(element) && (told || number > 0);
            let value = self.expr(element, if known { Expect::Known } else { expect });
            class = Some(class.map_or(value.class.clone(), |c: Class| c.join(value.class)));
            trees.push(value.tree);
            parts.push(value.tokens);
        }
        let mut tokens = TokenStream::new();
        a.bracket_token.surround(&mut tokens, |out| out.extend(quote!(#(#parts),*)));
        let class = Class::sequence(class.unwrap_or_default());
        self.value(ExprKind::Array(trees, None), whole, tokens, class)
    }

    fn repeat(&mut self, whole: &Expr, r: &ExprRepeat) -> Value {
        let element = self.expr(&r.expr, Expect::Known);
        let (tokens, semicolon, length) = (element.tokens, &r.semi_token, &r.len);
        let mut plain = TokenStream::new();
        r.bracket_token.surround(&mut plain, |out| out.extend(quote!(#tokens #semicolon #length)));
        let extent = Extent::of(whole);
        let (note, variable) = self.note(extent.first);
        let tokens = noted(extent, &plain, &variable);
        self.value(
            ExprKind::Repeat(Box::new(element.tree), note),
            whole,
            tokens,
            Class::sequence(element.class),
        )
    }

    fn structure(&mut self, whole: &Expr, s: &ExprStruct) -> Value {
        if let Some(qself) = &s.qself {
            self.error_at(&qself.ty, "name the struct itself, or a type alias of it");
        }
        self.generic_arguments(&s.path);
        let mut fields = Vec::new();
        let mut parts = Vec::new();
        for field in &s.fields {
            let value = self.expr(&field.expr, Expect::Known);
            let (member, tokens) = (&field.member, value.tokens);
            let colon = field.colon_token.map_or_else(|| quote!(:), |colon| colon.into_token_stream());
            parts.push(quote!(#member #colon #tokens));
            fields.push((member_name(member), value.tree));
        }
        let base = s.rest.as_ref().map(|e| self.expr(e, Expect::Known));
        let (base, base_tokens) = base.map(|v| (Box::new(v.tree), v.tokens)).unzip();
        let (path, dots) = (&s.path, &s.dot2_token);
        let mut plain = path.to_token_stream();
        s.brace_token.surround(&mut plain, |out| out.extend(quote!(#(#parts,)* #dots #base_tokens)));
        let extent = Extent::of(whole);
        let (note, variable) = self.note(extent.first);
        let name = last_name(&s.path);
        let kind = ExprKind::Struct { ty: note, name, fields, base };
        self.value(kind, whole, noted(extent, &plain, &variable), Class::Unknown)
    }

    fn const_block(&mut self, whole: &Expr, c: &syn::ExprConst) -> Value {
        let (note, tokens) = self.constant(c);
        self.value(ExprKind::Constant(note), whole, tokens, Class::Unknown)
    }
}

/// The last name of a path: a variant's, if it leads to one.
pub(super) fn last_name(path: &syn::Path) -> String {
    let last = path.segments.last().map(|s| s.ident.to_string()).unwrap_or_default();
    last.trim_start_matches("r#").into()
}

/// Whether the place of an expression is where it starts. That of a method call is the method's name.
fn stands_at_its_start(kind: &ExprKind) -> bool {
    match kind {
        ExprKind::MethodCall(..) | ExprKind::Panic(_) | ExprKind::Field(..) => false,
        ExprKind::Index(_, index) => !matches!(index.kind, ExprKind::Range { .. }),
        _ => true,
    }
}

/// A field's name as the tree has it.
pub(super) fn member_name(member: &Member) -> String {
    match member {
        Member::Named(name) => name.to_string().trim_start_matches("r#").into(),
        Member::Unnamed(index) => index.index.to_string(),
    }
}

/// The expression inside parentheses.
pub(super) fn peel(e: &Expr) -> &Expr {
    match e {
        Expr::Paren(p) => peel(&p.expr),
        Expr::Group(g) => peel(&g.expr),
        other => other,
    }
}
