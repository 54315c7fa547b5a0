//! A session: one document being edited. The only place where the scene changes.

use super::command::{Command, CommandError};
use super::history::History;
use super::selection::Selection;
use crate::scene::Scene;
use std::path::{Path, PathBuf};

/// The open document with its history, selection and path.
#[derive(Clone, Debug, Default)]
pub struct Session {
    scene: Scene,
    selection: Selection,
    history: History,
    path: Option<PathBuf>,
}

impl Session {
    /// A document just opened (or new): no history, not modified.
    pub fn new(scene: Scene, path: Option<PathBuf>) -> Self {
        Self {
            scene,
            path,
            ..Self::default()
        }
    }

    /// The scene as it is seen, previews of a drag included.
    pub fn scene(&self) -> &Scene {
        &self.scene
    }
    pub fn selection(&self) -> &Selection {
        &self.selection
    }
    pub fn history(&self) -> &History {
        &self.history
    }
    /// Where Save writes; `None`: never saved.
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// Selecting is no undo step.
    pub fn select(&mut self, _selection: Selection) {
        todo!()
    }

    /// Applies commands as one undo step, or none of them. No step if nothing changes.
    /// A transaction under way is cancelled first. Adding a bone or handle selects it; deleting one
    /// selects the parent bone, or nothing.
    pub fn apply(&mut self, _commands: &[Command]) -> Result<(), CommandError> {
        todo!()
    }

    /// Shows commands applied to the scene as it was when the transaction began (and begins one if
    /// there is none). On error the last good preview stays.
    pub fn preview(&mut self, _commands: &[Command]) -> Result<(), CommandError> {
        todo!()
    }

    /// Ends the transaction: one undo step if something changed. True if there was a step.
    pub fn commit(&mut self) -> bool {
        todo!()
    }

    /// Ends the transaction: everything as before it. True if there was one.
    pub fn cancel(&mut self) -> bool {
        todo!()
    }

    pub fn in_transaction(&self) -> bool {
        todo!()
    }

    /// Scene before the transaction under way, else the current one. Tools compute totals from it.
    pub fn base_scene(&self) -> &Scene {
        todo!()
    }

    /// Takes back the last step (a transaction under way is cancelled instead). Its label, if any.
    pub fn undo(&mut self) -> Option<String> {
        todo!()
    }

    pub fn redo(&mut self) -> Option<String> {
        todo!()
    }

    /// Labels for the Edit menu.
    pub fn undo_label(&self) -> Option<&str> {
        todo!()
    }
    pub fn redo_label(&self) -> Option<&str> {
        todo!()
    }

    /// Whether the scene differs from what was last saved or opened (undoing back to it counts as not modified).
    pub fn is_modified(&self) -> bool {
        todo!()
    }

    /// After a save that succeeded.
    pub fn saved_as(&mut self, _path: PathBuf) {
        todo!()
    }

    /// What the title bar says: file name or `Untitled`.
    pub fn title(&self) -> String {
        self.path
            .as_deref()
            .and_then(Path::file_name)
            .map_or_else(|| "Untitled".into(), |n| n.to_string_lossy().into_owned())
    }
}
