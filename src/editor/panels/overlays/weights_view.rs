//! The weights view: the legend below it, and the weights of the vertex under the pointer, which let the
//! pointer through.

use crate::edit::select::active_rig::ActiveRig;
use crate::edit::select::probe;
use crate::edit::settings::view::View;
use crate::editor::panels::mesh_stats::ReportCache;
use crate::editor::panels::overlays::strip::bottom_strip_ui;
use crate::editor::panels::status::grouped;
use crate::editor::ui::{icons, list, theme, weight_colors};
use crate::scene::skinned::SkinnedMesh;
use egui::{Align2, Area, Color32, Context, Frame, Id, Margin, Order, Pos2, Rect, RichText, Sense, Ui, vec2};

const BAR: egui::Vec2 = vec2(168.0, 12.0);
/// The side of a swatch.
const SWATCH: f32 = 10.0;
/// The greatest width of a card, to fit the names of bones.
const MAX_WIDTH: f32 = 300.0;
/// The height of a line.
const LINE: f32 = 16.0;
/// The width of the swatch, the number and the gaps next to a bone name at the pointer.
const INFLUENCE_EXTRA: f32 = 76.0;
/// The greatest number of bones that the legend names, where they fit; further ones are only counted.
const MAX_NAMED: usize = 8;
/// The number of influences listed at the pointer; further ones are only counted.
const MAX_LISTED: usize = 6;

/// The name of the mesh that shows weight colours, if any.
fn colored_mesh<'a>(view: &View<'a>) -> Option<&'a str> {
    let shown = view.settings.display.weights_view && view.settings.display.show_skin;
    Some(ActiveRig::from_view(view).filter(|_| shown)?.mesh)
}

/// The mesh with weight colours, as shown on the side under the pointer.
fn shown_mesh<'a>(view: &View<'a>) -> Option<&'a SkinnedMesh> {
    view.evaluated.shown_mesh(colored_mesh(view)?).map(|skinned| &**skinned)
}

/// The mesh with weight colours, as stored.
fn stored_mesh<'a>(view: &View<'a>) -> Option<&'a SkinnedMesh> {
    let meshes = &view.evaluated.scene.skinned_meshes;
    meshes.get(colored_mesh(view)?).map(|skinned| &**skinned)
}

/// Draws a card over the viewport that lets clicks through.
fn card_ui(ctx: &Context, id: Id, (pivot, position): (Align2, Pos2), add: impl FnOnce(&mut Ui)) {
    let frame = Frame::new()
        .fill(theme::BAR.gamma_multiply(0.93))
        .stroke(egui::Stroke::new(1.0, theme::LINE))
        .corner_radius(theme::RADIUS + 2)
        .inner_margin(Margin::symmetric(10, 8));
    let area = Area::new(id).order(Order::Middle).interactable(false);
    area.fade_in(false).pivot(pivot).fixed_pos(position).show(ctx, |ui| {
        frame.show(ui, |ui| {
            ui.spacing_mut().interact_size.y = LINE;
            add(ui);
        });
    });
}

/// The width in which the texts fit with `extra` points next to them, within limits.
fn width_for<'a>(ctx: &Context, texts: impl IntoIterator<Item = &'a str>, extra: f32) -> f32 {
    let font = egui::TextStyle::Body.resolve(&ctx.global_style());
    let widest = ctx.fonts_mut(|fonts| {
        let mut width =
            |text: &str| fonts.layout_no_wrap(text.to_owned(), font.clone(), Color32::WHITE).size().x;
        texts.into_iter().map(&mut width).fold(0.0, f32::max)
    });
    (widest + extra).ceil().clamp(BAR.x, MAX_WIDTH)
}

