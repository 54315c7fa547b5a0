//! Play controls above the sheet.

use crate::edit::request::Request;
use crate::edit::view::View;
use egui::Ui;

#[derive(Default)]
pub struct TransportState {}

pub fn transport_ui(_ui: &mut Ui, _view: &View, _state: &mut TransportState, _out: &mut Vec<Request>) {}
