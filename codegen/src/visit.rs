//! A walk over a typed tree, in the order of evaluation.

use wavewright_kernel_ir::typed::*;

/// What a walk does at each node. A method that wants the walk to go on below a node calls the function of the same
/// name in this module.
pub(crate) trait Visitor {
    fn expr(&mut self, node: &Expr) {
        expr(self, node);
    }
    fn place(&mut self, node: &Place) {
        place(self, node);
    }
    fn statement(&mut self, node: &Statement) {
        statement(self, node);
    }
}

/// Visits what is directly below an expression.
pub(crate) fn expr<V: Visitor + ?Sized>(visitor: &mut V, node: &Expr) {
    match &node.kind {
        ExprKind::Scalar(_) | ExprKind::Bytes(_) | ExprKind::Continue(_) | ExprKind::Panic(_) => {}
        ExprKind::Load(place) | ExprKind::AddressOf(place) | ExprKind::Length(place) => visitor.place(place),
        ExprKind::Unary(_, value)
        | ExprKind::Cast(_, value)
        | ExprKind::Repeat(value)
        | ExprKind::Labeled(_, value)
        | ExprKind::Loop(_, value)
        | ExprKind::Inlined(_, value) => visitor.expr(value),
        ExprKind::Binary(_, a, b) | ExprKind::And(a, b) | ExprKind::Or(a, b) => {
            visitor.expr(a);
            visitor.expr(b);
        }
        ExprKind::Aggregate { parts, order } if order.is_empty() => exprs(visitor, parts),
        ExprKind::Aggregate { parts, order } => {
            for number in order {
                visitor.expr(&parts[*number as usize]);
            }
        }
        ExprKind::Call(_, arguments) | ExprKind::Builtin(_, arguments) => exprs(visitor, arguments),
        ExprKind::Block(statements, value) => {
            for statement in statements {
                visitor.statement(statement);
            }
            optional(visitor, value);
        }
        ExprKind::If(condition, then, otherwise) => {
            visitor.expr(condition);
            visitor.expr(then);
            optional(visitor, otherwise);
        }
        ExprKind::Break(_, value) | ExprKind::Return(value) => optional(visitor, value),
        ExprKind::Assign(place, value) | ExprKind::AssignBinary(_, place, value) => {
            visitor.expr(value);
            visitor.place(place);
        }
    }
}

/// Visits what is directly below a place.
pub(crate) fn place<V: Visitor + ?Sized>(visitor: &mut V, node: &Place) {
    match &node.kind {
        PlaceKind::Local(_) | PlaceKind::Constant(_) | PlaceKind::Shared(_) => {}
        PlaceKind::Deref(value) => visitor.expr(value),
        PlaceKind::Field(base, _) => visitor.place(base),
        PlaceKind::Index { base, index, .. } => {
            visitor.place(base);
            visitor.expr(index);
        }
        PlaceKind::Subslice { base, start, end, .. } => {
            visitor.place(base);
            optional(visitor, start);
            optional(visitor, end);
        }
    }
}

/// Visits what is directly below a statement.
pub(crate) fn statement<V: Visitor + ?Sized>(visitor: &mut V, node: &Statement) {
    match node {
        Statement::Let(_, Some(value)) | Statement::Expr(value) => visitor.expr(value),
        Statement::Let(_, None) => {}
    }
}

fn exprs<V: Visitor + ?Sized>(visitor: &mut V, nodes: &[Expr]) {
    for node in nodes {
        visitor.expr(node);
    }
}

fn optional<V: Visitor + ?Sized>(visitor: &mut V, node: &Option<Box<Expr>>) {
    if let Some(node) = node {
        visitor.expr(node);
    }
}
