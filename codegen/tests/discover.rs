//! The look-up of LLVM that the build script makes, in made-up surroundings.

#[path = "../build/discover.rs"]
mod discover;

use discover::{Llvm, NotFound, Surroundings, find};
use std::collections::HashMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

const HOST: &str = "x86_64-unknown-linux-gnu";

/// A folder of made-up installations, gone when the test ends.
struct World {
    root: PathBuf,
    prefix: Option<PathBuf>,
    target: &'static str,
    /// What programs print, by the program and its arguments.
    programs: HashMap<String, String>,
    /// Why a library can't be used, by the end of its path; any other can.
    unusable: HashMap<&'static str, &'static str>,
}

impl World {
    fn new(test: &str) -> Self {
        let root = std::env::temp_dir().join(format!("wavewright-discover-{}-{test}", std::process::id()));
        std::fs::create_dir_all(&root).expect("the folder can be made");
        Self {
            root: root.canonicalize().expect("it is there"),
            prefix: None,
            target: HOST,
            programs: HashMap::new(),
            unusable: HashMap::new(),
        }
    }

    /// Makes a file, and says where.
    fn file(&self, path: &str) -> PathBuf {
        let path = self.root.join(path);
        std::fs::create_dir_all(path.parent().expect("it is in a folder")).expect("the folder can be made");
        std::fs::write(&path, "").expect("the file can be written");
        path
    }

    fn prints(&mut self, command: &str, output: impl AsRef<Path>) {
        self.programs.insert(command.into(), format!("{}\n", output.as_ref().display()));
    }

    /// A Rust toolchain whose `lib` holds `library`.
    fn toolchain(&mut self, library: &str) -> PathBuf {
        let library = self.file(&format!("rust/lib/{library}"));
        self.prints("rustc --print sysroot", self.root.join("rust"));
        library
    }

    fn find(&self) -> Result<Llvm, NotFound> {
        let run = |program: &OsStr, arguments: &[&str]| {
            let command = format!("{} {}", program.to_string_lossy(), arguments.join(" "));
            self.programs.get(&command).cloned().ok_or_else(|| "there is no such program".to_string())
        };
        let examine = |library: &Path| {
            let reason = self.unusable.iter().find(|(end, _)| library.to_string_lossy().ends_with(*end));
            reason.map_or(Ok(()), |(_, reason)| Err(reason.to_string()))
        };
        find(&Surroundings {
            prefix: self.prefix.clone(),
            rustc: "rustc".into(),
            host: HOST.into(),
            target: self.target.into(),
            run: &run,
            examine: &examine,
        })
    }
}

impl Drop for World {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.root);
    }
}

#[test]
fn the_toolchain_has_one() {
    let mut world = World::new("toolchain");
    let library = world.toolchain("libLLVM.so.22.1-rust-1.95.0-stable");
    // A linker script, not a library; and something else of LLVM's.
    world.file("rust/lib/libLLVM-22-rust-1.95.0-stable.so.txt");
    let linker = world.file(&format!("rust/lib/rustlib/{HOST}/bin/rust-lld"));
    let names = vec!["libLLVM.so.22.1-rust-1.95.0-stable".into()];
    assert_eq!(world.find(), Ok(Llvm { library, names, linker: Some(linker), depends_on_path: false }));
}

#[test]
fn what_the_variable_names_comes_before_the_toolchain() {
    let mut world = World::new("prefix");
    world.toolchain("libLLVM.so.22.1-rust-1.95.0-stable");
    let library = world.file("opt/llvm/lib/libLLVM.so.22.1");
    let linker = world.file("opt/llvm/bin/ld.lld");
    world.prefix = Some(world.root.join("opt/llvm"));
    let found = world.find().expect("it is there");
    assert_eq!((found.library, found.linker), (library, Some(linker)));
}

