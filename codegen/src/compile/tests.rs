use super::*;
use crate::inspect::{self, Resources};
use std::path::PathBuf;
use std::process::Command;
use wavewright_kernel_ir::code_object::Format;
use wavewright_kernel_ir::samples;

fn target(text: &str) -> Target {
    text.parse().expect("the test names a target")
}

const BLOCK: Options =
    Options { block: Some([256, 1, 1]), optimisation: crate::Optimisation::Full, debug_info: false };

#[test]
fn every_target_has_code_that_can_be_looked_into() {
    let program = samples::saxpy_slice();
    for target in Target::all() {
        let code = compile(&program, &target, &BLOCK).unwrap_or_else(|error| panic!("{target}: {error}"));
        assert_eq!(code.target, target.to_string());
        assert_eq!(code.format, target.format());
        assert_eq!(code.block, Some([256, 1, 1]));
        assert!(!code.panics.is_empty(), "indexing can panic");
        match inspect::resources(&code).unwrap_or_else(|error| panic!("{target}: {error}")) {
            Resources::Amd(resources) => {
                assert_eq!(Some(resources.wave_size), target.wave_size());
                assert_eq!((resources.scratch_bytes, resources.vgpr_spills), (0, 0), "{target}");
            }
            Resources::Ptx(resources) => assert_eq!(resources.local_bytes, 0, "{target}"),
            Resources::Host { code_bytes } => assert!(code_bytes > 0),
        }
    }
}

#[test]
fn choices_of_a_target_reach_the_code() {
    for name in ["gfx90a:sramecc+:xnack-", "gfx942:xnack+", "gfx1100:wave64", "sm_90:ptx83"] {
        let code = compile(&samples::saxpy_slice(), &target(name), &BLOCK).expect("it compiles");
        assert_eq!(code.target, name);
        match inspect::resources(&code).expect("it can be read") {
            Resources::Amd(resources) => assert_eq!(resources.wave_size, 64),
            _ => assert!(String::from_utf8_lossy(&code.bytes).contains(".version 8.3")),
        }
    }
}

#[test]
fn every_stage_has_its_form() {
    let program = samples::saxpy_slice();
    for (name, assembly) in [("gfx942", "s_endpgm"), ("sm_90", ".entry"), ("host", "ret")] {
        let target = target(name);
        let stage = |stage| emit(&program, &target, &BLOCK, stage).unwrap_or_else(|e| panic!("{e}"));
        let typed = stage(Stage::Typed);
        assert!(typed.text().expect("it is text").contains("saxpy"), "{typed:?}");
        let raw = stage(Stage::LlvmIrRaw);
        assert!(raw.text().expect("it is text").contains("target triple"));
        assert_ne!(stage(Stage::LlvmIr), raw, "{name}: LLVM finds something to improve");
        assert!(stage(Stage::Assembly).text().expect("it is text").contains(assembly), "{name}");
        if name != "sm_90" {
            assert!(stage(Stage::Object).bytes().starts_with(b"\x7fELF"));
        }
        let code = compile(&program, &target, &BLOCK).expect("it compiles");
        assert_eq!(stage(Stage::CodeObject).bytes(), code.bytes, "{name}");
    }
    let error = emit(&program, &target("sm_90"), &BLOCK, Stage::Object).unwrap_err().to_string();
    assert_eq!(error, "there is no `object` for sm_90: NVIDIA's driver turns the PTX (`assembly`) into code");
}

#[test]
fn debug_lines_point_into_the_source() {
    let options = Options { debug_info: true, ..BLOCK };
    let program = samples::saxpy_slice();
    for name in ["gfx942", "sm_90", "host"] {
        let assembly = emit(&program, &target(name), &options, Stage::Assembly).expect("it compiles");
        assert!(assembly.text().expect("it is text").contains(".loc"), "{name}");
        assert!(compile(&program, &target(name), &options).is_ok(), "{name}");
    }
}

