use super::*;

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
    let folder = PrivateFolder::create().unwrap();
    let mut places = places(&folder.path().join("bin"));
    let found = |places: &Places| find(places).map_err(|error| error.to_string());

    let error = found(&places).expect_err("there is none");
    assert!(error.contains("`ld.lld`, which is not on PATH; `lld`, which is not on PATH"), "{error}");
    assert!(error.contains("WAVEWRIGHT_LLD"), "{error}");

    let last = file(folder.path().join("bin/lld"));
    assert_eq!(found(&places), Ok(last));
    let on_path = file(folder.path().join("bin/ld.lld"));
    assert_eq!(found(&places), Ok(on_path.clone()));

    places.toolchain = Some(folder.path().join("now/rust-lld"));
    places.found = Some(folder.path().join("then/rust-lld"));
    assert_eq!(found(&places), Ok(on_path), "those that are gone are passed over");
    let toolchain = file(folder.path().join("now/rust-lld"));
    assert_eq!(found(&places), Ok(toolchain));
    let at_build_time = file(folder.path().join("then/rust-lld"));
    assert_eq!(found(&places), Ok(at_build_time));

    places.chosen = Some(folder.path().join("mine").into());
    let error = found(&places).expect_err("the chosen one is not there");
    assert!(error.contains("WAVEWRIGHT_LLD=") && error.contains("where there is no file"), "{error}");
    let chosen = file(folder.path().join("mine"));
    assert_eq!(found(&places), Ok(chosen));
}

#[test]
fn what_the_linker_says_is_in_the_error() {
    let error = amd(b"not an object").expect_err("it can't be linked");
    let Error::Linker { command, stderr, .. } = error else { panic!("{error}") };
    assert!(command.contains("-shared"), "{command}");
    assert!(stderr.contains("kernel.o"), "{stderr}");
}

#[test]
fn a_linker_that_does_not_start_is_an_error() {
    let error = link(Path::new("/no/such/lld"), b"").expect_err("there is no such program").to_string();
    assert!(error.contains("start the linker `/no/such/lld`"), "{error}");
}

#[test]
fn the_folder_is_gone_afterwards() {
    let folder = PrivateFolder::create().unwrap();
    let path = folder.path().to_path_buf();
    std::fs::write(path.join("x"), "x").unwrap();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o700);
    }
    drop(folder);
    assert!(!path.exists());
}
