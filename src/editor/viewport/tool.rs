//! The tool in hand: gizmo drags, direct drags of balls, and presses that hold nothing and so select.

use super::gesture::Gesture;
use super::select::SelectGesture;
use super::{Gestures, ViewportState};
use crate::edit::hover::is_own_surface;
use crate::edit::pick::PickTarget;
use crate::edit::request::Request;
use crate::edit::stage::Stage;
use crate::edit::tool::gizmo::{Element, GizmoPart, GizmoShape, Modifiers, Paint, Role};
use crate::edit::tool::instance::{InstanceGizmo, InstanceTool};
use crate::edit::tool::{Hot, Press, ToolState};
use crate::edit::view::View;
use crate::editor::projection::layers::color;
use crate::editor::ui::theme;
use crate::editor::viewport::lines::OverLines;
use crate::math::camera::Viewport;
use bevy::prelude::*;

/// The state of the tool, and of a press that selects.
#[derive(Default)]
pub struct ToolInHand {
    state: ToolState,
    /// A press that holds nothing: a click, or a box to select by.
    pub(super) select: Option<SelectGesture>,
    /// What a press holds that selects nothing yet, since it adds or is repeated: selected by the drag, or by the click
    /// if the button comes up in place.
    waiting: Option<PickTarget>,
    /// The drag under way has been shown, so that there is a transaction.
    previewed: bool,
    /// While bones are drawn: gizmos and selection wait.
    pub(super) new_bone: Option<super::new_bone::Drawing>,
    /// The gizmo of a whole instance; asked before the others.
    pub(super) instance: InstanceTool,
    /// Its drag has been shown.
    pub(super) instance_previewed: bool,
    /// Where it was pressed, and what lies under it there.
    pub(super) instance_press: (Vec2, Option<PickTarget>),
}

impl ToolInHand {
    pub fn is_dragging(&self) -> bool {
        self.state.is_dragging() || self.instance.is_dragging() || self.draws_box().is_some()
    }

    /// Whether a part of a gizmo is under the pointer.
    pub fn is_over_gizmo(&self) -> bool {
        matches!(self.state.hot(), Some(Hot::Gizmo(_))) || self.instance.hot().is_some()
    }

    /// The box that is being drawn to select by.
    pub fn draws_box(&self) -> Option<&SelectGesture> {
        self.select.as_ref().filter(|select| select.is_box())
    }

    pub fn hint(&self) -> String {
        if let Some(drawing) = &self.new_bone {
            return drawing.tool.hint();
        }
        if self.draws_box().is_some() {
            return "Release to select · Shift adds · Esc or right click cancels".into();
        }
        if let Some(hint) = self.instance.hint() {
            return match self.instance.readout() {
                Some(readout) => format!("{readout}   {hint}"),
                None => hint,
            };
        }
        match self.state.readout() {
            Some(readout) => format!("{readout}   {}", self.state.hint()),
            None => self.state.hint(),
        }
    }

    /// Draws the gizmo of the selection.
    pub fn draw(&self, view: &View, viewport: &Viewport, lines: &mut Gizmos<OverLines>) {
        if let Some(drawing) = &self.new_bone {
            return drawing.draw(viewport, lines);
        }
        let stage = Stage::of(view);
        let shape = self
            .state
            .shape(stage.as_ref(), view.session.selection().part, viewport);
        let hot = match self.state.hot() {
            Some(Hot::Gizmo(part)) => Some(*part),
            _ => None,
        };
        draw_shape(&shape, hot, lines);
        let gizmo = InstanceGizmo::of(view);
        let shape = self.instance.shape(gizmo.as_ref(), viewport);
        draw_shape(&shape, self.instance.hot(), lines);
    }
}

fn draw_shape(shape: &GizmoShape, hot: Option<GizmoPart>, lines: &mut Gizmos<OverLines>) {
    for line in &shape.lines {
        lines.linestrip(line.points.iter().copied(), paint(line, hot));
    }
    for face in &shape.faces {
        let hue = paint(face, hot);
        // Lines have no inside: outlines within outlines fill it.
        let middle = face.points.iter().sum::<Vec3>() / face.points.len().max(1) as f32;
        for step in 0..10 {
            let inset = step as f32 * 0.1;
            lines.lineloop(face.points.iter().map(|p| p.lerp(middle, inset)), hue);
        }
    }
}

fn paint(element: &Element, hot: Option<GizmoPart>) -> Color {
    let hue = match element.role {
        Role::X => theme::AXES[0],
        Role::Y => theme::AXES[1],
        Role::Z => theme::AXES[2],
        Role::View => theme::TEXT_STRONG,
        Role::Bone => theme::viewport::SELECTED,
    };
    let alpha = match element.paint {
        Paint::Plain => 1.0,
        Paint::Faint => 0.35,
        Paint::Guide => 0.3,
    };
    if hot == Some(element.part) && element.paint != Paint::Guide {
        color(theme::viewport::HOVER).with_alpha(alpha)
    } else {
        color(hue).with_alpha(alpha)
    }
}

