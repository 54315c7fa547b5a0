//! Actions: everything a user can ask for by menu, button or key, in one table.
//! Menus, buttons, shortcuts, tooltips and the list of keys all come from here. Does nothing itself.

mod animate;
pub mod bones;
mod commands;
pub mod create;
mod menu;
pub mod pose;
mod select;
mod shortcut;
mod surfaces;
mod switches;
mod table;
mod things;

use super::command::Command;
use super::selection::Selection;
use super::view::{GizmoMode, View};
use crate::io::examples::Example;
pub use menu::Menu;
pub use shortcut::{KeyPress, Shortcut};
pub use surfaces::chosen as chosen_surface;
pub use things::{camera_to_look_through, renamed};

/// A thing to do that needs no argument beyond the selection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Action {
    New,
    /// The first of the scenes that are embedded in the program.
    OpenHuman,
    OpenWalk,
    OpenQuadruped,
    OpenCylinder,
    OpenBar,
    Open,
    Save,
    SaveAs,
    /// A mesh from an OBJ file.
    Import,
    /// The content of another scene.
    Append,
    /// The selected mesh to an OBJ file.
    Export,
    /// A dialog asks for frames, size, camera and files.
    RenderAnimation,
    /// The same dialog, for the frame that is shown.
    SavePicture,
    Quit,
    Undo,
    Redo,
    Delete,
    /// With what nothing else uses.
    DeleteWithData,
    /// With a copy of what is placed.
    Duplicate,
    DuplicateLinked,
    /// In the list or the tree: a field to type in opens over the name.
    Rename,
    SelectAll,
    InvertSelection,
    SelectParent,
    SelectChildren,
    ExtendToParent,
    ExtendToChildren,
    /// Goes to the search field above the tree.
    FindBone,
    Deselect,
    /// Bones drawn in the viewport one after the other; again: ends.
    NewBone,
    AddBone,
    AddIk,
    /// The other selected bones hang on the active one.
    SetParent,
    ClearParent,
    /// A dialog asks for the number of pieces.
    SplitBones,
    MergeBones,
    MirrorX,
    MirrorY,
    MirrorZ,
    /// To the plane that the bones bend in.
    AlignRoll,
    /// A dialog asks for the axis.
    AlignRollToAxis,
    FitRadius,
    /// A dialog asks for the factor.
    ScaleRadius,
    DeleteWithChildren,
    CalculateWeights,
    /// Of the selected bones, or of all if none is selected.
    CopyPose,
    PastePose,
    /// On the bones of the other side.
    PasteMirroredPose,
    ResetBonePose,
    ResetPose,
    /// A dialog asks for the frames.
    BakeIk,
    /// A skinned mesh with an empty skeleton of a mesh.
    MakeSkinned,
    FlipOrientation,
    AddBox,
    AddSphere,
    AddCylinder,
    AddBar,
    AddCapsule,
    AddPlane,
    AddTorus,
    /// Where the view is.
    AddCamera,
    AddPointLight,
    AddDirectionalLight,
    AddSpotLight,
    AddHemisphereLight,
    AddSphereLight,
    TabRig,
    TabAnimate,
    /// Rig to Animate and back.
    ToggleTab,
    FrameSelected,
    FrameAll,
    ViewFront,
    ViewBack,
    ViewRight,
    ViewLeft,
    ViewTop,
    ViewBottom,
    ToggleOrthographic,
    ToggleOrthographicAxisViews,
    /// Through the selected camera of the scene, and back.
    LookThroughCamera,
    /// The selected camera goes where the view is.
    CameraToView,
    ToggleXray,
    ToggleSkin,
    ToggleBones,
    ToggleAxes,
    /// Have rows in the tree.
    ToggleLinks,
    ToggleHandles,
    ToggleGrid,
    ToggleWireframe,
    ToggleSolveIk,
    /// Where the selection goes in the frames that are played.
    ToggleMotionPaths,
    /// At their radius where that counts.
    BonesAutomatic,
    BonesAsCapsules,
    BonesAsSpheres,
    BonesAsFrames,
    /// The same character twice, deformed in two ways.
    ToggleCompare,
    CalculateSelectedWeights,
    LimitWeights,
    PruneWeights,
    SmoothWeights,
    NormalizeWeights,
    ClearWeights,
    ToggleHeat,
    ToggleRainbow,
    ToggleChildren,
    GizmoMove,
    GizmoTurn,
    GizmoScale,
    AxesWorld,
    AxesParent,
    AxesLocal,
    /// World to parent to local and back.
    CycleAxes,
    /// Shows frames in real time, or stops.
    Play,
    PreviousFrame,
    NextFrame,
    /// Of what is selected, or of everything where nothing selected has keys.
    PreviousKey,
    NextKey,
    /// Of the play range.
    FirstFrame,
    LastFrame,
    SetKeys,
    SetCharacterKeys,
    SetAllKeys,
    /// At the frame that is shown.
    ClearKeys,
    ClearAllKeys,
    /// Of what is selected; if all of it is muted: unmutes.
    MuteChannels,
    MoveKeysLeft,
    MoveKeysRight,
    /// What was changed and not keyed.
    KeyHeld,
    DismissHeld,
    ToggleAutoKey,
    AddFrames,
    CropEnd,
    StartRange,
    EndRange,
    ClearRange,
    ShowMessages,
    ShowKeys,
    About,
}

