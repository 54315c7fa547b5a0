//! The dialog of changes of time: how many frames are inserted, removed or held, or how many a take gets.

use crate::anim::clip::Clip;
use crate::anim::take::Take;
use crate::edit::action::takes;
use crate::edit::action::time::{TimeChange, change_time, held_channels, most_frames};
use crate::edit::request::Request;
use crate::edit::settings::view::View;
use crate::editor::panels::dialogs::bone_dialogs::{focus_and_select, number_row};
use crate::editor::ui::dialog::{dialog_button, is_dismissed, main_dialog_button, modal};
use crate::editor::ui::list::shorten;
use crate::editor::ui::theme;
use crate::io::count::counted;
use egui::{Context, DragValue, Key, Layout, RichText, Ui};

/// The state of the dialog; the number of frames is kept for the next time.
pub struct TimeDialog {
    open: Option<TimeChange>,
    /// Whether the number field has been given the keyboard focus.
    focused: bool,
    frames: u32,
    /// The new number of frames of the take; `None` until it is shown.
    length: Option<u32>,
}

impl Default for TimeDialog {
    fn default() -> Self {
        Self { open: None, focused: false, frames: 10, length: None }
    }
}

impl TimeDialog {
    pub fn open(&mut self, change: TimeChange) {
        (self.open, self.focused, self.length) = (Some(change), false, None);
    }

    pub fn is_open(&self) -> bool {
        self.open.is_some()
    }
}

pub fn time_dialog_ui(ctx: &Context, view: &View, state: &mut TimeDialog, out: &mut Vec<Request>) {
    let Some(change) = state.open else { return };
    let take = takes::chosen(view).ok().filter(|_| change == TimeChange::Retime);
    if change == TimeChange::Retime && take.is_none() {
        state.open = None;
        return;
    }
    let (title, verb) = match (change, take) {
        (TimeChange::Remove, _) => ("Remove frames".to_owned(), "Remove"),
        (TimeChange::Hold, _) => (format!("Hold frame {}", view.session.frame()), "Hold"),
        (TimeChange::Retime, Some(take)) => (format!("Retime {}", shorten(&take.name)), "Retime"),
        _ => ("Insert frames".to_owned(), "Insert"),
    };
    // The number field keeps the keyboard until Enter, and then has its new value.
    let mut accepted = ctx.input(|i| i.key_pressed(Key::Enter));
    let mut cancelled = false;
    let mut chosen = None;
    let shown = modal("time dialog").show(ctx, |ui| {
        ui.set_width(340.0_f32.min(ui.ctx().content_rect().width() - 60.0));
        ui.heading(title);
        ui.add_space(theme::GAP);
        let frames = match take {
            Some(take) => take_ui(ui, take, state),
            None => frames_ui(ui, state, most_frames(view, change)),
        };
        let prepared = change_time(view, change, frames);
        let text = match &prepared {
            Ok(_) => RichText::new(description(view, change, frames)).color(theme::TEXT_QUIET),
            Err(reason) => RichText::new(reason.clone()).color(theme::WARNING),
        };
        ui.add_space(theme::SMALL_GAP);
        ui.label(text);
        ui.add_space(theme::GAP * 2.0);
        ui.with_layout(Layout::right_to_left(egui::Align::Center), |ui| {
            accepted |= ui.add_enabled(prepared.is_ok(), main_dialog_button(verb)).clicked();
            cancelled = ui.add(dialog_button("Cancel")).clicked();
        });
        chosen = prepared.is_ok().then_some(frames);
    });
    if let Some(frames) = chosen.filter(|_| accepted && !cancelled) {
        out.push(Request::ChangeTime { change, frames });
        state.open = None;
    }
    if cancelled || is_dismissed(&shown) {
        state.open = None;
    }
}

fn frames_ui(ui: &mut Ui, state: &mut TimeDialog, most: u32) -> u32 {
    let number = DragValue::new(&mut state.frames).range(1..=most).speed(0.1);
    let response = number_row(ui, "Frames", number, "The number of frames.");
    focus_and_select(state.focused, &response);
    state.focused = true;
    state.frames
}

/// Draws the new length and the speed of a take, each of which sets the other.
fn take_ui(ui: &mut Ui, take: &Take, state: &mut TimeDialog) -> u32 {
    let old = take.range[1] - take.range[0] + 1;
    let length = state.length.get_or_insert(old);
    let number = DragValue::new(length).range(1..=Clip::MAX_LENGTH).speed(0.1);
    let response = number_row(ui, "Frames", number, "The new number of frames of the take.");
    focus_and_select(state.focused, &response);
    state.focused = true;
    let mut speed = 100.0 * f64::from(old) / f64::from(*length);
    let number = DragValue::new(&mut speed).range(1.0..=10_000.0).speed(0.5).max_decimals(1).suffix(" %");
    let tip = "The new speed of the take, to the nearest whole number of frames.";
    if number_row(ui, "Speed", number, tip).changed() {
        *length = (100.0 * f64::from(old) / speed).round().max(1.0) as u32;
    }
    *length
}

/// Says what the change does.
fn description(view: &View, change: TimeChange, frames: u32) -> String {
    let clip = view.session.scene().animation.clip;
    let frame = view.session.frame();
    let first = frame as u32;
    match (change, held_channels(view)) {
        (TimeChange::Insert, _) => {
            format!("After frame {first}: keys at this frame stay, later keys and takes move along.")
        }
        (TimeChange::Remove, _) => {
            let range = match frames {
                1 => format!("Frame {first} goes with its"),
                _ => format!("Frames {first} to {} go with their", first.saturating_add(frames - 1)),
            };
            format!("{range} keys; later keys and takes move along.")
        }
        (TimeChange::Hold, None) => format!(
            "Nothing moves from frame {frame} to {}; later keys and takes move along.",
            frame + frames as f32
        ),
        (TimeChange::Hold, Some(channels)) => format!(
            "{} from frame {frame} to {}: of the keys selected here. The rest moves on through these frames.",
            counted(channels.len(), "channel stays as it is", "channels stay as they are"),
            frame + frames as f32
        ),
        (TimeChange::Retime, _) => {
            format!("It lasts {:.2} s; later keys and takes move along.", clip.seconds(frames as f32))
        }
    }
}
