//! Kernels whose threads wait for each other.

use super::build::Build;
use super::run::{each_way, slice};
use wavewright_kernel_ir::builtin::Builtin::*;
use wavewright_kernel_ir::typed::*;
use wavewright_kernel_ir::types::Mutability;

const BLOCKS: [[u32; 3]; 6] = [[1, 1, 1], [7, 1, 1], [256, 1, 1], [1024, 1, 1], [5, 3, 1], [4, 2, 3]];

fn threads(block: [u32; 3]) -> usize {
    block.iter().product::<u32>() as usize
}

/// Lets `i` be the thread's number in the block, x fastest, and `g` its number in a one-dimensional grid.
fn numbered(b: &Build) -> (LocalId, LocalId, Vec<Statement>) {
    let (i, g) = (b.local::<usize>("i"), b.local::<usize>("g"));
    let row = b.add(b.mul(b.idx(ThreadZ), b.idx(BlockSizeY)), b.idx(ThreadY));
    let linear = b.add(b.mul(row, b.idx(BlockSizeX)), b.idx(ThreadX));
    let size = b.mul(b.mul(b.idx(BlockSizeX), b.idx(BlockSizeY)), b.idx(BlockSizeZ));
    let global = b.add(b.mul(b.idx(BlockX), size), b.load(i));
    (i, g, vec![b.let_(i, linear), b.let_(g, global)])
}

/// Runs a kernel of `(input, output)` on three blocks, and compares with `wanted(input, n)`.
fn compare(program: &Program, wanted: impl Fn(&[u32], usize) -> Vec<u32>) {
    for block in BLOCKS {
        let n = threads(block);
        each_way(program, block, |kernel| {
            let mut input: Vec<u32> =
                (0..3 * n as u32).map(|i| i.wrapping_mul(2_654_435_761) >> 28).collect();
            let mut output = vec![0; 3 * n];
            let fault = kernel.run([3, 1, 1], block, &[slice(&mut input), slice(&mut output)]);
            assert_eq!(fault, None);
            assert_eq!(output, wanted(&input, n), "block {block:?}");
        });
    }
}

/// The sum of each block, by halves, in every thread's place.
///
/// ```text
/// tile[i] = a[g];
/// let mut s = 512;
/// while s > 0 {
///     sync_threads();
///     if i < s && i + s < n { tile[i] += tile[i + s]; }
///     s /= 2;
/// }
/// sync_threads();
/// out[g] = tile[0];
/// ```
#[test]
fn a_block_adds_up() {
    let b = Build::new();
    let (a, out) = (b.slice_param::<u32>("a", false), b.slice_param::<u32>("out", true));
    let tile = b.shared::<[u32; 1024]>();
    let (i, g, mut statements) = numbered(&b);
    let (s, label) = (b.local::<usize>("s"), b.label());
    let at = |index| b.index(b.shared_place(tile), index);
    let size = || b.mul(b.mul(b.idx(BlockSizeX), b.idx(BlockSizeY)), b.idx(BlockSizeZ));
    let other = || b.add(b.load(i), b.load(s));
    let inside = b.expr(
        ExprKind::And(Box::new(b.lt(b.load(i), b.load(s))), Box::new(b.lt(other(), size()))),
        b.ty::<bool>(),
    );
    let add = b.assign_op(BinaryOp::Add, at(b.load(i)), b.read(at(other())));
    let round = b.block(vec![
        b.sync(),
        b.run(b.if_(inside, b.block(vec![add]), None)),
        b.assign_op(BinaryOp::Div, b.var(s), b.int::<usize>(2)),
    ]);
    let more = b.bin(BinaryOp::Gt, b.load(s), b.int::<usize>(0));
    statements.extend([
        b.assign(at(b.load(i)), b.read(b.at(a, b.load(g)))),
        b.let_(s, b.int::<usize>(512)),
        b.run(b.loop_(label, b.if_(more, round, Some(b.break_(label, None))))),
        b.sync(),
        b.assign(b.at(out, b.load(g)), b.read(at(b.int::<usize>(0)))),
    ]);
    compare(&b.program(statements), |input, n| {
        input.chunks(n).flat_map(|block| vec![block.iter().sum::<u32>(); n]).collect()
    });
}

