//! What happens to a session, written down as it happens, so that carrying it out again comes to the same bytes.
//! Selections and frames are told with the step that comes after them; of a drag its last state counts.

use super::command::Command;
use super::step::Step;
use std::mem::{discriminant, take};
use std::sync::Arc;

/// Kept by a session that is recorded.
#[derive(Clone, Debug, Default)]
pub struct Recording {
    /// What was selected and switched since the last step; of each kind the last.
    choices: Vec<Step>,
    held: Option<Held>,
    /// The drag under way was told of already.
    told: bool,
    done: Vec<Step>,
}

/// A drag under way.
#[derive(Clone, Debug)]
struct Held {
    /// What was chosen before its commands were applied.
    before: Vec<Step>,
    commands: Arc<Vec<Command>>,
    is_new: bool,
}

impl Recording {
    /// A selection, a frame, a switch.
    pub fn choose(&mut self, choice: Step) {
        add(&mut self.choices, [choice]);
    }

    /// Commands were applied as one step, or what was not keyed was dismissed.
    pub fn did(&mut self, step: Step) {
        self.done.append(&mut self.choices);
        self.done.push(step);
    }

    /// The history was walked: with it, selection and, unless it stays, the frame. Redo selects again what was selected
    /// when it was undone.
    pub fn walked(&mut self, step: Step, frame_stays: bool) {
        let stays =
            |choice: &mut Step| matches!(choice, Step::AutoKey(_) | Step::KeyingSet(_) | Step::Symmetric(_));
        let left = self.choices.extract_if(.., |choice| !stays(choice));
        self.done
            .extend(left.filter(|choice| frame_stays || !matches!(choice, Step::Frame(_))));
        self.done.push(step);
    }

    pub fn saved(&mut self, path: &str) {
        self.done.push(Step::Saved(path.to_owned()));
    }

    /// Commands are previewed.
    pub fn previewed(&mut self, commands: &[Command]) {
        self.previewed_shared(&Arc::new(commands.to_vec()));
    }

    /// The same without a copy of them.
    pub fn previewed_shared(&mut self, commands: &Arc<Vec<Command>>) {
        let mut before = self.held.take().map_or(Vec::new(), |held| held.before);
        add(&mut before, take(&mut self.choices));
        let commands = Arc::clone(commands);
        self.held = Some(Held {
            before,
            commands,
            is_new: true,
        });
    }

    /// What was previewed became a step.
    pub fn committed(&mut self) {
        if let Some(held) = self.held.take() {
            self.done.extend(held.before);
            self.done.push(Step::Preview(Arc::unwrap_or_clone(held.commands)));
        }
        self.did(Step::Commit);
        self.told = false;
    }

    /// What was previewed was taken back, or came to nothing.
    pub fn cancelled(&mut self) {
        if let Some(mut held) = self.held.take() {
            add(&mut held.before, take(&mut self.choices));
            self.choices = held.before;
        }
        if take(&mut self.told) {
            self.done.push(Step::Cancel);
        }
    }

    /// Tells of the drag under way as far as it is, if that is not told yet.
    pub fn tell_held(&mut self) {
        if let Some(held) = self.held.as_mut().filter(|held| held.is_new) {
            held.is_new = false;
            self.done.append(&mut held.before);
            self.done.push(Step::Preview((*held.commands).clone()));
            self.told = true;
        }
    }

    /// Whether [`Self::tell_held`] would tell anything.
    pub fn holds_untold(&self) -> bool {
        self.held.as_ref().is_some_and(|held| held.is_new)
    }

    /// What happened since the last call.
    pub fn take(&mut self) -> Vec<Step> {
        take(&mut self.done)
    }
}

/// Puts later choices in the place of earlier ones of their kinds.
fn add(choices: &mut Vec<Step>, later: impl IntoIterator<Item = Step>) {
    for choice in later {
        choices.retain(|earlier| discriminant(earlier) != discriminant(&choice));
        choices.push(choice);
    }
}
