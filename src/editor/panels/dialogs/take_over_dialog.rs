//! The dialog of actions that add IK to bones with keys: the frames in which the handles take them over.

use crate::edit::action::take_over::{NewIk, taken_over};
use crate::edit::request::Request;
use crate::edit::settings::view::View;
use crate::editor::panels::dialogs::bone_dialogs::{focus_and_select, number_row};
use crate::editor::ui::dialog::{dialog_button, is_dismissed, main_dialog_button, modal};
use crate::editor::ui::theme;
use crate::io::count::counted;
use egui::{Context, DragValue, Key, Layout, RichText};

/// The state of the dialog.
pub struct TakeOverDialog {
    new: NewIk,
    /// The first and last frame; until it is shown, none.
    range: Option<[u32; 2]>,
}

impl TakeOverDialog {
    pub fn new(new: NewIk) -> Self {
        Self { new, range: None }
    }
}

pub fn take_over_dialog_ui(
    ctx: &Context,
    view: &View,
    open: &mut Option<TakeOverDialog>,
    out: &mut Vec<Request>,
) {
    let Some(state) = open else { return };
    let Ok(taken) = taken_over(view, state.new) else {
        *open = None;
        return;
    };
    let mut accepted = ctx.input(|i| i.key_pressed(Key::Enter));
    let mut cancelled = false;
    let opened = state.range.is_none();
    let range = state.range.get_or_insert(taken.usual_range());
    let last_frame = view.session.scene().animation.clip.last_frame();
    let shown = modal("take over").show(ctx, |ui| {
        ui.set_width(360.0_f32.min(ui.ctx().content_rect().width() - 60.0));
        ui.heading(format!("{}: bones with keys", state.new.action().name()));
        ui.add_space(theme::GAP);
        ui.horizontal(|ui| {
            for (choice, text) in [(taken.to_next_key, "To the next key"), (taken.whole_clip, "Whole clip")] {
                if ui.selectable_label(*range == choice, text).clicked() {
                    *range = choice;
                }
            }
        });
        let [first, last] = range;
        let field = DragValue::new(first).range(0..=last_frame).speed(0.2);
        focus_and_select(
            !opened,
            &number_row(ui, "From frame", field, "The first frame in which the handle pulls."),
        );
        let field = DragValue::new(last).range(0..=last_frame).speed(0.2);
        number_row(ui, "To frame", field, "The last frame in which the handle pulls.");
        let [first, last] = range;
        let is_valid = first <= last;
        let text = match is_valid {
            true => RichText::new(format!(
                "It takes over {} from frame {first} to {last}: {}. {}; outside, nothing changes.",
                counted(taken.names.len(), "bone", "bones"),
                taken.names.join(", "),
                if taken.follows {
                    "Its target follows the motion there"
                } else {
                    "It holds there as it is now"
                }
            ))
            .color(theme::TEXT_QUIET),
            false => RichText::new("The last frame must not come before the first.").color(theme::WARNING),
        };
        ui.add_space(theme::SMALL_GAP);
        ui.label(text);
        ui.add_space(theme::GAP * 2.0);
        ui.with_layout(Layout::right_to_left(egui::Align::Center), |ui| {
            accepted |= ui.add_enabled(is_valid, main_dialog_button(state.new.action().name())).clicked();
            cancelled = ui.add(dialog_button("Cancel")).clicked();
        });
        accepted &= is_valid;
    });
    let dismissed = cancelled || is_dismissed(&shown);
    // Not in every frame, since it takes time.
    let range = *range;
    if accepted && !dismissed {
        out.push(Request::TakeOver { new: state.new, range });
    }
    if accepted || dismissed {
        *open = None;
    }
}
