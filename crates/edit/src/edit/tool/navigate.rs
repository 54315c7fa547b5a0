//! The camera tool: the wheel zooms, and buttons do what the [`Preset`] defines.

use super::gizmo::Modifiers;
use super::{Button, Change, Click, Context, Drag, DragInput, Grab, Press, Tool, select};
use crate::edit::request::Navigation;
use crate::edit::settings::preset::Preset;
use glam::Vec2;

pub struct Navigate;

/// The effect of a drag on the camera.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Gesture {
    Orbit,
    Pan,
    Zoom,
}

/// Whether a press controls the camera.
fn controls_camera(press: &Press) -> bool {
    press.button != Button::Primary || press.alt
}

fn gesture(preset: Preset, button: Button, alt: bool, modifiers: Modifiers) -> Gesture {
    match (preset, button) {
        (Preset::Maya, Button::Secondary) if alt => Gesture::Zoom,
        (Preset::Maya, Button::Middle | Button::Secondary) => Gesture::Pan,
        (Preset::Blender, Button::Middle) if modifiers.snap => Gesture::Zoom,
        (_, Button::Secondary) => Gesture::Pan,
        _ if modifiers.fine => Gesture::Pan,
        _ => Gesture::Orbit,
    }
}

/// Returns the step of the camera for a drag that began at the pixel `first` and has `moved` since the last step.
/// `alt` is sampled at the press, the other modifiers during the drag.
pub fn drag_step(
    preset: Preset,
    (button, alt): (Button, bool),
    modifiers: Modifiers,
    first: Vec2,
    moved: Vec2,
) -> Navigation {
    match gesture(preset, button, alt, modifiers) {
        Gesture::Orbit => Navigation::Orbit(moved),
        Gesture::Pan => Navigation::Pan(moved),
        Gesture::Zoom => Navigation::Zoom { notches: (moved.x - moved.y) / NOTCH_PX, pixel: first },
    }
}

/// Pixels of a drag to the right or up that zoom as much as a notch of the wheel.
const NOTCH_PX: f32 = 30.0;

impl Tool for Navigate {
    fn press(&mut self, _: &Context, press: &Press) -> Option<Grab> {
        let drag =
            NavigateDrag { button: press.button, alt: press.alt, first: press.pixel, last: press.pixel };
        controls_camera(press).then(|| Grab::new(drag, Click::Nothing))?
    }

    fn wheel(&mut self, _: &Context, notches: f32, pixel: Vec2) -> Option<Navigation> {
        Some(Navigation::Zoom { notches, pixel })
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
        let moved = input.pixel() - std::mem::replace(&mut self.last, input.pixel());
        let preset = context.view.settings.options.mouse;
        let button = (self.button, self.alt);
        Change::Navigation(drag_step(preset, button, input.modifiers, self.first, moved))
    }

    /// A right click does not move the camera.
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
    fn buttons_follow_their_preset() {
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
            .map(|(button, alt, modifiers)| gesture(preset, button, alt, modifiers));
            assert_eq!(found, expected, "{preset:?}");
        }
    }
}
