//! Operations on integers and bits.

use super::{Valu, lanes};

#[inline(always)]
fn u24(x: u32) -> u32 {
    x & 0xff_ffff
}

#[inline(always)]
fn i24(x: u32) -> i32 {
    ((x << 8) as i32) >> 8
}

/// A byte of eight, or what the selectors above 7 stand for.
fn permuted(data: u64, selector: u32) -> u32 {
    let byte = |n: u32| (data >> (8 * n)) as u32 & 0xff;
    let sign = |n: u32| if byte(n) & 0x80 != 0 { 0xff } else { 0 };
    match selector {
        0..=7 => byte(selector),
        8..=11 => sign(2 * selector - 15),
        12 => 0,
        _ => 0xff,
    }
}

fn perm(a: u32, b: u32, selectors: u32) -> u32 {
    let data = u64::from(a) << 32 | u64::from(b);
    (0..4).fold(0, |out, n| out | permuted(data, selectors >> (8 * n) & 0xff) << (8 * n))
}

fn sad_u8(a: u32, b: u32) -> u32 {
    (0..4).map(|n| (a >> (8 * n) & 0xff).abs_diff(b >> (8 * n) & 0xff)).sum()
}

fn dot4(a: u32, b: u32, a_signed: bool, b_signed: bool) -> i64 {
    let byte = |x: u32, n: u32, signed: bool| {
        let byte = (x >> (8 * n)) as u8;
        if signed { i64::from(byte as i8) } else { i64::from(byte) }
    };
    (0..4).map(|n| byte(a, n, a_signed) * byte(b, n, b_signed)).sum()
}

fn dot8(a: u32, b: u32, signed: bool) -> i64 {
    let nibble = |x: u32, n: u32| {
        let nibble = x >> (4 * n) & 15;
        if signed { i64::from(((nibble << 28) as i32) >> 28) } else { i64::from(nibble) }
    };
    (0..8).map(|n| nibble(a, n) * nibble(b, n)).sum()
}

fn bfe_u32(x: u32, offset: u32, width: u32) -> u32 {
    x >> (offset & 31) & ((1u64 << (width & 31)) - 1) as u32
}

fn bfe_i32(x: u32, offset: u32, width: u32) -> i32 {
    let (offset, width) = (offset & 31, width & 31);
    if width == 0 {
        return 0;
    }
    let bits = x >> offset & ((1u64 << width) - 1) as u32;
    ((bits << (32 - width)) as i32) >> (32 - width)
}

/// The place of the first bit from above that is not as the sign; -1 if all are.
fn leading_sign_bits(x: u32) -> u32 {
    let differing = x ^ ((x as i32) >> 31) as u32;
    if differing == 0 { u32::MAX } else { differing.leading_zeros() }
}

fn or_none(bits: u32, none: bool) -> u32 {
    if none { u32::MAX } else { bits }
}

/// The operation of this name.
#[rustfmt::skip]
pub(super) fn named(name: &str) -> Option<Valu> {
    moves_and_bits(name).or_else(|| arithmetic(name)).or_else(|| shifts(name)).or_else(|| halves(name)).or_else(|| dots(name))
}

