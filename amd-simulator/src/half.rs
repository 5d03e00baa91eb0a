//! Floats of 16 bits as bits.

/// The value of an IEEE half.
pub fn to_f32(bits: u16) -> f32 {
    let sign = u32::from(bits & 0x8000) << 16;
    let (exponent, fraction) = (u32::from(bits >> 10 & 0x1f), u32::from(bits & 0x3ff));
    match exponent {
        // 2^-24 is the step of subnormals; the product is exact.
        0 => f32::from_bits(sign | (fraction as f32 * 2f32.powi(-24)).to_bits()),
        0x1f => f32::from_bits(sign | 0x7f80_0000 | fraction << 13),
        _ => f32::from_bits(sign | (exponent + 112) << 23 | fraction << 13),
    }
}

/// The nearest half; ties to even. NaN stays NaN, quiet.
pub fn from_f32(value: f32) -> u16 {
    from_f64(f64::from(value))
}

/// The nearest half; ties to even. NaN stays NaN, quiet, with the upper bits of its payload.
pub fn from_f64(value: f64) -> u16 {
    let bits = value.to_bits();
    let sign = (bits >> 48 & 0x8000) as u16;
    let exponent = (bits >> 52 & 0x7ff) as i32 - 1023;
    let fraction = bits & ((1 << 52) - 1);
    if exponent == 1024 {
        return if fraction == 0 { sign | 0x7c00 } else { sign | 0x7e00 | (fraction >> 42) as u16 };
    }
    if exponent > 15 {
        return sign | 0x7c00;
    }
    if exponent < -25 {
        return sign;
    }
    // The significand, and how many of its bits a half can't hold.
    let significand = fraction | 1 << 52;
    let (base, dropped) =
        if exponent >= -14 { ((exponent + 14) as u16, 42) } else { (0, (42 - 14 - exponent) as u32) };
    let kept = (significand >> dropped) as u16;
    let rest = significand & ((1 << dropped) - 1);
    let tie = 1u64 << (dropped - 1);
    let up = rest > tie || rest == tie && kept & 1 == 1;
    // A carry out of the fraction goes into the exponent, as it should.
    sign | ((base << 10) + kept + u16::from(up))
}

/// The value of a bfloat16.
pub fn bf16_to_f32(bits: u16) -> f32 {
    f32::from_bits(u32::from(bits) << 16)
}

/// The nearest bfloat16; ties to even. NaN stays NaN, quiet.
pub fn bf16_from_f32(value: f32) -> u16 {
    let bits = value.to_bits();
    if value.is_nan() {
        return (bits >> 16) as u16 | 0x40;
    }
    ((bits + 0x7fff + (bits >> 16 & 1)) >> 16) as u16
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_half_survives() {
        for bits in 0..=u16::MAX {
            let value = to_f32(bits);
            if value.is_nan() {
                assert_eq!(from_f32(value), bits | 0x200);
            } else {
                assert_eq!(from_f32(value), bits, "{value}");
            }
        }
    }

    #[test]
    fn rounding_is_to_nearest_even() {
        for (value, bits) in [
            (1.0 + 2f64.powi(-11), 0x3c00),
            (1.0 + 3.0 * 2f64.powi(-11), 0x3c02),
            (1.0 + 2f64.powi(-11) + 2f64.powi(-40), 0x3c01),
            (65519.9, 0x7bff),
            (65520.0, 0x7c00),
            (-65536.0, 0xfc00),
            (2f64.powi(-25), 0),
            (2f64.powi(-25) * 1.001, 1),
            (3.0 * 2f64.powi(-25), 2),
            (2f64.powi(-14) - 2f64.powi(-26), 0x400),
            (-0.0, 0x8000),
            (1e-300, 0),
        ] {
            assert_eq!(from_f64(value), bits, "{value}");
        }
    }

    #[test]
    fn bfloats_round_to_nearest_even() {
        for (value, bits) in
            [(1.0, 0x3f80), (1.0 + 1.0 / 256.0, 0x3f80), (1.0 + 3.0 / 256.0, 0x3f82), (f32::MAX, 0x7f80)]
        {
            assert_eq!(bf16_from_f32(value), bits, "{value}");
        }
        assert_eq!(bf16_to_f32(0xc000), -2.0);
    }
}
