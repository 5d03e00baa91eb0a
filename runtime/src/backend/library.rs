//! Drivers' libraries, loaded when they are first asked for.

use crate::{DeviceKind, Error};
use libloading::Library;
use std::ffi::OsString;

/// Where a driver's library is looked for.
pub(crate) struct Wanted {
    /// The devices that it drives.
    pub(crate) kind: DeviceKind,
    /// The environment variable that says where it is.
    pub(crate) variable: &'static str,
    /// The names that it has otherwise, in the order in which they are tried.
    pub(crate) names: &'static [&'static str],
    /// What brings it.
    pub(crate) advice: &'static str,
}

impl Wanted {
    /// Loads the library, from where the environment says or from where it usually is.
    pub(crate) fn load(&self) -> Result<Library, Error> {
        self.load_with(std::env::var_os(self.variable))
    }

    fn load_with(&self, path: Option<OsString>) -> Result<Library, Error> {
        let variable = self.variable;
        if let Some(path) = path {
            // SAFETY: loading a library runs its initialisers; the user says that it is the driver's.
            return unsafe { Library::new(&path) }.map_err(|error| {
                let reason =
                    format!("{variable} is `{}`, which does not load: {error}", path.to_string_lossy());
                Error::NoDevice { kind: self.kind, reason }
            });
        }
        // SAFETY: loading a library runs its initialisers; by these names it is the driver's.
        let found = self.names.iter().find_map(|name| unsafe { Library::new(*name) }.ok());
        found.ok_or_else(|| {
            let (names, advice) = (self.names.join(", "), self.advice);
            let reason = format!("none of {names} loads. {advice}, or set {variable} to the library's path");
            Error::NoDevice { kind: self.kind, reason }
        })
    }
}

/// Whether the system has the device file `path` but does not let this user open it.
pub(crate) fn no_permission(path: &str) -> bool {
    let opened = std::fs::OpenOptions::new().read(true).write(true).open(path);
    opened.is_err_and(|error| error.kind() == std::io::ErrorKind::PermissionDenied)
}

/// Declares the functions of a driver's library that are used, as a struct that holds their addresses, with a method
/// for each that turns its code into an [`Error`] with the function's name.
///
/// The struct's `failure(call, code)` makes that error.
macro_rules! functions {
    ($(#[$doc:meta])* $table:ident { $($name:ident($($argument:ident: $ty:ty),* $(,)?);)* }) => {
        $(#[$doc])*
        #[allow(non_snake_case)]
        pub(crate) struct $table {
            $($name: unsafe extern "C" fn($($ty),*) -> std::ffi::c_int,)*
            /// Keeps the addresses valid.
            _library: libloading::Library,
        }

        impl $table {
            /// The functions of `library`, or the name of one that it lacks.
            pub(crate) fn find(library: libloading::Library) -> Result<Self, &'static str> {
                Ok(Self {
                    $($name: {
                        // SAFETY: the library's function of this name has this type.
                        let found = unsafe { library.get(concat!(stringify!($name), "\0")) };
                        *found.map_err(|_| stringify!($name))?
                    },)*
                    _library: library,
                })
            }

            $(
                /// # Safety
                ///
                /// As the driver's documentation says of the function.
                #[allow(non_snake_case, clippy::too_many_arguments)]
                #[inline]
                pub(crate) unsafe fn $name(&self, $($argument: $ty),*) -> Result<(), $crate::Error> {
                    // SAFETY: as the caller promises.
                    match unsafe { (self.$name)($($argument),*) } {
                        0 => Ok(()),
                        code => Err(self.failure(stringify!($name), code)),
                    }
                }
            )*
        }
    };
}
pub(crate) use functions;

#[cfg(test)]
mod tests {
    use super::*;

    const WANTED: Wanted = Wanted {
        kind: DeviceKind::Amd,
        variable: "WAVEWRIGHT_NOTHING",
        names: &["libnothing.so.2", "libnothing.so.1"],
        advice: "Install nothing",
    };

    #[test]
    fn a_missing_library_says_what_was_looked_for() {
        assert_eq!(
            WANTED.load_with(None).unwrap_err().to_string(),
            "no AMD GPU: none of libnothing.so.2, libnothing.so.1 loads. Install nothing, or set WAVEWRIGHT_NOTHING \
             to the library's path"
        );
    }

    #[test]
    fn a_wrong_path_is_not_passed_over() {
        let text = WANTED.load_with(Some("/nowhere/libhip.so".into())).unwrap_err().to_string();
        let start = "no AMD GPU: WAVEWRIGHT_NOTHING is `/nowhere/libhip.so`, which does not load: ";
        assert!(text.starts_with(start), "{text}");
    }
}
