//! Captured bodies and records that were damaged on the way: typing refuses them or makes a program that holds what
//! `verify` demands of one. It never panics, never runs out of stack, and never takes memory without end.
//!
//! The damage is drawn from a seed, so that a failure can be looked at again.

// The kernels are here for what they hold.
#![allow(clippy::all)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use wavewright::codegen::{self, Options, Stage, emit};
use wavewright::kernel_ir::captured::Body;
use wavewright::kernel_ir::print;
use wavewright::kernel_ir::record::{InstanceId, Instances, Meaning, Record};
use wavewright::kernel_ir::target::Target;
use wavewright::kernel_ir::typed::{KernelAttributes, Program};
use wavewright::kernel_ir::types::TypeId;
use wavewright::kernel_ir::{typing, verify};
use wavewright::prelude::*;

mod kernels {
    use super::*;

    #[derive(Clone, Copy, DeviceType)]
    pub struct Particle {
        position: [f32; 3],
        alive: bool,
        charge: (i8, u32),
    }

    #[device]
    impl Particle {
        fn energy(&self, scale: f32) -> f32 {
            let [x, y, z] = self.position;
            if self.alive { (x * x + y * y + z * z).sqrt() * scale } else { 0.0 }
        }
    }

    #[device]
    impl PartialEq for Particle {
        fn eq(&self, other: &Self) -> bool {
            self.alive == other.alive && self.charge.1 == other.charge.1
        }
    }

    #[derive(Clone, Copy, DeviceType)]
    pub enum Shape {
        Point,
        Circle { radius: f32 },
        Box(f32, f32),
        Named(char, bool),
    }

    #[device]
    fn area(shape: &Shape) -> Option<f32> {
        Some(match *shape {
            Shape::Circle { radius } if radius > 0.0 => radius * radius * 3.0,
            Shape::Box(a, b) => a * b,
            Shape::Named('a'..='f', large) => large as u8 as f32,
            Shape::Named(..) => return None,
            Shape::Circle { .. } | Shape::Point => 0.0,
        })
    }

    #[kernel]
    pub fn enums(shapes: &[Shape], out: &mut f32) {
        const UNIT: Shape = Shape::Box(1.0, 1.0);
        let mut sum = 0.0;
        for i in 0..shapes.len() {
            let mut shape = shapes[i];
            if let Shape::Circle { radius } = &mut shape {
                *radius += 1.0;
            }
            let Some(more) = area(&shape) else { continue };
            sum += match area(&UNIT) {
                Some(unit) => more / unit,
                None => more,
            };
        }
        *out = sum;
    }

    const WEIGHTS: [f32; 4] = [0.5, 0.25, 0.125, 0.125];
    const MARK: char = 'x';

    #[device]
    fn apply<F: Fn(f32) -> f32>(f: F, x: f32) -> f32 {
        f(f(x))
    }

    #[device]
    fn pick<T: Copy + PartialOrd<T>>(a: T, b: T) -> T {
        if a < b { a } else { b }
    }

    #[kernel]
    pub fn saxpy(a: f32, x: &[f32], y: &mut [f32]) {
        let i = thread::global_x();
        if i < y.len() {
            y[i] += a * x[i];
        }
    }

    #[kernel]
    pub fn structs(scale: f32, particles: &[Particle], out: &mut f32) {
        let mut sum = 0.0;
        for i in 0..particles.len() {
            let Particle { alive, charge: (sign, count), .. } = particles[i];
            let moved = Particle { alive: !alive, ..particles[i] };
            sum += moved.energy(scale) + sign as f32 * count as f32;
            if moved == particles[i] {
                continue;
            }
        }
        *out = sum;
    }

    #[kernel]
    pub fn matching(x: &i32, out: &mut u32) {
        let text = if *x > 0 { MARK } else { '0' };
        *out = match (*x, text) {
            (0, _) => 1,
            (n @ 1..=9, 'x') if n % 2 == 1 => n as u32,
            (-1 | -2 | i32::MIN, _) => u32::MAX,
            (n, 'a'..='z') => pick(n as u32, 7),
            (n, _) => (n as u32).rotate_left(3) ^ n.count_ones(),
        };
    }

    #[kernel]
    pub fn closures(a: f32, x: &[f32], y: &mut f32) {
        let window = &x[1..5];
        let mut total = 0.0;
        let mut add = |i: usize| {
            total += window[i] * WEIGHTS[i & 3];
            (total, i)
        };
        let (sum, last) = {
            add(0);
            add(2)
        };
        *y = apply(|v| v * a + sum, *y) + last as f32 + apply(move |v| pick(v, a), total);
    }

    #[kernel(block = 64)]
    pub fn sums(values: &[u64], out: &mut [u64]) {
        let partial = shared!([u64; 64]);
        let t = thread::x() as usize;
        partial[t] = values[thread::global_x()];
        sync_threads();
        let mut half = 32;
        while half > 0 {
            if t < half {
                partial[t] = partial[t].wrapping_add(partial[t + half]);
            }
            sync_threads();
            half /= 2;
        }
        let first = 'found: {
            let mut i = 0;
            loop {
                if i == 64 {
                    break 'found 63;
                }
                if partial[i] & 1 == 0 {
                    break 'found i;
                }
                i += 1;
            }
        };
        assert!(first < 64, "there is one");
        if t == 0 {
            out[block::x() as usize] = partial[first];
        }
    }
}

