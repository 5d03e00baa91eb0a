//! Both GPU drivers, pretended: a library with the functions that the runtime uses, over the host's memory.
//!
//! Work is done when it is waited for and not before, so that a wait which is missing shows. There is one GPU. It has a
//! few kernels, chosen by name:
//!
//! | name | arguments | what it does |
//! |---|---|---|
//! | `add` | value `u32`, address, length, record | adds the value to each `u32` |
//! | `panic` | record | panics in block (1, 2, 3), thread (4, 5, 6) at site 0 with the values 7 and 8 |
//! | `crash` | record | breaks the queue for good, as an illegal address does |
//!
//! Code whose text holds `.version 9.9` is refused as too new. An allocation of 2^40 bytes or more fails.

#![allow(non_snake_case, clippy::missing_safety_doc, clippy::too_many_arguments)]

use std::alloc::{Layout, alloc, dealloc};
use std::collections::HashMap;
use std::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::sync::{LazyLock, Mutex, MutexGuard};

const OUT_OF_MEMORY: c_int = 2;
const INVALID_VALUE: c_int = 1;
const TOO_NEW: c_int = 222;
const INVALID_IMAGE: c_int = 200;
const NOT_FOUND: c_int = 500;
const ILLEGAL_ADDRESS: c_int = 700;

/// What the host asked for and nobody has waited for.
enum Work {
    Fill(usize, u8, usize),
    Copy { to: usize, from: usize, bytes: usize },
    Free(usize),
    Add { value: u32, address: usize, length: usize },
    Panic { record: usize },
    Crash,
}

#[derive(Default)]
struct Gpu {
    queue: Vec<Work>,
    memory: HashMap<usize, Layout>,
    broken: bool,
    kernels: Vec<&'static str>,
}

fn gpu() -> MutexGuard<'static, Gpu> {
    static GPU: LazyLock<Mutex<Gpu>> = LazyLock::new(Mutex::default);
    GPU.lock().unwrap()
}

impl Gpu {
    fn allocate(&mut self, bytes: usize) -> Result<usize, c_int> {
        if self.broken {
            return Err(ILLEGAL_ADDRESS);
        }
        if bytes == 0 {
            return Err(INVALID_VALUE);
        }
        if bytes >= 1 << 40 {
            return Err(OUT_OF_MEMORY);
        }
        let layout = Layout::from_size_align(bytes, 256).map_err(|_| OUT_OF_MEMORY)?;
        let address = unsafe { alloc(layout) };
        unsafe { address.write_bytes(0xa5, bytes) };
        self.memory.insert(address.expose_provenance(), layout);
        Ok(address.expose_provenance())
    }

    fn push(&mut self, work: Work) -> c_int {
        if self.broken {
            return ILLEGAL_ADDRESS;
        }
        self.queue.push(work);
        0
    }

    fn wait(&mut self) -> c_int {
        for work in std::mem::take(&mut self.queue) {
            if !self.broken {
                self.run(work);
            }
        }
        if self.broken { ILLEGAL_ADDRESS } else { 0 }
    }

    fn run(&mut self, work: Work) {
        unsafe {
            match work {
                Work::Fill(to, byte, bytes) => at::<u8>(to).write_bytes(byte, bytes),
                Work::Copy { to, from, bytes } => at::<u8>(to).copy_from(at(from), bytes),
                Work::Free(address) => {
                    let layout = self.memory.remove(&address).expect("memory that was allocated, freed once");
                    at::<u8>(address).write_bytes(0x5a, layout.size());
                    dealloc(at(address), layout);
                }
                Work::Add { value, address, length } => {
                    for number in 0..length {
                        let element = at::<u32>(address).add(number);
                        element.write(element.read().wrapping_add(value));
                    }
                }
                Work::Panic { record } => {
                    let words = at::<u32>(record);
                    if words.read() == 0 {
                        words.copy_from_nonoverlapping([1, 0, 1, 2, 3, 4, 5, 6].as_ptr(), 8);
                        words.add(8).cast::<u64>().copy_from_nonoverlapping([7, 8].as_ptr(), 2);
                    }
                }
                Work::Crash => self.broken = true,
            }
        }
    }

    /// Queues a kernel; `argument` gives the address of each of its arguments.
    fn launch(&mut self, kernel: usize, argument: impl Fn(Place) -> usize) -> c_int {
        let word = |place| unsafe { at::<u64>(argument(place)).read() as usize };
        let work = match self.kernels[kernel - 1] {
            "add" => Work::Add {
                value: unsafe { at::<u32>(argument(Place { number: 0, offset: 0 })).read() },
                address: word(Place { number: 1, offset: 8 }),
                length: word(Place { number: 2, offset: 16 }),
            },
            "panic" => Work::Panic { record: word(Place { number: 0, offset: 0 }) },
            _ => Work::Crash,
        };
        self.push(work)
    }

    fn kernel(&mut self, name: &CStr) -> Result<usize, c_int> {
        let known = ["add", "panic", "crash"].into_iter().find(|known| known.as_bytes() == name.to_bytes());
        self.kernels.push(known.ok_or(NOT_FOUND)?);
        Ok(self.kernels.len())
    }
}

/// Where an argument is: its number, and its offset among all.
#[derive(Clone, Copy)]
struct Place {
    number: usize,
    offset: usize,
}

fn at<T>(address: usize) -> *mut T {
    std::ptr::with_exposed_provenance_mut(address)
}

/// Writes a result to where the caller wants it.
unsafe fn give<T, U: From<T>>(to: *mut U, value: Result<T, c_int>) -> c_int {
    match value {
        Ok(value) => {
            unsafe { to.write(value.into()) };
            0
        }
        Err(code) => code,
    }
}

unsafe fn name(code: c_int, prefix: usize) -> *const c_char {
    let names: [&CStr; 2] = match code {
        OUT_OF_MEMORY => [c"CUDA_ERROR_OUT_OF_MEMORY", c"hipErrorOutOfMemory"],
        TOO_NEW => [c"CUDA_ERROR_UNSUPPORTED_PTX_VERSION", c"hipErrorUnknown"],
        INVALID_IMAGE => [c"CUDA_ERROR_INVALID_IMAGE", c"hipErrorInvalidImage"],
        NOT_FOUND => [c"CUDA_ERROR_NOT_FOUND", c"hipErrorNotFound"],
        ILLEGAL_ADDRESS => [c"CUDA_ERROR_ILLEGAL_ADDRESS", c"hipErrorIllegalAddress"],
        _ => [c"CUDA_ERROR_INVALID_VALUE", c"hipErrorInvalidValue"],
    };
    names[prefix].as_ptr()
}

fn text(code: c_int) -> *const c_char {
    let text = match code {
        OUT_OF_MEMORY => c"out of memory",
        TOO_NEW => c"the provided PTX was compiled with an unsupported toolchain.",
        INVALID_IMAGE => c"device kernel image is invalid",
        NOT_FOUND => c"named symbol not found",
        ILLEGAL_ADDRESS => c"an illegal memory access was encountered",
        _ => c"invalid argument",
    };
    text.as_ptr()
}

unsafe fn say(text: &CStr, to: *mut c_char, length: usize) {
    let bytes = text.to_bytes_with_nul();
    assert!(bytes.len() <= length);
    unsafe { to.copy_from_nonoverlapping(bytes.as_ptr().cast(), bytes.len()) };
}

mod cuda;
mod hip;
