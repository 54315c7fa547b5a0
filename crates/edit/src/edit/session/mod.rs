//! Sessions: a session is one document being edited, and the only place where the scene changes.

pub mod autokey;
pub(super) mod first_keys;
pub mod history;
pub(super) mod memory;
pub mod packed_weights;
pub(super) mod recording;
pub(super) mod shared;
pub mod snapshot;
pub mod step;
pub(super) mod step_label;
mod transaction;

use crate::anim::channel_set::ChannelSet;
use crate::edit::command::effects::Effects;
use crate::edit::command::{Command, CommandError};
use crate::edit::select::selection::Selection;
use crate::edit::session::autokey::TimeState;
use crate::edit::session::history::{Entry, History};
use crate::edit::session::recording::Recording;
use crate::edit::session::snapshot::{EditOptions, Snapshot};
use crate::edit::session::step::Step;
use crate::edit::session::step_label::step_label;
use crate::edit::time::keying_set::KeyingSet;
use crate::edit::time::timeline::KeySelection;
use crate::scene::Scene;
use crate::scene::apply_animation::Animator;
use std::path::{Path, PathBuf};
use std::sync::Arc;
pub use transaction::Proposal;
use transaction::Transaction;

/// The open document with its history, selection and path. `New` and `Open` create a new session, so that no
/// history or path of the old document survives.
#[derive(Clone, Debug, Default)]
pub struct Session {
    current: Snapshot,
    history: History,
    path: Option<PathBuf>,
    transaction: Option<Transaction>,
    /// The scene of `current` at its frame.
    animated: Scene,
    animator: Animator,
    options: EditOptions,
    recording: Option<Recording>,
}

impl Session {
    /// Creates a session for a newly opened or new document: no history, not modified.
    pub fn new(scene: Scene, path: Option<PathBuf>) -> Self {
        let mut session = Self { path, ..Self::default() };
        session.current.scene = scene;
        session.refresh_animated();
        session
    }

    /// Starts recording steps for [`Self::take_steps`], which can be replayed in a new session on the current
    /// scene.
    pub fn record(&mut self) {
        let mut recording = Recording::default();
        let current = &self.current;
        let choices = [
            (current.selection != Selection::default()).then(|| Step::Select(current.selection.clone())),
            (!current.keys.is_empty()).then(|| Step::SelectKeys(Arc::clone(&current.keys))),
            (current.time.frame != 0.0).then_some(Step::Frame(current.time.frame)),
            self.options.auto_key.then_some(Step::AutoKey(true)),
            (self.options.keying != KeyingSet::default()).then_some(Step::KeyingSet(self.options.keying)),
            self.options.symmetric.then_some(Step::Symmetric(true)),
        ];
        choices.into_iter().flatten().for_each(|choice| recording.choose(choice));
        self.recording = Some(recording);
    }

    /// Returns the steps since the last call: replayed on the state before them, they give the same scene. A
    /// drag is reported only once it is over, or with `include_drag` in its current state.
    pub fn take_steps(&mut self, include_drag: bool) -> Vec<Step> {
        let Some(recording) = &mut self.recording else {
            return Vec::new();
        };
        if include_drag {
            recording.report_drag();
        }
        recording.take()
    }

    /// Whether there is a drag whose current state [`Self::take_steps`] has not reported.
    pub fn has_unreported_drag(&self) -> bool {
        self.recording.as_ref().is_some_and(Recording::has_unreported_drag)
    }

    fn record_with(&mut self, write: impl FnOnce(&mut Recording)) {
        if let Some(recording) = &mut self.recording {
            write(recording);
        }
    }

