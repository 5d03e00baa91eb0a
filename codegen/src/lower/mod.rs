//! A typed program as LLVM IR.
//!
//! One [`Lowering`] lowers the body of a kernel. What a kernel looks like from outside, and what its index space,
//! barriers and memory are, differs by machine: [`kernel_amd`], [`kernel_nvidia`] and, for the host, [`crate::cpu`]
//! implement [`Machine`]. Everything between is the same code for all of them:
//!
//! | file | question |
//! |---|---|
//! | [`types`] | how a value lies in memory |
//! | [`value`] | how it is held while it is computed |
//! | [`locals`] | which variables are values, and which are memory |
//! | [`place`] | where a place is |
//! | [`expr`] | which code an expression is |
//! | [`control`] | where control goes, and what value it brings |
//! | [`num`], [`cast`], [`builtin`] | what arithmetic, casts and operations mean |
//! | [`mod@panic`] | how a thread stops |
//! | [`debug`] | which line of the source an instruction comes from |
//! | [`kernel`] | what a GPU's kernel looks like from outside |
//! | [`soft`] | arithmetic that a GPU's part of LLVM lacks |
//!
//! Pointers keep the address space that is known of them as long as they are values. They become generic where they
//! are written to memory or meet one of another space; LLVM's InferAddressSpaces finds the space again once variables
//! are values.

pub(crate) mod control;
pub(crate) mod emit;
pub(crate) mod locals;
pub(crate) mod machine;
pub(crate) mod place;
pub(crate) mod types;
pub(crate) mod value;

mod builtin;
mod cast;
mod debug;
mod enumeration;
mod expr;
mod kernel;
mod kernel_amd;
mod kernel_nvidia;
mod num;
mod panic;
mod soft;

use crate::{Error, Options};
use debug::DebugLines;
use emit::{Emitter, Flow, Stop};
use inkwell::context::Context;
use inkwell::module::Module;
use inkwell::targets::TargetMachine;
use inkwell::values::PointerValue;
use locals::Home;
use machine::Machine;
use std::collections::HashMap;
use value::{Pointer, Value};
use wavewright_kernel_ir::abi::Abi;
use wavewright_kernel_ir::code_object::PanicSite;
use wavewright_kernel_ir::span::Span;
use wavewright_kernel_ir::target::Target;
use wavewright_kernel_ir::typed::*;

/// A kernel as LLVM IR.
pub(crate) struct Lowered<'c> {
    /// The module, verified, with the kernel's function.
    pub(crate) module: Module<'c>,
    /// What a panic's number means.
    pub(crate) panics: Vec<PanicSite>,
    /// The shared memory of a block, in bytes.
    pub(crate) shared_bytes: u64,
    /// On the CPU, the scratch space of a block, in bytes.
    pub(crate) scratch_bytes: u64,
}

/// Lowers the kernel of a program without calls.
///
/// # Errors
///
/// [`Error::Unsupported`] for what the target does not have.
pub(crate) fn lower_kernel<'c>(
    context: &'c Context,
    machine: &TargetMachine,
    program: &Program,
    target: &Target,
    options: &Options,
) -> Result<Lowered<'c>, Error> {
    refuse_shared_memory(program, target)?;
    refuse_arguments(program, target)?;
    let kernel = &program.kernel.name;
    let gpu = |lowered: Flow<Lowered<'c>>| lowered.map_err(|stop| stop.into_error(kernel));
    let lowered = match target {
        Target::Amd(amd) => gpu(kernel_amd::lower(context, machine, program, amd, options))?,
        Target::Nvidia(_) => gpu(kernel_nvidia::lower(context, machine, program, options))?,
        Target::Host => crate::cpu::lower_kernel(context, machine, program, target, options)?,
    };
    match lowered.module.verify() {
        Ok(()) => Ok(lowered),
        Err(message) => {
            let message = format!("LLVM refuses the module: {message}");
            Err(Error::Internal { kernel: kernel.clone(), message })
        }
    }
}

/// Refuses a kernel that declares more shared memory than a block of the target has.
fn refuse_shared_memory(program: &Program, target: &Target) -> Result<(), Error> {
    let mut bytes = 0u64;
    for block in &program.shared {
        bytes = bytes.next_multiple_of(program.types.align(block.ty)) + program.types.size(block.ty);
        if bytes > target.shared_bytes() {
            let most = target.shared_bytes();
            return Err(Error::Unsupported {
                kernel: program.kernel.name.clone(),
                file: program.functions[program.kernel.function.0 as usize].file.clone(),
                span: block.span,
                message: format!("{bytes} bytes of shared memory; {target} has {most} for a block"),
            });
        }
    }
    Ok(())
}

/// Refuses a kernel with more arguments than the target takes.
fn refuse_arguments(program: &Program, target: &Target) -> Result<(), Error> {
    let Target::Nvidia(nvidia) = target else { return Ok(()) };
    let (size, most) = (Abi::of(&program.kernel, &program.types).size, nvidia.argument_bytes());
    if size <= most {
        return Ok(());
    }
    let function = &program.functions[program.kernel.function.0 as usize];
    Err(Error::Unsupported {
        kernel: program.kernel.name.clone(),
        file: function.file.clone(),
        span: function.span,
        message: format!("{size} bytes of arguments; {target} takes {most}: pass a buffer instead"),
    })
}

