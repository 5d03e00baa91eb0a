//! Scalar instructions that compute a value from values: what they compute, by name.
//!
//! Names of several families for the same operation stand on one line. Control flow, and what touches the wave's state
//! beside `scc`, is elsewhere.

use crate::float::single;
use crate::half;

/// How wide an operand is, and how a constant fills it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Width {
    /// 32 bits.
    B32,
    /// 64 bits; a literal is extended with zeros.
    B64,
    /// 64 bits; a literal is extended by its sign.
    I64,
}

/// An operation on scalars.
#[derive(Clone, Copy)]
pub struct Salu {
    /// The result and the new `scc`, from operands and the old `scc`.
    pub run: fn([u64; 3], bool) -> (u64, bool),
    /// The result's width; none if there is no result but `scc`.
    pub dst: Option<Width>,
    /// The operands' widths.
    pub src: &'static [Width],
    /// Whether `scc` changes.
    pub sets_scc: bool,
    /// Whether the destination is also the last operand.
    pub accumulates: bool,
}

impl Salu {
    const fn accumulating(self) -> Self {
        Salu { accumulates: true, ..self }
    }
}

trait Scalar: Copy {
    const WIDTH: Width;
    fn get(bits: u64) -> Self;
    fn bits(self) -> u64;
}

macro_rules! scalars {
    ($($t:ty, $width:ident, |$b:ident| $get:expr, |$v:ident| $bits:expr;)*) => { $(
        impl Scalar for $t {
            const WIDTH: Width = Width::$width;
            fn get($b: u64) -> Self { $get }
            fn bits(self) -> u64 { let $v = self; $bits }
        }
    )* };
}
scalars! {
    u32, B32, |b| b as u32, |v| v.into();
    i32, B32, |b| b as i32, |v| v.cast_unsigned().into();
    f32, B32, |b| f32::from_bits(b as u32), |v| v.to_bits().into();
    u64, B64, |b| b, |v| v;
    i64, I64, |b| b.cast_signed(), |v| v.cast_unsigned();
}

/// `|operands, scc| -> type { (value, scc) }`: sets `scc`; without `scc` behind the value: leaves it.
macro_rules! salu {
    (|$($x:ident: $t:ty),*; $scc:ident| -> $d:ty { $value:expr; $out:expr }) => {
        Salu {
            run: |operands, $scc| {
                let _ = $scc;
                let mut number = 0;
                $(let $x = <$t as Scalar>::get(operands[number]); number += 1;)*
                let _ = number;
                let result: $d = $value;
                let out = $out;
                (result.bits(), Truth::of(out, result.bits() != 0))
            },
            dst: Some(<$d as Scalar>::WIDTH),
            src: &[$(<$t as Scalar>::WIDTH),*],
            sets_scc: true,
            accumulates: false,
        }
    };
    (|$($x:ident: $t:ty),*| -> $d:ty { $value:expr }) => {
        Salu {
            run: |operands, scc| {
                let mut number = 0;
                $(let $x = <$t as Scalar>::get(operands[number]); number += 1;)*
                let _ = number;
                let result: $d = $value;
                (result.bits(), scc)
            },
            dst: Some(<$d as Scalar>::WIDTH),
            src: &[$(<$t as Scalar>::WIDTH),*],
            sets_scc: false,
            accumulates: false,
        }
    };
}

/// What becomes of `scc`: a truth, or whether the result is not zero.
trait Truth {
    fn of(self, nonzero: bool) -> bool;
}

impl Truth for bool {
    fn of(self, _: bool) -> bool {
        self
    }
}

/// `scc` says whether the result is not zero.
struct NonZero;

impl Truth for NonZero {
    fn of(self, nonzero: bool) -> bool {
        nonzero
    }
}

macro_rules! test {
    (|$($x:ident: $t:ty),*| $out:expr) => {
        Salu {
            run: |operands, _| {
                let mut number = 0;
                $(let $x = <$t as Scalar>::get(operands[number]); number += 1;)*
                let _ = number;
                (0, $out)
            },
            dst: None,
            src: &[$(<$t as Scalar>::WIDTH),*],
            sets_scc: true,
            accumulates: false,
        }
    };
}

