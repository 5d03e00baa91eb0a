//! From source to the typed program: what the macros capture and what rustc says about it.

// A labelled break out of a loop that never comes round is one of the cases.
#![allow(clippy::never_loop)]

use wavewright::kernel_ir::typed::Program;
use wavewright::prelude::*;

/// The names of the functions of a program, in order.
#[track_caller]
fn functions(program: Result<Program, wavewright::kernel_ir::entry::BuildError>) -> Vec<String> {
    match program {
        Ok(program) => program.functions.iter().map(|f| f.name.replace("front::", "")).collect(),
        Err(error) => panic!("{error}"),
    }
}

mod statements {
    use super::*;

    #[kernel]
    fn saxpy(a: f32, x: &[f32], y: &mut [f32]) {
        let i = thread::global_x();
        if i < y.len() {
            y[i] += a * x[i];
        }
    }

    #[kernel]
    fn loops(n: usize, x: &[i32], y: &mut [i32]) {
        let mut acc = 0;
        for j in 0..n {
            acc += x[j];
        }
        for _ in 0..3 {
            acc -= 1;
        }
        for k in 0..=4 {
            acc += k;
        }
        let mut left = n;
        while left > 0 {
            left -= 1;
            if x[left] == 7 {
                continue;
            }
            acc ^= x[left] << 2;
        }
        let found = 'outer: loop {
            let mut i = 0;
            loop {
                if i == n {
                    break 'outer -1;
                }
                if x[i] < 0 {
                    break 'outer x[i];
                }
                i += 1;
            }
        };
        y[0] = acc + found;
    }

    #[kernel]
    fn shadowing(x: &[f32], y: &mut [f32]) {
        let x = x[0];
        let z;
        {
            let x = x as i32;
            z = x * 2;
        }
        let u: u64 = 0;
        let (a, mut b): (f32, u64) = (x, u);
        b += 1;
        let v @ (_, w) = (1u8, 2u16);
        y[0] = a + b as f32 + z as f32 + w as f32 + v.0 as f32;
        let (mut p, mut q) = (1.0, 2.0);
        (p, q) = (q, p);
        _ = p;
        (y[1], _) = (q, p);
    }

    #[kernel]
    fn values(c: bool, x: &[f32], y: &mut [f32]) {
        let a = if c { 1 } else { 2 };
        let b = match a {
            1 => 10u8,
            2 | 3 => 20,
            4..=9 => 30,
            n if n > 100 => 40,
            _ => 50,
        };
        let d = { 3.5 };
        let e: f32 = if x.len() > 2 { d } else { return };
        y[b as usize] = e;
        let t = (1, 2.0, true);
        if let (1, f, true) = t {
            y[1] = f;
        }
        let arr = [0.0; 4];
        let arr2 = [1, 2, 3];
        let nested = [[1.0, 2.0], [3.0, 4.0f64]];
        y[2] = arr[1] + arr2[0] as f32 + nested[0][1] as f32;
        let s = &y[1..3];
        let l = s.len();
        let r = &mut y[l];
        *r = 2.0;
        let minus = -1;
        let lit = 'x';
        if lit == 'y' && minus < -2 || !c {
            y[0] = 1e3;
        }
    }

    #[kernel]
    fn macros(n: usize, y: &mut [f32]) {
        assert!(n > 0);
        assert!(n < y.len(), "n is too large");
        assert_eq!(n % 2, 0);
        assert_ne!(n, 4, "not four");
        debug_assert!(n != 6);
        if n == 99 {
            unreachable!("never {{99}}");
        }
        if matches!(n, 3 | 5..=8 if n != 7) {
            panic!("odd");
        }
        if cfg!(target_os = "none") {
            todo!()
        }
        y[n] = 0.0;
    }

    #[kernel]
    fn tile(x: &[f32], y: &mut [f32]) {
        let tile = shared!([f32; 64]);
        let t = thread::x() as usize;
        tile[t] = x[t];
        sync_threads();
        y[t] = tile[63 - t];
    }

    #[test]
    fn programs() {
        assert_eq!(functions(saxpy::program()), ["statements::saxpy"]);
        assert_eq!(functions(loops::program()), ["statements::loops"]);
        assert_eq!(functions(shadowing::program()), ["statements::shadowing"]);
        assert_eq!(functions(values::program()), ["statements::values"]);
        assert_eq!(functions(macros::program()), ["statements::macros"]);
        assert_eq!(functions(tile::program()), ["statements::tile"]);
    }
}

