//! Text with indentation.

/// How tightly an expression holds together: what stands in a looser one needs no parentheses.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Tightness {
    /// A statement, an argument, anything between delimiters.
    Loose,
    /// An operand of a binary operator.
    Operand,
    /// What a prefix operator stands before.
    Prefixed,
    /// What `.`, `[` or `(` follows.
    Postfixed,
}

/// Text that grows.
#[derive(Default)]
pub(super) struct Writer {
    text: String,
    indent: usize,
}

/// The longest block that stays on its line.
const SHORT: usize = 60;

impl Writer {
    pub fn put(&mut self, text: &str) {
        self.text.push_str(text);
    }

    pub fn line(&mut self) {
        self.text.push('\n');
        self.text.extend(std::iter::repeat_n("    ", self.indent));
    }

    /// What `inside` writes, indented, between these.
    pub fn indented(&mut self, open: &str, close: &str, inside: impl FnOnce(&mut Self)) {
        self.put(open);
        self.indent += 1;
        inside(self);
        self.indent -= 1;
        self.line();
        self.put(close);
    }

    /// What `inside` writes, which holds together as tightly as `own`; in parentheses where that is too loose for what is
    /// around it.
    pub fn held(&mut self, around: Tightness, own: Tightness, inside: impl FnOnce(&mut Self)) {
        let loose = around > own;
        self.put(if loose { "(" } else { "" });
        inside(self);
        self.put(if loose { ")" } else { "" });
    }

    /// `{ … }` around what `inside` writes: on one line if it fits.
    pub fn braces(&mut self, inside: impl FnOnce(&mut Self)) {
        self.put("{");
        self.indent += 1;
        let start = self.text.len();
        self.line();
        let first = self.text.len();
        inside(self);
        self.indent -= 1;
        let written = &self.text[first..];
        if written.len() <= SHORT && !written.contains('\n') {
            self.text.replace_range(start..first, " ");
            self.put(" }");
        } else {
            self.line();
            self.put("}");
        }
    }

    pub fn finish(self) -> String {
        self.text
    }
}
