//! Which of LLVM's intrinsics work on vectors as on scalars, lane by lane.

/// Which types an intrinsic's name is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Overload {
    /// That of its result.
    Result,
    /// That of its first argument.
    First,
    /// Both, the result's first.
    ResultAndFirst,
}

/// An intrinsic: its name without types, what it is overloaded for, and how many of its arguments are values (the others
/// are constants of the operation).
const LANEWISE: &[(&str, Overload, usize)] = {
    use Overload::*;
    &[
        ("llvm.fma", Result, 3),
        ("llvm.fmuladd", Result, 3),
        ("llvm.sqrt", Result, 1),
        ("llvm.floor", Result, 1),
        ("llvm.ceil", Result, 1),
        ("llvm.trunc", Result, 1),
        ("llvm.round", Result, 1),
        ("llvm.roundeven", Result, 1),
        ("llvm.rint", Result, 1),
        ("llvm.nearbyint", Result, 1),
        ("llvm.fabs", Result, 1),
        ("llvm.canonicalize", Result, 1),
        ("llvm.copysign", Result, 2),
        ("llvm.minnum", Result, 2),
        ("llvm.maxnum", Result, 2),
        ("llvm.minimum", Result, 2),
        ("llvm.maximum", Result, 2),
        ("llvm.minimumnum", Result, 2),
        ("llvm.maximumnum", Result, 2),
        ("llvm.smin", Result, 2),
        ("llvm.smax", Result, 2),
        ("llvm.umin", Result, 2),
        ("llvm.umax", Result, 2),
        ("llvm.abs", Result, 1),
        ("llvm.ctpop", Result, 1),
        ("llvm.ctlz", Result, 1),
        ("llvm.cttz", Result, 1),
        ("llvm.bswap", Result, 1),
        ("llvm.bitreverse", Result, 1),
        ("llvm.fshl", Result, 3),
        ("llvm.fshr", Result, 3),
        ("llvm.sadd.sat", Result, 2),
        ("llvm.uadd.sat", Result, 2),
        ("llvm.ssub.sat", Result, 2),
        ("llvm.usub.sat", Result, 2),
        ("llvm.sin", Result, 1),
        ("llvm.cos", Result, 1),
        ("llvm.exp", Result, 1),
        ("llvm.exp2", Result, 1),
        ("llvm.log", Result, 1),
        ("llvm.log2", Result, 1),
        ("llvm.log10", Result, 1),
        ("llvm.pow", Result, 2),
        ("llvm.sadd.with.overflow", First, 2),
        ("llvm.uadd.with.overflow", First, 2),
        ("llvm.ssub.with.overflow", First, 2),
        ("llvm.usub.with.overflow", First, 2),
        ("llvm.smul.with.overflow", First, 2),
        ("llvm.umul.with.overflow", First, 2),
        ("llvm.is.fpclass", First, 1),
        ("llvm.fptosi.sat", ResultAndFirst, 1),
        ("llvm.fptoui.sat", ResultAndFirst, 1),
        ("llvm.scmp", ResultAndFirst, 2),
        ("llvm.ucmp", ResultAndFirst, 2),
    ]
};

/// Intrinsics that only tell LLVM something.
const NOTES: &[&str] =
    &["llvm.assume", "llvm.lifetime", "llvm.dbg", "llvm.experimental.noalias.scope.decl", "llvm.donothing"];

/// What an intrinsic of this name is overloaded for, and how many of its arguments are values, if it is lanewise.
pub(super) fn lanewise(name: &str) -> Option<(Overload, usize)> {
    let entry = LANEWISE.iter().find(|(base, ..)| is(name, base));
    entry.map(|(_, overload, values)| (*overload, *values))
}

/// Whether an intrinsic works lane by lane.
pub(super) fn is_lanewise(name: &str) -> bool {
    lanewise(name).is_some()
}

/// Whether a call of the intrinsic can be left out.
pub(super) fn is_note(name: &str) -> bool {
    NOTES.iter().any(|base| is(name, base))
}

/// Whether `name` is `base` with the types that it is for, which start with a letter and a number: `.v4f32`, `.p0`.
fn is(name: &str, base: &str) -> bool {
    let Some(rest) = name.strip_prefix(base) else { return false };
    let part = |part: &str| part.is_empty() || part.contains(|c: char| c.is_ascii_digit());
    rest.is_empty() || (rest.starts_with('.') && rest.split('.').all(part)) || NOTES.contains(&base)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_told_apart() {
        assert_eq!(lanewise("llvm.fma.v8f32"), Some((Overload::Result, 3)));
        assert_eq!(lanewise("llvm.sadd.sat.i32"), Some((Overload::Result, 2)));
        assert_eq!(lanewise("llvm.fptosi.sat.i32.f64"), Some((Overload::ResultAndFirst, 1)));
        assert_eq!(lanewise("llvm.exp2.f32"), Some((Overload::Result, 1)));
        assert!(is_lanewise("llvm.round.f32") && is_lanewise("llvm.roundeven.f32"));
        assert!(!is_lanewise("llvm.memcpy.p0.p0.i64") && !is_lanewise("llvm.sqrt.fast.f32"));
        assert!(is_note("llvm.lifetime.start.p0") && is_note("llvm.assume"));
    }
}
