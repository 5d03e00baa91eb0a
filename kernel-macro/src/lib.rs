//! `#[kernel]`, `#[device]` and `#[derive(DeviceType)]`.
//!
//! A function goes two ways at once. `capture` walks its body and writes down the tree
//! (`wavewright_kernel_ir::captured`), and beside it the tokens of the witness, the same body with the notes through
//! which rustc says what only it knows (`wavewright_kernel_ir::witness` says how). The rest puts the two into items:
//!
//! | file | what it makes |
//! |---|---|
//! | `item_fn` | `#[device] fn`: the function, its companion, its instance |
//! | `kernel`, `launch` | `#[kernel] fn`: the same, and the function that launches it |
//! | `item_impl`, `item_trait`, `operator_impl`, `method` | methods of `#[device]` impls and traits |
//! | `derive` | `DeviceType` of a struct |
//! | `generics`, `signature` | what generic parameters and parameters mean to instances and companions |
//! | `describe` | what an instance says about itself: name, captured bytes, witness |
//! | `ledger` | every construct of the language: captured, or refused with what to write instead |

mod attributes;
#[cfg(test)]
mod book_tests;
mod capture;
mod derive;
mod describe;
mod extent;
mod fragments;
mod generics;
mod item_fn;
mod item_impl;
mod item_trait;
mod kernel;
mod launch;
mod ledger;
mod method;
mod names;
mod operator_impl;
mod signature;

use proc_macro::TokenStream;
use syn::parse_macro_input;

/// Makes a function a GPU kernel.
///
/// Where the function stood, there is a function of the same name that launches it, and a type of the same name with
/// `entry()` and `program()`. The function's own body is checked by rustc as ever.
///
/// | parameter | passed to the launch |
/// |---|---|
/// | `x: T`, a `Copy` type | the value |
/// | `x: &[T]` | `&Buffer<T>` |
/// | `x: &mut [T]` | `&mut Buffer<T>`; the threads of the grid share it, so the launch is `unsafe` |
/// | `x: &T`, `x: &mut T` | `&Buffer<T>`, `&mut Buffer<T>`: each thread has its own element |
///
/// `#[kernel(block = 256)]` or `block = (16, 16)` fixes the size of a block; `overflow_checks` makes arithmetic that
/// leaves its type's range a panic; `fast_math(contract)` lets `a * b + c` be one operation.
#[proc_macro_attribute]
pub fn kernel(attribute: TokenStream, item: TokenStream) -> TokenStream {
    kernel::expand(attribute.into(), item.into()).into()
}

/// Makes a function, or the methods of an `impl` or `trait`, callable from kernels.
///
/// Functions may be generic, take closures, and live in any crate. On the host they are what they were.
#[proc_macro_attribute]
pub fn device(attribute: TokenStream, item: TokenStream) -> TokenStream {
    let original = proc_macro2::TokenStream::from(item.clone());
    if !attribute.is_empty() {
        let error = syn::Error::new_spanned(
            proc_macro2::TokenStream::from(attribute),
            "`#[device]` takes no arguments",
        );
        return names::refused(original, &[error]).into();
    }
    match fragments::parse(item.into()) {
        Ok(syn::Item::Fn(function)) => item_fn::expand(&function),
        Ok(syn::Item::Impl(item)) => item_impl::expand(&item),
        Ok(syn::Item::Trait(item)) => item_trait::expand(item),
        Err(error) => names::refused(original, &[error]),
        Ok(other) => names::refused(original, &[ledger::refuse_item(&other)]),
    }
    .into()
}

/// Makes a struct a type that kernels may hold: all its fields must be.
#[proc_macro_derive(DeviceType)]
pub fn derive_device_type(item: TokenStream) -> TokenStream {
    derive::expand(&parse_macro_input!(item as syn::DeriveInput)).into()
}
