//! What rustc says to kernels that are wrong: each file in `tests/ui` beside the errors it must give.

#[test]
fn errors_read_like_rustc() {
    trybuild::TestCases::new().compile_fail("tests/ui/*.rs");
}