/// The largest variable that a thread may have, in bytes: what NVIDIA's local memory holds, the least of all.
const LARGEST_VARIABLE: u64 = 512 << 10;

/// A function whose body is being lowered.
struct Entered<'p> {
    function: FunctionId,
    /// File and place of the call, if panics in the function are reported there.
    caller: Option<(&'p str, Span)>,
}

/// The lowering of one kernel's body.
pub(crate) struct Lowering<'p, 'c, M> {
    pub(crate) emitter: Emitter<'c>,
    pub(crate) machine: M,
    /// The program, without calls.
    pub(crate) program: &'p Program,
    /// Which variables must be in memory.
    in_memory: Vec<bool>,
    /// Where each variable is that has been met.
    homes: Vec<Option<Home<'c>>>,
    labels: HashMap<LabelId, control::Target<'c>>,
    /// The functions whose bodies are being lowered: the kernel, then what was inlined into it.
    functions: Vec<Entered<'p>>,
    debug: Option<DebugLines<'c>>,
    panics: Vec<PanicSite>,
    panic_numbers: HashMap<PanicSite, u32>,
    shared_panic: Option<panic::SharedPanic<'c>>,
    /// The tables of constants, by bytes and alignment.
    constants: HashMap<(Vec<u8>, u64), PointerValue<'c>>,
}

impl<'p, 'c, M: Machine<'c>> Lowering<'p, 'c, M> {
    /// Starts lowering the body of the inlined `program`'s kernel to where `emitter` stands.
    pub(crate) fn new(
        emitter: Emitter<'c>,
        machine: M,
        program: &'p Program,
        debug_info: bool,
    ) -> Flow<Self> {
        let kernel = program.kernel.function;
        let function = &program.functions[kernel.0 as usize];
        let debug = debug_info.then(|| DebugLines::new(&emitter, program));
        Ok(Self {
            emitter,
            machine,
            program,
            in_memory: locals::in_memory(function),
            homes: vec![None; function.locals.len()],
            labels: HashMap::new(),
            functions: vec![Entered { function: kernel, caller: None }],
            debug,
            panics: Vec::new(),
            panic_numbers: HashMap::new(),
            shared_panic: None,
            constants: HashMap::new(),
        })
    }

    /// The kernel's own function, with everything inlined.
    pub(crate) fn kernel_function(&self) -> &'p Function {
        &self.program.functions[self.program.kernel.function.0 as usize]
    }

    /// Gives a parameter of the kernel its value.
    pub(crate) fn bind_parameter(&mut self, number: usize, value: Value<'c>) -> Flow<()> {
        let local = self.kernel_function().params[number];
        self.bind_value(local, value)
    }

    /// Goes on numbering panics where the lowering of another function of the same module left off.
    pub(crate) fn resume_panics(&mut self, panics: Vec<PanicSite>) {
        self.panic_numbers = panics.iter().cloned().zip(0..).collect();
        self.panics = panics;
    }

    /// Ends the function. What the panics' numbers mean comes with the module.
    pub(crate) fn finish(self) -> Flow<(Module<'c>, Vec<PanicSite>)> {
        if let Some(debug) = &self.debug {
            debug.finish();
        }
        Ok((self.emitter.finish()?, self.panics))
    }

    /// What stands at `span` of the code that is being lowered, as a user is told of it: of code that reports to its
    /// caller, the call.
    fn source(&self, span: Span) -> (&'p str, Span) {
        let entered = self.functions.last().expect("the kernel's own function stays");
        entered.caller.unwrap_or((&self.program.functions[entered.function.0 as usize].file, span))
    }

    /// The error for what the target can't do.
    pub(crate) fn refuse<T>(&self, span: Span, message: impl Into<String>) -> Flow<T> {
        let (file, span) = self.source(span);
        Err(Stop::Refused(Box::new(Error::Unsupported {
            kernel: self.program.kernel.name.clone(),
            file: file.into(),
            span,
            message: message.into(),
        })))
    }

    /// The instructions that follow come from `span`.
    pub(crate) fn at(&self, span: Span) {
        if let Some(debug) = &self.debug {
            debug.at(&self.emitter, span);
        }
    }

    /// A table of constants with these bytes.
    fn constant(&mut self, bytes: &[u8], align: u64) -> Pointer<'c> {
        let key = (bytes.to_vec(), align);
        if let Some(known) = self.constants.get(&key) {
            return Pointer { address: *known, invariant: true };
        }
        let value = self.emitter.context.const_string(bytes, false);
        let name = format!("constant.{}", self.constants.len());
        let global =
            self.emitter.module.add_global(value.get_type(), Some(self.machine.spaces().constant), &name);
        global.set_initializer(&value);
        global.set_constant(true);
        global.set_unnamed_addr(true);
        global.set_linkage(inkwell::module::Linkage::Private);
        global.set_alignment(align as u32);
        self.constants.insert(key, global.as_pointer_value());
        Pointer { address: global.as_pointer_value(), invariant: true }
    }

    /// Memory for a value that its type keeps there.
    fn temporary(&self, ty: wavewright_kernel_ir::types::TypeId, span: Span) -> Flow<PointerValue<'c>> {
        if self.size(ty) > LARGEST_VARIABLE {
            let name = self.program.types.name(ty);
            return self
                .refuse(span, format!("a variable of type `{name}` is larger than a thread's memory"));
        }
        self.variable(ty, "")
    }
}

#[cfg(test)]
pub(crate) mod tests;
