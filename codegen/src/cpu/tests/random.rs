//! Kernels made at random, which must do the same for a strip of threads as for one thread after another.

use super::build::Build;
use super::run::{Arg, Compiled, slice};
use crate::Optimisation;
use wavewright_kernel_ir::builtin::Builtin::{self, *};
use wavewright_kernel_ir::typed::*;

/// A generator of numbers: xorshift, the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, end: u32) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 33) % u64::from(end)) as u32
    }

    fn one_in(&mut self, count: u32) -> bool {
        self.below(count) == 0
    }
}

/// How many elements the input has; indices may go a little beyond.
const INPUT: usize = 61;

/// Writes a kernel `(n: u32, a: &[u32], out: &mut [u32])`.
struct Writer<'b> {
    b: &'b Build,
    random: Random,
    n: LocalId,
    a: LocalId,
    out: LocalId,
    /// The thread's place in `out`.
    place: LocalId,
    variables: Vec<LocalId>,
    float: LocalId,
    array: LocalId,
    tile: SharedId,
    /// Loops and blocks around, and whether they are loops.
    labels: Vec<(LabelId, bool)>,
    /// Whether a barrier may stand here.
    together: bool,
}

impl Writer<'_> {
    fn variable(&mut self) -> LocalId {
        self.variables[self.random.below(self.variables.len() as u32) as usize]
    }

    fn value(&mut self, depth: u32) -> Expr {
        let b = self.b;
        if depth == 0 || self.random.one_in(4) {
            return match self.random.below(7) {
                0 => b.int::<u32>(self.random.below(9).into()),
                1 => b.builtin::<u32>(ThreadX, vec![]),
                2 => b.builtin::<u32>(BlockX, vec![]),
                3 => b.load(self.n),
                4 => b.cast::<u32>(b.load(self.float)),
                _ => b.load(self.variable()),
            };
        }
        let x = self.value(depth - 1);
        match self.random.below(12) {
            0 => {
                let divisor = b.bin(BinaryOp::BitOr, self.value(depth - 1), b.int::<u32>(1));
                let op = [BinaryOp::Div, BinaryOp::Rem][self.random.below(2) as usize];
                b.bin(op, x, divisor)
            }
            1 => b.bin(BinaryOp::Shr, x, b.int::<u32>(self.random.below(33).into())),
            2 => {
                let (condition, other) = (self.condition(1), self.value(depth - 1));
                b.if_(condition, x, Some(other))
            }
            3 => {
                // Now and then outside: the thread ends there.
                let end = INPUT as u128 + u128::from(self.random.one_in(8));
                let index = b.bin(BinaryOp::Rem, x, b.int::<u32>(end));
                b.read(b.at(self.a, b.cast::<usize>(index)))
            }
            4 => {
                let index = b.bin(BinaryOp::Rem, x, b.int::<u32>(4));
                b.read(b.index(b.var(self.array), b.cast::<usize>(index)))
            }
            5 => {
                let builtin = [Builtin::Min, Builtin::Max][self.random.below(2) as usize];
                b.builtin::<u32>(builtin, vec![x, self.value(depth - 1)])
            }
            other => {
                use BinaryOp::*;
                let op = [Add, Sub, Mul, BitAnd, BitXor, Add, Sub][other as usize % 7];
                b.bin(op, x, self.value(depth - 1))
            }
        }
    }

    fn condition(&mut self, depth: u32) -> Expr {
        use BinaryOp::*;
        let op = [Lt, Le, Gt, Eq, Ne, Ge][self.random.below(6) as usize];
        let (x, y) = (self.value(depth), self.value(depth));
        let odd = |e| self.b.bin(BitAnd, e, self.b.int::<u32>(3));
        let compared = self.b.bin(op, odd(x), odd(y));
        if !self.random.one_in(5) {
            return compared;
        }
        let other = self.condition(0);
        let (x, y) = (Box::new(compared), Box::new(other));
        let kind = if self.random.one_in(2) { ExprKind::And(x, y) } else { ExprKind::Or(x, y) };
        self.b.expr(kind, self.b.ty::<bool>())
    }

    fn block(&mut self, depth: u32) -> Expr {
        let count = 1 + self.random.below(3);
        let mut statements = Vec::new();
        for _ in 0..count {
            self.statement(depth, &mut statements);
        }
        self.b.block(statements)
    }

    /// Something that only threads on their own may be in.
    fn apart(&mut self, depth: u32) -> Expr {
        let together = std::mem::replace(&mut self.together, false);
        let block = self.block(depth);
        self.together = together;
        block
    }

    fn statement(&mut self, depth: u32, to: &mut Vec<Statement>) {
        let b = self.b;
        match self.random.below(if depth == 0 { 5 } else { 11 }) {
            0 | 1 => {
                let (variable, value) = (self.variable(), self.value(3));
                to.push(b.assign(b.var(variable), value));
            }
            2 => {
                let (index, value) = (self.value(1), self.value(2));
                let index = b.bin(BinaryOp::Rem, index, b.int::<u32>(4));
                to.push(b.assign(b.index(b.var(self.array), b.cast::<usize>(index)), value));
            }
            3 => {
                let value = b.cast::<f32>(self.value(2));
                let product = b.builtin::<f32>(MulAdd, vec![b.load(self.float), b.f32(0.5), value]);
                to.push(b.assign(b.var(self.float), product));
            }
            4 => {
                let value = self.value(2);
                to.push(b.assign_op(BinaryOp::Add, b.at(self.out, b.load(self.place)), value));
            }
            5 | 6 => {
                let condition = self.condition(2);
                let then = self.apart(depth - 1);
                let otherwise = self.random.one_in(2).then(|| self.apart(depth - 1));
                to.push(b.run(b.if_(condition, then, otherwise)));
            }
            7 => to.push(self.bounded_loop(depth)),
            8 if self.together => {
                // A neighbour's value, by way of shared memory.
                let index = |b: &Build| b.idx(ThreadX);
                let value = self.value(2);
                to.push(b.assign(b.index(b.shared_place(self.tile), index(b)), value));
                to.push(b.sync());
                let near = b.bin(BinaryOp::BitXor, index(b), b.int::<usize>(1));
                let inside = b.lt(b.bin(BinaryOp::BitXor, index(b), b.int::<usize>(1)), b.idx(BlockSizeX));
                let variable = self.variable();
                let read = b.assign(b.var(variable), b.read(b.index(b.shared_place(self.tile), near)));
                to.push(b.run(b.if_(inside, b.block(vec![read]), None)));
                to.push(b.sync());
            }
            9 => to.push(self.jump()),
            _ => {
                let label = b.label();
                self.labels.push((label, false));
                let body = self.apart(depth - 1);
                self.labels.pop();
                to.push(b.run(b.labeled::<()>(label, body)));
            }
        }
    }

    /// A loop that ends by a count of its own.
    fn bounded_loop(&mut self, depth: u32) -> Statement {
        let b = self.b;
        let count = b.local::<u32>("count");
        let label = b.label();
        let together = self.together && self.random.one_in(2);
        let limit = if together { b.load(self.n) } else { self.value(1) };
        let limit = b.bin(BinaryOp::Rem, limit, b.int::<u32>(5));
        self.labels.push((label, true));
        let body = if together { self.block(depth - 1) } else { self.apart(depth - 1) };
        self.labels.pop();
        let last = b.local::<u32>("last");
        let step = b.assign_op(BinaryOp::Add, b.var(count), b.int::<u32>(1));
        let round = b.if_(
            b.lt(b.load(count), b.load(last)),
            b.block(vec![step, b.run(body)]),
            Some(b.break_(label, None)),
        );
        let statements =
            vec![b.let_(count, b.int::<u32>(0)), b.let_(last, limit), b.run(b.loop_(label, round))];
        b.run(b.block(statements))
    }

    fn jump(&mut self) -> Statement {
        let b = self.b;
        let condition = self.condition(1);
        let label = match self.labels.len() as u32 {
            0 => None,
            count => Some(self.labels[self.random.below(count) as usize]),
        };
        let jump = match label {
            Some((label, true)) if self.random.one_in(2) => b.continue_(label),
            Some((label, _)) if !self.random.one_in(6) => b.break_(label, None),
            _ if self.random.one_in(2) => b.return_(),
            _ => b.panic("at random"),
        };
        b.run(b.if_(condition, jump, None))
    }
}

