//! Launches on every device of this machine, of kernels captured by hand.

#![cfg(feature = "jit")]

use std::any::Any;
use std::sync::{Mutex, PoisonError};
use wavewright_kernel_ir::entry::{BuildError, KernelEntry};
use wavewright_kernel_ir::record::Instances;
use wavewright_kernel_ir::samples;
use wavewright_kernel_ir::typed::Program;
use wavewright_kernel_ir::types::rust_type_id;
use wavewright_runtime::{Buffer, Device, DeviceKind, Error, Launch, UnsafeLaunch};

/// Runs a test on every device, and says which kinds there are none of. One test at a time: whoever waits first is told
/// of a panic.
fn on_every_device(test: impl Fn(&Device)) {
    static ONE: Mutex<()> = Mutex::new(());
    let _one = ONE.lock().unwrap_or_else(PoisonError::into_inner);
    for kind in DeviceKind::ALL {
        match Device::of_kind(kind) {
            Ok(devices) => devices.iter().for_each(&test),
            Err(error) => eprintln!("SKIPPED: {error}"),
        }
    }
}

/// A kernel with the identity of a type, as a macro would make it.
fn entry<Identity: Any>(name: &'static str, program: fn() -> Result<Program, BuildError>) -> KernelEntry {
    KernelEntry { identity: rust_type_id::<Identity>(), name, captured: Instances::default, program }
}

struct SaxpySlice;
fn saxpy_slice<'l>(a: f32, x: &'l Buffer<f32>, y: &'l mut Buffer<f32>) -> UnsafeLaunch<'l> {
    let entry = entry::<SaxpySlice>("samples::saxpy_slice", || Ok(samples::saxpy_slice()));
    Launch::new(entry).value(a).slice(x).slice_mut(y).into_unsafe()
}

struct SaxpyElement;
fn saxpy_element<'l>(a: f32, x: &'l Buffer<f32>, y: &'l mut Buffer<f32>) -> Launch<'l> {
    let entry = entry::<SaxpyElement>("samples::saxpy_element", || Ok(samples::saxpy_element()));
    Launch::new(entry).value(a).element(x).element_mut(y)
}

struct SaxpyFixed;
/// `saxpy_slice` with `#[kernel(block = 64)]`.
fn saxpy_fixed<'l>(a: f32, x: &'l Buffer<f32>, y: &'l mut Buffer<f32>) -> UnsafeLaunch<'l> {
    let entry = entry::<SaxpyFixed>("samples::saxpy_slice", || {
        let mut program = samples::saxpy_slice();
        program.kernel.attributes.block = Some([64, 1, 1]);
        Ok(program)
    });
    Launch::new(entry).value(a).slice(x).slice_mut(y).into_unsafe()
}

struct Matmul;
fn matmul<'l>(n: usize, a: &'l Buffer<f32>, b: &'l Buffer<f32>, c: &'l mut Buffer<f32>) -> UnsafeLaunch<'l> {
    let entry = entry::<Matmul>("samples::matmul_tiled", || Ok(samples::matmul_tiled()));
    Launch::new(entry).value(n).slice(a).slice(b).slice_mut(c).into_unsafe()
}

fn numbers(n: usize) -> (Vec<f32>, Vec<f32>) {
    ((0..n).map(|i| i as f32 * 0.37 - 5.0).collect(), (0..n).map(|i| (i % 91) as f32 * 1.1).collect())
}

fn plain_saxpy(a: f32, x: &[f32], y: &[f32]) -> Vec<f32> {
    x.iter().zip(y).map(|(x, y)| y + a * x).collect()
}

#[test]
fn a_slice_kernel_computes_what_plain_rust_does() {
    on_every_device(|device| {
        for n in [1, 255, 256, 257, 100_003] {
            let (host_x, host_y) = numbers(n);
            let (x, mut y) = (device.buffer_from(&host_x).unwrap(), device.buffer_from(&host_y).unwrap());
            // SAFETY: no two threads have the same global index.
            unsafe { saxpy_slice(1.7, &x, &mut y).grid(n.div_ceil(256)).block(256).launch(device).unwrap() };
            assert_eq!(y.to_vec().unwrap(), plain_saxpy(1.7, &host_x, &host_y), "{device}");
        }
    });
}

#[test]
fn an_element_kernel_takes_its_grid_from_the_buffers() {
    on_every_device(|device| {
        for (n, block) in [(0, None), (1, None), (1000, None), (1000, Some(32)), (100_003, Some(1024))] {
            let (host_x, host_y) = numbers(n);
            let (x, mut y) = (device.buffer_from(&host_x).unwrap(), device.buffer_from(&host_y).unwrap());
            let launch = saxpy_element(-0.3, &x, &mut y);
            let launch = match block {
                Some(block) => launch.block(block),
                None => launch,
            };
            launch.launch(device).unwrap();
            assert_eq!(y.to_vec().unwrap(), plain_saxpy(-0.3, &host_x, &host_y), "{device}");
        }
    });
}

