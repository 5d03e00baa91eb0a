use super::build::Build;
use crate::cpu::split::{Node, Split, split};
use crate::cpu::storage::{Placement, Storage};
use wavewright_kernel_ir::builtin::Builtin;
use wavewright_kernel_ir::typed::*;

/// The shape of the nodes: `T` threads, `O` once, `I[..|..]` uniform if, `L[..]` loop, `B[..]` labelled block, `<` leave, `^` again, `.` end.
/// Labels that threads leave each on its own are marked with `~`.
fn shape(split: &Split) -> String {
    fn all(nodes: &[Node], split: &Split) -> String {
        nodes.iter().map(|node| one(node, split)).collect()
    }
    fn one(node: &Node, split: &Split) -> String {
        let mark = |label: &LabelId| if split.uniform.label(*label) { "" } else { "~" };
        match node {
            Node::Threads(_) => "T".into(),
            Node::Once(_) => "O".into(),
            Node::If { then, otherwise, .. } => format!("I[{}|{}]", all(then, split), all(otherwise, split)),
            Node::Loop(label, body) => format!("L{}[{}]", mark(label), all(body, split)),
            Node::Labeled(label, body) => format!("B{}[{}]", mark(label), all(body, split)),
            Node::Leave(_) => "<".into(),
            Node::Again(_) => "^".into(),
            Node::End => ".".into(),
        }
    }
    all(&split.nodes, split)
}

fn storage(split: &Split, placement: &Placement, name: &str) -> Storage {
    let number = split.locals.iter().position(|local| local.name == name).expect("there is such a variable");
    placement.storage[number].clone()
}

/// `for t in 0..n { tile[x] = a[t]; sync; acc += tile[0]; sync } out[i] = acc`
#[test]
fn a_uniform_loop_has_no_masks_and_keeps_its_counter_once() {
    let b = Build::new();
    let (a, out) = (b.slice_param::<f32>("a", false), b.slice_param::<f32>("out", true));
    let n = b.value_param::<u32>("n");
    let tile = b.shared::<[f32; 16]>();
    let (i, acc, t) = (b.local::<usize>("i"), b.local::<f32>("acc"), b.local::<u32>("t"));
    let k = b.local::<usize>("k");
    let body = vec![
        b.let_(k, b.cast::<usize>(b.load(t))),
        b.assign(b.index(b.shared_place(tile), b.idx(Builtin::ThreadX)), b.read(b.at(a, b.load(k)))),
        b.sync(),
        b.assign_op(BinaryOp::Add, b.var(acc), b.read(b.index(b.shared_place(tile), b.load(k)))),
        b.sync(),
    ];
    let statements = vec![
        b.let_(i, b.global_x()),
        b.let_(acc, b.f32(0.0)),
        b.for_(t, b.load(n), body),
        b.assign(b.at(out, b.load(i)), b.load(acc)),
    ];
    let mut program = b.program(statements);
    let split = split(&mut program);
    assert_eq!(shape(&split), "OTL[I[OTT|<]]T");
    let placement = Placement::of(&program, &split);
    assert_eq!(storage(&split, &placement, "t"), Storage::Once);
    assert_eq!(storage(&split, &placement, "k"), Storage::Once);
    assert_eq!(storage(&split, &placement, "i"), Storage::Recomputed);
    assert_eq!(storage(&split, &placement, "n"), Storage::Parameter);
    assert_eq!(storage(&split, &placement, "acc"), Storage::Scratch { offset: 0, in_place: false });
    assert_eq!(placement.bytes_per_thread, 4);
    assert_eq!(placement.regions(), 4);
}

/// `loop { if a[i] > s { break } sync; s += 1 }`: threads leave at different times.
#[test]
fn a_loop_that_threads_leave_on_their_own_is_divergent() {
    let b = Build::new();
    let (a, out) = (b.slice_param::<u32>("a", false), b.slice_param::<u32>("out", true));
    let (i, s) = (b.local::<usize>("i"), b.local::<u32>("s"));
    let label = b.label();
    let body = b.block(vec![
        b.run(b.if_(b.bin(BinaryOp::Gt, b.read(b.at(a, b.load(i))), b.load(s)), b.break_(label, None), None)),
        b.sync(),
        b.assign_op(BinaryOp::Add, b.var(s), b.int::<u32>(1)),
    ]);
    let statements = vec![
        b.let_(i, b.global_x()),
        b.let_(s, b.int::<u32>(0)),
        b.run(b.loop_(label, body)),
        b.assign(b.at(out, b.load(i)), b.load(s)),
    ];
    let mut program = b.program(statements);
    let split = split(&mut program);
    assert_eq!(shape(&split), "TL~[TT]T");
    let placement = Placement::of(&program, &split);
    assert!(matches!(storage(&split, &placement, "s"), Storage::Scratch { .. }));
}

