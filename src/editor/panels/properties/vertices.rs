//! Properties of the selected vertices: a table of their weights, with fields that preserve the sum, and
//! actions.

use super::Page;
use crate::edit::action::Action;
use crate::edit::paint::{Paint, fill};
use crate::edit::request::Request;
use crate::editor::panels::status::counted;
use crate::editor::ui::action::action_button;
use crate::editor::ui::list::section_ui;
use crate::editor::ui::number::name_ui;
use crate::editor::ui::setting::setting_ui;
use crate::editor::ui::tooltip::Tip;
use crate::editor::ui::{icons, theme};
use crate::rig::weights::VertexWeights;
use crate::rig::weights::paint::{Brush, Mode};
use crate::rig::weights::transfer::mean_row;
use egui::{DragValue, Id, RichText, Ui, vec2};
use std::collections::BTreeMap;

/// The number of bones with a row; the others are only counted.
const MAX_ROWS: usize = 12;
/// The width of the range of weights next to a field.
const RANGE_WIDTH: f32 = 68.0;

pub(super) fn vertices_ui(ui: &mut Ui, page: &mut Page) {
    let view = page.view;
    let vertices = view.session.selection().vertices.clone();
    let title = counted(vertices.len(), "vertex", "vertices");
    section_ui(ui, Id::new("vertices section"), &title, true, |ui| {
        ui.add_space(theme::SMALL_GAP);
        // Above the table, whose number of rows varies. The texts of the buttons need the whole width.
        let actions = [
            Action::GROW_VERTICES,
            Action::SHRINK_VERTICES,
            Action::COPY_WEIGHTS,
            Action::PASTE_WEIGHTS,
            Action::VERTICES_BY_WEIGHT,
        ];
        for action in actions {
            let width = ui.available_width();
            action_button(ui, page.view, action, width, page.out);
        }
        range_row(ui, page);
        ui.add_space(theme::SMALL_GAP);
        table_ui(ui, page, &vertices);
        ui.add_space(theme::GAP);
    });
}

/// Draws the bones that influence the vertices, the strongest first; the order stays while a weight is
/// edited.
fn table_ui(ui: &mut Ui, page: &mut Page, vertices: &[u32]) {
    let mut row = mean_row(&page.skinned.weights, vertices);
    let ranges = ranges(&page.skinned.weights, vertices);
    row.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    if row.is_empty() {
        ui.label(RichText::new("No bone moves them.").color(theme::TEXT_QUIET));
    } else if vertices.len() > 1 {
        let note = "Mean weights, with the smallest and the largest. Setting one applies it to all vertices.";
        ui.label(RichText::new(note).color(theme::TEXT_QUIET).small());
    }
    let bones = row.iter().map(|(bone, _)| usize::from(*bone));
    let mut shown: Vec<usize> = bones.take(MAX_ROWS).collect();
    // The selected bone has a row even without weights, so that it can be given some.
    let count = page.skeleton().bones.len();
    let chosen = page.view.session.selection().bone().filter(|&bone| bone < count);
    let chosen = chosen.filter(|&bone| !page.skeleton().bones[bone].link);
    if let Some(bone) = chosen.filter(|bone| !shown.contains(bone)) {
        shown.insert(0, bone);
    }
    let id = ui.id().with("order of the table");
    let before: Option<(Vec<u32>, Vec<usize>)> = ui.data(|data| data.get_temp(id));
    if let Some((edited, order)) = before
        && edited == vertices
        && order.iter().all(|bone| *bone < count)
    {
        shown.retain(|bone| !order.contains(bone));
        shown.splice(0..0, order);
    }
    let mut is_edited = false;
    for &bone in &shown {
        let weight = row.iter().find(|(other, _)| usize::from(*other) == bone);
        let weight = weight.map_or(0.0, |(_, weight)| *weight);
        is_edited |= bone_row(ui, page, vertices, bone, (weight, range_of(&ranges, bone)));
    }
    ui.data_mut(|data| {
        data.remove_temp::<(Vec<u32>, Vec<usize>)>(id);
        if is_edited {
            data.insert_temp(id, (vertices.to_vec(), shown.clone()));
        }
    });
    let hidden = row.iter().filter(|(bone, _)| !shown.contains(&usize::from(*bone)));
    let hidden = hidden.count();
    if hidden > 0 {
        let more = format!("and {hidden} more with less");
        ui.label(RichText::new(more).color(theme::TEXT_QUIET));
    }
}

