//! A kernel for a GPU: its function from outside, and the parameters of its body.
//!
//! The function takes the arguments of [`Abi`], one LLVM parameter each, structs and arrays by address. AMD and NVIDIA
//! differ in the data of [`Convention`] and in the [`Machine`] that their file implements.

use super::emit::{Emitter, Flow, Stop};
use super::machine::{Dimension, Machine, Spaces};
use super::types::scalar_in_memory;
use super::value::{Pointer, Value};
use super::{Lowered, Lowering};
use crate::Options;
use inkwell::IntPredicate;
use inkwell::attributes::{Attribute, AttributeLoc};
use inkwell::basic_block::BasicBlock;
use inkwell::context::Context;
use inkwell::module::{Linkage, Module};
use inkwell::targets::TargetMachine;
use inkwell::types::BasicTypeEnum;
use inkwell::values::{BasicValueEnum, FunctionValue, PointerValue};
use inkwell::{AddressSpace, GlobalVisibility};
use wavewright_kernel_ir::abi::{Abi, ArgumentKind};
use wavewright_kernel_ir::builtin::Builtin;
use wavewright_kernel_ir::scalar::Scalar;
use wavewright_kernel_ir::typed::{Expr, ExprKind, KernelParam, Program, Shared};
use wavewright_kernel_ir::types::TypeId;
use wavewright_kernel_ir::visit::{Visit, walk_expr};

/// What the kernels of a GPU look like to LLVM.
pub(super) struct Convention {
    /// LLVM's number of the calling convention.
    pub(super) call: u32,
    /// The address spaces.
    pub(super) spaces: Spaces,
    /// The attribute of a parameter that is an address of the argument's bytes.
    pub(super) by_address: &'static str,
    /// The address space of such an address.
    pub(super) arguments: AddressSpace,
    /// Whether barriers come with fences. Without, LLVM takes a barrier for a call that can't touch a `noalias`
    /// parameter, and would move accesses over it.
    pub(super) barriers_fence: bool,
}

/// What a kernel's code is made of, before its body.
pub(super) struct Shell<'c> {
    pub(super) emitter: Emitter<'c>,
    /// Returns from the kernel.
    pub(super) end: BasicBlock<'c>,
    /// The address of the fault record.
    pub(super) fault_record: PointerValue<'c>,
    /// The blocks of shared memory.
    pub(super) shared: Vec<PointerValue<'c>>,
    /// Their size together.
    pub(super) shared_bytes: u64,
}

