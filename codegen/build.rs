//! Finds LLVM and links it.
use std::{env, path::PathBuf, process::Command};

fn main() {
    let rustc = env::var("RUSTC").unwrap();
    let out = Command::new(rustc).args(["--print", "sysroot"]).output().unwrap();
    let lib = PathBuf::from(String::from_utf8(out.stdout).unwrap().trim()).join("lib");
    let so = std::fs::read_dir(&lib)
        .unwrap()
        .filter_map(|e| e.ok())
        .map(|e| e.file_name().into_string().unwrap())
        .find(|n| n.starts_with("libLLVM.so.22"))
        .unwrap();
    let out_dir = PathBuf::from(env::var("OUT_DIR").unwrap());
    for name in [so.as_str(), "libLLVM-22-wavewright.so"] {
        let _ = std::fs::remove_file(out_dir.join(name));
        std::os::unix::fs::symlink(lib.join(&so), out_dir.join(name)).unwrap();
    }
    println!("cargo:rustc-link-search=native={}", out_dir.display());
    println!("cargo:rustc-link-lib=dylib=LLVM-22-wavewright");
}
