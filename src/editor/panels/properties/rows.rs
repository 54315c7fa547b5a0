//! Property rows, drawn from the table of properties.

use super::euler::Euler;
use crate::anim::channel::ChannelRef;
use crate::edit::command::Command;
use crate::edit::request::Request;
use crate::edit::select::selection::Selection;
use crate::edit::session::Session;
use crate::edit::time::key_state;
use crate::editor::panels::mesh_stats::{length_decimals, length_step};
use crate::editor::ui::choice::long_choice_ui;
use crate::editor::ui::color::color_row;
use crate::editor::ui::fields::{Converters, Fields};
use crate::editor::ui::keyed::tick_ui;
use crate::editor::ui::list::advanced_ui;
use crate::editor::ui::mixed_value::{MixedValue, mixed_checkbox, mixed_scalar_row, mixed_vector_rows};
use crate::editor::ui::number::{Number, name_ui};
use crate::editor::ui::row::{fact_row, scalar_fields, value_row};
use crate::editor::ui::tooltip::Tip;
use crate::editor::ui::{icons, theme};
use crate::scene::names::ObjectRef;
use crate::scene::property::{self, Info, PropertyValue, Row};
use egui::{Align, Button, Layout, Ui, WidgetInfo, WidgetType, vec2};
use glam::Vec3;

/// A row of the table with its values: that of one object, or those of several.
pub(super) struct ValueRow {
    pub info: &'static Info,
    pub values: MixedValue<PropertyValue>,
    /// How numbers are shown.
    pub number: Number<'static>,
    pub slider: Option<[f64; 2]>,
}

impl ValueRow {
    /// `base`: how numbers without a unit are shown.
    pub(super) fn new(
        session: &Session,
        info: &'static Info,
        values: MixedValue<PropertyValue>,
        default: &PropertyValue,
        channels: &[ChannelRef],
        base: Number<'static>,
    ) -> Self {
        let base = match info.unit {
            "°" => Number::degrees(info.label, info.description),
            unit => Number { unit, label: info.label, tooltip: info.description, ..base },
        };
        let number = Number {
            min: info.range[0],
            max: info.range[1],
            default: default_number(default),
            keyed: key_state::state(session, channels),
            muted: key_state::muted_components(session, channels),
            ..base
        };
        Self { info, values, number, slider: info.slider }
    }

    /// Draws a switch, a number, three, or the angles of a rotation. `set`: returns the commands that set the value of one of the objects.
    /// Returns whether it is such a row.
    pub(super) fn ui(
        &self,
        ui: &mut Ui,
        euler: &Euler,
        fields: &mut Fields,
        out: &mut Vec<Request>,
        set: &dyn Fn(usize, PropertyValue) -> Vec<Command>,
    ) -> bool {
        match self.values.shown() {
            Some(PropertyValue::Bool(_)) => {
                let is_on = |value: &PropertyValue| *value == PropertyValue::Bool(true);
                let states = self.values.map(is_on).current;
                let tick = mixed_checkbox(&states, self.info.label, |tick| {
                    value_row(ui, |ui| tick_ui(ui, self.number.keyed, tick, self.number.tooltip))
                });
                if let Some(on) = tick {
                    let changed = (0..states.len()).filter(|i| states[*i] != on);
                    out.push(Request::Apply(changed.flat_map(|i| set(i, on.into())).collect()));
                }
            }
            Some(PropertyValue::Float(_)) => {
                let values = self.values.map(|value| match value {
                    PropertyValue::Float(v) => *v,
                    _ => 0.0,
                });
                let set = |i: usize, v: f32| set(i, v.into());
                mixed_scalar_row(ui, fields, &self.number, &values, self.slider, out, &set);
            }
            Some(PropertyValue::Vec3(_)) => {
                let values = self.values.map(|value| match value {
                    PropertyValue::Vec3(v) => *v,
                    _ => Vec3::ZERO,
                });
                let set = |i: usize, v: Vec3| set(i, v.into());
                let label = self.info.label;
                mixed_vector_rows(ui, fields, label, &self.number, &values, self.slider, out, &set);
            }
            Some(PropertyValue::Rotation(_)) => {
                let values = self.values.map(|value| match value {
                    PropertyValue::Rotation(rotation) => euler.angles_deg(*rotation),
                    _ => Vec3::ZERO,
                });
                let set = |i: usize, angles_deg: Vec3| set(i, euler.rotation(angles_deg).into());
                let info = self.info;
                let number =
                    Number { keyed: self.number.keyed, ..Number::degrees(info.label, info.description) };
                mixed_vector_rows(ui, fields, info.label, &number, &values, None, out, &set);
            }
            _ => return false,
        }
        true
    }
}

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

    /// The row with its value; numbers are shown with digits that suit their size.
    fn value_row(&self, row: &Row) -> ValueRow {
        let size = match &row.value {
            PropertyValue::Float(v) => f64::from(v.abs()),
            PropertyValue::Vec3(v) => f64::from(v.abs().max_element()),
            _ => 0.0,
        };
        let step = length_step(if size.is_finite() { size.max(5.0) } else { 5.0 });
        let base = Number { step, decimals: length_decimals(step), ..Number::new("", "") };
        let channel = row.info.channel.map(|channel| ChannelRef::new(&self.object.name, channel));
        let values = MixedValue::single(row.value.clone());
        ValueRow::new(self.session, row.info, values, &row.default, channel.as_slice(), base)
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
    let drawn = context.value_row(row);
    if drawn.ui(ui, context.euler, fields, out, &|_, value| context.set(row, value)) {
        return;
    }
    let number = drawn.number;
    match &row.value {
        PropertyValue::Unsigned(value) if !info.names.is_empty() => {
            let name = info.names.iter().find(|(number, _)| number == value);
            let shown = name.map_or_else(|| value.to_string(), |(_, name)| (*name).to_owned());
            let lines = info.names.iter().map(|(number, name)| (*name, *number == *value, *number));
            let lines: Vec<_> =
                lines.map(|(name, selected, v)| (name, selected, PropertyValue::Unsigned(v))).collect();
            choice_row(ui, context, row, &shown, lines, out);
        }
        PropertyValue::Unsigned(value) => {
            let number = Number { step: 1.0, decimals: 0, ..number };
            let make = |v: f64| context.set(row, PropertyValue::Unsigned(v.round() as u32));
            scalar_fields(ui, fields, &number, f64::from(*value), info.slider, out, Converters::both(&make));
        }
        PropertyValue::Color(value) => {
            let number = Number { decimals: 3, step: 0.005, ..number };
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
        // Drawn already, or of parts of skeletons alone.
        _ => {}
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
                let size = (size.x, lines.len());
                long_choice_ui(ui, id, info.label, info.description, shown, size, |ui, list| {
                    for (text, selected, value) in lines {
                        if list.line_ui(ui, text, selected) && !selected {
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
