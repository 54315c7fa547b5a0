//! The dialog that renders the animation, and the small window that shows the progress. They render and write
//! nothing themselves.

mod fields;
mod progress;
mod state;

use crate::edit::action::Action;
use crate::edit::render::{Files, Format, RenderSettings};
use crate::edit::request::Request;
use crate::edit::settings::view::{Tab, View};
use crate::editor::ui::dialog::{dialog_button, is_confirmed, is_dismissed, main_dialog_button, modal};
use crate::editor::ui::list::shorten;
use crate::editor::ui::text::capitalize;
use crate::editor::ui::theme;
use crate::editor::ui::tooltip::Tip;
use crate::io::count::grouped;
use egui::{Align, Context, Label, Layout, RichText, Ui};
pub use progress::{RenderProgress, progress_ui};
pub use state::RenderState;
use std::path::PathBuf;

/// Draws the dialog.
pub fn render_ui(ctx: &Context, view: &View, state: &mut RenderState, out: &mut Vec<Request>) {
    if !state.open {
        return;
    }
    if let Some(single) = state.opening.take() {
        state.begin(view, single);
        if view.settings.tab != Tab::Animate {
            // Renders show what that tab shows.
            out.push(Request::Act(Action::TAB_ANIMATE));
        }
    }
    let (mut render, mut close) = (None, false);
    let name = if state.replace.is_some() { "replace rendered" } else { "render" };
    let shown = modal(name).show(ctx, |ui| {
        ui.set_width(440.0_f32.min(ui.ctx().content_rect().width() - 60.0));
        match state.replace {
            Some(count) => replace_ui(ui, view, state, count, &mut render),
            None => choose_ui(ui, view, state, &mut render, &mut close, out),
        }
    });
    if let Some(replace) = render {
        state.replace = None;
        let settings = Box::new(state.settings(view));
        out.push(Request::Render { settings, replace });
    }
    // Esc goes back from "Replace?", and otherwise closes the dialog.
    if close || render.is_none() && is_dismissed(&shown) && state.replace.take().is_none() {
        state.open = false;
    }
}

fn choose_ui(
    ui: &mut Ui,
    view: &View,
    state: &mut RenderState,
    render: &mut Option<bool>,
    close: &mut bool,
    out: &mut Vec<Request>,
) {
    ui.heading(if state.is_single() { "Render a picture" } else { "Render animation" });
    ui.add_space(theme::GAP);
    // Before the fields, since the Enter that ends typing has no other effect.
    let entered = is_confirmed(ui.ctx());
    fields::fields_ui(ui, view, state, out);
    ui.add_space(theme::GAP);
    let settings = state.settings(view);
    let files = settings.files();
    let busy = state.progress.is_some();
    match &files {
        Ok(files) => {
            ui.add(Label::new(RichText::new(summary(files, &settings, view)).color(theme::TEXT_QUIET)).wrap())
        }
        Err(problem) => {
            let text = format!("{}.", capitalize(problem));
            ui.add(Label::new(RichText::new(text).color(theme::ERROR)).wrap())
        }
    };
    if state.format == Format::Mp4 && state.ffmpeg == Some(false) {
        let text = "MP4 needs the program ffmpeg, which was not found here.";
        ui.label(RichText::new(text).color(theme::WARNING));
    }
    if !view.session.unkeyed().is_empty() {
        let text = "Unkeyed changes are not rendered.";
        ui.label(RichText::new(text).color(theme::WARNING));
    }
    ui.add_space(theme::GAP * 2.0);
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        let button = ui.add_enabled(files.is_ok() && !busy, main_dialog_button("Render"));
        let reason = if busy { "Another render is still running" } else { "See the message in red" };
        let button = button.tip("Renders in the background: the scene can be edited meanwhile");
        if button.disabled_tip(reason).clicked() || entered && files.is_ok() && !busy {
            *render = Some(false);
        }
        *close = ui.add(dialog_button("Cancel")).clicked();
    });
}

fn replace_ui(ui: &mut Ui, view: &View, state: &mut RenderState, count: usize, render: &mut Option<bool>) {
    let settings = state.settings(view);
    let name = settings.output.file_name().unwrap_or_default().to_string_lossy();
    ui.heading(if count == 1 { "Replace the file?" } else { "Replace the files?" });
    ui.add_space(theme::GAP);
    ui.label(match count {
        1 => format!("“{}” already exists. Rendering replaces it.", shorten(&name)),
        _ => format!(
            "{} of the files “{}” already exist. Rendering replaces them.",
            grouped(count),
            shorten(&name)
        ),
    });
    ui.add_space(theme::GAP * 2.0);
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        if ui.add(main_dialog_button("Replace")).clicked() || is_confirmed(ui.ctx()) {
            *render = Some(true);
        }
        if ui.add(dialog_button("Back")).clicked() {
            state.replace = None;
        }
    });
}

/// Summarizes the output: `24 frames, 1 s: walk-0000.png to walk-0023.png`.
fn summary(files: &Files, settings: &RenderSettings, view: &View) -> String {
    let name = |path: PathBuf| shorten(&path.file_name().unwrap_or_default().to_string_lossy());
    let [first, last] = [settings.all_frames().next(), settings.all_frames().last()];
    let (first, last) = (first.unwrap_or_default(), last.unwrap_or_default());
    let names = match files {
        Files::Numbered(_) if first < last => {
            format!("{} to {}", name(files.path(first)), name(files.path(last)))
        }
        files => name(files.path(first)),
    };
    let rate = f64::from(view.session.scene().animation.clip.rate) / f64::from(settings.step);
    let seconds = settings.frame_count() as f64 / rate;
    let frames = crate::editor::panels::status::counted(settings.frame_count(), "frame", "frames");
    let mut text = match settings.frame_count() {
        1 => format!("Frame {first}: {names}."),
        _ => format!("{frames}, {} s: {names}.", (seconds * 100.0).round() / 100.0),
    };
    if settings.format == Format::Gif && rate > f64::from(RenderSettings::GIF_RATE) {
        text.push_str(" Few programs play a GIF this fast; use a step of 2.");
    }
    text
}
