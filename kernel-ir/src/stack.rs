//! Room for recursion over trees.

/// Of address space; what is not used takes no memory.
const SIZE: usize = 256 << 20;

/// Does something on a stack that is large enough for any tree: how deep one is, is up to the user, so it must not depend
/// on the caller's stack.
pub(crate) fn with_room<T: Send>(work: impl Fn() -> T + Sync) -> T {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().name("wavewright".into()).stack_size(SIZE);
        match thread.spawn_scoped(scope, &work) {
            Ok(thread) => thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
            Err(_) => work(),
        }
    })
}
