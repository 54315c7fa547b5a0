//! The progress of the background job, and the button that cancels it.

use crate::edit::request::Request;
use crate::editor::ui::tooltip::Tip;
use egui::{Button, RichText, Spinner, Ui, WidgetInfo, WidgetType};

/// The progress of a background job.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JobProgress {
    pub kind: JobKind,
    /// The completed fraction, from 0 to 1.
    pub fraction: f32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JobKind {
    Weights,
    Bake,
    /// Reading a file.
    Read,
    /// Writing a file for other programs.
    Export,
}

impl JobKind {
    fn text(self) -> &'static str {
        match self {
            JobKind::Weights => "Calculating weights",
            JobKind::Bake => "Baking IK",
            JobKind::Read => "Reading the file",
            JobKind::Export => "Exporting",
        }
    }

    /// The accessible name of the button that cancels the job.
    fn cancel_name(self) -> &'static str {
        match self {
            JobKind::Weights => "Cancel calculation",
            JobKind::Bake => "Cancel baking",
            JobKind::Read => "Cancel reading",
            JobKind::Export => "Cancel exporting",
        }
    }

    fn tooltip(self) -> &'static str {
        match self {
            JobKind::Weights => "Stop calculating; the weights stay as they are.",
            JobKind::Bake => "Stop baking; the keys stay as they are.",
            JobKind::Read => "Stop reading; the scene stays as it is.",
            JobKind::Export => "Stop exporting; no file is written.",
        }
    }

    /// The message after the job was cancelled.
    pub fn cancelled(self) -> &'static str {
        match self {
            JobKind::Weights => "Calculation cancelled; the weights are as they were",
            JobKind::Bake => "Baking cancelled; the keys are as they were",
            JobKind::Read => "Reading cancelled; the scene is as it was",
            JobKind::Export => "Export cancelled; no file was written",
        }
    }

    /// The message after the job failed.
    pub fn failed(self) -> &'static str {
        match self {
            JobKind::Weights => "Weights could not be calculated",
            JobKind::Bake => "IK could not be baked",
            JobKind::Read => "The file could not be read",
            JobKind::Export => "The scene could not be exported",
        }
    }
}

/// Draws the progress for the status bar, in a layout from right to left.
pub fn job_ui(ui: &mut Ui, job: JobProgress, out: &mut Vec<Request>) {
    let JobProgress { kind, fraction } = job;
    let response = ui.add(Button::new(RichText::new("Cancel").small()).min_size(egui::vec2(0.0, 16.0)));
    response.widget_info(|| WidgetInfo::labeled(WidgetType::Button, true, kind.cancel_name()));
    if response.tip(kind.tooltip()).clicked() {
        out.push(Request::CancelCalculation);
    }
    if kind == JobKind::Read && fraction >= 1.0 {
        // The duration of this stage is unknown.
        ui.label(RichText::new("Building the scene").small());
        ui.add(Spinner::new().size(12.0));
        return;
    }
    let percent = (100.0 * fraction).floor();
    ui.label(RichText::new(format!("{}, {percent} %", kind.text())).small());
}
