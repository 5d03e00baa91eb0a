//! A kernel with its arguments, on its way to a device.

use crate::arguments::Arguments;
use crate::error::LaunchProblem;
use crate::{Buffer, Device, Dim3, Error};
use std::marker::PhantomData;
use wavewright_kernel_ir::entry::KernelEntry;
use wavewright_kernel_ir::types::DeviceType;

/// A kernel with its arguments, launched safely: each thread writes only its own elements.
///
/// This is what a `#[kernel]` function returns whose mutable parameters are all `&mut T`. It borrows its buffers until
/// it is launched or dropped.
#[must_use = "nothing runs before `.launch(&device)`"]
pub struct Launch<'l> {
    entry: KernelEntry,
    arguments: Arguments,
    /// How many there are of the parameters so far.
    parameters: usize,
    grid: Option<Dim3>,
    block: Option<Dim3>,
    /// The length of the buffers that give each thread an element.
    elements: Option<usize>,
    /// The device of the first buffer, and that buffer's parameter.
    home: Option<(usize, Device)>,
    /// The first buffer of another device or another length than those before.
    misfit: Option<Misfit>,
    buffers: PhantomData<&'l mut ()>,
}

/// A buffer that does not go with those before it; reported by `launch`.
enum Misfit {
    Device { parameter: usize, device: Device },
    Length { parameter: usize, length: usize },
}

/// A kernel with its arguments whose threads share a `&mut [T]` or shared memory.
///
/// This is what every other `#[kernel]` function returns. rustc can't see that no two threads use an element at once
/// of which one writes, so `launch` is `unsafe`. That the buffers themselves don't overlap, it has seen.
#[must_use = "nothing runs before `.launch(&device)`"]
pub struct UnsafeLaunch<'l>(Launch<'l>);

impl<'l> Launch<'l> {
    /// A launch without arguments. Macros call this.
    #[doc(hidden)]
    #[inline]
    pub fn new(entry: KernelEntry) -> Self {
        Self {
            entry,
            arguments: Arguments::new(),
            parameters: 0,
            grid: None,
            block: None,
            elements: None,
            home: None,
            misfit: None,
            buffers: PhantomData,
        }
    }

    /// The argument of a parameter `T`.
    #[doc(hidden)]
    #[inline]
    pub fn value<T: Copy + DeviceType>(mut self, value: T) -> Self {
        self.arguments.push(value);
        self.parameters += 1;
        self
    }

    /// The argument of a parameter `&[T]`.
    #[doc(hidden)]
    #[inline]
    pub fn slice<T>(mut self, buffer: &'l Buffer<T>) -> Self {
        self.push_slice(buffer);
        self
    }

    /// The argument of a parameter `&mut [T]`.
    #[doc(hidden)]
    #[inline]
    pub fn slice_mut<T>(mut self, buffer: &'l mut Buffer<T>) -> Self {
        self.push_slice(buffer);
        self
    }

    /// The argument of a parameter `&T`.
    #[doc(hidden)]
    #[inline]
    pub fn element<T>(mut self, buffer: &'l Buffer<T>) -> Self {
        self.push_element(buffer);
        self
    }

    /// The argument of a parameter `&mut T`.
    #[doc(hidden)]
    #[inline]
    pub fn element_mut<T>(mut self, buffer: &'l mut Buffer<T>) -> Self {
        self.push_element(buffer);
        self
    }

    /// The same launch, for a kernel whose threads share what they write.
    #[doc(hidden)]
    #[inline]
    pub fn into_unsafe(self) -> UnsafeLaunch<'l> {
        UnsafeLaunch(self)
    }

    fn push_slice<T>(&mut self, buffer: &Buffer<T>) {
        self.push_buffer(buffer);
        self.arguments.push(buffer.len() as u64);
    }

    fn push_element<T>(&mut self, buffer: &Buffer<T>) {
        self.push_buffer(buffer);
        let length = buffer.len();
        if *self.elements.get_or_insert(length) != length {
            self.misfit.get_or_insert(Misfit::Length { parameter: self.parameters, length });
        }
    }

    fn push_buffer<T>(&mut self, buffer: &Buffer<T>) {
        self.parameters += 1;
        self.arguments.push(buffer.address().0);
        let device = buffer.device();
        let (_, home) = *self.home.get_or_insert((self.parameters, device));
        if home != device {
            self.misfit.get_or_insert(Misfit::Device { parameter: self.parameters, device });
        }
    }

    /// How many blocks. A kernel that works on one element a thread takes this from its buffers instead.
    pub fn grid(mut self, blocks: impl Into<Dim3>) -> Self {
        self.grid = Some(blocks.into());
        self
    }

    /// How many threads in each block. A kernel that works on one element a thread has 256 unless told otherwise.
    pub fn block(mut self, threads: impl Into<Dim3>) -> Self {
        self.block = Some(threads.into());
        self
    }

    /// Queues the launch on `device`.
    ///
    /// The kernel is compiled first if this process has not launched it with such blocks before.
    ///
    /// # Errors
    ///
    /// If the launch asks for what the kernel or the device does not allow, if the kernel does not compile, or if the
    /// driver fails.
    pub fn launch(&self, device: &Device) -> Result<(), Error> {
        self.check_buffers(device)?;
        let target = device.name().into();
        Err(self.refuse(LaunchProblem::NoCompiler { target }))
    }

    /// That the buffers are of this device and, where each thread has an element, of one length.
    fn check_buffers(&self, device: &Device) -> Result<(), Error> {
        let stray = match self.misfit {
            Some(Misfit::Device { parameter, device }) => Some((parameter, device)),
            Some(Misfit::Length { parameter: argument, length }) => {
                let expected = self.elements.unwrap_or_default();
                return Err(self.refuse(LaunchProblem::Lengths { argument, length, expected }));
            }
            None => None,
        };
        match self.home.filter(|(_, home)| home != device).or(stray) {
            Some((parameter, home)) => Err(Error::OtherDevice {
                what: format!("launch of `{}`, argument {parameter}", self.entry.name),
                buffer: home.to_string(),
                device: device.to_string(),
            }),
            None => Ok(()),
        }
    }

    fn refuse(&self, problem: LaunchProblem) -> Error {
        Error::Launch { kernel: self.entry.name.into(), problem }
    }
}

impl UnsafeLaunch<'_> {
    /// How many blocks.
    pub fn grid(self, blocks: impl Into<Dim3>) -> Self {
        Self(self.0.grid(blocks))
    }

    /// How many threads in each block.
    pub fn block(self, threads: impl Into<Dim3>) -> Self {
        Self(self.0.block(threads))
    }

    /// Queues the launch on `device`.
    ///
    /// # Safety
    ///
    /// While the launch runs, no element of a `&mut [T]` parameter or of shared memory is written by one thread and
    /// used by another without a barrier between, and every `unsafe` block of the kernel holds what it promises for
    /// these arguments and this grid.
    ///
    /// # Errors
    ///
    /// As [`Launch::launch`].
    pub unsafe fn launch(&self, device: &Device) -> Result<(), Error> {
        self.0.launch(device)
    }
}
