//! The types of a program, with rustc's own layout.
//!
//! A [`TypeTable`] holds each type once. User types enter it through [`DeviceType::describe`], which a derive writes
//! with `size_of`, `align_of` and `offset_of!`, so that no layout is ever computed twice.

mod enumeration;
mod layout;
mod standard;

pub use enumeration::{Enumeration, Tag, Variant};
#[doc(hidden)]
pub use layout::{Samples, VariantShape, enumeration};

use crate::scalar::Scalar;
use std::any::TypeId as RustTypeId;
use std::collections::{HashMap, HashSet};

/// A type of the program: an index into its [`TypeTable`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TypeId(pub u32);

/// Whether what a pointer points to may be changed through it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mutability {
    /// `&T` or `*const T`.
    Shared,
    /// `&mut T` or `*mut T`.
    Mutable,
}

/// A field of an [`Aggregate`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Field {
    /// The field's name; its number for a tuple or a closure's capture.
    pub name: String,
    /// Its type.
    pub ty: TypeId,
    /// Its place in the aggregate, in bytes: rustc's `offset_of!`.
    pub offset: u64,
}

/// What kind of thing an [`Aggregate`] was in the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AggregateKind {
    /// A struct with named fields, a tuple struct or a unit struct.
    Struct,
    /// A tuple; `()` has no fields.
    Tuple,
    /// A closure: its fields are its captures. The number tells closures apart that capture alike.
    Closure(u32),
    /// A `NonZero<T>`: its one field is never 0.
    NonZero,
}

/// A struct, a tuple or a closure.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Aggregate {
    /// What it was in the source.
    pub kind: AggregateKind,
    /// The type's name, for people: `geometry::Circle`, `(f32, u32)`.
    pub name: String,
    /// The fields in declaration order (which need not be the order of their offsets).
    pub fields: Vec<Field>,
    /// Size in bytes.
    pub size: u64,
    /// Alignment in bytes, a power of two.
    pub align: u64,
}

/// A type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// A primitive type.
    Scalar(Scalar),
    /// `!`, the type of what never returns.
    Never,
    /// A reference or raw pointer. To a [`Type::Slice`] or [`Type::Str`] it is fat: address, then length.
    Pointer {
        /// What it points to.
        pointee: TypeId,
        /// Whether it may be written through.
        mutability: Mutability,
        /// Whether it is `*const`/`*mut` rather than a reference.
        raw: bool,
    },
    /// `[T]`.
    Slice(TypeId),
    /// `str`.
    Str,
    /// `[T; N]`.
    Array {
        /// The type of an element.
        element: TypeId,
        /// How many there are.
        length: u64,
    },
    /// A struct, a tuple or a closure.
    Aggregate(Aggregate),
    /// An enum.
    Enum(Enumeration),
}

/// A type that kernels may hold.
///
/// Implemented for the primitive types, references, raw pointers, slices, arrays and tuples of device types; write
/// `#[derive(DeviceType)]` (or `#[device]`) for your own.
///
/// # Safety
///
/// `describe` must report the layout that rustc gives the type: code generation reads and writes memory by it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be used in a kernel",
    label = "not a device type",
    note = "heap types, trait objects and types without `#[derive(DeviceType)]` stay on the host"
)]
pub unsafe trait DeviceType {
    /// What a witness notes of the type: [`Ty<Self>`](crate::witness::Ty).
    #[doc(hidden)]
    type Record: crate::witness::TypeRecord<Of = Self>;

    /// The type's description. Types of fields and elements are entered with [`TypeTable::of`].
    fn describe(table: &mut TypeTable) -> Type;
}

/// The description of a struct `T`: its path, the names of its generic arguments, and its fields with their offsets.
/// Derives call this.
#[doc(hidden)]
pub fn structure<T>(path: &str, arguments: &[String], fields: &[(&str, TypeId, usize)]) -> Type {
    let name = if arguments.is_empty() { path.into() } else { format!("{path}<{}>", arguments.join(", ")) };
    let fields = fields.iter().map(|(name, ty, offset)| Field {
        name: (*name).into(),
        ty: *ty,
        offset: *offset as u64,
    });
    Type::Aggregate(Aggregate {
        kind: AggregateKind::Struct,
        name,
        fields: fields.collect(),
        size: size_of::<T>() as u64,
        align: align_of::<T>() as u64,
    })
}

