//! Finds LLVM and links it.
//!
//! The library is linked through a folder of our own in the target directory. Cargo puts such folders on the loader's
//! path of whatever it runs (`cargo run`, `cargo test`, in crates that depend on us too), so nothing has to be
//! installed and no path is set by hand.

use std::env;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

#[path = "build/discover.rs"]
mod discover;

use discover::{Llvm, Surroundings};

/// The name under which the library is linked: one that no other library has.
const LINK_NAME: &str = "LLVM-22-wavewright";

fn main() -> ExitCode {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=build/discover.rs");
    println!("cargo::rerun-if-env-changed=WAVEWRIGHT_LLVM");
    if env::var_os("DOCS_RS").is_some() {
        // Documentation is written without linking, by a toolchain whose LLVM is of another version.
        return ExitCode::SUCCESS;
    }
    let surroundings = Surroundings {
        prefix: env::var_os("WAVEWRIGHT_LLVM").filter(|value| !value.is_empty()).map(PathBuf::from),
        rustc: PathBuf::from(variable("RUSTC")),
        host: variable("HOST"),
        target: variable("TARGET"),
        run: &run,
        examine: if variable("HOST") == variable("TARGET") { &examine } else { &exists },
    };
    let llvm = match discover::find(&surroundings) {
        Ok(llvm) => llvm,
        Err(error) => return fail(&error.to_string()),
    };
    let linker = llvm.linker.clone().or_else(|| {
        let sysroot = discover::sysroot(&surroundings).ok()?;
        Some(discover::rust_lld(&surroundings, &sysroot)).filter(|linker| linker.exists())
    });
    if let Err(error) = link(&llvm) {
        return fail(&format!("could not link to {}: {error}", llvm.library.display()));
    }
    println!("cargo::rerun-if-changed={}", llvm.library.display());
    if llvm.depends_on_path {
        println!("cargo::rerun-if-env-changed=PATH");
    }
    println!("cargo::rustc-env=WAVEWRIGHT_LLVM_LIBRARY={}", llvm.library.display());
    println!("cargo::rustc-env=WAVEWRIGHT_HOST={}", surroundings.host);
    if let Some(linker) = linker {
        println!("cargo::rustc-env=WAVEWRIGHT_LLD_FOUND={}", linker.display());
    }
    ExitCode::SUCCESS
}

fn variable(name: &str) -> String {
    env::var(name).unwrap_or_default()
}

/// Says what is wrong, a line at a time, so that cargo shows it as this crate's error.
fn fail(message: &str) -> ExitCode {
    for line in message.lines() {
        println!("cargo::error={line}");
    }
    ExitCode::FAILURE
}

fn run(program: &OsStr, arguments: &[&str]) -> Result<String, String> {
    let output = Command::new(program).args(arguments).output().map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => "there is no such program".to_string(),
        _ => format!("it does not start: {error}"),
    })?;
    if !output.status.success() {
        return Err(format!("it failed: {}", String::from_utf8_lossy(&output.stderr).trim()));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// When the library is for another machine it can't be loaded here to look inside.
fn exists(library: &Path) -> Result<(), String> {
    if library.exists() { Ok(()) } else { Err("there is no such file".into()) }
}

/// Loads the library and asks for its version and for the targets that we generate code for.
fn examine(library: &Path) -> Result<(), String> {
    // SAFETY: loading LLVM runs the constructors of its global variables, which touch nothing outside it.
    let llvm =
        unsafe { libloading::Library::new(library) }.map_err(|error| format!("it does not load: {error}"))?;
    type GetVersion = unsafe extern "C" fn(*mut u32, *mut u32, *mut u32);
    // SAFETY: this is the signature of LLVMGetVersion in every LLVM that has it.
    let get_version = unsafe { llvm.get::<GetVersion>(b"LLVMGetVersion\0") }
        .map_err(|_| "it does not export LLVM's C interface".to_string())?;
    let mut version = [0u32; 3];
    let [major, minor, patch] = &mut version;
    // SAFETY: each pointer is to a variable of its own.
    unsafe { get_version(major, minor, patch) };
    if version[0] != discover::VERSION {
        return Err(format!("it is LLVM {}.{}.{}", version[0], version[1], version[2]));
    }
    let host = match variable("CARGO_CFG_TARGET_ARCH").as_str() {
        "aarch64" => "LLVMInitializeAArch64Target",
        _ => "LLVMInitializeX86Target",
    };
    let needed = [
        "LLVMInitializeAMDGPUTarget",
        "LLVMInitializeAMDGPUDisassembler",
        "LLVMInitializeNVPTXTarget",
        host,
        "LLVMOrcCreateLLJIT",
    ];
    // SAFETY: the symbols are looked up, not called.
    let missing: Vec<&str> = needed
        .into_iter()
        .filter(|name| unsafe { llvm.get::<unsafe extern "C" fn()>(name.as_bytes()) }.is_err())
        .collect();
    // LLVM does not like to be unloaded, and this process ends soon.
    std::mem::forget(llvm);
    if missing.is_empty() {
        return Ok(());
    }
    Err(format!("it was built without what is needed here: {} missing", missing.join(", ")))
}

/// Makes the folder that holds the library under the names by which it is linked and loaded.
#[cfg(unix)]
fn link(llvm: &Llvm) -> std::io::Result<()> {
    let folder = PathBuf::from(variable("OUT_DIR")).join("llvm");
    if folder.exists() {
        std::fs::remove_dir_all(&folder)?;
    }
    std::fs::create_dir_all(&folder)?;
    let suffix = if variable("CARGO_CFG_TARGET_OS") == "macos" { "dylib" } else { "so" };
    for name in llvm.names.iter().chain([&format!("lib{LINK_NAME}.{suffix}")]) {
        std::os::unix::fs::symlink(&llvm.library, folder.join(name))?;
    }
    println!("cargo::rustc-link-search=native={}", folder.display());
    println!("cargo::rustc-link-lib=dylib={LINK_NAME}");
    Ok(())
}

#[cfg(not(unix))]
fn link(_: &Llvm) -> std::io::Result<()> {
    Err(std::io::Error::other("only Linux and macOS are supported"))
}