impl Gestures<'_> {
    /// True while the tool holds the pointer: then camera and selection wait.
    pub(super) fn tool_gesture(&mut self, gesture: &Gesture) -> bool {
        let viewport = self.viewport.view();
        let dragging = self.viewport.tool.state.is_dragging();
        if dragging && (gesture.esc || gesture.right_pressed || gesture.lost_focus) {
            self.viewport.tool.state.cancel();
            self.viewport.tool.waiting = None;
            self.requests.push(Request::Cancel);
            return true;
        }
        if dragging && self.viewport.tool.previewed && !self.session.in_transaction() {
            // Undo, delete or another document ended the transaction under the tool.
            self.viewport.tool.state.cancel();
            return true;
        }
        let Some(at) = gesture.at else {
            self.viewport.tool.state.leave();
            return dragging;
        };
        if dragging {
            let modifiers = Modifiers {
                snap: gesture.ctrl,
                fine: gesture.shift,
            };
            let at = gesture.released.unwrap_or(at);
            for key in &gesture.keys {
                self.viewport.tool.state.key(*key, &viewport);
            }
            let commands = self.viewport.tool.state.drag(&viewport, at, modifiers);
            let commands = self.settings.children.obeyed_by(commands);
            if !commands.is_empty() {
                if let Some(target) = self.viewport.tool.waiting.take() {
                    self.select_target(Some(&target), false);
                }
                self.viewport.tool.previewed = true;
                self.requests.push(Request::Preview(commands));
            }
            if gesture.released.is_some() || !gesture.held || gesture.enter {
                self.click_on_tool(gesture.shift || gesture.ctrl);
                self.viewport.tool.state.release();
                self.requests.push(Request::Commit);
                self.redraw.soon();
            }
            return true;
        }
        if self.viewport.tool.select.is_some() {
            return self.select_gesture(gesture);
        }
        self.viewport.tool.previewed = false;
        if let Some(at) = gesture.pressed.filter(|_| !gesture.alt) {
            return self.press(gesture, at);
        }
        let view = View {
            session: &self.session,
            evaluated: &self.shown.evaluated,
            settings: &self.settings,
        };
        let stage = Stage::of(&view);
        let selected = self.session.selection().part;
        let ViewportState {
            tool, over, hovered, ..
        } = &mut *self.viewport;
        let (state, over) = (&mut tool.state, over.as_ref());
        if *hovered {
            state.hover(stage.as_ref(), over, selected, &viewport, at);
        } else {
            state.leave();
        }
        false
    }

    /// The primary button went down at a point of the viewport, and on a slow machine may be up again.
    fn press(&mut self, gesture: &Gesture, at: Vec2) -> bool {
        let viewport = self.viewport.view();
        let adds = gesture.shift || gesture.ctrl;
        let view = View {
            session: &self.session,
            evaluated: &self.shown.evaluated,
            settings: &self.settings,
        };
        let over = self.pressed_on(gesture, at);
        let again = self.clicks_again(at);
        let stage = Stage::of(&view);
        let selected = self.session.selection().part;
        let state = &mut self.viewport.tool.state;
        match state.press(stage.as_ref(), over.as_ref(), selected, &viewport, at) {
            Press::Gizmo(_) => {
                if let Some(stage) = &stage {
                    state.move_along(stage, &self.session.selection().bones());
                }
            }
            Press::Grabbed(target) if adds || again => self.viewport.tool.waiting = Some(target),
            Press::Grabbed(target) => self.select_target(Some(&target), false),
            Press::Over(target) => {
                self.viewport.tool.select = Some(SelectGesture::new(at, target));
                return self.select_gesture(gesture);
            }
        }
        if gesture.released.is_some() {
            self.click_on_tool(adds);
            if self.viewport.tool.state.release() {
                self.requests.push(Request::Commit);
            }
        }
        false
    }

    /// What the primary button went down on.
    pub(super) fn pressed_on(&self, gesture: &Gesture, at: Vec2) -> Option<PickTarget> {
        // What the pointer was over before it went on is not known.
        match gesture.at.is_none_or(|now| now.distance(at) > 1.0) {
            true => self.under(at).into_iter().next(),
            false => self.viewport.over.clone(),
        }
    }

    /// The button came up where it went down on something that the tool holds.
    fn click_on_tool(&mut self, adds: bool) {
        self.viewport.tool.waiting = None;
        let state = &self.viewport.tool.state;
        let Some((at, target)) = state.clicked().map(|(at, target)| (at, target.clone())) else {
            return;
        };
        let through = state.holds_gizmo() && is_own_surface(self.session.selection(), &target);
        if !through {
            self.click(at, Some(target), adds);
        }
    }
}
