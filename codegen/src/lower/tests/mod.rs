//! What lowering makes of kernels, on each target.

mod arguments;
pub(crate) mod build;
mod compile;
mod matmul;
mod meaning;
mod panics;
mod saxpy;
mod scalars;

use compile::{Stage, instructions, text};
use wavewright_kernel_ir::samples;

/// One architecture of each kind of code that is looked at closely.
const TARGETS: [&str; 4] = ["gfx942", "gfx1100", "gfx1201", "sm_90"];

/// Fails where code goes through generic addresses or a thread's own memory in RAM.
fn assert_no_detours(name: &str, target: &str, assembly: &str) {
    for instruction in instructions(assembly) {
        let opcode = instruction.split_whitespace().next().unwrap_or_default();
        let generic = opcode.starts_with("flat_") || opcode.starts_with("ld.b") || opcode.starts_with("st.b");
        let private = opcode.starts_with("scratch_")
            || opcode.starts_with("buffer_load")
            || opcode.starts_with("buffer_store")
            || opcode.contains(".local");
        assert!(!generic && !private, "{name} on {target}: {instruction}");
    }
    for line in assembly.lines().map(str::trim) {
        let spilled = line.strip_prefix(".vgpr_spill_count:").or(line.strip_prefix(".sgpr_spill_count:"));
        assert!(spilled.is_none_or(|count| count.trim() == "0"), "{name} on {target}: {line}");
        let private = line.strip_prefix(".amdhsa_private_segment_fixed_size");
        assert!(private.is_none_or(|size| size.trim() == "0"), "{name} on {target}: {line}");
        assert!(!line.starts_with(".local"), "{name} on {target}: {line}");
    }
}

#[test]
fn samples_use_neither_generic_addresses_nor_memory_of_the_thread() {
    for (name, program) in samples::all() {
        for target in TARGETS {
            let assembly = text(&program, target, Some([16, 16, 1]), Stage::Assembly);
            assert_no_detours(name, target, &assembly);
        }
    }
}

#[test]
fn the_same_kernel_gives_the_same_bytes() {
    for (name, program) in samples::all() {
        for target in TARGETS {
            let once = text(&program, target, None, Stage::Assembly);
            assert_eq!(once, text(&program.clone(), target, None, Stage::Assembly), "{name} on {target}");
        }
    }
}
