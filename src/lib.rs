//! GPU kernels in ordinary Rust, for AMD, NVIDIA and the CPU, on stable Rust, with nothing to install.
//!
//! ```
//! use wavewright::prelude::*;
//!
//! #[kernel]
//! fn saxpy(a: f32, x: &[f32], y: &mut [f32]) {
//!     let i = thread::global_x();
//!     if i < y.len() {
//!         y[i] += a * x[i];
//!     }
//! }
//!
//! # fn main() -> Result<(), Error> {
//! let device = Device::best()?;
//! let x = device.buffer_from(&vec![1.0f32; 1000])?;
//! let mut y = device.buffer_from(&vec![2.0f32; 1000])?;
//! // SAFETY: each thread writes its own element.
//! unsafe { saxpy(3.0, &x, &mut y).grid(4).block(256).launch(&device)? };
//! assert_eq!(y.to_vec()?, vec![5.0; 1000]);
//! # Ok(())
//! # }
//! ```
//!
//! A kernel is checked by rustc like any function; what rustc accepts is what runs. What a kernel may use of Rust, and
//! what it means on a device, is the book's business (`docs/`); what it may call beside your own `#[device]` functions is
//! here: [`thread`], [`block`], [`grid`], [`sync_threads`], [`shared!`].

#[cfg(doctest)]
mod book;

pub use wavewright_device::{
    DeviceType, block, device, device_form, grid, kernel, shared, sync_threads, thread,
};
pub use wavewright_kernel_ir as kernel_ir;
pub use wavewright_runtime::*;

#[cfg(feature = "jit")]
pub use wavewright_codegen as codegen;

/// Everything that kernels and their launches need.
pub mod prelude {
    pub use crate::{
        Buffer, Device, DeviceKind, DeviceType, Error, Launch, UnsafeLaunch, block, device, grid, kernel,
        shared, sync_threads, thread,
    };
}

/// What generated code names. Not for use by hand: it changes without notice.
#[doc(hidden)]
pub mod __private {
    pub use wavewright_device::__private::*;
    pub use wavewright_runtime::{Buffer, Launch, UnsafeLaunch};
}
