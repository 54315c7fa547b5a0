//! The gizmo of a selected instance in the Animate tab: its drags come before all else in the viewport.

use super::Gestures;
use super::gesture::Gesture;
use super::select::CLICK_PX;
use crate::edit::request::Request;
use crate::edit::tool::gizmo::Modifiers;
use crate::edit::tool::instance::InstanceGizmo;
use bevy::prelude::Vec2;

impl Gestures<'_> {
    /// True while the gizmo holds the pointer: then everything else waits.
    pub(super) fn instance_gesture(&mut self, gesture: &Gesture) -> bool {
        let viewport = self.viewport.view();
        let tool = &mut self.viewport.tool;
        if tool.instance.is_dragging() {
            if gesture.esc || gesture.right_pressed || gesture.lost_focus {
                tool.instance.end();
                self.requests.push(Request::Cancel);
                return true;
            }
            if tool.instance_previewed && !self.session.in_transaction() {
                // Undo, delete or another document ended the transaction under the tool.
                tool.instance.end();
                return true;
            }
            let at = gesture.released.or(gesture.at);
            let far = |at: &Vec2| at.distance(tool.instance_press.0) >= CLICK_PX;
            let moved = tool.instance_previewed || !gesture.keys.is_empty() || at.as_ref().is_some_and(far);
            if let Some(at) = at.filter(|_| moved) {
                let modifiers = Modifiers {
                    snap: gesture.ctrl,
                    fine: gesture.shift,
                };
                for key in &gesture.keys {
                    tool.instance.key(*key, &viewport);
                }
                let commands = tool.instance.drag(&viewport, at, modifiers);
                if !commands.is_empty() {
                    tool.instance_previewed = true;
                    self.requests.push(Request::Preview(commands));
                }
            }
            if gesture.released.is_some() || !gesture.held || gesture.enter {
                tool.instance.end();
                self.requests.push(Request::Commit);
                if !moved {
                    self.click_under_gizmo(gesture);
                }
            }
            return true;
        }
        if tool.is_dragging() {
            tool.instance.leave();
            return false;
        }
        let gizmo = InstanceGizmo::of(&crate::edit::view::View {
            session: &self.session,
            evaluated: &self.shown.evaluated,
            settings: &self.settings,
        });
        if let Some(at) = gesture.pressed.filter(|_| !gesture.alt) {
            tool.instance_previewed = false;
            let held = tool.instance.press(gizmo.as_ref(), &viewport, at);
            if held {
                let under = self.pressed_on(gesture, at);
                self.viewport.tool.instance_press = (at, under);
                // On a slow machine both may come in one frame.
                if gesture.released.is_some() {
                    self.viewport.tool.instance.end();
                    self.click_under_gizmo(gesture);
                }
            }
            return held;
        }
        let hovered = self.viewport.hovered;
        let tool = &mut self.viewport.tool;
        match gesture.at.filter(|_| hovered) {
            Some(at) => drop(tool.instance.hover(gizmo.as_ref(), &viewport, at)),
            None => tool.instance.leave(),
        }
        false
    }

    /// The press was no drag: it means what lies under the gizmo.
    fn click_under_gizmo(&mut self, gesture: &Gesture) {
        let (at, under) = std::mem::take(&mut self.viewport.tool.instance_press);
        if under.is_some() {
            self.click(at, under, gesture.shift || gesture.ctrl);
        }
    }
}
