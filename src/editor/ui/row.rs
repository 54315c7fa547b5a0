//! Rows of properties: a name, then its fields. A double-click on the name resets them; its menu is for all
//! components at once.

use super::digits;
use super::fields::{Converters, Edit, Fields};
use super::number::{self, Number, name_ui, number_ui};
use super::slider::slider_ui;
use super::theme;
use crate::editor::ui::tooltip::Tip;
use egui::{Margin, Response, RichText, TextEdit, Ui};
use glam::Vec3;

/// Converts three numbers to the value of an [`Edit`].
pub type VectorConverter<'a, T> = &'a dyn Fn(Vec3) -> T;

/// The width of the number next to a slider.
pub const NUMBER_WIDTH: f32 = 72.0;

/// A row for one number, with a slider if `soft` gives its range. The row has the number's name.
pub fn scalar_row<T, R: From<Edit<T>>>(
    ui: &mut Ui,
    fields: &mut Fields<T>,
    number: &Number,
    value: f32,
    soft: Option<[f64; 2]>,
    out: &mut Vec<R>,
    convert: &dyn Fn(f32) -> T,
) {
    let convert = |v: f64| convert(v as f32);
    scalar_fields(ui, fields, number, f64::from(value), soft, out, Converters::both(&convert));
}

/// Like [`scalar_row`], in double precision and with separate conversions for setting and dragging.
pub fn scalar_fields<T, R: From<Edit<T>>>(
    ui: &mut Ui,
    fields: &mut Fields<T>,
    number: &Number,
    value: f64,
    soft: Option<[f64; 2]>,
    out: &mut Vec<R>,
    converters: Converters<'_, T>,
) {
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = theme::SMALL_GAP;
        let name = name_ui(ui, fields.id(number.label).with("name"), number.label);
        if name.double_clicked() && (number.mixed || value != number.default) {
            out.push(Edit::Set((converters.set)(number.default)).into());
        }
        if fields.allows_menus() {
            name.context_menu(|ui| number::menu(ui, fields, number, value, out, converters));
        }
        name.tip(number.tooltip);
        let available = ui.available_width();
        if let Some(soft) = soft {
            let width = (available - NUMBER_WIDTH - theme::SMALL_GAP).max(40.0);
            slider_ui(ui, fields, number, value, soft, width, out, converters);
            number_ui(ui, fields, number, value, NUMBER_WIDTH, out, converters);
        } else {
            number_ui(ui, fields, number, value, available, out, converters);
        }
    });
}

/// The three numbers of a vector, for their fields.
pub(super) struct Components<'a, T> {
    pub value: Vec3,
    /// Whether each represents several values that differ.
    pub mixed: [bool; 3],
    /// Converts all three at once.
    pub whole: VectorConverter<'a, T>,
    /// Converts one of them when it is set.
    pub set: &'a dyn Fn(usize, f64) -> T,
    /// Converts one of them when it is dragged.
    pub drag: &'a dyn Fn(usize, f64) -> T,
}

impl<T> Components<'_, T> {
    /// Shows each with its axis, its number, its value and its conversions. `template`: what the numbers have
    /// in common.
    fn each(
        &self,
        name: &str,
        template: &Number,
        mut show: impl FnMut(usize, Number, f64, Converters<'_, T>),
    ) {
        for axis in 0..3 {
            let label = format!("{name} {}", theme::AXIS_NAMES[axis]);
            let [min, max] = template.ranges[axis].unwrap_or([template.min, template.max]);
            let number = Number {
                label: &label,
                min,
                max,
                mixed: self.mixed[axis],
                keyed: template.keyed.for_component(template.muted[axis]),
                ..template.clone()
            };
            let (set, drag) = (|v| (self.set)(axis, v), |v| (self.drag)(axis, v));
            let converters = Converters { set: &set, drag: &drag };
            show(axis, number, f64::from(self.value[axis]), converters);
        }
    }
}

/// A row for three numbers side by side, labelled "<name> x" and so on. `template` gives unit, step, digits,
/// default.
pub fn vector_row<T, R: From<Edit<T>>>(
    ui: &mut Ui,
    fields: &mut Fields<T>,
    name: &str,
    template: &Number,
    value: Vec3,
    out: &mut Vec<R>,
    convert: VectorConverter<'_, T>,
) {
    let set = component(value, convert);
    let components = Components { value, mixed: [false; 3], whole: convert, set: &set, drag: &set };
    vector_fields(ui, fields, name, template, &components, out);
}

pub(super) fn vector_fields<T, R: From<Edit<T>>>(
    ui: &mut Ui,
    fields: &mut Fields<T>,
    name: &str,
    template: &Number,
    components: &Components<'_, T>,
    out: &mut Vec<R>,
) {
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = theme::SMALL_GAP;
        vector_name(ui, fields, name, template, components, out);
        // Whole points, since rounding must not make the row wider than the panel.
        let width = ((ui.available_width() - 2.0 * theme::SMALL_GAP) / 3.0).floor().max(36.0);
        components.each(name, template, |axis, number, value, converters| {
            let number = Number { axis: Some(axis), ..number };
            number_ui(ui, fields, &number, value, width, out, converters);
        });
    });
}

