//! Blocks and `let`.

use super::function::FunctionTyper;
use super::join::{Expected, Join};
use super::place::{Purpose, local_place};
use crate::captured::{self, Block, Pattern, PatternKind};
use crate::entry::BuildError;
use crate::span::Span;
use crate::typed::{Expr, ExprKind, LabelId, Place, Statement, UnaryOp};
use crate::types::{Mutability, TypeId};

impl FunctionTyper<'_, '_> {
    /// A block, labelled or not, as a value.
    pub fn block_expr(
        &mut self,
        label: Option<LabelId>,
        block: &Block,
        expected: Expected,
        span: Span,
    ) -> Result<Expr, BuildError> {
        let Some(label) = label else { return self.block(block, expected, span) };
        let leave = self.enter_labeled(label, expected);
        let value = self.block(block, self.target(label, span)?.value.expected(), span)?;
        let mut join = self.target(label, span)?.value;
        let value = join.add(self, value)?;
        Ok(Expr { kind: ExprKind::Labeled(leave, Box::new(value)), ty: join.ty(self), span })
    }

    /// The statements of a block, then its value.
    pub fn block(&mut self, block: &Block, expected: Expected, span: Span) -> Result<Expr, BuildError> {
        let mut statements = Vec::new();
        for statement in &block.statements {
            self.statement(statement, &mut statements)?;
        }
        if let Some(value) = &block.value {
            let value = self.expr(value, expected)?;
            return Ok(self.after(statements, value));
        }
        let ty = if self.diverges(&statements) { self.program.types.never } else { self.program.types.unit };
        let value = Expr { kind: ExprKind::Block(statements, None), ty, span };
        match expected {
            Expected::Coerce(ty) => self.coerce(value, ty),
            Expected::Any | Expected::Hint(_) => Ok(value),
        }
    }

    /// Whether the end of the statements is never reached.
    fn diverges(&self, statements: &[Statement]) -> bool {
        statements.iter().any(|s| match s {
            Statement::Let(_, None) => false,
            Statement::Let(_, Some(value)) | Statement::Expr(value) => value.ty == self.program.types.never,
        })
    }

    fn statement(
        &mut self,
        statement: &captured::Statement,
        out: &mut Vec<Statement>,
    ) -> Result<(), BuildError> {
        match statement {
            captured::Statement::Expr(e) => {
                let value = self.expr(e, Expected::Any)?;
                out.push(Statement::Expr(value));
                Ok(())
            }
            captured::Statement::Let { pattern, ty, init, diverge } => {
                let ty = ty.map(|ty| self.annotated_type(ty, pattern.span)).transpose()?;
                match init {
                    None => self.declare_pattern(pattern, ty, out),
                    Some(init) => self.let_value(pattern, ty, init, diverge.as_ref(), out),
                }
            }
        }
    }

    /// `let x;`
    fn declare_pattern(
        &mut self,
        pattern: &Pattern,
        ty: Option<TypeId>,
        out: &mut Vec<Statement>,
    ) -> Result<(), BuildError> {
        match &pattern.kind {
            PatternKind::Wild => Ok(()),
            PatternKind::Binding { local, by_reference: None, sub: None, .. } => {
                let local = self.bind(*local, ty, pattern.span)?;
                out.push(Statement::Let(local, None));
                Ok(())
            }
            PatternKind::Tuple(parts, None) => {
                let fields = ty.and_then(|ty| self.program.types.fields(ty));
                for (number, part) in parts.iter().enumerate() {
                    let ty = fields.as_ref().and_then(|f| f.get(number).copied());
                    self.declare_pattern(part, ty, out)?;
                }
                Ok(())
            }
            _ => Err(self.error(pattern.span, "this pattern needs a value in the same `let`")),
        }
    }

    /// `let PATTERN: TYPE = INIT else { DIVERGE };`
    fn let_value(
        &mut self,
        pattern: &Pattern,
        ty: Option<TypeId>,
        init: &captured::Expr,
        diverge: Option<&Block>,
        out: &mut Vec<Statement>,
    ) -> Result<(), BuildError> {
        let expected = ty.map_or(Expected::Any, Expected::Coerce);
        if let PatternKind::Binding { local, by_reference: None, sub: None, .. } = pattern.kind {
            let init = self.expr(init, expected)?;
            let local = self.bind(local, Some(ty.unwrap_or(init.ty)), pattern.span)?;
            out.push(Statement::Let(local, Some(init)));
            return Ok(());
        }
        if let (PatternKind::Tuple(patterns, None), captured::ExprKind::Tuple(values)) =
            (&pattern.kind, &init.kind)
            && patterns.len() == values.len()
            && diverge.is_none()
            && !borrows(pattern)
        {
            let fields = ty.and_then(|ty| self.program.types.fields(ty));
            for (number, (pattern, value)) in patterns.iter().zip(values).enumerate() {
                let ty = fields.as_ref().and_then(|f| f.get(number).copied());
                self.let_value(pattern, ty, value, None, out)?;
            }
            return Ok(());
        }
        let (statements, place) = self.subject(init, expected, pattern)?;
        out.extend(statements);
        match diverge {
            None => self.bind_irrefutable(pattern, place, out),
            Some(diverge) => self.let_else(pattern, place, diverge, out),
        }
    }

