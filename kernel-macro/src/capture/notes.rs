//! The notes of a body: numbered in the order in which they are made, which is that of the records.
//!
//! A note is a variable of the witness. Notes are opened in groups, each shortly before its first note is used: whatever
//! rustc checks, it looks again at each type that it doesn't know yet, so few should be open at a time.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};
use std::ops::Range;
use wavewright_kernel_ir::captured::Note;

/// Most notes in a group. There are `__openN` up to 16; what is open and not yet used costs more than a call.
const GROUP: usize = 8;
/// Most groups in a tuple.
const TUPLE: usize = 16;

pub struct Notes {
    /// How many notes the signature has: they come first.
    signature: u32,
    variables: Vec<Ident>,
    /// What has been opened.
    groups: Vec<Range<usize>>,
}

impl Notes {
    pub fn new(signature: u32) -> Self {
        Self { signature, variables: Vec::new(), groups: Vec::new() }
    }

    /// How many there are, with those of the signature.
    pub fn count(&self) -> u32 {
        self.signature + self.variables.len() as u32
    }

    /// How many have been made.
    pub fn made(&self) -> usize {
        self.variables.len()
    }

    /// A new note and its variable.
    pub fn make(&mut self, span: Span) -> (Note, Ident) {
        let note = Note(self.count());
        let variable = Ident::new(&format!("__n{}", self.variables.len()), span);
        self.variables.push(variable.clone());
        (note, variable)
    }

    /// How many of these are not open yet.
    pub fn closed(&self, range: Range<usize>) -> usize {
        let within = |g: &Range<usize>| g.end.min(range.end).saturating_sub(g.start.max(range.start));
        range.len() - self.groups.iter().map(within).sum::<usize>()
    }

    /// `let (__n0, __n1) = __open2(&__g0);` for those of a range that are not open yet, to stand before their use.
    pub fn open(&mut self, range: Range<usize>) -> TokenStream {
        let mut tokens = TokenStream::new();
        let mut start = range.start;
        while start < range.end {
            if let Some(group) = self.groups.iter().find(|group| group.contains(&start)) {
                start = group.end;
                continue;
            }
            let next = self.groups.iter().map(|group| group.start).filter(|next| *next > start).min();
            let end = next.unwrap_or(range.end).min(range.end).min(start + GROUP);
            let (name, open) = (group_name(start), format_ident!("__open{}", end - start));
            let variables = &self.variables[start..end];
            tokens.extend(quote!(let (#(#variables,)*) = #open(&#name);));
            self.groups.push(start..end);
            start = end;
        }
        tokens
    }

    /// `let __g0 = …;`, to stand outside of the body.
    pub fn groups(&self) -> TokenStream {
        let names = self.group_names();
        quote!(#(let #names = __NOTES;)*)
    }

    /// The tuple of all groups. Wide tuples have no impls, deep types hit rustc's recursion limit: a tree of sixteens is
    /// neither.
    pub fn all_groups(&self) -> TokenStream {
        let mut level: Vec<TokenStream> = self.group_names().iter().map(|name| quote!(#name)).collect();
        while level.len() > TUPLE {
            level = level.chunks(TUPLE).map(|part| quote!((#(#part,)*))).collect();
        }
        quote!((#(#level,)*))
    }

    /// In the order of their notes.
    fn group_names(&self) -> Vec<Ident> {
        let mut starts: Vec<usize> = self.groups.iter().map(|group| group.start).collect();
        starts.sort_unstable();
        starts.into_iter().map(group_name).collect()
    }
}

fn group_name(start: usize) -> Ident {
    format_ident!("__g{start}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_note_is_opened_once_and_groups_stay_in_order() {
        let mut notes = Notes::new(2);
        for number in 0..30 {
            assert_eq!(notes.make(Span::call_site()).0, Note(number + 2));
        }
        let inner = notes.open(4..7).to_string();
        assert_eq!(inner, "let (__n4 , __n5 , __n6 ,) = __open3 (& __g4) ;");
        assert_eq!(notes.closed(0..10), 7);
        let rest = notes.open(0..30).to_string();
        assert_eq!(rest.matches("__n").count(), 27, "{rest}");
        assert_eq!(notes.closed(0..30), 0);
        assert!(notes.open(0..30).is_empty());
        assert_eq!(notes.all_groups().to_string().replace(' ', ""), "(__g0,__g4,__g7,__g15,__g23,)");
    }
}
