//! The AMD architectures that LLVM 22 compiles for under `amdhsa`, from GCN 5 on.
//!
//! Sources: LLVM's "User Guide for AMDGPU Backend" (<https://llvm.org/docs/AMDGPUUsage.html>): its table "AMDGPU
//! Processors" for xnack, sramecc and wave sizes, its table "AMDGPU Generic Processors" for the members of the generic
//! ones and what these lack of them (fp8, bf8 and xf32 on gfx9-4-generic; registers on gfx11-generic), and its rules for
//! target-ids. Matrix instructions as the CDNA, RDNA and gfx1250 instruction set manuals list them.
//!
//! The tests of `codegen/src/machine.rs` ask LLVM 22.1 itself which processors there are, how its register allocator
//! shares the registers among waves, how much shared memory a block may have, and what the headers of objects say of
//! xnack, sramecc and generic architectures.

/// A line of architectures that share an instruction set, more or less.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum AmdFamily {
    /// Vega.
    Gcn5,
    /// Instinct MI100.
    Cdna1,
    /// Instinct MI200.
    Cdna2,
    /// Instinct MI300.
    Cdna3,
    /// Instinct MI350.
    Cdna4,
    /// Radeon RX 5000.
    Rdna1,
    /// Radeon RX 6000.
    Rdna2,
    /// Radeon RX 7000 and the APUs that followed.
    Rdna3,
    /// Radeon RX 9000.
    Rdna4,
    /// gfx1250 and gfx1251.
    Gfx1250,
}

/// Whether an architecture has a hardware mode that a code object may have to match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Support {
    /// It does not exist.
    No,
    /// A device has it on or off.
    Optional,
    /// It is always on, and not part of a target's name.
    Always,
}

/// What a code object demands of such a mode.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Setting {
    /// Nothing: it runs either way.
    #[default]
    Any,
    /// That it is on (`xnack+`).
    On,
    /// That it is off (`xnack-`).
    Off,
}

/// Where matrix instructions keep their sums.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Accumulators {
    /// In the vector registers.
    None,
    /// In 256 registers of their own.
    Separate,
    /// In the upper part of the vector registers, which hold both kinds.
    Unified,
}

/// Which matrix instructions there are. Each kind has those of the element types that it names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MatrixUnits {
    /// None.
    None,
    /// `v_mfma`: f32, f16, bf16, i8.
    Mfma1,
    /// `v_mfma` with f64 and full-rate bf16 (`_1k`).
    Mfma2,
    /// What gfx942 and gfx950 share: as [`MatrixUnits::Mfma2`], with larger i8 shapes and sparse `v_smfmac`.
    Mfma3Common,
    /// With fp8 and bf8 of the "fnuz" kind, and xf32.
    Mfma3,
    /// With fp8 and bf8 of the OCP kind, fp6, bf6, fp4 and block scales; without xf32.
    Mfma4,
    /// `v_wmma` 16x16x16: f16, bf16, i8, i4; operands repeated in both halves of a wave.
    Wmma1,
    /// `v_wmma` 16x16x16, operands not repeated, with fp8, bf8 (OCP) and sparse `v_swmmac`.
    Wmma2,
    /// `v_wmma` 16x16 with larger depths: f32, f16, bf16, fp8, bf8, fp6, bf6, fp4, i8 and block scales.
    Wmma3,
    /// With f64.
    Wmma3F64,
}

/// The vector registers of a SIMD, as waves of one size see them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RegisterFile {
    /// How many all waves of a SIMD share.
    pub total: u32,
    /// The most that one wave can use, accumulators included where they are [`Accumulators::Unified`].
    pub addressable: u32,
    /// A wave gets a multiple of this many.
    pub granule: u32,
}

/// What is known of an AMD architecture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AmdArch {
    /// LLVM's name.
    pub name: &'static str,
    /// The line it belongs to.
    pub family: AmdFamily,
    /// Of a generic architecture, those that run its code; empty for any other.
    pub members: &'static [&'static str],
    /// The wave sizes that it has, the default first.
    pub wave_sizes: &'static [u32],
    /// The vector registers, as waves of the default size see them.
    pub vector: RegisterFile,
    /// Where matrix instructions keep their sums.
    pub accumulators: Accumulators,
    /// The scalar registers that a wave can use.
    pub scalar: u32,
    /// A wave gets a multiple of this many scalar registers; where it is [`AmdArch::scalar`], always all.
    pub scalar_granule: u32,
    /// The most waves that a SIMD holds.
    pub waves_per_simd: u32,
    /// SIMDs in a compute unit.
    pub simds: u32,
    /// Shared memory (LDS) that a block can have, in bytes.
    pub lds_bytes: u64,
    /// Its matrix instructions.
    pub matrix: MatrixUnits,
    /// Whether page faults can be retried (xnack).
    pub xnack: Support,
    /// Whether local memory can have error correction (sramecc).
    pub sramecc: Support,
}

