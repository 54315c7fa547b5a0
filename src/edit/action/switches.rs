//! Actions that are switches of the view: whether they are on, and switching them.

use super::Action;
use crate::edit::children::Children;
use crate::edit::view::{Axes, BoneLook, GizmoMode, Tab, View, ViewSettings};

impl Action {
    /// Whether a switch is on; `None` for what is no switch.
    pub fn checked(self, view: &View) -> Option<bool> {
        let settings = view.settings;
        match self {
            Action::TabRig => Some(settings.tab == Tab::Rig),
            Action::TabAnimate => Some(settings.tab == Tab::Animate),
            Action::ToggleOrthographic => Some(settings.orthographic),
            Action::ToggleOrthographicAxisViews => Some(settings.orthographic_axis_views),
            Action::LookThroughCamera => Some(settings.camera.is_some()),
            Action::ToggleXray => Some(settings.xray),
            Action::ToggleSkin => Some(settings.show_skin),
            Action::ToggleBones => Some(settings.show_bones),
            Action::ToggleAxes => Some(settings.show_axes),
            Action::ToggleLinks => Some(settings.show_links),
            Action::ToggleHandles => Some(settings.show_handles),
            Action::ToggleGrid => Some(settings.show_grid),
            Action::ToggleWireframe => Some(settings.wireframe),
            Action::ToggleSolveIk => Some(settings.solve_ik),
            Action::ToggleMotionPaths => Some(settings.motion_paths),
            Action::BonesAutomatic => Some(settings.bone_look == BoneLook::Automatic),
            Action::BonesAsCapsules => Some(settings.bone_look == BoneLook::Capsules),
            Action::BonesAsSpheres => Some(settings.bone_look == BoneLook::Spheres),
            Action::BonesAsFrames => Some(settings.bone_look == BoneLook::Frames),
            Action::ToggleCompare => Some(settings.compare.on),
            Action::ToggleHeat => Some(settings.heat),
            Action::ToggleRainbow => Some(settings.rainbow),
            Action::ToggleChildren => Some(settings.children == Children::Along),
            Action::ToggleAutoKey => Some(view.session.auto_key()),
            Action::GizmoMove => Some(settings.gizmo == GizmoMode::Move),
            Action::GizmoTurn => Some(settings.gizmo == GizmoMode::Rotate),
            Action::GizmoScale => Some(settings.gizmo == GizmoMode::Scale),
            Action::AxesWorld => Some(settings.axes == Axes::World),
            Action::AxesParent => Some(settings.axes == Axes::Parent),
            Action::AxesLocal => Some(settings.axes == Axes::Local),
            _ => None,
        }
    }

    /// Changes the switches of the view; false for an action that is none of them (auto-key is the session's).
    pub fn switch(self, settings: &mut ViewSettings) -> bool {
        if self.switch_gizmo(settings) || self.switch_bone_look(settings) {
            return true;
        }
        let flag = match self {
            Action::TabRig => {
                settings.tab = Tab::Rig;
                return true;
            }
            Action::TabAnimate => {
                settings.tab = Tab::Animate;
                return true;
            }
            Action::ToggleTab => {
                settings.tab = match settings.tab {
                    Tab::Rig => Tab::Animate,
                    Tab::Animate => Tab::Rig,
                };
                return true;
            }
            Action::ToggleOrthographic => &mut settings.orthographic,
            Action::ToggleOrthographicAxisViews => &mut settings.orthographic_axis_views,
            Action::ToggleXray => &mut settings.xray,
            Action::ToggleSkin => &mut settings.show_skin,
            Action::ToggleBones => &mut settings.show_bones,
            Action::ToggleAxes => &mut settings.show_axes,
            Action::ToggleLinks => &mut settings.show_links,
            Action::ToggleHandles => &mut settings.show_handles,
            Action::ToggleGrid => &mut settings.show_grid,
            Action::ToggleWireframe => &mut settings.wireframe,
            Action::ToggleSolveIk => &mut settings.solve_ik,
            Action::ToggleMotionPaths => &mut settings.motion_paths,
            Action::ToggleCompare => &mut settings.compare.on,
            Action::ToggleHeat => &mut settings.heat,
            Action::ToggleRainbow => &mut settings.rainbow,
            Action::ToggleChildren => {
                settings.children = match settings.children {
                    Children::Stay => Children::Along,
                    Children::Along => Children::Stay,
                };
                return true;
            }
            _ => return false,
        };
        *flag = !*flag;
        true
    }

    /// Whoever chooses how bones look wants to see them.
    fn switch_bone_look(self, settings: &mut ViewSettings) -> bool {
        settings.bone_look = match self {
            Action::BonesAutomatic => BoneLook::Automatic,
            Action::BonesAsCapsules => BoneLook::Capsules,
            Action::BonesAsSpheres => BoneLook::Spheres,
            Action::BonesAsFrames => BoneLook::Frames,
            _ => return false,
        };
        settings.show_bones = true;
        true
    }

    fn switch_gizmo(self, settings: &mut ViewSettings) -> bool {
        match self {
            Action::GizmoMove => settings.gizmo = GizmoMode::Move,
            Action::GizmoTurn => settings.gizmo = GizmoMode::Rotate,
            Action::GizmoScale => settings.gizmo = GizmoMode::Scale,
            Action::AxesWorld => settings.axes = Axes::World,
            Action::AxesParent => settings.axes = Axes::Parent,
            Action::AxesLocal => settings.axes = Axes::Local,
            Action::CycleAxes => {
                settings.axes = match settings.axes {
                    Axes::World => Axes::Parent,
                    Axes::Parent => Axes::Local,
                    Axes::Local => Axes::World,
                };
            }
            _ => return false,
        }
        true
    }
}
