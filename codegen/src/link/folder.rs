//! A temporary folder of our own.

use crate::Error;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// A folder that only this user can enter, gone when dropped.
pub(super) struct PrivateFolder(PathBuf);

impl PrivateFolder {
    /// Makes one where the system keeps temporary files.
    pub(super) fn create() -> Result<Self, Error> {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let mut builder = std::fs::DirBuilder::new();
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        loop {
            let number = NUMBER.fetch_add(1, Ordering::Relaxed);
            let path = std::env::temp_dir().join(format!("wavewright-{}-{number}", std::process::id()));
            match builder.create(&path) {
                Ok(()) => return Ok(Self(path)),
                // Left by an earlier process of the same number, or put there by somebody else: not ours to use.
                Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => continue,
                Err(error) => {
                    return Err(Error::System {
                        action: format!("make the folder `{}`", path.display()),
                        message: error.to_string(),
                    });
                }
            }
        }
    }

    /// Where it is.
    pub(super) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for PrivateFolder {
    fn drop(&mut self) {
        // What can't be removed is left for the system to clean up.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