/// Threads leave a loop with a barrier each in its own time, and some rounds are cut short.
///
/// ```text
/// let mut s = 0; let mut odd = 0;
/// loop {
///     if a[g] <= s { break; }
///     s += 1;
///     tile[i] = s;
///     sync_threads();
///     if s % 2 == 0 { continue; }
///     odd += tile[i];
///     sync_threads();
/// }
/// out[g] = 100 * s + odd;
/// ```
#[test]
fn threads_leave_a_loop_on_their_own() {
    let b = Build::new();
    let (a, out) = (b.slice_param::<u32>("a", false), b.slice_param::<u32>("out", true));
    let tile = b.shared::<[u32; 1024]>();
    let (i, g, mut statements) = numbered(&b);
    let (s, odd, label) = (b.local::<u32>("s"), b.local::<u32>("odd"), b.label());
    let enough = b.bin(BinaryOp::Le, b.read(b.at(a, b.load(g))), b.load(s));
    let even = b.bin(BinaryOp::Eq, b.bin(BinaryOp::Rem, b.load(s), b.int::<u32>(2)), b.int::<u32>(0));
    let at = |index| b.index(b.shared_place(tile), index);
    let round = b.block(vec![
        b.run(b.if_(enough, b.break_(label, None), None)),
        b.assign_op(BinaryOp::Add, b.var(s), b.int::<u32>(1)),
        b.assign(at(b.load(i)), b.load(s)),
        b.sync(),
        b.run(b.if_(even, b.continue_(label), None)),
        b.assign_op(BinaryOp::Add, b.var(odd), b.read(at(b.load(i)))),
        b.sync(),
    ]);
    statements.extend([
        b.let_(s, b.int::<u32>(0)),
        b.let_(odd, b.int::<u32>(0)),
        b.run(b.loop_(label, round)),
        b.assign(b.at(out, b.load(g)), b.add(b.mul(b.int::<u32>(100), b.load(s)), b.load(odd))),
    ]);
    compare(&b.program(statements), |input, _| {
        let value = |a: &u32| 100 * a + (1..=*a).filter(|s| s % 2 == 1).sum::<u32>();
        input.iter().map(value).collect()
    });
}

/// Some threads return before a barrier; the barrier does not wait for them.
///
/// ```text
/// tile[i] = a[g];
/// if a[g] < 4 { return; }
/// sync_threads();
/// out[g] = tile[0] + 1;
/// if a[g] < 8 { return; }
/// sync_threads();
/// out[g] += 1;
/// ```
#[test]
fn a_barrier_waits_for_no_thread_that_has_returned() {
    let b = Build::new();
    let (a, out) = (b.slice_param::<u32>("a", false), b.slice_param::<u32>("out", true));
    let tile = b.shared::<[u32; 1024]>();
    let (i, g, mut statements) = numbered(&b);
    let at = |index| b.index(b.shared_place(tile), index);
    let below = |limit| b.lt(b.read(b.at(a, b.load(g))), b.int::<u32>(limit));
    let first = b.add(b.read(at(b.int::<usize>(0))), b.int::<u32>(1));
    statements.extend([
        b.assign(at(b.load(i)), b.read(b.at(a, b.load(g)))),
        b.run(b.if_(below(4), b.return_(), None)),
        b.sync(),
        b.assign(b.at(out, b.load(g)), first),
        b.run(b.if_(below(8), b.return_(), None)),
        b.sync(),
        b.assign_op(BinaryOp::Add, b.at(out, b.load(g)), b.int::<u32>(1)),
    ]);
    compare(&b.program(statements), |input, n| {
        let value = |(g, a): (usize, &u32)| match a {
            0..4 => 0,
            4..8 => input[g / n * n] + 1,
            _ => input[g / n * n] + 2,
        };
        input.iter().enumerate().map(value).collect()
    });
}

/// A barrier in one arm of a branch is one for the threads that are there.
///
/// ```text
/// let v = if a[g] < 8 { tile[i] = a[g]; sync_threads(); tile[i] * 2 } else { 1000 };
/// sync_threads();
/// out[g] = v;
/// ```
#[test]
fn a_barrier_in_a_branch_is_for_those_who_take_it() {
    let b = Build::new();
    let (a, out) = (b.slice_param::<u32>("a", false), b.slice_param::<u32>("out", true));
    let tile = b.shared::<[u32; 1024]>();
    let (i, g, mut statements) = numbered(&b);
    let v = b.local::<u32>("v");
    let at = |index| b.index(b.shared_place(tile), index);
    let below = b.lt(b.read(b.at(a, b.load(g))), b.int::<u32>(8));
    let then = b.block_value(
        vec![b.assign(at(b.load(i)), b.read(b.at(a, b.load(g)))), b.sync()],
        b.mul(b.read(at(b.load(i))), b.int::<u32>(2)),
    );
    statements.extend([
        b.let_(v, b.if_(below, then, Some(b.int::<u32>(1000)))),
        b.sync(),
        b.assign(b.at(out, b.load(g)), b.load(v)),
    ]);
    compare(&b.program(statements), |input, _| {
        input.iter().map(|a| if *a < 8 { 2 * a } else { 1000 }).collect()
    });
}