mod device_functions {
    use super::*;
    use std::ops::{Add, Mul};

    #[device]
    fn lerp(a: f32, b: f32, t: f32) -> f32 {
        a + (b - a) * t
    }

    #[device]
    fn twice<T: Copy + Add<Output = T>>(x: T) -> T {
        x + x
    }

    #[device]
    fn dot<T: Copy + Default + Add<Output = T> + Mul<Output = T>, const N: usize>(
        a: &[T; N],
        b: &[T; N],
    ) -> T {
        let mut sum = T::default();
        for i in 0..N {
            sum = sum + a[i] * b[i];
        }
        sum
    }

    #[device]
    fn apply(f: impl Fn(f32) -> f32, x: f32) -> f32 {
        f(f(x))
    }

    #[device]
    fn fill<F: FnMut(usize) -> f32>(y: &mut [f32], mut f: F) {
        for i in 0..y.len() {
            y[i] = f(i);
        }
    }

    #[device]
    fn adder(n: u32) -> impl Fn(u32) -> u32 {
        move |x| x + n
    }

    #[device]
    fn scaler<T: Copy + Mul<Output = T>>(by: T, twice: bool) -> impl Fn(&[T], usize) -> T + Copy {
        if twice {
            // The values of one function's `return`s are of one type, so a second closure can't be here.
            let by = by * by;
            let _ = by;
        }
        move |all, i| all[i] * by
    }

    #[device]
    fn counter(start: u32) -> impl FnMut() -> u32 {
        let mut count = start;
        move || {
            count += 1;
            count
        }
    }

    #[kernel]
    fn returned_closures(x: &[f32], y: &mut [f32], z: &mut [u32]) {
        let (add, scale, mut next) = (adder(3), scaler(x[0], true), counter(4));
        z[0] = add(4) + next() + next();
        y[0] = scale(x, 1);
    }

    #[test]
    fn closures_can_be_returned() -> Result<(), Error> {
        let device = Device::cpu();
        let x = device.buffer_from(&[2.0f32, 3.0])?;
        let (mut y, mut z) = (device.zeroed::<f32>(1)?, device.zeroed::<u32>(1)?);
        // SAFETY: one thread writes.
        unsafe { returned_closures(&x, &mut y, &mut z).grid(1).block(1).launch(&device)? };
        assert_eq!((y.to_vec()?, z.to_vec()?), (vec![6.0], vec![7 + 5 + 6]));
        Ok(())
    }

    #[kernel]
    fn calls(a: f32, n: u32, y: &mut [f32]) {
        y[0] = lerp(a, 1.0, 0.5);
        y[1] = twice(a) + twice(n) as f32;
        y[2] = dot(&[1.0, 2.0], &[3.0, 4.0]);
        y[3] = dot::<i32, 3>(&[1, 2, 3], &[4, 5, 6]) as f32;
        let scale = y[1];
        y[4] = apply(|x| x * scale + a, 2.0);
        let mut count = 0;
        fill(y, |i| {
            count += 1;
            (i + count) as f32
        });
    }

    #[kernel]
    fn generic<T: Copy + Add<Output = T>, const N: usize>(x: &[T], y: &mut [T]) {
        y[0] = x[N] + twice(x[0]);
    }

