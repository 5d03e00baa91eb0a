//! Kernels on the CPU device beside the same work as plain Rust loops over all cores.
//!
//! `cargo bench --bench cpu [NAME…]` prints, for each kernel, the time of a launch and of the loops, and how fast the
//! launch is as a multiple of the loops' speed. Both take turns, and the ratio is the median of those of each turn: on a
//! machine that is busy, trust the ratio before the times. The loops are compiled twice, as cargo does by default and
//! for the vectors of this machine (`native`), which is what kernels are compiled for.

use rayon::prelude::*;
use std::time::Instant;
use wavewright::prelude::*;

#[kernel]
fn saxpy(a: f32, x: &[f32], y: &mut [f32]) {
    let i = thread::global_x();
    if i < y.len() {
        y[i] += a * x[i];
    }
}

#[kernel]
fn copy(from: &[f32], to: &mut [f32]) {
    let i = thread::global_x();
    if i < to.len() {
        to[i] = from[i];
    }
}

#[kernel]
fn matmul_naive(n: usize, a: &[f32], b: &[f32], c: &mut [f32]) {
    let (column, row) = (thread::global_x(), thread::global_y());
    if column < n && row < n {
        let mut sum = 0.0f32;
        for k in 0..n {
            sum += a[row * n + k] * b[k * n + column];
        }
        c[row * n + column] = sum;
    }
}

#[kernel]
fn matmul_tiled(n: usize, a: &[f32], b: &[f32], c: &mut [f32]) {
    let a_tile = shared!([[f32; 16]; 16]);
    let b_tile = shared!([[f32; 16]; 16]);
    let (tx, ty) = (thread::x() as usize, thread::y() as usize);
    let (column, row) = (thread::global_x(), thread::global_y());
    let mut sum = 0.0f32;
    for tile in 0..n / 16 {
        a_tile[ty][tx] = a[row * n + tile * 16 + tx];
        b_tile[ty][tx] = b[(tile * 16 + ty) * n + column];
        sync_threads();
        for k in 0..16usize {
            sum += a_tile[ty][k] * b_tile[k][tx];
        }
        sync_threads();
    }
    c[row * n + column] = sum;
}

#[kernel]
fn mandelbrot(n: u32, limit: u32, x0: f32, y0: f32, step: f32, out: &mut [u32]) {
    let (column, row) = (thread::global_x(), thread::global_y());
    if column < n as usize && row < n as usize {
        let (cx, cy) = (x0 + step * column as f32, y0 + step * row as f32);
        let (mut x, mut y, mut i) = (0.0f32, 0.0f32, 0u32);
        while i < limit && x * x + y * y <= 4.0 {
            let t = x * x - y * y + cx;
            y = 2.0 * x * y + cy;
            x = t;
            i += 1;
        }
        out[row * n as usize + column] = i;
    }
}

/// Loops in two versions: as cargo compiles by default, and with the vectors of this machine.
macro_rules! loops {
    ($(fn $name:ident($($arg:ident: $ty:ty),*) $body:block)*) => { $(
        mod $name {
            #[inline(always)]
            fn body($($arg: $ty),*) $body

            pub fn plain($($arg: $ty),*) {
                body($($arg),*)
            }

            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx2,fma")]
            fn wide($($arg: $ty),*) {
                body($($arg),*)
            }

            pub fn native($($arg: $ty),*) {
                #[cfg(target_arch = "x86_64")]
                if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
                    // SAFETY: the machine has the features.
                    return unsafe { wide($($arg),*) };
                }
                body($($arg),*)
            }
        }
    )* };
}

