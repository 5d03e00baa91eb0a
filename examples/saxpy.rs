//! `y += a * x` on any device, checked against plain Rust, with its bandwidth.
//!
//!     cargo run --release --example saxpy -- --device cpu --n 100000000

use anyhow::{Result, bail};
use std::time::{Duration, Instant};
use wavewright::prelude::*;

/// Each thread owns one element of `y`, so the launch is safe and takes its grid from the buffers.
#[kernel]
fn saxpy(a: f32, x: &f32, y: &mut f32) {
    *y += a * *x;
}

/// The same with indices: the threads share `y`, and who launches it answers for that.
#[kernel]
fn saxpy_indexed(a: f32, x: &[f32], y: &mut [f32]) {
    let i = thread::global_x();
    if i < y.len() {
        y[i] += a * x[i];
    }
}

/// Threads in a block.
const BLOCK: usize = 256;
/// How long to launch for, once the answer is known to be right.
const MEASURE: Duration = Duration::from_millis(500);

struct Options {
    device: Device,
    n: usize,
}

impl Options {
    fn parse() -> Result<Self> {
        use lexopt::prelude::*;
        let (mut device, mut n) = (None, 1 << 24);
        let mut arguments = lexopt::Parser::from_env();
        while let Some(argument) = arguments.next()? {
            match argument {
                Long("device") => device = Some(arguments.value()?.string()?),
                Long("n") => n = arguments.value()?.parse()?,
                Long("help") => {
                    println!("saxpy [--device NAME] [--n ELEMENTS]");
                    std::process::exit(0);
                }
                other => return Err(other.unexpected().into()),
            }
        }
        let device = device.map_or_else(Device::best, |name| Device::by_name(&name))?;
        Ok(Self { device, n })
    }
}

fn main() -> Result<()> {
    let Options { device, n } = Options::parse()?;
    let a = 2.5;
    let host_x: Vec<f32> = (0..n).map(|i| (i % 1000) as f32 * 0.001).collect();
    let host_y: Vec<f32> = (0..n).map(|i| (i % 77) as f32 - 38.0).collect();
    let expected: Vec<f32> = host_x.iter().zip(&host_y).map(|(x, y)| y + a * x).collect();

    println!("saxpy of {n} elements on {device}");
    let x = device.buffer_from(&host_x)?;
    let mut y = device.buffer_from(&host_y)?;

    let start = Instant::now();
    saxpy(a, &x, &mut y).launch(&device)?;
    device.synchronize()?;
    println!("  the first launch, compiled and waited for: {:.1} ms", start.elapsed().as_secs_f64() * 1e3);
    check("one element a thread", &y, &expected)?;

    y.copy_from(&host_y)?;
    // SAFETY: no two threads have the same global index.
    unsafe { saxpy_indexed(a, &x, &mut y).grid(n.div_ceil(BLOCK)).block(BLOCK).launch(&device)? };
    check("with indices", &y, &expected)?;

    let bandwidth = measure(&device, n, || Ok(saxpy(a, &x, &mut y).launch(&device)?))?;
    println!("saxpy: {bandwidth:.1} GB/s on {device}");
    Ok(())
}

/// That every element is the one of plain Rust, bit for bit.
fn check(form: &str, y: &Buffer<f32>, expected: &[f32]) -> Result<()> {
    let y = y.to_vec()?;
    let wrong = y.iter().zip(expected).position(|(got, expected)| got.to_bits() != expected.to_bits());
    if let Some(i) = wrong {
        bail!("{form}: element {i} is {}, but plain Rust makes it {}", y[i], expected[i]);
    }
    println!("  {form}: all {} elements as in plain Rust", y.len());
    Ok(())
}

/// Launches for a while, and returns the gigabytes that were read and written in a second.
fn measure(device: &Device, n: usize, mut launch: impl FnMut() -> Result<()>) -> Result<f64> {
    let (start, mut launches) = (Instant::now(), 0);
    while start.elapsed() < MEASURE {
        for _ in 0..4 {
            launch()?;
        }
        device.synchronize()?;
        launches += 4;
    }
    // Each element of x is read, each of y is read and written.
    let bytes = launches as f64 * n as f64 * 12.0;
    Ok(bytes / start.elapsed().as_secs_f64() / 1e9)
}
