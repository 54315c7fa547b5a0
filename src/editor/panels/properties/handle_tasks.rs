//! What a handle asks for beside its target: pinned, an orientation, a pole, a look. Each has a switch; switched on it
//! asks for what is seen, so that nothing jumps.

use super::chosen_handles::Chosen;
use super::{Page, length};
use crate::anim::channel::Value;
use crate::anim::handle_channel::HandleChannel;
use crate::edit::command::{Command, Posing};
use crate::edit::key_state::{self, KeyState};
use crate::edit::limbs::SeenPose;
use crate::edit::request::Request;
use crate::editor::ui::choice::{choice_row, line_ui};
use crate::editor::ui::keyed::tick_ui;
use crate::editor::ui::mixed_value::{MixedValue, scalar_row_of, tick_of, vector_rows_of};
use crate::editor::ui::number::Number;
use crate::rig::ik::chain::bend;
use crate::rig::skeleton::{Handle, LookAt, Orientation, Pole};
use egui::Ui;
use glam::Vec3;

pub(super) fn tasks_ui(ui: &mut Ui, page: &mut Page, chosen: &Chosen) {
    let tip = "The handle holds its bone where it was when it was pinned: P pins.";
    switch(
        ui,
        page,
        chosen,
        (None, "Pinned", tip),
        |handle| handle.pinned,
        |_, i, pinned| {
            let handle = chosen.handles[i];
            vec![Posing::Pinned { handle, pinned }]
        },
    );
    orientation_rows(ui, page, chosen);
    pole_rows(ui, page, chosen);
    look_at_rows(ui, page, chosen);
}

/// A tick for all of them. `set`: what switches one on or off. Whether all are on.
fn switch(
    ui: &mut Ui,
    page: &mut Page,
    chosen: &Chosen,
    (channel, name, tip): (Option<HandleChannel>, &str, &str),
    is_on: impl Fn(&Handle) -> bool,
    set: impl Fn(Option<&SeenPose>, usize, bool) -> Vec<Posing>,
) -> bool {
    let on: Vec<bool> = chosen.several(|_, handle| is_on(handle)).now;
    let state = channel.map_or(KeyState::Static, |channel| {
        key_state::state(page.view.session, &chosen.channels(channel))
    });
    if let Some(now) = tick_of(&on, name, |tick| tick_ui(ui, state, tick, tip)) {
        let seen = SeenPose::from_view(page.view, chosen.mesh);
        let changed = (0..on.len()).filter(|i| on[*i] != now);
        let values = changed.flat_map(|i| set(seen.as_ref(), i, now));
        let commands: Vec<Command> = values.map(|value| posing(chosen.mesh, value)).collect();
        if !commands.is_empty() {
            page.out.push(Request::Apply(commands));
        }
    }
    on.iter().all(|on| *on)
}

fn posing(mesh: &str, value: Posing) -> Command {
    let mesh = mesh.to_owned();
    Command::SetPosing { mesh, value }
}

/// For `Orientation weight`.
const NAME_WIDTH: f32 = 112.0;

/// The weight of a task, from 0 to 1.
fn weight_row(
    ui: &mut Ui,
    page: &mut Page,
    chosen: &Chosen,
    (channel, name, tip): (HandleChannel, &str, &str),
    set: &dyn Fn(usize, f32) -> Posing,
) {
    let channels = chosen.channels(channel);
    let weight = Number {
        min: 0.0,
        max: 1.0,
        default: 1.0,
        name_width: NAME_WIDTH,
        keyed: key_state::state(page.view.session, &channels),
        muted: key_state::muted(page.view.session, &channels),
        ..Number::new(name, tip)
    };
    let values = chosen.several(|_, handle| match channel.value(handle) {
        Some(Value::Float(weight)) => weight,
        _ => 0.0,
    });
    let set = |i: usize, weight: f32| posing(chosen.mesh, set(i, weight));
    let soft = Some([0.0, 1.0]);
    scalar_row_of(ui, page.fields, &weight, &values, soft, page.out, &set);
}

fn orientation_rows(ui: &mut Ui, page: &mut Page, chosen: &Chosen) {
    let tip = "Keep the bone oriented as it is now, such as a foot that stays flat. The rings around the handle rotate it.";
    let is_on = |handle: &Handle| handle.orientation.is_some();
    let about = (Some(HandleChannel::Orientation), "Keep orientation", tip);
    let on = switch(ui, page, chosen, about, is_on, |seen, i, on| {
        let handle = chosen.handles[i];
        let this = &chosen.skeleton.handles[handle];
        let orientation = seen.filter(|_| on).and_then(|seen| seen.orientation(this, 1.0));
        vec![Posing::Orientation { handle, orientation }]
    });
    if on {
        let about = (
            HandleChannel::OrientationWeight,
            "Orientation weight",
            "How much the orientation counts, multiplied by the weight of the handle.",
        );
        weight_row(ui, page, chosen, about, &|i, weight| {
            let handle = chosen.handles[i];
            let turn = chosen.skeleton.handles[handle].orientation;
            let orientation = turn.map(|turn| Orientation { weight, ..turn });
            Posing::Orientation { handle, orientation }
        });
    }
}

