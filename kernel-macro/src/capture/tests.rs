//! The ledger is closed, and says what happens.

use super::{Captured, Function, Role, capture};
use crate::ledger::{self, Entry, Verdict};
use proc_macro2::TokenStream;
use quote::quote;
use syn::parse::Parser;
use syn::{Expr, Item, Lit, Pat, Stmt, Type};

fn capture_fn(role: Role, source: TokenStream) -> Result<Captured, String> {
    let function: syn::ItemFn = syn::parse2(source).unwrap();
    let captured = capture(&Function {
        role,
        signature: &function.sig,
        block: &function.block,
        track_caller: false,
        closures: &[],
        constants: &[],
    });
    captured.map_err(|errors| errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))
}

/// A body with variables that the snippets use.
fn capture_statements(statements: TokenStream) -> Result<Captured, String> {
    capture_fn(
        Role::Kernel,
        quote! {
            fn kernel(a: f32, b: bool, n: usize, x: &[f32], y: &mut [f32], t: (f32, u32)) {
                #statements
            }
        },
    )
}

#[track_caller]
fn check(entry: &Entry, captured: Result<Captured, String>) {
    match (entry.verdict, captured) {
        (Verdict::Captured, Ok(_)) => {}
        (Verdict::Refused(message), Err(errors)) => assert_eq!(errors, message, "{}", entry.name),
        (Verdict::Captured, Err(errors)) => panic!("{} is refused: {errors}", entry.name),
        (Verdict::Refused(_), Ok(_)) => panic!("{} is captured", entry.name),
    }
}

/// Each line of a table has one snippet; `snippet` gives its line and what became of it.
#[track_caller]
fn check_table<S>(
    table: &[Entry],
    snippets: Vec<S>,
    line: impl Fn(&S) -> Option<&'static Entry>,
    captured: impl Fn(S) -> Result<Captured, String>,
) {
    let mut seen = Vec::new();
    for snippet in snippets {
        let entry = line(&snippet).expect("the snippet's variant is in the table");
        seen.push(entry.name);
        check(entry, captured(snippet));
    }
    let mut wanted: Vec<&str> = table.iter().map(|entry| entry.name).collect();
    wanted.sort_unstable();
    seen.sort_unstable();
    assert_eq!(seen, wanted, "one snippet for each variant");
}