fn field_u(x: u64, spec: u32, bits: u32) -> u64 {
    let (offset, width) = (spec & (bits - 1), spec >> 16 & 0x7f);
    let mask = if width >= 64 { u64::MAX } else { (1 << width) - 1 };
    x >> offset & mask
}

fn field_i(x: i64, spec: u32, bits: u32) -> i64 {
    let (offset, width) = (spec & (bits - 1), (spec >> 16 & 0x7f).min(bits));
    if width == 0 {
        return 0;
    }
    let left = 64 - width;
    (x >> offset) << left >> left
}

fn or_none(place: u32, none: bool) -> i32 {
    if none { -1 } else { place as i32 }
}

/// For each group of four lanes, whether any is set.
fn whole_quads(x: u64) -> u64 {
    let any = x | x >> 1 | x >> 2 | x >> 3;
    (any & 0x1111_1111_1111_1111) * 15
}

fn sign_count(x: i64, bits: u32) -> i32 {
    let x = x << (64 - bits);
    let differing = (x ^ x >> 63).cast_unsigned() >> (64 - bits);
    if differing == 0 { -1 } else { (differing.leading_zeros() - (64 - bits)) as i32 }
}

fn halves(lo: u32, hi: u32) -> u32 {
    lo & 0xffff | hi << 16
}

/// The operation of this name.
pub fn named(name: &str) -> Option<Salu> {
    arithmetic(name)
        .or_else(|| logic(name))
        .or_else(|| moves(name))
        .or_else(|| tests(name))
        .or_else(|| wide_and_packed(name))
        .or_else(|| floats(name))
        .or_else(|| float_tests(name))
}

#[rustfmt::skip]
fn arithmetic(name: &str) -> Option<Salu> {
    Some(match name {
        "s_add_u32" | "s_add_co_u32" => salu!(|a: u32, b: u32; _s| -> u32 { a.wrapping_add(b); a.checked_add(b).is_none() }),
        "s_sub_u32" | "s_sub_co_u32" => salu!(|a: u32, b: u32; _s| -> u32 { a.wrapping_sub(b); a < b }),
        "s_add_i32" | "s_add_co_i32" | "s_addk_i32" | "s_addk_co_i32" =>
            salu!(|a: i32, b: i32; _s| -> i32 { a.wrapping_add(b); a.checked_add(b).is_none() }),
        "s_sub_i32" | "s_sub_co_i32" => salu!(|a: i32, b: i32; _s| -> i32 { a.wrapping_sub(b); a.checked_sub(b).is_none() }),
        "s_addc_u32" | "s_add_co_ci_u32" => salu!(|a: u32, b: u32; s| -> u32 {
            a.wrapping_add(b).wrapping_add(s.into()); u64::from(a) + u64::from(b) + u64::from(s) > u32::MAX.into()
        }),
        "s_subb_u32" | "s_sub_co_ci_u32" => salu!(|a: u32, b: u32; s| -> u32 {
            a.wrapping_sub(b).wrapping_sub(s.into()); u64::from(a) < u64::from(b) + u64::from(s)
        }),
        "s_min_i32" => salu!(|a: i32, b: i32; _s| -> i32 { a.min(b); a < b }),
        "s_max_i32" => salu!(|a: i32, b: i32; _s| -> i32 { a.max(b); a >= b }),
        "s_min_u32" => salu!(|a: u32, b: u32; _s| -> u32 { a.min(b); a < b }),
        "s_max_u32" => salu!(|a: u32, b: u32; _s| -> u32 { a.max(b); a >= b }),
        "s_mul_i32" | "s_mulk_i32" => salu!(|a: u32, b: u32| -> u32 { a.wrapping_mul(b) }),
        "s_mul_hi_u32" => salu!(|a: u32, b: u32| -> u32 { (u64::from(a) * u64::from(b) >> 32) as u32 }),
        "s_mul_hi_i32" => salu!(|a: i32, b: i32| -> i32 { (i64::from(a) * i64::from(b) >> 32) as i32 }),
        "s_lshl1_add_u32" => salu!(|a: u32, b: u32; _s| -> u32 { (a << 1).wrapping_add(b); (u64::from(a) << 1) + u64::from(b) > u32::MAX.into() }),
        "s_lshl2_add_u32" => salu!(|a: u32, b: u32; _s| -> u32 { (a << 2).wrapping_add(b); (u64::from(a) << 2) + u64::from(b) > u32::MAX.into() }),
        "s_lshl3_add_u32" => salu!(|a: u32, b: u32; _s| -> u32 { (a << 3).wrapping_add(b); (u64::from(a) << 3) + u64::from(b) > u32::MAX.into() }),
        "s_lshl4_add_u32" => salu!(|a: u32, b: u32; _s| -> u32 { (a << 4).wrapping_add(b); (u64::from(a) << 4) + u64::from(b) > u32::MAX.into() }),
        "s_absdiff_i32" => salu!(|a: i32, b: i32; _s| -> i32 { a.wrapping_sub(b).wrapping_abs(); NonZero }),
        "s_abs_i32" => salu!(|a: i32; _s| -> i32 { a.wrapping_abs(); NonZero }),
        _ => return None,
    })
}