loops! {
    fn saxpy_loop(a: f32, x: &[f32], y: &mut [f32]) {
        for (y, x) in y.iter_mut().zip(x) {
            *y += a * x;
        }
    }

    fn copy_loop(from: &[f32], to: &mut [f32]) {
        to.copy_from_slice(from);
    }

    fn matmul_naive_loop(n: usize, a: &[f32], b: &[f32], c: &mut [f32]) {
        // The textbook order row, k, column: the innermost loop is over neighbours.
        c.fill(0.0);
        for (a, b) in a.iter().zip(b.chunks_exact(n)) {
            for (c, b) in c.iter_mut().zip(b) {
                *c += a * b;
            }
        }
    }

    fn matmul_tiled_loop(n: usize, a: &[f32], b: &[f32], c: &mut [f32]) {
        // A band of 16 rows of `a` and `c`: one tile of `c` after another.
        for column in (0..n).step_by(16) {
            let mut sums = [[0.0f32; 16]; 16];
            for tile in (0..n).step_by(16) {
                let mut b_tile = [[0.0f32; 16]; 16];
                for (k, row) in b_tile.iter_mut().enumerate() {
                    row.copy_from_slice(&b[(tile + k) * n + column..][..16]);
                }
                for (sums, a) in sums.iter_mut().zip(a.chunks_exact(n)) {
                    for (a, row) in a[tile..][..16].iter().zip(&b_tile) {
                        for (sum, b) in sums.iter_mut().zip(row) {
                            *sum += a * b;
                        }
                    }
                }
            }
            for (c, sums) in c.chunks_exact_mut(n).zip(&sums) {
                c[column..][..16].copy_from_slice(sums);
            }
        }
    }

    fn mandelbrot_loop(row: usize, limit: u32, x0: f32, y0: f32, step: f32, out: &mut [u32]) {
        // The pixels of a vector iterate together until the last has escaped.
        const LANES: usize = 16;
        let cy = y0 + step * row as f32;
        for (strip, out) in out.chunks_exact_mut(LANES).enumerate() {
            let cx: [f32; LANES] = std::array::from_fn(|l| x0 + step * (strip * LANES + l) as f32);
            let (mut x, mut y, mut count) = ([0.0f32; LANES], [0.0f32; LANES], [0u32; LANES]);
            let mut rounds = 0;
            loop {
                let mut inside = 0;
                for l in 0..LANES {
                    let (xx, yy) = (x[l] * x[l], y[l] * y[l]);
                    let counts = u32::from(xx + yy <= 4.0);
                    y[l] = 2.0 * x[l] * y[l] + cy;
                    x[l] = xx - yy + cx[l];
                    count[l] += counts;
                    inside |= counts;
                }
                rounds += 1;
                if inside == 0 || rounds == limit {
                    break;
                }
            }
            out.copy_from_slice(&count);
        }
    }
}

/// What is timed: the launch, the loops, and the loops for this machine; and whether their results agree.
struct Pair<'a> {
    launch: Box<dyn FnMut() -> Result<(), Error> + 'a>,
    plain: Box<dyn FnMut() + 'a>,
    native: Box<dyn FnMut() + 'a>,
}

const ROUNDS: usize = 15;

fn seconds(work: &mut dyn FnMut()) -> f64 {
    let start = Instant::now();
    work();
    start.elapsed().as_secs_f64()
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn report(name: &str, mut pair: Pair<'_>) -> Result<(), Error> {
    (pair.launch)()?;
    (pair.plain)();
    (pair.native)();
    let mut times = [const { Vec::new() }; 3];
    let (mut failed, mut ratios) = (None, [Vec::new(), Vec::new()]);
    for _ in 0..ROUNDS {
        let launch = seconds(&mut || failed = failed.take().or((pair.launch)().err()));
        let (plain, native) = (seconds(&mut *pair.plain), seconds(&mut *pair.native));
        for (all, time) in times.iter_mut().zip([launch, plain, native]) {
            all.push(time);
        }
        ratios[0].push(plain / launch);
        ratios[1].push(native / launch);
    }
    if let Some(error) = failed {
        return Err(error);
    }
    let [launch, plain, native] = times.map(|all| 1e3 * median(all));
    let [to_plain, to_native] = ratios.map(median);
    println!(
        "{name:14} {launch:8.2} ms   loops {plain:8.2} ms ({to_plain:4.2}x)   native loops {native:8.2} ms ({to_native:4.2}x)"
    );
    Ok(())
}

const CHUNK: usize = 1 << 16;

fn numbers(count: usize) -> Vec<f32> {
    (0..count as u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 8) as f32 / (1 << 24) as f32 - 0.5).collect()
}

fn vectors(device: &Device, wanted: impl Fn(&str) -> bool) -> Result<(), Error> {
    for (suffix, n) in [("", 1usize << 25), (" (in cache)", 1 << 16)] {
        let host = numbers(n);
        let (x, mut y) = (device.buffer_from(&host)?, device.buffer_from(&host)?);
        let (mut y1, mut y2) = (host.clone(), host.clone());
        let (grid, repeat) = (n.div_ceil(256), (1 << 21) / n.min(1 << 21) + 1);
        if wanted("saxpy") {
            let each = |y: &mut [f32], run: fn(f32, &[f32], &mut [f32])| {
                for _ in 0..repeat {
                    let work = y.par_chunks_mut(CHUNK).zip(host.par_chunks(CHUNK));
                    work.for_each(|(y, x)| run(1e-3, x, y));
                }
            };
            let launch = || {
                for _ in 0..repeat {
                    // SAFETY: each thread writes its own element.
                    unsafe { saxpy(1e-3, &x, &mut y).grid(grid).block(256).launch(device)? };
                }
                device.synchronize()
            };
            report(
                &format!("saxpy{suffix}"),
                Pair {
                    launch: Box::new(launch),
                    plain: Box::new(|| each(&mut y1, saxpy_loop::plain)),
                    native: Box::new(|| each(&mut y2, saxpy_loop::native)),
                },
            )?;
            assert_eq!(y.to_vec()?, y1);
        }
        if wanted("copy") {
            let each = |y: &mut [f32], run: fn(&[f32], &mut [f32])| {
                for _ in 0..repeat {
                    let work = y.par_chunks_mut(CHUNK).zip(host.par_chunks(CHUNK));
                    work.for_each(|(y, x)| run(x, y));
                }
            };
            let launch = || {
                for _ in 0..repeat {
                    // SAFETY: each thread writes its own element.
                    unsafe { copy(&x, &mut y).grid(grid).block(256).launch(device)? };
                }
                device.synchronize()
            };
            report(
                &format!("copy{suffix}"),
                Pair {
                    launch: Box::new(launch),
                    plain: Box::new(|| each(&mut y1, copy_loop::plain)),
                    native: Box::new(|| each(&mut y2, copy_loop::native)),
                },
            )?;
            assert_eq!(y.to_vec()?, y1);
        }
    }
    Ok(())
}

