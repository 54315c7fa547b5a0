//! Gives keys, buttons and the wheel the modifiers that were down at the event. bevy_egui gives all events of
//! a frame the modifiers at its end: at a low frame rate a quick Ctrl+Z would become a Z, and a Ctrl+click a
//! click. Presses that the pointer moves on from get a frame of their own (`ui::press`).

use crate::editor::ui::press::PacedEvents;
use bevy::input::keyboard::{Key, KeyboardInput};
use bevy::prelude::*;
use bevy::window::{RequestRedraw, WindowEvent};
use bevy_egui::helpers::{bevy_to_egui_key, bevy_to_egui_physical_key};
use bevy_egui::{EguiInput, PrimaryEguiContext, egui};
use egui::Modifiers;
use std::collections::{HashMap, VecDeque};

/// The keys that are down, between frames.
#[derive(Default)]
pub struct HeldKeys {
    modifiers: Modifiers,
    /// The logical key of each physical key when it was pressed. Its release reports the same one, even if
    /// Shift has changed meanwhile: otherwise egui would treat the key as still down, and later presses as
    /// repeats.
    keys: HashMap<egui::Key, egui::Key>,
}

/// The modifiers at the events of a frame, in order for each kind of event.
#[derive(Debug, Default, PartialEq)]
struct Timeline {
    /// The modifiers, and whether the key repeats.
    keys: VecDeque<(Modifiers, bool)>,
    buttons: VecDeque<Modifiers>,
    wheel: VecDeque<Modifiers>,
}

/// Sets the modifiers of every event to those at that event.
pub fn correct(
    mut window_events: MessageReader<WindowEvent>,
    (mut held_keys, mut paced): (Local<HeldKeys>, Local<PacedEvents>),
    mut inputs: Query<&mut EguiInput, With<PrimaryEguiContext>>,
    mut redraw: MessageWriter<RequestRedraw>,
) {
    let timeline = Timeline::new(window_events.read(), &mut held_keys);
    if let Ok(mut input) = inputs.single_mut() {
        timeline.apply(&mut input.events);
        held_keys.release_as_pressed(&mut input.events);
        if paced.pace(&mut input.events) {
            redraw.write(RequestRedraw);
        }
        modifiers_at_click(&mut input.events);
    }
}

impl Timeline {
    fn new<'a>(events: impl Iterator<Item = &'a WindowEvent>, held_keys: &mut HeldKeys) -> Self {
        let mut timeline = Self::default();
        for event in events {
            match event {
                WindowEvent::KeyboardFocusLost(_) => *held_keys = HeldKeys::default(),
                WindowEvent::KeyboardInput(key) => {
                    held_keys.update(key);
                    let known = bevy_to_egui_key(&key.logical_key);
                    if known.or(bevy_to_egui_physical_key(&key.key_code)).is_some() {
                        timeline.keys.push_back((held_keys.modifiers, key.repeat));
                    }
                }
                WindowEvent::MouseButtonInput(button) if !matches!(button.button, MouseButton::Other(_)) => {
                    timeline.buttons.push_back(held_keys.modifiers);
                }
                WindowEvent::MouseWheel(_) => timeline.wheel.push_back(held_keys.modifiers),
                _ => {}
            }
        }
        timeline
    }

    /// Corrects the egui events, of which those of each kind are in the same order as those of the window.
    fn apply(mut self, events: &mut Vec<egui::Event>) {
        for event in events.iter_mut() {
            match event {
                egui::Event::Key { modifiers, repeat, .. } => {
                    if let Some(recorded) = self.keys.pop_front() {
                        (*modifiers, *repeat) = recorded;
                    }
                }
                egui::Event::PointerButton { modifiers, .. } => {
                    *modifiers = self.buttons.pop_front().unwrap_or(*modifiers);
                }
                egui::Event::MouseWheel { modifiers, .. } => {
                    *modifiers = self.wheel.pop_front().unwrap_or(*modifiers);
                }
                _ => {}
            }
        }
        drop_text_of_shortcuts(events);
    }
}

/// Removes the texts of keys that were pressed with Ctrl or Cmd, which bevy_egui adds before the key if that has come up
/// within the frame: a quick Ctrl+S would type an s. With Alt too, as AltGr, they are letters.
fn drop_text_of_shortcuts(events: &mut Vec<egui::Event>) {
    let is_shortcut = |event: Option<&egui::Event>| matches!(event, Some(egui::Event::Key { pressed: true, modifiers, .. }) if modifiers.command && !modifiers.alt);
    let is_typed: Vec<bool> = (0..events.len())
        .map(|i| !(matches!(events[i], egui::Event::Text(_)) && is_shortcut(events.get(i + 1))))
        .collect();
    let mut is_typed = is_typed.into_iter();
    events.retain(|_| is_typed.next().unwrap_or(true));
}