#[rustfmt::skip]
fn moves_and_bits(name: &str) -> Option<Valu> {
    Some(match name {
        "v_mov_b32" | "v_accvgpr_read_b32" | "v_accvgpr_write_b32" | "v_accvgpr_mov_b32" => lanes!(|a: u32| -> u32 { a }),
        "v_mov_b64" => lanes!(|a: u64| -> u64 { a }),
        "v_mov_b16" => lanes!(|a: u16| -> u16 { a }),
        "v_not_b32" => lanes!(|a: u32| -> u32 { !a }),
        "v_not_b16" => lanes!(|a: u16| -> u16 { !a }),
        "v_bfrev_b32" => lanes!(|a: u32| -> u32 { a.reverse_bits() }),
        "v_ffbh_u32" | "v_clz_i32_u32" => lanes!(|a: u32| -> u32 { or_none(a.leading_zeros(), a == 0) }),
        "v_ffbl_b32" | "v_ctz_i32_b32" => lanes!(|a: u32| -> u32 { or_none(a.trailing_zeros(), a == 0) }),
        "v_ffbh_i32" | "v_cls_i32" => lanes!(|a: u32| -> u32 { leading_sign_bits(a) }),
        "v_and_b32" => lanes!(|a: u32, b: u32| -> u32 { a & b }),
        "v_or_b32" => lanes!(|a: u32, b: u32| -> u32 { a | b }),
        "v_xor_b32" => lanes!(|a: u32, b: u32| -> u32 { a ^ b }),
        "v_xnor_b32" => lanes!(|a: u32, b: u32| -> u32 { !(a ^ b) }),
        "v_and_b16" => lanes!(|a: u16, b: u16| -> u16 { a & b }),
        "v_or_b16" => lanes!(|a: u16, b: u16| -> u16 { a | b }),
        "v_xor_b16" => lanes!(|a: u16, b: u16| -> u16 { a ^ b }),
        "v_and_or_b32" => lanes!(|a: u32, b: u32, c: u32| -> u32 { a & b | c }),
        "v_or3_b32" => lanes!(|a: u32, b: u32, c: u32| -> u32 { a | b | c }),
        "v_xor3_b32" => lanes!(|a: u32, b: u32, c: u32| -> u32 { a ^ b ^ c }),
        "v_bfi_b32" => lanes!(|a: u32, b: u32, c: u32| -> u32 { a & b | !a & c }),
        "v_bfe_u32" => lanes!(|a: u32, b: u32, c: u32| -> u32 { bfe_u32(a, b, c) }),
        "v_bfe_i32" => lanes!(|a: u32, b: u32, c: u32| -> i32 { bfe_i32(a, b, c) }),
        "v_bfm_b32" => lanes!(|a: u32, b: u32| -> u32 { ((1u32 << (a & 31)) - 1) << (b & 31) }),
        "v_bcnt_u32_b32" => lanes!(|a: u32, b: u32| -> u32 { a.count_ones().wrapping_add(b) }),
        "v_perm_b32" => lanes!(|a: u32, b: u32, c: u32| -> u32 { perm(a, b, c) }),
        "v_alignbit_b32" => lanes!(|a: u32, b: u32, c: u32| -> u32 {
            ((u64::from(a) << 32 | u64::from(b)) >> (c & 31)) as u32
        }),
        "v_alignbyte_b32" => lanes!(|a: u32, b: u32, c: u32| -> u32 {
            ((u64::from(a) << 32 | u64::from(b)) >> (8 * (c & 3))) as u32
        }),
        "v_pk_mov_b32" => lanes!(|a: [f32; 2], b: [f32; 2]| -> [f32; 2] { [a[0], b[1]] }),
        "v_prng_b32" => lanes!(|a: u32| -> u32 { a << 1 ^ if a >> 31 == 1 { 0xc5 } else { 0 } }),
        _ => return None,
    })
}

