//! Methods of `bool` and `char` that can't be called yet.

use super::No;
use wavewright_kernel_ir::witness::never;

pub use ascii::Ascii;
pub use booleans::Boolean;
pub use characters::Character;

/// Of `bool`.
pub mod booleans {
    use super::*;

    super::super::bounds! {
        "a kernel holds no `Option` yet: write `if`" {
            then_some "`then_some` is not available in kernels yet";
            then "`then` is not available in kernels yet";
        }
    }

    #[rustfmt::skip]
    pub trait Boolean: Sized {
        fn then_some__on_device<T>(self, _value: T) -> No<Option<T>> where Self: then_some { never() }
        fn then__on_device<T, F: FnOnce() -> T>(self, _value: F) -> No<Option<T>> where Self: then { never() }
    }
}

/// Of `char`.
pub mod characters {
    use super::*;

    super::super::bounds! {
        "compare the `char`s, or convert with `as u32` and `char::from`" {
            is_alphabetic "`is_alphabetic` is not available in kernels yet";
            is_lowercase "`is_lowercase` is not available in kernels yet";
            is_uppercase "`is_uppercase` is not available in kernels yet";
            is_whitespace "`is_whitespace` is not available in kernels yet";
            is_alphanumeric "`is_alphanumeric` is not available in kernels yet";
            is_control "`is_control` is not available in kernels yet";
            is_numeric "`is_numeric` is not available in kernels yet";
            is_digit "`is_digit` is not available in kernels yet";
            to_digit "`to_digit` is not available in kernels yet";
            from_u32 "`from_u32` is not available in kernels yet";
            from_digit "`from_digit` is not available in kernels yet";
            from_u32_unchecked "`from_u32_unchecked` is not available in kernels yet";
            len_utf8 "`len_utf8` is not available in kernels yet";
            len_utf16 "`len_utf16` is not available in kernels yet";
        }
        "text stays on the host" {
            escape_unicode "`escape_unicode` is not available in kernels yet";
            escape_debug "`escape_debug` is not available in kernels yet";
            escape_default "`escape_default` is not available in kernels yet";
            encode_utf8 "`encode_utf8` is not available in kernels yet";
            encode_utf16 "`encode_utf16` is not available in kernels yet";
            to_lowercase "`to_lowercase` is not available in kernels yet";
            to_uppercase "`to_uppercase` is not available in kernels yet";
        }
    }

    #[rustfmt::skip]
    pub trait Character: Sized {
        fn is_alphabetic__on_device(self) -> No<bool> where Self: is_alphabetic { never() }
        fn is_lowercase__on_device(self) -> No<bool> where Self: is_lowercase { never() }
        fn is_uppercase__on_device(self) -> No<bool> where Self: is_uppercase { never() }
        fn is_whitespace__on_device(self) -> No<bool> where Self: is_whitespace { never() }
        fn is_alphanumeric__on_device(self) -> No<bool> where Self: is_alphanumeric { never() }
        fn is_control__on_device(self) -> No<bool> where Self: is_control { never() }
        fn is_numeric__on_device(self) -> No<bool> where Self: is_numeric { never() }
        fn is_digit__on_device(self, _radix: u32) -> No<bool> where Self: is_digit { never() }
        fn to_digit__on_device(self, _radix: u32) -> No<Option<u32>> where Self: to_digit { never() }
        fn from_u32__on_device(_code: u32) -> No<Option<char>> where Self: from_u32 { never() }
        fn from_digit__on_device(_digit: u32, _radix: u32) -> No<Option<char>> where Self: from_digit { never() }
        fn from_u32_unchecked__on_device(_code: u32) -> No<char> where Self: from_u32_unchecked { never() }
        fn len_utf8__on_device(self) -> No<usize> where Self: len_utf8 { never() }
        fn len_utf16__on_device(self) -> No<usize> where Self: len_utf16 { never() }
        fn escape_unicode__on_device(self) -> No<core::char::EscapeUnicode> where Self: escape_unicode { never() }
        fn escape_debug__on_device(self) -> No<core::char::EscapeDebug> where Self: escape_debug { never() }
        fn escape_default__on_device(self) -> No<core::char::EscapeDefault> where Self: escape_default { never() }
        fn encode_utf8__on_device(self, _to: &mut [u8]) -> No<&mut str> where Self: encode_utf8 { never() }
        fn encode_utf16__on_device(self, _to: &mut [u16]) -> No<&mut [u16]> where Self: encode_utf16 { never() }
        fn to_lowercase__on_device(self) -> No<core::char::ToLowercase> where Self: to_lowercase { never() }
        fn to_uppercase__on_device(self) -> No<core::char::ToUppercase> where Self: to_uppercase { never() }
    }
}

