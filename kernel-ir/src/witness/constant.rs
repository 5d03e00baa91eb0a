//! Constants, evaluated on the host.

use crate::types::{DeviceType, Type, TypeId, TypeTable};
use std::ptr::NonNull;

/// The value of the closure `F`, which captures nothing, without having the closure.
pub fn evaluate<F: Fn() -> T + Copy, T>() -> T {
    const { assert!(size_of::<F>() == 0, "a constant's closure captures nothing") }
    // SAFETY: a value of a type of size zero has no bytes, so any aligned, non-null address holds one. `F` is a closure
    // that the macro writes around a constant, so it captures nothing that making one up could forge.
    let closure = unsafe { NonNull::<F>::dangling().read() };
    closure()
}

/// The bytes that `value` has in memory, with padding, and whatever is a pointer, zero.
pub fn bytes<T: DeviceType>(table: &mut TypeTable, value: &T) -> (TypeId, Vec<u8>) {
    let ty = table.of::<T>();
    let mut bytes = vec![0; size_of::<T>()];
    copy(table, ty, std::ptr::from_ref(value).cast(), &mut bytes);
    (ty, bytes)
}

/// Copies the scalars of the value of type `ty` at `from`.
fn copy(table: &TypeTable, ty: TypeId, from: *const u8, bytes: &mut [u8]) {
    let mut part = |ty: TypeId, offset: usize| {
        let size = table.size(ty) as usize;
        // SAFETY: every caller's offsets lie in the type at hand, by the layout that `DeviceType` promises.
        copy(table, ty, unsafe { from.add(offset) }, &mut bytes[offset..offset + size]);
    };
    match table.get(ty) {
        Type::Scalar(scalar) => copy_bytes(from, 0, scalar.size(), bytes),
        Type::Array { element, length } => {
            let size = table.size(*element) as usize;
            (0..*length as usize).for_each(|n| part(*element, n * size));
        }
        Type::Aggregate(aggregate) => aggregate.fields.iter().for_each(|f| part(f.ty, f.offset as usize)),
        Type::Enum(description) => {
            if let Some(tag) = description.tag {
                copy_bytes(from, tag.offset, tag.scalar.size(), bytes);
            }
            if let Some(number) = description.variant_of(bytes) {
                copy(table, description.variants[number as usize].payload, from, bytes);
            }
        }
        Type::Never | Type::Pointer { .. } | Type::Slice(_) | Type::Str => {}
    }
}

/// Copies a scalar.
fn copy_bytes(from: *const u8, offset: u64, size: u64, bytes: &mut [u8]) {
    let (start, size) = (offset as usize, size as usize);
    // SAFETY: a scalar of the value lies there, so the bytes are initialised and no padding.
    let part = unsafe { std::slice::from_raw_parts(from.add(start), size) };
    bytes[start..start + size].copy_from_slice(part);
}

#[cfg(test)]
mod tests {
    use super::*;

    const ANSWER: (u8, u32, [u16; 2]) = (1, 0x0203_0405, [6, 7]);

    #[test]
    fn a_closure_is_made_up_and_called() {
        fn value<F: Fn() -> T + Copy, T>(_: F) -> T {
            evaluate::<F, T>()
        }
        assert_eq!(value(|| ANSWER), ANSWER);
    }

    #[test]
    fn bytes_follow_the_layout_and_padding_is_zero() {
        let mut table = TypeTable::new();
        let (ty, bytes) = bytes(&mut table, &ANSWER);
        let Type::Aggregate(aggregate) = table.get(ty) else { panic!("a tuple is an aggregate") };
        let at = |field: usize| aggregate.fields[field].offset as usize;
        assert_eq!(bytes[at(0)], 1);
        assert_eq!(bytes[at(1)..at(1) + 4], 0x0203_0405_u32.to_ne_bytes());
        assert_eq!(bytes[at(2)..at(2) + 2], 6_u16.to_ne_bytes());
        assert_eq!(bytes.iter().filter(|b| **b != 0).count(), 1 + 4 + 2);
        assert_eq!(bytes.len(), size_of_val(&ANSWER));
    }

    #[test]
    fn pointers_have_no_bytes() {
        let mut table = TypeTable::new();
        assert_eq!(bytes(&mut table, &"text").1, [0; 16]);
    }
}
