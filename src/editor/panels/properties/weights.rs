//! The weights of the active mesh: calculation, report, weights view, and refinement.

use super::Page;
use super::weights_panel::calculate_ui;
use crate::edit::action::Action;
use crate::edit::action::weights::transfer_sources;
use crate::edit::command::weights::MAX_ITERATIONS;
use crate::edit::request::Request;
use crate::edit::select::selection::{Part, Selection};
use crate::edit::settings::view::RefineNumbers;
use crate::editor::panels::mesh_stats::ReportCache;
use crate::editor::panels::progress::JobProgress;
use crate::editor::panels::status::{counted, grouped};
use crate::editor::ui::action::{action_button, action_switch};
use crate::editor::ui::choice::{choice_row, line_ui};
use crate::editor::ui::list::{Row, row_ui, section_ui};
use crate::editor::ui::row::{fact_row, value_row};
use crate::editor::ui::setting::setting_ui;
use crate::editor::ui::tooltip::Tip;
use crate::editor::ui::{icons, theme};
use crate::rig::joints::Joint;
use crate::rig::weights::report::{INFLUENCE_LIMIT, WeightReport};
use egui::{Button, DragValue, Id, RichText, Ui, WidgetInfo, WidgetType, vec2};
use std::collections::BTreeSet;
use std::ops::RangeInclusive;
use std::time::Duration;

const SECTION: &str = "weights section";

/// Whether the section is unfolded, and not still on its way.
pub(super) fn is_unfolded(ui: &Ui) -> bool {
    use egui::collapsing_header::CollapsingState;
    let state = CollapsingState::load_with_default_open(ui.ctx(), Id::new(SECTION), true);
    state.is_open() && state.openness(ui.ctx()) >= 1.0
}

/// Draws the lower part of the panel in the Rig tab, regardless of the selected part.
pub(super) fn weights_ui(
    ui: &mut Ui,
    page: &mut Page,
    reports: &mut ReportCache,
    outside: Option<&[Joint]>,
    job: Option<JobProgress>,
) {
    section_ui(ui, Id::new(SECTION), "Weights", true, |ui| {
        ui.add_space(theme::SMALL_GAP);
        let facts = page.facts;
        let (fields, out) = (&mut *page.fields, &mut *page.out);
        calculate_ui(ui, page.view, page.mesh, page.skinned, &facts, reports, fields, job, out);
        outside_ui(ui, page, outside);
        ui.add_space(theme::SMALL_GAP);
        value_row(ui, |ui| action_switch(ui, page.view, Action::TOGGLE_HEAT, page.out));
        value_row(ui, |ui| action_switch(ui, page.view, Action::TOGGLE_RAINBOW, page.out));
        if page.facts.weighted > 0 {
            let report = reports.get(page.skinned);
            report_ui(ui, page, &report);
        }
        ui.add_space(theme::SMALL_GAP);
        let width = ui.available_width();
        action_button(ui, page.view, Action::CALCULATE_SELECTED_WEIGHTS, width, page.out);
        action_button(ui, page.view, Action::PAINT_WEIGHTS, width, page.out);
        action_button(ui, page.view, Action::SELECT_VERTICES, width, page.out);
        transfer_ui(ui, page);
        refine_ui(ui, page);
    });
}

/// Draws the choice of the mesh whose weights are transferred, if other meshes have weights.
fn transfer_ui(ui: &mut Ui, page: &mut Page) {
    let sources: Vec<&String> = transfer_sources(page.view).collect();
    let Some(default) = sources.first() else { return };
    let chosen = page.view.settings.tools.weights_from.as_ref();
    let chosen = sources.iter().find(|name| Some(**name) == chosen).unwrap_or(default);
    let tooltip = "The mesh whose weights are taken by Transfer weights.";
    choice_row(ui, "weights from", "Weights from", tooltip, chosen, |ui| {
        for name in &sources {
            if line_ui(ui, "Weights from", name, name == chosen) {
                page.out.push(Request::WeightsFrom((*name).clone()));
            }
        }
    });
    let width = ui.available_width();
    action_button(ui, page.view, Action::TRANSFER_WEIGHTS, width, page.out);
}

