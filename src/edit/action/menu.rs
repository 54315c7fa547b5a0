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
    /// Where it is found in the menu bar.
    pub fn menu(self) -> Menu {
        self.place().0
    }

    /// The submenu that it is found in, within its menu.
    pub fn submenu(self) -> Option<&'static str> {
        self.place().1
    }

    fn place(self) -> (Menu, Option<&'static str>) {
        use Action::*;
        match self {
            New | Open | Save | SaveAs | Import | Append | Export | RenderAnimation | SavePicture | Quit => {
                (Menu::File, None)
            }
            Undo | Redo | Delete | DeleteWithData | Duplicate | DuplicateLinked | Rename | MakeSkinned
            | FlipOrientation => (Menu::Edit, None),
            AddBox | AddSphere | AddCylinder | AddBar | AddCapsule | AddPlane | AddTorus | AddCamera => {
                (Menu::Add, None)
            }
            AddPointLight | AddDirectionalLight | AddSpotLight | AddHemisphereLight | AddSphereLight => {
                (Menu::Add, Some("Light"))
            }
            SelectAll | InvertSelection | Deselect | SelectParent | SelectChildren | ExtendToParent
            | ExtendToChildren | FindBone => (Menu::Select, None),
            NewBone | AddBone | AddIk | SetParent | ClearParent | SplitBones | MergeBones | MirrorX
            | MirrorY | MirrorZ | AlignRoll | AlignRollToAxis | FitRadius | ScaleRadius
            | DeleteWithChildren | ToggleChildren => (Menu::Bone, None),
            CalculateWeights
            | CalculateSelectedWeights
            | SmoothWeights
            | PruneWeights
            | LimitWeights
            | NormalizeWeights
            | ClearWeights
            | ToggleHeat
            | ToggleRainbow => (Menu::Weights, None),
            CopyPose | PastePose | PasteMirroredPose | ResetBonePose | ResetPose | BakeIk => {
                (Menu::Pose, None)
            }
            Play | PreviousFrame | NextFrame | PreviousKey | NextKey | FirstFrame | LastFrame | SetKeys
            | SetCharacterKeys | SetAllKeys | ClearKeys | ClearAllKeys | MuteChannels | MoveKeysLeft
            | MoveKeysRight | KeyHeld | DismissHeld | ToggleAutoKey | AddFrames | CropEnd | StartRange
            | EndRange | ClearRange => (Menu::Animate, None),
            TabRig | TabAnimate | ToggleTab | FrameSelected | FrameAll | ToggleSolveIk | ToggleCompare => {
                (Menu::View, None)
            }
            ViewFront
            | ViewBack
            | ViewRight
            | ViewLeft
            | ViewTop
            | ViewBottom
            | LookThroughCamera
            | CameraToView
            | ToggleOrthographic
            | ToggleOrthographicAxisViews => (Menu::View, Some("Viewpoint")),
            ToggleSkin | ToggleWireframe | ToggleBones | ToggleXray | ToggleAxes | ToggleLinks
            | ToggleHandles | ToggleGrid | ToggleMotionPaths => (Menu::View, Some("Show")),
            BonesAutomatic | BonesAsCapsules | BonesAsSpheres | BonesAsFrames => {
                (Menu::View, Some("Bones as"))
            }
            GizmoMove | GizmoTurn | GizmoScale | AxesWorld | AxesParent | AxesLocal | CycleAxes => {
                (Menu::View, Some("Gizmo"))
            }
            OpenHuman | OpenWalk | OpenQuadruped | OpenCylinder | OpenBar => {
                (Menu::Help, Some("Open example"))
            }
            ShowMessages | ShowKeys | About => (Menu::Help, None),
        }
    }
}
