//! Where LLVM is: the look-up that `build.rs` makes, apart from it so that tests can make it too.
//!
//! In this order:
//!
//! 1. `WAVEWRIGHT_LLVM`, the prefix of an installed LLVM. Where it is set nothing else is tried.
//! 2. The Rust toolchain that builds us: its rustc links LLVM as a shared library that exports LLVM's C interface.
//! 3. `llvm-config-22` on `PATH`.

use std::ffi::OsStr;
use std::fmt;
use std::path::{Path, PathBuf};

/// The version of LLVM that the bindings are for.
pub const VERSION: u32 = 22;

/// Runs a program with arguments: what it printed, or why there is nothing.
pub type Run<'a> = dyn Fn(&OsStr, &[&str]) -> Result<String, String> + 'a;

/// Examines a shared library: why it can't be used, if it can't.
pub type Examine<'a> = dyn Fn(&Path) -> Result<(), String> + 'a;

/// What the look-up depends on.
pub struct Surroundings<'a> {
    /// The value of `WAVEWRIGHT_LLVM`, if it is set.
    pub prefix: Option<PathBuf>,
    /// The rustc that builds us.
    pub rustc: PathBuf,
    /// The machine that builds, as rustc names it.
    pub host: String,
    /// The machine that the program is for.
    pub target: String,
    /// Runs a program.
    pub run: &'a Run<'a>,
    /// Examines a library.
    pub examine: &'a Examine<'a>,
}

/// An LLVM.
#[derive(Debug, PartialEq, Eq)]
pub struct Llvm {
    /// The shared library.
    pub library: PathBuf,
    /// Names under which the dynamic loader may ask for it.
    pub names: Vec<String>,
    /// A linker (`lld`) that came with it.
    pub linker: Option<PathBuf>,
    /// Whether it was found by looking through `PATH`.
    pub depends_on_path: bool,
}

/// No LLVM that can be used.
#[derive(Debug, PartialEq, Eq)]
pub struct NotFound {
    /// What was tried, in order, each with the reason why it is not it.
    pub tried: Vec<String>,
    /// What would help.
    pub fixes: Vec<String>,
}

impl fmt::Display for NotFound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "no LLVM {VERSION} that can be used was found. Looked for:")?;
        for tried in &self.tried {
            writeln!(f, "  - {tried}")?;
        }
        write!(f, "One of these helps:")?;
        for fix in &self.fixes {
            write!(f, "\n  - {fix}")?;
        }
        Ok(())
    }
}

/// Finds LLVM.
pub fn find(surroundings: &Surroundings) -> Result<Llvm, NotFound> {
    if let Some(prefix) = &surroundings.prefix {
        return in_prefix(surroundings, prefix).map_err(|reason| NotFound {
            tried: vec![format!("WAVEWRIGHT_LLVM={}: {reason}", prefix.display())],
            fixes: vec![
                format!(
                    "let WAVEWRIGHT_LLVM be the folder that holds `lib/libLLVM.so.{VERSION}.1` (for Debian's package: \
                     `/usr/lib/llvm-{VERSION}`)"
                ),
                "unset WAVEWRIGHT_LLVM, so that the LLVM of the Rust toolchain is used".into(),
            ],
        });
    }
    let mut tried = vec!["WAVEWRIGHT_LLVM: it is not set".to_string()];
    match in_toolchain(surroundings) {
        Ok(llvm) => return Ok(llvm),
        Err(reason) => tried.push(format!("the Rust toolchain: {reason}")),
    }
    let program = format!("llvm-config-{VERSION}");
    match by_llvm_config(surroundings, &program) {
        Ok(llvm) => return Ok(llvm),
        Err(reason) => tried.push(format!("`{program}`: {reason}")),
    }
    Err(NotFound {
        tried,
        fixes: vec![
            "build with a Rust toolchain from rustup whose `rustc -vV` names LLVM 22, as Rust 1.95 does: \
             `rustup toolchain install 1.95.0`, and `channel = \"1.95.0\"` in `rust-toolchain.toml`"
                .into(),
            format!("install LLVM {VERSION} (Debian and Ubuntu: `apt install llvm-{VERSION}-dev`)"),
            format!("set WAVEWRIGHT_LLVM to the prefix of an LLVM {VERSION} with shared libraries"),
            "use Wavewright without its feature `jit`, which needs no LLVM and loads code compiled before"
                .into(),
        ],
    })
}

fn in_prefix(surroundings: &Surroundings, prefix: &Path) -> Result<Llvm, String> {
    if !prefix.is_dir() {
        return Err("there is no such folder".into());
    }
    let processor = surroundings.host.split('-').next().unwrap_or_default();
    let folders = ["lib".to_string(), "lib64".into(), format!("lib/{processor}-linux-gnu")];
    let library = in_folders(surroundings, &folders.map(|folder| prefix.join(folder)))?;
    let linker = [prefix.join("bin/ld.lld"), rust_lld(surroundings, prefix)].into_iter().find(|l| l.exists());
    Ok(Llvm { names: names(&library), library, linker, depends_on_path: false })
}

