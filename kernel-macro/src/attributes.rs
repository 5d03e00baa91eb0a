//! The arguments of `#[kernel(…)]`.

use proc_macro2::TokenStream;
use quote::quote;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Error, Ident, LitInt, Token, parenthesized};

/// What the attribute says.
#[derive(Debug, Default)]
pub struct Attributes {
    block: Option<[u32; 3]>,
    overflow_checks: bool,
    contract: bool,
}

/// Most threads that a block may have on any device.
const MAX_THREADS: u64 = 1024;

impl Parse for Attributes {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        let mut attributes = Attributes::default();
        while !input.is_empty() {
            let name: Ident = input.parse()?;
            match name.to_string().as_str() {
                "block" => {
                    input.parse::<Token![=]>()?;
                    attributes.block = Some(block(input)?);
                }
                "overflow_checks" => attributes.overflow_checks = true,
                "fast_math" => {
                    let inner;
                    parenthesized!(inner in input);
                    let what: Ident = inner.parse()?;
                    if what != "contract" {
                        return Err(Error::new(
                            what.span(),
                            "the only fast math is `contract`: `a * b + c` as one operation",
                        ));
                    }
                    attributes.contract = true;
                }
                _ => {
                    let known =
                        "`block = 256`, `block = (16, 16)`, `overflow_checks` and `fast_math(contract)`";
                    return Err(Error::new(name.span(), format!("`#[kernel]` takes {known}")));
                }
            }
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
        }
        Ok(attributes)
    }
}

/// `256`, `(16, 16)` or `(8, 8, 4)`.
fn block(input: ParseStream) -> syn::Result<[u32; 3]> {
    let literals: Vec<LitInt> = if input.peek(syn::token::Paren) {
        let inner;
        parenthesized!(inner in input);
        Punctuated::<LitInt, Token![,]>::parse_terminated(&inner)?.into_iter().collect()
    } else {
        vec![input.parse()?]
    };
    let mut sizes = [1; 3];
    let Some(first) = literals.first() else { return Err(input.error("a block has one to three sizes")) };
    if literals.len() > sizes.len() {
        return Err(Error::new(literals[3].span(), "a block has one to three sizes"));
    }
    for (size, literal) in sizes.iter_mut().zip(&literals) {
        *size = literal.base10_parse()?;
        if *size == 0 {
            return Err(Error::new(literal.span(), "a block has one thread at least in each direction"));
        }
    }
    if sizes.iter().map(|s| u64::from(*s)).product::<u64>() > MAX_THREADS {
        return Err(Error::new(first.span(), format!("a block has {MAX_THREADS} threads at most")));
    }
    Ok(sizes)
}

impl quote::ToTokens for Attributes {
    fn to_tokens(&self, out: &mut TokenStream) {
        let Attributes { block, overflow_checks, contract } = self;
        let block = match block {
            Some([x, y, z]) => quote!(::core::option::Option::Some([#x, #y, #z])),
            None => quote!(::core::option::Option::None),
        };
        out.extend(quote! {
            ::wavewright::__private::KernelAttributes {
                block: #block,
                overflow_checks: #overflow_checks,
                contract: #contract,
            }
        });
    }
}

/// Whether a function is `#[track_caller]`.
pub fn is_track_caller(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| attribute.path().is_ident("track_caller"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Attributes, String> {
        syn::parse_str(text).map_err(|e| e.to_string())
    }

    #[test]
    fn sizes_of_a_block() {
        assert_eq!(parse("block = 256").unwrap().block, Some([256, 1, 1]));
        assert_eq!(parse("block = (16, 16), overflow_checks").unwrap().block, Some([16, 16, 1]));
        assert!(parse("block = (16, 16), overflow_checks").unwrap().overflow_checks);
        assert!(parse("fast_math(contract)").unwrap().contract);
    }

    #[test]
    fn wrong_arguments_say_what_is_right() {
        assert!(parse("block = 0").unwrap_err().contains("at least"));
        assert!(parse("block = 2048").unwrap_err().contains("1024"));
        assert!(parse("block = (1, 2, 3, 4)").unwrap_err().contains("one to three"));
        assert!(parse("blocks = 2").unwrap_err().contains("overflow_checks"));
        assert!(parse("fast_math(all)").unwrap_err().contains("contract"));
    }
}
