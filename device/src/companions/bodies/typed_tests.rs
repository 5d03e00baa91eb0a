//! The whole road up to the typed program: device functions that call each method on each type.

// Nobody calls these functions: their companions say what they become.
#![allow(dead_code)]

use wavewright_kernel_ir::record::Instances;
use wavewright_kernel_ir::scalar::Scalar;
use wavewright_kernel_ir::typed::{BinaryOp, Expr, ExprKind, KernelAttributes, Program};
use wavewright_kernel_ir::visit::{Visit, walk_expr};
use wavewright_kernel_ir::witness::{DeviceFn, Ret, instances};
use wavewright_kernel_ir::{print, typing};
use wavewright_kernel_macro::device;

/// The instances that a call of a companion reaches; the call is never made.
fn reached<R, M: DeviceFn>(_: impl FnOnce() -> Ret<R, M>) -> Instances {
    instances::<M>()
}

/// Types a program; its methods report their panics where they are called.
fn check(instances: &Instances) {
    let program = match typing::program(instances, KernelAttributes::default()) {
        Ok(program) => program,
        Err(error) => panic!("{error}\n{}", print::captured(instances)),
    };
    for function in program.functions.iter().filter(|f| !f.file.ends_with(file!())) {
        let mut panics = Panics { program: &program, found: false };
        panics.expr(&function.body);
        let known_not_to = |name| function.name.contains(&format!("::{name}::<"));
        if panics.found && !["overflowing_mul", "is_multiple_of"].into_iter().any(known_not_to) {
            assert!(function.track_caller, "{} can panic: put `#[track_caller]` on it", function.name);
        }
    }
}

/// Finds what can panic, short of overflow where that is checked.
struct Panics<'p> {
    program: &'p Program,
    found: bool,
}

impl Visit for Panics<'_> {
    fn expr(&mut self, e: &Expr) {
        self.found |= match &e.kind {
            ExprKind::Panic(_) => true,
            ExprKind::Binary(BinaryOp::Div | BinaryOp::Rem, ..) => {
                self.program.types.as_scalar(e.ty).is_some_and(Scalar::is_integer)
            }
            ExprKind::Call(callee, _) => self.program.functions[callee.0 as usize].track_caller,
            _ => false,
        };
        walk_expr(self, e);
    }
}

fn some<T>() -> T {
    unreachable!("only its type is asked for")
}

/// A device function that calls the methods, in a module named after the type.
macro_rules! probes {
    ($($module:ident $type:ident;)*) => { $(
        mod $module {
            use wavewright_kernel_macro::device;

            #[device]
            pub fn numbers(x: $type, y: $type, n: u32, out: &mut [$type]) {
                out[0] = x.pow(n).div_euclid(y).rem_euclid(y).midpoint(y).isqrt().clamp(x, y);
                out[1] = x.wrapping_neg().wrapping_shl(n).wrapping_shr(n).wrapping_div(y).wrapping_rem(y).wrapping_pow(n);
                out[2] = x.unbounded_shl(n).unbounded_shr(n);
                out[3] = x.saturating_add(y).saturating_sub(y).saturating_mul(y).saturating_div(y).saturating_pow(n);
                out[4] = x.min(y).max(y).wrapping_add(y).wrapping_sub(y).wrapping_mul(y).rotate_left(n).rotate_right(n);
            }

            #[device]
            pub fn counts(x: $type, out: &mut [u32]) {
                out[0] = x.count_ones() + x.count_zeros() + x.leading_ones() + x.leading_zeros();
                out[1] = x.trailing_ones() + x.trailing_zeros() + x.ilog2();
            }

            #[device]
            pub fn overflows(x: $type, y: $type, n: u32, out: &mut [($type, bool)]) {
                out[0] = x.overflowing_add(y);
                out[1] = x.overflowing_sub(y);
                out[2] = x.overflowing_mul(y);
                out[3] = x.overflowing_neg();
                out[4] = x.overflowing_shl(n);
                out[5] = x.overflowing_shr(n);
                out[6] = x.overflowing_pow(n);
            }
        }
    )* };
}
probes! {
    on_i8 i8; on_i16 i16; on_i32 i32; on_i64 i64; on_i128 i128; on_isize isize;
    on_u8 u8; on_u16 u16; on_u32 u32; on_u64 u64; on_u128 u128; on_usize usize;
}

#[test]
fn methods_of_integers_become_typed_programs() {
    macro_rules! check_all {
        ($($module:ident)*) => { $(
            check(&reached(|| <$module::numbers>::on_device(some(), some(), some(), some())));
            check(&reached(|| <$module::counts>::on_device(some(), some())));
            check(&reached(|| <$module::overflows>::on_device(some(), some(), some(), some())));
        )* };
    }
    check_all!(on_i8 on_i16 on_i32 on_i64 on_i128 on_isize on_u8 on_u16 on_u32 on_u64 on_u128 on_usize);
}

#[device]
fn signed(x: i32, out: &mut [i32]) {
    out[0] = x.signum() + x.abs() + x.wrapping_abs() + x.saturating_abs() + x.saturating_neg();
    let (y, overflow) = x.overflowing_abs();
    if overflow || x.is_positive() || x.is_negative() {
        out[1] = y;
    }
}

#[device]
fn unsigned(x: u64, y: u64, out: &mut [u64]) {
    out[0] = x.abs_diff(y).div_ceil(y).next_multiple_of(y).next_power_of_two();
    if x.is_power_of_two() || x.is_multiple_of(y) {
        out[1] = x;
    }
}

#[device]
fn float(x: f32, y: f32, out: &mut [f32]) {
    out[0] = x.fract().recip().to_degrees().to_radians().copysign(y).signum().clamp(x, y);
    out[1] = x.div_euclid(y).rem_euclid(y).round_ties_even().next_up().next_down();
    out[2] = x.sqrt().abs().min(y).max(y).mul_add(x, y).floor().ceil().trunc().round();
    let finite = x.is_finite() || x.is_infinite() || x.is_normal() || x.is_subnormal();
    if finite && (x.is_sign_negative() || x.is_sign_positive()) && !x.is_nan() {
        out[3] = f32::from_bits(x.to_bits());
    }
}

#[test]
fn methods_of_one_kind_become_typed_programs() {
    check(&reached(|| <signed>::on_device(some(), some())));
    check(&reached(|| <unsigned>::on_device(some(), some(), some())));
    check(&reached(|| <float>::on_device(some(), some(), some())));
}
