//! The hint over the view that tells the next step of rigging a character: bones, then weights. It lets the
//! pointer through to the view.

use crate::edit::action::Action;
use crate::edit::active_rig::ActiveRig;
use crate::edit::view::{Tab, View};
use crate::editor::ui::{icons, theme};
use egui::{Align2, Area, Context, Frame, Id, Margin, Order, Rect, RichText, vec2};

/// The id of its area.
pub const AREA: &str = "next step";
/// The width of the viewport below which the hint is not shown.
const MIN_WIDTH: f32 = 320.0;

/// The missing part and how to provide it; `None` if nothing is missing.
fn missing(view: &View) -> Option<(&'static str, String)> {
    let rig = ActiveRig::from_view(view)?;
    let skinned = view.session.animated().skinned_meshes.get(rig.mesh)?;
    let text_with_keys = |action: Action| match view.settings.options.keys.text(action) {
        Some(keys) => format!("{} ({keys})", action.text),
        None => action.text.to_owned(),
    };
    let has_no_bones = skinned.skeleton.bones.is_empty();
    let moves_nothing = skinned.weights.weights.is_empty() && skinned.surface.vertex_count() > 0;
    match (view.settings.tab, has_no_bones) {
        (Tab::Rig, true) => Some((
            "This mesh has no bones yet",
            format!(
                "{} draws them into it, click by click.",
                text_with_keys(Action::NEW_BONE)
            ),
        )),
        (Tab::Rig, false) if moves_nothing => Some((
            "The bones do not move the mesh yet",
            format!(
                "{} once they are all in place.",
                text_with_keys(Action::CALCULATE_WEIGHTS)
            ),
        )),
        (Tab::Animate, true) => Some((
            "This mesh has no bones yet",
            format!("They are drawn in the {} tab.", text_with_keys(Action::TAB_RIG)),
        )),
        (Tab::Animate, false) if moves_nothing => Some((
            "The bones do not move the mesh yet",
            format!(
                "Weights are calculated in the {} tab.",
                text_with_keys(Action::TAB_RIG)
            ),
        )),
        _ => None,
    }
}

/// Draws the hint at the bottom centre of `viewport`.
pub fn next_step_ui(ctx: &Context, view: &View, viewport: Rect) {
    let Some((title, advice)) = missing(view).filter(|_| viewport.width() >= MIN_WIDTH) else {
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
