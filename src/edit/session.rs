//! A session: one document being edited. The only place where the scene changes.

use super::autokey::TimeState;
use super::command::effects::Effects;
use super::command::keys::KeyCommand;
use super::command::weights::check_painted;
use super::command::{Command, CommandError};
use super::history::{Entry, History};
use super::keying_set::KeyingSet;
use super::recording::Recording;
use super::selection::Selection;
use super::snapshot::{EditOptions, Snapshot};
use super::step::Step;
use super::stroke_preview::StrokeBuffers;
use super::timeline::KeySelection;
use crate::anim::channel_set::ChannelSet;
use crate::rig::weights::paint::PaintedRows;
use crate::scene::Scene;
use crate::scene::apply_animation::Driver;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The open document with its history, selection and path. `New` and `Open` make a new session, so that
/// no history and no path of the old document survive.
#[derive(Clone, Debug, Default)]
pub struct Session {
    now: Snapshot,
    history: History,
    path: Option<PathBuf>,
    transaction: Option<Transaction>,
    /// The scene of `now` at its frame.
    animated: Scene,
    driver: Driver,
    options: EditOptions,
    recording: Option<Recording>,
    /// Memory that is kept from one stroke of a brush to the next.
    strokes: StrokeBuffers,
}

/// A drag (or any change that is previewed before it counts).
#[derive(Clone, Debug)]
struct Transaction {
    before: Snapshot,
    /// The scene as it was seen then.
    animated: Scene,
    /// It is about nothing that has a frame: it goes on when another is shown.
    spans_frames: bool,
    /// The label of what was previewed last, and what it did.
    label: Option<String>,
    effects: Effects,
}

impl Session {
    /// A document just opened (or new): no history, not modified.
    pub fn new(scene: Scene, path: Option<PathBuf>) -> Self {
        let mut session = Self {
            path,
            ..Self::default()
        };
        session.now.scene = scene;
        session.refresh_animated();
        session
    }

    /// From now on what happens is written down, for [`Self::take_steps`]: as what can be done to a session that was
    /// just opened on the scene that is there now.
    pub fn record(&mut self) {
        let mut recording = Recording::default();
        let now = &self.now;
        let choices = [
            (now.selection != Selection::default()).then(|| Step::Select(now.selection.clone())),
            (!now.keys.is_empty()).then(|| Step::SelectKeys(Arc::clone(&now.keys))),
            (now.time.frame != 0.0).then_some(Step::Frame(now.time.frame)),
            self.options.auto_key.then_some(Step::AutoKey(true)),
            (self.options.keying != KeyingSet::default()).then_some(Step::KeyingSet(self.options.keying)),
            self.options.symmetric.then_some(Step::Symmetric(true)),
        ];
        choices
            .into_iter()
            .flatten()
            .for_each(|choice| recording.choose(choice));
        self.recording = Some(recording);
    }

    /// What happened since the last call: carried out on what was there before, it comes to the same scene. Of a
    /// drag nothing is told before it is over, but `with_held` as far as it is.
    pub fn take_steps(&mut self, with_held: bool) -> Vec<Step> {
        let Some(recording) = &mut self.recording else {
            return Vec::new();
        };
        if with_held {
            recording.tell_held();
        }
        recording.take()
    }

    /// Whether a drag is held of which [`Self::take_steps`] has not told all.
    pub fn holds_untold(&self) -> bool {
        self.recording.as_ref().is_some_and(Recording::holds_untold)
    }

    fn note(&mut self, write: impl FnOnce(&mut Recording)) {
        if let Some(recording) = &mut self.recording {
            write(recording);
        }
    }

