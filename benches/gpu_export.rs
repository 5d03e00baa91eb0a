//! Writes the kernels that `benches/gpu/compare.py` times as PTX, with how to launch them: no GPU needed.
//!
//!     cargo bench --bench gpu_export -- FOLDER [TARGET]

use anyhow::Context;
use std::fmt::Write as _;
use wavewright::codegen::{Options, compile};
use wavewright::kernel_ir::abi::{Abi, ArgumentKind};
use wavewright::kernel_ir::target::Target;
use wavewright::kernel_ir::typed::Program;
use wavewright::prelude::*;

const BLOCK: [u32; 3] = [256, 1, 1];

/// Sixteen bytes, aligned so that they are one load.
#[derive(Clone, Copy, DeviceType)]
#[repr(C, align(16))]
struct Four {
    x: f32,
    y: f32,
    z: f32,
    w: f32,
}

#[kernel]
fn saxpy_checked(a: f32, x: &[f32], y: &mut [f32]) {
    let i = thread::global_x();
    if i < y.len() {
        y[i] += a * x[i];
    }
}

#[kernel]
fn saxpy_element(a: f32, x: &f32, y: &mut f32) {
    *y += a * *x;
}

#[kernel]
fn saxpy_four(a: f32, x: &Four, y: &mut Four) {
    y.x += a * x.x;
    y.y += a * x.y;
    y.z += a * x.z;
    y.w += a * x.w;
}

#[kernel]
fn saxpy_stride(a: f32, x: &[Four], y: &mut [Four]) {
    let step = grid::size_x() as usize * block::size_x() as usize;
    let mut i = thread::global_x();
    while i < y.len() {
        y[i].x += a * x[i].x;
        y[i].y += a * x[i].y;
        y[i].z += a * x[i].z;
        y[i].w += a * x[i].w;
        i += step;
    }
}

/// A kernel to export: elements in one item of its buffers, and the grid if it isn't one thread an item.
struct Export {
    program: Program,
    elements_per_item: u32,
    blocks: u32,
}

fn main() -> anyhow::Result<()> {
    let args: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with("--")).collect();
    let folder = args.first().context("usage: cargo bench --bench gpu_export -- FOLDER [TARGET]")?;
    let target: Target = args.get(1).map_or("sm_90", String::as_str).parse()?;
    let exports = [
        Export { program: saxpy_checked::program()?, elements_per_item: 1, blocks: 0 },
        Export { program: saxpy_element::program()?, elements_per_item: 1, blocks: 0 },
        Export { program: saxpy_four::program()?, elements_per_item: 4, blocks: 0 },
        Export { program: saxpy_stride::program()?, elements_per_item: 4, blocks: 132 * 8 },
    ];
    std::fs::create_dir_all(folder)?;
    let mut entries = Vec::new();
    for export in exports {
        let options = Options { block: Some(BLOCK), ..Options::default() };
        let object = compile(&export.program, &target, &options)?;
        let file = format!("{}.ptx", object.symbol);
        std::fs::write(format!("{folder}/{file}"), &object.bytes)?;
        let mut entry = String::new();
        write!(
            entry,
            r#"{{"name": "{0}", "file": "{file}", "symbol": "{0}", "elements_per_item": {1}, "blocks": {2}, "arguments": [{3}]}}"#,
            object.symbol,
            export.elements_per_item,
            export.blocks,
            arguments(&object.abi)
        )?;
        entries.push(entry);
    }
    std::fs::write(format!("{folder}/kernels.json"), format!("[\n{}\n]\n", entries.join(",\n")))?;
    println!("{} kernels in {folder} for {target}", entries.len());
    Ok(())
}

/// The arguments by the names that the script gives them.
fn arguments(abi: &Abi) -> String {
    let names = ["a", "x", "y"];
    let of = |kind: &ArgumentKind| match *kind {
        ArgumentKind::Value { param, .. } | ArgumentKind::Address { param, .. } => names[param as usize],
        ArgumentKind::Length { .. } => "length",
        ArgumentKind::Count => "count",
        ArgumentKind::Fault => "fault",
    };
    let quoted: Vec<String> = abi.arguments.iter().map(|a| format!("\"{}\"", of(&a.kind))).collect();
    quoted.join(", ")
}