    #[test]
    fn programs() {
        let calls = functions(calls::program());
        for name in
            ["lerp", "twice::<f32>", "twice::<u32>", "dot::<f32, 2>", "dot::<i32, 3>", "apply::<{closure}>"]
        {
            assert!(calls.contains(&format!("device_functions::{name}")), "{name} in {calls:?}");
        }
        assert_eq!(
            functions(generic::program::<u64, 3>()),
            ["device_functions::generic::<u64, 3>", "device_functions::twice::<u64>"]
        );
    }
}

mod types_and_traits {
    use super::*;
    use std::ops::{Add, AddAssign, Mul, Neg};

    #[derive(Clone, Copy, DeviceType)]
    pub struct Vec2<T> {
        pub x: T,
        pub y: T,
    }

    #[device]
    impl<T: Copy + Add<Output = T> + Mul<Output = T>> Vec2<T> {
        pub const DIMENSIONS: u32 = 2;
        pub fn new(x: T, y: T) -> Self {
            Self { x, y }
        }
        pub fn dot(self, other: Self) -> T {
            self.x * other.x + self.y * other.y
        }
        pub fn shift(&mut self, by: T) {
            self.x = self.x + by;
        }
        pub fn map<U>(&self, f: impl Fn(T) -> U) -> Vec2<U> {
            Vec2 { x: f(self.x), y: f(self.y) }
        }
    }

    #[device]
    impl<T: Add<Output = T>> Add for Vec2<T> {
        type Output = Self;
        fn add(self, other: Self) -> Self::Output {
            Vec2 { x: self.x + other.x, y: self.y + other.y }
        }
    }

    #[device]
    impl Mul<Vec2<f32>> for f32 {
        type Output = Vec2<f32>;
        fn mul(self, v: Vec2<f32>) -> Vec2<f32> {
            Vec2 { x: self * v.x, y: self * v.y }
        }
    }

    #[device]
    impl Neg for Vec2<f32> {
        type Output = Self;
        fn neg(self) -> Self {
            -1.0 * self
        }
    }

    #[device]
    impl<T: AddAssign> AddAssign for Vec2<T> {
        fn add_assign(&mut self, other: Self) {
            self.x += other.x;
            self.y += other.y;
        }
    }

    #[device]
    impl PartialEq for Vec2<f32> {
        fn eq(&self, other: &Self) -> bool {
            self.x == other.x && self.y == other.y
        }
    }

    #[device]
    pub trait Shape {
        const SIDES: u32;
        type Size: Copy;
        fn area(&self) -> f32;
        fn size(&self) -> Self::Size;
        fn doubled(&self) -> f32 {
            2.0 * self.area()
        }
    }

    #[derive(Clone, Copy, DeviceType)]
    pub struct Square(f32);

    #[derive(Clone, Copy, DeviceType)]
    pub struct Circle {
        radius: f32,
    }

    #[device]
    impl Shape for Square {
        const SIDES: u32 = 4;
        type Size = f32;
        fn area(&self) -> f32 {
            self.0 * self.0
        }
        fn size(&self) -> f32 {
            self.0
        }
    }

    #[device]
    impl Shape for Circle {
        const SIDES: u32 = 0;
        type Size = (f32, f32);
        fn area(&self) -> f32 {
            3.0 * self.radius * self.radius
        }
        fn size(&self) -> Self::Size {
            (self.radius, self.radius)
        }
        fn doubled(&self) -> f32 {
            6.0 * self.radius * self.radius
        }
    }

    #[device]
    fn total<A: Shape, B: Shape>(a: &A, b: &B) -> f32 {
        a.doubled() + b.doubled() + A::SIDES as f32
    }

    #[kernel]
    fn shapes(side: f32, y: &mut [f32]) {
        let (square, circle) = (Square(side), Circle { radius: 1.0 });
        y[0] = total(&square, &circle);
        y[1] = square.size() + circle.size().1;
        y[2] = Shape::area(&square) + <Circle as Shape>::area(&circle) + Circle::SIDES as f32;
        let Square(s) = square;
        let Circle { radius } = circle;
        y[3] = s + radius;
    }

