//! From an instruction's text to its operation, once for each instruction of a code object.
//!
//! What is not known to be understood becomes [`Op::Stop`] with the reason: it stops the kernel when it is executed, not
//! before, since much of a code object's text (padding, other kernels) never is.

mod memory;
mod operand;
mod scalar;
mod shared;
mod vector;

use crate::family::Family;
use crate::operation::{Instruction, Op};
use crate::text::Text;

/// What decoding needs to know beside the text.
#[derive(Clone, Copy)]
pub struct Context<'f> {
    /// The family.
    pub family: &'f Family,
    /// Whether waves have 32 lanes.
    pub wave32: bool,
    /// Where the next instruction stands.
    pub next: u64,
}

/// Why an instruction is not understood.
type Refusal = String;

/// What a decoder says: the operation, that the name is none of its own, or that it is but can't be executed.
type Decoded = Result<Option<Op>, Refusal>;

/// The instruction with this text.
pub fn decode(text: &str, address: u64, size: u8, family: &Family, wave32: bool) -> Instruction {
    let context = Context { family, wave32, next: address + u64::from(size) };
    let op = operation(text, &context).unwrap_or_else(|reason| Op::Stop(reason.into()));
    Instruction { address, size, op, text: text.into() }
}

fn operation(text: &str, context: &Context) -> Result<Op, Refusal> {
    if let Some((first, second)) = text.split_once(" :: ") {
        return vector::dual(first, second, context);
    }
    let parsed = Text::of(text);
    type Decoder = fn(Text, &Context) -> Decoded;
    let decoders: [Decoder; 4] = [scalar::decode, vector::decode, memory::decode, shared::decode];
    for decoder in decoders {
        if let Some(op) = decoder(parsed.clone(), context)? {
            return Ok(op);
        }
    }
    Err("this instruction is not implemented".into())
}
