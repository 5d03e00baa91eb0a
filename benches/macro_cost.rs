//! What `#[kernel]` costs rustc: processor time for a kernel of 100 lines, over that for the same lines without it.
//!
//! `cargo bench --bench macro_cost`. rustc checks crates of twenty kernels and of none, with the attributes and without;
//! each figure is the least of several runs, in turns, since other work on the machine only ever adds.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};

const KERNELS: usize = 20;
const RUNS: usize = 7;

fn main() -> anyhow::Result<()> {
    let bench = Bench::new()?;
    let cases = [(KERNELS, true), (0, true), (KERNELS, false), (0, false)];
    let mut least = [f64::INFINITY; 4];
    for _ in 0..RUNS {
        for (least, (kernels, attributes)) in least.iter_mut().zip(cases) {
            *least = least.min(bench.check(kernels, attributes)?);
        }
    }
    let [kernels, none, functions, no_functions] = least;
    let kernel = (kernels - none) / KERNELS as f64;
    let function = (functions - no_functions) / KERNELS as f64;
    println!(
        "processor time of rustc for 100 lines, ms: as a kernel {kernel:.1}, as a function {function:.1}"
    );
    println!("over the function: {:.1} ms, {:.1} times", kernel - function, kernel / function);
    Ok(())
}

/// Where the crates are written and what they are compiled against.
struct Bench {
    folder: PathBuf,
    dependencies: PathBuf,
    library: PathBuf,
}

impl Bench {
    fn new() -> anyhow::Result<Self> {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("macro_cost");
        std::fs::create_dir_all(&folder)?;
        let executable = std::env::current_exe()?;
        let dependencies = executable.parent().map(Path::to_owned).unwrap_or_default();
        let library = newest_library(&dependencies)?;
        Ok(Self { folder, dependencies, library })
    }

    /// Milliseconds on a core that rustc takes to check a crate.
    fn check(&self, kernels: usize, attributes: bool) -> anyhow::Result<f64> {
        let source = self.folder.join("source.rs");
        std::fs::write(&source, krate(kernels, attributes))?;
        let mut rustc = Command::new("rustc");
        rustc
            .args(["--edition=2024", "--crate-type=lib", "--emit=metadata", "-o"])
            .arg(self.folder.join("out.rmeta"));
        rustc.arg("--extern").arg(format!("wavewright={}", self.library.display()));
        rustc.arg("-L").arg(format!("dependency={}", self.dependencies.display()));
        // Cargo puts the folders of native libraries, LLVM's among them, on the loader's path.
        for folder in std::env::var_os("LD_LIBRARY_PATH").iter().flat_map(std::env::split_paths) {
            rustc.arg("-L").arg(format!("native={}", folder.display()));
        }
        let before = time_of_children()?;
        let status: ExitStatus = rustc.arg(&source).status()?;
        anyhow::ensure!(status.success(), "rustc failed on {}", source.display());
        Ok(time_of_children()? - before)
    }
}

/// The library that this benchmark was built with: that of its name that was built last.
fn newest_library(folder: &Path) -> anyhow::Result<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if name.starts_with("libwavewright-") && name.ends_with(".rlib") {
            found.push((path.metadata()?.modified()?, path));
        }
    }
    let newest = found.into_iter().max().map(|(_, path)| path);
    newest.ok_or_else(|| anyhow::anyhow!("no libwavewright in {}", folder.display()))
}

/// Milliseconds on a core of the processes that this one has waited for.
fn time_of_children() -> anyhow::Result<f64> {
    // SAFETY: all of `rusage` is numbers, for which zero is a value.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    // SAFETY: `usage` is a place for one `rusage`.
    let result = unsafe { libc::getrusage(libc::RUSAGE_CHILDREN, &mut usage) };
    anyhow::ensure!(result == 0, "getrusage: {}", std::io::Error::last_os_error());
    let milliseconds = |time: libc::timeval| time.tv_sec as f64 * 1e3 + time.tv_usec as f64 / 1e3;
    Ok(milliseconds(usage.ru_utime) + milliseconds(usage.ru_stime))
}

/// A crate of so many kernels of ordinary numeric code, 100 lines each, with or without the attributes.
fn krate(kernels: usize, attributes: bool) -> String {
    let (kernel, device, derive) =
        if attributes { ("#[kernel]", "#[device]", ", DeviceType") } else { ("", "", "") };
    let mut source = format!(
        "#![allow(unused)]
use wavewright::prelude::*;
{device} fn lerp(a: f32, b: f32, t: f32) -> f32 {{ a + (b - a) * t }}
#[derive(Clone, Copy{derive})] struct V {{ x: f32, y: f32, z: f32 }}
{device} impl V {{
    fn new(x: f32, y: f32, z: f32) -> V {{ V {{ x, y, z }} }}
    fn dot(self, o: V) -> f32 {{ self.x * o.x + self.y * o.y + self.z * o.z }}
}}
"
    );
    for number in 0..kernels {
        let body: String = (0..8).map(lines).collect();
        let _ = write!(
            source,
            "{kernel}
fn k{number}(n: usize, i: usize, a: f32, x: &[f32], y: &mut [f32]) {{
    let mut acc = 0.0;
    let mut v = V::new(a, 1.0, 2.0);
{body}    y[i] = acc + v.x;
}}
"
        );
    }
    source
}

/// Twelve lines of a kernel.
fn lines(b: usize) -> String {
    format!(
        "    let p{b} = x[(i + {b}) % n] * a + 0.5;
    let q{b} = (p{b} - 1.0).abs().max(0.25);
    if q{b} > 0.5 && i < n {{
        acc += lerp(p{b}, q{b}, 0.3);
    }} else {{
        acc -= p{b}.sqrt() * 2.0;
    }}
    for j in 0..{} {{
        let t = x[(i * {} + j) % n];
        acc += t * (j as f32) / 3.0;
    }}
    v = V::new(v.dot(v), acc, q{b});
",
        b + 4,
        b + 2
    )
}