/// Three numbers one below the other, each with a slider.
pub(super) fn slider_fields<T, R: From<Edit<T>>>(
    ui: &mut Ui,
    fields: &mut Fields<T>,
    name: &str,
    template: &Number,
    components: &Components<'_, T>,
    soft: [f64; 2],
    out: &mut Vec<R>,
) {
    components.each(name, template, |axis, number, value, converters| {
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = theme::SMALL_GAP;
            match axis {
                0 => vector_name(ui, fields, name, template, components, out),
                _ => ui.add_space(theme::NAME_WIDTH + theme::SMALL_GAP),
            }
            let letter = RichText::new(theme::AXIS_NAMES[axis]).color(theme::AXIS_LETTERS[axis]);
            letter_ui(ui, letter);
            let width = (ui.available_width() - NUMBER_WIDTH - theme::SMALL_GAP).max(40.0);
            let soft = template.ranges[axis].unwrap_or(soft);
            slider_ui(ui, fields, &number, value, soft, width, out, converters);
            number_ui(ui, fields, &number, value, NUMBER_WIDTH, out, converters);
        });
    });
}

fn letter_ui(ui: &mut Ui, letter: RichText) {
    let (rect, _) = ui.allocate_exact_size(egui::vec2(14.0, theme::ROW), egui::Sense::hover());
    let color = ui.visuals().text_color();
    let galley = egui::WidgetText::from(letter).into_galley(
        ui,
        Some(egui::TextWrapMode::Extend),
        f32::INFINITY,
        egui::TextStyle::Body,
    );
    let position = rect.left_center() - egui::vec2(0.0, galley.size().y / 2.0);
    ui.painter().galley(position, galley, color);
}

fn component<'a, T>(value: Vec3, convert: VectorConverter<'a, T>) -> impl Fn(usize, f64) -> T + 'a {
    move |axis, v| {
        let mut whole = value;
        whole[axis] = v as f32;
        convert(whole)
    }
}

fn vector_name<T, R: From<Edit<T>>>(
    ui: &mut Ui,
    fields: &mut Fields<T>,
    name: &str,
    template: &Number,
    components: &Components<'_, T>,
    out: &mut Vec<R>,
) {
    let (value, convert) = (components.value, components.whole);
    let differ = components.mixed.contains(&true);
    let default = Vec3::splat(template.default as f32);
    let response = name_ui(ui, fields.id(name).with("name"), name);
    if response.double_clicked() && (differ || value != default) {
        out.push(Edit::Set(convert(default)).into());
    }
    response.context_menu(|ui| {
        let zero = digits::display_number(template.default, template.decimals);
        let text = format!("Reset to {zero}{0}, {zero}{0}, {zero}{0}", template.unit);
        if ui.button(text).clicked() && (differ || value != default) {
            out.push(Edit::Set(convert(default)).into());
        }
        if ui.button("Copy").clicked() {
            fields.copied = value.to_array().map(f64::from).to_vec();
            let texts = fields.copied.iter().map(|v| digits::exact_number(*v));
            ui.copy_text(texts.collect::<Vec<_>>().join(", "));
        }
        let copied = <[f64; 3]>::try_from(fields.copied.as_slice()).ok();
        let copied = copied.map(|v| Vec3::from_array(v.map(|c| c.clamp(template.min, template.max) as f32)));
        let paste = ui.add_enabled(copied.is_some(), egui::Button::new("Paste"));
        if paste.disabled_tip("Copy three numbers first").clicked()
            && let Some(copied) = copied.filter(|v| differ || *v != value)
        {
            out.push(Edit::Set(convert(copied)).into());
        }
    });
    response.tip_ui(|ui| {
        ui.strong(name);
        ui.label(template.tooltip);
        ui.weak("Double-click to reset. Right-click to reset, copy, paste.");
    });
}

/// A row for a line of text that is edited as a whole: Enter accepts it, Esc discards it. Labelled `name`.
pub fn text_row<T, R: From<Edit<T>>>(
    ui: &mut Ui,
    fields: &mut Fields<T>,
    name: &str,
    hint: &str,
    value: &str,
    out: &mut Vec<R>,
    convert: &dyn Fn(String) -> T,
) -> Response {
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = theme::SMALL_GAP;
        let id = fields.id(name);
        name_ui(ui, id.with("name"), name);
        let width = ui.available_width();
        let edit = |text| line_edit(text, width).id(id).hint_text(hint).char_limit(200);
        let response = if ui.memory(|m| m.has_focus(id)) {
            let text = fields.entry(id, || value.to_owned(), out);
            let response = ui.add(edit(text));
            if response.changed() {
                let typed = text.clone();
                fields.set_pending(id, (typed != value).then(|| convert(typed)));
            }
            response
        } else {
            ui.add(edit(&mut value.to_owned()))
        };
        ui.ctx().accesskit_node_builder(id, |node| node.set_label(name));
        response
    })
    .inner
}

/// A single-line text field, `width` wide and as high as a row.
pub fn line_edit(text: &mut String, width: f32) -> TextEdit<'_> {
    TextEdit::singleline(text)
        .margin(Margin::symmetric(6, 2))
        .desired_width(width)
        .min_size(egui::vec2(0.0, theme::ROW))
        .vertical_align(egui::Align::Center)
}

/// A row without a name, with its contents in the column of values.
pub fn value_row<T>(ui: &mut Ui, add: impl FnOnce(&mut Ui) -> T) -> T {
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = theme::SMALL_GAP;
        ui.add_space(theme::NAME_WIDTH + theme::SMALL_GAP);
        add(ui)
    })
    .inner
}

/// A read-only fact: a dimmed name and a value, truncated if it is too long.
pub fn fact_row(ui: &mut Ui, name: &str, value: impl Into<String>) {
    let value = value.into();
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = theme::SMALL_GAP;
        ui.allocate_ui(egui::vec2(theme::NAME_WIDTH, theme::ROW), |ui| {
            ui.set_min_width(theme::NAME_WIDTH);
            ui.weak(name);
        });
        let shown = super::list::shorten(&value);
        let label = ui.add(egui::Label::new(&shown).truncate());
        // A label that is cut off shows its text itself.
        if shown != value {
            label.tip(value);
        }
    });
}
