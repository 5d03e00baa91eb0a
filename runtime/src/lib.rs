//! Devices, buffers and launches.
//!
//! A [`Device`] is an AMD GPU, an NVIDIA GPU or the host's CPU; the drivers' libraries are loaded when they are first
//! asked for, and a machine without them simply has fewer devices. A [`Buffer`] is memory of one device. What a
//! `#[kernel]` function returns is a [`Launch`] or an [`UnsafeLaunch`]: it becomes work of a device by `launch`.
//!
//! # When things happen
//!
//! Work of one device runs in the order in which it was asked for. `launch` returns once the work is queued;
//! [`Buffer::copy_to`], [`Buffer::to_vec`], [`Buffer::copy_from`] and [`Device::synchronize`] wait for everything
//! queued before them. A thread that panics ends alone: the launch goes on, and the next of those calls returns
//! [`Error::Panic`]. A buffer may be dropped while kernels that use it run.

mod arguments;
mod backend;
mod buffer;
mod compile;
mod device;
mod dim3;
mod element;
mod error;
mod fault;
mod kernel;
mod kernel_cache;
mod launch;
mod limits;
mod once_map;

pub use buffer::Buffer;
pub use device::{Device, DeviceKind};
pub use dim3::{Dim3, Extent};
pub use error::{Error, LaunchProblem};
pub use launch::{Launch, UnsafeLaunch};
pub use limits::Limits;
