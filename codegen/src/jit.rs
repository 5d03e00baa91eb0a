//! Loads a host object into this process, through LLVM's ORC JIT.
//!
//! What must hold:
//!
//! - The code lives exactly as long as its [`HostKernel`]; whoever calls the entry keeps that alive.
//! - An object may call only the symbols of `runtime` or of the process. Anything else is an error when the object
//!   is loaded, never when it runs.
//! - LLVM's errors become values: nothing is printed, nothing aborts.

mod runtime;

use inkwell::targets::{InitializationConfig, Target};
use llvm_sys::core::LLVMCreateMemoryBufferWithMemoryRangeCopy;
use llvm_sys::error::{LLVMDisposeErrorMessage, LLVMErrorRef, LLVMGetErrorMessage};
use llvm_sys::orc2::lljit::*;
use llvm_sys::orc2::*;
use std::ffi::{CStr, CString, c_void};
use std::sync::Mutex;
use wavewright_kernel_ir::abi::CpuWork;
use wavewright_kernel_ir::code_object::{CodeObject, Format};

/// The function of a kernel on the CPU: the arguments as [`Abi`](wavewright_kernel_ir::abi::Abi) lays them out, and
/// the blocks to run.
pub type Entry = unsafe extern "C" fn(arguments: *const u8, work: *const CpuWork);

/// Why a host object could not be loaded.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum JitError {
    /// The code is for another device.
    #[error("kernel `{kernel}` was compiled for {target}; the CPU device loads host objects only")]
    NotForHost {
        /// The kernel's name.
        kernel: String,
        /// What it was compiled for.
        target: String,
    },
    /// LLVM has no JIT for this machine.
    #[error("LLVM could not set up its JIT on this machine: {0}")]
    Session(String),
    /// LLVM could not read, link or find something in the object.
    #[error("LLVM could not load the code of kernel `{kernel}`: {message}")]
    Object {
        /// The kernel's name.
        kernel: String,
        /// What LLVM says.
        message: String,
    },
}

/// A kernel's machine code in this process.
pub struct HostKernel {
    entry: Entry,
    // Only to keep the code alive, and to free it.
    _session: Session,
}

impl HostKernel {
    /// Loads `object`.
    pub fn load(object: &CodeObject) -> Result<Self, JitError> {
        if object.format != Format::HostObject {
            return Err(JitError::NotForHost { kernel: object.name.clone(), target: object.target.clone() });
        }
        let session = Session::new()?;
        let named = |message: String| JitError::Object { kernel: object.name.clone(), message };
        session.add(&object.bytes).map_err(named)?;
        let address = session.look_up(&object.symbol).map_err(named)?;
        // SAFETY: the address is that of the kernel's function, which has this signature by the contract of
        // `CodeObject` for `Format::HostObject`, and it is not null.
        let entry = unsafe { std::mem::transmute::<*const c_void, Entry>(address) };
        Ok(Self { entry, _session: session })
    }

    /// The kernel's function. It may be called while `self` lives, from any number of threads at a time.
    ///
    /// Whoever calls it answers for its arguments: they must be those of the kernel's `Abi`, and the memory that
    /// [`CpuWork`] points to as large as the [`CodeObject`] says.
    pub fn entry(&self) -> Entry {
        self.entry
    }
}

impl std::fmt::Debug for HostKernel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("HostKernel").field("entry", &self.entry).finish_non_exhaustive()
    }
}

/// An LLJIT with one object in it.
struct Session {
    jit: LLVMOrcLLJITRef,
    // Boxed so that the error reporter's pointer stays good when the session moves.
    reports: Box<Mutex<Vec<String>>>,
}

// SAFETY: after `load` nothing touches the JIT but `drop`, which has the only reference; LLJIT is not bound to the
// thread that made it.
unsafe impl Send for Session {}
// SAFETY: through a shared reference nothing of the session can be reached.
unsafe impl Sync for Session {}

impl Session {
    fn new() -> Result<Self, JitError> {
        initialise_host();
        let mut jit = std::ptr::null_mut();
        // SAFETY: a null builder asks for LLJIT's defaults: this machine, objects linked in this process.
        check(unsafe { LLVMOrcCreateLLJIT(&mut jit, std::ptr::null_mut()) }).map_err(JitError::Session)?;
        let session = Self { jit, reports: Box::default() };
        let context = std::ptr::from_ref(&*session.reports).cast_mut().cast();
        // SAFETY: the context outlives the JIT: `drop` ends the JIT first.
        unsafe {
            LLVMOrcExecutionSessionSetErrorReporter(LLVMOrcLLJITGetExecutionSession(jit), report, context);
        }
        session.define_runtime().map_err(JitError::Session)?;
        Ok(session)
    }

