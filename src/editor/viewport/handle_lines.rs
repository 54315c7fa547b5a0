//! What is drawn around handles beside their balls: the way to the tip, how much they weigh, how far they reach, which way
//! they keep their bone turned, and the way from a pole to its joint.

use super::lines::OverLines;
use super::state::ViewportState;
use crate::edit::active_rig::ActiveRig;
use crate::edit::selection::Selection;
use crate::edit::tool::gizmo::{arc, circle, dashes};
use crate::editor::projection::layers::color;
use crate::editor::ui::theme;
use crate::rig::skeleton::Handle;
use bevy::prelude::*;
use std::f32::consts::{FRAC_PI_2, TAU};

/// Around the ball, in pixels: an arc as long as the weight is of a full circle.
const WEIGHT_PX: f32 = 13.0;
/// The length of the sticks that show an orientation.
const TURN_PX: f32 = 26.0;
const SEGMENTS: usize = 48;

/// `outside` of its reach by less than this part of it, a target is within.
const SLACK: f32 = 1e-3;

pub fn draw(shown: &ActiveRig, selection: &Selection, state: &ViewportState, lines: &mut Gizmos<OverLines>) {
    let chosen = selection.handles();
    for (at, handle) in shown.skeleton.handles.iter().enumerate() {
        let Some(target) = shown.handle_target(at) else {
            continue;
        };
        let selected = chosen.contains(&at);
        let hue = match handle.enabled {
            true => theme::viewport::HANDLE,
            false => theme::viewport::HANDLE_OFF,
        };
        if let Some(tip) = shown.bone_tip(handle.bone as usize) {
            lines.line(tip, target, color(hue));
        }
        if handle.weight < 1.0 && handle.enabled {
            weight(target, handle.weight, state, lines, color(hue));
        }
        turn(shown, handle, target, state, lines);
        if let (Some(pole), Some(joint)) = (shown.pole(at), shown.bend(at)) {
            for [from, to] in dashes(&state.view(), joint, pole) {
                lines.line(from, to, color(theme::viewport::POLE));
            }
        }
        if selected {
            reach(shown, at, target, state, lines);
        }
    }
}

fn weight(at: Vec3, weight: f32, state: &ViewportState, lines: &mut Gizmos<OverLines>, hue: Color) {
    let [right, up, _] = state.view().camera.axes();
    let radius = WEIGHT_PX * state.world_per_pixel(at);
    let around = circle(at, right * radius, up * radius, SEGMENTS);
    lines.linestrip(around, hue.with_alpha(0.25));
    lines.linestrip(arc(at, up * radius, right * radius, TAU * weight, SEGMENTS), hue);
}

/// The bone's own axes as they are kept.
fn turn(shown: &ActiveRig, handle: &Handle, at: Vec3, state: &ViewportState, lines: &mut Gizmos<OverLines>) {
    let (Some(turn), Some(bone)) = (handle.orientation, shown.skeleton.bones.get(handle.bone as usize))
    else {
        return;
    };
    let length = TURN_PX * state.world_per_pixel(at);
    for (axis, hue) in crate::rig::kinematics::rotation_axes(bone)
        .into_iter()
        .zip(theme::AXES)
    {
        let way = shown
            .world_from_skeleton
            .transform_vector3(turn.rotation * axis.as_vec3());
        lines.line(at, at + way.normalize_or_zero() * length, color(hue));
    }
}

/// How far the chain reaches: a circle that faces the viewer; where the target is beyond it, a line from there.
fn reach(
    shown: &ActiveRig,
    handle: usize,
    target: Vec3,
    state: &ViewportState,
    lines: &mut Gizmos<OverLines>,
) {
    let Some((start, radius)) = shown.reach(handle) else {
        return;
    };
    let [right, up, _] = state.view().camera.axes();
    let way = target - start;
    let beyond = way.length() > radius * (1.0 + SLACK);
    let (hue, alpha) = match beyond {
        true => (theme::WARNING, 0.9),
        false => (theme::viewport::HANDLE, 0.3),
    };
    let hue = color(hue).with_alpha(alpha);
    if beyond {
        lines.linestrip(circle(start, right * radius, up * radius, 2 * SEGMENTS), hue);
        for [from, to] in dashes(&state.view(), start + way.normalize_or_zero() * radius, target) {
            lines.line(from, to, hue);
        }
        return;
    }
    // Within it, a piece of the circle beside the target.
    let toward = state.view().towards_camera(start);
    let flat = (way - toward * toward.dot(way)).normalize_or(right);
    let side = toward.cross(flat);
    let (sin, cos) = (-FRAC_PI_2 / 3.0).sin_cos();
    let (u, v) = (flat * cos + side * sin, side * cos - flat * sin);
    lines.linestrip(arc(start, u * radius, v * radius, FRAC_PI_2 / 1.5, SEGMENTS), hue);
}
