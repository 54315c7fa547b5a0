//! The hint below the view that tells the next step of rigging a character: bones, then weights.

use crate::edit::action::Action;
use crate::edit::select::active_rig::ActiveRig;
use crate::edit::settings::view::{Tab, View};
use crate::editor::panels::overlays::strip::bottom_strip_ui;
use crate::editor::ui::{icons, theme};
use egui::{Label, RichText, Ui};

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
                "{} finds them in a body; {} draws them, click by click.",
                text_with_keys(Action::FIT_SKELETON),
                text_with_keys(Action::NEW_BONE)
            ),
        )),
        (Tab::Rig, false) if moves_nothing => Some((
            "The bones do not move the mesh yet",
            format!("{} once they are all in place.", text_with_keys(Action::CALCULATE_WEIGHTS)),
        )),
        (Tab::Animate, true) => Some((
            "This mesh has no bones yet",
            format!(
                "{} finds them in a body; they are drawn in the {} tab.",
                text_with_keys(Action::FIT_SKELETON),
                text_with_keys(Action::TAB_RIG)
            ),
        )),
        (Tab::Animate, false) if moves_nothing => Some((
            "The bones do not move the mesh yet",
            format!("Weights are calculated in the {} tab.", text_with_keys(Action::TAB_RIG)),
        )),
        _ => None,
    }
}

/// Shows the hint.
pub fn next_step_ui(ui: &mut Ui, view: &View) {
    let Some((title, advice)) = missing(view) else {
        return;
    };
    bottom_strip_ui(
        ui,
        "next step",
        None,
        (icons::INFO, *theme::ACCENT),
        |ui| {
            ui.label(RichText::new(title).strong().color(theme::TEXT_STRONG));
            ui.add(Label::new(RichText::new(advice).color(theme::TEXT)).truncate());
        },
        |_| {},
    );
}
