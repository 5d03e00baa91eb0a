//! The layout that is found out for enums is the one that rustc uses: values are taken apart by it, and put together.

use std::cmp::Ordering;
use std::fmt::Debug;
use std::num::NonZero;
use wavewright::DeviceType;
use wavewright_kernel_ir::types::{Type, TypeTable};

extern crate wavewright_device as wavewright;

/// Values with the numbers of their variants. Each is rebuilt from nothing but the description: the payload's bytes are
/// copied field by field, then the tag is written.
fn check<T: DeviceType + Debug + PartialEq + Copy>(values: &[(u32, T)]) {
    let mut table = TypeTable::new();
    let id = table.of::<T>();
    let name = table.name(id);
    let Type::Enum(description) = table.get(id).clone() else { panic!("`{name}` is no enum") };
    for (number, value) in values {
        // SAFETY: only bytes that the description calls a tag or a field are looked at, which are initialised.
        let source: &[u8] =
            unsafe { std::slice::from_raw_parts(std::ptr::from_ref(value).cast::<u8>(), size_of::<T>()) };
        assert_eq!(description.variant_of(source), Some(*number), "{name}: {value:?}");
        let mut rebuilt = std::mem::MaybeUninit::<T>::uninit();
        // SAFETY: the bytes of the slot itself; written before anything is read.
        let bytes = unsafe {
            rebuilt.as_mut_ptr().cast::<u8>().write_bytes(0xa5, size_of::<T>());
            std::slice::from_raw_parts_mut(rebuilt.as_mut_ptr().cast::<u8>(), size_of::<T>())
        };
        let variant = &description.variants[*number as usize];
        let Type::Aggregate(payload) = table.get(variant.payload) else { panic!() };
        for field in &payload.fields {
            let range = field.offset as usize..(field.offset + table.size(field.ty)) as usize;
            bytes[range.clone()].copy_from_slice(&source[range]);
        }
        if let (Some(tag), Some(bits)) = (description.tag, variant.tag) {
            let (start, size) = (tag.offset as usize, tag.scalar.size() as usize);
            bytes[start..start + size].copy_from_slice(&bits.to_le_bytes()[..size]);
        }
        // SAFETY: if the description is right these are the bytes of a value, and this test says so.
        let rebuilt = unsafe { rebuilt.assume_init() };
        assert_eq!(rebuilt, *value, "{name}");
    }
}

#[test]
fn options() {
    check(&[(0, None), (1, Some(0u8)), (1, Some(255))]);
    check(&[(0, None), (1, Some(1u64))]);
    check(&[(0, None), (1, Some(1.5f32))]);
    check(&[(0, None), (1, Some(false)), (1, Some(true))]);
    check(&[(0, None), (1, Some('a')), (1, Some(char::MAX))]);
    check(&[(0, None), (1, Some(&7u32))]);
    check(&[(0, None), (1, Some([1.0f32, 2.0].as_slice()))]);
    check(&[(0, None), (1, Some((&3u8, &4u8)))]);
    check(&[(0, None), (1, Some((3u8, false, 'x', true)))]);
    check(&[(0, None), (1, Some([true, false, true]))]);
    check(&[(0, None), (1, Some(()))]);
    check(&[(0, None), (1, Some(u128::MAX))]);
    check(&[(0, None), (1, Some(NonZero::new(3u32).unwrap()))]);
    check(&[(0, None), (1, Some((7u32, NonZero::new(-3i64).unwrap(), 1u8)))]);
    check(&[(0, None), (1, Some(None)), (1, Some(Some(true)))]);
    check(&[(0, None), (1, Some(None)), (1, Some(Some(None))), (1, Some(Some(Some('q'))))]);
    check(&[(0, None), (1, Some(None)), (1, Some(Some(9u16)))]);
    check(&[(0, None), (1, Some(Ordering::Less)), (1, Some(Ordering::Greater))]);
}

#[test]
fn results_and_others_of_std() {
    check(&[(0, Ok(1u8)), (1, Err(2u64))]);
    check(&[(0, Ok(())), (1, Err(false)), (1, Err(true))]);
    check(&[(0, Ok(&1u8)), (1, Err(()))]);
    check::<Result<Option<bool>, char>>(&[(0, Ok(None)), (0, Ok(Some(true))), (1, Err('x'))]);
    check::<Result<u32, std::convert::Infallible>>(&[(0, Ok(5))]);
    check(&[(0, Ordering::Less), (1, Ordering::Equal), (2, Ordering::Greater)]);
    check::<std::ops::ControlFlow<u8, f64>>(&[
        (0, std::ops::ControlFlow::Continue(1.0)),
        (1, std::ops::ControlFlow::Break(3)),
    ]);
}