/// Of `u8` and `char`.
pub mod ascii {
    use super::*;

    super::super::bounds! {
        "compare with `<=`, as in `b'0' <= c && c <= b'9'`" {
            is_ascii "`is_ascii` is not available in kernels yet";
            is_ascii_alphabetic "`is_ascii_alphabetic` is not available in kernels yet";
            is_ascii_uppercase "`is_ascii_uppercase` is not available in kernels yet";
            is_ascii_lowercase "`is_ascii_lowercase` is not available in kernels yet";
            is_ascii_alphanumeric "`is_ascii_alphanumeric` is not available in kernels yet";
            is_ascii_digit "`is_ascii_digit` is not available in kernels yet";
            is_ascii_hexdigit "`is_ascii_hexdigit` is not available in kernels yet";
            is_ascii_punctuation "`is_ascii_punctuation` is not available in kernels yet";
            is_ascii_graphic "`is_ascii_graphic` is not available in kernels yet";
            is_ascii_whitespace "`is_ascii_whitespace` is not available in kernels yet";
            is_ascii_control "`is_ascii_control` is not available in kernels yet";
            to_ascii_uppercase "`to_ascii_uppercase` is not available in kernels yet";
            to_ascii_lowercase "`to_ascii_lowercase` is not available in kernels yet";
            make_ascii_uppercase "`make_ascii_uppercase` is not available in kernels yet";
            make_ascii_lowercase "`make_ascii_lowercase` is not available in kernels yet";
            eq_ignore_ascii_case "`eq_ignore_ascii_case` is not available in kernels yet";
        }
    }

    #[rustfmt::skip]
    pub trait Ascii: Sized {
        fn is_ascii__on_device(&self) -> No<bool> where Self: is_ascii { never() }
        fn is_ascii_alphabetic__on_device(&self) -> No<bool> where Self: is_ascii_alphabetic { never() }
        fn is_ascii_uppercase__on_device(&self) -> No<bool> where Self: is_ascii_uppercase { never() }
        fn is_ascii_lowercase__on_device(&self) -> No<bool> where Self: is_ascii_lowercase { never() }
        fn is_ascii_alphanumeric__on_device(&self) -> No<bool> where Self: is_ascii_alphanumeric { never() }
        fn is_ascii_digit__on_device(&self) -> No<bool> where Self: is_ascii_digit { never() }
        fn is_ascii_hexdigit__on_device(&self) -> No<bool> where Self: is_ascii_hexdigit { never() }
        fn is_ascii_punctuation__on_device(&self) -> No<bool> where Self: is_ascii_punctuation { never() }
        fn is_ascii_graphic__on_device(&self) -> No<bool> where Self: is_ascii_graphic { never() }
        fn is_ascii_whitespace__on_device(&self) -> No<bool> where Self: is_ascii_whitespace { never() }
        fn is_ascii_control__on_device(&self) -> No<bool> where Self: is_ascii_control { never() }
        fn to_ascii_uppercase__on_device(&self) -> No<Self> where Self: to_ascii_uppercase { never() }
        fn to_ascii_lowercase__on_device(&self) -> No<Self> where Self: to_ascii_lowercase { never() }
        fn make_ascii_uppercase__on_device(&mut self) -> No<()> where Self: make_ascii_uppercase { never() }
        fn make_ascii_lowercase__on_device(&mut self) -> No<()> where Self: make_ascii_lowercase { never() }
        fn eq_ignore_ascii_case__on_device(&self, _other: &Self) -> No<bool> where Self: eq_ignore_ascii_case { never() }
    }
}

impl Boolean for bool {}
impl Character for char {}
impl Ascii for u8 {}
impl Ascii for char {}
