//! A `libamdhip64` whose GPUs are simulated: whatever loads HIP's library can load this one.
//!
//! `WAVEWRIGHT_SIMULATOR_DEVICES` lists the devices, as targets: `gfx942,gfx1100:wave64`; without it there is one each of
//! gfx942, gfx1100 and gfx1201. Work is done when it is queued: a launch returns when the kernel is over, and the fault of a
//! kernel is told on standard error, then by the next call that waits, as of a real device.
//!
//! | module | what it holds |
//! |---|---|
//! | [`state`] | the devices, and which of them a thread's calls are about |
//! | [`error`] | HIP's error codes |
//! | [`device`] | properties and attributes |
//! | [`memory`] | allocations and copies |
//! | [`queue`] | streams and events |
//! | [`module`] | code and launches |

#![allow(non_snake_case, clippy::missing_safety_doc, clippy::too_many_arguments)]

pub mod device;
pub mod error;
pub mod memory;
pub mod module;
pub mod queue;
pub mod state;
