//! Tests of the GPU drivers without a GPU: both against the library in `tests/fake_driver`, which does work only when
//! it is waited for.

use super::{Address, Backend, Found, LoadedKernel, Shape, cuda, hip};
use crate::arguments::Arguments;
use crate::kernel::KernelFacts;
use crate::{DeviceKind, Error};
use libloading::Library;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;
use wavewright_kernel_ir::abi::{Abi, Argument, ArgumentKind};
use wavewright_kernel_ir::code_object::{CodeObject, Format, PanicSite};
use wavewright_kernel_ir::span::Span;
use wavewright_kernel_ir::typed::PanicKind;
use wavewright_kernel_ir::types::TypeId;

/// The library, compiled.
static BUILT: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fake_driver/lib.rs");
    let built = scratch("built");
    let mut rustc = Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
    rustc.args(["--edition", "2024", "--crate-type", "cdylib", "--crate-name", "fake_driver", "-o"]);
    assert!(rustc.arg(&built).arg(source).status().unwrap().success());
    let bytes = std::fs::read(&built).unwrap();
    std::fs::remove_file(built).unwrap();
    bytes
});

fn scratch(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("wavewright-fake-driver-{}-{name}.so", std::process::id()))
}

/// A copy of the library, with a GPU of its own: another file is another library.
fn library(name: &str) -> Library {
    let copy = scratch(name);
    std::fs::write(&copy, &*BUILT).unwrap();
    // SAFETY: the library has no initialisers of its own.
    let library = unsafe { Library::new(&copy) }.unwrap();
    std::fs::remove_file(copy).unwrap();
    library
}

fn found(kind: DeviceKind, name: &str) -> Found {
    let library = library(&format!("{kind:?}_{name}"));
    let mut found = match kind {
        DeviceKind::Amd => hip::devices_of(library),
        _ => cuda::devices_of(library),
    }
    .unwrap();
    assert_eq!(found.len(), 1);
    found.remove(0)
}

fn started(kind: DeviceKind, name: &str) -> &'static dyn Backend {
    Box::leak((found(kind, name).start)().unwrap())
}

