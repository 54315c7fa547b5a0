//! "Replace the file?": asked where saving or exporting would end something that is in a file now.

use crate::edit::request::Overwrite;
use crate::editor::ui::dialog::{accented, modal, tall};
use crate::editor::ui::list::short;
use crate::editor::ui::theme;
use egui::{Context, Key, Layout, Modifiers};

/// What is asked about.
#[derive(Clone, Debug, PartialEq)]
pub struct OverwriteQuestion {
    /// The name of the file.
    pub name: String,
    pub reason: OverwriteReason,
}

#[derive(Clone, Debug, PartialEq)]
pub enum OverwriteReason {
    /// A file of that name is there, and nobody has been asked about it.
    Exists,
    /// It is no longer what was opened or saved here.
    Changed,
    /// Something of it could not be read; what.
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
        let name = short(&self.name);
        match &self.reason {
            OverwriteReason::Exists => {
                format!("“{name}” is already in this folder. Saving replaces what is in it.")
            }
            OverwriteReason::Changed => format!(
                "Another program or window has changed “{name}” since it was opened or saved here. \
                 Overwrite discards those changes, Reload discards yours."
            ),
            OverwriteReason::Damaged(what) => format!(
                "Not all of “{name}” could be read: {what}. Saving over it makes the loss final; \
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
            OverwriteReason::Damaged(_) => &[
                ("Save as…", Overwrite::SaveElsewhere),
                ("Overwrite", Overwrite::Replace),
            ],
        }
    }
}

/// The answer, once there is one. Esc, and a click beside it, cancel.
pub fn overwrite_ui(ctx: &Context, question: &OverwriteQuestion) -> Option<Overwrite> {
    // Enter keeps both, where that is an answer. Asked before the buttons, which also know Enter while they have focus.
    let [(_, first), ..] = question.answers() else {
        return None;
    };
    let entered = ctx.memory(|m| m.focused().is_none())
        && *first == Overwrite::SaveElsewhere
        && ctx.input_mut(|i| i.consume_key(Modifiers::NONE, Key::Enter));
    let mut answer = entered.then_some(*first);
    let modal = modal("overwrite").show(ctx, |ui| {
        ui.set_width(460.0_f32.min(ui.ctx().content_rect().width() - 60.0));
        ui.heading(question.heading());
        ui.add_space(theme::GAP);
        ui.label(question.text());
        ui.add_space(theme::GAP * 2.0);
        ui.with_layout(Layout::right_to_left(egui::Align::Center), |ui| {
            for (i, (text, chosen)) in question.answers().iter().enumerate() {
                let button = if i == 0 { accented(text) } else { tall(text) };
                if ui.add(button).clicked() {
                    answer = Some(*chosen);
                }
            }
            if ui.add(tall("Cancel")).clicked() {
                answer = Some(Overwrite::Cancel);
            }
        });
    });
    answer.or_else(|| modal.should_close().then_some(Overwrite::Cancel))
}
