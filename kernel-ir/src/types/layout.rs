//! The layout of an enum, found out from rustc.
//!
//! Stable Rust has no `offset_of!` for the fields of a variant, and says nowhere how a variant is told from the others. So
//! the derive hands over, for each variant, a function that makes a value of it from [`Samples`] and one that says where the
//! fields of such a value are. What is left, the place of the tag, follows from the fields' places and from the bytes of
//! those values, by the rules of rustc's `layout_of_enum` (`rustc_abi/src/layout.rs`): either the tag is an integer at the
//! start, before all fields, or it is the largest niche (a scalar that has values to spare) of the largest variant.

use super::{Aggregate, AggregateKind, Enumeration, Field, Tag, Type, TypeId, TypeTable, Variant};
use crate::scalar::Scalar;
use std::mem::MaybeUninit;

/// A variant of an enum `T`, as a derive describes it.
pub struct VariantShape<T> {
    /// Its name.
    pub name: &'static str,
    /// The names and types of its fields.
    pub fields: Vec<(&'static str, TypeId)>,
    /// Makes a value of the variant. Called only if one exists.
    pub make: fn(&mut Samples<'_>) -> T,
    /// The addresses of the fields of such a value, in order.
    pub fields_of: fn(&T) -> Vec<*const u8>,
}

/// Makes values of device types from nothing, to look at.
pub struct Samples<'t> {
    table: &'t mut TypeTable,
}

impl Samples<'_> {
    /// A value of type `F`: numbers are 1, references point to zeros.
    pub fn take<F: super::DeviceType>(&mut self) -> F {
        let ty = self.table.of::<F>();
        let mut value = MaybeUninit::<F>::zeroed();
        // SAFETY: the bytes are those of `value`, which has been initialised to zeros.
        let bytes =
            unsafe { std::slice::from_raw_parts_mut(value.as_mut_ptr().cast::<u8>(), size_of::<F>()) };
        sample(self.table, ty, bytes);
        // SAFETY: `sample` writes a valid value of the type that `DeviceType` describes, with rustc's layout. The caller
        // asks for values of inhabited types only, and looks at nothing that a reference in it points to.
        unsafe { value.assume_init() }
    }
}

