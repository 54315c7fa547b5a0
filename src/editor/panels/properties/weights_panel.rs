//! Calculating weights: the method, the button, and the state of the weights; the progress during
//! calculation. Weights that are the unedited result of the method are updated while the slider of its
//! exponent moves.

use super::MeshFacts;
use crate::edit::action::Action;
use crate::edit::command::Command;
use crate::edit::command::weights::calculation;
use crate::edit::request::Request;
use crate::edit::settings::view::View;
use crate::editor::panels::mesh_stats::ReportCache;
use crate::editor::panels::progress::{JobKind, JobProgress};
use crate::editor::panels::status::{counted, grouped};
use crate::editor::ui::action::{action_button, main_button};
use crate::editor::ui::choice::{choice_row, line_ui};
use crate::editor::ui::fields::Fields;
use crate::editor::ui::number::{Number, name_ui};
use crate::editor::ui::row::scalar_row;
use crate::editor::ui::setting::setting_ui;
use crate::editor::ui::text::capitalize;
use crate::editor::ui::theme;
use crate::editor::ui::tooltip::Tip;
use crate::rig::weights::method::{Method, Param};
use crate::scene::skinned::SkinnedMesh;
use egui::{Button, DragValue, RichText, Ui, vec2};

/// The most work (vertices times bones) for which weights are updated while a slider moves.
pub const LIVE_WORK: usize = 1_000_000;

/// Draws the weight method of the mesh, which belongs to the document, with its parameters.
fn method_ui(ui: &mut Ui, mesh: &str, skinned: &SkinnedMesh, fields: &mut Fields, out: &mut Vec<Request>) {
    let chosen = skinned.weight_method;
    let choose = |method| {
        let mesh = mesh.to_owned();
        Request::Apply(vec![Command::SetWeightMethod { mesh, method }])
    };
    let about = chosen.descriptor().about;
    choice_row(ui, "weigh by", "Method", about, chosen.label(), |ui| {
        for method in Method::all() {
            let selected = method.id() == chosen.id();
            if line_ui(ui, "Method", method.label(), selected) && !selected {
                out.push(choose(method));
            }
        }
    });
    sliders(ui, mesh, skinned, fields, out);
    for (param, value) in chosen.params().filter(|(param, _)| param.whole) {
        let changed = whole_number_ui(ui, param, value);
        out.extend(changed.map(|value| choose(chosen.with(param.id, value))));
    }
}

/// Draws sliders for the parameters of the method that are not whole numbers.
pub(super) fn sliders(
    ui: &mut Ui,
    mesh: &str,
    skinned: &SkinnedMesh,
    fields: &mut Fields,
    out: &mut Vec<Request>,
) {
    for (param, value) in skinned.weight_method.params().filter(|(param, _)| !param.whole) {
        slider(ui, mesh, skinned, fields, (param, value), out);
    }
}

/// Whether the weights are updated while a slider moves: they are the unedited result of the same method, so
/// that no work is lost, and calculating them is fast.
fn is_live(skinned: &SkinnedMesh) -> bool {
    let method = &skinned.weight_method;
    let is_same_method =
        skinned.bind_snapshot.method().is_some_and(|calculated| calculated.id() == method.id());
    is_same_method
        && skinned.bind_snapshot.is_pure()
        && calculation(skinned, method, None).work() <= LIVE_WORK
}

