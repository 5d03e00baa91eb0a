//! Expressions: which code each is.

use super::emit::{Flow, Stop};
use super::machine::Machine;
use super::types::Address;
use super::value::{Pointer, Value};
use super::{Entered, Lowering};
use inkwell::IntPredicate;
use wavewright_kernel_ir::span::Span;
use wavewright_kernel_ir::typed::*;
use wavewright_kernel_ir::types::{Type, TypeId};

/// Up to so many elements, `[x; N]` is as many stores; above, a loop.
const REPEAT_STORES: u64 = 16;

impl<'p, 'c, M: Machine<'c>> Lowering<'p, 'c, M> {
    /// The value of an expression.
    pub(crate) fn expr(&mut self, expr: &Expr) -> Flow<Value<'c>> {
        match &expr.kind {
            ExprKind::Scalar(bits) => self.scalar(*bits, expr.ty),
            ExprKind::Bytes(bytes) => self.bytes(bytes, expr.ty),
            ExprKind::Load(place) => self.read(place),
            ExprKind::AddressOf(place) => self.address_of(place),
            ExprKind::Length(place) => self.length(place).map(Value::Int),
            ExprKind::Unary(op, value) => self.unary(*op, value, expr.span),
            ExprKind::Binary(op, a, b) => self.binary(*op, a, b, expr.span),
            ExprKind::And(..) | ExprKind::Or(..) => self.lazy(expr),
            ExprKind::Cast(kind, value) => self.cast(*kind, value, expr),
            ExprKind::Aggregate { parts, order } => self.aggregate(parts, order, expr),
            ExprKind::Variant(number, payload) => {
                let payload = self.expr(payload)?;
                self.variant_value(expr.ty, *number, payload)
            }
            ExprKind::VariantOf(place) => self.variant_of(place).map(Value::Int),
            ExprKind::Repeat(_) => self.in_memory(expr),
            ExprKind::Call(..) => Err(Stop::broken("a call that was not inlined")),
            ExprKind::Builtin(builtin, arguments) => self.builtin(*builtin, arguments, expr),
            ExprKind::Block(statements, value) => {
                self.statements(statements)?;
                value.as_ref().map_or(Ok(Value::unit()), |value| self.expr(value))
            }
            ExprKind::Labeled(label, body) => self.labeled(*label, body, expr),
            ExprKind::If(condition, then, otherwise) => self.if_(condition, then, otherwise.as_deref(), expr),
            ExprKind::Loop(label, body) => self.loop_(*label, body, expr),
            ExprKind::Break(label, value) => self.break_(*label, value.as_deref()),
            ExprKind::Continue(label) => self.continue_(*label),
            ExprKind::Return(value) => self.return_(value.as_deref()),
            ExprKind::Assign(place, value) => self.assign(place, value),
            ExprKind::AssignBinary(op, place, value) => self.assign_binary(*op, place, value, expr.span),
            ExprKind::Panic(kind) => self.panic(kind.clone(), &[], expr.span),
            ExprKind::Inlined(function, body) => {
                self.enter_function(*function, expr.span);
                let value = self.expr(body);
                self.leave_function();
                value
            }
        }
    }

    /// Evaluates an expression into memory that nothing else refers to yet.
    pub(crate) fn expr_into(&mut self, expr: &Expr, to: Address<'c>) -> Flow<()> {
        match &expr.kind {
            ExprKind::Load(place) if self.holds_array(expr.ty) => self.read_into(place, to),
            ExprKind::Bytes(bytes) if self.holds_array(expr.ty) => self.bytes_into(bytes, expr.ty, to),
            ExprKind::Aggregate { parts, order } if self.holds_array(expr.ty) => {
                self.aggregate_into(parts, order, expr, to)
            }
            ExprKind::Repeat(value) => self.repeat_into(value, expr, to),
            ExprKind::Block(statements, Some(value)) => {
                self.statements(statements)?;
                self.expr_into(value, to)
            }
            ExprKind::Inlined(function, body) => {
                self.enter_function(*function, expr.span);
                let done = self.expr_into(body, to);
                self.leave_function();
                done
            }
            _ => {
                let value = self.expr(expr)?;
                self.at(expr.span);
                self.store(expr.ty, &value, to)
            }
        }
    }

    /// Statements in order.
    pub(crate) fn statements(&mut self, statements: &[Statement]) -> Flow<()> {
        statements.iter().try_for_each(|statement| self.statement(statement))
    }

    /// One statement.
    pub(crate) fn statement(&mut self, statement: &Statement) -> Flow<()> {
        match statement {
            Statement::Let(local, value) => self.bind(*local, value.as_ref()),
            Statement::Expr(expr) => self.expr(expr).map(drop),
        }
    }

    /// The code that follows is `function`'s, called at `call`.
    pub(crate) fn enter_function(&mut self, function: FunctionId, call: Span) {
        let tracks = self.program.functions[function.0 as usize].track_caller;
        let caller = tracks.then(|| self.source(call));
        self.functions.push(Entered { function, caller });
        if let Some(debug) = &mut self.debug {
            debug.enter(&self.emitter, self.program, function, call);
        }
    }

    /// The end of the code of the innermost function.
    pub(crate) fn leave_function(&mut self) {
        self.functions.pop();
        if let Some(debug) = &mut self.debug {
            debug.leave();
        }
    }

    fn scalar(&self, bits: u128, ty: TypeId) -> Flow<Value<'c>> {
        let scalar = self.scalar_of(ty)?;
        let words = [bits as u64, (bits >> 64) as u64];
        let int =
            self.int_type(scalar.bits()).const_int_arbitrary_precision(&words[..words_of(scalar.bits())]);
        if !scalar.is_float() {
            return Ok(Value::Int(int));
        }
        let float = self.emitter.builder.build_bit_cast(int, self.scalar_type(scalar), "")?;
        Ok(Value::Float(float.into_float_value()))
    }

    fn bytes(&mut self, bytes: &[u8], ty: TypeId) -> Flow<Value<'c>> {
        match self.type_of(ty) {
            Type::Scalar(scalar) => {
                let mut all = [0; 16];
                all.get_mut(..bytes.len())
                    .ok_or_else(|| Stop::broken("too many bytes"))?
                    .copy_from_slice(bytes);
                debug_assert_eq!(bytes.len() as u64, scalar.size());
                self.scalar(u128::from_le_bytes(all), ty)
            }
            Type::Array { .. } => Ok(Value::Array(self.constant(bytes, self.align(ty)))),
            Type::Aggregate(aggregate) => {
                let mut fields = Vec::new();
                for field in &aggregate.fields {
                    let (start, size) = (field.offset as usize, self.size(field.ty) as usize);
                    let part = bytes.get(start..start + size).ok_or_else(|| Stop::broken("too few bytes"))?;
                    fields.push(self.bytes(part, field.ty)?);
                }
                Ok(Value::Aggregate(fields))
            }
            Type::Enum(description) => {
                let number = description.variant_of(bytes);
                let number = number.ok_or_else(|| Stop::broken("the bytes of no variant"))?;
                let payload = self.bytes(bytes, description.variants[number as usize].payload)?;
                self.variant_value(ty, number, payload)
            }
            _ => Err(Stop::broken("the bytes of a type that has no constants")),
        }
    }

    fn bytes_into(&mut self, bytes: &[u8], ty: TypeId, to: Address<'c>) -> Flow<()> {
        let constant = self.constant(bytes, self.align(ty));
        self.copy(ty, self.address(constant, ty), to)
    }

    /// `&&`, `||` as a value.
    fn lazy(&mut self, expr: &Expr) -> Flow<Value<'c>> {
        let (yes, no) = (self.emitter.block("true"), self.emitter.block("false"));
        self.condition(expr, yes, no)?;
        let mut join = self.join(expr.ty, "lazy.end", expr.span)?;
        for (block, value) in [(yes, 1), (no, 0)] {
            if self.enter_if_reached(block)? {
                self.arrive(&mut join, Value::Int(self.emitter.i1().const_int(value, false)))?;
            }
        }
        self.meet(join)
    }

    fn aggregate(&mut self, parts: &[Expr], order: &[u32], whole: &Expr) -> Flow<Value<'c>> {
        if matches!(self.type_of(whole.ty), Type::Array { .. }) {
            return self.in_memory(whole);
        }
        let mut values = vec![Value::unit(); parts.len()];
        for number in evaluation_order(parts, order) {
            values[number] = self.expr(&parts[number])?;
        }
        Ok(Value::Aggregate(values))
    }

    fn aggregate_into(&mut self, parts: &[Expr], order: &[u32], whole: &Expr, to: Address<'c>) -> Flow<()> {
        for number in evaluation_order(parts, order) {
            let part = &parts[number];
            let offset = match self.type_of(whole.ty) {
                Type::Aggregate(aggregate) => aggregate.fields[number].offset,
                _ => self.size(part.ty) * number as u64,
            };
            let address = self.at_offset(to, offset)?;
            self.expr_into(part, address)?;
        }
        Ok(())
    }

    /// An array, built in memory of its own.
    fn in_memory(&mut self, expr: &Expr) -> Flow<Value<'c>> {
        let pointer = Pointer::new(self.temporary(expr.ty, expr.span)?);
        let address = self.address(pointer, expr.ty);
        match &expr.kind {
            ExprKind::Repeat(value) => self.repeat_into(value, expr, address)?,
            ExprKind::Aggregate { parts, order } => self.aggregate_into(parts, order, expr, address)?,
            _ => return Err(Stop::broken("not an array's expression")),
        }
        Ok(Value::Array(pointer))
    }

    fn repeat_into(&mut self, value: &Expr, whole: &Expr, to: Address<'c>) -> Flow<()> {
        let Type::Array { element, length } = *self.type_of(whole.ty) else {
            return Err(Stop::broken("a repetition that is no array"));
        };
        let value = self.expr(value)?;
        self.at(whole.span);
        if self.size(element) == 0 {
            return Ok(());
        }
        if is_zero(&value) {
            return self.zero(whole.ty, to);
        }
        if length <= REPEAT_STORES {
            for number in 0..length {
                let address = self.at_offset(to, number * self.size(element))?;
                self.store(element, &value, address)?;
            }
            return Ok(());
        }
        self.repeat_in_loop(element, length, &value, to)
    }

    fn repeat_in_loop(
        &mut self,
        element: TypeId,
        length: u64,
        value: &Value<'c>,
        to: Address<'c>,
    ) -> Flow<()> {
        let i64 = self.emitter.i64();
        let (before, body, end) =
            (self.emitter.current()?, self.emitter.block("fill"), self.emitter.block("filled"));
        self.emitter.branch(body)?;
        self.emitter.enter(body);
        let phi = self.emitter.builder.build_phi(i64, "")?;
        let number = phi.as_basic_value().into_int_value();
        let address = self.at_index(to, element, number)?;
        self.store(element, value, address)?;
        let next = self.emitter.builder.build_int_nuw_add(number, i64.const_int(1, false), "")?;
        phi.add_incoming(&[(&i64.const_zero(), before), (&next, self.emitter.current()?)]);
        let all = i64.const_int(length, false);
        let more = self.emitter.builder.build_int_compare(IntPredicate::ULT, next, all, "")?;
        self.emitter.builder.build_conditional_branch(more, body, end)?;
        self.emitter.enter(end);
        Ok(())
    }

    fn zero(&mut self, ty: TypeId, to: Address<'c>) -> Flow<()> {
        let (byte, size) =
            (self.emitter.i8().const_zero(), self.emitter.i64().const_int(self.size(ty), false));
        let pointer = to.pointer.address;
        self.emitter.builder.build_memset(pointer, to.align as u32, byte, size)?;
        Ok(())
    }

    fn assign(&mut self, place: &Place, value: &Expr) -> Flow<Value<'c>> {
        let value = self.expr(value)?;
        let address = self.place(place)?;
        self.at(place.span);
        self.store(place.ty, &value, address)?;
        Ok(Value::unit())
    }

    fn assign_binary(&mut self, op: BinaryOp, place: &Place, value: &Expr, span: Span) -> Flow<Value<'c>> {
        let right = self.expr(value)?;
        let address = self.place(place)?;
        self.at(span);
        let left = self.load(place.ty, address)?;
        let value = self.arithmetic(op, (left, place.ty), (right, value.ty), span)?;
        self.store(place.ty, &value, address)?;
        Ok(Value::unit())
    }

    fn return_(&mut self, value: Option<&Expr>) -> Flow<Value<'c>> {
        if let Some(value) = value {
            self.expr(value)?;
        }
        self.emitter.branch(self.machine.thread_end())?;
        Err(Stop::Diverges)
    }
}

/// How many 64-bit words hold so many bits.
const fn words_of(bits: u32) -> usize {
    if bits > 64 { 2 } else { 1 }
}

/// The numbers of the parts in the order in which they are evaluated.
fn evaluation_order(parts: &[Expr], order: &[u32]) -> Vec<usize> {
    if order.is_empty() {
        (0..parts.len()).collect()
    } else {
        order.iter().map(|number| *number as usize).collect()
    }
}

/// Whether every bit of the value is known to be zero.
fn is_zero(value: &Value<'_>) -> bool {
    match value {
        Value::Int(value) => value.is_const() && value.is_null(),
        Value::Float(value) => value.is_const() && value.is_null(),
        Value::Aggregate(fields) => !fields.is_empty() && fields.iter().all(is_zero),
        Value::Thin(_) | Value::Fat(..) | Value::Array(_) | Value::Enum(..) | Value::Undefined => false,
    }
}