/// A row of the table.
#[derive(Clone, Copy, Debug)]
pub struct ActionInfo {
    /// Sentence case; an ellipsis if and only if a dialog asks for more.
    pub text: &'static str,
    /// What it does, one sentence.
    pub tooltip: &'static str,
    /// The first is the one that menus show.
    pub shortcuts: &'static [Shortcut],
}

impl Action {
    /// Every action, in menu order.
    pub const ALL: &'static [Action] = &[
        Action::New,
        Action::Open,
        Action::Save,
        Action::SaveAs,
        Action::Import,
        Action::Append,
        Action::Export,
        Action::RenderAnimation,
        Action::SavePicture,
        Action::Quit,
        Action::Undo,
        Action::Redo,
        Action::Delete,
        Action::DeleteWithData,
        Action::Duplicate,
        Action::DuplicateLinked,
        Action::Rename,
        Action::MakeSkinned,
        Action::FlipOrientation,
        Action::AddBox,
        Action::AddSphere,
        Action::AddCylinder,
        Action::AddBar,
        Action::AddCapsule,
        Action::AddPlane,
        Action::AddTorus,
        Action::AddCamera,
        Action::AddPointLight,
        Action::AddDirectionalLight,
        Action::AddSpotLight,
        Action::AddHemisphereLight,
        Action::AddSphereLight,
        Action::SelectAll,
        Action::InvertSelection,
        Action::Deselect,
        Action::SelectParent,
        Action::SelectChildren,
        Action::ExtendToParent,
        Action::ExtendToChildren,
        Action::FindBone,
        Action::NewBone,
        Action::AddBone,
        Action::AddIk,
        Action::SetParent,
        Action::ClearParent,
        Action::SplitBones,
        Action::MergeBones,
        Action::MirrorX,
        Action::MirrorY,
        Action::MirrorZ,
        Action::AlignRoll,
        Action::AlignRollToAxis,
        Action::FitRadius,
        Action::ScaleRadius,
        Action::DeleteWithChildren,
        Action::ToggleChildren,
        Action::CalculateWeights,
        Action::CalculateSelectedWeights,
        Action::SmoothWeights,
        Action::PruneWeights,
        Action::LimitWeights,
        Action::NormalizeWeights,
        Action::ClearWeights,
        Action::ToggleHeat,
        Action::ToggleRainbow,
        Action::CopyPose,
        Action::PastePose,
        Action::PasteMirroredPose,
        Action::ResetBonePose,
        Action::ResetPose,
        Action::BakeIk,
        Action::Play,
        Action::PreviousFrame,
        Action::NextFrame,
        Action::PreviousKey,
        Action::NextKey,
        Action::FirstFrame,
        Action::LastFrame,
        Action::SetKeys,
        Action::SetCharacterKeys,
        Action::SetAllKeys,
        Action::ClearKeys,
        Action::ClearAllKeys,
        Action::MuteChannels,
        Action::MoveKeysLeft,
        Action::MoveKeysRight,
        Action::KeyHeld,
        Action::DismissHeld,
        Action::ToggleAutoKey,
        Action::AddFrames,
        Action::CropEnd,
        Action::StartRange,
        Action::EndRange,
        Action::ClearRange,
        Action::TabRig,
        Action::TabAnimate,
        Action::ToggleTab,
        Action::FrameSelected,
        Action::FrameAll,
        Action::ViewFront,
        Action::ViewBack,
        Action::ViewRight,
        Action::ViewLeft,
        Action::ViewTop,
        Action::ViewBottom,
        Action::LookThroughCamera,
        Action::CameraToView,
        Action::ToggleOrthographic,
        Action::ToggleOrthographicAxisViews,
        Action::ToggleSkin,
        Action::ToggleWireframe,
        Action::ToggleBones,
        Action::BonesAutomatic,
        Action::BonesAsCapsules,
        Action::BonesAsSpheres,
        Action::BonesAsFrames,
        Action::ToggleXray,
        Action::ToggleAxes,
        Action::ToggleLinks,
        Action::ToggleHandles,
        Action::ToggleGrid,
        Action::ToggleMotionPaths,
        Action::ToggleSolveIk,
        Action::ToggleCompare,
        Action::GizmoMove,
        Action::GizmoTurn,
        Action::GizmoScale,
        Action::AxesWorld,
        Action::AxesParent,
        Action::AxesLocal,
        Action::CycleAxes,
        Action::ShowKeys,
        Action::ShowMessages,
        Action::OpenHuman,
        Action::OpenWalk,
        Action::OpenQuadruped,
        Action::OpenCylinder,
        Action::OpenBar,
        Action::About,
    ];

    /// Its row of the table.
    pub fn info(self) -> ActionInfo {
        table::row(self)
    }

    /// The action of a key press, if any. A digit is the same key on the number pad and in the number row.
    pub fn of_shortcut(pressed: Shortcut) -> Option<Action> {
        let mut all = Action::ALL.iter().copied();
        all.find(|action| action.info().shortcuts.contains(&pressed))
    }

    /// The action of a key that was pressed, if any: by its sign, else by its place.
    pub fn of_key(pressed: &KeyPress) -> Option<Action> {
        let found = |is: fn(&KeyPress, &Shortcut) -> bool| {
            let mut all = Action::ALL.iter().copied();
            all.find(|action| action.info().shortcuts.iter().any(|s| is(pressed, s)))
        };
        found(KeyPress::is).or_else(|| found(KeyPress::is_in_place_of))
    }

    /// The scene that it opens, of those that come with the program.
    pub fn example(self) -> Option<Example> {
        match self {
            Action::OpenHuman => Some(Example::Human),
            Action::OpenWalk => Some(Example::Walk),
            Action::OpenQuadruped => Some(Example::Quadruped),
            Action::OpenCylinder => Some(Example::Cylinder),
            Action::OpenBar => Some(Example::Bar),
            _ => None,
        }
    }

    /// Whether a dialog asks for more before anything happens.
    pub fn opens_dialog(self) -> bool {
        let asks = matches!(
            self,
            Action::Open
                | Action::SaveAs
                | Action::Import
                | Action::Append
                | Action::Export
                | Action::RenderAnimation
                | Action::SavePicture
                | Action::SplitBones
                | Action::AlignRollToAxis
                | Action::ScaleRadius
                | Action::BakeIk
        );
        asks || self.menu() == Menu::Add && !create::is_of_view(self)
    }

    /// Whether it can be done now, or why not (a sentence for the tooltip).
    pub fn enabled(self, view: &View) -> Result<(), String> {
        let when = |possible: bool, why: &str| if possible { Ok(()) } else { Err(why.to_owned()) };
        let session = view.session;
        match self {
            Action::Undo => when(session.undo_label().is_some(), "There is nothing to undo."),
            Action::Redo => when(session.redo_label().is_some(), "There is nothing to redo."),
            Action::Deselect => when(!session.selection().is_empty(), "Nothing is selected."),
            Action::NewBone => commands::can_draw_bones(view),
            Action::ToggleCompare => commands::can_compare(view),
            Action::LookThroughCamera if view.settings.camera.is_some() => Ok(()),
            Action::LookThroughCamera => camera_to_look_through(view).map(drop),
            _ if create::is_of_view(self) => create::enabled(self, view),
            Action::AxesWorld | Action::AxesParent | Action::AxesLocal | Action::CycleAxes => when(
                view.settings.gizmo != GizmoMode::Scale,
                "A scale is always along a thing's own axes.",
            ),
            _ if self.menu() == Menu::Animate => animate::enabled(self, view),
            _ => select::of(self, view)
                .and_then(|_| commands::of(self, view))
                .map(|_| ()),
        }
    }

    /// The commands that it stands for, given the selection; empty for what changes no document
    /// (files, view, selection) and for what is not enabled.
    pub fn commands(self, view: &View) -> Vec<Command> {
        match self.menu() {
            Menu::Animate if self.enabled(view).is_err() => Vec::new(),
            Menu::Animate => animate::commands(self, view).unwrap_or_default(),
            _ => bones::mirrored_from_newer_side(view, commands::of(self, view).unwrap_or_default()),
        }
    }

    /// The frame that is shown after it; `None` for what stays and for what is not enabled.
    pub fn frame(self, view: &View) -> Option<f32> {
        let possible = self.menu() == Menu::Animate && self.enabled(view).is_ok();
        possible.then(|| animate::frame(self, view)).flatten()
    }

    /// What would be selected after it; `None` for what does not select and for what is not enabled.
    pub fn selection(self, view: &View) -> Option<Selection> {
        select::of(self, view).ok().flatten()
    }
}
