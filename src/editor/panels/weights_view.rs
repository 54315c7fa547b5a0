//! What lies over the viewport in the weights view: the legend, and the weights of the vertex under the
//! pointer. Neither takes the pointer.

use super::compare_view::CAPTIONS;
use super::mesh_stats::ReportCache;
use super::status::grouped;
use super::view_bar::bottom;
use crate::edit::active_rig::ActiveRig;
use crate::edit::compare::Layout;
use crate::edit::probe;
use crate::edit::view::View;
use crate::editor::ui::spot::{Obstacle, free_of};
use crate::editor::ui::{list, theme, weight_colors};
use crate::scene::skinned::SkinnedMesh;
use egui::{Align2, Area, Color32, Context, Frame, Id, Margin, Order, Pos2, Rect, RichText, Sense, Ui, vec2};

const BAR: egui::Vec2 = vec2(168.0, 12.0);
/// Names of bones make it wider, up to this.
const WIDEST: f32 = 300.0;
/// Height of a line.
const LINE: f32 = 16.0;
/// Of a name at the pointer: swatch and number, and the room between them.
const BESIDE: f32 = 76.0;
/// Influences that are named at the pointer; of more, the number.
const NAMED: usize = 6;

fn colored<'a>(view: &View<'a>) -> Option<&'a str> {
    let shown = view.settings.heat && view.settings.show_skin;
    Some(ActiveRig::from_view(view).filter(|_| shown)?.mesh)
}

/// The mesh that the colours are of, as it is shown where the pointer is.
fn chosen<'a>(view: &View<'a>) -> Option<&'a SkinnedMesh> {
    view.evaluated
        .shown_mesh(colored(view)?)
        .map(|skinned| &**skinned)
}

/// The same as it is stored.
fn stored<'a>(view: &View<'a>) -> Option<&'a SkinnedMesh> {
    let meshes = &view.evaluated.scene.skinned_meshes;
    meshes.get(colored(view)?).map(|skinned| &**skinned)
}

/// A card over the viewport that lets clicks through.
fn card_ui(ctx: &Context, id: Id, (pivot, at): (Align2, Pos2), add: impl FnOnce(&mut Ui)) {
    let frame = Frame::new()
        .fill(theme::BAR.gamma_multiply(0.93))
        .stroke(egui::Stroke::new(1.0, theme::LINE))
        .corner_radius(theme::RADIUS + 2)
        .inner_margin(Margin::symmetric(10, 8));
    let area = Area::new(id).order(Order::Middle).interactable(false);
    area.fade_in(false).pivot(pivot).fixed_pos(at).show(ctx, |ui| {
        frame.show(ui, |ui| {
            ui.spacing_mut().interact_size.y = LINE;
            add(ui);
        });
    });
}

/// So wide that texts fit with `beside` next to them, within reason.
fn width_for<'a>(ctx: &Context, texts: impl IntoIterator<Item = &'a str>, beside: f32) -> f32 {
    let font = egui::TextStyle::Body.resolve(&ctx.global_style());
    let widest = ctx.fonts_mut(|fonts| {
        let mut width = |text: &str| {
            fonts
                .layout_no_wrap(text.to_owned(), font.clone(), Color32::WHITE)
                .size()
                .x
        };
        texts.into_iter().map(&mut width).fold(0.0, f32::max)
    });
    (widest + beside).ceil().clamp(BAR.x, WIDEST)
}

