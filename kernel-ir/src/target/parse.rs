//! Targets as text.

use super::nearest::nearest;
use super::{AmdArch, AmdTarget, NvidiaArch, NvidiaTarget, PtxVersion, Setting, Support, Target};
use std::fmt;
use std::str::FromStr;

/// A text that is not a target.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseTargetError {
    /// There is no such architecture.
    #[error("`{name}` is not a target{}", suggestion(.nearest))]
    UnknownArch {
        /// What was written.
        name: String,
        /// Known names that look like it, closest first.
        nearest: Vec<&'static str>,
    },
    /// There is such an architecture, but it came before the oldest that is compiled for.
    #[error("`{name}` is not supported: the oldest {vendor} target is `{oldest}`")]
    TooOld {
        /// What was written.
        name: String,
        /// Who makes it.
        vendor: &'static str,
        /// The oldest target of that vendor.
        oldest: &'static str,
    },
    /// The architecture has no such feature, or the feature is not written like this.
    #[error("`{feature}` can't follow `{arch}`, which takes {takes}")]
    BadFeature {
        /// The architecture.
        arch: &'static str,
        /// What was written after it.
        feature: String,
        /// What could be.
        takes: String,
    },
    /// The same feature is written twice.
    #[error("`{feature}` sets what an earlier part of `{target}` has set")]
    RepeatedFeature {
        /// The whole text.
        target: String,
        /// The second setting.
        feature: String,
    },
    /// The PTX version came before the architecture.
    #[error("PTX {asked} does not know `{arch}`: the oldest version that does is {oldest} (`{arch}:ptx{}`)", .oldest.0)]
    PtxTooOld {
        /// The architecture.
        arch: &'static str,
        /// The PTX version that was asked for.
        asked: PtxVersion,
        /// The oldest that it can be.
        oldest: PtxVersion,
    },
}

fn suggestion(nearest: &[&str]) -> String {
    match nearest {
        [] => "; targets are AMD's (`gfx942`), NVIDIA's (`sm_90`) and `host`".into(),
        [only] => format!("; did you mean `{only}`?"),
        [first, others @ ..] => {
            let others: Vec<String> = others.iter().map(|name| format!("`{name}`")).collect();
            format!("; did you mean `{first}`, or {}?", others.join(", "))
        }
    }
}

impl FromStr for Target {
    type Err = ParseTargetError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut parts = text.split(':');
        let name = parts.next().unwrap_or_default();
        let features: Vec<&str> = parts.collect();
        if let Some(arch) = AmdArch::named(name) {
            return amd(text, arch, &features).map(Target::Amd);
        }
        if let Some(arch) = NvidiaArch::named(name) {
            return nvidia(text, arch, &features).map(Target::Nvidia);
        }
        if name == "host" {
            return match features.first() {
                None => Ok(Target::Host),
                Some(feature) => Err(ParseTargetError::BadFeature {
                    arch: "host",
                    feature: (*feature).into(),
                    takes: "nothing".into(),
                }),
            };
        }
        Err(unknown(name))
    }
}

fn unknown(name: &str) -> ParseTargetError {
    let digits = |prefix: &str| name.strip_prefix(prefix).and_then(|rest| rest.parse::<u32>().ok());
    if digits("sm_").is_some_and(|number| (10..70).contains(&number)) {
        return ParseTargetError::TooOld { name: name.into(), vendor: "NVIDIA", oldest: "sm_70" };
    }
    if digits("gfx").is_some_and(|number| (600..900).contains(&number)) {
        return ParseTargetError::TooOld { name: name.into(), vendor: "AMD", oldest: "gfx900" };
    }
    let amd = AmdArch::ALL.iter().map(|arch| arch.name);
    let nvidia = NvidiaArch::ALL.iter().map(|arch| arch.name);
    let names = amd.chain(nvidia).chain(["host"]);
    ParseTargetError::UnknownArch { name: name.into(), nearest: nearest(name, names) }
}