    /// Returns the scene as it is stored, including the preview of a drag.
    pub fn scene(&self) -> &Scene {
        &self.current.scene
    }
    pub fn selection(&self) -> &Selection {
        &self.current.selection
    }
    /// Returns the keys that are selected in the dope sheet.
    pub fn keys(&self) -> &Arc<KeySelection> {
        &self.current.keys
    }
    pub fn history(&self) -> &History {
        &self.history
    }
    /// Returns the current frame. Commands and undo may change it.
    pub fn frame(&self) -> f32 {
        self.current.time.frame
    }
    /// Returns the channels whose values were changed but not keyed: the scene's own values apply to them at
    /// every frame, until they are keyed or dismissed.
    pub fn unkeyed(&self) -> &Arc<ChannelSet> {
        &self.current.time.unkeyed
    }
    /// Whether changed values are keyed immediately.
    pub fn auto_key(&self) -> bool {
        self.options.auto_key
    }
    pub fn set_auto_key(&mut self, on: bool) {
        self.options.auto_key = on;
        self.record_with(|recording| recording.choose(Step::AutoKey(on)));
    }
    /// Returns the set of channels that auto-key and Insert keyframe write.
    pub fn keying_set(&self) -> KeyingSet {
        self.options.keying
    }
    pub fn set_keying_set(&mut self, set: KeyingSet) {
        self.options.keying = set;
        self.record_with(|recording| recording.choose(Step::KeyingSet(set)));
    }
    /// Whether edits of one side of a skeleton apply to the other side too.
    pub fn symmetric(&self) -> bool {
        self.options.symmetric
    }
    pub fn set_symmetric(&mut self, on: bool) {
        self.options.symmetric = on;
        self.record_with(|recording| recording.choose(Step::Symmetric(on)));
    }
    /// Returns the scene with its channels applied at the current frame: the values that panels show and
    /// commands start from.
    pub fn animated(&self) -> &Scene {
        &self.animated
    }

    fn refresh_animated(&mut self) {
        self.animated = self.current.time.animated(&self.current.scene, &mut self.animator);
    }

    fn set_current(&mut self, snapshot: Snapshot) {
        self.current = snapshot;
        self.refresh_animated();
    }

    /// Shows another frame, clamped to the clip. Not an undo step. An open transaction is committed, except
    /// for a brush stroke.
    pub fn set_frame(&mut self, frame: f32) {
        let frame = self.current.scene.animation.clip.clamp(frame);
        if frame != self.current.time.frame {
            match &mut self.transaction {
                // A stroke continues while the character moves.
                Some(transaction) if transaction.spans_frames => {
                    let before = &mut transaction.before;
                    before.time.frame = frame;
                    transaction.animated = before.time.animated(&before.scene, &mut self.animator);
                }
                _ => drop(self.settle()),
            }
            self.current.time.frame = frame;
            self.refresh_animated();
            self.record_with(|recording| recording.choose(Step::Frame(frame)));
        }
    }

    /// Discards all unkeyed changes, as one undo step. Returns false if there are none.
    pub fn dismiss_unkeyed(&mut self) -> bool {
        self.settle();
        let time = &self.current.time;
        if time.unkeyed.is_empty() {
            return false;
        }
        let after = Snapshot {
            scene: time.dismissed(&self.current.scene),
            time: TimeState::new(time.frame),
            ..self.current.clone()
        };
        let effects = Effects::from_values(time.unkeyed.iter());
        let states = [self.current.clone(), after];
        let dismissed = self.push_step("Dismiss unkeyed changes".into(), states, effects);
        if dismissed {
            self.record_with(|recording| recording.add_step(Step::DismissUnkeyed));
        }
        dismissed
    }

    /// Returns the path that Save writes to; `None` if the document was never saved.
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// Changes the selection, which is not an undo step. Anything that is missing in the scene is left out.
    pub fn select(&mut self, selection: Selection) {
        self.current.selection = selection.existing_in(&self.current.scene);
        if let Some(Transaction { before, .. }) = &mut self.transaction {
            before.selection = selection.existing_in(&before.scene);
        }
        self.record_with(|recording| recording.choose(Step::Select(selection)));
    }

    /// Selects keys in the dope sheet, like [`Self::select`].
    pub fn select_keys(&mut self, keys: &Arc<KeySelection>) {
        self.current.keys = KeySelection::existing_in(keys, &self.current.scene);
        if let Some(Transaction { before, .. }) = &mut self.transaction {
            before.keys = KeySelection::existing_in(keys, &before.scene);
        }
        self.record_with(|recording| recording.choose(Step::SelectKeys(Arc::clone(keys))));
    }

