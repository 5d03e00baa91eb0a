//! The source text of an expression, for the message of a failed `assert!`.

use proc_macro2::{Delimiter, LineColumn, TokenStream, TokenTree};

/// The tokens with the white space that they have in the source, a line break being one space.
pub fn text(tokens: TokenStream) -> String {
    let mut text = String::new();
    let mut end = None;
    push_all(tokens, &mut text, &mut end);
    text
}

fn push_all(tokens: TokenStream, text: &mut String, end: &mut Option<LineColumn>) {
    for token in tokens {
        match token {
            TokenTree::Group(group) => {
                let (open, close) = match group.delimiter() {
                    Delimiter::Parenthesis => ("(", ")"),
                    Delimiter::Brace => ("{", "}"),
                    Delimiter::Bracket => ("[", "]"),
                    Delimiter::None => ("", ""),
                };
                push(open, group.span_open().start(), group.span_open().end(), text, end);
                push_all(group.stream(), text, end);
                push(close, group.span_close().start(), group.span_close().end(), text, end);
            }
            other => push(&other.to_string(), other.span().start(), other.span().end(), text, end),
        }
    }
}

fn push(token: &str, start: LineColumn, stop: LineColumn, text: &mut String, end: &mut Option<LineColumn>) {
    let apart = |before: LineColumn| before.line != start.line || before.column < start.column;
    if !token.is_empty() && end.is_some_and(apart) {
        text.push(' ');
    }
    text.push_str(token);
    *end = Some(stop);
}

#[cfg(test)]
mod tests {
    fn text(source: &str) -> String {
        super::text(source.parse().unwrap())
    }

    #[test]
    fn spaces_are_those_of_the_source() {
        assert_eq!(text("i<n && x[i  + 1] == -1"), "i<n && x[i + 1] == -1");
        assert_eq!(text("a.b(c, d)\n    || !e"), "a.b(c, d) || !e");
        assert_eq!(text("(a as usize) << 2"), "(a as usize) << 2");
    }
}
