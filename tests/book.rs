//! The book hangs together: every page is in the summary, every link leads somewhere, every page's examples are tested.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// The pages of the book, the README and the files beside them.
fn pages() -> Vec<PathBuf> {
    let mut pages = vec![root().join("README.md"), root().join("CHANGELOG.md")];
    for folder in ["docs", "docs/src"] {
        let entries = fs::read_dir(root().join(folder)).expect("the folder is there");
        pages.extend(
            entries.map(|entry| entry.unwrap().path()).filter(|p| p.extension().is_some_and(|e| e == "md")),
        );
    }
    pages.sort();
    pages
}

/// The text outside code: neither fenced blocks nor code spans hold links.
fn prose(page: &Path) -> String {
    let text = fs::read_to_string(page).expect("the page is there");
    let mut prose = String::new();
    let mut fenced = false;
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
        } else if !fenced {
            // A link's text may hold code, so only what stands between backquotes goes.
            let outside: Vec<&str> = line.split('`').step_by(2).collect();
            prose += &outside.join("");
            prose.push('\n');
        }
    }
    prose
}

/// The targets of `[text](target)`.
fn links(prose: &str) -> Vec<String> {
    let targets = prose.split("](").skip(1).filter_map(|rest| rest.split_once(')'));
    targets.map(|(target, _)| target.to_string()).collect()
}

/// What a heading is called in a link, as mdBook and GitHub have it.
fn anchors(page: &Path) -> BTreeSet<String> {
    let text = fs::read_to_string(page).expect("the page is there");
    let headings =
        text.lines().filter_map(|line| line.strip_prefix('#')).map(|h| h.trim_start_matches('#').trim());
    let anchor = |heading: &str| {
        let kept = heading.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
        kept.map(|c| if c == ' ' { '-' } else { c.to_ascii_lowercase() }).collect()
    };
    headings.map(anchor).collect()
}

#[test]
fn every_link_leads_somewhere() {
    let mut broken = Vec::new();
    for page in pages() {
        for link in links(&prose(&page)) {
            if link.starts_with("http") {
                continue;
            }
            let (file, anchor) = link.split_once('#').unwrap_or((&link, ""));
            let target = if file.is_empty() { page.clone() } else { page.parent().unwrap().join(file) };
            let leads = target.exists() && (anchor.is_empty() || anchors(&target).contains(anchor));
            if !leads {
                broken.push(format!("{}: {link}", page.display()));
            }
        }
    }
    assert!(broken.is_empty(), "broken links:\n{}", broken.join("\n"));
}

#[test]
fn every_page_is_in_the_summary() {
    let summary = links(&prose(&root().join("docs/src/SUMMARY.md")));
    let listed: BTreeSet<&str> = summary.iter().map(String::as_str).collect();
    for entry in fs::read_dir(root().join("docs/src")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(
            name == "SUMMARY.md" || listed.contains(name.as_str()),
            "docs/src/{name} is not in SUMMARY.md"
        );
    }
}

#[test]
fn every_page_with_rust_is_tested() {
    let tested = fs::read_to_string(root().join("src/book.rs")).unwrap();
    for page in pages() {
        let text = fs::read_to_string(&page).unwrap();
        let name = page.strip_prefix(root()).unwrap().display().to_string();
        if text.contains("```rust") {
            assert!(
                tested.contains(&format!("\"../{name}\"")),
                "{name} has Rust in it, but src/book.rs does not run it"
            );
        }
    }
}
