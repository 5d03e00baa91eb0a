//! Walking a typed body: every child of a node once, in the order of evaluation.

use crate::typed::{Expr, ExprKind, Place, PlaceKind, Statement};

/// Looks at a typed body. Override what you want to see, and call the `walk_` function of the same name to go deeper.
pub trait Visit {
    /// A value.
    fn expr(&mut self, expr: &Expr) {
        walk_expr(self, expr);
    }
    /// A place.
    fn place(&mut self, place: &Place) {
        walk_place(self, place);
    }
    /// A statement.
    fn statement(&mut self, statement: &Statement) {
        walk_statement(self, statement);
    }
}

/// Changes a typed body, as [`Visit`] looks at it.
pub trait VisitMut {
    /// A value.
    fn expr(&mut self, expr: &mut Expr) {
        walk_expr_mut(self, expr);
    }
    /// A place.
    fn place(&mut self, place: &mut Place) {
        walk_place_mut(self, place);
    }
    /// A statement.
    fn statement(&mut self, statement: &mut Statement) {
        walk_statement_mut(self, statement);
    }
}

macro_rules! walks {
    ($visit:ident, $iter:ident, $as_deref:ident, $expr:ident, $place:ident, $statement:ident, $([$mutable:tt])?) => {
        /// The children of a value.
        pub fn $expr<V: $visit + ?Sized>(v: &mut V, expr: & $($mutable)? Expr) {
            match & $($mutable)? expr.kind {
                ExprKind::Scalar(_) | ExprKind::Bytes(_) | ExprKind::Continue(_) | ExprKind::Panic(_) => {}
                ExprKind::Load(place)
                | ExprKind::AddressOf(place)
                | ExprKind::Length(place)
                | ExprKind::VariantOf(place) => v.place(place),
                ExprKind::Unary(_, inner)
                | ExprKind::Cast(_, inner)
                | ExprKind::Repeat(inner)
                | ExprKind::Variant(_, inner)
                | ExprKind::Labeled(_, inner)
                | ExprKind::Loop(_, inner)
                | ExprKind::Inlined(_, inner) => v.expr(inner),
                ExprKind::Binary(_, left, right) | ExprKind::And(left, right) | ExprKind::Or(left, right) => {
                    v.expr(left);
                    v.expr(right);
                }
                ExprKind::Aggregate { parts, order } if order.is_empty() => {
                    for part in parts.$iter() {
                        v.expr(part);
                    }
                }
                ExprKind::Aggregate { parts, order } => {
                    for index in order.iter() {
                        if let Some(part) = parts.$iter().nth(*index as usize) {
                            v.expr(part);
                        }
                    }
                }
                ExprKind::Call(_, arguments) | ExprKind::Builtin(_, arguments) => {
                    for argument in arguments.$iter() {
                        v.expr(argument);
                    }
                }
                ExprKind::Block(statements, value) => {
                    for statement in statements.$iter() {
                        v.statement(statement);
                    }
                    if let Some(value) = value.$as_deref() {
                        v.expr(value);
                    }
                }
                ExprKind::If(condition, then, otherwise) => {
                    v.expr(condition);
                    v.expr(then);
                    if let Some(otherwise) = otherwise.$as_deref() {
                        v.expr(otherwise);
                    }
                }
                ExprKind::Break(_, value) | ExprKind::Return(value) => {
                    if let Some(value) = value.$as_deref() {
                        v.expr(value);
                    }
                }
                ExprKind::Assign(place, value) | ExprKind::AssignBinary(_, place, value) => {
                    v.expr(value);
                    v.place(place);
                }
            }
        }

        /// The children of a place.
        pub fn $place<V: $visit + ?Sized>(v: &mut V, place: & $($mutable)? Place) {
            match & $($mutable)? place.kind {
                PlaceKind::Local(_) | PlaceKind::Constant(_) | PlaceKind::Shared(_) => {}
                PlaceKind::Deref(pointer) => v.expr(pointer),
                PlaceKind::Field(base, _) | PlaceKind::Variant(base, _) => v.place(base),
                PlaceKind::Index { base, index, .. } => {
                    v.place(base);
                    v.expr(index);
                }
                PlaceKind::Subslice { base, start, end, .. } => {
                    v.place(base);
                    if let Some(start) = start.$as_deref() {
                        v.expr(start);
                    }
                    if let Some(end) = end.$as_deref() {
                        v.expr(end);
                    }
                }
            }
        }

        /// The children of a statement.
        pub fn $statement<V: $visit + ?Sized>(v: &mut V, statement: & $($mutable)? Statement) {
            match statement {
                Statement::Let(_, None) => {}
                Statement::Let(_, Some(value)) | Statement::Expr(value) => v.expr(value),
            }
        }
    };
}
walks!(Visit, iter, as_deref, walk_expr, walk_place, walk_statement,);
walks!(VisitMut, iter_mut, as_deref_mut, walk_expr_mut, walk_place_mut, walk_statement_mut, [mut]);