fn program(seed: u64) -> Program {
    let b = Build::new();
    let n = b.value_param::<u32>("n");
    let (a, out) = (b.slice_param::<u32>("a", false), b.slice_param::<u32>("out", true));
    let place = b.local::<usize>("place");
    let variables = (0..4).map(|number| b.local::<u32>(&format!("v{number}"))).collect();
    let (float, array) = (b.local::<f32>("float"), b.local::<[u32; 4]>("array"));
    let tile = b.shared::<[u32; 64]>();
    let random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let (labels, together) = (Vec::new(), true);
    let mut writer =
        Writer { b: &b, random, n, a, out, place, variables, float, array, tile, labels, together };
    let zeros = b.expr(ExprKind::Repeat(Box::new(b.int::<u32>(7))), b.ty::<[u32; 4]>());
    let mut statements = vec![
        b.let_(place, b.global_x()),
        b.let_(float, b.cast::<f32>(b.builtin::<u32>(ThreadX, vec![]))),
        b.let_(array, zeros),
    ];
    for number in 0..4 {
        let index = b.bin(
            BinaryOp::Rem,
            b.add(b.load(place), b.int::<usize>(number * 5)),
            b.int::<usize>(INPUT as u128),
        );
        statements.push(b.let_(writer.variables[number as usize], b.read(b.at(a, index))));
    }
    for _ in 0..5 {
        writer.statement(3, &mut statements);
    }
    let variables = writer.variables.clone();
    let sum = variables.iter().map(|v| b.load(*v)).reduce(|x, y| b.add(x, y)).expect("there are variables");
    let sum = b.add(sum, b.cast::<u32>(b.load(float)));
    statements.push(b.assign_op(BinaryOp::Add, b.at(out, b.load(place)), sum));
    b.program(statements)
}

