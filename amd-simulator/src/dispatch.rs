//! Launches: work-groups over the cores, the waves of each in turn.

use crate::code::UserRegister;
use crate::code::{Code, Descriptor, Hidden, Kernel, Program};
use crate::execute::{Group, Room, check_rounding, run};
use crate::family::Family;
use crate::fault::{Cause, Fault, Stop};
use crate::lanes::LANES;
use crate::memory::{DeviceMemory, MemoryError, PRIVATE_APERTURE, Recent, SHARED_APERTURE, View};
use crate::operation::scalar;
use crate::wave::{State, Wave};
use rayon::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

/// What to launch beside the kernel.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Launch {
    /// The number of work-groups.
    pub grid: [u32; 3],
    /// The size of a work-group.
    pub block: [u32; 3],
    /// Memory of a work-group beside what the kernel declares, in bytes.
    pub dynamic_shared_bytes: u32,
    /// The arguments that the program gives, as they stand in the kernarg segment.
    pub arguments: Vec<u8>,
}

/// What a launch did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Instructions that waves executed.
    pub wave_instructions: u64,
    /// Waves.
    pub waves: u64,
}

/// Why a launch did not happen, or did not end.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LaunchError {
    /// The code object has no such kernel.
    #[error("there is no kernel `{0}`")]
    NoKernel(String),
    /// A work-group must have 1 to 1024 threads, and a grid at least one work-group.
    #[error(
        "a grid of {grid:?} work-groups of {block:?} threads can't be launched: a work-group has 1 to 1024 threads, a grid at most 2^32 along a dimension"
    )]
    Size {
        /// The grid.
        grid: [u32; 3],
        /// The block.
        block: [u32; 3],
    },
    /// More memory of a work-group than there is.
    #[error("a work-group needs {wanted} bytes of memory, and there are {size}")]
    Shared {
        /// What it needs.
        wanted: u64,
        /// What there is.
        size: u64,
    },
    /// There is no room for the arguments.
    #[error(transparent)]
    Memory(#[from] MemoryError),
    /// The kernel was stopped.
    #[error(transparent)]
    Fault(#[from] Box<Fault>),
}

/// How many instructions a wave may take before the next has its turn.
const TURN: u64 = 1 << 14;

/// A thread's own memory where the kernel can't say how much it needs, in bytes.
const DYNAMIC_STACK: u32 = 16 << 10;

/// How many instructions a wave may execute, unless the environment says otherwise.
const STEPS: u64 = 4_000_000_000;

fn most_steps() -> u64 {
    static STEPS_ALLOWED: OnceLock<u64> = OnceLock::new();
    *STEPS_ALLOWED.get_or_init(|| {
        let set = std::env::var("WAVEWRIGHT_SIMULATOR_STEPS").ok();
        set.and_then(|text| text.parse().ok()).unwrap_or(STEPS)
    })
}

/// Runs a kernel to its end.
///
/// # Errors
///
/// If the launch is not possible, or an instruction can't be executed. Work-groups before the one at fault have run, others
/// may have.
pub fn launch(
    code: &Code,
    kernel: &str,
    launch: &Launch,
    memory: &DeviceMemory,
) -> Result<Statistics, LaunchError> {
    let kernel = code.kernel(kernel).ok_or_else(|| LaunchError::NoKernel(kernel.into()))?;
    let family = code.family();
    check_size(kernel, launch, family)?;
    if launch.grid.contains(&0) {
        return Ok(Statistics::default());
    }
    let segment = Segment::write(kernel, launch, memory)?;
    let view = memory.view();
    let program = code.program(kernel.descriptor.wave32());
    let dispatch = Dispatch { kernel, launch, family, program: &program, view: &view, segment: &segment };
    let result = dispatch.run();
    segment.free(memory);
    result
}

fn check_size(kernel: &Kernel, launch: &Launch, family: &Family) -> Result<(), LaunchError> {
    let threads: u64 = launch.block.iter().map(|n| u64::from(*n)).product();
    let along =
        launch.grid.iter().zip(launch.block).all(|(n, size)| u64::from(*n) * u64::from(size) <= 1 << 32);
    if threads == 0 || threads > 1024 || !along {
        return Err(LaunchError::Size { grid: launch.grid, block: launch.block });
    }
    let wanted = u64::from(kernel.descriptor.shared_bytes) + u64::from(launch.dynamic_shared_bytes);
    if wanted > family.shared_bytes {
        return Err(LaunchError::Shared { wanted, size: family.shared_bytes });
    }
    Ok(())
}

/// The memory that a launch adds: arguments and dispatch packet.
struct Segment {
    arguments: u64,
    packet: u64,
    bytes: Vec<u8>,
}

impl Segment {
    fn write(kernel: &Kernel, launch: &Launch, memory: &DeviceMemory) -> Result<Self, MemoryError> {
        let mut bytes = vec![0; (kernel.argument_bytes as usize).max(launch.arguments.len())];
        bytes[..launch.arguments.len()].copy_from_slice(&launch.arguments);
        for (hidden, place) in &kernel.hidden {
            let value = hidden_value(*hidden, launch);
            let size = (place.size as usize).min(8);
            bytes[place.offset as usize..][..size].copy_from_slice(&value.to_le_bytes()[..size]);
        }
        // Scalar loads of more than is needed reach a little past the end.
        const MARGIN: u64 = 64;
        let arguments = memory.allocate(bytes.len() as u64 + MARGIN)?;
        let packet = match memory.allocate(64) {
            Ok(packet) => packet,
            Err(error) => {
                memory.free(arguments);
                return Err(error);
            }
        };
        let segment = Self { arguments, packet, bytes };
        let view = memory.view();
        view.copy_in(arguments, &segment.bytes)?;
        view.copy_in(packet, &segment.packet(kernel, launch))?;
        Ok(segment)
    }

    /// A kernel dispatch packet as the "HSA System Architecture Specification" has it.
    fn packet(&self, kernel: &Kernel, launch: &Launch) -> [u8; 64] {
        let mut packet = [0; 64];
        let mut put = |at: usize, value: u64, size: usize| {
            packet[at..at + size].copy_from_slice(&value.to_le_bytes()[..size]);
        };
        put(0, 2, 2);
        put(2, 3, 2);
        for n in 0..3 {
            put(4 + 2 * n, launch.block[n].into(), 2);
            put(12 + 4 * n, u64::from(launch.grid[n]) * u64::from(launch.block[n]), 4);
        }
        put(24, kernel.descriptor.private_bytes.into(), 4);
        put(28, u64::from(kernel.descriptor.shared_bytes) + u64::from(launch.dynamic_shared_bytes), 4);
        put(32, kernel.object, 8);
        put(40, self.arguments, 8);
        packet
    }

    fn free(&self, memory: &DeviceMemory) {
        memory.free(self.arguments);
        memory.free(self.packet);
    }
}

fn hidden_value(hidden: Hidden, launch: &Launch) -> u64 {
    match hidden {
        Hidden::BlockCount(n) => launch.grid[n].into(),
        Hidden::GroupSize(n) => launch.block[n].into(),
        Hidden::Dimensions => {
            (1..3).rev().find(|n| launch.grid[*n] * launch.block[*n] > 1).unwrap_or(0) as u64 + 1
        }
        Hidden::DynamicShared => launch.dynamic_shared_bytes.into(),
        Hidden::PrivateBase => PRIVATE_APERTURE >> 32,
        Hidden::SharedBase => SHARED_APERTURE >> 32,
        Hidden::Remainder(_) | Hidden::Queue | Hidden::Zero => 0,
    }
}

struct Dispatch<'l> {
    kernel: &'l Kernel,
    launch: &'l Launch,
    family: &'l Family,
    program: &'l Program,
    view: &'l View,
    segment: &'l Segment,
}

