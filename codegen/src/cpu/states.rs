//! What the threads of a block are doing, where they don't all do the same.
//!
//! Each thread has a state: it runs, it is over, or it waits at the end of a loop or labelled block that it has jumped to
//! the end of while others have not. As long as all run, which is the rule, nobody looks at the states: one byte says so.
//! A barrier waits for no thread that is over or that went another way; a barrier in a branch is one for the threads
//! that took the branch. So no kernel can hang the device with a barrier, and none can touch memory that is not its own.

use super::frame::number;
use super::split::Node;
use super::uniform::Uniform;
use crate::lower::emit::Flow;
use inkwell::attributes::AttributeLoc;
use inkwell::context::Context;
use inkwell::module::{Linkage, Module};
use inkwell::values::FunctionValue;
use inkwell::{AddressSpace, IntPredicate};
use std::collections::HashMap;
use wavewright_kernel_ir::typed::*;
use wavewright_kernel_ir::visit::{self, Visit};

/// The state of a thread that runs.
pub(super) const RUNS: u32 = 0;
/// The state of a thread that has returned or panicked.
pub(super) const OVER: u32 = 1;

/// The states of threads that wait at a label.
#[derive(Clone, Copy, Debug)]
pub(super) struct Codes {
    /// For its end.
    pub(super) leave: u32,
    /// For its next round.
    pub(super) again: u32,
}

/// Numbers the states for the labels that threads reach each on its own.
pub(super) fn number_labels(nodes: &[Node], uniform: &Uniform) -> HashMap<LabelId, Codes> {
    fn walk(nodes: &[Node], uniform: &Uniform, codes: &mut HashMap<LabelId, Codes>) {
        for node in nodes {
            match node {
                Node::Loop(label, body) | Node::Labeled(label, body) => {
                    if !uniform.label(*label) {
                        let leave = OVER + 1 + 2 * codes.len() as u32;
                        codes.insert(*label, Codes { leave, again: leave + 1 });
                    }
                    walk(body, uniform, codes);
                }
                Node::If { then, otherwise, .. } => {
                    walk(then, uniform, codes);
                    walk(otherwise, uniform, codes);
                }
                Node::Threads(_) | Node::Once(_) | Node::Leave(_) | Node::Again(_) | Node::End => {}
            }
        }
    }
    let mut codes = HashMap::new();
    walk(nodes, uniform, &mut codes);
    codes
}

/// The labels outside that statements jump to.
pub(super) fn jumps_out(statements: &[Statement], codes: &HashMap<LabelId, Codes>) -> Vec<LabelId> {
    struct Jumps<'a>(&'a HashMap<LabelId, Codes>, Vec<LabelId>);
    impl Visit for Jumps<'_> {
        fn expr(&mut self, expr: &Expr) {
            if let ExprKind::Break(label, _) | ExprKind::Continue(label) = expr.kind
                && self.0.contains_key(&label)
                && !self.1.contains(&label)
            {
                self.1.push(label);
            }
            visit::walk_expr(self, expr);
        }
    }
    let mut jumps = Jumps(codes, Vec::new());
    statements.iter().for_each(|statement| jumps.statement(statement));
    jumps.1
}

/// Bits of what the function of [`wake`] returns: some thread runs, every thread runs.
pub(super) const SOME_RUN: u64 = 1;
/// See [`SOME_RUN`].
pub(super) const ALL_RUN: u64 = 2;

/// Declares `i32 wake(ptr states, i32 threads, i32 code)`, which lets the threads that wait with `code` run, and tells
/// who runs then.
pub(super) fn wake<'c>(context: &'c Context, module: &Module<'c>) -> Flow<FunctionValue<'c>> {
    const NAME: &str = "wake";
    if let Some(known) = module.get_function(NAME) {
        return Ok(known);
    }
    let (i32, pointer) = (context.i32_type(), context.ptr_type(AddressSpace::default()));
    let ty = i32.fn_type(&[pointer.into(), i32.into(), i32.into()], false);
    let function = module.add_function(NAME, ty, Some(Linkage::Internal));
    for name in ["nounwind", "noinline"] {
        function.add_attribute(AttributeLoc::Function, number(context, name, 0));
    }
    let builder = context.create_builder();
    let [entry, head, done] =
        ["entry", "thread", "done"].map(|name| context.append_basic_block(function, name));
    let parameters = function.get_params();
    let states = parameters[0].into_pointer_value();
    let (threads, code) = (parameters[1].into_int_value(), parameters[2].into_int_value());
    builder.position_at_end(entry);
    builder.build_unconditional_branch(head)?;
    builder.position_at_end(head);
    let (runs, one) = (i32.const_int(RUNS.into(), false), i32.const_int(1, false));
    let [at, some, all] =
        [builder.build_phi(i32, "")?, builder.build_phi(i32, "")?, builder.build_phi(i32, "")?];
    let index = at.as_basic_value().into_int_value();
    // SAFETY: the states are an array over the threads.
    let place = unsafe { builder.build_in_bounds_gep(i32, states, &[index], "")? };
    let state = builder.build_load(i32, place, "")?.into_int_value();
    let waits = builder.build_int_compare(IntPredicate::EQ, state, code, "")?;
    let now = builder.build_select(waits, runs, state, "")?.into_int_value();
    builder.build_store(place, now)?;
    let is_running = builder.build_int_compare(IntPredicate::EQ, now, runs, "")?;
    let is_running = builder.build_int_z_extend(is_running, i32, "")?;
    let some_now = builder.build_or(some.as_basic_value().into_int_value(), is_running, "")?;
    let all_now = builder.build_and(all.as_basic_value().into_int_value(), is_running, "")?;
    let next = builder.build_int_nuw_add(index, one, "")?;
    let more = builder.build_int_compare(IntPredicate::ULT, next, threads, "")?;
    builder.build_conditional_branch(more, head, done)?;
    at.add_incoming(&[(&i32.const_zero(), entry), (&next, head)]);
    some.add_incoming(&[(&i32.const_zero(), entry), (&some_now, head)]);
    all.add_incoming(&[(&one, entry), (&all_now, head)]);
    builder.position_at_end(done);
    let all_bit = builder.build_left_shift(all_now, one, "")?;
    let result = builder.build_or(some_now, all_bit, "")?;
    builder.build_return(Some(&result))?;
    Ok(function)
}
