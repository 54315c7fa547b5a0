//! Snapshots: files in a session's folder that contain its scene. Their names contain the number of step
//! records before them and a hash, so that they can be found and verified even if the journal is damaged.

use std::path::{Path, PathBuf};

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Snapshot {
    /// The number of step records before the snapshot.
    pub after: usize,
    /// The hash of its content, see [`super::writer::hash`].
    pub hash: String,
    pub path: PathBuf,
}

impl Snapshot {
    pub fn new(folder: &Path, after: usize, hash: &str) -> Self {
        Self { after, hash: hash.to_owned(), path: folder.join(format!("snapshot-{after}-{hash}.js3d")) }
    }
}

/// Lists the snapshots in a folder, oldest first.
pub(super) fn list(folder: &Path) -> Vec<Snapshot> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let found = entries.filter_map(|entry| {
        let name = entry.file_name().into_string().ok()?;
        let (after, hash) = name.strip_prefix("snapshot-")?.strip_suffix(".js3d")?.split_once('-')?;
        Some(Snapshot::new(folder, after.parse().ok()?, hash))
    });
    let mut found: Vec<Snapshot> = found.collect();
    found.sort();
    found
}
