//! A crate outside the workspace that depends on ours by path: it defines a kernel, `cargo run` runs it, its tests and
//! documentation examples pass, and nothing else is needed.

use std::path::{Path, PathBuf};
use std::process::Command;

const MANIFEST: &str = r#"
[package]
name = "downstream"
version = "0.0.0"
edition = "2024"

[dependencies]
wavewright = { path = "WAVEWRIGHT" }

# As in the workspace, only so that what is built there serves here.
[profile.dev.package]
proc-macro2.opt-level = 2
quote.opt-level = 2
syn.opt-level = 2
"#;

const LIB: &str = r#"
use wavewright::prelude::*;

#[device]
fn scaled<const BY: u32>(x: f32) -> f32 {
    x * BY as f32
}

#[kernel]
fn triple(x: &f32, y: &mut f32) {
    *y = scaled::<3>(*x);
}

/// Each of the numbers three times, computed by a kernel.
///
/// ```
/// assert_eq!(downstream::tripled(&[1.0, 2.5])?, [3.0, 7.5]);
/// # Ok::<(), wavewright::prelude::Error>(())
/// ```
pub fn tripled(numbers: &[f32]) -> Result<Vec<f32>, Error> {
    let device = Device::cpu();
    let x = device.buffer_from(numbers)?;
    let mut y = device.buffer_from(&vec![0.0f32; numbers.len()])?;
    triple(&x, &mut y).launch(&device)?;
    y.to_vec()
}

#[test]
fn a_thousand() {
    let numbers: Vec<f32> = (0..1000).map(|i| i as f32).collect();
    let expected: Vec<f32> = numbers.iter().map(|x| x * 3.0).collect();
    assert_eq!(tripled(&numbers).unwrap(), expected);
}
"#;

const MAIN: &str = r#"
fn main() -> Result<(), wavewright::prelude::Error> {
    println!("tripled: {:?}", downstream::tripled(&[1.0, 2.0, 3.0])?);
    Ok(())
}
"#;

/// The crate, gone when the test ends.
struct Crate(PathBuf);

impl Crate {
    fn write() -> Self {
        let workspace = Path::new(env!("CARGO_MANIFEST_DIR"));
        let folder = std::env::temp_dir().join(format!("wavewright-downstream-{}", std::process::id()));
        std::fs::create_dir_all(folder.join("src")).expect("the folder can be made");
        let manifest = MANIFEST.replace("WAVEWRIGHT", &workspace.display().to_string());
        for (file, text) in [("Cargo.toml", manifest.as_str()), ("src/lib.rs", LIB), ("src/main.rs", MAIN)] {
            std::fs::write(folder.join(file), text).expect("the file can be written");
        }
        // The same versions as here, so that nothing is downloaded or built twice.
        std::fs::copy(workspace.join("Cargo.lock"), folder.join("Cargo.lock")).expect("there is a lock file");
        Self(folder)
    }

    /// What `cargo` prints; it must succeed.
    fn cargo(&self, arguments: &[&str]) -> String {
        let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("it lies in the target folder");
        let output = Command::new(env!("CARGO"))
            .args(arguments)
            .args(["--offline", "--quiet"])
            .current_dir(&self.0)
            .env("CARGO_TARGET_DIR", target)
            // The cargo that runs this test has put our LLVM on the loader's path: the crate must not profit from that.
            .env_remove("LD_LIBRARY_PATH")
            .env_remove("DYLD_FALLBACK_LIBRARY_PATH")
            .output()
            .expect("cargo can be started");
        let (out, errors) =
            (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(output.status.success(), "cargo {}:\n{out}\n{errors}", arguments.join(" "));
        out.into_owned()
    }
}

impl Drop for Crate {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn a_crate_of_its_own_needs_nothing_else() {
    let downstream = Crate::write();
    assert_eq!(downstream.cargo(&["run"]), "tripled: [3.0, 6.0, 9.0]\n");
    let tests = downstream.cargo(&["test"]);
    assert_eq!(tests.matches("1 passed; 0 failed").count(), 2, "a test and an example of the docs:\n{tests}");
}