/// A reference crosses a barrier, and so does an operand that was evaluated before it.
///
/// ```text
/// let mut v = a[g];
/// let r = &mut v;
/// sync_threads();
/// *r += 1;
/// out[g] = a[g] + { sync_threads(); v };
/// ```
#[test]
fn references_and_operands_cross_barriers() {
    let b = Build::new();
    let (a, out) = (b.slice_param::<u32>("a", false), b.slice_param::<u32>("out", true));
    let (_, g, mut statements) = numbered(&b);
    let v = b.local::<u32>("v");
    let reference = b.address_of(b.var(v), Mutability::Mutable);
    let r = b.local_of("r", reference.ty);
    let behind = b.block_value(vec![b.sync()], b.load(v));
    statements.extend([
        b.let_(v, b.read(b.at(a, b.load(g)))),
        b.let_(r, reference),
        b.sync(),
        b.assign_op(BinaryOp::Add, b.deref(r), b.int::<u32>(1)),
        b.assign(b.at(out, b.load(g)), b.add(b.read(b.at(a, b.load(g))), behind)),
    ]);
    compare(&b.program(statements), |input, _| input.iter().map(|a| 2 * a + 1).collect());
}

/// Threads panic before a barrier, at it in a loop, and after it. The others pass it and do their work.
///
/// ```text
/// for t in 0..3 {
///     if a[g] == t { panic!("hit") }
///     tile[i] = a[g];
///     sync_threads();
///     out[g] += tile[i];
///     sync_threads();
/// }
/// ```
#[test]
fn threads_panic_around_barriers() {
    let b = Build::new();
    let (a, out) = (b.slice_param::<u32>("a", false), b.slice_param::<u32>("out", true));
    let tile = b.shared::<[u32; 1024]>();
    let (i, g, mut statements) = numbered(&b);
    let t = b.local::<u32>("t");
    let at = |index| b.index(b.shared_place(tile), index);
    let hit = b.bin(BinaryOp::Eq, b.read(b.at(a, b.load(g))), b.load(t));
    let body = vec![
        b.run(b.if_(hit, b.panic("hit"), None)),
        b.assign(at(b.load(i)), b.read(b.at(a, b.load(g)))),
        b.sync(),
        b.assign_op(BinaryOp::Add, b.at(out, b.load(g)), b.read(at(b.load(i)))),
        b.sync(),
    ];
    statements.push(b.for_(t, b.int::<u32>(3), body));
    let program = b.program(statements);
    for block in BLOCKS {
        let n = threads(block);
        each_way(&program, block, |kernel| {
            let mut input: Vec<u32> = (0..3 * n as u32).map(|i| i % 5).collect();
            let mut output = vec![0; 3 * n];
            let fault = kernel.run([3, 1, 1], block, &[slice(&mut input), slice(&mut output)]);
            let (message, record) = fault.expect("some thread panics");
            assert_eq!(message, "hit");
            let [x, y, z] = record.thread;
            let thread = (z * block[1] + y) * block[0] + x;
            assert!(input[record.block[0] as usize * n + thread as usize] < 3, "{record:?}");
            let wanted: Vec<u32> = input.iter().map(|a| a * (*a).min(3)).collect();
            assert_eq!(output, wanted, "block {block:?}");
        });
    }
}

/// Every thread of the block divides by the same zero: the block ends, the others don't.
///
/// ```text
/// for t in 0..10 / (block::x() - 1) { sync_threads(); }
/// out[g] = 1;
/// ```
#[test]
fn a_panic_that_threads_share_ends_the_block() {
    let b = Build::new();
    let out = b.slice_param::<u32>("out", true);
    let (_, g, mut statements) = numbered(&b);
    let t = b.local::<u32>("t");
    let divisor = b.bin(BinaryOp::Sub, b.builtin::<u32>(BlockX, vec![]), b.int::<u32>(1));
    let rounds = b.bin(BinaryOp::Div, b.int::<u32>(10), divisor);
    statements.extend([b.for_(t, rounds, vec![b.sync()]), b.assign(b.at(out, b.load(g)), b.int::<u32>(1))]);
    let program = b.program(statements);
    each_way(&program, [8, 1, 1], |kernel| {
        let mut output = vec![0u32; 24];
        // Blocks 1 and 2: the first has 0 for a divisor.
        let fault = kernel.run([3, 1, 1], [8, 1, 1], &[slice(&mut output)]);
        let (message, record) = fault.expect("block 1 divides by zero");
        assert_eq!(message, "attempt to divide by zero");
        assert_eq!((record.block, record.thread), ([1, 0, 0], [0, 0, 0]));
        assert_eq!(output, [[1; 8], [0; 8], [1; 8]].concat());
    });
}
