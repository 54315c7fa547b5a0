//! A row of the tree: its name, its appearance and its context menu.

use crate::edit::action::{Action, Menu};
use crate::edit::request::Request;
use crate::edit::select::selection::{Part, Selection};
use crate::edit::settings::view::View;
use crate::editor::ui::action::menu_item;
use crate::editor::ui::icons;
use crate::editor::ui::list::Row;
use crate::rig::edits::children;
use crate::rig::skeleton::Skeleton;
use egui::{Id, Ui};

/// The index of the bone if `part` is a link.
pub fn link_of(skeleton: &Skeleton, part: Part) -> Option<usize> {
    match part {
        Part::Bone(bone) if skeleton.bones[bone].link => Some(bone),
        _ => None,
    }
}

/// The kind and name of a part, as read by screen readers: "Bone Hand.L".
pub fn row_name(skeleton: &Skeleton, handles: &[String], part: Part) -> String {
    match part {
        Part::Base => "Base".into(),
        Part::Bone(link) if skeleton.bones[link].link => {
            let carried = children(skeleton, link).into_iter().map(|bone| skeleton.bone_name(bone));
            format!("Link to {}", carried.collect::<Vec<_>>().join(", "))
        }
        Part::Bone(bone) => format!("Bone {}", skeleton.bone_name(bone)),
        Part::Handle(handle) => format!("Handle {}", handles[handle]),
        // Poles have no row.
        Part::Pole(handle) => format!("Pole of {}", handles[handle]),
        Part::Shape(shape) => skeleton.shape_name(shape),
    }
}

/// Builds the row of `part`; `shared` says whether other rows have the same name.
pub fn row<'a>(
    skeleton: &Skeleton,
    selection: &Selection,
    part: Part,
    name: &'a str,
    shared: bool,
) -> Row<'a> {
    let link = link_of(skeleton, part).is_some();
    let enabled = |handle: usize| skeleton.handles[handle].enabled;
    let (tooltip, number) = match part {
        Part::Base => ("Where the root bones start", 0),
        Part::Bone(bone) if link => (
            "Link: carries the heads of these bones away from the tail of their parent. Click to select them.",
            bone,
        ),
        Part::Bone(bone) if skeleton.bones[bone].lock_weights => {
            ("Bone whose weights are locked: brushes leave them as they are.", bone)
        }
        Part::Bone(bone) => ("Bone. Double-click to rename, drag onto another to parent it.", bone),
        Part::Handle(handle) if enabled(handle) => ("IK handle. Double-click to rename.", handle),
        Part::Pole(handle) => ("Where the joint points", handle),
        Part::Shape(shape) => ("A shape of the surface", shape),
        Part::Handle(handle) => ("IK handle, not enabled. Double-click to rename.", handle),
    };
    let label = if shared { format!("{name}, number {number}") } else { name.to_owned() };
    let text = name.split_once(' ').map_or(name, |(_, rest)| rest);
    let icon = match part {
        _ if link => icons::LINK,
        Part::Bone(bone) if skeleton.bones[bone].lock_weights => icons::LOCKED,
        part => icons::for_part(part),
    };
    Row {
        tooltip,
        selected: selection.is_selected(part),
        active: selection.part == Some(part),
        quiet: link || matches!(part, Part::Handle(handle) if !enabled(handle)),
        draggable: matches!(part, Part::Bone(_)) && !link,
        ..Row::new(Id::new(("bones", part)), label, text, icon)
    }
}

/// Draws the context menu of a row; the right click selects the row first. Lines are labelled "Tree > …".
pub fn menu_ui(ui: &mut Ui, view: &View, skeleton: &Skeleton, part: Part, out: &mut Vec<Request>) {
    let actions: &[Action] = match part {
        _ if link_of(skeleton, part).is_some() => &[],
        Part::Bone(_) => &[
            Action::RENAME,
            Action::RENAME_BONES,
            Action::ADD_BONE,
            Action::ADD_IK,
            Action::RESET_BONE_POSE,
            Action::SELECT_CHILDREN,
            Action::EXTEND_TO_CHILDREN,
            Action::LOCK_WEIGHTS,
            Action::DELETE,
        ],
        Part::Handle(_) | Part::Pole(_) => &[Action::RENAME, Action::SELECT_PARENT, Action::DELETE],
        Part::Shape(_) => &[],
        Part::Base => &[Action::ADD_BONE, Action::SELECT_CHILDREN],
    };
    for action in actions {
        menu_item(ui, view, "Tree", *action, None, out);
    }
    if !actions.is_empty() {
        ui.separator();
    }
    menu_item(ui, view, "Tree", Action::TOGGLE_LINKS, None, out);
    if matches!(part, Part::Bone(_)) && !actions.is_empty() {
        ui.separator();
        for &action in Menu::BONE.actions.iter().filter(|action| !actions.contains(action)) {
            menu_item(ui, view, "Tree", action, None, out);
        }
    }
}
