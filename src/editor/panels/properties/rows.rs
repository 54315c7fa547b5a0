//! The rows of a resource or an instance, whatever it is: drawn from the table of properties.

use super::euler::Euler;
use crate::anim::channel::ChannelRef;
use crate::edit::command::Command;
use crate::edit::key_state;
use crate::edit::request::Request;
use crate::edit::selection::Selection;
use crate::edit::session::Session;
use crate::editor::panels::mesh_stats::{length_decimals, length_step};
use crate::editor::ui::choice::{choice_ui, line_ui};
use crate::editor::ui::color::color_row;
use crate::editor::ui::fields::{Fields, Meanings};
use crate::editor::ui::keyed::tick_ui;
use crate::editor::ui::number::{Number, name_ui};
use crate::editor::ui::row::{fact_row, scalar_fields, vector_row};
use crate::editor::ui::{icons, theme};
use crate::scene::names::ObjectRef;
use crate::scene::property::{self, PropertyValue, Row};
use egui::{Align, Button, Checkbox, Layout, Ui, WidgetInfo, WidgetType, vec2};

/// Names of properties are longer than those of bones.
const NAME_WIDTH: f32 = 96.0;

/// What the rows are of, and what is remembered for them.
pub struct RowContext<'a> {
    pub session: &'a Session,
    pub thing: &'a ObjectRef,
    /// Commands that make it, where it is not there yet: they go before those of the rows.
    pub first: &'a [Command],
    pub euler: &'a Euler,
    pub name_width: f32,
}

impl<'a> RowContext<'a> {
    pub fn new(session: &'a Session, thing: &'a ObjectRef, euler: &'a Euler) -> Self {
        Self {
            session,
            thing,
            first: &[],
            euler,
            name_width: NAME_WIDTH,
        }
    }

    fn set(&self, row: &Row, value: PropertyValue) -> Vec<Command> {
        let set = Command::set(self.thing.clone(), row.info.id, value);
        self.first.iter().cloned().chain([set]).collect()
    }

    /// How the value of a row stands to its keys.
    fn channels(&self, row: &Row) -> Vec<ChannelRef> {
        match row.info.keyable {
            true => vec![ChannelRef::new(&self.thing.name, row.info.id)],
            false => Vec::new(),
        }
    }

    fn number(&self, row: &Row, size: f64) -> Number<'static> {
        let info = row.info;
        let channels = self.channels(row);
        let like = match info.unit {
            "°" => Number::degrees(info.label, info.about),
            _ => {
                let step = length_step(if size.is_finite() { size.max(5.0) } else { 5.0 });
                Number {
                    step,
                    decimals: length_decimals(step),
                    unit: info.unit,
                    ..Number::new(info.label, info.about)
                }
            }
        };
        Number {
            min: info.range[0],
            max: info.range[1],
            keyed: key_state::state(self.session, &channels),
            muted: key_state::muted(self.session, &channels),
            name_width: self.name_width,
            ..like
        }
    }
}

/// All rows but those that `skip` names, in the order of the table.
pub fn property_rows(
    ui: &mut Ui,
    of: &RowContext,
    skip: &[&str],
    fields: &mut Fields,
    out: &mut Vec<Request>,
) {
    let rows = match of.first.is_empty() {
        true => property::rows(of.session.animated(), of.thing),
        false => property::fresh(of.thing.kind),
    };
    for row in rows.iter().filter(|row| !skip.contains(&row.info.id)) {
        row_ui(ui, of, row, fields, out);
    }
}

