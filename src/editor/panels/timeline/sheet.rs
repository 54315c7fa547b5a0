//! The dope sheet: rows of keys over a ruler of frames.

use crate::edit::request::Request;
use crate::edit::view::View;
use egui::Ui;

#[derive(Default)]
pub struct SheetState {}

pub fn sheet_ui(_ui: &mut Ui, _view: &View, _state: &mut SheetState, _out: &mut Vec<Request>) {}