#[test]
fn unoptimised_code_compiles_too() {
    let options = Options { optimisation: crate::Optimisation::None, ..BLOCK };
    for (sample, program) in samples::all() {
        for name in ["gfx942", "gfx1100", "sm_90", "host"] {
            let code = compile(&program, &target(name), &options);
            assert!(code.is_ok(), "{sample} for {name}: {}", code.unwrap_err());
        }
    }
}

#[test]
fn block_sizes_that_can_not_be_are_refused() {
    let mut program = samples::saxpy_slice();
    let error = |program: &Program, name: &str, block: [u32; 3]| {
        let options = Options { block: Some(block), ..BLOCK };
        compile(program, &target(name), &options).expect_err("it is refused").to_string()
    };
    let message = error(&program, "gfx942", [32, 32, 2]);
    assert!(message.contains("a block of [32, 32, 2] (x, y, z) can't run on gfx942"), "{message}");
    assert!(message.contains("it has 2048 threads, and may have 1024"), "{message}");
    assert!(error(&program, "host", [0, 1, 1]).contains("it has no threads"));
    assert!(error(&program, "sm_90", [1, 1, 128]).contains("its z is 128, and may be 64"));
    assert!(error(&program, "sm_90", [u32::MAX, u32::MAX, u32::MAX]).contains("may have 1024"));

    program.kernel.attributes.block = Some([64, 1, 1]);
    let message = error(&program, "sm_90", [256, 1, 1]);
    assert!(message.contains("says `block = [64, 1, 1]`"), "{message}");
    let code = compile(&program, &target("sm_90"), &Options::default()).expect("the attribute holds");
    assert_eq!(code.block, Some([64, 1, 1]));
}

const DETERMINISTIC: [&str; 5] = ["gfx942", "gfx1100", "gfx11-generic", "sm_90", "host"];

fn all_code() -> Vec<u8> {
    let mut all = Vec::new();
    let options = Options { block: Some([16, 16, 1]), debug_info: true, ..BLOCK };
    for name in DETERMINISTIC {
        let code = compile(&samples::matmul_tiled(), &target(name), &options);
        all.extend(code.unwrap_or_else(|error| panic!("{name}: {error}")).bytes);
    }
    all
}

#[test]
fn threads_give_the_same_bytes() {
    let expected = all_code();
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..2).map(|_| scope.spawn(all_code)).collect();
        for thread in threads {
            assert!(thread.join().expect("no thread panics") == expected);
        }
    });
}

/// Where [`processes_give_the_same_bytes`] writes them when it is the other process.
const OUTPUT: &str = "WAVEWRIGHT_TEST_OUTPUT";

#[test]
fn processes_give_the_same_bytes() {
    if let Some(path) = std::env::var_os(OUTPUT) {
        return std::fs::write(path, all_code()).expect("the file can be written");
    }
    let path: PathBuf = std::env::temp_dir().join(format!("wavewright-same-bytes-{}", std::process::id()));
    let this = std::env::current_exe().expect("the test is a program");
    let mut other = Command::new(this);
    other.args(["--exact", "compile::tests::processes_give_the_same_bytes"]).env(OUTPUT, &path);
    // Another working folder and environment, so that neither is in the bytes.
    other.current_dir(std::env::temp_dir()).env("HOME", "/").env("LANG", "C");
    let output = other.output().expect("the test can be started");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    let bytes = std::fs::read(&path).expect("the other process wrote them");
    std::fs::remove_file(&path).expect("the file can be removed");
    assert!(!bytes.is_empty() && bytes == all_code());
}

#[test]
fn host_objects_load() {
    let code = compile(&samples::saxpy_slice(), &Target::Host, &BLOCK).expect("it compiles");
    assert_eq!(code.format, Format::HostObject);
    crate::jit::HostKernel::load(&code).expect("the JIT takes it");
}