impl Convention {
    /// Starts the kernel's function in a module of its own.
    pub(super) fn shell<'c>(
        &self,
        context: &'c Context,
        machine: &TargetMachine,
        program: &Program,
    ) -> Flow<Shell<'c>> {
        let module = new_module(context, machine, program);
        let abi = Abi::of(&program.kernel, &program.types);
        let function = self.declare(context, &module, program, &abi);
        let (shared, shared_bytes) = self.shared(context, &module, program);
        let emitter = Emitter::new(context, module, function);
        let end = emitter.block("end");
        let fault =
            function.get_last_param().ok_or_else(|| Stop::broken("a kernel without a fault record"))?;
        fault.set_name("fault");
        Ok(Shell { emitter, end, fault_record: fault.into_pointer_value(), shared, shared_bytes })
    }

    fn declare<'c>(
        &self,
        context: &'c Context,
        module: &Module<'c>,
        program: &Program,
        abi: &Abi,
    ) -> FunctionValue<'c> {
        let parameters: Vec<_> =
            abi.arguments.iter().map(|a| self.parameter(context, program, a.kind).into()).collect();
        let ty = context.void_type().fn_type(&parameters, false);
        let function = module.add_function(&program.kernel.symbol, ty, Some(Linkage::External));
        function.set_call_conventions(self.call);
        for name in ["convergent", "nounwind", "norecurse"] {
            function.add_attribute(AttributeLoc::Function, flag(context, name));
        }
        for (number, argument) in abi.arguments.iter().enumerate() {
            for attribute in self.attributes(context, program, argument.kind) {
                function.add_attribute(AttributeLoc::Param(number as u32), attribute);
            }
        }
        function
    }

    fn parameter<'c>(
        &self,
        context: &'c Context,
        program: &Program,
        kind: ArgumentKind,
    ) -> BasicTypeEnum<'c> {
        match kind {
            ArgumentKind::Value { ty, .. } => match direct(program, ty) {
                Some(scalar) => scalar_in_memory(context, scalar),
                None => context.ptr_type(self.arguments).into(),
            },
            ArgumentKind::Address { .. } | ArgumentKind::Fault => context.ptr_type(self.spaces.global).into(),
            ArgumentKind::Length { .. } | ArgumentKind::Count => context.i64_type().into(),
        }
    }

    /// What is promised of a parameter. Buffers are disjoint unless all of those that overlap are only read: a launch
    /// takes `&mut Buffer` for what is written.
    fn attributes(&self, context: &Context, program: &Program, kind: ArgumentKind) -> Vec<Attribute> {
        let align = |bytes: u64| number(context, "align", bytes);
        match kind {
            ArgumentKind::Address { param, mutable } => {
                let element = match program.kernel.params[param as usize] {
                    KernelParam::Slice { element, .. } | KernelParam::Element { element, .. } => element,
                    KernelParam::Value(ty) => ty,
                };
                let mut all = vec![flag(context, "noundef"), align(program.types.align(element))];
                if !mutable {
                    all.push(flag(context, "readonly"));
                }
                if !mutable || self.barriers_fence || !has_barrier(program) {
                    all.push(flag(context, "noalias"));
                }
                all
            }
            ArgumentKind::Value { ty, .. } if direct(program, ty).is_none() => {
                let bytes = context.i8_type().array_type(program.types.size(ty) as u32);
                let kind = Attribute::get_named_enum_kind_id(self.by_address);
                let by_address = context.create_type_attribute(kind, bytes.into());
                vec![flag(context, "noundef"), by_address, align(program.types.align(ty))]
            }
            ArgumentKind::Fault => vec![flag(context, "noundef"), flag(context, "noalias"), align(8)],
            _ => vec![flag(context, "noundef")],
        }
    }

    /// A global for each block of shared memory, and their size together.
    fn shared<'c>(
        &self,
        context: &'c Context,
        module: &Module<'c>,
        program: &Program,
    ) -> (Vec<PointerValue<'c>>, u64) {
        let mut size = 0u64;
        let declare = |(number, block): (usize, &Shared)| {
            let (bytes, align) =
                (program.types.size(block.ty), program.types.align(block.ty).max(SHARED_ALIGN));
            size = size.next_multiple_of(align) + bytes;
            let ty = context.i8_type().array_type(bytes as u32);
            let name = format!("shared.{number}");
            let global = module.add_global(ty, Some(self.spaces.shared), &name);
            global.set_initializer(&ty.get_poison());
            global.set_linkage(Linkage::Internal);
            global.set_alignment(align as u32);
            global.as_pointer_value()
        };
        let pointers = program.shared.iter().enumerate().map(declare).collect();
        (pointers, size)
    }
}

/// The primitive that an argument of this type is passed as. Numbers of 128 bits go by address as structs do, which says
/// how they are aligned: for AMD, LLVM would put them at a multiple of 8 bytes, Rust puts them at one of 16.
fn direct(program: &Program, ty: TypeId) -> Option<Scalar> {
    program.types.as_scalar(ty).filter(|scalar| scalar.size() <= 8)
}

fn has_barrier(program: &Program) -> bool {
    struct Barriers(bool);
    impl Visit for Barriers {
        fn expr(&mut self, node: &Expr) {
            self.0 |= matches!(node.kind, ExprKind::Builtin(Builtin::SyncThreads, _));
            walk_expr(self, node);
        }
    }
    let mut barriers = Barriers(false);
    barriers.expr(&program.functions[program.kernel.function.0 as usize].body);
    barriers.0
}

/// Blocks of shared memory are aligned for the widest access, whatever their type.
const SHARED_ALIGN: u64 = 16;

/// Lowers the kernel's body into its shell, with `end` as the only way out.
pub(super) fn lower<'p, 'c, M: Machine<'c>>(
    mut lowering: Lowering<'p, 'c, M>,
    convention: &Convention,
    shared_bytes: u64,
) -> Flow<Lowered<'c>> {
    let function = lowering.kernel_function();
    lowering.at(function.span);
    match bind_parameters(&mut lowering, convention).and_then(|()| lowering.expr(&function.body)) {
        Ok(_) => lowering.emitter.branch(lowering.machine.thread_end())?,
        Err(Stop::Diverges) => {}
        Err(stop) => return Err(stop),
    }
    lowering.finish_panics()?;
    lowering.emitter.enter(lowering.machine.thread_end());
    lowering.emitter.builder.build_return(None)?;
    lowering.emitter.move_to_end(lowering.machine.thread_end())?;
    let (module, panics) = lowering.finish()?;
    Ok(Lowered { module, panics, shared_bytes, scratch_bytes: 0 })
}

