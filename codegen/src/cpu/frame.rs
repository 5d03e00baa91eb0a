//! What the parts of a kernel hand each other: the kernel's function loads it once, and passes it to its regions as
//! parameters, where LLVM can be told what holds of it.

use super::machine::Host;
use crate::lower::Lowering;
use crate::lower::emit::{Emitter, Flow, Stop};
use crate::lower::machine::{Dimension, Machine};
use crate::lower::types::scalar_in_memory;
use crate::lower::value::{Pointer, Value};
use inkwell::attributes::{Attribute, AttributeLoc};
use inkwell::context::Context;
use inkwell::types::{BasicMetadataTypeEnum, BasicTypeEnum};
use inkwell::values::{
    BasicMetadataValueEnum, BasicValue, BasicValueEnum, FunctionValue, IntValue, PointerValue,
};
use inkwell::{AddressSpace, IntPredicate};
use std::mem::offset_of;
use wavewright_kernel_ir::abi::{Abi, ArgumentKind, CpuWork};
use wavewright_kernel_ir::scalar::Scalar;
use wavewright_kernel_ir::typed::{KernelParam, Program};
use wavewright_kernel_ir::types::Type;

/// What does not change while a block runs, and where its memory is.
#[derive(Clone)]
pub(super) struct Frame<'c> {
    /// The arguments, in the order of the [`Abi`]; structs and arrays by address.
    pub(super) arguments: Vec<BasicValueEnum<'c>>,
    pub(super) block: [IntValue<'c>; 3],
    pub(super) grid: [IntValue<'c>; 3],
    pub(super) block_size: [IntValue<'c>; 3],
    pub(super) shared: PointerValue<'c>,
    pub(super) scratch: PointerValue<'c>,
    /// A byte: whether every thread of the block still runs.
    pub(super) all_run: PointerValue<'c>,
}

/// How many LLVM parameters a frame has beside the arguments.
const BESIDE_ARGUMENTS: usize = 12;

impl<'c> Frame<'c> {
    /// The types of a frame's parts, in order.
    pub(super) fn types(
        context: &'c Context,
        program: &Program,
        abi: &Abi,
    ) -> Vec<BasicMetadataTypeEnum<'c>> {
        let mut types: Vec<BasicMetadataTypeEnum<'c>> =
            abi.arguments.iter().map(|a| argument_type(context, program, a.kind).into()).collect();
        types.extend([BasicMetadataTypeEnum::from(context.i32_type()); 9]);
        types.extend([BasicMetadataTypeEnum::from(context.ptr_type(AddressSpace::default())); 3]);
        types
    }

    /// The parts, in the same order.
    pub(super) fn values(&self) -> Vec<BasicMetadataValueEnum<'c>> {
        let mut values: Vec<BasicMetadataValueEnum<'c>> =
            self.arguments.iter().map(|value| (*value).into()).collect();
        let indices = [self.block, self.grid, self.block_size].concat();
        values.extend(indices.into_iter().map(BasicMetadataValueEnum::from));
        values.extend([self.shared, self.scratch, self.all_run].map(BasicMetadataValueEnum::from));
        values
    }

    /// The frame that `function` is called with, and what follows it. A block size that is known counts, not what
    /// was passed.
    pub(super) fn of_parameters(
        function: FunctionValue<'c>,
        abi: &Abi,
        known: Option<[IntValue<'c>; 3]>,
    ) -> (Self, Vec<BasicValueEnum<'c>>) {
        let parameters = function.get_params();
        let (arguments, rest) = parameters.split_at(abi.arguments.len());
        let (beside, others) = rest.split_at(BESIDE_ARGUMENTS);
        let three = |from: usize| [0, 1, 2].map(|n| beside[from + n].into_int_value());
        let frame = Self {
            arguments: arguments.to_vec(),
            block: three(0),
            grid: three(3),
            block_size: known.unwrap_or_else(|| three(6)),
            shared: beside[9].into_pointer_value(),
            scratch: beside[10].into_pointer_value(),
            all_run: beside[11].into_pointer_value(),
        };
        (frame, others.to_vec())
    }

    /// Tells LLVM what holds of a frame's parts. Buffers are disjoint unless all that overlap are only read: a launch
    /// takes `&mut Buffer` for what is written.
    pub(super) fn promise(context: &Context, program: &Program, abi: &Abi, function: FunctionValue<'c>) {
        let add = |parameter: usize, attributes: &[Attribute]| {
            for attribute in attributes {
                function.add_attribute(AttributeLoc::Param(parameter as u32), *attribute);
            }
        };
        let flag = |name| number(context, name, 0);
        for (parameter, argument) in abi.arguments.iter().enumerate() {
            add(parameter, &[flag("noundef")]);
            match argument.kind {
                ArgumentKind::Address { param, mutable } => {
                    let element = match program.kernel.params[param as usize] {
                        KernelParam::Slice { element, .. } | KernelParam::Element { element, .. } => element,
                        KernelParam::Value(ty) => ty,
                    };
                    add(
                        parameter,
                        &[flag("noalias"), number(context, "align", program.types.align(element))],
                    );
                    if !mutable {
                        add(parameter, &[flag("readonly")]);
                    }
                }
                ArgumentKind::Value { ty, .. } if program.types.as_scalar(ty).is_none() => {
                    let align = number(context, "align", program.types.align(ty));
                    let size = number(context, "dereferenceable", program.types.size(ty));
                    add(parameter, &[flag("noalias"), flag("readonly"), align, size]);
                }
                ArgumentKind::Fault => add(parameter, &[flag("noalias"), number(context, "align", 8)]),
                _ => {}
            }
        }
        let first = abi.arguments.len();
        (first..first + 9).for_each(|parameter| add(parameter, &[flag("noundef")]));
        for parameter in [first + 9, first + 10] {
            add(parameter, &[flag("noundef"), flag("noalias"), number(context, "align", 64)]);
        }
        add(first + 11, &[flag("noundef"), flag("noalias"), number(context, "dereferenceable", 1)]);
    }

    /// Loads what a call of the kernel's function hands over. `block` and `all_run` are put in later.
    pub(super) fn load(
        emitter: &Emitter<'c>,
        program: &Program,
        abi: &Abi,
        known: Option<[IntValue<'c>; 3]>,
        all_run: PointerValue<'c>,
    ) -> Flow<Self> {
        let pointer = |number| {
            let parameter = emitter.function.get_nth_param(number);
            parameter
                .map(BasicValueEnum::into_pointer_value)
                .ok_or_else(|| Stop::broken("too few parameters"))
        };
        let (arguments, work) = (pointer(0)?, pointer(1)?);
        let loader = Loader { emitter };
        let values = abi.arguments.iter().map(|argument| {
            let address = loader.at(arguments, argument.offset)?;
            match argument.kind {
                ArgumentKind::Value { ty, .. } if program.types.as_scalar(ty).is_none() => Ok(address.into()),
                kind => loader.load(argument_type(emitter.context, program, kind), address, argument.align),
            }
        });
        let arguments = values.collect::<Flow<_>>()?;
        let three = |offset: usize| -> Flow<[IntValue<'c>; 3]> {
            let one = |n: usize| loader.int(emitter.i32(), work, offset + 4 * n);
            Ok([one(0)?, one(1)?, one(2)?])
        };
        let zero = emitter.i32().const_zero();
        Ok(Self {
            arguments,
            block: [zero; 3],
            grid: three(offset_of!(CpuWork, grid))?,
            block_size: match known {
                Some(known) => known,
                None => three(offset_of!(CpuWork, block))?,
            },
            shared: loader.pointer(work, offset_of!(CpuWork, shared))?,
            scratch: loader.pointer(work, offset_of!(CpuWork, scratch))?,
            all_run,
        })
    }

    /// The first block to run, and past the last.
    pub(super) fn range(emitter: &Emitter<'c>) -> Flow<(IntValue<'c>, IntValue<'c>)> {
        let work = emitter.function.get_nth_param(1).ok_or_else(|| Stop::broken("too few parameters"))?;
        let (work, loader) = (work.into_pointer_value(), Loader { emitter });
        let int = |offset| loader.int(emitter.i64(), work, offset);
        Ok((int(offset_of!(CpuWork, first))?, int(offset_of!(CpuWork, end))?))
    }

    /// The fault record.
    pub(super) fn fault(&self) -> Flow<PointerValue<'c>> {
        let last = self.arguments.last().ok_or_else(|| Stop::broken("a kernel without a fault record"))?;
        Ok(last.into_pointer_value())
    }
}

/// Loads from the argument block, which nothing writes while the kernel runs.
struct Loader<'e, 'c> {
    emitter: &'e Emitter<'c>,
}

impl<'c> Loader<'_, 'c> {
    fn at(&self, base: PointerValue<'c>, offset: u64) -> Flow<PointerValue<'c>> {
        let (i8, offset) = (self.emitter.i8(), [self.emitter.i64().const_int(offset, false)]);
        // SAFETY: the offset is that of an argument or field inside what the pointer is to.
        Ok(unsafe { self.emitter.builder.build_in_bounds_gep(i8, base, &offset, "")? })
    }

    fn load(&self, ty: BasicTypeEnum<'c>, address: PointerValue<'c>, align: u64) -> Flow<BasicValueEnum<'c>> {
        let value = self.emitter.builder.build_load(ty, address, "")?;
        if let Some(load) = value.as_instruction_value() {
            load.set_alignment(align as u32).map_err(|e| Stop::broken(e.to_string()))?;
        }
        Ok(value)
    }

    fn int(
        &self,
        ty: inkwell::types::IntType<'c>,
        base: PointerValue<'c>,
        offset: usize,
    ) -> Flow<IntValue<'c>> {
        let align = u64::from(ty.get_bit_width() / 8);
        Ok(self.load(ty.into(), self.at(base, offset as u64)?, align)?.into_int_value())
    }

    fn pointer(&self, base: PointerValue<'c>, offset: usize) -> Flow<PointerValue<'c>> {
        let ty = self.emitter.context.ptr_type(AddressSpace::default());
        Ok(self.load(ty.into(), self.at(base, offset as u64)?, 8)?.into_pointer_value())
    }
}

