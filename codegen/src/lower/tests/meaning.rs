//! Arithmetic, casts and methods mean on a device what they mean in Rust: each operation runs on the host through the
//! lowering that all machines share, over the values where it tends to go wrong, and beside it in Rust itself.

use super::build::Build;
use crate::Optimisation;
use crate::cpu::tests::run::{Compiled, slice};
use wavewright_kernel_ir::builtin::Builtin;
use wavewright_kernel_ir::scalar::Scalar;
use wavewright_kernel_ir::typed::*;
use wavewright_kernel_ir::types::{Mutability, TypeId};

/// The expression for operands of a type.
type Builds = dyn Fn(&mut Build, TypeId, [Expr; 3]) -> Expr;

/// An operation on up to three operands, as a kernel has it and as Rust has it.
struct Operation<T> {
    name: String,
    build: Box<Builds>,
    expected: Box<dyn Fn(T, T, T) -> u128>,
}

/// What comes out of a kernel: the bits of a value, but every NaN is the same.
trait Bits: Copy {
    fn bits(self) -> u128;
}

macro_rules! bits {
    ($($int:ty)*) => { $(impl Bits for $int { fn bits(self) -> u128 { self as u128 } })* };
}
bits! { i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize bool char }

impl Bits for f32 {
    fn bits(self) -> u128 {
        if self.is_nan() { NAN } else { self.to_bits().into() }
    }
}

impl Bits for f64 {
    fn bits(self) -> u128 {
        if self.is_nan() { NAN } else { self.to_bits().into() }
    }
}

const NAN: u128 = u128::MAX - 1;

/// The value's bits as a `u128`, sign-extended as `as` does it.
fn to_bits(b: &mut Build, value: Expr) -> Expr {
    let scalar = b.types.as_scalar(value.ty).expect("a primitive value");
    let bits = match scalar {
        Scalar::F32 => Some(Scalar::U32),
        Scalar::F64 => Some(Scalar::U64),
        _ => None,
    };
    let value = match bits {
        Some(bits) => {
            let bits = b.scalar_type(bits);
            b.builtin(Builtin::ToBits, vec![value], bits)
        }
        None => value,
    };
    b.cast(CastKind::IntToInt, value, Scalar::U128)
}

/// `fn k(x: &[T], y: &[T], z: &[T], out: &mut [u128])` with the results of all operations on its element, in a row.
fn kernel<T>(scalar: Scalar, operations: &[Operation<T>]) -> Program {
    let mut b = Build::new();
    let (ty, u128, usize) =
        (b.scalar_type(scalar), b.scalar_type(Scalar::U128), b.scalar_type(Scalar::Usize));
    let operands = ["x", "y", "z"].map(|name| b.slice(name, ty, Mutability::Shared));
    let out = b.slice("out", u128, Mutability::Mutable);
    let i = b.local("i", usize);
    let global = b.global_x();
    let mut statements = Vec::new();
    for (number, operation) in operations.iter().enumerate() {
        let operands = operands.map(|slice| {
            let place = b.at_unchecked(slice, i);
            b.load(place)
        });
        let value = (operation.build)(&mut b, ty, operands);
        let bits = to_bits(&mut b, value);
        let (i, count, number) = (b.get(i), b.usize(operations.len() as u64), b.usize(number as u64));
        let row = b.binary(BinaryOp::Mul, i, count);
        let at = b.binary(BinaryOp::Add, row, number);
        let place = b.deref(out);
        let place = b.index(place, at, false);
        statements.push(b.assign(place, bits));
    }
    let (index, length) = (b.get(i), b.len(operands[0]));
    let inside = b.binary(BinaryOp::Lt, index, length);
    let when = b.when(inside, statements);
    b.kernel("operations", vec![Statement::Let(i, Some(global)), when])
}

/// Runs the operations over all pairs of `values`, with what `third` makes of them as the third operand.
fn check<T: Copy + std::fmt::Debug>(
    scalar: Scalar,
    operations: Vec<Operation<T>>,
    values: &[T],
    third: impl Fn(T, T) -> T,
    is_nan: impl Fn(&str, u128) -> bool,
) {
    let program = kernel(scalar, &operations);
    let pairs: Vec<(T, T)> = values.iter().flat_map(|x| values.iter().map(|y| (*x, *y))).collect();
    let (mut x, mut y): (Vec<T>, Vec<T>) = pairs.iter().copied().unzip();
    let mut z: Vec<T> = pairs.iter().map(|(x, y)| third(*x, *y)).collect();
    let block = [64, 1, 1];
    let grid = [(pairs.len() as u32).div_ceil(64), 1, 1];
    for optimisation in [Optimisation::None, Optimisation::Full] {
        let compiled = Compiled::new(&program, Some(block), optimisation);
        let mut out = vec![0u128; pairs.len() * operations.len()];
        let arguments = [slice(&mut x), slice(&mut y), slice(&mut z), slice(&mut out)];
        let panic = compiled.run(grid, block, &arguments);
        assert!(panic.is_none(), "{scalar}: {panic:?}");
        for (number, (x, y)) in pairs.iter().enumerate() {
            for (operation, found) in operations.iter().zip(&out[number * operations.len()..]) {
                let expected = (operation.expected)(*x, *y, z[number]);
                let found = if is_nan(&operation.name, *found) { NAN } else { *found };
                let (name, z) = (&operation.name, z[number]);
                assert_eq!(found, expected, "{scalar}: {name} of {x:?}, {y:?}, {z:?}, {optimisation:?}");
            }
        }
    }
}

