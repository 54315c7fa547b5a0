//! The document's file: whether it is still as it was opened or saved.

use crate::editor::panels::overwrite_dialog::OverwriteReason;
use crate::io::report::Report;
use crate::io::stamp::Stamp;
use std::path::{Path, PathBuf};

/// The document's file, as it was opened or saved last.
pub struct OwnFile {
    pub path: PathBuf,
    stamp: Stamp,
    /// What of it could not be read.
    damage: Option<String>,
}

impl OwnFile {
    pub fn opened(path: &Path, bytes: &[u8], report: &Report) -> Self {
        let damage = report.losses().next();
        Self {
            damage: damage.map(|finding| finding.text.clone()),
            ..Self::saved(path, bytes)
        }
    }

    pub fn saved(path: &Path, bytes: &[u8]) -> Self {
        Self {
            path: path.to_owned(),
            stamp: Stamp::from_bytes(bytes),
            damage: None,
        }
    }

    /// As it was when a session ended that was recovered.
    pub fn recovered(path: PathBuf, stamp: Stamp) -> Self {
        Self {
            path,
            stamp,
            damage: None,
        }
    }

    /// What it held when it was opened or saved.
    pub fn stamp(&self) -> Stamp {
        self.stamp
    }

    /// Why it is not to be replaced unasked.
    pub fn question(&self) -> Option<OverwriteReason> {
        if self.stamp.is_outdated(&self.path) {
            return Some(OverwriteReason::Changed);
        }
        self.damage.clone().map(OverwriteReason::Damaged)
    }
}
