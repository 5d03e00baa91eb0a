//! How long it takes to compile saxpy for each kind of device: in a fresh process, again in the same one, and on the CPU
//! from the call to the end of the launch.
//!
//! `cargo bench --bench compile_time`. Each figure is the least of several processes, since other work on the machine
//! only ever adds. Beside the time on the clock stands the time on a core, the linker's included: on a busy machine that
//! is the one to go by.

use std::process::Command;
use std::time::Instant;
use wavewright::codegen::{self, Options};
use wavewright::kernel_ir::target::Target;
use wavewright::prelude::*;

#[kernel]
fn saxpy(a: f32, x: &[f32], y: &mut [f32]) {
    let i = thread::global_x();
    if i < y.len() {
        y[i] += a * x[i];
    }
}

const TARGETS: [&str; 4] = ["host", "sm_90", "gfx942", "gfx1100"];
const PROCESSES: usize = 9;

/// What a process of its own is asked to measure, in this variable.
const ASKED: &str = "WAVEWRIGHT_BENCH_MEASURE";

fn main() -> anyhow::Result<()> {
    if let Ok(asked) = std::env::var(ASKED) {
        let times = if asked == "launch" { launches()? } else { compilations(&asked.parse()?)? };
        println!("{}", times.map(|time| format!("{} {}", time.clock, time.core)).join(" "));
        return Ok(());
    }
    println!("compilation, ms (on the clock / on a core)\n");
    println!("{:<10}{:>20}{:>20}{:>20}", "", "program", "first", "again");
    for target in TARGETS {
        println!("{target:<10}{}", least(target)?.map(|time| time.column()).concat());
    }
    let [_, first, next] = least("launch")?;
    println!("\nlaunch on the CPU, ms and µs\n");
    println!("{:<10}{:>20}{:>20}", "", "first", "next");
    println!("{:<10}{}{}", "saxpy", first.column(), next.times(1e3).column());
    Ok(())
}

/// A time in milliseconds.
#[derive(Clone, Copy)]
struct Time {
    /// By the clock on the wall.
    clock: f64,
    /// On a core, of this process and of those that it has waited for.
    core: f64,
}

impl Time {
    const ENDLESS: Time = Time { clock: f64::INFINITY, core: f64::INFINITY };

    fn least(self, other: Time) -> Time {
        Time { clock: self.clock.min(other.clock), core: self.core.min(other.core) }
    }

    fn times(self, factor: f64) -> Time {
        Time { clock: self.clock * factor, core: self.core * factor }
    }

    fn column(self) -> String {
        format!("{:>20}", format!("{:.2} / {:.2}", self.clock, self.core))
    }
}

/// The least of each of the times that several processes measure.
fn least(what: &str) -> anyhow::Result<[Time; 3]> {
    let mut least = [Time::ENDLESS; 3];
    for _ in 0..PROCESSES {
        let output = Command::new(std::env::current_exe()?).env(ASKED, what).output()?;
        anyhow::ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let text = String::from_utf8(output.stdout)?;
        let times = text.split_whitespace().map(str::parse).collect::<Result<Vec<f64>, _>>()?;
        for (least, time) in least.iter_mut().zip(times.chunks_exact(2)) {
            *least = least.least(Time { clock: time[0], core: time[1] });
        }
    }
    Ok(least)
}

/// The time that `work` takes, and its result.
fn timed<T>(work: impl FnOnce() -> T) -> (Time, T) {
    let (clock, core) = (Instant::now(), on_a_core());
    let result = work();
    (Time { clock: clock.elapsed().as_secs_f64() * 1e3, core: on_a_core() - core }, result)
}

/// The time that this process and those it has waited for have spent on a core, in milliseconds.
fn on_a_core() -> f64 {
    // SAFETY: both calls fill the struct that they are given, for which zero is a value.
    let (own, waited_for) = unsafe {
        let mut own: libc::timespec = std::mem::zeroed();
        libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &mut own);
        let mut waited_for: libc::rusage = std::mem::zeroed();
        libc::getrusage(libc::RUSAGE_CHILDREN, &mut waited_for);
        (own, waited_for)
    };
    let microseconds = |time: libc::timeval| time.tv_sec as f64 * 1e6 + time.tv_usec as f64;
    let children = microseconds(waited_for.ru_utime) + microseconds(waited_for.ru_stime);
    own.tv_sec as f64 * 1e3 + own.tv_nsec as f64 / 1e6 + children / 1e3
}

/// Building the program, compiling it for the first time, and again.
fn compilations(target: &Target) -> anyhow::Result<[Time; 3]> {
    let (program_time, program) = timed(saxpy::program);
    let program = program?;
    let options = Options { block: Some([256, 1, 1]), ..Options::default() };
    let (cold, code) = timed(|| codegen::compile(&program, target, &options));
    code?;
    let mut again = Time::ENDLESS;
    for _ in 0..5 {
        let (time, code) = timed(|| codegen::compile(&program, target, &options));
        code?;
        again = again.least(time);
    }
    Ok([program_time, cold, again])
}

/// Launching on the CPU for the first time, from the call to the end, and again.
fn launches() -> anyhow::Result<[Time; 3]> {
    let device = Device::cpu();
    let x = device.buffer_from(&[1.0f32; 256])?;
    let mut y = device.buffer_from(&[2.0f32; 256])?;
    let mut launch = || {
        // SAFETY: each thread writes its own element.
        timed(|| unsafe { saxpy(3.0, &x, &mut y).grid(1).block(256).launch(&device) })
    };
    let (first, launched) = launch();
    launched?;
    let mut next = Time::ENDLESS;
    for _ in 0..100 {
        let (time, launched) = launch();
        launched?;
        next = next.least(time);
    }
    device.synchronize()?;
    Ok([Time::ENDLESS, first, next])
}
