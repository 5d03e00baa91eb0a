//! LLVM as a guest in this process: checked once, and kept from taking the process down.
//!
//! LLVM meets what it can't go on from in three ways:
//!
//! - It reports a **diagnostic** to the module's context (too much shared memory, inline assembly that does not fit).
//!   [`Diagnostics`] collects them; without it LLVM would print the first one and exit.
//! - It reports a **fatal error** (`Cannot select`), and the process aborts when the report returns. So it does not
//!   return: [`contained`] runs LLVM on a thread of its own, and the report parks that thread for good. One thread and
//!   what it holds are lost; the process goes on. What an architecture lacks is refused before LLVM sees it, so this is
//!   for faults of ours and of LLVM.
//! - It runs out of stack on very deep input. The thread of [`contained`] has a large one.
//!
//! A fault inside LLVM that is none of these (a bad access) still ends the process.

use crate::Error;
use inkwell::context::{AsContextRef, Context};
use inkwell::targets::{InitializationConfig, Target as LlvmTarget};
use llvm_sys::LLVMDiagnosticSeverity;
use llvm_sys::core::{
    LLVMContextSetDiagnosticHandler, LLVMDisposeMessage, LLVMGetDiagInfoDescription, LLVMGetDiagInfoSeverity,
};
use llvm_sys::error_handling::LLVMInstallFatalErrorHandler;
use llvm_sys::prelude::LLVMDiagnosticInfoRef;
use std::cell::{Cell, RefCell};
use std::ffi::{CStr, c_char, c_void};
use std::panic::AssertUnwindSafe;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::sync::{Once, OnceLock};
use wavewright_kernel_ir::target::Target;

/// The major version of LLVM that the bindings are for.
const VERSION: u32 = 22;

/// Stack for LLVM and for our own recursion over deep programs; only what is used takes memory.
const STACK_BYTES: usize = 64 << 20;

unsafe extern "C" {
    /// Part of LLVM's C interface that the bindings leave out.
    fn LLVMInitializeAMDGPUDisassembler();
}

/// The version of the LLVM that is loaded.
pub fn version() -> (u32, u32, u32) {
    inkwell::support::get_llvm_version()
}

/// Makes `target` known to LLVM. To do so again costs next to nothing.
pub(crate) fn initialise(target: &Target) -> Result<(), Error> {
    static CHECKED: OnceLock<Result<(), Error>> = OnceLock::new();
    CHECKED.get_or_init(check_version).clone()?;
    static AMD: Once = Once::new();
    static NVIDIA: Once = Once::new();
    static HOST: Once = Once::new();
    let config = InitializationConfig::default();
    match target {
        Target::Amd(_) => AMD.call_once(|| {
            LlvmTarget::initialize_amd_gpu(&config);
            // SAFETY: it may be called whenever the target is there.
            unsafe { LLVMInitializeAMDGPUDisassembler() };
        }),
        Target::Nvidia(_) => NVIDIA.call_once(|| LlvmTarget::initialize_nvptx(&config)),
        Target::Host => HOST.call_once(crate::jit::initialise_host),
    }
    Ok(())
}

/// The loader takes any library of the right name; a program that was moved to another machine may meet a wrong one.
fn check_version() -> Result<(), Error> {
    let found = version();
    if found.0 == VERSION {
        return Ok(());
    }
    let built_with = option_env!("WAVEWRIGHT_LLVM_LIBRARY").unwrap_or("an unknown library").into();
    Err(Error::WrongLlvm { found, built_with })
}

enum Outcome<T> {
    Done(Result<T, Error>),
    Panicked(String),
    Fatal(String),
}

/// Takes the message of a fatal error to whoever waits for the result.
type Report = Box<dyn FnOnce(String)>;

thread_local! {
    /// Where a fatal error on this thread goes.
    static FATAL: Cell<Option<Report>> = const { Cell::new(None) };
}