fn operation<T, R: Bits>(
    name: impl Into<String>,
    build: impl Fn(&mut Build, TypeId, [Expr; 3]) -> Expr + 'static,
    expected: impl Fn(T, T, T) -> R + 'static,
) -> Operation<T> {
    let expected = Box::new(move |x, y, z| expected(x, y, z).bits());
    Operation { name: name.into(), build: Box::new(build), expected }
}

fn binary<T: 'static, R: Bits + 'static>(op: BinaryOp, expected: fn(T, T) -> R) -> Operation<T> {
    let build = move |b: &mut Build, _, [x, y, _]: [Expr; 3]| b.binary(op, x, y);
    operation(format!("{op:?}"), build, move |x, y, _| expected(x, y))
}

/// A division: the third operand is a divisor that does not panic.
fn division<T: 'static, R: Bits + 'static>(op: BinaryOp, expected: fn(T, T) -> R) -> Operation<T> {
    let build = move |b: &mut Build, _, [x, _, z]: [Expr; 3]| b.binary(op, x, z);
    operation(format!("{op:?}"), build, move |x, _, z| expected(x, z))
}

fn unary<T: 'static, R: Bits + 'static>(op: UnaryOp, expected: fn(T) -> R) -> Operation<T> {
    let build = move |b: &mut Build, ty, [x, ..]: [Expr; 3]| b.expr(ExprKind::Unary(op, Box::new(x)), ty);
    operation(format!("{op:?}"), build, move |x, _, _| expected(x))
}

fn cast<T: 'static, R: Bits + 'static>(kind: CastKind, to: Scalar, expected: fn(T) -> R) -> Operation<T> {
    let build = move |b: &mut Build, _, [x, ..]: [Expr; 3]| b.cast(kind, x, to);
    operation(format!("{kind:?} {to}"), build, move |x, _, _| expected(x))
}

/// A method with so many operands as the table says, and the operand's type or `result` as its result.
fn method<T: 'static, R: Bits + 'static>(
    builtin: Builtin,
    result: Option<Scalar>,
    expected: fn(T, T, T) -> R,
) -> Operation<T> {
    let build = move |b: &mut Build, ty, operands: [Expr; 3]| {
        let ty = result.map_or(ty, |scalar| b.scalar_type(scalar));
        let arguments = operands.into_iter().take(builtin.facts().arguments.into()).collect();
        b.builtin(builtin, arguments, ty)
    };
    operation(builtin.facts().name, build, expected)
}

fn rotation<T: 'static, R: Bits + 'static>(builtin: Builtin, expected: fn(T, T) -> R) -> Operation<T> {
    let build = move |b: &mut Build, ty, [x, y, _]: [Expr; 3]| {
        let amount = b.cast(CastKind::IntToInt, y, Scalar::U32);
        b.builtin(builtin, vec![x, amount], ty)
    };
    operation(builtin.facts().name, build, move |x, y, _| expected(x, y))
}

macro_rules! comparisons {
    ($t:ty) => {
        vec![
            binary(BinaryOp::Eq, |x: $t, y: $t| x == y),
            binary(BinaryOp::Ne, |x: $t, y: $t| x != y),
            binary(BinaryOp::Lt, |x: $t, y: $t| x < y),
            binary(BinaryOp::Le, |x: $t, y: $t| x <= y),
            binary(BinaryOp::Gt, |x: $t, y: $t| x > y),
            binary(BinaryOp::Ge, |x: $t, y: $t| x >= y),
        ]
    };
}

