//! A row for a colour: a swatch that opens a picker, and its three numbers.

use super::fields::{Converters, Fields};
use super::number::{Number, name_ui, number_ui};
use super::theme;
use crate::edit::command::Command;
use crate::edit::request::Request;
use crate::editor::ui::tooltip::Tip;
use egui::{Id, Ui};
use glam::Vec3;

/// A row for a colour, labelled "<name> picker", "<name> red" and so on. `value`: linear. A drag in the
/// picker is one undo step.
pub fn color_row(
    ui: &mut Ui,
    fields: &mut Fields,
    template: &Number,
    value: Vec3,
    out: &mut Vec<Request>,
    make: &dyn Fn(Vec3) -> Vec<Command>,
) {
    let name = template.label;
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = theme::SMALL_GAP;
        let id = fields.id(name);
        let response = name_ui(ui, id.with("name"), name);
        let default = Vec3::splat(template.default as f32);
        if response.double_clicked() && value != default {
            out.push(Request::Apply(make(default)));
        }
        response.tip_ui(|ui| {
            ui.strong(name);
            ui.label(template.tooltip);
            ui.weak("Double-click to reset.");
        });
        picker_ui(ui, id.with("picker"), name, value, out, make);
        let width = ((ui.available_width() - 2.0 * theme::SMALL_GAP) / 3.0).max(30.0);
        for (component, word) in ["red", "green", "blue"].into_iter().enumerate() {
            let label = format!("{name} {word}");
            let number = Number {
                label: &label,
                keyed: template.keyed.for_component(template.muted[component]),
                ..template.clone()
            };
            let set = |v: f64| {
                let mut whole = value;
                whole[component] = v as f32;
                make(whole)
            };
            let number_value = f64::from(value[component]);
            number_ui(ui, fields, &number, number_value, width, out, Converters::both(&set));
        }
    });
}

/// The swatch. Colours brighter than a screen can show are clamped.
fn picker_ui(
    ui: &mut Ui,
    id: Id,
    name: &str,
    value: Vec3,
    out: &mut Vec<Request>,
    make: &dyn Fn(Vec3) -> Vec<Command>,
) {
    let mut picked = value.to_array();
    let response = ui.color_edit_button_rgb(&mut picked);
    let label = format!("{name} picker");
    ui.ctx().accesskit_node_builder(response.id, |node| node.set_label(label.as_str()));
    let picked = Vec3::from_array(picked);
    let pressed = ui.input(|i| i.pointer.any_down());
    let drags = ui.data(|data| data.get_temp::<bool>(id)).unwrap_or(false);
    if response.changed() && picked != value && picked.is_finite() {
        let picked = picked.max(Vec3::ZERO);
        out.push(if pressed { Request::Preview(make(picked)) } else { Request::Apply(make(picked)) });
        ui.data_mut(|data| data.insert_temp(id, pressed));
    } else if drags && !pressed {
        out.push(Request::Commit);
        ui.data_mut(|data| data.remove::<bool>(id));
    }
    response.tip("Choose a colour.");
}
