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
    let mut parts = Vec::new();
    solid(table, ty, 0, &mut parts);
    let mut bytes = vec![0; size_of::<T>()];
    let start = std::ptr::from_ref(value).cast::<u8>();
    for (offset, length) in parts {
        // SAFETY: `offset..offset + length` lies in `T`, by the layout that `DeviceType` promises, and is part of a
        // scalar there, so it is initialised and no padding.
        let part = unsafe { std::slice::from_raw_parts(start.add(offset), length) };
        bytes[offset..offset + length].copy_from_slice(part);
    }
    (ty, bytes)
}

/// Where the scalars of a type lie: offset and length of each.
fn solid(table: &TypeTable, ty: TypeId, base: usize, parts: &mut Vec<(usize, usize)>) {
    match table.get(ty) {
        Type::Scalar(scalar) => parts.push((base, scalar.size() as usize)),
        Type::Array { element, length } => {
            let size = table.size(*element) as usize;
            for i in 0..*length as usize {
                solid(table, *element, base + i * size, parts);
            }
        }
        Type::Aggregate(aggregate) => {
            for field in &aggregate.fields {
                solid(table, field.ty, base + field.offset as usize, parts);
            }
        }
        Type::Never | Type::Pointer { .. } | Type::Slice(_) | Type::Str => {}
    }
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