/// `if x < 5 { sync } else { y[0] = 1 }`: the threads part, and meet again.
#[test]
fn a_divergent_branch_becomes_labelled_blocks() {
    let b = Build::new();
    let y = b.slice_param::<u32>("y", true);
    let condition = b.lt(b.builtin::<u32>(Builtin::ThreadX, vec![]), b.int::<u32>(5));
    let then = b.block(vec![b.sync(), b.assign(b.at(y, b.int::<usize>(1)), b.int::<u32>(1))]);
    let otherwise = b.block(vec![b.assign(b.at(y, b.int::<usize>(0)), b.int::<u32>(1))]);
    let branch = b.if_(condition, then, Some(otherwise));
    let statements = vec![b.run(branch)];
    let mut program = b.program(statements);
    let split = split(&mut program);
    assert_eq!(shape(&split), "B~[B~[TT]T]");
}

/// `out[i] = a[i] + { sync; tile[0] }`: the left operand is evaluated before the barrier.
#[test]
fn operands_before_a_barrier_are_kept() {
    let b = Build::new();
    let (a, out) = (b.slice_param::<f32>("a", false), b.slice_param::<f32>("out", true));
    let tile = b.shared::<[f32; 16]>();
    let i = b.local::<usize>("i");
    let behind = b.block_value(vec![b.sync()], b.read(b.index(b.shared_place(tile), b.int::<usize>(0))));
    let sum = b.add(b.read(b.at(a, b.load(i))), behind);
    let statements = vec![b.let_(i, b.global_x()), b.assign(b.at(out, b.load(i)), sum)];
    let mut program = b.program(statements);
    let split = split(&mut program);
    assert_eq!(shape(&split), "TT");
    let placement = Placement::of(&program, &split);
    assert_eq!(storage(&split, &placement, "i"), Storage::Recomputed);
    // The left operand alone crosses the barrier.
    assert_eq!(placement.bytes_per_thread, 4);
}

/// A variable whose reference crosses a barrier stays in memory, in place.
#[test]
fn a_borrowed_variable_outlives_its_region() {
    let b = Build::new();
    let out = b.slice_param::<u32>("out", true);
    let v = b.local::<u32>("v");
    let reference = b.address_of(b.var(v), wavewright_kernel_ir::types::Mutability::Mutable);
    let r = b.local_of("r", reference.ty);
    let statements = vec![
        b.let_(v, b.builtin::<u32>(Builtin::ThreadX, vec![])),
        b.let_(r, reference),
        b.sync(),
        b.assign(b.at(out, b.global_x()), b.read(b.deref(r))),
    ];
    let mut program = b.program(statements);
    let split = split(&mut program);
    assert_eq!(shape(&split), "TT");
    let placement = Placement::of(&program, &split);
    assert_eq!(storage(&split, &placement, "v"), Storage::Scratch { offset: 8, in_place: true });
    assert_eq!(storage(&split, &placement, "r"), Storage::Scratch { offset: 0, in_place: false });
}

/// `let v = 'out: { sync; if n == 0 { break 'out 1 } sync; 2 }` with a uniform `n`, then with a thread's own.
#[test]
fn values_come_out_of_labelled_blocks() {
    for uniform in [true, false] {
        let b = Build::new();
        let out = b.slice_param::<u32>("out", true);
        let n = b.value_param::<u32>("n");
        let (v, label) = (b.local::<u32>("v"), b.label());
        let number = if uniform { b.load(n) } else { b.builtin::<u32>(Builtin::ThreadX, vec![]) };
        let test =
            b.if_(b.bin(BinaryOp::Eq, number, b.int::<u32>(0)), b.break_(label, Some(b.int::<u32>(1))), None);
        let block = b.block_value(vec![b.sync(), b.run(test), b.sync()], b.int::<u32>(2));
        let statements =
            vec![b.let_(v, b.labeled::<u32>(label, block)), b.assign(b.at(out, b.global_x()), b.load(v))];
        let mut program = b.program(statements);
        let split = split(&mut program);
        assert_eq!(shape(&split), if uniform { "B[I[T<|]T]T" } else { "B~[TT]T" });
        let placement = Placement::of(&program, &split);
        assert!(matches!(storage(&split, &placement, "v"), Storage::Scratch { .. }));
    }
}

/// `if n == 0 { return } sync; if x == 0 { return } sync; out[i] = 1`
#[test]
fn a_return_together_ends_the_block() {
    let b = Build::new();
    let out = b.slice_param::<u32>("out", true);
    let n = b.value_param::<u32>("n");
    let zero = |e| b.bin(BinaryOp::Eq, e, b.int::<u32>(0));
    let statements = vec![
        b.run(b.if_(zero(b.load(n)), b.return_(), None)),
        b.sync(),
        b.run(b.if_(zero(b.builtin::<u32>(Builtin::ThreadX, vec![])), b.return_(), None)),
        b.sync(),
        b.assign(b.at(out, b.global_x()), b.int::<u32>(1)),
    ];
    let mut program = b.program(statements);
    let split = split(&mut program);
    assert_eq!(shape(&split), "I[.|]TT");
}
