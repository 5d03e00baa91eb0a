//! A region as a function: what one thread does between two barriers.
//!
//! Its parameters are those of the [`Frame`], the places of the block's variables that it reads, and the thread's index.
//! It returns nothing. A thread that is over, or that jumps to a label of the block, leaves a mark in the block's states
//! (see [`super::states`]).

use super::Kernel;
use super::frame::{self, Frame, number};
use super::machine::Host;
use super::states::{Codes, OVER};
use super::storage::{Placement, Storage};
use crate::lower::Lowering;
use crate::lower::emit::{Emitter, Flow, Stop};
use crate::lower::value::Pointer;
use inkwell::AddressSpace;
use inkwell::attributes::AttributeLoc;
use inkwell::basic_block::BasicBlock;
use inkwell::module::{Linkage, Module};
use inkwell::types::BasicMetadataTypeEnum;
use inkwell::values::{BasicValue, FunctionValue, IntValue, PointerValue};
use wavewright_kernel_ir::code_object::PanicSite;
use wavewright_kernel_ir::typed::*;

/// A region's function.
pub(super) struct Region<'c> {
    pub(super) function: FunctionValue<'c>,
    /// The block variables whose places it wants.
    pub(super) once: Vec<LocalId>,
    /// Whether a thread may come out of it in another state than it went in.
    pub(super) changes_state: bool,
    /// The same for many threads at a time, if it can be done.
    pub(super) strip: Option<Strip<'c>>,
}

/// A region's function for a strip of threads.
#[derive(Clone, Copy)]
pub(super) struct Strip<'c> {
    pub(super) function: FunctionValue<'c>,
    /// How many threads a strip has.
    pub(super) lanes: u32,
    /// The most blocks that the grid may have along x; with more, threads run one by one.
    pub(super) most_blocks: Option<u32>,
}

/// Writes region `index` of the kernel.
pub(super) fn emit<'c>(
    kernel: &Kernel<'_, 'c>,
    module: Module<'c>,
    panics: &mut Vec<PanicSite>,
    index: usize,
    statements: &[Statement],
) -> Flow<(Module<'c>, Region<'c>)> {
    let once: Vec<_> = kernel.placement.once_in(index).collect();
    let function = declare(kernel, &module, index, once.len());
    let emitter = Emitter::new(kernel.context, module, function);
    let mut writer = Writer::new(kernel, emitter, &once, index)?;
    writer.lowering.resume_panics(std::mem::take(panics));
    let reached = writer.body(statements);
    writer.leave_labels()?;
    match reached {
        Ok(()) => writer.lowering.emitter.branch(writer.leave)?,
        Err(Stop::Diverges) => {}
        Err(stop) => return Err(stop),
    }
    let changes_state = writer.ends()?;
    let (module, sites) = writer.lowering.finish()?;
    *panics = sites;
    Ok((module, Region { function, once, changes_state, strip: None }))
}

fn declare<'c>(kernel: &Kernel<'_, 'c>, module: &Module<'c>, index: usize, once: usize) -> FunctionValue<'c> {
    let context = kernel.context;
    let mut types = Frame::types(context, kernel.program, &kernel.abi);
    let first_once = types.len() as u32;
    types.extend(vec![BasicMetadataTypeEnum::from(context.ptr_type(AddressSpace::default())); once]);
    let first_thread = types.len() as u32;
    types.extend([BasicMetadataTypeEnum::from(context.i32_type()); 3]);
    let ty = context.void_type().fn_type(&types, false);
    let name = format!("{}.{index}", kernel.program.kernel.symbol);
    let function = module.add_function(&name, ty, Some(Linkage::Internal));
    for name in ["nounwind", "alwaysinline"] {
        function.add_attribute(AttributeLoc::Function, number(context, name, 0));
    }
    Frame::promise(context, kernel.program, &kernel.abi, function);
    for parameter in first_once..first_thread {
        for name in ["noundef", "noalias", "readonly"] {
            function.add_attribute(AttributeLoc::Param(parameter), number(context, name, 0));
        }
    }
    for (dimension, parameter) in (first_thread..first_thread + 3).enumerate() {
        function.add_attribute(AttributeLoc::Param(parameter), number(context, "noundef", 0));
        let end = kernel.block.map_or(Kernel::MOST_THREADS, |block| block[dimension]);
        super::ranges::promise(function, parameter, 0, end);
    }
    function
}

struct Writer<'k, 'p, 'c> {
    kernel: &'k Kernel<'p, 'c>,
    lowering: Lowering<'k, 'c, Host<'c>>,
    frame: Frame<'c>,
    index: usize,
    /// The thread's number in the block.
    thread: IntValue<'c>,
    /// Where the region is left: what it shares goes back to scratch memory.
    leave: BasicBlock<'c>,
    /// Variables that it works on in a copy, and where they come from.
    copies: Vec<(LocalId, PointerValue<'c>, PointerValue<'c>)>,
    /// Where `continue` of each label leads.
    next: Vec<(LabelId, BasicBlock<'c>)>,
}

impl<'k, 'p, 'c> Writer<'k, 'p, 'c> {
    fn new(kernel: &'k Kernel<'p, 'c>, emitter: Emitter<'c>, once: &[LocalId], index: usize) -> Flow<Self> {
        let known = kernel.known_block_size();
        let (frame, others) = Frame::of_parameters(emitter.function, &kernel.abi, known);
        let (places, thread) = others.split_at(once.len());
        let mut homes = vec![None; kernel.locals()];
        for (local, place) in once.iter().zip(places) {
            homes[local.0 as usize] = Some(place.into_pointer_value());
        }
        let (end, leave) = (emitter.block("over"), emitter.block("leave"));
        let thread = [0, 1, 2].map(|dimension| thread[dimension].into_int_value());
        let host = Host::new(kernel, &frame, thread, homes, end)?;
        let lowering = Lowering::new(emitter, host, kernel.program, kernel.debug_info)?;
        lowering.at(lowering.kernel_function().span);
        let thread = linear_thread(&lowering)?;
        let (copies, next) = (Vec::new(), Vec::new());
        Ok(Self { kernel, lowering, frame, index, thread, leave, copies, next })
    }