#[cfg(unix)]
#[test]
fn a_library_is_known_by_the_links_to_it_too() {
    let mut world = World::new("links");
    let library = world.file("usr/lib/x86_64-linux-gnu/libLLVM.so.22.1");
    let folder = world.root.join("usr/lib/llvm-22/lib");
    std::fs::create_dir_all(&folder).unwrap();
    std::os::unix::fs::symlink(&library, folder.join("libLLVM.so.22.1")).unwrap();
    std::os::unix::fs::symlink(&library, library.with_file_name("libLLVM-22.so")).unwrap();
    world.prefix = Some(world.root.join("usr/lib/llvm-22"));
    let found = world.find().expect("it is there");
    assert_eq!(found.library, library);
    assert_eq!(found.names, ["libLLVM-22.so", "libLLVM.so.22.1"]);

    world.prefix = Some(world.root.join("usr"));
    assert_eq!(world.find().expect("Debian's folder for the processor is looked into").library, library);
}

#[test]
fn llvm_config_is_asked_last() {
    let mut world = World::new("config");
    world.toolchain("libLLVM.so.21.1-rust-1.94.0-stable");
    let library = world.file("usr/lib/libLLVM-22.so");
    world.prints("llvm-config-22 --libdir", world.root.join("usr/lib"));
    let found = world.find().expect("it is there");
    assert_eq!((found.library, found.depends_on_path), (library, true));
}

#[test]
fn a_wrong_prefix_is_an_error_even_if_the_toolchain_is_right() {
    let mut world = World::new("wrong");
    world.toolchain("libLLVM.so.22.1-rust-1.95.0-stable");
    world.prefix = Some(world.root.join("nowhere"));
    let error = world.find().expect_err("there is nothing").to_string();
    assert!(error.contains("nowhere: there is no such folder"), "{error}");
    assert!(error.contains("unset WAVEWRIGHT_LLVM"), "{error}");

    world.file("old/lib/libLLVM.so.19.1");
    world.file("old/lib/libLLVMCore.a");
    world.prefix = Some(world.root.join("old"));
    let error = world.find().expect_err("it is too old").to_string();
    assert!(error.contains("holds `libLLVM.so.19.1`, and no LLVM 22"), "{error}");

    world.file("small/lib/libLLVM.so.22.1");
    world.prefix = Some(world.root.join("small"));
    world.unusable.insert("small/lib/libLLVM.so.22.1", "it was built without AMDGPU");
    let error = world.find().expect_err("it lacks a target").to_string();
    assert!(error.contains("small/lib/libLLVM.so.22.1`: it was built without AMDGPU"), "{error}");
}

#[test]
fn where_nothing_is_found_the_error_says_what_was_tried_and_what_helps() {
    let mut world = World::new("nothing");
    world.toolchain("libLLVM.so.21.1-rust-1.94.0-stable");
    let error = world.find().expect_err("there is nothing").to_string();
    let rust = world.root.join("rust/lib");
    for part in [
        "no LLVM 22 that can be used was found",
        "WAVEWRIGHT_LLVM: it is not set",
        &format!(
            "the Rust toolchain: `{}` holds `libLLVM.so.21.1-rust-1.94.0-stable`, and no LLVM 22",
            rust.display()
        ),
        "`llvm-config-22`: there is no such program",
        "rustup toolchain install 1.95.0",
        "apt install llvm-22-dev",
    ] {
        assert!(error.contains(part), "{part} is missing in:\n{error}");
    }
}

#[test]
fn names_that_only_look_alike_are_no_libraries() {
    let world = World::new("names");
    for name in
        ["libLLVM.so.220", "libLLVM-22-rust.so.old", "libLLVMCore.a", "libLLVM-2.so", "libLTO.so.22.1"]
    {
        world.file(&format!("rust/lib/{name}"));
    }
    let mut world = world;
    world.prints("rustc --print sysroot", world.root.join("rust"));
    assert!(world.find().is_err());
}

#[test]
fn the_toolchains_library_does_not_serve_another_machine() {
    let mut world = World::new("cross");
    world.toolchain("libLLVM.so.22.1-rust-1.95.0-stable");
    world.target = "aarch64-unknown-linux-gnu";
    let error = world.find().expect_err("it is for the wrong machine").to_string();
    assert!(error.contains("its LLVM is for x86_64-unknown-linux-gnu"), "{error}");
}
