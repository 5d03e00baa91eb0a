//! Links AMD objects into the code objects that AMD's runtime loads.
//!
//! The linker is `lld`. The Rust toolchain has one; which one is used is settled at the first link, in this order:
//!
//! 1. `WAVEWRIGHT_LLD`, if it is set: nothing else is tried.
//! 2. The one that was found beside LLVM when this crate was built.
//! 3. The one of the toolchain whose `rustc` is on `PATH`.
//! 4. `ld.lld`, then `lld`, on `PATH`.

mod folder;

use crate::Error;
use folder::PrivateFolder;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

/// The machine that this crate was built on, as rustc names it.
const HOST: Option<&str> = option_env!("WAVEWRIGHT_HOST");

/// The linker that was found when this crate was built.
const FOUND: Option<&str> = option_env!("WAVEWRIGHT_LLD_FOUND");

/// Links `object` into a shared object.
pub(crate) fn amd(object: &[u8]) -> Result<Vec<u8>, Error> {
    static LINKER: OnceLock<Result<PathBuf, Error>> = OnceLock::new();
    let linker = LINKER.get_or_init(|| find(&Places::of_this_process())).clone()?;
    link(&linker, object)
}

/// What the choice of a linker depends on.
struct Places {
    chosen: Option<OsString>,
    found: Option<PathBuf>,
    toolchain: Option<PathBuf>,
    path: OsString,
}

impl Places {
    fn of_this_process() -> Self {
        Self {
            chosen: std::env::var_os("WAVEWRIGHT_LLD").filter(|value| !value.is_empty()),
            found: FOUND.map(PathBuf::from),
            toolchain: toolchain_linker(),
            path: std::env::var_os("PATH").unwrap_or_default(),
        }
    }
}

/// Asked only where the linker of build time may be gone, since it starts a process.
fn toolchain_linker() -> Option<PathBuf> {
    if FOUND.is_some_and(|found| Path::new(found).exists()) {
        return None;
    }
    let output = Command::new("rustc").args(["--print", "sysroot"]).stderr(Stdio::null()).output().ok()?;
    let sysroot = String::from_utf8(output.stdout).ok()?;
    Some(Path::new(sysroot.trim()).join("lib/rustlib").join(HOST?).join("bin/rust-lld"))
}

fn find(places: &Places) -> Result<PathBuf, Error> {
    if let Some(chosen) = &places.chosen {
        let chosen = PathBuf::from(chosen);
        let tried = vec![format!("WAVEWRIGHT_LLD={}, where there is no file", chosen.display())];
        return if chosen.is_file() { Ok(chosen) } else { Err(Error::NoLinker { tried }) };
    }
    let mut tried = Vec::new();
    for candidate in places.found.iter().chain(&places.toolchain) {
        if candidate.is_file() {
            return Ok(candidate.clone());
        }
        tried.push(format!("`{}`, where there is no file", candidate.display()));
    }
    for name in ["ld.lld", "lld"] {
        let mut folders = std::env::split_paths(&places.path);
        if let Some(folder) = folders.find(|folder| folder.join(name).is_file()) {
            return Ok(folder.join(name));
        }
        tried.push(format!("`{name}`, which is not on PATH"));
    }
    Err(Error::NoLinker { tried })
}

fn link(linker: &Path, object: &[u8]) -> Result<Vec<u8>, Error> {
    let folder = PrivateFolder::create()?;
    let (input, output) = (folder.path().join("kernel.o"), folder.path().join("kernel.hsaco"));
    let system = |action: &str, error: std::io::Error| Error::System {
        action: action.into(),
        message: error.to_string(),
    };
    std::fs::write(&input, object).map_err(|error| system("write the object to link", error))?;
    let mut command = Command::new(linker);
    // Only `ld.lld` knows by its name which linker it is to be.
    if linker.file_name() != Some(OsStr::new("ld.lld")) {
        command.args(["-flavor", "gnu"]);
    }
    command.args(["-shared", "--no-undefined", "--threads=1", "-o"]).arg(&output).arg(&input);
    let done = command
        .stdin(Stdio::null())
        .output()
        .map_err(|error| system(&format!("start the linker `{}`", linker.display()), error))?;
    if !done.status.success() {
        return Err(Error::Linker {
            command: format!("{command:?}"),
            status: done.status.to_string(),
            stderr: String::from_utf8_lossy(&done.stderr).trim().to_string(),
        });
    }
    std::fs::read(&output).map_err(|error| system("read what the linker wrote", error))
}

#[cfg(test)]
mod tests;
