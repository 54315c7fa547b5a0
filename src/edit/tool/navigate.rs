//! The camera: the wheel zooms, and buttons do what the [`Preset`] says.

use super::gizmo::Modifiers;
use super::{Button, Change, Click, Context, Drag, DragInput, Hold, Press, Tool, select};
use crate::edit::preset::Preset;
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

/// What a drag does with the camera.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Gesture {
    Orbit,
    Pan,
    Zoom,
}

/// Whether a press is one of the camera's.
fn is_ours(press: &Press) -> bool {
    press.button != Button::Primary || press.alt
}

/// `alt` counts when the button goes down, the other keys while it is held.
fn gesture(preset: Preset, button: Button, alt: bool, held: Modifiers) -> Gesture {
    match (preset, button) {
        (Preset::Maya, Button::Secondary) if alt => Gesture::Zoom,
        (Preset::Maya, Button::Middle | Button::Secondary) => Gesture::Pan,
        (Preset::Blender, Button::Middle) if held.snap => Gesture::Zoom,
        (_, Button::Secondary) => Gesture::Pan,
        _ if held.fine => Gesture::Pan,
        _ => Gesture::Orbit,
    }
}

/// Pixels of a drag to the right or up that zoom as much as a notch of the wheel.
const NOTCH_PX: f32 = 30.0;

impl Tool for Navigate {
    fn press(&mut self, _: &Context, press: &Press) -> Option<Hold> {
        let drag = NavigateDrag {
            button: press.button,
            alt: press.alt,
            first: press.at,
            last: press.at,
        };
        is_ours(press).then(|| Hold::new(drag, Click::Nothing))?
    }

    fn wheel(&mut self, _: &Context, notches: f32, at: Vec2) -> Option<Navigation> {
        Some(Navigation::Zoom { notches, at })
    }
}

struct NavigateDrag {
    button: Button,
    alt: bool,
    first: Vec2,
    last: Vec2,
}

impl Drag for NavigateDrag {
    fn drag(&mut self, context: &Context, input: &DragInput) -> Change {
        let moved = input.at() - std::mem::replace(&mut self.last, input.at());
        let preset = context.view.settings.options.mouse;
        Change::Navigation(match gesture(preset, self.button, self.alt, input.modifiers) {
            Gesture::Orbit => Navigation::Orbit(moved),
            Gesture::Pan => Navigation::Pan(moved),
            Gesture::Zoom => Navigation::Zoom {
                notches: (moved.x - moved.y) / NOTCH_PX,
                at: self.first,
            },
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buttons_do_what_their_preset_says() {
        use Button::{Middle, Primary, Secondary};
        use Gesture::{Orbit, Pan, Zoom};
        let none = Modifiers::default();
        let (ctrl, shift) = (Modifiers { snap: true, ..none }, Modifiers { fine: true, ..none });
        for (preset, expected) in [
            (Preset::Ossature, [Orbit, Pan, Orbit, Pan, Orbit, Orbit, Pan]),
            (Preset::Blender, [Orbit, Pan, Zoom, Pan, Orbit, Orbit, Pan]),
            (Preset::Maya, [Pan, Pan, Pan, Pan, Orbit, Pan, Zoom]),
        ] {
            let found = [
                (Middle, false, none),
                (Middle, false, shift),
                (Middle, false, ctrl),
                (Secondary, false, none),
                (Primary, true, none),
                (Middle, true, none),
                (Secondary, true, none),
            ]
            .map(|(button, alt, held)| gesture(preset, button, alt, held));
            assert_eq!(found, expected, "{preset:?}");
        }
    }
}
