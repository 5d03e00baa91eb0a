//! A kernel with its arguments, on its way to a device.

use crate::arguments::Arguments;
use crate::backend::Shape;
use crate::error::LaunchProblem;
use crate::{Buffer, Device, Dim3, Error};
use std::marker::PhantomData;
use wavewright_kernel_ir::entry::KernelEntry;
use wavewright_kernel_ir::types::DeviceType;

/// A kernel with its arguments, launched safely: each thread writes only its own elements.
///
/// This is what a `#[kernel]` function returns whose mutable parameters are all `&mut T`. It borrows its buffers until
/// it is launched or dropped, and what it writes it borrows mutably, so that no launch has two names for one buffer:
///
/// ```compile_fail,E0502
/// # use wavewright_runtime::{Buffer, Launch};
/// fn double(add: for<'l> fn(&'l Buffer<f32>, &'l mut Buffer<f32>) -> Launch<'l>, y: &mut Buffer<f32>) {
///     let launch = add(y, y); // `y` is both read and written
/// }
/// ```
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
        let kernel = device.kernels().get(device, &self.entry, self.block)?;
        let block = kernel.facts.block;
        let grid = self.choose_grid(device, block).map_err(|problem| self.refuse(problem))?;
        if grid.contains(&0) {
            return Ok(());
        }
        let mut arguments = self.arguments.clone();
        if let Some(count) = self.elements {
            arguments.push(count as u64);
        }
        let (given, expected) = (arguments.size_with_address(), kernel.facts.argument_bytes);
        if given != expected {
            return Err(self.refuse(LaunchProblem::Arguments { given, expected }));
        }
        // SAFETY: the macro made the arguments for this kernel, and their size agrees. Its buffers are of this device,
        // and what the launch uses of them outlives it, since memory is given back in the order of the queue. That
        // the threads may run, a safe kernel's signature says, and `UnsafeLaunch::launch` asks of its caller.
        unsafe { kernel.loaded.launch(&kernel.facts, Shape { grid, block }, arguments) }
    }

    /// The number of blocks: as asked, or as many as the buffers have elements for.
    fn choose_grid(&self, device: &Device, block: [u32; 3]) -> Result<[u32; 3], LaunchProblem> {
        let grid = match (self.grid, self.elements) {
            (Some(given), Some(_)) => return Err(LaunchProblem::GridGiven { given }),
            (None, Some(elements)) => Dim3::from(elements.div_ceil(block[0] as usize)),
            (Some(grid), None) => grid,
            (None, None) => return Err(LaunchProblem::NoGrid),
        };
        let limits = device.limits();
        let over = |what, given: String, limit: String| {
            Err(LaunchProblem::Limit { what, given, limit, device: device.to_string() })
        };
        let Some(blocks) = grid.within(limits.grid) else {
            let limit = Dim3::from(limits.grid).to_string();
            return over("the number of blocks in the grid", grid.to_string(), limit);
        };
        let threads = |axis: usize| u64::from(blocks[axis]) * u64::from(block[axis]);
        if let Some(axis) = (0..3).find(|axis| threads(*axis) > limits.grid_threads) {
            let limit = limits.grid_threads.to_string();
            return over("the number of threads along an axis of the grid", threads(axis).to_string(), limit);
        }
        if blocks.iter().try_fold(1u64, |total, n| total.checked_mul((*n).into())).is_none() {
            let limit = u64::MAX.to_string();
            return over("the number of blocks in the grid", grid.to_string(), format!("{limit} of them"));
        }
        Ok(blocks)
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

#[cfg(test)]
mod tests {
    use super::*;
    use wavewright_kernel_ir::entry::BuildError;
    use wavewright_kernel_ir::record::Instances;
    use wavewright_kernel_ir::span::Span;
    use wavewright_kernel_ir::types::rust_type_id;

    /// A kernel that can't be built, since no test here gets that far.
    fn launch<'l>() -> Launch<'l> {
        let program = || {
            Err(BuildError {
                file: "k.rs".into(),
                span: Span::new(3, 4),
                message: "there is no program".into(),
            })
        };
        Launch::new(KernelEntry {
            identity: rust_type_id::<Launch<'_>>(),
            name: "k",
            captured: Instances::default,
            program,
        })
    }

    fn grid(launch: &Launch<'_>) -> Result<[u32; 3], String> {
        launch.choose_grid(&Device::cpu(), [256, 1, 1]).map_err(|problem| problem.to_string())
    }

    #[test]
    fn the_grid_is_the_one_asked_for() {
        assert_eq!(grid(&launch().grid((3, 4))), Ok([3, 4, 1]));
        assert_eq!(grid(&launch().grid(0)), Ok([0, 1, 1]));
        let text = grid(&launch()).unwrap_err();
        assert!(text.contains("Call `.grid(…)`"), "{text}");
    }

    #[test]
    fn the_grid_of_an_element_wise_launch_comes_from_its_buffers() {
        for (length, blocks) in [(0, 0), (1, 1), (256, 1), (257, 2)] {
            let buffer = Device::cpu().zeroed::<u8>(length).unwrap();
            assert_eq!(grid(&launch().element(&buffer)), Ok([blocks, 1, 1]), "{length}");
        }
        let buffer = Device::cpu().zeroed::<u8>(5).unwrap();
        let text = grid(&launch().element(&buffer).grid(7)).unwrap_err();
        assert!(text.starts_with("`.grid(7)` is not for this kernel"), "{text}");
    }

    #[test]
    fn a_grid_over_a_limit_names_the_limit_and_what_was_given() {
        let cpu = Device::cpu();
        let (most, given) = (u32::MAX, 1u64 << 32);
        assert_eq!(
            grid(&launch().grid(given)).unwrap_err(),
            format!(
                "the number of blocks in the grid is {given}, but {cpu} allows at most {most} x {most} x {most}"
            )
        );
        let text = grid(&launch().grid((most, most, most))).unwrap_err();
        assert!(text.contains("allows at most 18446744073709551615 of them"), "{text}");
        assert!(grid(&launch().grid(-1)).unwrap_err().contains("is -1, but"));
    }

    #[test]
    fn buffers_of_an_element_wise_launch_have_one_length() {
        let cpu = Device::cpu();
        let (a, b) = (cpu.zeroed::<f32>(5).unwrap(), cpu.zeroed::<u8>(6).unwrap());
        let error = launch().value(1u8).element(&a).slice(&b).element(&b).launch(&cpu).unwrap_err();
        assert!(
            error
                .to_string()
                .starts_with("launch of `k`: argument 4 has 6 elements, but those before it have 5"),
            "{error}"
        );
    }

    #[test]
    fn a_kernel_that_can_not_be_built_says_where_and_why() {
        let error = launch().grid(1).block(1).launch(&Device::cpu()).unwrap_err();
        assert_eq!(error.to_string(), "k.rs:3:4: there is no program");
    }
}
