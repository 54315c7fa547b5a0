//! "Replace the file?", asked before saving or exporting would destroy the contents of a file.

use crate::edit::request::Overwrite;
use crate::editor::ui::dialog::{dialog_button, is_confirmed, is_dismissed, main_dialog_button, modal};
use crate::editor::ui::list::shorten;
use crate::editor::ui::theme;
use egui::{Context, Layout};

/// The question to be answered before a file is overwritten.
#[derive(Clone, Debug, PartialEq)]
pub struct OverwriteQuestion {
    /// The name of the file.
    pub name: String,
    pub reason: OverwriteReason,
}

#[derive(Clone, Debug, PartialEq)]
pub enum OverwriteReason {
    /// A file of that name exists, and the user has not been asked about it.
    Exists,
    /// The file has changed since it was opened or saved here.
    Changed,
    /// A part of the file, which is described, could not be read.
    Damaged(String),
}

impl OverwriteQuestion {
    fn heading(&self) -> &'static str {
        match self.reason {
            OverwriteReason::Exists => "Replace the file?",
            OverwriteReason::Changed => "The file has changed",
            OverwriteReason::Damaged(_) => "Save over a damaged file?",
        }
    }

    fn text(&self) -> String {
        let name = shorten(&self.name);
        match &self.reason {
            OverwriteReason::Exists => {
                format!("“{name}” is already in this folder. Saving replaces what is in it.")
            }
            OverwriteReason::Changed => format!(
                "Another program or window has changed “{name}” since it was opened or saved here. \
                 Overwrite discards those changes, Reload discards yours."
            ),
            OverwriteReason::Damaged(loss) => format!(
                "Not all of “{name}” could be read: {loss}. Saving over it makes the loss final; \
                 under another name the damaged file stays as it is."
            ),
        }
    }

    fn answers(&self) -> &'static [(&'static str, Overwrite)] {
        match self.reason {
            OverwriteReason::Exists => &[("Replace", Overwrite::Replace)],
            OverwriteReason::Changed => &[
                ("Save as…", Overwrite::SaveElsewhere),
                ("Overwrite", Overwrite::Replace),
                ("Reload", Overwrite::Reload),
            ],
            OverwriteReason::Damaged(_) => {
                &[("Save as…", Overwrite::SaveElsewhere), ("Overwrite", Overwrite::Replace)]
            }
        }
    }
}

/// Draws the dialog. Returns the answer, once there is one; Esc and a click outside cancel.
pub fn overwrite_ui(ctx: &Context, question: &OverwriteQuestion) -> Option<Overwrite> {
    let [(_, first), ..] = question.answers() else {
        return None;
    };
    let mut answer = is_confirmed(ctx).then_some(*first);
    let modal = modal("overwrite").show(ctx, |ui| {
        ui.set_width(460.0_f32.min(ui.ctx().content_rect().width() - 60.0));
        ui.heading(question.heading());
        ui.add_space(theme::GAP);
        ui.label(question.text());
        ui.add_space(theme::GAP * 2.0);
        ui.with_layout(Layout::right_to_left(egui::Align::Center), |ui| {
            for (i, (text, chosen)) in question.answers().iter().enumerate() {
                let button = if i == 0 { main_dialog_button(text) } else { dialog_button(text) };
                if ui.add(button).clicked() {
                    answer = Some(*chosen);
                }
            }
            if ui.add(dialog_button("Cancel")).clicked() {
                answer = Some(Overwrite::Cancel);
            }
        });
    });
    answer.or_else(|| is_dismissed(&modal).then_some(Overwrite::Cancel))
}
