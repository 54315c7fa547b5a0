//! The tool in hand.
use super::super::Editor;
use super::super::overlay::OverLines;
use super::gesture::Gesture;
use crate::math::camera::Viewport;
use bevy::prelude::*;

#[derive(Default)]
pub struct ToolInHand {}

impl ToolInHand {
    pub fn is_dragging(&self) -> bool { false }
    pub fn hint(&self) -> Option<String> { None }
    pub fn draw(&self, _view: &Viewport, _lines: &mut Gizmos<OverLines>) {}
}

impl Editor {
    pub(super) fn tool_gesture(&mut self, _gesture: &Gesture) -> bool { false }
    pub(super) fn select_gesture(&mut self, _gesture: &Gesture) {}
}
