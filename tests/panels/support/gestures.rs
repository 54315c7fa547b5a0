//! A person's gestures; each returns the resulting requests of the panels.

use super::{Desk, GiveUp};
use egui::{Event, Key, Modifiers, PointerButton, Pos2, Vec2, vec2};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use ossature::edit::request::Request;
use ossature::edit::select::selection::Part;
use ossature::editor::ui::press::PacedEvents;

impl Desk {
    fn run(&mut self) -> Vec<Request> {
        self.harness.step();
        self.harness.step();
        self.harness.step();
        std::mem::take(&mut self.harness.state_mut().log)
    }

    /// Runs one frame, whether or not more are due.
    pub fn step(&mut self) {
        self.harness.step();
    }

    pub fn frame(&mut self) -> Vec<Request> {
        self.run()
    }

    /// Scrolls the control into sight and returns its middle.
    fn reach(&mut self, label: &str) -> Pos2 {
        self.harness.get_by_label(label).scroll_to_me();
        self.harness.step();
        self.harness.step();
        // Scrolling far takes some frames.
        let mut at = self.center(label);
        for _ in 0..10 {
            self.harness.step();
            let before = std::mem::replace(&mut at, self.center(label));
            if before == at {
                break;
            }
        }
        at
    }

    pub fn click(&mut self, label: &str) -> Vec<Request> {
        let at = self.reach(label);
        self.click_at(at)
    }

    pub fn click_at(&mut self, at: Pos2) -> Vec<Request> {
        self.hover(at);
        self.press(at);
        self.release_button(at, PointerButton::Primary);
        self.run()
    }

    /// Presses and releases in one frame, as in a slow window.
    pub fn quick_click_at(&mut self, pos: Pos2) -> Vec<Request> {
        self.harness.event(Event::PointerMoved(pos));
        for pressed in [true, false] {
            self.harness.event(Event::PointerButton {
                pos,
                button: PointerButton::Primary,
                pressed,
                modifiers: Modifiers::NONE,
            });
        }
        self.run()
    }

    pub fn right_click(&mut self, label: &str) -> Vec<Request> {
        let at = self.reach(label);
        self.right_click_at(at)
    }

    pub fn right_click_at(&mut self, at: Pos2) -> Vec<Request> {
        self.hover(at);
        self.press_button(at, PointerButton::Secondary);
        self.release_button(at, PointerButton::Secondary);
        self.run()
    }

    pub fn double_click(&mut self, label: &str) -> Vec<Request> {
        let at = self.reach(label);
        self.double_click_at(at)
    }

    pub fn double_click_at(&mut self, at: Pos2) -> Vec<Request> {
        self.hover(at);
        for _ in 0..2 {
            self.press(at);
            self.release_button(at, PointerButton::Primary);
        }
        self.run()
    }

    /// Takes the keyboard from the widget that has it.
    pub fn unfocus(&mut self) {
        self.harness.ctx.memory_mut(|memory| {
            if let Some(id) = memory.focused() {
                memory.surrender_focus(id);
            }
        });
    }

    pub fn hover(&mut self, at: Pos2) {
        self.harness.event(Event::PointerMoved(at));
        self.harness.step();
    }

    pub fn press(&mut self, at: Pos2) {
        self.press_button(at, PointerButton::Primary);
    }

    pub fn press_button(&mut self, at: Pos2, button: PointerButton) {
        self.button(at, button, true);
    }

    pub fn release_button(&mut self, at: Pos2, button: PointerButton) {
        self.button(at, button, false);
    }

    fn button(&mut self, pos: Pos2, button: PointerButton, pressed: bool) {
        self.harness.event(Event::PointerButton { pos, button, pressed, modifiers: Modifiers::NONE });
        self.harness.step();
    }

    pub fn release_and_run(&mut self, at: Pos2) -> Vec<Request> {
        self.release_button(at, PointerButton::Primary);
        self.run()
    }

    /// Presses and moves on in one frame, as in a slow window.
    pub fn quick_press(&mut self, from: Pos2, to: Pos2) {
        self.hover(from);
        let (button, modifiers) = (PointerButton::Primary, Modifiers::NONE);
        let press = Event::PointerButton { pos: from, button, pressed: true, modifiers };
        self.slow_frame(vec![press, Event::PointerMoved(to)]);
    }

    /// Presses, moves on and releases in one frame.
    pub fn quick_drag(&mut self, from: Pos2, to: Pos2) -> Vec<Request> {
        self.hover(from);
        let (button, modifiers) = (PointerButton::Primary, Modifiers::NONE);
        let [press, release] = [(from, true), (to, false)].map(|(pos, pressed)| Event::PointerButton {
            pos,
            button,
            pressed,
            modifiers,
        });
        self.slow_frame(vec![press, Event::PointerMoved(to), release]);
        self.run()
    }

    /// Events that come in one frame, as the window passes them on.
    fn slow_frame(&mut self, mut events: Vec<Event>) {
        let mut paced = PacedEvents::default();
        let mut waits = true;
        while waits {
            waits = paced.pace(&mut events);
            self.harness.input_mut().events.append(&mut events);
            self.harness.step();
        }
    }

