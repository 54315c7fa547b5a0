//! A session: one document being edited. The only place where the scene changes.

use super::command::{Command, CommandError};
use super::follow::follow;
use super::history::{Entry, History};
use super::same;
use super::selection::Selection;
use crate::scene::Scene;
use std::path::{Path, PathBuf};

/// The open document with its history, selection and path. `New` and `Open` make a new session, so that
/// no history and no path of the old document survive.
#[derive(Clone, Debug, Default)]
pub struct Session {
    scene: Scene,
    selection: Selection,
    history: History,
    path: Option<PathBuf>,
    transaction: Option<Transaction>,
}

/// A drag (or any change that is previewed before it counts).
#[derive(Clone, Debug)]
struct Transaction {
    /// Scene and selection when it began.
    before: (Scene, Selection),
    /// Of the first command that was previewed.
    label: Option<String>,
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

    /// Selecting is no undo step. What the scene does not hold is left out.
    pub fn select(&mut self, selection: Selection) {
        self.selection = selection.kept_in(&self.scene);
        if let Some(transaction) = &mut self.transaction {
            transaction.before.1 = selection.kept_in(&transaction.before.0);
        }
    }

    /// Applies commands as one undo step, or none of them. No step if nothing changes.
    /// A transaction under way is cancelled first. An added bone or handle is selected; if the selected
    /// bone is deleted its parent is selected, or nothing; if the selected handle is, its bone.
    pub fn apply(&mut self, commands: &[Command]) -> Result<(), CommandError> {
        self.cancel();
        let (scene, selection) = applied(&self.scene, &self.selection, commands)?;
        let Some(first) = commands.first() else {
            return Ok(());
        };
        let label = label_of(first, commands, &self.scene);
        let before = (self.scene.clone(), self.selection.clone());
        self.step(label, before, (scene, selection));
        Ok(())
    }

    /// Shows commands applied to the scene as it was when the transaction began (and begins one if
    /// there is none). On error the last good preview stays.
    pub fn preview(&mut self, commands: &[Command]) -> Result<(), CommandError> {
        let transaction = self.transaction.get_or_insert_with(|| Transaction {
            before: (self.scene.clone(), self.selection.clone()),
            label: None,
        });
        let (before, selection) = &transaction.before;
        let (scene, selection) = applied(before, selection, commands)?;
        if transaction.label.is_none() {
            transaction.label = commands.first().map(|first| label_of(first, commands, before));
        }
        (self.scene, self.selection) = (scene, selection);
        Ok(())
    }

    /// Ends the transaction: one undo step if something changed. True if there was a step.
    pub fn commit(&mut self) -> bool {
        let Some(transaction) = self.transaction.take() else {
            return false;
        };
        let label = transaction.label.unwrap_or_default();
        let after = (self.scene.clone(), self.selection.clone());
        self.step(label, transaction.before, after)
    }

    /// Publishes `after` and records the step, or goes back to `before` if they are equal.
    fn step(&mut self, label: String, before: (Scene, Selection), after: (Scene, Selection)) -> bool {
        if same::is_equal(&before.0, &after.0) {
            (self.scene, self.selection) = before;
            return false;
        }
        (self.scene, self.selection) = after.clone();
        self.history.push(Entry { label, before, after });
        true
    }

    /// Ends the transaction: everything as before it. True if there was one.
    pub fn cancel(&mut self) -> bool {
        let Some(transaction) = self.transaction.take() else {
            return false;
        };
        (self.scene, self.selection) = transaction.before;
        true
    }

    pub fn in_transaction(&self) -> bool {
        self.transaction.is_some()
    }

    /// Scene before the transaction under way, else the current one. Tools compute totals from it.
    pub fn base_scene(&self) -> &Scene {
        self.transaction.as_ref().map_or(&self.scene, |t| &t.before.0)
    }

    /// Takes back the last step (a transaction under way is cancelled instead). Its label, if any.
    pub fn undo(&mut self) -> Option<String> {
        if let Some(transaction) = &self.transaction {
            let label = transaction.label.clone();
            self.cancel();
            return label;
        }
        let entry = self.history.back()?;
        (self.scene, self.selection) = entry.before.clone();
        Some(entry.label.clone())
    }

    /// Takes the next step again (a transaction under way is cancelled instead). Its label, if any.
    pub fn redo(&mut self) -> Option<String> {
        if self.cancel() {
            return None;
        }
        let entry = self.history.forward()?;
        (self.scene, self.selection) = entry.after.clone();
        Some(entry.label.clone())
    }

    /// Labels for the Edit menu: what Undo and Redo would do. During a transaction Undo gives it up.
    pub fn undo_label(&self) -> Option<&str> {
        match &self.transaction {
            Some(transaction) => transaction.label.as_deref(),
            None => self.history.undo_label(),
        }
    }
    pub fn redo_label(&self) -> Option<&str> {
        match &self.transaction {
            Some(_) => None,
            None => self.history.redo_label(),
        }
    }

    /// Labels of all that can be undone, the most recent first.
    pub fn undo_list(&self) -> impl Iterator<Item = &str> {
        self.history.undo_list()
    }

    /// Labels of all that can be redone, the next first.
    pub fn redo_list(&self) -> impl Iterator<Item = &str> {
        self.history.redo_list()
    }

    /// Whether the scene differs from what was last saved or opened (undoing back to it counts as not
    /// modified). A preview counts once it is committed.
    pub fn is_modified(&self) -> bool {
        !self.history.is_at_saved()
    }

    /// After a save of [`Session::scene`] that succeeded. A transaction under way is committed first,
    /// since its preview is what was saved.
    pub fn saved_as(&mut self, path: PathBuf) {
        self.commit();
        self.path = Some(path);
        self.history.mark_saved();
    }

    /// What the title bar says: file name or `Untitled`.
    pub fn title(&self) -> String {
        self.path
            .as_deref()
            .and_then(Path::file_name)
            .map_or_else(|| "Untitled".into(), |n| n.to_string_lossy().into_owned())
    }
}

/// What the step of `commands` is called: by the first one, and how many more there are if all are of its kind.
fn label_of(first: &Command, commands: &[Command], scene: &Scene) -> String {
    let label = first.label(scene);
    let kind = std::mem::discriminant(first);
    match commands.len() - 1 {
        more @ 1.. if commands.iter().all(|c| std::mem::discriminant(c) == kind) => {
            format!("{label} and {more} more")
        }
        _ => label,
    }
}

/// Scene and selection after all commands, or the first error.
fn applied(
    scene: &Scene,
    selection: &Selection,
    commands: &[Command],
) -> Result<(Scene, Selection), CommandError> {
    let mut state = (scene.clone(), selection.clone());
    for command in commands {
        let before = state.0.clone();
        command.apply(&mut state.0)?;
        state.1 = follow(&before, &state.0, &state.1);
    }
    Ok(state)
}
