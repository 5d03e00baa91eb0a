//! Expected lines, and the instructions of an assembly text.

/// Looks for the expected lines in `text`, one after another. In an expected line `{}` stands for any characters, and
/// spaces for any number of them; a line that begins with `!` must not come before the next expected one.
#[track_caller]
pub fn expect(text: &str, expected: &str) {
    let mut rest = text.lines();
    let mut forbidden: Vec<&str> = Vec::new();
    for wanted in expected.lines().map(str::trim).filter(|line| !line.is_empty()) {
        if let Some(line) = wanted.strip_prefix('!') {
            forbidden.push(line.trim());
            continue;
        }
        loop {
            let Some(line) = rest.next() else { panic!("not there, or not here: {wanted}\n{text}") };
            if matches(line, wanted) {
                break;
            }
            refuse(line, &forbidden, text);
        }
        forbidden.clear();
    }
    rest.for_each(|line| refuse(line, &forbidden, text));
}

#[track_caller]
fn refuse(line: &str, forbidden: &[&str], text: &str) {
    if let Some(found) = forbidden.iter().find(|forbidden| matches(line, forbidden)) {
        panic!("must not be here: {found}\n{line}\n{text}");
    }
}

/// Whether the pattern occurs in the line.
fn matches(line: &str, pattern: &str) -> bool {
    let squeeze = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let (line, pattern) = (squeeze(line), squeeze(pattern));
    let mut rest = line.as_str();
    pattern.split("{}").all(|part| match rest.find(part) {
        Some(at) => {
            rest = &rest[at + part.len()..];
            true
        }
        None => false,
    })
}

/// The instructions of an assembly text, in order: no labels, directives or comments.
pub fn instructions(assembly: &str) -> Vec<&str> {
    let code = assembly.split("amdgpu_metadata").next().unwrap_or_default();
    let lines = code.lines().map(|line| line.split([';', '/']).next().unwrap_or_default().trim());
    let noise =
        |line: &&str| line.is_empty() || line.starts_with(['.', '{', '}', '$', ')']) || line.ends_with(':');
    lines.filter(|line| !noise(line)).collect()
}

/// How many instructions each loop of an assembly text has, from the label to the branch back, in order of their ends.
pub fn loops(assembly: &str) -> Vec<usize> {
    let (mut labels, mut lengths, mut count) = (Vec::new(), Vec::new(), 0);
    for line in assembly.lines().map(str::trim) {
        if let Some(label) = line.split(':').next().filter(|l| line.contains(':') && l.contains("BB0_")) {
            labels.push((label.to_owned(), count));
        }
        let found = instructions(line);
        let jump = found.first().is_some_and(|i| i.contains("bra"));
        count += found.len();
        if jump
            && let Some((_, start)) =
                labels.iter().rev().find(|(label, _)| line.trim_end_matches(';').ends_with(label.as_str()))
        {
            lengths.push(count - start);
        }
    }
    lengths
}

/// Fails where code goes through generic addresses, or keeps what belongs in registers in memory of the thread's own.
#[track_caller]
pub fn expect_no_detours(assembly: &str) {
    for instruction in instructions(assembly) {
        let opcode = instruction.split_whitespace().next().unwrap_or_default();
        let starts = |prefixes: &[&str]| prefixes.iter().any(|prefix| opcode.starts_with(prefix));
        assert!(
            !starts(&["flat_", "ld.b", "st.b", "ld.v", "st.v"]),
            "a generic access: {instruction}\n{assembly}"
        );
        let local = starts(&["scratch_", "buffer_load", "buffer_store"]) || opcode.contains(".local");
        assert!(!local, "memory of the thread's own: {instruction}\n{assembly}");
    }
    for line in assembly.lines().map(str::trim) {
        for count in [".vgpr_spill_count:", ".sgpr_spill_count:", ".private_segment_fixed_size:"] {
            let value = line.strip_prefix(count);
            assert!(value.is_none_or(|value| value.trim() == "0"), "{line}\n{assembly}");
        }
        assert!(!line.starts_with(".local"), "memory of the thread's own: {line}\n{assembly}");
    }
}

#[test]
fn expected_lines_are_found_in_order() {
    expect("one\n  two  words\nthree 3", "one\ntwo {}s\n! four\nthree {}");
}

#[test]
#[should_panic(expected = "must not be here: two")]
fn forbidden_lines_are_found() {
    expect("one\ntwo\nthree", "one\n! two\nthree");
}

#[test]
#[should_panic(expected = "not there, or not here: one")]
fn order_matters() {
    expect("one\ntwo", "two\none");
}
