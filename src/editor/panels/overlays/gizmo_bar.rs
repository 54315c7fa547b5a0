//! The bar for the gizmo of an instance, or of a bone (in the Animate tab, of one that is not locked): its mode and the space of its axes.

use crate::edit::action::Action;
use crate::edit::request::Request;
use crate::edit::settings::view::{Tab, View};
use crate::edit::time::spread::MOST_SPREAD;
use crate::edit::tool::ToolOptions;
use crate::edit::tool::placement::Placement;
use crate::editor::ui::action::{icon_switch, icon_switch_as};
use crate::editor::ui::segments::segments_ui;
use crate::editor::ui::tooltip::Tip;
use crate::editor::ui::{icons, theme};
use egui::{DragValue, Ui, WidgetInfo};

/// Whether the selection has a gizmo with modes.
pub fn is_shown(view: &View) -> bool {
    match view.settings.tab {
        Tab::Rig => view.session.selection().bone().is_some(),
        Tab::Animate => Placement::from_view(view).is_some() || has_unlocked_bone(view),
    }
}

/// Whether a bone is selected that may be moved and scaled in the pose.
fn has_unlocked_bone(view: &View) -> bool {
    let selection = view.session.selection();
    let skinned = selection.mesh.as_ref().and_then(|mesh| view.session.animated().skinned_meshes.get(mesh));
    let bone = skinned.zip(selection.bone()).and_then(|(mesh, bone)| mesh.skeleton.bones.get(bone));
    bone.is_some_and(|bone| !bone.lock_transform)
}

/// Shows the bar. Its buttons are labelled with the texts of their actions. They are disabled, and none of them is on,
/// without such a selection, and while a tool with options is in hand (`tool`), when there is no gizmo.
pub fn gizmo_bar_ui(ui: &mut Ui, view: &View, tool: Option<&ToolOptions>, out: &mut Vec<Request>) {
    let why_off = match tool {
        Some(ToolOptions::Brush(_)) => Some("There is no gizmo while painting; Esc puts the brush away."),
        Some(ToolOptions::Pull) => {
            Some("There is no gizmo while posing by dragging; Esc puts the tool away.")
        }
        None if is_shown(view) => None,
        None if view.session.selection().bone().is_some() => {
            Some("The bone is locked: it turns, with the rings, but does not move or scale.")
        }
        None => Some("Nothing that has a gizmo is selected."),
    };
    let modes =
        [(Action::GIZMO_MOVE, "Move"), (Action::GIZMO_ROTATE, "Rotate"), (Action::GIZMO_SCALE, "Scale")];
    segments_ui(ui, view, &modes, why_off, out);
    ui.add_space(theme::SMALL_GAP);
    let axes =
        [(Action::AXES_WORLD, "World"), (Action::AXES_PARENT, "Parent"), (Action::AXES_LOCAL, "Local")];
    segments_ui(ui, view, &axes, why_off, out);
    if view.settings.tab == Tab::Animate {
        ui.add_space(theme::GAP);
        pull_ui(ui, view, tool, out);
    }
}

/// Shows the tool that poses by dragging, and how it works.
fn pull_ui(ui: &mut Ui, view: &View, tool: Option<&ToolOptions>, out: &mut Vec<Request>) {
    let is_on = tool == Some(&ToolOptions::Pull);
    icon_switch_as(ui, view, (Action::POSE_BY_DRAGGING, icons::PULL), is_on, out);
    icon_switch(ui, view, Action::WHOLE_BODY, icons::BODY, out);
    let before = view.settings.tools.spread;
    let mut frames = before;
    let response = ui.add(DragValue::new(&mut frames).range(0..=MOST_SPREAD).speed(0.1).prefix("Spread "));
    response.widget_info(|| WidgetInfo::slider(true, f64::from(frames), "Frames to spread to"));
    response.tip("When a bone is dragged, keys up to this many frames away change too, less with distance");
    if frames != before {
        out.push(Request::Spread(frames));
    }
}
