//! `#[device] trait`.

use crate::names::refused;
use proc_macro2::TokenStream;
use syn::{Error, ItemTrait};

pub fn expand(item: ItemTrait) -> TokenStream {
    let error = Error::new(item.trait_token.span, "`#[device]` on a `trait` is not built yet");
    refused(item, &[error])
}
