//! The devices of this machine.

use crate::backend::Backend;
use crate::backend::cpu::Cpu;
use crate::{Buffer, Error, Limits};
use std::sync::OnceLock;
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
/// A handle: copies of it mean the same device, from any thread. A device lives as long as the process.
#[derive(Clone, Copy)]
pub struct Device {
    inner: &'static Inner,
}

struct Inner {
    kind: DeviceKind,
    name: String,
    limits: Limits,
    backend: Box<dyn Backend>,
}

impl Device {
    /// The host's CPU, with all its cores.
    pub fn cpu() -> Self {
        static CPU: OnceLock<Inner> = OnceLock::new();
        let inner = CPU.get_or_init(|| Inner {
            kind: DeviceKind::Cpu,
            name: Cpu::name(),
            limits: Cpu::limits(),
            backend: Box::new(Cpu),
        });
        Self { inner }
    }

    /// The device that the environment variable `WAVEWRIGHT_DEVICE` names; without it an AMD GPU, else an NVIDIA GPU,
    /// else the CPU.
    ///
    /// # Errors
    ///
    /// If `WAVEWRIGHT_DEVICE` names a device that there isn't.
    pub fn best() -> Result<Self, Error> {
        match std::env::var("WAVEWRIGHT_DEVICE") {
            Ok(name) => Self::by_name(&name),
            Err(_) => Ok(Self::list()[0]),
        }
    }

    /// Every device: AMD GPUs, NVIDIA GPUs, the CPU.
    pub fn list() -> Vec<Self> {
        vec![Self::cpu()]
    }

    /// The device that goes by `name`: a kind (`amd`, `nvidia`, `cpu`), a kind and a number (`nvidia:1`), a number in
    /// [`list`](Self::list), or a part of its [`name`](Self::name) in any case.
    ///
    /// # Errors
    ///
    /// If there is no such device. For a kind, the error says what was looked for.
    pub fn by_name(name: &str) -> Result<Self, Error> {
        let (kind, number) = name.split_once(':').unwrap_or((name, "0"));
        let devices = Self::list();
        let mut found = devices.iter();
        let found = match (DeviceKind::from_name(kind), number.parse::<usize>()) {
            (Some(kind), Ok(number)) => found.filter(|d| d.kind() == kind).nth(number),
            _ => match name.parse::<usize>() {
                Ok(number) => found.nth(number),
                Err(_) => found.find(|d| d.name().to_lowercase().contains(&name.to_lowercase())),
            },
        };
        found.copied().ok_or_else(|| {
            let available: Vec<String> = devices.iter().map(Self::to_string).collect();
            Error::UnknownDevice { asked: name.into(), available: available.join(", ") }
        })
    }

    /// What kind of processor it is.
    pub fn kind(&self) -> DeviceKind {
        self.inner.kind
    }

    /// Its name, as the driver says it: `NVIDIA H200`.
    pub fn name(&self) -> &str {
        &self.inner.name
    }

    /// What it can take.
    pub fn limits(&self) -> &Limits {
        &self.inner.limits
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
        self.inner.backend.synchronize()
    }

    pub(crate) fn backend(&self) -> &'static dyn Backend {
        &*self.inner.backend
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
        f.write_str(&self.inner.name)
    }
}

impl std::fmt::Debug for Device {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Device({}: {})", self.inner.kind, self.inner.name)
    }
}
