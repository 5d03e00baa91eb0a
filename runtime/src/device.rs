//! The devices of this machine.

use crate::backend::{Backend, Found, cpu, cuda, hip};
use crate::kernel_cache::KernelCache;
use crate::{Buffer, Error, Limits};
use std::sync::{Mutex, OnceLock, PoisonError};
use wavewright_kernel_ir::target::Target;
use wavewright_kernel_ir::types::DeviceType;

/// What kind of processor a device is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DeviceKind {
    /// A GPU by AMD, through `libamdhip64`.
    Amd,
    /// A GPU by NVIDIA, through the driver's `libcuda`.
    Nvidia,
    /// The host's own processor.
    Cpu,
}

impl DeviceKind {
    /// Every kind, the one that [`Device::best`] prefers first.
    pub const ALL: [DeviceKind; 3] = [DeviceKind::Amd, DeviceKind::Nvidia, DeviceKind::Cpu];

    /// The kind that goes by `name`.
    fn from_name(name: &str) -> Option<Self> {
        match name.to_ascii_lowercase().as_str() {
            "amd" | "hip" | "rocm" => Some(Self::Amd),
            "nvidia" | "cuda" => Some(Self::Nvidia),
            "cpu" | "host" => Some(Self::Cpu),
            _ => None,
        }
    }
}

impl std::fmt::Display for DeviceKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Amd => "AMD GPU",
            Self::Nvidia => "NVIDIA GPU",
            Self::Cpu => "CPU",
        })
    }
}

/// A processor that runs kernels.
///
/// A handle: copies of it mean the same device, from any thread. A device lives as long as the process; a GPU's context
/// comes with the first buffer or launch.
#[derive(Clone, Copy)]
pub struct Device {
    inner: &'static Inner,
}

struct Inner {
    kind: DeviceKind,
    found: Found,
    backend: OnceLock<Box<dyn Backend>>,
    starting: Mutex<()>,
    kernels: KernelCache,
}

/// The devices of one kind, looked for once; or why there is none.
static AMD: OnceLock<Result<Vec<Inner>, Error>> = OnceLock::new();
static NVIDIA: OnceLock<Result<Vec<Inner>, Error>> = OnceLock::new();
static CPU: OnceLock<Result<Vec<Inner>, Error>> = OnceLock::new();

impl Device {
    /// The host's CPU, with all its cores.
    pub fn cpu() -> Self {
        match Self::of_kind(DeviceKind::Cpu).as_deref() {
            Ok([cpu]) => *cpu,
            _ => unreachable!("the host has one CPU device"),
        }
    }

    /// The device that the environment variable `WAVEWRIGHT_DEVICE` names (see [`by_name`](Self::by_name)); without it
    /// an AMD GPU, else an NVIDIA GPU, else the CPU.
    ///
    /// # Errors
    ///
    /// If `WAVEWRIGHT_DEVICE` names a device that there isn't.
    pub fn best() -> Result<Self, Error> {
        match std::env::var_os("WAVEWRIGHT_DEVICE") {
            Some(name) if !name.is_empty() => Self::by_name(&name.to_string_lossy()),
            _ => Ok(Self::list()[0]),
        }
    }

    /// Every device: AMD GPUs, NVIDIA GPUs, the CPU. Why a kind has none, [`of_kind`](Self::of_kind) tells.
    pub fn list() -> Vec<Self> {
        DeviceKind::ALL.into_iter().filter_map(|kind| Self::of_kind(kind).ok()).flatten().collect()
    }

    /// The devices of one kind, at least one.
    ///
    /// # Errors
    ///
    /// If there is none: the error says whether it is the driver's library that is missing, the GPU, or the permission
    /// to use it.
    pub fn of_kind(kind: DeviceKind) -> Result<Vec<Self>, Error> {
        let inner = |found| Inner {
            kind,
            found,
            backend: OnceLock::new(),
            starting: Mutex::new(()),
            kernels: KernelCache::new(),
        };
        let collect = |found: Vec<Found>| found.into_iter().map(inner).collect();
        let devices = match kind {
            DeviceKind::Amd => AMD.get_or_init(|| hip::devices().map(collect)),
            DeviceKind::Nvidia => NVIDIA.get_or_init(|| cuda::devices().map(collect)),
            DeviceKind::Cpu => CPU.get_or_init(|| Ok(collect(vec![cpu::device()]))),
        };
        let devices = devices.as_ref().map_err(Error::clone)?;
        Ok(devices.iter().map(|inner| Self { inner }).collect())
    }

