//! A body goes in as syntax and comes out twice: as the captured tree, and as the tokens of its witness.
//!
//! | file | what it captures |
//! |---|---|
//! | `expr` | the choice by kind of expression, and the small ones |
//! | `literal`, `path` | literals; variables, constants, unit structs |
//! | `operator` | `+`, `+=`, `-x`, `&&`, `=` |
//! | `call` | calls and method calls |
//! | `control`, `closure` | `if`, `match`, loops, `return`; closures |
//! | `block` | blocks and statements |
//! | `pattern` | patterns |
//! | `macros`, `source` | the macros that a kernel may call; the source text of an assertion |
//! | `returned` | closures that a function returns |
//! | `types` | types as written |
//! | `scope`, `class`, `notes` | what is bound, what is certain about types, and what has to be recorded |

mod attributes;
mod block;
mod call;
pub mod class;
mod closure;
mod control;
mod expr;
mod literal;
mod macros;
mod notes;
mod operator;
mod path;
mod pattern;
mod returned;
mod scope;
mod source;
mod types;

#[cfg(test)]
mod tests;

use crate::extent::place;
use class::Class;
use notes::Notes;
use proc_macro2::{Ident, Span, TokenStream};
use scope::Scopes;
use std::collections::BTreeMap;
use syn::{Error, FnArg, Pat, ReturnType};
use wavewright_kernel_ir::captured::{self, Body, Note, Param, Pattern, PatternKind, TypeSource};
use wavewright_kernel_ir::scalar::Scalar;

/// What a function is, as far as its body may differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// A kernel: it may declare shared memory.
    Kernel,
    /// A device function.
    Device,
}

/// A function to capture. Generic parameters of the form `impl Trait` have been given names.
pub struct Function<'a> {
    pub role: Role,
    pub signature: &'a syn::Signature,
    pub block: &'a syn::Block,
    /// Whether it is `#[track_caller]`.
    pub track_caller: bool,
    /// The generic type parameters that stand for closures.
    pub closures: &'a [Ident],
    /// The const generic parameters.
    pub constants: &'a [Ident],
}

/// What came of it.
pub struct Captured {
    /// The tree.
    pub body: Body,
    /// `let __g0 = …;`: the groups of notes.
    pub groups: TokenStream,
    /// The tuple of all groups.
    pub all_groups: TokenStream,
    /// The statements of the witness's body.
    pub witness: TokenStream,
    /// Whether the body declares shared memory.
    pub uses_shared: bool,
}

/// An expression, captured.
struct Value {
    tree: captured::Expr,
    tokens: TokenStream,
    class: Class,
}

/// Whether the typed builder knows the type that an expression must have, so that a literal there needs no note.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Expect {
    Known,
    Open,
}

/// The state of the walk.
struct Capture<'a> {
    role: Role,
    closures: &'a [Ident],
    constants: &'a [Ident],
    notes: Notes,
    scopes: Scopes,
    errors: Vec<Error>,
    /// The names of primitive types that the body uses: the witness makes sure that they mean those.
    primitives: BTreeMap<Scalar, Span>,
    /// How deep in expressions and closures we are.
    depth: u32,
    closure_depth: u32,
    block_depth: u32,
    uses_shared: bool,
    /// What is expected of the value of a `return`.
    returns: Expect,
    /// What the signature says about closures that the function returns.
    returned: Option<TokenStream>,
    /// Statements of the witness that go before the current one.
    hoisted: TokenStream,
}

/// Captures the body of a function.
///
/// # Errors
///
/// What kernels can't express, each at its place.
pub fn capture(function: &Function) -> Result<Captured, Vec<Error>> {
    let signature = function.signature;
    let mut capture = Capture {
        role: function.role,
        closures: function.closures,
        constants: function.constants,
        notes: Notes::new(0),
        scopes: Scopes::default(),
        errors: Vec::new(),
        primitives: BTreeMap::new(),
        depth: 0,
        closure_depth: 0,
        block_depth: 0,
        uses_shared: false,
        returns: Expect::Known,
        returned: returned::expectation(&signature.output),
        hoisted: TokenStream::new(),
    };
    capture.refuse_attributes(function.block);
    let params = capture.params(signature);
    let first = params.iter().filter(|p| matches!(p.ty, TypeSource::Note(_))).count() as u32;
    let (result, signature_notes) = capture.result(&signature.output, first);
    capture.notes = Notes::new(signature_notes);
    let (block, witness) = capture.body(function.block);
    if !capture.errors.is_empty() {
        return Err(capture.errors);
    }
    let body = Body {
        params,
        result,
        locals: capture.scopes.into_names(),
        block,
        notes: capture.notes.count(),
        span: place(signature.ident.span()),
    };
    Ok(Captured {
        body,
        groups: capture.notes.groups(),
        all_groups: capture.notes.all_groups(),
        witness,
        uses_shared: capture.uses_shared,
    })
}