#[test]
fn every_expression_has_its_verdict() {
    let expr = |source: &str| -> Expr { syn::parse_str(source).unwrap() };
    let mut snippets: Vec<Expr> = [
        "[1.0, 2.0f32]",
        "y[0] = a",
        "async { 1 }",
        "f.await",
        "a + 1.0",
        "{ a }",
        "loop { break }",
        "helper(a)",
        "a as u32",
        "|v| v * a",
        "const { 1 }",
        "loop { continue }",
        "t.0",
        "for i in 0..n {}",
        "if b { a } else { 2.0 }",
        "x[1]",
        "_",
        "1",
        "loop {}",
        "assert!(b)",
        "match n { 0 => 1, _ => 2 }",
        "a.sqrt()",
        "(a)",
        "LIMIT",
        "&raw const a",
        "&a",
        "[0.0; 4]",
        "return",
        "Point { x: 1.0, y: a }",
        "f?",
        "try { 1 }",
        "(a, n)",
        "-a",
        "unsafe { a }",
        "while b {}",
        "yield 1",
    ]
    .map(expr)
    .into();
    // `break` and `continue` stand in a loop, a condition in an `if`, a range in an index.
    let inside = |e: &Expr| -> Expr {
        match e {
            Expr::Loop(l) => match l.body.stmts.first() {
                Some(Stmt::Expr(inner @ (Expr::Break(_) | Expr::Continue(_)), _)) => inner.clone(),
                _ => e.clone(),
            },
            _ => e.clone(),
        }
    };
    snippets.push(Expr::Verbatim(quote!(builtin)));
    snippets.push(Expr::Group(syn::ExprGroup {
        attrs: Vec::new(),
        group_token: Default::default(),
        expr: Box::new(expr("a")),
    }));
    let condition: syn::ExprIf = syn::parse_str("if let 1.0 = a {}").unwrap();
    snippets.push((*condition.cond).clone());
    let index: syn::ExprIndex = syn::parse_str("x[0..n]").unwrap();
    snippets.push((*index.index).clone());
    check_table(
        ledger::EXPRS,
        snippets,
        |e| ledger::expr(&inside(e)),
        |e| {
            capture_statements(match &e {
                Expr::Let(_) => quote!(if #e {}),
                Expr::Range(_) => quote!(let _ = &x[#e];),
                Expr::Verbatim(_) => return capture_verbatim(e),
                _ => quote!(let _ = #e;),
            })
        },
    );
}

/// `Verbatim` is what syn makes of syntax newer than itself: it can't be written down.
fn capture_verbatim(e: Expr) -> Result<Captured, String> {
    let mut function: syn::ItemFn = syn::parse_quote!(
        fn kernel() {}
    );
    function.block.stmts.push(Stmt::Expr(e, None));
    let captured = capture(&Function {
        role: Role::Kernel,
        signature: &function.sig,
        block: &function.block,
        track_caller: false,
        closures: &[],
        constants: &[],
    });
    captured.map_err(|errors| errors[0].to_string())
}

#[test]
fn every_statement_has_its_verdict() {
    let statements = ["let c = a;", "const C: u32 = 1;", "a;", "assert!(b);"];
    let statements = statements.map(|s| syn::parse_str::<Stmt>(s).unwrap());
    let mut entries: Vec<_> = statements.iter().map(|s| ledger::statement(s).unwrap().name).collect();
    for statement in statements {
        check(ledger::statement(&statement).unwrap(), capture_statements(quote!(#statement)));
    }
    entries.sort_unstable();
    let mut wanted: Vec<_> = ledger::STATEMENTS.iter().map(|e| e.name).collect();
    wanted.sort_unstable();
    assert_eq!(entries, wanted);
}

#[test]
fn every_pattern_has_its_verdict() {
    let pattern = |source: &str| Pat::parse_multi.parse_str(source).unwrap();
    let mut snippets: Vec<Pat> = [
        "const { 1 }",
        "v",
        "1",
        "pattern!()",
        "1 | 2",
        "(1)",
        "geometry::LIMIT",
        "1..=2",
        "&v",
        "[v, .., w]",
        "Point { x, .. }",
        "(v, w)",
        "Square(v)",
        "_",
    ]
    .map(pattern)
    .into();
    snippets.push(syn::parse_quote!(..));
    let typed: syn::Local = match syn::parse_str("let v: f32 = a;").unwrap() {
        Stmt::Local(local) => local,
        _ => unreachable!("it is a `let`"),
    };
    snippets.push(typed.pat);
    snippets.push(Pat::Verbatim(quote!(box v)));
    check_table(ledger::PATTERNS, snippets, ledger::pattern, |p| match &p {
        Pat::Rest(_) => capture_statements(quote!(let (v, #p) = t;)),
        Pat::Type(_) => capture_statements(quote!(let #p = a;)),
        Pat::Verbatim(_) => {
            let mut function: syn::ItemFn = syn::parse_quote!(
                fn kernel(t: f32) {
                    match t {
                        _ => {}
                    }
                }
            );
            if let Some(Stmt::Expr(Expr::Match(m), _)) = function.block.stmts.first_mut() {
                m.arms[0].pat = p;
            }
            let captured = capture(&Function {
                role: Role::Kernel,
                signature: &function.sig,
                block: &function.block,
                track_caller: false,
                closures: &[],
                constants: &[],
            });
            captured.map_err(|errors| errors[0].to_string())
        }
        _ => capture_statements(quote!(match t { #p => {} })),
    });
}

#[test]
fn every_type_has_its_verdict() {
    let ty = |source: &str| -> Type { syn::parse_str(source).unwrap() };
    let mut snippets: Vec<Type> = [
        "[f32; 4]",
        "fn(f32)",
        "impl Copy",
        "_",
        "ty!()",
        "!",
        "(f32)",
        "f32",
        "*const f32",
        "&f32",
        "[f32]",
        "dyn Shape",
        "(f32, u32)",
    ]
    .map(ty)
    .into();
    snippets.push(Type::Verbatim(quote!(new)));
    snippets.push(Type::Group(syn::TypeGroup { group_token: Default::default(), elem: Box::new(ty("f32")) }));
    check_table(ledger::TYPES, snippets, ledger::ty, |ty| {
        let mut function: syn::ItemFn = syn::parse_quote!(
            fn function(v: f32) {}
        );
        if let Some(syn::FnArg::Typed(typed)) = function.sig.inputs.first_mut() {
            *typed.ty = ty;
        }
        let captured = capture(&Function {
            role: Role::Device,
            signature: &function.sig,
            block: &function.block,
            track_caller: false,
            closures: &[],
            constants: &[],
        });
        captured.map_err(|errors| errors[0].to_string())
    });
}

#[test]
fn every_item_has_its_verdict() {
    let item = |source: &str| -> Item { syn::parse_str(source).unwrap() };
    let mut snippets: Vec<Item> = [
        "const C: u32 = 1;",
        "enum E {}",
        "extern crate core;",
        "fn f() {}",
        "extern \"C\" {}",
        "impl Point {}",
        "macro_rules! m { () => {} }",
        "mod m {}",
        "static S: u32 = 1;",
        "struct S;",
        "trait T {}",
        "trait A = Copy;",
        "type T = f32;",
        "union U { a: u32 }",
        "use geometry::Point;",
    ]
    .map(item)
    .into();
    snippets.push(Item::Verbatim(quote!(new item)));
    check_table(ledger::ITEMS, snippets, ledger::item, |item| {
        let mut function: syn::ItemFn = syn::parse_quote!(
            fn kernel() {}
        );
        function.block.stmts.push(Stmt::Item(item));
        let captured = capture(&Function {
            role: Role::Kernel,
            signature: &function.sig,
            block: &function.block,
            track_caller: false,
            closures: &[],
            constants: &[],
        });
        captured.map_err(|errors| errors[0].to_string())
    });
}

#[test]
fn every_literal_has_its_verdict() {
    let lit = |source: &str| -> Lit { syn::parse_str(source).unwrap() };
    let mut snippets: Vec<Lit> =
        ["\"text\"", "b\"bytes\"", "c\"text\"", "b'a'", "'a'", "0x1fu64", "1.5e3", "true"].map(lit).into();
    snippets.push(Lit::Verbatim(proc_macro2::Literal::u8_unsuffixed(1)));
    check_table(ledger::LITERALS, snippets, ledger::literal, |lit| {
        let e = Expr::Lit(syn::ExprLit { attrs: Vec::new(), lit });
        capture_verbatim(e)
    });
}

#[test]
fn every_macro_has_its_verdict() {
    for entry in ledger::MACROS {
        let name = quote::format_ident!("{}", entry.name);
        let arguments = match entry.name {
            "assert" | "debug_assert" => quote!(b, "message"),
            "assert_eq" | "assert_ne" | "debug_assert_eq" | "debug_assert_ne" => quote!(n, 1),
            "cfg" => quote!(test),
            "matches" => quote!(n, 1 | 2),
            "shared" => quote!([f32; 16]),
            "panic" | "todo" | "unimplemented" | "unreachable" => quote!("message"),
            _ => quote!(),
        };
        check(entry, capture_statements(quote!(let _ = #name!(#arguments);)));
    }
    let other = capture_statements(quote!(my_macro!(a);)).map(|_| ()).unwrap_err();
    assert_eq!(other, ledger::OTHER_MACRO);
}

mod refused_in_part {
    use super::*;

    #[track_caller]
    fn refused(statements: TokenStream, message: &str) {
        let error = capture_statements(statements).map(|_| ()).unwrap_err();
        assert!(error.contains(message), "{error}");
    }

    #[test]
    fn ranges_are_values_and_iterators_are_looped_over() {
        for statements in [quote!(let r = 0..n;), quote!(for v in x {}), quote!(for i in 0.. {})] {
            assert!(capture_statements(statements).is_ok());
        }
    }

    #[test]
    fn messages_are_literals() {
        refused(quote!(panic!("{}", n)), "fixed message");
        refused(quote!(panic!("{n}")), "fixed message");
        refused(quote!(assert!(b, text)), "string literal");
    }

    #[test]
    fn attributes_that_may_change_the_meaning() {
        refused(quote!(#[cfg(test)] let c = 1;), "if cfg!");
        refused(quote!(#[other] let c = 1;), "means nothing");
        assert!(capture_statements(quote!(#[allow(unused)] let c = 1;)).is_ok());
    }

    #[test]
    fn shared_memory_is_the_kernels() {
        let function = quote!(
            fn f() {
                let tile = shared!([f32; 4]);
            }
        );
        let error = capture_fn(Role::Device, function).map(|_| ()).unwrap_err();
        assert!(error.contains("body of a kernel"), "{error}");
        refused(quote!(let c = || { shared!([f32; 4]); };), "body of a kernel");
        assert!(capture_statements(quote!(let tile = shared!([f32; 4]);)).unwrap().uses_shared);
    }

    #[test]
    fn nesting_has_a_bound() {
        let mut e = quote!(a);
        for _ in 0..200 {
            e = quote!(-(#e));
        }
        refused(quote!(let _ = #e;), "nests too deep");
    }

    #[test]
    fn every_fault_is_reported_at_once() {
        let errors = capture_statements(quote!(let s = "text"; let v = vec![1]; let w = async {};))
            .map(|_| ())
            .unwrap_err();
        assert_eq!(errors.lines().count(), 3, "{errors}");
    }
}
