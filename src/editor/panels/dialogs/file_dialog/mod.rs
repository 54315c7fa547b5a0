//! The file dialog inside the window, for systems that have none. It accesses no files: the caller lists the
//! folder that [`FileDialogState::take_folder_request`] returns and passes the entries to
//! [`FileDialogState::set_entries`].

mod mode;
mod state;

use crate::edit::request::Request;
use crate::editor::ui::dialog::{dialog_button, is_confirmed, is_dismissed, main_dialog_button, modal};
use crate::editor::ui::list::{Row, row_ui, shorten};
use crate::editor::ui::row::line_edit;
use crate::editor::ui::tooltip::Tip;
use crate::editor::ui::tree::LAZY_THRESHOLD;
use crate::editor::ui::{icons, theme};
use egui::{Button, Checkbox, Context, Frame, Id, Key, Layout, RichText, ScrollArea, Ui};
use egui::{WidgetInfo, WidgetType};
pub use mode::FileMode;
pub use state::{FileDialogState, FileEntry};
use std::path::{Path, PathBuf};

/// Draws the dialog. Returns whether it is finished: a path was chosen, or it was cancelled.
pub fn file_dialog_ui(ctx: &Context, state: &mut FileDialogState, out: &mut Vec<Request>) -> bool {
    let mut request = None;
    if state.accepting && state.folder_request.is_none() {
        state.accepting = false;
        request = state.accept();
    }
    let mut cancelled = false;
    let modal = modal("file dialog").show(ctx, |ui| {
        let room = ui.ctx().content_rect().size();
        ui.set_width(560.0_f32.min(room.x - 60.0));
        match state.replace.clone() {
            Some(path) => replace_ui(ui, state, &path, &mut request),
            None => (request, cancelled) = choose_ui(ui, state, room.y, request.take()),
        }
    });
    // Esc goes back from "Replace?", and otherwise closes the dialog.
    if request.is_none() && is_dismissed(&modal) && state.replace.take().is_none() {
        cancelled = true;
    }
    let done = cancelled || request.is_some();
    out.extend(request);
    done
}

fn replace_ui(ui: &mut Ui, state: &mut FileDialogState, path: &Path, request: &mut Option<Request>) {
    let name = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    ui.heading("Replace the file?");
    ui.add_space(theme::GAP);
    ui.label(format!("“{}” is already in this folder. Saving replaces what is in it.", shorten(&name)));
    ui.add_space(theme::GAP * 2.0);
    ui.with_layout(Layout::right_to_left(egui::Align::Center), |ui| {
        if ui.add(main_dialog_button("Replace")).clicked() || is_confirmed(ui.ctx()) {
            *request = Some(state.mode.request(path.to_owned()));
        }
        if ui.add(dialog_button("Back")).clicked() {
            state.replace = None;
        }
    });
}

fn choose_ui(
    ui: &mut Ui,
    state: &mut FileDialogState,
    height: f32,
    mut request: Option<Request>,
) -> (Option<Request>, bool) {
    let verb = state.mode.verb();
    let confirmed = is_confirmed(ui.ctx());
    ui.heading(state.mode.title());
    ui.add_space(theme::GAP);
    folder_ui(ui, state);
    let chosen = list_ui(ui, state, (height - 300.0).clamp(60.0, 320.0));
    if let Some(error) = &state.error {
        ui.label(RichText::new(error).color(theme::ERROR));
    }
    let entered = name_ui(ui, state);
    ui.add_space(theme::GAP);
    let mut cancelled = false;
    let mut accepted = confirmed || chosen || entered;
    ui.horizontal(|ui| {
        let tick = ui.add(Checkbox::new(&mut state.all_files, "All files"));
        let endings = state.mode.extensions().join(" or .");
        tick.tip(format!("Also list files that do not end in .{endings}"));
        ui.with_layout(Layout::right_to_left(egui::Align::Center), |ui| {
            accepted |= ui.add(main_dialog_button(verb)).clicked();
            cancelled = ui.add(dialog_button("Cancel")).clicked();
        });
    });
    if accepted && request.is_none() {
        request = state.accept();
    }
    (request, cancelled)
}

