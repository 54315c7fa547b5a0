//! What is chosen in the window. Not part of the document, and not undone.

use crate::edit::command::Command;
use crate::edit::compare::CompareSettings;
use crate::edit::fitting::Fitting;
use crate::edit::pose::PoseCopy;
use crate::edit::pose::children::Children;
use crate::edit::pose::pose_preview::PosePreview;
use crate::edit::session::Session;
use crate::edit::settings::options::Options;
pub use crate::edit::settings::tab::Tab;
use crate::edit::time::onion::settings::OnionSettings;
use crate::edit::time::playback::Playback;
use crate::rig::ik;
use crate::rig::skeleton::Skeleton;
use crate::rig::weights::paint::Brush;
use crate::scene::apply_animation::Animator;
use crate::scene::solve::Posing;
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

/// What is chosen in the window: the tab, what the viewport shows, how tools work, and what plays.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ViewSettings {
    pub tab: Tab,
    #[serde(flatten)]
    pub display: Display,
    #[serde(flatten)]
    pub tools: ToolSettings,
    #[serde(skip)]
    pub clipboard: Clipboard,
    /// The state of playback (Animate tab).
    #[serde(skip)]
    pub playback: Playback,
    /// Whether enabled handles pull (Animate tab).
    pub solve_ik: bool,
    /// The method that solves for the handles.
    pub ik_step: ik::Step,
    /// The comparison of a character with itself (Animate tab).
    pub compare: CompareSettings,
    /// A saved pose that is shown instead of the current one (Animate tab, except during playback).
    #[serde(skip)]
    pub pose_preview: Option<Arc<PosePreview>>,
    /// The skeleton that is being fitted.
    #[serde(skip)]
    pub fitting: Option<Arc<Fitting>>,
    /// The options of the program, which have their own member in the preferences.
    #[serde(skip)]
    pub options: Options,
}

/// What the viewport shows, and how.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Display {
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
    /// Whether links have rows in the tree.
    pub show_links: bool,
    /// Whether hidden bones are drawn, and have rows in the tree.
    pub show_hidden: bool,
    pub shading: Shading,
    pub wireframe: bool,
    pub orthographic: bool,
    /// Whether views along an axis are orthographic.
    pub orthographic_axis_views: bool,
    /// The camera instance that the viewport looks through (Animate tab).
    #[serde(skip)]
    pub camera: Option<String>,
    /// Whether the active skinned mesh is coloured by its weights.
    #[serde(rename = "heat")]
    pub weights_view: bool,
    /// Whether weights have rainbow colours.
    pub rainbow: bool,
    pub bone_look: BoneLook,
    /// Whether motion paths are shown (Animate tab).
    pub motion_paths: bool,
    /// The settings of onion skins (Animate tab).
    pub onion: OnionSettings,
}

impl Default for Display {
    fn default() -> Self {
        Self {
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
            show_links: false,
            show_hidden: false,
            shading: Shading::Studio,
            wireframe: false,
            orthographic: false,
            orthographic_axis_views: true,
            camera: None,
            weights_view: false,
            rainbow: false,
            bone_look: BoneLook::default(),
            motion_paths: false,
            onion: OnionSettings::default(),
        }
    }
}

impl Display {
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

/// How tools work.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ToolSettings {
    pub gizmo: GizmoMode,
    /// The gizmo of a bone in the Animate tab: rings, unless the bone may be moved or scaled.
    pub pose_gizmo: GizmoMode,
    pub axes: Axes,
    /// Whether the whole body follows a bone that is pulled by its tail (Animate tab).
    pub whole_body: bool,
    /// The number of frames before and after this one whose keys a pull changes too.
    pub spread: u32,
    /// The behaviour of children when the tail of a bone moves.
    pub children: Children,
    /// The brush for painting weights.
    pub brush: Brush,
    pub refine: RefineNumbers,
    /// The minimum and maximum weight for selecting vertices by weight.
    pub weight_range: [f32; 2],
    /// The mesh that weights are transferred from; `None`: the first other one.
    #[serde(skip)]
    pub weights_from: Option<String>,
}

impl Default for ToolSettings {
    fn default() -> Self {
        Self {
            gizmo: GizmoMode::Move,
            pose_gizmo: GizmoMode::Rotate,
            axes: Axes::World,
            whole_body: false,
            spread: 0,
            children: Children::default(),
            brush: Brush::default(),
            refine: RefineNumbers::default(),
            weight_range: [0.01, 1.0],
            weights_from: None,
        }
    }
}

/// What was copied.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Clipboard {
    /// The pose for Paste.
    pub pose: Option<Arc<PoseCopy>>,
    /// The weights for pasting onto vertices, by names of bones.
    pub weights: Option<Arc<Vec<(String, f32)>>>,
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
            display: Display::default(),
            tools: ToolSettings::default(),
            clipboard: Clipboard::default(),
            playback: Playback::default(),
            solve_ik: true,
            ik_step: ik::Step::default(),
            compare: CompareSettings::default(),
            pose_preview: None,
            fitting: None,
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
            display: Display { camera: None, weights_view: false, ..self.display.clone() },
            tools: ToolSettings { weights_from: None, ..self.tools.clone() },
            clipboard: Clipboard::default(),
            playback: Playback::default(),
            compare: CompareSettings { on: false, ..self.compare },
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
                    | Command::Layers { .. }
                    | Command::Sound(_)
                    | Command::AddClips { .. }
                    | Command::PaintWeights { .. }
                    | Command::TakeWeights { .. }
            )
        }) {
            self.playback.pause();
        }
    }

    /// Cancels a drag, or what is proposed, and then goes back to the frame and the playback of before.
    pub fn cancel_preview(&mut self, session: &mut Session) {
        let is_proposal = session.in_proposal();
        session.cancel();
        if is_proposal && let Some(frame) = self.playback.end_proposal() {
            session.set_frame(frame);
        }
    }

    /// Does the same as [`Self::pause_for`] for the preview of a drag.
    pub fn pause_for_drag(&mut self, commands: &[Command]) {
        let paints = |command: &Command| matches!(command, Command::PaintWeights { .. });
        if !commands.iter().all(paints) {
            self.playback.pause();
        }
    }
}

/// Everything that panels may read.
pub struct View<'a> {
    pub session: &'a Session,
    pub evaluated: &'a crate::scene::evaluate::Evaluated,
    pub settings: &'a ViewSettings,
}

impl View<'_> {
    /// Returns the options of the IK solver; `None` if handles do not pull.
    pub fn ik(&self) -> Option<ik::Options> {
        let settings = self.settings;
        settings.solve_ik.then(|| ik::Options { step: settings.ik_step, ..ik::Options::default() })
    }

    /// Returns the skeleton of a skinned mesh in the pose that is visible at a frame.
    pub fn skeleton_at(&self, mesh: &str, frame: f32) -> Option<Arc<Skeleton>> {
        let driven = Animator::default().animate(self.session.scene(), frame, self.session.unkeyed());
        Some(Posing::with_ik(self.ik().as_ref()).solve(&driven, mesh)?.0)
    }
}
