//! Shared memory and barriers: threads see what others of their block wrote before.

use wavewright::prelude::*;

#[kernel(block = 64)]
fn reversed(a: &[u32], out: &mut [u32]) {
    let tile = shared!([u32; 64]);
    let t = thread::x() as usize;
    let i = thread::global_x();
    tile[t] = a[i];
    sync_threads();
    out[i] = tile[63 - t];
}

#[test]
fn a_block_reverses_its_part() {
    let input: Vec<u32> = (0..256).collect();
    let expected: Vec<u32> = (0..256).map(|i| i / 64 * 64 + 63 - i % 64).collect();
    let _alone = crate::harness::devices_alone();
    for device in Device::list() {
        let a = device.buffer_from(&input).unwrap();
        let mut out = device.zeroed(256).unwrap();
        // SAFETY: each thread writes its own elements, and reads those of others behind a barrier.
        unsafe { reversed(&a, &mut out).grid(4).block(64).launch(&device).unwrap() };
        assert_eq!(out.to_vec().unwrap(), expected, "on {}", device.name());
    }
}

#[kernel(block = 128)]
fn summed(a: &[u32], out: &mut [u32]) {
    let sums = shared!([u32; 128]);
    let t = thread::x() as usize;
    sums[t] = a[thread::global_x()];
    sync_threads();
    let mut width = 64;
    while width > 0 {
        if t < width {
            sums[t] += sums[t + width];
        }
        sync_threads();
        width /= 2;
    }
    if t == 0 {
        out[block::x() as usize] = sums[0];
    }
}

#[test]
fn barriers_in_a_loop() {
    let input: Vec<u32> = (0..512).map(|i| i * i + 1).collect();
    let expected: Vec<u32> = input.chunks(128).map(|c| c.iter().sum()).collect();
    let _alone = crate::harness::devices_alone();
    for device in Device::list() {
        let a = device.buffer_from(&input).unwrap();
        let mut out = device.zeroed(4).unwrap();
        // SAFETY: threads are kept apart by barriers.
        unsafe { summed(&a, &mut out).grid(4).block(128).launch(&device).unwrap() };
        assert_eq!(out.to_vec().unwrap(), expected, "on {}", device.name());
    }
}

#[derive(Clone, Copy, DeviceType)]
struct Cell {
    weight: f64,
    count: u8,
}

#[device]
fn rotate(cells: &mut [Cell; 32], t: usize, rounds: u32) -> f64 {
    let mut sum = 0.0;
    for _ in 0..rounds {
        let next = cells[(t + 1) % 32];
        sync_threads();
        cells[t] = Cell { count: next.count + 1, ..next };
        sum += next.weight;
        sync_threads();
    }
    sum
}

#[kernel(block = 32)]
fn rotated(rounds: u32, out: &mut [(f64, u8)]) {
    let cells = shared!([Cell; 32]);
    let other = shared!([u8; 3]);
    let t = thread::x() as usize;
    cells[t] = Cell { weight: t as f64, count: 0 };
    if t < 3 {
        other[t] = t as u8;
    }
    sync_threads();
    let sum = rotate(cells, t, rounds);
    out[t] = (sum, cells[t].count + other[t % 3]);
}

#[test]
fn values_live_across_barriers_in_functions() {
    let mut cells: Vec<(f64, u8)> = (0..32).map(|t| (t as f64, 0)).collect();
    let mut sums = vec![0.0; 32];
    for _ in 0..5 {
        let next: Vec<_> = (0..32).map(|t| cells[(t + 1) % 32]).collect();
        for (t, (weight, count)) in next.into_iter().enumerate() {
            sums[t] += weight;
            cells[t] = (weight, count + 1);
        }
    }
    let expected: Vec<(f64, u8)> = (0..32).map(|t| (sums[t], cells[t].1 + (t % 3) as u8)).collect();
    let _alone = crate::harness::devices_alone();
    for device in Device::list() {
        let mut out = device.buffer_from(&[(0.0, 0); 32]).unwrap();
        // SAFETY: threads are kept apart by barriers.
        unsafe { rotated(5, &mut out).grid(1).block(32).launch(&device).unwrap() };
        assert_eq!(out.to_vec().unwrap(), expected, "on {}", device.name());
    }
}