    fn let_else(
        &mut self,
        pattern: &Pattern,
        place: Place,
        diverge: &Block,
        out: &mut Vec<Statement>,
    ) -> Result<(), BuildError> {
        let span = pattern.span;
        let matched = self.matched(pattern, place)?;
        let diverge = self.block(diverge, Expected::Any, span)?;
        if diverge.ty != self.program.types.never {
            return Err(self.error(span, "the `else` of this `let` comes to its end"));
        }
        if let Some(test) = self.all(matched.tests) {
            let test = self.negated(test);
            let kind = ExprKind::If(Box::new(test), Box::new(diverge), None);
            out.push(Statement::Expr(Expr { kind, ty: self.program.types.unit, span }));
        }
        out.extend(matched.bindings);
        Ok(())
    }

    /// What a pattern is matched against: a place that can be named again, and the statements before it.
    pub fn subject(
        &mut self,
        e: &captured::Expr,
        expected: Expected,
        pattern: &Pattern,
    ) -> Result<(Vec<Statement>, Place), BuildError> {
        let mutable = changes(pattern);
        let (purpose, mutability) = match mutable {
            true => (Purpose::Change, Mutability::Mutable),
            false => (Purpose::Read, Mutability::Shared),
        };
        let is_place = matches!(
            e.kind,
            captured::ExprKind::Local(_)
                | captured::ExprKind::Deref(_)
                | captured::ExprKind::Field(..)
                | captured::ExprKind::Index(..)
        );
        if is_place && !matches!(expected, Expected::Coerce(_)) {
            let place = self.place(e, purpose, expected.hint())?;
            return Ok(self.reusable(place, mutability));
        }
        let value = self.expr(e, expected)?;
        let local = self.temporary(value.ty, e.span);
        let place = local_place(local, value.ty, e.span);
        Ok((vec![Statement::Let(local, Some(value))], place))
    }

    /// `!test`.
    pub fn negated(&self, test: Expr) -> Expr {
        let (ty, span) = (test.ty, test.span);
        Expr { kind: ExprKind::Unary(UnaryOp::Not, Box::new(test)), ty, span }
    }

    /// Makes a label of the source known, as a block that `break` leaves.
    fn enter_labeled(&mut self, label: LabelId, expected: Expected) -> LabelId {
        let leave = self.fresh_label();
        let target =
            super::function::Target { leave, next: super::function::Next::None, value: Join::new(expected) };
        self.frame_mut().targets.insert(label, target);
        leave
    }
}

/// Whether a pattern binds references with `ref`, which need the matched value as a whole in memory.
fn borrows(pattern: &Pattern) -> bool {
    any(pattern, &|p| matches!(p.kind, PatternKind::Binding { by_reference: Some(_), .. }))
}

/// Whether a pattern binds a `ref mut`.
pub(super) fn changes(pattern: &Pattern) -> bool {
    any(pattern, &|p| matches!(p.kind, PatternKind::Binding { by_reference: Some(true), .. }))
}

/// Whether a pattern binds inside alternatives, so that its test does.
pub(super) fn binds_in_alternatives(pattern: &Pattern) -> bool {
    any(pattern, &|p| match &p.kind {
        PatternKind::Or(alternatives) => {
            alternatives.iter().any(|a| any(a, &|p| matches!(p.kind, PatternKind::Binding { .. })))
        }
        _ => false,
    })
}

/// Whether `holds` of the pattern or of one inside it.
fn any(pattern: &Pattern, holds: &dyn Fn(&Pattern) -> bool) -> bool {
    let any_of = |patterns: &[Pattern]| patterns.iter().any(|p| any(p, holds));
    if holds(pattern) {
        return true;
    }
    match &pattern.kind {
        PatternKind::Tuple(before, after) | PatternKind::Slice(before, after) => {
            any_of(before) || after.as_deref().is_some_and(any_of)
        }
        PatternKind::Or(alternatives) => any_of(alternatives),
        PatternKind::TupleStruct { before, after, .. } => {
            any_of(before) || after.as_deref().is_some_and(any_of)
        }
        PatternKind::Struct { fields, .. } => fields.iter().any(|(_, p)| any(p, holds)),
        PatternKind::Reference(inner) => any(inner, holds),
        PatternKind::Binding { sub, .. } => sub.as_deref().is_some_and(|p| any(p, holds)),
        PatternKind::Wild
        | PatternKind::Literal { .. }
        | PatternKind::Constant(_)
        | PatternKind::Range { .. } => false,
    }
}
