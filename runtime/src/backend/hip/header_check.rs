//! Compares the declarations of `api` with HIP's own: with the crate `hip-runtime-sys`, made from the headers of HIP 5,
//! and with the headers of this machine, which may be newer.
//!
//! Needs the headers (Debian: `libamdhip64-dev`), a C compiler, and `HIP_PATH` where they are not under `/opt/rocm`.

use super::api::{self, Attribute, Event, Function, Module, Properties, Stream, hip_functions};
use hip_runtime_sys as hip;
use std::ffi::{c_char, c_int, c_uint, c_void};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The type in HIP's headers that one of ours stands for.
trait Declared {
    type Type;
}

macro_rules! declared {
    ($($ours:ty => $theirs:ty;)*) => { $(impl Declared for $ours { type Type = $theirs; })* };
}
declared! {
    c_int => c_int;
    c_uint => c_uint;
    usize => usize;
    *mut c_int => *mut c_int;
    *mut usize => *mut usize;
    *mut c_char => *mut c_char;
    *const c_char => *const c_char;
    *mut c_void => *mut c_void;
    *const c_void => *const c_void;
    *mut *mut c_void => *mut *mut c_void;
    Stream => hip::hipStream_t;
    *mut Stream => *mut hip::hipStream_t;
    Event => hip::hipEvent_t;
    *mut Event => *mut hip::hipEvent_t;
    Module => hip::hipModule_t;
    *mut Module => *mut hip::hipModule_t;
    Function => hip::hipFunction_t;
    *mut Function => *mut hip::hipFunction_t;
    Attribute => hip::hipDeviceAttribute_t;
}

/// That HIP declares each function with the types that `api` has: this compiles or it does not.
macro_rules! same_types {
    ($(#[$doc:meta])* Api { $($name:ident($($argument:ident: $ty:ty),* $(,)?);)* }) => {
        $(const _: unsafe extern "C" fn($(<$ty as Declared>::Type),*) -> hip::hipError_t = hip::$name;)*
    };
}
hip_functions! { same_types }

const _: () = {
    assert!(size_of::<Stream>() == size_of::<hip::hipStream_t>());
    assert!(size_of::<Attribute>() == size_of::<hip::hipDeviceAttribute_t>());
    assert!(size_of::<hip::hipError_t>() == size_of::<c_int>());
};

/// Every number of `api`, with its name in the headers.
const NUMBERS: &[(&str, u64)] = &[
    ("hipSuccess", 0),
    ("hipErrorOutOfMemory", api::OUT_OF_MEMORY as u64),
    ("hipErrorNoDevice", api::NO_DEVICE as u64),
    ("hipErrorInvalidDevice", api::INVALID_DEVICE as u64),
    ("hipStreamNonBlocking", api::STREAM_NON_BLOCKING as u64),
    ("hipEventDisableTiming", api::EVENT_DISABLE_TIMING as u64),
    ("hipHostMallocPortable", api::HOST_PORTABLE as u64),
    ("hipHostMallocMapped", api::HOST_MAPPED as u64),
    ("hipHostMallocNonCoherent", api::HOST_NON_COHERENT as u64),
    ("HIP_LAUNCH_PARAM_BUFFER_POINTER", api::LAUNCH_BUFFER as u64),
    ("HIP_LAUNCH_PARAM_BUFFER_SIZE", api::LAUNCH_BUFFER_SIZE as u64),
    ("HIP_LAUNCH_PARAM_END", api::LAUNCH_END as u64),
    ("hipDeviceAttributeMaxBlockDimX", Attribute::MaxBlockDimX as u64),
    ("hipDeviceAttributeMaxBlockDimY", Attribute::MaxBlockDimY as u64),
    ("hipDeviceAttributeMaxBlockDimZ", Attribute::MaxBlockDimZ as u64),
    ("hipDeviceAttributeMaxGridDimX", Attribute::MaxGridDimX as u64),
    ("hipDeviceAttributeMaxGridDimY", Attribute::MaxGridDimY as u64),
    ("hipDeviceAttributeMaxGridDimZ", Attribute::MaxGridDimZ as u64),
    ("hipDeviceAttributeMaxThreadsPerBlock", Attribute::MaxThreadsPerBlock as u64),
    ("hipDeviceAttributeMultiprocessorCount", Attribute::MultiprocessorCount as u64),
    ("hipDeviceAttributeMaxSharedMemoryPerBlock", Attribute::MaxSharedMemoryPerBlock as u64),
    ("hipDeviceAttributeWarpSize", Attribute::WarpSize as u64),
];

#[test]
fn the_struct_of_hip_runtime_sys_is_the_legacy_one() {
    assert_eq!(std::mem::offset_of!(hip::hipDeviceProp_t, gcnArchName), Properties::ARCH_LEGACY);
    assert_eq!(size_of_val(&hip::hipDeviceProp_t::default().gcnArchName), Properties::ARCH_BYTES);
    assert!(size_of::<hip::hipDeviceProp_t>() <= Properties::BYTES);
}

/// Where the headers are.
fn include() -> PathBuf {
    let candidates = ["HIP_PATH", "ROCM_PATH"].iter().filter_map(std::env::var_os).map(PathBuf::from);
    let mut candidates = candidates.chain(["/opt/rocm", "/opt/rocm/hip", "/usr"].map(PathBuf::from));
    let found = candidates.find(|root| root.join("include/hip/hip_runtime_api.h").is_file());
    found.expect("HIP's headers: set HIP_PATH").join("include")
}

/// A C program that prints a line `name value` for everything that `api` declares.
fn program() -> String {
    let prints = NUMBERS
        .iter()
        .map(|(name, _)| format!("printf(\"{name} %llu\\n\", (unsigned long long)({name}));\n"));
    format!(
        "#define __HIP_PLATFORM_AMD__ 1\n\
         #define __HIP_DISABLE_CPP_FUNCTIONS__ 1\n\
         #include <hip/hip_runtime_api.h>\n\
         #include <stddef.h>\n\
         #include <stdio.h>\n\
         int main(void) {{\n\
         printf(\"HIP_VERSION_MAJOR %d\\n\", HIP_VERSION_MAJOR);\n\
         printf(\"gcnArchName %zu\\n\", offsetof(hipDeviceProp_t, gcnArchName));\n\
         printf(\"hipDeviceProp_t %zu\\n\", sizeof(hipDeviceProp_t));\n\
         {} return 0; }}\n",
        prints.collect::<String>()
    )
}

fn run(folder: &Path) -> String {
    let (source, binary) = (folder.join("probe.c"), folder.join("probe"));
    std::fs::write(&source, program()).unwrap();
    let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".into());
    let built =
        Command::new(compiler).arg("-I").arg(include()).arg(&source).arg("-o").arg(&binary).output().unwrap();
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    let output = Command::new(&binary).output().unwrap();
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn numbers_and_the_struct_are_those_of_this_machines_headers() {
    let folder = std::env::temp_dir().join(format!("wavewright-hip-headers-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let output = run(&folder);
    std::fs::remove_dir_all(&folder).unwrap();
    let value = |name: &str| -> u64 {
        let line = output.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        line.unwrap_or_else(|| panic!("no {name} in\n{output}")).parse().unwrap()
    };
    for (name, ours) in NUMBERS {
        assert_eq!(value(name), *ours, "{name}");
    }
    let layout =
        if value("HIP_VERSION_MAJOR") < 6 { Properties::ARCH_LEGACY } else { Properties::ARCH_R0600 };
    assert_eq!(value("gcnArchName"), layout as u64);
    assert!(value("hipDeviceProp_t") <= Properties::BYTES as u64);
}