#[test]
fn launches_run_in_order_and_the_buffer_may_be_dropped_meanwhile() {
    on_every_device(|device| {
        let mut sum = device.zeroed::<f32>(10_000).unwrap();
        for _ in 0..3000 {
            let ones = device.buffer_from(&[1.0f32; 10_000]).unwrap();
            saxpy_element(1.0, &ones, &mut sum).launch(device).unwrap();
        }
        assert!(sum.to_vec().unwrap().iter().all(|s| *s == 3000.0), "{device}");
    });
}

#[test]
fn shared_memory_and_barriers_work() {
    on_every_device(|device| {
        let n = 64;
        let (host_a, host_b) = numbers(n * n);
        let (a, b) = (device.buffer_from(&host_a).unwrap(), device.buffer_from(&host_b).unwrap());
        let mut c = device.zeroed::<f32>(n * n).unwrap();
        // SAFETY: each thread writes its own element; of shared memory, between the same two barriers.
        unsafe { matmul(n, &a, &b, &mut c).grid((n / 16, n / 16)).block((16, 16)).launch(device).unwrap() };
        let c = c.to_vec().unwrap();
        for (i, c) in c.iter().enumerate() {
            let (row, column) = (i / n, i % n);
            let expected = (0..n).fold(0.0, |sum, k| sum + host_a[row * n + k] * host_b[k * n + column]);
            assert_eq!(*c, expected, "{device} at {row}, {column}");
        }
    });
}

#[test]
fn a_panic_is_an_error_with_its_place_and_the_device_works_on() {
    on_every_device(|device| {
        let (x, mut y) = (device.zeroed::<f32>(1000).unwrap(), device.zeroed::<f32>(1024).unwrap());
        // SAFETY: no two threads have the same global index.
        unsafe { saxpy_slice(1.0, &x, &mut y).grid(4).block(256).launch(device).unwrap() };
        let error = y.to_vec().unwrap_err();
        let Error::Panic { kernel, message, file, line, column, block, thread, further } = error else {
            panic!("{device}: {error}");
        };
        assert_eq!(kernel, "samples::saxpy_slice");
        assert_eq!(block, [3, 0, 0]);
        assert!(thread[0] >= 1000 - 768 && thread[1..] == [0, 0], "{thread:?}");
        let index = 768 + thread[0];
        assert_eq!(message, format!("index out of bounds: the len is 1000 but the index is {index}"));
        assert!(!file.is_empty() && line > 0 && column > 0);
        assert_eq!(further, 0);

        device.synchronize().unwrap();
        saxpy_element(1.0, &device.buffer_from(&[2.0; 1024]).unwrap(), &mut y).launch(device).unwrap();
        assert!(y.to_vec().unwrap().iter().all(|y| *y == 2.0));
    });
}

#[test]
fn every_wait_reports_a_panic() {
    on_every_device(|device| {
        let panic = |y: &mut Buffer<f32>| {
            let x = device.zeroed::<f32>(1).unwrap();
            // SAFETY: no two threads have the same global index.
            unsafe { saxpy_slice(1.0, &x, y).grid(1).block(32).launch(device).unwrap() };
        };
        let mut y = device.zeroed::<f32>(2).unwrap();
        panic(&mut y);
        assert!(matches!(device.synchronize(), Err(Error::Panic { .. })));
        panic(&mut y);
        assert!(matches!(y.copy_to(&mut [0.0; 2]), Err(Error::Panic { .. })));
        panic(&mut y);
        assert!(matches!(y.copy_from(&[1.0; 2]), Err(Error::Panic { .. })));
        assert_eq!(y.to_vec().unwrap(), [1.0, 1.0]);
    });
}

#[test]
fn a_grid_of_nothing_is_no_work() {
    on_every_device(|device| {
        let (x, mut y) = (device.buffer_from(&[1.0]).unwrap(), device.buffer_from(&[5.0]).unwrap());
        for grid in [(0, 1), (1, 0)] {
            // SAFETY: no thread runs.
            unsafe { saxpy_slice(1.0, &x, &mut y).grid(grid).block(256).launch(device).unwrap() };
        }
        assert_eq!(y.to_vec().unwrap(), [5.0]);
    });
}

