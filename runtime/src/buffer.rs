//! Memory of a device.

use crate::backend::Address;
use crate::element::check_plain;
use crate::{Device, Error};
use std::marker::PhantomData;
use wavewright_kernel_ir::types::DeviceType;

/// `len` values of type `T` in the memory of a [`Device`].
///
/// Made by [`Device::buffer_from`] and [`Device::zeroed`]. A kernel's `&[T]` and `&T` parameters borrow a buffer,
/// `&mut [T]` and `&mut T` borrow it mutably: Rust's borrow checker sees to it that what a launch writes has no other
/// name in the same launch.
///
/// A buffer may be dropped while kernels that use it run; its memory is given back after them.
pub struct Buffer<T> {
    device: Device,
    address: Address,
    len: usize,
    values: PhantomData<T>,
}

/// Where a buffer of no bytes is said to be: not null, and aligned for every type.
const NOWHERE: Address = Address(4096);

impl<T: Copy + DeviceType> Buffer<T> {
    /// Memory for `len` values, which are not written yet.
    fn allocate(device: &Device, len: usize) -> Result<Self, Error> {
        check_plain::<T>()?;
        let bytes = len.checked_mul(size_of::<T>()).filter(|bytes| isize::try_from(*bytes).is_ok());
        let address = match bytes {
            Some(0) => NOWHERE,
            Some(bytes) => device.backend()?.allocate(bytes)?,
            None => {
                let reason =
                    format!("{len} values of {} bytes are more than an address can reach", size_of::<T>());
                return Err(Error::OutOfMemory { device: device.name().into(), bytes: u64::MAX, reason });
            }
        };
        Ok(Self { device: *device, address, len, values: PhantomData })
    }

    pub(crate) fn zeroed(device: &Device, len: usize) -> Result<Self, Error> {
        let buffer = Self::allocate(device, len)?;
        if buffer.bytes() > 0 {
            // SAFETY: the memory is the buffer's own, `bytes` long.
            unsafe { device.backend()?.zero(buffer.address, buffer.bytes())? };
        }
        Ok(buffer)
    }

    pub(crate) fn from_slice(device: &Device, values: &[T]) -> Result<Self, Error> {
        let buffer = Self::allocate(device, values.len())?;
        buffer.write(values)?;
        Ok(buffer)
    }

    fn write(&self, values: &[T]) -> Result<(), Error> {
        if self.bytes() == 0 {
            return Ok(());
        }
        // SAFETY: `values` and the buffer's memory are `bytes` long.
        unsafe { self.device.backend()?.write(self.address, values.as_ptr().cast(), self.bytes()) }
    }

    fn read(&self, to: *mut T) -> Result<(), Error> {
        if self.bytes() > 0 {
            // SAFETY: the buffer's memory is `bytes` long, and so is what callers give.
            unsafe { self.device.backend()?.read(self.address, to.cast(), self.bytes())? };
        }
        self.device.synchronize()
    }

    /// Copies the values to the host, after the work queued so far.
    ///
    /// # Errors
    ///
    /// If `to` has another length, if a kernel has panicked since this was last asked, or if the driver fails.
    pub fn copy_to(&self, to: &mut [T]) -> Result<(), Error> {
        self.same_length("copy from a buffer", to.len())?;
        self.read(to.as_mut_ptr())
    }

    /// The values, after the work queued so far.
    ///
    /// # Errors
    ///
    /// If a kernel has panicked since this was last asked, or if the driver fails.
    pub fn to_vec(&self) -> Result<Vec<T>, Error> {
        let mut values = Vec::with_capacity(self.len);
        self.read(values.as_mut_ptr())?;
        // SAFETY: `read` wrote `len` values, which are values of `T`: the device got them from the host, made them
        // from zeros in a type that allows them, or stored them as `T`.
        unsafe { values.set_len(self.len) };
        Ok(values)
    }

    /// Replaces the values by those of the host, after the work queued so far.
    ///
    /// # Errors
    ///
    /// If `from` has another length, if a kernel has panicked since this was last asked, or if the driver fails.
    pub fn copy_from(&mut self, from: &[T]) -> Result<(), Error> {
        self.same_length("copy to a buffer", from.len())?;
        self.write(from)?;
        self.device.synchronize()
    }

    fn same_length(&self, what: &'static str, right: usize) -> Result<(), Error> {
        if self.len == right { Ok(()) } else { Err(Error::LengthMismatch { what, left: self.len, right }) }
    }
}

impl<T> Buffer<T> {
    /// The number of values.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The device whose memory this is.
    pub fn device(&self) -> Device {
        self.device
    }

    /// Where it is in that memory.
    pub(crate) fn address(&self) -> Address {
        self.address
    }

    fn bytes(&self) -> usize {
        self.len * size_of::<T>()
    }
}

impl<T> Drop for Buffer<T> {
    fn drop(&mut self) {
        if let (Ok(backend), 1..) = (self.device.backend(), self.bytes()) {
            // SAFETY: the memory came from `allocate` with this size, and the buffer was its only owner.
            unsafe { backend.free(self.address, self.bytes()) };
        }
    }
}

impl<T> std::fmt::Debug for Buffer<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Buffer<{}>({} on {})", std::any::type_name::<T>(), self.len, self.device)
    }
}