/// Shows the legend below the view.
pub fn legend_ui(ui: &mut Ui, view: &View, report: &mut ReportCache) {
    // While comparing, the colours apply to both sides, but the number of unweighted vertices differs and is
    // omitted.
    let compared = view.evaluated.compare.is_some();
    let skinned = if compared { stored_mesh(view) } else { shown_mesh(view) };
    let Some(skinned) = skinned else { return };
    let bones = selected_bones(view, skinned);
    let name = |bone: usize| list::shorten(&skinned.skeleton.bone_name(bone));
    let text_ui = |ui: &mut Ui| match *bones {
        [bone] => {
            bar_ui(ui, view.settings.display.rainbow);
            let title = format!("Weight of {}", name(bone));
            ui.add(egui::Label::new(RichText::new(title).strong()).truncate());
        }
        [] => {
            ui.strong("Strongest bone");
            let advice = "A colour for each bone. Select one to see its weight.";
            ui.add(egui::Label::new(quiet_text(advice)).truncate());
        }
        _ => {
            ui.strong(format!("Weights of {} bones", grouped(bones.len())));
            let colors = weight_colors::selected_colors(&bones).into_iter();
            let names: Vec<String> = bones.iter().take(MAX_NAMED).map(|bone| name(*bone)).collect();
            let room = ui.available_width() - text_width(ui, &more_text(bones.len()));
            let widths = names.iter().map(|name| swatch_and_text_width(ui, name));
            let count = fitting(widths, room).max(1);
            for (name, color) in names.iter().zip(colors).take(count) {
                swatch(ui, color);
                // A single name may be too long.
                let most = (room - swatch_and_text_width(ui, "")).max(20.0);
                ui.scope(|ui| {
                    ui.set_max_width(most);
                    ui.add(egui::Label::new(RichText::new(name).small()).truncate());
                });
            }
            more_ui(ui, bones.len(), count);
        }
    };
    let icon = (icons::SKINNED_MESH, *theme::TEXT_QUIET);
    bottom_strip_ui(ui, "weights legend", None, icon, text_ui, |ui| {
        if compared {
            return;
        }
        let report = report.get(skinned);
        let [unweighted, off_sum] = [&report.unweighted, &report.off_sum].map(Vec::len);
        swatch_ui(ui, theme::viewport::OFF_SUM, "Sum is not 1", off_sum);
        swatch_ui(ui, theme::viewport::UNWEIGHTED, "No weights", unweighted);
    });
}

/// Returns the selected bones of a mesh.
fn selected_bones(view: &View, skinned: &SkinnedMesh) -> Vec<usize> {
    let mut bones = view.session.selection().bones();
    bones.retain(|&bone| bone < skinned.skeleton.bones.len());
    bones
}

fn quiet_text(text: impl Into<String>) -> RichText {
    RichText::new(text).color(theme::TEXT_QUIET).small()
}

fn swatch(ui: &mut Ui, color: Color32) {
    let (rect, _) = ui.allocate_exact_size(vec2(SWATCH, SWATCH), Sense::empty());
    ui.painter().rect_filled(rect, 2, color);
}

/// Returns how many of items of these widths fit into a room.
fn fitting(widths: impl IntoIterator<Item = f32>, room: f32) -> usize {
    let mut end = 0.0;
    let ends = widths.into_iter().map(|width| {
        end += width;
        end
    });
    ends.take_while(|end| *end <= room).count()
}

/// The width of a small text and the gap after it.
fn text_width(ui: &Ui, text: &str) -> f32 {
    let font = egui::TextStyle::Small.resolve(ui.style());
    let galley = ui.painter().layout_no_wrap(text.to_owned(), font, Color32::WHITE);
    galley.size().x.ceil() + ui.spacing().item_spacing.x
}

/// The width of a swatch and the text after it, with gaps.
fn swatch_and_text_width(ui: &Ui, text: &str) -> f32 {
    SWATCH + ui.spacing().item_spacing.x + text_width(ui, text)
}

fn more_text(count: usize) -> String {
    format!("and {} more", grouped(count))
}

/// Says how many of `count` are not listed.
fn more_ui(ui: &mut Ui, count: usize, listed: usize) {
    if count > listed {
        let text = quiet_text(more_text(count - listed));
        ui.add(egui::Label::new(text).truncate());
    }
}

fn bar_ui(ui: &mut Ui, rainbow: bool) {
    ui.label(quiet_text("0"));
    // In a narrow view the name beside it needs the room.
    let width = if ui.available_width() < 2.2 * BAR.x { 0.5 * BAR.x } else { BAR.x };
    let (rect, _) = ui.allocate_exact_size(vec2(width, BAR.y), Sense::empty());
    let mut strip = egui::Mesh::default();
    let steps = 64;
    for i in 0..=steps {
        let t = i as f32 / steps as f32;
        let color = weight_colors::weight_color(t, rainbow);
        let x = rect.left() + t * rect.width();
        strip.colored_vertex(Pos2::new(x, rect.top()), color);
        strip.colored_vertex(Pos2::new(x, rect.bottom()), color);
        if i > 0 {
            let k = 2 * i as u32;
            strip.add_triangle(k - 2, k - 1, k);
            strip.add_triangle(k - 1, k, k + 1);
        }
    }
    ui.painter().add(strip);
    ui.label(quiet_text("1"));
}

/// Draws a swatch with a count, dimmed if it is 0; from right to left.
fn swatch_ui(ui: &mut Ui, color: Color32, text: &str, count: usize) {
    let ink = if count > 0 { theme::TEXT } else { theme::TEXT_QUIET };
    let number = match count {
        0 => "none".to_owned(),
        _ => grouped(count),
    };
    ui.label(RichText::new(format!("{text}: {number}")).color(ink).small());
    swatch(ui, color);
}

