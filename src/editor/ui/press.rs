//! Where the pointer is pressed, however quickly it moves on.

use egui::{Event, Rect, Response, Ui};

/// Events that wait for the next frame. Egui looks for the widget that is pressed where the pointer is at the end of a
/// frame, and forgets a drag that ends in it: a quick drag, or a slow window, would take hold of something else, or
/// of nothing.
#[derive(Default)]
pub struct PacedEvents(Vec<Event>);

impl PacedEvents {
    /// Ends the events of a frame before the pointer moves on from a press, and before a button comes up that the pointer
    /// has moved with in this frame; the others come first in the next one. Returns whether any wait.
    pub fn pace(&mut self, events: &mut Vec<Event>) -> bool {
        events.splice(0..0, self.0.drain(..));
        let (mut is_pressed, mut has_moved) = (false, false);
        let end = events.iter().position(|event| match event {
            Event::PointerMoved(_) => {
                has_moved = true;
                is_pressed
            }
            Event::PointerButton { pressed, .. } => {
                let moved = std::mem::take(&mut has_moved);
                is_pressed |= *pressed;
                moved && !*pressed
            }
            _ => false,
        });
        self.0.extend(events.drain(end.unwrap_or(events.len())..));
        // They are the state of the keyboard, not something that happens to a widget.
        events.extend(self.0.extract_if(.., |event| matches!(event, Event::ModifiersChanged(_))));
        end.is_some()
    }
}

/// Whether the primary button was pressed in an area of a widget in this frame.
pub fn is_pressed_in(ui: &Ui, area: Rect, widget: &Response) -> bool {
    let press = ui.input(|i| i.pointer.press_origin().filter(|_| i.pointer.primary_pressed()));
    press.is_some_and(|point| area.contains(point)) && widget.is_pointer_button_down_on()
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::{Modifiers, PointerButton, Pos2, pos2};

    fn button(pos: Pos2, pressed: bool) -> Event {
        Event::PointerButton { pos, button: PointerButton::Primary, pressed, modifiers: Modifiers::NONE }
    }

    /// Returns the events frame by frame.
    fn frames(mut events: Vec<Event>) -> Vec<Vec<Event>> {
        let (mut paced, mut frames) = (PacedEvents::default(), Vec::new());
        loop {
            let waits = paced.pace(&mut events);
            frames.push(std::mem::take(&mut events));
            if !waits {
                return frames;
            }
        }
    }

    #[test]
    fn a_quick_drag_takes_three_frames() {
        let (from, to) = (pos2(3.0, 4.0), pos2(40.0, 4.0));
        let modifiers = Event::ModifiersChanged(Modifiers::SHIFT);
        let [arrive, press] = [Event::PointerMoved(from), button(from, true)];
        let [leave, release] = [Event::PointerMoved(to), button(to, false)];
        let all = [&arrive, &press, &leave, &release, &modifiers].map(Clone::clone);
        assert_eq!(frames(all.to_vec()), [vec![arrive, press, modifiers], vec![leave], vec![release]]);
    }

    #[test]
    fn clicks_and_moves_do_not_wait() {
        let at = pos2(3.0, 4.0);
        let click = [Event::PointerMoved(at), button(at, true), button(at, false)];
        assert_eq!(frames(click.to_vec()).len(), 1);
        let double = [&click[..], &click[1..]].concat();
        assert_eq!(frames(double).len(), 1);
        assert_eq!(frames(vec![Event::PointerMoved(at), Event::PointerMoved(at)]).len(), 1);
        assert_eq!(frames(Vec::new()), [vec![]]);
    }
}