fn outcome(kernel: &Compiled, block: u32, n: u32) -> (Vec<u32>, bool) {
    let mut input: Vec<u32> = (0..INPUT as u32).map(|i| i.wrapping_mul(2_654_435_761) >> 29).collect();
    let mut output = vec![0u32; 3 * block as usize];
    let arguments = [Arg::U32(n), slice(&mut input), slice(&mut output)];
    let fault = kernel.run([3, 1, 1], [block, 1, 1], &arguments);
    (output, fault.is_some())
}

fn compare(seed: u64) {
    let program = program(seed);
    let block = [1, 5, 16, 19, 40, 64][seed as usize % 6];
    let known = Some([block, 1, 1]).filter(|_| !seed.is_multiple_of(5));
    let [plain, full] =
        [Optimisation::None, Optimisation::Full].map(|level| Compiled::new(&program, known, level));
    for n in [0, 3] {
        let (wanted, found) = (outcome(&plain, block, n), outcome(&full, block, n));
        assert_eq!(wanted, found, "seed {seed}, block {block}, n {n}");
    }
}

#[test]
fn strips_do_what_threads_do() {
    for seed in 0..24 {
        compare(seed);
    }
}

/// For a longer look: `SEEDS=24..10000 cargo test -- --ignored any_number_of_strips`.
#[test]
#[ignore = "takes as long as one likes"]
fn any_number_of_strips_do_what_threads_do() {
    let seeds = std::env::var("SEEDS").unwrap_or_else(|_| "24..500".into());
    let (start, end) = seeds.split_once("..").expect("SEEDS is a range");
    for seed in start.parse().expect("a number")..end.parse().expect("a number") {
        compare(seed);
    }
}