/// Every type of a program, each once.
#[derive(Clone, Debug, Default)]
pub struct TypeTable {
    types: Vec<Option<Type>>,
    interned: HashMap<Type, TypeId>,
    rust: HashMap<RustTypeId, TypeId>,
}

impl TypeTable {
    /// An empty table.
    pub fn new() -> Self {
        Self::default()
    }

    /// The type `T`, entered if it is new. Lifetimes play no part.
    pub fn of<T: DeviceType + ?Sized>(&mut self) -> TypeId {
        let key = rust_type_id::<T>();
        if let Some(id) = self.rust.get(&key) {
            return *id;
        }
        // The slot comes first, so that a type which points to itself finds it.
        let slot = TypeId(self.types.len() as u32);
        self.types.push(None);
        self.rust.insert(key, slot);
        let described = T::describe(self);
        if let Some(known) = self.interned.get(&described).copied() {
            // Structurally the same as a type made without rustc (`intern`): both names lead to one type.
            self.types[slot.0 as usize] = Some(described);
            self.rust.insert(key, known);
            return known;
        }
        self.interned.insert(described.clone(), slot);
        self.types[slot.0 as usize] = Some(described);
        slot
    }

    /// The type that looks like `ty`, entered if it is new.
    pub fn intern(&mut self, ty: Type) -> TypeId {
        if let Some(id) = self.interned.get(&ty) {
            return *id;
        }
        let id = TypeId(self.types.len() as u32);
        self.interned.insert(ty.clone(), id);
        self.types.push(Some(ty));
        id
    }

    /// Whether `id` names a type of this table.
    pub fn contains(&self, id: TypeId) -> bool {
        self.types.get(id.0 as usize).is_some_and(Option::is_some)
    }

    /// The description of `id`.
    ///
    /// # Panics
    ///
    /// If `id` is of another table, or is still being described.
    pub fn get(&self, id: TypeId) -> &Type {
        self.types[id.0 as usize].as_ref().expect("the type is being described")
    }

    /// The name of the type `T`.
    pub fn name_of<T: DeviceType + ?Sized>(&mut self) -> String {
        let id = self.of::<T>();
        self.name(id)
    }

    /// Every type with its number, in order.
    pub fn iter(&self) -> impl Iterator<Item = (TypeId, &Type)> {
        self.types.iter().enumerate().filter_map(|(i, t)| Some((TypeId(i as u32), t.as_ref()?)))
    }

    /// The primitive type `scalar`.
    pub fn scalar(&mut self, scalar: Scalar) -> TypeId {
        self.intern(Type::Scalar(scalar))
    }

    /// `()`.
    pub fn unit(&mut self) -> TypeId {
        self.of::<()>()
    }

    /// A reference to `pointee`.
    pub fn reference(&mut self, pointee: TypeId, mutability: Mutability) -> TypeId {
        self.intern(Type::Pointer { pointee, mutability, raw: false })
    }

    /// Whether the type has no size known at compile time (`[T]`, `str`).
    pub fn is_unsized(&self, id: TypeId) -> bool {
        // A type that is being described, and points to itself, is sized.
        matches!(self.types.get(id.0 as usize), Some(Some(Type::Slice(_) | Type::Str)))
    }

    /// The types that a value of the type is made of, itself first, each once. Pointers are not followed.
    pub fn parts(&self, id: TypeId) -> Vec<TypeId> {
        let mut parts = vec![id];
        let mut known: HashSet<TypeId> = HashSet::from([id]);
        let mut next = 0;
        while let Some(part) = parts.get(next).copied() {
            next += 1;
            let inside: &mut dyn Iterator<Item = TypeId> = match self.get(part) {
                Type::Slice(element) | Type::Array { element, .. } => &mut std::iter::once(*element),
                Type::Aggregate(a) => &mut a.fields.iter().map(|f| f.ty),
                Type::Enum(e) => &mut e.variants.iter().map(|v| v.payload),
                Type::Scalar(_) | Type::Never | Type::Pointer { .. } | Type::Str => continue,
            };
            parts.extend(inside.filter(|ty| known.insert(*ty)));
        }
        parts
    }

