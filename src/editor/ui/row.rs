//! Rows of properties: a name, then its fields. The name resets on double-click and has a menu of its
//! own, for all components at once.

use super::digits;
use super::fields::{Edit, Fields, Meanings};
use super::number::{self, Number, name_ui, number_ui};
use super::slider::slider_ui;
use super::theme;
use egui::{Margin, Response, RichText, TextEdit, Ui};
use glam::Vec3;

/// What three numbers mean.
pub type VectorMeaning<'a, T> = &'a dyn Fn(Vec3) -> T;

/// Width of the number beside a slider.
const NUMBER_WIDTH: f32 = 72.0;

/// One number, with a slider where `soft` gives its range. The row is named as the number is.
pub fn scalar_row<T, R: From<Edit<T>>>(
    ui: &mut Ui,
    fields: &mut Fields<T>,
    number: &Number,
    value: f32,
    soft: Option<[f64; 2]>,
    out: &mut Vec<R>,
    meaning: &dyn Fn(f32) -> T,
) {
    let meaning = |v: f64| meaning(v as f32);
    scalar_fields(
        ui,
        fields,
        number,
        f64::from(value),
        soft,
        out,
        Meanings::both(&meaning),
    );
}

/// As [`scalar_row`], in double precision and with what is set and dragged apart.
pub fn scalar_fields<T, R: From<Edit<T>>>(
    ui: &mut Ui,
    fields: &mut Fields<T>,
    number: &Number,
    value: f64,
    soft: Option<[f64; 2]>,
    out: &mut Vec<R>,
    meanings: Meanings<'_, T>,
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
            out.push(Edit::Set((meanings.set)(number.default)).into());
        }
        name.context_menu(|ui| number::menu(ui, fields, number, value, out, meanings));
        name.on_hover_text(number.tooltip);
        let room = ui.available_width();
        if let Some(soft) = soft {
            let width = (room - NUMBER_WIDTH - theme::SMALL_GAP).max(40.0);
            slider_ui(ui, fields, number, value, soft, width, out, meanings);
            number_ui(ui, fields, number, value, NUMBER_WIDTH, out, meanings);
        } else {
            number_ui(ui, fields, number, value, room, out, meanings);
        }
    });
}

/// Three numbers as their fields need them.
pub(super) struct Components<'a, T> {
    pub value: Vec3,
    /// Those of which several are shown that differ.
    pub mixed: [bool; 3],
    /// All three at once.
    pub whole: VectorMeaning<'a, T>,
    /// One of them: set, and dragged.
    pub set: &'a dyn Fn(usize, f64) -> T,
    pub drag: &'a dyn Fn(usize, f64) -> T,
}

impl<T> Components<'_, T> {
    /// Shows each with its axis, its number, its value and what that means. `like`: what the numbers have in common.
    fn each(&self, name: &str, like: &Number, mut show: impl FnMut(usize, Number, f64, Meanings<'_, T>)) {
        for axis in 0..3 {
            let label = format!("{name} {}", theme::AXIS_NAMES[axis]);
            let [min, max] = like.ranges[axis].unwrap_or([like.min, like.max]);
            let number = Number {
                label: &label,
                min,
                max,
                mixed: self.mixed[axis],
                keyed: like.keyed.of_component(like.muted[axis]),
                ..like.clone()
            };
            let (set, drag) = (|v| (self.set)(axis, v), |v| (self.drag)(axis, v));
            let meanings = Meanings {
                set: &set,
                drag: &drag,
            };
            show(axis, number, f64::from(self.value[axis]), meanings);
        }
    }
}