    /// The scene as it is stored, previews of a drag included.
    pub fn scene(&self) -> &Scene {
        &self.now.scene
    }
    pub fn selection(&self) -> &Selection {
        &self.now.selection
    }
    /// The keys that are selected in the dope sheet.
    pub fn keys(&self) -> &Arc<KeySelection> {
        &self.now.keys
    }
    pub fn history(&self) -> &History {
        &self.history
    }
    /// The frame that is shown. Commands and undo may change it.
    pub fn frame(&self) -> f32 {
        self.now.time.frame
    }
    /// Channels whose values were changed but not keyed: the scene's own values count for them at every
    /// frame, until they are keyed or dismissed.
    pub fn unkeyed(&self) -> &Arc<ChannelSet> {
        &self.now.time.unkeyed
    }
    /// Whether changed values are keyed at once.
    pub fn auto_key(&self) -> bool {
        self.options.auto_key
    }
    pub fn set_auto_key(&mut self, on: bool) {
        self.options.auto_key = on;
        self.note(|recording| recording.choose(Step::AutoKey(on)));
    }
    /// Which channels auto-key and Insert keyframe write.
    pub fn keying_set(&self) -> KeyingSet {
        self.options.keying
    }
    pub fn set_keying_set(&mut self, set: KeyingSet) {
        self.options.keying = set;
        self.note(|recording| recording.choose(Step::KeyingSet(set)));
    }
    /// Whether what is done to one side of a skeleton is done to the other side too.
    pub fn symmetric(&self) -> bool {
        self.options.symmetric
    }
    pub fn set_symmetric(&mut self, on: bool) {
        self.options.symmetric = on;
        self.note(|recording| recording.choose(Step::Symmetric(on)));
    }
    /// The scene with its channels driven at the frame that is shown: the values that panels show and that
    /// commands start from.
    pub fn animated(&self) -> &Scene {
        &self.animated
    }

    fn refresh_animated(&mut self) {
        self.animated = self.now.time.animated(&self.now.scene, &mut self.driver);
    }

    fn put(&mut self, now: Snapshot) {
        self.now = now;
        self.refresh_animated();
    }

    /// Shows another frame, kept within the clip. No undo step; a transaction under way is committed,
    /// except for a stroke of a brush.
    pub fn set_frame(&mut self, frame: f32) {
        let frame = self.now.scene.animation.clip.clamp(frame);
        if frame != self.now.time.frame {
            match &mut self.transaction {
                // A stroke goes on while the character moves.
                Some(transaction) if transaction.spans_frames => {
                    let before = &mut transaction.before;
                    before.time.frame = frame;
                    transaction.animated = before.time.animated(&before.scene, &mut self.driver);
                }
                _ => drop(self.commit()),
            }
            self.now.time.frame = frame;
            self.refresh_animated();
            self.note(|recording| recording.choose(Step::Frame(frame)));
        }
    }

    /// Discards all changes that were not keyed, as one undo step. False if there are none.
    pub fn dismiss_unkeyed(&mut self) -> bool {
        self.commit();
        let time = &self.now.time;
        if time.unkeyed.is_empty() {
            return false;
        }
        let after = Snapshot {
            scene: time.dismissed(&self.now.scene),
            time: TimeState::at(time.frame),
            ..self.now.clone()
        };
        let effects = Effects::of_values(time.unkeyed.iter());
        let states = [self.now.clone(), after];
        let dismissed = self.step("Dismiss unkeyed changes".into(), states, effects);
        if dismissed {
            self.note(|recording| recording.did(Step::DismissUnkeyed));
        }
        dismissed
    }

    /// Where Save writes; `None`: never saved.
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// Selecting is no undo step. What the scene does not hold is left out.
    pub fn select(&mut self, selection: Selection) {
        self.now.selection = selection.kept_in(&self.now.scene);
        if let Some(Transaction { before, .. }) = &mut self.transaction {
            before.selection = selection.kept_in(&before.scene);
        }
        self.note(|recording| recording.choose(Step::Select(selection)));
    }

    /// As [`Self::select`], keys in the dope sheet.
    pub fn select_keys(&mut self, keys: &Arc<KeySelection>) {
        self.now.keys = KeySelection::kept_in(keys, &self.now.scene);
        if let Some(Transaction { before, .. }) = &mut self.transaction {
            before.keys = KeySelection::kept_in(keys, &before.scene);
        }
        self.note(|recording| recording.choose(Step::SelectKeys(Arc::clone(keys))));
    }