    #[kernel]
    fn vectors(v: Vec2<f32>, y: &mut [f32]) {
        let mut w = v + Vec2::new(1.0, 2.0);
        w += v;
        w.shift(3.0);
        let u = 2.0 * -w;
        y[0] = u.dot(v) + Vec2::<f32>::DIMENSIONS as f32;
        if u == w || v != w {
            y[1] = u.map(|c| c as i32).x as f32;
        }
        let z = Vec2 { x: 1.0, ..u };
        y[2] = z.x.sqrt().max(z.y).min(0.25).mul_add(2.0, 1.0);
    }

    #[test]
    fn programs() {
        let shapes = functions(shapes::program());
        for name in
            ["<types_and_traits::Square as Shape>::doubled", "<types_and_traits::Circle as Shape>::doubled"]
        {
            assert!(shapes.contains(&name.to_string()), "{name} in {shapes:?}");
        }
        let vectors = functions(vectors::program());
        for name in [
            "<types_and_traits::Vec2<f32> as Add>::add",
            "types_and_traits::Vec2<f32>::new",
            "<f32 as Mul<Vec2<f32>>>::mul",
            "<types_and_traits::Vec2<f32> as Neg>::neg",
            "<types_and_traits::Vec2<f32> as AddAssign>::add_assign",
            "<types_and_traits::Vec2<f32> as PartialEq>::eq",
            "types_and_traits::Vec2<f32>::dot",
        ] {
            assert!(vectors.contains(&name.to_string()), "{name} in {vectors:?}");
        }
    }
}

mod names {
    use super::*;
    use wavewright as ww;
    use wavewright::kernel as k;

    mod geometry {
        pub mod inner {
            #[wavewright::device]
            pub fn half(x: f32) -> f32 {
                x * SCALE
            }
            pub const SCALE: f32 = 0.5;
        }
        pub use inner::half as halved;
    }
    use geometry::inner::half as h;
    use geometry::*;

    #[k]
    fn renamed(y: &mut [f32]) {
        y[0] = h(1.0) + halved(2.0) + geometry::inner::half(3.0) + self::geometry::halved(4.0);
    }

    #[ww::kernel]
    fn by_path(y: &mut [f32]) {
        y[0] = geometry::inner::SCALE * f32::MAX + u8::MAX as f32;
        y[1] = f32::sqrt(y[0]);
    }

    #[test]
    fn programs() {
        assert_eq!(functions(renamed::program()), ["names::renamed", "names::geometry::inner::half"]);
        assert_eq!(functions(by_path::program()), ["names::by_path"]);
    }

    #[test]
    fn captured_trees_can_be_looked_at() {
        let tree = wavewright::kernel_ir::print::captured(&renamed::captured());
        assert!(tree.contains("tests/front.rs:"), "{tree}");
        assert!(tree.contains("y[0] = (((front::names::geometry::inner::half#"), "{tree}");
        assert!(tree.contains("fn front::names::geometry::inner::half(x: f32#"), "{tree}");
        assert!(tree.contains(" = 0.5f32"), "the value of SCALE: {tree}");
    }
}

/// Kernels that a macro writes, from fragments of every kind.
mod made_by_macros {
    use super::*;

    macro_rules! of_expressions {
        ($name:ident, $x:ident, $first:expr, $second:expr) => {
            #[kernel]
            fn $name($x: f32, y: &mut [f32]) {
                let sum = $first + $second;
                y[0] = sum * 2.0 - $first;
                y[1] = if $x < $second { -$first } else { ($second).sqrt() };
                y[2] += $first;
                let n = 3;
                y[n] = sum;
            }
        };
    }
    of_expressions!(expressions, x, x * 2.0, 1.0 + x);