    /// Makes the functions of [`runtime`] known to the objects.
    fn define_runtime(&self) -> Result<(), String> {
        let callable = LLVMJITSymbolGenericFlags::LLVMJITSymbolGenericFlagsCallable as u8;
        let exported = LLVMJITSymbolGenericFlags::LLVMJITSymbolGenericFlagsExported as u8;
        let mut symbols: Vec<_> = runtime::symbols()
            .into_iter()
            .map(|(name, address)| LLVMOrcCSymbolMapPair {
                // SAFETY: the name ends with a zero; the entry is handed on to `LLVMOrcAbsoluteSymbols`.
                Name: unsafe { LLVMOrcLLJITMangleAndIntern(self.jit, name.as_ptr()) },
                Sym: LLVMJITEvaluatedSymbol {
                    Address: address as u64,
                    Flags: LLVMJITSymbolFlags { GenericFlags: callable | exported, TargetFlags: 0 },
                },
            })
            .collect();
        // SAFETY: the pairs are well formed, and both calls take what they are given.
        check(unsafe {
            let unit = LLVMOrcAbsoluteSymbols(symbols.as_mut_ptr(), symbols.len());
            LLVMOrcJITDylibDefine(LLVMOrcLLJITGetMainJITDylib(self.jit), unit)
        })
    }

    fn add(&self, object: &[u8]) -> Result<(), String> {
        // SAFETY: the bytes are copied; the JIT takes the buffer, also when it refuses it.
        let error = unsafe {
            let buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(
                object.as_ptr().cast(),
                object.len(),
                c"kernel".as_ptr(),
            );
            LLVMOrcLLJITAddObjectFile(self.jit, LLVMOrcLLJITGetMainJITDylib(self.jit), buffer)
        };
        check(error)
    }

    /// The address of `symbol`. This is where the object is linked, so here it shows what is missing.
    fn look_up(&self, symbol: &str) -> Result<*const c_void, String> {
        let name = CString::new(symbol).map_err(|_| format!("the symbol {symbol:?} holds a zero"))?;
        let mut address = 0;
        // SAFETY: the JIT is alive, the name ends with a zero.
        let found = check(unsafe { LLVMOrcLLJITLookup(self.jit, &mut address, name.as_ptr()) });
        let mut reports = self.reports.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        match found {
            Ok(()) if address != 0 => Ok(std::ptr::with_exposed_provenance(address as usize)),
            Ok(()) => Err(format!("`{symbol}` has no address")),
            // What was reported names the cause; the look-up's own error may only say that it failed.
            Err(message) => {
                Err(std::iter::once(message).chain(reports.drain(..)).collect::<Vec<_>>().join("; "))
            }
        }
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        // SAFETY: the JIT was made by `new` and is disposed of once. An error on the way out has nobody to go to; it is
        // consumed so that LLVM does not abort over it.
        let _ = check(unsafe { LLVMOrcDisposeLLJIT(self.jit) });
    }
}

/// Takes LLVM's error apart.
fn check(error: LLVMErrorRef) -> Result<(), String> {
    if error.is_null() {
        return Ok(());
    }
    // SAFETY: the error is not null and is consumed here; the message is copied before it is freed.
    unsafe {
        let message = LLVMGetErrorMessage(error);
        let text = CStr::from_ptr(message).to_string_lossy().into_owned();
        LLVMDisposeErrorMessage(message);
        Err(text)
    }
}

/// Collects what the execution session would otherwise print.
extern "C" fn report(context: *mut c_void, error: LLVMErrorRef) {
    let Err(text) = check(error) else { return };
    // SAFETY: the context is the `reports` of the session that reports, which outlives its JIT.
    let reports = unsafe { &*context.cast::<Mutex<Vec<String>>>() };
    reports.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).push(text);
}

/// Makes the machine that we run on known to LLVM. It does no harm to do so again.
pub(crate) fn initialise_host() {
    let config = InitializationConfig::default();
    #[cfg(target_arch = "x86_64")]
    Target::initialize_x86(&config);
    #[cfg(target_arch = "aarch64")]
    Target::initialize_aarch64(&config);
}

#[cfg(test)]
mod tests;
