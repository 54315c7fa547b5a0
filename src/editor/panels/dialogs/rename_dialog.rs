//! The Rename bones dialog: new names for all selected bones, with a preview.

use crate::edit::action::edit::bones_to_rename;
use crate::edit::command::Command;
use crate::edit::request::Request;
use crate::edit::settings::view::View;
use crate::editor::panels::dialogs::bone_dialogs::row;
use crate::editor::ui::choice::{choice_ui, line_ui};
use crate::editor::ui::dialog::{dialog_button, is_dismissed, main_dialog_button, modal};
use crate::editor::ui::row::line_edit;
use crate::editor::ui::setting::setting_ui;
use crate::editor::ui::theme;
use crate::editor::ui::tooltip::Tip;
use crate::io::count::counted;
use crate::rig::edits::rename::{NameSide, Renaming};
use crate::rig::skeleton::Skeleton;
use egui::{Context, DragValue, Grid, Id, Key, Layout, Response, RichText, ScrollArea, Ui, vec2};

/// The number of rows of the preview that are visible at once.
const PREVIEW_ROWS: f32 = 6.0;

#[derive(Default)]
pub struct RenameDialog {
    open: bool,
    /// Whether the first field has been given the keyboard focus.
    focused: bool,
    renaming: Renaming,
}

impl RenameDialog {
    pub fn open(&mut self) {
        *self = Self { open: true, renaming: Renaming { first: 1, ..Renaming::default() }, focused: false };
    }

    pub fn is_open(&self) -> bool {
        self.open
    }
}

pub fn rename_dialog_ui(ctx: &Context, view: &View, state: &mut RenameDialog, out: &mut Vec<Request>) {
    if !state.open {
        return;
    }
    let Ok((mesh, skeleton, bones)) = bones_to_rename(view) else {
        state.open = false;
        return;
    };
    let mut accepted = ctx.input(|i| i.key_pressed(Key::Enter));
    let mut cancelled = false;
    let mut names = Vec::new();
    let shown = modal("rename dialog").show(ctx, |ui| {
        ui.set_width(380.0_f32.min(ui.ctx().content_rect().width() - 60.0));
        ui.heading(format!("Rename {}", counted(bones.len(), "bone", "bones")));
        ui.add_space(theme::GAP);
        let field = fields_ui(ui, &mut state.renaming);
        if !std::mem::replace(&mut state.focused, true) {
            field.request_focus();
        }
        names = state.renaming.names(skeleton, &bones);
        preview_ui(ui, skeleton, &names, &state.renaming.taken(skeleton, &bones));
        if let Some(count) = state.renaming.miscounted(bones.len()) {
            let bones = counted(bones.len(), "bone", "bones");
            ui.label(RichText::new(format!("{count} names for {bones}.")).color(theme::WARNING));
        }
        ui.add_space(theme::GAP * 2.0);
        ui.with_layout(Layout::right_to_left(egui::Align::Center), |ui| {
            accepted |= ui.add_enabled(!names.is_empty(), main_dialog_button("Rename")).clicked();
            cancelled = ui.add(dialog_button("Cancel")).clicked();
        });
    });
    let accepted = accepted && !cancelled && !names.is_empty();
    if accepted {
        out.push(Request::Apply(vec![Command::SetBoneNames { mesh, names }]));
    }
    if accepted || cancelled || is_dismissed(&shown) {
        state.open = false;
    }
}

/// Returns the field of the new name.
fn fields_ui(ui: &mut Ui, renaming: &mut Renaming) -> Response {
    let tooltip = "One name for all, in which # is a number, or one name per bone, separated by commas.";
    let field = text_row(ui, "New name", &mut renaming.pattern, "Tail.## or Spine, Chest, Neck", tooltip);
    row(ui, "First number", |ui| {
        let size = vec2(ui.available_width(), theme::ROW);
        let number = DragValue::new(&mut renaming.first).range(0..=9999).speed(0.1);
        setting_ui(
            ui,
            "First number",
            "The number that # stands for in the name of the first bone.",
            size,
            number,
        );
    });
    text_row(ui, "Find", &mut renaming.find, "", "Replaced wherever it occurs in the names.");
    text_row(
        ui,
        "Replace with",
        &mut renaming.replacement,
        "",
        "The text that replaces it; nothing removes it.",
    );
    row(ui, "Sides", |ui| {
        let (chosen, width) = (renaming.side.text(), ui.available_width());
        let tooltip = "The side that the names get, as .L and .R or in the form that they have.";
        choice_ui(ui, "rename sides", "Sides", tooltip, chosen, width, |ui| {
            for side in NameSide::ALL {
                if line_ui(ui, "Sides", side.text(), renaming.side == side) {
                    renaming.side = side;
                }
            }
        });
    });
    field
}

fn text_row(ui: &mut Ui, label: &str, text: &mut String, hint: &str, tooltip: &str) -> Response {
    let mut shown = None;
    row(ui, label, |ui| {
        let id = Id::new(("rename bones", label));
        let edit = line_edit(text, ui.available_width()).id(id).hint_text(hint).char_limit(2000);
        let response = ui.add(edit).tip(tooltip);
        ui.ctx().accesskit_node_builder(id, |node| node.set_label(label));
        shown = Some(response);
    });
    shown.unwrap_or_else(|| ui.response())
}

fn preview_ui(ui: &mut Ui, skeleton: &Skeleton, names: &[(usize, String)], taken: &[String]) {
    ui.add_space(theme::SMALL_GAP);
    // The height does not depend on the number of names, so that buttons stay where they are while typing.
    let height = PREVIEW_ROWS * (ui.spacing().interact_size.y.max(theme::ROW) + 2.0);
    ScrollArea::vertical().max_height(height).min_scrolled_height(height).auto_shrink(false).show(ui, |ui| {
        Grid::new("new names").num_columns(2).spacing(vec2(theme::GAP * 2.0, 2.0)).show(ui, |ui| {
            for (bone, name) in names {
                ui.label(RichText::new(skeleton.bone_name(*bone)).color(theme::TEXT_QUIET));
                ui.label(name);
                ui.end_row();
            }
        });
        if names.is_empty() {
            ui.label(RichText::new("No name changes yet.").color(theme::TEXT_QUIET));
        }
    });
    if !taken.is_empty() {
        let text = format!("Another bone is called {}: a number is appended.", taken.join(", "));
        ui.label(RichText::new(text).color(theme::WARNING));
    }
}
