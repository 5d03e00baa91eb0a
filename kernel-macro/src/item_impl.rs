//! `#[device] impl`.

use crate::names::refused;
use proc_macro2::TokenStream;
use syn::{Error, ItemImpl};

pub fn expand(item: &ItemImpl) -> TokenStream {
    refused(item, &[Error::new(item.impl_token.span, "`#[device]` on an `impl` is not built yet")])
}
