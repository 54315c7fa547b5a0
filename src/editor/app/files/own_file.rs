//! The document's file, and whether it has changed since it was opened or saved.

use crate::editor::panels::dialogs::overwrite_dialog::OverwriteReason;
use crate::io::report::Report;
use crate::io::stamp::Stamp;
use std::path::{Path, PathBuf};

/// The document's file, as last opened or saved.
pub struct OwnFile {
    pub path: PathBuf,
    stamp: Stamp,
    /// The first part of it that could not be read.
    damage: Option<String>,
}

impl OwnFile {
    pub fn opened(path: &Path, bytes: &[u8], report: &Report) -> Self {
        let damage = report.losses().next();
        Self { damage: damage.map(|finding| finding.text.clone()), ..Self::saved(path, bytes) }
    }

    pub fn saved(path: &Path, bytes: &[u8]) -> Self {
        Self { path: path.to_owned(), stamp: Stamp::from_bytes(bytes), damage: None }
    }

    /// The file as it was at the end of a session that was recovered.
    pub fn recovered(path: PathBuf, stamp: Stamp) -> Self {
        Self { path, stamp, damage: None }
    }

    /// The stamp of its contents when it was opened or saved.
    pub fn stamp(&self) -> Stamp {
        self.stamp
    }

    /// The reason to ask before the file is replaced, if there is one.
    pub fn question(&self) -> Option<OverwriteReason> {
        if self.stamp.is_outdated(&self.path) {
            return Some(OverwriteReason::Changed);
        }
        self.damage.clone().map(OverwriteReason::Damaged)
    }
}
