//! What comes next while a character is being rigged, in a line over the view: bones, then weights. It leaves the pointer to
//! the view.

use crate::edit::action::Action;
use crate::edit::active_rig::ActiveRig;
use crate::edit::view::{Tab, View};
use crate::editor::ui::{icons, theme};
use egui::{Align2, Area, Context, Frame, Id, Margin, Order, Rect, RichText, vec2};

/// Its area.
pub const AREA: &str = "next step";
/// Narrower viewports have no room for it.
const LEAST: f32 = 320.0;

/// What is missing, and what brings it about; `None` where nothing is.
fn missing(view: &View) -> Option<(&'static str, String)> {
    let stage = ActiveRig::from_view(view)?;
    let skinned = view.session.animated().skinned_meshes.get(stage.mesh)?;
    let named = |action: Action| match view.settings.options.keys.text(action) {
        Some(keys) => format!("{} ({keys})", action.text),
        None => action.text.to_owned(),
    };
    let bare = skinned.skeleton.bones.is_empty();
    let moves_nothing = skinned.weights.weights.is_empty() && skinned.surface.vertex_count() > 0;
    match (view.settings.tab, bare) {
        (Tab::Rig, true) => Some((
            "This mesh has no bones yet",
            format!("{} draws them into it, click by click.", named(Action::NEW_BONE)),
        )),
        (Tab::Rig, false) if moves_nothing => Some((
            "The bones do not move the mesh yet",
            format!("{} once they are all in place.", named(Action::CALCULATE_WEIGHTS)),
        )),
        (Tab::Animate, true) => Some((
            "This mesh has no bones yet",
            format!("They are drawn in the {} tab.", named(Action::TAB_RIG)),
        )),
        (Tab::Animate, false) if moves_nothing => Some((
            "The bones do not move the mesh yet",
            format!("Weights are calculated in the {} tab.", named(Action::TAB_RIG)),
        )),
        _ => None,
    }
}

/// Stands at the bottom of `viewport`, in the middle.
pub fn next_step_ui(ctx: &Context, view: &View, viewport: Rect) {
    let Some((title, advice)) = missing(view).filter(|_| viewport.width() >= LEAST) else {
        return;
    };
    let area = Area::new(Id::new(AREA))
        .order(Order::Middle)
        .interactable(false)
        .fade_in(false)
        .pivot(Align2::CENTER_BOTTOM)
        .fixed_pos(viewport.center_bottom() - vec2(0.0, 14.0));
    area.show(ctx, |ui| {
        let frame = Frame::new()
            .fill(theme::POPUP)
            .stroke((1.0, theme::ACCENT))
            .corner_radius(theme::RADIUS + 2)
            .inner_margin(Margin::symmetric(12, 7));
        frame.show(ui, |ui| {
            ui.set_max_width(viewport.width() - 48.0);
            ui.horizontal_top(|ui| {
                ui.label(
                    RichText::new(icons::INFO)
                        .color(theme::ACCENT)
                        .size(theme::HEADING),
                );
                ui.vertical(|ui| {
                    let title = RichText::new(title).strong().color(theme::TEXT_STRONG);
                    ui.label(title);
                    ui.label(RichText::new(advice).color(theme::TEXT));
                });
            });
        });
    });
}
