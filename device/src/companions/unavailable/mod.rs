//! The methods of std that exist but can't be called in a kernel yet, each with the message that says so.
//!
//! Their companions have std's signatures and a bound that no type meets, so rustc's error stands at the call, names the
//! method, and the rest of the function is checked as if the call were fine. Like all companions they lose to the user's
//! own. (The companions are written out, since rustc would also print a macro that they came from.)
//!
//! The stable methods of std on the types that kernels can hold are here or in [`methods`](super::methods): for one without a
//! companion, a method of the same name of a trait of the user's would be taken in a kernel, and std's on the host.

pub mod floats;
pub mod integers;
pub mod pointers;
pub mod slices;
pub mod text;
pub mod traits;

use wavewright_kernel_ir::witness::{Operation, Ret};

/// What a companion that can't be called returns.
type No<R> = Ret<R, Operation<0, ()>>;

/// Bounds that no type meets, each with its message: `"what to write instead" { NAME "message"; }`.
macro_rules! bounds {
    ($($note:literal { $($name:ident $message:literal;)* })*) => { $($(
        #[diagnostic::on_unimplemented(message = $message, label = "not available in kernels", note = $note)]
        #[allow(non_camel_case_types)]
        pub trait $name {}
    )*)* };
}
use bounds;

/// A number as an array of its bytes.
pub trait Bytes: Sized {
    type Bytes;
}
macro_rules! bytes {
    ($($type:ident)*) => { $(
        impl Bytes for $type {
            type Bytes = [u8; size_of::<$type>()];
        }
    )* };
}
bytes! { i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize f32 f64 }
