//! What becomes of a kernel: its captured tree, its LLVM IR and its instructions, for any target; no GPU needed.
//!
//!     cargo run --example inspect -- --kernel saxpy --target gfx1100 --target sm_90 --stage assembly
//!
//! Targets are named as LLVM names them (`gfx942`, `sm_90`, `host`); stages are `tree` (what the macro captured, and what
//! rustc said about it; the same for every target), `typed`, `llvm-ir-raw`, `llvm-ir` and `assembly`.

use anyhow::{Context, Result};
use wavewright::codegen::inspect::{Resources, disassemble, resources};
use wavewright::codegen::{Options, Stage, compile, emit};
use wavewright::kernel_ir::code_object::CodeObject;
use wavewright::kernel_ir::entry::KernelEntry;
use wavewright::kernel_ir::print;
use wavewright::kernel_ir::target::Target;
use wavewright::prelude::*;

/// One element a thread, by reference.
#[kernel]
fn saxpy(a: f32, x: &f32, y: &mut f32) {
    *y = a.mul_add(*x, *y);
}

/// By index, with Rust's checks.
#[kernel]
fn saxpy_checked(a: f32, x: &[f32], y: &mut [f32]) {
    let i = thread::global_x();
    if i < y.len() {
        y[i] = a.mul_add(x[i], y[i]);
    }
}

/// The sum of a block, through shared memory.
#[kernel(block = 256)]
fn block_sums(values: &[f32], sums: &mut [f32]) {
    let partial = shared!([f32; 256]);
    let t = thread::x() as usize;
    let i = thread::global_x();
    partial[t] = if i < values.len() { values[i] } else { 0.0 };
    sync_threads();
    let mut half = 128;
    while half > 0 {
        if t < half {
            partial[t] += partial[t + half];
        }
        sync_threads();
        half /= 2;
    }
    if t == 0 {
        sums[block::x() as usize] = partial[0];
    }
}

/// The kernels, by name.
fn entry(name: &str) -> Result<KernelEntry> {
    Ok(match name {
        "saxpy" => saxpy::entry(),
        "saxpy_checked" => saxpy_checked::entry(),
        "block_sums" => block_sums::entry(),
        _ => anyhow::bail!("no kernel `{name}`; there are saxpy, saxpy_checked and block_sums"),
    })
}

struct Choice {
    kernel: String,
    targets: Vec<String>,
    /// Whether to show the captured tree.
    tree: bool,
    stages: Vec<Stage>,
}

impl Choice {
    fn parse() -> Result<Self> {
        use lexopt::prelude::*;
        let (mut kernel, mut targets) = (String::from("saxpy"), Vec::new());
        let (mut tree, mut stages) = (false, Vec::new());
        let mut arguments = lexopt::Parser::from_env();
        while let Some(argument) = arguments.next()? {
            match argument {
                Long("kernel") => kernel = arguments.value()?.string()?,
                Long("target") => targets.push(arguments.value()?.string()?),
                Long("stage") => match arguments.value()?.string()?.as_str() {
                    "tree" => tree = true,
                    stage => stages.push(stage.parse()?),
                },
                Long("help") => {
                    println!("inspect [--kernel NAME] [--target TARGET]... [--stage STAGE]...");
                    std::process::exit(0);
                }
                other => return Err(other.unexpected().into()),
            }
        }
        if targets.is_empty() {
            targets = ["gfx942", "gfx1100", "sm_90", "host"].map(String::from).into();
        }
        if stages.is_empty() && !tree {
            stages = vec![Stage::LlvmIr, Stage::Assembly];
        }
        Ok(Self { kernel, targets, tree, stages })
    }
}

fn main() -> Result<()> {
    let Choice { kernel, targets, tree, stages } = Choice::parse()?;
    let entry = entry(&kernel)?;
    if tree {
        println!("\n==== {kernel}: captured tree\n\n{}", print::captured(&(entry.captured)()));
    }
    let program = (entry.program)()?;
    let options = Options { block: Some([256, 1, 1]), ..Options::default() };
    let mut summaries = Vec::new();
    for name in targets {
        let target: Target = name.parse()?;
        for stage in &stages {
            println!("\n==== {kernel} for {target}: {stage}\n");
            let artifact = emit(&program, &target, &options, *stage)?;
            println!(
                "{}",
                artifact.text().with_context(|| format!("the stage `{stage}` is not for reading"))?
            );
        }
        summaries.push(format!("  {target}: {}", summary(&compile(&program, &target, &options)?)?));
    }
    println!("\n{kernel}, in blocks of 256 threads\n{}", summaries.join("\n"));
    Ok(())
}

/// How many instructions the code has, and what it needs of the hardware.
fn summary(code: &CodeObject) -> Result<String> {
    Ok(match resources(code)? {
        Resources::Amd(needs) => format!(
            "{} instructions, {} vector and {} scalar registers, {} bytes of LDS, {} bytes of scratch",
            disassemble(code)?.instructions.len(),
            needs.vgprs,
            needs.sgprs,
            needs.lds_bytes,
            needs.scratch_bytes
        ),
        Resources::Ptx(needs) => format!(
            "{} instructions of PTX, {} bytes of shared memory, {} bytes of local memory",
            ptx_instructions(&code.bytes),
            needs.shared_bytes,
            needs.local_bytes
        ),
        Resources::Host { code_bytes } => {
            format!("{} instructions in {code_bytes} bytes", disassemble(code)?.instructions.len())
        }
    })
}

/// How many of the statements of a PTX text are instructions, not directives.
fn ptx_instructions(ptx: &[u8]) -> usize {
    let text = String::from_utf8_lossy(ptx);
    text.lines().map(str::trim).filter(|line| line.ends_with(';') && !line.starts_with('.')).count()
}
