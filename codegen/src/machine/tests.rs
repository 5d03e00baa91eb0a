//! The table of architectures against LLVM itself: its allocator and its objects tell what it takes them to be.

use super::*;
use crate::emit;
use inkwell::context::Context;
use inkwell::memory_buffer::MemoryBuffer;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::process::Command;
use wavewright_kernel_ir::target::{AmdArch, NvidiaArch, NvidiaTarget, PtxVersion, Support};

fn module_to<T>(
    ir: &str,
    target: &Target,
    emit: fn(inkwell::module::Module, &TargetMachine) -> Result<T, String>,
) -> T {
    let machine = create(target, &Options::default()).expect("LLVM has the target");
    let context = Context::create();
    let buffer = MemoryBuffer::create_from_memory_range_copy(ir.as_bytes(), "test");
    let module = context.create_module_from_ir(buffer).expect("the test's IR is well formed");
    module.set_triple(&machine.get_triple());
    module.set_data_layout(&machine.get_target_data().get_data_layout());
    emit(module, &machine).expect("the IR compiles")
}

/// A kernel that wants as many vector registers as it can get when `waves` share a SIMD.
fn greedy(waves: u32, registers: u32) -> String {
    let mut body = String::new();
    for i in 0..registers {
        writeln!(body, "%v{i} = load volatile float, ptr addrspace(1) %p").unwrap();
    }
    for i in 0..registers {
        writeln!(body, "store volatile float %v{i}, ptr addrspace(1) %p").unwrap();
    }
    format!(
        "define amdgpu_kernel void @k(ptr addrspace(1) %p) #0 {{ {body} ret void }}
         attributes #0 = {{ \"amdgpu-flat-work-group-size\"=\"1,64\" \"amdgpu-waves-per-eu\"=\"{waves},{waves}\" }}"
    )
}

fn metadata(assembly: &str, key: &str) -> u32 {
    let line = assembly.lines().find_map(|line| line.trim().strip_prefix(key)?.strip_prefix(':'));
    line.and_then(|value| value.trim().parse().ok()).unwrap_or_else(|| panic!("no {key}"))
}

/// Set in the process that [`processors`] starts.
const CHILD: &str = "WAVEWRIGHT_TEST_LISTS_PROCESSORS";

/// The processors that LLVM lists for a target of this kind. It writes the list to the error output, so another process
/// asks it.
fn processors(target: &str) -> BTreeSet<String> {
    let test = std::env::current_exe().expect("a test knows its program");
    let child = Command::new(test)
        .args(["--exact", "machine::tests::lists_processors", "--nocapture"])
        .env(CHILD, target)
        .output()
        .expect("it starts");
    let listed = String::from_utf8_lossy(&child.stderr);
    let (_, listed) = listed.split_once("Available CPUs for this target:").expect("it lists processors");
    let (listed, _) = listed.split_once("Available features for this target:").expect("it lists features");
    listed.lines().filter_map(|line| Some(line.split_once(" - ")?.0.trim().to_string())).collect()
}

/// Does nothing unless [`processors`] asks for it.
#[test]
fn lists_processors() {
    let Ok(target) = std::env::var(CHILD) else { return };
    let target = target.parse().expect("it is a target");
    llvm::initialise(&target).expect("it is the right LLVM");
    let triple = triple(&target);
    let (level, reloc) = (OptimizationLevel::None, RelocMode::PIC);
    let llvm = LlvmTarget::from_triple(&triple).expect("LLVM has the target");
    llvm.create_target_machine(&triple, "help", "", level, reloc, CodeModel::Default);
}

/// The table has every architecture that LLVM has, from GCN 5 on, generic ones included, and no other: LLVM takes a name
/// that it doesn't know for some default, and says so on the error output only.
#[test]
fn amd_architectures_are_those_that_llvm_lists() {
    let before_gcn5 = |name: &str| ["gfx6", "gfx7", "gfx8"].iter().any(|start| name.starts_with(start));
    let mut listed = processors("gfx942");
    listed.retain(|name| name.starts_with("gfx") && !before_gcn5(name));
    let ours: BTreeSet<String> = AmdArch::ALL.iter().map(|arch| arch.name.to_string()).collect();
    assert_eq!(ours, listed);
}

/// The same from Volta on. LLVM also knows names for devices of a family (`sm_100f`), and of Tegra.
#[test]
fn nvidia_architectures_are_among_those_that_llvm_lists() {
    let listed = processors("sm_90");
    for arch in NvidiaArch::ALL {
        assert!(listed.contains(arch.name), "{} is not in {listed:?}", arch.name);
    }
}

#[test]
fn vector_registers_are_as_llvm_allocates_them() {
    for arch in AmdArch::ALL {
        for wave_size in arch.wave_sizes {
            let target = Target::Amd(AmdTarget { wave_size: *wave_size, ..AmdTarget::new(arch) });
            let file = arch.register_file(*wave_size);
            // The shares of few waves show the total, those of many the granule, and LLVM must know of so many waves.
            for waves in [7, arch.waves_per_simd] {
                let share = file.total / waves / file.granule * file.granule;
                let assembly = module_to(&greedy(waves, share + 8), &target, emit::assembly);
                // gfx908 keeps one back for moves to its accumulators.
                let count = metadata(&assembly, ".vgpr_count").next_multiple_of(file.granule);
                assert_eq!(count, share, "{target}, {waves} waves");
                assert_eq!(metadata(&assembly, ".wavefront_size"), *wave_size, "{target}");
            }
        }
    }
}

