//! How a thread stops.
//!
//! The first thread of a launch to panic claims the launch's fault record by exchanging its state, and writes which
//! panic it was, where in the grid, and the values of the message. Every thread that panics then goes where a thread
//! goes that has returned: a plain branch, so that the other threads of its wave go on, and never `unreachable`, which
//! would let LLVM drop the check.

use super::Lowering;
use super::emit::{Emitter, Flow, Stop};
use super::machine::{Dimension, Index, Machine};
use inkwell::AtomicOrdering;
use inkwell::basic_block::BasicBlock;
use inkwell::types::IntType;
use inkwell::values::{IntValue, PhiValue, PointerValue};
use std::mem::offset_of;
use wavewright_kernel_ir::abi::FaultRecord;
use wavewright_kernel_ir::code_object::PanicSite;
use wavewright_kernel_ir::span::Span;
use wavewright_kernel_ir::typed::PanicKind;

/// How much more often a check holds than fails, for LLVM's layout of blocks.
const HOLDS: u64 = (1 << 20) - 1;

impl<'p, 'c, M: Machine<'c>> Lowering<'p, 'c, M> {
    /// Stops the thread where `fails` holds, an `i1`. `values` are those of the message.
    pub(super) fn panic_if(
        &mut self,
        fails: IntValue<'c>,
        kind: PanicKind,
        values: &[IntValue<'c>],
        span: Span,
    ) -> Flow<()> {
        match fails.get_zero_extended_constant() {
            Some(0) => return Ok(()),
            Some(_) => return self.panic(kind, values, span),
            None => {}
        }
        let (failed, holds) = (self.emitter.block("panic"), self.emitter.block("holds"));
        let branch = self.emitter.builder.build_conditional_branch(fails, failed, holds)?;
        self.emitter.set_weights(branch, 1, HOLDS)?;
        self.emitter.enter(failed);
        match self.panic::<()>(kind, values, span) {
            Ok(()) | Err(Stop::Diverges) => {}
            Err(stop) => return Err(stop),
        }
        self.emitter.enter(holds);
        Ok(())
    }

    /// Stops the thread.
    pub(super) fn panic<T>(&mut self, kind: PanicKind, values: &[IntValue<'c>], span: Span) -> Flow<T> {
        self.at(span);
        let site = self.emitter.i32().const_int(self.panic_site(kind, span).into(), false);
        let mut all = [self.emitter.i64().const_zero(); 2];
        for (place, value) in all.iter_mut().zip(values) {
            *place = *value;
        }
        match self.machine.shares_panics() {
            true => self.join_panics(site, all)?,
            false => self.report(site, all)?,
        }
        Err(Stop::Diverges)
    }

    /// Goes to the code that the kernel's panics share.
    fn join_panics(&mut self, site: IntValue<'c>, values: [IntValue<'c>; 2]) -> Flow<()> {
        let here = self.emitter.current()?;
        let shared = match self.shared_panic {
            Some(shared) => shared,
            None => *self.shared_panic.insert(SharedPanic::new(&self.emitter)?),
        };
        self.emitter.enter(here);
        shared.site.add_incoming(&[(&site, here)]);
        for (phi, value) in shared.values.iter().zip(values) {
            phi.add_incoming(&[(&value, here)]);
        }
        self.emitter.branch(shared.block)
    }

    /// Writes the code that the kernel's panics share, if there are any.
    pub(super) fn finish_panics(&mut self) -> Flow<()> {
        let Some(shared) = self.shared_panic.take() else { return Ok(()) };
        self.emitter.enter(shared.block);
        self.at(Span::default());
        let value = |phi: PhiValue<'c>| phi.as_basic_value().into_int_value();
        self.report(value(shared.site), shared.values.map(value))
    }

    /// Fills the fault record, if no other thread has, and ends the thread.
    fn report(&mut self, site: IntValue<'c>, values: [IntValue<'c>; 2]) -> Flow<()> {
        let record = self.machine.fault_record(&self.emitter)?;
        let (claimed, end) = (self.emitter.block("claimed"), self.machine.thread_end());
        let state = |state: u32| self.emitter.i32().const_int(state.into(), false);
        // System scope: the record is the host's. No order: the host reads it when the launch is over.
        let order = AtomicOrdering::Monotonic;
        let exchange = self.emitter.builder.build_cmpxchg(
            self.record_field(record, offset_of!(FaultRecord, state))?,
            state(FaultRecord::EMPTY),
            state(FaultRecord::CLAIMED),
            order,
            order,
        )?;
        let first = self.emitter.builder.build_extract_value(exchange, 1, "")?.into_int_value();
        self.emitter.builder.build_conditional_branch(first, claimed, end)?;
        self.emitter.enter(claimed);
        self.write_record(record, site, &values)?;
        self.emitter.branch(end)
    }

    fn write_record(
        &mut self,
        record: PointerValue<'c>,
        site: IntValue<'c>,
        values: &[IntValue<'c>],
    ) -> Flow<()> {
        self.write(record, offset_of!(FaultRecord, site), site)?;
        for dimension in Dimension::ALL {
            let step = 4 * dimension.number();
            let block = self.machine.index(&self.emitter, Index::Block(dimension))?;
            self.write(record, offset_of!(FaultRecord, block) + step, block)?;
            let thread = self.machine.index(&self.emitter, Index::Thread(dimension))?;
            self.write(record, offset_of!(FaultRecord, thread) + step, thread)?;
        }
        for (number, value) in values.iter().enumerate() {
            self.write(record, offset_of!(FaultRecord, values) + 8 * number, *value)?;
        }
        Ok(())
    }

    fn write(&self, record: PointerValue<'c>, offset: usize, value: IntValue<'c>) -> Flow<()> {
        self.emitter.builder.build_store(self.record_field(record, offset)?, value)?;
        Ok(())
    }

    fn record_field(&self, record: PointerValue<'c>, offset: usize) -> Flow<PointerValue<'c>> {
        let offset = [self.emitter.i64().const_int(offset as u64, false)];
        // SAFETY: the offset is that of a field of the record that the pointer is to.
        Ok(unsafe { self.emitter.builder.build_in_bounds_gep(self.emitter.i8(), record, &offset, "")? })
    }

    /// The number of this panic; the same for every copy of the code.
    fn panic_site(&mut self, kind: PanicKind, span: Span) -> u32 {
        let (file, span) = self.source(span);
        let site = PanicSite { kind, file: file.into(), span };
        if let Some(known) = self.panic_numbers.get(&site) {
            return *known;
        }
        let number = self.panics.len() as u32;
        self.panics.push(site.clone());
        self.panic_numbers.insert(site, number);
        number
    }
}

/// The code that all panics of a kernel share, and what each brings there.
#[derive(Clone, Copy)]
pub(super) struct SharedPanic<'c> {
    block: BasicBlock<'c>,
    site: PhiValue<'c>,
    values: [PhiValue<'c>; 2],
}

impl<'c> SharedPanic<'c> {
    /// An empty block with a place for what the panics bring; code then goes to it.
    fn new(emitter: &Emitter<'c>) -> Flow<Self> {
        let block = emitter.block("panic.shared");
        emitter.enter(block);
        let phi = |ty: IntType<'c>| emitter.builder.build_phi(ty, "");
        let site = phi(emitter.i32())?;
        let values = [phi(emitter.i64())?, phi(emitter.i64())?];
        Ok(Self { block, site, values })
    }
}