/// Every kernel, undamaged.
fn samples() -> Vec<(&'static str, Instances)> {
    vec![
        ("saxpy", kernels::saxpy::captured()),
        ("structs", kernels::structs::captured()),
        ("enums", kernels::enums::captured()),
        ("matching", kernels::matching::captured()),
        ("closures", kernels::closures::captured()),
        ("sums", kernels::sums::captured()),
    ]
}

/// Memory in use now, at most, and asked for in all, of the threads that count.
struct Counting;

static NOW: AtomicUsize = AtomicUsize::new(0);
static MOST: AtomicUsize = AtomicUsize::new(0);
static TOTAL: AtomicUsize = AtomicUsize::new(0);

// SAFETY: memory comes from the system's allocator, as asked for; counting touches none of it.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        TOTAL.fetch_add(layout.size(), Relaxed);
        MOST.fetch_max(NOW.fetch_add(layout.size(), Relaxed) + layout.size(), Relaxed);
        // SAFETY: the caller's promise about `layout`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        NOW.fetch_sub(layout.size(), Relaxed);
        // SAFETY: `memory` came from `alloc` above with this layout.
        unsafe { System.dealloc(memory, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Numbers from a seed (xorshift64*).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 16
    }

    /// Less than `end`, which is not 0.
    fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }
}

/// An instance that has a body, if one is left.
fn random_body(instances: &Instances, random: &mut Random) -> Option<usize> {
    let has_body = |n: &usize| matches!(instances.all[*n].meaning, Meaning::Body(_));
    let bodies: Vec<usize> = (0..instances.all.len()).filter(has_body).collect();
    bodies.get(random.below(bodies.len().max(1))).copied()
}

/// Changes the bytes of a random body. Bodies live as long as the program: these are leaked.
fn change_body(
    instances: &mut Instances,
    random: &mut Random,
    change: impl FnOnce(&mut Vec<u8>, &mut Random),
) {
    let Some(number) = random_body(instances, random) else { return };
    let instance = &mut instances.all[number];
    if let Meaning::Body(bytes) = instance.meaning {
        let mut bytes = bytes.to_vec();
        change(&mut bytes, random);
        instance.meaning = Meaning::Body(bytes.leak());
    }
}

/// A few bytes become others, and what comes of it can still be read, so that it is typing's task to find out.
fn write_readable(bytes: &mut Vec<u8>, random: &mut Random) {
    let before = bytes.clone();
    for _ in 0..30 {
        write_bytes(bytes, random);
        if Body::from_bytes(bytes).is_ok() {
            return;
        }
        bytes.clone_from(&before);
    }
}

/// A few bytes become others: half the time small ones, which name kinds, notes, variables and labels.
fn write_bytes(bytes: &mut Vec<u8>, random: &mut Random) {
    for _ in 0..=random.below(4) {
        let at = random.below(bytes.len());
        bytes[at] = if random.below(2) == 0 { random.below(48) as u8 } else { random.next() as u8 };
    }
}

fn flip_bits(bytes: &mut Vec<u8>, random: &mut Random) {
    for _ in 0..=random.below(3) {
        let at = random.below(bytes.len());
        bytes[at] ^= 1 << random.below(8);
    }
}

/// A part stands where another stood.
fn copy_part(bytes: &mut Vec<u8>, random: &mut Random) {
    let from = random.below(bytes.len());
    let length = random.below((bytes.len() - from).min(40)) + 1;
    let part = bytes[from..from + length].to_vec();
    let at = random.below(bytes.len());
    let replaced = random.below((bytes.len() - at).min(40)) + 1;
    bytes.splice(at..at + replaced, part);
}

/// A number, a length perhaps, becomes the largest.
fn write_length(bytes: &mut Vec<u8>, random: &mut Random) {
    let at = random.below(bytes.len());
    let length = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01];
    bytes.splice(at..=at, length[random.below(5)..].iter().copied());
}

/// Something starts again and again inside itself.
fn nest(bytes: &mut Vec<u8>, random: &mut Random) {
    let from = random.below(bytes.len());
    let length = random.below((bytes.len() - from).min(12)) + 1;
    let part = bytes[from..from + length].repeat(random.below(20_000) + 2);
    bytes.splice(from..from + length, part);
}

/// Records are swapped, replaced, left out or added.
fn change_records(instances: &mut Instances, random: &mut Random) {
    let Some(number) = random_body(instances, random) else { return };
    let other = random_record(instances, random);
    let records = &mut instances.all[number].records;
    if records.is_empty() {
        return records.push(other);
    }
    let at = random.below(records.len());
    match random.below(8) {
        0 => drop(records.remove(at)),
        1 => records.push(other),
        2 | 3 => records[at] = other,
        4 => {
            if let Record::Constant(_, bytes) = &mut records[at] {
                match random.below(3) {
                    0 => bytes.push(0),
                    1 => drop(bytes.pop()),
                    _ => bytes.iter_mut().for_each(|byte| *byte ^= random.next() as u8),
                }
            }
        }
        _ => {
            let with = random.below(records.len());
            records.swap(at, with);
        }
    }
}