/// The legend, in the upper right corner of `viewport`, in the lower one where obstacles are there, or where it covers
/// neither of two characters.
pub fn legend_ui(
    ctx: &Context,
    view: &View,
    report: &mut ReportCache,
    viewport: Rect,
    obstacles: &[Obstacle],
) {
    // Both sides of the Compare view have these colours; how many vertices lack weights differs, and is left out.
    let compared = view.evaluated.compare.is_some();
    let skinned = match compared {
        true => stored(view),
        false => chosen(view),
    };
    let Some(skinned) = skinned else { return };
    let bones = skinned.skeleton.bones.len();
    let bone = view.session.selection().bone().filter(|&bone| bone < bones);
    let corner = Pos2::new(viewport.right() - 12.0, bottom(ctx, view, viewport));
    let id = Id::new("heat legend");
    let (pivot, at) = match (compared, view.settings.compare.layout) {
        (false, _) => {
            let below = viewport.right_bottom() - vec2(12.0, 12.0);
            let spots = [(Align2::RIGHT_TOP, corner), (Align2::RIGHT_BOTTOM, below)];
            free_of(ctx, id, spots, obstacles)
        }
        // Between both characters; beside one, below the captions.
        (true, Layout::Beside) => (Align2::CENTER_BOTTOM, viewport.center_bottom() - vec2(0.0, 12.0)),
        (true, Layout::Split) => (Align2::RIGHT_TOP, corner + vec2(0.0, CAPTIONS)),
    };
    card_ui(ctx, id, (pivot, at), |ui| {
        let title = bone.map(|bone| format!("Weight of {}", list::short(&skinned.skeleton.bone_name(bone))));
        ui.set_width(width_for(ctx, title.as_deref(), 0.0));
        ui.spacing_mut().item_spacing.y = 3.0;
        match title {
            Some(title) => {
                ui.add(egui::Label::new(RichText::new(title).strong()).truncate());
                bar_ui(ui, view.settings.rainbow);
            }
            None => {
                ui.strong("Strongest bone");
                ui.label(
                    RichText::new("A colour for each bone. Select one to see its weight.")
                        .color(theme::TEXT_QUIET)
                        .small(),
                );
            }
        }
        if compared {
            return;
        }
        let report = report.get(skinned);
        swatch_ui(
            ui,
            theme::viewport::UNWEIGHTED,
            "No weights",
            report.unweighted.len(),
        );
        swatch_ui(ui, theme::viewport::OFF_SUM, "Sum is not 1", report.off_sum.len());
    });
}

fn bar_ui(ui: &mut Ui, rainbow: bool) {
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), BAR.y), Sense::empty());
    let mut strip = egui::Mesh::default();
    let steps = 64;
    for i in 0..=steps {
        let t = i as f32 / steps as f32;
        let color = weight_colors::of_weight(t, rainbow);
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
    ui.horizontal(|ui| {
        let small = |text: &str| RichText::new(text).color(theme::TEXT_QUIET).small();
        ui.spacing_mut().item_spacing.x = 0.0;
        ui.columns_const(|[left, middle, right]| {
            left.label(small("0"));
            middle.vertical_centered(|ui| ui.label(small("0.5")));
            right.with_layout(egui::Layout::right_to_left(egui::Align::Min), |ui| {
                ui.label(small("1"))
            });
        });
    });
}

/// Quiet where there is none of it.
fn swatch_ui(ui: &mut Ui, color: Color32, text: &str, count: usize) {
    ui.horizontal(|ui| {
        let (rect, _) = ui.allocate_exact_size(vec2(10.0, 10.0), Sense::empty());
        ui.painter().rect_filled(rect, 2, color);
        let ink = if count > 0 { theme::TEXT } else { theme::TEXT_QUIET };
        let number = match count {
            0 => "none".to_owned(),
            _ => grouped(count),
        };
        ui.label(RichText::new(format!("{text}: {number}")).color(ink).small());
    });
}

/// Bone index and weight of a vertex, strongest first, and their sum.
fn influences(skinned: &SkinnedMesh, vertex: u32) -> (Vec<(usize, f32)>, f64) {
    let row = probe::influences(&skinned.weights, vertex);
    let sum = row.iter().map(|(_, weight)| f64::from(*weight)).sum();
    (row, sum)
}

/// The weights of a vertex in a line, for the status bar.
pub fn probe_text(view: &View, vertex: u32) -> Option<String> {
    let skinned = chosen(view)?;
    let (row, sum) = influences(skinned, vertex);
    if row.is_empty() {
        return Some(format!("Vertex {vertex} has no weights"));
    }
    let named = row.iter().take(NAMED);
    let named: Vec<_> = named
        .map(|(bone, weight)| format!("{} {weight:.2}", list::short(&skinned.skeleton.bone_name(*bone))))
        .collect();
    Some(format!("Vertex {vertex}: {}, sum {sum:.2}", named.join(", ")))
}

