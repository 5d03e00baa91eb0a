//! Control flow: `if`, `match` and the loops, as `if`, labelled blocks and `loop`.

use super::function::{FunctionTyper, Next, Target};
use super::join::{Expected, Join};
use super::literal::is_open;
use super::pattern::Matched;
use super::place::{address_of, local_place};
use crate::builtin::Builtin;
use crate::captured::{self, Arm, Block, ExprKind as Captured, Note, Pattern, PatternKind};
use crate::entry::BuildError;
use crate::record::Meaning;
use crate::scalar::Scalar;
use crate::span::Span;
use crate::typed::{BinaryOp, Expr, ExprKind, LabelId, LocalId, Place, Statement};
use crate::types::{Mutability, TypeId};

impl FunctionTyper<'_, '_> {
    /// `if`, with conditions that bind.
    pub fn if_expr(
        &mut self,
        condition: &captured::Expr,
        then: &Block,
        otherwise: Option<&captured::Expr>,
        expected: Expected,
        span: Span,
    ) -> Result<Expr, BuildError> {
        let condition = Box::new(self.condition(condition)?);
        let Some(otherwise) = otherwise else {
            let unit = self.program.types.unit;
            let then = Box::new(self.block(then, Expected::Coerce(unit), span)?);
            return self.met(Expr { kind: ExprKind::If(condition, then, None), ty: unit, span }, expected);
        };
        let mut join = Join::new(expected);
        // A literal without a type of its own takes that of the other branch.
        let open_first = expected.hint().is_none() && then.value.as_deref().is_some_and(is_open);
        let (then, otherwise) = if open_first {
            let otherwise = self.expr(otherwise, join.expected())?;
            let otherwise = join.add(self, otherwise)?;
            let then = self.block(then, join.expected(), span)?;
            (join.add(self, then)?, otherwise)
        } else {
            let then = self.block(then, join.expected(), span)?;
            let then = join.add(self, then)?;
            let otherwise = self.expr(otherwise, join.expected())?;
            (then, join.add(self, otherwise)?)
        };
        let kind = ExprKind::If(condition, Box::new(then), Some(Box::new(otherwise)));
        Ok(Expr { kind, ty: join.ty(self), span })
    }

    fn met(&self, value: Expr, expected: Expected) -> Result<Expr, BuildError> {
        match expected {
            Expected::Coerce(ty) => self.coerce(value, ty),
            Expected::Any | Expected::Hint(_) => Ok(value),
        }
    }

    /// A condition: `let`s in a chain of `&&` bind as they are reached.
    fn condition(&mut self, e: &captured::Expr) -> Result<Expr, BuildError> {
        match &e.kind {
            Captured::Let(pattern, value) => {
                let (statements, place) = self.subject(value, Expected::Any, pattern)?;
                let matched = self.matched(pattern, place)?;
                let test = self.test_and_bind(matched, e.span);
                Ok(self.after(statements, test))
            }
            Captured::Lazy { and: true, left, right } => {
                let (left, right) = (Box::new(self.condition(left)?), Box::new(self.condition(right)?));
                let ty = self.program.types.bool;
                Ok(Expr { kind: ExprKind::And(left, right), ty, span: e.span })
            }
            _ => self.expr(e, Expected::Coerce(self.program.types.bool)),
        }
    }

    /// `match`: a block that the first arm that matches leaves with its value. Of two arms, an `if`.
    pub fn match_expr(
        &mut self,
        subject: &captured::Expr,
        arms: &[Arm],
        expected: Expected,
        span: Span,
    ) -> Result<Expr, BuildError> {
        // rustc has checked that the arms without a guard cover every value: where all before it have failed, the last
        // of them matches.
        let Some(last) = arms.iter().rposition(|arm| arm.guard.is_none()) else {
            let subject = self.expr(subject, Expected::Any)?;
            let block = ExprKind::Block(vec![Statement::Expr(subject)], None);
            return Ok(Expr { kind: block, ty: self.program.types.never, span });
        };
        let mut whole = Pattern { kind: PatternKind::Wild, span };
        if arms.iter().any(|arm| super::block::changes(&arm.pattern)) {
            whole.kind = PatternKind::Or(arms.iter().map(|arm| arm.pattern.clone()).collect());
        }
        let (statements, place) = self.subject(subject, Expected::Any, &whole)?;
        let mut join = Join::new(expected);
        let mut tests = Vec::new();
        let (last, before) = (&arms[last], &arms[..last]);
        for arm in before {
            let matched = self.matched(&arm.pattern, place.clone())?;
            let (test, value) = self.arm(arm, matched, &mut join)?;
            tests.push((test, value));
        }
        let mut value_statements = Vec::new();
        self.bind_irrefutable(&last.pattern, place, &mut value_statements)?;
        let value = self.expr(&last.body, join.expected())?;
        let value = join.add(self, value)?;
        let value = self.after(value_statements, value);
        let ty = join.ty(self);
        let value = match tests.len() {
            0 => value,
            1 => {
                let (test, then) = tests.remove(0);
                let kind = ExprKind::If(Box::new(test), Box::new(then), Some(Box::new(value)));
                Expr { kind, ty, span }
            }
            _ => self.first_of(tests, value, ty, span),
        };
        Ok(self.after(statements, value))
    }

