//! Vector instructions with a vector result.

use super::Room;
use super::source::{NONE, copy, fetch, flush, flushes, shuffled};
use crate::float::{double, fma_single, single as f32_ops};
use crate::half;
use crate::lanes::{F16, LANES, Lane, Source, Ty, Wide};
use crate::operation::scalar;
use crate::operation::{Compute, Destination, Operand, Part, Value, Vector};
use crate::valu::Valu;
use crate::wave::Wave;

/// Executes an instruction.
pub(super) fn single(wave: &mut Wave, vector: &Vector, room: &mut Room) {
    let mask = compute(wave, vector, room);
    write(wave, vector, &room.out, mask);
}

/// Executes two, both of which read before either writes.
pub(super) fn dual(wave: &mut Wave, pair: &[Vector; 2], room: &mut Room) {
    let first = compute(wave, &pair[0], room);
    std::mem::swap(&mut room.out, &mut room.second);
    let second = compute(wave, &pair[1], room);
    write(wave, &pair[0], &room.second, first);
    write(wave, &pair[1], &room.out, second);
}

/// The type of the result.
fn result_type(compute: &Compute) -> Ty {
    match compute {
        Compute::Lanes(run) => run.dst,
        Compute::Select { half: true, .. } => Ty::B16,
        Compute::Select { .. } | Compute::CountBelow { .. } => Ty::B32,
        Compute::DivFmas { double: true } => Ty::F64,
        Compute::DivFmas { .. } => Ty::F32,
        Compute::Mix { result: Part::Whole, .. } => Ty::F32,
        Compute::Mix { .. } => Ty::F16,
    }
}

/// Computes into `room.out`: the lanes that may be written.
fn compute(wave: &Wave, vector: &Vector, room: &mut Room) -> u64 {
    let mut mask = wave.exec();
    match &vector.compute {
        Compute::Lanes(run) => {
            let [a, b, c] = &mut room.sources;
            let types = run.src;
            let first = match &vector.dpp {
                None => fetch(wave, &vector.src[0], types[0], a),
                Some(dpp) => {
                    mask &= shuffled(wave, &vector.src[0], types[0], a, dpp);
                    Source { lo: &a.lo, hi: &a.hi }
                }
            };
            let second = types.get(1).map_or(NONE, |ty| fetch(wave, &vector.src[1], *ty, b));
            let third = types.get(2).map_or(NONE, |ty| fetch(wave, &vector.src[2], *ty, c));
            (run.run)(&mut room.out, &[first, second, third]);
        }
        other => {
            let types = special_types(other);
            for (n, ty) in types.iter().enumerate() {
                match &vector.dpp {
                    Some(dpp) if n == 0 => {
                        mask &= shuffled(wave, &vector.src[0], *ty, &mut room.sources[0], dpp);
                    }
                    _ => copy(wave, &vector.src[n], *ty, &mut room.sources[n]),
                }
            }
            special(wave, other, &vector.src, room);
        }
    }
    let ty = result_type(&vector.compute);
    finish(wave, vector, ty, &mut room.out);
    mask
}

fn special_types(compute: &Compute) -> &'static [Ty] {
    match compute {
        Compute::Select { half: true, .. } => &[Ty::B16; 2],
        Compute::Select { .. } | Compute::CountBelow { .. } => &[Ty::B32; 2],
        Compute::DivFmas { double: true } => &[Ty::F64; 3],
        Compute::DivFmas { .. } => &[Ty::F32; 3],
        // Each operand is what the instruction says.
        Compute::Mix { .. } => &[Ty::B32; 3],
        Compute::Lanes(Valu { src, .. }) => src,
    }
}

fn special(wave: &Wave, compute: &Compute, src: &[Operand; 3], room: &mut Room) {
    let [a, b, c] = &room.sources;
    let out = &mut room.out;
    match compute {
        Compute::Select { mask, .. } => {
            let mask = wave.mask_of(*mask);
            for i in 0..LANES {
                out.lo[i] = if mask >> i & 1 == 1 { b.lo[i] } else { a.lo[i] };
            }
        }
        Compute::CountBelow { high } => {
            for i in 0..LANES {
                let below = match (*high, i) {
                    (false, 0..32) => (1u32 << i) - 1,
                    (false, _) => u32::MAX,
                    (true, 0..32) => 0,
                    (true, _) => (1u32 << (i - 32)) - 1,
                };
                out.lo[i] = (a.lo[i] & below).count_ones().wrapping_add(b.lo[i]);
            }
        }
        Compute::DivFmas { double: wide } => {
            let vcc = wave.mask(scalar::VCC);
            let [a, b, c] = [a, b, c].map(|wide| Source { lo: &wide.lo, hi: &wide.hi });
            for i in 0..LANES {
                let scaled = vcc >> i & 1 == 1;
                if *wide {
                    let [x, y, z] = [&a, &b, &c].map(|source| f64::get(source, i));
                    double::div_fmas(x, y, z, scaled).put(out, i);
                } else {
                    let [x, y, z] = [&a, &b, &c].map(|source| f32::get(source, i));
                    f32_ops::div_fmas(x, y, z, scaled).put(out, i);
                }
            }
        }
        Compute::Mix { halves, upper, result } => {
            for i in 0..LANES {
                let value =
                    |n: usize, bits: u32| mixed(&src[n], *halves >> n & 1 == 1, *upper >> n & 1 == 1, bits);
                let sum = fma_single(value(0, a.lo[i]), value(1, b.lo[i]), value(2, c.lo[i]));
                out.lo[i] = match result {
                    Part::Whole => (sum as f32).to_bits(),
                    _ => half::from_f64(sum).into(),
                };
            }
        }
        Compute::Lanes(_) => {}
    }
}

