//! One frame of the pointer in the viewport, read from the widget's response.

use crate::edit::tool::typed::DragKey;
use crate::editor::ui::drag_keys::drag_keys;
use bevy::prelude::Vec2;
use bevy_egui::egui::{self, MouseWheelUnit, PointerButton};

/// What the pointer did in this frame. Points, from the top left corner of what the camera
/// sees.
#[derive(Clone, Debug, Default)]
pub struct Gesture {
    pub at: Option<Vec2>,
    /// Where the primary button went down on the viewport. On a slow machine the pointer may be elsewhere by
    /// the end of the frame.
    pub pressed: Option<Vec2>,
    /// The primary button is down, pressed on the viewport.
    pub held: bool,
    /// Where it went up (anywhere).
    pub released: Option<Vec2>,
    /// The right button went down: gives a drag up.
    pub right_pressed: bool,
    /// The right button went down and up in place.
    pub right_clicked: bool,
    /// Movement with the middle button, the right button, and the primary button (all pressed here).
    pub middle: Vec2,
    pub right: Vec2,
    pub primary: Vec2,
    /// Notches of the wheel over the viewport; up is positive.
    pub wheel: f32,
    pub alt: bool,
    pub ctrl: bool,
    pub shift: bool,
    pub esc: bool,
    pub enter: bool,
    pub backspace: bool,
    /// Keys that mean something to a drag, in order.
    pub keys: Vec<DragKey>,
    /// The window lost the focus.
    pub lost_focus: bool,
}

impl Gesture {
    /// `origin`: the corner that points are given from.
    pub fn read(response: &egui::Response, context: &egui::Context, origin: egui::Pos2) -> Self {
        let by = |button| {
            let delta = if response.dragged_by(button) {
                response.drag_delta()
            } else {
                egui::Vec2::ZERO
            };
            Vec2::new(delta.x, delta.y)
        };
        let here = response.contains_pointer();
        // Asked before the input is locked, since the response looks at it too: both at once never end.
        let (middle, right, primary) = (
            by(PointerButton::Middle),
            by(PointerButton::Secondary),
            by(PointerButton::Primary),
        );
        let down_on = response.is_pointer_button_down_on();
        let right_clicked = response.clicked_by(PointerButton::Secondary);
        // While a menu is open a press closes it and means nothing here.
        let listens = here && response.sense.senses_click();
        context.input(|input| {
            let local = |at: egui::Pos2| Vec2::new(at.x - origin.x, at.y - origin.y);
            let primary_button = |down: bool| {
                let mut events = input.events.iter().filter_map(|event| match event {
                    egui::Event::PointerButton {
                        pos,
                        button: PointerButton::Primary,
                        pressed,
                        ..
                    } if *pressed == down => Some(local(*pos)),
                    _ => None,
                });
                events.next_back()
            };
            let wheel = input.events.iter().map(|event| match event {
                egui::Event::MouseWheel {
                    unit: MouseWheelUnit::Line | MouseWheelUnit::Page,
                    delta,
                    ..
                } => delta.y,
                egui::Event::MouseWheel {
                    unit: MouseWheelUnit::Point,
                    delta,
                    ..
                } => delta.y / 40.0,
                _ => 0.0,
            });
            Self {
                at: input.pointer.latest_pos().map(local),
                pressed: primary_button(true).filter(|_| listens),
                held: down_on && input.pointer.button_down(PointerButton::Primary),
                released: primary_button(false),
                right_pressed: input.pointer.button_pressed(PointerButton::Secondary),
                right_clicked,
                middle,
                right,
                primary,
                wheel: if here { wheel.sum() } else { 0.0 },
                alt: input.modifiers.alt,
                ctrl: input.modifiers.command,
                shift: input.modifiers.shift,
                esc: input.key_pressed(egui::Key::Escape),
                enter: input.key_pressed(egui::Key::Enter),
                backspace: input.key_pressed(egui::Key::Backspace),
                keys: input.events.iter().flat_map(drag_keys).collect(),
                lost_focus: !input.focused,
            }
        })
    }
}