macro_rules! enums {
    ($($(#[$attribute:meta])* enum $name:ident { $($body:tt)* })*) => { $(
        #[derive(Clone, Copy, Debug, PartialEq, DeviceType)]
        $(#[$attribute])*
        enum $name { $($body)* }
    )* };
}
enums! {
    enum One { Only(u32, bool) }
    enum Unit { Only }
    enum Plain { A, B, C }
    enum Numbers { A = -1, B = 127, C = 128 }
    enum Big { A = 1, B = 70000 }
    #[allow(clippy::enum_clike_unportable_variant)]
    enum Huge { A = 0, B = i64::MAX as isize }
    #[repr(u64)]
    enum Chosen { A = u64::MAX, B = 1 }
    #[repr(C)]
    enum Foreign { A(u8), B(u64), C }
    #[repr(C, u8)]
    enum ForeignByte { A(u32), B(u8, u16) }
    #[repr(i8)]
    enum Byte { A(u32) = -7, B { x: u8, y: u16 } = 5, C = 6 }
    enum Fields { A(u8), B(u16, u8), C { x: u32, y: u8 }, D }
    enum Aligned { A(u64), B(u8), C(u16, u8, u32) }
    enum Around { Large(bool, u32, u32), Small(u32), Tiny(u8), Nothing }
    enum Niches { A(Option<bool>, [u16; 3]), B(u16), C, D }
    enum Twice { A(bool, bool), B }
    enum Far { A(u64, u8, bool), B(u64), C(u8) }
    enum Void { A(u8), B(std::convert::Infallible), C }
    enum Deep { A(Fields, bool), B, C(Plain) }
    enum Wide { A(u128), B(u8) }
    enum Floats { A(f64, char), B(f32), C(char) }
}

#[test]
fn derived() {
    check(&[(0, One::Only(7, true))]);
    check(&[(0, Unit::Only)]);
    check(&[(0, Plain::A), (1, Plain::B), (2, Plain::C)]);
    check(&[(0, Numbers::A), (1, Numbers::B), (2, Numbers::C)]);
    check(&[(0, Big::A), (1, Big::B)]);
    check(&[(0, Huge::A), (1, Huge::B)]);
    check(&[(0, Chosen::A), (1, Chosen::B)]);
    check(&[(0, Foreign::A(3)), (1, Foreign::B(4)), (2, Foreign::C)]);
    check(&[(0, ForeignByte::A(3)), (1, ForeignByte::B(4, 5))]);
    check(&[(0, Byte::A(3)), (1, Byte::B { x: 4, y: 5 }), (2, Byte::C)]);
    check(&[(0, Fields::A(1)), (1, Fields::B(2, 3)), (2, Fields::C { x: 4, y: 5 }), (3, Fields::D)]);
    check(&[(0, Aligned::A(1)), (1, Aligned::B(2)), (2, Aligned::C(3, 4, 5))]);
    check(&[
        (0, Around::Large(true, 1, 2)),
        (1, Around::Small(3)),
        (2, Around::Tiny(4)),
        (3, Around::Nothing),
    ]);
    check(&[(0, Niches::A(None, [1, 2, 3])), (0, Niches::A(Some(true), [1, 2, 3])), (1, Niches::B(4))]);
    check(&[(2, Niches::C), (3, Niches::D)]);
    check(&[(0, Twice::A(true, false)), (0, Twice::A(false, true)), (1, Twice::B)]);
    check(&[(0, Far::A(1, 2, true)), (1, Far::B(3)), (2, Far::C(4))]);
    check(&[(0, Void::A(1)), (2, Void::C)]);
    check(&[
        (0, Deep::A(Fields::D, true)),
        (0, Deep::A(Fields::B(1, 2), false)),
        (1, Deep::B),
        (2, Deep::C(Plain::C)),
    ]);
    check(&[(0, Wide::A(1 << 100)), (1, Wide::B(9))]);
    check(&[(0, Floats::A(1.0, 'x')), (1, Floats::B(2.0)), (2, Floats::C('y'))]);
}

#[test]
fn niches_of_enums() {
    check(&[(0, None), (1, Some(Plain::A)), (1, Some(Plain::C))]);
    check(&[(0, None), (1, Some(Numbers::A)), (1, Some(Numbers::C))]);
    check(&[(0, None), (1, Some(Fields::A(1))), (1, Some(Fields::D))]);
    check(&[(0, None), (1, Some(Around::Large(false, 1, 2))), (1, Some(Around::Nothing))]);
    check(&[(0, None), (1, Some(Some(Twice::B))), (1, Some(None)), (1, Some(Some(Twice::A(true, true))))]);
    check(&[(0, None), (1, Some(Byte::A(3))), (1, Some(Byte::C))]);
    check(&[(0, None), (1, Some(Deep::B)), (1, Some(Deep::A(Fields::A(1), true)))]);
    check(&[(0, None), (1, Some(Void::C)), (1, Some(Void::A(8)))]);
}

#[derive(Clone, Copy, Debug, PartialEq, DeviceType)]
enum List<'a> {
    End,
    Link(u32, &'a List<'a>),
}

#[test]
fn enums_that_point_to_themselves() {
    let end = List::End;
    check(&[(0, List::End), (1, List::Link(5, &end))]);
}
