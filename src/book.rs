//! The examples of the book (`docs/`) and of the README, run as doctests. rustdoc alone compiles this module.

macro_rules! pages {
    ($($name:ident $path:literal;)*) => { $(
        #[doc = include_str!($path)]
        pub struct $name;
    )* };
}
pages! {
    Readme "../README.md";
    Introduction "../docs/src/introduction.md";
    GettingStarted "../docs/src/getting-started.md";
    Kernels "../docs/src/kernels.md";
    TheDevice "../docs/src/device.md";
    Errors "../docs/src/errors.md";
    Inspection "../docs/src/inspection.md";
    Language "../docs/src/language.md";
    Refused "../docs/src/refused.md";
    Std "../docs/src/std.md";
    Llvm "../docs/llvm.md";
}