fn folder_ui(ui: &mut Ui, state: &mut FileDialogState) {
    ui.horizontal(|ui| {
        let parent = state.folder.parent().map(Path::to_owned);
        let up = ui.add_enabled(parent.is_some(), Button::new(icons::UP));
        up.widget_info(|| WidgetInfo::labeled(WidgetType::Button, parent.is_some(), "Parent folder"));
        let up = up.tip("Go to the folder that this one is in.").disabled_tip("This is the topmost folder");
        if let Some(parent) = parent.filter(|_| up.clicked()) {
            state.go_to(parent);
        }
        let width = ui.available_width();
        let edit = ui.add(line_edit(&mut state.folder_text, width));
        ui.ctx().accesskit_node_builder(edit.id, |node| node.set_label("Folder"));
        if edit.lost_focus() && ui.input(|i| i.key_pressed(Key::Enter)) {
            state.go_to(PathBuf::from(state.folder_text.trim()));
        }
    });
}

/// Draws the list of entries. Returns whether one was accepted by a double-click.
fn list_ui(ui: &mut Ui, state: &mut FileDialogState, height: f32) -> bool {
    let mut chosen = false;
    let mut enter = None;
    let mut name = None;
    Frame::new().fill(*theme::FIELD).corner_radius(theme::RADIUS).inner_margin(4).show(ui, |ui| {
        ScrollArea::vertical().max_height(height).min_scrolled_height(height).auto_shrink(false).show(
            ui,
            |ui| {
                ui.spacing_mut().item_spacing.y = 0.0;
                let shown: Vec<_> = state.entries.iter().filter(|e| state.shows(e)).collect();
                if shown.is_empty() {
                    ui.weak(format!("No {} in this folder.", state.mode.nouns()));
                }
                for entry in &shown {
                    let (kind, icon) =
                        if entry.folder { ("Folder", icons::FOLDER) } else { ("File", icons::FILE) };
                    let id = Id::new(("entry", &entry.name, entry.folder));
                    let row = Row {
                        selected: entry.name == state.name,
                        ..Row::new(id, format!("{kind} {}", entry.name), &entry.name, icon)
                    };
                    let output = row_ui(ui, &row, shown.len() > LAZY_THRESHOLD);
                    if output.double_clicked && entry.folder {
                        enter = Some(state.folder.join(&entry.name));
                    } else if output.clicked || output.double_clicked {
                        name = Some(entry.name.clone());
                        chosen = output.double_clicked;
                    }
                }
            },
        );
    });
    if let Some(name) = name {
        state.name = name;
    }
    if let Some(folder) = enter {
        state.go_to(folder);
        state.name.clear();
    }
    chosen
}

/// Draws the name field. Returns whether Enter was pressed in it.
fn name_ui(ui: &mut Ui, state: &mut FileDialogState) -> bool {
    ui.add_space(theme::GAP);
    ui.horizontal(|ui| {
        ui.weak("Name");
        let width = ui.available_width();
        let edit = line_edit(&mut state.name, width).hint_text("A name, or a path");
        let edit = ui.add(edit);
        if !std::mem::replace(&mut state.focused, true) {
            edit.request_focus();
            let stem_alone = state.mode.writes();
            select_name(ui, edit.id, &state.name, stem_alone);
        }
        ui.ctx().accesskit_node_builder(edit.id, |node| node.set_label("File name"));
        edit.lost_focus() && ui.input(|i| i.key_pressed(Key::Enter))
    })
    .inner
}

/// Selects the proposed name, so that typing replaces it; `stem_alone` leaves out its extension.
fn select_name(ui: &Ui, id: Id, name: &str, stem_alone: bool) {
    let stem = Path::new(name).file_stem().filter(|_| stem_alone);
    let end = stem.map_or(name.chars().count(), |stem| stem.to_string_lossy().chars().count());
    let range = egui::text::CCursorRange::two(egui::text::CCursor::new(0), egui::text::CCursor::new(end));
    let mut state = egui::text_edit::TextEditState::load(ui.ctx(), id).unwrap_or_default();
    state.cursor.set_char_range(Some(range));
    state.store(ui.ctx(), id);
}