/// A record of some instance, or one that names anything.
fn random_record(instances: &Instances, random: &mut Random) -> Record {
    let count = instances.types.iter().count();
    match random.below(6) {
        0 => Record::Type(TypeId(random.below(2 * count) as u32)),
        1 => Record::Callee(InstanceId(random.below(2 * instances.all.len()) as u32)),
        2 => {
            let (ty, _) = instances.types.iter().nth(random.below(count)).expect("it is below their number");
            let size = instances.types.size(ty).min(1 << 16) as usize;
            Record::Constant(ty, (0..size).map(|_| random.next() as u8).collect())
        }
        _ => {
            let records: Vec<&Record> = instances.all.iter().flat_map(|i| &i.records).collect();
            records[random.below(records.len())].clone()
        }
    }
}

/// Instances change places, or the types that an operation's meaning depends on change.
fn change_instances(instances: &mut Instances, random: &mut Random) {
    let (a, b) = (random.below(instances.all.len()), random.below(instances.all.len()));
    match random.below(3) {
        0 => instances.all.swap(a, b),
        1 => {
            let meaning = instances.all[b].meaning.clone();
            instances.all[a].meaning = meaning;
        }
        _ => {
            let count = instances.types.iter().count();
            let ty = TypeId(random.below(count + 2) as u32);
            let types = &mut instances.all[a].types;
            if random.below(2) == 0 {
                types.clear()
            } else {
                types.push(ty)
            }
            let by = usize::from(!types.is_empty());
            types.rotate_right(by);
        }
    }
}

fn damage(instances: &mut Instances, random: &mut Random) {
    for _ in 0..=random.below(2) {
        match random.below(20) {
            0 => change_body(instances, random, write_bytes),
            1..=4 | 16..20 => change_body(instances, random, write_readable),
            5 | 6 => change_body(instances, random, flip_bits),
            7 => change_body(instances, random, copy_part),
            8 => change_body(instances, random, write_length),
            9 => change_body(instances, random, nest),
            10 => change_body(instances, random, |bytes, random| {
                bytes.truncate(random.below(bytes.len()).max(1))
            }),
            11 => change_instances(instances, random),
            _ => change_records(instances, random),
        }
    }
}

/// What typing made of damaged samples.
#[derive(Debug, Default)]
struct Tally {
    refused: usize,
    accepted: usize,
}

#[test]
fn damaged_kernels_are_refused_or_well_formed() {
    let samples = samples();
    for (name, instances) in &samples {
        if let Err(error) = typing::program(instances, KernelAttributes::default()) {
            panic!("{name}, undamaged: {error}");
        }
    }
    let mut tally = Tally::default();
    for seed in 1..=ROUNDS {
        let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let (name, instances) = &samples[random.below(samples.len())];
        let mut instances = instances.clone();
        damage(&mut instances, &mut random);
        let (before, asked) = (NOW.load(Relaxed), TOTAL.load(Relaxed));
        MOST.store(before, Relaxed);
        match typing::program(&instances, KernelAttributes::default()) {
            Ok(program) => {
                assert_eq!(verify::verify(&program), Ok(()), "{name}, seed {seed}");
                assert!(!print::typed(&program).is_empty());
                tally.accepted += 1;
                if tally.accepted % 16 == 0 {
                    lowers(&program, &format!("{name}, seed {seed}"));
                }
            }
            Err(error) => {
                assert!(!error.message.is_empty(), "{name}, seed {seed}");
                tally.refused += 1;
            }
        }
        drop(print::captured(&instances));
        let (most, asked) = (MOST.load(Relaxed) - before, TOTAL.load(Relaxed) - asked);
        assert!(
            most < MOST_MEMORY && asked < 16 * MOST_MEMORY,
            "{name}, seed {seed}: {most} bytes, {asked} in all"
        );
    }
    // Damage that is always found before typing begins, or never found, would try nothing.
    assert!(tally.accepted > ROUNDS as usize / 50 && tally.refused > ROUNDS as usize / 4, "{tally:?}");
}

/// Code generation takes whatever typing lets pass: it may refuse it, but not fail at it.
fn lowers(program: &Program, what: &str) {
    for target in ["host", "gfx942", "sm_90"] {
        let target: Target = target.parse().expect("it is a target");
        match emit(program, &target, &Options::default(), Stage::LlvmIr) {
            Err(error @ (codegen::Error::Internal { .. } | codegen::Error::Llvm { .. })) => {
                panic!("{what}: {error}")
            }
            Ok(_) | Err(_) => {}
        }
    }
}

const ROUNDS: u64 = 4000;

/// More than any sample needs, with whatever a few hundred thousand bytes of nested nonsense are read into.
const MOST_MEMORY: usize = 64 << 20;