/// What references of samples point to: aligned for every type of a device, and never looked at.
#[repr(align(4096))]
struct Zeros(#[expect(dead_code, reason = "only its address is used")] [u8; 1 << 16]);
static ZEROS: Zeros = Zeros([0; 1 << 16]);

/// Writes a valid value.
fn sample(table: &TypeTable, ty: TypeId, bytes: &mut [u8]) {
    match table.get(ty) {
        Type::Scalar(_) => bytes[0] = 1,
        Type::Pointer { .. } => {
            let address = std::ptr::from_ref(&ZEROS).expose_provenance();
            bytes[..8].copy_from_slice(&(address as u64).to_ne_bytes());
        }
        Type::Array { element, .. } => {
            let size = table.size(*element) as usize;
            if size > 0 {
                bytes.chunks_exact_mut(size).for_each(|chunk| sample(table, *element, chunk));
            }
        }
        Type::Aggregate(aggregate) => sample_fields(table, &aggregate.fields, bytes),
        Type::Enum(description) => {
            let Some(variant) = description.variants.iter().find(|v| v.inhabited) else { return };
            if let Type::Aggregate(payload) = table.get(variant.payload) {
                sample_fields(table, &payload.fields, bytes);
            }
            if let (Some(tag), Some(bits)) = (description.tag, variant.tag) {
                let (start, size) = (tag.offset as usize, tag.scalar.size() as usize);
                bytes[start..start + size].copy_from_slice(&bits.to_le_bytes()[..size]);
            }
        }
        Type::Never | Type::Slice(_) | Type::Str => {}
    }
}

fn sample_fields(table: &TypeTable, fields: &[Field], bytes: &mut [u8]) {
    for field in fields {
        let (start, size) = (field.offset as usize, table.size(field.ty) as usize);
        sample(table, field.ty, &mut bytes[start..start + size]);
    }
}

/// The description of the enum `T`. Derives call this.
///
/// `repr` is the integer type of `#[repr(u8)]` and the like. `discriminants` are the numbers that `as` gives, where Rust
/// allows that.
pub fn enumeration<T>(
    table: &mut TypeTable,
    path: &str,
    arguments: &[String],
    repr: Option<Scalar>,
    discriminants: Option<&[i128]>,
    shapes: &[VariantShape<T>],
) -> Type {
    let name = if arguments.is_empty() { path.into() } else { format!("{path}<{}>", arguments.join(", ")) };
    let (size, align) = (size_of::<T>() as u64, align_of::<T>() as u64);
    let mut seen = Vec::new();
    for shape in shapes {
        let inhabited = shape.fields.iter().all(|(_, ty)| is_inhabited(table, *ty));
        let observed = inhabited.then(|| observe(table, shape));
        let (offsets, bytes) = observed.unwrap_or_else(|| (vec![0; shape.fields.len()], Vec::new()));
        let fields = shape.fields.iter().zip(offsets);
        let fields = fields.map(|((name, ty), offset)| Field { name: (*name).into(), ty: *ty, offset });
        seen.push(Seen { fields: fields.collect(), bytes, inhabited });
    }
    let told = Told::of(table, &seen, repr, discriminants, size);
    let variants = shapes.iter().zip(seen).enumerate().map(|(number, (shape, seen))| {
        let payload = Type::Aggregate(Aggregate {
            kind: AggregateKind::Struct,
            name: format!("{name}::{}", shape.name),
            fields: seen.fields,
            size,
            align,
        });
        Variant {
            name: shape.name.into(),
            payload: table.intern(payload),
            discriminant: discriminants.map_or(number as i128, |d| d[number]),
            tag: told.bits[number],
            inhabited: seen.inhabited,
        }
    });
    Type::Enum(Enumeration { variants: variants.collect(), name, tag: told.tag, size, align })
}

/// A variant, as a value of it looks.
struct Seen {
    fields: Vec<Field>,
    /// The bytes of a value; none if there is none.
    bytes: Vec<u8>,
    inhabited: bool,
}

impl Seen {
    /// The bits of an integer in the value.
    fn bits(&self, offset: u64, scalar: Scalar) -> Option<u128> {
        let (start, size) = (offset as usize, scalar.size() as usize);
        let mut wide = [0; 16];
        wide[..size].copy_from_slice(self.bytes.get(start..start + size)?);
        Some(u128::from_le_bytes(wide))
    }

    /// The fields that have bytes.
    fn solid<'s>(&'s self, table: &'s TypeTable) -> impl Iterator<Item = &'s Field> {
        self.fields.iter().filter(|f| table.size(f.ty) > 0)
    }

    /// rustc leaves a variant out that has no values and no bytes.
    fn is_absent(&self, table: &TypeTable) -> bool {
        !self.inhabited && self.solid(table).next().is_none()
    }
}

/// The offsets of the fields of a value of the variant, and its bytes.
fn observe<T>(table: &mut TypeTable, shape: &VariantShape<T>) -> (Vec<u64>, Vec<u8>) {
    let mut slot = MaybeUninit::<T>::uninit();
    // SAFETY: the bytes written are those of the slot.
    unsafe { slot.as_mut_ptr().cast::<u8>().write_bytes(1, size_of::<T>()) };
    // A `MaybeUninit` drops nothing: what a sample's references point to is not ours.
    slot.write((shape.make)(&mut Samples { table }));
    let start = slot.as_ptr().cast::<u8>();
    // SAFETY: a value has just been written.
    let value = unsafe { slot.assume_init_ref() };
    let offsets =
        (shape.fields_of)(value).into_iter().map(|field| (field.addr() - start.addr()) as u64).collect();
    settle(start);
    // SAFETY: `start` points to so many bytes of the slot, and `settle` has made padding among them plain bytes.
    let bytes = (0..size_of::<T>()).map(|n| unsafe { start.add(n).read_volatile() }).collect();
    (offsets, bytes)
}

/// After this the memory around `pointer` holds bytes, whatever the compiler has left open about padding: as far as it can
/// know, they have just been written.
fn settle(pointer: *const u8) {
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    // SAFETY: the code is empty. It may be taken to write the slot that the pointer was made from, which is writable and
    // to which no reference lives.
    unsafe {
        std::arch::asm!("/* {0} */", in(reg) pointer, options(nostack, preserves_flags));
    }
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    std::hint::black_box(pointer);
}

fn is_inhabited(table: &TypeTable, ty: TypeId) -> bool {
    match table.get(ty) {
        Type::Never => false,
        Type::Array { element, length } => *length == 0 || is_inhabited(table, *element),
        Type::Aggregate(aggregate) => aggregate.fields.iter().all(|f| is_inhabited(table, f.ty)),
        Type::Enum(description) => description.variants.iter().any(|v| v.inhabited),
        Type::Scalar(_) | Type::Pointer { .. } | Type::Slice(_) | Type::Str => true,
    }
}

/// How the variants are told apart.
struct Told {
    tag: Option<Tag>,
    /// The tag's bits for each variant.
    bits: Vec<Option<u128>>,
}

impl Told {
    fn of(
        table: &TypeTable,
        seen: &[Seen],
        repr: Option<Scalar>,
        numbers: Option<&[i128]>,
        size: u64,
    ) -> Self {
        let nothing = Told { tag: None, bits: vec![None; seen.len()] };
        let present = seen.iter().filter(|v| !v.is_absent(table)).count();
        if present == 0 || size == 0 || (present == 1 && repr.is_none()) {
            return nothing;
        }
        let starts_at_0 = |v: &Seen| v.inhabited && v.solid(table).any(|f| f.offset == 0);
        if repr.is_none() && seen.iter().any(starts_at_0) {
            return Self::by_niche(table, seen).unwrap_or(nothing);
        }
        let scalar = repr.unwrap_or_else(|| tag_scalar(table, seen, numbers, size));
        let bits = seen.iter().map(|v| v.bits(0, scalar)).collect();
        Told { tag: Some(Tag { offset: 0, scalar, otherwise: None }), bits }
    }

    /// The tag is a niche in a field of a variant, which no field of another one overlaps.
    fn by_niche(table: &TypeTable, seen: &[Seen]) -> Option<Self> {
        for (number, variant) in seen.iter().enumerate().filter(|(_, v)| v.inhabited) {
            let mut niches = Vec::new();
            variant.fields.iter().for_each(|f| Niche::inside(table, f.ty, f.offset, &mut niches));
            niches.sort_by_key(|niche| (std::cmp::Reverse(niche.available()), niche.offset));
            let others = || seen.iter().enumerate().filter(|(n, v)| *n != number && v.inhabited);
            for niche in niches {
                let free = others().all(|(_, v)| {
                    v.solid(table).all(|f| {
                        f.offset >= niche.offset + niche.scalar.size()
                            || f.offset + table.size(f.ty) <= niche.offset
                    })
                });
                let bits: Vec<u128> =
                    others().filter_map(|(_, v)| v.bits(niche.offset, niche.scalar)).collect();
                let told = bits.iter().enumerate().all(|(n, b)| !niche.holds(*b) && !bits[..n].contains(b));
                if free && told {
                    let tag =
                        Tag { offset: niche.offset, scalar: niche.scalar, otherwise: Some(number as u32) };
                    let bits = seen.iter().enumerate().map(|(n, v)| {
                        let sign = v.inhabited && n != number;
                        sign.then(|| v.bits(niche.offset, niche.scalar)).flatten()
                    });
                    return Some(Told { tag: Some(tag), bits: bits.collect() });
                }
            }
        }
        None
    }
}

/// The integer that rustc gives a tag without `repr`: the smallest that the numbers fit, made larger where that costs
/// nothing, because all fields are aligned to more.
fn tag_scalar(table: &TypeTable, seen: &[Seen], numbers: Option<&[i128]>, size: u64) -> Scalar {
    let fields: Vec<&Field> = seen.iter().flat_map(|v| v.solid(table)).collect();
    let (low, high) = match numbers {
        Some(numbers) => (numbers.iter().min().copied(), numbers.iter().max().copied()),
        None => (Some(0), Some(seen.len() as i128 - 1)),
    };
    let (low, high) = (low.unwrap_or(0), high.unwrap_or(0));
    let needed = [1u64, 2, 4, 8].into_iter().find(|bytes| {
        let bits = 8 * *bytes as u32;
        if low < 0 { low >= -(1 << (bits - 1)) && high < 1 << (bits - 1) } else { high < 1 << bits }
    });
    let needed = needed.unwrap_or(16);
    let bytes = if fields.is_empty() {
        size
    } else {
        // The first field of each variant that is more than a point.
        let first = seen.iter().filter_map(|v| v.solid(table).min_by_key(|f| f.offset));
        first.map(|f| table.align(f.ty)).min().unwrap_or(1).clamp(needed, 8.max(needed))
    };
    match (unsigned(bytes), low < 0) {
        (scalar, false) => scalar,
        (Scalar::U8, true) => Scalar::I8,
        (Scalar::U16, true) => Scalar::I16,
        (Scalar::U32, true) => Scalar::I32,
        (Scalar::U64, true) => Scalar::I64,
        (_, true) => Scalar::I128,
    }
}

/// A scalar that has values to spare.
struct Niche {
    offset: u64,
    /// The integer of its size.
    scalar: Scalar,
    /// The values in use, both ends among them; where the first is larger the range wraps around.
    used: (u128, u128),
}

impl Niche {
    /// Every niche of a type, at `base` bytes.
    fn inside(table: &TypeTable, ty: TypeId, base: u64, out: &mut Vec<Niche>) {
        let mut add = |offset, scalar, used| out.push(Niche { offset, scalar, used });
        match table.get(ty) {
            Type::Scalar(Scalar::Bool) => add(base, Scalar::U8, (0, 1)),
            Type::Scalar(Scalar::Char) => add(base, Scalar::U32, (0, char::MAX as u128)),
            Type::Pointer { raw: false, .. } => add(base, Scalar::U64, (1, u64::MAX.into())),
            Type::Array { element, length } if *length > 0 => Self::inside(table, *element, base, out),
            Type::Aggregate(Aggregate { kind: AggregateKind::NonZero, fields, .. }) => {
                if let Some(scalar) = fields.first().and_then(|f| table.as_scalar(f.ty)) {
                    add(base, unsigned(scalar.size()), (1, mask(scalar)));
                }
            }
            Type::Aggregate(aggregate) => {
                let fields = aggregate.fields.iter();
                fields.for_each(|f| Self::inside(table, f.ty, base + f.offset, out));
            }
            Type::Enum(description) => match description.tag {
                Some(tag) => {
                    if let Some(used) = tag_values(table, description, tag) {
                        add(base + tag.offset, unsigned(tag.scalar.size()), used);
                    }
                }
                None => {
                    let inhabited = description.variants.iter().filter(|v| v.inhabited);
                    inhabited.for_each(|v| Self::inside(table, v.payload, base, out));
                }
            },
            Type::Scalar(_)
            | Type::Never
            | Type::Pointer { .. }
            | Type::Slice(_)
            | Type::Array { .. }
            | Type::Str => {}
        }
    }

    /// How many values are to spare.
    fn available(&self) -> u128 {
        let (first, last) = self.used;
        first.wrapping_sub(last).wrapping_sub(1) & mask(self.scalar)
    }

    /// Whether a value is in use.
    fn holds(&self, bits: u128) -> bool {
        let (first, last) = self.used;
        if first <= last { (first..=last).contains(&bits) } else { bits >= first || bits <= last }
    }
}

/// The values that a tag may have.
fn tag_values(table: &TypeTable, description: &Enumeration, tag: Tag) -> Option<(u128, u128)> {
    let told: Vec<(usize, u128)> =
        description.variants.iter().enumerate().filter_map(|(n, v)| Some((n, v.tag?))).collect();
    let Some(otherwise) = tag.otherwise else {
        // Signed tags are ordered by their signs, too.
        let unused = if tag.scalar.is_signed() { 128 - 8 * tag.scalar.size() as u32 } else { 0 };
        let order = |bits: &u128| ((bits << unused) as i128) >> unused;
        let values = || told.iter().map(|(_, bits)| *bits);
        let (first, last) = (values().min_by_key(order), values().max_by_key(order));
        return first.zip(last);
    };
    let mut niches = Vec::new();
    Niche::inside(table, description.variants[otherwise as usize].payload, 0, &mut niches);
    let niche = niches.into_iter().find(|n| n.offset == tag.offset)?;
    let ((first, start), (last, _)) = (*told.first()?, *told.last()?);
    let (mask, count) = (mask(tag.scalar), (last - first + 1) as u128);
    // rustc takes the values right after those in use, or right before them.
    Some(if start == niche.used.1.wrapping_add(1) & mask {
        (niche.used.0, niche.used.1.wrapping_add(count) & mask)
    } else {
        (niche.used.0.wrapping_sub(count) & mask, niche.used.1)
    })
}

fn mask(scalar: Scalar) -> u128 {
    u128::MAX >> (128 - 8 * scalar.size() as u32)
}

fn unsigned(size: u64) -> Scalar {
    match size {
        1 => Scalar::U8,
        2 => Scalar::U16,
        4 => Scalar::U32,
        8 => Scalar::U64,
        _ => Scalar::U128,
    }
}
