//! What is worked out in the background: how far it is, and the button that gives it up.

use crate::edit::request::Request;
use egui::{Button, RichText, Ui, WidgetInfo, WidgetType};

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
}

impl Doing {
    fn text(self) -> &'static str {
        match self {
            Doing::Weights => "Calculating weights",
            Doing::Bake => "Baking IK",
        }
    }

    fn tooltip(self) -> &'static str {
        match self {
            Doing::Weights => "Stop calculating; the weights stay as they are.",
            Doing::Bake => "Stop baking; the keys stay as they are.",
        }
    }

    /// Said when it is given up.
    pub fn given_up(self) -> &'static str {
        match self {
            Doing::Weights => "Calculation given up; the weights are as they were",
            Doing::Bake => "Baking given up; the keys are as they were",
        }
    }

    /// Said when it came to nothing.
    pub fn failed(self) -> &'static str {
        match self {
            Doing::Weights => "Weights could not be calculated",
            Doing::Bake => "IK could not be baked",
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
    let percent = (100.0 * done).floor();
    ui.label(RichText::new(format!("{}, {percent} %", doing.text())).small());
}
