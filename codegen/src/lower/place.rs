//! Places: variables, fields, elements, what pointers point to.
//!
//! A place is wanted in one of two ways. To read from it, [`Lowering::read`] will do, which finds the value itself where
//! it never was in memory. To write to it or to borrow it, [`Lowering::place`] gives its address.

use super::Lowering;
use super::emit::{Flow, Stop};
use super::locals::Home;
use super::machine::Machine;
use super::types::Address;
use super::value::{Pointer, Value};
use inkwell::IntPredicate;
use inkwell::values::IntValue;
use wavewright_kernel_ir::span::Span;
use wavewright_kernel_ir::typed::*;
use wavewright_kernel_ir::types::{Type, TypeId};

/// What a place that is read turns out to be.
enum Found<'c> {
    Memory(Address<'c>),
    Value(Value<'c>),
}

impl<'p, 'c, M: Machine<'c>> Lowering<'p, 'c, M> {
    /// What a place holds.
    pub(super) fn read(&mut self, place: &Place) -> Flow<Value<'c>> {
        match self.find(place)? {
            Found::Value(value) => Ok(value),
            Found::Memory(address) => {
                self.at(place.span);
                self.load(place.ty, address)
            }
        }
    }

    /// Copies what a place holds to memory that does not overlap it.
    pub(super) fn read_into(&mut self, place: &Place, to: Address<'c>) -> Flow<()> {
        match self.find(place)? {
            Found::Value(value) => self.store(place.ty, &value, to),
            Found::Memory(address) => {
                self.at(place.span);
                self.copy(place.ty, address, to)
            }
        }
    }

    /// The number of elements of a slice place.
    pub(super) fn length(&mut self, place: &Place) -> Flow<IntValue<'c>> {
        if let Type::Array { length, .. } = self.type_of(place.ty) {
            return Ok(self.emitter.i64().const_int(*length, false));
        }
        match self.find(place)? {
            Found::Memory(Address { length: Some(length), .. }) => Ok(length),
            _ => Err(Stop::broken("the length of something that is no slice")),
        }
    }

    /// The number of the variant that an enum place holds.
    pub(super) fn variant_of(&mut self, place: &Place) -> Flow<IntValue<'c>> {
        match self.find(place)? {
            Found::Value(Value::Enum(number, _)) => Ok(number),
            Found::Value(_) => Err(Stop::broken("the variant of something that is no enum")),
            Found::Memory(address) => {
                self.at(place.span);
                match self.type_of(place.ty) {
                    Type::Enum(description) => self.stored_variant(description, address),
                    _ => Err(Stop::broken("the variant of something that is no enum")),
                }
            }
        }
    }

    /// A pointer to a place.
    pub(super) fn address_of(&mut self, place: &Place) -> Flow<Value<'c>> {
        let address = self.place(place)?;
        match (self.type_of(place.ty), address.length) {
            (Type::Slice(_) | Type::Str, Some(length)) => Ok(Value::Fat(address.pointer, length)),
            (Type::Slice(_) | Type::Str, None) => Err(Stop::broken("a slice without a length")),
            _ => Ok(Value::Thin(address.pointer)),
        }
    }

    /// The address of a place, to write to it or to borrow it.
    pub(crate) fn place(&mut self, place: &Place) -> Flow<Address<'c>> {
        match &place.kind {
            PlaceKind::Local(local) => match self.memory_home(*local)? {
                Some(address) => Ok(address),
                None => Err(Stop::broken("the address of a variable that is not in memory")),
            },
            PlaceKind::Deref(pointer) => self.deref(pointer, place.ty),
            PlaceKind::Field(base, field) => {
                let address = self.place(base)?;
                self.at(place.span);
                self.field(address, base.ty, *field)
            }
            // The payload's offsets are those in the enum.
            PlaceKind::Variant(base, _) => self.place(base),
            PlaceKind::Index { base, index, checked } => {
                let address = self.place(base)?;
                self.element(address, base.ty, index, *checked, place.span)
            }
            PlaceKind::Subslice { base, start, end, inclusive } => {
                let address = self.place(base)?;
                let range = Range { start: start.as_deref(), end: end.as_deref(), inclusive: *inclusive };
                self.subslice(address, base.ty, range, place.span)
            }
            PlaceKind::Constant(bytes) => {
                let pointer = self.constant(bytes, self.align(place.ty));
                Ok(self.address(pointer, place.ty))
            }
            PlaceKind::Shared(shared) => {
                let pointer = self.machine.shared(&self.emitter, *shared)?;
                Ok(self.address(Pointer::new(pointer), place.ty))
            }
        }
    }

    fn find(&mut self, place: &Place) -> Flow<Found<'c>> {
        match &place.kind {
            PlaceKind::Local(local) => Ok(match self.home(*local)? {
                Home::Value(value) => Found::Value(value),
                Home::Memory(pointer) => Found::Memory(self.address(Pointer::new(pointer), place.ty)),
            }),
            PlaceKind::Field(base, field) => match self.find(base)? {
                Found::Value(Value::Aggregate(fields)) => match fields.into_iter().nth(*field as usize) {
                    Some(Value::Undefined) => self.undefined(place.ty).map(Found::Value),
                    Some(value) => Ok(Found::Value(value)),
                    None => Err(Stop::broken("a field that the struct does not have")),
                },
                Found::Value(_) => Err(Stop::broken("a field of something that is no struct")),
                Found::Memory(address) => {
                    self.at(place.span);
                    self.field(address, base.ty, *field).map(Found::Memory)
                }
            },
            PlaceKind::Variant(base, number) => match self.find(base)? {
                Found::Value(Value::Enum(_, payloads)) => match payloads.into_iter().nth(*number as usize) {
                    Some(Value::Undefined) => self.undefined(place.ty).map(Found::Value),
                    Some(value) => Ok(Found::Value(value)),
                    None => Err(Stop::broken("a variant that the enum does not have")),
                },
                Found::Value(_) => Err(Stop::broken("a variant of something that is no enum")),
                Found::Memory(address) => Ok(Found::Memory(address)),
            },
            PlaceKind::Index { base, index, checked } => {
                let address = self.find_sequence(base)?;
                self.element(address, base.ty, index, *checked, place.span).map(Found::Memory)
            }
            PlaceKind::Subslice { base, start, end, inclusive } => {
                let address = self.find_sequence(base)?;
                let range = Range { start: start.as_deref(), end: end.as_deref(), inclusive: *inclusive };
                self.subslice(address, base.ty, range, place.span).map(Found::Memory)
            }
            PlaceKind::Deref(_) | PlaceKind::Constant(_) | PlaceKind::Shared(_) => {
                self.place(place).map(Found::Memory)
            }
        }
    }

    /// Where an array or slice is that is only read.
    fn find_sequence(&mut self, place: &Place) -> Flow<Address<'c>> {
        match self.find(place)? {
            Found::Memory(address) => Ok(address),
            Found::Value(Value::Array(pointer)) => Ok(self.address(pointer, place.ty)),
            Found::Value(_) => Err(Stop::broken("an element of something that is no array")),
        }
    }

    fn deref(&mut self, pointer: &Expr, pointee: TypeId) -> Flow<Address<'c>> {
        match self.expr(pointer)? {
            Value::Thin(pointer) => Ok(self.address(pointer, pointee)),
            Value::Fat(pointer, length) => {
                Ok(Address { pointer, align: self.align(pointee), length: Some(length) })
            }
            _ => Err(Stop::broken("a dereference of something that is no pointer")),
        }
    }

    fn field(&mut self, base: Address<'c>, ty: TypeId, field: u32) -> Flow<Address<'c>> {
        let Type::Aggregate(aggregate) = self.type_of(ty) else {
            return Err(Stop::broken("a field of something that is no struct"));
        };
        let field = &aggregate.fields[field as usize];
        self.at_offset(base, field.offset)
    }

    /// The type of the elements of an array or slice, and their number.
    fn sequence(&self, base: &Address<'c>, ty: TypeId) -> Flow<(TypeId, IntValue<'c>)> {
        match (self.type_of(ty), base.length) {
            (Type::Array { element, length }, _) => {
                Ok((*element, self.emitter.i64().const_int(*length, false)))
            }
            (Type::Slice(element), Some(length)) => Ok((*element, length)),
            _ => Err(Stop::broken("an element of something that is neither array nor slice")),
        }
    }

    fn element(
        &mut self,
        base: Address<'c>,
        ty: TypeId,
        index: &Expr,
        checked: bool,
        span: Span,
    ) -> Flow<Address<'c>> {
        let (element, length) = self.sequence(&base, ty)?;
        let index = self.expr(index)?.int()?;
        self.at(span);
        if checked {
            let outside = self.emitter.builder.build_int_compare(IntPredicate::UGE, index, length, "")?;
            self.panic_if(outside, PanicKind::IndexOutOfBounds, &[index, length], span)?;
        }
        self.at_index(base, element, index)
    }

    fn subslice(&mut self, base: Address<'c>, ty: TypeId, range: Range<'_>, span: Span) -> Flow<Address<'c>> {
        let (element, length) = self.sequence(&base, ty)?;
        let zero = self.emitter.i64().const_zero();
        let start = range.start.map(|start| self.expr(start)?.int()).transpose()?.unwrap_or(zero);
        let end = range.end.map(|end| self.expr(end)?.int()).transpose()?;
        self.at(span);
        let end = match end {
            Some(last) if range.inclusive => self.past_last(last, length, span)?,
            Some(end) => end,
            None => length,
        };
        // In the order of std: the end first, where there is one.
        if range.end.is_some() {
            self.check_slice_order(start, end, span)?;
            let outside = self.emitter.builder.build_int_compare(IntPredicate::UGT, end, length, "")?;
            self.panic_if(outside, PanicKind::SliceEndOutOfBounds, &[end, length], span)?;
        } else {
            self.check_slice_order(start, end, span)?;
        }
        let address = self.at_index(base, element, start)?;
        let length = self.emitter.builder.build_int_nuw_sub(end, start, "")?;
        Ok(Address { length: Some(length), ..address })
    }

    fn check_slice_order(&mut self, start: IntValue<'c>, end: IntValue<'c>, span: Span) -> Flow<()> {
        let backwards = self.emitter.builder.build_int_compare(IntPredicate::UGT, start, end, "")?;
        self.panic_if(backwards, PanicKind::SliceStartAfterEnd, &[start, end], span)
    }

    /// `last + 1`, which must not wrap: a slice that ends at `usize::MAX` is out of bounds.
    fn past_last(&mut self, last: IntValue<'c>, length: IntValue<'c>, span: Span) -> Flow<IntValue<'c>> {
        let highest = self.emitter.i64().const_all_ones();
        let wraps = self.emitter.builder.build_int_compare(IntPredicate::EQ, last, highest, "")?;
        self.panic_if(wraps, PanicKind::SliceEndOutOfBounds, &[last, length], span)?;
        Ok(self.emitter.builder.build_int_nuw_add(last, self.emitter.i64().const_int(1, false), "")?)
    }
}

/// The bounds of a subslice.
struct Range<'e> {
    start: Option<&'e Expr>,
    end: Option<&'e Expr>,
    inclusive: bool,
}
