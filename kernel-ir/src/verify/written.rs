//! Every local is written before it is read, on every path.

use super::{Checked, Failure, Problem, VerifyError};
use crate::span::Span;
use crate::typed::{Expr, ExprKind, Function, LabelId, LocalId, Place, PlaceKind, Statement};
use std::collections::HashMap;

/// Checks a function.
pub(super) fn check(function: &Function) -> Checked {
    let mut written = vec![false; function.locals.len()];
    for param in &function.params {
        written[param.0 as usize] = true;
    }
    let mut walk = Walk { function, written: Some(written), leaving: HashMap::new() };
    walk.expr(&function.body)
}

/// Which locals have been written; none where control never comes.
type Written = Option<Vec<bool>>;

struct Walk<'f> {
    function: &'f Function,
    written: Written,
    /// What has been written wherever a `break` to the label stands.
    leaving: HashMap<LabelId, Written>,
}

/// What has been written where two paths meet.
fn meet(a: Written, b: Written) -> Written {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.into_iter().zip(b).map(|(a, b)| a && b).collect()),
        (one, other) => one.or(other),
    }
}

impl Walk<'_> {
    fn write(&mut self, local: LocalId) {
        if let Some(written) = &mut self.written {
            written[local.0 as usize] = true;
        }
    }

    fn read(&self, local: LocalId, span: Span) -> Checked {
        match &self.written {
            Some(written) if !written[local.0 as usize] => {
                let name = self.function.locals[local.0 as usize].name.clone();
                let problem = Problem::Unwritten { name, number: local.0 };
                Err(Box::new(VerifyError { function: self.function.name.clone(), span, problem }))
            }
            _ => Ok(()),
        }
    }

    fn place(&mut self, place: &Place) -> Checked {
        match &place.kind {
            PlaceKind::Local(local) => self.read(*local, place.span),
            PlaceKind::Constant(_) | PlaceKind::Shared(_) => Ok(()),
            PlaceKind::Deref(pointer) => self.expr(pointer),
            PlaceKind::Field(base, _) | PlaceKind::Variant(base, _) => self.place(base),
            PlaceKind::Index { base, index, .. } => {
                self.place(base)?;
                self.expr(index)
            }
            PlaceKind::Subslice { base, start, end, .. } => {
                self.place(base)?;
                start.iter().chain(end).try_for_each(|e| self.expr(e))
            }
        }
    }

    fn statement(&mut self, statement: &Statement) -> Checked {
        match statement {
            Statement::Let(_, None) => Ok(()),
            Statement::Let(local, Some(value)) => {
                self.expr(value)?;
                self.write(*local);
                Ok(())
            }
            Statement::Expr(value) => self.expr(value),
        }
    }

    fn exprs<'e>(&mut self, exprs: impl IntoIterator<Item = &'e Expr>) -> Checked {
        exprs.into_iter().try_for_each(|e| self.expr(e))
    }

    fn expr(&mut self, e: &Expr) -> Checked {
        match &e.kind {
            ExprKind::Scalar(_) | ExprKind::Bytes(_) => Ok(()),
            ExprKind::Load(place)
            | ExprKind::AddressOf(place)
            | ExprKind::Length(place)
            | ExprKind::VariantOf(place) => self.place(place),
            ExprKind::Unary(_, inner)
            | ExprKind::Cast(_, inner)
            | ExprKind::Repeat(inner)
            | ExprKind::Variant(_, inner)
            | ExprKind::Inlined(_, inner) => self.expr(inner),
            ExprKind::Binary(_, left, right) => self.exprs([&**left, &**right]),
            ExprKind::And(..) | ExprKind::Or(..) => {
                let (holds, fails) = self.condition(e)?;
                self.written = meet(holds, fails);
                Ok(())
            }
            ExprKind::Aggregate { parts, order } if order.is_empty() => self.exprs(parts),
            ExprKind::Aggregate { parts, order } => {
                self.exprs(order.iter().filter_map(|number| parts.get(*number as usize)))
            }
            ExprKind::Call(_, arguments) | ExprKind::Builtin(_, arguments) => self.exprs(arguments),
            ExprKind::Block(statements, value) => {
                statements.iter().try_for_each(|s| self.statement(s))?;
                self.exprs(value.as_deref())
            }
            ExprKind::If(condition, then, otherwise) => self.branches(condition, then, otherwise.as_deref()),
            ExprKind::Labeled(label, body) => {
                self.leaving.insert(*label, None);
                self.expr(body)?;
                let left = self.leaving.remove(label).flatten();
                self.written = meet(self.written.take(), left);
                Ok(())
            }
            // Later rounds start with no less than the first.
            ExprKind::Loop(label, body) => {
                self.leaving.insert(*label, None);
                self.expr(body)?;
                self.written = self.leaving.remove(label).flatten();
                Ok(())
            }
            ExprKind::Break(label, value) => {
                self.exprs(value.as_deref())?;
                let here = self.written.take();
                let left = self.leaving.entry(*label).or_default();
                *left = meet(left.take(), here);
                Ok(())
            }
            ExprKind::Return(value) => {
                self.exprs(value.as_deref())?;
                self.written = None;
                Ok(())
            }
            ExprKind::Continue(_) | ExprKind::Panic(_) => {
                self.written = None;
                Ok(())
            }
            ExprKind::Assign(place, value) => {
                self.expr(value)?;
                match place.kind {
                    PlaceKind::Local(local) => {
                        self.write(local);
                        Ok(())
                    }
                    _ => self.place(place),
                }
            }
            ExprKind::AssignBinary(_, place, value) => {
                self.expr(value)?;
                self.place(place)
            }
        }
    }

    fn branches(&mut self, condition: &Expr, then: &Expr, otherwise: Option<&Expr>) -> Checked {
        let (holds, fails) = self.condition(condition)?;
        self.written = holds;
        self.expr(then)?;
        let after_then = std::mem::replace(&mut self.written, fails);
        self.exprs(otherwise)?;
        self.written = meet(after_then, self.written.take());
        Ok(())
    }

    /// What has been written if a condition holds, and if it doesn't: patterns bind inside conditions.
    fn condition(&mut self, e: &Expr) -> Result<(Written, Written), Failure> {
        match &e.kind {
            ExprKind::And(left, right) => {
                let (holds, fails) = self.condition(left)?;
                self.written = holds;
                let (both, second_fails) = self.condition(right)?;
                Ok((both, meet(fails, second_fails)))
            }
            ExprKind::Or(left, right) => {
                let (holds, fails) = self.condition(left)?;
                self.written = fails;
                let (second_holds, neither) = self.condition(right)?;
                Ok((meet(holds, second_holds), neither))
            }
            ExprKind::Unary(crate::captured::UnaryOp::Not, inner) => {
                let (holds, fails) = self.condition(inner)?;
                Ok((fails, holds))
            }
            ExprKind::Block(statements, Some(value)) => {
                statements.iter().try_for_each(|s| self.statement(s))?;
                self.condition(value)
            }
            ExprKind::Scalar(bits) => {
                let here = self.written.take();
                Ok(if *bits != 0 { (here, None) } else { (None, here) })
            }
            _ => {
                self.expr(e)?;
                Ok((self.written.clone(), self.written.take()))
            }
        }
    }
}