#[test]
fn modes_and_formats_are_as_in_the_headers_of_objects() {
    let flags = |target: &Target| {
        let version = match target {
            Target::Amd(target) => target.arch.code_object_version(),
            _ => unreachable!("the test is of AMD targets"),
        };
        let ir = format!(
            "define amdgpu_kernel void @k() {{ ret void }}
             !llvm.module.flags = !{{!0}}
             !0 = !{{i32 1, !\"amdhsa_code_object_version\", i32 {version}00}}"
        );
        let object = module_to(&ir, target, emit::object);
        u32::from_le_bytes(object[48..52].try_into().unwrap())
    };
    // The fields of `e_flags`: 0 is no such mode, 1 any, 2 off, 3 on.
    let (xnack, sramecc) = (|flags: u32| flags >> 8 & 3, |flags: u32| flags >> 10 & 3);
    let supported = |support: Support| u32::from(support != Support::No);
    for arch in AmdArch::ALL {
        let target = AmdTarget::new(arch);
        let found = flags(&Target::Amd(target));
        assert_eq!(xnack(found), supported(arch.xnack), "{}", arch.name);
        assert_eq!(sramecc(found), supported(arch.sramecc), "{}", arch.name);
        assert_eq!(found >> 24 != 0, arch.is_generic(), "{}", arch.name);
        for (setting, field) in [(Setting::Off, 2), (Setting::On, 3)] {
            if arch.xnack == Support::Optional {
                assert_eq!(xnack(flags(&Target::Amd(AmdTarget { xnack: setting, ..target }))), field);
            }
            if arch.sramecc == Support::Optional {
                assert_eq!(sramecc(flags(&Target::Amd(AmdTarget { sramecc: setting, ..target }))), field);
            }
        }
    }
}

#[test]
fn shared_memory_is_as_much_as_llvm_allows() {
    let ir = |bytes: u64| {
        format!(
            "@lds = internal addrspace(3) global [{bytes} x i8] poison
             define amdgpu_kernel void @k(i32 %i) {{
             %p = getelementptr i8, ptr addrspace(3) @lds, i32 %i
             store volatile i8 1, ptr addrspace(3) %p
             ret void }}"
        )
    };
    for arch in AmdArch::ALL {
        let machine = create(&Target::Amd(AmdTarget::new(arch)), &Options::default()).unwrap();
        for (bytes, fits) in [(arch.lds_bytes, true), (arch.lds_bytes + 4, false)] {
            let context = Context::create();
            let diagnostics = llvm::Diagnostics::of(&context);
            let buffer = MemoryBuffer::create_from_memory_range_copy(ir(bytes).as_bytes(), "test");
            let module = context.create_module_from_ir(buffer).unwrap();
            module.set_triple(&machine.get_triple());
            module.set_data_layout(&machine.get_target_data().get_data_layout());
            let result = diagnostics.check(emit::assembly(module, &machine));
            assert_eq!(result.is_ok(), fits, "{}, {bytes} bytes", arch.name);
        }
    }
}

#[test]
fn ptx_says_the_version_and_the_architecture_that_were_asked_for() {
    let ir = "define ptx_kernel void @k() { ret void }";
    for arch in NvidiaArch::ALL {
        let versions = PtxVersion::all().filter(|version| *version >= arch.ptx_oldest);
        for ptx in versions {
            let text = module_to(ir, &Target::Nvidia(NvidiaTarget { arch, ptx }), emit::assembly);
            assert!(text.contains(&format!(".version {ptx}\n")), "{} {ptx}:\n{text}", arch.name);
            assert!(text.contains(&format!(".target {}\n", arch.name)), "{} {ptx}:\n{text}", arch.name);
        }
    }
}

/// Without a version LLVM picks the oldest that knows the architecture.
#[test]
fn the_oldest_ptx_version_is_llvms() {
    let triple = TargetTriple::create("nvptx64-nvidia-cuda");
    for arch in NvidiaArch::ALL {
        llvm::initialise(&Target::Nvidia(NvidiaTarget::new(arch))).unwrap();
        let machine = LlvmTarget::from_triple(&triple)
            .unwrap()
            .create_target_machine(
                &triple,
                arch.name,
                "",
                OptimizationLevel::None,
                RelocMode::PIC,
                CodeModel::Default,
            )
            .unwrap();
        let context = Context::create();
        let module = context.create_module("empty");
        module.set_triple(&triple);
        module.set_data_layout(&machine.get_target_data().get_data_layout());
        let text = emit::assembly(module, &machine).unwrap();
        assert!(text.contains(&format!(".version {}\n", arch.ptx_oldest)), "{}:\n{text}", arch.name);
    }
}