    /// Applies all commands as one undo step, or none of them. There is no step if nothing changes. An open
    /// transaction is ended first: see [`Self::end_preview`]. An added bone or handle is selected; a selected bone that is deleted
    /// is replaced by its parent, or by nothing, and a selected handle by its bone.
    ///
    /// # Errors
    /// If a command cannot be applied; the document does not change.
    ///
    /// # Examples
    ///  ```
    ///  use ossature_document::io::examples::Example;
    ///  use ossature_edit::edit::command::Command;
    ///  use ossature_edit::edit::session::Session;
    ///
    ///  let (scene, _) = Example::Human.read()?;
    ///  let mut session = Session::new(scene.clone(), None);
    ///  session.apply(&[Command::SetBoneName {
    ///      mesh: "Human_skinned_mesh".into(),
    ///      bone: 0,
    ///      name: "hips".into(),
    ///  }])?;
    ///  assert!(session.scene() != &scene);
    ///  session.undo();
    ///  assert!(session.scene() == &scene);
    ///  # Ok::<(), Box<dyn std::error::Error>>(())
    ///  ```
    pub fn apply(&mut self, commands: &[Command]) -> Result<(), CommandError> {
        self.end_preview();
        let (after, effects) = self.current.after(&self.animated, commands, self.options, false)?;
        if let Some(first) = commands.first().filter(|_| !effects.is_empty()) {
            let label = step_label(first, commands, &self.animated);
            if self.push_step(label, [self.current.clone(), after], effects) {
                self.record_with(|recording| recording.add_step(Step::Do(commands.to_vec())));
            }
        }
        Ok(())
    }

    /// Undoes the last step and applies commands as one undo step in its place.
    ///
    /// # Errors
    /// If a command cannot be applied; the last step stays undone.
    pub fn apply_instead(&mut self, commands: &[Command]) -> Result<(), CommandError> {
        self.end_preview();
        self.undo();
        self.apply(commands)
    }

    /// Switches to the second state and records the step, or returns to the first state if nothing changed.
    fn push_step(&mut self, label: String, [before, after]: [Snapshot; 2], effects: Effects) -> bool {
        if effects.is_empty() || before.is_same_document(&after) {
            self.set_current(before);
            return false;
        }
        self.set_current(after.clone());
        self.history.push(Entry::new(label, [before, after], effects));
        true
    }

    /// Undoes the last step (an open transaction is cancelled instead) and returns its label, if any.
    pub fn undo(&mut self) -> Option<String> {
        if let Some(transaction) = &self.transaction {
            let label = transaction.label.clone();
            self.cancel();
            return label;
        }
        let entry = self.history.undo(&self.current)?;
        let depends_on_frame = entry.effects.depend_on_frame();
        let (label, before) = (entry.label.clone(), entry.before.restored());
        self.restore(before, depends_on_frame);
        self.record_with(|recording| recording.add_undo_or_redo(Step::Undo(1), !depends_on_frame));
        Some(label)
    }

    /// Redoes the next step (an open transaction is cancelled instead) and returns its label, if any.
    pub fn redo(&mut self) -> Option<String> {
        if self.cancel() {
            return None;
        }
        let entry = self.history.forward()?;
        let depends_on_frame = entry.effects.depend_on_frame();
        let (label, after) = (entry.label.clone(), entry.after.restored());
        self.restore(after, depends_on_frame);
        self.record_with(|recording| recording.add_undo_or_redo(Step::Redo(1), !depends_on_frame));
        Some(label)
    }

    /// Restores a state of the history. The current frame stays if the step does not depend on a frame.
    fn restore(&mut self, mut state: Snapshot, depends_on_frame: bool) {
        if !depends_on_frame {
            state.time.frame = self.current.time.frame;
        }
        self.set_current(state);
    }

    /// Returns the label of Undo for the Edit menu. During a transaction, Undo cancels it.
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

    /// Returns the labels of all steps that can be undone, the most recent first.
    pub fn undo_list(&self) -> impl Iterator<Item = &str> {
        self.history.undo_list()
    }

    /// Whether the scene differs from what was last saved or opened (undoing back to that state counts as not
    /// modified). A preview counts once it is committed.
    pub fn is_modified(&self) -> bool {
        !self.history.is_at_saved()
    }

    /// Must be called after [`Session::scene`] was saved. An open transaction is committed first, because its
    /// preview is what was saved.
    pub fn saved_as(&mut self, path: PathBuf) {
        self.commit();
        self.record_with(|recording| recording.saved(&path.to_string_lossy()));
        self.path = Some(path);
        self.history.mark_saved();
    }

    /// Marks the document as unsaved: it was recovered, and differs from its file.
    pub fn set_unsaved(&mut self) {
        self.history.forget_saved();
    }

    /// Sets the memory limit for undo: see [`crate::edit::session::history`].
    pub fn set_undo_bytes(&mut self, max: usize) {
        self.history.set_max_bytes(max);
    }

    /// Returns the text of the title bar: the file name or `Untitled`.
    pub fn title(&self) -> String {
        self.path
            .as_deref()
            .and_then(Path::file_name)
            .map_or_else(|| "Untitled".into(), |n| n.to_string_lossy().into_owned())
    }
}
