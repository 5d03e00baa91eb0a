//! Each companion has the signature of what it stands for, and names the right operation on the right types.

use super::ops;
use wavewright_kernel_ir::builtin::Builtin;
use wavewright_kernel_ir::record::Meaning;
use wavewright_kernel_ir::witness::{DeviceFn, Ret, instances};

/// What the instance `M` is: an operation, and the names of the types that it depends on.
fn operation<M: DeviceFn>() -> (Builtin, Vec<String>) {
    let instances = instances::<M>();
    let Meaning::Builtin(builtin) = instances.all[0].meaning else {
        panic!("{} has a body", instances.all[0].name)
    };
    (builtin, instances.all[0].types.iter().map(|t| instances.types.name(*t)).collect())
}

#[track_caller]
fn expect<M: DeviceFn>(builtin: Builtin, types: &[&str]) {
    let (found, names) = operation::<M>();
    assert_eq!((found, names.iter().map(String::as_str).collect::<Vec<_>>()), (builtin, types.to_vec()));
}

/// The call of a companion stands for the plain call: rustc gives both the same type. Neither is called.
#[track_caller]
fn call<R, M: DeviceFn>(
    _plain: impl FnOnce() -> R,
    _companion: impl FnOnce() -> Ret<R, M>,
    builtin: Builtin,
    types: &[&str],
) {
    expect::<M>(builtin, types);
}

macro_rules! for_integers {
    ($check:ident) => { $check!(i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize) };
}

mod operators {
    use super::*;

    macro_rules! binary {
        ($t:ty: $($trait:ident $assign:ident)*) => { $(
            let types = [stringify!($t), stringify!($t)];
            expect::<<$t as ops::$trait>::Def>(Builtin::$trait, &types);
            expect::<<$t as ops::$trait<&$t>>::Def>(Builtin::$trait, &types);
            expect::<<&$t as ops::$trait<$t>>::Def>(Builtin::$trait, &types);
            expect::<<&$t as ops::$trait<&$t>>::Def>(Builtin::$trait, &types);
            expect::<<$t as ops::$assign>::Def>(Builtin::$assign, &types);
            expect::<<$t as ops::$assign<&$t>>::Def>(Builtin::$assign, &types);
        )* };
    }
    macro_rules! arithmetic {
        ($($t:ident)*) => { $(
            binary!($t: Add AddAssign Sub SubAssign Mul MulAssign Div DivAssign Rem RemAssign);
        )* };
    }
    macro_rules! bitwise {
        ($($t:ident)*) => { $(
            binary!($t: BitAnd BitAndAssign BitOr BitOrAssign BitXor BitXorAssign);
            expect::<<$t as ops::Not>::Def>(Builtin::Not, &[stringify!($t)]);
            expect::<<&$t as ops::Not>::Def>(Builtin::Not, &[stringify!($t)]);
        )* };
    }
    macro_rules! negative {
        ($($t:ident)*) => { $(
            expect::<<$t as ops::Neg>::Def>(Builtin::Neg, &[stringify!($t)]);
            expect::<<&$t as ops::Neg>::Def>(Builtin::Neg, &[stringify!($t)]);
        )* };
    }

    #[test]
    fn arithmetic_is_on_the_operands_types() {
        for_integers!(arithmetic);
        arithmetic!(f32 f64);
        negative!(i8 i16 i32 i64 i128 isize f32 f64);
    }

    #[test]
    fn bitwise_operators_are_on_the_operands_types() {
        for_integers!(bitwise);
        bitwise!(bool);
    }

    macro_rules! shifts {
        ($t:ident: $($amount:ident)*) => { $(
            let types = [stringify!($t), stringify!($amount)];
            expect::<<$t as ops::Shl<$amount>>::Def>(Builtin::Shl, &types);
            expect::<<$t as ops::Shr<$amount>>::Def>(Builtin::Shr, &types);
            expect::<<&$t as ops::Shl<&$amount>>::Def>(Builtin::Shl, &types);
            expect::<<&$t as ops::Shr<$amount>>::Def>(Builtin::Shr, &types);
            expect::<<$t as ops::Shr<&$amount>>::Def>(Builtin::Shr, &types);
            expect::<<$t as ops::ShlAssign<$amount>>::Def>(Builtin::ShlAssign, &types);
            expect::<<$t as ops::ShrAssign<&$amount>>::Def>(Builtin::ShrAssign, &types);
        )* };
    }
    macro_rules! shifted {
        ($($t:ident)*) => { $( shifts!($t: i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize); )* };
    }

