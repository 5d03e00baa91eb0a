use super::*;
use inkwell::OptimizationLevel;
use inkwell::context::Context;
use inkwell::memory_buffer::MemoryBuffer;
use inkwell::targets::{CodeModel, FileType, RelocMode, TargetMachine};
use wavewright_kernel_ir::abi::Abi;

/// The object of a module in textual IR. `body` is that of `define void @kernel(ptr %arguments, ptr %work)`.
fn object(body: &str, cpu: &str, format: Format) -> CodeObject {
    initialise_host();
    let context = Context::create();
    let buffer = MemoryBuffer::create_from_memory_range_copy(body.as_bytes(), "test");
    let module = context.create_module_from_ir(buffer).expect("the test's IR is well formed");
    let triple = TargetMachine::get_default_triple();
    let machine = Target::from_triple(&triple)
        .expect("the host is a target")
        .create_target_machine(
            &triple,
            cpu,
            "",
            OptimizationLevel::Aggressive,
            RelocMode::PIC,
            CodeModel::Default,
        )
        .expect("the host has a machine");
    module.set_triple(&triple);
    module.set_data_layout(&machine.get_target_data().get_data_layout());
    let bytes = machine.write_to_memory_buffer(&module, FileType::Object).expect("the IR compiles");
    code_object(bytes.as_slice().to_vec(), format)
}

fn code_object(bytes: Vec<u8>, format: Format) -> CodeObject {
    CodeObject {
        name: "test::kernel".into(),
        symbol: "kernel".into(),
        target: "sm_90".into(),
        format,
        bytes,
        abi: Abi { arguments: Vec::new(), size: 0 },
        elementwise: false,
        block: None,
        shared_bytes: 0,
        scratch_bytes: 0,
        panics: Vec::new(),
    }
}

/// Loads the kernel of `ir` and runs it on `arguments`.
fn run<T>(ir: &str, arguments: &mut T) {
    let kernel = HostKernel::load(&object(ir, "", Format::HostObject)).expect("the object loads");
    // SAFETY: the IR of each test reads and writes inside its `arguments` and leaves `work` alone.
    unsafe { (kernel.entry())(std::ptr::from_mut(arguments).cast(), std::ptr::null()) };
}

#[test]
fn runs_from_many_threads() {
    let ir = "define void @kernel(ptr %a, ptr %w) {
        %old = atomicrmw add ptr %a, i32 1 monotonic
        ret void }";
    let kernel = HostKernel::load(&object(ir, "", Format::HostObject)).expect("the object loads");
    let counter = std::sync::atomic::AtomicU32::new(0);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..100 {
                    // SAFETY: the kernel adds to the counter, atomically.
                    unsafe { (kernel.entry())(counter.as_ptr().cast(), std::ptr::null()) };
                }
            });
        }
    });
    assert_eq!(counter.into_inner(), 400);
}

#[test]
fn divides_128_bits() {
    let mut results = String::new();
    for (index, op) in ["sdiv", "udiv", "srem", "urem"].into_iter().enumerate() {
        results += &format!(
            "%r{index} = {op} i128 %x, %y
             %p{index} = getelementptr i128, ptr %a, i64 {}
             store i128 %r{index}, ptr %p{index}\n",
            index + 2,
        );
    }
    let ir = format!(
        "define void @kernel(ptr %a, ptr %w) {{
            %x = load i128, ptr %a
            %q = getelementptr i128, ptr %a, i64 1
            %y = load i128, ptr %q
            {results}
            ret void }}"
    );
    let (x, y) = (-170_000_000_000_000_000_000_000_000_001i128, 12_345_678_901_234_567_891i128);
    let mut values = [x, y, 0, 0, 0, 0];
    run(&ir, &mut values);
    let (ux, uy) = (x as u128, y as u128);
    assert_eq!(values[2..], [x / y, (ux / uy) as i128, x % y, (ux % uy) as i128]);
}

#[test]
fn converts_between_floats_and_128_bits() {
    let ir = "define void @kernel(ptr %a, ptr %w) {
        %x = load i128, ptr %a
        %f = sitofp i128 %x to float
        %g = uitofp i128 %x to double
        %fi = fptosi float %f to i128
        %gi = fptoui double %g to i128
        %p1 = getelementptr i128, ptr %a, i64 1
        store float %f, ptr %p1
        %p2 = getelementptr i128, ptr %a, i64 2
        store double %g, ptr %p2
        %p3 = getelementptr i128, ptr %a, i64 3
        store i128 %fi, ptr %p3
        %p4 = getelementptr i128, ptr %a, i64 4
        store i128 %gi, ptr %p4
        ret void }";
    let x = 123_456_789_012_345_678_901_234_567i128;
    let mut values = [x, 0, 0, 0, 0];
    run(ir, &mut values);
    assert_eq!(f32::from_bits(values[1] as u32), x as f32);
    assert_eq!(f64::from_bits(values[2] as u64), x as u128 as f64);
    assert_eq!(values[3..], [(x as f32) as i128, (x as f64) as i128]);
}

