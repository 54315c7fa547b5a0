//! What the pointer and the keys did in the viewport in a frame, read from the widget's response: in order, with the whole
//! way of the pointer.

use crate::edit::tool::driver::{Event, Input, ToolController};
use crate::edit::tool::gizmo::Modifiers;
use crate::edit::tool::numeric::DragKey;
use crate::edit::tool::{Button, Sample};
use crate::editor::ui::drag_keys::{drag_keys, own_key};
use bevy::prelude::Vec2;
use bevy_egui::egui::{self, Key, MouseWheelUnit, PointerButton};

const BUTTONS: [(PointerButton, Button); 3] = [
    (PointerButton::Primary, Button::Primary),
    (PointerButton::Secondary, Button::Secondary),
    (PointerButton::Middle, Button::Middle),
];

/// `origin`: the corner that pixels are given from. `tool`: has a button held, and keys of its own.
pub fn read(
    response: &egui::Response,
    context: &egui::Context,
    origin: egui::Pos2,
    tool: &ToolController,
) -> Input {
    let (held, own_keys) = (tool.held_button(), tool.own_keys());
    // Asked before the input is locked, since the response looks at it too: both at once never end.
    let here = response.contains_pointer();
    let down_on = response.is_pointer_button_down_on();
    // While a menu is open a press closes it and means nothing here.
    let listens = here && response.sense.senses_click();
    let local = |at: egui::Pos2| Vec2::new(at.x - origin.x, at.y - origin.y);
    context.input(|input| {
        let mut events = Vec::new();
        let mut pressure = 1.0;
        for event in &input.events {
            match event {
                egui::Event::Touch { force, .. } => pressure = force.unwrap_or(1.0),
                egui::Event::PointerMoved(at) => {
                    let at = local(*at);
                    events.push(Event::Moved(Sample { at, pressure }));
                }
                egui::Event::PointerButton {
                    pos,
                    button,
                    pressed,
                    modifiers,
                } => {
                    let known = BUTTONS.iter().find(|(egui, _)| egui == button);
                    let (at, alt) = (local(*pos), modifiers.alt);
                    events.extend(known.and_then(|&(_, button)| match pressed {
                        true => listens.then_some(Event::Pressed { button, at, alt }),
                        false => Some(Event::Released { button, at }),
                    }));
                }
                egui::Event::MouseWheel { unit, delta, .. } if here => {
                    events.push(Event::Wheel(match unit {
                        MouseWheelUnit::Line | MouseWheelUnit::Page => delta.y,
                        MouseWheelUnit::Point => delta.y / 40.0,
                    }))
                }
                egui::Event::Key {
                    key: Key::Escape,
                    pressed: true,
                    ..
                } => events.push(Event::Escape),
                egui::Event::Key {
                    key: Key::Enter,
                    pressed: true,
                    ..
                } => events.push(Event::Enter),
                event => match own_key(event, own_keys) {
                    Some(key) => events.push(Event::Key(DragKey::Own(key))),
                    None => events.extend(drag_keys(event).into_iter().map(Event::Key)),
                },
            }
        }
        if !input.focused {
            events.push(Event::FocusLost);
        }
        let at = input.pointer.latest_pos().map(local);
        // It came up where nobody told us.
        if let (Some(button), Some(at), false) = (held, at, down_on) {
            events.push(Event::Released { button, at });
        }
        Input {
            events,
            at: at.filter(|_| here),
            modifiers: Modifiers {
                snap: input.modifiers.command,
                fine: input.modifiers.shift,
            },
            ticks: 0,
        }
    })
}
