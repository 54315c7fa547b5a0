//! What a joint can do, in both tabs: limits, stiffness, preferred pose.

use super::Page;
use super::chosen_bones::Chosen;
use crate::edit::command::{Command, Posing};
use crate::edit::key_state::KeyState;
use crate::edit::request::Request;
use crate::editor::ui::keyed::tick_ui;
use crate::editor::ui::list::section_ui;
use crate::editor::ui::mixed_value::{MixedValue, scalar_of, tick_of, vector_rows_of};
use crate::editor::ui::number::Number;
use crate::editor::ui::theme;
use crate::rig::limits::{Limits, WIDEST_Y};
use egui::{Id, RichText, Ui};
use glam::Vec3;

/// A range that is switched on goes this far to both sides, and as far as the bone is turned.
const FIRST_RANGE: f32 = 45.0;

const PREFERRED: &str = "A pose in which the joint bends the right way: IK starts again from it if it does not reach its \
                         targets. Switching it on takes the current pose of the bone.";

/// Folded at first.
pub(super) fn joint_ui(ui: &mut Ui, page: &mut Page, chosen: &Chosen) {
    section_ui(ui, Id::new("joint section"), "Joint", false, |ui| {
        for axis in 0..3 {
            limit_row(ui, page, chosen, axis);
        }
        let wide = |[low, high]: [f32; 2]| low < -WIDEST_Y || high > WIDEST_Y;
        if chosen
            .values(|b| b.limits_deg.0[1])
            .now
            .into_iter()
            .flatten()
            .any(wide)
        {
            let text = format!("With y beyond {WIDEST_Y}°, x and z turn about nearly the same axis.");
            ui.label(RichText::new(text).color(theme::TEXT_QUIET));
        }
        let stiffness = Number {
            min: 0.0,
            max: 1.0,
            ..Number::new(
                "Stiffness",
                "How strongly the bone resists IK about each axis. 0: it turns freely. 1: not at all.",
            )
        };
        let values = chosen.values(|b| b.stiffness);
        let set = |i: usize, stiffness| {
            let bone = chosen.bones[i];
            posing(page.mesh, Posing::Stiffness { bone, stiffness })
        };
        vector_rows_of(
            ui,
            page.fields,
            "Stiffness",
            &stiffness,
            &values,
            None,
            page.out,
            &set,
        );
        preferred_rows(ui, page, chosen);
    });
}

fn posing(mesh: &str, value: Posing) -> Command {
    let mesh = mesh.to_owned();
    Command::SetPosing { mesh, value }
}

/// A tick for an angle, and its least and greatest value while it is limited.
fn limit_row(ui: &mut Ui, page: &mut Page, chosen: &Chosen, axis: usize) {
    let name = theme::AXIS_NAMES[axis];
    let ranges = chosen.values(|b| b.limits_deg.0[axis]);
    let limited: Vec<bool> = ranges.now.iter().map(Option::is_some).collect();
    let with = |i: usize, range: Option<[f32; 2]>| {
        let bone = chosen.bones[i];
        let Limits(mut ranges) = chosen.before.bones[bone].limits_deg;
        ranges[axis] = range;
        let limits = Limits(ranges);
        posing(page.mesh, Posing::Limits { bone, limits })
    };
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = theme::SMALL_GAP;
        let tip = format!("How far the bone may turn about its own {name} axis, in degrees. IK, rings and sliders stop there.");
        let label = format!("Limit {name}");
        let left = ui.cursor().left();
        let tick = tick_of(&limited, &label, |tick| tick_ui(ui, KeyState::Static, tick, &tip));
        if let Some(on) = tick {
            let first = |i: usize| {
                let angle = chosen.now.bones[chosen.bones[i]].pose_deg[axis];
                ranges.now[i].unwrap_or([angle.min(-FIRST_RANGE), angle.max(FIRST_RANGE)])
            };
            let commands = (0..limited.len()).map(|i| with(i, on.then(|| first(i))));
            page.out.push(Request::Apply(commands.collect()));
        }
        if !limited.iter().all(|on| *on) {
            return;
        }
        ui.add_space((left + theme::NAME_WIDTH - ui.cursor().left()).max(0.0));
        let width = (ui.available_width() - theme::SMALL_GAP) / 2.0;
        let now = |side: usize| {
            let of = |ranges: &[Option<[f32; 2]>]| ranges.iter().map(|r| r.map_or(0.0, |r| r[side])).collect();
            MixedValue {
                now: of(&ranges.now),
                before: of(&ranges.before),
                active: ranges.active,
            }
        };
        for (side, word) in [(0, "from"), (1, "to")] {
            let label = format!("{label} {word}");
            let number = Number {
                axis: Some(axis),
                ..Number::degrees(&label, &tip)
            };
            // The other end goes along where it would be passed.
            let set = |i: usize, angle: f32| {
                let mut range = ranges.before[i].unwrap_or_default();
                range[side] = angle;
                range[1 - side] = match side {
                    0 => range[1].max(angle),
                    _ => range[0].min(angle),
                };
                with(i, Some(range))
            };
            scalar_of(ui, page.fields, &number, &now(side), width, page.out, &set);
        }
    });
}

fn preferred_rows(ui: &mut Ui, page: &mut Page, chosen: &Chosen) {
    let preferred = chosen.values(|b| b.preferred_deg);
    let on: Vec<bool> = preferred.now.iter().map(Option::is_some).collect();
    let set = |i: usize, pose_deg: Option<Vec3>| {
        let bone = chosen.bones[i];
        posing(page.mesh, Posing::Preferred { bone, pose_deg })
    };
    let tick = tick_of(&on, "Prefer a pose", |tick| {
        tick_ui(ui, KeyState::Static, tick, PREFERRED)
    });
    if let Some(on) = tick {
        let pose = |i: usize| {
            let bone = &chosen.now.bones[chosen.bones[i]];
            bone.limits_deg.clamp(bone.pose_deg)
        };
        let commands = (0..preferred.now.len()).map(|i| set(i, on.then(|| pose(i))));
        page.out.push(Request::Apply(commands.collect()));
    }
    if !on.iter().all(|on| *on) {
        return;
    }
    let of = |poses: &[Option<Vec3>]| poses.iter().map(|pose| pose.unwrap_or_default()).collect();
    let values = MixedValue {
        now: of(&preferred.now),
        before: of(&preferred.before),
        active: preferred.active,
    };
    let number = Number::degrees("Angles", PREFERRED);
    let set = |i: usize, pose_deg| set(i, Some(pose_deg));
    vector_rows_of(ui, page.fields, "Angles", &number, &values, None, page.out, &set);
}
