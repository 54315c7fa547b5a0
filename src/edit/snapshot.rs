//! Everything that undo brings back, as one value.

use super::autokey::TimeState;
use super::command::effects::Effects;
use super::command::symmetry::Images;
use super::command::{Command, CommandError};
use super::keying_set::KeyingSet;
use super::selection::Selection;
use super::timeline::KeySelection;
use crate::rig::edits::symmetry::SymmetryOptions;
use crate::scene::Scene;
use std::sync::Arc;

/// What is done beside what commands say.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct EditOptions {
    /// Changed values are keyed at once.
    pub auto_key: bool,
    /// Which channels that writes, and Insert keyframe.
    pub keying: KeyingSet,
    /// What is done to one side of a skeleton is done to the other.
    pub symmetric: bool,
}

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
    /// After all commands, one after the other, on what is `animated` of the scene; and what they did. `drags`: poses of
    /// both sides that are selected follow the active bone, too, where symmetry is on; else they are as given.
    ///
    /// # Errors
    /// The first command that cannot be applied.
    pub fn after(
        &self,
        animated: &Scene,
        commands: &[Command],
        options: EditOptions,
        drags: bool,
    ) -> Result<(Self, Effects), CommandError> {
        let (mut scene, mut selection) = (animated.clone(), self.selection.clone());
        let mut effects = Effects::default();
        let mut images = options.symmetric.then(|| Images::new(animated));
        for command in commands {
            if let Some(images) = &mut images {
                images.note(command, &scene);
            }
            let done = command.apply(&mut scene)?;
            selection = selection.after(&scene, &done);
            effects.extend(done);
        }
        if let Some(images) = images {
            let bones = self.selection.bones();
            let lead = |mesh: &str| match self.selection.mesh.as_deref() == Some(mesh) {
                true => SymmetryOptions {
                    selected: &bones,
                    active: self.selection.bone(),
                    poses: drags,
                    ..SymmetryOptions::default()
                },
                false => SymmetryOptions::default(),
            };
            for done in images.apply(&mut scene, lead)? {
                selection = selection.after(&scene, &done);
                effects.extend(done);
            }
        }
        if effects.is_empty() {
            return Ok((self.clone(), effects));
        }
        let auto_key = options.auto_key.then_some(options.keying);
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
