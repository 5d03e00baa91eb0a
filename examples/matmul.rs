//! `c = a * b` for square matrices of `f32`: each thread one element, first straight from memory, then through tiles in
//! shared memory that a block's threads load together.
//!
//!     cargo run --release --example matmul -- --device cpu --n 1024

use anyhow::{Result, bail};
use rayon::prelude::*;
use std::time::{Duration, Instant};
use wavewright::prelude::*;

/// Rows and columns of a tile, which is also the block.
const TILE: usize = 16;
/// How long to launch for, once the answer is known to be right.
const MEASURE: Duration = Duration::from_millis(500);

#[kernel(block = (16, 16))]
fn naive(n: usize, a: &[f32], b: &[f32], c: &mut [f32]) {
    let (column, row) = (thread::global_x(), thread::global_y());
    if row < n && column < n {
        let mut sum = 0.0;
        for k in 0..n {
            sum += a[row * n + k] * b[k * n + column];
        }
        c[row * n + column] = sum;
    }
}

#[kernel(block = (16, 16))]
fn tiled(n: usize, a: &[f32], b: &[f32], c: &mut [f32]) {
    let a_tile = shared!([[f32; TILE]; TILE]);
    let b_tile = shared!([[f32; TILE]; TILE]);
    let (column, row) = (thread::global_x(), thread::global_y());
    let (x, y) = (thread::x() as usize, thread::y() as usize);
    let mut sum = 0.0;
    let mut k = 0;
    while k < n {
        // Threads beyond the edge take part with zeros: every thread must reach the barriers.
        a_tile[y][x] = if row < n && k + x < n { a[row * n + k + x] } else { 0.0 };
        b_tile[y][x] = if k + y < n && column < n { b[(k + y) * n + column] } else { 0.0 };
        sync_threads();
        for i in 0..TILE {
            sum += a_tile[y][i] * b_tile[i][x];
        }
        sync_threads();
        k += TILE;
    }
    if row < n && column < n {
        c[row * n + column] = sum;
    }
}

struct Options {
    device: Device,
    n: usize,
}

impl Options {
    fn parse() -> Result<Self> {
        use lexopt::prelude::*;
        let (mut device, mut n) = (None, 300);
        let mut arguments = lexopt::Parser::from_env();
        while let Some(argument) = arguments.next()? {
            match argument {
                Long("device") => device = Some(arguments.value()?.string()?),
                Long("n") => n = arguments.value()?.parse()?,
                Long("help") => {
                    println!("matmul [--device NAME] [--n ROWS]");
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
    // A few bits each, so that rows differ and sums stay small.
    let host_a: Vec<f32> = (0..n * n).map(|i| (i * 7 % 31) as f32 * 0.125 - 1.5).collect();
    let host_b: Vec<f32> = (0..n * n).map(|i| (i * 13 % 29) as f32 * 0.1 - 1.3).collect();
    println!("product of two {n} x {n} matrices on {device}");
    let expected = plain(n, &host_a, &host_b);

    let (a, b) = (device.buffer_from(&host_a)?, device.buffer_from(&host_b)?);
    let blocks = n.div_ceil(TILE);
    type Kernel =
        for<'l> fn(usize, &'l Buffer<f32>, &'l Buffer<f32>, &'l mut Buffer<f32>) -> UnsafeLaunch<'l>;
    let kernels: [(&str, Kernel); 2] = [("naive", naive), ("tiled", tiled)];
    for (name, kernel) in kernels {
        let mut c = device.zeroed::<f32>(n * n)?;
        let mut launch = || -> Result<()> {
            // SAFETY: each thread writes its own elements; of shared memory, between the same two barriers.
            unsafe { kernel(n, &a, &b, &mut c).grid((blocks, blocks)).launch(&device)? };
            Ok(())
        };
        launch()?;
        device.synchronize()?;
        let seconds = measure(&device, &mut launch)?;
        check(name, n, &c.to_vec()?, &expected)?;
        let flops = 2.0 * (n as f64).powi(3);
        println!("{name}: {:.1} GFLOP/s on {device} ({:.3} ms)", flops / seconds / 1e9, seconds * 1e3);
    }
    Ok(())
}

/// The product in plain Rust, summed in the order in which the kernels do it.
fn plain(n: usize, a: &[f32], b: &[f32]) -> Vec<f32> {
    let mut c = vec![0.0; n * n];
    c.par_chunks_mut(n.max(1)).zip(a.par_chunks(n.max(1))).for_each(|(c, a)| {
        for (a, b) in a.iter().zip(b.chunks(n)) {
            for (c, b) in c.iter_mut().zip(b) {
                *c += a * b;
            }
        }
    });
    c
}

/// That every element is the one of plain Rust, bit for bit.
fn check(name: &str, n: usize, c: &[f32], expected: &[f32]) -> Result<()> {
    let wrong = c.iter().zip(expected).position(|(got, expected)| got.to_bits() != expected.to_bits());
    if let Some(i) = wrong {
        let (row, column) = (i / n, i % n);
        bail!("{name}: row {row}, column {column} is {}, but plain Rust makes it {}", c[i], expected[i]);
    }
    println!("  {name}: all {} elements as in plain Rust", c.len());
    Ok(())
}

/// Launches for a while, and returns the seconds that one launch takes.
fn measure(device: &Device, launch: &mut impl FnMut() -> Result<()>) -> Result<f64> {
    let (start, mut launches) = (Instant::now(), 0);
    while start.elapsed() < MEASURE {
        launch()?;
        device.synchronize()?;
        launches += 1;
    }
    Ok(start.elapsed().as_secs_f64() / f64::from(launches))
}