    #[test]
    fn every_integer_is_shifted_by_every_integer() {
        for_integers!(shifted);
    }
}

mod comparisons {
    use super::*;

    macro_rules! compared {
        ($($t:ident)*) => { $(
            let types = [stringify!($t), stringify!($t)];
            expect::<<$t as ops::PartialEq>::Def>(Builtin::PartialEq, &types);
            expect::<<&$t as ops::PartialEq<&$t>>::Def>(Builtin::PartialEq, &types);
            expect::<<&&$t as ops::PartialEq<&&mut $t>>::Def>(Builtin::PartialEq, &types);
            expect::<<$t as ops::PartialOrd>::Def>(Builtin::PartialOrd, &types);
            expect::<<&$t as ops::PartialOrd<&$t>>::Def>(Builtin::PartialOrd, &types);
            expect::<<&mut $t as ops::PartialOrd<&mut $t>>::Def>(Builtin::PartialOrd, &types);
        )* };
    }
    macro_rules! ordered {
        ($($t:ident)*) => { $(
            expect::<<$t as ops::Ord>::Min>(Builtin::Min, &[stringify!($t)]);
            expect::<<$t as ops::Ord>::Max>(Builtin::Max, &[stringify!($t)]);
        )* };
    }

    #[test]
    fn primitives_and_references_compare() {
        for_integers!(compared);
        compared!(bool char f32 f64);
    }

    #[test]
    fn raw_pointers_compare_by_address() {
        expect::<<*const f32 as ops::PartialEq>::Def>(Builtin::PartialEq, &["*const f32", "*const f32"]);
        expect::<<*mut u8 as ops::PartialOrd>::Def>(Builtin::PartialOrd, &["*mut u8", "*mut u8"]);
    }

    #[test]
    fn all_but_floats_have_an_order() {
        for_integers!(ordered);
        ordered!(bool char);
    }

    #[test]
    fn a_bound_brings_what_std_s_supertraits_bring() {
        fn equality<T: ops::Ord>() {
            expect::<<T as ops::PartialEq>::Def>(Builtin::PartialEq, &["u32", "u32"]);
            expect::<<T as ops::PartialOrd>::Def>(Builtin::PartialOrd, &["u32", "u32"]);
        }
        fn clone<T: Copy + wavewright_kernel_ir::types::DeviceType>() {
            expect::<<T as ops::Clone>::Def>(Builtin::Clone, &["u32"]);
        }
        equality::<u32>();
        clone::<u32>();
    }
}

mod conversions {
    use super::*;
    use crate::companions::methods::*;

    /// `From` of std holds for each pair by the supertrait; the other direction, that no pair of std's is missing, is
    /// what rustc says about the companions when they are used.
    macro_rules! from {
        ($($source:ident => $($target:ident)*;)*) => { $($(
            call(
                || $target::from(one::<$source>()),
                || $target::from__on_device(one::<$source>()),
                Builtin::From,
                &[stringify!($target), stringify!($source)],
            );
            call(
                || -> $target { one::<$source>().into() },
                || one::<$source>().into__on_device(),
                Builtin::From,
                &[stringify!($target), stringify!($source)],
            );
        )*)* };
    }
    fn one<T>() -> T {
        unreachable!("only its type is asked for")
    }

    #[test]
    fn conversions_that_lose_nothing() {
        from! {
            bool => bool i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize f32 f64;
            char => char u32 u64 u128;
            u8 => u8 char u16 u32 u64 u128 usize i16 i32 i64 i128 isize f32 f64;
            u16 => u16 u32 u64 u128 usize i32 i64 i128 f32 f64;
            u32 => u32 u64 u128 i64 i128 f64;
            u64 => u64 u128 i128;
            u128 => u128;
            usize => usize;
            i8 => i8 i16 i32 i64 i128 isize f32 f64;
            i16 => i16 i32 i64 i128 isize f32 f64;
            i32 => i32 i64 i128 f64;
            i64 => i64 i128;
            i128 => i128;
            isize => isize;
            f32 => f32 f64;
            f64 => f64;
        }
    }

