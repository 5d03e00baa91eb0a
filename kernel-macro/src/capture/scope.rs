//! What names mean: variables by number, labels by number.

use super::Expect;
use super::class::Class;
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

/// A loop or labelled block around the place where we are.
struct Target {
    name: Option<String>,
    label: LabelId,
    is_loop: bool,
    expect: Expect,
}

/// Everything that is in scope.
#[derive(Default)]
pub struct Scopes {
    names: Vec<String>,
    variables: Vec<(String, Variable)>,
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
    pub fn bind(&mut self, name: &str, class: Class) -> LocalId {
        let local = LocalId(self.names.len() as u32);
        self.names.push(name.trim_start_matches("r#").into());
        self.variables.push((name.into(), Variable { local, class, unsettled: false }));
        local
    }

    /// Marks the variable bound last as one whose type comes from its first assignment.
    pub fn unsettle_last(&mut self) {
        if let Some((_, variable)) = self.variables.last_mut() {
            variable.unsettled = true;
        }
    }

    /// The first assignment to an unsettled variable.
    pub fn settle(&mut self, name: &str, class: Class) {
        if let Some((_, variable)) = self.variables.iter_mut().rev().find(|(n, _)| n == name) {
            variable.class = class;
            variable.unsettled = false;
        }
    }

    /// The variable that a name means here.
    pub fn find(&self, name: &str) -> Option<&Variable> {
        self.variables.iter().rev().find(|(n, _)| n == name).map(|(_, variable)| variable)
    }

    /// The variable of this name that was bound since `mark`: the alternatives of a pattern share theirs.
    pub fn find_since(&self, mark: Mark, name: &str) -> Option<&Variable> {
        self.variables[mark.0..].iter().rev().find(|(n, _)| n == name).map(|(_, variable)| variable)
    }

    /// The names of all variables, by number.
    pub fn into_names(self) -> Vec<String> {
        self.names
    }

    /// The start of a loop, or of a block with a label.
    pub fn enter_target(&mut self, name: Option<&Lifetime>, is_loop: bool, expect: Expect) -> LabelId {
        let label = LabelId(self.labels);
        self.labels += 1;
        self.targets.push(Target { name: name.map(|l| l.ident.to_string()), label, is_loop, expect });
        label
    }

    /// Its end.
    pub fn leave_target(&mut self) {
        self.targets.pop();
    }

    /// What a `break` or `continue` means, and what is expected of a `break`'s value; none where rustc has an error of
    /// its own.
    pub fn target(&self, name: Option<&Lifetime>) -> Option<(LabelId, Expect)> {
        let found = self.targets.iter().rev().find(|t| match name {
            Some(name) => t.name.as_deref() == Some(name.ident.to_string().as_str()),
            None => t.is_loop,
        });
        found.map(|t| (t.label, t.expect))
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

/// The loops around a closure.
pub struct Outside(Vec<Target>);
