use super::*;

/// A folder of the test's own, gone when it ends.
struct Folder(PathBuf);

impl Folder {
    fn new(test: &str) -> Self {
        let path = std::env::temp_dir().join(format!("wavewright-link-{}-{test}", std::process::id()));
        std::fs::create_dir_all(&path).expect("the folder can be made");
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn places(folder: &Path) -> Places {
    Places { chosen: None, found: None, toolchain: None, path: folder.as_os_str().into() }
}

fn file(path: PathBuf) -> PathBuf {
    std::fs::create_dir_all(path.parent().expect("the file is in a folder")).expect("the folder can be made");
    std::fs::write(&path, "").expect("the file can be written");
    path
}

#[test]
fn linkers_are_looked_for_in_order() {
    let folder = Folder::new("order");
    let mut places = places(&folder.0.join("bin"));
    let found = |places: &Places| find(places).map_err(|error| error.to_string());

    let error = found(&places).expect_err("there is none");
    assert!(error.contains("`ld.lld`, which is not on PATH; `lld`, which is not on PATH"), "{error}");
    assert!(error.contains("WAVEWRIGHT_LLD"), "{error}");

    let last = file(folder.0.join("bin/lld"));
    assert_eq!(found(&places), Ok(last));
    let on_path = file(folder.0.join("bin/ld.lld"));
    assert_eq!(found(&places), Ok(on_path.clone()));

    places.toolchain = Some(folder.0.join("now/rust-lld"));
    places.found = Some(folder.0.join("then/rust-lld"));
    assert_eq!(found(&places), Ok(on_path), "those that are gone are passed over");
    let toolchain = file(folder.0.join("now/rust-lld"));
    assert_eq!(found(&places), Ok(toolchain));
    let at_build_time = file(folder.0.join("then/rust-lld"));
    assert_eq!(found(&places), Ok(at_build_time));

    places.chosen = Some(folder.0.join("mine").into());
    let error = found(&places).expect_err("the chosen one is not there");
    assert!(error.contains("WAVEWRIGHT_LLD=") && error.contains("where there is no file"), "{error}");
    let chosen = file(folder.0.join("mine"));
    assert_eq!(found(&places), Ok(chosen));
}

#[test]
fn what_the_linker_says_is_in_the_error() {
    let error = start().link(b"not an object").expect_err("it can't be linked");
    let Error::Linker { command, stderr, .. } = error else { panic!("{error}") };
    assert!(command.contains("-shared"), "{command}");
    assert!(stderr.contains("/dev/stdin"), "{stderr}");
}

#[test]
fn a_linker_that_does_not_start_is_an_error() {
    let error =
        Waiting::start(Path::new("/no/such/lld")).err().expect("there is no such program").to_string();
    assert!(error.contains("start the linker `/no/such/lld`"), "{error}");
}

#[cfg(unix)]
#[test]
fn a_linker_that_ends_without_reading_is_an_error() {
    let object = vec![0; 1 << 20];
    let linking = Waiting::start(Path::new("/bin/false")).expect("it starts");
    assert!(matches!(linking.link(&object), Err(Error::Linker { .. })));
    let linking = Waiting::start(Path::new("/bin/true")).expect("it starts");
    assert!(matches!(linking.link(&object), Err(Error::System { .. })));
}

#[cfg(target_os = "linux")]
#[test]
fn a_linker_without_work_is_ended() {
    let waiting = Waiting::start(&find(&Places::of_this_process()).expect("the toolchain has one")).unwrap();
    let process = PathBuf::from(format!("/proc/{}", waiting.process.id()));
    assert!(process.exists());
    drop(waiting);
    assert!(!process.exists());
}
