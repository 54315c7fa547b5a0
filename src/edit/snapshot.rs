//! Everything that undo brings back, as one value.

use super::autokey::TimeState;
use super::command::effects::Effects;
use super::command::{Command, CommandError};
use super::selection::Selection;
use super::timeline::KeySelection;
use crate::scene::Scene;
use std::sync::Arc;

/// A document as it is being worked on: the scene, what is selected, and the moment in time. Cheap to copy.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Snapshot {
    pub scene: Scene,
    pub selection: Selection,
    /// Selected in the dope sheet.
    pub keys: Arc<KeySelection>,
    pub time: TimeState,
}

impl Snapshot {
    /// After all commands, one after the other, on what is `animated` of the scene; and what they did.
    ///
    /// # Errors
    /// The first command that cannot be applied.
    pub fn after(
        &self,
        animated: &Scene,
        commands: &[Command],
        auto_key: bool,
    ) -> Result<(Self, Effects), CommandError> {
        let (mut scene, mut selection) = (animated.clone(), self.selection.clone());
        let mut effects = Effects::default();
        for command in commands {
            let done = command.apply(&mut scene)?;
            selection = selection.after(&scene, &done);
            effects.extend(done);
        }
        if effects.is_empty() {
            return Ok((self.clone(), effects));
        }
        let (scene, time) = self
            .time
            .after(&self.scene, animated, scene, &mut effects, auto_key);
        let keys = KeySelection::after(&self.keys, &scene, &effects);
        let after = Self {
            scene,
            selection,
            keys,
            time,
        };
        Ok((after, effects))
    }

    /// Nothing of the document differs. What is selected, and the frame, are no part of it.
    pub fn is_same_document(&self, other: &Self) -> bool {
        self.scene == other.scene && self.time.unkeyed == other.time.unkeyed
    }
}
