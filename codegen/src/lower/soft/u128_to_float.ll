; A u128 as a float, rounded to nearest even. Too large becomes infinity, as the carry of the rounding makes it.
define $float @wavewright.u128_to_$name(i128 %x) alwaysinline nounwind {
  %zeros = call i128 @llvm.ctlz.i128(i128 %x, i1 false)
  %shift = and i128 %zeros, 127
  %left = shl i128 %x, %shift
  %kept.wide = lshr i128 %left, $drop
  %kept = trunc i128 %kept.wide to $int
  %rest = and i128 %left, $rest
  %above = icmp ugt i128 %rest, $half
  %tie = icmp eq i128 %rest, $half
  %odd = trunc $int %kept to i1
  %tie.up = and i1 %tie, %odd
  %up = or i1 %above, %tie.up
  %carry = zext i1 %up to $int
  ; The kept bits bring the leading one, which adds 1 to the exponent's place.
  %zeros.int = trunc i128 %zeros to $int
  %exponent = sub $int $base, %zeros.int
  %exponent.placed = shl $int %exponent, $mantissa
  %unrounded = add $int %exponent.placed, %kept
  %bits = add $int %unrounded, %carry
  %none = icmp eq i128 %x, 0
  %result = select i1 %none, $int 0, $int %bits
  %value = bitcast $int %result to $float
  ret $float %value
}
declare i128 @llvm.ctlz.i128(i128, i1)
