//! The notes of a body: numbered in the order in which they are made, which is that of the records.
//!
//! A note is a variable of the witness. rustc looks at every variable whose type is still open each time that it makes
//! progress, so variables are opened in groups just before the statement that needs the first of them; a group serves
//! the statements after it, and the blocks in them, until it is full or its block ends.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};
use wavewright_kernel_ir::captured::Note;

/// Most notes in a group; the largest of the `__openN`.
const GROUP: usize = 16;

#[derive(Default)]
pub struct Notes {
    /// The number of the first note of the body: those before it are the signature's.
    first: u32,
    made: u32,
    /// How many notes each group has.
    groups: Vec<usize>,
    /// The group that still has room and is in scope.
    current: Option<usize>,
    /// For each block that we are in, the groups to open before its current statement.
    frames: Vec<Vec<usize>>,
    /// For each block that we are in, the groups opened in it.
    opened: Vec<Vec<usize>>,
}

impl Notes {
    pub fn new(first: u32) -> Self {
        Self { first, ..Self::default() }
    }

    /// How many there are, with those of the signature.
    pub fn count(&self) -> u32 {
        self.first + self.made
    }

    /// A new note and its variable.
    pub fn make(&mut self, span: Span) -> (Note, Ident) {
        let group = match self.current {
            Some(group) if self.groups[group] < GROUP => group,
            _ => self.start_group(),
        };
        let variable = variable(group, self.groups[group], span);
        self.groups[group] += 1;
        let note = Note(self.count());
        self.made += 1;
        (note, variable)
    }

    fn start_group(&mut self) -> usize {
        let group = self.groups.len();
        self.groups.push(0);
        self.current = Some(group);
        self.frames.last_mut().expect("notes are made inside a block").push(group);
        self.opened.last_mut().expect("notes are made inside a block").push(group);
        group
    }

    pub fn enter_block(&mut self) {
        self.frames.push(Vec::new());
        self.opened.push(Vec::new());
    }

    /// The groups that the statement just walked has started; they go before it.
    pub fn end_statement(&mut self) -> Vec<usize> {
        self.frames.last_mut().map(std::mem::take).unwrap_or_default()
    }

    pub fn leave_block(&mut self) {
        self.frames.pop();
        let opened = self.opened.pop().unwrap_or_default();
        if self.current.is_some_and(|group| opened.contains(&group)) {
            self.current = None;
        }
    }

    /// `let (__n0_0, __n0_1) = __open2(&__g0);`, once the group is complete.
    pub fn open(&self, group: usize) -> TokenStream {
        let size = self.groups[group];
        let open = format_ident!("__open{size}");
        let (name, variables) = (group_name(group), (0..size).map(|n| variable(group, n, Span::call_site())));
        quote!(let (#(#variables,)*) = #open(&#name);)
    }

    /// The declarations of the groups, and the tuple that holds them all.
    pub fn groups(&self) -> (TokenStream, TokenStream) {
        let names: Vec<Ident> = (0..self.groups.len()).map(group_name).collect();
        let declarations = quote!(#(let #names = __NOTES;)*);
        let mut level: Vec<TokenStream> = names.iter().map(|name| quote!(#name)).collect();
        // Wide tuples have no impls, deep types hit rustc's recursion limit: a tree of sixteens is neither.
        while level.len() > GROUP {
            level = level.chunks(GROUP).map(|part| quote!((#(#part,)*))).collect();
        }
        (declarations, quote!((#(#level,)*)))
    }
}

fn group_name(group: usize) -> Ident {
    format_ident!("__g{group}")
}

fn variable(group: usize, number: usize, span: Span) -> Ident {
    Ident::new(&format!("__n{group}_{number}"), span)
}
