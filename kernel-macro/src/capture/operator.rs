//! Operators and assignment.
//!
//! On operands that are primitive for certain an operator stays as it is. On others it is followed by a note that finds
//! its device form; the note comes after the operation and hangs on its result, since a bound that rustc met before
//! could drive inference where the plain operator leaves it open. The result is then that of the operator alone, and not
//! what is expected of it (hence the `*&` before the note): where the operator is an error, the note is none of its own.

use super::class::Class;
use super::expr::peel;
use super::literal::is_bare_number;
use super::{Capture, Expect, Value};
use crate::extent::{Extent, first, place};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::{BinOp, Expr, ExprAssign, ExprBinary, ExprUnary, UnOp};
use wavewright_kernel_ir::captured::{self, BinaryOp, ExprKind, UnaryOp};

/// What a binary operator of the source is.
enum Operation {
    Lazy { and: bool },
    Value(BinaryOp),
    Assign(BinaryOp),
}

impl Capture<'_> {
    pub(super) fn binary(&mut self, whole: &Expr, b: &ExprBinary, expect: Expect) -> Value {
        match operation(&b.op) {
            Some(Operation::Lazy { and }) => self.lazy(whole, b, and),
            Some(Operation::Value(op)) => self.binary_value(whole, b, op, expect),
            Some(Operation::Assign(op)) => self.assign_binary(whole, b, op),
            None => {
                self.error_at(&b.op, "this operator is not known to kernels");
                self.refused_value()
            }
        }
    }

    fn lazy(&mut self, whole: &Expr, b: &ExprBinary, and: bool) -> Value {
        let left = self.expr(&b.left, Expect::Known);
        let right = self.expr(&b.right, Expect::Known);
        let (l, op, r) = (left.tokens, &b.op, right.tokens);
        let tokens = quote!(#l #op #r);
        let (left, right) = (Box::new(left.tree), Box::new(right.tree));
        self.value(ExprKind::Lazy { and, left, right }, whole, tokens, Class::Scalar)
    }

    fn binary_value(&mut self, whole: &Expr, b: &ExprBinary, op: BinaryOp, expect: Expect) -> Value {
        let (left, right) = self.operands(b, op, expect);
        let scalars = left.class.is_scalar() && (right.class.is_scalar() || op.is_comparison());
        let class = if op.is_comparison() || scalars { Class::Scalar } else { Class::Unknown };
        let (note, tokens) = if scalars {
            let (l, r, operator) = (left.tokens, right.tokens, &b.op);
            (None, quote!(#l #operator #r))
        } else {
            let (note, variable) = self.note(first(&b.left));
            let function = Ident::new(note_trait(op), Span::call_site());
            (
                Some(note),
                noted_operator(b, &function, &variable, left.tokens, right.tokens, op.is_comparison()),
            )
        };
        let kind = ExprKind::Binary(op, Box::new(left.tree), Box::new(right.tree), note);
        self.value(kind, whole, tokens, class)
    }

    /// The operands. A number without a suffix beside another operand has that one's type, or the one that the operator's
    /// function takes; behind a shift it is an `i32`.
    fn operands(&mut self, b: &ExprBinary, op: BinaryOp, expect: Expect) -> (Value, Value) {
        let expect = if op.is_comparison() { Expect::Open } else { expect };
        match (is_bare_number(&b.left), is_bare_number(&b.right)) {
            (true, false) => {
                let right = self.expr(&b.right, expect);
                (self.expr(&b.left, Expect::Known), right)
            }
            (false, false) => (self.expr(&b.left, expect), self.expr(&b.right, expect)),
            (_, true) => (self.expr(&b.left, expect), self.expr(&b.right, Expect::Known)),
        }
    }

    fn assign_binary(&mut self, whole: &Expr, b: &ExprBinary, op: BinaryOp) -> Value {
        let left = self.expr(&b.left, Expect::Open);
        let right = self.expr(&b.right, Expect::Known);
        let (note, tokens) = if left.class.is_scalar() {
            // Nobody adds to a primitive what is none.
            let (l, r, operator) = (left.tokens, right.tokens, &b.op);
            (None, quote!(#l #operator #r))
        } else {
            let (note, variable) = self.note(first(&b.left));
            let function = Ident::new(&format!("{}Assign", note_trait(op)), Span::call_site());
            (Some(note), noted_assignment(b, &function, &variable, left.tokens, right.tokens))
        };
        let kind = ExprKind::AssignBinary(op, Box::new(left.tree), Box::new(right.tree), note);
        self.value(kind, whole, tokens, Class::Unknown)
    }

    pub(super) fn unary(&mut self, whole: &Expr, u: &ExprUnary, expect: Expect) -> Value {
        let op = match u.op {
            UnOp::Deref(_) => return self.deref(whole, u),
            UnOp::Neg(_) => UnaryOp::Neg,
            UnOp::Not(_) => UnaryOp::Not,
            _ => {
                self.error_at(&u.op, "this operator is not known to kernels");
                return self.refused_value();
            }
        };
        let operand = self.expr(&u.expr, expect);
        let (tokens, operator) = (operand.tokens, &u.op);
        if operand.class.is_scalar() {
            let kind = ExprKind::Unary(op, Box::new(operand.tree), None);
            return self.value(kind, whole, quote!(#operator #tokens), Class::Scalar);
        }
        let Extent { first, last } = Extent::of(whole);
        let (note, variable) = self.note(first);
        let function = Ident::new(if op == UnaryOp::Neg { "__Neg" } else { "__Not" }, Span::call_site());
        let inner = quote_spanned!(last=> { __a => *&#function::of(#variable, &__a, #operator __a) });
        let tokens = quote_spanned!(first=> (match (#tokens) #inner));
        self.value(ExprKind::Unary(op, Box::new(operand.tree), Some(note)), whole, tokens, Class::Unknown)
    }

    fn deref(&mut self, whole: &Expr, u: &ExprUnary) -> Value {
        let operand = self.expr(&u.expr, Expect::Open);
        let (star, tokens, class) = (&u.op, operand.tokens, operand.class.pointee());
        self.value(ExprKind::Deref(Box::new(operand.tree)), whole, quote!(#star #tokens), class)
    }

    pub(super) fn assign(&mut self, whole: &Expr, a: &ExprAssign) -> Value {
        let equals = &a.eq_token;
        match &*a.left {
            // `_ = value` evaluates and drops: a `let` without a variable.
            Expr::Infer(underscore) => {
                let right = self.expr(&a.right, Expect::Open);
                let pattern = captured::Pattern {
                    kind: captured::PatternKind::Wild,
                    span: place(underscore.underscore_token.spans[0]),
                };
                let init = Some(right.tree);
                let statement = captured::Statement::Let { pattern, ty: None, init, diverge: None };
                let block = captured::Block { statements: vec![statement], value: None };
                let tokens = right.tokens;
                self.value(
                    ExprKind::Block(None, block),
                    whole,
                    quote!(#underscore #equals #tokens),
                    Class::Unknown,
                )
            }
            Expr::Tuple(tuple) => {
                let right = self.expr(&a.right, Expect::Open);
                let mut places = Vec::new();
                let mut parts = Vec::new();
                for element in &tuple.elems {
                    let (place, tokens) = self.assigned_part(element);
                    places.push(place);
                    parts.push(tokens);
                }
                let mut left = TokenStream::new();
                tuple.paren_token.surround(&mut left, |out| out.extend(quote!(#(#parts,)*)));
                let tokens = right.tokens;
                let kind = ExprKind::AssignTuple(places, Box::new(right.tree));
                self.value(kind, whole, quote!(#left #equals #tokens), Class::Unknown)
            }
            Expr::Array(_) | Expr::Struct(_) | Expr::Call(_) => {
                self.error_at(
                    &a.left,
                    "kernels take apart only tuples by assignment: use `let` and assign the parts",
                );
                self.refused_value()
            }
            place => {
                let expect = if self.is_unsettled(place) { Expect::Open } else { Expect::Known };
                let right = self.expr(&a.right, expect);
                self.settle(place, &right.class);
                let left = self.expr(place, Expect::Open);
                let (l, r) = (left.tokens, right.tokens);
                let kind = ExprKind::Assign(Box::new(left.tree), Box::new(right.tree));
                self.value(kind, whole, quote!(#l #equals #r), Class::Unknown)
            }
        }
    }

    /// A part of the left side of `(a, b) = …`.
    fn assigned_part(&mut self, e: &Expr) -> (Option<captured::Expr>, TokenStream) {
        match e {
            Expr::Infer(underscore) => (None, quote!(#underscore)),
            Expr::Tuple(_) | Expr::Array(_) | Expr::Struct(_) | Expr::Call(_) | Expr::Range(_) => {
                self.error_at(
                    e,
                    "kernels take apart only flat tuples by assignment: use `let` and assign the parts",
                );
                (None, TokenStream::new())
            }
            place => {
                let value = self.expr(place, Expect::Open);
                (Some(value.tree), value.tokens)
            }
        }
    }

    fn is_unsettled(&mut self, place: &Expr) -> bool {
        variable_name(place).and_then(|name| self.scopes.find(name)).is_some_and(|v| v.unsettled)
    }

    /// The first assignment to a `let x;` tells its class.
    fn settle(&mut self, place: &Expr, class: &Class) {
        if self.is_unsettled(place)
            && let Some(name) = variable_name(place)
        {
            self.scopes.settle(name, class.clone());
        }
    }
}

fn variable_name(place: &Expr) -> Option<&Ident> {
    match peel(place) {
        Expr::Path(path) if path.qself.is_none() => path.path.get_ident(),
        _ => None,
    }
}

/// `left OP right`, with a note after it. Every node that rustc may complain about covers what it does in the source.
fn noted_operator(
    b: &ExprBinary,
    function: &Ident,
    variable: &Ident,
    left: TokenStream,
    right: TokenStream,
    by_reference: bool,
) -> TokenStream {
    let (l, r) = (Extent::of(&b.left), Extent::of(&b.right));
    let (a, b_) = operand_names(l, r);
    let (star_a, star_b) = (quote_spanned!(l.first=> *), quote_spanned!(r.first=> *));
    let operator = &b.op;
    let (first, last) = (l.first, r.last);
    // A comparison looks at its operands where they are, all others take them.
    let (subject, a_ref, b_ref) = if by_reference {
        (quote_spanned!(first=> (&(#left), &(#right))), quote!(#a), quote!(#b_))
    } else {
        (quote_spanned!(first=> (#left, #right)), quote!(&#a), quote!(&#b_))
    };
    let (a_value, b_value) = if by_reference {
        (quote!(#star_a #a), quote!(#star_b #b_))
    } else {
        let and_a = quote_spanned!(l.last=> &);
        let and_b = quote_spanned!(r.last=> &);
        (quote!(#star_a #and_a #a), quote!(#star_b #and_b #b_))
    };
    let body = quote_spanned!(last=> {
        (__a, __b) => *&#function::of(#variable, #a_ref, #b_ref, #a_value #operator #b_value)
    });
    quote_spanned!(first=> (match #subject #body))
}

/// The variables that hold the operands: each where its operand ends, both of one origin.
fn operand_names(left: Extent, right: Extent) -> (Ident, Ident) {
    (Ident::new("__a", left.last.resolved_at(right.last)), Ident::new("__b", right.last))
}

/// `left OP= right`, with a note after it.
fn noted_assignment(
    b: &ExprBinary,
    function: &Ident,
    variable: &Ident,
    left: TokenStream,
    right: TokenStream,
) -> TokenStream {
    let (l, r) = (Extent::of(&b.left), Extent::of(&b.right));
    let (a, b_) = operand_names(l, r);
    let (star_a, star_b, and_b) =
        (quote_spanned!(l.first=> *), quote_spanned!(r.first=> *), quote_spanned!(r.last=> &));
    let operator = &b.op;
    let (first, last) = (l.first, r.last);
    let body = quote_spanned!(last=> {
        (__a, __b) => #function::of(#variable, #a, &#b_, #star_a #a #operator #star_b #and_b #b_)
    });
    quote_spanned!(first=> (match (&mut (#left), #right) #body))
}

fn operation(op: &BinOp) -> Option<Operation> {
    use BinaryOp::*;
    use Operation::{Assign, Lazy, Value};
    Some(match op {
        BinOp::And(_) => Lazy { and: true },
        BinOp::Or(_) => Lazy { and: false },
        BinOp::Add(_) => Value(Add),
        BinOp::Sub(_) => Value(Sub),
        BinOp::Mul(_) => Value(Mul),
        BinOp::Div(_) => Value(Div),
        BinOp::Rem(_) => Value(Rem),
        BinOp::BitAnd(_) => Value(BitAnd),
        BinOp::BitOr(_) => Value(BitOr),
        BinOp::BitXor(_) => Value(BitXor),
        BinOp::Shl(_) => Value(Shl),
        BinOp::Shr(_) => Value(Shr),
        BinOp::Eq(_) => Value(Eq),
        BinOp::Ne(_) => Value(Ne),
        BinOp::Lt(_) => Value(Lt),
        BinOp::Le(_) => Value(Le),
        BinOp::Gt(_) => Value(Gt),
        BinOp::Ge(_) => Value(Ge),
        BinOp::AddAssign(_) => Assign(Add),
        BinOp::SubAssign(_) => Assign(Sub),
        BinOp::MulAssign(_) => Assign(Mul),
        BinOp::DivAssign(_) => Assign(Div),
        BinOp::RemAssign(_) => Assign(Rem),
        BinOp::BitAndAssign(_) => Assign(BitAnd),
        BinOp::BitOrAssign(_) => Assign(BitOr),
        BinOp::BitXorAssign(_) => Assign(BitXor),
        BinOp::ShlAssign(_) => Assign(Shl),
        BinOp::ShrAssign(_) => Assign(Shr),
        _ => return None,
    })
}

/// The trait of the operator's note: that of the operator, with `__` before it.
fn note_trait(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "__Add",
        BinaryOp::Sub => "__Sub",
        BinaryOp::Mul => "__Mul",
        BinaryOp::Div => "__Div",
        BinaryOp::Rem => "__Rem",
        BinaryOp::BitAnd => "__BitAnd",
        BinaryOp::BitOr => "__BitOr",
        BinaryOp::BitXor => "__BitXor",
        BinaryOp::Shl => "__Shl",
        BinaryOp::Shr => "__Shr",
        BinaryOp::Eq | BinaryOp::Ne => "__PartialEq",
        BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge => "__PartialOrd",
    }
}
