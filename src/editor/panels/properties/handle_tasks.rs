//! The other tasks of a handle besides its target: pin, orientation, pole and look-at. Each has a checkbox;
//! switching it on takes the value from the visible pose, so that nothing jumps.

use super::selected_handles::SelectedHandles;
use super::{Page, length};
use crate::edit::command::Command;
use crate::edit::pose::limbs::VisiblePose;
use crate::edit::request::Request;
use crate::edit::time::key_state::{self, KeyState};
use crate::editor::ui::choice::{choice_row, line_ui};
use crate::editor::ui::keyed::tick_ui;
use crate::editor::ui::mixed_value::{MixedValue, mixed_checkbox, mixed_scalar_row, mixed_vector_rows};
use crate::editor::ui::number::Number;
use crate::editor::ui::row::value_row;
use crate::editor::ui::tooltip::Tip;
use crate::rig::ik::chain::bend_bones;
use crate::rig::property::{GOAL, ORIENTATION, POLE_POINT, Property, PropertyValue};
use crate::rig::skeleton::{Handle, LookAt, Orientation, Pole};
use egui::Ui;
use glam::Vec3;

pub(super) fn tasks_ui(ui: &mut Ui, page: &mut Page, chosen: &SelectedHandles) {
    let tip = "The handle holds its bone where it was when it was pinned.";
    switch(
        ui,
        page,
        chosen,
        (None, "Pinned", tip),
        |handle| handle.pinned,
        |_, i, pinned| {
            let handle = chosen.handles[i];
            vec![Command::set_handle(chosen.mesh.to_owned(), handle, "pinned", pinned)]
        },
    );
    orientation_rows(ui, page, chosen);
    pole_rows(ui, page, chosen);
    look_at_rows(ui, page, chosen);
}

