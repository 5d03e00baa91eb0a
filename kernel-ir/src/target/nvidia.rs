//! The NVIDIA architectures that LLVM 22 writes PTX for, from Volta on.
//!
//! Sources: "Compute Capabilities" in the CUDA programming guide (shared memory, threads and blocks of a
//! multiprocessor), the `.target` directive and the release history in the PTX ISA manual (which PTX version knows an
//! architecture, what runs where, which CUDA release brought a PTX version), and the table of drivers in the CUDA
//! toolkit's release notes. The oldest PTX version of an architecture is checked against LLVM 22.1 in
//! the tests of `codegen/src/machine.rs`.

/// A version of the PTX language: 7.8 is `PtxVersion(78)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PtxVersion(pub u32);

/// A PTX version, the CUDA version of the first driver that knows it, and that driver's branch on Linux.
const PTX_VERSIONS: &[(PtxVersion, (u32, u32), u32)] = &[
    (PtxVersion(60), (9, 0), 384),
    (PtxVersion(61), (9, 1), 387),
    (PtxVersion(62), (9, 2), 396),
    (PtxVersion(63), (10, 0), 410),
    (PtxVersion(64), (10, 1), 418),
    (PtxVersion(65), (10, 2), 440),
    (PtxVersion(70), (11, 0), 450),
    (PtxVersion(71), (11, 1), 455),
    (PtxVersion(72), (11, 2), 460),
    (PtxVersion(73), (11, 3), 465),
    (PtxVersion(74), (11, 4), 470),
    (PtxVersion(75), (11, 5), 495),
    (PtxVersion(76), (11, 6), 510),
    (PtxVersion(77), (11, 7), 515),
    (PtxVersion(78), (11, 8), 520),
    (PtxVersion(80), (12, 0), 525),
    (PtxVersion(81), (12, 1), 530),
    (PtxVersion(82), (12, 2), 535),
    (PtxVersion(83), (12, 3), 545),
    (PtxVersion(84), (12, 4), 550),
    (PtxVersion(85), (12, 5), 555),
    (PtxVersion(86), (12, 7), 565),
    (PtxVersion(87), (12, 8), 570),
    (PtxVersion(88), (12, 9), 575),
    (PtxVersion(90), (13, 0), 580),
];

impl PtxVersion {
    /// The versions that can be emitted, oldest first.
    pub fn all() -> impl Iterator<Item = PtxVersion> {
        PTX_VERSIONS.iter().map(|row| row.0)
    }

    /// The CUDA version, as `cuDriverGetVersion` reports it (12.8 is 12080), of the first driver that loads it.
    pub fn cuda_version(self) -> Option<u32> {
        PTX_VERSIONS.iter().find(|row| row.0 == self).map(|row| row.1.0 * 1000 + row.1.1 * 10)
    }

    /// The first branch of the Linux driver that loads it.
    pub fn driver_branch(self) -> Option<u32> {
        PTX_VERSIONS.iter().find(|row| row.0 == self).map(|row| row.2)
    }

    /// The newest version that a driver loads whose `cuDriverGetVersion` is `cuda_version`.
    pub fn newest_for(cuda_version: u32) -> Option<PtxVersion> {
        PtxVersion::all().filter(|v| v.cuda_version().is_some_and(|needed| needed <= cuda_version)).last()
    }
}

impl std::fmt::Display for PtxVersion {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{}", self.0 / 10, self.0 % 10)
    }
}

/// Where PTX for an architecture runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Portability {
    /// On this compute capability and every later one.
    Forward,
    /// On this one and the later ones of its family (`sm_100f`).
    Family,
    /// On this one alone (`sm_90a`).
    Exact,
}

/// The matrix instructions (`mma` and what came after) of an architecture. Each generation has those before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum TensorCores {
    /// f16.
    Volta,
    /// With i8, i4 and single bits.
    Turing,
    /// With bf16, tf32 and f64, and sparse operands.
    Ampere,
    /// With fp8.
    Ada,
    /// With fp8; `wgmma` under `sm_90a`.
    Hopper,
    /// With `tcgen05` under `sm_100a` and its like.
    Blackwell,
    /// With fp4 and fp6 in `mma` under `sm_120a` and its like; without `tcgen05`.
    BlackwellConsumer,
}

