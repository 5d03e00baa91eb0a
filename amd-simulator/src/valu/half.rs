//! Operations on floats of 16 bits: computed in wider formats, which round only once where it counts.

use super::{Valu, lanes};
use crate::float::{class_f16, fma_f16, single};
use crate::half::{bf16_from_f32, bf16_to_f32};
use crate::lanes::F16;

/// `f` on the value, rounded to the nearest half. Its `f32` result must be exact or have bits to spare.
fn of(x: F16, f: impl Fn(f32) -> f32) -> F16 {
    F16::of(f(x.wide()))
}

fn of_two(a: F16, b: F16, f: impl Fn(f32, f32) -> f32) -> F16 {
    F16::of(f(a.wide(), b.wide()))
}

fn fma(a: F16, b: F16, c: F16) -> F16 {
    F16::of_f64(fma_f16(a.wide(), b.wide(), c.wide()))
}

fn is_signalling(x: F16) -> bool {
    class_f16(x.0) == 1
}

/// The one that `f` picks of the two as floats of 32 bits, where a NaN that signals still does.
fn pick(a: F16, b: F16, f: impl Fn(f32, f32) -> f32) -> F16 {
    let wide = |x: F16| {
        if is_signalling(x) { f32::from_bits(x.wide().to_bits() & !0x40_0000 | 1) } else { x.wide() }
    };
    F16::of(f(wide(a), wide(b)))
}

fn pairs(a: [F16; 2], b: [F16; 2], f: impl Fn(F16, F16) -> F16) -> [F16; 2] {
    [f(a[0], b[0]), f(a[1], b[1])]
}

fn div_fixup(quotient: F16, denominator: F16, numerator: F16) -> F16 {
    let (d, n) = (denominator.wide(), numerator.wide());
    let negative = (denominator.0 ^ numerator.0) >> 15 == 1;
    let signed = |bits: u16| F16(if negative { bits | 0x8000 } else { bits });
    if n.is_nan() || d.is_nan() {
        F16(if n.is_nan() { numerator.0 } else { denominator.0 } | 0x200)
    } else if d == 0.0 && n == 0.0 || d.is_infinite() && n.is_infinite() {
        F16(0xfe00)
    } else if d == 0.0 || n.is_infinite() {
        signed(0x7c00)
    } else if d.is_infinite() || n == 0.0 {
        signed(0)
    } else {
        signed(quotient.0 & 0x7fff)
    }
}

/// The operation of this name.
pub(super) fn named(name: &str) -> Option<Valu> {
    arithmetic(name).or_else(|| functions(name)).or_else(|| packed(name))
}

#[rustfmt::skip]
fn arithmetic(name: &str) -> Option<Valu> {
    Some(match name {
        "v_add_f16" => lanes!(|a: F16, b: F16| -> F16 { of_two(a, b, |a, b| a + b) }),
        "v_sub_f16" => lanes!(|a: F16, b: F16| -> F16 { of_two(a, b, |a, b| a - b) }),
        "v_subrev_f16" => lanes!(|a: F16, b: F16| -> F16 { of_two(a, b, |a, b| b - a) }),
        "v_mul_f16" => lanes!(|a: F16, b: F16| -> F16 { of_two(a, b, |a, b| a * b) }),
        "v_fma_f16" | "v_fmaak_f16" | "v_fmamk_f16" => lanes!(|a: F16, b: F16, c: F16| -> F16 { fma(a, b, c) }),
        "v_fmac_f16" => lanes!(|a: F16, b: F16, c: F16| -> F16 { fma(a, b, c) }).accumulating(),
        "v_mad_f16" => lanes!(|a: F16, b: F16, c: F16| -> F16 { of_two(of_two(a, b, |a, b| a * b), c, |a, b| a + b) }),
        "v_div_fixup_f16" => lanes!(|a: F16, b: F16, c: F16| -> F16 { div_fixup(a, b, c) }),
        "v_min_f16" => lanes!(|a: F16, b: F16| -> F16 { pick(a, b, single::min) }),
        "v_max_f16" => lanes!(|a: F16, b: F16| -> F16 { pick(a, b, single::max) }),
        "v_min_num_f16" => lanes!(|a: F16, b: F16| -> F16 { pick(a, b, single::min_num) }),
        "v_max_num_f16" => lanes!(|a: F16, b: F16| -> F16 { pick(a, b, single::max_num) }),
        "v_minimum_f16" => lanes!(|a: F16, b: F16| -> F16 { pick(a, b, single::minimum) }),
        "v_maximum_f16" => lanes!(|a: F16, b: F16| -> F16 { pick(a, b, single::maximum) }),
        "v_min3_f16" => lanes!(|a: F16, b: F16, c: F16| -> F16 { pick(pick(a, b, single::min), c, single::min) }),
        "v_max3_f16" => lanes!(|a: F16, b: F16, c: F16| -> F16 { pick(pick(a, b, single::max), c, single::max) }),
        "v_min3_num_f16" => lanes!(|a: F16, b: F16, c: F16| -> F16 { pick(pick(a, b, single::min_num), c, single::min_num) }),
        "v_max3_num_f16" => lanes!(|a: F16, b: F16, c: F16| -> F16 { pick(pick(a, b, single::max_num), c, single::max_num) }),
        "v_med3_f16" | "v_med3_num_f16" => lanes!(|a: F16, b: F16, c: F16| -> F16 {
            F16::of(single::med3(a.wide(), b.wide(), c.wide()))
        }),
        _ => return None,
    })
}