/// The smallest and the largest weight of each bone that influences some of the vertices.
fn ranges(weights: &VertexWeights, vertices: &[u32]) -> BTreeMap<u16, [f32; 2]> {
    let (mut ranges, mut counts) = (BTreeMap::new(), BTreeMap::new());
    for &vertex in vertices {
        for (bone, weight) in weights.influences(vertex as usize) {
            let [least, most] = ranges.entry(bone).or_insert([weight; 2]);
            (*least, *most) = (least.min(weight), most.max(weight));
            *counts.entry(bone).or_insert(0) += 1;
        }
    }
    // The smallest weight is 0 if the bone does not influence all vertices.
    for (bone, [least, _]) in &mut ranges {
        if counts.get(bone).is_some_and(|count| *count < vertices.len()) {
            *least = 0.0;
        }
    }
    ranges
}

/// The range of weights of a bone; `None` if all are equal as displayed.
fn range_of(ranges: &BTreeMap<u16, [f32; 2]>, bone: usize) -> Option<[f32; 2]> {
    let [least, most] = *ranges.get(&u16::try_from(bone).ok()?)?;
    (most - least >= 5e-4).then_some([least, most])
}

/// Draws the name of a bone, whether it is locked, a field for its mean weight, and the range of its weights.
/// Returns whether the field is being edited.
fn bone_row(
    ui: &mut Ui,
    page: &mut Page,
    vertices: &[u32],
    bone: usize,
    (weight, range): (f32, Option<[f32; 2]>),
) -> bool {
    let skeleton = page.skeleton();
    let name = skeleton.bone_name(bone);
    let locked = skeleton.bones.get(bone).is_some_and(|bone| bone.lock_weights);
    let label = format!("Weight of {name}");
    let tooltip = if locked {
        "Locked: unlock the weights of the bone to change it."
    } else {
        "The mean of the selected vertices; setting a value applies it to all of them. What the bone gains, the other unlocked bones lose in proportion."
    };
    let row = ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = theme::SMALL_GAP;
        let id = ui.id().with(("vertex weight", bone));
        name_ui(ui, id, &name).tip(tooltip);
        if locked {
            ui.label(RichText::new(icons::LOCKED).color(theme::TEXT_QUIET));
        }
        // A drag is applied when it ends, as one undo step.
        let drag_id = id.with("held");
        let mut value = ui.data(|data| data.get_temp(drag_id)).unwrap_or(weight);
        let number = DragValue::new(&mut value)
            .range(0.0..=1.0)
            .speed(0.005)
            .max_decimals(4)
            .update_while_editing(false);
        let range_width = if range.is_some() { RANGE_WIDTH } else { 0.0 };
        let size = vec2(ui.available_width() - range_width, theme::ROW);
        let field = ui.add_enabled_ui(!locked, |ui| setting_ui(ui, &label, tooltip, size, number)).inner;
        if let Some([least, most]) = range {
            let text = format!("{least:.2}–{most:.2}");
            let text = RichText::new(text).color(theme::TEXT_QUIET).small();
            ui.label(text).tip("From the smallest to the largest of them.");
        }
        if field.dragged() {
            ui.data_mut(|data| data.insert_temp(drag_id, value));
            return true;
        }
        ui.data_mut(|data| data.remove_temp::<f32>(drag_id));
        if value != weight {
            set_weight(page, vertices, bone, value);
        }
        field.has_focus() || field.is_pointer_button_down_on()
    });
    row.inner
}

/// Sets the weight of a bone for all vertices.
fn set_weight(page: &mut Page, vertices: &[u32], bone: usize, value: f32) {
    let paint = Paint {
        brush: Brush { mode: Mode::Replace, value, ..Brush::default() },
        bone: Some(bone),
        symmetric: false,
    };
    if let Ok(Some(command)) = fill(page.mesh, page.skinned, &paint, Some(vertices)) {
        page.out.push(Request::Apply(vec![command]));
    }
}

/// Draws the range of weights for selecting vertices by weight.
fn range_row(ui: &mut Ui, page: &mut Page) {
    let before = page.view.settings.tools.weight_range;
    let mut range = before;
    ui.horizontal(|ui| {
        let half = (ui.available_width() - ui.spacing().item_spacing.x) / 2.0;
        let [least, most] = &mut range;
        let fields = [
            (least, "Least weight", "Vertices with less weight than this are not selected."),
            (most, "Most weight", "Vertices with more weight than this are not selected."),
        ];
        for (number, label, tooltip) in fields {
            let number = DragValue::new(number).range(0.0..=1.0).speed(0.005).max_decimals(3);
            setting_ui(ui, label, tooltip, vec2(half, theme::ROW), number);
        }
    });
    if range != before {
        page.out.push(Request::WeightRange(range));
    }
}