#[test]
fn buffers_of_length_zero_are_fine() {
    on_every_device(|device| {
        let (x, mut y) = (device.buffer_from::<f32>(&[]).unwrap(), device.zeroed::<f32>(0).unwrap());
        // SAFETY: no thread touches an element.
        unsafe { saxpy_slice(1.0, &x, &mut y).grid(2).block(64).launch(device).unwrap() };
        saxpy_element(1.0, &x, &mut y).launch(device).unwrap();
        assert!(y.to_vec().unwrap().is_empty());
        assert!(device.buffer_from(&[(), ()]).unwrap().to_vec().unwrap().len() == 2);
    });
}

#[test]
fn the_block_of_the_attribute_counts() {
    on_every_device(|device| {
        let (x, mut y) = (device.buffer_from(&[1.0; 100]).unwrap(), device.zeroed::<f32>(100).unwrap());
        // SAFETY: no two threads have the same global index.
        unsafe {
            saxpy_fixed(1.0, &x, &mut y).grid(2).launch(device).unwrap();
            saxpy_fixed(1.0, &x, &mut y).grid(2).block(64).launch(device).unwrap();
            let text =
                saxpy_fixed(1.0, &x, &mut y).grid(2).block(128).launch(device).unwrap_err().to_string();
            assert_eq!(
                text,
                "launch of `samples::saxpy_slice`: a block of 128 threads, but the kernel says `#[kernel(block = 64)]`"
            );
        }
        assert_eq!(y.to_vec().unwrap(), [2.0; 100]);
    });
}

#[test]
fn a_launch_without_a_block_or_a_grid_says_what_to_call() {
    on_every_device(|device| {
        let (x, mut y) = (device.zeroed::<f32>(1).unwrap(), device.zeroed::<f32>(1).unwrap());
        // SAFETY: nothing is launched.
        let errors = unsafe {
            [
                saxpy_slice(1.0, &x, &mut y).grid(1).launch(device).unwrap_err(),
                saxpy_slice(1.0, &x, &mut y).block(1).launch(device).unwrap_err(),
                saxpy_element(1.0, &x, &mut y).grid(1).launch(device).unwrap_err(),
            ]
        };
        let texts = errors.map(|error| error.to_string());
        assert!(texts[0].contains("Call `.block(…)`"), "{}", texts[0]);
        assert!(texts[1].contains("Call `.grid(…)`"), "{}", texts[1]);
        assert!(texts[2].contains("`.grid(1)` is not for this kernel"), "{}", texts[2]);
    });
}

#[test]
fn many_threads_may_launch_at_once() {
    on_every_device(|device| {
        std::thread::scope(|scope| {
            for t in 0..8 {
                scope.spawn(move || {
                    let (x, mut y) = (device.buffer_from(&[1.0; 500]).unwrap(), device.zeroed(500).unwrap());
                    for _ in 0..200 {
                        saxpy_element(t as f32, &x, &mut y).launch(device).unwrap();
                    }
                    assert_eq!(y.to_vec().unwrap(), [200.0 * t as f32; 500]);
                });
            }
        });
    });
}

#[test]
fn launches_from_rayons_own_threads_do_not_wait_for_each_other() {
    use rayon::prelude::*;
    on_every_device(|device| {
        (0..64u32).into_par_iter().for_each(|t| {
            let n = 50_000;
            let (x, mut y) = (device.buffer_from(&vec![1.0; n]).unwrap(), device.zeroed(n).unwrap());
            saxpy_element(t as f32, &x, &mut y).launch(device).unwrap();
            assert!(y.to_vec().unwrap().iter().all(|y| *y == t as f32));
        });
    });
}

#[test]
fn buffers_of_another_device_are_refused_by_name() {
    let devices = Device::list();
    let [first, .., last] = &devices[..] else {
        eprintln!("SKIPPED: one device alone has no other");
        return;
    };
    let (x, mut y) = (first.zeroed::<f32>(4).unwrap(), last.zeroed::<f32>(4).unwrap());
    let text = saxpy_element(1.0, &x, &mut y).launch(last).unwrap_err().to_string();
    assert_eq!(
        text,
        format!(
            "launch of `samples::saxpy_element`, argument 2: the buffer is in the memory of {first}, not of {last}"
        )
    );
}

#[test]
fn lengths_must_agree() {
    on_every_device(|device| {
        let (x, mut y) = (device.zeroed::<f32>(4).unwrap(), device.zeroed::<f32>(5).unwrap());
        let text = saxpy_element(1.0, &x, &mut y).launch(device).unwrap_err().to_string();
        assert!(text.contains("argument 3 has 5 elements, but those before it have 4"), "{text}");
        let text = y.copy_to(&mut [0.0; 4]).unwrap_err().to_string();
        assert_eq!(text, "copy from a buffer: 5 elements here, 4 there");
        let text = y.copy_from(&[0.0; 6]).unwrap_err().to_string();
        assert_eq!(text, "copy to a buffer: 5 elements here, 6 there");
    });
}
