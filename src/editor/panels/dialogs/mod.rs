//! Dialogs: "Save changes?" and information about the program; the others have files of their own.

pub mod attach_dialog;
pub mod bake_dialog;
pub mod bone_dialogs;
pub mod export;
pub mod file_dialog;
pub mod import;
pub mod import_scene;
pub mod keys_window;
pub mod lock_dialog;
pub mod overwrite_dialog;
pub mod palette;
pub mod preferences_dialog;
pub mod primitive;
pub mod recovery_dialog;
pub mod rename_dialog;
pub mod render;
pub mod take_over_dialog;
pub mod time_dialog;

use crate::edit::request::{Request, SaveChanges, SaveUnkeyed};
use crate::edit::settings::view::View;
use crate::editor::panels::dialogs::attach_dialog::{AttachDialog, attach_dialog_ui};
use crate::editor::panels::dialogs::bake_dialog::{BakeDialog, bake_dialog_ui};
use crate::editor::panels::dialogs::bone_dialogs::{BoneDialogs, bone_dialogs_ui};
use crate::editor::panels::dialogs::keys_window::{KeysWindow, keys_ui};
use crate::editor::panels::dialogs::lock_dialog::{LockDialog, lock_dialog_ui};
use crate::editor::panels::dialogs::overwrite_dialog::{OverwriteQuestion, overwrite_ui};
use crate::editor::panels::dialogs::rename_dialog::{RenameDialog, rename_dialog_ui};
use crate::editor::panels::dialogs::take_over_dialog::{TakeOverDialog, take_over_dialog_ui};
use crate::editor::panels::dialogs::time_dialog::{TimeDialog, time_dialog_ui};
use crate::editor::panels::status::counted;
use crate::editor::ui::dialog::{dialog_button, is_confirmed, is_dismissed, main_dialog_button, modal};
use crate::editor::ui::list::shorten;
use crate::editor::ui::theme;
use crate::editor::ui::tooltip::Tip;
use egui::{Context, Layout};

/// The dialogs that are open.
#[derive(Default)]
pub struct DialogsState {
    /// Whether "Save changes?" is open; its answer is [`Request::SaveChanges`].
    pub save_changes: bool,
    /// The question to be answered before a file is written; its answer is [`Request::Overwrite`].
    pub overwrite: Option<OverwriteQuestion>,
    /// Whether "Key the unkeyed changes?" is open; its answer is [`Request::SaveUnkeyed`].
    pub save_unkeyed: bool,
    pub keys: KeysWindow,
    pub about: bool,
    pub bones: BoneDialogs,
    pub bake: BakeDialog,
    pub lock: LockDialog,
    pub take_over: Option<TakeOverDialog>,
    pub attach: AttachDialog,
    pub rename: RenameDialog,
    pub time: TimeDialog,
}

impl DialogsState {
    /// Whether a modal dialog is open.
    pub fn is_modal(&self) -> bool {
        self.save_changes
            || self.save_unkeyed
            || self.overwrite.is_some()
            || self.about
            || self.bones.is_open()
            || self.bake.is_open()
            || self.lock.is_open()
            || self.take_over.is_some()
            || self.attach.is_open()
            || self.rename.is_open()
            || self.time.is_open()
    }
}

pub fn dialogs_ui(ctx: &Context, view: &View, state: &mut DialogsState, out: &mut Vec<Request>) {
    keys_ui(ctx, view, &mut state.keys);
    bone_dialogs_ui(ctx, view, &mut state.bones, out);
    bake_dialog_ui(ctx, view, &mut state.bake, out);
    lock_dialog_ui(ctx, view, &mut state.lock, out);
    take_over_dialog_ui(ctx, view, &mut state.take_over, out);
    attach_dialog_ui(ctx, view, &mut state.attach, out);
    rename_dialog_ui(ctx, view, &mut state.rename, out);
    time_dialog_ui(ctx, view, &mut state.time, out);
    if state.about {
        state.about = !about_ui(ctx);
    }
    if let Some(question) = &state.overwrite
        && let Some(answer) = overwrite_ui(ctx, question)
    {
        state.overwrite = None;
        out.push(Request::Overwrite(answer));
    }
    if state.save_changes
        && let Some(answer) = save_changes_ui(ctx, &view.session.title())
    {
        state.save_changes = false;
        out.push(Request::SaveChanges(answer));
    }
    if state.save_unkeyed
        && let Some(answer) = save_unkeyed_ui(ctx, view)
    {
        state.save_unkeyed = false;
        out.push(Request::SaveUnkeyed(answer));
    }
}