impl HeldKeys {
    fn update(&mut self, key: &KeyboardInput) {
        let pressed = key.state.is_pressed();
        let down = &mut self.modifiers;
        match (&key.logical_key, key.key_code) {
            (Key::Control, _) | (_, KeyCode::ControlLeft | KeyCode::ControlRight) => down.ctrl = pressed,
            (Key::Shift, _) | (_, KeyCode::ShiftLeft | KeyCode::ShiftRight) => down.shift = pressed,
            (Key::Alt, _) | (_, KeyCode::AltLeft | KeyCode::AltRight) => down.alt = pressed,
            (_, KeyCode::SuperLeft | KeyCode::SuperRight) if cfg!(target_os = "macos") => {
                down.mac_cmd = pressed;
            }
            _ => {}
        }
        down.command = if cfg!(target_os = "macos") { down.mac_cmd } else { down.ctrl };
    }

    fn release_as_pressed(&mut self, events: &mut [egui::Event]) {
        for event in events {
            let egui::Event::Key { key, physical_key: Some(physical), pressed, .. } = event else {
                continue;
            };
            if *pressed {
                self.keys.insert(*physical, *key);
            } else {
                *key = self.keys.remove(physical).unwrap_or(*key);
            }
        }
    }
}

/// Sets the modifiers of a frame with a click to those at the click: code that reads them during the click
/// expects that. The next frame sets the current ones again.
fn modifiers_at_click(events: &mut Vec<egui::Event>) {
    let at_click = events.iter().rev().find_map(|event| match event {
        egui::Event::PointerButton { modifiers, .. } => Some(*modifiers),
        _ => None,
    });
    if let Some(modifiers) = at_click {
        events.retain(|event| !matches!(event, egui::Event::ModifiersChanged(_)));
        events.push(egui::Event::ModifiersChanged(modifiers));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bevy::input::ButtonState;
    use bevy::input::mouse::MouseButtonInput;

    fn key(code: KeyCode, logical: Key, pressed: bool) -> WindowEvent {
        let state = if pressed { ButtonState::Pressed } else { ButtonState::Released };
        WindowEvent::KeyboardInput(KeyboardInput {
            key_code: code,
            logical_key: logical,
            state,
            text: None,
            repeat: false,
            window: Entity::PLACEHOLDER,
        })
    }

    fn ctrl(pressed: bool) -> WindowEvent {
        key(KeyCode::ControlLeft, Key::Control, pressed)
    }

    fn button(pressed: bool) -> WindowEvent {
        let state = if pressed { ButtonState::Pressed } else { ButtonState::Released };
        WindowEvent::MouseButtonInput(MouseButtonInput {
            button: MouseButton::Left,
            state,
            window: Entity::PLACEHOLDER,
        })
    }

    fn egui_button(pressed: bool) -> egui::Event {
        egui::Event::PointerButton {
            pos: egui::Pos2::ZERO,
            button: egui::PointerButton::Primary,
            pressed,
            modifiers: Modifiers::NONE,
        }
    }

    #[test]
    fn a_click_within_one_frame_keeps_its_ctrl() {
        let window = [ctrl(true), button(true), button(false), ctrl(false)];
        let mut events =
            vec![egui_button(true), egui_button(false), egui::Event::ModifiersChanged(Modifiers::NONE)];
        let mut held_keys = HeldKeys::default();
        Timeline::new(window.iter(), &mut held_keys).apply(&mut events);
        modifiers_at_click(&mut events);
        let expected = Modifiers { ctrl: true, command: !cfg!(target_os = "macos"), ..Modifiers::NONE };
        for event in &events {
            match event {
                egui::Event::PointerButton { modifiers, .. } | egui::Event::ModifiersChanged(modifiers) => {
                    assert_eq!(*modifiers, expected);
                }
                other => panic!("{other:?}"),
            }
        }
        assert_eq!(held_keys.modifiers, Modifiers::NONE);
    }

    #[test]
    fn a_shortcut_within_one_frame_types_nothing() {
        let s = |pressed| key(KeyCode::KeyS, Key::Character("s".into()), pressed);
        let egui_key = egui::Event::Key {
            key: egui::Key::S,
            physical_key: Some(egui::Key::S),
            pressed: true,
            repeat: false,
            modifiers: Modifiers::NONE,
        };
        let after = |window: &[WindowEvent]| {
            let mut events = vec![egui::Event::Text("s".into()), egui_key.clone()];
            Timeline::new(window.iter(), &mut HeldKeys::default()).apply(&mut events);
            events.iter().any(|event| matches!(event, egui::Event::Text(_)))
        };
        assert!(!after(&[ctrl(true), s(true), ctrl(false)]));
        assert!(after(&[s(true)]), "a letter");
        assert!(after(&[ctrl(true), ctrl(false), s(true)]), "a letter after a shortcut");
    }

    #[test]
    fn a_key_comes_up_as_what_it_went_down_as() {
        let event = |key, pressed| egui::Event::Key {
            key,
            physical_key: Some(egui::Key::OpenBracket),
            pressed,
            repeat: false,
            modifiers: Modifiers::NONE,
        };
        let mut events = [
            event(egui::Key::OpenCurlyBracket, true),
            event(egui::Key::OpenBracket, false),
            event(egui::Key::OpenBracket, true),
        ];
        HeldKeys::default().release_as_pressed(&mut events);
        assert_eq!(events[1], event(egui::Key::OpenCurlyBracket, false));
        assert_eq!(events[2], event(egui::Key::OpenBracket, true));
    }
}