    fn body(&mut self, statements: &[Statement]) -> Flow<()> {
        frame::bind_for_thread(&mut self.lowering, &self.frame)?;
        self.fetch_shared()?;
        self.enter_labels(statements)?;
        let placement = &self.kernel.placement;
        self.lowering.statements(&placement.recomputed_in(self.index, statements))?;
        self.lowering.statements(statements)
    }

    /// Finds what the region shares with others, and copies what it need not work on in place.
    fn fetch_shared(&mut self) -> Flow<()> {
        let placement: &Placement = &self.kernel.placement;
        for local in placement.shared_in(self.index) {
            let Storage::Scratch { offset, in_place } = placement.storage[local.0 as usize] else { continue };
            let ty = self.lowering.kernel_function().locals[local.0 as usize].ty;
            let array = self.kernel.scratch_array(&self.lowering.emitter, self.frame.scratch, offset)?;
            let array = self.lowering.address(Pointer::new(array), ty);
            let index = self.lowering.emitter.builder.build_int_z_extend(
                self.thread,
                self.lowering.emitter.i64(),
                "",
            )?;
            let place = self.lowering.at_index(array, ty, index)?;
            let home = if in_place {
                place.pointer.address
            } else {
                let copy = self.lowering.variable(ty, "")?;
                self.lowering.copy(ty, place, self.lowering.address(Pointer::new(copy), ty))?;
                self.copies.push((local, copy, place.pointer.address));
                copy
            };
            self.lowering.machine.homes[local.0 as usize] = Some(home);
        }
        Ok(())
    }

    /// Says where jumps out of the region lead.
    fn enter_labels(&mut self, statements: &[Statement]) -> Flow<()> {
        let unit = self.lowering.kernel_function().result;
        let span = self.lowering.kernel_function().span;
        for label in super::states::jumps_out(statements, &self.kernel.codes) {
            let exit = self.lowering.join(unit, "break", span)?;
            let next = self.lowering.emitter.block("continue");
            self.next.push((label, next));
            self.lowering.enter_label(label, exit, Some(next));
        }
        Ok(())
    }

    /// Writes the blocks that jumps out of the region lead to.
    fn leave_labels(&mut self) -> Flow<()> {
        let here = self.lowering.emitter.current()?;
        for (label, next) in std::mem::take(&mut self.next) {
            let Codes { leave, again } = self.kernel.codes[&label];
            let exit = self.lowering.leave_label(label)?;
            match self.lowering.meet(exit) {
                Ok(_) => self.leave_as(leave)?,
                Err(Stop::Diverges) => {}
                Err(stop) => return Err(stop),
            }
            if self.lowering.enter_if_reached(next)? {
                self.leave_as(again)?;
            }
        }
        self.lowering.emitter.enter(here);
        Ok(())
    }

    fn leave_as(&mut self, state: u32) -> Flow<()> {
        self.set_state(state)?;
        self.lowering.emitter.branch(self.leave)
    }

    fn set_state(&mut self, state: u32) -> Flow<()> {
        let emitter = &self.lowering.emitter;
        let index = [emitter.builder.build_int_z_extend(self.thread, emitter.i64(), "")?];
        // SAFETY: the states are an array over the block's threads at the start of its scratch memory.
        let place =
            unsafe { emitter.builder.build_in_bounds_gep(emitter.i32(), self.frame.scratch, &index, "")? };
        emitter.builder.build_store(place, emitter.i32().const_int(state.into(), false))?;
        emitter.builder.build_store(self.frame.all_run, emitter.i8().const_zero())?;
        Ok(())
    }

    /// Writes the region's ends. Tells whether threads may come out in another state.
    fn ends(&mut self) -> Flow<bool> {
        let jumps_out = !self.kernel.codes.is_empty() && self.marks_state();
        let over = self.lowering.machine.end;
        let is_over = self.lowering.enter_if_reached(over)?;
        if is_over {
            if self.kernel.keeps_states {
                self.set_state(OVER)?;
            }
            self.lowering.emitter.builder.build_return(None)?;
        }
        if self.lowering.enter_if_reached(self.leave)? {
            let written = self.kernel.placement.written_in(self.index);
            for (local, copy, place) in std::mem::take(&mut self.copies) {
                if written.contains(&local) {
                    let ty = self.lowering.kernel_function().locals[local.0 as usize].ty;
                    let address = |pointer| self.lowering.address(Pointer::new(pointer), ty);
                    self.lowering.copy(ty, address(copy), address(place))?;
                }
            }
            self.lowering.emitter.builder.build_return(None)?;
        }
        Ok(self.kernel.keeps_states && (is_over || jumps_out))
    }

    /// Whether any code so far writes a state.
    fn marks_state(&self) -> bool {
        self.frame.all_run.get_first_use().is_some()
    }
}

/// The thread's number in its block; x counts fastest.
fn linear_thread<'c>(lowering: &Lowering<'_, 'c, Host<'c>>) -> Flow<IntValue<'c>> {
    let ([x, y, z], [width, height, _]) = (lowering.machine.thread, lowering.machine.block_size);
    let builder = &lowering.emitter.builder;
    let row = builder.build_int_nuw_add(builder.build_int_nuw_mul(z, height, "")?, y, "")?;
    Ok(builder.build_int_nuw_add(builder.build_int_nuw_mul(row, width, "")?, x, "")?)
}