/// Gives the body's parameters their values. Threads without an element end here.
fn bind_parameters<'c, M: Machine<'c>>(
    lowering: &mut Lowering<'_, 'c, M>,
    convention: &Convention,
) -> Flow<()> {
    let program = lowering.program;
    let abi = Abi::of(&program.kernel, &program.types);
    let mut arguments = Arguments { function: lowering.emitter.function, next: 0 };
    let mut values = Vec::new();
    for (number, param) in program.kernel.params.iter().enumerate() {
        let name =
            &lowering.kernel_function().locals[lowering.kernel_function().params[number].0 as usize].name;
        values.push(match *param {
            KernelParam::Value(ty) => by_value(lowering, convention, &mut arguments, ty, name)?,
            KernelParam::Slice { mutable, .. } => {
                let pointer = arguments.buffer(mutable, name)?;
                Value::Fat(pointer, arguments.take(&format!("{name}.len"))?.into_int_value())
            }
            KernelParam::Element { mutable, .. } => Value::Thin(arguments.buffer(mutable, name)?),
        });
    }
    debug_assert_eq!(
        abi.arguments.len() as u32,
        arguments.next + 1 + u32::from(program.kernel.is_elementwise())
    );
    if program.kernel.is_elementwise() {
        let count = arguments.take("count")?.into_int_value();
        let index = lowering.machine.global_index(&lowering.emitter, Dimension::X)?;
        let inside = lowering.emitter.builder.build_int_compare(IntPredicate::ULT, index, count, "")?;
        let element = lowering.emitter.block("element");
        lowering.emitter.builder.build_conditional_branch(inside, element, lowering.machine.thread_end())?;
        lowering.emitter.enter(element);
        for (param, value) in program.kernel.params.iter().zip(&mut values) {
            if let (KernelParam::Element { element, .. }, Value::Thin(base)) = (*param, &*value) {
                let base = lowering.address(*base, element);
                *value = Value::Thin(lowering.at_index(base, element, index)?.pointer);
            }
        }
    }
    values.into_iter().enumerate().try_for_each(|(number, value)| lowering.bind_parameter(number, value))
}

fn by_value<'c, M: Machine<'c>>(
    lowering: &mut Lowering<'_, 'c, M>,
    convention: &Convention,
    arguments: &mut Arguments<'c>,
    ty: TypeId,
    name: &str,
) -> Flow<Value<'c>> {
    if lowering.size(ty) == 0 {
        // Nothing is read: the value has no bytes.
        let nowhere = lowering.emitter.context.ptr_type(convention.arguments).get_poison();
        return lowering.load(ty, lowering.address(Pointer::new(nowhere), ty));
    }
    let argument = arguments.take(name)?;
    match argument {
        BasicValueEnum::PointerValue(bytes) => {
            // Arguments don't change while the kernel runs.
            let pointer = Pointer { address: bytes, invariant: true };
            lowering.load(ty, lowering.address(pointer, ty))
        }
        BasicValueEnum::FloatValue(value) => Ok(Value::Float(value)),
        BasicValueEnum::IntValue(value) if lowering.scalar_of(ty)?.bits() == 1 => {
            let i1 = lowering.emitter.i1();
            Ok(Value::Int(lowering.emitter.builder.build_int_truncate(value, i1, "")?))
        }
        value => Ok(Value::Int(value.into_int_value())),
    }
}

/// The parameters of the LLVM function, one after another.
struct Arguments<'c> {
    function: FunctionValue<'c>,
    next: u32,
}

impl<'c> Arguments<'c> {
    fn take(&mut self, name: &str) -> Flow<BasicValueEnum<'c>> {
        let value =
            self.function.get_nth_param(self.next).ok_or_else(|| Stop::broken("too few parameters"))?;
        value.set_name(name);
        self.next += 1;
        Ok(value)
    }

    /// The address of a buffer. What the launch only reads does not change while the kernel runs.
    fn buffer(&mut self, mutable: bool, name: &str) -> Flow<Pointer<'c>> {
        Ok(Pointer { address: self.take(name)?.into_pointer_value(), invariant: !mutable })
    }
}

/// An empty module for a kernel.
pub(crate) fn new_module<'c>(context: &'c Context, machine: &TargetMachine, program: &Program) -> Module<'c> {
    let module = context.create_module(&program.kernel.symbol);
    module.set_source_file_name(&program.functions[program.kernel.function.0 as usize].file);
    module.set_triple(&machine.get_triple());
    module.set_data_layout(&machine.get_target_data().get_data_layout());
    module
}

/// The block size that the code is made for.
pub(crate) fn block_size(program: &Program, options: &Options) -> Option<[u32; 3]> {
    program.kernel.attributes.block.or(options.block)
}

/// An attribute without a value.
pub(crate) fn flag(context: &Context, name: &str) -> Attribute {
    number(context, name, 0)
}

/// An attribute with a number.
pub(crate) fn number(context: &Context, name: &str, value: u64) -> Attribute {
    context.create_enum_attribute(Attribute::get_named_enum_kind_id(name), value)
}

/// Only the kernel itself is seen from outside its code object.
pub(super) fn protect(function: FunctionValue<'_>) {
    function.as_global_value().set_visibility(GlobalVisibility::Protected);
}
