//! Random events, to check that no order of them breaks the panels.

use super::Desk;
use crate::random::Random;
use egui::{Event, Key, Modifiers, PointerButton, Pos2, vec2};
use ossature::edit::action::Action;
use ossature::edit::settings::view::Tab;
use ossature::editor::panels::dialogs::file_dialog::{FileDialogState, FileMode};
use ossature::editor::panels::messages::Level;

/// A user who does anything at all.
pub struct Monkey(pub Random);

impl Monkey {
    /// Returns a position: mostly on a control, otherwise anywhere in the window or slightly outside.
    fn place(&mut self, desk: &Desk) -> Pos2 {
        let controls = desk.controls();
        if self.0.below(4) > 0 && !controls.is_empty() {
            let rect = controls[self.0.below(controls.len())].1;
            return rect.min + vec2(self.0.fraction() * rect.width(), self.0.fraction() * rect.height());
        }
        Pos2::new(self.0.fraction() * 1100.0 - 40.0, self.0.fraction() * 1000.0 - 40.0)
    }

    pub fn event(&mut self, desk: &mut Desk) {
        let button = *self.0.pick(&[
            PointerButton::Primary,
            PointerButton::Primary,
            PointerButton::Primary,
            PointerButton::Secondary,
            PointerButton::Middle,
        ]);
        match self.0.below(16) {
            0..=3 => {
                let at = self.place(desk);
                desk.event(Event::PointerMoved(at));
            }
            4..=5 => {
                let at = self.place(desk);
                desk.press_button(at, button);
            }
            6..=7 => {
                let at = self.place(desk);
                desk.release_button(at, button);
            }
            8..=9 => {
                let at = self.place(desk);
                desk.hover(at);
                desk.press_button(at, button);
                desk.release_button(at, button);
            }
            10 => {
                let at = self.place(desk);
                desk.press(at);
                desk.hover(at + vec2(self.0.fraction() * 80.0 - 40.0, self.0.fraction() * 20.0 - 10.0));
                desk.hover(at + vec2(self.0.fraction() * 80.0 - 40.0, self.0.fraction() * 20.0 - 10.0));
            }
            11 => self.key(desk),
            12 => {
                let text = *self.0.pick(&["1", "-2.5", "90°", "x", "é", "1e9", "", "骨"]);
                desk.event(Event::Text(text.into()));
            }
            13 => {
                let delta = vec2(0.0, self.0.fraction() * 400.0 - 200.0);
                let modifiers = *self.0.pick(&[Modifiers::NONE, Modifiers::SHIFT, Modifiers::COMMAND]);
                let unit = egui::MouseWheelUnit::Point;
                let phase = egui::TouchPhase::Move;
                desk.event(Event::MouseWheel { unit, delta, modifiers, phase });
            }
            14 => self.meanwhile(desk),
            _ => desk.event(Event::PointerGone),
        }
    }

    fn key(&mut self, desk: &mut Desk) {
        let key = *self.0.pick(&[
            Key::Tab,
            Key::Enter,
            Key::Escape,
            Key::ArrowDown,
            Key::ArrowUp,
            Key::ArrowLeft,
            Key::ArrowRight,
            Key::Backspace,
            Key::Space,
            Key::A,
            Key::G,
            Key::S,
            Key::X,
            Key::C,
            Key::V,
            Key::D,
        ]);
        let modifiers =
            *self.0.pick(&[Modifiers::NONE, Modifiers::NONE, Modifiers::SHIFT, Modifiers::COMMAND]);
        desk.key_with(modifiers, key);
    }

    /// Does something that the application may do at any time.
    fn meanwhile(&mut self, desk: &mut Desk) {
        let app = desk.state_mut();
        match self.0.below(10) {
            0 => app.act(Action::UNDO),
            1 => app.act(Action::REDO),
            2 => app.settings.tab = if app.settings.tab == Tab::Rig { Tab::Animate } else { Tab::Rig },
            3 => app.act(*self.0.pick(&Action::all().collect::<Vec<_>>())),
            4 => app.panels.messages.push(
                *self.0.pick(&[Level::Info, Level::Warning, Level::Error]),
                "Said",
                "so",
            ),
            5 => app.panels.dialogs.save_changes = !app.panels.dialogs.save_changes,
            6 => {
                let mode = *self.0.pick(&[FileMode::Open, FileMode::Save]);
                let dialog = FileDialogState::new(mode, "/scenes".into(), "a");
                app.panels.file_dialog = if app.panels.file_dialog.is_none() { Some(dialog) } else { None };
            }
            7 => app.act(Action::ADD_BONE),
            8 => {
                let clip = app.session.scene().animation.clip;
                let playback = &mut app.settings.playback;
                let seconds = f64::from(self.0.fraction());
                if let Some(frame) = playback.advance(&clip, app.session.frame(), seconds) {
                    app.session.set_frame(frame);
                }
            }
            _ => {
                let selection = app.session.selection().parent_level(app.settings.tab);
                app.session.select(selection);
            }
        }
    }
}