/// Runs a test against both.
fn both(name: &str, test: impl Fn(DeviceKind, &'static dyn Backend)) {
    for kind in [DeviceKind::Amd, DeviceKind::Nvidia] {
        test(kind, started(kind, name));
    }
}

/// The code of one of the library's kernels, with arguments of these sizes before the record.
fn code(kind: DeviceKind, symbol: &str, sizes: &[u64]) -> CodeObject {
    let mut abi = Abi { arguments: Vec::new(), size: 0 };
    for size in sizes.iter().chain(&[8]) {
        let offset = abi.size.next_multiple_of(*size);
        let kind = ArgumentKind::Value { param: 0, ty: TypeId(0) };
        abi.arguments.push(Argument { kind, offset, size: *size, align: *size });
        abi.size = offset + size;
    }
    let (format, bytes) = match kind {
        DeviceKind::Amd => (Format::Hsaco, b"\x7fELF".to_vec()),
        _ => (Format::Ptx, b".version 7.8\n".to_vec()),
    };
    CodeObject {
        name: format!("test::{symbol}"),
        symbol: symbol.into(),
        target: "test".into(),
        format,
        bytes,
        abi,
        elementwise: false,
        block: None,
        shared_bytes: 0,
        scratch_bytes: 0,
        panics: vec![PanicSite {
            kind: PanicKind::IndexOutOfBounds,
            file: "k.rs".into(),
            span: Span::new(4, 5),
        }],
    }
}

struct Kernel {
    facts: &'static KernelFacts,
    loaded: Box<dyn LoadedKernel>,
}

fn load(kind: DeviceKind, backend: &'static dyn Backend, symbol: &str, sizes: &[u64]) -> Kernel {
    let code = code(kind, symbol, sizes);
    let facts = Box::leak(Box::new(KernelFacts::of(&code, [1; 3])));
    Kernel { facts, loaded: backend.load(&code).unwrap() }
}

impl Kernel {
    fn launch(&self, arguments: Arguments) -> Result<(), Error> {
        let shape = Shape { grid: [1; 3], block: [1; 3] };
        // SAFETY: the tests hand over what the library's kernels take.
        unsafe { self.loaded.launch(self.facts, shape, arguments) }
    }
}

fn add_arguments(value: u32, address: Address, length: u64) -> Arguments {
    let mut arguments = Arguments::new();
    arguments.push(value);
    arguments.push(address.0);
    arguments.push(length);
    arguments
}

#[test]
fn devices_have_names_targets_and_limits() {
    let amd = found(DeviceKind::Amd, "names");
    assert_eq!(
        (amd.name.as_str(), amd.target.to_string().as_str()),
        ("Pretended AMD", "gfx90a:sramecc+:xnack-")
    );
    assert_eq!((amd.limits.wave_size, amd.limits.processors, amd.limits.shared_bytes), (64, 304, 65536));
    assert_eq!((amd.limits.block_threads, amd.limits.grid), (1024, [i32::MAX as u32, 65535, 65535]));
    let nvidia = found(DeviceKind::Nvidia, "names");
    assert_eq!((nvidia.name.as_str(), nvidia.target.to_string().as_str()), ("Pretended NVIDIA", "sm_90"));
    assert_eq!(
        (nvidia.limits.wave_size, nvidia.limits.processors, nvidia.limits.shared_bytes),
        (32, 132, 49152)
    );
    assert_eq!(nvidia.limits.block, [1024, 1024, 64]);
}

#[test]
fn work_is_done_in_order_and_waited_for() {
    both("order", |kind, backend| {
        let add = load(kind, backend, "add", &[4, 8, 8]);
        let (source, mut result) = ([1u32, 2, 3, 4], [0u32; 4]);
        // SAFETY: all are 16 bytes long.
        unsafe {
            let memory = backend.allocate(16).unwrap();
            backend.write(memory, source.as_ptr().cast(), 16).unwrap();
            add.launch(add_arguments(10, memory, 4)).unwrap();
            add.launch(add_arguments(100, memory, 3)).unwrap();
            backend.read(memory, result.as_mut_ptr().cast(), 16).unwrap();
            assert_eq!(result, [111, 112, 113, 14]);
            backend.zero(memory, 16).unwrap();
            add.launch(add_arguments(7, memory, 2)).unwrap();
            backend.read(memory, result.as_mut_ptr().cast(), 16).unwrap();
            assert_eq!(result, [7, 7, 0, 0]);
            backend.free(memory, 16);
        }
        backend.synchronize().unwrap();
    });
}

#[test]
fn memory_given_back_early_is_freed_after_the_launches_that_use_it() {
    both("free", |kind, backend| {
        let add = load(kind, backend, "add", &[4, 8, 8]);
        let memory = backend.allocate(4 << 10).unwrap();
        add.launch(add_arguments(1, memory, 1 << 10)).unwrap();
        // SAFETY: nothing uses the memory after. The library notices if a launch writes what is freed: it fills freed
        // memory, and frees at once what is not queued.
        unsafe { backend.free(memory, 4 << 10) };
        backend.synchronize().unwrap();
    });
}

#[test]
fn a_panic_arrives_at_the_next_wait_and_the_device_works_on() {
    both("panic", |kind, backend| {
        let (panic, add) = (load(kind, backend, "panic", &[]), load(kind, backend, "add", &[4, 8, 8]));
        panic.launch(Arguments::new()).unwrap();
        panic.launch(Arguments::new()).unwrap();
        let error = backend.synchronize().unwrap_err();
        assert_eq!(
            error.to_string(),
            "kernel `test::panic` panicked at k.rs:4:5, block (1, 2, 3), thread (4, 5, 6): index out of bounds: the \
             len is 8 but the index is 7 (one later launch panicked as well)"
        );
        let mut result = [0u32; 2];
        let memory = backend.allocate(8).unwrap();
        // SAFETY: both are 8 bytes long.
        unsafe {
            backend.zero(memory, 8).unwrap();
            add.launch(add_arguments(5, memory, 2)).unwrap();
            backend.read(memory, result.as_mut_ptr().cast(), 8).unwrap();
        }
        backend.synchronize().unwrap();
        assert_eq!(result, [5, 5]);
    });
}

#[test]
fn a_panic_is_found_however_many_launches_come_after() {
    both("ring", |kind, backend| {
        let (panic, add) = (load(kind, backend, "panic", &[]), load(kind, backend, "add", &[4, 8, 8]));
        panic.launch(Arguments::new()).unwrap();
        let memory = backend.allocate(4).unwrap();
        // SAFETY: the memory is 4 bytes long.
        unsafe { backend.zero(memory, 4).unwrap() };
        for _ in 0..10_000 {
            add.launch(add_arguments(1, memory, 1)).unwrap();
        }
        assert!(matches!(backend.synchronize(), Err(Error::Panic { further: 0, .. })));
        let mut count = 0u32;
        // SAFETY: the memory is 4 bytes long.
        unsafe { backend.read(memory, (&raw mut count).cast(), 4).unwrap() };
        assert_eq!(count, 10_000);
    });
}

#[test]
fn a_broken_queue_is_an_error_that_names_the_call_and_the_kernel() {
    both("broken", |kind, backend| {
        let crash = load(kind, backend, "crash", &[]);
        crash.launch(Arguments::new()).unwrap();
        let error = backend.synchronize().unwrap_err();
        let (call, name) = match kind {
            DeviceKind::Amd => ("hipStreamSynchronize", "hipErrorIllegalAddress"),
            _ => ("cuStreamSynchronize", "CUDA_ERROR_ILLEGAL_ADDRESS"),
        };
        assert_eq!(
            error.to_string(),
            format!(
                "{call} failed with {name} (700): an illegal memory access was encountered; it happened in a launch \
                 of `test::crash`"
            )
        );
        assert!(backend.allocate(16).is_err());
    });
}

#[test]
fn memory_that_there_is_not_is_said_with_how_much_there_is() {
    both("memory", |_, backend| {
        let error = backend.allocate(1 << 40).unwrap_err();
        assert!(matches!(error, Error::OutOfMemory { bytes: 0x100_0000_0000, .. }), "{error}");
        let text = error.to_string();
        assert!(
            text.starts_with("Pretended ") && text.contains("has no room for 1099511627776 bytes"),
            "{text}"
        );
        assert!(text.ends_with("(2): out of memory, with 1000 of 1073741824 free"), "{text}");
        backend.allocate(16).unwrap();
    });
}

#[test]
fn code_for_another_device_is_refused_by_name() {
    both("other", |kind, backend| {
        let other = if kind == DeviceKind::Amd { DeviceKind::Nvidia } else { DeviceKind::Amd };
        let text = backend.load(&code(other, "add", &[])).err().unwrap().to_string();
        assert!(
            text.contains("refuses the code of `test::add`: it is for `test`, and this device takes"),
            "{text}"
        );
        let text = backend.load(&code(kind, "missing", &[])).err().unwrap().to_string();
        assert!(text.contains("named symbol not found"), "{text}");
    });
}

#[test]
fn a_driver_older_than_the_code_is_told_apart_and_its_compilers_log_shown() {
    let backend = started(DeviceKind::Nvidia, "log");
    let mut code = code(DeviceKind::Nvidia, "add", &[]);
    code.bytes = b".version 9.9\n.target sm_90\n".to_vec();
    assert_eq!(
        backend.load(&code).err().unwrap().to_string(),
        "Pretended NVIDIA refuses the code of `test::add`: cuModuleLoadDataEx failed with \
         CUDA_ERROR_UNSUPPORTED_PTX_VERSION (222): the provided PTX was compiled with an unsupported toolchain.; the \
         code is PTX 9.9, which this driver (CUDA 12.4) is too old for: update NVIDIA's driver\nptxas fatal : \
         Unsupported .version 9.9; current version is '8.4'"
    );
}
