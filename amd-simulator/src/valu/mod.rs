//! Vector instructions that compute each lane from the same lane of their operands: what they compute, by name.
//!
//! The meaning is that of the "CDNA3", "RDNA3" and "RDNA4" instruction set manuals. Names of several families for the same
//! operation stand on one line.

mod compare;
mod float;
mod half;
mod integer;

pub use compare::{Compare, compare};

use crate::lanes::{Source, Ty, Wide};

/// An operation on lanes.
#[derive(Clone, Copy)]
pub struct Valu {
    /// Computes every lane; those that are switched off come to nothing.
    pub run: fn(&mut Wide, &[Source; 3]),
    /// The result's type.
    pub dst: Ty,
    /// The operands' types.
    pub src: &'static [Ty],
    /// Whether the destination is also the last operand.
    pub accumulates: bool,
}

impl Valu {
    /// The same with the destination as last operand.
    pub const fn accumulating(self) -> Self {
        Valu { accumulates: true, ..self }
    }
}

/// Makes a [`Valu`] of a closure over lanes' values.
macro_rules! lanes {
    (|$($x:ident: $t:ty),*| -> $d:ty $body:block) => {
        $crate::valu::Valu {
            run: |out, sources| {
                for i in 0..$crate::lanes::LANES {
                    let mut number = 0;
                    $(
                        let $x = <$t as $crate::lanes::Lane>::get(&sources[number], i);
                        number += 1;
                    )*
                    let _ = number;
                    let value: $d = $body;
                    $crate::lanes::Lane::put(value, out, i);
                }
            },
            dst: <$d as $crate::lanes::Lane>::TY,
            src: &[$(<$t as $crate::lanes::Lane>::TY),*],
            accumulates: false,
        }
    };
}
pub(crate) use lanes;

/// The operation of an instruction's name, without what names its encoding; ` clamp` behind it where integers saturate.
pub fn named(name: &str) -> Option<Valu> {
    integer::named(name).or_else(|| float::named(name)).or_else(|| half::named(name))
}