/// What is known of an NVIDIA architecture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NvidiaArch {
    /// LLVM's and NVIDIA's name.
    pub name: &'static str,
    /// The compute capability.
    pub capability: (u32, u32),
    /// Where its PTX runs.
    pub portability: Portability,
    /// The oldest PTX version that knows it.
    pub ptx_oldest: PtxVersion,
    /// The most shared memory that a block can ask for at launch, in bytes.
    pub shared_bytes_opt_in: u64,
    /// The shared memory that the blocks of a multiprocessor share, in bytes.
    pub shared_bytes_per_multiprocessor: u64,
    /// The most threads that a multiprocessor holds.
    pub threads_per_multiprocessor: u32,
    /// The most blocks that a multiprocessor holds.
    pub blocks_per_multiprocessor: u32,
    /// Its matrix instructions.
    pub tensor_cores: TensorCores,
}

const KIB: u64 = 1024;

const SM_70: NvidiaArch = NvidiaArch {
    name: "sm_70",
    capability: (7, 0),
    portability: Portability::Forward,
    ptx_oldest: PtxVersion(60),
    shared_bytes_opt_in: 96 * KIB,
    shared_bytes_per_multiprocessor: 96 * KIB,
    threads_per_multiprocessor: 2048,
    blocks_per_multiprocessor: 32,
    tensor_cores: TensorCores::Volta,
};
const SM_80: NvidiaArch = NvidiaArch {
    name: "sm_80",
    capability: (8, 0),
    ptx_oldest: PtxVersion(70),
    shared_bytes_opt_in: 163 * KIB,
    shared_bytes_per_multiprocessor: 164 * KIB,
    tensor_cores: TensorCores::Ampere,
    ..SM_70
};
const SM_86: NvidiaArch = NvidiaArch {
    name: "sm_86",
    capability: (8, 6),
    ptx_oldest: PtxVersion(71),
    shared_bytes_opt_in: 99 * KIB,
    shared_bytes_per_multiprocessor: 100 * KIB,
    threads_per_multiprocessor: 1536,
    blocks_per_multiprocessor: 16,
    ..SM_80
};
const SM_90: NvidiaArch = NvidiaArch {
    name: "sm_90",
    capability: (9, 0),
    ptx_oldest: PtxVersion(78),
    shared_bytes_opt_in: 227 * KIB,
    shared_bytes_per_multiprocessor: 228 * KIB,
    tensor_cores: TensorCores::Hopper,
    ..SM_80
};
const SM_100: NvidiaArch = NvidiaArch {
    name: "sm_100",
    capability: (10, 0),
    ptx_oldest: PtxVersion(86),
    tensor_cores: TensorCores::Blackwell,
    ..SM_90
};
const SM_101: NvidiaArch = NvidiaArch {
    name: "sm_101",
    capability: (10, 1),
    threads_per_multiprocessor: 1536,
    blocks_per_multiprocessor: 24,
    ..SM_100
};
const SM_103: NvidiaArch =
    NvidiaArch { name: "sm_103", capability: (10, 3), ptx_oldest: PtxVersion(88), ..SM_100 };
const SM_110: NvidiaArch =
    NvidiaArch { name: "sm_110", capability: (11, 0), ptx_oldest: PtxVersion(90), ..SM_101 };
const SM_120: NvidiaArch = NvidiaArch {
    name: "sm_120",
    capability: (12, 0),
    ptx_oldest: PtxVersion(87),
    blocks_per_multiprocessor: 24,
    tensor_cores: TensorCores::BlackwellConsumer,
    ..SM_86
};
const SM_121: NvidiaArch =
    NvidiaArch { name: "sm_121", capability: (12, 1), ptx_oldest: PtxVersion(88), ..SM_120 };

const fn exact(name: &'static str, ptx_oldest: u32, base: NvidiaArch) -> NvidiaArch {
    NvidiaArch { name, portability: Portability::Exact, ptx_oldest: PtxVersion(ptx_oldest), ..base }
}

const fn family(name: &'static str, ptx_oldest: u32, base: NvidiaArch) -> NvidiaArch {
    NvidiaArch { name, portability: Portability::Family, ptx_oldest: PtxVersion(ptx_oldest), ..base }
}