/// The LLVM type of an argument.
fn argument_type<'c>(context: &'c Context, program: &Program, kind: ArgumentKind) -> BasicTypeEnum<'c> {
    let pointer = context.ptr_type(AddressSpace::default());
    match kind {
        ArgumentKind::Value { ty, .. } => match program.types.get(ty) {
            Type::Scalar(scalar) => scalar_in_memory(context, *scalar),
            _ => pointer.into(),
        },
        ArgumentKind::Address { .. } | ArgumentKind::Fault => pointer.into(),
        ArgumentKind::Length { .. } | ArgumentKind::Count => context.i64_type().into(),
    }
}

/// Gives the parameters their values for a thread. In an element-wise kernel one without an element ends here.
pub(super) fn bind_for_thread<'c>(lowering: &mut Lowering<'_, 'c, Host<'c>>, frame: &Frame<'c>) -> Flow<()> {
    let mut arguments = frame.arguments.iter().copied();
    let mut values = parameter_values(lowering, &mut arguments)?;
    if lowering.program.kernel.is_elementwise() {
        let count = arguments.next().ok_or_else(|| Stop::broken("too few arguments"))?;
        find_element(lowering, count.into_int_value(), &mut values)?;
    }
    bind(lowering, values)
}

/// Gives the parameters their values for the block, which has no element of its own.
pub(super) fn bind_for_block<'c>(lowering: &mut Lowering<'_, 'c, Host<'c>>, frame: &Frame<'c>) -> Flow<()> {
    let values = parameter_values(lowering, &mut frame.arguments.iter().copied())?;
    bind(lowering, values)
}

