//! Reads the events of pointer and keys in the viewport in a frame from the widget's response: in order, with
//! the whole path of the pointer.

use crate::edit::tool::driver::{Event, Input, ToolController};
use crate::edit::tool::gizmo::Modifiers;
use crate::edit::tool::numeric::DragKey;
use crate::edit::tool::{Button, Sample};
use crate::editor::ui::drag_keys::{drag_keys, notches, own_key};
use bevy::prelude::Vec2;
use bevy_egui::egui::{self, Key, PointerButton};

const BUTTONS: [(PointerButton, Button); 3] = [
    (PointerButton::Primary, Button::Primary),
    (PointerButton::Secondary, Button::Secondary),
    (PointerButton::Middle, Button::Middle),
];

/// Returns the input of a frame. `origin`: the corner to which pixels are relative. `tool`: supplies the
/// button of the current drag, and the shortcuts.
pub fn read(
    response: &egui::Response,
    context: &egui::Context,
    origin: egui::Pos2,
    tool: &ToolController,
) -> Input {
    let (drag_button, own_keys) = (tool.drag_button(), tool.shortcuts());
    // Called before the input is locked, since the response locks it, too, which would deadlock.
    let contains_pointer = response.contains_pointer();
    let down_on = response.is_pointer_button_down_on();
    // While a menu is open, a press only closes it; one on the divider above a panel is not for the view behind it.
    let is_on_view = contains_pointer && (response.hovered() || down_on);
    let accepts_press = is_on_view && response.sense.senses_click();
    let local = |point: egui::Pos2| Vec2::new(point.x - origin.x, point.y - origin.y);
    context.input(|input| {
        let mut events = Vec::new();
        let mut pressure = 1.0;
        for event in &input.events {
            match event {
                egui::Event::Touch { force, .. } => pressure = force.unwrap_or(1.0),
                egui::Event::PointerMoved(position) => {
                    let pixel = local(*position);
                    events.push(Event::Moved(Sample { pixel, pressure }));
                }
                egui::Event::PointerButton { pos, button, pressed, modifiers } => {
                    let known = BUTTONS.iter().find(|(egui, _)| egui == button);
                    let (pixel, alt) = (local(*pos), modifiers.alt);
                    events.extend(known.and_then(|&(_, button)| {
                        if *pressed {
                            accepts_press.then_some(Event::Pressed { button, pixel, alt })
                        } else {
                            Some(Event::Released { button, pixel })
                        }
                    }));
                }
                egui::Event::MouseWheel { .. } => {
                    events.extend(contains_pointer.then(|| Event::Wheel(notches(event))));
                }
                egui::Event::Key { key: Key::Escape, pressed: true, .. } => events.push(Event::Escape),
                egui::Event::Key { key: Key::Enter, pressed: true, .. } => events.push(Event::Enter),
                event => match own_key(event, own_keys) {
                    Some(key) => events.push(Event::Key(DragKey::Shortcut(key))),
                    None => events.extend(drag_keys(event).into_iter().map(Event::Key)),
                },
            }
        }
        if !input.focused {
            events.push(Event::FocusLost);
        }
        let latest = input.pointer.latest_pos().map(local);
        // The release was not reported to us.
        if let (Some(button), Some(pixel), false) = (drag_button, latest, down_on) {
            events.push(Event::Released { button, pixel });
        }
        Input {
            events,
            pointer: latest.filter(|_| contains_pointer),
            modifiers: Modifiers { snap: input.modifiers.command, fine: input.modifiers.shift },
            ticks: 0,
        }
    })
}