const GCN5: AmdArch = AmdArch {
    name: "",
    family: AmdFamily::Gcn5,
    members: &[],
    wave_sizes: &[64],
    vector: RegisterFile { total: 256, addressable: 256, granule: 4 },
    accumulators: Accumulators::None,
    scalar: 102,
    scalar_granule: 16,
    waves_per_simd: 10,
    simds: 4,
    lds_bytes: 64 << 10,
    matrix: MatrixUnits::None,
    xnack: Support::Optional,
    sramecc: Support::No,
};
const CDNA1: AmdArch = AmdArch {
    family: AmdFamily::Cdna1,
    accumulators: Accumulators::Separate,
    matrix: MatrixUnits::Mfma1,
    sramecc: Support::Optional,
    ..GCN5
};
const CDNA2: AmdArch = AmdArch {
    family: AmdFamily::Cdna2,
    vector: RegisterFile { total: 512, addressable: 512, granule: 8 },
    accumulators: Accumulators::Unified,
    waves_per_simd: 8,
    matrix: MatrixUnits::Mfma2,
    ..CDNA1
};
const CDNA3: AmdArch = AmdArch { family: AmdFamily::Cdna3, matrix: MatrixUnits::Mfma3, ..CDNA2 };
const CDNA4: AmdArch =
    AmdArch { family: AmdFamily::Cdna4, matrix: MatrixUnits::Mfma4, lds_bytes: 160 << 10, ..CDNA2 };
const RDNA1: AmdArch = AmdArch {
    family: AmdFamily::Rdna1,
    wave_sizes: &[32, 64],
    vector: RegisterFile { total: 1024, addressable: 256, granule: 8 },
    scalar: 106,
    scalar_granule: 106,
    waves_per_simd: 20,
    simds: 2,
    ..GCN5
};
const RDNA2: AmdArch = AmdArch {
    family: AmdFamily::Rdna2,
    vector: RegisterFile { total: 1024, addressable: 256, granule: 16 },
    waves_per_simd: 16,
    xnack: Support::No,
    ..RDNA1
};
const RDNA3: AmdArch = AmdArch { family: AmdFamily::Rdna3, matrix: MatrixUnits::Wmma1, ..RDNA2 };
/// The larger members of RDNA 3 have half as many vector registers again.
const RDNA3_LARGE: AmdArch =
    AmdArch { vector: RegisterFile { total: 1536, addressable: 256, granule: 24 }, ..RDNA3 };
const RDNA4: AmdArch = AmdArch { family: AmdFamily::Rdna4, matrix: MatrixUnits::Wmma2, ..RDNA3_LARGE };
const GFX1250: AmdArch = AmdArch {
    family: AmdFamily::Gfx1250,
    wave_sizes: &[32],
    vector: RegisterFile { total: 1024, addressable: 1024, granule: 16 },
    simds: 4,
    lds_bytes: 320 << 10,
    matrix: MatrixUnits::Wmma3,
    xnack: Support::Always,
    sramecc: Support::Always,
    ..RDNA4
};

