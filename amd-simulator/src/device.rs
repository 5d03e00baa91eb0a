//! A simulated GPU.

use crate::code::{Code, LoadError};
use crate::dispatch::{self, Launch, LaunchError, Statistics};
use crate::family::{Family, UnknownFamily};
use crate::memory::DeviceMemory;
use wavewright_kernel_ir::target::{AmdTarget, Setting, Support};

/// A simulated GPU: memory, and kernels that run over it.
pub struct Device {
    target: AmdTarget,
    family: Family,
    memory: DeviceMemory,
}

impl Device {
    /// A GPU of this architecture.
    ///
    /// # Errors
    ///
    /// If the architecture is not simulated.
    pub fn new(target: AmdTarget) -> Result<Self, UnknownFamily> {
        Ok(Self { target, family: Family::of(&target)?, memory: DeviceMemory::default() })
    }

    /// What kernels are compiled for to run on it.
    pub fn target(&self) -> &AmdTarget {
        &self.target
    }

    /// The target as AMD's runtime names it, with the hardware's settings: `gfx942:sramecc+:xnack-`.
    pub fn architecture(&self) -> String {
        let arch = self.target.arch;
        let mut name = arch.name.to_string();
        for (feature, support, setting, default) in [
            ("sramecc", arch.sramecc, self.target.sramecc, '+'),
            ("xnack", arch.xnack, self.target.xnack, '-'),
        ] {
            if support == Support::Optional {
                let sign = match setting {
                    Setting::Any => default,
                    Setting::On => '+',
                    Setting::Off => '-',
                };
                name += &format!(":{feature}{sign}");
            }
        }
        name
    }

    /// Its name, for people: `AMD Instinct MI300X, gfx942 (simulated)`.
    pub fn name(&self) -> String {
        format!("{}, {} (simulated)", self.family.product, self.family.name)
    }

    /// What is particular to its family.
    pub fn family(&self) -> &Family {
        &self.family
    }

    /// Its memory.
    pub fn memory(&self) -> &DeviceMemory {
        &self.memory
    }

    /// Loads a code object.
    ///
    /// # Errors
    ///
    /// If it is none, or one for another device.
    pub fn load(&self, bytes: &[u8]) -> Result<Code, LoadError> {
        Code::load(bytes, &self.target, &self.memory)
    }

    /// Runs a kernel to its end.
    ///
    /// # Errors
    ///
    /// If the launch is not possible, or the kernel is stopped.
    pub fn launch(&self, code: &Code, kernel: &str, launch: &Launch) -> Result<Statistics, LaunchError> {
        dispatch::launch(code, kernel, launch, &self.memory)
    }
}
