//! The kernel's name in the code object.

/// The symbol of a kernel: its name without the crate, then its generic arguments, in letters, digits and `_`.
///
/// `my_crate::saxpy` is `saxpy`, `my_crate::scale::<f32, 4>` is `scale__f32_4`. Where that can't be read back into the
/// name (modules, arguments that are more than a word, names with `__`), a hash of the whole name keeps symbols apart.
pub(super) fn symbol(name: &str) -> String {
    let (path, arguments) = match name.split_once("::<") {
        Some((path, arguments)) => (path, arguments.strip_suffix('>').unwrap_or(arguments)),
        None => (name, ""),
    };
    let (_, item) = path.split_once("::").unwrap_or(("", path));
    let arguments: Vec<&str> = match arguments {
        "" => Vec::new(),
        arguments => arguments.split(", ").collect(),
    };
    let is_word = |s: &str| !s.is_empty() && s.bytes().all(|b| b.is_ascii_alphanumeric());
    let is_name = |s: &str| s.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_') && !s.contains("__");
    let readable = is_name(item) && !item.ends_with('_') && arguments.iter().all(|a| is_word(a));

    let mut symbol = words(item);
    if !arguments.is_empty() {
        symbol.push_str("__");
        symbol.push_str(&arguments.iter().map(|a| words(a)).collect::<Vec<_>>().join("_"));
    }
    if !readable {
        symbol.push_str(&format!("__{:016x}", fnv1a(name.as_bytes())));
    }
    if !symbol.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
        symbol.insert(0, '_');
    }
    symbol
}

/// The letters, digits and `_` of `text`, with one `_` for whatever stands between.
fn words(text: &str) -> String {
    let parts = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').filter(|part| !part.is_empty());
    parts.collect::<Vec<_>>().join("_")
}

/// The FNV-1a hash: short, and the same everywhere.
fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::symbol;

    #[test]
    fn plain_names_stay_readable() {
        assert_eq!(symbol("my_crate::saxpy"), "saxpy");
        assert_eq!(symbol("my_crate::scale::<f32, 4>"), "scale__f32_4");
        assert_eq!(symbol("saxpy"), "saxpy");
    }

    #[test]
    fn other_names_are_kept_apart_by_a_hash() {
        let symbols = [
            symbol("a::b::c"),
            symbol("a::b_c"),
            symbol("a::b::<c>"),
            symbol("a::b::<c, d>"),
            symbol("a::b::<c_d>"),
            symbol("a::b__c"),
            symbol("a::b::<[f32; 4]>"),
            symbol("a::b::<f32, 4>"),
            symbol("a::größe"),
            symbol("a::gr_e"),
        ];
        for (number, symbol) in symbols.iter().enumerate() {
            assert!(symbol.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_'), "{symbol}");
            assert!(!symbols[..number].contains(symbol), "{symbol}");
        }
    }
}
