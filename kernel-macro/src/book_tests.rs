//! The book's page of what kernels refuse is what the ledger says. `UPDATE_BOOK=1 cargo test -p wavewright-kernel-macro`
//! writes it.

use crate::ledger::{self, Entry, Verdict};

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/src/refused.md");

const HEAD: &str = "\
# What kernels refuse

These are errors at compile time, at the place where they stand, with the messages below. What a construct that kernels know may
still not do has a message of its own.
";

fn page() -> String {
    let mut page = String::from(HEAD);
    let tables: [(&str, &[Entry]); 6] = [
        ("Expressions", ledger::EXPRS),
        ("Literals", ledger::LITERALS),
        ("Patterns", ledger::PATTERNS),
        ("Types", ledger::TYPES),
        ("Items inside a kernel", ledger::ITEMS),
        ("Macros", ledger::MACROS),
    ];
    for (title, entries) in tables {
        page += &format!("\n## {title}\n\n");
        for (message, names) in refused(entries) {
            page += &match title {
                "Macros" => format!("- `{}!`: {message}\n", names.join("!`, `")),
                _ => format!("- {message}\n"),
            };
        }
    }
    page += &format!("- any other: {}\n", ledger::OTHER_MACRO);
    page
}

/// The messages of a table, each once, with what they refuse.
fn refused(entries: &[Entry]) -> Vec<(&'static str, Vec<&'static str>)> {
    let mut messages: Vec<(&str, Vec<&str>)> = Vec::new();
    for entry in entries {
        let Verdict::Refused(message) = entry.verdict else { continue };
        match messages.iter_mut().find(|(known, _)| *known == message) {
            Some((_, names)) => names.push(entry.name),
            None => messages.push((message, vec![entry.name])),
        }
    }
    // Syntax that `syn` itself does not know has no name.
    messages.retain(|(_, names)| *names != ["Verbatim"]);
    messages
}

#[test]
fn the_book_lists_what_the_ledger_refuses() {
    let page = page();
    assert!(page.contains("`async` blocks") && page.contains("`println!`"), "{page}");
    if std::env::var_os("UPDATE_BOOK").is_some() {
        std::fs::write(PAGE, &page).unwrap();
    }
    let written = std::fs::read_to_string(PAGE).unwrap_or_default();
    assert!(
        written == page,
        "docs/src/refused.md is not what the ledger says: UPDATE_BOOK=1 cargo test -p wavewright-kernel-macro"
    );
}
