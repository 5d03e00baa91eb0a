use super::*;
use crate::{Options, emit, link, machine};
use inkwell::context::Context;
use inkwell::memory_buffer::MemoryBuffer;
use wavewright_kernel_ir::abi::Abi;

/// The code object of a kernel `k` in textual IR.
fn code(ir: &str, target: &str) -> CodeObject {
    let target: Target = target.parse().expect("the test names a target");
    let machine = machine::create(&target, &Options::default()).expect("LLVM has the target");
    let context = Context::create();
    let buffer = MemoryBuffer::create_from_memory_range_copy(ir.as_bytes(), "test");
    let module = context.create_module_from_ir(buffer).expect("the test's IR is well formed");
    module.set_triple(&machine.get_triple());
    module.set_data_layout(&machine.get_target_data().get_data_layout());
    let bytes = match target {
        Target::Amd(_) => {
            link::start().link(&emit::object(module, &machine).expect("it compiles")).expect("it links")
        }
        Target::Nvidia(_) => emit::assembly(module, &machine).expect("it compiles").into_bytes(),
        Target::Host => emit::object(module, &machine).expect("it compiles"),
    };
    CodeObject {
        name: "test::k".into(),
        symbol: "k".into(),
        target: target.to_string(),
        format: target.format(),
        bytes,
        abi: Abi { arguments: Vec::new(), size: 0 },
        elementwise: false,
        block: None,
        shared_bytes: 0,
        scratch_bytes: 0,
        panics: Vec::new(),
    }
}

const AMD: &str = "@lds = internal addrspace(3) global [1000 x i32] poison
    define protected amdgpu_kernel void @k(ptr addrspace(1) %p, i32 %i) #0 {
        %q = getelementptr i32, ptr addrspace(3) @lds, i32 %i
        %v = load i32, ptr addrspace(3) %q
        store i32 %v, ptr addrspace(1) %p
        ret void
    }
    attributes #0 = { \"amdgpu-flat-work-group-size\"=\"1,192\" }";

#[test]
fn amd_resources_are_those_of_the_metadata() {
    for (target, wave_size) in
        [("gfx942", 64), ("gfx1100", 32), ("gfx1100:wave64", 64), ("gfx90a:xnack+", 64)]
    {
        let Resources::Amd(resources) = resources(&code(AMD, target)).expect("they can be read") else {
            panic!("{target} is AMD's")
        };
        assert_eq!(resources.wave_size, wave_size, "{target}");
        assert_eq!(resources.lds_bytes, 4000);
        assert_eq!(resources.block_threads, 192);
        assert_eq!((resources.scratch_bytes, resources.vgpr_spills, resources.sgpr_spills), (0, 0, 0));
        assert!(
            resources.vgprs > 0 && resources.sgprs > 0 && resources.argument_bytes >= 12,
            "{resources:?}"
        );
        assert!(!resources.dynamic_stack);
    }
}

#[test]
fn what_goes_to_memory_shows() {
    let mut body = String::new();
    for i in 0..200 {
        body += &format!("%v{i} = load volatile float, ptr addrspace(1) %p\n");
    }
    for i in 0..200 {
        body += &format!("store volatile float %v{i}, ptr addrspace(1) %p\n");
    }
    let ir = format!(
        "define protected amdgpu_kernel void @k(ptr addrspace(1) %p) #0 {{ {body} ret void }}
         attributes #0 = {{ \"amdgpu-flat-work-group-size\"=\"1,1024\" \"amdgpu-waves-per-eu\"=\"16,16\" }}"
    );
    let Resources::Amd(resources) = resources(&code(&ir, "gfx1030")).expect("they can be read") else {
        panic!("gfx1030 is AMD's")
    };
    assert_eq!(resources.vgprs, 64, "sixteen waves share 1024");
    assert!(resources.vgpr_spills >= 136 && resources.scratch_bytes >= 4 * 136, "{resources:?}");
}