fn save_unkeyed_ui(ctx: &Context, view: &View) -> Option<SaveUnkeyed> {
    let (count, frame) = (view.session.unkeyed().len(), view.session.frame());
    let mut answer = None;
    if is_confirmed(ctx) {
        answer = Some(SaveUnkeyed::Key);
    }
    let modal = modal("save unkeyed").show(ctx, |ui| {
        ui.set_width(440.0_f32.min(ui.ctx().content_rect().width() - 60.0));
        ui.heading("Key the unkeyed changes?");
        ui.add_space(theme::GAP);
        ui.label(format!(
            "{} without a key at frame {frame} and will be lost when the file is opened again.",
            counted(count, "change is", "changes are")
        ));
        ui.add_space(theme::GAP * 2.0);
        ui.with_layout(Layout::right_to_left(egui::Align::Center), |ui| {
            let text = format!("Key them at frame {frame}, and save.");
            if ui.add(main_dialog_button("Key them")).tip(text).clicked() {
                answer = Some(SaveUnkeyed::Key);
            }
            let text = "Discard the changes and save. Undo restores them.";
            if ui.add(dialog_button("Keep as in the file")).tip(text).clicked() {
                answer = Some(SaveUnkeyed::Keep);
            }
            if ui.add(dialog_button("Cancel")).clicked() {
                answer = Some(SaveUnkeyed::Cancel);
            }
        });
    });
    answer.or_else(|| is_dismissed(&modal).then_some(SaveUnkeyed::Cancel))
}

fn save_changes_ui(ctx: &Context, title: &str) -> Option<SaveChanges> {
    let mut answer = None;
    if is_confirmed(ctx) {
        answer = Some(SaveChanges::Save);
    }
    let modal = modal("save changes").show(ctx, |ui| {
        ui.set_width(380.0_f32.min(ui.ctx().content_rect().width() - 60.0));
        ui.heading("Save changes?");
        ui.add_space(theme::GAP);
        ui.label(format!("“{}” has changes that are not in its file.", shorten(title)));
        ui.add_space(theme::GAP * 2.0);
        ui.with_layout(Layout::right_to_left(egui::Align::Center), |ui| {
            if ui.add(main_dialog_button("Save")).clicked() {
                answer = Some(SaveChanges::Save);
            }
            if ui.add(dialog_button("Don't save")).clicked() {
                answer = Some(SaveChanges::Discard);
            }
            if ui.add(dialog_button("Cancel")).clicked() {
                answer = Some(SaveChanges::Cancel);
            }
        });
    });
    answer.or_else(|| is_dismissed(&modal).then_some(SaveChanges::Cancel))
}

/// Draws the About dialog. Returns whether it was closed.
fn about_ui(ctx: &Context) -> bool {
    let mut close = is_confirmed(ctx);
    let modal = modal("about").show(ctx, |ui| {
        ui.set_width(400.0_f32.min(ui.ctx().content_rect().width() - 60.0));
        ui.heading(format!("Ossature {}", env!("CARGO_PKG_VERSION")));
        ui.add_space(theme::GAP);
        ui.label("Rigging and animating characters: bones, weights, inverse kinematics.");
        ui.label("Opens and saves the js3d scenes of Scotty3D.");
        ui.add_space(theme::GAP);
        ui.weak("Built on Bevy, egui, glam and the Phosphor icons.");
        ui.weak("MIT or Apache 2.0 licence.");
        ui.add_space(theme::GAP * 2.0);
        ui.with_layout(Layout::right_to_left(egui::Align::Center), |ui| {
            close |= ui.add(dialog_button("Close")).clicked();
        });
    });
    close || is_dismissed(&modal)
}
