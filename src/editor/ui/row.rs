//! Rows of properties: a name, then its fields. The name resets on double-click and has a menu of its
//! own, for all components at once.

use super::digits;
use super::fields::{Fields, Makes};
use super::number::{self, Number, name_ui, number_ui};
use super::slider::slider_ui;
use super::theme;
use crate::edit::command::Command;
use crate::edit::request::Request;
use egui::{Margin, Response, RichText, TextEdit, Ui};
use glam::Vec3;

/// The commands that set three numbers.
pub type MakeVec<'a> = &'a dyn Fn(Vec3) -> Vec<Command>;

/// Width of the number beside a slider.
const NUMBER_WIDTH: f32 = 72.0;

/// One number, with a slider where `soft` gives its range. The row is named as the number is.
pub fn scalar_row(
    ui: &mut Ui,
    fields: &mut Fields,
    number: &Number,
    value: f32,
    soft: Option<[f64; 2]>,
    out: &mut Vec<Request>,
    make: &dyn Fn(f32) -> Vec<Command>,
) {
    let make = |v: f64| make(v as f32);
    scalar_fields(
        ui,
        fields,
        number,
        f64::from(value),
        soft,
        out,
        Makes::both(&make),
    );
}

/// As [`scalar_row`], in double precision and with what is set and dragged apart.
pub fn scalar_fields(
    ui: &mut Ui,
    fields: &mut Fields,
    number: &Number,
    value: f64,
    soft: Option<[f64; 2]>,
    out: &mut Vec<Request>,
    makes: Makes,
) {
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = theme::SMALL_GAP;
        let name = name_ui(
            ui,
            fields.id(number.label).with("name"),
            number.label,
            number.name_width,
        );
        if name.double_clicked() && (number.mixed || value != number.default) {
            out.push(Request::Apply((makes.set)(number.default)));
        }
        name.context_menu(|ui| number::menu(ui, fields, number, value, out, makes));
        name.on_hover_text(number.tooltip);
        let room = ui.available_width();
        if let Some(soft) = soft {
            let width = (room - NUMBER_WIDTH - theme::SMALL_GAP).max(40.0);
            slider_ui(ui, fields, number, value, soft, width, out, makes);
            number_ui(ui, fields, number, value, NUMBER_WIDTH, out, makes);
        } else {
            number_ui(ui, fields, number, value, room, out, makes);
        }
    });
}

/// Three numbers as their fields need them.
pub(super) struct Components<'a> {
    pub value: Vec3,
    /// Those of which several are shown that differ.
    pub mixed: [bool; 3],
    /// All three at once.
    pub whole: MakeVec<'a>,
    /// One of them: set, and dragged.
    pub set: &'a dyn Fn(usize, f64) -> Vec<Command>,
    pub drag: &'a dyn Fn(usize, f64) -> Vec<Command>,
}

impl Components<'_> {
    /// Shows each with its axis, its number, its value and its commands. `like`: what the numbers have in common.
    fn each(&self, name: &str, like: &Number, mut show: impl FnMut(usize, Number, f64, Makes)) {
        for axis in 0..3 {
            let label = format!("{name} {}", theme::AXIS_NAMES[axis]);
            let number = Number {
                label: &label,
                mixed: self.mixed[axis],
                keyed: like.keyed.of_component(like.muted[axis]),
                ..like.clone()
            };
            let (set, drag) = (|v| (self.set)(axis, v), |v| (self.drag)(axis, v));
            let makes = Makes {
                set: &set,
                drag: &drag,
            };
            show(axis, number, f64::from(self.value[axis]), makes);
        }
    }
}

/// Three numbers side by side, labelled "<name> x" and so on. `like` gives unit, step, digits, default.
pub fn vector_row(
    ui: &mut Ui,
    fields: &mut Fields,
    name: &str,
    like: &Number,
    value: Vec3,
    out: &mut Vec<Request>,
    make: MakeVec,
) {
    let set = component(value, make);
    let of_one = Components {
        value,
        mixed: [false; 3],
        whole: make,
        set: &set,
        drag: &set,
    };
    vector_fields(ui, fields, name, like, &of_one, out);
}

pub(super) fn vector_fields(
    ui: &mut Ui,
    fields: &mut Fields,
    name: &str,
    like: &Number,
    of: &Components,
    out: &mut Vec<Request>,
) {
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = theme::SMALL_GAP;
        vector_name(ui, fields, name, like, of, out);
        let width = ((ui.available_width() - 2.0 * theme::SMALL_GAP) / 3.0).max(36.0);
        of.each(name, like, |axis, number, value, makes| {
            let number = Number {
                axis: Some(axis),
                ..number
            };
            number_ui(ui, fields, &number, value, width, out, makes);
        });
    });
}

