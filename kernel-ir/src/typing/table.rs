//! The types of the program while it grows: rustc's, and those that need no record.

use crate::scalar::Scalar;
use crate::types::{Aggregate, AggregateKind, Enumeration, Field, Mutability, Type, TypeId, TypeTable};
use std::collections::HashMap;

/// A pointer type taken apart.
#[derive(Clone, Copy)]
pub(super) struct Pointer {
    pub pointee: TypeId,
    pub mutability: Mutability,
    pub raw: bool,
}

/// How long, in bytes, the names of a tuple's parts may be together to be its name.
const LONGEST_NAME: usize = 200;

/// The table, with the types at hand that typing itself brings in.
pub(super) struct Types {
    pub table: TypeTable,
    pub unit: TypeId,
    pub never: TypeId,
    pub bool: TypeId,
    pub usize: TypeId,
    tuples: HashMap<Vec<TypeId>, TypeId>,
    closures: u32,
}

impl Types {
    pub fn new(mut table: TypeTable) -> Self {
        let unit = table.unit();
        let never = table.intern(Type::Never);
        let bool = table.scalar(Scalar::Bool);
        let usize = table.scalar(Scalar::Usize);
        let mut tuples = HashMap::new();
        for (id, ty) in table.iter() {
            if let Type::Aggregate(a) = ty
                && a.kind == AggregateKind::Tuple
            {
                tuples.entry(a.fields.iter().map(|f| f.ty).collect()).or_insert(id);
            }
        }
        Self { table, unit, never, bool, usize, tuples, closures: 0 }
    }

    pub fn get(&self, id: TypeId) -> &Type {
        self.table.get(id)
    }

    pub fn name(&self, id: TypeId) -> String {
        self.table.name(id)
    }

    pub fn scalar(&mut self, scalar: Scalar) -> TypeId {
        self.table.scalar(scalar)
    }

    pub fn as_scalar(&self, id: TypeId) -> Option<Scalar> {
        self.table.as_scalar(id)
    }

    pub fn as_pointer(&self, id: TypeId) -> Option<Pointer> {
        match *self.get(id) {
            Type::Pointer { pointee, mutability, raw } => Some(Pointer { pointee, mutability, raw }),
            _ => None,
        }
    }

    /// What a reference (not a raw pointer) points to.
    pub fn referent(&self, id: TypeId) -> Option<TypeId> {
        self.as_pointer(id).filter(|p| !p.raw).map(|p| p.pointee)
    }

    pub fn pointer(&mut self, pointee: TypeId, mutability: Mutability, raw: bool) -> TypeId {
        self.table.intern(Type::Pointer { pointee, mutability, raw })
    }

    pub fn reference(&mut self, pointee: TypeId, mutability: Mutability) -> TypeId {
        self.pointer(pointee, mutability, false)
    }

    pub fn slice(&mut self, element: TypeId) -> TypeId {
        self.table.intern(Type::Slice(element))
    }

    pub fn array(&mut self, element: TypeId, length: u64) -> TypeId {
        self.table.intern(Type::Array { element, length })
    }

    /// The element type of an array or slice.
    pub fn element(&self, id: TypeId) -> Option<TypeId> {
        match *self.get(id) {
            Type::Array { element, .. } | Type::Slice(element) => Some(element),
            _ => None,
        }
    }

    pub fn is_closure(&self, id: TypeId) -> bool {
        matches!(self.get(id), Type::Aggregate(a) if matches!(a.kind, AggregateKind::Closure(_)))
    }

    /// The number and type of a field.
    pub fn field(&self, id: TypeId, name: &str) -> Option<(u32, TypeId)> {
        let Type::Aggregate(aggregate) = self.get(id) else { return None };
        let number = aggregate.fields.iter().position(|f| f.name == name)?;
        Some((number as u32, aggregate.fields[number].ty))
    }

    /// An enum's description.
    pub fn as_enum(&self, id: TypeId) -> Option<&Enumeration> {
        match self.get(id) {
            Type::Enum(description) => Some(description),
            _ => None,
        }
    }

    /// The types of the fields of a tuple or struct.
    pub fn fields(&self, id: TypeId) -> Option<Vec<TypeId>> {
        match self.get(id) {
            Type::Aggregate(a) => Some(a.fields.iter().map(|f| f.ty).collect()),
            _ => None,
        }
    }

    /// The tuple of these parts: rustc's where it has described it, else (it then never leaves the kernel) our own.
    pub fn tuple(&mut self, parts: &[TypeId]) -> TypeId {
        if let Some(known) = self.tuples.get(parts) {
            return *known;
        }
        let ty = self.lay_out(AggregateKind::Tuple, self.tuple_name(parts), parts);
        self.tuples.insert(parts.to_vec(), ty);
        ty
    }

    /// The name of a tuple, for people. A tuple of tuples of tuples … may name the same part without end: not of those.
    fn tuple_name(&self, parts: &[TypeId]) -> String {
        let names: Vec<String> = parts.iter().map(|p| self.name(*p)).collect();
        if names.iter().map(String::len).sum::<usize>() > LONGEST_NAME {
            return format!("(a tuple of {} parts)", parts.len());
        }
        let comma = if names.len() == 1 { "," } else { "" };
        format!("({}{comma})", names.join(", "))
    }

    /// A new closure type with these captures.
    pub fn closure(&mut self, name: String, captures: &[TypeId]) -> TypeId {
        self.closures += 1;
        self.lay_out(AggregateKind::Closure(self.closures - 1), name, captures)
    }

    /// Fields one after the other, each at the next offset that its alignment allows.
    fn lay_out(&mut self, kind: AggregateKind, name: String, parts: &[TypeId]) -> TypeId {
        let (mut size, mut align) = (0u64, 1);
        let mut fields = Vec::new();
        for (number, part) in parts.iter().enumerate() {
            let offset = round_up(size, self.table.align(*part));
            size = offset.saturating_add(self.table.size(*part));
            align = align.max(self.table.align(*part));
            fields.push(Field { name: number.to_string(), ty: *part, offset });
        }
        let size = round_up(size, align);
        self.table.intern(Type::Aggregate(Aggregate { kind, name, fields, size, align }))
    }

    /// The first type inside `id`, itself included, of which `wanted` holds. Pointers are not followed.
    pub fn find(&self, id: TypeId, wanted: impl Fn(TypeId, &Type) -> bool) -> Option<TypeId> {
        self.table.find(id, wanted)
    }

    /// A pointer somewhere inside `id`.
    pub fn find_pointer(&self, id: TypeId) -> Option<TypeId> {
        self.find(id, |_, ty| matches!(ty, Type::Pointer { .. }))
    }
}

/// The next multiple of an alignment; `u64::MAX` where there is none.
fn round_up(size: u64, align: u64) -> u64 {
    size.checked_next_multiple_of(align).unwrap_or(u64::MAX)
}