impl AmdArch {
    /// Every architecture, in the order of their names, each generic one before its members.
    pub const ALL: &'static [AmdArch] = &[
        AmdArch {
            name: "gfx9-generic",
            members: &["gfx900", "gfx902", "gfx904", "gfx906", "gfx909", "gfx90c"],
            ..GCN5
        },
        AmdArch { name: "gfx900", ..GCN5 },
        AmdArch { name: "gfx902", ..GCN5 },
        AmdArch { name: "gfx904", ..GCN5 },
        AmdArch { name: "gfx906", sramecc: Support::Optional, ..GCN5 },
        AmdArch { name: "gfx908", ..CDNA1 },
        AmdArch { name: "gfx909", ..GCN5 },
        AmdArch { name: "gfx90a", ..CDNA2 },
        AmdArch { name: "gfx90c", ..GCN5 },
        AmdArch {
            name: "gfx9-4-generic",
            members: &["gfx942", "gfx950"],
            matrix: MatrixUnits::Mfma3Common,
            ..CDNA3
        },
        AmdArch { name: "gfx942", ..CDNA3 },
        AmdArch { name: "gfx950", ..CDNA4 },
        AmdArch { name: "gfx10-1-generic", members: &["gfx1010", "gfx1011", "gfx1012", "gfx1013"], ..RDNA1 },
        AmdArch { name: "gfx1010", ..RDNA1 },
        AmdArch { name: "gfx1011", ..RDNA1 },
        AmdArch { name: "gfx1012", ..RDNA1 },
        AmdArch { name: "gfx1013", ..RDNA1 },
        AmdArch {
            name: "gfx10-3-generic",
            members: &["gfx1030", "gfx1031", "gfx1032", "gfx1033", "gfx1034", "gfx1035", "gfx1036"],
            ..RDNA2
        },
        AmdArch { name: "gfx1030", ..RDNA2 },
        AmdArch { name: "gfx1031", ..RDNA2 },
        AmdArch { name: "gfx1032", ..RDNA2 },
        AmdArch { name: "gfx1033", ..RDNA2 },
        AmdArch { name: "gfx1034", ..RDNA2 },
        AmdArch { name: "gfx1035", ..RDNA2 },
        AmdArch { name: "gfx1036", ..RDNA2 },
        AmdArch {
            name: "gfx11-generic",
            members: &[
                "gfx1100", "gfx1101", "gfx1102", "gfx1103", "gfx1150", "gfx1151", "gfx1152", "gfx1153",
            ],
            ..RDNA3
        },
        AmdArch { name: "gfx1100", ..RDNA3_LARGE },
        AmdArch { name: "gfx1101", ..RDNA3_LARGE },
        AmdArch { name: "gfx1102", ..RDNA3 },
        AmdArch { name: "gfx1103", ..RDNA3 },
        AmdArch { name: "gfx1150", ..RDNA3 },
        AmdArch { name: "gfx1151", ..RDNA3_LARGE },
        AmdArch { name: "gfx1152", ..RDNA3 },
        AmdArch { name: "gfx1153", ..RDNA3 },
        AmdArch { name: "gfx12-generic", members: &["gfx1200", "gfx1201"], ..RDNA4 },
        AmdArch { name: "gfx1200", ..RDNA4 },
        AmdArch { name: "gfx1201", ..RDNA4 },
        AmdArch { name: "gfx1250", ..GFX1250 },
        AmdArch { name: "gfx1251", matrix: MatrixUnits::Wmma3F64, ..GFX1250 },
    ];

    /// The most threads that a block may have.
    pub const BLOCK_THREADS: u32 = 1024;

    /// The architecture of this name.
    pub fn named(name: &str) -> Option<&'static AmdArch> {
        Self::ALL.iter().find(|arch| arch.name == name)
    }

    /// Whether the name stands for several architectures.
    pub const fn is_generic(&self) -> bool {
        !self.members.is_empty()
    }

    /// The version of the code object format (`amdhsa_code_object_version`): generic architectures need 6, which
    /// older loaders do not know, so the others stay with 5.
    pub const fn code_object_version(&self) -> u32 {
        if self.is_generic() { 6 } else { 5 }
    }

    /// The vector registers, as waves of `wave_size` see them: the same memory holds half as many registers that are
    /// twice as wide.
    pub fn register_file(&self, wave_size: u32) -> RegisterFile {
        let wider = wave_size / self.wave_sizes[0];
        RegisterFile { total: self.vector.total / wider, granule: self.vector.granule / wider, ..self.vector }
    }
}

/// An AMD architecture and what is chosen of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AmdTarget {
    /// The architecture.
    pub arch: &'static AmdArch,
    /// Error correction of local memory.
    pub sramecc: Setting,
    /// Retried page faults.
    pub xnack: Setting,
    /// Threads in a wave: one of [`AmdArch::wave_sizes`].
    pub wave_size: u32,
}

impl AmdTarget {
    /// The architecture with its default choices.
    pub const fn new(arch: &'static AmdArch) -> Self {
        Self { arch, sramecc: Setting::Any, xnack: Setting::Any, wave_size: arch.wave_sizes[0] }
    }

    /// The target-id that LLVM and AMD's runtime use: the target without the choice of a wave size.
    pub fn target_id(&self) -> String {
        let sign = |name, setting| match setting {
            Setting::Any => String::new(),
            Setting::On => format!(":{name}+"),
            Setting::Off => format!(":{name}-"),
        };
        format!("{}{}{}", self.arch.name, sign("sramecc", self.sramecc), sign("xnack", self.xnack))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_members_of_generic_architectures_are_known_and_share_what_code_relies_on() {
        for generic in AmdArch::ALL.iter().filter(|arch| arch.is_generic()) {
            for member in generic.members {
                let member = AmdArch::named(member).expect("a member is in the table");
                assert!(!member.is_generic());
                assert_eq!(member.wave_sizes, generic.wave_sizes);
                assert!(member.lds_bytes >= generic.lds_bytes, "{}", member.name);
                assert!(member.vector.total >= generic.vector.total, "{}", member.name);
                assert_eq!(member.accumulators, generic.accumulators);
            }
        }
    }

    #[test]
    fn wider_waves_see_fewer_registers() {
        let gfx1100 = AmdArch::named("gfx1100").unwrap();
        assert_eq!(gfx1100.register_file(32), RegisterFile { total: 1536, addressable: 256, granule: 24 });
        assert_eq!(gfx1100.register_file(64), RegisterFile { total: 768, addressable: 256, granule: 12 });
        let gfx942 = AmdArch::named("gfx942").unwrap();
        assert_eq!(gfx942.register_file(64), RegisterFile { total: 512, addressable: 512, granule: 8 });
    }
}
