//! The samples are programs, and their text is what one would expect.

use wavewright_kernel_ir::print;
use wavewright_kernel_ir::samples;
use wavewright_kernel_ir::verify::verify;

#[test]
fn samples_are_well_formed() {
    for (name, program) in samples::all() {
        assert_eq!(verify(&program), Ok(()), "{name}");
    }
}

#[test]
fn saxpy_in_typed_form() {
    let expected = "\
kernel samples::saxpy_slice as `saxpy_slice`
  parameter 0: f32, by value
  parameter 1: &[f32], a buffer
  parameter 2: &mut [f32], a buffer

// samples.rs:1:4
fn samples::saxpy_slice(a: f32, x: &[f32], y: &mut [f32]) {
    let i: usize = thread::global_x();
    if i < (*y).len() {
        (*y)[i] += a * (*x)[i];
    }
}
";
    assert_eq!(print::typed(&samples::saxpy_slice()), expected);
}