#[rustfmt::skip]
fn arithmetic(name: &str) -> Option<Valu> {
    Some(match name {
        "v_add_u32" | "v_add_nc_u32" | "v_add_i32" | "v_add_nc_i32" => lanes!(|a: u32, b: u32| -> u32 { a.wrapping_add(b) }),
        "v_sub_u32" | "v_sub_nc_u32" | "v_sub_i32" | "v_sub_nc_i32" => lanes!(|a: u32, b: u32| -> u32 { a.wrapping_sub(b) }),
        "v_subrev_u32" | "v_subrev_nc_u32" => lanes!(|a: u32, b: u32| -> u32 { b.wrapping_sub(a) }),
        "v_add_u32 clamp" | "v_add_nc_u32 clamp" => lanes!(|a: u32, b: u32| -> u32 { a.saturating_add(b) }),
        "v_sub_u32 clamp" | "v_sub_nc_u32 clamp" => lanes!(|a: u32, b: u32| -> u32 { a.saturating_sub(b) }),
        "v_subrev_u32 clamp" | "v_subrev_nc_u32 clamp" => lanes!(|a: u32, b: u32| -> u32 { b.saturating_sub(a) }),
        "v_add_i32 clamp" | "v_add_nc_i32 clamp" => lanes!(|a: i32, b: i32| -> i32 { a.saturating_add(b) }),
        "v_sub_i32 clamp" | "v_sub_nc_i32 clamp" => lanes!(|a: i32, b: i32| -> i32 { a.saturating_sub(b) }),
        "v_add3_u32" => lanes!(|a: u32, b: u32, c: u32| -> u32 { a.wrapping_add(b).wrapping_add(c) }),
        "v_lshl_add_u32" => lanes!(|a: u32, b: u32, c: u32| -> u32 { (a << (b & 31)).wrapping_add(c) }),
        "v_lshl_add_u64" => lanes!(|a: u64, b: u32, c: u64| -> u64 { (a << (b & 7)).wrapping_add(c) }),
        "v_add_lshl_u32" => lanes!(|a: u32, b: u32, c: u32| -> u32 { a.wrapping_add(b) << (c & 31) }),
        "v_xad_u32" => lanes!(|a: u32, b: u32, c: u32| -> u32 { (a ^ b).wrapping_add(c) }),
        "v_min_u32" => lanes!(|a: u32, b: u32| -> u32 { a.min(b) }),
        "v_max_u32" => lanes!(|a: u32, b: u32| -> u32 { a.max(b) }),
        "v_min_i32" => lanes!(|a: i32, b: i32| -> i32 { a.min(b) }),
        "v_max_i32" => lanes!(|a: i32, b: i32| -> i32 { a.max(b) }),
        "v_min3_u32" => lanes!(|a: u32, b: u32, c: u32| -> u32 { a.min(b).min(c) }),
        "v_max3_u32" => lanes!(|a: u32, b: u32, c: u32| -> u32 { a.max(b).max(c) }),
        "v_min3_i32" => lanes!(|a: i32, b: i32, c: i32| -> i32 { a.min(b).min(c) }),
        "v_max3_i32" => lanes!(|a: i32, b: i32, c: i32| -> i32 { a.max(b).max(c) }),
        "v_maxmin_u32" => lanes!(|a: u32, b: u32, c: u32| -> u32 { a.max(b).min(c) }),
        "v_minmax_u32" => lanes!(|a: u32, b: u32, c: u32| -> u32 { a.min(b).max(c) }),
        "v_maxmin_i32" => lanes!(|a: i32, b: i32, c: i32| -> i32 { a.max(b).min(c) }),
        "v_minmax_i32" => lanes!(|a: i32, b: i32, c: i32| -> i32 { a.min(b).max(c) }),
        "v_med3_u32" => lanes!(|a: u32, b: u32, c: u32| -> u32 { a.max(b).min(a.min(b).max(c)) }),
        "v_med3_i32" => lanes!(|a: i32, b: i32, c: i32| -> i32 { a.max(b).min(a.min(b).max(c)) }),
        "v_mul_lo_u32" | "v_mul_lo_i32" => lanes!(|a: u32, b: u32| -> u32 { a.wrapping_mul(b) }),
        "v_mul_hi_u32" => lanes!(|a: u32, b: u32| -> u32 { (u64::from(a) * u64::from(b) >> 32) as u32 }),
        "v_mul_hi_i32" => lanes!(|a: i32, b: i32| -> i32 { (i64::from(a) * i64::from(b) >> 32) as i32 }),
        "v_mul_u32_u24" => lanes!(|a: u32, b: u32| -> u32 { u24(a).wrapping_mul(u24(b)) }),
        "v_mul_i32_i24" => lanes!(|a: u32, b: u32| -> i32 { i24(a).wrapping_mul(i24(b)) }),
        "v_mul_hi_u32_u24" => lanes!(|a: u32, b: u32| -> u32 { (u64::from(u24(a)) * u64::from(u24(b)) >> 32) as u32 }),
        "v_mul_hi_i32_i24" => lanes!(|a: u32, b: u32| -> i32 { (i64::from(i24(a)) * i64::from(i24(b)) >> 32) as i32 }),
        "v_mad_u32_u24" => lanes!(|a: u32, b: u32, c: u32| -> u32 { u24(a).wrapping_mul(u24(b)).wrapping_add(c) }),
        "v_mad_i32_i24" => lanes!(|a: u32, b: u32, c: i32| -> i32 { i24(a).wrapping_mul(i24(b)).wrapping_add(c) }),
        "v_mad_u32_u16" => lanes!(|a: u16, b: u16, c: u32| -> u32 { (u32::from(a) * u32::from(b)).wrapping_add(c) }),
        "v_mad_i32_i16" => lanes!(|a: i16, b: i16, c: i32| -> i32 { (i32::from(a) * i32::from(b)).wrapping_add(c) }),
        "v_sad_u8" => lanes!(|a: u32, b: u32, c: u32| -> u32 { sad_u8(a, b).wrapping_add(c) }),
        "v_sad_hi_u8" => lanes!(|a: u32, b: u32, c: u32| -> u32 { (sad_u8(a, b) << 16).wrapping_add(c) }),
        "v_sad_u16" => lanes!(|a: [u16; 2], b: [u16; 2], c: u32| -> u32 {
            c.wrapping_add(u32::from(a[0].abs_diff(b[0]))).wrapping_add(u32::from(a[1].abs_diff(b[1])))
        }),
        "v_sad_u32" => lanes!(|a: u32, b: u32, c: u32| -> u32 { a.abs_diff(b).wrapping_add(c) }),
        _ => return None,
    })
}

