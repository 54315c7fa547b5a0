//! The strip above the curves: the switches of their heights, the ease of the selected keys, and the frame and value of the
//! active key.

use super::curves::KeyDot;
use super::slopes;
use super::value::Heights;
use crate::anim::clip::Clip;
use crate::edit::command::Command;
use crate::edit::command::keys::{ChannelKeys, KeyCommand};
use crate::edit::request::Request;
use crate::edit::settings::view::View;
use crate::edit::time::key_values;
use crate::editor::panels::timeline::action::SheetAction;
use crate::editor::panels::timeline::head::icon_button;
use crate::editor::panels::timeline::{KeysState, eases};
use crate::editor::ui::fields::Converters;
use crate::editor::ui::number::{Number, number_ui};
use crate::editor::ui::{icons, theme};
use egui::{Align, Label, Layout, Rect, RichText, Stroke, Ui, UiBuilder, pos2, vec2};

/// The widths of the fields, in points.
const FRAME: f32 = 52.0;
const VALUE: f32 = 70.0;
const SLOPE: f32 = 62.0;

/// The labels and tooltips of the slopes of the two sides of a key.
const SLOPES: [(&str, &str); 2] = [
    ("Slope before", "How fast the value changes before this key, per frame. The slope behind it stays."),
    ("Slope behind", "How fast the value changes behind this key, per frame. The slope before it stays."),
];

/// Draws the strip. The fields are labelled "Key frame", "Key value", "Slope before" and "Slope behind".
pub fn strip_ui(ui: &mut Ui, view: &View, rect: Rect, state: &mut KeysState, out: &mut Vec<Request>) {
    ui.painter().rect_filled(rect, 0.0, theme::BAR);
    ui.painter().hline(rect.x_range(), rect.bottom() - 0.5, Stroke::new(1.0, theme::LINE));
    let mut left = rect.left();
    for (heights, action, icon) in [
        (Heights::Normalized, SheetAction::Normalize, icons::NORMALIZE),
        (Heights::Stacked, SheetAction::Stack, icons::STACKED),
        (Heights::Speeds, SheetAction::Speeds, icons::SPEEDS),
    ] {
        let button = Rect::from_min_size(pos2(left, rect.top()), vec2(rect.height(), rect.height()));
        left = button.right();
        let row = action.row();
        if icon_button(ui, button, row.text, icon, Some(state.graph.heights == heights), row.tooltip) {
            state.graph.toggle_heights(heights);
        }
    }
    if !state.keys.is_empty() {
        let button = Rect::from_min_size(pos2(left, rect.top()), vec2(eases::BUTTON, rect.height()));
        left = button.right();
        if eases::chooser_button(ui, button, state.common_mode(view.session.scene())) {
            state.eases.open(ui, button.center());
        }
    }
    let Some((current, edited)) = state.graph.active_key(&state.keys).zip(state.graph.edited.clone()) else {
        return;
    };
    let Some(curve) = state.graph.curves.find(&current) else { return };
    let found = view.session.scene().animation.get(&current.channel);
    let value = found.and_then(|channel| channel.key(current.frame)?.component(current.component));
    let (Some(value), Some(line)) = (value, state.lines.all().get(curve.line)) else { return };
    let samples = state.graph.curves.samples(curve);
    let can_change = samples.is_some_and(|samples| samples.can_change());
    let slopes =
        samples.zip(found).map_or([None; 2], |(samples, found)| slopes::of_key(samples, found, &current));
    let (name, unit) = (curve.name(line), curve.unit);
    let inside = rect.with_min_x(left + theme::GAP);
    let layout = Layout::left_to_right(Align::Center);
    let mut ui = ui.new_child(UiBuilder::new().max_rect(inside).layout(layout).id_salt("key fields"));
    ui.set_clip_rect(inside.intersect(ui.clip_rect()));
    let ui = &mut ui;
    let fields = &mut state.graph.fields;
    fields.set_subject(("key", &edited.channel, edited.component));
    let keys = |dot: &KeyDot| vec![ChannelKeys { channel: dot.channel.clone(), frames: vec![dot.frame] }];
    let frame = Number {
        decimals: 2,
        step: 0.2,
        min: 0.0,
        max: f64::from(Clip::MAX_LENGTH - 1),
        ..Number::new("Key frame", "The frame of the active key. All components of a key share it.")
    };
    let move_to = |to: f64| {
        let offset = to.round() as f32 - edited.frame;
        vec![Command::Keys(KeyCommand::Move { keys: keys(&edited), offset })]
    };
    let caption = |ui: &mut Ui, text: &str| {
        ui.add(Label::new(RichText::new(text).small().color(theme::TEXT_QUIET)).selectable(false));
    };
    caption(ui, &name);
    number_ui(ui, fields, &frame, current.frame.into(), FRAME, out, Converters::both(&move_to));
    let number = Number {
        unit,
        decimals: 2,
        step: if unit == "°" { 0.5 } else { 0.01 },
        axis: (current.component < 3).then_some(current.component),
        ..Number::new("Key value", "The value of this component of the active key.")
    };
    let set = |value: f64| {
        let before = view.session.animated_before();
        let command = key_values::set(before, &keys(&edited), edited.component, value as f32);
        command.into_iter().map(Command::Keys).collect()
    };
    ui.add_enabled_ui(can_change, |ui| {
        number_ui(ui, fields, &number, value.into(), VALUE, out, Converters::both(&set));
    });
    for (side, slope) in slopes.into_iter().enumerate() {
        let Some(slope) = slope.filter(|_| can_change) else { continue };
        let (label, tooltip) = SLOPES[side];
        caption(ui, ["in", "out"][side]);
        let number = Number { unit, decimals: 3, step: number.step / 10.0, ..Number::new(label, tooltip) };
        let set = |slope: f64| {
            let before = view.session.animated_before().animation.get(&edited.channel);
            let command = before.and_then(|before| slopes::set(before, &edited, side, slope as f32));
            command.into_iter().map(Command::Keys).collect()
        };
        number_ui(ui, fields, &number, slope.into(), SLOPE, out, Converters::both(&set));
    }
}
