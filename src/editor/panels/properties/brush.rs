//! The settings of the brush while painting weights: mode, radius, strength and so on. They belong to the
//! window, not to the document.

use super::Page;
use crate::edit::action::Action;
use crate::edit::request::Request;
use crate::editor::ui::action::{action_button, active_tool_button};
use crate::editor::ui::choice::{choice_ui, line_ui};
use crate::editor::ui::curve::curve_ui;
use crate::editor::ui::number::name_ui;
use crate::editor::ui::row::{NUMBER_WIDTH, value_row};
use crate::editor::ui::setting::setting_ui;
use crate::editor::ui::theme;
use crate::editor::ui::tooltip::Tip;
use crate::rig::weights::paint::brush::RADII;
use crate::rig::weights::paint::{Brush, Falloff, Mode, Reach};
use egui::{DragValue, RichText, Slider, Ui, WidgetInfo, WidgetType, vec2};
use std::ops::RangeInclusive;

/// Draws the panel, which is alone while the brush is in hand; `note` describes the mirrored stroke, if the other side
/// is painted too.
pub(super) fn brush_ui(ui: &mut Ui, page: &mut Page, note: &str) {
    active_tool_button(ui, page.view, Action::PAINT_WEIGHTS, page.out);
    // Above the rows, whose number varies.
    ui.horizontal(|ui| {
        let half = (ui.available_width() - ui.spacing().item_spacing.x) / 2.0;
        action_button(ui, page.view, Action::LOCK_WEIGHTS, half, page.out);
        action_button(ui, page.view, Action::FILL_WEIGHTS, half, page.out);
    });
    ui.add_space(theme::SMALL_GAP);
    let before = page.view.settings.tools.brush;
    let mut brush = before;
    let most_bones = page.skinned.weight_method.most_bones();
    rows_ui(ui, &mut brush, most_bones);
    if !note.is_empty() {
        ui.label(RichText::new(note).color(theme::TEXT_QUIET).small());
    }
    if brush != before {
        page.out.push(Request::Brush(brush.sanitized()));
    }
}

/// `most_bones`: the bones per vertex of the mesh's weight method; 0 for no limit.
fn rows_ui(ui: &mut Ui, brush: &mut Brush, most_bones: usize) {
    let about = brush.mode.about();
    brush.mode = list_row(ui, "Mode", about, &Mode::ALL, Mode::text, brush.mode);
    let tooltip = match brush.mode {
        Mode::Gradient => {
            "How far the gradient reaches on both sides of the line, as a fraction of the character's size; selected vertices get all of it. Set it with F and the pointer, or [ and ]."
        }
        _ => {
            "Brush radius, as a fraction of the character's size. Set it with F and the pointer, or [ and ]."
        }
    };
    let mut percent = brush.radius * 100.0;
    let range = RADII[0] * 100.0..=RADII[1] * 100.0;
    slider_row(ui, "Radius", tooltip, (&mut percent, range), |slider, number| {
        (slider.logarithmic(true), number.speed(0.05).max_decimals(2).suffix(" %"))
    });
    if percent != brush.radius * 100.0 {
        brush.radius = percent / 100.0;
    }
    let tooltip = "Brush strength. Set it with Shift+F and the pointer.";
    fraction_row(ui, "Strength", tooltip, &mut brush.strength);
    if brush.mode.paints_one_bone() {
        let tooltip = "The weight to paint. Set it with Ctrl+F and the pointer; V picks it from the skin.";
        fraction_row(ui, "Value", tooltip, &mut brush.value);
    }
    let tooltip = match brush.mode {
        Mode::Gradient => "How the strength falls off from the start of the line to its end.",
        _ => "How the strength falls off towards the rim.",
    };
    let (all, before) = (&Falloff::ALL, brush.falloff);
    let falloff = list_row(ui, "Falloff", tooltip, all, Falloff::text, before);
    if falloff != before {
        brush.set_falloff(falloff);
    }
    if brush.falloff == Falloff::Custom {
        let shape = *brush;
        let tooltip = "The strength from the centre of the brush, at the left, to its rim. Drag the points.";
        curve_ui(ui, "Brush curve", tooltip, &mut brush.curve, |distance| shape.falloff_at(distance));
    }
    let about = brush.reach.about();
    brush.reach = list_row(ui, "Reach", about, &Reach::ALL, Reach::text, brush.reach);
    let tooltip =
        "How many bones may move a painted vertex; 0 for as many as the weight method of the mesh allows.";
    let number = DragValue::new(&mut brush.most).range(0..=64).speed(0.1);
    let number = number.custom_formatter(|most, _| match most as usize {
        0 if most_bones > 0 => format!("Mesh: {most_bones}"),
        0 => "All".into(),
        most => most.to_string(),
    });
    let number = number.custom_parser(|text| match text.trim().to_lowercase().as_str() {
        "all" | "mesh" => Some(0.0),
        number => number.parse().ok(),
    });
    number_row(ui, "Bones", tooltip, number);
    let tooltip = "The effect adds up where a stroke passes again or rests.";
    value_row(ui, |ui| ui.checkbox(&mut brush.accumulate, "Accumulate")).tip(tooltip);
    let switches = [
        (
            &mut brush.pressure_strength,
            "Strength",
            "Pressure: strength",
            "Lighter pen pressure paints more weakly.",
        ),
        (
            &mut brush.pressure_radius,
            "Radius",
            "Pressure: radius",
            "Lighter pen pressure paints with a smaller brush.",
        ),
    ];
    // In one row, so that the note below stays visible.
    named_row(ui, "Pressure", "What pen pressure controls.", |ui, _, _| {
        for (value, text, label, tooltip) in switches {
            let response = ui.checkbox(value, text).tip(tooltip);
            let enabled = ui.is_enabled();
            response.widget_info(|| WidgetInfo::selected(WidgetType::Checkbox, enabled, *value, label));
            ui.add_space(theme::SMALL_GAP);
        }
    });
}

