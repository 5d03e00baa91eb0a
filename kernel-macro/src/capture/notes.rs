//! The notes of a body: numbered in the order in which they are made, which is that of the records.
//!
//! A note is a variable of the witness. They are opened in groups, all at the start of the body.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};
use wavewright_kernel_ir::captured::Note;

/// Most notes in a group, and groups in a tuple: the largest of the `__openN`.
const GROUP: usize = 16;

pub struct Notes {
    /// How many notes the signature has: they come first.
    signature: u32,
    variables: Vec<Ident>,
}

impl Notes {
    pub fn new(signature: u32) -> Self {
        Self { signature, variables: Vec::new() }
    }

    /// How many there are, with those of the signature.
    pub fn count(&self) -> u32 {
        self.signature + self.variables.len() as u32
    }

    /// A new note and its variable.
    pub fn make(&mut self, span: Span) -> (Note, Ident) {
        let note = Note(self.count());
        let variable = Ident::new(&format!("__n{}", self.variables.len()), span);
        self.variables.push(variable.clone());
        (note, variable)
    }

    /// `let __g0 = …;`, to stand outside of the body.
    pub fn groups(&self) -> TokenStream {
        let names = self.group_names();
        quote!(#(let #names = __NOTES;)*)
    }

    /// `let (__n0, __n1) = __open2(&__g0);`, to stand at the start of the body.
    pub fn variables(&self) -> TokenStream {
        let groups = self.variables.chunks(GROUP);
        let opened = self.group_names().into_iter().zip(groups).map(|(name, variables)| {
            let open = format_ident!("__open{}", variables.len());
            quote!(let (#(#variables,)*) = #open(&#name);)
        });
        opened.collect()
    }

    /// The tuple of all groups. Wide tuples have no impls, deep types hit rustc's recursion limit: a tree of sixteens is
    /// neither.
    pub fn all_groups(&self) -> TokenStream {
        let mut level: Vec<TokenStream> = self.group_names().iter().map(|name| quote!(#name)).collect();
        while level.len() > GROUP {
            level = level.chunks(GROUP).map(|part| quote!((#(#part,)*))).collect();
        }
        quote!((#(#level,)*))
    }

    fn group_names(&self) -> Vec<Ident> {
        (0..self.variables.len().div_ceil(GROUP)).map(|group| format_ident!("__g{group}")).collect()
    }
}
