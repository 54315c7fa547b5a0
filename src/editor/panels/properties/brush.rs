//! The settings of the brush while painting weights: mode, radius, strength and so on. They belong to the
//! window, not to the document.

use super::Page;
use crate::edit::action::Action;
use crate::edit::request::Request;
use crate::editor::ui::action::action_button;
use crate::editor::ui::choice::{choice_ui, line_ui};
use crate::editor::ui::curve::curve_ui;
use crate::editor::ui::list::section_ui;
use crate::editor::ui::number::name_ui;
use crate::editor::ui::setting::setting_ui;
use crate::editor::ui::theme;
use crate::editor::ui::tooltip::Tip;
use crate::rig::weights::paint::brush::RADII;
use crate::rig::weights::paint::{Brush, Falloff, Mode, Reach};
use egui::{DragValue, Id, RichText, Ui, WidgetInfo, WidgetType, vec2};

/// Draws the section; `note` describes the mirrored stroke, if the other side is painted too.
pub(super) fn brush_ui(ui: &mut Ui, page: &mut Page, note: &str) {
    section_ui(ui, Id::new("brush section"), "Brush", true, |ui| {
        ui.add_space(theme::SMALL_GAP);
        // Above the rows, whose number varies.
        ui.horizontal(|ui| {
            let half = (ui.available_width() - ui.spacing().item_spacing.x) / 2.0;
            action_button(ui, page.view, Action::LOCK_WEIGHTS, half, page.out);
            action_button(ui, page.view, Action::FILL_WEIGHTS, half, page.out);
        });
        let before = page.view.settings.brush;
        let mut brush = before;
        let most_bones = page.skinned.weight_method.most_bones();
        rows_ui(ui, &mut brush, most_bones);
        if !note.is_empty() {
            ui.label(RichText::new(note).color(theme::TEXT_QUIET).small());
        }
        if brush != before {
            page.out.push(Request::Brush(brush.sanitized()));
        }
        ui.add_space(theme::GAP);
    });
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
    let number = DragValue::new(&mut percent)
        .range(range)
        .speed(0.05)
        .max_decimals(2)
        .suffix(" %");
    number_row(ui, "Radius", tooltip, number);
    if percent != brush.radius * 100.0 {
        brush.radius = percent / 100.0;
    }
    let tooltip = "Brush strength. Set it with Shift+F and the pointer.";
    number_row(ui, "Strength", tooltip, fraction_field(&mut brush.strength));
    if brush.mode.paints_one_bone() {
        let tooltip = "The weight to paint. Set it with Ctrl+F and the pointer; V picks it from the skin.";
        number_row(ui, "Value", tooltip, fraction_field(&mut brush.value));
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
        curve_ui(ui, "Brush curve", tooltip, &mut brush.curve, |distance| {
            shape.falloff_at(distance)
        });
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
    ui.checkbox(&mut brush.accumulate, "Accumulate").tip(tooltip);
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

fn fraction_field(number: &mut f32) -> DragValue<'_> {
    DragValue::new(number)
        .range(0.0..=1.0)
        .speed(0.005)
        .max_decimals(3)
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
        name_ui(ui, id, name, theme::NAME_WIDTH).tip(tooltip);
        let width = ui.available_width();
        add(ui, &label, width);
    });
}
