//! New bone in the viewport: the pointer aims, a click sets, keys take back and end.

use super::ToolInHand;
use super::gesture::Gesture;
use crate::edit::action::Action;
use crate::edit::pick::{PickTarget, Pickable};
use crate::edit::request::Request;
use crate::edit::tool::gizmo::Modifiers;
use crate::edit::tool::new_bone::{NewBone, Next};
use crate::editor::Editor;
use crate::editor::ui::theme;
use crate::editor::viewport::cameras::color;
use crate::editor::viewport::overlay::{OverLines, dashes};
use crate::math::camera::Viewport;
use bevy::prelude::*;
use std::f32::consts::TAU;

/// The tool, and whether the button went down in the viewport since.
pub struct Drawing {
    pub tool: NewBone,
    pressed: bool,
}

impl Drawing {
    /// The bone that follows the pointer: its axis, its capsule in outline, its joints, what it snapped to.
    pub fn draw(&self, viewport: &Viewport, lines: &mut Gizmos<OverLines>) {
        let Some(live) = self.tool.live() else { return };
        let hue = color(theme::viewport::SELECTED);
        let [right, up, back] = viewport.camera.axes();
        let ring = |center: Vec3, u: Vec3, v: Vec3| {
            (0..=32).map(move |i| {
                let (sin, cos) = (TAU * i as f32 / 32.0).sin_cos();
                center + u * cos + v * sin
            })
        };
        let pixel = viewport.world_per_pixel(live.point);
        for size in [1.0, 2.5, 4.0] {
            lines.linestrip(ring(live.point, right * size * pixel, up * size * pixel), hue);
        }
        if let Next::Bone { start, link_from, .. } = live.next
            && !live.too_short
        {
            if let Some(from) = link_from {
                dashes(viewport, from, start, lines);
            }
            lines.line(start, live.point, hue);
            let (radius, faint) = (live.radius, hue.with_alpha(0.55));
            let along = (live.point - start).normalize_or(Vec3::Y);
            let side = along.cross(back).normalize_or(along.any_orthonormal_vector());
            let (u, v) = (side * radius, side.cross(along) * radius);
            for end in [start, live.point] {
                lines.linestrip(ring(end, u, v), faint);
            }
            for (end, cap) in [(start, -along), (live.point, along)] {
                let half = (0..=16).map(|i| {
                    let (sin, cos) = (0.5 * TAU * i as f32 / 16.0).sin_cos();
                    end + u * cos + cap * radius * sin
                });
                lines.linestrip(half, faint);
            }
            for side in [u, -u] {
                lines.line(start + side, live.point + side, faint);
            }
        }
        let mark = color(theme::viewport::HOVER);
        let snapped = live.snapped.iter();
        for marks in snapped.flat_map(|to| to.marks(viewport, live.point)) {
            lines.linestrip(marks, mark);
        }
    }
}

impl ToolInHand {
    /// Whether bones are being drawn.
    pub fn draws_bones(&self) -> bool {
        self.new_bone.is_some()
    }

    /// What the next click does, while bones are drawn.
    pub fn prompt(&self) -> Option<&str> {
        self.new_bone.as_ref().map(|drawing| drawing.tool.prompt())
    }
}

impl Editor {
    /// Begins to draw bones, or ends it. Asked for by its action.
    pub(in crate::editor) fn new_bone(&mut self) {
        let tool = &mut self.viewport.tool;
        let Some(mesh) = self.session.selection().mesh.clone() else {
            return;
        };
        if tool.new_bone.take().is_none() {
            // A drag under way ends first; the window never asks for this in one.
            if tool.is_dragging() {
                self.session.cancel();
                *tool = ToolInHand::default();
            }
            let since = self.session.history().cursor();
            tool.new_bone = Some(Drawing {
                tool: NewBone::new(mesh, since),
                pressed: false,
            });
        }
    }

    /// Whether bones are being drawn. Ends it where its mesh or its tab is left.
    pub(super) fn draws_bones(&mut self) -> bool {
        let (mesh, tab) = (self.session.selection().mesh.as_deref(), self.settings.tab);
        let drawing = &mut self.viewport.tool.new_bone;
        if drawing
            .as_ref()
            .is_some_and(|drawing| !drawing.tool.belongs_to(mesh, tab))
        {
            *drawing = None;
        }
        drawing.is_some()
    }

    /// The pointer and the keys while bones are drawn.
    pub(super) fn new_bone_gesture(&mut self, gesture: &Gesture) {
        let viewport = self.viewport.view();
        let Some(mut drawing) = self.viewport.tool.new_bone.take() else {
            return;
        };
        if gesture.esc || gesture.enter || gesture.right_clicked {
            self.draw_soon();
            return;
        }
        let set_since = self.session.history().cursor() > drawing.tool.since;
        if gesture.backspace && !gesture.ctrl && set_since {
            self.requests.push(Request::Act(Action::UNDO));
        }
        if gesture.lost_focus {
            drawing.pressed = false;
            drawing.tool.release();
        }
        let held = drawing.pressed && gesture.held;
        let at = gesture
            .released
            .or(gesture.at)
            .filter(|_| !gesture.lost_focus && (self.viewport.hovered || held));
        let view = self.view();
        let pickable = Pickable::of(&view);
        let selected = view.session.selection().part;
        match (&pickable.stage, at) {
            (Some(stage), Some(at)) => {
                let skin = pickable.surfaces.iter().find(|s| s.target == PickTarget::Skin);
                let modifiers = Modifiers {
                    snap: gesture.ctrl,
                    fine: gesture.shift,
                };
                // On a slow machine the pointer has gone on since the press.
                if let Some(pressed) = gesture.pressed.filter(|_| !gesture.alt) {
                    drawing.tool.release();
                    drawing
                        .tool
                        .aim(stage, selected, skin, &viewport, pressed, modifiers);
                    drawing.tool.press(&viewport, pressed);
                }
                drawing.tool.aim(stage, selected, skin, &viewport, at, modifiers);
            }
            (Some(stage), None) => drawing.tool.leave(stage, selected),
            (None, _) => {}
        }
        drawing.pressed |= gesture.pressed.is_some() && !gesture.alt;
        if drawing.pressed && gesture.released.is_some() {
            drawing.pressed = false;
            drawing.tool.release();
            if let Some((command, select)) = drawing.tool.set() {
                self.requests.push(Request::Apply(vec![command]));
                if select.is_some() {
                    let selection = self.session.selection().with_part(select);
                    self.requests.push(Request::Select(selection));
                }
            }
        }
        self.viewport.tool.new_bone = Some(drawing);
    }
}
