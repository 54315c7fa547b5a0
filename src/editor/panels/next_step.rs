//! What comes next while a character is being rigged, in a line over the view: bones, then weights. It leaves the pointer to
//! the view.

use crate::edit::action::Action;
use crate::edit::stage::Stage;
use crate::edit::view::{Tab, View};
use crate::editor::ui::spot::{Obstacle, free_spot};
use crate::editor::ui::theme;
use egui::{Area, Context, Frame, Id, Margin, Order, Rect, RichText};

/// Its area.
pub const AREA: &str = "next step";
/// Narrower viewports have no room for it.
const LEAST: f32 = 320.0;

/// What is missing, and what brings it about; `None` where nothing is.
fn missing(view: &View) -> Option<(&'static str, String)> {
    let stage = Stage::of(view)?;
    let skinned = view.session.seen().skinned_meshes.get(stage.mesh)?;
    let named = |action: Action| {
        let info = action.info();
        match info.shortcuts.first() {
            Some(keys) => format!("{} ({keys})", info.text),
            None => info.text.to_owned(),
        }
    };
    let bare = skinned.skeleton.bones.is_empty();
    let moves_nothing = skinned.weights.weights.is_empty() && skinned.surface.vertex_count() > 0;
    match (view.settings.tab, bare) {
        (Tab::Rig, true) => Some((
            "This mesh has no bones yet",
            format!("{} draws them into it, click by click.", named(Action::NewBone)),
        )),
        (Tab::Rig, false) if moves_nothing => Some((
            "The bones do not move the mesh yet",
            format!("{} once they all stand in it.", named(Action::CalculateWeights)),
        )),
        (Tab::Animate, true) => Some((
            "This mesh has no bones yet",
            format!("They are drawn in the {} tab.", named(Action::TabRig)),
        )),
        (Tab::Animate, false) if moves_nothing => Some((
            "The bones do not move the mesh yet",
            format!("Weights are calculated in the {} tab.", named(Action::TabRig)),
        )),
        _ => None,
    }
}

/// Stands at the top of `viewport`, `down` below it, or where it covers no obstacle.
pub fn next_step_ui(ctx: &Context, view: &View, viewport: Rect, down: f32, obstacles: &[Obstacle]) {
    let Some((title, advice)) = missing(view).filter(|_| viewport.width() >= LEAST) else {
        return;
    };
    let id = Id::new(AREA);
    let (pivot, at) = free_spot(ctx, id, viewport, down, obstacles);
    let area = Area::new(id)
        .order(Order::Middle)
        .interactable(false)
        .fade_in(false)
        .pivot(pivot)
        .fixed_pos(at);
    area.show(ctx, |ui| {
        let frame = Frame::new()
            .fill(theme::POPUP.gamma_multiply(0.95))
            .stroke((1.0, theme::LINE))
            .corner_radius(theme::RADIUS + 2)
            .inner_margin(Margin::symmetric(12, 6));
        frame.show(ui, |ui| {
            ui.set_max_width(viewport.width() - 48.0);
            ui.vertical_centered(|ui| {
                ui.label(RichText::new(title).strong().color(theme::TEXT_STRONG));
                ui.label(RichText::new(advice).color(theme::TEXT));
            });
        });
    });
}
