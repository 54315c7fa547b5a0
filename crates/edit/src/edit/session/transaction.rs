//! Transactions: changes that are previewed before they are committed or cancelled, and proposals, which are accepted or
//! rejected.

use super::Session;
use super::recording::Recording;
use super::snapshot::Snapshot;
use super::step_label::step_label;
use crate::edit::command::effects::Effects;
use crate::edit::command::{Command, CommandError};
use crate::scene::Scene;

/// A change that is shown until it is accepted or rejected, and what becomes of it when something else is done first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proposal {
    /// It is accepted: a skeleton that was fitted into a body.
    Offer,
    /// It is rejected: a motion that plays to be looked at.
    Trial,
}

/// A drag, or any other change that is previewed before it is committed.
#[derive(Clone, Debug)]
pub(super) struct Transaction {
    pub(super) before: Snapshot,
    /// The animated scene at that time.
    pub(super) animated: Scene,
    /// Whether the change does not depend on the frame, so that the transaction continues when another frame
    /// is shown.
    pub(super) spans_frames: bool,
    /// What kind of proposal it is, if it is one: see [`Session::propose`].
    proposal: Option<Proposal>,
    /// The label of the last preview, and its effects.
    pub(super) label: Option<String>,
    effects: Effects,
}

impl Session {
    /// Previews commands, applied to the scene at the beginning of the transaction, and begins one if none is
    /// open. On error, the last valid preview stays.
    pub fn preview(&mut self, commands: &[Command]) -> Result<(), CommandError> {
        if self.in_proposal() {
            self.end_preview();
        }
        self.preview_in_transaction(commands)
    }

    /// Previews commands that do not depend on the frame, until they are committed or cancelled: other frames can be shown
    /// meanwhile. What becomes of the proposal when something else is done depends on its kind. Another one takes its place.
    ///
    /// # Errors
    /// If a command cannot be applied; the last valid preview stays.
    pub fn propose(&mut self, proposal: Proposal, commands: &[Command]) -> Result<(), CommandError> {
        if !self.in_proposal() {
            self.cancel();
        }
        self.preview_in_transaction(commands)?;
        if let Some(transaction) = &mut self.transaction {
            (transaction.spans_frames, transaction.proposal) = (true, Some(proposal));
        }
        Ok(())
    }

    /// Whether a proposal is shown.
    pub fn in_proposal(&self) -> bool {
        self.proposal().is_some()
    }

    fn proposal(&self) -> Option<Proposal> {
        self.transaction.as_ref()?.proposal
    }

    /// Ends what is previewed because something else is done: an offer is accepted, a trial or a drag is cancelled. Returns
    /// whether anything was previewed.
    pub fn end_preview(&mut self) -> bool {
        self.end(false)
    }

    /// Does the same before the document is read, such as to be saved or rendered, except that a drag counts as far as it
    /// has gone.
    pub fn settle(&mut self) -> bool {
        self.end(true)
    }

    fn end(&mut self, keeps_drag: bool) -> bool {
        let keeps = self.proposal().map_or(keeps_drag, |proposal| proposal == Proposal::Offer);
        if keeps { self.commit() } else { self.cancel() }
    }

    fn preview_in_transaction(&mut self, commands: &[Command]) -> Result<(), CommandError> {
        let transaction = self.transaction.get_or_insert_with(|| Transaction {
            before: self.current.clone(),
            animated: self.animated.clone(),
            spans_frames: false,
            proposal: None,
            label: None,
            effects: Effects::default(),
        });
        let animated = &transaction.animated;
        let (previewed, effects) = transaction.before.after(animated, commands, self.options, true)?;
        if let Some(first) = commands.first() {
            transaction.label = Some(step_label(first, commands, animated));
        }
        transaction.effects = effects;
        let paints = |command: &Command| matches!(command, Command::PaintWeights { .. });
        transaction.spans_frames = commands.iter().all(paints);
        self.set_current(previewed);
        self.record_with(|recording| recording.previewed(commands));
        Ok(())
    }

    /// Commits the transaction as one undo step. Returns whether anything changed.
    pub fn commit(&mut self) -> bool {
        let Some(transaction) = self.transaction.take() else {
            return false;
        };
        let states = [transaction.before, self.current.clone()];
        // Without a label, no command could be previewed and nothing changed.
        let label = transaction.label;
        let committed = label.is_some_and(|label| self.push_step(label, states, transaction.effects));
        self.record_with(if committed { Recording::committed } else { Recording::cancelled });
        committed
    }

    /// Cancels the transaction and restores the state before it. Returns whether there was one.
    pub fn cancel(&mut self) -> bool {
        let Some(transaction) = self.transaction.take() else {
            return false;
        };
        self.set_current(transaction.before);
        self.record_with(Recording::cancelled);
        true
    }

    pub fn in_transaction(&self) -> bool {
        self.transaction.is_some()
    }

    /// Returns the animated scene before the open transaction, or the current one if none is open: previews
    /// start from it.
    pub fn animated_before(&self) -> &Scene {
        self.transaction.as_ref().map_or(&self.animated, |t| &t.animated)
    }

    /// Returns the scene before the open transaction, or the current one if none is open.
    pub fn scene_before(&self) -> &Scene {
        &self.transaction.as_ref().map_or(&self.current, |transaction| &transaction.before).scene
    }
}
