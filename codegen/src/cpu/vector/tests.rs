//! What the vectoriser is for: the hot code of kernels is vectors.

use crate::Optimisation;
use crate::cpu::tests::run::shown;
use wavewright_kernel_ir::samples;
use wavewright_kernel_ir::typed::Program;

fn optimised(program: &Program, block: [u32; 3]) -> String {
    shown(program, block, Optimisation::Full, false).0
}

/// Neither the guard nor the checks of `y[i]` and `x[i]` keep the loop from vectors.
#[test]
fn checked_saxpy_is_vectors() {
    let ir = optimised(&samples::saxpy_slice(), [256, 1, 1]);
    assert!(ir.contains("fmul <16 x float>") || ir.contains("fmul <8 x float>"), "{ir}");
    assert!(!ir.contains("fmul float"), "no thread runs alone: {ir}");
}

/// `i` is a `u32` that may wrap in a grid large enough; in any other, neighbours are neighbours.
#[test]
fn narrow_indices_are_vectors_in_small_grids() {
    let ir = optimised(&samples::saxpy_unchecked(), [256, 1, 1]);
    let fused = |lanes: u32| ir.contains(&format!("@llvm.fma.v{lanes}f32"));
    assert!(fused(16) || fused(8), "{ir}");
    assert!(!ir.contains("masked.gather"), "{ir}");
}

#[test]
fn tiled_product_is_vectors() {
    let ir = optimised(&samples::matmul_tiled(), [16, 16, 1]);
    assert!(ir.contains("fmul <16 x float>") || ir.contains("fmul <8 x float>"), "{ir}");
    assert!(!ir.contains("fmul float") && !ir.contains("masked.gather"), "{ir}");
}

#[test]
fn strips_know_their_lines() {
    for (name, program) in samples::all() {
        for optimisation in [Optimisation::None, Optimisation::Full] {
            let (ir, assembly) = shown(&program, [16, 16, 1], optimisation, true);
            assert!(ir.contains("!DILocation(line: "), "{name}: {ir}");
            assert!(assembly.contains(".loc\t"), "{name}: {assembly}");
        }
    }
}
