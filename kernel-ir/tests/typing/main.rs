//! Captured bodies made by hand, and the typed program that they become: one file a concern.

mod closures;
mod control;
mod depth;
mod literals;
mod operators;
mod patterns;
mod places;
mod printed;
mod refusals;
mod verifier;

use wavewright_kernel_ir::captured::Block;
use wavewright_kernel_ir::entry::BuildError;
use wavewright_kernel_ir::print;
use wavewright_kernel_ir::samples::build::{BodyBuilder, Builder};
use wavewright_kernel_ir::samples::typed;
use wavewright_kernel_ir::typed::Program;
use wavewright_kernel_ir::verify::verify;

/// A kernel under construction: `fn k()`.
struct Kernel {
    b: Builder,
    f: BodyBuilder,
}

impl Kernel {
    fn new() -> Self {
        let b = Builder::new();
        let f = BodyBuilder::new(b.ty::<()>());
        Self { b, f }
    }

    fn program(self, body: Block) -> Result<Program, BuildError> {
        typed(&self.b.kernel("test::k", self.f, body))
    }

    /// The functions that the kernel becomes, kernel first.
    #[track_caller]
    fn text(self, body: Block) -> String {
        let program = self.program(body).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(verify(&program), Ok(()));
        let text = print::typed(&program);
        let functions = text.split("\n\n").skip(1);
        let without_place = |f: &str| f.lines().skip(1).collect::<Vec<_>>().join("\n");
        functions.map(without_place).collect::<Vec<_>>().join("\n")
    }

    /// The lines of the kernel's own body.
    #[track_caller]
    fn lines(self, body: Block) -> Vec<String> {
        let text = self.text(body);
        let own = text.split("\n}").next().unwrap_or_default();
        own.lines().skip(1).map(|line| line.strip_prefix("    ").unwrap_or(line).to_string()).collect()
    }

    /// The message with which the kernel is refused.
    #[track_caller]
    fn refusal(self, body: Block) -> String {
        match self.program(body) {
            Ok(program) => panic!("it was not refused:\n{}", print::typed(&program)),
            Err(e) => {
                assert_ne!(e.file, "");
                e.message
            }
        }
    }
}
