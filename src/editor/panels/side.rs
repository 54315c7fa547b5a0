//! The panel at the left: lists above, properties of what is selected below, a border to drag between.

use super::bones::{BonesState, bones_ui};
use super::facts::FactsCache;
use super::outliner::{meshes_ui, outliner_ui};
use super::properties::properties_ui;
use super::properties::weights::WeightsState;
use crate::edit::request::Request;
use crate::edit::view::{Tab, View};
use crate::editor::ui::fields::Fields;
use crate::editor::ui::list::{open_section, section_ui};
use crate::editor::ui::theme;
use egui::{Frame, Id, Margin, ScrollArea, Ui};

/// What the panel remembers between frames.
#[derive(Default)]
pub struct SideState {
    pub fields: Fields,
    pub bones: BonesState,
    facts: FactsCache,
    pub weights: WeightsState,
}

/// Height that shows all properties of a bone.
const PROPERTIES: f32 = 372.0;

pub fn side_ui(ui: &mut Ui, view: &View, state: &mut SideState, out: &mut Vec<Request>) {
    let height = ui.available_height();
    egui::Panel::bottom("properties")
        .frame(Frame::new().fill(theme::PANEL))
        .resizable(true)
        .default_size((height * 0.5).max(PROPERTIES).min(height - 150.0).max(80.0))
        .size_range((height * 0.25).min(150.0)..=(height - 90.0).max(90.0))
        .show(ui, |ui| {
            properties_ui(
                ui,
                view,
                &mut state.fields,
                &mut state.facts,
                &mut state.weights,
                out,
            )
        });
    ScrollArea::vertical()
        .id_salt("lists")
        .auto_shrink(false)
        .show(ui, |ui| {
            Frame::new().inner_margin(Margin::symmetric(6, 4)).show(ui, |ui| {
                ui.set_width(ui.available_width());
                lists_ui(ui, view, &mut state.bones, out);
            });
        });
    state.fields.end_frame(ui.ctx(), out);
}

fn lists_ui(ui: &mut Ui, view: &View, bones: &mut BonesState, out: &mut Vec<Request>) {
    // Each tab opens at first what it works on; what a person opens or closes stays, per tab.
    let rig = view.settings.tab == Tab::Rig;
    section_ui(ui, Id::new(("scene section", rig)), "Scene", !rig, |ui| {
        outliner_ui(ui, view, out)
    });
    section_ui(
        ui,
        Id::new(("meshes section", rig)),
        "Skinned meshes",
        rig,
        |ui| meshes_ui(ui, view, out),
    );
    let section = Id::new("bones section");
    if bones.is_asked() {
        open_section(ui, section);
    }
    section_ui(ui, section, "Bones", true, |ui| bones_ui(ui, view, bones, out));
}
