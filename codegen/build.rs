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
#[path = "build/examine.rs"]
mod examine;

use discover::{Llvm, Surroundings};

/// The name under which the library is linked: one that no other library has.
const LINK_NAME: &str = "LLVM-22-wavewright";

fn main() -> ExitCode {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=build/discover.rs");
    println!("cargo::rerun-if-changed=build/examine.rs");
    println!("cargo::rerun-if-env-changed=WAVEWRIGHT_LLVM");
    if env::var_os("DOCS_RS").is_some() {
        // Documentation is written without linking, by a toolchain whose LLVM is of another version.
        return ExitCode::SUCCESS;
    }
    let processor = variable("CARGO_CFG_TARGET_ARCH");
    let examine = |library: &Path| examine::examine(library, &processor);
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