    /// An arm that may not match: its condition, which binds what the guard and the value need, and its value.
    fn arm(&mut self, arm: &Arm, matched: Matched, join: &mut Join) -> Result<(Expr, Expr), BuildError> {
        let span = arm.pattern.span;
        let Matched { mut tests, mut bindings } = matched;
        if let Some(guard) = &arm.guard {
            let guard = self.condition(guard)?;
            tests.push(self.after(std::mem::take(&mut bindings), guard));
        }
        let test = self.all(tests).unwrap_or_else(|| self.bool_constant(true, span));
        let value = self.expr(&arm.body, join.expected())?;
        let value = join.add(self, value)?;
        Ok((test, self.after(bindings, value)))
    }

    /// `'m: { if TEST { break 'm VALUE } … LAST }`: flat, however many there are.
    fn first_of(&mut self, tests: Vec<(Expr, Expr)>, last: Expr, ty: TypeId, span: Span) -> Expr {
        let label = self.fresh_label();
        let (unit, never) = (self.program.types.unit, self.program.types.never);
        let mut statements = Vec::new();
        for (test, value) in tests {
            let span = value.span;
            let leave = if value.ty == never {
                value
            } else {
                Expr { kind: ExprKind::Break(label, Some(Box::new(value))), ty: never, span }
            };
            let kind = ExprKind::If(Box::new(test), Box::new(leave), None);
            statements.push(Statement::Expr(Expr { kind, ty: unit, span }));
        }
        let body = self.after(statements, last);
        Expr { kind: ExprKind::Labeled(label, Box::new(body)), ty, span }
    }

    /// `loop`.
    pub fn loop_expr(
        &mut self,
        label: LabelId,
        body: &Block,
        expected: Expected,
        span: Span,
    ) -> Result<Expr, BuildError> {
        let target = self.enter_loop(label, Join::new(expected));
        let unit = self.program.types.unit;
        let body = self.block(body, Expected::Coerce(unit), span)?;
        let ty = self.target(label, span)?.value.ty(self);
        Ok(Expr { kind: ExprKind::Loop(target, Box::new(body)), ty, span })
    }

    fn enter_loop(&mut self, label: LabelId, value: Join) -> LabelId {
        let leave = self.fresh_label();
        self.frame_mut().targets.insert(label, Target { leave, next: Next::Round(leave), value });
        leave
    }

    /// `while`: a loop of an `if` whose other branch leaves.
    pub fn while_expr(
        &mut self,
        label: LabelId,
        condition: &captured::Expr,
        body: &Block,
        span: Span,
    ) -> Result<Expr, BuildError> {
        let unit = self.program.types.unit;
        let leave = self.enter_loop(label, Join::new(Expected::Coerce(unit)));
        let condition = self.condition(condition)?;
        let body = self.block(body, Expected::Coerce(unit), span)?;
        Ok(self.loop_while(leave, condition, body, span))
    }

    /// `loop { if condition { body } else { break } }`
    fn loop_while(&self, label: LabelId, condition: Expr, body: Expr, span: Span) -> Expr {
        let (unit, never) = (self.program.types.unit, self.program.types.never);
        let leave = Expr { kind: ExprKind::Break(label, None), ty: never, span };
        let kind = ExprKind::If(Box::new(condition), Box::new(body), Some(Box::new(leave)));
        let round = Expr { kind, ty: unit, span };
        Expr { kind: ExprKind::Loop(label, Box::new(round)), ty: unit, span }
    }

