//! A fingerprint of a file's content, to detect changes by other programs.

use super::file;
use std::hash::{DefaultHasher, Hasher};
use std::path::Path;

/// The length and a hash of the content of a file. Modification times prove nothing: another program may
/// write within the same tick of the file system's clock, or reset the time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Stamp {
    length: u64,
    content: u64,
}

impl Stamp {
    /// Returns the stamp of a file with content `bytes`.
    pub fn from_bytes(bytes: &[u8]) -> Self {
        Self { length: bytes.len() as u64, content: hash(bytes) }
    }

    /// Whether the file at `path` has different content now. A missing file is not outdated: it has nothing
    /// to lose.
    pub fn is_outdated(&self, path: &Path) -> bool {
        let Ok(metadata) = std::fs::metadata(path) else {
            return false;
        };
        if metadata.len() != self.length {
            return true;
        }
        match file::read(path, "js3d") {
            Ok(bytes) => Self::from_bytes(&bytes) != *self,
            // Unreadable now, so it has changed.
            Err(_) => true,
        }
    }
}

fn hash(bytes: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    hasher.write(bytes);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_file_changed_in_the_same_tick_is_another() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("scene.js3d");
        fs::write(&path, "mine").unwrap();
        let stamp = Stamp::from_bytes(b"mine");
        assert!(!stamp.is_outdated(&path));
        let time = fs::metadata(&path).unwrap().modified().unwrap();
        fs::write(&path, "your").unwrap();
        let file = fs::File::options().write(true).open(&path).unwrap();
        file.set_modified(time).unwrap();
        drop(file);
        assert_eq!(fs::metadata(&path).unwrap().modified().unwrap(), time);
        assert!(stamp.is_outdated(&path));
        // The original content is written back.
        fs::write(&path, "mine").unwrap();
        assert!(!stamp.is_outdated(&path));
        fs::write(&path, "mine, longer").unwrap();
        assert!(stamp.is_outdated(&path));
        fs::remove_file(&path).unwrap();
        assert!(!stamp.is_outdated(&path));
    }
}
