//! The settings of the view: the tab and the switches. Not part of the document, and not undone.

use crate::edit::command::Command;
use crate::edit::compare::CompareSettings;
use crate::edit::pose::PoseCopy;
use crate::edit::pose::children::Children;
use crate::edit::pose::pose_preview::PosePreview;
use crate::edit::settings::options::Options;
pub use crate::edit::settings::tab::Tab;
use crate::edit::time::onion::settings::OnionSettings;
use crate::edit::time::playback::Playback;
use crate::rig::ik;
use crate::rig::weights::paint::Brush;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The mode of the gizmo of an instance.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum GizmoMode {
    #[default]
    Move,
    Rotate,
    Scale,
}

/// The axes of the gizmo of an instance. Scaling always uses the instance's own axes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Axes {
    #[default]
    World,
    Parent,
    Local,
}

/// The appearance of bones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum BoneLook {
    /// Octahedra that are widest near the head, with a mark on the side of the z axis.
    // Earlier versions had these other names.
    #[default]
    #[serde(alias = "automatic")]
    Octahedra,
    /// Capsules with the radius of the bone, where weights depend on it.
    Capsules,
    /// Lines of constant width on the screen.
    #[serde(alias = "spheres", alias = "frames")]
    Sticks,
}

/// How surfaces are shaded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Shading {
    /// The materials of the scene, in studio light.
    #[default]
    Studio,
    /// Matt clay, whatever the materials.
    Clay,
    /// A polished surface, whatever the materials.
    Matcap,
}

/// The switches of the viewport and the solver, and the last choices and copied data.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ViewSettings {
    pub tab: Tab,
    /// Whether bones show through the skin.
    pub xray: bool,
    pub show_skin: bool,
    pub show_bones: bool,
    /// Whether bones are labelled with their names.
    pub show_names: bool,
    /// Whether selected bones show their axes.
    pub show_axes: bool,
    pub show_handles: bool,
    pub show_grid: bool,
    /// Whether the floor and contact shadows are shown.
    pub show_floor: bool,
    /// Whether the selection is outlined.
    pub show_outline: bool,
    /// Whether cameras, lights and emitters are drawn as lines (Animate tab).
    #[serde(rename = "show_things")]
    pub show_objects: bool,
    pub shading: Shading,
    pub wireframe: bool,
    pub orthographic: bool,
    /// Whether views along an axis are orthographic.
    pub orthographic_axis_views: bool,
    /// The camera instance that the viewport looks through (Animate tab).
    #[serde(skip)]
    pub camera: Option<String>,
    /// Whether enabled handles pull (Animate tab).
    pub solve_ik: bool,
    /// The method that solves for the handles.
    pub ik_step: ik::Step,
    /// Whether the active skinned mesh is coloured by its weights.
    #[serde(rename = "heat")]
    pub weights_view: bool,
    /// Whether weights have rainbow colours.
    pub rainbow: bool,
    pub refine: RefineNumbers,
    /// The brush for painting weights.
    pub brush: Brush,
    pub gizmo: GizmoMode,
    pub axes: Axes,
    /// The comparison of a character with itself (Animate tab).
    pub compare: CompareSettings,
    /// The state of playback (Animate tab).
    #[serde(skip)]
    pub playback: Playback,
    pub bone_look: BoneLook,
    /// Whether motion paths are shown (Animate tab).
    pub motion_paths: bool,
    /// The settings of onion skins (Animate tab).
    pub onion: OnionSettings,
    /// Whether links have rows in the tree.
    pub show_links: bool,
    /// The behaviour of children when the tail of a bone moves.
    pub children: Children,
    /// A saved pose that is shown instead of the current one (Animate tab, except during playback).
    #[serde(skip)]
    pub pose_preview: Option<Arc<PosePreview>>,
    /// The copied pose for Paste.
    #[serde(skip)]
    pub copied_pose: Option<Arc<PoseCopy>>,
    /// The mesh that weights are transferred from; `None`: the first other one.
    #[serde(skip)]
    pub weights_from: Option<String>,
    /// The minimum and maximum weight for selecting vertices by weight.
    pub weight_range: [f32; 2],
    /// The copied weights for pasting onto vertices, by names of bones.
    #[serde(skip)]
    pub copied_weights: Option<Arc<Vec<(String, f32)>>>,
    /// The options of the program, which have their own member in the preferences.
    #[serde(skip)]
    pub options: Options,
}