/// Draws a checkbox for all handles; `set` returns the commands that switch one on or off. Returns whether all
/// are on.
fn switch(
    ui: &mut Ui,
    page: &mut Page,
    chosen: &SelectedHandles,
    (channel, name, tip): (Option<&'static Property<Handle>>, &str, &str),
    is_on: impl Fn(&Handle) -> bool,
    set: impl Fn(Option<&VisiblePose>, usize, bool) -> Vec<Command>,
) -> bool {
    let states: Vec<bool> = chosen.values(|_, handle| is_on(handle)).current;
    let state = channel
        .map_or(KeyState::Static, |channel| key_state::state(page.view.session, &chosen.channels(channel)));
    if let Some(enabled) =
        mixed_checkbox(&states, name, |tick| value_row(ui, |ui| tick_ui(ui, state, tick, tip)))
    {
        let visible_pose = VisiblePose::from_view(page.view, chosen.mesh);
        let changed = (0..states.len()).filter(|i| states[*i] != enabled);
        let commands: Vec<Command> = changed.flat_map(|i| set(visible_pose.as_ref(), i, enabled)).collect();
        if !commands.is_empty() {
            page.out.push(Request::Apply(commands));
        }
    }
    states.iter().all(|is_on| *is_on)
}

/// Draws the weight of a task, from 0 to 1.
fn weight_row(
    ui: &mut Ui,
    page: &mut Page,
    chosen: &SelectedHandles,
    (id, name, tip): (&str, &str, &str),
    set: &dyn Fn(usize, f32) -> Command,
) {
    let Some(row) = GOAL.iter().find(|row| row.info.id == id) else { return };
    let channels = chosen.channels(row);
    let weight = Number {
        min: 0.0,
        max: 1.0,
        default: 1.0,
        keyed: key_state::state(page.view.session, &channels),
        muted: key_state::muted_components(page.view.session, &channels),
        ..Number::new(name, tip)
    };
    let values = chosen.values(|_, handle| match row.get(handle) {
        Some(PropertyValue::Float(weight)) => weight,
        _ => 0.0,
    });
    let soft = Some([0.0, 1.0]);
    mixed_scalar_row(ui, page.fields, &weight, &values, soft, page.out, set);
}

fn orientation_rows(ui: &mut Ui, page: &mut Page, chosen: &SelectedHandles) {
    let tip = "Keep the bone oriented as it is now, such as a foot that stays flat. The rings around the handle rotate it.";
    let is_on = |handle: &Handle| handle.orientation.is_some();
    let about = (Some(ORIENTATION), "Keep orientation", tip);
    let enabled = switch(ui, page, chosen, about, is_on, |visible_pose, i, enabled| {
        let index = chosen.handles[i];
        let handle = &chosen.skeleton.handles[index];
        let orientation =
            visible_pose.filter(|_| enabled).and_then(|visible_pose| visible_pose.orientation(handle, 1.0));
        vec![Command::set_handle(chosen.mesh.to_owned(), index, "orientation", orientation)]
    });
    if enabled {
        let about = (
            "orientation_weight",
            "Orientation weight",
            "How much the orientation counts, multiplied by the weight of the handle.",
        );
        weight_row(ui, page, chosen, about, &|i, weight| {
            let handle = chosen.handles[i];
            let orientation = chosen.skeleton.handles[handle].orientation;
            let orientation = orientation.map(|orientation| Orientation { weight, ..orientation });
            Command::set_handle(chosen.mesh.to_owned(), handle, "orientation", orientation)
        });
    }
}

fn pole_rows(ui: &mut Ui, page: &mut Page, chosen: &SelectedHandles) {
    let tip = "A point that the elbow or knee between the two long bones of the chain points at. Drag its ball in the view.";
    let is_on = |handle: &Handle| handle.pole.is_some();
    let can_have_pole = |handle: &usize| {
        let handle = &chosen.skeleton.handles[*handle];
        handle.pole.is_some() || bend_bones(chosen.skeleton, handle).is_some()
    };
    if !chosen.handles.iter().any(can_have_pole) {
        let tip = "A chain of two bones or more has a joint that can point at a pole.";
        let mut off = false;
        let tick = egui::Checkbox::new(&mut off, "Pole");
        value_row(ui, |ui| ui.add_enabled(false, tick)).disabled_tip(tip);
        return;
    }
    let enabled = switch(ui, page, chosen, (None, "Pole", tip), is_on, |visible_pose, i, enabled| {
        let index = chosen.handles[i];
        let handle = &chosen.skeleton.handles[index];
        let pole = visible_pose.filter(|_| enabled).and_then(|visible_pose| visible_pose.pole(handle, 1.0));
        vec![Command::set_handle(chosen.mesh.to_owned(), index, "pole", pole)]
    });
    if !enabled {
        return;
    }
    let set = |i: usize, change: &dyn Fn(Pole) -> Pole| {
        let handle = chosen.handles[i];
        let pole = chosen.skeleton.handles[handle].pole.map(change);
        Command::set_handle(chosen.mesh.to_owned(), handle, "pole", pole)
    };
    let channels = chosen.channels(POLE_POINT);
    let about = "Where the joint points, in the mesh's space.";
    let point = Number {
        keyed: key_state::state(page.view.session, &channels),
        muted: key_state::muted_components(page.view.session, &channels),
        ..length(&page.facts, "Point", about)
    };
    let values: MixedValue<Vec3> =
        chosen.values(|_, handle| handle.pole.map_or(Vec3::ZERO, |pole| pole.point));
    let set_point = |i: usize, point| set(i, &|pole| Pole { point, ..pole });
    mixed_vector_rows(ui, page.fields, "Point", &point, &values, None, page.out, &set_point);
    let about =
        ("pole_weight", "Pole weight", "How much the pole counts, multiplied by the weight of the handle.");
    weight_row(ui, page, chosen, about, &|i, weight| set(i, &|pole| Pole { weight, ..pole }));
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

fn look_at_rows(ui: &mut Ui, page: &mut Page, chosen: &SelectedHandles) {
    let is_on = |handle: &Handle| handle.look_at.is_some();
    let states: Vec<bool> = chosen.values(|_, handle| is_on(handle)).current;
    let tip = "The bone turns towards the target instead of reaching it, like a head or an eye.";
    if let Some(enabled) = mixed_checkbox(&states, "Look-at", |tick| {
        value_row(ui, |ui| tick_ui(ui, KeyState::Static, tick, tip))
    }) {
        let visible_pose = VisiblePose::from_view(page.view, chosen.mesh);
        let changed = (0..states.len()).filter(|i| states[*i] != enabled);
        let commands = changed.flat_map(|i| {
            let handle = chosen.handles[i];
            match (&visible_pose, enabled) {
                (Some(visible_pose), true) => visible_pose.look_at(handle),
                _ => vec![Command::set_handle(chosen.mesh.to_owned(), handle, "look_at", None::<LookAt>)],
            }
        });
        page.out.push(Request::Apply(commands.collect()));
    }
    if !states.iter().all(|is_on| *is_on) {
        return;
    }
    let current = |i: usize| chosen.skeleton.handles[chosen.handles[i]].look_at;
    let bone_axis = |i: usize| {
        let bone = chosen.skeleton.handles[chosen.handles[i]].bone as usize;
        let bone = chosen.skeleton.bones.get(bone);
        bone.map_or(Vec3::Y, |bone| bone.extent.normalize_or(Vec3::Y))
    };
    let all = 0..chosen.handles.len();
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
                    let (handle, axis) = (chosen.handles[i], axis_of(i));
                    let look_at = Some(LookAt { axis, ..current(i)? });
                    Some(Command::set_handle(chosen.mesh.to_owned(), handle, "look_at", look_at))
                });
                page.out.push(Request::Apply(set.collect()));
            }
        };
        line(ui, "The bone", &bone_axis);
        for (name, axis) in AXES {
            line(ui, name, &|_| axis);
        }
    });
    let about = (
        "look_at_weight",
        "Look-at weight",
        "How much look-at counts, multiplied by the weight of the handle.",
    );
    weight_row(ui, page, chosen, about, &|i, weight| {
        let handle = chosen.handles[i];
        let look_at = current(i).map(|look_at| LookAt { weight, ..look_at });
        Command::set_handle(chosen.mesh.to_owned(), handle, "look_at", look_at)
    });
}