impl Capture<'_> {
    /// The parameters: their notes come first, one for each that has a type to record.
    fn params(&mut self, signature: &syn::Signature) -> Vec<Param> {
        let mut params = Vec::new();
        let mut note = 0;
        for input in &signature.inputs {
            let (pattern, ty) = match input {
                FnArg::Receiver(receiver) => (self.receiver(receiver), None),
                FnArg::Typed(typed) => {
                    self.ty(&typed.ty);
                    (self.pattern(&typed.pat, &Class::of(&typed.ty)), Some(&*typed.ty))
                }
            };
            let ty = if let Some(ty) = ty.filter(|ty| self.holds_closure(ty)) {
                match ty {
                    syn::Type::Reference(r) => TypeSource::Reference { mutable: r.mutability.is_some() },
                    _ => TypeSource::Value,
                }
            } else {
                note += 1;
                TypeSource::Note(Note(note - 1))
            };
            params.push(Param { pattern, ty });
        }
        params
    }

    fn receiver(&mut self, receiver: &syn::Receiver) -> Pattern {
        let class =
            if receiver.reference.is_some() { Class::pointer(Class::Unknown) } else { Class::Unknown };
        let local = self.scopes.bind(&Ident::from(receiver.self_token), class);
        let mutable = receiver.mutability.is_some() && receiver.reference.is_none();
        let kind = PatternKind::Binding { local, mutable, by_reference: None, sub: None };
        Pattern { kind, span: place(receiver.self_token.span) }
    }

    /// The result, and how many notes the whole signature has.
    fn result(&mut self, output: &ReturnType, notes: u32) -> (TypeSource, u32) {
        if let ReturnType::Type(_, ty) = output {
            self.ty(ty);
        }
        match result_kind(output) {
            ResultKind::Data if result_holds_closure(output, self.closures) => {
                self.returns = Expect::Open;
                (TypeSource::Value, notes)
            }
            ResultKind::Data => (TypeSource::Note(Note(notes)), notes + 1),
            ResultKind::Opaque | ResultKind::Never => {
                self.returns = Expect::Open;
                (TypeSource::Value, notes)
            }
        }
    }

    /// Whether a parameter of this type holds a closure, or a reference to one.
    fn holds_closure(&self, ty: &syn::Type) -> bool {
        is_closure(ty, self.closures)
    }

    fn error(&mut self, error: Error) {
        self.errors.push(error);
    }

    fn error_at(&mut self, syntax: &impl quote::ToTokens, message: impl std::fmt::Display) {
        self.errors.push(Error::new_spanned(syntax, message));
    }

    /// A new note: its number and its variable.
    fn note(&mut self, span: Span) -> (Note, Ident) {
        self.notes.make(span)
    }
}

/// What a function's result is to its witness.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResultKind {
    /// A type that devices know.
    Data,
    /// `impl Trait`.
    Opaque,
    /// `!`.
    Never,
}

/// What this result is.
pub fn result_kind(output: &ReturnType) -> ResultKind {
    match output {
        ReturnType::Type(_, ty) => match bare_type(ty) {
            syn::Type::Never(_) => ResultKind::Never,
            syn::Type::ImplTrait(_) => ResultKind::Opaque,
            _ => ResultKind::Data,
        },
        ReturnType::Default => ResultKind::Data,
    }
}

/// The type inside parentheses.
pub fn bare_type(ty: &syn::Type) -> &syn::Type {
    match ty {
        syn::Type::Paren(p) => bare_type(&p.elem),
        syn::Type::Group(g) => bare_type(&g.elem),
        other => other,
    }
}

/// Whether the value of a function of this result may hold a closure.
pub fn result_holds_closure(output: &ReturnType, closures: &[Ident]) -> bool {
    matches!(output, ReturnType::Type(_, ty) if is_closure(ty, closures))
}

/// Whether a type is one of these parameters, the iterator that one makes, or a reference to or tuple with such.
pub fn is_closure(ty: &syn::Type, closures: &[Ident]) -> bool {
    match ty {
        syn::Type::Path(path)
            if path.path.segments.len() == 2 && path.path.segments[1].ident == "IntoIter" =>
        {
            closures.contains(&path.path.segments[0].ident)
        }
        syn::Type::Path(path) => closures.iter().any(|c| path.path.is_ident(c)),
        syn::Type::Tuple(tuple) => tuple.elems.iter().any(|ty| is_closure(ty, closures)),
        syn::Type::Reference(r) => is_closure(&r.elem, closures),
        syn::Type::Paren(p) => is_closure(&p.elem, closures),
        syn::Type::Group(g) => is_closure(&g.elem, closures),
        _ => false,
    }
}

/// The variable that a pattern without parts binds.
fn simple_binding(pattern: &Pat) -> Option<&Ident> {
    match pattern {
        Pat::Ident(p) if p.by_ref.is_none() && p.subpat.is_none() => Some(&p.ident),
        Pat::Type(p) => simple_binding(&p.pat),
        Pat::Paren(p) => simple_binding(&p.pat),
        _ => None,
    }
}
