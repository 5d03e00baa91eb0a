//! A map whose values are made once, when they are first asked for.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hash, Hasher};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, RwLock};

/// A map whose values are made once, when they are first asked for.
///
/// Making one value keeps only those waiting who want the same. A failure is not kept: the next who asks tries again.
pub(crate) struct OnceMap<K, V> {
    slots: RwLock<HashMap<K, Arc<Slot<V>>, BuildHasherDefault<Fold>>>,
}

struct Slot<V> {
    value: OnceLock<V>,
    maker: Mutex<()>,
}

impl<K: Eq + Hash + Clone, V: Copy> OnceMap<K, V> {
    pub(crate) fn new() -> Self {
        Self { slots: RwLock::default() }
    }

    /// The value of `key`, if it has been made.
    #[inline]
    pub(crate) fn get(&self, key: &K) -> Option<V> {
        let slots = self.slots.read().unwrap_or_else(PoisonError::into_inner);
        slots.get(key)?.value.get().copied()
    }

    /// The value of `key`, made by `make` if there is none.
    pub(crate) fn get_or_make<E>(&self, key: &K, make: impl FnOnce() -> Result<V, E>) -> Result<V, E> {
        let slot = {
            let mut slots = self.slots.write().unwrap_or_else(PoisonError::into_inner);
            slots.entry(key.clone()).or_insert_with(|| Arc::new(Slot::new())).clone()
        };
        let _making = slot.maker.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(value) = slot.value.get() {
            return Ok(*value);
        }
        let value = make()?;
        Ok(*slot.value.get_or_init(|| value))
    }
}

impl<V> Slot<V> {
    fn new() -> Self {
        Self { value: OnceLock::new(), maker: Mutex::new(()) }
    }
}

/// A hasher for keys that are short and already spread, as rustc's `TypeId` is: a launch looks its kernel up.
#[derive(Default)]
pub(crate) struct Fold(u64);

impl Hasher for Fold {
    fn finish(&self) -> u64 {
        // The table takes its bits from both ends.
        self.0 ^ (self.0 >> 32)
    }

    fn write(&mut self, bytes: &[u8]) {
        for part in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..part.len()].copy_from_slice(part);
            self.write_u64(u64::from_le_bytes(word));
        }
    }

    fn write_u32(&mut self, word: u32) {
        self.write_u64(word.into());
    }

    fn write_u64(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(5) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    fn write_usize(&mut self, word: usize) {
        self.write_u64(word as u64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Barrier;
    use std::sync::atomic::{AtomicU32, Ordering};

    #[test]
    fn a_value_is_made_once_however_many_ask() {
        let (map, made) = (OnceMap::new(), AtomicU32::new(0));
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    let value = map.get_or_make(&1, || {
                        made.fetch_add(1, Ordering::Relaxed);
                        std::thread::yield_now();
                        Ok::<_, ()>(10)
                    });
                    assert_eq!(value, Ok(10));
                });
            }
        });
        assert_eq!(made.into_inner(), 1);
        assert_eq!((map.get(&1), map.get(&2)), (Some(10), None));
    }

    #[test]
    fn making_one_value_does_not_hold_up_another() {
        let (map, both) = (OnceMap::new(), Barrier::new(2));
        // Each maker waits for the other: this ends only if both run at once.
        std::thread::scope(|scope| {
            for key in 0..2 {
                let (map, both) = (&map, &both);
                scope.spawn(move || {
                    map.get_or_make(&key, || {
                        both.wait();
                        Ok::<_, ()>(key)
                    })
                });
            }
        });
        assert_eq!((map.get(&0), map.get(&1)), (Some(0), Some(1)));
    }

    #[test]
    fn a_failure_is_tried_again() {
        let map = OnceMap::new();
        assert_eq!(map.get_or_make(&1, || Err("no memory")), Err("no memory"));
        assert_eq!(map.get(&1), None);
        assert_eq!(map.get_or_make(&1, || Ok::<_, ()>(10)), Ok(10));
    }
}