fn in_toolchain(surroundings: &Surroundings) -> Result<Llvm, String> {
    if surroundings.host != surroundings.target {
        return Err(format!(
            "its LLVM is for {}, and the program is built for {}",
            surroundings.host, surroundings.target
        ));
    }
    let sysroot = sysroot(surroundings)?;
    let library = in_folders(surroundings, &[sysroot.join("lib")])?;
    let linker = Some(rust_lld(surroundings, &sysroot)).filter(|linker| linker.exists());
    Ok(Llvm { names: names(&library), library, linker, depends_on_path: false })
}

fn by_llvm_config(surroundings: &Surroundings, program: &str) -> Result<Llvm, String> {
    let ask =
        |question| (surroundings.run)(program.as_ref(), &[question]).map(|text| text.trim().to_string());
    let folder = ask("--libdir")?;
    let library = in_folders(surroundings, &[folder.into()])?;
    let linker = ask("--bindir").ok().map(|folder| Path::new(&folder).join("ld.lld")).filter(|l| l.exists());
    Ok(Llvm { names: names(&library), library, linker, depends_on_path: true })
}

/// Where the toolchain of `surroundings.rustc` lies.
pub fn sysroot(surroundings: &Surroundings) -> Result<PathBuf, String> {
    let printed = (surroundings.run)(surroundings.rustc.as_os_str(), &["--print", "sysroot"])?;
    Ok(PathBuf::from(printed.trim()))
}

/// Where a toolchain keeps its linker.
pub fn rust_lld(surroundings: &Surroundings, sysroot: &Path) -> PathBuf {
    sysroot.join("lib/rustlib").join(&surroundings.host).join("bin/rust-lld")
}

/// The first library of the right name in these folders that passes examination.
fn in_folders(surroundings: &Surroundings, folders: &[PathBuf]) -> Result<PathBuf, String> {
    let mut reasons = Vec::new();
    for folder in folders {
        let Ok(entries) = std::fs::read_dir(folder) else { continue };
        let mut files: Vec<String> =
            entries.flatten().filter_map(|entry| entry.file_name().into_string().ok()).collect();
        // Static libraries are named `libLLVMCore.a` and so on.
        files.retain(|name| ["libLLVM.", "libLLVM-"].iter().any(|start| name.starts_with(start)));
        files.sort();
        for name in files.iter().filter(|name| is_library_name(name)) {
            let path = folder.join(name);
            match (surroundings.examine)(&path) {
                Ok(()) => return Ok(path.canonicalize().unwrap_or(path)),
                Err(reason) => reasons.push(format!("`{}`: {reason}", path.display())),
            }
        }
        if reasons.is_empty() && !files.is_empty() {
            reasons.push(format!(
                "`{}` holds {}, and no LLVM {VERSION}",
                folder.display(),
                files.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
            ));
        }
    }
    if reasons.is_empty() {
        let folders: Vec<String> = folders.iter().map(|f| format!("`{}`", f.display())).collect();
        return Err(format!("{} has no `libLLVM.so.{VERSION}…`", folders.join(" nor ")));
    }
    Err(reasons.join("; "))
}

/// `libLLVM.so.22.1`, `libLLVM.so.22.1-rust-1.95.0-stable`, `libLLVM-22.so`, and on macOS `libLLVM.dylib`.
fn is_library_name(name: &str) -> bool {
    let version = VERSION.to_string();
    let of_version = |rest: &str| {
        rest.strip_prefix(&version).is_some_and(|rest| !rest.starts_with(|c: char| c.is_ascii_digit()))
    };
    match name.strip_prefix("libLLVM") {
        Some(".dylib") => true,
        Some(rest) => {
            rest.strip_prefix(".so.").is_some_and(of_version)
                || rest.strip_prefix('-').is_some_and(|rest| {
                    of_version(rest) && (rest.ends_with(".so") || rest.ends_with(".dylib"))
                })
        }
        None => false,
    }
}

/// The names of `library`: its own, and those of the links to it beside it. A library's own idea of its name
/// (`SONAME`), by which programs ask for it, is one of them in every installation.
fn names(library: &Path) -> Vec<String> {
    let own = library.file_name().map(|name| name.to_string_lossy().into_owned());
    let mut names: Vec<String> = own.into_iter().collect();
    let beside = library.parent().and_then(|folder| std::fs::read_dir(folder).ok());
    for entry in beside.into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let same =
            name.starts_with("libLLVM") && entry.path().canonicalize().is_ok_and(|path| path == library);
        if same && !names.contains(&name) {
            names.push(name);
        }
    }
    names.sort();
    names
}