    macro_rules! clone_and_default {
        ($($t:ident)*) => { $(
            let types = [stringify!($t)];
            call(|| one::<$t>().clone(), || one::<$t>().clone__on_device(), Builtin::Clone, &types);
            call(|| one::<&&$t>().clone(), || one::<&&$t>().clone__on_device(), Builtin::Clone, &[concat!("&", stringify!($t))]);
            call(<$t>::default, <$t>::default__on_device, Builtin::Default, &types);
        )* };
    }

    #[test]
    #[allow(clippy::clone_on_copy, suspicious_double_ref_op)]
    fn primitives_are_cloned_and_have_a_default() {
        clone_and_default!(bool char i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize f32 f64);
    }

    #[test]
    #[allow(clippy::clone_on_copy)]
    fn a_copy_type_is_cloned_as_a_whole() {
        call(|| [1, 2_u8].clone(), || [1, 2_u8].clone__on_device(), Builtin::Clone, &["[u8; 2]"]);
        call(
            || (1_u8, 2.0_f32).clone(),
            || (1_u8, 2.0_f32).clone__on_device(),
            Builtin::Clone,
            &["(u8, f32)"],
        );
    }
}

mod numbers {
    use super::*;
    use crate::companions::methods::*;

    macro_rules! integers {
        ($($t:ident)*) => { $({
            let (x, types) = (1 as $t, [stringify!($t)]);
            call(|| x.wrapping_add(x), || x.wrapping_add__on_device(x), Builtin::WrappingAdd, &types);
            call(|| x.wrapping_sub(x), || x.wrapping_sub__on_device(x), Builtin::WrappingSub, &types);
            call(|| x.wrapping_mul(x), || x.wrapping_mul__on_device(x), Builtin::WrappingMul, &types);
            call(|| x.rotate_left(1), || x.rotate_left__on_device(1), Builtin::RotateLeft, &types);
            call(|| x.rotate_right(1), || x.rotate_right__on_device(1), Builtin::RotateRight, &types);
            call(|| x.count_ones(), || x.count_ones__on_device(), Builtin::CountOnes, &types);
            call(|| x.leading_zeros(), || x.leading_zeros__on_device(), Builtin::LeadingZeros, &types);
            call(|| x.trailing_zeros(), || x.trailing_zeros__on_device(), Builtin::TrailingZeros, &types);
            call(|| x.min(x), || x.min__on_device(x), Builtin::Min, &types);
            call(|| x.max(x), || x.max__on_device(x), Builtin::Max, &types);
            call(|| $t::min(x, x), || $t::min__on_device(x, x), Builtin::Min, &types);
        })* };
    }
    macro_rules! signed {
        ($($t:ident)*) => { $(
            call(|| (-1 as $t).abs(), || (-1 as $t).abs__on_device(), Builtin::Abs, &[stringify!($t)]);
        )* };
    }
    macro_rules! floats {
        ($($t:ident)*) => { $({
            let (x, types) = (1.0 as $t, [stringify!($t)]);
            call(|| x.sqrt(), || x.sqrt__on_device(), Builtin::Sqrt, &types);
            call(|| x.abs(), || x.abs__on_device(), Builtin::Abs, &types);
            call(|| x.min(x), || x.min__on_device(x), Builtin::Min, &types);
            call(|| x.max(x), || x.max__on_device(x), Builtin::Max, &types);
            call(|| x.mul_add(x, x), || x.mul_add__on_device(x, x), Builtin::MulAdd, &types);
            call(|| x.floor(), || x.floor__on_device(), Builtin::Floor, &types);
            call(|| x.ceil(), || x.ceil__on_device(), Builtin::Ceil, &types);
            call(|| x.trunc(), || x.trunc__on_device(), Builtin::Trunc, &types);
            call(|| x.round(), || x.round__on_device(), Builtin::Round, &types);
            call(|| x.is_nan(), || x.is_nan__on_device(), Builtin::IsNan, &types);
            call(|| x.to_bits(), || x.to_bits__on_device(), Builtin::ToBits, &types);
            call(|| $t::from_bits(0), || $t::from_bits__on_device(0), Builtin::FromBits, &types);
            call(|| $t::sqrt(x), || $t::sqrt__on_device(x), Builtin::Sqrt, &types);
        })* };
    }

    #[test]
    fn integers_have_their_methods() {
        for_integers!(integers);
        signed!(i8 i16 i32 i64 i128 isize);
    }

    #[test]
    fn floats_have_their_methods() {
        floats!(f32 f64);
    }

