//! The functions run on the host, beside Rust's own operations.

use super::*;
use crate::jit::HostKernel;
use crate::{Optimisation, Options, emit, machine, optimise};
use inkwell::context::Context;
use wavewright_kernel_ir::abi::{Abi, CpuWork};
use wavewright_kernel_ir::code_object::{CodeObject, Format as ObjectFormat};
use wavewright_kernel_ir::target::Target;

/// A function with operands of type `A`, `A` and a result of type `R`, each at its own 16 bytes.
struct Compiled(HostKernel);

#[repr(C, align(16))]
struct Memory<A, R> {
    operands: [Slot<A>; 2],
    result: Slot<R>,
}

#[repr(C, align(16))]
#[derive(Clone, Copy)]
struct Slot<T>(T);

impl Compiled {
    fn new(soft: Soft, format: &Format, operand: &str, operands: usize, result: &str) -> Self {
        let name = soft.name(format);
        let arguments = [format!("{operand} %x"), format!("{operand} %y")][..operands].join(", ");
        let wrapper = format!(
            "define void @run(ptr %memory, ptr %work) {{
                %second = getelementptr i8, ptr %memory, i64 16
                %third = getelementptr i8, ptr %memory, i64 32
                %x = load {operand}, ptr %memory
                %y = load {operand}, ptr %second
                %r = call {result} @{name}({arguments})
                store {result} %r, ptr %third
                ret void
            }}"
        );
        let options = Options::default();
        let machine = machine::create(&Target::Host, &options).unwrap();
        let context = Context::create();
        let text = soft.instance(format) + &wrapper;
        let buffer = MemoryBuffer::create_from_memory_range_copy(text.as_bytes(), "test");
        let module = context.create_module_from_ir(buffer).unwrap();
        module.set_triple(&machine.get_triple());
        module.set_data_layout(&machine.get_target_data().get_data_layout());
        optimise::optimise(&module, &machine, Optimisation::Full).unwrap();
        let object = CodeObject {
            name: name.clone(),
            symbol: "run".into(),
            target: "host".into(),
            format: ObjectFormat::HostObject,
            bytes: emit::object(module, &machine).unwrap(),
            abi: Abi { arguments: vec![], size: 0 },
            elementwise: false,
            block: None,
            shared_bytes: 0,
            scratch_bytes: 0,
            panics: vec![],
        };
        Self(HostKernel::load(&object).unwrap())
    }

    fn call<A: Copy, R: Copy>(&self, x: A, y: A, result: R) -> R {
        let mut memory = Memory { operands: [Slot(x), Slot(y)], result: Slot(result) };
        // SAFETY: the function reads and writes the memory alone, at the places of these types.
        unsafe { (self.0.entry())((&raw mut memory).cast(), std::ptr::null::<CpuWork>()) };
        memory.result.0
    }
}

/// Numbers without end, the same in every run.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        self.0 ^ self.0 >> 29
    }

    fn next_wide(&mut self) -> u128 {
        u128::from(self.next()) << 64 | u128::from(self.next())
    }
}

macro_rules! tests_of {
    ($module:ident, $t:ident, $bits:ident, $format:ident, $llvm:literal) => {
        mod $module {
            use super::*;

            fn edges() -> Vec<$t> {
                let mut all = vec![
                    0.0,
                    1.0,
                    1.5,
                    3.0,
                    0.1,
                    1e30,
                    1.701_411_8e38,
                    3.402_823_5e38,
                    $t::MAX,
                    $t::MIN_POSITIVE,
                    $t::MIN_POSITIVE / 4.0,
                    $t::from_bits(1),
                    $t::EPSILON,
                    $t::INFINITY,
                    $t::NAN,
                ];
                all.extend(all.clone().into_iter().map(|x: $t| -x));
                all
            }

            fn same(a: $t, b: $t) -> bool {
                a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan()
            }

            #[test]
            fn remainder_is_rusts() {
                let compiled = Compiled::new(Soft::Remainder, &$format, $llvm, 2, $llvm);
                let check = |x: $t, y: $t| {
                    let found = compiled.call(x, y, 0.0 as $t);
                    assert!(same(found, x % y), "{x:e} % {y:e}: {found:e}, not {:e}", x % y);
                };
                let edges = edges();
                edges.iter().for_each(|x| edges.iter().for_each(|y| check(*x, *y)));
                let mut random = Random(1);
                for _ in 0..20_000 {
                    check($t::from_bits(random.next() as $bits), $t::from_bits(random.next() as $bits));
                    // Exponents that are near each other.
                    let x = $t::from_bits(random.next() as $bits);
                    check(x, x * (random.next() as $t / u64::MAX as $t));
                }
            }

            #[test]
            fn casts_to_128_bits_are_rusts() {
                let unsigned = Compiled::new(Soft::FloatToU128, &$format, $llvm, 1, "i128");
                let signed = Compiled::new(Soft::FloatToI128, &$format, $llvm, 1, "i128");
                let mut random = Random(2);
                let random = (0..20_000).map(|_| $t::from_bits(random.next() as $bits));
                let powers = (0..130).map(|n| (2.0 as $t).powi(n) * 1.25);
                for x in edges().into_iter().chain(random).chain(powers) {
                    assert_eq!(unsigned.call(x, x, 0u128), x as u128, "{x:e}");
                    assert_eq!(signed.call(x, x, 0i128), x as i128, "{x:e}");
                }
            }

            #[test]
            fn casts_from_128_bits_are_rusts() {
                let compiled = Compiled::new(Soft::U128ToFloat, &$format, "i128", 1, $llvm);
                let mut random = Random(3);
                let spread = (0..20_000u32).map(|n| random.next_wide() >> (n % 128));
                // Halfway between two floats, and next to it.
                let ties = (0..100u32).flat_map(|n| {
                    let tie = (1u128 << 27 | 0b10) << n;
                    [tie, tie + 1, tie - 1, tie << 1 | 1u128 << n]
                });
                for x in [0, 1, u128::MAX, u128::MAX - 1, 1 << 127].into_iter().chain(ties).chain(spread) {
                    let found = compiled.call(x, x, 0.0 as $t);
                    assert!(same(found, x as $t), "{x}: {found:e}, not {:e}", x as $t);
                }
            }
        }
    };
}

tests_of!(of_f32, f32, u32, F32, "float");
tests_of!(of_f64, f64, u64, F64, "double");