#[rustfmt::skip]
fn logic(name: &str) -> Option<Salu> {
    Some(match name {
        "s_and_b32" => salu!(|a: u32, b: u32; _s| -> u32 { a & b; NonZero }),
        "s_or_b32" => salu!(|a: u32, b: u32; _s| -> u32 { a | b; NonZero }),
        "s_xor_b32" => salu!(|a: u32, b: u32; _s| -> u32 { a ^ b; NonZero }),
        "s_andn2_b32" | "s_and_not1_b32" => salu!(|a: u32, b: u32; _s| -> u32 { a & !b; NonZero }),
        "s_orn2_b32" | "s_or_not1_b32" => salu!(|a: u32, b: u32; _s| -> u32 { a | !b; NonZero }),
        "s_nand_b32" => salu!(|a: u32, b: u32; _s| -> u32 { !(a & b); NonZero }),
        "s_nor_b32" => salu!(|a: u32, b: u32; _s| -> u32 { !(a | b); NonZero }),
        "s_xnor_b32" => salu!(|a: u32, b: u32; _s| -> u32 { !(a ^ b); NonZero }),
        "s_not_b32" => salu!(|a: u32; _s| -> u32 { !a; NonZero }),
        "s_and_b64" => salu!(|a: u64, b: u64; _s| -> u64 { a & b; NonZero }),
        "s_or_b64" => salu!(|a: u64, b: u64; _s| -> u64 { a | b; NonZero }),
        "s_xor_b64" => salu!(|a: u64, b: u64; _s| -> u64 { a ^ b; NonZero }),
        "s_andn2_b64" | "s_and_not1_b64" => salu!(|a: u64, b: u64; _s| -> u64 { a & !b; NonZero }),
        "s_orn2_b64" | "s_or_not1_b64" => salu!(|a: u64, b: u64; _s| -> u64 { a | !b; NonZero }),
        "s_nand_b64" => salu!(|a: u64, b: u64; _s| -> u64 { !(a & b); NonZero }),
        "s_nor_b64" => salu!(|a: u64, b: u64; _s| -> u64 { !(a | b); NonZero }),
        "s_xnor_b64" => salu!(|a: u64, b: u64; _s| -> u64 { !(a ^ b); NonZero }),
        "s_not_b64" => salu!(|a: u64; _s| -> u64 { !a; NonZero }),
        "s_lshl_b32" => salu!(|a: u32, b: u32; _s| -> u32 { a << (b & 31); NonZero }),
        "s_lshr_b32" => salu!(|a: u32, b: u32; _s| -> u32 { a >> (b & 31); NonZero }),
        "s_ashr_i32" => salu!(|a: i32, b: u32; _s| -> i32 { a >> (b & 31); NonZero }),
        "s_lshl_b64" => salu!(|a: u64, b: u32; _s| -> u64 { a << (b & 63); NonZero }),
        "s_lshr_b64" => salu!(|a: u64, b: u32; _s| -> u64 { a >> (b & 63); NonZero }),
        "s_ashr_i64" => salu!(|a: i64, b: u32; _s| -> i64 { a >> (b & 63); NonZero }),
        "s_bfe_u32" => salu!(|a: u32, b: u32; _s| -> u32 { field_u(a.into(), b, 32) as u32; NonZero }),
        "s_bfe_i32" => salu!(|a: i32, b: u32; _s| -> i32 { field_i(a.into(), b, 32) as i32; NonZero }),
        "s_bfe_u64" => salu!(|a: u64, b: u32; _s| -> u64 { field_u(a, b, 64); NonZero }),
        "s_bfe_i64" => salu!(|a: i64, b: u32; _s| -> i64 { field_i(a, b, 64); NonZero }),
        "s_bfm_b32" => salu!(|a: u32, b: u32| -> u32 { ((1u32 << (a & 31)) - 1) << (b & 31) }),
        "s_bfm_b64" => salu!(|a: u32, b: u32| -> u64 { ((1u64 << (a & 63)) - 1) << (b & 63) }),
        "s_wqm_b32" => salu!(|a: u32; _s| -> u32 { whole_quads(a.into()) as u32; NonZero }),
        "s_wqm_b64" => salu!(|a: u64; _s| -> u64 { whole_quads(a); NonZero }),
        _ => return None,
    })
}

