//! The road from a program to its code.

use crate::link::{self, Linking};
use crate::lower::{Lowered, lower_kernel};
use crate::{Artifact, Error, Options, Stage, emit as emission, inline, llvm, machine, optimise};
use inkwell::context::Context;
use inkwell::module::Module;
use inkwell::targets::TargetMachine;
use wavewright_kernel_ir::abi::Abi;
use wavewright_kernel_ir::code_object::CodeObject;
use wavewright_kernel_ir::print;
use wavewright_kernel_ir::target::{NvidiaArch, Target};
use wavewright_kernel_ir::typed::{Kernel, Program};

/// Compiles `program` for `target`: what the runtime loads. Two calls give the same bytes.
pub fn compile(program: &Program, target: &Target, options: &Options) -> Result<CodeObject, Error> {
    let options = settle_block(&program.kernel, target, options)?;
    let compiled_for = *target;
    run(program, target, options, Stage::CodeObject, move |generator, program, lowered| {
        let Lowered { module, panics, shared_bytes, scratch_bytes } = lowered;
        let bytes = match generator.generate(module)? {
            Artifact::Text(text) => text.into_bytes(),
            Artifact::Binary(bytes) => bytes,
        };
        Ok(CodeObject {
            name: program.kernel.name.clone(),
            symbol: program.kernel.symbol.clone(),
            target: compiled_for.to_string(),
            format: compiled_for.format(),
            bytes,
            abi: Abi::of(&program.kernel, &program.types),
            elementwise: program.kernel.is_elementwise(),
            block: options.block,
            shared_bytes,
            scratch_bytes,
            panics,
        })
    })
}

/// Takes `program` to the form of `stage`, to look at.
pub fn emit(program: &Program, target: &Target, options: &Options, stage: Stage) -> Result<Artifact, Error> {
    if stage == Stage::Typed {
        return Ok(Artifact::Text(print::typed(program)));
    }
    if stage == Stage::Object && matches!(target, Target::Nvidia(_)) {
        let instead = "NVIDIA's driver turns the PTX (`assembly`) into code";
        return Err(Error::NoSuchStage { stage, target: target.to_string(), instead });
    }
    let options = settle_block(&program.kernel, target, options)?;
    run(program, target, options, stage, |generator, _, lowered| generator.generate(lowered.module))
}

/// Lowers `program` on a thread of its own and lets `finish` make something of the module there.
fn run<T: Send + 'static>(
    program: &Program,
    target: &Target,
    options: Options,
    stage: Stage,
    finish: impl FnOnce(Generator, &Program, Lowered) -> Result<T, Error> + Send + 'static,
) -> Result<T, Error> {
    // The thread may outlive this call (see `contained`), so it owns what it works on.
    let (program, on_thread) = (program.clone(), *target);
    let kernel = program.kernel.name.clone();
    llvm::contained(&kernel, target, move || {
        let links = stage == Stage::CodeObject && matches!(on_thread, Target::Amd(_));
        let linking = links.then(link::start);
        let program = inline::inline(&program)?;
        let machine = machine::create(&on_thread, &options)?;
        let context = Context::create();
        let diagnostics = llvm::Diagnostics::of(&context);
        let lowered = lower_kernel(&context, &machine, &program, &on_thread, &options)?;
        let generator = Generator {
            kernel: &program.kernel.name,
            target: &on_thread,
            options: &options,
            machine: &machine,
            diagnostics: &diagnostics,
            stage,
            linking,
        };
        finish(generator, &program, lowered)
    })
}

/// The options with the size of a block that holds: the attribute's, if it has one.
fn settle_block(kernel: &Kernel, target: &Target, options: &Options) -> Result<Options, Error> {
    let block = match (kernel.attributes.block, options.block) {
        (Some(attribute), Some(asked)) if attribute != asked => {
            return Err(Error::BlockMismatch { kernel: kernel.name.clone(), attribute, asked });
        }
        (attribute, asked) => attribute.or(asked),
    };
    if let Some(block) = block
        && let Some(reason) = bad_block(target, block)
    {
        let (kernel, target) = (kernel.name.clone(), target.to_string());
        return Err(Error::BlockSize { kernel, target, block, reason });
    }
    Ok(Options { block, ..*options })
}

/// Why no block of this size can run on `target`, if none can.
fn bad_block(target: &Target, block: [u32; 3]) -> Option<String> {
    if block.contains(&0) {
        return Some("it has no threads".into());
    }
    let threads: u128 = block.iter().map(|size| u128::from(*size)).product();
    if threads > u128::from(target.block_threads()) {
        return Some(format!("it has {threads} threads, and may have {}", target.block_threads()));
    }
    if matches!(target, Target::Nvidia(_)) && block[2] > NvidiaArch::BLOCK_Z {
        return Some(format!("its z is {}, and may be {}", block[2], NvidiaArch::BLOCK_Z));
    }
    None
}

/// What takes a module to the form of a stage.
struct Generator<'g> {
    kernel: &'g str,
    target: &'g Target,
    options: &'g Options,
    machine: &'g TargetMachine,
    diagnostics: &'g llvm::Diagnostics,
    stage: Stage,
    /// The linker, where the stage needs one.
    linking: Option<Linking>,
}

impl Generator<'_> {
    /// Takes `module`, as lowering writes it, to the form of the stage.
    fn generate(self, module: Module) -> Result<Artifact, Error> {
        if self.stage <= Stage::LlvmIrRaw {
            return Ok(Artifact::Text(module.print_to_string().to_string()));
        }
        self.check(optimise::optimise(&module, self.machine, self.options.optimisation))?;
        if self.stage == Stage::LlvmIr {
            return Ok(Artifact::Text(module.print_to_string().to_string()));
        }
        if self.stage == Stage::Assembly || matches!(self.target, Target::Nvidia(_)) {
            return self.check(emission::assembly(module, self.machine)).map(Artifact::Text);
        }
        let object = self.check(emission::object(module, self.machine))?;
        match self.linking {
            Some(linking) => linking.link(&object).map(Artifact::Binary),
            None => Ok(Artifact::Binary(object)),
        }
    }

    /// What LLVM said, in `result` or beside it.
    fn check<T>(&self, result: Result<T, String>) -> Result<T, Error> {
        self.diagnostics.check(result).map_err(|message| Error::Llvm {
            kernel: self.kernel.into(),
            target: self.target.to_string(),
            message,
        })
    }
}

#[cfg(test)]
mod tests;
