//! The samples are programs.

#[test]
fn samples_type() {
    for (name, program) in wavewright_kernel_ir::samples::all() {
        assert!(!program.functions.is_empty(), "{name}");
    }
}