#[rustfmt::skip]
fn moves(name: &str) -> Option<Salu> {
    Some(match name {
        "s_mov_b32" | "s_movk_i32" => salu!(|a: u32| -> u32 { a }),
        "s_mov_b64" => salu!(|a: u64| -> u64 { a }),
        "s_cselect_b32" => salu!(|a: u32, b: u32; s| -> u32 { if s { a } else { b }; s }),
        "s_cselect_b64" => salu!(|a: u64, b: u64; s| -> u64 { if s { a } else { b }; s }),
        "s_cmov_b32" | "s_cmovk_i32" => salu!(|a: u32, d: u32; s| -> u32 { if s { a } else { d }; s }).accumulating(),
        "s_cmov_b64" => salu!(|a: u64, d: u64; s| -> u64 { if s { a } else { d }; s }).accumulating(),
        "s_brev_b32" => salu!(|a: u32| -> u32 { a.reverse_bits() }),
        "s_brev_b64" => salu!(|a: u64| -> u64 { a.reverse_bits() }),
        "s_bcnt0_i32_b32" => salu!(|a: u32; _s| -> u32 { a.count_zeros(); NonZero }),
        "s_bcnt1_i32_b32" => salu!(|a: u32; _s| -> u32 { a.count_ones(); NonZero }),
        "s_bcnt0_i32_b64" => salu!(|a: u64; _s| -> u32 { a.count_zeros(); NonZero }),
        "s_bcnt1_i32_b64" => salu!(|a: u64; _s| -> u32 { a.count_ones(); NonZero }),
        "s_ff0_i32_b32" => salu!(|a: u32| -> i32 { or_none(a.trailing_ones(), a == u32::MAX) }),
        "s_ff0_i32_b64" => salu!(|a: u64| -> i32 { or_none(a.trailing_ones(), a == u64::MAX) }),
        "s_ff1_i32_b32" | "s_ctz_i32_b32" => salu!(|a: u32| -> i32 { or_none(a.trailing_zeros(), a == 0) }),
        "s_ff1_i32_b64" | "s_ctz_i32_b64" => salu!(|a: u64| -> i32 { or_none(a.trailing_zeros(), a == 0) }),
        "s_flbit_i32_b32" | "s_clz_i32_u32" => salu!(|a: u32| -> i32 { or_none(a.leading_zeros(), a == 0) }),
        "s_flbit_i32_b64" | "s_clz_i32_u64" => salu!(|a: u64| -> i32 { or_none(a.leading_zeros(), a == 0) }),
        "s_flbit_i32" | "s_cls_i32" => salu!(|a: i32| -> i32 { sign_count(a.into(), 32) }),
        "s_flbit_i32_i64" | "s_cls_i32_i64" => salu!(|a: i64| -> i32 { sign_count(a, 64) }),
        "s_sext_i32_i8" => salu!(|a: u32| -> i32 { (a as i8).into() }),
        "s_sext_i32_i16" => salu!(|a: u32| -> i32 { (a as i16).into() }),
        "s_bitset0_b32" => salu!(|a: u32, d: u32| -> u32 { d & !(1 << (a & 31)) }).accumulating(),
        "s_bitset1_b32" => salu!(|a: u32, d: u32| -> u32 { d | 1 << (a & 31) }).accumulating(),
        "s_bitset0_b64" => salu!(|a: u32, d: u64| -> u64 { d & !(1 << (a & 63)) }).accumulating(),
        "s_bitset1_b64" => salu!(|a: u32, d: u64| -> u64 { d | 1 << (a & 63) }).accumulating(),
        "s_bitreplicate_b64_b32" => salu!(|a: u32| -> u64 { (0..32).fold(0, |d, i| d | u64::from(a >> i & 1) * 3 << (2 * i)) }),
        _ => return None,
    })
}

