//! Every construct of the language: captured, or refused with what to write instead.
//!
//! One table for each of `syn`'s enums, closed: a test holds a snippet for every line. `syn` may grow variants (its
//! enums are non-exhaustive); those are refused as unknown. What a table calls captured may still be refused in part,
//! where it is captured, with a message of its own.

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::Error;

/// What becomes of a construct.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It has a node in the captured tree.
    Captured,
    /// It is an error, with this message.
    Refused(&'static str),
}

/// A line of a table.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// The variant's name in `syn`, or a macro's name.
    pub name: &'static str,
    pub verdict: Verdict,
}

const UNKNOWN: &str = "this construct is not known to kernels: write it with simpler ones";

macro_rules! ledger {
    ($(#[$doc:meta])* $table:ident, $lookup:ident: $syntax:ident { $($variant:ident => $verdict:expr,)* }) => {
        $(#[$doc])*
        #[allow(dead_code)]
        pub const $table: &[Entry] = {
            use Verdict::*;
            &[$(Entry { name: stringify!($variant), verdict: $verdict }),*]
        };

        /// The line of a construct; none for a variant that is not in the table.
        #[allow(dead_code)] // every statement is captured: that table is for the reader and the tests
        pub fn $lookup(syntax: &syn::$syntax) -> Option<&'static Entry> {
            let name = match syntax {
                $(syn::$syntax::$variant { .. } => stringify!($variant),)*
                #[allow(unreachable_patterns)] // some of syn's enums are exhaustive
                _ => return None,
            };
            $table.iter().find(|entry| entry.name == name)
        }
    };
}

ledger! {
    /// Expressions.
    EXPRS, expr: Expr {
        Array => Captured,
        Assign => Captured,
        Async => Refused("`async` blocks can't run in a kernel: write the statements directly"),
        Await => Refused("`.await` can't run in a kernel: call the function directly"),
        Binary => Captured,
        Block => Captured,
        Break => Captured,
        Call => Captured,
        Cast => Captured,
        Closure => Captured,
        Const => Captured,
        Continue => Captured,
        Field => Captured,
        ForLoop => Captured,
        Group => Captured,
        If => Captured,
        Index => Captured,
        Infer => Refused("`_` is no value: it may stand on the left of `=`, or as a pattern"),
        Let => Captured,
        Lit => Captured,
        Loop => Captured,
        Macro => Captured,
        Match => Captured,
        MethodCall => Captured,
        Paren => Captured,
        Path => Captured,
        Range => Captured,
        RawAddr => Captured,
        Reference => Captured,
        Repeat => Captured,
        Return => Captured,
        Struct => Captured,
        Try => Captured,
        TryBlock => Refused("`try` blocks are not supported in kernels: write an `if`"),
        Tuple => Captured,
        Unary => Captured,
        Unsafe => Captured,
        Verbatim => Refused(UNKNOWN),
        While => Captured,
        Yield => Refused("`yield` can't run in a kernel: write a loop"),
    }
}

ledger! {
    /// Statements.
    STATEMENTS, statement: Stmt {
        Local => Captured,
        Item => Captured,
        Expr => Captured,
        Macro => Captured,
    }
}

ledger! {
    /// Patterns.
    PATTERNS, pattern: Pat {
        Const => Refused("`const` blocks can't be patterns in a kernel: name the constant"),
        Ident => Captured,
        Lit => Captured,
        Macro => Refused("macros in patterns reach the kernel unexpanded: write the pattern out"),
        Or => Captured,
        Paren => Captured,
        Path => Captured,
        Range => Captured,
        Reference => Captured,
        Rest => Captured,
        Slice => Captured,
        Struct => Captured,
        Tuple => Captured,
        TupleStruct => Captured,
        Type => Captured,
        Verbatim => Refused(UNKNOWN),
        Wild => Captured,
    }
}

ledger! {
    /// Types.
    TYPES, ty: Type {
        Array => Captured,
        BareFn => Refused("kernels have no function pointers: take a closure, `f: impl Fn(f32) -> f32`"),
        Group => Captured,
        ImplTrait => Captured,
        Infer => Captured,
        Macro => Refused("macros in types reach the kernel unexpanded: write the type out"),
        Never => Captured,
        Paren => Captured,
        Path => Captured,
        Ptr => Captured,
        Reference => Captured,
        Slice => Captured,
        TraitObject => Refused("kernels have no trait objects: make the function generic, `<T: Trait>`"),
        Tuple => Captured,
        Verbatim => Refused(UNKNOWN),
    }
}

ledger! {
    /// Items inside a body.
    ITEMS, item: Item {
        Const => Captured,
        Enum => Refused("types can't be defined in a kernel: move the `enum` out of the function"),
        ExternCrate => Refused("`extern crate` can't stand in a kernel: move it out of the function"),
        Fn => Refused("functions can't be defined in a kernel: move it out and put `#[device]` on it, or write a closure"),
        ForeignMod => Refused("`extern` blocks can't stand in a kernel: devices have no foreign functions"),
        Impl => Refused("`impl` blocks can't stand in a kernel: move it out of the function and put `#[device]` on it"),
        Macro => Refused("macros can't be defined in a kernel, which sees their calls unexpanded: write a `#[device]` function"),
        Mod => Refused("modules can't stand in a kernel: move it out of the function"),
        Static => Refused("statics live on the host: write a `const`, or pass the value as an argument"),
        Struct => Refused("types can't be defined in a kernel: move the `struct` out and put `#[derive(DeviceType)]` on it"),
        Trait => Refused("traits can't be defined in a kernel: move it out of the function and put `#[device]` on it"),
        TraitAlias => Refused("trait aliases can't stand in a kernel: move it out of the function"),
        Type => Captured,
        Union => Refused("kernels have no unions: use `to_bits` and `from_bits`, or a cast"),
        Use => Captured,
        Verbatim => Refused(UNKNOWN),
    }
}

ledger! {
    /// Literals.
    LITERALS, literal: Lit {
        Str => Refused("kernels have no strings, but for the messages of `panic!` and `assert!`"),
        ByteStr => Refused("kernels have no byte strings: write an array, `[b'a', b'b']`"),
        CStr => Refused("kernels have no C strings"),
        Byte => Captured,
        Char => Captured,
        Int => Captured,
        Float => Captured,
        Bool => Captured,
        Verbatim => Refused(UNKNOWN),
    }
}

/// Macro calls, by the last segment of their path. An attribute sees them unexpanded, so only these are understood.
pub const MACROS: &[Entry] = {
    use Verdict::*;
    const PRINT: &str = "kernels can't print: write the value to a buffer";
    const TEXT: &str = "kernels have no strings";
    const fn captured(name: &'static str) -> Entry {
        Entry { name, verdict: Captured }
    }
    const fn refused(name: &'static str, message: &'static str) -> Entry {
        Entry { name, verdict: Refused(message) }
    }
    &[
        captured("assert"),
        captured("assert_eq"),
        captured("assert_ne"),
        captured("cfg"),
        captured("debug_assert"),
        captured("debug_assert_eq"),
        captured("debug_assert_ne"),
        captured("matches"),
        captured("panic"),
        captured("shared"),
        captured("todo"),
        captured("unimplemented"),
        captured("unreachable"),
        refused("print", PRINT),
        refused("println", PRINT),
        refused("eprint", PRINT),
        refused("eprintln", PRINT),
        refused("dbg", PRINT),
        refused("format", TEXT),
        refused("format_args", TEXT),
        refused("write", TEXT),
        refused("writeln", TEXT),
        refused("concat", TEXT),
        refused("stringify", TEXT),
        refused("vec", "kernels have no heap: use an array, `[0.0; 16]`, or `shared!`"),
    ]
};

/// The message for any other macro.
pub const OTHER_MACRO: &str = "a kernel sees macro calls unexpanded, so this one can't be captured: write a `#[device]` function instead";

/// What becomes of a macro call.
pub fn macro_verdict(path: &syn::Path) -> Verdict {
    let name = path.segments.last().map(|s| s.ident.to_string()).unwrap_or_default();
    MACROS
        .iter()
        .find(|entry| entry.name == name)
        .map_or(Verdict::Refused(OTHER_MACRO), |entry| entry.verdict)
}

/// The error for a construct with this line of a table.
pub fn refuse(entry: Option<&Entry>, syntax: &impl ToTokens) -> Error {
    let message = match entry.map(|e| e.verdict) {
        Some(Verdict::Refused(message)) => message,
        Some(Verdict::Captured) | None => UNKNOWN,
    };
    Error::new_spanned(syntax, message)
}

/// The error for an item that `#[device]` can't stand on.
pub fn refuse_item(item: &syn::Item) -> Error {
    let message = match item {
        syn::Item::Struct(_) => {
            "`#[device]` goes on functions, `impl`s and traits: write `#[derive(DeviceType)]` here"
        }
        syn::Item::Enum(_) => "enums are not supported in kernels yet: use integers or `bool`s",
        _ => "`#[device]` goes on functions, `impl`s and traits",
    };
    // The whole item would be underlined; its head is enough.
    let head: TokenStream = item
        .to_token_stream()
        .into_iter()
        .take_while(|t| !matches!(t, proc_macro2::TokenTree::Group(_)))
        .collect();
    Error::new_spanned(head, message)
}
