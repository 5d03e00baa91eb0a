//! Control flow: branches, loops, labels, and the values that they bring.

use super::Lowering;
use super::emit::{Flow, Stop};
use super::machine::Machine;
use super::types::Address;
use super::value::{Pointer, Value};
use inkwell::AddressSpace;
use inkwell::basic_block::BasicBlock;
use inkwell::types::BasicTypeEnum;
use inkwell::values::{BasicValueEnum, PointerValue};
use wavewright_kernel_ir::span::Span;
use wavewright_kernel_ir::typed::*;
use wavewright_kernel_ir::types::{Type, TypeId};

/// A point where ways of control meet, each with its value.
pub(crate) struct Join<'c> {
    block: BasicBlock<'c>,
    ty: TypeId,
    /// Where the value is put, if it is of a type that is kept in memory.
    memory: Option<Address<'c>>,
    incoming: Vec<(Value<'c>, BasicBlock<'c>)>,
}

/// What `break` and `continue` of a label mean.
pub(crate) struct Target<'c> {
    /// Where `break` goes.
    exit: Join<'c>,
    /// Where `continue` goes; none for a labelled block.
    next: Option<BasicBlock<'c>>,
}

impl<'p, 'c, M: Machine<'c>> Lowering<'p, 'c, M> {
    /// Starts a point where control meets with values of type `ty`.
    pub(crate) fn join(&mut self, ty: TypeId, name: &str, span: Span) -> Flow<Join<'c>> {
        let memory = match self.holds_array(ty) {
            true => Some(self.address(Pointer::new(self.temporary(ty, span)?), ty)),
            false => None,
        };
        Ok(Join { block: self.emitter.block(name), ty, memory, incoming: Vec::new() })
    }

    /// Lowers `value` and brings it to the join; control may also go elsewhere in it.
    pub(crate) fn arrive_with(&mut self, join: &mut Join<'c>, value: &Expr) -> Flow<()> {
        match self.expr(value) {
            Ok(value) => self.arrive(join, value),
            Err(Stop::Diverges) => Ok(()),
            Err(stop) => Err(stop),
        }
    }

    /// Ends the current block with a branch to the join.
    pub(crate) fn arrive(&mut self, join: &mut Join<'c>, value: Value<'c>) -> Flow<()> {
        if let Some(address) = join.memory {
            self.store(join.ty, &value, address)?;
        }
        join.incoming.push((value, self.emitter.current()?));
        self.emitter.branch(join.block)
    }

    /// Goes on at the join, with the value that control brought there. Nobody may arrive afterwards.
    pub(crate) fn meet(&mut self, join: Join<'c>) -> Flow<Value<'c>> {
        if !self.enter_if_reached(join.block)? {
            return Err(Stop::Diverges);
        }
        match join.memory {
            Some(address) => self.joined_in_memory(join.ty, address),
            None => self.merge(&join.incoming),
        }
    }

    /// The value at `address`, without a copy: the memory belongs to the join.
    fn joined_in_memory(&mut self, ty: TypeId, address: Address<'c>) -> Flow<Value<'c>> {
        match self.type_of(ty) {
            Type::Array { .. } => Ok(Value::Array(address.pointer)),
            Type::Aggregate(aggregate) => {
                let mut fields = Vec::new();
                for field in &aggregate.fields {
                    let address = self.at_offset(address, field.offset)?;
                    fields.push(self.joined_in_memory(field.ty, address)?);
                }
                Ok(Value::Aggregate(fields))
            }
            Type::Enum(description) => {
                let number = self.stored_variant(description, address)?;
                let payloads = description.variants.iter().map(|v| match v.inhabited {
                    true => self.joined_in_memory(v.payload, address),
                    false => Ok(Value::Undefined),
                });
                Ok(Value::Enum(number, payloads.collect::<Flow<_>>()?))
            }
            _ => self.load(ty, address),
        }
    }

    /// One value made of those that come from different blocks.
    fn merge(&mut self, incoming: &[(Value<'c>, BasicBlock<'c>)]) -> Flow<Value<'c>> {
        if let [(value, _)] = incoming {
            return Ok(value.clone());
        }
        let defined = incoming.iter().find(|(value, _)| !matches!(value, Value::Undefined));
        let Some((shape, _)) = defined else { return Ok(Value::Undefined) };
        let all = incoming.iter().map(|(value, block)| match value {
            Value::Undefined => (undefined_like(shape), *block),
            value => (value.clone(), *block),
        });
        let incoming = all.collect::<Vec<_>>();
        let incoming = incoming.as_slice();
        match shape {
            Value::Int(first) => {
                let parts = parts(incoming, |v| Ok(v.int()?.into()))?;
                Ok(Value::Int(self.phi(first.get_type().into(), &parts)?.into_int_value()))
            }
            Value::Float(first) => {
                let parts = parts(incoming, |v| Ok(v.float()?.into()))?;
                Ok(Value::Float(self.phi(first.get_type().into(), &parts)?.into_float_value()))
            }
            Value::Thin(_) => Ok(Value::Thin(self.merge_pointers(incoming)?)),
            Value::Fat(..) => {
                let pointer = self.merge_pointers(incoming)?;
                let lengths = parts(incoming, |value| match value {
                    Value::Fat(_, length) => Ok(length.into()),
                    _ => Err(Stop::broken("a thin pointer meets a fat one")),
                })?;
                let length = self.phi(self.emitter.i64().into(), &lengths)?.into_int_value();
                Ok(Value::Fat(pointer, length))
            }
            Value::Aggregate(first) => {
                let merge_field = |number: usize| {
                    let field = |value: &Value<'c>| match value {
                        Value::Aggregate(fields) if number < fields.len() => Ok(fields[number].clone()),
                        _ => Err(Stop::broken("structs of different shapes meet")),
                    };
                    let fields = incoming.iter().map(|(value, block)| Ok((field(value)?, *block)));
                    self.merge(&fields.collect::<Flow<Vec<_>>>()?)
                };
                Ok(Value::Aggregate((0..first.len()).map(merge_field).collect::<Flow<_>>()?))
            }
            Value::Enum(number, payloads) => {
                let numbers = parts(incoming, |value| match value {
                    Value::Enum(number, _) => Ok(number.into()),
                    _ => Err(Stop::broken("an enum meets another type")),
                })?;
                let number = self.phi(number.get_type().into(), &numbers)?.into_int_value();
                let merge_payload = |variant: usize| {
                    let payloads = incoming.iter().map(|(value, block)| match value {
                        Value::Enum(_, payloads) if variant < payloads.len() => {
                            Ok((payloads[variant].clone(), *block))
                        }
                        _ => Err(Stop::broken("enums of different shapes meet")),
                    });
                    self.merge(&payloads.collect::<Flow<Vec<_>>>()?)
                };
                let payloads = (0..payloads.len()).map(merge_payload).collect::<Flow<_>>()?;
                Ok(Value::Enum(number, payloads))
            }
            Value::Undefined => Ok(Value::Undefined),
            // Arrays meet in memory, unless one is in a payload that nobody will look at.
            Value::Array(pointer)
                if incoming.iter().all(|(v, _)| matches!(v, Value::Array(p) if p == pointer)) =>
            {
                Ok(Value::Array(*pointer))
            }
            Value::Array(_) => Err(Stop::broken("an array meets another outside memory")),
        }
    }

    /// Pointers of one address space stay there, others meet in the generic one.
    fn merge_pointers(&mut self, incoming: &[(Value<'c>, BasicBlock<'c>)]) -> Flow<Pointer<'c>> {
        let mut pointers = Vec::new();
        for (value, block) in incoming {
            pointers.push((value.clone().pointer()?, *block));
        }
        let ty = pointers[0].0.address.get_type();
        let same = pointers.iter().all(|(pointer, _)| pointer.address.get_type() == ty);
        let invariant = pointers.iter().all(|(pointer, _)| pointer.invariant);
        let ty = if same { ty } else { self.emitter.context.ptr_type(AddressSpace::default()) };
        let mut parts: Vec<(BasicValueEnum<'c>, BasicBlock<'c>)> = Vec::new();
        for (pointer, block) in pointers {
            let address = if same { pointer.address } else { self.generic_at_end(pointer.address, block)? };
            parts.push((address.into(), block));
        }
        let address = self.phi(ty.into(), &parts)?.into_pointer_value();
        Ok(Pointer { address, invariant })
    }

    /// The pointer in the generic address space, cast before the end of `block`.
    fn generic_at_end(&mut self, pointer: PointerValue<'c>, block: BasicBlock<'c>) -> Flow<PointerValue<'c>> {
        let here = self.emitter.current()?;
        match block.get_terminator() {
            Some(terminator) => self.emitter.builder.position_before(&terminator),
            None => return Err(Stop::broken("control comes from a block that has no end")),
        }
        let generic = self.generic(pointer)?;
        self.emitter.enter(here);
        Ok(generic)
    }

    /// A phi, unless every way brings the same value.
    fn phi(
        &self,
        ty: BasicTypeEnum<'c>,
        parts: &[(BasicValueEnum<'c>, BasicBlock<'c>)],
    ) -> Flow<BasicValueEnum<'c>> {
        if parts.iter().all(|(value, _)| *value == parts[0].0) {
            return Ok(parts[0].0);
        }
        let phi = self.emitter.builder.build_phi(ty, "")?;
        for (value, block) in parts {
            phi.add_incoming(&[(value, *block)]);
        }
        Ok(phi.as_basic_value())
    }

    /// Says what `break` and `continue` of a label mean until [`Lowering::leave_label`].
    pub(crate) fn enter_label(&mut self, label: LabelId, exit: Join<'c>, next: Option<BasicBlock<'c>>) {
        self.labels.insert(label, Target { exit, next });
    }

    /// The end of a label's reach: where its `break`s arrive.
    pub(crate) fn leave_label(&mut self, label: LabelId) -> Flow<Join<'c>> {
        let target = self.labels.remove(&label).ok_or_else(|| Stop::broken("a label that is not there"))?;
        Ok(target.exit)
    }

    /// A block that `break` can leave.
    pub(super) fn labeled(&mut self, label: LabelId, body: &Expr, whole: &Expr) -> Flow<Value<'c>> {
        let exit = self.join(whole.ty, "labeled.end", whole.span)?;
        self.enter_label(label, exit, None);
        let value = self.expr(body);
        let mut exit = self.leave_label(label)?;
        match value {
            Ok(value) => self.arrive(&mut exit, value)?,
            Err(Stop::Diverges) => {}
            Err(stop) => return Err(stop),
        }
        self.meet(exit)
    }

    /// `loop`.
    pub(super) fn loop_(&mut self, label: LabelId, body: &Expr, whole: &Expr) -> Flow<Value<'c>> {
        let exit = self.join(whole.ty, "loop.end", whole.span)?;
        let head = self.emitter.block("loop");
        self.emitter.branch(head)?;
        self.emitter.enter(head);
        self.enter_label(label, exit, Some(head));
        match self.expr(body) {
            Ok(_) => self.emitter.branch(head)?,
            Err(Stop::Diverges) => {}
            Err(stop) => return Err(stop),
        }
        let exit = self.leave_label(label)?;
        self.meet(exit)
    }

    /// `break`.
    pub(super) fn break_<T>(&mut self, label: LabelId, value: Option<&Expr>) -> Flow<T> {
        let value = match value {
            Some(value) => self.expr(value)?,
            None => Value::unit(),
        };
        // Taken out while the value is brought there.
        let mut target = self.labels.remove(&label).ok_or_else(|| Stop::broken("a break without a loop"))?;
        self.arrive(&mut target.exit, value)?;
        self.labels.insert(label, target);
        Err(Stop::Diverges)
    }

    /// `continue`.
    pub(super) fn continue_<T>(&mut self, label: LabelId) -> Flow<T> {
        let next = self.labels.get(&label).and_then(|target| target.next);
        self.emitter.branch(next.ok_or_else(|| Stop::broken("a continue without a loop"))?)?;
        Err(Stop::Diverges)
    }

    /// `if`.
    pub(super) fn if_(
        &mut self,
        condition: &Expr,
        then: &Expr,
        otherwise: Option<&Expr>,
        whole: &Expr,
    ) -> Flow<Value<'c>> {
        let then_block = self.emitter.block("then");
        let else_block = self.emitter.block("else");
        self.condition(condition, then_block, else_block)?;
        let mut join = self.join(whole.ty, "if.end", whole.span)?;
        if self.enter_if_reached(then_block)? {
            self.arrive_with(&mut join, then)?;
        }
        if self.enter_if_reached(else_block)? {
            match otherwise {
                Some(otherwise) => self.arrive_with(&mut join, otherwise)?,
                None => self.arrive(&mut join, Value::unit())?,
            }
        }
        self.meet(join)
    }

    /// Goes on in `block`, or deletes it if nothing branches there.
    pub(crate) fn enter_if_reached(&self, block: BasicBlock<'c>) -> Flow<bool> {
        if block.get_first_use().is_some() {
            self.emitter.enter(block);
            return Ok(true);
        }
        // SAFETY: nothing branches to the block, and nothing but the caller, who asks, refers to it.
        unsafe { block.delete().map_err(|()| Stop::broken("a block without a function"))? };
        Ok(false)
    }

    /// Evaluates a `bool` and branches by it. The parts of `&&`, `||` and `!` become branches of their own, also behind
    /// statements. Where the
    /// condition does not come to a value, one block or both may stay without a branch to it
    /// ([`Lowering::enter_if_reached`]).
    pub(crate) fn condition(
        &mut self,
        condition: &Expr,
        then: BasicBlock<'c>,
        otherwise: BasicBlock<'c>,
    ) -> Flow<()> {
        match &condition.kind {
            ExprKind::And(a, b) => {
                let right = self.emitter.block("and");
                self.condition(a, right, otherwise)?;
                match self.enter_if_reached(right)? {
                    true => self.condition(b, then, otherwise),
                    false => Ok(()),
                }
            }
            ExprKind::Or(a, b) => {
                let right = self.emitter.block("or");
                self.condition(a, then, right)?;
                match self.enter_if_reached(right)? {
                    true => self.condition(b, then, otherwise),
                    false => Ok(()),
                }
            }
            ExprKind::Unary(UnaryOp::Not, value) => self.condition(value, otherwise, then),
            ExprKind::Block(statements, Some(value)) => match self.statements(statements) {
                Ok(()) => self.condition(value, then, otherwise),
                Err(Stop::Diverges) => Ok(()),
                Err(stop) => Err(stop),
            },
            _ => {
                let value = match self.expr(condition) {
                    Ok(value) => value.int()?,
                    Err(Stop::Diverges) => return Ok(()),
                    Err(stop) => return Err(stop),
                };
                self.at(condition.span);
                self.emitter.builder.build_conditional_branch(value, then, otherwise)?;
                Ok(())
            }
        }
    }
}

/// A value of the same LLVM types that nobody will look at.
fn undefined_like<'c>(shape: &Value<'c>) -> Value<'c> {
    let pointer = |p: &Pointer<'c>| p.with_address(p.address.get_type().get_poison());
    match shape {
        Value::Int(value) => Value::Int(value.get_type().get_poison()),
        Value::Float(value) => Value::Float(value.get_type().get_poison()),
        Value::Thin(p) => Value::Thin(pointer(p)),
        Value::Fat(p, length) => Value::Fat(pointer(p), length.get_type().get_poison()),
        Value::Aggregate(fields) => Value::Aggregate(vec![Value::Undefined; fields.len()]),
        Value::Enum(number, payloads) => {
            Value::Enum(number.get_type().get_poison(), vec![Value::Undefined; payloads.len()])
        }
        Value::Array(_) | Value::Undefined => shape.clone(),
    }
}

fn parts<'c>(
    incoming: &[(Value<'c>, BasicBlock<'c>)],
    part: impl Fn(Value<'c>) -> Flow<BasicValueEnum<'c>>,
) -> Flow<Vec<(BasicValueEnum<'c>, BasicBlock<'c>)>> {
    incoming.iter().map(|(value, block)| Ok((part(value.clone())?, *block))).collect()
}
