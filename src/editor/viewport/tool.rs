//! The tool in hand: gizmo drags, direct drags of balls, and clicks that select.

use super::super::Editor;
use super::super::overlay::OverLines;
use super::super::stage::color;
use super::super::ui::theme;
use super::gesture::Gesture;
use crate::edit::pick::PickTarget;
use crate::edit::request::Request;
use crate::edit::selection::Selection;
use crate::edit::stage::Stage;
use crate::edit::tool::gizmo::{Element, GizmoPart, Modifiers, Paint, Role};
use crate::edit::tool::{Hot, Press, ToolState, warm};
use crate::edit::view::View;
use crate::math::camera::Viewport;
use bevy::prelude::*;

/// The state of the tool, and what a click would select.
#[derive(Default)]
pub struct ToolInHand {
    state: ToolState,
    /// Pressed on, and selected if the button comes up there.
    clicked: Option<Option<PickTarget>>,
    /// The drag under way has been shown, so that there is a transaction.
    previewed: bool,
    /// While bones are drawn: gizmos and selection wait.
    pub(super) new_bone: Option<super::new_bone::Drawing>,
}

impl ToolInHand {
    pub fn is_dragging(&self) -> bool {
        self.state.is_dragging()
    }

    pub fn hint(&self) -> String {
        if let Some(drawing) = &self.new_bone {
            return drawing.tool.hint();
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
}

fn paint(element: &Element, hot: Option<GizmoPart>) -> Color {
    let hue = match element.role {
        Role::X => theme::AXES[0],
        Role::Y => theme::AXES[1],
        Role::Z => theme::AXES[2],
        Role::View => theme::TEXT_STRONG,
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

impl Editor {
    /// True while the tool holds the pointer: then camera and selection wait.
    pub(super) fn tool_gesture(&mut self, gesture: &Gesture) -> bool {
        let viewport = self.viewport.view();
        let dragging = self.viewport.tool.is_dragging();
        if dragging && (gesture.esc || gesture.right_pressed || gesture.lost_focus) {
            self.viewport.tool.state.cancel();
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
            let commands = self.viewport.tool.state.drag(&viewport, at, modifiers);
            let commands = self.warmed(commands);
            if !commands.is_empty() {
                self.viewport.tool.previewed = true;
                self.requests.push(Request::Preview(commands));
            }
            if gesture.released || !gesture.held {
                self.viewport.tool.state.release();
                self.requests.push(Request::Commit);
            }
            return true;
        }
        let view = View {
            session: &self.session,
            evaluated: &self.evaluated,
            settings: &self.settings,
        };
        let (stage, over) = (Stage::of(&view), self.viewport.over.as_ref());
        let selected = self.session.selection().part;
        self.viewport.tool.previewed = false;
        if gesture.pressed && !gesture.alt {
            match self
                .viewport
                .tool
                .state
                .press(stage.as_ref(), over, selected, &viewport, at)
            {
                Press::Gizmo(_) => {}
                Press::Grabbed(target) => self.select_target(Some(&target)),
                Press::Over(target) => self.viewport.tool.clicked = Some(target),
            }
            // On a slow machine both may come in one frame.
            if gesture.released && self.viewport.tool.state.release() {
                self.requests.push(Request::Commit);
            }
        } else if self.viewport.hovered {
            self.viewport
                .tool
                .state
                .hover(stage.as_ref(), over, selected, &viewport, at);
        } else {
            self.viewport.tool.state.leave();
        }
        false
    }

    /// With inverse kinematics on, a drag goes on from the pose that the solver last found.
    fn warmed(&self, commands: Vec<crate::edit::command::Command>) -> Vec<crate::edit::command::Command> {
        let solved = self
            .session
            .selection()
            .mesh
            .as_ref()
            .and_then(|mesh| self.evaluated.skinned.get(mesh))
            .filter(|posed| posed.ik.is_some());
        match solved {
            Some(posed) => {
                let poses: Vec<Vec3> = posed.skeleton.bones.iter().map(|bone| bone.pose_deg).collect();
                warm(commands, &poses)
            }
            None => commands,
        }
    }

    /// A click selects what was pressed on.
    pub(super) fn select_gesture(&mut self, gesture: &Gesture) {
        let pressed = if gesture.released {
            self.viewport.tool.clicked.take()
        } else {
            None
        };
        if let Some(target) = pressed.filter(|_| gesture.clicked) {
            self.select_target(target.as_ref());
        }
    }

    /// A click on nothing goes one level up.
    fn select_target(&mut self, target: Option<&PickTarget>) {
        let selection = self.session.selection();
        let new = match target {
            None => selection.outer(self.settings.tab),
            Some(PickTarget::Instance(instance)) => Selection::of_instance(self.session.scene(), instance),
            // The skin of the mesh that is worked on: the mesh, no part of it.
            Some(target) => selection.with_part(target.part()),
        };
        if new != *selection {
            self.requests.push(Request::Select(new));
        }
    }
}
