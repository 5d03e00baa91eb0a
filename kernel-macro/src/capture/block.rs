//! Blocks and statements.

use super::class::Class;
use super::literal::{is_bare_number, nothing};
use super::scope::Apart;
use super::{Capture, Expect, Value, simple_binding};
use crate::ledger::{self, Verdict};
use proc_macro2::{Group, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::{Block, Expr, ExprBlock, ExprUnsafe, Item, Local, Pat, PatType, Stmt};
use wavewright_kernel_ir::captured::{self, Annotation, ExprKind, Statement};

/// So many notes may be open and not used.
const FEW_NOTES: usize = 4;

/// A block, captured.
pub(super) struct Captured {
    pub tree: captured::Block,
    /// The block in its braces.
    pub tokens: Group,
    pub class: Class,
}

/// A statement, captured.
struct Line {
    tree: Option<Statement>,
    value: Option<captured::Expr>,
    tokens: TokenStream,
    class: Class,
}

impl ToTokens for Captured {
    fn to_tokens(&self, out: &mut TokenStream) {
        self.tokens.to_tokens(out);
    }
}

impl Capture<'_> {
    /// The body of the function, and the statements of its witness.
    pub(super) fn body(&mut self, block: &Block) -> (captured::Block, TokenStream) {
        let expect = self.returns;
        let (tree, statements, _) = self.statements(block, expect, TokenStream::new());
        let statements = match &tree.value {
            Some(value) if self.returned.is_some() => self.returned(value, quote!({ #statements })),
            _ => statements,
        };
        let primitives = self.assert_primitives();
        let apart = self.assert_apart();
        (tree, quote!(__stop(); #primitives #apart #statements))
    }

    /// Statements that rustc accepts only if names that we took for those of different variables are.
    fn assert_apart(&self) -> TokenStream {
        let statements = self.scopes.apart().iter().map(|names| {
            let Apart { bound, used, .. } = names;
            let at = used.span();
            quote_spanned!(at=> { let #used = __Apart; let #bound = (); __apart(#used, #bound); })
        });
        statements.collect()
    }

    pub(super) fn block(&mut self, block: &Block, expect: Expect) -> Captured {
        self.block_with(block, expect, TokenStream::new())
    }

    /// A block; `before` goes before its first statement in the witness.
    pub(super) fn block_with(&mut self, block: &Block, expect: Expect, before: TokenStream) -> Captured {
        self.block_depth += 1;
        let (tree, statements, class) = self.statements(block, expect, before);
        self.block_depth -= 1;
        let mut tokens = Group::new(proc_macro2::Delimiter::Brace, statements);
        tokens.set_span(block.brace_token.span.join());
        Captured { tree, tokens, class }
    }

    fn statements(
        &mut self,
        block: &Block,
        expect: Expect,
        before: TokenStream,
    ) -> (captured::Block, TokenStream, Class) {
        let mark = self.scopes.mark();
        let hoisted_outside = std::mem::take(&mut self.hoisted);
        let mut tree = captured::Block { statements: Vec::new(), value: None };
        let mut class = Class::Unknown;
        let mut lines = Vec::new();
        let first_note = self.notes.made();
        for (number, statement) in block.stmts.iter().enumerate() {
            let last = number + 1 == block.stmts.len();
            let line = self.statement(statement, last, expect);
            let mut tokens = std::mem::take(&mut self.hoisted);
            tokens.extend(line.tokens);
            lines.push((self.notes.made(), tokens));
            tree.statements.extend(line.tree);
            tree.value = line.value.map(Box::new);
            class = line.class;
        }
        self.hoisted = hoisted_outside;
        self.scopes.release(mark);
        let mut tokens = before;
        tokens.extend(self.open_notes(first_note, lines));
        (tree, tokens, class)
    }

    /// The statements of a block, with the notes opened that they use: a few statements' at a time. Each comes with the
    /// number of the notes made up to its end. A block that has but a few leaves them to the one around it.
    fn open_notes(&mut self, first_note: usize, lines: Vec<(usize, TokenStream)>) -> TokenStream {
        let is_whole_body = self.block_depth == 0;
        let all = first_note..self.notes.made();
        let opens = is_whole_body || self.notes.closed(all) > FEW_NOTES;
        let mut tokens = TokenStream::new();
        let (mut start, mut pending) = (first_note, TokenStream::new());
        let mut end = first_note;
        for (line_end, line) in lines {
            if opens && end > start && self.notes.closed(start..line_end) > FEW_NOTES {
                tokens.extend(self.notes.open(start..end));
                tokens.extend(std::mem::take(&mut pending));
                start = end;
            }
            pending.extend(line);
            end = line_end;
        }
        if opens {
            tokens.extend(self.notes.open(start..end));
        }
        tokens.extend(pending);
        tokens
    }

    fn statement(&mut self, statement: &Stmt, last: bool, expect: Expect) -> Line {
        match statement {
            Stmt::Local(local) => self.local(local),
            Stmt::Item(item) => self.item(item),
            Stmt::Expr(e, semicolon) => self.expression_statement(e, semicolon.as_ref(), last, expect),
            Stmt::Macro(m) => {
                let is_value = last && m.semi_token.is_none();
                let value = self.macro_call(&m.mac);
                line_of(value, is_value, quote!(;).into_iter().filter(|_| !is_value).collect())
            }
        }
    }

    fn expression_statement(
        &mut self,
        e: &Expr,
        semicolon: Option<&syn::Token![;]>,
        last: bool,
        expect: Expect,
    ) -> Line {
        let is_value = last && semicolon.is_none();
        // The value of a statement is dropped: a bare literal there has any type.
        let value = self.expr(e, if is_value { expect } else { Expect::Open });
        line_of(value, is_value, semicolon.to_token_stream())
    }

    fn local(&mut self, local: &Local) -> Line {
        let (pattern, annotation) = match &local.pat {
            Pat::Type(typed) => (&*typed.pat, Some(typed)),
            other => (other, None),
        };
        if let (None, Some(init), Some(name)) = (annotation, &local.init, simple_binding(pattern))
            && init.diverge.is_none()
            && is_bare_number(&init.expr)
        {
            let (value, note) = self.let_literal(&init.expr, name);
            return self.let_line(local, Some(value), None, None, TokenStream::new(), note);
        }
        let expect = if annotation.is_some() { Expect::Known } else { Expect::Open };
        let init = local.init.as_ref().map(|init| self.expr(&init.expr, expect));
        let diverge = local.init.as_ref().and_then(|init| init.diverge.as_ref());
        let diverge = diverge.map(|(keyword, e)| (keyword, self.diverging(e)));
        let (ty, note) = match annotation {
            Some(typed) => {
                let (ty, note) = self.annotation(typed);
                (Some(ty), note)
            }
            None => (None, Note::None),
        };
        let after = match (&note, simple_binding(pattern)) {
            (Note::After(variable), Some(name)) => {
                quote_spanned!(name.span()=> __ty(#variable, &#name);)
            }
            (Note::After(variable), None) => {
                // The pattern has no name for the whole, so the whole is named first.
                return self.destructured(local, init, ty, variable.clone());
            }
            (Note::None, _) => TokenStream::new(),
        };
        let (diverge, tokens) = match diverge {
            Some((keyword, block)) => {
                let tokens = quote!(#keyword #block);
                (Some(block.tree), tokens)
            }
            None => (None, TokenStream::new()),
        };
        self.let_line(local, init, ty, diverge, tokens, after)
    }

    /// `let PATTERN: TYPE = INIT else { … };`, then the notes.
    fn let_line(
        &mut self,
        local: &Local,
        init: Option<Value>,
        ty: Option<Annotation>,
        diverge: Option<captured::Block>,
        diverge_tokens: TokenStream,
        after: TokenStream,
    ) -> Line {
        let class = match (&local.pat, &init) {
            (Pat::Type(typed), _) => Class::of(&typed.ty),
            (_, Some(init)) => init.class.clone(),
            (_, None) => Class::Unknown,
        };
        let (pattern, pattern_tokens) = if diverge.is_some() {
            self.refutable(&local.pat, &class)
        } else {
            (self.pattern(&local.pat, &class), local.pat.to_token_stream())
        };
        if init.is_none() && ty.is_none() {
            self.scopes.unsettle_last();
        }
        let (keyword, semicolon) = (&local.let_token, &local.semi_token);
        let equals = local.init.as_ref().map(|init| &init.eq_token);
        let (init, init_tokens) = init.map(|v| (v.tree, v.tokens)).unzip();
        let tokens = quote!(#keyword #pattern_tokens #equals #init_tokens #diverge_tokens #semicolon #after);
        let tree = Some(Statement::Let { pattern, ty, init, diverge });
        Line { tree, value: None, tokens, class: Class::Unknown }
    }

    /// `let (a, b): TYPE = INIT;` with a note of the type.
    fn destructured(
        &mut self,
        local: &Local,
        init: Option<Value>,
        ty: Option<Annotation>,
        variable: proc_macro2::Ident,
    ) -> Line {
        let Pat::Type(PatType { pat, ty: written, colon_token, .. }) = &local.pat else {
            return Line { tree: None, value: None, tokens: nothing(), class: Class::Unknown };
        };
        let pattern = self.pattern(&local.pat, &Class::of(written));
        let at = variable.span();
        let (init, init_tokens) = init.map(|v| (v.tree, v.tokens)).unzip();
        let init_tokens = init_tokens.unwrap_or_else(nothing);
        let tokens = quote_spanned!(at=>
            let __t #colon_token #written = #init_tokens; __ty(#variable, &__t); let #pat = __t;
        );
        Line {
            tree: Some(Statement::Let { pattern, ty, init, diverge: None }),
            value: None,
            tokens,
            class: Class::Unknown,
        }
    }

    /// What an annotation says: a primitive type by name, any other by a note.
    fn annotation(&mut self, typed: &PatType) -> (Annotation, Note) {
        self.ty(&typed.ty);
        match self.scalar_annotation(&typed.ty) {
            Some(scalar) => (scalar, Note::None),
            None => {
                let at = simple_binding(&typed.pat)
                    .map_or_else(|| typed.colon_token.span, proc_macro2::Ident::span);
                let (note, variable) = self.note(at);
                (Annotation::Note(note), Note::After(variable))
            }
        }
    }

    /// The block behind `else`.
    fn diverging(&mut self, e: &Expr) -> Captured {
        match e {
            Expr::Block(b) => self.block(&b.block, Expect::Open),
            other => {
                self.error_at(other, "`else` of a `let` is followed by a block");
                let block = captured::Block { statements: Vec::new(), value: None };
                let tokens = Group::new(proc_macro2::Delimiter::Brace, TokenStream::new());
                Captured { tree: block, tokens, class: Class::Unknown }
            }
        }
    }

    /// An item inside a body: those that make no code stay; the witness has its own copy.
    fn item(&mut self, item: &Item) -> Line {
        let entry = ledger::item(item);
        if !matches!(entry.map(|e| e.verdict), Some(Verdict::Captured)) {
            let name = item_head(item);
            self.error(ledger::refuse(entry, &name));
        }
        Line { tree: None, value: None, tokens: item.to_token_stream(), class: Class::Unknown }
    }

    pub(super) fn block_expr(&mut self, whole: &Expr, b: &ExprBlock, expect: Expect) -> Value {
        let name = b.label.as_ref().map(|label| &label.name);
        let label = name.map(|name| self.scopes.enter_target(Some(name), false, expect));
        let block = self.block(&b.block, expect);
        if label.is_some() {
            self.scopes.leave_target();
        }
        let (name, tokens, class) = (&b.label, block.tokens, block.class);
        self.value(ExprKind::Block(label, block.tree), whole, quote!(#name #tokens), class)
    }

    pub(super) fn unsafe_block(&mut self, whole: &Expr, u: &ExprUnsafe, expect: Expect) -> Value {
        let block = self.block(&u.block, expect);
        let (keyword, tokens, class) = (&u.unsafe_token, block.tokens, block.class);
        self.value(ExprKind::Block(None, block.tree), whole, quote!(#keyword #tokens), class)
    }
}

/// What the witness adds to a `let` with an annotation.
enum Note {
    None,
    /// The variable to set once the pattern is bound.
    After(proc_macro2::Ident),
}

fn line_of(value: Value, is_value: bool, semicolon: TokenStream) -> Line {
    let Value { tree, mut tokens, class } = value;
    tokens.extend(semicolon);
    if is_value {
        Line { tree: None, value: Some(tree), tokens, class }
    } else {
        Line { tree: Some(Statement::Expr(tree)), value: None, tokens, class: Class::Unknown }
    }
}

/// The tokens of an item up to its first delimiter: enough to underline.
fn item_head(item: &Item) -> TokenStream {
    let is_group = |t: &proc_macro2::TokenTree| matches!(t, proc_macro2::TokenTree::Group(_));
    let head: TokenStream = item.to_token_stream().into_iter().take_while(|t| !is_group(t)).collect();
    if head.is_empty() { quote_spanned!(Span::call_site()=> item) } else { head }
}