    /// `for`: over a range of integers with both ends written out, which are evaluated once, the lower first; or over an
    /// iterator.
    pub fn for_expr(
        &mut self,
        label: LabelId,
        pattern: &Pattern,
        subject: &captured::Expr,
        iterator: Option<(Note, Note)>,
        body: &Block,
        span: Span,
    ) -> Result<Expr, BuildError> {
        if let Some(callees) = iterator {
            return self.iteration(label, pattern, subject, callees, body, span);
        }
        let Captured::Range { start: Some(start), end: Some(end), inclusive } = &subject.kind else {
            return Err(self.contradiction(subject.span, "a `for` without an iterator"));
        };
        let (start, end) = self.range_ends(start, end)?;
        let ty = start.ty;
        let mut statements = Vec::new();
        let current = self.temporary(ty, start.span);
        statements.push(Statement::Let(current, Some(start)));
        let end = match end.kind {
            ExprKind::Scalar(_) => end,
            _ => {
                let (local, span) = (self.temporary(ty, end.span), end.span);
                statements.push(Statement::Let(local, Some(end)));
                self.read(local, ty, span)
            }
        };
        let whole = match inclusive {
            false => self.exclusive_for(label, pattern, (current, end), body, span)?,
            true => self.inclusive_for(label, pattern, (current, end), body, span)?,
        };
        Ok(self.after(statements, whole))
    }

    /// `let mut iterator = into_iter(subject); loop { let item = next(&mut iterator); if item is Some … else { break } }`
    fn iteration(
        &mut self,
        label: LabelId,
        pattern: &Pattern,
        subject: &captured::Expr,
        (into, next): (Note, Note),
        body: &Block,
        span: Span,
    ) -> Result<Expr, BuildError> {
        let unit = self.program.types.unit;
        let subject_span = subject.span;
        let (id, instance) = self.noted_callee(into, subject_span)?;
        let value = match instance.meaning {
            Meaning::Body(_) => self.call_function(id, &[subject], subject_span)?,
            Meaning::Builtin(builtin) => {
                self.builtin(builtin, &instance.types, &[subject], Expected::Any, subject_span)?
            }
        };
        let ty = value.ty;
        let iterator = self.temporary(ty, subject_span);
        let leave = self.enter_loop(label, Join::new(Expected::Coerce(unit)));
        let (id, _) = self.noted_callee(next, subject_span)?;
        let pointer = self.program.types.reference(ty, Mutability::Mutable);
        let address = address_of(local_place(iterator, ty, subject_span), pointer, subject_span);
        let item = self.call_with(id, vec![address], subject_span)?;
        let local = self.temporary(item.ty, subject_span);
        let place = local_place(local, item.ty, subject_span);
        let (some, field) = self.variant_field(&place, "Some", subject_span)?;
        let field = field.ok_or_else(|| self.contradiction(subject_span, "`Some` without a value"))?;
        let test = self.is_variant(&place, some, subject_span);
        let test = self.after(vec![Statement::Let(local, Some(item))], test);
        let place = Place { span: pattern.span, ..field };
        let mut statements = Vec::new();
        self.bind_irrefutable(pattern, place, &mut statements)?;
        let body = self.block(body, Expected::Coerce(unit), span)?;
        let body = self.after(statements, body);
        let whole = self.loop_while(leave, test, body, span);
        Ok(self.after(vec![Statement::Let(iterator, Some(value))], whole))
    }

    fn range_ends(
        &mut self,
        start: &captured::Expr,
        end: &captured::Expr,
    ) -> Result<(Expr, Expr), BuildError> {
        let (start, end) = if is_open(start) {
            let end = self.expr(end, Expected::Any)?;
            (self.expr(start, Expected::Hint(end.ty))?, end)
        } else {
            let start = self.expr(start, Expected::Any)?;
            let end = self.expr(end, Expected::Hint(start.ty))?;
            (start, end)
        };
        self.require_integer(&start)?;
        if start.ty != end.ty {
            return Err(self.mismatch(end.span, start.ty, end.ty));
        }
        Ok((start, end))
    }

    fn require_integer(&self, e: &Expr) -> Result<(), BuildError> {
        if self.program.types.as_scalar(e.ty).is_some_and(Scalar::is_integer) {
            return Ok(());
        }
        let ty = self.program.types.name(e.ty);
        Err(self.error(
            e.span,
            format!("`for` over a range of `{ty}` is not supported: count with an integer and convert"),
        ))
    }

    /// `loop { if current < end { let i = current; current += 1; body } else { break } }`: the step comes before the
    /// body, so `continue` needs no care, and below `end` it can't overflow.
    fn exclusive_for(
        &mut self,
        label: LabelId,
        pattern: &Pattern,
        (current, end): (LocalId, Expr),
        body: &Block,
        span: Span,
    ) -> Result<Expr, BuildError> {
        let (unit, ty) = (self.program.types.unit, end.ty);
        let leave = self.enter_loop(label, Join::new(Expected::Coerce(unit)));
        let test = self.comparison(BinaryOp::Lt, self.read(current, ty, span), end, span);
        let mut statements = self.item(pattern, current, ty)?;
        statements.push(self.step(current, ty, span));
        let body = self.block(body, Expected::Coerce(unit), span)?;
        let body = self.after(statements, body);
        Ok(self.loop_while(leave, test, body, span))
    }

