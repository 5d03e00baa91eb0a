//! Libraries that are no LLVM, or not the one that is needed: what the build script and what a program says of them.
//!
//! The libraries are small ones that rustc makes here.

#[allow(dead_code)]
#[path = "../build/discover.rs"]
mod discover;
#[path = "../build/examine.rs"]
mod examine;

use examine::examine;
use std::path::{Path, PathBuf};
use std::process::Command;
use wavewright_codegen::{Error, Options, Stage, emit, llvm_version};
use wavewright_kernel_ir::samples;

/// A folder that is gone when the test ends.
struct Folder(PathBuf);

impl Folder {
    fn new(test: &str) -> Self {
        let path = std::env::temp_dir().join(format!("wavewright-wrong-llvm-{}-{test}", std::process::id()));
        std::fs::create_dir_all(&path).expect("the folder can be made");
        Self(path)
    }

    /// A shared library of this source.
    fn library(&self, name: &str, source: &str) -> PathBuf {
        let (from, to) = (self.0.join(name).with_extension("rs"), self.0.join(format!("lib{name}.so")));
        std::fs::write(&from, source).expect("the source can be written");
        let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
        let arguments = ["--edition=2024", "--crate-type=cdylib", "--crate-name=library", "-o"];
        let output = Command::new(rustc).args(arguments).arg(&to).arg(&from).output();
        let output = output.expect("the toolchain that runs this test has a rustc");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        to
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A library that says that it is this LLVM, and has nothing else of LLVM.
fn version(major: u32, minor: u32, patch: u32) -> String {
    format!(
        "#[unsafe(no_mangle)]
        pub unsafe extern \"C\" fn LLVMGetVersion(major: *mut u32, minor: *mut u32, patch: *mut u32) {{
            unsafe {{ (*major, *minor, *patch) = ({major}, {minor}, {patch}) }}
        }}"
    )
}

fn reason(library: &Path) -> String {
    examine(library, std::env::consts::ARCH).expect_err("it does not serve")
}

#[test]
fn the_library_that_the_build_script_found_serves() {
    assert_eq!(examine(Path::new(env!("WAVEWRIGHT_LLVM_LIBRARY")), std::env::consts::ARCH), Ok(()));
}

#[test]
fn what_is_no_library_does_not_load() {
    let folder = Folder::new("text");
    let library = folder.0.join("libLLVM.so.22.1");
    std::fs::write(&library, "INPUT(-lLLVM)").expect("it can be written");
    assert!(reason(&library).starts_with("it does not load: "), "{}", reason(&library));
    let missing = folder.0.join("libLLVM.so.22.2");
    assert!(reason(&missing).starts_with("it does not load: "), "{}", reason(&missing));
}

#[test]
fn a_library_that_is_not_llvm_is_told_by_what_it_lacks() {
    let folder = Folder::new("other");
    let other = folder.library("other", "#[unsafe(no_mangle)] pub extern \"C\" fn zlibVersion() {}");
    assert_eq!(reason(&other), "it does not export LLVM's C interface");
    let old = folder.library("old", &version(19, 1, 7));
    assert_eq!(reason(&old), "it is LLVM 19.1.7");
    let bare = folder.library("bare", &version(22, 1, 0));
    let reason = reason(&bare);
    assert!(
        reason.starts_with("it was built without what is needed here: LLVMInitializeAMDGPUTarget, "),
        "{reason}"
    );
    assert!(reason.ends_with(" missing"), "{reason}");
}

/// Set in the process that [`a_program_that_is_started_with_another_llvm_says_so`] starts.
const CHILD: &str = "WAVEWRIGHT_TEST_OF_WRONG_LLVM";

#[cfg(target_os = "linux")]
#[test]
fn a_program_that_is_started_with_another_llvm_says_so() {
    let folder = Folder::new("started");
    // The loader finds the version in this library before it finds it in LLVM itself.
    let old = folder.library("old", &version(19, 1, 7));
    let test = std::env::current_exe().expect("a test knows its program");
    let child = Command::new(test)
        .args(["--exact", "with_another_llvm", "--nocapture"])
        .env(CHILD, "yes")
        .env("LD_PRELOAD", old)
        .output()
        .expect("it starts");
    let said = String::from_utf8_lossy(&child.stdout);
    assert!(
        child.status.success() && said.contains("1 passed"),
        "{said}{}",
        String::from_utf8_lossy(&child.stderr)
    );
    for part in [
        "this program needs LLVM 22 and was started with LLVM 19.1.7",
        &format!("it was built with {}", env!("WAVEWRIGHT_LLVM_LIBRARY")),
        "start it through cargo, or put that library's folder on the loader's path (LD_LIBRARY_PATH)",
    ] {
        assert!(said.contains(part), "{part} is missing in:\n{said}");
    }
}

/// What a program with another LLVM is told. Alone, with the right one, it compiles.
#[test]
fn with_another_llvm() {
    let compiled = emit(
        &samples::saxpy_slice(),
        &"gfx942".parse().expect("it is a target"),
        &Options::default(),
        Stage::Assembly,
    );
    if std::env::var_os(CHILD).is_none() {
        assert_eq!(llvm_version().0, 22);
        assert!(compiled.is_ok());
        return;
    }
    let error = compiled.expect_err("it is the wrong LLVM");
    assert!(matches!(error, Error::WrongLlvm { found: (19, 1, 7), .. }), "{error:?}");
    println!("{error}");
}
