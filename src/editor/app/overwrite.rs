//! Whether a file may be written as it is asked for: its name, what is there already, and what has become of
//! the document's own file since it was opened or saved.

use crate::edit::request::Overwrite;
use crate::editor::Editor;
use crate::editor::app::wake::Waker;
use crate::editor::panels::file_dialog::FileMode as Mode;
use crate::editor::panels::messages::Level;
use crate::editor::panels::overwrite_dialog::{OverwriteQuestion, OverwriteReason};
use crate::io::report::Report;
use crate::io::stamp::Stamp;
use crate::io::{js3d, obj};
use std::path::{Path, PathBuf};

/// The document's file, as it was opened or saved last.
pub struct OwnFile {
    path: PathBuf,
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
            stamp: Stamp::of(bytes),
            damage: None,
        }
    }

    fn question(&self) -> Option<OverwriteReason> {
        if self.stamp.is_outdated(&self.path) {
            return Some(OverwriteReason::Changed);
        }
        self.damage.clone().map(OverwriteReason::Damaged)
    }
}

impl Editor {
    /// The path to write to, with the ending that says what is in it; `None` where that was refused, or has to
    /// be asked about first.
    pub(in crate::editor) fn may_write(&mut self, mode: Mode, path: &Path) -> Option<PathBuf> {
        let (kind, other_way) = match mode {
            Mode::Export => (&obj::KIND, "Save as writes scenes"),
            _ => (&js3d::KIND, "Export writes OBJ meshes"),
        };
        let named = match kind.named(path) {
            Ok(named) => named,
            Err(error) => {
                self.files.then = None;
                let text = format!("{error}. {other_way}.");
                let messages = &mut self.panels.messages;
                messages.push(Level::Error, "That name is of another kind of file", text);
                return None;
            }
        };
        let own = self
            .files
            .own
            .as_ref()
            .filter(|own| own.path == named && kind == &js3d::KIND);
        // The dialog asked about the name as it was typed.
        let unasked = (named != path && named.exists()).then_some(OverwriteReason::Exists);
        let Some(reason) = own.and_then(OwnFile::question).or(unasked) else {
            return Some(named);
        };
        let name = named
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        self.panels.dialogs.overwrite = Some(OverwriteQuestion { name, reason });
        self.files.pending = Some((mode, named));
        None
    }

    pub(in crate::editor) fn answer_overwrite(&mut self, answer: Overwrite, waker: &Waker) {
        self.panels.dialogs.overwrite = None;
        let Some((mode, path)) = self.files.pending.take() else {
            return;
        };
        match (answer, mode) {
            (Overwrite::Replace, Mode::Export) => self.write_mesh(&path),
            (Overwrite::Replace, _) => self.write_scene(path, waker),
            (Overwrite::SaveElsewhere, _) => self.save_as(waker),
            (Overwrite::Reload, _) => {
                self.files.then = None;
                self.open_path(&path);
            }
            (Overwrite::Cancel, _) => self.files.then = None,
        }
    }
}
