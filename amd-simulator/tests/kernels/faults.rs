//! Bad accesses are told, with their place, and never end the process.

use crate::harness::{Argument, on_each};
use wavewright::prelude::*;

#[kernel]
fn far(offset: u64, out: &mut [u32]) {
    // SAFETY: it is not safe; that is what is tested.
    unsafe { *out.get_unchecked_mut(thread::global_x() + offset as usize) = 7 }
}

#[test]
fn an_access_past_the_end_names_kernel_instruction_group_and_lane() {
    on_each(far::program(), None, |setup| {
        let out = setup.buffer(&[0u32; 100]);
        let arguments = |offset: u64| [offset, out, 100].map(Argument::Word);
        setup.run([1, 1, 1], [100, 1, 1], &arguments(0));
        let text = setup.launch([2, 1, 1], [64, 1, 1], &arguments(0)).unwrap_err().to_string();
        for part in [
            "far",
            "400 bytes from the start of an allocation of 400 bytes",
            "store",
            "work-group (1, 0, 0)",
            "lane",
        ] {
            assert!(text.contains(part), "on {}: {text}", setup.label);
        }
        assert!(setup.device.memory().free(out));
        let text = setup.launch([1, 1, 1], [64, 1, 1], &arguments(0)).unwrap_err().to_string();
        assert!(text.contains("has been freed"), "on {}: {text}", setup.label);
    });
}
