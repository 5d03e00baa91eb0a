//! Compiles a kernel for each architecture and runs it.

use wavewright::codegen::{Optimisation, Options, compile};
use wavewright::kernel_ir::code_object::CodeObject;
use wavewright::kernel_ir::entry::BuildError;
use wavewright::kernel_ir::target::Target;
use wavewright::kernel_ir::typed::Program;
use wavewright_amd_simulator::Device;
use wavewright_amd_simulator::dispatch::{Launch, LaunchError, Statistics};

/// The architectures that kernels are run on.
pub const TARGETS: [&str; 4] = ["gfx942", "gfx1100", "gfx1100:wave64", "gfx1201"];

/// A device, and a kernel compiled for it.
pub struct Setup {
    pub label: String,
    pub device: Device,
    code: CodeObject,
}

/// Calls `test` for each architecture, with the kernel optimised and not.
#[track_caller]
pub fn on_each(program: Result<Program, BuildError>, block: Option<[u32; 3]>, mut test: impl FnMut(&Setup)) {
    let program = program.expect("the kernel is well formed");
    for name in TARGETS {
        for optimisation in [Optimisation::Full, Optimisation::None] {
            let target: Target = name.parse().expect("it is a target");
            let Target::Amd(amd) = target else { panic!("it is AMD's") };
            let options = Options { block, optimisation, debug_info: true };
            let code = compile(&program, &target, &options).expect("it compiles");
            let device = Device::new(amd).expect("it is simulated");
            test(&Setup { label: format!("{name}, {optimisation:?}"), device, code });
        }
    }
}

impl Setup {
    /// A buffer with these values: its address.
    pub fn buffer<T: Copy>(&self, values: &[T]) -> u64 {
        let bytes = size_of_val(values);
        let address = self.device.memory().allocate(bytes as u64).expect("there is room");
        // SAFETY: the values are plain numbers.
        let bytes = unsafe { std::slice::from_raw_parts(values.as_ptr().cast(), bytes) };
        self.device.memory().view().copy_in(address, bytes).expect("it is an allocation");
        address
    }

    /// What a buffer holds.
    pub fn read<T: Copy + Default>(&self, address: u64, length: usize) -> Vec<T> {
        let mut values = vec![T::default(); length];
        let bytes = size_of::<T>() * length;
        // SAFETY: the values are plain numbers.
        let view = unsafe { std::slice::from_raw_parts_mut(values.as_mut_ptr().cast(), bytes) };
        self.device.memory().view().copy_out(address, view).expect("it is an allocation");
        values
    }

    /// Runs the kernel with these words as arguments, the fault record's address being added.
    pub fn launch(
        &self,
        grid: [u32; 3],
        block: [u32; 3],
        arguments: &[Argument],
    ) -> Result<Statistics, LaunchError> {
        let record = self.buffer(&[0u32; 12]);
        let mut bytes: Vec<u8> = Vec::new();
        for argument in arguments.iter().chain([&Argument::Word(record)]) {
            let (value, size) = match argument {
                Argument::Word(value) => (*value, 8),
                Argument::Half(value) => (u64::from(*value), 4),
            };
            bytes.resize(bytes.len().next_multiple_of(size), 0);
            bytes.extend(&value.to_le_bytes()[..size]);
        }
        let code = self.device.load(&self.code.bytes).expect("it is a code object");
        let launch = Launch { grid, block, dynamic_shared_bytes: 0, arguments: bytes };
        self.device.launch(&code, &self.code.symbol, &launch)
    }

    /// As [`launch`](Self::launch), without fault.
    #[track_caller]
    pub fn run(&self, grid: [u32; 3], block: [u32; 3], arguments: &[Argument]) {
        if let Err(error) = self.launch(grid, block, arguments) {
            panic!("on {}: {error}", self.label);
        }
    }
}

/// An argument of 8 or of 4 bytes.
#[derive(Clone, Copy)]
pub enum Argument {
    Word(u64),
    Half(u32),
}

/// A slice's two arguments.
pub fn slice(address: u64, length: usize) -> [Argument; 2] {
    [Argument::Word(address), Argument::Word(length as u64)]
}
