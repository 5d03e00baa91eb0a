//! Where variables live.
//!
//! A variable that is written once, where it is declared, that nobody borrows, and that is read only behind that place
//! in its own block, or where the condition holds that binds it, is the value that it was given. Every other one is memory in the entry block; LLVM's SROA turns
//! most of those into values too.

use super::Lowering;
use super::emit::{Flow, Stop};
use super::machine::Machine;
use super::types::Address;
use super::value::{Pointer, Value};
use inkwell::values::PointerValue;
use wavewright_kernel_ir::typed::*;
use wavewright_kernel_ir::visit::{Visit, walk_expr, walk_place, walk_statement};

/// Where a variable is.
#[derive(Clone, Debug)]
pub(crate) enum Home<'c> {
    /// It is this value.
    Value(Value<'c>),
    /// It is in memory.
    Memory(PointerValue<'c>),
}

impl<'p, 'c, M: Machine<'c>> Lowering<'p, 'c, M> {
    /// Where a variable is that has been declared.
    pub(crate) fn home(&mut self, local: LocalId) -> Flow<Home<'c>> {
        if let Some(pointer) = self.machine.home(&self.emitter, local)? {
            return Ok(Home::Memory(pointer));
        }
        let number = local.0 as usize;
        if let Some(home) = &self.homes[number] {
            return Ok(home.clone());
        }
        let declared = &self.kernel_function().locals[number];
        if !self.in_memory[number] {
            return Err(Stop::broken(format!("variable `{}` is read before it is bound", declared.name)));
        }
        let home = Home::Memory(self.temporary(declared.ty, declared.span)?);
        self.homes[number] = Some(home.clone());
        Ok(home)
    }

    /// The place of a variable in memory, if it is there.
    pub(crate) fn memory_home(&mut self, local: LocalId) -> Flow<Option<Address<'c>>> {
        if !self.in_memory[local.0 as usize] && self.machine.home(&self.emitter, local)?.is_none() {
            return Ok(None);
        }
        let ty = self.kernel_function().locals[local.0 as usize].ty;
        match self.home(local)? {
            Home::Memory(pointer) => Ok(Some(self.address(Pointer::new(pointer), ty))),
            Home::Value(_) => Ok(None),
        }
    }

    /// `let local = value;`
    pub(crate) fn bind(&mut self, local: LocalId, value: Option<&Expr>) -> Flow<()> {
        let memory = self.memory_home(local)?;
        match (memory, value) {
            (_, None) => Ok(()),
            (Some(address), Some(value)) => self.expr_into(value, address),
            (None, Some(value)) => {
                let value = self.expr(value)?;
                self.homes[local.0 as usize] = Some(Home::Value(value));
                Ok(())
            }
        }
    }

    /// Gives a variable a value that is at hand.
    pub(crate) fn bind_value(&mut self, local: LocalId, value: Value<'c>) -> Flow<()> {
        let ty = self.kernel_function().locals[local.0 as usize].ty;
        match self.memory_home(local)? {
            Some(address) => self.store(ty, &value, address),
            None => {
                self.homes[local.0 as usize] = Some(Home::Value(value));
                Ok(())
            }
        }
    }
}

/// Which variables of a function have to be in memory.
pub(crate) fn in_memory(function: &Function) -> Vec<bool> {
    let mut uses = Uses {
        in_memory: vec![false; function.locals.len()],
        state: vec![State::Unbound; function.locals.len()],
    };
    for param in &function.params {
        uses.state[param.0 as usize] = State::InScope;
    }
    uses.expr(&function.body);
    uses.in_memory
}

/// The variable that a statement brings into scope.
fn declared(statement: &Statement) -> Option<LocalId> {
    match statement {
        Statement::Let(local, _) => Some(*local),
        Statement::Expr(_) => None,
    }
}

#[derive(Clone, Copy, PartialEq)]
enum State {
    Unbound,
    InScope,
    OutOfScope,
}

struct Uses {
    in_memory: Vec<bool>,
    state: Vec<State>,
}

impl Uses {
    /// The variable that a place is part of, if it is part of one.
    fn root(place: &Place) -> Option<LocalId> {
        match &place.kind {
            PlaceKind::Local(local) => Some(*local),
            PlaceKind::Field(base, _)
            | PlaceKind::Variant(base, _)
            | PlaceKind::Index { base, .. }
            | PlaceKind::Subslice { base, .. } => Self::root(base),
            PlaceKind::Deref(_) | PlaceKind::Constant(_) | PlaceKind::Shared(_) => None,
        }
    }

    /// A condition. What it binds wherever it holds is added to `bound`, and stays in scope.
    fn condition(&mut self, condition: &Expr, bound: &mut Vec<LocalId>) {
        match &condition.kind {
            ExprKind::And(a, b) => {
                self.condition(a, bound);
                self.condition(b, bound);
            }
            ExprKind::Block(statements, Some(value)) => {
                for statement in statements {
                    self.statement(statement);
                    bound.extend(declared(statement));
                }
                self.condition(value, bound);
            }
            _ => self.expr(condition),
        }
    }

    fn leave_scope(&mut self, locals: impl IntoIterator<Item = LocalId>) {
        for local in locals {
            self.state[local.0 as usize] = State::OutOfScope;
        }
    }

    fn needs_memory(&mut self, place: &Place) {
        if let Some(local) = Self::root(place) {
            self.in_memory[local.0 as usize] = true;
        }
    }
}

impl Visit for Uses {
    fn expr(&mut self, node: &Expr) {
        match &node.kind {
            ExprKind::AddressOf(place) | ExprKind::Assign(place, _) | ExprKind::AssignBinary(_, place, _) => {
                self.needs_memory(place);
            }
            ExprKind::And(..) => {
                let mut bound = Vec::new();
                self.condition(node, &mut bound);
                return self.leave_scope(bound);
            }
            ExprKind::If(condition, then, otherwise) => {
                let mut bound = Vec::new();
                self.condition(condition, &mut bound);
                self.expr(then);
                self.leave_scope(bound);
                return otherwise.iter().for_each(|e| self.expr(e));
            }
            _ => {}
        }
        walk_expr(self, node);
        if let ExprKind::Block(statements, _) = &node.kind {
            self.leave_scope(statements.iter().filter_map(declared));
        }
    }

    fn place(&mut self, node: &Place) {
        if let PlaceKind::Local(local) = node.kind {
            let number = local.0 as usize;
            self.in_memory[number] |= self.state[number] != State::InScope;
        }
        walk_place(self, node);
    }

    fn statement(&mut self, node: &Statement) {
        walk_statement(self, node);
        if let Statement::Let(local, value) = node {
            let number = local.0 as usize;
            // Bound in two places, or written later.
            self.in_memory[number] |= self.state[number] != State::Unbound || value.is_none();
            self.state[number] = State::InScope;
        }
    }
}
