//! What a file was when it was read or written, to see whether somebody else has changed it since.

use super::file;
use std::fs::Metadata;
use std::hash::{DefaultHasher, Hasher};
use std::path::Path;
use std::time::SystemTime;

/// Length, time and content of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stamp {
    length: u64,
    /// `None` where the file system knows no times.
    modified: Option<SystemTime>,
    content: u64,
}

impl Stamp {
    /// Of the file at `path`, which holds `bytes`.
    pub fn of(path: &Path, bytes: &[u8]) -> Option<Self> {
        let metadata = std::fs::metadata(path).ok()?;
        Some(Self {
            length: bytes.len() as u64,
            modified: modified(&metadata),
            content: hash(bytes),
        })
    }

    /// Whether the file at `path` has another content now. One that is gone, or cannot be read, has none to
    /// lose.
    pub fn is_outdated(&self, path: &Path) -> bool {
        let Ok(metadata) = std::fs::metadata(path) else {
            return false;
        };
        let modified = modified(&metadata);
        if metadata.len() == self.length && modified.is_some() && modified == self.modified {
            return false;
        }
        // It may have been written again as it was.
        match file::read(path, "js3d") {
            Ok(bytes) => bytes.len() as u64 != self.length || hash(&bytes) != self.content,
            // Whatever it is now, it is not what was there.
            Err(_) => true,
        }
    }
}

fn modified(metadata: &Metadata) -> Option<SystemTime> {
    metadata.modified().ok()
}

fn hash(bytes: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    hasher.write(bytes);
    hasher.finish()
}
