//! An instruction's text, taken apart: `name operand, operand modifier modifier:value`.

/// The parts of an instruction's text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text<'t> {
    /// The name, without what names its encoding.
    pub name: &'t str,
    /// What names its encoding: `e32`, `sdwa`, …; empty where nothing does.
    pub encoding: &'t str,
    /// The operands, in order.
    pub operands: Vec<&'t str>,
    modifiers: Vec<(&'t str, &'t str)>,
}

/// Longest first: one may be the end of another.
const ENCODINGS: [&str; 6] = ["_e64_dpp", "_e64", "_e32", "_sdwa", "_dpp", "_lds"];

impl<'t> Text<'t> {
    /// The parts of `text`.
    pub fn of(text: &'t str) -> Self {
        let (name, rest) = text.split_once(' ').unwrap_or((text, ""));
        let encoding = ENCODINGS.iter().find(|encoding| name.ends_with(*encoding));
        let (name, encoding) = match encoding {
            Some(encoding) => (&name[..name.len() - encoding.len()], &encoding[1..]),
            None => (name, ""),
        };
        let mut pieces = split(rest, ',');
        let mut modifiers = Vec::new();
        if let Some(last) = pieces.pop() {
            let mut words = split(last, ' ').into_iter();
            if let Some(first) = words.next().filter(|word| !word.is_empty()) {
                pieces.push(first);
            }
            for word in words.filter(|word| !word.is_empty()) {
                modifiers.push(word.split_once(':').unwrap_or((word, "")));
            }
        }
        Text { name, encoding, operands: pieces, modifiers }
    }

    /// Takes a modifier out: its value, empty if it has none.
    pub fn take(&mut self, name: &str) -> Option<&'t str> {
        let place = self.modifiers.iter().position(|(found, _)| *found == name)?;
        Some(self.modifiers.remove(place).1)
    }

    /// Takes out a modifier whose value is a number.
    pub fn number(&mut self, name: &str) -> Result<Option<i64>, String> {
        let Some(value) = self.take(name) else { return Ok(None) };
        integer(value).map(Some).ok_or_else(|| format!("modifier `{name}:{value}` is no number"))
    }

    /// Takes out a modifier whose value is a list of bits: `op_sel:[0,1]`. Bit `n` of the result is item `n`.
    pub fn bits(&mut self, name: &str) -> Result<Option<u32>, String> {
        let Some(value) = self.take(name) else { return Ok(None) };
        let mut bits = 0;
        for (n, item) in list(value).enumerate() {
            match item {
                "0" => {}
                "1" => bits |= 1 << n,
                _ => return Err(format!("modifier `{name}:{value}` is no list of bits")),
            }
        }
        Ok(Some(bits))
    }

    /// Drops the modifiers that say how caches take an access.
    pub fn drop_cache_policy(&mut self) {
        const POLICIES: [&str; 10] = ["glc", "slc", "dlc", "sc0", "sc1", "nt", "th", "scope", "nv", "scc"];
        self.modifiers.retain(|(name, _)| !POLICIES.contains(name));
    }

    /// An error if there is a modifier that nobody took.
    pub fn finish(&self) -> Result<(), String> {
        match self.modifiers.first() {
            None => Ok(()),
            Some((name, _)) => Err(format!("modifier `{name}` is not implemented here")),
        }
    }
}

/// The items of `[a,b,c]`.
pub fn list(text: &str) -> impl Iterator<Item = &str> {
    text.trim_start_matches('[').trim_end_matches(']').split(',').map(str::trim)
}

/// Splits at `separator` outside brackets.
fn split(text: &str, separator: char) -> Vec<&str> {
    let (mut depth, mut start) = (0, 0);
    let mut pieces = Vec::new();
    for (at, letter) in text.char_indices() {
        match letter {
            '[' | '(' => depth += 1,
            ']' | ')' => depth -= 1,
            _ if letter == separator && depth == 0 => {
                pieces.push(text[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    pieces.push(text[start..].trim());
    pieces
}

/// A whole number, decimal or hexadecimal.
pub fn integer(text: &str) -> Option<i64> {
    let (negative, digits) = text.strip_prefix('-').map_or((false, text), |digits| (true, digits));
    let value = match digits.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok()?.cast_signed(),
        None => digits.parse().ok()?,
    };
    Some(if negative { value.wrapping_neg() } else { value })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operands_and_modifiers_are_told_apart() {
        let mut text = Text::of("global_load_dwordx2 v[0:1], v2, s[4:5] offset:-16 sc0");
        assert_eq!(text.name, "global_load_dwordx2");
        assert_eq!(text.operands, ["v[0:1]", "v2", "s[4:5]"]);
        assert_eq!(text.number("offset"), Ok(Some(-16)));
        assert!(text.finish().is_err());
        text.drop_cache_policy();
        assert_eq!(text.finish(), Ok(()));
    }

    #[test]
    fn lists_and_calls_stay_whole() {
        let mut text = Text::of("v_mov_b32_dpp v0, -|v1| quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf");
        assert_eq!((text.name, text.encoding), ("v_mov_b32", "dpp"));
        assert_eq!(text.operands, ["v0", "-|v1|"]);
        assert_eq!(text.take("quad_perm").map(|value| list(value).count()), Some(4));
        assert_eq!(text.number("row_mask"), Ok(Some(15)));
        let text = Text::of("s_setreg_imm32_b32 hwreg(HW_REG_MODE, 4, 2), 3");
        assert_eq!(text.operands, ["hwreg(HW_REG_MODE, 4, 2)", "3"]);
        let mut text = Text::of("v_pk_add_f16 v0, v1, v2 op_sel:[0,1] op_sel_hi:[1,0]");
        assert_eq!((text.bits("op_sel"), text.bits("op_sel_hi")), (Ok(Some(2)), Ok(Some(1))));
        assert_eq!(Text::of("s_endpgm").operands, [""; 0]);
    }
}