    /// The device that goes by `name`: a kind (`amd`, `nvidia`, `cpu`), a kind and a number (`nvidia:1`), a number in
    /// [`list`](Self::list), or a part of its [`name`](Self::name) in any case.
    ///
    /// # Errors
    ///
    /// If there is no such device. For a kind, the error says what was looked for.
    pub fn by_name(name: &str) -> Result<Self, Error> {
        let (kind, number) = name.split_once(':').unwrap_or((name, "0"));
        if let (Some(kind), Ok(number)) = (DeviceKind::from_name(kind), number.parse::<usize>()) {
            let devices = Self::of_kind(kind)?;
            return devices.get(number).copied().ok_or_else(|| Self::unknown(name, &devices));
        }
        let devices = Self::list();
        let found = match name.parse::<usize>() {
            Ok(number) => devices.get(number),
            Err(_) => {
                devices.iter().find(|device| device.name().to_lowercase().contains(&name.to_lowercase()))
            }
        };
        found.copied().ok_or_else(|| Self::unknown(name, &devices))
    }

    fn unknown(asked: &str, devices: &[Self]) -> Error {
        let available: Vec<String> =
            devices.iter().map(|device| format!("{} ({})", device.name(), device.kind())).collect();
        Error::UnknownDevice { asked: asked.into(), available: available.join(", ") }
    }

    /// What kind of processor it is.
    pub fn kind(&self) -> DeviceKind {
        self.inner.kind
    }

    /// Its name, as the driver says it: `NVIDIA H200`.
    pub fn name(&self) -> &'static str {
        &self.inner.found.name
    }

    /// What kernels are compiled for to run on it.
    pub fn target(&self) -> &'static Target {
        &self.inner.found.target
    }

    /// What it can take.
    pub fn limits(&self) -> &'static Limits {
        &self.inner.found.limits
    }

    /// A buffer with these values.
    ///
    /// # Errors
    ///
    /// If the memory is used up, if `T` holds a pointer, or if the driver fails.
    pub fn buffer_from<T: Copy + DeviceType>(&self, values: &[T]) -> Result<Buffer<T>, Error> {
        Buffer::from_slice(self, values)
    }

    /// A buffer of `len` zeros.
    ///
    /// # Errors
    ///
    /// If the memory is used up, if `T` holds a pointer, or if the driver fails.
    pub fn zeroed<T: Copy + DeviceType>(&self, len: usize) -> Result<Buffer<T>, Error> {
        Buffer::zeroed(self, len)
    }

    /// Waits until everything queued so far is done.
    ///
    /// # Errors
    ///
    /// If a kernel has panicked since this was last asked, or if the driver fails.
    pub fn synchronize(&self) -> Result<(), Error> {
        self.backend()?.synchronize()
    }

    /// The device's driver, which starts when it is first asked for. A start that fails is tried again.
    #[inline]
    pub(crate) fn backend(&self) -> Result<&'static dyn Backend, Error> {
        match self.inner.backend.get() {
            Some(backend) => Ok(&**backend),
            None => self.start(),
        }
    }

    #[cold]
    fn start(&self) -> Result<&'static dyn Backend, Error> {
        let _starting = self.inner.starting.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(backend) = self.inner.backend.get() {
            return Ok(&**backend);
        }
        let backend = (self.inner.found.start)()?;
        Ok(&**self.inner.backend.get_or_init(|| backend))
    }

    /// The kernels that have been loaded on it.
    pub(crate) fn kernels(&self) -> &'static KernelCache {
        &self.inner.kernels
    }
}

impl PartialEq for Device {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.inner, other.inner)
    }
}

impl Eq for Device {}

impl std::fmt::Display for Device {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

impl std::fmt::Debug for Device {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Device({}: {})", self.kind(), self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cpu_is_always_there_and_always_the_same() {
        assert_eq!(Device::cpu(), Device::cpu());
        assert_eq!(Device::list().last(), Some(&Device::cpu()));
        assert_eq!(Device::cpu().kind(), DeviceKind::Cpu);
        assert_eq!(*Device::cpu().target(), Target::Host);
        assert!(!Device::cpu().name().is_empty());
    }

    #[test]
    fn a_device_is_found_by_kind_number_and_name() {
        let cpu = Device::cpu();
        let last = Device::list().len() - 1;
        for name in ["cpu", "CPU", "host", "cpu:0", &last.to_string(), &cpu.name()[1..].to_uppercase()] {
            assert_eq!(Device::by_name(name).unwrap(), cpu, "{name}");
        }
    }

    #[test]
    fn an_unknown_name_lists_the_devices() {
        for name in ["cpu:1", "GTX 9999", "99"] {
            let text = Device::by_name(name).unwrap_err().to_string();
            assert!(text.starts_with(&format!("no device `{name}`; there is ")), "{text}");
            assert!(text.ends_with(" (CPU)"), "{text}");
        }
    }

    #[test]
    fn a_kind_without_devices_says_what_was_looked_for() {
        for (kind, name) in [(DeviceKind::Amd, "amd"), (DeviceKind::Nvidia, "nvidia")] {
            match Device::of_kind(kind) {
                Ok(devices) => assert_eq!(Device::by_name(name).unwrap(), devices[0]),
                Err(error) => {
                    assert_eq!(Device::by_name(name).unwrap_err().to_string(), error.to_string());
                    assert!(error.to_string().starts_with(&format!("no {kind}: ")), "{error}");
                }
            }
        }
    }
}