fn pole_rows(ui: &mut Ui, page: &mut Page, chosen: &Chosen) {
    let tip = "A point that the elbow or knee between the two long bones of the chain points at. Drag its ball in the view.";
    let is_on = |handle: &Handle| handle.pole.is_some();
    let can = |handle: &usize| {
        let handle = &chosen.skeleton.handles[*handle];
        handle.pole.is_some() || bend(chosen.skeleton, handle).is_some()
    };
    if !chosen.handles.iter().any(can) {
        let tip = "A chain of two bones or more has a joint that can point at a pole.";
        let mut off = false;
        let tick = egui::Checkbox::new(&mut off, "Pole");
        ui.add_enabled(false, tick).on_disabled_hover_text(tip);
        return;
    }
    let on = switch(ui, page, chosen, (None, "Pole", tip), is_on, |seen, i, on| {
        let handle = chosen.handles[i];
        let this = &chosen.skeleton.handles[handle];
        let pole = seen.filter(|_| on).and_then(|seen| seen.pole(this, 1.0));
        vec![Posing::Pole { handle, pole }]
    });
    if !on {
        return;
    }
    let set = |i: usize, change: &dyn Fn(Pole) -> Pole| {
        let handle = chosen.handles[i];
        let pole = chosen.skeleton.handles[handle].pole.map(change);
        Posing::Pole { handle, pole }
    };
    let channels = chosen.channels(HandleChannel::Pole);
    let about = "Where the joint points, in the mesh's space.";
    let point = Number {
        keyed: key_state::state(page.view.session, &channels),
        muted: key_state::muted(page.view.session, &channels),
        ..length(&page.facts, "Point", about)
    };
    let values: MixedValue<Vec3> =
        chosen.several(|_, handle| handle.pole.map_or(Vec3::ZERO, |pole| pole.point));
    let set_point = |i: usize, point| posing(chosen.mesh, set(i, &|pole| Pole { point, ..pole }));
    vector_rows_of(
        ui,
        page.fields,
        "Point",
        &point,
        &values,
        None,
        page.out,
        &set_point,
    );
    let about = (
        HandleChannel::PoleWeight,
        "Pole weight",
        "How much the pole counts, multiplied by the weight of the handle.",
    );
    weight_row(ui, page, chosen, about, &|i, weight| {
        set(i, &|pole| Pole { weight, ..pole })
    });
}

/// What looks at the target, by name, and the axis that it is.
const AXES: [(&str, Vec3); 6] = [
    ("x", Vec3::X),
    ("−x", Vec3::NEG_X),
    ("y", Vec3::Y),
    ("−y", Vec3::NEG_Y),
    ("z", Vec3::Z),
    ("−z", Vec3::NEG_Z),
];

fn look_at_rows(ui: &mut Ui, page: &mut Page, chosen: &Chosen) {
    let is_on = |handle: &Handle| handle.look_at.is_some();
    let on: Vec<bool> = chosen.several(|_, handle| is_on(handle)).now;
    let tip = "The bone turns towards the target instead of reaching it, like a head or an eye.";
    if let Some(now) = tick_of(&on, "Look-at", |tick| tick_ui(ui, KeyState::Static, tick, tip)) {
        let seen = SeenPose::from_view(page.view, chosen.mesh);
        let changed = (0..on.len()).filter(|i| on[*i] != now);
        let commands = changed.flat_map(|i| {
            let (handle, look_at) = (chosen.handles[i], None);
            match (&seen, now) {
                (Some(seen), true) => seen.look_at(handle),
                _ => vec![posing(chosen.mesh, Posing::LookAt { handle, look_at })],
            }
        });
        page.out.push(Request::Apply(commands.collect()));
    }
    if !on.iter().all(|on| *on) {
        return;
    }
    let look = |i: usize| chosen.skeleton.handles[chosen.handles[i]].look_at;
    let along = |i: usize| {
        let bone = chosen.skeleton.handles[chosen.handles[i]].bone as usize;
        let bone = chosen.skeleton.bones.get(bone);
        bone.map_or(Vec3::Y, |bone| bone.extent.normalize_or(Vec3::Y))
    };
    let all = 0..chosen.handles.len();
    let every = |axis: &dyn Fn(usize) -> Vec3| {
        let is = |i: usize| look(i).is_some_and(|look| look.axis.abs_diff_eq(axis(i), 1e-6));
        all.clone().all(is)
    };
    let named = AXES.iter().find(|(_, axis)| every(&|_| *axis));
    let word = match named {
        Some((name, _)) => name,
        None if every(&along) => "The bone",
        None => "Another axis",
    };
    let tip = "What points at the target: the bone itself, or an axis of the mesh in the bind pose. A face looks along z.";
    choice_row(ui, chosen.mesh, "Axis", tip, word, |ui| {
        let mut line = |ui: &mut Ui, text: &str, axis_of: &dyn Fn(usize) -> Vec3| {
            if line_ui(ui, "Axis", text, text == word) && text != word {
                let set = all.clone().filter_map(|i| {
                    let (handle, axis) = (chosen.handles[i], axis_of(i));
                    let look_at = Some(LookAt { axis, ..look(i)? });
                    Some(posing(chosen.mesh, Posing::LookAt { handle, look_at }))
                });
                page.out.push(Request::Apply(set.collect()));
            }
        };
        line(ui, "The bone", &along);
        for (name, axis) in AXES {
            line(ui, name, &|_| axis);
        }
    });
    let about = (
        HandleChannel::LookAtWeight,
        "Look-at weight",
        "How much look-at counts, multiplied by the weight of the handle.",
    );
    weight_row(ui, page, chosen, about, &|i, weight| {
        let handle = chosen.handles[i];
        let look_at = look(i).map(|look| LookAt { weight, ..look });
        Posing::LookAt { handle, look_at }
    });
}
