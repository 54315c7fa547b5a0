//! Saving so that the old file or the new file is there, whole, at every instant.

use std::path::Path;

/// Writes `bytes` to a temporary file in the folder of `path`, syncs it, renames it over `path`, and
/// syncs the folder. On error the file at `path` is as it was.
pub fn save(_path: &Path, _bytes: &[u8]) -> Result<(), SaveError> {
    todo!()
}

/// Why a save failed. The old file is untouched.
#[derive(Debug, thiserror::Error)]
#[error("could not save ({what}): {source}; the file that was there is unchanged: {path}")]
pub struct SaveError {
    pub what: &'static str,
    pub source: std::io::Error,
    pub path: String,
}
