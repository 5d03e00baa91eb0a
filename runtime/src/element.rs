//! What may lie in a buffer.

use crate::Error;
use std::any::TypeId as RustTypeId;
use std::collections::HashMap;
use std::sync::{PoisonError, RwLock};
use wavewright_kernel_ir::types::{DeviceType, Type, TypeId, TypeTable, rust_type_id};

/// Refuses a `T` that holds a pointer: an address of the host means nothing on a device.
///
/// The answer is looked up once per type.
pub(crate) fn check_plain<T: DeviceType>() -> Result<(), Error> {
    static KNOWN: RwLock<Option<HashMap<RustTypeId, Option<String>>>> = RwLock::new(None);
    let key = rust_type_id::<T>();
    let known =
        KNOWN.read().unwrap_or_else(PoisonError::into_inner).as_ref().and_then(|k| k.get(&key).cloned());
    let pointer = known.unwrap_or_else(|| {
        let mut types = TypeTable::new();
        let ty = types.of::<T>();
        let pointer = first_pointer(&types, ty).map(|p| types.name(p));
        KNOWN
            .write()
            .unwrap_or_else(PoisonError::into_inner)
            .get_or_insert_default()
            .insert(key, pointer.clone());
        pointer
    });
    match pointer {
        Some(pointer) => Err(Error::HoldsPointer { ty: std::any::type_name::<T>().into(), pointer }),
        None => Ok(()),
    }
}

/// The first pointer among `ty` and what it is made of.
pub(crate) fn first_pointer(types: &TypeTable, ty: TypeId) -> Option<TypeId> {
    types.find(ty, |_, t| matches!(t, Type::Pointer { .. }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_data_may_lie_in_a_buffer() {
        check_plain::<f32>().unwrap();
        check_plain::<[(u8, [i64; 3]); 4]>().unwrap();
        check_plain::<()>().unwrap();
    }

    #[test]
    fn pointers_may_not_however_deep() {
        for _ in 0..2 {
            let error = check_plain::<(u32, [*const f32; 2])>().unwrap_err();
            assert_eq!(
                error.to_string(),
                "`(u32, [*const f32; 2])` can't lie in device memory: it holds a pointer (`*const f32`), and an \
                 address of the host means nothing there"
            );
        }
    }
}
