//! Operations on floats of 32 and 64 bits, and conversions between formats.

use super::{Valu, lanes};
use crate::float::{double, single, to_f16_towards_zero};
use crate::half;
use crate::lanes::F16;

/// A product in which zero wins over everything.
fn mul_zero(a: f32, b: f32) -> f32 {
    if a == 0.0 || b == 0.0 { 0.0 } else { a * b }
}

/// Turns as radians.
fn turns(x: f32) -> f64 {
    f64::from(x).fract() * std::f64::consts::TAU
}

/// Subnormals count as zero.
fn flushed(x: f32) -> f32 {
    if x.is_subnormal() { 0f32.copysign(x) } else { x }
}

fn unorm(x: f32, most: f32) -> f32 {
    (x.clamp(0.0, 1.0) * most).round_ties_even()
}

fn snorm(x: f32, most: f32) -> f32 {
    (x.clamp(-1.0, 1.0) * most).round_ties_even()
}

/// The operation of this name.
pub(super) fn named(name: &str) -> Option<Valu> {
    arithmetic(name).or_else(|| order(name)).or_else(|| functions(name)).or_else(|| conversions(name))
}

#[rustfmt::skip]
fn arithmetic(name: &str) -> Option<Valu> {
    Some(match name {
        "v_add_f32" => lanes!(|a: f32, b: f32| -> f32 { a + b }),
        "v_sub_f32" => lanes!(|a: f32, b: f32| -> f32 { a - b }),
        "v_subrev_f32" => lanes!(|a: f32, b: f32| -> f32 { b - a }),
        "v_mul_f32" => lanes!(|a: f32, b: f32| -> f32 { a * b }),
        "v_mul_legacy_f32" | "v_mul_dx9_zero_f32" => lanes!(|a: f32, b: f32| -> f32 { mul_zero(a, b) }),
        "v_fma_f32" | "v_fmaak_f32" | "v_fmamk_f32" => lanes!(|a: f32, b: f32, c: f32| -> f32 { a.mul_add(b, c) }),
        "v_fmac_f32" => lanes!(|a: f32, b: f32, c: f32| -> f32 { a.mul_add(b, c) }).accumulating(),
        "v_fma_legacy_f32" | "v_fma_dx9_zero_f32" => lanes!(|a: f32, b: f32, c: f32| -> f32 {
            if a == 0.0 || b == 0.0 { c } else { a.mul_add(b, c) }
        }),
        "v_fmac_legacy_f32" | "v_fmac_dx9_zero_f32" => lanes!(|a: f32, b: f32, c: f32| -> f32 {
            if a == 0.0 || b == 0.0 { c } else { a.mul_add(b, c) }
        }).accumulating(),
        "v_mad_f32" => lanes!(|a: f32, b: f32, c: f32| -> f32 { a * b + c }),
        "v_mac_f32" => lanes!(|a: f32, b: f32, c: f32| -> f32 { a * b + c }).accumulating(),
        "v_add_f64" => lanes!(|a: f64, b: f64| -> f64 { a + b }),
        "v_mul_f64" => lanes!(|a: f64, b: f64| -> f64 { a * b }),
        "v_fma_f64" => lanes!(|a: f64, b: f64, c: f64| -> f64 { a.mul_add(b, c) }),
        "v_fmac_f64" => lanes!(|a: f64, b: f64, c: f64| -> f64 { a.mul_add(b, c) }).accumulating(),
        "v_pk_add_f32" => lanes!(|a: [f32; 2], b: [f32; 2]| -> [f32; 2] { [a[0] + b[0], a[1] + b[1]] }),
        "v_pk_mul_f32" => lanes!(|a: [f32; 2], b: [f32; 2]| -> [f32; 2] { [a[0] * b[0], a[1] * b[1]] }),
        "v_pk_fma_f32" => lanes!(|a: [f32; 2], b: [f32; 2], c: [f32; 2]| -> [f32; 2] {
            [a[0].mul_add(b[0], c[0]), a[1].mul_add(b[1], c[1])]
        }),
        "v_div_fixup_f32" => lanes!(|a: f32, b: f32, c: f32| -> f32 { single::div_fixup(a, b, c) }),
        "v_div_fixup_f64" => lanes!(|a: f64, b: f64, c: f64| -> f64 { double::div_fixup(a, b, c) }),
        _ => return None,
    })
}

