//! Which code runs on which device.

use super::{AmdArch, AmdTarget, NvidiaTarget, Portability, Setting, Support, Target};

/// Why code for a target does not run on a device.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("code for `{target}` does not run on `{device}`: {reason}")]
pub struct Mismatch {
    /// The target of the code.
    pub target: String,
    /// The device, as it names itself.
    pub device: String,
    /// What does not fit.
    pub reason: String,
}

impl Target {
    /// Whether code for this target runs on a device that names itself `device`: `gfx90a:sramecc+:xnack-` (HIP's
    /// `gcnArchName`), `sm_90` (the compute capability), `host`.
    pub fn runs_on(&self, device: &str) -> bool {
        self.check_runs_on(device).is_ok()
    }

    /// As [`Target::runs_on`], with the reason if it does not.
    pub fn check_runs_on(&self, device: &str) -> Result<(), Mismatch> {
        let mismatch = |reason| Mismatch { target: self.to_string(), device: device.into(), reason };
        let checked = match (self, device.parse(), capability(device)) {
            (Target::Nvidia(code), _, Some(has)) => nvidia(code, has),
            (Target::Amd(code), Ok(Target::Amd(device)), _) => amd(code, &device),
            (Target::Host, Ok(Target::Host), _) => Ok(()),
            (_, Ok(_), _) | (_, _, Some(_)) => Err("they are of different kinds".into()),
            (_, Err(_), None) => Err("the device is not one that this version of Wavewright knows".into()),
        };
        checked.map_err(mismatch)
    }
}

fn amd(code: &AmdTarget, device: &AmdTarget) -> Result<(), String> {
    let same = code.arch.name == device.arch.name;
    if !same && code.arch.is_generic() && !code.arch.members.contains(&device.arch.name) {
        return Err(format!("`{}` covers {} only", code.arch.name, list(code.arch)));
    }
    if !same && !code.arch.is_generic() {
        return Err("an AMD code object runs on its own architecture alone; compile for this one".into());
    }
    for (name, wanted, has, support) in [
        ("sramecc", code.sramecc, device.sramecc, device.arch.sramecc),
        ("xnack", code.xnack, device.xnack, device.arch.xnack),
    ] {
        let has = if support == Support::Always { Setting::On } else { has };
        let fits = wanted == Setting::Any || wanted == has;
        if !fits {
            let word = |setting| match setting {
                Setting::On => "on",
                Setting::Off => "off",
                Setting::Any => "not said to be either",
            };
            return Err(format!("it needs {name} {}, which is {} there", word(wanted), word(has)));
        }
    }
    Ok(())
}

fn list(arch: &AmdArch) -> String {
    let members: Vec<String> = arch.members.iter().map(|member| format!("`{member}`")).collect();
    members.join(", ")
}

/// The compute capability that `sm_90` names; of devices newer than the table of architectures too.
fn capability(device: &str) -> Option<(u32, u32)> {
    let number = device.strip_prefix("sm_")?.trim_end_matches(['a', 'f']).parse::<u32>().ok()?;
    Some((number / 10, number % 10))
}

fn nvidia(code: &NvidiaTarget, device: (u32, u32)) -> Result<(), String> {
    let (wants, has) = (hardware(code.arch.capability), hardware(device));
    match code.arch.portability {
        Portability::Forward if has >= wants => Ok(()),
        Portability::Forward => Err(format!("it needs compute capability {}.{} or later", wants.0, wants.1)),
        Portability::Family if has.0 == wants.0 && has >= wants => Ok(()),
        Portability::Family => {
            Err(format!("it needs compute capability {}.{} or a later one of {0}.x", wants.0, wants.1))
        }
        Portability::Exact if has == wants => Ok(()),
        Portability::Exact => Err(format!("it needs exactly compute capability {}.{}", wants.0, wants.1)),
    }
}

/// PTX 9.0 renamed the capability 10.1 to 11.0; drivers report the new name.
fn hardware(capability: (u32, u32)) -> (u32, u32) {
    match capability {
        (10, 1) => (11, 0),
        capability => capability,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn runs(target: &str, device: &str) -> bool {
        target.parse::<Target>().unwrap().runs_on(device)
    }

    #[test]
    fn amd_settings_must_match_where_the_code_has_any() {
        for (target, device, expected) in [
            ("gfx90a", "gfx90a:sramecc+:xnack-", true),
            ("gfx90a:xnack-", "gfx90a:sramecc+:xnack-", true),
            ("gfx90a:xnack+", "gfx90a:sramecc+:xnack-", false),
            ("gfx90a:sramecc-", "gfx90a:sramecc+:xnack-", false),
            ("gfx90a:sramecc+:xnack-", "gfx90a:sramecc+:xnack-", true),
            ("gfx90a:xnack-", "gfx90a", false),
            ("gfx942", "gfx90a:sramecc+:xnack-", false),
            ("gfx1100:wave64", "gfx1100", true),
            ("gfx1250", "gfx1250", true),
        ] {
            assert_eq!(runs(target, device), expected, "{target} on {device}");
        }
    }

    #[test]
    fn generic_amd_code_runs_on_the_members() {
        for (target, device, expected) in [
            ("gfx11-generic", "gfx1100", true),
            ("gfx11-generic", "gfx1151", true),
            ("gfx11-generic", "gfx1201", false),
            ("gfx9-4-generic:xnack+", "gfx942:sramecc+:xnack-", false),
            ("gfx9-4-generic:xnack-", "gfx942:sramecc+:xnack-", true),
            ("gfx9-generic", "gfx906:sramecc+:xnack-", true),
            ("gfx9-generic", "gfx90a:sramecc+:xnack-", false),
            ("gfx1100", "gfx1101", false),
        ] {
            assert_eq!(runs(target, device), expected, "{target} on {device}");
        }
    }

    #[test]
    fn ptx_runs_on_later_devices_unless_its_architecture_says_otherwise() {
        for (target, device, expected) in [
            ("sm_70", "sm_90", true),
            ("sm_90", "sm_90", true),
            ("sm_90", "sm_120", true),
            ("sm_90", "sm_89", false),
            ("sm_90a", "sm_90", true),
            ("sm_90a", "sm_100", false),
            ("sm_100f", "sm_103", true),
            ("sm_103f", "sm_100", false),
            ("sm_100f", "sm_120", false),
            ("sm_120a", "sm_121", false),
            ("sm_101a", "sm_110", true),
            ("sm_80", "sm_137", true),
            ("sm_90", "gfx942", false),
            ("gfx942", "sm_90", false),
        ] {
            assert_eq!(runs(target, device), expected, "{target} on {device}");
        }
    }

    #[test]
    fn a_mismatch_says_why() {
        let why = |target: &str, device: &str| {
            target.parse::<Target>().unwrap().check_runs_on(device).unwrap_err().to_string()
        };
        assert_eq!(
            why("gfx90a:xnack+", "gfx90a:sramecc+:xnack-"),
            "code for `gfx90a:xnack+` does not run on `gfx90a:sramecc+:xnack-`: it needs xnack on, which is off there"
        );
        assert_eq!(
            why("gfx12-generic", "gfx1100"),
            "code for `gfx12-generic` does not run on `gfx1100`: `gfx12-generic` covers `gfx1200`, `gfx1201` only"
        );
        assert_eq!(
            why("sm_90", "host"),
            "code for `sm_90` does not run on `host`: they are of different kinds"
        );
    }
}