impl NvidiaArch {
    /// Every architecture, in the order of the compute capabilities.
    pub const ALL: &'static [NvidiaArch] = &[
        SM_70,
        NvidiaArch { name: "sm_72", capability: (7, 2), ptx_oldest: PtxVersion(61), ..SM_70 },
        NvidiaArch {
            name: "sm_75",
            capability: (7, 5),
            ptx_oldest: PtxVersion(63),
            shared_bytes_opt_in: 64 * KIB,
            shared_bytes_per_multiprocessor: 64 * KIB,
            threads_per_multiprocessor: 1024,
            blocks_per_multiprocessor: 16,
            tensor_cores: TensorCores::Turing,
            ..SM_70
        },
        SM_80,
        SM_86,
        NvidiaArch {
            name: "sm_87",
            capability: (8, 7),
            ptx_oldest: PtxVersion(74),
            threads_per_multiprocessor: 1536,
            blocks_per_multiprocessor: 16,
            ..SM_80
        },
        NvidiaArch { name: "sm_88", capability: (8, 8), ptx_oldest: PtxVersion(90), ..SM_86 },
        NvidiaArch {
            name: "sm_89",
            capability: (8, 9),
            ptx_oldest: PtxVersion(78),
            blocks_per_multiprocessor: 24,
            tensor_cores: TensorCores::Ada,
            ..SM_86
        },
        SM_90,
        exact("sm_90a", 80, SM_90),
        SM_100,
        exact("sm_100a", 86, SM_100),
        family("sm_100f", 88, SM_100),
        SM_101,
        exact("sm_101a", 86, SM_101),
        family("sm_101f", 88, SM_101),
        SM_103,
        exact("sm_103a", 88, SM_103),
        family("sm_103f", 88, SM_103),
        SM_110,
        exact("sm_110a", 90, SM_110),
        family("sm_110f", 90, SM_110),
        SM_120,
        exact("sm_120a", 87, SM_120),
        family("sm_120f", 88, SM_120),
        SM_121,
        exact("sm_121a", 88, SM_121),
        family("sm_121f", 88, SM_121),
    ];

    /// Threads in a wave ("warp").
    pub const WAVE_SIZE: u32 = 32;
    /// The most threads that a block may have.
    pub const BLOCK_THREADS: u32 = 1024;
    /// The most threads that a block may have along z.
    pub const BLOCK_Z: u32 = 64;
    /// The most shared memory that a kernel can declare, in bytes.
    pub const SHARED_BYTES_STATIC: u64 = 48 * KIB;
    /// The 32-bit registers of a multiprocessor, and the most that a block can use.
    pub const REGISTERS_PER_MULTIPROCESSOR: u32 = 65536;
    /// The most registers that a thread can use.
    pub const REGISTERS_PER_THREAD: u32 = 255;

    /// The architecture of this name.
    pub fn named(name: &str) -> Option<&'static NvidiaArch> {
        Self::ALL.iter().find(|arch| arch.name == name)
    }

    /// The architecture of a device with this compute capability.
    pub fn of_capability(major: u32, minor: u32) -> Option<&'static NvidiaArch> {
        Self::ALL.iter().find(|a| a.capability == (major, minor) && a.portability == Portability::Forward)
    }

    /// The PTX version that is emitted where none is asked for: the oldest, so that old drivers load it, but not one
    /// before 7.0, whose drivers no longer run on current systems.
    pub fn ptx_default(&self) -> PtxVersion {
        self.ptx_oldest.max(PtxVersion(70))
    }
}

/// An NVIDIA architecture and the PTX version to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NvidiaTarget {
    /// The architecture.
    pub arch: &'static NvidiaArch,
    /// The PTX version, not older than [`NvidiaArch::ptx_oldest`].
    pub ptx: PtxVersion,
}

impl NvidiaTarget {
    /// The architecture with its default PTX version.
    pub fn new(arch: &'static NvidiaArch) -> Self {
        Self { arch, ptx: arch.ptx_default() }
    }

    /// The most bytes of arguments that a kernel takes.
    pub const fn argument_bytes(&self) -> u64 {
        if self.ptx.0 >= 81 { 32764 } else { 4096 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_ptx_version_of_an_architecture_is_known() {
        for arch in NvidiaArch::ALL {
            assert!(arch.ptx_oldest.cuda_version().is_some(), "{}", arch.name);
            assert!(arch.ptx_default() >= arch.ptx_oldest);
        }
    }

    #[test]
    fn a_driver_loads_the_ptx_versions_up_to_its_own() {
        assert_eq!(PtxVersion::newest_for(13000), Some(PtxVersion(90)));
        assert_eq!(PtxVersion::newest_for(12060), Some(PtxVersion(85)));
        assert_eq!(PtxVersion::newest_for(8000), None);
        assert_eq!(PtxVersion(78).cuda_version(), Some(11080));
        assert_eq!(PtxVersion(78).to_string(), "7.8");
    }

    #[test]
    fn a_block_can_ask_for_more_shared_memory_than_it_can_declare() {
        for arch in NvidiaArch::ALL {
            assert!(arch.shared_bytes_opt_in > NvidiaArch::SHARED_BYTES_STATIC);
            assert!(arch.shared_bytes_opt_in <= arch.shared_bytes_per_multiprocessor);
        }
    }
}
