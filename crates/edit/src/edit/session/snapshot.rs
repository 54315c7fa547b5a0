//! Snapshots: everything that undo restores, as one value.

use crate::edit::command::effects::Effects;
use crate::edit::command::layers::LayerChange;
use crate::edit::command::symmetry::SymmetryRecorder;
use crate::edit::command::{Command, CommandError};
use crate::edit::select::selection::Selection;
use crate::edit::session::autokey::TimeState;
use crate::edit::time::keying_set::KeyingSet;
use crate::edit::time::layer_keys;
use crate::edit::time::timeline::KeySelection;
use crate::rig::edits::symmetry::SymmetryOptions;
use crate::scene::Scene;
use std::sync::Arc;

/// Options that add to the effect of commands.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct EditOptions {
    /// Whether changed values are keyed immediately.
    pub auto_key: bool,
    /// The set of channels that auto-key and Insert keyframe write.
    pub keying: KeyingSet,
    /// Whether edits of one side of a skeleton apply to the other side too.
    pub symmetric: bool,
}

/// A state of a document: the scene, the selection, and the time. Cheap to clone.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Snapshot {
    pub scene: Scene,
    pub selection: Selection,
    /// The keys that are selected in the dope sheet.
    pub keys: Arc<KeySelection>,
    pub time: TimeState,
}

impl Snapshot {
    /// Returns the state after all commands, in order, applied to the `animated` scene, and their effects.
    /// `drags`: if symmetry is on, selected poses of both sides also follow the active bone; otherwise they
    /// are as given.
    ///
    /// # Errors
    /// The error of the first command that cannot be applied.
    pub fn after(
        &self,
        animated: &Scene,
        commands: &[Command],
        options: EditOptions,
        drags: bool,
    ) -> Result<(Self, Effects), CommandError> {
        let (mut scene, mut selection) = (animated.clone(), self.selection.clone());
        let mut effects = Effects::default();
        let mut recorder = options.symmetric.then(|| SymmetryRecorder::new(animated));
        for command in commands {
            if let Some(recorder) = &mut recorder {
                recorder.record(command, &scene);
            }
            let has_layers = !scene.animation.layers.is_empty();
            let unlayered = has_layers.then(|| self.time.dismissed(&self.scene));
            let merges = matches!(command, Command::Layers { change: LayerChange::MergeDown { .. }, .. });
            if let Some(unlayered) = unlayered.as_ref().filter(|_| merges) {
                layer_keys::set_own_values(&mut scene, unlayered, &self.time.unkeyed);
            }
            let resolved = layer_keys::resolved(command, unlayered.as_ref().unwrap_or(&scene), &scene);
            for command in resolved.iter() {
                let command_effects = command.apply(&mut scene)?;
                selection = selection.after(&scene, &command_effects);
                effects.extend(command_effects);
            }
        }
        if let Some(recorder) = recorder {
            let bones = self.selection.bones();
            let symmetry_options = |mesh: &str| {
                if self.selection.mesh.as_deref() == Some(mesh) {
                    SymmetryOptions {
                        selected: &bones,
                        active: self.selection.bone(),
                        poses: drags,
                        ..SymmetryOptions::default()
                    }
                } else {
                    SymmetryOptions::default()
                }
            };
            for command_effects in recorder.apply(&mut scene, symmetry_options)? {
                selection = selection.after(&scene, &command_effects);
                effects.extend(command_effects);
            }
        }
        if effects.is_empty() {
            return Ok((self.clone(), effects));
        }
        let auto_key = options.auto_key.then_some(options.keying);
        let (scene, time) = self.time.after(&self.scene, animated, scene, &mut effects, auto_key);
        let keys = KeySelection::after(&self.keys, &scene, &effects);
        let after = Self { scene, selection, keys, time };
        Ok((after, effects))
    }

    /// Whether the documents are the same, regardless of selection and frame.
    pub fn is_same_document(&self, other: &Self) -> bool {
        self.scene == other.scene && self.time.unkeyed == other.time.unkeyed
    }
}
