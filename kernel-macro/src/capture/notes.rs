//! The notes of a body: numbered in the order in which they are made, which is that of the records.
//!
//! A note is a variable of the witness. They are opened in groups, all at the start of the body.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};
use wavewright_kernel_ir::captured::Note;

/// Most notes in a group, and groups in a tuple: the largest of the `__openN`.
const GROUP: u32 = 16;

pub struct Notes {
    /// How many notes the signature has: they come first.
    signature: u32,
    made: u32,
}

impl Notes {
    pub fn new(signature: u32) -> Self {
        Self { signature, made: 0 }
    }

    /// How many there are, with those of the signature.
    pub fn count(&self) -> u32 {
        self.signature + self.made
    }

    /// A new note and its variable.
    pub fn make(&mut self, span: Span) -> (Note, Ident) {
        let note = Note(self.count());
        let variable = variable(self.made, span);
        self.made += 1;
        (note, variable)
    }

    /// `let __g0 = …;`, to stand outside of the body.
    pub fn groups(&self) -> TokenStream {
        let names = self.group_names();
        quote!(#(let #names = __NOTES;)*)
    }

    /// `let (__n0, __n1) = __open2(&__g0);`, to stand at the start of the body.
    pub fn variables(&self) -> TokenStream {
        let opened = self.group_names().into_iter().zip(0..).map(|(name, group)| {
            let (first, end) = (group * GROUP, self.made.min((group + 1) * GROUP));
            let open = format_ident!("__open{}", end - first);
            let variables = (first..end).map(|n| variable(n, Span::call_site()));
            quote!(let (#(#variables,)*) = #open(&#name);)
        });
        opened.collect()
    }

    /// The tuple of all groups. Wide tuples have no impls, deep types hit rustc's recursion limit: a tree of sixteens is
    /// neither.
    pub fn all_groups(&self) -> TokenStream {
        let mut level: Vec<TokenStream> = self.group_names().iter().map(|name| quote!(#name)).collect();
        while level.len() > GROUP as usize {
            level = level.chunks(GROUP as usize).map(|part| quote!((#(#part,)*))).collect();
        }
        quote!((#(#level,)*))
    }

    fn group_names(&self) -> Vec<Ident> {
        (0..self.made.div_ceil(GROUP)).map(|group| format_ident!("__g{group}")).collect()
    }
}

fn variable(number: u32, span: Span) -> Ident {
    Ident::new(&format!("__n{number}"), span)
}
