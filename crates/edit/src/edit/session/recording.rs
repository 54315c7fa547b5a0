//! Records the steps of a session, so that replaying them gives the same bytes. Selections and frames are
//! recorded with the step that follows them; of a drag, only the last state is recorded.

use crate::edit::command::Command;
use crate::edit::session::step::Step;
use std::mem::{discriminant, take};

/// The recording of a session.
#[derive(Clone, Debug, Default)]
pub struct Recording {
    /// Selections and switches since the last step; only the last of each kind.
    choices: Vec<Step>,
    drag: Option<Drag>,
    /// Whether the current drag has been reported already.
    reported: bool,
    steps: Vec<Step>,
}

/// A drag in progress.
#[derive(Clone, Debug)]
struct Drag {
    /// The choices made before its commands were applied.
    before: Vec<Step>,
    commands: Vec<Command>,
    is_new: bool,
}

impl Recording {
    /// Records a selection, a frame or a switch.
    pub fn choose(&mut self, choice: Step) {
        add(&mut self.choices, [choice]);
    }

    /// Records that commands were applied as one step, or that unkeyed changes were dismissed.
    pub fn add_step(&mut self, step: Step) {
        self.steps.append(&mut self.choices);
        self.steps.push(step);
    }

    /// Records undo or redo, which change the selection and, unless `frame_stays`, the frame. Redo restores
    /// the selection from the time of the undo.
    pub fn add_undo_or_redo(&mut self, step: Step, frame_stays: bool) {
        let stays =
            |choice: &mut Step| matches!(choice, Step::AutoKey(_) | Step::KeyingSet(_) | Step::Symmetric(_));
        let flushed = self.choices.extract_if(.., |choice| !stays(choice));
        self.steps.extend(flushed.filter(|choice| frame_stays || !matches!(choice, Step::Frame(_))));
        self.steps.push(step);
    }

    pub fn saved(&mut self, path: &str) {
        self.steps.push(Step::Saved(path.to_owned()));
    }

    /// Records a preview of commands.
    pub fn previewed(&mut self, commands: &[Command]) {
        let mut before = self.drag.take().map_or(Vec::new(), |drag| drag.before);
        add(&mut before, take(&mut self.choices));
        self.drag = Some(Drag { before, commands: commands.to_vec(), is_new: true });
    }

    /// Records that the preview became a step.
    pub fn committed(&mut self) {
        if let Some(drag) = self.drag.take() {
            self.steps.extend(drag.before);
            self.steps.push(Step::Preview(drag.commands));
        }
        self.add_step(Step::Commit);
        self.reported = false;
    }

    /// Records that the preview was cancelled, or changed nothing.
    pub fn cancelled(&mut self) {
        if let Some(mut drag) = self.drag.take() {
            add(&mut drag.before, take(&mut self.choices));
            self.choices = drag.before;
        }
        if take(&mut self.reported) {
            self.steps.push(Step::Cancel);
        }
    }

    /// Adds the current state of a drag to the steps, unless it was reported already.
    pub fn report_drag(&mut self) {
        if let Some(drag) = self.drag.as_mut().filter(|drag| drag.is_new) {
            drag.is_new = false;
            self.steps.append(&mut drag.before);
            self.steps.push(Step::Preview(drag.commands.clone()));
            self.reported = true;
        }
    }

    /// Whether [`Self::report_drag`] would report anything.
    pub fn has_unreported_drag(&self) -> bool {
        self.drag.as_ref().is_some_and(|drag| drag.is_new)
    }

    /// Returns the steps since the last call.
    pub fn take(&mut self) -> Vec<Step> {
        take(&mut self.steps)
    }
}

/// Adds later choices, which replace earlier ones of their kinds.
fn add(choices: &mut Vec<Step>, later: impl IntoIterator<Item = Step>) {
    for choice in later {
        choices.retain(|earlier| discriminant(earlier) != discriminant(&choice));
        choices.push(choice);
    }
}
