//! What the user looks at: the tab and the switches of the view. Not part of the document, not undone.

use super::children::Children;
use super::command::Command;
use super::compare::CompareSettings;
use super::onion::settings::OnionSettings;
use super::options::Options;
use super::playback::Playback;
use super::pose::PoseCopy;
use super::pose_preview::PosePreview;
pub use super::tab::Tab;
use crate::rig::ik;
use crate::rig::weights::paint::Brush;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// What the gizmo of an instance does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum GizmoMode {
    #[default]
    Move,
    Rotate,
    Scale,
}

/// Whose axes the gizmo of an instance has. A scale is always along the instance's own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Axes {
    #[default]
    World,
    Parent,
    Local,
}

/// What bones look like.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum BoneLook {
    /// At their radius where that counts, else as spheres: see [`ViewSettings::shown_bone_look`].
    #[default]
    Automatic,
    /// At their radius.
    Capsules,
    /// A sphere at each joint, a line along each bone.
    Spheres,
    /// The axes at each joint, a line along each bone.
    Frames,
}

/// Switches of the viewport and the solver, and what was chosen or copied last.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ViewSettings {
    pub tab: Tab,
    /// Bones show through the skin.
    pub xray: bool,
    pub show_skin: bool,
    pub show_bones: bool,
    pub show_axes: bool,
    pub show_handles: bool,
    pub show_grid: bool,
    /// Around what is selected.
    pub show_outline: bool,
    /// Cameras, lights and emitters as lines (Animate tab).
    pub show_things: bool,
    pub wireframe: bool,
    pub orthographic: bool,
    /// Views along an axis are orthographic.
    pub orthographic_axis_views: bool,
    /// The instance of a camera that is looked through (Animate tab).
    #[serde(skip)]
    pub camera: Option<String>,
    /// Enabled handles pull (Animate tab).
    pub solve_ik: bool,
    /// How the pose that they pull to is found.
    pub ik_step: ik::Step,
    /// The skinned mesh that is worked on is coloured by its weights.
    pub heat: bool,
    /// In the colours of the rainbow.
    pub rainbow: bool,
    pub refine: RefineNumbers,
    /// What weights are painted with.
    pub brush: Brush,
    pub gizmo: GizmoMode,
    pub axes: Axes,
    /// The same character twice (Animate tab).
    pub compare: CompareSettings,
    /// Whether and how frames are played (Animate tab).
    #[serde(skip)]
    pub playback: Playback,
    pub bone_look: BoneLook,
    /// In the Animate tab.
    pub motion_paths: bool,
    /// In the Animate tab.
    pub onion: OnionSettings,
    /// Links have rows in the tree.
    pub show_links: bool,
    /// What children do when the tip of a bone moves.
    pub children: Children,
    /// A saved pose that is shown instead of the present one (Animate tab, not while frames are played).
    #[serde(skip)]
    pub pose_preview: Option<Arc<PosePreview>>,
    /// The pose that Paste puts in place.
    #[serde(skip)]
    pub copied_pose: Option<Arc<PoseCopy>>,
    /// The mesh that weights are taken from; `None`: the first other one.
    #[serde(skip)]
    pub weights_from: Option<String>,
    /// The least and the most weight of vertices that are selected by it.
    pub weight_range: [f32; 2],
    /// The row of weights that Paste puts on vertices: names of bones.
    #[serde(skip)]
    pub copied_weights: Option<Arc<Vec<(String, f32)>>>,
    /// Of the whole program: the preferences have a member of their own for them.
    #[serde(skip)]
    pub options: Options,
}

/// The numbers that weights are refined by; see [`crate::rig::weights::refine::Refinement`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct RefineNumbers {
    pub most: usize,
    pub below: f32,
    pub factor: f32,
    pub times: usize,
}

impl Default for RefineNumbers {
    fn default() -> Self {
        Self {
            most: 4,
            below: 0.01,
            factor: 0.5,
            times: 1,
        }
    }
}

impl Default for ViewSettings {
    fn default() -> Self {
        Self {
            tab: Tab::Rig,
            xray: true,
            show_skin: true,
            show_bones: true,
            show_axes: true,
            show_handles: true,
            show_grid: true,
            show_outline: true,
            show_things: true,
            wireframe: false,
            orthographic: false,
            orthographic_axis_views: true,
            camera: None,
            solve_ik: true,
            ik_step: ik::Step::default(),
            heat: false,
            rainbow: false,
            refine: RefineNumbers::default(),
            brush: Brush::default(),
            gizmo: GizmoMode::Move,
            axes: Axes::World,
            compare: CompareSettings::default(),
            playback: Playback::default(),
            bone_look: BoneLook::Automatic,
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
    /// What the next run of the program begins with: the switches, but not what was looked at.
    pub fn remembered(&self) -> Self {
        Self {
            tab: Tab::default(),
            camera: None,
            heat: false,
            compare: CompareSettings {
                on: false,
                ..self.compare
            },
            playback: Playback::default(),
            copied_pose: None,
            weights_from: None,
            copied_weights: None,
            ..self.clone()
        }
    }

    /// Whoever changes values wants to see them: playing ends. Keys can be set, the clip changed and weights painted meanwhile.
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

    /// As [`Self::pause_for`], of what a drag previews.
    pub fn pause_for_drag(&mut self, commands: &[Command]) {
        let paints = |command: &Command| matches!(command, Command::PaintWeights { .. });
        if !commands.iter().all(paints) {
            self.playback.pause();
        }
    }

    /// What bones look like now; never [`BoneLook::Automatic`]. `radius_counts`: see
    /// [`super::active_rig::ActiveRig::radius_counts`].
    pub fn shown_bone_look(&self, radius_counts: bool) -> BoneLook {
        match self.bone_look {
            BoneLook::Automatic if radius_counts && !self.heat => BoneLook::Capsules,
            BoneLook::Automatic => BoneLook::Spheres,
            chosen => chosen,
        }
    }
}

/// Everything that panels may read.
pub struct View<'a> {
    pub session: &'a super::session::Session,
    pub evaluated: &'a crate::scene::evaluate::Evaluated,
    pub settings: &'a ViewSettings,
}
