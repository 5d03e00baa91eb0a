; A float as a u128: towards zero, what lies outside becomes the nearest end, NaN becomes 0.
define i128 @wavewright.$name_to_u128($float %x) alwaysinline nounwind {
  %bits = bitcast $float %x to $int
  %abs = and $int %bits, $magnitude
  %exponent = lshr $int %abs, $mantissa
  %e = sub $int %exponent, $bias
  %part = and $int %bits, $fraction
  %whole = or $int %part, $implicit
  %fraction = zext $int %whole to i128
  %up = sub $int %e, $mantissa
  %up.masked = and $int %up, 127
  %up.wide = zext $int %up.masked to i128
  %larger = shl i128 %fraction, %up.wide
  %down = sub $int $mantissa, %e
  %down.masked = and $int %down, 127
  %down.wide = zext $int %down.masked to i128
  %smaller = lshr i128 %fraction, %down.wide
  %is.large = icmp sge $int %e, $mantissa
  %value = select i1 %is.large, i128 %larger, i128 %smaller
  %outside = icmp sge $int %e, 128
  %limited = select i1 %outside, i128 -1, i128 %value
  %is.small = icmp slt $int %e, 0
  %is.nan = icmp ugt $int %abs, $infinity
  %negative = icmp slt $int %bits, 0
  %zero.small = or i1 %is.small, %is.nan
  %zero = or i1 %zero.small, %negative
  %result = select i1 %zero, i128 0, i128 %limited
  ret i128 %result
}
