//! Compiles a typed program for the host and runs it here.

use crate::jit::HostKernel;
use crate::{Optimisation, Options, cpu, emit, inline, machine, optimise};
use inkwell::context::Context;
use wavewright_kernel_ir::abi::{Abi, CpuWork, FaultRecord};
use wavewright_kernel_ir::code_object::{CodeObject, Format};
use wavewright_kernel_ir::target::Target;
use wavewright_kernel_ir::typed::Program;

/// A kernel that is ready to run.
pub(crate) struct Compiled {
    kernel: HostKernel,
    object: CodeObject,
}

/// An argument of a launch.
pub(crate) enum Arg<'a> {
    U32(u32),
    F32(f32),
    Bytes(&'a [u8]),
    Slice(*mut u8, usize),
    Element(*mut u8),
    /// The number of elements of an element-wise launch.
    Count(usize),
}

/// A buffer as an argument.
pub(crate) fn slice<T>(data: &mut [T]) -> Arg<'static> {
    Arg::Slice(data.as_mut_ptr().cast(), data.len())
}

/// A cache line.
#[derive(Clone, Copy, PartialEq)]
#[repr(align(64))]
struct Line([u64; 8]);

/// A block of memory aligned as the runtime aligns it.
struct Aligned(Vec<Line>);

impl Aligned {
    fn new(bytes: u64) -> Self {
        // A line more than asked for, to see writes past the end.
        Self(vec![Line([PATTERN; 8]); bytes.div_ceil(64) as usize + 1])
    }

    fn address(&mut self) -> *mut u8 {
        self.0.as_mut_ptr().cast()
    }
}

const PATTERN: u64 = 0xa5a5_a5a5_a5a5_a5a5;

impl Compiled {
    pub(crate) fn new(program: &Program, block: Option<[u32; 3]>, optimisation: Optimisation) -> Self {
        let options = Options { block, optimisation, debug_info: false };
        let program = inline::inline(program).expect("the program inlines");
        let machine = machine::create(&Target::Host, &options).expect("the host is a machine");
        let context = Context::create();
        let lowered = cpu::lower_kernel(&context, &machine, &program, &Target::Host, &options)
            .expect("the program is lowered");
        if let Err(message) = lowered.module.verify() {
            panic!("LLVM refuses the module: {message}\n{}", lowered.module.print_to_string().to_string());
        }
        optimise::optimise(&lowered.module, &machine, optimisation).expect("LLVM optimises");
        let object = CodeObject {
            name: program.kernel.name.clone(),
            symbol: program.kernel.symbol.clone(),
            target: "host".into(),
            format: Format::HostObject,
            bytes: emit::object(lowered.module, &machine).expect("LLVM writes the object"),
            abi: Abi::of(&program.kernel, &program.types),
            elementwise: program.kernel.is_elementwise(),
            block,
            shared_bytes: lowered.shared_bytes,
            scratch_bytes: lowered.scratch_bytes,
            panics: lowered.panics,
        };
        let kernel = HostKernel::load(&object).expect("the object loads");
        Self { kernel, object }
    }

    /// Runs a grid, in calls of a few blocks each. The message of the panic, if there was one, and where.
    pub(crate) fn run(
        &self,
        grid: [u32; 3],
        block: [u32; 3],
        arguments: &[Arg<'_>],
    ) -> Option<(String, FaultRecord)> {
        let mut fault = FaultRecord::default();
        let mut bytes = Vec::new();
        let mut layout = self.object.abi.arguments.iter();
        let mut put = |value: &[u8]| {
            let argument = layout.next().expect("as many arguments as the kernel has");
            bytes.resize(argument.offset as usize, 0u8);
            assert_eq!(argument.size as usize, value.len());
            bytes.extend_from_slice(value);
        };
        for argument in arguments {
            match argument {
                Arg::U32(value) => put(&value.to_le_bytes()),
                Arg::F32(value) => put(&value.to_le_bytes()),
                Arg::Bytes(value) => put(value),
                Arg::Slice(address, length) => {
                    put(&(*address as u64).to_le_bytes());
                    put(&(*length as u64).to_le_bytes());
                }
                Arg::Element(address) => put(&(*address as u64).to_le_bytes()),
                Arg::Count(count) => put(&(*count as u64).to_le_bytes()),
            }
        }
        put(&(&raw mut fault as u64).to_le_bytes());
        let mut aligned = Aligned::new(bytes.len() as u64);
        // SAFETY: there is room for the bytes.
        unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), aligned.address(), bytes.len()) };
        self.call_in_parts(grid, block, aligned.address());
        (fault.state == FaultRecord::CLAIMED)
            .then(|| (self.object.panics[fault.site as usize].message(fault.values), fault))
    }

    fn call_in_parts(&self, grid: [u32; 3], block: [u32; 3], arguments: *const u8) {
        let mut shared = Aligned::new(self.object.shared_bytes);
        let mut scratch = Aligned::new(self.object.scratch_bytes);
        let blocks: u64 = grid.iter().map(|size| u64::from(*size)).product();
        let step = (blocks / 3).max(1);
        for first in (0..blocks).step_by(step as usize) {
            let end = (first + step).min(blocks);
            let (shared, scratch) = (shared.address(), scratch.address());
            let work = CpuWork { grid, block, first, end, shared, scratch };
            // SAFETY: the arguments are those of the kernel's `Abi`; buffers outlive the call; shared and scratch
            // memory are as large as the code object says.
            unsafe { (self.kernel.entry())(arguments, &work) };
        }
        let past = |memory: &Aligned, bytes: u64| memory.0[bytes.div_ceil(64) as usize] == Line([PATTERN; 8]);
        assert!(past(&shared, self.object.shared_bytes), "something was written past shared memory");
        assert!(past(&scratch, self.object.scratch_bytes), "something was written past scratch memory");
    }
}

/// The LLVM IR of a program, optimised as far as asked, and the same as assembly.
pub(crate) fn shown(
    program: &Program,
    block: [u32; 3],
    optimisation: Optimisation,
    debug_info: bool,
) -> (String, String) {
    let options = Options { block: Some(block), optimisation, debug_info };
    let program = inline::inline(program).expect("the program inlines");
    let machine = machine::create(&Target::Host, &options).expect("the host is a machine");
    let context = Context::create();
    let lowered =
        cpu::lower_kernel(&context, &machine, &program, &Target::Host, &options).expect("it is lowered");
    lowered.module.verify().expect("LLVM accepts the module");
    optimise::optimise(&lowered.module, &machine, optimisation).expect("LLVM optimises");
    let ir = lowered.module.print_to_string().to_string();
    (ir, emit::assembly(lowered.module, &machine).expect("LLVM writes assembly"))
}

/// Calls `test` with what compiles the program for this block size: known and unknown to the compiler, plain and
/// optimised.
pub(crate) fn each_way(program: &Program, block: [u32; 3], test: impl Fn(&Compiled)) {
    for optimisation in [Optimisation::None, Optimisation::Full] {
        for known in [Some(block), None] {
            test(&Compiled::new(program, known, optimisation));
        }
    }
}
