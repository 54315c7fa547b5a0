//! What is worked out in the background: how far it is, and the button that cancels it.

use crate::edit::request::Request;
use egui::{Button, RichText, Spinner, Ui, WidgetInfo, WidgetType};

/// Work in the background.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Working {
    pub doing: Doing,
    /// From 0 to 1.
    pub done: f32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Doing {
    Weights,
    Bake,
    /// A file.
    Read,
    /// A file for other programs.
    Export,
}

impl Doing {
    fn text(self) -> &'static str {
        match self {
            Doing::Weights => "Calculating weights",
            Doing::Bake => "Baking IK",
            Doing::Read => "Reading the file",
            Doing::Export => "Exporting",
        }
    }

    fn tooltip(self) -> &'static str {
        match self {
            Doing::Weights => "Stop calculating; the weights stay as they are.",
            Doing::Bake => "Stop baking; the keys stay as they are.",
            Doing::Read => "Stop reading; the scene stays as it is.",
            Doing::Export => "Stop exporting; no file is written.",
        }
    }

    /// Said when it is cancelled.
    pub fn cancelled(self) -> &'static str {
        match self {
            Doing::Weights => "Calculation cancelled; the weights are as they were",
            Doing::Bake => "Baking cancelled; the keys are as they were",
            Doing::Read => "Reading cancelled; the scene is as it was",
            Doing::Export => "Export cancelled; no file was written",
        }
    }

    /// Said when it came to nothing.
    pub fn failed(self) -> &'static str {
        match self {
            Doing::Weights => "Weights could not be calculated",
            Doing::Bake => "IK could not be baked",
            Doing::Read => "The file could not be read",
            Doing::Export => "The scene could not be exported",
        }
    }
}

/// For the status bar, from right to left.
pub fn working_ui(ui: &mut Ui, working: Working, out: &mut Vec<Request>) {
    let Working { doing, done } = working;
    let response = ui.add(Button::new(RichText::new("Cancel").small()).min_size(egui::vec2(0.0, 16.0)));
    response.widget_info(|| WidgetInfo::labeled(WidgetType::Button, true, "Cancel calculation"));
    if response.on_hover_text(doing.tooltip()).clicked() {
        out.push(Request::CancelCalculation);
    }
    if doing == Doing::Read && done >= 1.0 {
        // How long that takes is not known.
        ui.label(RichText::new("Building the scene").small());
        ui.add(Spinner::new().size(12.0));
        return;
    }
    let percent = (100.0 * done).floor();
    ui.label(RichText::new(format!("{}, {percent} %", doing.text())).small());
}
