//! Kernels that run: what they compute must be what plain Rust computes.

use super::build::Build;
use super::run::{Arg, each_way, slice};
use wavewright_kernel_ir::builtin::Builtin;
use wavewright_kernel_ir::samples;

const BLOCKS: [[u32; 3]; 6] = [[1, 1, 1], [7, 1, 1], [256, 1, 1], [1024, 1, 1], [5, 3, 1], [4, 2, 3]];

fn threads(block: [u32; 3]) -> u32 {
    block.iter().product()
}

fn numbers(count: usize) -> Vec<f32> {
    (0..count).map(|i| (i as f32 * 0.37).sin() * 8.0).collect()
}

#[test]
fn saxpy_of_any_length() {
    for (program, unchecked) in [(samples::saxpy_slice(), false), (samples::saxpy_unchecked(), true)] {
        for block in [[1, 1, 1], [7, 1, 1], [256, 1, 1], [1024, 1, 1]] {
            each_way(&program, block, |kernel| {
                for n in [0usize, 1, 6, 255, 256, 257, 1000] {
                    let (mut x, y) = (numbers(n), numbers(n + 3));
                    let mut result = y[..n].to_vec();
                    let grid = [n.div_ceil(block[0] as usize) as u32, 1, 1];
                    let mut arguments = vec![Arg::F32(2.5), slice(&mut x), slice(&mut result)];
                    if unchecked {
                        arguments.insert(0, Arg::U32(n as u32));
                    }
                    assert_eq!(kernel.run(grid, block, &arguments), None);
                    let value =
                        |x: &f32, y: &f32| if unchecked { 2.5f32.mul_add(*x, *y) } else { y + 2.5 * x };
                    let wanted: Vec<f32> = x.iter().zip(&y).map(|(x, y)| value(x, y)).collect();
                    assert_eq!(result, wanted, "n = {n}, block = {block:?}");
                }
            });
        }
    }
}

#[test]
fn saxpy_element_by_element() {
    let program = samples::saxpy_element();
    each_way(&program, [64, 1, 1], |kernel| {
        let n = 1000;
        let (mut x, y) = (numbers(n), numbers(n + 3));
        let mut result = y[..n].to_vec();
        let element = |data: &mut [f32]| Arg::Element(data.as_mut_ptr().cast());
        let arguments = [Arg::F32(2.5), element(&mut x), element(&mut result), Arg::Count(n - 1)];
        assert_eq!(kernel.run([16, 1, 1], [64, 1, 1], &arguments), None);
        for i in 0..n - 1 {
            assert_eq!(result[i], y[i] + 2.5 * x[i]);
        }
        // The last has no thread.
        assert_eq!(result[n - 1], y[n - 1]);
    });
}

/// `x` is shorter than `y`: the threads past its end panic, the others do their work.
#[test]
fn threads_that_panic_leave_the_others_alone() {
    let program = samples::saxpy_slice();
    let block = [64, 1, 1];
    each_way(&program, block, |kernel| {
        let n = 300;
        let (mut x, y) = (numbers(150), numbers(n));
        let mut result = y.clone();
        let fault = kernel.run([5, 1, 1], block, &[Arg::F32(2.0), slice(&mut x), slice(&mut result)]);
        let (message, record) = fault.expect("x is too short");
        let index = record.block[0] * 64 + record.thread[0];
        assert!((150..300).contains(&index), "{record:?}");
        assert_eq!(message, format!("index out of bounds: the len is 150 but the index is {index}"));
        for i in 0..n {
            let wanted = if i < 150 { y[i] + 2.0 * x[i] } else { y[i] };
            assert_eq!(result[i], wanted, "{i}");
        }
    });
}

#[test]
fn tiled_product_equals_plain_product() {
    let program = samples::matmul_tiled();
    let n = 64usize;
    each_way(&program, [16, 16, 1], |kernel| {
        let (mut a, mut b) = (numbers(n * n), numbers(n * n));
        b.reverse();
        let mut c = vec![0.0f32; n * n];
        let tiles = (n / 16) as u32;
        let size = n.to_le_bytes();
        let arguments = [Arg::Bytes(&size), slice(&mut a), slice(&mut b), slice(&mut c)];
        assert_eq!(kernel.run([tiles, tiles, 1], [16, 16, 1], &arguments), None);
        for row in 0..n {
            for column in 0..n {
                let wanted = (0..n).fold(0.0, |sum, k| sum + a[row * n + k] * b[k * n + column]);
                assert_eq!(c[row * n + column], wanted, "{row}, {column}");
            }
        }
    });
}

/// Each thread of a block writes its number and its block's, in every shape of block and grid.
#[test]
fn indices_count_x_fastest() {
    let b = Build::new();
    let out = b.slice_param::<u32>("out", true);
    let (thread, i) = (b.local::<u32>("thread"), b.local::<usize>("i"));
    let index = |builtin| b.builtin::<u32>(builtin, vec![]);
    let linear = |x, y, z, width, height| {
        let row = b.add(b.mul(index(z), index(height)), index(y));
        b.add(b.mul(row, index(width)), index(x))
    };
    use Builtin::*;
    let block = linear(BlockX, BlockY, BlockZ, GridSizeX, GridSizeY);
    let size = b.mul(b.mul(index(BlockSizeX), index(BlockSizeY)), index(BlockSizeZ));
    let global = b.add(b.mul(block, size), b.load(thread));
    let statements = vec![
        b.let_(thread, linear(ThreadX, ThreadY, ThreadZ, BlockSizeX, BlockSizeY)),
        b.let_(i, b.cast::<usize>(global)),
        b.assign(b.at(out, b.load(i)), b.cast::<u32>(b.load(i))),
    ];
    let program = b.program(statements);
    for block in BLOCKS {
        each_way(&program, block, |kernel| {
            for grid in [[1, 1, 1], [5, 1, 1], [3, 2, 4], [1, 1, 3], [2, 1, 2]] {
                let n = threads(block) * threads(grid);
                let mut out = vec![u32::MAX; n as usize];
                assert_eq!(kernel.run(grid, block, &[slice(&mut out)]), None);
                assert!(out.iter().copied().eq(0..n), "block {block:?}, grid {grid:?}");
            }
        });
    }
}