#[test]
fn amd_code_is_disassembled_whole() {
    for target in ["gfx900", "gfx942", "gfx1030", "gfx1100:wave64", "gfx1201", "gfx1250"] {
        let listing = disassemble(&code(AMD, target)).expect("it can be disassembled");
        let names: Vec<&str> = listing.instructions.iter().map(Instruction::mnemonic).collect();
        assert!(names.contains(&"s_endpgm"), "{target}:\n{listing}");
        assert!(!names.contains(&".long"), "{target}:\n{listing}");
        assert!(
            names.iter().any(|name| name.starts_with("ds_") && name.contains("b32")),
            "{target}:\n{listing}"
        );
        let mut offset = 0;
        for instruction in &listing.instructions {
            assert_eq!(instruction.offset, offset);
            offset += instruction.size;
        }
    }
}

#[test]
fn bytes_that_are_no_instruction_are_shown_as_such() {
    let function =
        elf::Function { address: 0, code: &[0xff, 0xff, 0xff, 0xff, 0x00, 0x00, 0x81, 0xbf, 1, 2] };
    let listing = Disassembly::of(&function, &"gfx900".parse().unwrap()).unwrap().to_string();
    assert_eq!(listing, "     0:  .long 0xffffffff\n     4:  s_endpgm\n     8:  .byte 0x01, 0x02\n");
}

#[test]
fn ptx_resources_are_those_of_the_text() {
    let ir = "@tile = internal addrspace(3) global [16 x [16 x float]] poison, align 16
        define ptx_kernel void @other() { ret void }
        define ptx_kernel void @k(ptr addrspace(1) %p, i32 %i) #0 {
            %a = alloca [10 x i32], align 4
            %l = getelementptr i32, ptr %a, i32 %i
            store volatile i32 %i, ptr %l
            %q = getelementptr float, ptr addrspace(3) @tile, i32 %i
            %v = load float, ptr addrspace(3) %q
            store float %v, ptr addrspace(1) %p
            ret void
        }
        attributes #0 = { \"nvvm.reqntid\"=\"16,16,1\" \"nvvm.maxntid\"=\"256\" }";
    let code = code(ir, "sm_90");
    let Resources::Ptx(resources) = resources(&code).expect("they can be read") else {
        panic!("sm_90 is NVIDIA's")
    };
    assert_eq!(resources.shared_bytes, 1024);
    assert_eq!(resources.local_bytes, 40);
    assert_eq!(resources.block_exact, Some([16, 16, 1]));
    assert_eq!(resources.block_most, Some([256, 1, 1]));
    assert!(resources.registers.iter().any(|(bits, count)| *bits == 32 && *count > 0), "{resources:?}");
    let error = disassemble(&code).expect_err("PTX has no instructions to take apart").to_string();
    assert!(error.contains("PTX, which is text"), "{error}");
}

#[test]
fn host_code_is_disassembled() {
    let code = code("define void @k(ptr %a, ptr %w) { store i32 7, ptr %a\n ret void }", "host");
    let listing = disassemble(&code).expect("it can be disassembled");
    assert!(listing.instructions.len() >= 2, "{listing}");
    let Resources::Host { code_bytes } = resources(&code).expect("they can be read") else {
        panic!("the host")
    };
    assert_eq!(code_bytes, listing.instructions.iter().map(|i| i.size).sum::<u64>());
}

#[test]
fn broken_code_is_an_error() {
    for format in [Format::Hsaco, Format::HostObject, Format::Ptx] {
        for bytes in [Vec::new(), vec![0xff; 100], b"\x7fELF\x02\x01\x01".to_vec()] {
            let broken = CodeObject { format, bytes, ..code("define void @k() { ret void }", "host") };
            assert!(resources(&broken).is_err());
            assert!(disassemble(&broken).is_err());
        }
    }
    let mut cut = code(AMD, "gfx942");
    for length in (0..cut.bytes.len()).step_by(97).rev() {
        cut.bytes.truncate(length);
        // Whatever is left of it, the answer is a value.
        let _ = (resources(&cut), disassemble(&cut));
    }
    let other = CodeObject { symbol: "other".into(), ..code(AMD, "gfx942") };
    let error = resources(&other).unwrap_err().to_string();
    assert_eq!(error, "the code of kernel `test::k` can't be read: its metadata has no kernel `other`");
}
