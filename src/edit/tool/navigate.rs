//! The camera: the middle button or Alt orbits, with Shift it pans; the right button pans, the wheel zooms.

use super::gizmo::Modifiers;
use super::{Button, Change, Click, Context, Drag, DragInput, Hold, Press, Tool, select};
use glam::Vec2;

/// A step of the camera, in pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Navigation {
    Orbit(Vec2),
    Pan(Vec2),
    /// Towards what is at a pixel, by notches of the wheel.
    Zoom {
        notches: f32,
        at: Vec2,
    },
}

pub struct Navigate;

impl Tool for Navigate {
    fn press(&mut self, _: &Context, press: &Press) -> Option<Hold> {
        let ours = press.button != Button::Primary || press.alt;
        let (button, last) = (press.button, press.at);
        ours.then(|| Hold::new(NavigateDrag { button, last }, Click::Nothing))?
    }

    fn wheel(&mut self, _: &Context, notches: f32, at: Vec2) -> Option<Navigation> {
        Some(Navigation::Zoom { notches, at })
    }
}

struct NavigateDrag {
    button: Button,
    last: Vec2,
}

impl NavigateDrag {
    fn pans(&self, modifiers: Modifiers) -> bool {
        self.button == Button::Secondary || modifiers.fine
    }
}

impl Drag for NavigateDrag {
    fn drag(&mut self, _: &Context, input: &DragInput) -> Change {
        let moved = input.at() - std::mem::replace(&mut self.last, input.at());
        Change::Navigation(match self.pans(input.modifiers) {
            true => Navigation::Pan(moved),
            false => Navigation::Orbit(moved),
        })
    }

    /// A right click moves nothing.
    fn threshold(&self) -> f32 {
        match self.button {
            Button::Secondary => select::CLICK_PX,
            _ => 0.0,
        }
    }
}
