//! The goals that a handle may have besides its target: orientation, pole and look-at. Each has a checkbox; switching it
//! on takes the value from the visible pose, so that nothing jumps.

use super::Page;
use super::selected::Selected;
use crate::edit::command::Command;
use crate::edit::pose::limbs::VisiblePose;
use crate::edit::request::Request;
use crate::edit::time::key_state::{self, KeyState};
use crate::editor::ui::choice::{choice_row, line_ui};
use crate::editor::ui::keyed::tick_ui;
use crate::editor::ui::mixed_value::mixed_checkbox;
use crate::editor::ui::row::value_row;
use crate::editor::ui::tooltip::Tip;
use crate::rig::body::joint::bend_bones;
use crate::rig::property::{GOAL, ORIENTATION, Property};
use crate::rig::skeleton::{Handle, LookAt};
use egui::Ui;
use glam::Vec3;

/// Draws a checkbox for a goal of all handles; `initial` returns the commands that give it to one of them. Returns
/// whether all have it.
fn switch(
    ui: &mut Ui,
    page: &mut Page,
    chosen: &Selected<Handle>,
    row: &'static Property<Handle>,
    state: KeyState,
    initial: impl Fn(&VisiblePose, usize) -> Vec<Command>,
) -> bool {
    let info = &row.info;
    let states: Vec<bool> =
        chosen.parts().map(|handle| row.get(handle) != row.get(&Handle::default())).collect();
    if let Some(enabled) = mixed_checkbox(&states, info.label, |tick| {
        value_row(ui, |ui| tick_ui(ui, state, tick, info.description))
    }) {
        let visible_pose = VisiblePose::from_view(page.view, chosen.mesh);
        let none = row.get(&Handle::default());
        let changed = (0..states.len()).filter(|i| states[*i] != enabled);
        let commands: Vec<Command> = changed
            .flat_map(|i| match (&visible_pose, &none) {
                (Some(visible_pose), _) if enabled => initial(visible_pose, i),
                (_, Some(none)) if !enabled => vec![chosen.set(i, info.id, none.clone())],
                _ => Vec::new(),
            })
            .collect();
        if !commands.is_empty() {
            page.out.push(Request::Apply(commands));
        }
    }
    states.iter().all(|is_on| *is_on)
}

/// Draws rows of a goal that all handles have.
fn goal_rows(ui: &mut Ui, page: &mut Page, chosen: &Selected<Handle>, ids: &[&str]) {
    for row in GOAL.iter().filter(|row| ids.contains(&row.info.id)) {
        chosen.row_ui(ui, page, row);
    }
}

pub(super) fn orientation_rows(
    ui: &mut Ui,
    page: &mut Page,
    chosen: &Selected<Handle>,
    row: &'static Property<Handle>,
) {
    let state = key_state::state(page.view.session, &chosen.channels(ORIENTATION));
    let initial = |visible_pose: &VisiblePose, i: usize| {
        let orientation = visible_pose.orientation(&chosen.now[chosen.indices[i]], 1.0);
        vec![chosen.set(i, row.info.id, orientation)]
    };
    if switch(ui, page, chosen, row, state, initial) {
        goal_rows(ui, page, chosen, &["orientation_rotation", "orientation_weight"]);
    }
}

pub(super) fn pole_rows(
    ui: &mut Ui,
    page: &mut Page,
    chosen: &Selected<Handle>,
    row: &'static Property<Handle>,
) {
    let can_have_pole =
        |handle: &Handle| handle.pole.is_some() || bend_bones(chosen.skeleton, handle).is_some();
    if !chosen.parts().any(can_have_pole) {
        let tip = "A chain of two bones or more has a joint that can point at a pole.";
        let mut off = false;
        let tick = egui::Checkbox::new(&mut off, row.info.label);
        value_row(ui, |ui| ui.add_enabled(false, tick)).disabled_tip(tip);
        return;
    }
    let initial = |visible_pose: &VisiblePose, i: usize| {
        let pole = visible_pose.pole(&chosen.now[chosen.indices[i]], 1.0);
        vec![chosen.set(i, row.info.id, pole)]
    };
    if switch(ui, page, chosen, row, KeyState::Static, initial) {
        goal_rows(ui, page, chosen, &["pole_point", "pole_weight"]);
    }
}

/// The axes that can point at the target, with their names.
const AXES: [(&str, Vec3); 6] = [
    ("x", Vec3::X),
    ("−x", Vec3::NEG_X),
    ("y", Vec3::Y),
    ("−y", Vec3::NEG_Y),
    ("z", Vec3::Z),
    ("−z", Vec3::NEG_Z),
];

pub(super) fn look_at_rows(
    ui: &mut Ui,
    page: &mut Page,
    chosen: &Selected<Handle>,
    row: &'static Property<Handle>,
) {
    let initial = |visible_pose: &VisiblePose, i: usize| visible_pose.look_at(chosen.indices[i]);
    if !switch(ui, page, chosen, row, KeyState::Static, initial) {
        return;
    }
    let current = |i: usize| chosen.now[chosen.indices[i]].look_at;
    let bone_axis = |i: usize| {
        let bone = chosen.now[chosen.indices[i]].bone as usize;
        let bone = chosen.skeleton.bones.get(bone);
        bone.map_or(Vec3::Y, |bone| bone.extent.normalize_or(Vec3::Y))
    };
    let all = 0..chosen.indices.len();
    let all_have = |axis: &dyn Fn(usize) -> Vec3| {
        let has_axis = |i: usize| current(i).is_some_and(|look_at| look_at.axis.abs_diff_eq(axis(i), 1e-6));
        all.clone().all(has_axis)
    };
    let named = AXES.iter().find(|(_, axis)| all_have(&|_| *axis));
    let word = match named {
        Some((name, _)) => name,
        None if all_have(&bone_axis) => "The bone",
        None => "Another axis",
    };
    let tip = "What points at the target: the bone itself, or an axis of the mesh in the bind pose. A face looks along z.";
    choice_row(ui, chosen.mesh, "Axis", tip, word, |ui| {
        let mut line = |ui: &mut Ui, text: &str, axis_of: &dyn Fn(usize) -> Vec3| {
            if line_ui(ui, "Axis", text, text == word) && text != word {
                let set = all.clone().filter_map(|i| {
                    let look_at = Some(LookAt { axis: axis_of(i), ..current(i)? });
                    Some(chosen.set(i, row.info.id, look_at))
                });
                page.out.push(Request::Apply(set.collect()));
            }
        };
        line(ui, "The bone", &bone_axis);
        for (name, axis) in AXES {
            line(ui, name, &|_| axis);
        }
    });
    goal_rows(ui, page, chosen, &["look_at_weight"]);
}