/// The weights of `vertex`, beside the pointer; next to the legend while it would be in the way of a brush.
pub fn probe_ui(
    ctx: &Context,
    view: &View,
    (pointer, is_in_the_way): (Pos2, bool),
    vertex: u32,
    viewport: Rect,
) {
    let Some(skinned) = chosen(view) else { return };
    let (row, sum) = influences(skinned, vertex);
    let active = view.session.selection().bone();
    let named = row.iter().take(NAMED);
    let names: Vec<String> = named
        .clone()
        .map(|(bone, _)| list::short(&skinned.skeleton.bone_name(*bone)))
        .collect();
    let width = width_for(ctx, names.iter().map(String::as_str), BESIDE);
    // Below and right of the pointer where there is room, else on the other side.
    let (right, low) = (
        pointer.x + width + 42.0 > viewport.right(),
        pointer.y + 190.0 > viewport.bottom(),
    );
    let (pivot, by) = match (right, low) {
        (false, false) => (Align2::LEFT_TOP, vec2(18.0, 18.0)),
        (true, false) => (Align2::RIGHT_TOP, vec2(-14.0, 18.0)),
        (false, true) => (Align2::LEFT_BOTTOM, vec2(18.0, -10.0)),
        (true, true) => (Align2::RIGHT_BOTTOM, vec2(-14.0, -10.0)),
    };
    let legend = ctx.memory(|memory| memory.area_rect(Id::new("heat legend")));
    let (pivot, at) = match legend.filter(|_| is_in_the_way) {
        Some(legend) if legend.center().y < viewport.center().y => {
            (Align2::RIGHT_TOP, legend.right_bottom() + vec2(0.0, 8.0))
        }
        Some(legend) => (Align2::RIGHT_BOTTOM, legend.right_top() - vec2(0.0, 8.0)),
        None => (pivot, pointer + by),
    };
    card_ui(ctx, Id::new("heat probe"), (pivot, at), |ui| {
        ui.set_width(width);
        ui.spacing_mut().item_spacing.y = 2.0;
        ui.label(
            RichText::new(format!("Vertex {vertex}"))
                .color(theme::TEXT_QUIET)
                .small(),
        );
        for ((bone, weight), name) in named.zip(&names) {
            let swatch = match active {
                Some(_) => weight_colors::of_weight(*weight, view.settings.rainbow),
                None => weight_colors::of_bone(*bone),
            };
            influence_ui(ui, swatch, name, *weight, active == Some(*bone));
        }
        let more = row.len().saturating_sub(NAMED);
        if more > 0 {
            ui.label(
                RichText::new(format!("and {more} more"))
                    .color(theme::TEXT_QUIET)
                    .small(),
            );
        }
        let (text, color) = match row.len() {
            0 => ("No weights: it stays where it is".to_owned(), theme::WARNING),
            _ if (sum - 1.0).abs() > 1e-4 => (format!("Sum {sum:.4}"), theme::WARNING),
            _ => ("Sum 1".to_owned(), theme::TEXT_QUIET),
        };
        ui.label(RichText::new(text).color(color).small());
    });
}

fn influence_ui(ui: &mut Ui, swatch: Color32, name: &str, weight: f32, active: bool) {
    ui.horizontal(|ui| {
        let (rect, _) = ui.allocate_exact_size(vec2(10.0, 10.0), Sense::empty());
        ui.painter().rect_filled(rect, 2, swatch);
        let ink = if active { theme::ACCENT } else { theme::TEXT };
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            ui.label(RichText::new(format!("{weight:.3}")).color(ink).monospace());
            ui.with_layout(egui::Layout::left_to_right(egui::Align::Center), |ui| {
                ui.add(egui::Label::new(RichText::new(name).color(ink)).truncate());
            });
        });
    });
}
