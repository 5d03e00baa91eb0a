; The remainder of a division, as C's fmod: exact, with the sign of x. Long division on the bits of the fractions, one
; bit a round; as many rounds as the exponents are apart.
define $float @wavewright.remainder_$name($float %x, $float %y) alwaysinline nounwind {
entry:
  %x.bits = bitcast $float %x to $int
  %y.bits = bitcast $float %y to $int
  %x.abs = and $int %x.bits, $magnitude
  %y.abs = and $int %y.bits, $magnitude
  %sign = and $int %x.bits, $sign
  %by.zero = icmp eq $int %y.abs, 0
  %not.finite = icmp uge $int %x.abs, $infinity
  %by.nan = icmp ugt $int %y.abs, $infinity
  %bad.x = or i1 %by.zero, %not.finite
  %bad = or i1 %bad.x, %by.nan
  br i1 %bad, label %nan, label %defined
nan:
  %nan.value = bitcast $int $quiet to $float
  ret $float %nan.value
defined:
  %small = icmp ult $int %x.abs, %y.abs
  br i1 %small, label %unchanged, label %divide
unchanged:
  ret $float %x
divide:
  ; Fractions with their leading bit at its place, and exponents to match, which for subnormals go below 1.
  %x.exponent = lshr $int %x.abs, $mantissa
  %x.subnormal = icmp eq $int %x.exponent, 0
  %x.zeros = call $int @llvm.ctlz.$int($int %x.abs, i1 false)
  %x.shift = sub $int %x.zeros, $lead
  %x.masked = and $int %x.shift, $places
  %x.shifted = shl $int %x.abs, %x.masked
  %x.low = sub $int 1, %x.shift
  %x.part = and $int %x.abs, $fraction
  %x.whole = or $int %x.part, $implicit
  %x.fraction = select i1 %x.subnormal, $int %x.shifted, $int %x.whole
  %x.e = select i1 %x.subnormal, $int %x.low, $int %x.exponent
  %y.exponent = lshr $int %y.abs, $mantissa
  %y.subnormal = icmp eq $int %y.exponent, 0
  %y.zeros = call $int @llvm.ctlz.$int($int %y.abs, i1 false)
  %y.shift = sub $int %y.zeros, $lead
  %y.masked = and $int %y.shift, $places
  %y.shifted = shl $int %y.abs, %y.masked
  %y.low = sub $int 1, %y.shift
  %y.part = and $int %y.abs, $fraction
  %y.whole = or $int %y.part, $implicit
  %y.fraction = select i1 %y.subnormal, $int %y.shifted, $int %y.whole
  %y.e = select i1 %y.subnormal, $int %y.low, $int %y.exponent
  %apart = sub $int %x.e, %y.e
  br label %round
round:
  %left = phi $int [ %apart, %divide ], [ %left.next, %again ]
  %r = phi $int [ %x.fraction, %divide ], [ %r.next, %again ]
  %fits = icmp uge $int %r, %y.fraction
  %reduced = sub $int %r, %y.fraction
  %rest = select i1 %fits, $int %reduced, $int %r
  %last = icmp eq $int %left, 0
  br i1 %last, label %done, label %again
again:
  %r.next = shl $int %rest, 1
  %left.next = sub $int %left, 1
  br label %round
done:
  %zeros = call $int @llvm.ctlz.$int($int %rest, i1 false)
  %shift = sub $int %zeros, $lead
  %shift.masked = and $int %shift, $places
  %whole = shl $int %rest, %shift.masked
  %e = sub $int %y.e, %shift
  %part = and $int %whole, $fraction
  %e.placed = shl $int %e, $mantissa
  %normal = or $int %part, %e.placed
  %down = sub $int 1, %e
  %down.masked = and $int %down, $places
  %subnormal = lshr $int %whole, %down.masked
  %is.normal = icmp sgt $int %e, 0
  %some = select i1 %is.normal, $int %normal, $int %subnormal
  %none = icmp eq $int %rest, 0
  %abs = select i1 %none, $int 0, $int %some
  %bits = or $int %abs, %sign
  %value = bitcast $int %bits to $float
  ret $float %value
}
declare $int @llvm.ctlz.$int($int, i1)