/// Three numbers below each other, each with a slider.
pub(super) fn slider_fields(
    ui: &mut Ui,
    fields: &mut Fields,
    name: &str,
    like: &Number,
    of: &Components,
    soft: [f64; 2],
    out: &mut Vec<Request>,
) {
    vector_name(ui, fields, name, like, of, out);
    of.each(name, like, |axis, number, value, makes| {
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = theme::SMALL_GAP;
            let letter = RichText::new(theme::AXIS_NAMES[axis]).color(theme::AXIS_LETTERS[axis]);
            letter_ui(ui, letter);
            let width = (ui.available_width() - NUMBER_WIDTH - theme::SMALL_GAP).max(40.0);
            slider_ui(ui, fields, &number, value, soft, width, out, makes);
            number_ui(ui, fields, &number, value, NUMBER_WIDTH, out, makes);
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
    let at = rect.left_center() - egui::vec2(0.0, galley.size().y / 2.0);
    ui.painter().galley(at, galley, color);
}

fn component<'a>(value: Vec3, make: MakeVec<'a>) -> impl Fn(usize, f64) -> Vec<Command> + 'a {
    move |axis, v| {
        let mut whole = value;
        whole[axis] = v as f32;
        make(whole)
    }
}

fn vector_name(
    ui: &mut Ui,
    fields: &mut Fields,
    name: &str,
    like: &Number,
    of: &Components,
    out: &mut Vec<Request>,
) {
    let (value, make) = (of.value, of.whole);
    let differ = of.mixed.contains(&true);
    let default = Vec3::splat(like.default as f32);
    let response = name_ui(ui, fields.id(name).with("name"), name, like.name_width);
    if response.double_clicked() && (differ || value != default) {
        out.push(Request::Apply(make(default)));
    }
    response.context_menu(|ui| {
        let zero = digits::shown(like.default, like.decimals);
        let text = format!("Reset to {zero}{0}, {zero}{0}, {zero}{0}", like.unit);
        if ui.button(text).clicked() && (differ || value != default) {
            out.push(Request::Apply(make(default)));
        }
        if ui.button("Copy").clicked() {
            fields.copied = value.to_array().map(f64::from).to_vec();
            let texts = fields.copied.iter().map(|v| digits::exact(*v));
            ui.copy_text(texts.collect::<Vec<_>>().join(", "));
        }
        let copied = <[f64; 3]>::try_from(fields.copied.as_slice()).ok();
        let copied = copied.map(|v| Vec3::from_array(v.map(|c| c.clamp(like.min, like.max) as f32)));
        let paste = ui.add_enabled(copied.is_some(), egui::Button::new("Paste"));
        if paste.on_disabled_hover_text("Copy three numbers first").clicked()
            && let Some(copied) = copied.filter(|v| differ || *v != value)
        {
            out.push(Request::Apply(make(copied)));
        }
    });
    response.on_hover_ui(|ui| {
        ui.strong(name);
        ui.label(like.tooltip);
        ui.weak("Double-click to reset. Right-click to reset, copy, paste.");
    });
}

/// A line of text that is edited as a whole: Enter takes it, Esc leaves it. Labelled `name`.
pub fn text_row(
    ui: &mut Ui,
    fields: &mut Fields,
    name: &str,
    hint: &str,
    value: &str,
    out: &mut Vec<Request>,
    make: &dyn Fn(String) -> Vec<Command>,
) -> Response {
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = theme::SMALL_GAP;
        let id = fields.id(name);
        name_ui(ui, id.with("name"), name, theme::NAME_WIDTH);
        let width = ui.available_width();
        let edit = |text| line_edit(text, width).id(id).hint_text(hint).char_limit(200);
        let response = if ui.memory(|m| m.has_focus(id)) {
            let text = fields.entry(id, || value.to_owned(), out);
            let response = ui.add(edit(text));
            if response.changed() {
                let typed = text.clone();
                let request = (typed != value).then(|| Request::Apply(make(typed)));
                fields.set_pending(id, request);
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

/// A line to type in, `width` wide and as high as a row.
pub fn line_edit(text: &mut String, width: f32) -> TextEdit<'_> {
    TextEdit::singleline(text)
        .margin(Margin::symmetric(6, 2))
        .desired_width(width)
        .min_size(egui::vec2(0.0, theme::ROW))
        .vertical_align(egui::Align::Center)
}

/// A fact that is read, not changed: a quiet name of `name_width` and a value, cut short where it is
/// too long.
pub fn fact_row(ui: &mut Ui, name: &str, name_width: f32, value: impl Into<String>) {
    let value = value.into();
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = theme::SMALL_GAP;
        ui.allocate_ui(egui::vec2(name_width, theme::ROW), |ui| {
            ui.set_min_width(name_width);
            ui.weak(name);
        });
        let label = egui::Label::new(super::list::short(&value)).truncate();
        ui.add(label).on_hover_text(value);
    });
}