fn amd(text: &str, arch: &'static AmdArch, features: &[&str]) -> Result<AmdTarget, ParseTargetError> {
    let mut target = AmdTarget::new(arch);
    let mut wave_size = None;
    for feature in features {
        let repeated =
            || ParseTargetError::RepeatedFeature { target: text.into(), feature: (*feature).into() };
        let sign = match feature.chars().last() {
            Some('+') => Setting::On,
            Some('-') => Setting::Off,
            _ => Setting::Any,
        };
        let slot = match feature.trim_end_matches(['+', '-']) {
            "sramecc" if arch.sramecc == Support::Optional => &mut target.sramecc,
            "xnack" if arch.xnack == Support::Optional => &mut target.xnack,
            wave => {
                let size = wave.strip_prefix("wave").and_then(|size| size.parse().ok());
                let size = size.filter(|size| sign == Setting::Any && arch.wave_sizes.contains(size));
                let size = size.ok_or_else(|| bad_amd_feature(arch, feature))?;
                if wave_size.replace(size).is_some() {
                    return Err(repeated());
                }
                continue;
            }
        };
        if feature.trim_end_matches(['+', '-']).len() + 1 != feature.len() {
            return Err(bad_amd_feature(arch, feature));
        }
        if std::mem::replace(slot, sign) != Setting::Any {
            return Err(repeated());
        }
    }
    target.wave_size = wave_size.unwrap_or(target.wave_size);
    Ok(target)
}

fn bad_amd_feature(arch: &'static AmdArch, feature: &str) -> ParseTargetError {
    let mut takes = Vec::new();
    for (name, support) in [("sramecc", arch.sramecc), ("xnack", arch.xnack)] {
        if support == Support::Optional {
            takes.extend([format!("`{name}+`"), format!("`{name}-`")]);
        }
    }
    takes.extend(arch.wave_sizes.iter().map(|size| format!("`wave{size}`")));
    ParseTargetError::BadFeature { arch: arch.name, feature: feature.into(), takes: takes.join(", ") }
}

fn nvidia(
    text: &str,
    arch: &'static NvidiaArch,
    features: &[&str],
) -> Result<NvidiaTarget, ParseTargetError> {
    let mut target = NvidiaTarget::new(arch);
    for (number, feature) in features.iter().enumerate() {
        let asked = feature.strip_prefix("ptx").and_then(|version| version.parse().ok()).map(PtxVersion);
        let Some(asked) = asked.filter(|version| PtxVersion::all().any(|known| known == *version)) else {
            let newest = PtxVersion::all().last().unwrap_or(arch.ptx_oldest);
            let takes = format!("a PTX version from `ptx{}` to `ptx{}`", arch.ptx_oldest.0, newest.0);
            return Err(ParseTargetError::BadFeature { arch: arch.name, feature: (*feature).into(), takes });
        };
        if number > 0 {
            return Err(ParseTargetError::RepeatedFeature {
                target: text.into(),
                feature: (*feature).into(),
            });
        }
        if asked < arch.ptx_oldest {
            return Err(ParseTargetError::PtxTooOld { arch: arch.name, asked, oldest: arch.ptx_oldest });
        }
        target.ptx = asked;
    }
    Ok(target)
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Target::Amd(target) => target.fmt(f),
            Target::Nvidia(target) => target.fmt(f),
            Target::Host => f.write_str("host"),
        }
    }
}

impl fmt::Display for AmdTarget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.target_id())?;
        if self.wave_size != self.arch.wave_sizes[0] {
            write!(f, ":wave{}", self.wave_size)?;
        }
        Ok(())
    }
}