fn slider(
    ui: &mut Ui,
    mesh: &str,
    skinned: &SkinnedMesh,
    fields: &mut Fields,
    (param, value): (&'static Param, f32),
    out: &mut Vec<Request>,
) {
    let (low, high) = (f64::from(param.min), f64::from(param.max));
    let live = is_live(skinned);
    let about = if live {
        format!("{} Weights follow.", param.about)
    } else {
        format!("{} The weights stay as they are until you calculate them.", param.about)
    };
    let number = Number {
        min: low,
        max: high,
        decimals: 2,
        default: f64::from(param.default),
        ..Number::new(param.label, &about)
    };
    scalar_row(ui, fields, &number, value, Some([low, high]), out, &|value| {
        let (mesh, method) = (mesh.to_owned(), skinned.weight_method.with(param.id, value));
        vec![if live {
            Command::CalculateWeights { mesh, method }
        } else {
            Command::SetWeightMethod { mesh, method }
        }]
    });
}

/// Draws a parameter that is a whole number. Returns the new value if it was changed.
fn whole_number_ui(ui: &mut Ui, param: &'static Param, value: f32) -> Option<f32> {
    let mut changed = value;
    ui.horizontal(|ui| {
        name_ui(ui, ui.id().with(param.label), param.label).tip(param.about);
        let number = DragValue::new(&mut changed).range(param.min..=param.max).speed(0.1).fixed_decimals(0);
        // The first word of the text is the number, or "all"; the name is before the field.
        let number = number.custom_formatter(|n, _| {
            let text = (param.text)(n.round() as f32);
            capitalize(text.split(' ').next().unwrap_or_default())
        });
        // Parses the displayed text, or a plain number.
        let number = number.custom_parser(|text| {
            let digits: String = text.chars().take_while(char::is_ascii_digit).collect();
            if digits.is_empty() {
                param
                    .unwritten
                    .map(f64::from)
                    .filter(|all| (param.text)(*all as f32).starts_with(&text.trim().to_lowercase()))
            } else {
                digits.parse().ok()
            }
        });
        let size = vec2(ui.available_width(), theme::ROW);
        setting_ui(ui, param.label, param.about, size, number);
    });
    let changed = changed.round();
    (changed != value).then_some(changed)
}

/// Draws the button that calculates and the state of the weights, or the progress during calculation.
#[expect(clippy::too_many_arguments, reason = "parts of the panel's state, borrowed apart")]
pub fn calculate_ui(
    ui: &mut Ui,
    view: &View,
    mesh: &str,
    skinned: &SkinnedMesh,
    facts: &MeshFacts,
    report: &mut ReportCache,
    fields: &mut Fields,
    job: Option<JobProgress>,
    out: &mut Vec<Request>,
) {
    let width = ui.available_width();
    if let Some(job) = job.filter(|job| job.kind == JobKind::Weights) {
        return progress_ui(ui, job.fraction, out);
    }
    method_ui(ui, mesh, skinned, fields, out);
    let moved = match facts.weighted {
        0 => Vec::new(),
        _ => skinned.bind_snapshot.moved(&skinned.skeleton),
    };
    let used = skinned.bind_snapshot.method().filter(|_| facts.weighted > 0);
    let other_method = used.filter(|used| *used != skinned.weight_method);
    // The button is highlighted while there are no weights, or they are outdated because bones have moved or
    // another method is chosen.
    if facts.weighted == 0 || !moved.is_empty() || other_method.is_some() {
        main_button(ui, view, Action::CALCULATE_WEIGHTS, width, out);
    } else {
        action_button(ui, view, Action::CALCULATE_WEIGHTS, width, out);
    }
    let (text, color) = match (facts.weighted, facts.vertices) {
        (_, 0) => ("The mesh has no vertices".to_owned(), theme::TEXT_QUIET),
        (0, _) => ("No vertex has weights yet".to_owned(), theme::WARNING),
        _ if !moved.is_empty() => (
            format!("{} changed since the weights were calculated", counted(moved.len(), "bone", "bones")),
            theme::WARNING,
        ),
        _ if let Some(method) = other_method => {
            (format!("Calculated by another method: {}", method.description()), theme::WARNING)
        }
        (weighted, all) if weighted == all => {
            (format!("All {} vertices have weights", grouped(all)), theme::TEXT_QUIET)
        }
        (weighted, all) => {
            (format!("{} of {} vertices have weights", grouped(weighted), grouped(all)), theme::WARNING)
        }
    };
    let text = RichText::new(text).color(color).small();
    let is_current = moved.is_empty() && other_method.is_none();
    let is_incomplete = facts.weighted > 0 && facts.weighted < facts.vertices && is_current;
    if is_incomplete {
        let link = egui::Label::new(text.underline()).truncate().sense(egui::Sense::click());
        let link = ui.add(link).on_hover_cursor(egui::CursorIcon::PointingHand);
        if link.tip("Select and frame the others.").clicked() {
            let unweighted = report.get(skinned).unweighted.clone();
            let selection = view.session.selection().with_vertices(unweighted);
            out.extend([Request::Select(selection), Request::Act(Action::FRAME_SELECTED)]);
        }
        return;
    }
    let response = ui.add(egui::Label::new(text).truncate());
    if !moved.is_empty() {
        let names: Vec<_> = moved.iter().take(12).map(|&bone| skinned.skeleton.bone_name(bone)).collect();
        let more = moved.len() - names.len();
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        response.tip(format!("{}{more}", names.join(", ")));
    }
}

fn progress_ui(ui: &mut Ui, progress: f32, out: &mut Vec<Request>) {
    ui.horizontal(|ui| {
        let width = (ui.available_width() - 76.0).max(60.0);
        let bar = egui::ProgressBar::new(progress)
            .desired_width(width)
            .desired_height(theme::TALL)
            .corner_radius(theme::RADIUS)
            .fill(*theme::ACCENT_FILL)
            .text(format!("Calculating, {} %", (100.0 * progress).floor()));
        ui.add(bar);
        let cancel = Button::new("Cancel").min_size(vec2(ui.available_width(), theme::TALL));
        let response = ui.add(cancel);
        if response.tip("Stop calculating; the weights stay as they are.").clicked() {
            out.push(Request::CancelCalculation);
        }
    });
    ui.label(RichText::new("You can keep working meanwhile").color(theme::TEXT_QUIET).small());
}
