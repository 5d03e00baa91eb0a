use std::ops::{Add, AddAssign, Neg};
use wavewright::prelude::*;

#[derive(Clone, Copy, Default, PartialEq, PartialOrd, DeviceType)]
struct V(f32);

impl Add for V {
    type Output = V;
    fn add(self, other: V) -> V {
        V(self.0 + other.0)
    }
}

impl AddAssign for V {
    fn add_assign(&mut self, other: V) {
        self.0 += other.0;
    }
}

impl Neg for V {
    type Output = V;
    fn neg(self) -> V {
        V(-self.0)
    }
}

impl From<f32> for V {
    fn from(x: f32) -> V {
        V(x)
    }
}

#[kernel]
fn host_operators(y: &mut [f32]) {
    let mut v = V(1.0);
    let w = v + v;
    v += w;
    let u = -v;
    if v == u || v < u {
        y[0] = 1.0;
    }
    let z = V::default();
    let f = V::from(2.0);
    let i: V = 2.0.into();
    y[1] = z.0 + f.0 + i.0;
}

#[device]
fn bounds<T: Copy>(x: T, y: &mut T) -> bool {
    *y += x;
    let z = -x;
    z == x || x < z
}

fn main() {}