/// Three numbers side by side, labelled "<name> x" and so on. `like` gives unit, step, digits, default.
pub fn vector_row<T, R: From<Edit<T>>>(
    ui: &mut Ui,
    fields: &mut Fields<T>,
    name: &str,
    like: &Number,
    value: Vec3,
    out: &mut Vec<R>,
    meaning: VectorMeaning<'_, T>,
) {
    let set = component(value, meaning);
    let of_one = Components {
        value,
        mixed: [false; 3],
        whole: meaning,
        set: &set,
        drag: &set,
    };
    vector_fields(ui, fields, name, like, &of_one, out);
}

pub(super) fn vector_fields<T, R: From<Edit<T>>>(
    ui: &mut Ui,
    fields: &mut Fields<T>,
    name: &str,
    like: &Number,
    of: &Components<'_, T>,
    out: &mut Vec<R>,
) {
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = theme::SMALL_GAP;
        vector_name(ui, fields, name, like, of, out);
        let width = ((ui.available_width() - 2.0 * theme::SMALL_GAP) / 3.0).max(36.0);
        of.each(name, like, |axis, number, value, meanings| {
            let number = Number {
                axis: Some(axis),
                ..number
            };
            number_ui(ui, fields, &number, value, width, out, meanings);
        });
    });
}

/// Three numbers below each other, each with a slider.
pub(super) fn slider_fields<T, R: From<Edit<T>>>(
    ui: &mut Ui,
    fields: &mut Fields<T>,
    name: &str,
    like: &Number,
    of: &Components<'_, T>,
    soft: [f64; 2],
    out: &mut Vec<R>,
) {
    vector_name(ui, fields, name, like, of, out);
    of.each(name, like, |axis, number, value, meanings| {
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = theme::SMALL_GAP;
            let letter = RichText::new(theme::AXIS_NAMES[axis]).color(theme::AXIS_LETTERS[axis]);
            letter_ui(ui, letter);
            let width = (ui.available_width() - NUMBER_WIDTH - theme::SMALL_GAP).max(40.0);
            let soft = like.ranges[axis].unwrap_or(soft);
            slider_ui(ui, fields, &number, value, soft, width, out, meanings);
            number_ui(ui, fields, &number, value, NUMBER_WIDTH, out, meanings);
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

fn component<'a, T>(value: Vec3, meaning: VectorMeaning<'a, T>) -> impl Fn(usize, f64) -> T + 'a {
    move |axis, v| {
        let mut whole = value;
        whole[axis] = v as f32;
        meaning(whole)
    }
}

fn vector_name<T, R: From<Edit<T>>>(
    ui: &mut Ui,
    fields: &mut Fields<T>,
    name: &str,
    like: &Number,
    of: &Components<'_, T>,
    out: &mut Vec<R>,
) {
    let (value, meaning) = (of.value, of.whole);
    let differ = of.mixed.contains(&true);
    let default = Vec3::splat(like.default as f32);
    let response = name_ui(ui, fields.id(name).with("name"), name, like.name_width);
    if response.double_clicked() && (differ || value != default) {
        out.push(Edit::Set(meaning(default)).into());
    }
    response.context_menu(|ui| {
        let zero = digits::shown(like.default, like.decimals);
        let text = format!("Reset to {zero}{0}, {zero}{0}, {zero}{0}", like.unit);
        if ui.button(text).clicked() && (differ || value != default) {
            out.push(Edit::Set(meaning(default)).into());
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
            out.push(Edit::Set(meaning(copied)).into());
        }
    });
    response.on_hover_ui(|ui| {
        ui.strong(name);
        ui.label(like.tooltip);
        ui.weak("Double-click to reset. Right-click to reset, copy, paste.");
    });
}

/// A line of text that is edited as a whole: Enter takes it, Esc leaves it. Labelled `name`.
pub fn text_row<T, R: From<Edit<T>>>(
    ui: &mut Ui,
    fields: &mut Fields<T>,
    name: &str,
    hint: &str,
    value: &str,
    out: &mut Vec<R>,
    meaning: &dyn Fn(String) -> T,
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
                fields.set_pending(id, (typed != value).then(|| meaning(typed)));
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
