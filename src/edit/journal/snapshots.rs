//! Files in a session's folder that hold its scene. Their names say after how many records of steps that was, and its
//! hash: they are found and checked without the journal, where that is damaged.

use std::path::{Path, PathBuf};

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Snapshot {
    /// Records of steps before it.
    pub after: usize,
    /// What [`super::writer::hash`] gives for its content.
    pub hash: String,
    pub path: PathBuf,
}

impl Snapshot {
    pub fn new(folder: &Path, after: usize, hash: &str) -> Self {
        Self {
            after,
            hash: hash.to_owned(),
            path: folder.join(format!("snapshot-{after}-{hash}.js3d")),
        }
    }
}

/// Those that a folder holds, the oldest first.
pub(super) fn list(folder: &Path) -> Vec<Snapshot> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let found = entries.filter_map(|entry| {
        let name = entry.file_name().into_string().ok()?;
        let (after, hash) = name
            .strip_prefix("snapshot-")?
            .strip_suffix(".js3d")?
            .split_once('-')?;
        Some(Snapshot::new(folder, after.parse().ok()?, hash))
    });
    let mut found: Vec<Snapshot> = found.collect();
    found.sort();
    found
}
