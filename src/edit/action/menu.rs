//! The menus of the menu bar, and which action is found in which.

use super::Action;

/// The menus of the menu bar, and where each action is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Menu {
    File,
    Edit,
    Add,
    Select,
    Bone,
    Weights,
    Pose,
    Animate,
    View,
    Help,
}

impl Menu {
    pub const ALL: &'static [Menu] = &[
        Menu::File,
        Menu::Edit,
        Menu::Add,
        Menu::Select,
        Menu::Bone,
        Menu::Weights,
        Menu::Pose,
        Menu::Animate,
        Menu::View,
        Menu::Help,
    ];

    pub fn text(self) -> &'static str {
        match self {
            Menu::File => "File",
            Menu::Edit => "Edit",
            Menu::Add => "Add",
            Menu::Select => "Select",
            Menu::Bone => "Bone",
            Menu::Weights => "Weights",
            Menu::Pose => "Pose",
            // The tab is called "Animate".
            Menu::Animate => "Animation",
            Menu::View => "View",
            Menu::Help => "Help",
        }
    }

    /// Its actions, in order.
    pub fn actions(self) -> impl Iterator<Item = Action> {
        Action::ALL.iter().copied().filter(move |a| a.menu() == self)
    }
}

impl Action {
    /// The submenu that it is found in, within its menu.
    pub fn submenu(self) -> Option<&'static str> {
        use Action::*;
        match self {
            ViewFront
            | ViewBack
            | ViewRight
            | ViewLeft
            | ViewTop
            | ViewBottom
            | LookThroughCamera
            | CameraToView
            | ToggleOrthographic
            | ToggleOrthographicAxisViews => Some("Viewpoint"),
            AddPointLight | AddDirectionalLight | AddSpotLight | AddHemisphereLight | AddSphereLight => {
                Some("Light")
            }
            ToggleSkin | ToggleWireframe | ToggleBones | ToggleXray | ToggleAxes | ToggleHandles
            | ToggleGrid | ToggleMotionPaths => Some("Show"),
            BonesAutomatic | BonesAsCapsules | BonesAsSpheres | BonesAsFrames => Some("Bones as"),
            GizmoMove | GizmoTurn | GizmoScale | AxesWorld | AxesParent | AxesLocal | CycleAxes => {
                Some("Gizmo")
            }
            OpenHuman | OpenWalk | OpenQuadruped | OpenCylinder | OpenBar => Some("Open example"),
            _ => None,
        }
    }

    /// Where it is found in the menu bar.
    pub fn menu(self) -> Menu {
        use Action::*;
        match self {
            New | Open | Save | SaveAs | Import | Append | Export | RenderAnimation | SavePicture | Quit => {
                Menu::File
            }
            Undo | Redo | Delete | DeleteWithData | Duplicate | DuplicateLinked | Rename | MakeSkinned
            | FlipOrientation => Menu::Edit,
            AddBox | AddSphere | AddCylinder | AddBar | AddCapsule | AddPlane | AddTorus | AddCamera
            | AddPointLight | AddDirectionalLight | AddSpotLight | AddHemisphereLight | AddSphereLight => {
                Menu::Add
            }
            SelectAll | InvertSelection | Deselect | SelectParent | SelectChildren | ExtendToParent
            | ExtendToChildren | FindBone => Menu::Select,
            NewBone | AddBone | AddIk | SetParent | ClearParent | SplitBones | MergeBones | MirrorX
            | MirrorY | MirrorZ | AlignRoll | AlignRollToAxis | FitRadius | ScaleRadius
            | DeleteWithChildren => Menu::Bone,
            CalculateWeights
            | CalculateSelectedWeights
            | SmoothWeights
            | PruneWeights
            | LimitWeights
            | NormalizeWeights
            | ClearWeights
            | ToggleHeat
            | ToggleRainbow => Menu::Weights,
            ToggleChildren => Menu::Bone,
            CopyPose | PastePose | PasteMirroredPose | ResetBonePose | ResetPose | BakeIk => Menu::Pose,
            Play | PreviousFrame | NextFrame | PreviousKey | NextKey | FirstFrame | LastFrame | SetKeys
            | SetCharacterKeys | SetAllKeys | ClearKeys | ClearAllKeys | MuteChannels | MoveKeysLeft
            | MoveKeysRight | KeyHeld | DismissHeld | ToggleAutoKey | AddFrames | CropEnd | StartRange
            | EndRange | ClearRange => Menu::Animate,
            TabRig
            | TabAnimate
            | ToggleTab
            | FrameSelected
            | FrameAll
            | ViewFront
            | ViewBack
            | ViewRight
            | ViewLeft
            | ViewTop
            | ViewBottom
            | LookThroughCamera
            | CameraToView
            | ToggleOrthographic
            | ToggleOrthographicAxisViews
            | ToggleXray
            | ToggleSkin
            | ToggleBones
            | ToggleAxes
            | ToggleHandles
            | ToggleGrid
            | ToggleWireframe
            | ToggleSolveIk
            | ToggleMotionPaths
            | ToggleCompare
            | BonesAutomatic
            | BonesAsCapsules
            | BonesAsSpheres
            | BonesAsFrames
            | GizmoMove
            | GizmoTurn
            | GizmoScale
            | AxesWorld
            | AxesParent
            | AxesLocal
            | CycleAxes => Menu::View,
            ShowMessages | ShowKeys | OpenHuman | OpenWalk | OpenQuadruped | OpenCylinder | OpenBar
            | About => Menu::Help,
        }
    }
}
