//! What the environment variables do, each in a process of its own: devices are looked for once in a process.

use std::process::Command;
use wavewright_runtime::{Device, DeviceKind};

/// Runs [`print_devices`] in a new process with these variables, and returns the line that starts with `line`.
fn line_with(variables: &[(&str, &str)], line: &str) -> String {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "print_devices", "--ignored", "--nocapture"]);
    command.env_remove("WAVEWRIGHT_DEVICE").env_remove("WAVEWRIGHT_HIP").env_remove("WAVEWRIGHT_CUDA");
    let output = command.envs(variables.iter().copied()).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    let found = text.lines().find_map(|l| Some(l.split_once(line)?.1.strip_prefix(": ")?.to_string()));
    found.unwrap_or_else(|| panic!("no line `{line}` in {text}"))
}

#[test]
#[ignore = "the other tests run it in processes of their own"]
fn print_devices() {
    let kind = |kind| match Device::of_kind(kind) {
        Ok(devices) => format!("{devices:?}"),
        Err(error) => error.to_string(),
    };
    println!();
    println!("@amd: {}", kind(DeviceKind::Amd));
    println!("@nvidia: {}", kind(DeviceKind::Nvidia));
    println!("@list: {:?}", Device::list());
    match Device::best() {
        Ok(device) => println!("@best: {device:?}"),
        Err(error) => println!("@best: {error}"),
    }
}

#[test]
fn without_drivers_there_is_the_cpu() {
    let missing = [("WAVEWRIGHT_HIP", "/nowhere/hip.so"), ("WAVEWRIGHT_CUDA", "/nowhere/cuda.so")];
    let cpu = format!("{:?}", Device::cpu());
    assert_eq!(line_with(&missing, "@best"), cpu);
    assert_eq!(line_with(&missing, "@list"), format!("[{cpu}]"));
    let amd = line_with(&missing, "@amd");
    let start = "no AMD GPU: WAVEWRIGHT_HIP is `/nowhere/hip.so`, which does not load: ";
    assert!(amd.starts_with(start), "{amd}");
    let nvidia = line_with(&missing, "@nvidia");
    let start = "no NVIDIA GPU: WAVEWRIGHT_CUDA is `/nowhere/cuda.so`, which does not load: ";
    assert!(nvidia.starts_with(start), "{nvidia}");
}

#[test]
#[cfg(target_os = "linux")]
fn a_library_that_is_not_a_driver_is_an_error_not_a_crash() {
    let wrong = [("WAVEWRIGHT_HIP", "libm.so.6"), ("WAVEWRIGHT_CUDA", "libm.so.6")];
    let amd = line_with(&wrong, "@amd");
    assert_eq!(amd, "no AMD GPU: the library has no `hipInit`: it is not HIP, or older than HIP 5");
    let nvidia = line_with(&wrong, "@nvidia");
    assert!(nvidia.starts_with("no NVIDIA GPU: the library has no `cuInit`"), "{nvidia}");
}

#[test]
fn the_environment_chooses_the_device() {
    let cpu = format!("{:?}", Device::cpu());
    for name in ["cpu", "Host", "cpu:0", ""] {
        let missing = ("WAVEWRIGHT_HIP", "/nowhere/hip.so");
        let others = [missing, ("WAVEWRIGHT_CUDA", "/nowhere/cuda.so"), ("WAVEWRIGHT_DEVICE", name)];
        assert_eq!(line_with(&others, "@best"), cpu, "{name}");
    }
    let none = [("WAVEWRIGHT_DEVICE", "amd"), ("WAVEWRIGHT_HIP", "/nowhere/hip.so")];
    let text = line_with(&none, "@best");
    assert!(text.starts_with("no AMD GPU: WAVEWRIGHT_HIP is "), "{text}");
    let text = line_with(&[("WAVEWRIGHT_DEVICE", "GTX 9999")], "@best");
    assert!(text.starts_with("no device `GTX 9999`; there is "), "{text}");
}

#[test]
fn this_machines_own_drivers_give_devices_or_a_reason() {
    for (kind, line) in [(DeviceKind::Amd, "@amd"), (DeviceKind::Nvidia, "@nvidia")] {
        let text = line_with(&[], line);
        let fine =
            text.starts_with(&format!("[Device({kind}: ")) || text.starts_with(&format!("no {kind}: "));
        assert!(fine, "{text}");
        eprintln!("{text}");
    }
}
