//! Control flow.

use super::class::Class;
use super::expr::peel;
use super::literal::{is_bare_number, set_note};
use super::{Capture, Expect, Value, simple_binding};
use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::{
    Expr, ExprBreak, ExprContinue, ExprForLoop, ExprIf, ExprLet, ExprLoop, ExprMatch, ExprRange, ExprReturn,
    ExprWhile,
};
use wavewright_kernel_ir::captured::{Arm, ExprKind, LabelId};

impl Capture<'_> {
    pub(super) fn if_expr(&mut self, whole: &Expr, i: &ExprIf, expect: Expect) -> Value {
        let mark = self.scopes.mark();
        let condition = self.expr(&i.cond, Expect::Known);
        let then = self.block(&i.then_branch, expect);
        self.scopes.release(mark);
        let (keyword, test, then_tokens) = (&i.if_token, condition.tokens, then.tokens);
        let mut tokens = quote!(#keyword #test #then_tokens);
        let mut class = then.class;
        let mut otherwise = None;
        if let Some((keyword, branch)) = &i.else_branch {
            let value = self.expr(branch, expect);
            let branch = value.tokens;
            tokens.extend(quote!(#keyword #branch));
            class = class.join(value.class);
            otherwise = Some(Box::new(value.tree));
        }
        self.value(ExprKind::If(Box::new(condition.tree), then.tree, otherwise), whole, tokens, class)
    }

    /// `let PATTERN = value` as a condition; what it binds is in scope until the `if` or `while` ends.
    pub(super) fn let_condition(&mut self, whole: &Expr, l: &ExprLet) -> Value {
        let value = self.expr(&l.expr, Expect::Open);
        let class = value.class.clone();
        let (pattern, pattern_tokens) = self.refutable(&l.pat, &class);
        let (keyword, equals, tokens) = (&l.let_token, &l.eq_token, value.tokens);
        let tokens = quote!(#keyword #pattern_tokens #equals #tokens);
        self.value(ExprKind::Let(pattern, Box::new(value.tree)), whole, tokens, Class::Scalar)
    }

    pub(super) fn match_expr(&mut self, whole: &Expr, m: &ExprMatch, expect: Expect) -> Value {
        let subject = self.expr(&m.expr, Expect::Open);
        let mut arms = Vec::new();
        let mut inner = TokenStream::new();
        let mut class = None;
        for arm in &m.arms {
            let mark = self.scopes.mark();
            let (pattern, pattern_tokens) = self.refutable(&arm.pat, &subject.class);
            let guard = arm.guard.as_ref().map(|(keyword, e)| (keyword, self.expr(e, Expect::Known)));
            let body = self.expr(&arm.body, expect);
            self.scopes.release(mark);
            let guard_tokens = guard.as_ref().map(|(keyword, value)| {
                let tokens = &value.tokens;
                quote!(#keyword #tokens)
            });
            let (arrow, tokens) = (&arm.fat_arrow_token, body.tokens);
            inner.extend(quote!(#pattern_tokens #guard_tokens #arrow #tokens,));
            class = Some(class.map_or(body.class.clone(), |c: Class| c.join(body.class)));
            arms.push(Arm { pattern, guard: guard.map(|(_, value)| value.tree), body: body.tree });
        }
        let (keyword, subject_tokens) = (&m.match_token, subject.tokens);
        let mut tokens = quote!(#keyword #subject_tokens);
        m.brace_token.surround(&mut tokens, |out| out.extend(inner));
        self.value(ExprKind::Match(Box::new(subject.tree), arms), whole, tokens, class.unwrap_or_default())
    }

    pub(super) fn loop_expr(&mut self, whole: &Expr, l: &ExprLoop, expect: Expect) -> Value {
        let name = l.label.as_ref().map(|label| &label.name);
        let label = self.scopes.enter_target(name, true, expect);
        let body = self.block(&l.body, Expect::Known);
        self.scopes.leave_target();
        let (name, keyword, tokens) = (&l.label, &l.loop_token, body.tokens);
        self.value(ExprKind::Loop(label, body.tree), whole, quote!(#name #keyword #tokens), Class::Unknown)
    }

    pub(super) fn while_loop(&mut self, whole: &Expr, w: &ExprWhile) -> Value {
        let name = w.label.as_ref().map(|label| &label.name);
        let label = self.scopes.enter_target(name, true, Expect::Open);
        let mark = self.scopes.mark();
        let condition = self.expr(&w.cond, Expect::Known);
        let body = self.block(&w.body, Expect::Known);
        self.scopes.release(mark);
        self.scopes.leave_target();
        let (name, keyword, test, tokens) = (&w.label, &w.while_token, condition.tokens, body.tokens);
        let kind = ExprKind::While(label, Box::new(condition.tree), body.tree);
        self.value(kind, whole, quote!(#name #keyword #test #tokens), Class::Unknown)
    }

    pub(super) fn for_loop(&mut self, whole: &Expr, f: &ExprForLoop) -> Value {
        let Expr::Range(range @ ExprRange { start: Some(start), end: Some(end), .. }) = peel(&f.expr) else {
            return self.iteration(whole, f);
        };
        let (subject, counter_note) = self.counted(range, (start, end), f);
        let name = f.label.as_ref().map(|label| &label.name);
        let label = self.scopes.enter_target(name, true, Expect::Open);
        let mark = self.scopes.mark();
        // Only integers and characters are counted through.
        let pattern = self.pattern(&f.pat, &Class::Scalar);
        let body = self.block_with(&f.body, Expect::Known, counter_note);
        self.scopes.release(mark);
        self.scopes.leave_target();
        let (name, keyword, pat, in_token) = (&f.label, &f.for_token, &f.pat, &f.in_token);
        let (subject_tokens, tokens) = (subject.tokens, body.tokens);
        let subject_tokens = match &*f.expr {
            Expr::Range(_) => subject_tokens,
            _ => quote!((#subject_tokens)),
        };
        let tokens = quote!(#name #keyword #pat #in_token #subject_tokens #tokens);
        let subject = Box::new(subject.tree);
        self.value(
            ExprKind::For { label, pattern, subject, iterator: None, body: body.tree },
            whole,
            tokens,
            Class::Unknown,
        )
    }

    /// `for` over what `IntoIterator` makes of a value.
    fn iteration(&mut self, whole: &Expr, f: &ExprForLoop) -> Value {
        let subject = self.expr(&f.expr, Expect::Open);
        let extent = crate::extent::Extent::of(&f.expr);
        let (into, into_variable) = self.note(extent.first);
        let (next, next_variable) = self.note(extent.first);
        let inner = subject.tokens;
        let body = quote_spanned!(extent.last=> { __t => { __ForLoop::of(#into_variable, #next_variable, &__t); __t } });
        let subject_tokens = quote_spanned!(extent.first=> (match (#inner) #body));
        let name = f.label.as_ref().map(|label| &label.name);
        let label = self.scopes.enter_target(name, true, Expect::Open);
        let mark = self.scopes.mark();
        let pattern = self.pattern(&f.pat, &Class::Unknown);
        let body = self.block(&f.body, Expect::Known);
        self.scopes.release(mark);
        self.scopes.leave_target();
        let (name, keyword, pat, in_token, tokens) =
            (&f.label, &f.for_token, &f.pat, &f.in_token, body.tokens);
        let tokens = quote!(#name #keyword #pat #in_token #subject_tokens #tokens);
        let kind = ExprKind::For {
            label,
            pattern,
            subject: Box::new(subject.tree),
            iterator: Some((into, next)),
            body: body.tree,
        };
        self.value(kind, whole, tokens, Class::Unknown)
    }

    /// The range of a `for`. Where both its ends are bare numbers, the counter is noted, at the start of the body.
    fn counted(
        &mut self,
        range: &ExprRange,
        (start, end): (&Expr, &Expr),
        f: &ExprForLoop,
    ) -> (Value, TokenStream) {
        let whole = peel(&f.expr);
        match (is_bare_number(start), is_bare_number(end), simple_binding(&f.pat)) {
            (true, true, Some(counter)) => {
                let at = counter.span();
                let (note, variable) = self.note(at);
                let mut start = self.expr(start, Expect::Known);
                set_note(&mut start.tree, note);
                let end = self.expr(end, Expect::Known);
                let counter_note = quote_spanned!(at=> __lit(#variable, &#counter););
                (self.range_of(range, whole, Some(start), Some(end)), counter_note)
            }
            (start_bare, end_bare, _) => {
                let known = |bare: bool| if bare { Expect::Known } else { Expect::Open };
                let start = self.expr(start, known(start_bare && !end_bare));
                let end = self.expr(end, known(end_bare));
                (self.range_of(range, whole, Some(start), Some(end)), TokenStream::new())
            }
        }
    }

    pub(super) fn break_expr(&mut self, whole: &Expr, b: &ExprBreak) -> Value {
        let (keyword, name) = (&b.break_token, &b.label);
        let Some((label, expect)) = self.target(name.as_ref()) else {
            return self.left_to_rustc(whole);
        };
        let value = b.expr.as_ref().map(|e| self.expr(e, expect));
        let (tree, tokens) = value.map(|v| (Box::new(v.tree), v.tokens)).unzip();
        self.value(ExprKind::Break(label, tree), whole, quote!(#keyword #name #tokens), Class::Never)
    }

    pub(super) fn continue_expr(&mut self, whole: &Expr, c: &ExprContinue) -> Value {
        match self.target(c.label.as_ref()) {
            Some((label, _)) => self.value(ExprKind::Continue(label), whole, quote!(#c), Class::Never),
            None => self.left_to_rustc(whole),
        }
    }

    fn target(&mut self, name: Option<&syn::Lifetime>) -> Option<(LabelId, Expect)> {
        self.scopes.target(name).unwrap_or_else(|error| {
            self.error(error);
            None
        })
    }

    /// `value?`. What the function around returns, and how the error becomes its, are noted before.
    pub(super) fn try_expr(&mut self, whole: &Expr, t: &syn::ExprTry) -> Value {
        let value = self.expr(&t.expr, Expect::Open);
        let at = t.question_token.span;
        let (result, result_variable) = self.note(at);
        let (convert, convert_variable) = self.note(at);
        let (inner, question) = (value.tokens, &t.question_token);
        let extent = crate::extent::Extent::of(whole);
        let body = quote_spanned!(extent.last=> { __t => {
            if false { return __returned(#result_variable); }
            __question(#convert_variable, #result_variable, &__t);
            __t #question
        } });
        let tokens = quote_spanned!(extent.first=> (match (#inner) #body));
        let kind = ExprKind::Try { value: Box::new(value.tree), result, convert };
        self.value(kind, whole, tokens, Class::Unknown)
    }

    pub(super) fn return_expr(&mut self, whole: &Expr, r: &ExprReturn) -> Value {
        let value = r.expr.as_ref().map(|e| self.expr(e, self.returns));
        let value = value.map(|v| (self.returned(&v.tree, v.tokens), Box::new(v.tree)));
        let (tokens, tree) = value.unzip();
        let keyword = &r.return_token;
        self.value(ExprKind::Return(tree), whole, quote!(#keyword #tokens), Class::Never)
    }

    /// rustc refuses this in the function itself, and says why.
    fn left_to_rustc(&self, whole: &Expr) -> Value {
        self.value(ExprKind::Tuple(Vec::new()), whole, quote!(#whole), Class::Unknown)
    }
}