#[rustfmt::skip]
fn order(name: &str) -> Option<Valu> {
    Some(match name {
        "v_min_f32" => lanes!(|a: f32, b: f32| -> f32 { single::min(a, b) }),
        "v_max_f32" => lanes!(|a: f32, b: f32| -> f32 { single::max(a, b) }),
        "v_min_f64" => lanes!(|a: f64, b: f64| -> f64 { double::min(a, b) }),
        "v_max_f64" => lanes!(|a: f64, b: f64| -> f64 { double::max(a, b) }),
        "v_min3_f32" => lanes!(|a: f32, b: f32, c: f32| -> f32 { single::min(single::min(a, b), c) }),
        "v_max3_f32" => lanes!(|a: f32, b: f32, c: f32| -> f32 { single::max(single::max(a, b), c) }),
        "v_minmax_f32" => lanes!(|a: f32, b: f32, c: f32| -> f32 { single::max(single::min(a, b), c) }),
        "v_maxmin_f32" => lanes!(|a: f32, b: f32, c: f32| -> f32 { single::min(single::max(a, b), c) }),
        "v_med3_f32" | "v_med3_num_f32" => lanes!(|a: f32, b: f32, c: f32| -> f32 { single::med3(a, b, c) }),
        "v_min_num_f32" => lanes!(|a: f32, b: f32| -> f32 { single::min_num(a, b) }),
        "v_max_num_f32" => lanes!(|a: f32, b: f32| -> f32 { single::max_num(a, b) }),
        "v_min_num_f64" => lanes!(|a: f64, b: f64| -> f64 { double::min_num(a, b) }),
        "v_max_num_f64" => lanes!(|a: f64, b: f64| -> f64 { double::max_num(a, b) }),
        "v_min3_num_f32" => lanes!(|a: f32, b: f32, c: f32| -> f32 { single::min_num(single::min_num(a, b), c) }),
        "v_max3_num_f32" => lanes!(|a: f32, b: f32, c: f32| -> f32 { single::max_num(single::max_num(a, b), c) }),
        "v_minmax_num_f32" => lanes!(|a: f32, b: f32, c: f32| -> f32 { single::max_num(single::min_num(a, b), c) }),
        "v_maxmin_num_f32" => lanes!(|a: f32, b: f32, c: f32| -> f32 { single::min_num(single::max_num(a, b), c) }),
        "v_minimum_f32" => lanes!(|a: f32, b: f32| -> f32 { single::minimum(a, b) }),
        "v_maximum_f32" => lanes!(|a: f32, b: f32| -> f32 { single::maximum(a, b) }),
        "v_minimum_f64" => lanes!(|a: f64, b: f64| -> f64 { double::minimum(a, b) }),
        "v_maximum_f64" => lanes!(|a: f64, b: f64| -> f64 { double::maximum(a, b) }),
        "v_minimum3_f32" => lanes!(|a: f32, b: f32, c: f32| -> f32 { single::minimum(single::minimum(a, b), c) }),
        "v_maximum3_f32" => lanes!(|a: f32, b: f32, c: f32| -> f32 { single::maximum(single::maximum(a, b), c) }),
        _ => return None,
    })
}

#[rustfmt::skip]
fn functions(name: &str) -> Option<Valu> {
    Some(match name {
        "v_rcp_f32" | "v_rcp_iflag_f32" => lanes!(|a: f32| -> f32 { 1.0 / a }),
        "v_rsq_f32" => lanes!(|a: f32| -> f32 { (1.0 / f64::from(a).sqrt()) as f32 }),
        "v_sqrt_f32" => lanes!(|a: f32| -> f32 { a.sqrt() }),
        "v_rcp_f64" => lanes!(|a: f64| -> f64 { 1.0 / a }),
        "v_rsq_f64" => lanes!(|a: f64| -> f64 { 1.0 / a.sqrt() }),
        "v_sqrt_f64" => lanes!(|a: f64| -> f64 { a.sqrt() }),
        "v_exp_f32" => lanes!(|a: f32| -> f32 { flushed(f64::from(flushed(a)).exp2() as f32) }),
        "v_log_f32" => lanes!(|a: f32| -> f32 { f64::from(flushed(a)).log2() as f32 }),
        "v_sin_f32" => lanes!(|a: f32| -> f32 { turns(a).sin() as f32 }),
        "v_cos_f32" => lanes!(|a: f32| -> f32 { turns(a).cos() as f32 }),
        "v_floor_f32" => lanes!(|a: f32| -> f32 { a.floor() }),
        "v_ceil_f32" => lanes!(|a: f32| -> f32 { a.ceil() }),
        "v_trunc_f32" => lanes!(|a: f32| -> f32 { a.trunc() }),
        "v_rndne_f32" => lanes!(|a: f32| -> f32 { a.round_ties_even() }),
        "v_fract_f32" => lanes!(|a: f32| -> f32 { single::fract(a) }),
        "v_floor_f64" => lanes!(|a: f64| -> f64 { a.floor() }),
        "v_ceil_f64" => lanes!(|a: f64| -> f64 { a.ceil() }),
        "v_trunc_f64" => lanes!(|a: f64| -> f64 { a.trunc() }),
        "v_rndne_f64" => lanes!(|a: f64| -> f64 { a.round_ties_even() }),
        "v_fract_f64" => lanes!(|a: f64| -> f64 { double::fract(a) }),
        "v_ldexp_f32" => lanes!(|a: f32, b: i32| -> f32 { single::ldexp(a, b) }),
        "v_ldexp_f64" => lanes!(|a: f64, b: i32| -> f64 { double::ldexp(a, b) }),
        "v_frexp_mant_f32" => lanes!(|a: f32| -> f32 { single::frexp_mantissa(a) }),
        "v_frexp_mant_f64" => lanes!(|a: f64| -> f64 { double::frexp_mantissa(a) }),
        "v_frexp_exp_i32_f32" => lanes!(|a: f32| -> i32 { single::frexp_exponent(a) }),
        "v_frexp_exp_i32_f64" => lanes!(|a: f64| -> i32 { double::frexp_exponent(a) }),
        _ => return None,
    })
}

