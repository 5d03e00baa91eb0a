//! Structs that hold references, and methods on them.

use super::harness::{each, once};
use super::values::Edges;
use wavewright::prelude::*;

#[derive(Clone, Copy, DeviceType)]
struct Grid<'a> {
    cells: &'a [f32],
    width: usize,
}

#[device]
impl<'a> Grid<'a> {
    fn new(cells: &'a [f32], width: usize) -> Self {
        Self { cells, width }
    }
    fn height(&self) -> usize {
        self.cells.len() / self.width
    }
    fn at(&self, x: usize, y: usize) -> f32 {
        self.row(y)[x]
    }
    fn row(&self, y: usize) -> &'a [f32] {
        let start = y * self.width;
        &self.cells[start..start + self.width]
    }
    fn fold(self, start: f32, f: impl Fn(f32, f32) -> f32) -> f32 {
        let mut value = start;
        for y in 0..self.height() {
            for x in 0..self.width {
                value = f(value, self.at(x, y));
            }
        }
        value
    }
}

#[derive(DeviceType)]
struct Cursor<'a> {
    target: &'a mut [f32],
    next: usize,
}

#[device]
impl Cursor<'_> {
    fn push(&mut self, value: f32) -> &mut Self {
        self.target[self.next] = value;
        self.next += 1;
        self
    }
}

#[kernel]
fn viewed(a: &[f32], out: &mut [f32]) {
    let grid = Grid::new(a, 3);
    let scale = grid.at(2, 1);
    let sum = grid.fold(0.0, |sum, x| sum + x * scale);
    let largest = grid.fold(f32::NEG_INFINITY, |a, b| a.max(b));
    let mut cursor = Cursor { target: out, next: 0 };
    cursor.push(sum).push(largest);
    for i in 0..grid.width {
        cursor.push(grid.row(grid.height() - 1)[i]);
    }
    let count = cursor.next as f32;
    cursor.push(count);
}

#[test]
fn structs_of_references_look_into_buffers() {
    once(viewed, viewed::native, &[1.0, -2.0, 3.5, 4.0, 5.25, 6.0], &[0.0; 8]);
}

#[derive(Clone, Copy, DeviceType, Debug, PartialEq)]
struct Stack<T, const N: usize> {
    values: [T; N],
    len: usize,
}

#[device]
impl<T: Copy + Default, const N: usize> Stack<T, N> {
    fn new() -> Self {
        Self { values: [T::default(); N], len: 0 }
    }
    fn push(&mut self, value: T) -> bool {
        if self.len == N {
            return false;
        }
        self.values[self.len] = value;
        self.len += 1;
        true
    }
    fn pop(&mut self) -> T {
        self.len -= 1;
        self.values[self.len]
    }
}

#[kernel]
fn stacked(a: &u32, out: &mut [u32; 3]) {
    let mut stack = Stack::<u32, 4>::new();
    let mut x = *a;
    while stack.push(x) {
        x = x / 3 + 1;
    }
    out[0] = stack.pop() % 1000 + stack.pop() % 1000;
    out[1] = stack.len as u32;
    out[2] = stack.values[0];
}

#[test]
fn generic_structs_with_methods() {
    each(stacked, stacked::native, u32::EDGES, [0; 3]);
}