/// What a core keeps from one work-group to the next.
struct Core {
    waves: Vec<Wave>,
    shared: Vec<u8>,
    room: Box<Room>,
}

impl Dispatch<'_> {
    fn run(&self) -> Result<Statistics, LaunchError> {
        let groups: u64 = self.launch.grid.iter().map(|n| u64::from(*n)).product();
        // Of several faults the one of the first work-group is told, whichever came first.
        let first_fault: Mutex<Option<(u64, Box<Fault>)>> = Mutex::new(None);
        let stopped = AtomicU64::new(u64::MAX);
        let (steps, waves) = (AtomicU64::new(0), AtomicU64::new(0));
        let core = || Core { waves: Vec::new(), shared: Vec::new(), room: Room::new() };
        (0..groups).into_par_iter().for_each_init(core, |core, number| {
            if number > stopped.load(Ordering::Relaxed) {
                return;
            }
            match self.group(core, number) {
                Ok(()) => {
                    steps.fetch_add(core.waves.iter().map(|wave| wave.steps).sum(), Ordering::Relaxed);
                    waves.fetch_add(core.waves.len() as u64, Ordering::Relaxed);
                }
                Err(fault) => {
                    stopped.fetch_min(number, Ordering::Relaxed);
                    let mut first = first_fault.lock().unwrap_or_else(PoisonError::into_inner);
                    if first.as_ref().is_none_or(|(other, _)| number < *other) {
                        *first = Some((number, fault));
                    }
                }
            }
        });
        match first_fault.into_inner().unwrap_or_else(PoisonError::into_inner) {
            Some((_, fault)) => Err(fault.into()),
            None => Ok(Statistics { wave_instructions: steps.into_inner(), waves: waves.into_inner() }),
        }
    }

    /// Runs a work-group.
    fn group(&self, core: &mut Core, number: u64) -> Result<(), Box<Fault>> {
        let [x, y, _] = self.launch.grid.map(u64::from);
        let id = [number % x, number / x % y, number / x / y].map(|n| n as u32);
        let shared = self.kernel.descriptor.shared_bytes + self.launch.dynamic_shared_bytes;
        core.shared.clear();
        core.shared.resize(shared as usize, 0);
        let threads: u32 = self.launch.block.iter().product();
        let size = if self.kernel.descriptor.wave32() { 32 } else { 64 };
        let waves = threads.div_ceil(size) as usize;
        core.waves.resize_with(waves, Wave::new);
        for (n, wave) in core.waves.iter_mut().enumerate() {
            self.start(wave, n, id).map_err(|stop| self.fault(stop, wave, n, id))?;
        }
        let mut group =
            Group { program: self.program, view: self.view, shared: &mut core.shared, room: &mut core.room };
        loop {
            let mut ready = false;
            for (n, wave) in core.waves.iter_mut().enumerate() {
                if wave.state == State::Ready {
                    run(wave, &mut group, TURN).map_err(|stop| self.fault(stop, wave, n, id))?;
                    if wave.steps > most_steps() {
                        return Err(self.fault((Cause::TooLong(wave.steps), None), wave, n, id));
                    }
                    ready |= wave.state == State::Ready;
                }
            }
            if ready {
                continue;
            }
            // Whoever is not over waits; those that are over hold nobody up.
            let mut released = false;
            for wave in core.waves.iter_mut().filter(|wave| wave.state == State::AtBarrier) {
                (wave.state, wave.signalled, released) = (State::Ready, false, true);
            }
            if !released {
                return Ok(());
            }
        }
    }

    fn fault(&self, (cause, lane): Stop, wave: &Wave, number: usize, group: [u32; 3]) -> Box<Fault> {
        let instruction = wave.next.checked_sub(1).and_then(|n| self.program.instructions.get(n));
        Box::new(Fault {
            kernel: self.kernel.name.clone(),
            cause,
            offset: instruction.map_or(0, |instruction| instruction.address),
            instruction: instruction.map_or_else(String::new, |instruction| instruction.text.to_string()),
            source_line: None,
            group,
            wave: number,
            lane,
        })
    }

    /// Sets a wave up as "Initial Kernel Execution State" in LLVM's "User Guide for AMDGPU Backend" says.
    fn start(&self, wave: &mut Wave, number: usize, group: [u32; 3]) -> Result<(), Stop> {
        let descriptor = &self.kernel.descriptor;
        let family = self.family;
        let size = if descriptor.wave32() { 32 } else { LANES };
        let rows = if family.unified_accumulators { 512 } else { 256 };
        wave.vectors.resize(rows, [0; LANES]);
        let unit = family.register_unit[usize::from(size == LANES)];
        let used = (descriptor.vector_units() * unit) as usize;
        wave.vectors[..used.min(rows)].fill([0; LANES]);
        wave.accumulators = if family.unified_accumulators { descriptor.first_accumulator() } else { 0 };
        wave.scalars = [0; scalar::COUNT];
        (wave.scc, wave.size, wave.mode) = (false, size, descriptor.mode());
        (wave.state, wave.signalled, wave.steps, wave.recent) = (State::Ready, false, 0, Recent::default());
        let stack = if descriptor.dynamic_stack() { DYNAMIC_STACK } else { 0 };
        wave.private_bytes = u64::from(descriptor.private_bytes) + u64::from(stack);
        wave.private.clear();
        wave.private.resize(wave.private_bytes as usize * size, 0);
        check_rounding(wave.mode)?;
        let threads: u32 = self.launch.block.iter().product();
        let first = number * size;
        let lanes = (threads as usize - first).min(size);
        wave.set_pair(scalar::EXEC, if lanes == 64 { u64::MAX } else { (1 << lanes) - 1 });
        self.item_ids(wave, first);
        let (count, start) = descriptor.preload();
        let taken = self.user_registers(wave, descriptor, count, start);
        self.group_registers(wave, taken, group, number);
        // A kernel whose arguments are loaded beforehand starts behind the instructions that would load them.
        let entry = self.kernel.entry + if count > 0 { 256 } else { 0 };
        wave.next = self.program.index_of(entry).ok_or((Cause::NoInstruction(entry), None))?;
        Ok(())
    }

    fn item_ids(&self, wave: &mut Wave, first: usize) {
        let [x, y, _] = self.launch.block.map(|n| n as usize);
        let wanted = self.kernel.descriptor.item_ids();
        for lane in 0..wave.size {
            let thread = first + lane;
            let id = [thread % x, thread / x % y, thread / x / y].map(|n| n as u32);
            for (n, id) in id.into_iter().enumerate().take(wanted) {
                if self.family.packed_ids {
                    wave.vectors[0][lane] |= id << (10 * n);
                } else {
                    wave.vectors[n][lane] = id;
                }
            }
        }
    }

    /// Sets the first scalar registers: how many there are.
    fn user_registers(&self, wave: &mut Wave, descriptor: &Descriptor, preload: u16, start: u16) -> u16 {
        let mut next = 0;
        for (register, count) in UserRegister::ALL {
            if !descriptor.wants(register) {
                continue;
            }
            match register {
                UserRegister::PrivateBuffer => {
                    wave.set_pair(next, crate::execute::PRIVATE_BUFFER);
                    wave.set_pair(next + 2, 0xffff_ffff);
                }
                UserRegister::DispatchPacket => wave.set_pair(next, self.segment.packet),
                UserRegister::Arguments => wave.set_pair(next, self.segment.arguments),
                UserRegister::PrivateBytes => wave.scalars[usize::from(next)] = wave.private_bytes as u32,
                UserRegister::Queue | UserRegister::DispatchId | UserRegister::FlatScratch => {
                    wave.set_pair(next, 0);
                }
            }
            next += count;
        }
        for word in 0..preload {
            let at = 4 * usize::from(start + word);
            let bytes = self.segment.bytes.get(at..at + 4).unwrap_or(&[]);
            let value = bytes.iter().rev().fold(0, |word, byte| word << 8 | u32::from(*byte));
            if let Some(register) = wave.scalars.get_mut(usize::from(next + word)) {
                *register = value;
            }
        }
        descriptor.user_registers().max(next)
    }

    fn group_registers(&self, wave: &mut Wave, mut next: u16, group: [u32; 3], number: usize) {
        let descriptor = &self.kernel.descriptor;
        if self.family.ids_in_ttmp {
            wave.scalars[usize::from(scalar::TTMP) + 9] = group[0];
            wave.scalars[usize::from(scalar::TTMP) + 7] = group[1] & 0xffff | group[2] << 16;
            wave.scalars[usize::from(scalar::TTMP) + 8] = (number as u32) << 25;
            return;
        }
        for (wanted, id) in descriptor.group_ids().into_iter().zip(group) {
            if wanted {
                wave.scalars[usize::from(next)] = id;
                next += 1;
            }
        }
        if descriptor.group_info() {
            next += 1;
        }
        if descriptor.has_private() && !self.family.architected_scratch {
            wave.scalars[usize::from(next)] = 0;
        }
    }
}