#[rustfmt::skip]
fn tests(name: &str) -> Option<Salu> {
    Some(match name {
        "s_cmp_eq_i32" | "s_cmp_eq_u32" | "s_cmpk_eq_i32" | "s_cmpk_eq_u32" => test!(|a: u32, b: u32| a == b),
        "s_cmp_lg_i32" | "s_cmp_lg_u32" | "s_cmpk_lg_i32" | "s_cmpk_lg_u32" => test!(|a: u32, b: u32| a != b),
        "s_cmp_gt_i32" | "s_cmpk_gt_i32" => test!(|a: i32, b: i32| a > b),
        "s_cmp_ge_i32" | "s_cmpk_ge_i32" => test!(|a: i32, b: i32| a >= b),
        "s_cmp_lt_i32" | "s_cmpk_lt_i32" => test!(|a: i32, b: i32| a < b),
        "s_cmp_le_i32" | "s_cmpk_le_i32" => test!(|a: i32, b: i32| a <= b),
        "s_cmp_gt_u32" | "s_cmpk_gt_u32" => test!(|a: u32, b: u32| a > b),
        "s_cmp_ge_u32" | "s_cmpk_ge_u32" => test!(|a: u32, b: u32| a >= b),
        "s_cmp_lt_u32" | "s_cmpk_lt_u32" => test!(|a: u32, b: u32| a < b),
        "s_cmp_le_u32" | "s_cmpk_le_u32" => test!(|a: u32, b: u32| a <= b),
        "s_cmp_eq_u64" => test!(|a: u64, b: u64| a == b),
        "s_cmp_lg_u64" => test!(|a: u64, b: u64| a != b),
        "s_bitcmp0_b32" => test!(|a: u32, b: u32| a >> (b & 31) & 1 == 0),
        "s_bitcmp1_b32" => test!(|a: u32, b: u32| a >> (b & 31) & 1 == 1),
        "s_bitcmp0_b64" => test!(|a: u64, b: u32| a >> (b & 63) & 1 == 0),
        "s_bitcmp1_b64" => test!(|a: u64, b: u32| a >> (b & 63) & 1 == 1),
        _ => return None,
    })
}

#[rustfmt::skip]
fn wide_and_packed(name: &str) -> Option<Salu> {
    Some(match name {
        "s_add_u64" | "s_add_nc_u64" => salu!(|a: u64, b: u64| -> u64 { a.wrapping_add(b) }),
        "s_sub_u64" | "s_sub_nc_u64" => salu!(|a: u64, b: u64| -> u64 { a.wrapping_sub(b) }),
        "s_mul_u64" => salu!(|a: u64, b: u64| -> u64 { a.wrapping_mul(b) }),
        "s_pack_ll_b32_b16" => salu!(|a: u32, b: u32| -> u32 { halves(a, b) }),
        "s_pack_lh_b32_b16" => salu!(|a: u32, b: u32| -> u32 { halves(a, b >> 16) }),
        "s_pack_hh_b32_b16" => salu!(|a: u32, b: u32| -> u32 { halves(a >> 16, b >> 16) }),
        "s_pack_hl_b32_b16" => salu!(|a: u32, b: u32| -> u32 { halves(a >> 16, b) }),
        _ => return None,
    })
}

