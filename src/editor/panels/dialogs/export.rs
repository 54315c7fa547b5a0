//! The Export glTF dialog: the options, and what will look different in other programs.

use crate::edit::request::Request;
use crate::edit::settings::view::View;
use crate::editor::panels::dialogs::bone_dialogs::row;
use crate::editor::panels::dialogs::import::findings_ui;
use crate::editor::ui::dialog::{dialog_button, is_confirmed, is_dismissed, main_dialog_button, modal};
use crate::editor::ui::theme;
use crate::editor::ui::tooltip::Tip;
use crate::io::export::{ExportOptions, Influences, Interpolation};
use crate::io::report::Report;
use egui::{Align, Checkbox, Context, Label, Layout, RichText, Spinner, Ui};
use std::path::PathBuf;

/// The state of the dialog.
#[derive(Default)]
pub struct ExportState {
    open: bool,
    /// The file to write, if the document tells.
    pub target: Option<PathBuf>,
    /// The options, kept for the next export.
    pub options: ExportOptions,
    /// The report on an export with the given options, or why it is impossible.
    preview: Option<(ExportOptions, Result<Report, String>)>,
    /// The progress of computing the report, from 0 to 1.
    pub progress: f32,
}

impl ExportState {
    pub fn open(&mut self) {
        *self = Self { open: true, options: std::mem::take(&mut self.options), ..Self::default() };
    }

    pub fn is_open(&self) -> bool {
        self.open
    }

    /// The options for which the report is not known yet.
    pub fn pending_options(&self) -> Option<&ExportOptions> {
        let known = self.preview.as_ref().is_some_and(|(options, _)| *options == self.options);
        (self.open && !known).then_some(&self.options)
    }

    /// Sets the report on an export with `options`, or why it is impossible.
    pub fn set_preview(&mut self, options: ExportOptions, report: Result<Report, String>) {
        (self.preview, self.progress) = (Some((options, report)), 0.0);
    }
}

pub fn export_ui(ctx: &Context, view: &View, state: &mut ExportState, out: &mut Vec<Request>) {
    if !state.open {
        return;
    }
    let scene = view.session.scene();
    let (confirmed, mut accepted, mut choosing, mut cancelled) = (is_confirmed(ctx), false, false, false);
    let shown = modal("export dialog").show(ctx, |ui| {
        let room = ui.ctx().content_rect().size();
        ui.set_width(460.0_f32.min(room.x - 60.0));
        ui.heading("Export glTF");
        ui.add_space(theme::SMALL_GAP);
        let takes = scene.animation.takes.list.iter().map(|take| take.name.as_str()).collect::<Vec<_>>();
        ui.weak(if takes.is_empty() {
            "The frames that are played become one animation; takes would become one each.".to_owned()
        } else {
            format!("Animations: {}", takes.join(", "))
        });
        ui.add_space(theme::GAP);
        options_ui(ui, &mut state.options);
        if let Some(target) = &state.target {
            let name = target.file_name().unwrap_or_default().to_string_lossy();
            row(ui, "File", |ui| {
                ui.add(Label::new(name).truncate()).tip(target.to_string_lossy());
            });
        }
        // While new options are checked, the previous report stays, so that the dialog keeps its size.
        match state.preview.as_ref().map(|(_, report)| report) {
            Some(Ok(report)) if report.is_empty() => {
                ui.add_space(theme::GAP);
                ui.weak("Other programs will show it as it is here.");
            }
            Some(Ok(report)) => {
                let height = (room.y - 380.0).clamp(60.0, 240.0);
                findings_ui(ui, "What will differ", &report.findings, height);
            }
            Some(Err(error)) => {
                ui.add_space(theme::GAP);
                ui.label(RichText::new(error).color(theme::WARNING));
            }
            None => {}
        }
        let is_known = state.pending_options().is_none();
        if !is_known {
            ui.add_space(theme::GAP);
            ui.horizontal(|ui| {
                ui.add(Spinner::new().size(12.0));
                let percent = (100.0 * state.progress).floor();
                ui.weak(format!("Checking for differences, {percent} %"));
            });
        }
        let can_export = is_known && state.preview.as_ref().is_some_and(|(_, report)| report.is_ok());
        ui.add_space(theme::GAP * 2.0);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let elsewhere = "Asks for the file: .glb, or .gltf with a data file beside it.";
            let mut button = |button, tip| ui.add_enabled(can_export, button).tip(tip).clicked();
            if state.target.is_some() {
                accepted = button(main_dialog_button("Export"), "Writes the file.");
                choosing = button(dialog_button("Export to…"), elsewhere);
            } else {
                choosing = button(main_dialog_button("Export…"), elsewhere);
            }
            accepted |= confirmed && can_export;
            cancelled = ui.add(dialog_button("Cancel")).clicked();
        });
    });
    if accepted || choosing {
        let target = state.target.take().filter(|_| !choosing);
        out.push(target.map_or(Request::AskExport, Request::ExportScene));
    }
    if accepted || choosing || cancelled || is_dismissed(&shown) {
        state.open = false;
    }
}

fn options_ui(ui: &mut Ui, options: &mut ExportOptions) {
    row(ui, "Influences", |ui| {
        ui.radio_value(&mut options.influences, Influences::Four, "Four bones")
            .tip("The four largest weights of each vertex, which every engine reads.");
        ui.radio_value(&mut options.influences, Influences::All, "All bones")
            .tip("All weights. Bevy and most engines read only the first four.");
    });
    row(ui, "Interpolation", |ui| {
        ui.radio_value(&mut options.interpolation, Interpolation::Keyed, "As keyed")
            .tip("Steps, straight lines and the curves of objects as they are, those of bones linear.");
        ui.radio_value(&mut options.interpolation, Interpolation::Linear, "Linear")
            .tip("A key per frame where something moves, and more where that is not enough. For Blender.");
        ui.radio_value(&mut options.interpolation, Interpolation::Cubic, "Cubic")
            .tip("Few keys with tangents. Blender ignores the tangents.");
    });
    let mut check = |name: &str, value: &mut bool, tooltip: &str| {
        row(ui, "", |ui| {
            ui.add(Checkbox::new(value, name)).tip(tooltip);
        });
    };
    check(
        "Tip nodes",
        &mut options.tip_nodes,
        "A node at the tip of each bone without children, like Blender's leaf bones.",
    );
    check(
        "Pose in nodes",
        &mut options.pose_in_nodes,
        "Put joints in the stored pose instead of the bind pose. Useful for statues.",
    );
    check(
        "Embed scene",
        &mut options.scene,
        "The scene comes back whole when the file is opened here again, unless another program has rewritten it.",
    );
}
