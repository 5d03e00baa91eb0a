//! Links AMD objects into the code objects that AMD's runtime loads.
//!
//! The linker is `lld`. The Rust toolchain has one; which one is used is settled at the first link, in this order:
//!
//! 1. `WAVEWRIGHT_LLD`, if it is set: nothing else is tried.
//! 2. The one that was found beside LLVM when this crate was built.
//! 3. The one of the toolchain whose `rustc` is on `PATH`.
//! 4. `ld.lld`, then `lld`, on `PATH`.
//!
//! It reads the object from its standard input and writes the result to its standard output, so no file is made. It
//! takes longer to start than to link, so it is started before there is an object ([`start`]) and waits for one.

use crate::Error;
use std::ffi::{OsStr, OsString};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::OnceLock;

/// The machine that this crate was built on, as rustc names it.
const HOST: Option<&str> = option_env!("WAVEWRIGHT_HOST");

/// The linker that was found when this crate was built.
const FOUND: Option<&str> = option_env!("WAVEWRIGHT_LLD_FOUND");

/// Starts the linker. What goes wrong is told when there is an object to link, so that a kernel's own faults come first.
pub(crate) fn start() -> Linking {
    static LINKER: OnceLock<Result<PathBuf, Error>> = OnceLock::new();
    let linker = LINKER.get_or_init(|| find(&Places::of_this_process()));
    Linking(linker.clone().and_then(|linker| Waiting::start(&linker)))
}

/// A linker that waits for an object, or the reason why there is none.
pub(crate) struct Linking(Result<Waiting, Error>);

impl Linking {
    /// Links `object` into a shared object.
    pub(crate) fn link(self, object: &[u8]) -> Result<Vec<u8>, Error> {
        self.0?.link(object)
    }
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

/// The process of a linker.
struct Waiting {
    /// What was run.
    command: String,
    process: Child,
}

impl Waiting {
    fn start(linker: &Path) -> Result<Self, Error> {
        let mut command = Command::new(linker);
        // Only `ld.lld` knows by its name which linker it is to be.
        if linker.file_name() != Some(OsStr::new("ld.lld")) {
            command.args(["-flavor", "gnu"]);
        }
        command.args(["-shared", "--no-undefined", "--threads=1", "-o", "-", "/dev/stdin"]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let process = command.spawn().map_err(|error| Error::System {
            action: format!("start the linker `{}`", linker.display()),
            message: error.to_string(),
        })?;
        Ok(Self { command: format!("{command:?}"), process })
    }

    fn link(mut self, object: &[u8]) -> Result<Vec<u8>, Error> {
        let (status, output, errors) = exchange(&mut self.process, object).map_err(|error| {
            Error::System { action: format!("link by {}", self.command), message: error.to_string() }
        })?;
        if status.success() {
            return Ok(output);
        }
        Err(Error::Linker {
            command: self.command.clone(),
            status: status.to_string(),
            stderr: String::from_utf8_lossy(&errors).trim().to_string(),
        })
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        // A process that has ended is not there to be killed, and nobody is there to be told of a failure.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Gives a process its input, and takes what it writes and how it ends.
fn exchange(process: &mut Child, input: &[u8]) -> std::io::Result<(ExitStatus, Vec<u8>, Vec<u8>)> {
    let (stdin, stdout, stderr) = (process.stdin.take(), process.stdout.take(), process.stderr.take());
    // Both streams are read at once: a process that has filled one waits for it.
    let (written, output, errors) = std::thread::scope(|scope| {
        let errors = scope.spawn(|| read(stderr));
        let written = stdin.map_or(Ok(()), |mut stdin| stdin.write_all(input));
        let output = read(stdout);
        (written, output, errors.join().unwrap_or_else(|_| Ok(Vec::new())))
    });
    let status = process.wait()?;
    // One that failed before it had read everything says why by itself.
    if status.success() {
        written?;
    }
    Ok((status, output?, errors?))
}

fn read(stream: Option<impl Read>) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if let Some(mut stream) = stream {
        stream.read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests;