/// Does `job` on a thread that LLVM can end without ending the process. `kernel` and `target` are for messages.
pub(crate) fn contained<T: Send + 'static>(
    kernel: &str,
    target: &Target,
    job: impl FnOnce() -> Result<T, Error> + Send + 'static,
) -> Result<T, Error> {
    install_fatal_error_handler();
    let (sender, receiver) = sync_channel(1);
    std::thread::Builder::new()
        .name("wavewright-compile".into())
        .stack_size(STACK_BYTES)
        .spawn(move || work(job, sender))
        .map_err(|error| Error::System {
            action: "start a thread to compile on".into(),
            message: error.to_string(),
        })?;
    let internal = |message| Err(Error::Internal { kernel: kernel.into(), message });
    match receiver.recv() {
        Ok(Outcome::Done(result)) => result,
        Ok(Outcome::Panicked(message)) => internal(format!("the compiler panicked: {message}")),
        Ok(Outcome::Fatal(message)) => {
            Err(Error::Llvm { kernel: kernel.into(), target: target.to_string(), message })
        }
        Err(_) => internal("the compiler's thread ended without a result".into()),
    }
}

fn work<T>(job: impl FnOnce() -> Result<T, Error>, sender: SyncSender<Outcome<T>>)
where
    T: Send + 'static,
{
    let on_fatal = sender.clone();
    FATAL.set(Some(Box::new(move |message| drop(on_fatal.send(Outcome::Fatal(message))))));
    let outcome = match std::panic::catch_unwind(AssertUnwindSafe(job)) {
        Ok(result) => Outcome::Done(result),
        Err(payload) => Outcome::Panicked(panic_message(payload.as_ref())),
    };
    FATAL.set(None);
    // Whoever waits can't have gone: it waits until something comes.
    let _ = sender.send(outcome);
}

fn panic_message(payload: &(dyn std::any::Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().map(|text| text.to_string());
    text.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_else(|| "without a message".into())
}

fn install_fatal_error_handler() {
    static INSTALLED: Once = Once::new();
    // SAFETY: the handler is a plain function; nobody else in this crate installs one.
    INSTALLED.call_once(|| unsafe { LLVMInstallFatalErrorHandler(Some(on_fatal_error)) });
}

/// LLVM aborts the process when this returns. On a thread of [`contained`] it does not.
extern "C" fn on_fatal_error(reason: *const c_char) {
    let Some(report) = FATAL.take() else { return };
    // SAFETY: LLVM passes a string that ends with a zero.
    let reason = unsafe { CStr::from_ptr(reason) }.to_string_lossy().into_owned();
    report(reason);
    loop {
        std::thread::park();
    }
}

/// Collects what LLVM has to say about the modules of a context.
///
/// It stays at its place in memory, since the context holds its address; it must outlive the work in the context.
pub(crate) struct Diagnostics {
    errors: Box<RefCell<Vec<String>>>,
}

impl Diagnostics {
    /// Collects those of `context` from now on.
    pub(crate) fn of(context: &Context) -> Self {
        let diagnostics = Self { errors: Box::default() };
        let place = std::ptr::from_ref(&*diagnostics.errors).cast_mut().cast();
        // SAFETY: the handler gets the address of `errors`, which does not move; `Drop` can't reach the context any
        // more, but diagnostics come only out of work in the context, which ends before (see the type's contract).
        unsafe { LLVMContextSetDiagnosticHandler(context.as_ctx_ref(), Some(on_diagnostic), place) };
        diagnostics
    }

    /// What `result` is worth: an error of LLVM's own, or one that it reported beside.
    pub(crate) fn check<T>(&self, result: Result<T, String>) -> Result<T, String> {
        let mut errors = self.errors.take();
        match result {
            Ok(value) if errors.is_empty() => Ok(value),
            Ok(_) => Err(errors.join("; ")),
            Err(message) => {
                errors.insert(0, message);
                Err(errors.join("; "))
            }
        }
    }
}

extern "C" fn on_diagnostic(info: LLVMDiagnosticInfoRef, context: *mut c_void) {
    // SAFETY: `info` is valid during the call; the message is copied, then freed; `context` is the address that
    // `Diagnostics::of` gave, of a value that is used by this thread alone.
    unsafe {
        if LLVMGetDiagInfoSeverity(info) != LLVMDiagnosticSeverity::LLVMDSError {
            return;
        }
        let message = LLVMGetDiagInfoDescription(info);
        let text = CStr::from_ptr(message).to_string_lossy().into_owned();
        LLVMDisposeMessage(message);
        (*context.cast::<RefCell<Vec<String>>>()).borrow_mut().push(text);
    }
}

#[cfg(test)]
mod tests;
