//! The captured tree as text: what the macros wrote down, and what rustc answered.

use super::Kernel;
use wavewright_kernel_ir::builtin::Builtin;
use wavewright_kernel_ir::captured::{BinaryOp::*, ExprKind, Literal, PatternKind};
use wavewright_kernel_ir::print;
use wavewright_kernel_ir::samples::build::{arm, block, stmt};

#[test]
fn notes_stand_beside_their_answers() {
    let k = Kernel::new();
    let (b, f) = (&k.b, &k.f);
    let (x, i, label) = (f.param("x", b.ty::<&mut [f32]>()), f.local("i"), f.label());
    let len = b.builtin(Builtin::Len, &[b.ty::<f32>()]);
    let one = f.type_note(b.ty::<f32>());
    let literal = f.expr(ExprKind::Literal(Literal::Float("1.0".into(), None), Some(one)));
    let range = f.range(Some(f.int(0)), Some(f.method(len, f.var(x), vec![])), false);
    let round = block(vec![stmt(f.assign_binary(Mul, f.index(f.var(x), f.var(i)), literal))]);
    let arms = vec![
        arm(f.int_pattern(-3), f.panic("three")),
        arm(f.pattern(PatternKind::Wild), f.expr(ExprKind::Break(label, None))),
    ];
    let choice = f.match_(f.int(1), arms);
    let body = block(vec![stmt(f.for_(label, i, range, round)), stmt(choice)]);
    let text = print::captured(&k.b.kernel("test::k", k.f, body));
    assert_eq!(
        text,
        "\
// samples.rs:1:4
fn test::k(mut x: &mut [f32]#1) -> ()#0 {
    '0: for mut i in 0..x.len::<f32>#3() {
        x[i] *= 1.0#2;
    }
    match 1 {
        -3 => panic!(\"three\"),
        _ => break '0,
    }
}
  #0 = ()
  #1 = &mut [f32]
  #2 = f32
  #3 = len::<f32>
"
    );
}
