//! How a function of the device is written down.

/// Functions without a body on the device: each is a function that the host can call, and the companion that a kernel's
/// witness calls, which names the [`Builtin`](wavewright_kernel_ir::builtin::Builtin) that the device runs.
///
/// `pub fn NAME() -> RESULT { BUILTIN => |position| VALUE }`, with the value on the host from the thread's position.
macro_rules! builtin_functions {
    ($($(#[$attribute:meta])* pub fn $name:ident() -> $result:ty { $builtin:ident => |$position:ident| $value:expr })*) => { $(
        $(#[$attribute])*
        #[track_caller]
        pub fn $name() -> $result {
            use wavewright_kernel_ir::builtin::Builtin;
            let $position = $crate::host::position(Builtin::$builtin.facts().name);
            $value
        }

        #[doc(hidden)]
        #[allow(non_camel_case_types)]
        pub struct $name {}

        impl $name {
            #[doc(hidden)]
            pub fn on_device() -> wavewright_kernel_ir::witness::Ret<
                $result,
                wavewright_kernel_ir::witness::Operation<{ wavewright_kernel_ir::builtin::Builtin::$builtin as u16 }, ()>,
            > {
                wavewright_kernel_ir::witness::never()
            }
        }
    )* };
}
pub(crate) use builtin_functions;