    macro_rules! of_types {
        ($($name:ident: $t:ty),*) => { $(
            #[kernel]
            fn $name(a: $t, x: &[$t], y: &mut [$t]) {
                let b: $t = a + x[0];
                let (c, d): ($t, [$t; 2]) = (b, [a, b]);
                y[0] = c + d[1];
                y[1] = <$t>::MAX;
                y[2] = 3 as $t;
                y[3] = <$t as Default>::default();
            }
        )* };
    }
    of_types!(of_f32: f32, of_u64: u64);

    macro_rules! of_functions {
        ($name:ident<$generic:ident: $bound:path>, $function:path, $returned:ty, |$p:pat_param| $value:expr) => {
            #[device]
            fn $name<$generic: Copy + $bound>(x: $generic, $p: (f32, f32)) -> $returned {
                let _ = x;
                let local = $function($value);
                local
            }
        };
    }
    #[device]
    fn halved(x: f32) -> f32 {
        x * 0.5
    }
    of_functions!(half_product<T: PartialEq>, halved, f32, |(a, b)| a * b);

    macro_rules! of_tokens {
        ($vis:vis $name:ident $op:tt $literal:literal $label:lifetime $body:block $($rest:tt)*) => {
            #[kernel]
            $vis fn $name(n: u32, y: &mut [u32]) {
                let mut total = n $op $literal;
                $label: loop {
                    total += 1;
                    if total > $literal { break $label; }
                }
                total += $body;
                $($rest)*
                y[0] = total;
            }
        };
    }
    of_tokens!(pub(super) tokens * 10 'all { let k = 1; k + 2 } let _unused = [1.5, 2.5]; );

    macro_rules! of_items {
        ($struct:item $($method:item)*) => {
            #[derive(Clone, Copy, DeviceType)]
            $struct
            #[device]
            impl Pair {
                $($method)*
            }
        };
    }
    of_items! {
        struct Pair { a: f32, b: f32 }
        fn sum(self) -> f32 { self.a + self.b }
        fn raise(&mut self, by: f32) { self.a += by; }
    }

    macro_rules! of_methods {
        ($type:ident, $this:ident, $method:ident, $field:ident, $body:expr) => {
            #[device]
            impl $type {
                fn $method($this, by: Self) -> Self {
                    let twice = $this.$field + by.$field;
                    $type { $field: twice, ..$body }
                }
            }
        };
    }
    of_methods!(Pair, self, mixed, b, Pair { a: self.a, b: 0.0 });

    // An expression keeps to the variables of where it was written, whatever the macro calls its own.
    macro_rules! of_hygiene {
        ($name:ident, $x:ident, $value:expr) => {
            #[kernel]
            fn $name($x: f32, y: &mut [f32]) {
                let hidden = 5.0;
                y[0] = $value + hidden;
            }
        };
    }
    of_hygiene!(hygiene, hidden, hidden * 2.0);

    macro_rules! nested {
        ($($name:ident)*) => { $( of_expressions!($name, z, { let t = z; t + 1.0 }, [z, 2.0][1]); )* };
    }
    nested!(inner_one inner_two);

    #[kernel]
    fn pairs(y: &mut [f32]) {
        let mut pair = Pair { a: 1.0, b: 2.0 };
        pair.raise(3.0);
        y[0] = pair.mixed(pair).sum() + half_product(1u8, (2.0, 3.0));
    }

    #[test]
    fn programs() {
        for program in [
            expressions::program(),
            of_f32::program(),
            of_u64::program(),
            tokens::program(),
            hygiene::program(),
            inner_one::program(),
            inner_two::program(),
            pairs::program(),
        ] {
            assert!(!functions(program).is_empty());
        }
    }

    #[test]
    fn variables_of_macro_and_caller_are_kept_apart() -> Result<(), Error> {
        let device = Device::cpu();
        let mut y = device.buffer_from(&[0.0f32])?;
        // SAFETY: one thread writes.
        unsafe { hygiene(3.0, &mut y).grid(1).block(1).launch(&device)? };
        assert_eq!(y.to_vec()?, [3.0 * 2.0 + 5.0]);
        Ok(())
    }
}