    #[test]
    #[allow(clippy::unnecessary_min_or_max)]
    fn bool_and_char_have_min_and_max() {
        call(|| true.min(false), || true.min__on_device(false), Builtin::Min, &["bool"]);
        call(|| 'a'.max('b'), || 'a'.max__on_device('b'), Builtin::Max, &["char"]);
    }

    /// A method of the user's own type wins over the companion, as the method wins over std's.
    #[test]
    fn an_inherent_method_wins() {
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        struct Own;
        impl Own {
            fn min__on_device(self, _: Own) -> u8 {
                7
            }
        }
        assert_eq!(Own.min__on_device(Own), 7);
    }

    /// The companion of a trait of the user's takes `&self` where std has an inherent method of the name, and loses to it
    /// on the types that have the method, not on others.
    #[test]
    fn a_trait_of_the_user_s_loses_to_an_inherent_method_of_std() {
        trait Root {
            fn sqrt__on_device(&self) -> u8 {
                7
            }
        }
        impl Root for f32 {}
        impl Root for u32 {}
        call(|| 2.0_f32.sqrt(), || 2.0_f32.sqrt__on_device(), Builtin::Sqrt, &["f32"]);
        assert_eq!(2_u32.sqrt__on_device(), 7);
    }
}

mod memory {
    use super::*;
    use crate::companions::methods::*;

    #[test]
    fn slices_have_their_methods() {
        let x: &[f32] = &[1.0];
        call(|| x.len(), || x.len__on_device(), Builtin::Len, &["f32"]);
        call(|| x.is_empty(), || x.is_empty__on_device(), Builtin::IsEmpty, &["f32"]);
        call(|| x.as_ptr(), || x.as_ptr__on_device(), Builtin::AsPtr, &["f32"]);
        // SAFETY: neither is called.
        call(
            || unsafe { x.get_unchecked(0) },
            || unsafe { x.get_unchecked__on_device(0) },
            Builtin::GetUnchecked,
            &["f32"],
        );
    }

    #[test]
    fn arrays_reach_the_methods_of_slices() {
        let x = [[1_u8; 2]; 3];
        call(|| x.len(), || x.len__on_device(), Builtin::Len, &["[u8; 2]"]);
        call(|| x[0].len(), || x[0].len__on_device(), Builtin::Len, &["u8"]);
    }

