//! Enums: layout, variants, patterns, `?`.

use super::harness::{Same, each};
use super::values::Edges;
use std::cmp::Ordering;
use wavewright::prelude::*;

macro_rules! same_by_eq {
    ($($t:ty)*) => { $(
        impl Same for $t {
            fn same(&self, other: &Self) -> bool { self == other }
        }
    )* };
}
same_by_eq! { Colour Shape Wide Signed Nested Tagged Ordering }

impl<T: Same> Same for Option<T> {
    fn same(&self, other: &Self) -> bool {
        match (self, other) {
            (Some(a), Some(b)) => a.same(b),
            (None, None) => true,
            _ => false,
        }
    }
}

impl<T: Same, E: Same> Same for Result<T, E> {
    fn same(&self, other: &Self) -> bool {
        match (self, other) {
            (Ok(a), Ok(b)) => a.same(b),
            (Err(a), Err(b)) => a.same(b),
            _ => false,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, DeviceType)]
enum Colour {
    Red,
    Green = 7,
    Blue,
}

#[derive(Clone, Copy, Debug, PartialEq, DeviceType)]
#[repr(i16)]
enum Signed {
    Low = -300,
    Middle = 0,
    High = 300,
}

#[derive(Clone, Copy, Debug, PartialEq, DeviceType)]
enum Shape {
    Nothing,
    Circle(f32),
    Rectangle { width: f32, height: f32 },
    Mesh([u16; 3], bool),
}

#[derive(Clone, Copy, Debug, PartialEq, DeviceType)]
enum Wide {
    Small(u8),
    Large(u64, u8),
    Character(char),
}

/// The niches of `bool` and `char` tell the variants apart.
#[derive(Clone, Copy, Debug, PartialEq, DeviceType)]
enum Nested {
    Inner(Option<bool>, u32),
    Empty,
    Other,
}

#[derive(Clone, Copy, Debug, PartialEq, DeviceType)]
#[repr(u8)]
enum Tagged {
    A(u32) = 3,
    B { flag: bool, colour: Colour } = 200,
}

#[kernel]
fn numbers(a: &i32, out: &mut (i32, u8, i64, i16)) {
    let colour = match *a % 3 {
        0 => Colour::Red,
        1 => Colour::Green,
        _ => Colour::Blue,
    };
    let signed = if *a < 0 {
        Signed::Low
    } else if *a == 0 {
        Signed::Middle
    } else {
        Signed::High
    };
    *out = (colour as i32, signed as u8, signed as i64, Signed::High as i16);
}

#[test]
fn variants_without_fields_are_numbers() {
    each(numbers, numbers::native, i32::EDGES, (0, 0, 0, 0));
}

#[kernel]
fn colours(a: &Colour, out: &mut (Colour, u32)) {
    let next = match a {
        Colour::Red => Colour::Green,
        Colour::Green => Colour::Blue,
        Colour::Blue => Colour::Red,
    };
    out.0 = next;
    out.1 = match next {
        Colour::Red | Colour::Blue => 1,
        other => other as u32,
    };
}

#[test]
fn c_like_enums_lie_in_buffers() {
    each(colours, colours::native, &[Colour::Red, Colour::Green, Colour::Blue], (Colour::Red, 0));
}

const SHAPES: &[Shape] = &[
    Shape::Nothing,
    Shape::Circle(2.5),
    Shape::Rectangle { width: 3.0, height: -1.0 },
    Shape::Mesh([1, 2, 3], true),
    Shape::Mesh([60000, 0, 9], false),
    Shape::Circle(f32::NEG_INFINITY),
];

#[device]
fn area(shape: &Shape) -> f32 {
    match shape {
        Shape::Nothing => 0.0,
        Shape::Circle(r) => r * r * 3.0,
        Shape::Rectangle { width, height } => width * height,
        Shape::Mesh([a, .., c], flag) => {
            if *flag {
                (*a + *c) as f32
            } else {
                -1.0
            }
        }
    }
}

#[kernel]
fn areas(a: &Shape, out: &mut f32) {
    *out = area(a);
}

#[test]
fn payloads_are_read_through_references() {
    each(areas, areas::native, SHAPES, 0.0);
}

#[device]
fn turned(shape: Shape) -> Shape {
    match shape {
        Shape::Nothing => Shape::Circle(1.0),
        Shape::Circle(r) if r > 0.0 => Shape::Rectangle { width: r, height: r },
        Shape::Circle(_) => Shape::Nothing,
        Shape::Rectangle { width: w, .. } => Shape::Mesh([w as u16, 2, 3], w > 1.0),
        Shape::Mesh(v, flag) => Shape::Mesh([v[2], v[1], v[0]], !flag),
    }
}

#[kernel]
fn turns(a: &Shape, out: &mut [Shape; 2]) {
    out[0] = turned(*a);
    let mut shape = *a;
    let mut n = 0;
    while n < 3 {
        shape = turned(shape);
        n += 1;
    }
    if let Shape::Rectangle { width, .. } = &mut shape {
        *width += 1.0;
    }
    out[1] = shape;
}

#[test]
fn values_change_their_variant() {
    each(turns, turns::native, SHAPES, [Shape::Nothing; 2]);
}

#[kernel]
fn wides(a: &Wide, out: &mut Wide) {
    *out = match *a {
        Wide::Small(0) => Wide::Character('z'),
        Wide::Small(x) => Wide::Large(x as u64 + 1, x),
        Wide::Large(x @ 0..=9, _) => Wide::Small(x as u8),
        Wide::Large(x, y) => Wide::Large(!x, y),
        Wide::Character(c @ 'a'..='y') => Wide::Large(c as u64, 1),
        Wide::Character(c) => Wide::Character(c),
    };
}

#[test]
fn payloads_of_all_widths() {
    let inputs = [
        Wide::Small(0),
        Wide::Small(255),
        Wide::Large(9, 1),
        Wide::Large(u64::MAX, 3),
        Wide::Character('b'),
        Wide::Character('\u{10ffff}'),
    ];
    each(wides, wides::native, &inputs, Wide::Small(0));
}

#[kernel]
fn nests(a: &Nested, out: &mut (Nested, Option<Option<bool>>)) {
    out.0 = match a {
        Nested::Inner(None, n) => Nested::Inner(Some(n % 2 == 0), n + 1),
        Nested::Inner(Some(true), _) => Nested::Empty,
        Nested::Inner(Some(false), n) => Nested::Inner(None, *n),
        Nested::Empty => Nested::Other,
        Nested::Other => Nested::Inner(Some(true), 5),
    };
    out.1 = match out.0 {
        Nested::Inner(b, _) => Some(b),
        Nested::Empty => Some(None),
        Nested::Other => None,
    };
}

#[test]
fn variants_in_niches() {
    let inputs = [
        Nested::Inner(None, 3),
        Nested::Inner(Some(true), 4),
        Nested::Inner(Some(false), 5),
        Nested::Empty,
        Nested::Other,
    ];
    each(nests, nests::native, &inputs, (Nested::Empty, None));
}

#[kernel]
fn tagged(a: &Tagged, out: &mut Tagged) {
    *out = match *a {
        Tagged::A(n) => Tagged::B { flag: n > 3, colour: if n == 0 { Colour::Red } else { Colour::Blue } },
        Tagged::B { flag: true, colour } => Tagged::A(colour as u32),
        Tagged::B { colour: Colour::Red, .. } => Tagged::A(99),
        b => b,
    };
}

#[test]
fn chosen_representations() {
    let inputs = [
        Tagged::A(0),
        Tagged::A(7),
        Tagged::B { flag: true, colour: Colour::Blue },
        Tagged::B { flag: false, colour: Colour::Red },
        Tagged::B { flag: false, colour: Colour::Green },
    ];
    each(tagged, tagged::native, &inputs, Tagged::A(0));
}

#[device]
fn half(x: i32) -> Option<i32> {
    if x % 2 == 0 { Some(x / 2) } else { None }
}

#[device]
fn eighth(x: i32) -> Option<i32> {
    let y = half(half(x)?)?;
    half(y)
}

#[kernel]
fn options(a: &i32, out: &mut (Option<i32>, Option<i32>, i32)) {
    out.0 = half(*a);
    out.1 = eighth(*a);
    out.2 = if let Some(x) = half(*a) { x } else { -1 };
    let Some(y) = eighth(*a) else {
        out.2 ^= 1;
        return;
    };
    out.2 += y;
}

#[test]
fn options_and_the_question_mark() {
    each(options, options::native, i32::EDGES, (None, None, 0));
}

#[derive(Clone, Copy, Debug, PartialEq, DeviceType)]
struct Low(i32);
#[derive(Clone, Copy, Debug, PartialEq, DeviceType)]
enum Problem {
    Low(i32),
    High,
}
same_by_eq! { Problem }

#[device]
impl From<Low> for Problem {
    fn from(low: Low) -> Self {
        Problem::Low(low.0)
    }
}

#[device]
fn positive(x: i32) -> Result<i32, Low> {
    if x > 0 { Ok(x) } else { Err(Low(x)) }
}

#[device]
fn checked(x: i32) -> Result<u8, Problem> {
    let y = positive(x)?;
    if y > 255 {
        return Err(Problem::High);
    }
    Ok(y as u8)
}

#[kernel]
fn results(a: &i32, out: &mut (Result<u8, Problem>, i64)) {
    out.0 = checked(*a);
    let same = |x: i32| -> Result<i64, Problem> { Ok(checked(x)? as i64 + 1) };
    out.1 = match same(*a) {
        Ok(x) => x,
        Err(Problem::Low(x)) => x as i64,
        Err(Problem::High) => 1000,
    };
}

#[test]
fn errors_are_converted_on_the_way() {
    each(results, results::native, i32::EDGES, (Ok(0), 0));
}

#[device]
fn largest<'a>(values: &'a [i32; 4], limit: i32) -> Option<&'a i32> {
    let mut best: Option<&i32> = None;
    for i in 0..4 {
        let candidate = &values[i];
        if *candidate >= limit {
            continue;
        }
        best = match best {
            Some(b) if *b >= *candidate => Some(b),
            _ => Some(candidate),
        };
    }
    best
}