#[rustfmt::skip]
fn conversions(name: &str) -> Option<Valu> {
    Some(match name {
        "v_cvt_f32_i32" => lanes!(|a: i32| -> f32 { a as f32 }),
        "v_cvt_f32_u32" => lanes!(|a: u32| -> f32 { a as f32 }),
        "v_cvt_i32_f32" => lanes!(|a: f32| -> i32 { a as i32 }),
        "v_cvt_u32_f32" => lanes!(|a: f32| -> u32 { a as u32 }),
        "v_cvt_f64_i32" => lanes!(|a: i32| -> f64 { f64::from(a) }),
        "v_cvt_f64_u32" => lanes!(|a: u32| -> f64 { f64::from(a) }),
        "v_cvt_i32_f64" => lanes!(|a: f64| -> i32 { a as i32 }),
        "v_cvt_u32_f64" => lanes!(|a: f64| -> u32 { a as u32 }),
        "v_cvt_f32_f64" => lanes!(|a: f64| -> f32 { a as f32 }),
        "v_cvt_f64_f32" => lanes!(|a: f32| -> f64 { f64::from(a) }),
        "v_cvt_rpi_i32_f32" | "v_cvt_nearest_i32_f32" => lanes!(|a: f32| -> i32 { (f64::from(a) + 0.5).floor() as i32 }),
        "v_cvt_flr_i32_f32" | "v_cvt_floor_i32_f32" => lanes!(|a: f32| -> i32 { a.floor() as i32 }),
        "v_cvt_f32_ubyte0" => lanes!(|a: u32| -> f32 { (a & 0xff) as f32 }),
        "v_cvt_f32_ubyte1" => lanes!(|a: u32| -> f32 { (a >> 8 & 0xff) as f32 }),
        "v_cvt_f32_ubyte2" => lanes!(|a: u32| -> f32 { (a >> 16 & 0xff) as f32 }),
        "v_cvt_f32_ubyte3" => lanes!(|a: u32| -> f32 { (a >> 24) as f32 }),
        "v_cvt_f16_f32" => lanes!(|a: f32| -> F16 { F16::of(a) }),
        "v_cvt_f32_f16" => lanes!(|a: F16| -> f32 { a.wide() }),
        "v_cvt_f32_bf16" => lanes!(|a: u16| -> f32 { half::bf16_to_f32(a) }),
        "v_cvt_pk_bf16_f32" => lanes!(|a: f32, b: f32| -> [u16; 2] { [half::bf16_from_f32(a), half::bf16_from_f32(b)] }),
        "v_cvt_pk_f16_f32" => lanes!(|a: f32, b: f32| -> [F16; 2] { [F16::of(a), F16::of(b)] }),
        "v_cvt_pkrtz_f16_f32" | "v_cvt_pk_rtz_f16_f32" => lanes!(|a: f32, b: f32| -> [F16; 2] {
            [F16(to_f16_towards_zero(a)), F16(to_f16_towards_zero(b))]
        }),
        "v_cvt_pknorm_i16_f32" | "v_cvt_pk_norm_i16_f32" => lanes!(|a: f32, b: f32| -> [i16; 2] {
            [snorm(a, 32767.0) as i16, snorm(b, 32767.0) as i16]
        }),
        "v_cvt_pknorm_u16_f32" | "v_cvt_pk_norm_u16_f32" => lanes!(|a: f32, b: f32| -> [u16; 2] {
            [unorm(a, 65535.0) as u16, unorm(b, 65535.0) as u16]
        }),
        "v_cvt_pk_u8_f32" => lanes!(|a: f32, b: u32, c: u32| -> u32 {
            let place = 8 * (b & 3);
            c & !(0xff << place) | u32::from(a.round_ties_even() as u8) << place
        }),
        _ => return None,
    })
}
