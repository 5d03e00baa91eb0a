//! How long it takes to compile saxpy for each kind of device: in a fresh process, again in the same one, and on the CPU
//! from the call to the end of the launch.
//!
//! `cargo bench --bench compile_time`. Each figure is the least of several processes, since other work on the machine
//! only ever adds.

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
        println!("{}", times.map(|time| time.to_string()).join(" "));
        return Ok(());
    }
    println!("{:<10} {:>14} {:>14} {:>14}", "ms", "program", "cold", "again");
    for target in TARGETS {
        let [program, cold, again] = least(target)?;
        println!("{target:<10} {program:>14.3} {cold:>14.2} {again:>14.2}");
    }
    println!("\n{:<10} {:>14} {:>14} {:>14}", "ms", "", "first launch", "next launch");
    let [_, first, next] = least("launch")?;
    println!("{:<10} {:>14} {first:>14.2} {next:>14.4}", "CPU", "");
    Ok(())
}

/// The least of each of the times that several processes measure.
fn least(what: &str) -> anyhow::Result<[f64; 3]> {
    let mut least = [f64::INFINITY; 3];
    for _ in 0..PROCESSES {
        let output = Command::new(std::env::current_exe()?).env(ASKED, what).output()?;
        anyhow::ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let text = String::from_utf8(output.stdout)?;
        for (least, time) in least.iter_mut().zip(text.split_whitespace()) {
            *least = least.min(time.parse()?);
        }
    }
    Ok(least)
}

/// The time in milliseconds that `work` takes, and its result.
fn timed<T>(work: impl FnOnce() -> T) -> (f64, T) {
    let start = Instant::now();
    let result = work();
    (start.elapsed().as_secs_f64() * 1e3, result)
}

/// Building the program, compiling it for the first time, and again.
fn compilations(target: &Target) -> anyhow::Result<[f64; 3]> {
    let (program_time, program) = timed(saxpy::program);
    let program = program?;
    let options = Options { block: Some([256, 1, 1]), ..Options::default() };
    let (cold, code) = timed(|| codegen::compile(&program, target, &options));
    code?;
    let mut again = f64::INFINITY;
    for _ in 0..5 {
        let (time, code) = timed(|| codegen::compile(&program, target, &options));
        code?;
        again = again.min(time);
    }
    Ok([program_time, cold, again])
}

/// Launching on the CPU for the first time, from the call to the end, and again.
fn launches() -> anyhow::Result<[f64; 3]> {
    let device = Device::cpu();
    let x = device.buffer_from(&[1.0f32; 256])?;
    let mut y = device.buffer_from(&[2.0f32; 256])?;
    let mut launch = || {
        // SAFETY: each thread writes its own element.
        timed(|| unsafe { saxpy(3.0, &x, &mut y).grid(1).block(256).launch(&device) })
    };
    let (first, launched) = launch();
    launched?;
    let mut next = f64::INFINITY;
    for _ in 0..100 {
        let (time, launched) = launch();
        launched?;
        next = next.min(time);
    }
    device.synchronize()?;
    Ok([0.0, first, next])
}