macro_rules! casts {
    ($t:ty, $to_int:ident, $to_float:ident) => {
        vec![
            cast(CastKind::$to_int, Scalar::I8, |x: $t| x as i8),
            cast(CastKind::$to_int, Scalar::I16, |x: $t| x as i16),
            cast(CastKind::$to_int, Scalar::I32, |x: $t| x as i32),
            cast(CastKind::$to_int, Scalar::I64, |x: $t| x as i64),
            cast(CastKind::$to_int, Scalar::I128, |x: $t| x as i128),
            cast(CastKind::$to_int, Scalar::Isize, |x: $t| x as isize),
            cast(CastKind::$to_int, Scalar::U8, |x: $t| x as u8),
            cast(CastKind::$to_int, Scalar::U16, |x: $t| x as u16),
            cast(CastKind::$to_int, Scalar::U32, |x: $t| x as u32),
            cast(CastKind::$to_int, Scalar::U64, |x: $t| x as u64),
            cast(CastKind::$to_int, Scalar::U128, |x: $t| x as u128),
            cast(CastKind::$to_int, Scalar::Usize, |x: $t| x as usize),
            cast(CastKind::$to_float, Scalar::F32, |x: $t| x as f32),
            cast(CastKind::$to_float, Scalar::F64, |x: $t| x as f64),
        ]
    };
}

macro_rules! integer {
    ($t:ident, $scalar:ident, $signed:ident) => {
        #[test]
        fn $t() {
            let mut all = comparisons!($t);
            all.extend(casts!($t, IntToInt, IntToFloat));
            all.extend([
                binary(BinaryOp::Add, |x: $t, y: $t| x.wrapping_add(y)),
                binary(BinaryOp::Sub, |x: $t, y: $t| x.wrapping_sub(y)),
                binary(BinaryOp::Mul, |x: $t, y: $t| x.wrapping_mul(y)),
                division(BinaryOp::Div, |x: $t, z: $t| x / z),
                division(BinaryOp::Rem, |x: $t, z: $t| x % z),
                binary(BinaryOp::BitAnd, |x: $t, y: $t| x & y),
                binary(BinaryOp::BitOr, |x: $t, y: $t| x | y),
                binary(BinaryOp::BitXor, |x: $t, y: $t| x ^ y),
                binary(BinaryOp::Shl, |x: $t, y: $t| x.wrapping_shl(y as u32)),
                binary(BinaryOp::Shr, |x: $t, y: $t| x.wrapping_shr(y as u32)),
                unary(UnaryOp::Not, |x: $t| !x),
                method(Builtin::WrappingAdd, None, |x: $t, y: $t, _| x.wrapping_add(y)),
                method(Builtin::WrappingSub, None, |x: $t, y: $t, _| x.wrapping_sub(y)),
                method(Builtin::WrappingMul, None, |x: $t, y: $t, _| x.wrapping_mul(y)),
                method(Builtin::Min, None, |x: $t, y: $t, _| x.min(y)),
                method(Builtin::Max, None, |x: $t, y: $t, _| x.max(y)),
                rotation(Builtin::RotateLeft, |x: $t, y: $t| x.rotate_left(y as u32 % <$t>::BITS)),
                rotation(Builtin::RotateRight, |x: $t, y: $t| x.rotate_right(y as u32 % <$t>::BITS)),
                method(Builtin::CountOnes, Some(Scalar::U32), |x: $t, _, _| x.count_ones()),
                method(Builtin::LeadingZeros, Some(Scalar::U32), |x: $t, _, _| x.leading_zeros()),
                method(Builtin::TrailingZeros, Some(Scalar::U32), |x: $t, _, _| x.trailing_zeros()),
            ]);
            integer!(@$signed all $t);
            let (min, max, width) = (<$t>::MIN, <$t>::MAX, <$t>::BITS as $t);
            let middle = max / 2 + 1;
            let mut values = vec![0, 1, 2, 3, 7, width - 1, width, width + 1, 100, middle - 1, middle, max - 1, max, min];
            values.extend([min.wrapping_add(1), min.wrapping_sub(1), (0 as $t).wrapping_sub(1), max / 3]);
            check(Scalar::$scalar, all, &values, |x: $t, y: $t| if x.checked_div(y).is_some() { y } else { 1 }, float_nan);
        }
    };
    (@signed $all:ident $t:ident) => {
        $all.push(unary(UnaryOp::Neg, |x: $t| x.wrapping_neg()));
        $all.push(method(Builtin::Abs, None, |x: $t, _, _| x.wrapping_abs()));
    };
    (@unsigned $all:ident $t:ident) => {};
}

/// Of integers, no result is NaN.
fn float_nan(_: &str, _: u128) -> bool {
    false
}

integer!(i8, I8, signed);
integer!(i16, I16, signed);
integer!(i32, I32, signed);
integer!(i64, I64, signed);
integer!(i128, I128, signed);
integer!(isize, Isize, signed);
integer!(u8, U8, unsigned);
integer!(u16, U16, unsigned);
integer!(u32, U32, unsigned);
integer!(u64, U64, unsigned);
integer!(u128, U128, unsigned);
integer!(usize, Usize, unsigned);

