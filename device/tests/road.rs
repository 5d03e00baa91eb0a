//! From a device function to its typed program: what std's operators and methods become, in concrete and generic code.

// Nobody calls these functions: their companions say what they become.
#![allow(dead_code)]

extern crate wavewright_device as wavewright;

use std::ops::{Add, AddAssign, Mul, Neg, Shl};
use wavewright::__private::witness::{DeviceFn, Ret, instances};
use wavewright::{block, device, grid, sync_threads, thread};
use wavewright_kernel_ir::typed::KernelAttributes;
use wavewright_kernel_ir::{print, typing};

/// The typed program of the function whose companion is called, as text. The call itself is never made.
fn typed<R, M: DeviceFn>(_: impl FnOnce() -> Ret<R, M>) -> String {
    let instances = instances::<M>();
    match typing::program(&instances, KernelAttributes::default()) {
        Ok(program) => print::typed(&program),
        Err(error) => panic!("{error}\n{}", print::captured(&instances)),
    }
}

fn some<T>() -> T {
    unreachable!("only its type is asked for")
}

/// Every part occurs in the text, in this order.
#[track_caller]
fn expect(text: &str, parts: &[&str]) {
    let mut rest = text;
    for part in parts {
        match rest.split_once(part) {
            Some((_, after)) => rest = after,
            None => panic!("no `{part}` (in this order) in\n{text}"),
        }
    }
}

#[device]
fn axpy<T: Copy + Add<Output = T> + Mul<Output = T> + AddAssign>(a: T, x: T, y: &mut T) {
    *y += a * x + x;
}

#[device]
fn call_axpy(x: f32, y: &mut f32, n: u8, m: &mut u8) {
    axpy(2.0, x, y);
    axpy(n, n, m);
}

#[test]
fn operators_of_a_generic_function_are_the_language_s_own() {
    let text = typed(|| <call_axpy>::on_device(some(), some(), some(), some()));
    expect(
        &text,
        &["axpy::<f32>(2.0f32, x, y)", "axpy::<u8>(n, n, m)", "*_3 += (a * x) + x", "*_3 += (a * x) + x"],
    );
}

#[device]
fn by_reference(a: &f32, b: &f32, out: &mut [f32]) {
    out[0] = a + b;
    out[1] = *a - b;
    out[2] = a * *b;
    out[3] = -a;
    if a < b {
        out[4] = *a;
    }
    if a == b {
        out[5] = *a;
    }
}

#[test]
fn operators_on_references_read_what_they_point_to() {
    let text = typed(|| <by_reference>::on_device(some(), some(), some()));
    expect(&text, &["*a + *b", "*a - *b", "*a * *b", "-*a", "*a < *b", "*a == *b"]);
}

#[device]
fn shifted<T: Copy + Shl<u8, Output = T> + Neg<Output = T>>(x: T, n: u8) -> T {
    -(x << n)
}

#[device]
fn shifts(x: i64, n: u8, out: &mut [i64]) {
    out[0] = x << n;
    out[1] = x >> 3_u128;
    out[2] = shifted(x, n);
    out[2] <<= &n;
}

#[test]
fn a_shift_takes_any_integer() {
    let text = typed(|| <shifts>::on_device(some(), some(), some()));
    expect(&text, &["x << n", "x >> 3u128", "shifted::<i64>", "<<= n", "-(x << n)"]);
}

#[device]
fn ordered<T: Ord + Copy>(x: T, y: T) -> T {
    if x < y && x != y { x.max(y) } else { x.clamp(y, x) }
}

#[device]
fn orders(x: u16, y: i128, a: &mut [u16], b: &mut [i128]) {
    a[0] = ordered(x, 3).min(x);
    b[0] = ordered(y, y);
}

#[test]
fn a_bound_of_std_brings_its_device_form_along() {
    let text = typed(|| <orders>::on_device(some(), some(), some(), some()));
    expect(&text, &["ordered::<u16>", "ordered::<i128>", "max(x, y)"]);
}

#[device]
fn widened<T: Into<u64> + Default + Clone + PartialEq>(x: T) -> u64 {
    if x.clone() == T::default() { 0 } else { x.into() }
}

#[device]
fn conversions(x: u8, y: bool, c: char, out: &mut [u64], floats: &mut [f64]) {
    out[0] = widened(x) + u64::from(y) + u64::from(u32::from(c));
    let z: u64 = x.into();
    out[1] = z;
    floats[0] = f64::from(x) + f64::from(2.5_f32) + f64::default();
    floats[1] = y.into();
}

#[test]
fn conversions_become_casts() {
    let text = typed(|| <conversions>::on_device(some(), some(), some(), some(), some()));
    expect(&text, &["widened::<u8>(x)", "y as u64", "x as u64", "x as f64", "2.5f32 as f64"]);
}

#[device]
fn index_space(out: &mut [usize]) {
    let i = thread::global_x() + thread::global_y() + thread::global_z();
    let t = thread::x() + thread::y() + thread::z();
    let b = block::x() + block::y() + block::z() + block::size_x() + block::size_y() + block::size_z();
    let g = grid::size_x() + grid::size_y() + grid::size_z();
    sync_threads();
    out[i] = (t + b + g) as usize;
}

#[test]
fn the_index_space_is_read_from_the_device() {
    let text = typed(|| <index_space>::on_device(some()));
    expect(
        &text,
        &[
            "thread::global_x()",
            "thread::global_y()",
            "thread::global_z()",
            "thread::x()",
            "thread::z()",
            "block::y()",
            "block::size_z()",
            "grid::size_x()",
            "sync_threads()",
        ],
    );
}

#[device]
fn memory(x: &[f32], y: &mut [f32], table: &[[u32; 4]]) {
    if x.is_empty() || table[0].len() != 4 {
        return;
    }
    let n = x.len();
    // SAFETY: `n` is the length, and not zero.
    unsafe {
        *y.get_unchecked_mut(n - 1) = *x.get_unchecked(n - 1);
        let end = x.as_ptr().add(n - 1);
        *y.as_mut_ptr().add(1) = *end;
    }
}

#[test]
fn slices_and_pointers() {
    let text = typed(|| <memory>::on_device(some(), some(), some()));
    expect(
        &text,
        &[
            "(*x).len() == 0usize",
            "4usize != 4usize",
            "(*y)[unchecked n - 1usize] = (*x)[unchecked n - 1usize]",
            "pointer::add(x as *const f32, n - 1usize)",
            "*pointer::add(y as *mut f32, 1usize) = *end",
        ],
    );
}

trait Root {
    fn sqrt(self) -> Self;
}

/// In plain Rust an inherent method wins over a trait's, and so it does in a kernel.
#[device]
fn root(x: f64, out: &mut [f64]) {
    out[0] = x.sqrt();
    out[1] = f64::sqrt(x);
    out[2] = f64::min(x, 1.0);
}

impl Root for f64 {
    fn sqrt(self) -> f64 {
        -1.0
    }
}

#[test]
fn std_s_method_wins_over_a_trait_s() {
    let text = typed(|| <root>::on_device(some(), some()));
    expect(&text, &["sqrt(x)", "sqrt(x)", "min(x, 1.0f64)"]);
    assert_eq!(Root::sqrt(4.0), -1.0);
}