    /// The first scalar in `bytes`, the memory of a value of the type, whose bits no value of it has: a `bool` other than
    /// 0 and 1, a `char` that is none.
    pub fn invalid_scalar(&self, id: TypeId, bytes: &[u8]) -> Option<(Scalar, u128)> {
        let choosy = |_, ty: &Type| matches!(ty, Type::Scalar(Scalar::Bool | Scalar::Char));
        self.find(id, choosy).and_then(|_| self.first_invalid(id, bytes))
    }

    fn first_invalid(&self, id: TypeId, bytes: &[u8]) -> Option<(Scalar, u128)> {
        if bytes.is_empty() {
            return None;
        }
        let part = |offset: u64, ty: TypeId| {
            let end = offset.checked_add(self.size(ty))?;
            self.first_invalid(ty, bytes.get(offset as usize..end as usize)?)
        };
        match self.get(id) {
            Type::Scalar(scalar) => {
                let mut wide = [0; 16];
                let length = bytes.len().min(wide.len());
                wide[..length].copy_from_slice(&bytes[..length]);
                let bits = u128::from_le_bytes(wide);
                (!scalar.holds(bits)).then_some((*scalar, bits))
            }
            Type::Array { element, length } => {
                let size = self.size(*element);
                (0..*length).find_map(|number| part(number * size, *element))
            }
            Type::Aggregate(a) => a.fields.iter().find_map(|f| part(f.offset, f.ty)),
            // Bytes that are no variant are told apart where the constant is used.
            Type::Enum(e) => e.variant_of(bytes).and_then(|n| part(0, e.variants[n as usize].payload)),
            Type::Never | Type::Pointer { .. } | Type::Slice(_) | Type::Str => None,
        }
    }

    /// Size in bytes of a sized type; of `[T]` and `str`, the size of an element. `u64::MAX` where it is past counting,
    /// as of an array type that rustc never saw.
    pub fn size(&self, id: TypeId) -> u64 {
        match self.get(id) {
            Type::Scalar(s) => s.size(),
            Type::Never => 0,
            Type::Pointer { pointee, .. } if self.is_unsized(*pointee) => 16,
            Type::Pointer { .. } => 8,
            Type::Slice(element) => self.size(*element),
            Type::Str => 1,
            Type::Array { element, length } => self.size(*element).saturating_mul(*length),
            Type::Aggregate(a) => a.size,
            Type::Enum(e) => e.size,
        }
    }

    /// Alignment in bytes.
    pub fn align(&self, id: TypeId) -> u64 {
        match self.get(id) {
            Type::Scalar(s) => s.align(),
            Type::Never | Type::Str => 1,
            Type::Pointer { .. } => 8,
            Type::Slice(element) | Type::Array { element, .. } => self.align(*element),
            Type::Aggregate(a) => a.align,
            Type::Enum(e) => e.align,
        }
    }

    /// The primitive type behind `id`, if it is one.
    pub fn as_scalar(&self, id: TypeId) -> Option<Scalar> {
        match self.get(id) {
            Type::Scalar(s) => Some(*s),
            _ => None,
        }
    }

    /// The type's name, for people: `&mut [f32]`.
    pub fn name(&self, id: TypeId) -> String {
        match self.get(id) {
            Type::Scalar(s) => s.name().into(),
            Type::Never => "!".into(),
            Type::Pointer { pointee, mutability, raw } => {
                let sigil = match (raw, mutability) {
                    (false, Mutability::Shared) => "&",
                    (false, Mutability::Mutable) => "&mut ",
                    (true, Mutability::Shared) => "*const ",
                    (true, Mutability::Mutable) => "*mut ",
                };
                format!("{sigil}{}", self.name(*pointee))
            }
            Type::Slice(element) => format!("[{}]", self.name(*element)),
            Type::Str => "str".into(),
            Type::Array { element, length } => format!("[{}; {length}]", self.name(*element)),
            Type::Aggregate(a) => a.name.clone(),
            Type::Enum(e) => e.name.clone(),
        }
    }

    /// The first type inside `id`, itself included, of which `wanted` holds. Pointers are not followed.
    pub fn find(&self, id: TypeId, wanted: impl Fn(TypeId, &Type) -> bool) -> Option<TypeId> {
        self.parts(id).into_iter().find(|part| wanted(*part, self.get(*part)))
    }
}