fn fraction_row(ui: &mut Ui, name: &str, tooltip: &str, value: &mut f32) {
    slider_row(ui, name, tooltip, (value, 0.0..=1.0), |slider, number| {
        (slider, number.speed(0.005).max_decimals(3))
    });
}

/// Draws a slider, labelled "Brush <name> slider", and the field of its number; `configure` sets their scale, unit and
/// steps.
fn slider_row(
    ui: &mut Ui,
    name: &str,
    tooltip: &str,
    (value, range): (&mut f32, RangeInclusive<f32>),
    configure: impl for<'a> Fn(Slider<'a>, DragValue<'a>) -> (Slider<'a>, DragValue<'a>),
) {
    named_row(ui, name, tooltip, |ui, label, width| {
        let (mut slid, mut typed) = (*value, *value);
        let slider = Slider::new(&mut slid, range.clone()).show_value(false);
        let number = DragValue::new(&mut typed).range(range);
        let (slider, number) = configure(slider, number);
        ui.spacing_mut().slider_width = width - NUMBER_WIDTH - theme::SMALL_GAP;
        let slider = ui.add(slider);
        ui.ctx().accesskit_node_builder(slider.id, |node| node.set_label(format!("{label} slider")));
        slider.tip(tooltip);
        let size = vec2(ui.available_width(), theme::ROW);
        setting_ui(ui, label, tooltip, size, number);
        let before = *value;
        *value = [slid, typed].into_iter().find(|new| *new != before).unwrap_or(before);
    });
}

/// Draws a choice between all values. Returns the chosen one.
fn list_row<T: Copy + PartialEq>(
    ui: &mut Ui,
    name: &str,
    tooltip: &str,
    all: &[T],
    text: fn(T) -> &'static str,
    before: T,
) -> T {
    let mut chosen = before;
    named_row(ui, name, tooltip, |ui, label, width| {
        let id = ui.id().with(label);
        choice_ui(ui, id, label, tooltip, text(before), width, |ui| {
            for &value in all {
                if line_ui(ui, label, text(value), value == before) {
                    chosen = value;
                }
            }
        });
    });
    chosen
}

fn number_row(ui: &mut Ui, name: &str, tooltip: &str, number: DragValue) {
    named_row(ui, name, tooltip, |ui, label, width| {
        setting_ui(ui, label, tooltip, vec2(width, theme::ROW), number);
    });
}

fn named_row(ui: &mut Ui, name: &str, tooltip: &str, add: impl FnOnce(&mut Ui, &str, f32)) {
    let label = format!("Brush {}", name.to_lowercase());
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = theme::SMALL_GAP;
        let id = ui.id().with(&label);
        name_ui(ui, id, name).tip(tooltip);
        let width = ui.available_width();
        add(ui, &label, width);
    });
}
