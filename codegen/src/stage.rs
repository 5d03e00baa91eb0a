//! The forms that a kernel takes on its way to code.

use std::fmt;
use std::str::FromStr;

/// A form that a kernel takes on its way, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Stage {
    /// The typed program: what the source means, before any target.
    Typed,
    /// LLVM IR as lowering writes it.
    LlvmIrRaw,
    /// LLVM IR after LLVM's optimisations.
    LlvmIr,
    /// Assembly; PTX for NVIDIA.
    Assembly,
    /// An object (ELF), not linked. NVIDIA has none: its driver turns PTX into code.
    Object,
    /// What the runtime loads: a linked code object for AMD, PTX for NVIDIA, an object for the host.
    CodeObject,
}

impl Stage {
    /// Every stage, in order.
    pub const ALL: [Stage; 6] =
        [Stage::Typed, Stage::LlvmIrRaw, Stage::LlvmIr, Stage::Assembly, Stage::Object, Stage::CodeObject];

    /// The stage's name: `typed`, `llvm-ir-raw`, `llvm-ir`, `assembly`, `object`, `code-object`.
    pub const fn name(self) -> &'static str {
        match self {
            Stage::Typed => "typed",
            Stage::LlvmIrRaw => "llvm-ir-raw",
            Stage::LlvmIr => "llvm-ir",
            Stage::Assembly => "assembly",
            Stage::Object => "object",
            Stage::CodeObject => "code-object",
        }
    }
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A text that names no stage.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is not a stage; the stages are `typed`, `llvm-ir-raw`, `llvm-ir`, `assembly`, `object` and `code-object`"
)]
pub struct UnknownStage(String);

impl FromStr for Stage {
    type Err = UnknownStage;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL.into_iter().find(|stage| stage.name() == text).ok_or_else(|| UnknownStage(text.into()))
    }
}

/// A kernel in the form of some stage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Artifact {
    /// Something to read.
    Text(String),
    /// Something for machines.
    Binary(Vec<u8>),
}

impl Artifact {
    /// The text, if it is one.
    pub fn text(&self) -> Option<&str> {
        match self {
            Artifact::Text(text) => Some(text),
            Artifact::Binary(_) => None,
        }
    }

    /// The bytes: those of the text, if it is one.
    pub fn bytes(&self) -> &[u8] {
        match self {
            Artifact::Text(text) => text.as_bytes(),
            Artifact::Binary(bytes) => bytes,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stage_prints_as_it_parses() {
        for stage in Stage::ALL {
            assert_eq!(stage.to_string().parse(), Ok(stage));
        }
        let error = "ptx".parse::<Stage>().unwrap_err().to_string();
        assert!(error.starts_with("`ptx` is not a stage"), "{error}");
    }
}
