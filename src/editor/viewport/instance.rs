//! The gizmo of a selected instance in the Animate tab: its drags come before all else in the viewport.

use super::super::Editor;
use super::gesture::Gesture;
use crate::edit::request::Request;
use crate::edit::tool::gizmo::Modifiers;
use crate::edit::tool::instance::InstanceGizmo;

impl Editor {
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
            if let Some(at) = gesture.released.or(gesture.at) {
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
            }
            return true;
        }
        if tool.is_dragging() {
            tool.instance.leave();
            return false;
        }
        let gizmo = InstanceGizmo::of(&crate::edit::view::View {
            session: &self.session,
            evaluated: &self.evaluated,
            settings: &self.settings,
        });
        if let Some(at) = gesture.pressed.filter(|_| !gesture.alt) {
            tool.instance_previewed = false;
            let held = tool.instance.press(gizmo.as_ref(), &viewport, at);
            // On a slow machine both may come in one frame.
            if held && gesture.released.is_some() {
                tool.instance.end();
            }
            return held;
        }
        match gesture.at.filter(|_| self.viewport.hovered) {
            Some(at) => drop(tool.instance.hover(gizmo.as_ref(), &viewport, at)),
            None => tool.instance.leave(),
        }
        false
    }
}