#[rustfmt::skip]
fn functions(name: &str) -> Option<Valu> {
    Some(match name {
        "v_rcp_f16" => lanes!(|a: F16| -> F16 { of(a, |x| 1.0 / x) }),
        "v_rsq_f16" => lanes!(|a: F16| -> F16 { F16::of_f64(1.0 / f64::from(a.wide()).sqrt()) }),
        "v_sqrt_f16" => lanes!(|a: F16| -> F16 { of(a, f32::sqrt) }),
        "v_exp_f16" => lanes!(|a: F16| -> F16 { F16::of_f64(f64::from(a.wide()).exp2()) }),
        "v_log_f16" => lanes!(|a: F16| -> F16 { F16::of_f64(f64::from(a.wide()).log2()) }),
        "v_sin_f16" => lanes!(|a: F16| -> F16 { F16::of_f64((f64::from(a.wide()).fract() * std::f64::consts::TAU).sin()) }),
        "v_cos_f16" => lanes!(|a: F16| -> F16 { F16::of_f64((f64::from(a.wide()).fract() * std::f64::consts::TAU).cos()) }),
        "v_floor_f16" => lanes!(|a: F16| -> F16 { of(a, f32::floor) }),
        "v_ceil_f16" => lanes!(|a: F16| -> F16 { of(a, f32::ceil) }),
        "v_trunc_f16" => lanes!(|a: F16| -> F16 { of(a, f32::trunc) }),
        "v_rndne_f16" => lanes!(|a: F16| -> F16 { of(a, f32::round_ties_even) }),
        "v_fract_f16" => lanes!(|a: F16| -> F16 {
            let part = of(a, |x| x - x.floor());
            if part.0 == 0x3c00 { F16(0x3bff) } else { part }
        }),
        "v_ldexp_f16" => lanes!(|a: F16, b: i16| -> F16 { of(a, |x| single::ldexp(x, b.clamp(-60, 60).into())) }),
        "v_frexp_mant_f16" => lanes!(|a: F16| -> F16 { of(a, single::frexp_mantissa) }),
        "v_frexp_exp_i16_f16" => lanes!(|a: F16| -> i16 { single::frexp_exponent(a.wide()) as i16 }),
        "v_cvt_f16_u16" => lanes!(|a: u16| -> F16 { F16::of(a.into()) }),
        "v_cvt_f16_i16" => lanes!(|a: i16| -> F16 { F16::of(a.into()) }),
        "v_cvt_u16_f16" => lanes!(|a: F16| -> u16 { a.wide() as u16 }),
        "v_cvt_i16_f16" => lanes!(|a: F16| -> i16 { a.wide() as i16 }),
        _ => return None,
    })
}

#[rustfmt::skip]
fn packed(name: &str) -> Option<Valu> {
    Some(match name {
        "v_pack_b32_f16" => lanes!(|a: F16, b: F16| -> [F16; 2] { [a, b] }),
        "v_pk_add_f16" => lanes!(|a: [F16; 2], b: [F16; 2]| -> [F16; 2] { pairs(a, b, |a, b| of_two(a, b, |a, b| a + b)) }),
        "v_pk_mul_f16" => lanes!(|a: [F16; 2], b: [F16; 2]| -> [F16; 2] { pairs(a, b, |a, b| of_two(a, b, |a, b| a * b)) }),
        "v_pk_min_f16" => lanes!(|a: [F16; 2], b: [F16; 2]| -> [F16; 2] { pairs(a, b, |a, b| pick(a, b, single::min)) }),
        "v_pk_max_f16" => lanes!(|a: [F16; 2], b: [F16; 2]| -> [F16; 2] { pairs(a, b, |a, b| pick(a, b, single::max)) }),
        "v_pk_min_num_f16" => lanes!(|a: [F16; 2], b: [F16; 2]| -> [F16; 2] { pairs(a, b, |a, b| pick(a, b, single::min_num)) }),
        "v_pk_max_num_f16" => lanes!(|a: [F16; 2], b: [F16; 2]| -> [F16; 2] { pairs(a, b, |a, b| pick(a, b, single::max_num)) }),
        "v_pk_fma_f16" => lanes!(|a: [F16; 2], b: [F16; 2], c: [F16; 2]| -> [F16; 2] {
            [fma(a[0], b[0], c[0]), fma(a[1], b[1], c[1])]
        }),
        "v_dot2_f32_f16" => lanes!(|a: [F16; 2], b: [F16; 2], c: f32| -> f32 {
            let product = |n: usize| f64::from(a[n].wide()) * f64::from(b[n].wide());
            (product(0) + product(1) + f64::from(c)) as f32
        }),
        "v_dot2c_f32_f16" | "v_dot2acc_f32_f16" => lanes!(|a: [F16; 2], b: [F16; 2], c: f32| -> f32 {
            let product = |n: usize| f64::from(a[n].wide()) * f64::from(b[n].wide());
            (product(0) + product(1) + f64::from(c)) as f32
        }).accumulating(),
        "v_dot2_f32_bf16" => lanes!(|a: [u16; 2], b: [u16; 2], c: f32| -> f32 {
            let product = |n: usize| f64::from(bf16_to_f32(a[n])) * f64::from(bf16_to_f32(b[n]));
            (product(0) + product(1) + f64::from(c)) as f32
        }),
        "v_dot2_bf16_bf16" => lanes!(|a: [u16; 2], b: [u16; 2], c: u16| -> u16 {
            let product = |n: usize| f64::from(bf16_to_f32(a[n])) * f64::from(bf16_to_f32(b[n]));
            bf16_from_f32((product(0) + product(1) + f64::from(bf16_to_f32(c))) as f32)
        }),
        _ => return None,
    })
}