/// The bone index and weight of each influence on a vertex, strongest first, and the sum of the weights.
fn influences(skinned: &SkinnedMesh, vertex: u32) -> (Vec<(usize, f32)>, f64) {
    let row = probe::influences(&skinned.weights, vertex);
    let sum = row.iter().map(|(_, weight)| f64::from(*weight)).sum();
    (row, sum)
}

/// Describes the weights of a vertex in a line, for the status bar.
pub fn probe_text(view: &View, vertex: u32) -> Option<String> {
    let skinned = shown_mesh(view)?;
    let (row, sum) = influences(skinned, vertex);
    if row.is_empty() {
        return Some(format!("Vertex {vertex} has no weights"));
    }
    let listed = row.iter().take(MAX_LISTED);
    let listed: Vec<_> = listed
        .map(|(bone, weight)| format!("{} {weight:.2}", list::shorten(&skinned.skeleton.bone_name(*bone))))
        .collect();
    Some(format!("Vertex {vertex}: {}, sum {sum:.2}", listed.join(", ")))
}

/// Draws the weights of `vertex` next to the pointer, or in a corner if they would be in the way of a brush.
pub fn probe_ui(
    ctx: &Context,
    view: &View,
    (pointer, is_in_the_way): (Pos2, bool),
    vertex: u32,
    viewport: Rect,
) {
    let Some(skinned) = shown_mesh(view) else { return };
    let (row, sum) = influences(skinned, vertex);
    let active = view.session.selection().bone();
    let selected = selected_bones(view, skinned);
    let colors = weight_colors::selected_colors(&selected);
    let color = |bone: usize, weight: f32| match selected.len() {
        0 => weight_colors::bone_color(bone),
        1 => weight_colors::weight_color(weight, view.settings.display.rainbow),
        _ => match selected.iter().position(|other| *other == bone) {
            Some(index) => colors[index],
            None => weight_colors::weight_color(0.0, false),
        },
    };
    let listed = row.iter().take(MAX_LISTED);
    let names: Vec<String> =
        listed.clone().map(|(bone, _)| list::shorten(&skinned.skeleton.bone_name(*bone))).collect();
    let width = width_for(ctx, names.iter().map(String::as_str), INFLUENCE_EXTRA);
    // Below and to the right of the pointer, or on the other side if there is no room.
    let (right, low) = (pointer.x + width + 42.0 > viewport.right(), pointer.y + 190.0 > viewport.bottom());
    let (pivot, offset) = match (right, low) {
        (false, false) => (Align2::LEFT_TOP, vec2(18.0, 18.0)),
        (true, false) => (Align2::RIGHT_TOP, vec2(-14.0, 18.0)),
        (false, true) => (Align2::LEFT_BOTTOM, vec2(18.0, -10.0)),
        (true, true) => (Align2::RIGHT_BOTTOM, vec2(-14.0, -10.0)),
    };
    let (pivot, position) = match is_in_the_way {
        // The axes are at the left.
        true => (Align2::RIGHT_BOTTOM, viewport.right_bottom() + vec2(-12.0, -12.0)),
        false => (pivot, pointer + offset),
    };
    card_ui(ctx, Id::new("heat probe"), (pivot, position), |ui| {
        ui.set_width(width);
        ui.spacing_mut().item_spacing.y = 2.0;
        ui.label(quiet_text(format!("Vertex {vertex}")));
        for ((bone, weight), name) in listed.zip(&names) {
            influence_ui(ui, color(*bone, *weight), name, *weight, active == Some(*bone));
        }
        more_ui(ui, row.len(), MAX_LISTED);
        let (text, color) = match row.len() {
            0 => ("No weights: it stays where it is".to_owned(), theme::WARNING),
            _ if (sum - 1.0).abs() > 1e-4 => (format!("Sum {sum:.4}"), theme::WARNING),
            _ => ("Sum 1".to_owned(), theme::TEXT_QUIET),
        };
        ui.label(RichText::new(text).color(color).small());
    });
}

fn influence_ui(ui: &mut Ui, color: Color32, name: &str, weight: f32, active: bool) {
    ui.horizontal(|ui| {
        swatch(ui, color);
        let ink = if active { theme::ACCENT } else { theme::TEXT };
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            ui.label(RichText::new(format!("{weight:.3}")).color(ink).monospace());
            ui.with_layout(egui::Layout::left_to_right(egui::Align::Center), |ui| {
                ui.add(egui::Label::new(RichText::new(name).color(ink)).truncate());
            });
        });
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_names_are_listed_as_fit() {
        assert_eq!(fitting([40.0, 30.0, 50.0], 100.0), 2);
        assert_eq!(fitting([40.0, 30.0, 30.0], 100.0), 3);
        assert_eq!(fitting([140.0], 100.0), 0);
        assert_eq!(fitting([], 100.0), 0);
    }
}