/// The interval at which it is asked whether the joints outside the body are found.
const INTERVAL: Duration = Duration::from_millis(100);

/// Draws a line about joints outside the body, which the view marks; a click selects their bones. `outside`: `None`
/// while they are being found.
fn outside_ui(ui: &mut Ui, page: &mut Page, outside: Option<&[Joint]>) {
    let Some(outside) = outside else {
        ui.label(RichText::new("Finding joints outside the body…").color(theme::TEXT_QUIET).small());
        ui.ctx().request_repaint_after(INTERVAL);
        return;
    };
    let bone_count = page.skeleton().bones.len();
    let bones: BTreeSet<usize> =
        outside.iter().map(|joint| joint.bone).filter(|bone| *bone < bone_count).collect();
    if bones.is_empty() {
        return;
    }
    let found = format!("{} outside the body", counted(outside.len(), "joint", "joints"));
    let bones = bones.into_iter().map(Part::Bone);
    let select = page.view.session.selection().with_parts(bones);
    check_ui(ui, page, "joints", Some(select), &found, "", icons::WARNING);
}

fn report_ui(ui: &mut Ui, page: &mut Page, report: &WeightReport) {
    let influences = if report.fewest == report.most {
        counted(report.most, "bone", "bones")
    } else {
        format!("{} to {} bones, mean {:.1}", report.fewest, report.most, report.mean)
    };
    fact_row(ui, "Per vertex", influences);
    let selection = page.view.session.selection();
    let vertices = |list: &[u32]| (!list.is_empty()).then(|| selection.with_vertices(list.to_vec()));
    let bones = report.idle_bones.iter().map(|&bone| Part::Bone(bone));
    let idle = (!report.idle_bones.is_empty()).then(|| selection.with_parts(bones));
    let number = |list: &[u32]| counted(list.len(), "vertex", "vertices");
    let over_limit = match report.over_limit.len() {
        1 => format!("1 vertex has over {INFLUENCE_LIMIT} bones"),
        count => format!("{} vertices have over {INFLUENCE_LIMIT} bones", grouped(count)),
    };
    let none_over_limit = format!("No vertex has over {INFLUENCE_LIMIT} bones");
    let checks = [
        (
            vertices(&report.unweighted),
            format!("{} without weights", number(&report.unweighted)),
            "Every vertex has weights",
            icons::WARNING,
        ),
        (
            vertices(&report.off_sum),
            format!("{} with a sum other than 1", number(&report.off_sum)),
            "All sums are 1",
            icons::WARNING,
        ),
        (
            idle,
            format!("{} without influence", counted(report.idle_bones.len(), "bone", "bones")),
            "Every bone has influence",
            icons::WARNING,
        ),
        (vertices(&report.over_limit), over_limit, none_over_limit.as_str(), icons::INFO),
    ];
    let gap = std::mem::replace(&mut ui.spacing_mut().item_spacing.y, 0.0);
    for (i, (select, found, ok_text, icon)) in checks.into_iter().enumerate() {
        check_ui(ui, page, ["unweighted", "sums", "idle", "many"][i], select, &found, ok_text, icon);
    }
    ui.spacing_mut().item_spacing.y = gap;
}