    /// Applies commands as one undo step, or none of them. No step if nothing changes.
    /// A transaction under way is cancelled first. An added bone or handle is selected; if the selected
    /// bone is deleted its parent is selected, or nothing; if the selected handle is, its bone.
    ///
    /// # Errors
    /// If a command cannot be applied; the document is then as it was.
    ///
    /// # Examples
    /// ```
    /// use ossature::edit::command::Command;
    /// use ossature::edit::session::Session;
    /// use ossature::io::js3d;
    ///
    /// let (scene, _) = js3d::read(&std::fs::read("media/js3d/A4-human.js3d")?)?;
    /// let mut session = Session::new(scene.clone(), None);
    /// session.apply(&[Command::SetBoneName {
    ///     mesh: "Human_skinned_mesh".into(),
    ///     bone: 0,
    ///     name: "hips".into(),
    /// }])?;
    /// assert!(session.scene() != &scene);
    /// session.undo();
    /// assert!(session.scene() == &scene);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn apply(&mut self, commands: &[Command]) -> Result<(), CommandError> {
        self.cancel();
        let (after, effects) = self.now.after(&self.animated, commands, self.options, false)?;
        if let Some(first) = commands.first().filter(|_| !effects.is_empty()) {
            let label = label_of(first, commands, &self.animated);
            if self.step(label, [self.now.clone(), after], effects) {
                self.note(|recording| recording.did(Step::Do(commands.to_vec())));
            }
        }
        Ok(())
    }

    /// Shows commands applied to the scene as it was when the transaction began (and begins one if
    /// there is none). On error the last good preview stays.
    pub fn preview(&mut self, commands: &[Command]) -> Result<(), CommandError> {
        let transaction = self.transaction.get_or_insert_with(|| Transaction {
            before: self.now.clone(),
            animated: self.animated.clone(),
            spans_frames: false,
            label: None,
            effects: Effects::default(),
        });
        let animated = &transaction.animated;
        let (now, effects) = transaction.before.after(animated, commands, self.options, true)?;
        if let Some(first) = commands.first() {
            transaction.label = Some(label_of(first, commands, animated));
        }
        transaction.effects = effects;
        let paints = |command: &Command| matches!(command, Command::PaintWeights { .. });
        transaction.spans_frames = commands.iter().all(paints);
        self.put(now);
        self.note(|recording| recording.previewed(commands));
        Ok(())
    }

    /// As [`Self::preview`], of commands that are written down without a copy. Strokes of a brush ask for no memory after
    /// the first time.
    pub fn preview_shared(&mut self, commands: &Arc<Vec<Command>>) -> Result<(), CommandError> {
        let stroke = match &commands[..] {
            [Command::PaintWeights { mesh, painted }] => Some((mesh.as_str(), painted)),
            _ => None,
        };
        if let Some((mesh, painted)) = stroke
            && self.preview_stroke(mesh, painted)?
        {
            self.note(|recording| recording.previewed_shared(commands));
            return Ok(());
        }
        self.preview(commands)?;
        if let (Some((mesh, _)), Some(transaction)) = (stroke, &self.transaction) {
            let before = [&transaction.before.scene, &transaction.animated].map(|at| &at.skinned_meshes);
            self.strokes.begin(before, mesh);
        }
        Ok(())
    }

    /// False where that takes the long way: for the first time, or among other commands.
    fn preview_stroke(&mut self, mesh: &str, painted: &PaintedRows) -> Result<bool, CommandError> {
        let under_way = self.transaction.as_ref();
        let Some(transaction) = under_way.filter(|t| t.spans_frames && !t.effects.is_empty()) else {
            return Ok(false);
        };
        let before = [&transaction.before.scene, &transaction.animated].map(|at| &at.skinned_meshes);
        let Some(old) = before[0].get(mesh) else {
            return Ok(false);
        };
        let (vertices, bones) = (old.surface.vertex_count(), old.skeleton.bones.len());
        check_painted(mesh, painted, vertices, bones)?;
        let Some([stored, seen]) = self.strokes.preview(before, mesh, painted) else {
            return Ok(false);
        };
        (self.now.scene.skinned_meshes, self.animated.skinned_meshes) = (stored, seen);
        Ok(true)
    }

    /// Ends the transaction: one undo step if something changed. True if there was a step.
    pub fn commit(&mut self) -> bool {
        let Some(transaction) = self.transaction.take() else {
            return false;
        };
        let states = [transaction.before, self.now.clone()];
        // Without a label no command could be previewed: everything is as it was.
        let label = transaction.label;
        let committed = label.is_some_and(|label| self.step(label, states, transaction.effects));
        self.note(match committed {
            true => Recording::committed,
            false => Recording::cancelled,
        });
        committed
    }

    /// Publishes the second state and records the step, or goes back to the first if all came to nothing.
    fn step(&mut self, label: String, [before, after]: [Snapshot; 2], effects: Effects) -> bool {
        if effects.is_empty() || before.is_same_document(&after) {
            self.put(before);
            return false;
        }
        self.put(after.clone());
        self.history.push(Entry::new(label, [before, after], effects));
        true
    }

    /// Ends the transaction: everything as before it. True if there was one.
    pub fn cancel(&mut self) -> bool {
        let Some(transaction) = self.transaction.take() else {
            return false;
        };
        self.put(transaction.before);
        self.note(Recording::cancelled);
        true
    }

    pub fn in_transaction(&self) -> bool {
        self.transaction.is_some()
    }

    /// What was seen before the transaction under way, else what is seen: what previews start from.
    pub fn animated_before(&self) -> &Scene {
        self.transaction.as_ref().map_or(&self.animated, |t| &t.animated)
    }

    /// Takes back the last step (a transaction under way is cancelled instead). Its label, if any.
    pub fn undo(&mut self) -> Option<String> {
        if let Some(transaction) = &self.transaction {
            let label = transaction.label.clone();
            self.cancel();
            return label;
        }
        let entry = self.history.leave(&self.now)?;
        let of_a_frame = entry.effects.are_of_a_frame();
        let (label, before) = (entry.label.clone(), entry.before.restored());
        self.go_to(before, of_a_frame);
        self.note(|recording| recording.walked(Step::Undo(1), !of_a_frame));
        Some(label)
    }

    /// Takes the next step again (a transaction under way is cancelled instead). Its label, if any.
    pub fn redo(&mut self) -> Option<String> {
        if self.cancel() {
            return None;
        }
        let entry = self.history.forward()?;
        let of_a_frame = entry.effects.are_of_a_frame();
        let (label, after) = (entry.label.clone(), entry.after.restored());
        self.go_to(after, of_a_frame);
        self.note(|recording| recording.walked(Step::Redo(1), !of_a_frame));
        Some(label)
    }

    /// Puts a state of the history in place: of a step that is about no frame at the one that is shown now.
    fn go_to(&mut self, mut state: Snapshot, of_a_frame: bool) {
        if !of_a_frame {
            state.time.frame = self.now.time.frame;
        }
        self.put(state);
    }

    /// Labels for the Edit menu: what Undo and Redo would do. During a transaction Undo cancels it.
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

    /// Whether the scene differs from what was last saved or opened (undoing back to it counts as not
    /// modified). A preview counts once it is committed.
    pub fn is_modified(&self) -> bool {
        !self.history.is_at_saved()
    }

    /// After a save of [`Session::scene`] that succeeded. A transaction under way is committed first,
    /// since its preview is what was saved.
    pub fn saved_as(&mut self, path: PathBuf) {
        self.commit();
        self.note(|recording| recording.saved(&path.to_string_lossy()));
        self.path = Some(path);
        self.history.mark_saved();
    }

    /// What is there is in no file: it was recovered, and its file holds something else.
    pub fn set_unsaved(&mut self) {
        self.history.forget_saved();
    }

    /// How much memory undo may hold: see [`super::history`].
    pub fn set_undo_bytes(&mut self, most: usize) {
        self.history.set_most_bytes(most);
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
/// Keys of what the others change are not mentioned.
fn label_of(first: &Command, commands: &[Command], scene: &Scene) -> String {
    let commands = match commands {
        [changes @ .., Command::Keys(KeyCommand::Set { .. })] if !changes.is_empty() => changes,
        _ => commands,
    };
    let label = first.label(scene);
    let kind = std::mem::discriminant(first);
    let of_kind = |c: &Command| std::mem::discriminant(c) == kind;
    let poses = |c: &Command| matches!(c, Command::SetPose { .. } | Command::SetBaseOffset { .. });
    match commands.len() - 1 {
        1.. if commands.iter().all(|command| sets_same(command, first)) => match first {
            Command::SetProperty { of, .. } => format!("Change {}", of.name),
            _ => label,
        },
        1.. if commands.iter().all(poses) && !commands.iter().all(of_kind) => "Pose bones and base".into(),
        more @ 1.. if commands.iter().all(of_kind) => {
            format!("{label} and {more} more")
        }
        _ => label,
    }
}

/// Whether both set a property of one thing.
fn sets_same(a: &Command, b: &Command) -> bool {
    match (a, b) {
        (Command::SetProperty { of: a, .. }, Command::SetProperty { of: b, .. }) => a == b,
        _ => false,
    }
}