    /// Returns the place by which to drag a control: for a row, its icon or name.
    fn hold_of(&mut self, label: &str) -> Pos2 {
        let at = self.reach(label);
        let rows = ["Bone ", "Handle ", "Instance ", "Transform ", "Layer "];
        match rows.iter().any(|row| label.starts_with(row)) {
            true => self.rect(label).left_center() + vec2(46.0, 0.0),
            false => at,
        }
    }

    fn drag_part(&mut self, label: &str, by: Vec2) -> Pos2 {
        let at = self.hold_of(label);
        // Sliders are dragged by their knob.
        let node = self.harness.get_by_label(label);
        let value = node.accesskit_node().numeric_value();
        let at = match value.filter(|_| label.ends_with("slider")) {
            Some(value) => self.knob(label, value),
            None => at,
        };
        self.hover(at);
        self.press(at);
        for step in 1..=5 {
            self.hover(at + by * (step as f32 / 5.0));
        }
        at + by
    }

    pub fn drag(&mut self, label: &str, by: Vec2) -> Vec<Request> {
        let end = self.drag_part(label, by);
        self.release_button(end, PointerButton::Primary);
        self.run()
    }

    /// Drags one row or control onto another.
    pub fn drag_onto(&mut self, from: &str, to: &str) -> Vec<Request> {
        let at = self.hold_of(from);
        let by = self.center(to) - at;
        let end = self.drag_part(from, by);
        self.release_button(end, PointerButton::Primary);
        let requests = self.run();
        // The press alone may have selected the row.
        requests.into_iter().filter(|request| !matches!(request, Request::Select(_))).collect()
    }

    /// Holds modifier keys from now on.
    pub fn hold(&mut self, modifiers: Modifiers) {
        self.harness.event(Event::ModifiersChanged(modifiers));
        self.harness.step();
    }

    pub fn click_with(&mut self, modifiers: Modifiers, label: &str) -> Vec<Request> {
        self.hold(modifiers);
        let requests = self.click(label);
        self.hold(Modifiers::NONE);
        requests
    }

    /// Selects these parts of the active mesh, the first as the active one.
    pub fn select(&mut self, parts: &[Part]) {
        let selection = self.session().selection().with_parts(parts.iter().copied());
        self.session().select(selection);
        self.frame();
    }

    /// Drags from the middle of one control to that of another, without releasing.
    pub fn carry(&mut self, from: &str, to: &str) -> Pos2 {
        let from = self.hold_of(from);
        let to = self.center(to);
        self.hover(from);
        self.press(from);
        for step in 1..=4 {
            self.hover(from + (to - from) * (step as f32 / 4.0));
        }
        to
    }

    pub fn shift_drag(&mut self, label: &str, by: Vec2) -> Vec<Request> {
        self.harness.event(Event::ModifiersChanged(Modifiers::SHIFT));
        let requests = self.drag(label, by);
        self.harness.event(Event::ModifiersChanged(Modifiers::NONE));
        self.harness.step();
        requests
    }

    /// Drags, cancels, moves on, and only then releases.
    pub fn drag_and_give_up(&mut self, label: &str, by: Vec2, how: GiveUp) -> Vec<Request> {
        let end = self.drag_part(label, by);
        match how {
            GiveUp::Escape => {
                self.harness.key_press(Key::Escape);
                self.harness.step();
            }
            GiveUp::RightClick => {
                self.press_button(end, PointerButton::Secondary);
                self.release_button(end, PointerButton::Secondary);
                self.harness.step();
                assert!(!self.has("Copy"), "the click that cancels opens no menu");
            }
        }
        self.hover(end + vec2(9.0, 0.0));
        self.hover(end + vec2(18.0, 0.0));
        self.release_button(end + vec2(18.0, 0.0), PointerButton::Primary);
        self.run()
    }

    pub fn type_text(&mut self, text: &str) {
        self.key_with(Modifiers::COMMAND, Key::A);
        if text.is_empty() {
            self.key(Key::Backspace);
        } else {
            self.harness.event(Event::Text(text.into()));
        }
        self.harness.step();
    }

    pub fn key(&mut self, key: Key) -> Vec<Request> {
        self.harness.key_press(key);
        self.run()
    }

    pub fn key_with(&mut self, modifiers: Modifiers, key: Key) -> Vec<Request> {
        self.harness.key_press_modifiers(modifiers, key);
        self.run()
    }

    pub fn event(&mut self, event: Event) {
        self.harness.event(event);
        self.harness.step();
    }

    pub fn resize(&mut self, size: Vec2) {
        self.harness.set_size(size);
        self.harness.step();
    }

    pub fn scale(&mut self, pixels_per_point: f32) {
        self.harness.set_pixels_per_point(pixels_per_point);
        self.run();
    }

    /// Releases everything.
    pub fn settle(&mut self) {
        for button in [PointerButton::Primary, PointerButton::Secondary, PointerButton::Middle] {
            self.release_button(Pos2::new(5.0, 5.0), button);
        }
        self.event(Event::PointerGone);
        // Esc closes a menu and ends the typing in a field before it closes the dialog around them.
        for _ in 0..3 {
            self.key(Key::Escape);
        }
        self.run();
    }
}
