//! Which known names are close to a mistyped one.

/// The names that look most like `text`, closest first: at most three, and none that differs in more than a third.
pub(super) fn nearest(text: &str, names: impl Iterator<Item = &'static str>) -> Vec<&'static str> {
    let mut close: Vec<(usize, &str)> = names
        .map(|name| (distance(text, name), name))
        .filter(|(distance, name)| *distance * 3 <= name.len().max(text.len()))
        .collect();
    close.sort();
    close.into_iter().take(3).map(|(_, name)| name).collect()
}

/// The number of characters to insert, remove or replace to get from `a` to `b`.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, from) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, to) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(from != *to);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances() {
        for (a, b, expected) in
            [("", "", 0), ("", "abc", 3), ("abc", "", 3), ("gfx943", "gfx942", 1), ("sm90", "sm_90", 1)]
        {
            assert_eq!(distance(a, b), expected, "{a} {b}");
        }
    }

    #[test]
    fn nothing_is_near_to_nonsense() {
        assert!(nearest("pentium", ["gfx942", "sm_90", "host"].into_iter()).is_empty());
    }
}