fn row_ui(ui: &mut Ui, of: &RowContext, row: &Row, fields: &mut Fields, out: &mut Vec<Request>) {
    let info = row.info;
    match &row.value {
        PropertyValue::Bool(value) => tick_row(ui, of, row, *value, out),
        PropertyValue::Float(value) => {
            let number = Number {
                default: float(&row.default),
                ..of.number(row, f64::from(value.abs()))
            };
            let make = |v: f64| of.set(row, PropertyValue::Float(v as f32));
            let value = f64::from(*value);
            scalar_fields(
                ui,
                fields,
                &number,
                value,
                info.slider,
                out,
                Meanings::both(&make),
            );
        }
        PropertyValue::Unsigned(value) if !info.names.is_empty() => {
            let name = info.names.iter().find(|(number, _)| number == value);
            let shown = name.map_or_else(|| value.to_string(), |(_, name)| (*name).to_owned());
            let lines = info
                .names
                .iter()
                .map(|(number, name)| (*name, *number == *value, *number));
            let lines: Vec<_> = lines
                .map(|(name, here, v)| (name, here, PropertyValue::Unsigned(v)))
                .collect();
            choice(ui, of, row, &shown, lines, out);
        }
        PropertyValue::Unsigned(value) => {
            let number = Number {
                default: float(&row.default),
                step: 1.0,
                decimals: 0,
                ..of.number(row, 0.0)
            };
            let make = |v: f64| of.set(row, PropertyValue::Unsigned(v.round() as u32));
            scalar_fields(
                ui,
                fields,
                &number,
                f64::from(*value),
                info.slider,
                out,
                Meanings::both(&make),
            );
        }
        PropertyValue::Vec3(value) => {
            let number = Number {
                default: float(&row.default),
                ..of.number(row, f64::from(value.abs().max_element()))
            };
            let make = |v| of.set(row, PropertyValue::Vec3(v));
            vector_row(ui, fields, info.label, &number, *value, out, &make);
        }
        PropertyValue::Rotation(value) => {
            let number = Number {
                keyed: key_state::state(of.session, &of.channels(row)),
                name_width: of.name_width,
                ..Number::degrees(info.label, info.about)
            };
            let make = |angles_deg| of.set(row, PropertyValue::Rotation(of.euler.rotation(angles_deg)));
            vector_row(
                ui,
                fields,
                info.label,
                &number,
                of.euler.angles_deg(*value),
                out,
                &make,
            );
        }
        PropertyValue::Color(value) => {
            let number = Number {
                default: float(&row.default),
                decimals: 3,
                step: 0.005,
                ..of.number(row, 0.0)
            };
            let make = |v| of.set(row, PropertyValue::Color(v));
            color_row(ui, fields, &number, *value, out, &make);
        }
        PropertyValue::Choice(word) if info.fixed || row.choices.len() < 2 => {
            fact_row(ui, info.label, of.name_width, info.shown(word));
        }
        PropertyValue::Choice(word) => {
            let lines = row.choices.iter().map(|name| {
                let value = PropertyValue::Choice((*name).to_owned());
                (info.shown(name), name == word, value)
            });
            choice(ui, of, row, info.shown(word), lines.collect(), out);
        }
        PropertyValue::Reference(name) => reference_row(ui, of, row, name.as_deref(), out),
    }
}

/// What Reset sets; of a vector or a colour, each component.
fn float(value: &PropertyValue) -> f64 {
    match value {
        PropertyValue::Float(v) => f64::from(*v),
        PropertyValue::Unsigned(v) => f64::from(*v),
        PropertyValue::Vec3(v) | PropertyValue::Color(v) => f64::from(v.x),
        _ => 0.0,
    }
}

fn tick_row(ui: &mut Ui, of: &RowContext, row: &Row, value: bool, out: &mut Vec<Request>) {
    let mut on = value;
    let state = key_state::state(of.session, &of.channels(row));
    let tick = Checkbox::new(&mut on, row.info.label);
    if tick_ui(ui, state, tick, row.info.about).changed() {
        out.push(Request::Apply(of.set(row, PropertyValue::Bool(on))));
    }
}

/// A list to choose from: each line with whether it is chosen and what it sets.
fn choice(
    ui: &mut Ui,
    of: &RowContext,
    row: &Row,
    shown: &str,
    lines: Vec<(&str, bool, PropertyValue)>,
    out: &mut Vec<Request>,
) {
    let info = row.info;
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = theme::SMALL_GAP;
        let id = egui::Id::new((of.thing, info.id));
        name_ui(ui, id.with("name"), info.label, of.name_width).on_hover_text(info.about);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if let (PropertyValue::Reference(Some(name)), Some(kind)) = (&row.value, row.names) {
                go_to_ui(ui, of, row, &ObjectRef::new(kind, name.clone()), out);
            }
            // In a space of its own: a long text is cut where that ends.
            let size = vec2(ui.available_width(), theme::ROW);
            ui.allocate_ui_with_layout(size, Layout::left_to_right(Align::Center), |ui| {
                choice_ui(ui, id, info.label, info.about, shown, size.x, |ui| {
                    for (text, here, value) in lines {
                        if line_ui(ui, info.label, text, here) && !here {
                            out.push(Request::Apply(of.set(row, value)));
                        }
                    }
                });
            });
        });
    });
}

fn reference_row(ui: &mut Ui, of: &RowContext, row: &Row, chosen: Option<&str>, out: &mut Vec<Request>) {
    let Some(kind) = row.names else { return };
    let names = of.session.animated().names_of(kind).into_iter();
    let none = ("None", chosen.is_none(), PropertyValue::Reference(None));
    let lines = names.map(|name| {
        let value = PropertyValue::Reference(Some(name.to_owned()));
        (name, chosen == Some(name), value)
    });
    let lines = [none].into_iter().chain(lines).collect();
    choice(ui, of, row, chosen.unwrap_or("None"), lines, out);
}

/// Shows the properties of what the row names.
fn go_to_ui(ui: &mut Ui, of: &RowContext, row: &Row, to: &ObjectRef, out: &mut Vec<Request>) {
    let button = Button::new(icons::GO_TO).min_size(vec2(26.0, theme::ROW));
    let response = ui.add(button);
    let label = format!("Go to {}", row.info.lower());
    response.widget_info(|| WidgetInfo::labeled(WidgetType::Button, true, &label));
    let tooltip = format!("Show the properties of {}.", to.name);
    if response.on_hover_text(tooltip).clicked() {
        out.push(Request::Select(Selection::of_thing(of.session.animated(), to)));
    }
}
