//! Rows of a joint: its limits, and its preferred pose.

use super::Page;
use super::selected::Selected;
use crate::edit::request::Request;
use crate::edit::time::key_state::KeyState;
use crate::editor::ui::keyed::tick_ui;
use crate::editor::ui::mixed_value::{mixed_checkbox, mixed_scalar_ui, mixed_vector_rows};
use crate::editor::ui::number::Number;
use crate::editor::ui::row::value_row;
use crate::editor::ui::theme;
use crate::rig::limits::{Limits, MAX_Y_DEG};
use crate::rig::skeleton::Bone;
use egui::{RichText, Ui};
use glam::Vec3;

/// The initial extent of a new range to both sides, in degrees; it is extended to include the current angle.
const FIRST_RANGE: f32 = 45.0;

const PREFERRED: &str = "A pose in which the joint bends the right way: IK starts again from it if it does not reach its \
                         targets. Switching it on takes the current pose of the bone.";

pub(super) fn limit_rows(ui: &mut Ui, page: &mut Page, chosen: &Selected<Bone>) {
    for axis in 0..3 {
        limit_row(ui, page, chosen, axis);
    }
    let wide = |[low, high]: [f32; 2]| low < -MAX_Y_DEG || high > MAX_Y_DEG;
    if chosen.values(|b| b.limits_deg.0[1]).current.into_iter().flatten().any(wide) {
        let text = format!("With y beyond {MAX_Y_DEG}°, x and z turn about nearly the same axis.");
        ui.label(RichText::new(text).color(theme::TEXT_QUIET));
    }
}

/// Draws a checkbox for an axis, and the lower and upper limit of its angle while it is limited.
fn limit_row(ui: &mut Ui, page: &mut Page, chosen: &Selected<Bone>, axis: usize) {
    let name = theme::AXIS_NAMES[axis];
    let ranges = chosen.values(|b| b.limits_deg.0[axis]);
    let limited: Vec<bool> = ranges.current.iter().map(Option::is_some).collect();
    let limit_command = |i: usize, range: Option<[f32; 2]>| {
        let Limits(mut ranges) = chosen.before[chosen.indices[i]].limits_deg;
        ranges[axis] = range;
        chosen.set(i, "limits", Limits(ranges))
    };
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = theme::SMALL_GAP;
        let tip = format!("How far the bone may turn about its own {name} axis, in degrees. IK, rings and sliders stop there.");
        let label = format!("Limit {name}");
        let left = ui.cursor().left();
        let tick = mixed_checkbox(&limited, &label, |tick| tick_ui(ui, KeyState::Static, tick, &tip));
        if let Some(enabled) = tick {
            let first = |i: usize| {
                let angle = chosen.now[chosen.indices[i]].pose_deg[axis];
                ranges.current[i].unwrap_or([angle.min(-FIRST_RANGE), angle.max(FIRST_RANGE)])
            };
            let commands = (0..limited.len()).map(|i| limit_command(i, enabled.then(|| first(i))));
            page.out.push(Request::Apply(commands.collect()));
        }
        if !limited.iter().all(|enabled| *enabled) {
            return;
        }
        ui.add_space((left + theme::NAME_WIDTH + theme::SMALL_GAP - ui.cursor().left()).max(0.0));
        let width = (ui.available_width() - theme::SMALL_GAP) / 2.0;
        let limits = |side: usize| ranges.map(|range| range.map_or(0.0, |range| range[side]));
        for (side, word, caption) in [(0, "from", "min"), (1, "to", "max")] {
            let label = format!("{label} {word}");
            let number = Number {
                axis: Some(axis),
                caption: Some(caption),
                ..Number::degrees(&label, &tip)
            };
            // Dragging one limit past the other moves both.
            let set = |i: usize, angle: f32| {
                let mut range = ranges.before[i].unwrap_or_default();
                range[side] = angle;
                range[1 - side] = match side {
                    0 => range[1].max(angle),
                    _ => range[0].min(angle),
                };
                vec![limit_command(i, Some(range))]
            };
            mixed_scalar_ui(ui, page.fields, &number, &limits(side), width, page.out, &set);
        }
    });
}

pub(super) fn preferred_rows(ui: &mut Ui, page: &mut Page, chosen: &Selected<Bone>) {
    let preferred = chosen.values(|b| b.preferred_deg);
    let preferring: Vec<bool> = preferred.current.iter().map(Option::is_some).collect();
    let set = |i: usize, pose_deg: Option<Vec3>| chosen.set(i, "preferred", pose_deg);
    let tick = mixed_checkbox(&preferring, "Prefer a pose", |tick| {
        value_row(ui, |ui| tick_ui(ui, KeyState::Static, tick, PREFERRED))
    });
    if let Some(enabled) = tick {
        let pose = |i: usize| {
            let bone = &chosen.now[chosen.indices[i]];
            bone.limits_deg.clamp(bone.pose_deg)
        };
        let commands = (0..preferred.current.len()).map(|i| set(i, enabled.then(|| pose(i))));
        page.out.push(Request::Apply(commands.collect()));
    }
    if !preferring.iter().all(|prefers| *prefers) {
        return;
    }
    let values = preferred.map(|pose| pose.unwrap_or_default());
    let number = Number::degrees("Angles", PREFERRED);
    let set = |i: usize, pose_deg| vec![set(i, Some(pose_deg))];
    mixed_vector_rows(ui, page.fields, "Angles", &number, &values, None, page.out, &set);
}
