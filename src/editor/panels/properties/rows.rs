//! The property rows of any resource or instance, drawn from the table of properties.

use super::euler::Euler;
use crate::anim::channel::ChannelRef;
use crate::edit::command::Command;
use crate::edit::request::Request;
use crate::edit::select::selection::Selection;
use crate::edit::session::Session;
use crate::edit::time::key_state;
use crate::editor::panels::mesh_stats::{length_decimals, length_step};
use crate::editor::ui::choice::{choice_ui, line_ui};
use crate::editor::ui::color::color_row;
use crate::editor::ui::fields::{Converters, Fields};
use crate::editor::ui::keyed::tick_ui;
use crate::editor::ui::list::advanced_ui;
use crate::editor::ui::number::{Number, name_ui};
use crate::editor::ui::row::{fact_row, scalar_fields, value_row, vector_row};
use crate::editor::ui::tooltip::Tip;
use crate::editor::ui::{icons, theme};
use crate::scene::names::ObjectRef;
use crate::scene::property::{self, PropertyValue, Row};
use egui::{Align, Button, Checkbox, Layout, Ui, WidgetInfo, WidgetType, vec2};

/// The object whose rows are drawn, and their shared state.
pub struct RowContext<'a> {
    pub session: &'a Session,
    pub object: &'a ObjectRef,
    /// The commands that create the object, if it does not exist yet; they precede those of the rows.
    pub first: &'a [Command],
    pub euler: &'a Euler,
}

impl<'a> RowContext<'a> {
    pub fn new(session: &'a Session, object: &'a ObjectRef, euler: &'a Euler) -> Self {
        Self { session, object, first: &[], euler }
    }

    fn set(&self, row: &Row, value: PropertyValue) -> Vec<Command> {
        let set = Command::set(self.object.clone(), row.info.id, value);
        self.first.iter().cloned().chain([set]).collect()
    }

    /// The channel of a row, if it can be keyed.
    fn channels(&self, row: &Row) -> Vec<ChannelRef> {
        row.info.channel.map(|channel| ChannelRef::new(&self.object.name, channel)).into_iter().collect()
    }

    fn number(&self, row: &Row, size: f64) -> Number<'static> {
        let info = row.info;
        let channels = self.channels(row);
        let base = match info.unit {
            "°" => Number::degrees(info.label, info.description),
            _ => {
                let step = length_step(if size.is_finite() { size.max(5.0) } else { 5.0 });
                Number {
                    step,
                    decimals: length_decimals(step),
                    unit: info.unit,
                    ..Number::new(info.label, info.description)
                }
            }
        };
        Number {
            min: info.range[0],
            max: info.range[1],
            keyed: key_state::state(self.session, &channels),
            muted: key_state::muted_components(self.session, &channels),
            ..base
        }
    }
}

/// Draws all rows except those whose ids are in `skip`, in the order of the table.
pub fn property_rows(
    ui: &mut Ui,
    context: &RowContext,
    skip: &[&str],
    fields: &mut Fields,
    out: &mut Vec<Request>,
) {
    let rows = if context.first.is_empty() {
        property::rows(context.session.animated(), context.object)
    } else {
        property::default_rows(context.object.kind)
    };
    let rows = rows.iter().filter(|row| !skip.contains(&row.info.id));
    let (advanced, usual): (Vec<_>, Vec<_>) = rows.partition(|row| row.info.advanced);
    for row in usual {
        row_ui(ui, context, row, fields, out);
    }
    if !advanced.is_empty() {
        advanced_ui(ui, "instance", |ui| {
            for row in advanced {
                row_ui(ui, context, row, fields, out);
            }
        });
    }
}

