//! The book's page of std's methods is what the companions say. `UPDATE_BOOK=1 cargo test -p wavewright-device` writes it.

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/src/std.md");

/// A section of the page: its title, the sources of the companions that can be called, and those of the others.
struct Section {
    title: &'static str,
    available: &'static [&'static str],
    unavailable: &'static [&'static str],
}

const SECTIONS: &[Section] = &[
    Section {
        title: "Integers",
        available: &[include_str!("methods/integers.rs"), ORD],
        unavailable: &[include_str!("unavailable/integers.rs")],
    },
    Section {
        title: "Floats",
        available: &[include_str!("methods/floats.rs")],
        unavailable: &[include_str!("unavailable/floats.rs")],
    },
    Section {
        title: "`bool` and `char`",
        available: &[ORD],
        unavailable: &[include_str!("unavailable/text.rs")],
    },
    Section {
        title: "Slices and arrays",
        available: &[include_str!("methods/slices.rs")],
        unavailable: &[include_str!("unavailable/slices.rs")],
    },
    Section {
        title: "Raw pointers",
        available: &[include_str!("methods/pointers.rs")],
        unavailable: &[include_str!("unavailable/pointers.rs")],
    },
    Section {
        title: "Traits of std",
        available: &[include_str!("traits.rs")],
        unavailable: &[include_str!("unavailable/traits.rs")],
    },
];

/// Those of `Ord` that stand in `traits`.
const ORD: &str = "fn min__on_device fn max__on_device fn clamp__on_device";

const HEAD: &str = "\
# Methods of std

What a kernel can call of std's methods on the types that it can hold. A method of your own type, or of a `#[device]` trait,
is found as in plain Rust, whatever its name is. Calling one that is listed as *not yet* is an error that names it and says
what to write instead.

Operators work on every primitive type and on references to them, and on your own types where the `impl` is `#[device]`:
`+ - * / % & | ^ << >>`, their assigning forms, `-x`, `!x`, `== != < <= > >=`. So do conversions: `as`, and `From` and `Into`
wherever std has them between primitive types.
";

fn page() -> String {
    let mut page = String::from(HEAD);
    for section in SECTIONS {
        page += &format!("\n## {}\n\n{}\n", section.title, code_list(&names(section.available)));
        let refused = section.unavailable.iter().flat_map(|source| refused(source));
        page += "\n*Not yet:*\n\n";
        for (note, names) in refused {
            page += &format!("- {}: {note}\n", code_list(&names));
        }
    }
    page
}

fn code_list(names: &[String]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

/// The methods that have a companion in these sources.
fn names(sources: &[&str]) -> Vec<String> {
    let mut names: Vec<String> = sources
        .iter()
        .flat_map(|source| source.split(['\n', ' ']))
        .filter_map(|word| word.split_once("__on_device").map(|(name, _)| name.into()))
        .collect();
    names.sort();
    names.dedup();
    names
}

/// The notes of a table of bounds, each with its methods.
fn refused(source: &str) -> Vec<(String, Vec<String>)> {
    let mut groups: Vec<(String, Vec<String>)> = Vec::new();
    for line in source.lines().map(str::trim) {
        if let Some(note) = line.strip_prefix('"').and_then(|line| line.strip_suffix("\" {")) {
            groups.push((note.into(), Vec::new()));
        } else if let Some((name, _)) = line.split_once(" \"`")
            && let Some((_, names)) = groups.last_mut()
        {
            names.push(name.into());
        }
    }
    groups
}

#[test]
fn the_book_lists_the_methods_of_std() {
    let page = page();
    assert!(
        page.contains("`wrapping_add`") && page.contains("`sin`") && page.contains("`is_empty`"),
        "{page}"
    );
    if std::env::var_os("UPDATE_BOOK").is_some() {
        std::fs::write(PAGE, &page).unwrap();
    }
    let written = std::fs::read_to_string(PAGE).unwrap_or_default();
    assert!(
        written == page,
        "docs/src/std.md is not what the companions say: UPDATE_BOOK=1 cargo test -p wavewright-device"
    );
}