#[kernel]
fn borrowed(a: &[i32; 4], out: &mut (i32, bool)) {
    *out = match largest(a, 100) {
        Some(x) => (*x, true),
        None => (0, false),
    };
}

#[test]
fn options_of_references() {
    let inputs = [[1, 2, 3, 4], [100, 200, 300, 400], [i32::MIN, 99, 100, 98], [0, 0, 0, 101]];
    each(borrowed, borrowed::native, &inputs, (0, false));
}

#[kernel]
fn orders(a: &Ordering, out: &mut (Ordering, i8)) {
    out.1 = *a as i8;
    out.0 = match a {
        Ordering::Less => Ordering::Greater,
        Ordering::Equal => Ordering::Equal,
        Ordering::Greater => Ordering::Less,
    };
}

#[test]
fn enums_of_std() {
    each(orders, orders::native, &[Ordering::Less, Ordering::Equal, Ordering::Greater], (Ordering::Equal, 0));
}

const DEFAULT: Shape = Shape::Circle(2.5);
const ORIGIN: (u8, Colour) = (1, Colour::Green);

#[kernel]
fn constants(a: &(u8, Colour), out: &mut (Shape, u32)) {
    out.0 = DEFAULT;
    out.1 = match *a {
        (1, Colour::Red) => 1,
        ORIGIN => 2,
        _ => 3,
    };
}

#[test]
fn constants_are_values_and_patterns() {
    each(
        constants,
        constants::native,
        &[(1, Colour::Red), (1, Colour::Green), (2, Colour::Green)],
        (Shape::Nothing, 0),
    );
}
