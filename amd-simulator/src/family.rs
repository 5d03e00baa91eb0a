//! What differs between the families of architectures, as far as executing their code goes.

use wavewright_kernel_ir::target::{AmdArch, AmdFamily, AmdTarget};

/// How a family does what others do otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Family {
    /// LLVM's name of the architecture.
    pub name: &'static str,
    /// Its memory of a work-group, in bytes.
    pub shared_bytes: u64,
    /// Whether waves of 32 are the default.
    pub wave32: bool,
    /// Whether an operation on 16 bits clears the upper half of its destination.
    pub halves_clear: bool,
    /// Whether all work-item ids lie in one register.
    pub packed_ids: bool,
    /// Whether the hardware knows a wave's scratch memory by itself.
    pub architected_scratch: bool,
    /// Whether work-group ids are in `ttmp` registers.
    pub ids_in_ttmp: bool,
    /// Whether `v_cmpx` writes `exec` only.
    pub cmpx_exec_only: bool,
    /// Whether accumulators share a file with the vector registers.
    pub unified_accumulators: bool,
    /// How many vector registers a unit of the kernel descriptor's count is, for waves of 32 and of 64.
    pub register_unit: [u32; 2],
    /// Compute units of the product.
    pub compute_units: u32,
    /// What the product is called.
    pub product: &'static str,
}

/// Why an architecture can't be simulated.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the simulator does not know `{0}`; it simulates gfx90a, gfx942, gfx950, gfx1030, gfx110x, gfx115x and gfx120x"
)]
pub struct UnknownFamily(pub String);

impl Family {
    /// That of a target.
    pub fn of(target: &AmdTarget) -> Result<Self, UnknownFamily> {
        let arch: &AmdArch = target.arch;
        let rdna = !matches!(
            arch.family,
            AmdFamily::Gcn5 | AmdFamily::Cdna1 | AmdFamily::Cdna2 | AmdFamily::Cdna3 | AmdFamily::Cdna4
        );
        let (compute_units, product) = match (arch.family, arch.name) {
            (_, name) if arch.is_generic() => return Err(UnknownFamily(name.into())),
            (AmdFamily::Cdna2, _) => (104, "AMD Instinct MI200"),
            (AmdFamily::Cdna3, _) => (304, "AMD Instinct MI300X"),
            (AmdFamily::Cdna4, _) => (256, "AMD Instinct MI350X"),
            (AmdFamily::Rdna2, _) => (40, "AMD Radeon RX 6800"),
            (AmdFamily::Rdna3, _) => (48, "AMD Radeon RX 7900 XTX"),
            (AmdFamily::Rdna4, _) => (32, "AMD Radeon RX 9070 XT"),
            (_, name) => return Err(UnknownFamily(name.into())),
        };
        Ok(Family {
            name: arch.name,
            shared_bytes: arch.lds_bytes,
            wave32: rdna,
            halves_clear: !rdna,
            packed_ids: !matches!(arch.family, AmdFamily::Rdna2),
            architected_scratch: !matches!(arch.family, AmdFamily::Cdna2 | AmdFamily::Rdna2),
            ids_in_ttmp: matches!(arch.family, AmdFamily::Rdna4),
            cmpx_exec_only: rdna,
            unified_accumulators: !rdna,
            register_unit: if rdna { [8, 4] } else { [8, 8] },
            compute_units,
            product,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn families_differ_in_what_they_must() {
        let family = |name| Family::of(&AmdTarget::new(AmdArch::named(name).unwrap()));
        let (gfx942, gfx1030, gfx1201) =
            (family("gfx942").unwrap(), family("gfx1030").unwrap(), family("gfx1201").unwrap());
        assert!(gfx942.halves_clear && !gfx1201.halves_clear);
        assert!(gfx1201.ids_in_ttmp && !gfx942.ids_in_ttmp);
        assert!(!gfx1030.packed_ids && !gfx1030.architected_scratch);
        assert!(family("gfx900").is_err() && family("gfx11-generic").is_err());
    }
}
