//! What names mean: variables by number, labels by number.
//!
//! A name is its text and its origin. Names of one text and different origin are different variables if macros by example
//! wrote them, but may be the same if a procedural macro did, and we can't tell: we take them for different, and the
//! witness has rustc confirm it.

use super::Expect;
use super::class::Class;
use crate::fragments::Origin;
use proc_macro2::Ident;
use syn::Lifetime;
use wavewright_kernel_ir::captured::{LabelId, LocalId};

/// A variable in scope.
#[derive(Clone, Debug)]
pub struct Variable {
    pub local: LocalId,
    pub class: Class,
    /// Whether it is a `let x;` whose type comes from its first assignment.
    pub unsettled: bool,
}

/// A variable's name.
struct Name {
    text: String,
    origin: Origin,
    ident: Ident,
}

impl Name {
    fn new(ident: &Ident) -> Self {
        Self { text: ident.to_string(), origin: Origin::of(ident.span()), ident: ident.clone() }
    }

    /// Whether it is this one. There is one `self`.
    fn is(&self, text: &str, origin: Origin) -> bool {
        self.text == text && (self.origin == origin || text == "self")
    }
}

/// Two names of one text that must mean different variables.
pub struct Apart {
    pub bound: Ident,
    pub used: Ident,
    origins: (Origin, Origin),
}

/// A loop or labelled block around the place where we are.
struct Target {
    name: Option<(String, Origin)>,
    label: LabelId,
    is_loop: bool,
    expect: Expect,
}

/// Everything that is in scope.
#[derive(Default)]
pub struct Scopes {
    names: Vec<String>,
    variables: Vec<(Name, Variable)>,
    apart: Vec<Apart>,
    targets: Vec<Target>,
    labels: u32,
}

/// What to forget at the end of a block.
#[derive(Clone, Copy)]
pub struct Mark(usize);

impl Scopes {
    /// The start of a block.
    pub fn mark(&self) -> Mark {
        Mark(self.variables.len())
    }

    /// The end of the block that started at `mark`.
    pub fn release(&mut self, mark: Mark) {
        self.variables.truncate(mark.0);
    }

    /// Binds a new variable.
    pub fn bind(&mut self, name: &Ident, class: Class) -> LocalId {
        let local = LocalId(self.names.len() as u32);
        let name = Name::new(name);
        self.names.push(name.text.trim_start_matches("r#").into());
        self.variables.push((name, Variable { local, class, unsettled: false }));
        local
    }

    /// Marks the variable bound last as one whose type comes from its first assignment.
    pub fn unsettle_last(&mut self) {
        if let Some((_, variable)) = self.variables.last_mut() {
            variable.unsettled = true;
        }
    }

    /// The first assignment to an unsettled variable.
    pub fn settle(&mut self, name: &Ident, class: Class) {
        if let Some(at) = self.position(name) {
            let variable = &mut self.variables[at].1;
            variable.class = class;
            variable.unsettled = false;
        }
    }

    /// The variable that a name means here.
    pub fn find(&mut self, name: &Ident) -> Option<&Variable> {
        self.position(name).map(|at| &self.variables[at].1)
    }

    /// The variable of this name that was bound since `mark`: the alternatives of a pattern share theirs.
    pub fn find_since(&mut self, mark: Mark, name: &Ident) -> Option<&Variable> {
        self.position(name).filter(|at| *at >= mark.0).map(|at| &self.variables[at].1)
    }

    fn position(&mut self, name: &Ident) -> Option<usize> {
        let text = name.to_string();
        let mut origin = None;
        for at in (0..self.variables.len()).rev() {
            if self.variables[at].0.text != text {
                continue;
            }
            let origin = *origin.get_or_insert_with(|| Origin::of(name.span()));
            if self.variables[at].0.is(&text, origin) {
                return Some(at);
            }
            self.keep_apart(at, name, origin);
        }
        None
    }

    fn keep_apart(&mut self, at: usize, used: &Ident, origin: Origin) {
        let bound = &self.variables[at].0;
        let origins = (bound.origin, origin);
        if !self.apart.iter().any(|a| a.origins == origins && a.bound == bound.ident) {
            self.apart.push(Apart { bound: bound.ident.clone(), used: used.clone(), origins });
        }
    }

    /// The names that were taken for those of different variables.
    pub fn apart(&self) -> &[Apart] {
        &self.apart
    }

    /// The names of all variables, by number.
    pub fn into_names(self) -> Vec<String> {
        self.names
    }

    /// The start of a loop, or of a block with a label.
    pub fn enter_target(&mut self, name: Option<&Lifetime>, is_loop: bool, expect: Expect) -> LabelId {
        let label = LabelId(self.labels);
        self.labels += 1;
        self.targets.push(Target { name: name.map(label_name), label, is_loop, expect });
        label
    }

    /// Its end.
    pub fn leave_target(&mut self) {
        self.targets.pop();
    }

    /// What a `break` or `continue` means, and what is expected of a `break`'s value; none where rustc has an error of
    /// its own.
    ///
    /// # Errors
    ///
    /// The innermost label of this text has another origin.
    pub fn target(&self, name: Option<&Lifetime>) -> syn::Result<Option<(LabelId, Expect)>> {
        let wanted = name.map(label_name);
        let found = self.targets.iter().rev().find(|t| match (&wanted, &t.name) {
            (Some((wanted, _)), Some((text, _))) => wanted == text,
            (Some(_), None) => false,
            (None, _) => t.is_loop,
        });
        match (found, name) {
            (Some(target), Some(name)) if target.name != wanted => Err(syn::Error::new(
                name.span(),
                format!("macros wrote two labels `{name}` here: give one of them another name"),
            )),
            _ => Ok(found.map(|t| (t.label, t.expect))),
        }
    }

    /// A closure's body starts: `break` can't leave it.
    pub fn enter_closure(&mut self) -> Outside {
        Outside(std::mem::take(&mut self.targets))
    }

    /// A closure's body ends.
    pub fn leave_closure(&mut self, outside: Outside) {
        self.targets = outside.0;
    }
}

fn label_name(label: &Lifetime) -> (String, Origin) {
    (label.ident.to_string(), Origin::of(label.ident.span()))
}

/// The loops around a closure.
pub struct Outside(Vec<Target>);