fn row_ui(ui: &mut Ui, context: &RowContext, row: &Row, fields: &mut Fields, out: &mut Vec<Request>) {
    let info = row.info;
    match &row.value {
        PropertyValue::Bool(value) => tick_row(ui, context, row, *value, out),
        PropertyValue::Float(value) => {
            let number = Number {
                default: default_number(&row.default),
                ..context.number(row, f64::from(value.abs()))
            };
            let make = |v: f64| context.set(row, PropertyValue::Float(v as f32));
            let value = f64::from(*value);
            scalar_fields(ui, fields, &number, value, info.slider, out, Converters::both(&make));
        }
        PropertyValue::Unsigned(value) if !info.names.is_empty() => {
            let name = info.names.iter().find(|(number, _)| number == value);
            let shown = name.map_or_else(|| value.to_string(), |(_, name)| (*name).to_owned());
            let lines = info.names.iter().map(|(number, name)| (*name, *number == *value, *number));
            let lines: Vec<_> =
                lines.map(|(name, selected, v)| (name, selected, PropertyValue::Unsigned(v))).collect();
            choice_row(ui, context, row, &shown, lines, out);
        }
        PropertyValue::Unsigned(value) => {
            let number = Number {
                default: default_number(&row.default),
                step: 1.0,
                decimals: 0,
                ..context.number(row, 0.0)
            };
            let make = |v: f64| context.set(row, PropertyValue::Unsigned(v.round() as u32));
            scalar_fields(ui, fields, &number, f64::from(*value), info.slider, out, Converters::both(&make));
        }
        PropertyValue::Vec3(value) => {
            let number = Number {
                default: default_number(&row.default),
                ..context.number(row, f64::from(value.abs().max_element()))
            };
            let make = |v| context.set(row, PropertyValue::Vec3(v));
            vector_row(ui, fields, info.label, &number, *value, out, &make);
        }
        PropertyValue::Rotation(value) => {
            let number = Number {
                keyed: key_state::state(context.session, &context.channels(row)),
                ..Number::degrees(info.label, info.description)
            };
            let make =
                |angles_deg| context.set(row, PropertyValue::Rotation(context.euler.rotation(angles_deg)));
            vector_row(ui, fields, info.label, &number, context.euler.angles_deg(*value), out, &make);
        }
        PropertyValue::Color(value) => {
            let number = Number {
                default: default_number(&row.default),
                decimals: 3,
                step: 0.005,
                ..context.number(row, 0.0)
            };
            let make = |v| context.set(row, PropertyValue::Color(v));
            color_row(ui, fields, &number, *value, out, &make);
        }
        PropertyValue::Choice(word) if info.fixed || row.choices.len() < 2 => {
            fact_row(ui, info.label, info.label_of(word));
        }
        PropertyValue::Choice(word) => {
            let lines = row.choices.iter().map(|name| {
                let value = PropertyValue::Choice((*name).to_owned());
                (info.label_of(name), name == word, value)
            });
            choice_row(ui, context, row, info.label_of(word), lines.collect(), out);
        }
        PropertyValue::Reference(name) => reference_row(ui, context, row, name.as_deref(), out),
        // Parts of skeletons alone have these.
        PropertyValue::Limits(_)
        | PropertyValue::OptionalUnsigned(_)
        | PropertyValue::OptionalVec3(_)
        | PropertyValue::Orientation(_)
        | PropertyValue::Pole(_)
        | PropertyValue::LookAt(_) => {}
    }
}

/// The default value as a number; for a vector or a colour, that of each component.
fn default_number(value: &PropertyValue) -> f64 {
    match value {
        PropertyValue::Float(v) => f64::from(*v),
        PropertyValue::Unsigned(v) => f64::from(*v),
        PropertyValue::Vec3(v) | PropertyValue::Color(v) => f64::from(v.x),
        _ => 0.0,
    }
}

fn tick_row(ui: &mut Ui, context: &RowContext, row: &Row, value: bool, out: &mut Vec<Request>) {
    let mut checked = value;
    let state = key_state::state(context.session, &context.channels(row));
    let tick = Checkbox::new(&mut checked, row.info.label);
    if value_row(ui, |ui| tick_ui(ui, state, tick, row.info.description)).changed() {
        out.push(Request::Apply(context.set(row, PropertyValue::Bool(checked))));
    }
}

/// Draws a choice between lines; each has a text, whether it is selected, and the value that it sets.
fn choice_row(
    ui: &mut Ui,
    context: &RowContext,
    row: &Row,
    shown: &str,
    lines: Vec<(&str, bool, PropertyValue)>,
    out: &mut Vec<Request>,
) {
    let info = row.info;
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = theme::SMALL_GAP;
        let id = egui::Id::new((context.object, info.id));
        name_ui(ui, id.with("name"), info.label).tip(info.description);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if let (PropertyValue::Reference(Some(name)), Some(kind)) = (&row.value, row.target) {
                go_to_ui(ui, context, row, &ObjectRef::new(kind, name.clone()), out);
            }
            // In its own area, so that a long text is truncated.
            let size = vec2(ui.available_width(), theme::ROW);
            ui.allocate_ui_with_layout(size, Layout::left_to_right(Align::Center), |ui| {
                choice_ui(ui, id, info.label, info.description, shown, size.x, |ui| {
                    for (text, selected, value) in lines {
                        if line_ui(ui, info.label, text, selected) && !selected {
                            out.push(Request::Apply(context.set(row, value)));
                        }
                    }
                });
            });
        });
    });
}

fn reference_row(ui: &mut Ui, context: &RowContext, row: &Row, chosen: Option<&str>, out: &mut Vec<Request>) {
    let Some(kind) = row.target else { return };
    let names = context.session.animated().names_of(kind).into_iter();
    let none = ("None", chosen.is_none(), PropertyValue::Reference(None));
    let lines = names.map(|name| {
        let value = PropertyValue::Reference(Some(name.to_owned()));
        (name, chosen == Some(name), value)
    });
    let lines = [none].into_iter().chain(lines).collect();
    choice_row(ui, context, row, chosen.unwrap_or("None"), lines, out);
}

/// Draws the button that shows the properties of the object that the row refers to.
fn go_to_ui(ui: &mut Ui, context: &RowContext, row: &Row, target: &ObjectRef, out: &mut Vec<Request>) {
    let button = Button::new(icons::GO_TO).min_size(vec2(26.0, theme::ROW));
    let response = ui.add(button);
    let label = format!("Go to {}", row.info.lower());
    response.widget_info(|| WidgetInfo::labeled(WidgetType::Button, true, &label));
    let tooltip = format!("Show the properties of {}.", target.name);
    if response.tip(tooltip).clicked() {
        out.push(Request::Select(Selection::from_object(context.session.animated(), target)));
    }
}