#[rustfmt::skip]
fn shifts(name: &str) -> Option<Valu> {
    Some(match name {
        "v_lshlrev_b32" => lanes!(|a: u32, b: u32| -> u32 { b << (a & 31) }),
        "v_lshrrev_b32" => lanes!(|a: u32, b: u32| -> u32 { b >> (a & 31) }),
        "v_ashrrev_i32" => lanes!(|a: u32, b: i32| -> i32 { b >> (a & 31) }),
        "v_lshlrev_b64" => lanes!(|a: u32, b: u64| -> u64 { b << (a & 63) }),
        "v_lshrrev_b64" => lanes!(|a: u32, b: u64| -> u64 { b >> (a & 63) }),
        "v_ashrrev_i64" => lanes!(|a: u32, b: i64| -> i64 { b >> (a & 63) }),
        "v_lshl_or_b32" => lanes!(|a: u32, b: u32, c: u32| -> u32 { a << (b & 31) | c }),
        "v_lshlrev_b16" => lanes!(|a: u16, b: u16| -> u16 { b << (a & 15) }),
        "v_lshrrev_b16" => lanes!(|a: u16, b: u16| -> u16 { b >> (a & 15) }),
        "v_ashrrev_i16" => lanes!(|a: u16, b: i16| -> i16 { b >> (a & 15) }),
        "v_pk_lshlrev_b16" => lanes!(|a: [u16; 2], b: [u16; 2]| -> [u16; 2] { [b[0] << (a[0] & 15), b[1] << (a[1] & 15)] }),
        "v_pk_lshrrev_b16" => lanes!(|a: [u16; 2], b: [u16; 2]| -> [u16; 2] { [b[0] >> (a[0] & 15), b[1] >> (a[1] & 15)] }),
        "v_pk_ashrrev_i16" => lanes!(|a: [u16; 2], b: [i16; 2]| -> [i16; 2] { [b[0] >> (a[0] & 15), b[1] >> (a[1] & 15)] }),
        _ => return None,
    })
}

macro_rules! pair {
    (|$a:ident, $b:ident: $t:ty| $body:expr) => {
        lanes!(|x: [$t; 2], y: [$t; 2]| -> [$t; 2] {
            let f = |$a: $t, $b: $t| -> $t { $body };
            [f(x[0], y[0]), f(x[1], y[1])]
        })
    };
}