fn products(device: &Device, wanted: impl Fn(&str) -> bool) -> Result<(), Error> {
    const N: usize = 512;
    let (host_a, mut host_b) = (numbers(N * N), numbers(N * N));
    host_b.reverse();
    let (a, b) = (device.buffer_from(&host_a)?, device.buffer_from(&host_b)?);
    let mut c = device.buffer_from(&vec![0.0f32; N * N])?;
    let (mut c1, mut c2) = (vec![0.0f32; N * N], vec![0.0f32; N * N]);
    type Run = fn(usize, &[f32], &[f32], &mut [f32]);
    let bands = |c: &mut [f32], rows: usize, run: Run| {
        let work = c.par_chunks_mut(rows * N).zip(host_a.par_chunks(rows * N));
        work.for_each(|(c, a)| run(N, a, &host_b, c));
    };
    if wanted("matmul_naive") {
        let launch = || {
            let block = (64u32, 4u32);
            // SAFETY: each thread writes its own element.
            unsafe { matmul_naive(N, &a, &b, &mut c).grid((N / 64, N / 4)).block(block).launch(device)? };
            device.synchronize()
        };
        report(
            "matmul_naive",
            Pair {
                launch: Box::new(launch),
                plain: Box::new(|| bands(&mut c1, 1, matmul_naive_loop::plain)),
                native: Box::new(|| bands(&mut c2, 1, matmul_naive_loop::native)),
            },
        )?;
        assert_eq!(c.to_vec()?, c1);
    }
    if wanted("matmul_tiled") {
        let launch = || {
            // SAFETY: each thread writes its own elements of the tiles and of `c`.
            unsafe {
                matmul_tiled(N, &a, &b, &mut c).grid((N / 16, N / 16)).block((16u32, 16u32)).launch(device)?
            };
            device.synchronize()
        };
        report(
            "matmul_tiled",
            Pair {
                launch: Box::new(launch),
                plain: Box::new(|| bands(&mut c1, 16, matmul_tiled_loop::plain)),
                native: Box::new(|| bands(&mut c2, 16, matmul_tiled_loop::native)),
            },
        )?;
        assert_eq!(c.to_vec()?, c1);
    }
    Ok(())
}

fn picture(device: &Device, wanted: impl Fn(&str) -> bool) -> Result<(), Error> {
    const N: usize = 1024;
    const LIMIT: u32 = 256;
    let (x0, y0, step) = (-2.0f32, -1.25f32, 2.5 / N as f32);
    if !wanted("mandelbrot") {
        return Ok(());
    }
    let mut out = device.buffer_from(&vec![0u32; N * N])?;
    let (mut out1, mut out2) = (vec![0u32; N * N], vec![0u32; N * N]);
    let rows = |out: &mut [u32], run: fn(usize, u32, f32, f32, f32, &mut [u32])| {
        let work = out.par_chunks_mut(N).enumerate();
        work.for_each(|(row, out)| run(row, LIMIT, x0, y0, step, out));
    };
    let launch = || {
        let (grid, block) = ((N / 64, N / 4), (64u32, 4u32));
        // SAFETY: each thread writes its own pixel.
        unsafe {
            mandelbrot(N as u32, LIMIT, x0, y0, step, &mut out).grid(grid).block(block).launch(device)?
        };
        device.synchronize()
    };
    report(
        "mandelbrot",
        Pair {
            launch: Box::new(launch),
            plain: Box::new(|| rows(&mut out1, mandelbrot_loop::plain)),
            native: Box::new(|| rows(&mut out2, mandelbrot_loop::native)),
        },
    )?;
    assert_eq!(out.to_vec()?, out1);
    Ok(())
}

fn main() -> Result<(), Error> {
    let names: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with('-')).collect();
    let wanted = |name: &str| names.is_empty() || names.iter().any(|part| name.contains(part.as_str()));
    let device = Device::cpu();
    println!("{} threads; (x): the launch's speed as a multiple of the loops'", rayon::current_num_threads());
    vectors(&device, wanted)?;
    products(&device, wanted)?;
    picture(&device, wanted)
}
