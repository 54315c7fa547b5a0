//! A session: one document being edited. The only place where the scene changes.

use super::command::keys::KeyCommand;
use super::command::{Command, CommandError};
use super::follow::follow;
use super::history::{Entry, History};
use super::pending::Moment;
use super::same;
use super::selection::Selection;
use crate::anim::channel_set::ChannelSet;
use crate::scene::Scene;
use std::path::{Path, PathBuf};
use std::sync::Arc;

type State = ((Scene, Selection), Moment);

/// The open document with its history, selection and path. `New` and `Open` make a new session, so that
/// no history and no path of the old document survive.
#[derive(Clone, Debug, Default)]
pub struct Session {
    scene: Scene,
    selection: Selection,
    history: History,
    path: Option<PathBuf>,
    transaction: Option<Transaction>,
    moment: Moment,
    /// `moment.seen(&scene)`.
    seen: Scene,
    auto_key: bool,
}

/// A drag (or any change that is previewed before it counts).
#[derive(Clone, Debug)]
struct Transaction {
    /// Scene and selection when it began.
    before: (Scene, Selection),
    /// The scene as it was seen then.
    seen: Scene,
    moment: Moment,
    /// Of what was previewed last.
    label: Option<String>,
}

impl Session {
    /// A document just opened (or new): no history, not modified.
    pub fn new(scene: Scene, path: Option<PathBuf>) -> Self {
        let mut session = Self {
            scene,
            path,
            ..Self::default()
        };
        session.look();
        session
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
    /// The frame that is shown. Commands and undo may change it.
    pub fn frame(&self) -> f32 {
        self.moment.frame
    }
    /// Channels whose values were changed but not keyed: the scene's own values count for them at every
    /// frame, until they are keyed or dismissed.
    pub fn held(&self) -> &Arc<ChannelSet> {
        &self.moment.held
    }
    /// Whether changed values are keyed at once.
    pub fn auto_key(&self) -> bool {
        self.auto_key
    }
    pub fn set_auto_key(&mut self, on: bool) {
        self.auto_key = on;
    }
    /// The scene with its channels driven at the frame that is shown: the values that panels show and that
    /// commands start from.
    pub fn seen(&self) -> &Scene {
        &self.seen
    }

    /// After a change of the scene or the moment.
    fn look(&mut self) {
        self.seen = self.moment.seen(&self.scene);
    }

    /// Shows another frame, kept within the clip. No undo step; a transaction under way is committed.
    pub fn set_frame(&mut self, frame: f32) {
        let frame = self.scene.animation.clip.clamp(frame);
        if frame != self.moment.frame {
            self.commit();
            self.moment.frame = frame;
            self.look();
        }
    }

    /// Gives up all changes that were not keyed, as one undo step. False if there are none.
    pub fn dismiss_held(&mut self) -> bool {
        self.commit();
        if self.moment.held.is_empty() {
            return false;
        }
        let before = (self.scene.clone(), self.selection.clone());
        let after = (self.moment.dismissed(&self.scene), self.selection.clone());
        let moment = Moment::at(self.moment.frame);
        let before = (before, self.moment.clone());
        self.step("Dismiss unkeyed changes".into(), before, (after, moment))
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
        let seen = &self.seen;
        let (scene, selection) = applied(seen, &self.selection, commands)?;
        let Some(first) = commands.first() else {
            return Ok(());
        };
        if same::is_equal(seen, &scene) {
            return Ok(());
        }
        let label = label_of(first, commands, seen);
        let (scene, moment) = self.moment.after(&self.scene, seen, scene, self.auto_key);
        let before = ((self.scene.clone(), self.selection.clone()), self.moment.clone());
        self.step(label, before, ((scene, selection), moment));
        Ok(())
    }

    /// Shows commands applied to the scene as it was when the transaction began (and begins one if
    /// there is none). On error the last good preview stays.
    pub fn preview(&mut self, commands: &[Command]) -> Result<(), CommandError> {
        let transaction = self.transaction.get_or_insert_with(|| Transaction {
            before: (self.scene.clone(), self.selection.clone()),
            seen: self.seen.clone(),
            moment: self.moment.clone(),
            label: None,
        });
        let seen = &transaction.seen;
        let (scene, selection) = applied(seen, &transaction.before.1, commands)?;
        if let Some(first) = commands.first() {
            transaction.label = Some(label_of(first, commands, seen));
        }
        let (scene, moment) = match same::is_equal(seen, &scene) {
            true => (transaction.before.0.clone(), transaction.moment.clone()),
            false => transaction
                .moment
                .after(&transaction.before.0, seen, scene, self.auto_key),
        };
        (self.scene, self.selection, self.moment) = (scene, selection, moment);
        self.look();
        Ok(())
    }

    /// Ends the transaction: one undo step if something changed. True if there was a step.
    pub fn commit(&mut self) -> bool {
        let Some(transaction) = self.transaction.take() else {
            return false;
        };
        // No command could be previewed: everything is as it was.
        let Some(label) = transaction.label else {
            return false;
        };
        let after = (self.scene.clone(), self.selection.clone());
        let before = (transaction.before, transaction.moment);
        self.step(label, before, (after, self.moment.clone()))
    }

    /// Publishes `after` and records the step, or goes back to `before` if nothing was changed.
    fn step(&mut self, label: String, before: State, after: State) -> bool {
        if same::is_equal(&before.0.0, &after.0.0) && before.1.held == after.1.held {
            ((self.scene, self.selection), self.moment) = before;
            self.look();
            return false;
        }
        ((self.scene, self.selection), self.moment) = after.clone();
        self.look();
        self.history.push(Entry {
            label,
            before: before.0,
            after: after.0,
            moments: [before.1, after.1],
        });
        true
    }

    /// Ends the transaction: everything as before it. True if there was one.
    pub fn cancel(&mut self) -> bool {
        let Some(transaction) = self.transaction.take() else {
            return false;
        };
        (self.scene, self.selection) = transaction.before;
        self.moment = transaction.moment;
        self.look();
        true
    }

    pub fn in_transaction(&self) -> bool {
        self.transaction.is_some()
    }

    /// Scene before the transaction under way, else the current one. Tools compute totals from it.
    pub fn base_scene(&self) -> &Scene {
        self.transaction.as_ref().map_or(&self.scene, |t| &t.before.0)
    }

    /// What was seen before the transaction under way, else what is seen: what previews start from.
    pub fn seen_before(&self) -> &Scene {
        self.transaction.as_ref().map_or(&self.seen, |t| &t.seen)
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
        self.moment = entry.moments[0].clone();
        let label = entry.label.clone();
        self.look();
        Some(label)
    }

    /// Takes the next step again (a transaction under way is cancelled instead). Its label, if any.
    pub fn redo(&mut self) -> Option<String> {
        if self.cancel() {
            return None;
        }
        let entry = self.history.forward()?;
        (self.scene, self.selection) = entry.after.clone();
        self.moment = entry.moments[1].clone();
        let label = entry.label.clone();
        self.look();
        Some(label)
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