fn bind<'c>(lowering: &mut Lowering<'_, 'c, Host<'c>>, values: Vec<Value<'c>>) -> Flow<()> {
    values.into_iter().enumerate().try_for_each(|(number, value)| lowering.bind_parameter(number, value))
}

fn parameter_values<'c>(
    lowering: &mut Lowering<'_, 'c, Host<'c>>,
    arguments: &mut impl Iterator<Item = BasicValueEnum<'c>>,
) -> Flow<Vec<Value<'c>>> {
    let program = lowering.program;
    let mut next = || arguments.next().ok_or_else(|| Stop::broken("too few arguments"));
    let mut values = Vec::new();
    for param in &program.kernel.params {
        values.push(match *param {
            KernelParam::Value(ty) if program.types.size(ty) == 0 => {
                // Nothing is read: the value has no bytes.
                let nowhere = lowering.emitter.context.ptr_type(AddressSpace::default()).get_poison();
                lowering.load(ty, lowering.address(Pointer::new(nowhere), ty))?
            }
            KernelParam::Value(ty) => match next()? {
                BasicValueEnum::PointerValue(address) => {
                    let pointer = Pointer { address, invariant: true };
                    lowering.load(ty, lowering.address(pointer, ty))?
                }
                BasicValueEnum::FloatValue(value) => Value::Float(value),
                value if program.types.as_scalar(ty) == Some(Scalar::Bool) => {
                    let (byte, i1) = (value.into_int_value(), lowering.emitter.i1());
                    Value::Int(lowering.emitter.builder.build_int_truncate(byte, i1, "")?)
                }
                value => Value::Int(value.into_int_value()),
            },
            KernelParam::Slice { mutable, .. } => {
                let pointer = Pointer { address: next()?.into_pointer_value(), invariant: !mutable };
                Value::Fat(pointer, next()?.into_int_value())
            }
            KernelParam::Element { mutable, .. } => {
                Value::Thin(Pointer { address: next()?.into_pointer_value(), invariant: !mutable })
            }
        });
    }
    Ok(values)
}

/// Moves each `&T` and `&mut T` to the thread's own element.
fn find_element<'c>(
    lowering: &mut Lowering<'_, 'c, Host<'c>>,
    count: IntValue<'c>,
    values: &mut [Value<'c>],
) -> Flow<()> {
    let index = lowering.machine.global_index(&lowering.emitter, Dimension::X)?;
    let inside = lowering.emitter.builder.build_int_compare(IntPredicate::ULT, index, count, "")?;
    let element = lowering.emitter.block("element");
    lowering.emitter.builder.build_conditional_branch(inside, element, lowering.machine.end)?;
    lowering.emitter.enter(element);
    for (param, value) in lowering.program.kernel.params.iter().zip(values) {
        if let (KernelParam::Element { element, .. }, Value::Thin(base)) = (*param, &*value) {
            let base = lowering.address(*base, element);
            *value = Value::Thin(lowering.at_index(base, element, index)?.pointer);
        }
    }
    Ok(())
}

/// An attribute with a number.
pub(super) fn number(context: &Context, name: &str, value: u64) -> Attribute {
    context.create_enum_attribute(Attribute::get_named_enum_kind_id(name), value)
}