macro_rules! float {
    ($t:ident, $scalar:ident, $other:ident, $other_scalar:ident, $extra:expr) => {
        #[test]
        fn $t() {
            /// A number wins over NaN, and -0.0 is below 0.0.
            fn smaller(x: $t, y: $t) -> $t {
                match (x.is_nan(), y.is_nan()) {
                    (true, _) => y,
                    (_, true) => x,
                    _ if x == y => {
                        if x.is_sign_negative() {
                            x
                        } else {
                            y
                        }
                    }
                    _ => {
                        if x < y {
                            x
                        } else {
                            y
                        }
                    }
                }
            }
            let mut all = comparisons!($t);
            all.extend(casts!($t, FloatToInt, FloatToFloat));
            all.extend([
                binary(BinaryOp::Add, |x: $t, y: $t| x + y),
                binary(BinaryOp::Sub, |x: $t, y: $t| x - y),
                binary(BinaryOp::Mul, |x: $t, y: $t| x * y),
                binary(BinaryOp::Div, |x: $t, y: $t| x / y),
                binary(BinaryOp::Rem, |x: $t, y: $t| x % y),
                unary(UnaryOp::Neg, |x: $t| -x),
                method(Builtin::Min, None, |x: $t, y: $t, _| smaller(x, y)),
                method(Builtin::Max, None, |x: $t, y: $t, _| -smaller(-x, -y)),
                method(Builtin::Abs, None, |x: $t, _, _| x.abs()),
                method(Builtin::Sqrt, None, |x: $t, _, _| x.sqrt()),
                method(Builtin::MulAdd, None, |x: $t, y: $t, z: $t| x.mul_add(y, z)),
                method(Builtin::Floor, None, |x: $t, _, _| x.floor()),
                method(Builtin::Ceil, None, |x: $t, _, _| x.ceil()),
                method(Builtin::Trunc, None, |x: $t, _, _| x.trunc()),
                method(Builtin::Round, None, |x: $t, _, _| x.round()),
                method(Builtin::IsNan, Some(Scalar::Bool), |x: $t, _, _| x.is_nan()),
            ]);
            let mut values: Vec<$t> = vec![
                0.0,
                1.0,
                0.5,
                1.5,
                2.5,
                0.3,
                3.7,
                127.9,
                128.0,
                255.5,
                65535.7,
                2147483648.0,
                4294967296.0,
                9.223_372e18,
                1.844_674_4e19,
                1.7e38,
                1.6777217e7,
                <$t>::MIN_POSITIVE,
                <$t>::MIN_POSITIVE / 8.0,
                <$t>::MAX,
                <$t>::EPSILON,
                <$t>::INFINITY,
                <$t>::NAN,
            ];
            values.extend($extra);
            values.extend(values.clone().into_iter().map(|x: $t| -x));
            let is_nan = |name: &str, bits: u128| match name {
                _ if name.ends_with(stringify!($other)) => $other::from_bits(bits as _).is_nan(),
                _ if name.starts_with("FloatToInt") || bits > u64::MAX.into() => false,
                "is_nan" | "Eq" | "Ne" | "Lt" | "Le" | "Gt" | "Ge" => false,
                _ => $t::from_bits(bits as _).is_nan(),
            };
            check(Scalar::$scalar, all, &values, |x: $t, y: $t| x * 0.75 - y, is_nan);
        }
    };
}

float!(f32, F32, f64, F64, [0.49999997f32, 8388609.0, f32::from_bits(1)]);
float!(
    f64,
    F64,
    f32,
    F32,
    [0.499_999_999_999_999_94f64, 4503599627370497.0, 3.402_823_567_797_336_6e38, 1e-46, f64::from_bits(1)]
);

#[test]
fn bool_and_char() {
    let mut all = comparisons!(bool);
    all.extend([
        binary(BinaryOp::BitAnd, |x: bool, y: bool| x & y),
        binary(BinaryOp::BitOr, |x: bool, y: bool| x | y),
        binary(BinaryOp::BitXor, |x: bool, y: bool| x ^ y),
        unary(UnaryOp::Not, |x: bool| !x),
        cast(CastKind::IntToInt, Scalar::I8, |x: bool| x as i8),
        cast(CastKind::IntToInt, Scalar::U64, |x: bool| x as u64),
    ]);
    check(Scalar::Bool, all, &[false, true], |x, _| x, float_nan);
    let mut all = comparisons!(char);
    all.extend([
        cast(CastKind::IntToInt, Scalar::U8, |x: char| x as u8),
        cast(CastKind::IntToInt, Scalar::I8, |x: char| x as i8),
        cast(CastKind::IntToInt, Scalar::U32, |x: char| x as u32),
        cast(CastKind::IntToInt, Scalar::I64, |x: char| x as i64),
    ]);
    check(Scalar::Char, all, &['\0', 'a', 'é', '\u{10ffff}'], |x, _| x, float_nan);
}
