use wavewright::prelude::*;

#[derive(Clone, Copy, DeviceType)]
struct Countdown(u32);

impl Iterator for Countdown {
    type Item = u32;
    fn next(&mut self) -> Option<u32> {
        self.0 = self.0.checked_sub(1)?;
        Some(self.0)
    }
}

#[kernel]
fn not_on_the_device(y: &mut [u32]) {
    for x in Countdown(3) {
        y[0] += x;
    }
}

#[kernel]
fn adaptor(y: &mut [u32]) {
    for x in y.iter().copied().cycle() {
        let _ = x;
    }
}

#[kernel]
fn no_iterator(y: &mut [u32]) {
    for x in 5u32 {
        y[0] += x;
    }
}

fn main() {}