impl fmt::Display for NvidiaTarget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.arch.name)?;
        if self.ptx != self.arch.ptx_default() {
            write!(f, ":ptx{}", self.ptx.0)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> String {
        text.parse::<Target>().expect_err("it is no target").to_string()
    }

    #[test]
    fn every_target_prints_as_it_parses() {
        for target in Target::all() {
            assert_eq!(target.to_string().parse(), Ok(target));
        }
        for text in [
            "gfx90a:sramecc+:xnack-",
            "gfx942:xnack+",
            "gfx1100:wave64",
            "gfx1010:xnack-:wave64",
            "sm_90:ptx83",
            "gfx9-4-generic:sramecc-",
        ] {
            assert_eq!(text.parse::<Target>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn features_print_in_the_order_of_a_target_id_and_defaults_are_left_out() {
        for (text, printed) in [
            ("gfx90a:xnack-:sramecc+", "gfx90a:sramecc+:xnack-"),
            ("gfx1100:wave32", "gfx1100"),
            ("gfx942:wave64", "gfx942"),
            ("sm_90:ptx78", "sm_90"),
        ] {
            assert_eq!(text.parse::<Target>().unwrap().to_string(), printed);
        }
    }

    #[test]
    fn the_issue_names_are_there() {
        for name in "gfx900 gfx906 gfx908 gfx90a gfx942 gfx950 gfx1010 gfx1030 gfx1100 gfx1101 gfx1102 gfx1103 \
                     gfx1150 gfx1151 gfx1200 gfx1201 gfx1250 gfx9-generic gfx9-4-generic gfx10-1-generic \
                     gfx10-3-generic gfx11-generic gfx12-generic sm_70 sm_72 sm_75 sm_80 sm_86 sm_87 sm_89 sm_90 \
                     sm_90a sm_100 sm_100a sm_103 sm_103a sm_120 sm_120a host"
            .split_whitespace()
        {
            assert!(name.parse::<Target>().is_ok(), "{name}");
        }
    }

    #[test]
    fn errors_say_what_is_wrong_and_what_is_near() {
        for (text, message) in [
            ("gfx943", "`gfx943` is not a target; did you mean `gfx942`, or `gfx900`, `gfx902`?"),
            ("sm90", "`sm90` is not a target; did you mean `sm_90`, or `sm_90a`?"),
            (
                "pentium",
                "`pentium` is not a target; targets are AMD's (`gfx942`), NVIDIA's (`sm_90`) and `host`",
            ),
            ("", "`` is not a target; targets are AMD's (`gfx942`), NVIDIA's (`sm_90`) and `host`"),
            ("sm_61", "`sm_61` is not supported: the oldest NVIDIA target is `sm_70`"),
            ("gfx803", "`gfx803` is not supported: the oldest AMD target is `gfx900`"),
            ("gfx1100:xnack+", "`xnack+` can't follow `gfx1100`, which takes `wave32`, `wave64`"),
            ("gfx1250:xnack+", "`xnack+` can't follow `gfx1250`, which takes `wave32`"),
            (
                "gfx90a:xnack",
                "`xnack` can't follow `gfx90a`, which takes `sramecc+`, `sramecc-`, `xnack+`, `xnack-`, `wave64`",
            ),
            ("gfx900:wave32", "`wave32` can't follow `gfx900`, which takes `xnack+`, `xnack-`, `wave64`"),
            ("gfx90a:xnack+:xnack-", "`xnack-` sets what an earlier part of `gfx90a:xnack+:xnack-` has set"),
            (
                "gfx1100:wave64:wave32",
                "`wave32` sets what an earlier part of `gfx1100:wave64:wave32` has set",
            ),
            (
                "gfx90a:xnack++",
                "`xnack++` can't follow `gfx90a`, which takes `sramecc+`, `sramecc-`, `xnack+`, `xnack-`, `wave64`",
            ),
            (
                "sm_90:ptx70",
                "PTX 7.0 does not know `sm_90`: the oldest version that does is 7.8 (`sm_90:ptx78`)",
            ),
            (
                "sm_90:ptx99",
                "`ptx99` can't follow `sm_90`, which takes a PTX version from `ptx78` to `ptx90`",
            ),
            ("host:avx2", "`avx2` can't follow `host`, which takes nothing"),
        ] {
            assert_eq!(error(text), message);
        }
    }
}
