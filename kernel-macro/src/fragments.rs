//! Items that a `macro_rules!` macro wrote: what a fragment of one brings along.
//!
//! A fragment (`$e:expr`, `$t:ty`) arrives as a group without visible delimiters, which keeps it whole. `syn` knows such
//! groups as expressions and types, and looks through them for most of the rest.

use proc_macro2::{Delimiter, Group, Span, TokenStream, TokenTree};
use syn::parse::Parse;

/// Parses an item.
///
/// # Errors
///
/// What `syn` can't read.
pub fn parse<T: Parse>(item: TokenStream) -> syn::Result<T> {
    syn::parse2(item.clone()).or_else(|error| syn::parse2(bare_lifetimes(item)).map_err(|_| error))
}

/// The tokens with the lifetimes (and labels) of fragments out of their groups: at the start of a statement `syn` takes
/// any group for an expression.
fn bare_lifetimes(tokens: TokenStream) -> TokenStream {
    let bare = tokens.into_iter().map(|token| match token {
        TokenTree::Group(group) if is_lifetime(&group) => group.stream(),
        TokenTree::Group(group) => {
            let mut inner = Group::new(group.delimiter(), bare_lifetimes(group.stream()));
            inner.set_span(group.span());
            TokenTree::Group(inner).into()
        }
        other => other.into(),
    });
    bare.collect()
}

fn is_lifetime(group: &Group) -> bool {
    let mut inner = group.stream().into_iter();
    group.delimiter() == Delimiter::None
        && matches!(inner.next(), Some(TokenTree::Punct(p)) if p.as_char() == '\'')
        && matches!((inner.next(), inner.next()), (Some(TokenTree::Ident(_)), None))
}

/// Where a name was written, as far as macros keep names of different origin apart.
///
/// A variable and its use are of the same origin: either the user wrote both, or the same call of a macro did. Of this,
/// stable Rust shows a macro nothing but the debug text of a span, `#7 bytes(…)`; text of any other form is one origin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Origin(u32);

impl Origin {
    /// That of a name with this span.
    pub fn of(span: Span) -> Self {
        Self::read(&format!("{span:?}")).unwrap_or_default()
    }

    fn read(text: &str) -> Option<Self> {
        let (number, _) = text.strip_prefix('#')?.split_once(' ')?;
        number.parse().ok().map(Self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lifetimes_leave_their_groups() {
        let none = |inner: &str| TokenTree::Group(Group::new(Delimiter::None, inner.parse().unwrap()));
        let label: TokenStream = [none("'a"), none("1 + 2")].into_iter().collect();
        let body = TokenStream::from(TokenTree::Group(Group::new(Delimiter::Brace, label)));
        let bare: Vec<_> = match bare_lifetimes(body).into_iter().next() {
            Some(TokenTree::Group(group)) => group.stream().into_iter().collect(),
            other => panic!("{other:?}"),
        };
        assert_eq!(bare.len(), 3, "{bare:?}");
        assert!(matches!(&bare[2], TokenTree::Group(group) if group.delimiter() == Delimiter::None));
    }

    #[test]
    fn origins_are_read_from_spans() {
        assert_eq!(Origin::read("#7 bytes(1..2)"), Some(Origin(7)));
        assert_eq!(Origin::read("bytes(1..2)"), None);
        assert_eq!(Origin::of(Span::call_site()), Origin(0));
    }
}