#[rustfmt::skip]
fn floats(name: &str) -> Option<Salu> {
    Some(match name {
        "s_add_f32" => salu!(|a: f32, b: f32| -> f32 { a + b }),
        "s_sub_f32" => salu!(|a: f32, b: f32| -> f32 { a - b }),
        "s_mul_f32" => salu!(|a: f32, b: f32| -> f32 { a * b }),
        "s_fmac_f32" => salu!(|a: f32, b: f32, d: f32| -> f32 { a.mul_add(b, d) }).accumulating(),
        "s_fmaak_f32" | "s_fmamk_f32" => salu!(|a: f32, b: f32, c: f32| -> f32 { a.mul_add(b, c) }),
        "s_min_f32" => salu!(|a: f32, b: f32| -> f32 { single::min(a, b) }),
        "s_max_f32" => salu!(|a: f32, b: f32| -> f32 { single::max(a, b) }),
        "s_min_num_f32" => salu!(|a: f32, b: f32| -> f32 { single::min_num(a, b) }),
        "s_max_num_f32" => salu!(|a: f32, b: f32| -> f32 { single::max_num(a, b) }),
        "s_minimum_f32" => salu!(|a: f32, b: f32| -> f32 { single::minimum(a, b) }),
        "s_maximum_f32" => salu!(|a: f32, b: f32| -> f32 { single::maximum(a, b) }),
        "s_floor_f32" => salu!(|a: f32| -> f32 { a.floor() }),
        "s_ceil_f32" => salu!(|a: f32| -> f32 { a.ceil() }),
        "s_trunc_f32" => salu!(|a: f32| -> f32 { a.trunc() }),
        "s_rndne_f32" => salu!(|a: f32| -> f32 { a.round_ties_even() }),
        "s_cvt_f32_i32" => salu!(|a: i32| -> f32 { a as f32 }),
        "s_cvt_f32_u32" => salu!(|a: u32| -> f32 { a as f32 }),
        "s_cvt_i32_f32" => salu!(|a: f32| -> i32 { a as i32 }),
        "s_cvt_u32_f32" => salu!(|a: f32| -> u32 { a as u32 }),
        "s_cvt_f16_f32" => salu!(|a: f32| -> u32 { half::from_f32(a).into() }),
        "s_cvt_f32_f16" => salu!(|a: u32| -> f32 { half::to_f32(a as u16) }),
        "s_cvt_hi_f32_f16" => salu!(|a: u32| -> f32 { half::to_f32((a >> 16) as u16) }),
        _ => return None,
    })
}

#[rustfmt::skip]
// A comparison's opposite differs from it for NaN, which is what the `n` forms are for.
#[allow(clippy::nonminimal_bool, clippy::neg_cmp_op_on_partial_ord, clippy::double_comparisons)]
fn float_tests(name: &str) -> Option<Salu> {
    Some(match name {
        "s_cmp_lt_f32" => test!(|a: f32, b: f32| a < b),
        "s_cmp_eq_f32" => test!(|a: f32, b: f32| a == b),
        "s_cmp_le_f32" => test!(|a: f32, b: f32| a <= b),
        "s_cmp_gt_f32" => test!(|a: f32, b: f32| a > b),
        "s_cmp_lg_f32" => test!(|a: f32, b: f32| a < b || a > b),
        "s_cmp_ge_f32" => test!(|a: f32, b: f32| a >= b),
        "s_cmp_o_f32" => test!(|a: f32, b: f32| !a.is_nan() && !b.is_nan()),
        "s_cmp_u_f32" => test!(|a: f32, b: f32| a.is_nan() || b.is_nan()),
        "s_cmp_nge_f32" => test!(|a: f32, b: f32| !(a >= b)),
        "s_cmp_nlg_f32" => test!(|a: f32, b: f32| !(a < b || a > b)),
        "s_cmp_ngt_f32" => test!(|a: f32, b: f32| !(a > b)),
        "s_cmp_nle_f32" => test!(|a: f32, b: f32| !(a <= b)),
        "s_cmp_neq_f32" => test!(|a: f32, b: f32| !(a == b)),
        "s_cmp_nlt_f32" => test!(|a: f32, b: f32| !(a < b)),
        _ => return None,
    })
}
