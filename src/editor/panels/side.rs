//! The lists at the left of the viewport, and what they and the properties at its right remember.

use super::bones::{BonesState, bones_ui};
use super::outliner::{OutlinerState, meshes_ui, outliner_ui, resources_ui};
use super::poses::{PosesState, poses_ui};
use super::properties::PropertiesState;
use crate::edit::action::renamed;
use crate::edit::request::Request;
use crate::edit::view::{Tab, View};
use crate::editor::ui::fields::Fields;
use crate::editor::ui::list::{is_section_open, open_section, scroll, section_ui};
use crate::editor::ui::share::shares;
use crate::editor::ui::theme;
use crate::scene::names::Kind;
use egui::{Frame, Id, Margin, Ui};

/// What the panels remember between frames.
#[derive(Default)]
pub struct SideState {
    pub fields: Fields,
    pub bones: BonesState,
    pub outliner: OutlinerState,
    pub poses: PosesState,
    pub properties: PropertiesState,
    /// What is selected is to be renamed.
    rename_asked: bool,
    /// The character whose poses were listed, and whether there were any.
    kept: Option<(String, bool)>,
    /// Heights of the lists in the last frame, in points.
    needs: [Option<f32>; LISTS],
}

/// Scene, skinned meshes, bones, poses, resources.
const LISTS: usize = 5;
const BONES: usize = 2;
/// Its place among them; it is of the Animate tab.
const POSES: usize = 3;
/// Of its height that it has before bones have more than so: its buttons and a row of pictures.
const LEAST_POSES: f32 = 2.0 * theme::ROW + 108.0;
const LEAST_BONES: f32 = 4.0 * theme::ROW;

impl SideState {
    /// Opens a field over the name of what is selected.
    pub fn rename(&mut self) {
        self.rename_asked = true;
    }

    /// Once per frame, after both panels.
    pub fn end_frame(&mut self, ui: &Ui, view: &View, out: &mut Vec<Request>) {
        self.outliner.end_frame(view, out);
        self.poses.end_frame(out);
        self.fields.end_frame(ui.ctx(), out);
        self.properties.surface.on_requests(out);
    }
}

/// The lists, one below the other; each scrolls where they do not all fit.
pub fn lists_ui(ui: &mut Ui, view: &View, state: &mut SideState, out: &mut Vec<Request>) {
    if std::mem::take(&mut state.rename_asked) {
        match renamed(view) {
            Ok(thing) => state.outliner.rename(thing),
            Err(_) => state.bones.rename(),
        }
    }
    // Each tab opens at first what it works on; what a person opens or closes stays, per tab.
    let rig = view.settings.tab == Tab::Rig;
    // Where none are kept yet, the list would take room from the others.
    let mesh = view.session.selection().mesh.as_ref();
    let keeps_poses = mesh.is_some_and(|mesh| {
        let found = view.session.animated().skinned_meshes.get(mesh);
        found.is_some_and(|skinned| !skinned.poses.is_empty())
    });
    let before = std::mem::replace(&mut state.kept, mesh.map(|mesh| (mesh.clone(), keeps_poses)));
    let is_first = keeps_poses && before.is_some_and(|(of, any)| Some(&of) == mesh && !any);
    let sections = [
        (Id::new(("scene section", rig)), "Scene", !rig),
        (Id::new(("meshes section", rig)), "Skinned meshes", rig),
        (Id::new("bones section"), "Bones", true),
        (Id::new("poses section"), "Poses", keeps_poses),
        (Id::new("resources section"), "Resources", false),
    ];
    let [scene, meshes, bones, poses, resources] = sections.map(|(id, ..)| id);
    if is_first {
        open_section(ui, poses);
    }
    match state.outliner.renames().map(|thing| thing.kind) {
        Some(Kind::Instance(_)) => open_section(ui, scene),
        Some(Kind::SkinnedMesh) => open_section(ui, meshes),
        Some(_) => open_section(ui, resources),
        None => {}
    }
    if state.bones.is_asked() {
        open_section(ui, bones);
    }
    Frame::new().inner_margin(Margin::symmetric(6, 4)).show(ui, |ui| {
        ui.set_width(ui.available_width());
        let shown = |i: usize| !(rig && i == POSES);
        let titles = (0..LISTS).filter(|i| shown(*i)).count() as f32
            * (theme::ROW + 2.0 * ui.spacing().item_spacing.y);
        let mut needs = [0.0; LISTS];
        for (i, (id, _, open)) in sections.iter().enumerate() {
            if shown(i) && is_section_open(ui, *id, *open) {
                needs[i] = state.needs[i].unwrap_or(f32::INFINITY);
            }
        }
        let mut rooms = shares(needs, ui.available_height() - titles);
        let lack = (needs[POSES].min(LEAST_POSES) - rooms[POSES]).min(rooms[BONES] - LEAST_BONES);
        if lack > 0.0 {
            rooms[POSES] += lack;
            rooms[BONES] -= lack;
        }
        for (i, (id, title, open)) in sections.into_iter().enumerate().filter(|(i, _)| shown(*i)) {
            let SideState {
                bones,
                outliner,
                poses,
                ..
            } = state;
            let mut need = None;
            section_ui(ui, id, title, open, |ui| {
                need = Some(match i {
                    0 => scroll(ui, i, rooms[i], |ui| outliner_ui(ui, view, outliner, out)),
                    1 => scroll(ui, i, rooms[i], |ui| meshes_ui(ui, view, outliner, out)),
                    BONES => bones_ui(ui, view, bones, rooms[i], out),
                    POSES => poses_ui(ui, view, poses, rooms[i], out),
                    _ => scroll(ui, i, rooms[i], |ui| resources_ui(ui, view, outliner, out)),
                });
            });
            if need.is_some() && need != state.needs[i] {
                state.needs[i] = need;
                ui.ctx().request_repaint();
            }
        }
    });
}