#[rustfmt::skip]
fn halves(name: &str) -> Option<Valu> {
    Some(match name {
        "v_add_u16" | "v_add_nc_u16" | "v_add_i16" | "v_add_nc_i16" => lanes!(|a: u16, b: u16| -> u16 { a.wrapping_add(b) }),
        "v_sub_u16" | "v_sub_nc_u16" | "v_sub_i16" | "v_sub_nc_i16" => lanes!(|a: u16, b: u16| -> u16 { a.wrapping_sub(b) }),
        "v_subrev_u16" => lanes!(|a: u16, b: u16| -> u16 { b.wrapping_sub(a) }),
        "v_add_u16 clamp" | "v_add_nc_u16 clamp" => lanes!(|a: u16, b: u16| -> u16 { a.saturating_add(b) }),
        "v_sub_u16 clamp" | "v_sub_nc_u16 clamp" => lanes!(|a: u16, b: u16| -> u16 { a.saturating_sub(b) }),
        "v_add_i16 clamp" | "v_add_nc_i16 clamp" => lanes!(|a: i16, b: i16| -> i16 { a.saturating_add(b) }),
        "v_sub_i16 clamp" | "v_sub_nc_i16 clamp" => lanes!(|a: i16, b: i16| -> i16 { a.saturating_sub(b) }),
        "v_mul_lo_u16" => lanes!(|a: u16, b: u16| -> u16 { a.wrapping_mul(b) }),
        "v_mad_u16" | "v_mad_legacy_u16" | "v_mad_i16" => lanes!(|a: u16, b: u16, c: u16| -> u16 { a.wrapping_mul(b).wrapping_add(c) }),
        "v_min_u16" => lanes!(|a: u16, b: u16| -> u16 { a.min(b) }),
        "v_max_u16" => lanes!(|a: u16, b: u16| -> u16 { a.max(b) }),
        "v_min_i16" => lanes!(|a: i16, b: i16| -> i16 { a.min(b) }),
        "v_max_i16" => lanes!(|a: i16, b: i16| -> i16 { a.max(b) }),
        "v_min3_u16" => lanes!(|a: u16, b: u16, c: u16| -> u16 { a.min(b).min(c) }),
        "v_max3_u16" => lanes!(|a: u16, b: u16, c: u16| -> u16 { a.max(b).max(c) }),
        "v_min3_i16" => lanes!(|a: i16, b: i16, c: i16| -> i16 { a.min(b).min(c) }),
        "v_max3_i16" => lanes!(|a: i16, b: i16, c: i16| -> i16 { a.max(b).max(c) }),
        "v_med3_u16" => lanes!(|a: u16, b: u16, c: u16| -> u16 { a.max(b).min(a.min(b).max(c)) }),
        "v_med3_i16" => lanes!(|a: i16, b: i16, c: i16| -> i16 { a.max(b).min(a.min(b).max(c)) }),
        "v_cvt_i32_i16" => lanes!(|a: i16| -> i32 { i32::from(a) }),
        "v_cvt_u32_u16" => lanes!(|a: u16| -> u32 { u32::from(a) }),
        "v_sat_pk_u8_i16" => lanes!(|a: [i16; 2]| -> u16 { (a[0].clamp(0, 255) | a[1].clamp(0, 255) << 8) as u16 }),
        "v_cvt_pk_u16_u32" => lanes!(|a: u32, b: u32| -> [u16; 2] { [a.min(0xffff) as u16, b.min(0xffff) as u16] }),
        "v_cvt_pk_i16_i32" => lanes!(|a: i32, b: i32| -> [i16; 2] {
            [a, b].map(|x| x.clamp(i16::MIN.into(), i16::MAX.into()) as i16)
        }),
        "v_pk_add_u16" | "v_pk_add_i16" => pair!(|a, b: u16| a.wrapping_add(b)),
        "v_pk_sub_u16" | "v_pk_sub_i16" => pair!(|a, b: u16| a.wrapping_sub(b)),
        "v_pk_add_u16 clamp" => pair!(|a, b: u16| a.saturating_add(b)),
        "v_pk_sub_u16 clamp" => pair!(|a, b: u16| a.saturating_sub(b)),
        "v_pk_add_i16 clamp" => pair!(|a, b: i16| a.saturating_add(b)),
        "v_pk_sub_i16 clamp" => pair!(|a, b: i16| a.saturating_sub(b)),
        "v_pk_mul_lo_u16" => pair!(|a, b: u16| a.wrapping_mul(b)),
        "v_pk_min_u16" => pair!(|a, b: u16| a.min(b)),
        "v_pk_max_u16" => pair!(|a, b: u16| a.max(b)),
        "v_pk_min_i16" => pair!(|a, b: i16| a.min(b)),
        "v_pk_max_i16" => pair!(|a, b: i16| a.max(b)),
        "v_pk_mad_u16" | "v_pk_mad_i16" => lanes!(|a: [u16; 2], b: [u16; 2], c: [u16; 2]| -> [u16; 2] {
            [a[0].wrapping_mul(b[0]).wrapping_add(c[0]), a[1].wrapping_mul(b[1]).wrapping_add(c[1])]
        }),
        _ => return None,
    })
}

#[rustfmt::skip]
fn dots(name: &str) -> Option<Valu> {
    Some(match name {
        "v_dot4_i32_i8" | "v_dot4c_i32_i8" => lanes!(|a: u32, b: u32, c: i32| -> i32 {
            (dot4(a, b, true, true) as i32).wrapping_add(c)
        }),
        "v_dot4_u32_u8" => lanes!(|a: u32, b: u32, c: u32| -> u32 { (dot4(a, b, false, false) as u32).wrapping_add(c) }),
        "v_dot4_i32_i8 clamp" => lanes!(|a: u32, b: u32, c: i32| -> i32 {
            (dot4(a, b, true, true) + i64::from(c)).clamp(i32::MIN.into(), i32::MAX.into()) as i32
        }),
        "v_dot4_u32_u8 clamp" => lanes!(|a: u32, b: u32, c: u32| -> u32 {
            (dot4(a, b, false, false) + i64::from(c)).clamp(0, u32::MAX.into()) as u32
        }),
        "v_dot8_i32_i4" => lanes!(|a: u32, b: u32, c: i32| -> i32 { (dot8(a, b, true) as i32).wrapping_add(c) }),
        "v_dot8_u32_u4" => lanes!(|a: u32, b: u32, c: u32| -> u32 { (dot8(a, b, false) as u32).wrapping_add(c) }),
        _ => return None,
    })
}