/// An operand of `v_fma_mix`; its sign has been dealt with where it is a float of 32 bits.
fn mixed(operand: &Operand, is_half: bool, upper: bool, bits: u32) -> f32 {
    if !is_half {
        return f32::from_bits(bits);
    }
    // The modifiers were applied to bit 31, of which a half knows nothing.
    let original = if operand.neg { bits ^ 0x8000_0000 } else { bits };
    let shift = if upper && !matches!(operand.value, Value::Constant(_)) { 16 } else { 0 };
    let mut value = half::to_f32((original >> shift) as u16);
    if operand.abs {
        value = value.abs();
    }
    if operand.neg { -value } else { value }
}

/// Between 0 and 1; NaN becomes 0, which `clamp` would keep.
#[allow(clippy::manual_clamp)]
fn unit(x: f32) -> f32 {
    x.max(0.0).min(1.0)
}

/// Scales and clamps a float result, and flushes it if the mode says so.
fn finish(wave: &Wave, vector: &Vector, ty: Ty, out: &mut Wide) {
    if vector.output_scale != 0 || vector.clamp {
        let half = |x: F16| F16::of(unit(x.wide()));
        match ty {
            Ty::F32 => scale::<f32>(vector, out, f32_ops::ldexp, unit),
            #[allow(clippy::manual_clamp)]
            Ty::F64 => scale::<f64>(vector, out, double::ldexp, |x| x.max(0.0).min(1.0)),
            Ty::F16 => scale::<F16>(vector, out, |x, n| F16::of(f32_ops::ldexp(x.wide(), n)), half),
            Ty::PkF16 => scale::<[F16; 2]>(vector, out, |x, _| x, |x| x.map(half)),
            Ty::PkF32 => scale::<[f32; 2]>(vector, out, |x, _| x, |x| x.map(unit)),
            _ => {}
        }
    }
    if flushes(wave, ty).1 {
        flush(ty, out);
    }
}

fn scale<T: Lane>(vector: &Vector, out: &mut Wide, scale: impl Fn(T, i32) -> T, clamp: impl Fn(T) -> T) {
    for i in 0..LANES {
        let mut value = T::get(&Source { lo: &out.lo, hi: &out.hi }, i);
        if vector.output_scale != 0 {
            value = scale(value, vector.output_scale.into());
        }
        if vector.clamp {
            value = clamp(value);
        }
        value.put(out, i);
    }
}

fn write(wave: &mut Wave, vector: &Vector, out: &Wide, mask: u64) {
    write_register(wave, vector.dst, &out.lo, mask);
    if result_type(&vector.compute).registers() == 2 {
        let upper = Destination { register: vector.dst.register + 1, ..vector.dst };
        write_register(wave, upper, &out.hi, mask);
    }
}

/// Writes the lanes of `mask`.
#[inline]
pub(super) fn write_register(wave: &mut Wave, dst: Destination, values: &[u32; LANES], mask: u64) {
    let all = wave.all();
    let register = wave.vector_mut(dst.register);
    if dst == Destination::whole(dst.register) {
        if mask == all {
            *register = *values;
            return;
        }
        for i in 0..LANES {
            let on = 0u32.wrapping_sub((mask >> i) as u32 & 1);
            register[i] = values[i] & on | register[i] & !on;
        }
        return;
    }
    let bits = u32::from(dst.extend & !Destination::ZERO_EXTEND);
    for i in 0..LANES {
        let mut value = values[i];
        if bits != 0 {
            let above = value << (32 - bits);
            let signed = dst.extend & Destination::ZERO_EXTEND == 0;
            value = if signed { ((above as i32) >> (32 - bits)) as u32 } else { above >> (32 - bits) };
        }
        let on = 0u32.wrapping_sub((mask >> i) as u32 & 1) & dst.mask;
        register[i] = value << dst.shift & on | register[i] & !on;
    }
}
