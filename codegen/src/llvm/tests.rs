use super::*;
use crate::{Options, emit, machine};
use inkwell::memory_buffer::MemoryBuffer;

/// Compiles IR in text form to assembly, as the road of a kernel would.
fn assembly(ir: &'static str, target: &str) -> Result<String, Error> {
    let target: Target = target.parse().expect("the test names a target");
    contained("test", &target, move || {
        let machine = machine::create(&target, &Options::default())?;
        let context = Context::create();
        let diagnostics = Diagnostics::of(&context);
        let buffer = MemoryBuffer::create_from_memory_range_copy(ir.as_bytes(), "test");
        let module = context.create_module_from_ir(buffer).expect("the test's IR is well formed");
        module.set_triple(&machine.get_triple());
        module.set_data_layout(&machine.get_target_data().get_data_layout());
        diagnostics.check(emit::assembly(module, &machine)).map_err(|message| Error::Llvm {
            kernel: "test".into(),
            target: target.to_string(),
            message,
        })
    })
}

const NOTHING: &str = "define amdgpu_kernel void @nothing() { ret void }";

#[test]
fn an_instruction_that_the_architecture_lacks_is_an_error_and_the_process_goes_on() {
    let matrix = "declare <4 x float> @llvm.amdgcn.mfma.f32.4x4x1f32(float, float, <4 x float>, i32, i32, i32)
        define amdgpu_kernel void @k(ptr addrspace(1) %p, float %a, <4 x float> %c) {
        %r = call <4 x float> @llvm.amdgcn.mfma.f32.4x4x1f32(float %a, float %a, <4 x float> %c, i32 0, i32 0, i32 0)
        store <4 x float> %r, ptr addrspace(1) %p
        ret void }";
    for _ in 0..3 {
        let error = assembly(matrix, "gfx900").expect_err("gfx900 has no matrix instructions").to_string();
        assert!(error.contains("for gfx900") && error.to_lowercase().contains("cannot select"), "{error}");
    }
    assert!(assembly(matrix, "gfx908").expect("gfx908 has").contains("v_mfma_f32_4x4x1"));
    assert!(assembly(NOTHING, "gfx900").expect("the process goes on").contains("s_endpgm"));
}

#[test]
fn what_llvm_reports_beside_its_result_is_an_error() {
    let ir = "@lds = internal addrspace(3) global [70000 x i8] poison
        define amdgpu_kernel void @k(i32 %i) {
        %p = getelementptr i8, ptr addrspace(3) @lds, i32 %i
        store volatile i8 1, ptr addrspace(3) %p
        ret void }";
    let error = assembly(ir, "gfx942").expect_err("it has 65536 bytes").to_string();
    assert!(error.contains("70000") && error.contains("65536"), "{error}");
    assert!(assembly(ir, "gfx950").is_ok(), "gfx950 has 163840");
}

#[test]
fn a_panic_of_ours_is_an_error() {
    let target = Target::Host;
    let error = contained::<()>("deep", &target, || panic!("number {}", 7)).expect_err("it panics");
    let message = "the compiler panicked: number 7".to_string();
    assert_eq!(error, Error::Internal { kernel: "deep".into(), message });
}

#[test]
fn many_threads_compile_at_once() {
    std::thread::scope(|scope| {
        let threads: Vec<_> = ["gfx900", "gfx942", "gfx1100", "gfx1201"]
            .map(|target| scope.spawn(move || (0..4).map(|_| assembly(NOTHING, target)).collect::<Vec<_>>()))
            .into();
        for thread in threads {
            let results = thread.join().expect("no thread panics");
            assert!(results.iter().all(|result| result == &results[0] && result.is_ok()));
        }
    });
}