    #[test]
    fn slices_are_written_through() {
        fn mutable<'a, R: 'a, M: DeviceFn>(
            _plain: impl FnOnce(&'a mut [i64]) -> R,
            _companion: impl FnOnce(&'a mut [i64]) -> Ret<R, M>,
            builtin: Builtin,
        ) {
            expect::<M>(builtin, &["i64"]);
        }
        mutable(|x| x.as_mut_ptr(), |x| x.as_mut_ptr__on_device(), Builtin::AsMutPtr);
        // SAFETY: neither is called.
        mutable(
            |x| unsafe { x.get_unchecked_mut(0) },
            |x| unsafe { x.get_unchecked_mut__on_device(0) },
            Builtin::GetUncheckedMut,
        );
    }

    #[test]
    fn pointers_are_offset_in_elements() {
        let (x, y) = (std::ptr::null::<f64>(), std::ptr::null_mut::<u16>());
        // SAFETY: neither is called.
        call(|| unsafe { x.add(1) }, || unsafe { x.add__on_device(1) }, Builtin::PointerAdd, &["f64"]);
        // SAFETY: neither is called.
        call(|| unsafe { y.add(1) }, || unsafe { y.add__on_device(1) }, Builtin::PointerAdd, &["u16"]);
    }
}

mod functions {
    use super::*;

    #[test]
    fn the_index_space_and_the_barrier_have_companions() {
        use crate::{block, grid, sync_threads, thread};
        call(thread::x, <thread::x>::on_device, Builtin::ThreadX, &[]);
        call(thread::y, <thread::y>::on_device, Builtin::ThreadY, &[]);
        call(thread::z, <thread::z>::on_device, Builtin::ThreadZ, &[]);
        call(thread::global_x, <thread::global_x>::on_device, Builtin::GlobalX, &[]);
        call(thread::global_y, <thread::global_y>::on_device, Builtin::GlobalY, &[]);
        call(thread::global_z, <thread::global_z>::on_device, Builtin::GlobalZ, &[]);
        call(block::x, <block::x>::on_device, Builtin::BlockX, &[]);
        call(block::y, <block::y>::on_device, Builtin::BlockY, &[]);
        call(block::z, <block::z>::on_device, Builtin::BlockZ, &[]);
        call(block::size_x, <block::size_x>::on_device, Builtin::BlockSizeX, &[]);
        call(block::size_y, <block::size_y>::on_device, Builtin::BlockSizeY, &[]);
        call(block::size_z, <block::size_z>::on_device, Builtin::BlockSizeZ, &[]);
        call(grid::size_x, <grid::size_x>::on_device, Builtin::GridSizeX, &[]);
        call(grid::size_y, <grid::size_y>::on_device, Builtin::GridSizeY, &[]);
        call(grid::size_z, <grid::size_z>::on_device, Builtin::GridSizeZ, &[]);
        call(sync_threads, <sync_threads>::on_device, Builtin::SyncThreads, &[]);
    }
}

/// A trait of the user's whose by-value method has the name of an inherent method of std must lose to it on the types
/// that have it: the macro gives it a `&self` companion if it knows the name. So it must know all names.
mod names {
    use std::collections::BTreeSet;
    use wavewright_kernel_ir::witness::STD_METHODS;

    fn by_value(source: &str) -> Vec<String> {
        let dense = |text: &str| text.split_whitespace().collect::<String>();
        let functions = source.split("fn ").skip(1).filter_map(|function| function.split_once("__on_device"));
        functions
            .filter(|(_, rest)| {
                let signature = dense(rest);
                let arguments = signature
                    .split("->Ret<")
                    .next()
                    .and_then(|s| s.split("->No<").next())
                    .unwrap_or_default();
                arguments.contains("(self)") || arguments.contains("(self,")
            })
            .map(|(name, _)| name.into())
            .collect()
    }

    #[test]
    fn the_macro_knows_every_inherent_method_that_takes_self_by_value() {
        let companions: BTreeSet<String> = [
            include_str!("methods/floats.rs"),
            include_str!("methods/integers.rs"),
            include_str!("methods/slices.rs"),
            include_str!("methods/pointers.rs"),
            include_str!("unavailable/floats.rs"),
            include_str!("unavailable/integers.rs"),
            include_str!("unavailable/text.rs"),
            include_str!("unavailable/slices.rs"),
            include_str!("unavailable/pointers.rs"),
        ]
        .into_iter()
        .flat_map(by_value)
        .collect();
        for name in ["sqrt", "wrapping_add", "add", "sin", "to_le_bytes", "then", "map", "cast"] {
            assert!(companions.contains(name), "{name} is not found in the sources");
        }
        let known: BTreeSet<String> = STD_METHODS.iter().map(|name| name.to_string()).collect();
        let differing: Vec<_> = companions.symmetric_difference(&known).collect();
        assert!(differing.is_empty(), "{differing:?} should stand in both `STD_METHODS` and the companions");
        assert!(STD_METHODS.is_sorted(), "the macro may search it");
    }
}

mod notes {
    use super::*;
    use crate::companions::notes::{Add, Neg, PartialOrd, ShlAssign};
    use wavewright_kernel_ir::witness::{Callee, Note};

    /// Runs the type checker over a witness, but not the witness; says which callee its note learned.
    fn learned<M: DeviceFn, R>(_: impl FnOnce(Note<Callee<M>>) -> R) -> (Builtin, Vec<String>) {
        operation::<M>()
    }

    #[test]
    #[allow(clippy::unit_arg)]
    fn a_note_learns_the_operator_and_is_worth_its_result() {
        let (x, y) = (1.0_f32, 2.0_f32);
        let sum = learned(|note| -> f32 { Add::of(note, &x, &y, x + y) });
        assert_eq!(sum, (Builtin::Add, vec!["f32".into(), "f32".into()]));
        let less = learned(|note| -> bool { PartialOrd::of(note, &x, &y, x < y) });
        assert_eq!(less, (Builtin::PartialOrd, vec!["f32".into(), "f32".into()]));
        let negative = learned(|note| -> f32 { Neg::of(note, &x, -x) });
        assert_eq!(negative, (Builtin::Neg, vec!["f32".into()]));
        let mut z = 1_u64;
        let shifted = learned(|note| ShlAssign::of(note, &1_u64, &3_u8, z <<= 3_u8));
        assert_eq!(shifted, (Builtin::ShlAssign, vec!["u64".into(), "u8".into()]));
    }
}