/// The numbers for refining weights; see [`crate::rig::weights::refine::Refinement`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct RefineNumbers {
    pub most: usize,
    pub below: f32,
    pub factor: f32,
    pub times: usize,
}

impl Default for RefineNumbers {
    fn default() -> Self {
        Self { most: 4, below: 0.01, factor: 0.5, times: 1 }
    }
}

impl Default for ViewSettings {
    fn default() -> Self {
        Self {
            tab: Tab::Rig,
            xray: true,
            show_skin: true,
            show_bones: true,
            show_names: false,
            show_axes: true,
            show_handles: true,
            show_grid: true,
            show_floor: true,
            show_outline: true,
            show_objects: true,
            shading: Shading::Studio,
            wireframe: false,
            orthographic: false,
            orthographic_axis_views: true,
            camera: None,
            solve_ik: true,
            ik_step: ik::Step::default(),
            weights_view: false,
            rainbow: false,
            refine: RefineNumbers::default(),
            brush: Brush::default(),
            gizmo: GizmoMode::Move,
            axes: Axes::World,
            compare: CompareSettings::default(),
            playback: Playback::default(),
            bone_look: BoneLook::default(),
            motion_paths: false,
            onion: OnionSettings::default(),
            show_links: false,
            children: Children::default(),
            pose_preview: None,
            copied_pose: None,
            weights_from: None,
            weight_range: [0.01, 1.0],
            copied_weights: None,
            options: Options::default(),
        }
    }
}

impl ViewSettings {
    /// Returns the settings to remember for the next run of the program: the switches, but not what was
    /// shown.
    pub fn remembered(&self) -> Self {
        Self {
            tab: Tab::default(),
            camera: None,
            weights_view: false,
            compare: CompareSettings { on: false, ..self.compare },
            playback: Playback::default(),
            copied_pose: None,
            weights_from: None,
            copied_weights: None,
            ..self.clone()
        }
    }

    /// Ends playback if commands change values that users want to see. Keys, the clip and weights can be
    /// changed during playback.
    pub fn pause_for(&mut self, commands: &[Command]) {
        if !commands.iter().all(|command| {
            matches!(
                command,
                Command::Keys(_)
                    | Command::Takes(_)
                    | Command::PaintWeights { .. }
                    | Command::TakeWeights { .. }
            )
        }) {
            self.playback.pause();
        }
    }

    /// Does the same as [`Self::pause_for`] for the preview of a drag.
    pub fn pause_for_drag(&mut self, commands: &[Command]) {
        let paints = |command: &Command| matches!(command, Command::PaintWeights { .. });
        if !commands.iter().all(paints) {
            self.playback.pause();
        }
    }

    /// Returns the current appearance of bones. Nothing hides the colours of the weights view, and capsules
    /// appear only where radii matter; see [`crate::edit::select::active_rig::ActiveRig::radius_counts`].
    pub fn shown_bone_look(&self, radius_counts: bool) -> BoneLook {
        match self.bone_look {
            _ if self.weights_view => BoneLook::Sticks,
            BoneLook::Capsules if !radius_counts => BoneLook::Octahedra,
            chosen => chosen,
        }
    }
}

/// Everything that panels may read.
pub struct View<'a> {
    pub session: &'a crate::edit::session::Session,
    pub evaluated: &'a crate::scene::evaluate::Evaluated,
    pub settings: &'a ViewSettings,
}