#[test]
fn fuses_and_rounds_on_a_machine_without_the_instructions() {
    let ir = "declare float @llvm.fma.f32(float, float, float)
        declare double @llvm.fma.f64(double, double, double)
        declare <4 x float> @llvm.floor.v4f32(<4 x float>)
        define void @kernel(ptr %a, ptr %w) {
        %x = load float, ptr %a
        %f = call float @llvm.fma.f32(float %x, float %x, float -1.0)
        %p1 = getelementptr float, ptr %a, i64 1
        store float %f, ptr %p1
        %d = fpext float %x to double
        %g = call double @llvm.fma.f64(double %d, double %d, double -1.0)
        %n = fptrunc double %g to float
        %p2 = getelementptr float, ptr %a, i64 2
        store float %n, ptr %p2
        %r = frem float %x, 0.75
        %p3 = getelementptr float, ptr %a, i64 3
        store float %r, ptr %p3
        %v = load <4 x float>, ptr %a, align 4
        %fl = call <4 x float> @llvm.floor.v4f32(<4 x float> %v)
        %p4 = getelementptr float, ptr %a, i64 4
        store <4 x float> %fl, ptr %p4, align 4
        ret void }";
    let plain = if cfg!(target_arch = "x86_64") { "x86-64" } else { "" };
    let kernel = HostKernel::load(&object(ir, plain, Format::HostObject)).expect("the object loads");
    let x = 1.000_000_1f32;
    let mut values = [x, 0., 0., 0., 9., 9., 9., 9.];
    // SAFETY: the kernel reads and writes eight floats.
    unsafe { (kernel.entry())(values.as_mut_ptr().cast(), std::ptr::null()) };
    let first = [x, x.mul_add(x, -1.0), (x as f64).mul_add(x as f64, -1.0) as f32, x % 0.75];
    assert_eq!(values[..4], first);
    assert_eq!(values[4..], first.map(f32::floor));
}

#[test]
fn moves_memory() {
    let ir = "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
        declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)
        declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
        define void @kernel(ptr %a, ptr %w) {
        %size = load i64, ptr %a
        %from = getelementptr i8, ptr %a, i64 8
        %to = getelementptr i8, ptr %a, i64 1032
        call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 %size, i1 false)
        %on = getelementptr i8, ptr %a, i64 1033
        call void @llvm.memmove.p0.p0.i64(ptr %on, ptr %to, i64 %size, i1 false)
        call void @llvm.memset.p0.i64(ptr %from, i8 7, i64 %size, i1 false)
        ret void }";
    let mut bytes = vec![0u8; 8 + 1024 + 1025];
    bytes[..8].copy_from_slice(&1000u64.to_le_bytes());
    bytes[8..1008].fill(3);
    let kernel = HostKernel::load(&object(ir, "", Format::HostObject)).expect("the object loads");
    // SAFETY: the kernel moves 1000 bytes inside the vector.
    unsafe { (kernel.entry())(bytes.as_mut_ptr(), std::ptr::null()) };
    assert!(bytes[8..1008].iter().all(|b| *b == 7));
    assert!(bytes[1032..2033].iter().all(|b| *b == 3));
    assert_eq!(bytes[2033], 0);
}

#[test]
fn refuses_what_it_cannot_load() {
    let ptx = code_object(b".version 8.0".to_vec(), Format::Ptx);
    let error = HostKernel::load(&ptx).expect_err("PTX is not for the host");
    assert_eq!(error, JitError::NotForHost { kernel: "test::kernel".into(), target: "sm_90".into() });

    for bytes in [Vec::new(), b"not an object".to_vec()] {
        let error = HostKernel::load(&code_object(bytes, Format::HostObject)).expect_err("it is no object");
        assert!(matches!(error, JitError::Object { .. }), "{error}");
    }

    let ir = "declare void @no_such_function()
        define void @kernel(ptr %a, ptr %w) {
        call void @no_such_function()
        ret void }";
    let error = HostKernel::load(&object(ir, "", Format::HostObject)).expect_err("a symbol is missing");
    assert!(error.to_string().contains("no_such_function"), "{error}");

    let mut other = object("define void @kernel(ptr %a, ptr %w) { ret void }", "", Format::HostObject);
    other.symbol = "another".into();
    let error = HostKernel::load(&other).expect_err("there is no such kernel");
    assert!(error.to_string().contains("another"), "{error}");
}