/// rustc's `TypeId` of any type, with lifetimes left out of account.
///
/// It tells instances of functions and closures apart.
pub fn rust_type_id<T: ?Sized>() -> RustTypeId {
    trait Identity {
        fn identity(&self) -> RustTypeId
        where
            Self: 'static;
    }
    impl<T: ?Sized> Identity for std::marker::PhantomData<T> {
        fn identity(&self) -> RustTypeId
        where
            Self: 'static,
        {
            RustTypeId::of::<T>()
        }
    }
    let probe = std::marker::PhantomData::<T>;
    let object: &dyn Identity = &probe;
    // SAFETY: only the lifetime bound of the trait object changes. `identity` reads no data, and `TypeId` does not
    // depend on lifetimes, so calling it without `Self: 'static` can observe nothing that has ended.
    let object = unsafe { std::mem::transmute::<&dyn Identity, &(dyn Identity + 'static)>(object) };
    object.identity()
}

macro_rules! scalars {
    ($($rust:ty => $scalar:ident),*) => { $(
        // SAFETY: a scalar's size and alignment are those of the primitive type.
        unsafe impl DeviceType for $rust {
            type Record = crate::witness::Ty<Self>;
            fn describe(_: &mut TypeTable) -> Type { Type::Scalar(Scalar::$scalar) }
        }
    )* };
}
scalars! {
    bool => Bool, char => Char, i8 => I8, i16 => I16, i32 => I32, i64 => I64, i128 => I128, isize => Isize,
    u8 => U8, u16 => U16, u32 => U32, u64 => U64, u128 => U128, usize => Usize, f32 => F32, f64 => F64
}

macro_rules! pointers {
    ($($rust:ty, $mutability:ident, $raw:literal);*) => { $(
        // SAFETY: a pointer to a sized type is an address, one to a slice or `str` an address and a length, as
        // `TypeTable::size` has it.
        unsafe impl<T: DeviceType + ?Sized> DeviceType for $rust {
            type Record = crate::witness::Ty<Self>;
            fn describe(table: &mut TypeTable) -> Type {
                Type::Pointer { pointee: table.of::<T>(), mutability: Mutability::$mutability, raw: $raw }
            }
        }
    )* };
}
pointers! { &T, Shared, false; &mut T, Mutable, false; *const T, Shared, true; *mut T, Mutable, true }

// SAFETY: the layout of a slice is that of its elements in a row.
unsafe impl<T: DeviceType> DeviceType for [T] {
    type Record = crate::witness::Ty<Self>;
    fn describe(table: &mut TypeTable) -> Type {
        Type::Slice(table.of::<T>())
    }
}
// SAFETY: `str` is bytes in a row.
unsafe impl DeviceType for str {
    type Record = crate::witness::Ty<Self>;
    fn describe(_: &mut TypeTable) -> Type {
        Type::Str
    }
}
// SAFETY: an array's layout is that of its elements in a row.
unsafe impl<T: DeviceType, const N: usize> DeviceType for [T; N] {
    type Record = crate::witness::Ty<Self>;
    fn describe(table: &mut TypeTable) -> Type {
        Type::Array { element: table.of::<T>(), length: N as u64 }
    }
}
macro_rules! tuples {
    ($(($($t:ident $n:tt),*))*) => { $(
        // SAFETY: size, alignment and offsets are asked of rustc.
        unsafe impl<$($t: DeviceType),*> DeviceType for ($($t,)*) {
            type Record = crate::witness::Ty<Self>;
            fn describe(_table: &mut TypeTable) -> Type {
                let fields: Vec<Field> = vec![$(Field {
                    name: stringify!($n).into(),
                    ty: _table.of::<$t>(),
                    offset: std::mem::offset_of!(Self, $n) as u64,
                }),*];
                let names: Vec<String> = fields.iter().map(|f| _table.name(f.ty)).collect();
                let comma = if names.len() == 1 { "," } else { "" };
                Type::Aggregate(Aggregate {
                    kind: AggregateKind::Tuple,
                    name: format!("({}{comma})", names.join(", ")),
                    fields,
                    size: size_of::<Self>() as u64,
                    align: align_of::<Self>() as u64,
                })
            }
        }
    )* };
}
tuples! {
    ()
    (A 0)
    (A 0, B 1)
    (A 0, B 1, C 2)
    (A 0, B 1, C 2, D 3)
    (A 0, B 1, C 2, D 3, E 4)
    (A 0, B 1, C 2, D 3, E 4, F 5)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7)
}