    /// `if current <= end { loop { 'round: { let i = current; body } if current == end { break } current += 1 } }`:
    /// the step is never made at the end, so it can't overflow; `continue` leaves `'round`.
    fn inclusive_for(
        &mut self,
        label: LabelId,
        pattern: &Pattern,
        (current, end): (LocalId, Expr),
        body: &Block,
        span: Span,
    ) -> Result<Expr, BuildError> {
        let (unit, never, ty) = (self.program.types.unit, self.program.types.never, end.ty);
        let (leave, round) = (self.fresh_label(), self.fresh_label());
        let value = Join::new(Expected::Coerce(unit));
        self.frame_mut().targets.insert(label, Target { leave, next: Next::Leave(round), value });
        let any = self.comparison(BinaryOp::Le, self.read(current, ty, span), end.clone(), span);
        let done = self.comparison(BinaryOp::Eq, self.read(current, ty, span), end, span);
        let item = self.item(pattern, current, ty)?;
        let body = self.block(body, Expected::Coerce(unit), span)?;
        let body = self.after(item, body);
        let body = Expr { kind: ExprKind::Labeled(round, Box::new(body)), ty: unit, span };
        let break_ = Expr { kind: ExprKind::Break(leave, None), ty: never, span };
        let check = Expr { kind: ExprKind::If(Box::new(done), Box::new(break_), None), ty: unit, span };
        let rounds = vec![Statement::Expr(body), Statement::Expr(check), self.step(current, ty, span)];
        let rounds = Expr { kind: ExprKind::Block(rounds, None), ty: unit, span };
        let all = Expr { kind: ExprKind::Loop(leave, Box::new(rounds)), ty: unit, span };
        Ok(Expr { kind: ExprKind::If(Box::new(any), Box::new(all), None), ty: unit, span })
    }

    /// `let PATTERN = current;`
    fn item(
        &mut self,
        pattern: &Pattern,
        current: LocalId,
        ty: TypeId,
    ) -> Result<Vec<Statement>, BuildError> {
        let mut statements = Vec::new();
        let place = local_place(current, ty, pattern.span);
        self.bind_irrefutable(pattern, place, &mut statements)?;
        Ok(statements)
    }

    /// `current += 1`, where it can't overflow.
    fn step(&self, current: LocalId, ty: TypeId, span: Span) -> Statement {
        let one = Expr { kind: ExprKind::Scalar(1), ty, span };
        let kind = ExprKind::Builtin(Builtin::WrappingAdd, vec![self.read(current, ty, span), one]);
        Statement::Expr(self.assignment(local_place(current, ty, span), Expr { kind, ty, span }, span))
    }

    pub fn read(&self, local: LocalId, ty: TypeId, span: Span) -> Expr {
        Expr { kind: ExprKind::Load(local_place(local, ty, span)), ty, span }
    }

    /// `break 'label value`.
    pub fn break_expr(
        &mut self,
        label: LabelId,
        value: Option<&captured::Expr>,
        span: Span,
    ) -> Result<Expr, BuildError> {
        let target = self.target(label, span)?;
        let value = value.map(|e| self.expr(e, target.value.expected())).transpose()?;
        // Inside the value other `break`s may have come.
        let mut join = self.target(label, span)?.value;
        let value = match value {
            Some(value) => Some(Box::new(join.add(self, value)?)),
            None => {
                join.add(self, self.unit(span))?;
                None
            }
        };
        if let Some(target) = self.frame_mut().targets.get_mut(&label) {
            target.value = join;
        }
        Ok(Expr { kind: ExprKind::Break(target.leave, value), ty: self.program.types.never, span })
    }

    /// `continue 'label`.
    pub fn continue_expr(&mut self, label: LabelId, span: Span) -> Result<Expr, BuildError> {
        let kind = match self.target(label, span)?.next {
            Next::Round(label) => ExprKind::Continue(label),
            Next::Leave(label) => ExprKind::Break(label, None),
            Next::None => return Err(self.error(span, "`continue` out of a labelled block")),
        };
        Ok(Expr { kind, ty: self.program.types.never, span })
    }

    /// `return value`.
    pub fn return_expr(&mut self, value: Option<&captured::Expr>, span: Span) -> Result<Expr, BuildError> {
        let kind = match value {
            Some(e) => {
                let value = self.expr(e, self.frame().returns.expected())?;
                ExprKind::Return(Some(Box::new(self.returned(value)?)))
            }
            None => {
                self.returned(self.unit(span))?;
                ExprKind::Return(None)
            }
        };
        Ok(Expr { kind, ty: self.program.types.never, span })
    }
}
