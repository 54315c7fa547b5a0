//! The panel at the left: lists above, properties of what is selected below, a border to drag between.

use super::bones::{BonesState, bones_ui};
use super::facts::{FactsCache, ReportCache};
use super::outliner::{OutlinerState, meshes_ui, outliner_ui, resources_ui};
use super::properties::{Euler, properties_ui};
use super::working::Working;
use crate::edit::action::renamed;
use crate::edit::request::Request;
use crate::edit::view::{Tab, View};
use crate::editor::ui::fields::Fields;
use crate::editor::ui::list::{open_section, section_ui};
use crate::editor::ui::theme;
use crate::scene::names::Kind;
use egui::{Frame, Id, Margin, ScrollArea, Ui};

/// What the panel remembers between frames.
#[derive(Default)]
pub struct SideState {
    pub fields: Fields,
    pub bones: BonesState,
    pub outliner: OutlinerState,
    euler: Euler,
    facts: FactsCache,
    pub reports: ReportCache,
    /// What is selected is to be renamed.
    rename_asked: bool,
}

impl SideState {
    /// Opens a field over the name of what is selected.
    pub fn rename(&mut self) {
        self.rename_asked = true;
    }
}

/// Height that shows the properties of a bone.
const PROPERTIES: f32 = 392.0;
/// And what it leaves the lists, if that is not too much of the window.
const LISTS: f32 = 195.0;

pub fn side_ui(
    ui: &mut Ui,
    view: &View,
    state: &mut SideState,
    working: Option<Working>,
    out: &mut Vec<Request>,
) {
    if std::mem::take(&mut state.rename_asked) {
        match renamed(view) {
            Ok(thing) => state.outliner.rename(thing),
            Err(_) => state.bones.rename(),
        }
    }
    let height = ui.available_height();
    // Each tab has a height of its own: where the timeline leaves less room, Rig loses none.
    egui::Panel::bottom(Id::new(("properties", view.settings.tab == Tab::Rig)))
        .frame(Frame::new().fill(theme::PANEL))
        .resizable(true)
        .default_size(
            (height * 0.55)
                .max(PROPERTIES)
                .min((height - LISTS).max(height * 0.6)),
        )
        .size_range((height * 0.25).min(150.0)..=(height - 90.0).max(90.0))
        .show(ui, |ui| {
            let SideState {
                fields,
                facts,
                euler,
                reports,
                ..
            } = state;
            properties_ui(ui, view, fields, facts, euler, reports, working, out)
        });
    ScrollArea::vertical()
        .id_salt("lists")
        .auto_shrink(false)
        .show(ui, |ui| {
            Frame::new().inner_margin(Margin::symmetric(6, 4)).show(ui, |ui| {
                ui.set_width(ui.available_width());
                lists_ui(ui, view, &mut state.bones, &mut state.outliner, out);
            });
        });
    state.outliner.end_frame(view, out);
    state.fields.end_frame(ui.ctx(), out);
    state.facts.surface.hear(out);
}

fn lists_ui(
    ui: &mut Ui,
    view: &View,
    bones: &mut BonesState,
    outliner: &mut OutlinerState,
    out: &mut Vec<Request>,
) {
    // Each tab opens at first what it works on; what a person opens or closes stays, per tab.
    let rig = view.settings.tab == Tab::Rig;
    let scene = Id::new(("scene section", rig));
    let meshes = Id::new(("meshes section", rig));
    let resources = Id::new("resources section");
    match outliner.renames().map(|thing| thing.kind) {
        Some(Kind::Instance(_)) => open_section(ui, scene),
        Some(Kind::SkinnedMesh) => open_section(ui, meshes),
        Some(_) => open_section(ui, resources),
        None => {}
    }
    section_ui(ui, scene, "Scene", !rig, |ui| {
        outliner_ui(ui, view, outliner, out)
    });
    section_ui(ui, meshes, "Skinned meshes", rig, |ui| {
        meshes_ui(ui, view, outliner, out)
    });
    let section = Id::new("bones section");
    if bones.is_asked() {
        open_section(ui, section);
    }
    section_ui(ui, section, "Bones", true, |ui| bones_ui(ui, view, bones, out));
    section_ui(ui, resources, "Resources", false, |ui| {
        resources_ui(ui, view, outliner, out)
    });
}
