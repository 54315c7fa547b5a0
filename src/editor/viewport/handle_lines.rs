//! The lines around handles: to the tail of the bone, the weight, the reach, the orientation, and from a pole
//! to its joint.

use super::lines::OverlayLines;
use super::state::ViewportState;
use crate::edit::select::active_rig::ActiveRig;
use crate::edit::select::selection::Selection;
use crate::edit::tool::gizmo::{arc, circle, dashes};
use crate::editor::projection::layers::color;
use crate::editor::ui::theme;
use crate::rig::skeleton::Handle;
use bevy::prelude::*;
use std::f32::consts::{FRAC_PI_2, TAU};

/// The radius of the arc that shows the weight as a part of a full circle, in pixels.
const WEIGHT_PX: f32 = 13.0;
/// The length of the sticks that show an orientation, in pixels.
const ORIENTATION_PX: f32 = 26.0;
const SEGMENTS: usize = 48;

/// A target beyond the reach by less than this part of it counts as within.
const SLACK: f32 = 1e-3;

pub fn draw(
    shown: &ActiveRig,
    selection: &Selection,
    state: &ViewportState,
    lines: &mut Gizmos<OverlayLines>,
) {
    let selected = selection.handles();
    for (index, handle) in shown.skeleton.handles.iter().enumerate() {
        let Some(target) = shown.handle_target(index) else {
            continue;
        };
        let hue = if handle.enabled { theme::viewport::HANDLE } else { theme::viewport::HANDLE_OFF };
        if let Some(tip) = shown.bone_tip(handle.bone as usize) {
            lines.line(tip, target, color(hue));
        }
        if handle.weight < 1.0 && handle.enabled {
            draw_weight(target, handle.weight, state, lines, color(hue));
        }
        draw_orientation(shown, handle, target, state, lines);
        if let (Some(pole), Some(joint)) = (shown.pole(index), shown.bend(index)) {
            for [from, to] in dashes(&state.view(), joint, pole) {
                lines.line(from, to, color(theme::viewport::POLE));
            }
        }
        if selected.contains(&index) {
            draw_reach(shown, index, target, state, lines);
        }
    }
}

/// Draws the weight of a handle as a part of a circle.
fn draw_weight(
    center: Vec3,
    weight: f32,
    state: &ViewportState,
    lines: &mut Gizmos<OverlayLines>,
    hue: Color,
) {
    let [right, up, _] = state.view().camera.axes();
    let radius = WEIGHT_PX * state.world_per_pixel(center);
    let whole = circle(center, right * radius, up * radius, SEGMENTS);
    lines.linestrip(whole, hue.with_alpha(0.25));
    lines.linestrip(arc(center, up * radius, right * radius, TAU * weight, SEGMENTS), hue);
}

/// Draws the axes of the bone in the orientation that the handle holds.
fn draw_orientation(
    shown: &ActiveRig,
    handle: &Handle,
    target: Vec3,
    state: &ViewportState,
    lines: &mut Gizmos<OverlayLines>,
) {
    let bone = shown.skeleton.bones.get(handle.bone as usize);
    let (Some(orientation), Some(bone)) = (handle.orientation, bone) else {
        return;
    };
    let length = ORIENTATION_PX * state.world_per_pixel(target);
    for (axis, hue) in crate::rig::kinematics::rotation_axes(bone).into_iter().zip(theme::AXES) {
        let direction = shown.world_from_skeleton.transform_vector3(orientation.rotation * axis.as_vec3());
        lines.line(target, target + direction.normalize_or_zero() * length, color(hue));
    }
}

/// Draws the reach of the chain as a circle that faces the viewer, and a line to a target beyond it.
fn draw_reach(
    shown: &ActiveRig,
    handle: usize,
    target: Vec3,
    state: &ViewportState,
    lines: &mut Gizmos<OverlayLines>,
) {
    let Some((start, radius)) = shown.reach(handle) else {
        return;
    };
    let [right, up, _] = state.view().camera.axes();
    let to_target = target - start;
    let beyond = to_target.length() > radius * (1.0 + SLACK);
    let (hue, alpha) = if beyond { (theme::viewport::WARNING, 0.9) } else { (theme::viewport::HANDLE, 0.3) };
    let hue = color(hue).with_alpha(alpha);
    if beyond {
        lines.linestrip(circle(start, right * radius, up * radius, 2 * SEGMENTS), hue);
        for [from, to] in dashes(&state.view(), start + to_target.normalize_or_zero() * radius, target) {
            lines.line(from, to, hue);
        }
        return;
    }
    // For a target within the reach, only the part of the circle near it.
    let toward = state.view().towards_camera(start);
    let flat = (to_target - toward * toward.dot(to_target)).normalize_or(right);
    let side = toward.cross(flat);
    let (sin, cos) = (-FRAC_PI_2 / 3.0).sin_cos();
    let (u, v) = (flat * cos + side * sin, side * cos - flat * sin);
    lines.linestrip(arc(start, u * radius, v * radius, FRAC_PI_2 / 1.5, SEGMENTS), hue);
}