/// Draws a line with a finding, which a click selects, or with `ok_text` if there is nothing to select.
fn check_ui(
    ui: &mut Ui,
    page: &mut Page,
    id: &str,
    select: Option<Selection>,
    found: &str,
    ok_text: &str,
    icon: &'static str,
) {
    let id = Id::new(("weights check", id));
    let Some(select) = select else {
        let row = Row { quiet: true, ..Row::new(id, ok_text.to_owned(), ok_text, icons::CHECK) };
        row_ui(ui, &row, false);
        return;
    };
    let selection = page.view.session.selection();
    let row = Row {
        tooltip: "Click to select and frame them.",
        selected: *selection == select && !(selection.vertices.is_empty() && selection.part.is_none()),
        ..Row::new(id, found.to_owned(), found, icon)
    };
    if row_ui(ui, &row, false).clicked {
        let vertices = !select.vertices.is_empty() && select.vertices != selection.vertices;
        page.out.push(Request::Select(select));
        page.out.extend(vertices.then_some(Request::Act(Action::FRAME_SELECTED)));
    }
}

const BUTTON_WIDTH: f32 = 136.0;

fn refine_ui(ui: &mut Ui, page: &mut Page) {
    ui.add_space(theme::GAP);
    let chosen = page.view.session.selection().vertices.len();
    let title = match chosen {
        0 => "Refine all vertices".to_owned(),
        _ => format!("Refine {}", counted(chosen, "selected vertex", "selected vertices")),
    };
    ui.horizontal(|ui| {
        ui.label(RichText::new(title).color(theme::TEXT_QUIET));
        if chosen > 0 {
            let clear = ui.add(Button::new(icons::CLOSE).frame(false));
            clear.widget_info(|| WidgetInfo::labeled(WidgetType::Button, true, "Deselect vertices"));
            if clear.tip("Deselect them.").clicked() {
                let selection = page.view.session.selection().with_vertices(Vec::new());
                page.out.push(Request::Select(selection));
            }
        }
    });
    let mut numbers = page.view.settings.tools.refine;
    ui.horizontal(|ui| {
        action_button(ui, page.view, Action::SMOOTH_WEIGHTS, BUTTON_WIDTH, page.out);
        let width = half(ui);
        let factor = DragValue::new(&mut numbers.factor).speed(0.01).range(0.0..=1.0);
        let factor = factor.max_decimals(2);
        number_ui(
            ui,
            "Smooth factor",
            "How far weights move towards those of the neighbours.",
            width,
            factor,
        );
        let times = whole(&mut numbers.times, 1..=MAX_ITERATIONS).suffix("×");
        number_ui(ui, "Smooth times", "Number of passes.", width, times);
    });
    ui.horizontal(|ui| {
        action_button(ui, page.view, Action::PRUNE_WEIGHTS, BUTTON_WIDTH, page.out);
        let below = DragValue::new(&mut numbers.below).speed(0.002).range(0.0..=1.0);
        let below = below.max_decimals(4).prefix("below ");
        let width = ui.available_width();
        number_ui(ui, "Prune below", "Smaller weights are removed.", width, below);
    });
    ui.horizontal(|ui| {
        action_button(ui, page.view, Action::LIMIT_WEIGHTS, BUTTON_WIDTH, page.out);
        let most = whole(&mut numbers.most, 1..=64).prefix("to ");
        let width = ui.available_width();
        number_ui(ui, "Most bones", "How many bones a vertex keeps.", width, most);
    });
    ui.horizontal(|ui| {
        action_button(ui, page.view, Action::NORMALIZE_WEIGHTS, BUTTON_WIDTH, page.out);
        let width = ui.available_width();
        action_button(ui, page.view, Action::CLEAR_WEIGHTS, width, page.out);
    });
    if numbers != page.view.settings.tools.refine {
        page.out.push(Request::RefineNumbers(RefineNumbers { ..numbers }));
    }
}

fn whole(number: &mut usize, range: RangeInclusive<usize>) -> DragValue<'_> {
    DragValue::new(number).speed(0.1).range(range)
}

fn half(ui: &Ui) -> f32 {
    ((ui.available_width() - ui.spacing().item_spacing.x) / 2.0).max(40.0)
}

/// Draws a number that belongs to the panel, not to the document.
fn number_ui(ui: &mut Ui, label: &str, tooltip: &str, width: f32, number: DragValue) {
    setting_ui(ui, label, tooltip, vec2(width, theme::ROW), number);
}
